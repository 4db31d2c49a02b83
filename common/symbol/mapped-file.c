/* SPDX-License-Identifier: MIT */
/*
 * See mapped-file.h. Some filesystems in layers tell other numbers for a file than its mappings
 * have; whether the one at hand does, the mappings of this program show.
 */
#include "common/symbol/mapped-file.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Inode of the first mapping of the file at `path` in this process; 0 without one. */
static uint64_t mapped_inode(const char *path)
{
	g_autofree char *maps = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents("/proc/self/maps", &maps, NULL, NULL)) {
		return 0;
	}
	lines = g_strsplit(maps, "\n", -1);
	for (char **line = lines; *line; line++) {
		unsigned long inode;

		if (g_str_has_suffix(*line, path) &&
		    sscanf(*line, "%*x-%*x %*s %*x %*x:%*x %lu", &inode) == 1) {
			return inode;
		}
	}
	return 0;
}

static bool find_out_whether_inodes_tell(void)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	const uint64_t inode = self ? mapped_inode(self) : 0;
	struct stat status;

	return inode != 0 && stat(self, &status) == 0 && status.st_ino == inode;
}

static bool inodes_tell(void)
{
	static gsize known;

	if (g_once_init_enter(&known)) {
		g_once_init_leave(&known, find_out_whether_inodes_tell() ? 2 : 1);
	}
	return known == 2;
}

bool itp_mapped_file_is_elsewhere(const struct itp_mapped_file *mapped, const char *path)
{
	struct stat status;

	return mapped->inode != 0 && stat(path, &status) == 0 && status.st_ino != mapped->inode &&
	       (mapped->recorded_s == 0 || status.st_ctime <= mapped->recorded_s) && inodes_tell();
}

static bool has_inode(const char *path, uint64_t inode)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_ino == inode;
}

char *itp_mapped_file_of_process(const struct itp_mapped_file *mapped, const char *path)
{
	g_autofree char *below_root =
		g_strdup_printf("/proc/%" G_GINT32_FORMAT "/root%s", mapped->pid, path);
	g_autofree char *program = g_strdup_printf("/proc/%" G_GINT32_FORMAT "/exe", mapped->pid);

	if (mapped->inode == 0 || mapped->pid <= 0) {
		return NULL;
	}
	if (has_inode(below_root, mapped->inode)) {
		return g_steal_pointer(&below_root);
	}
	return has_inode(program, mapped->inode) ? g_steal_pointer(&program) : NULL;
}
