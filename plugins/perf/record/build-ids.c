/* SPDX-License-Identifier: MIT */
/*
 * See build-ids.h.
 */
#include "plugins/perf/record/build-ids.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/base/hash.h"
#include "common/elf/image.h"
#include "common/perf-data/mapping.h"
#include "common/symbol/mapped-file.h"

/* Longest list of files for perf, in bytes; the kernel takes arguments of 128 KiB. */
#define LIST_BYTES 100000
/* Most files of containers kept open: half of a process' usual limit. */
#define MOST_OPEN 512
#define COPY_BYTES (1 << 20)

/* A PERF_RECORD_MMAP2. Its union has the file's numbers, or length and bytes of the build id. */
struct mapping {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t length;
	uint64_t offset;
	union {
		struct {
			uint32_t major;
			uint32_t minor;
			uint64_t inode;
			uint64_t generation;
		} file;
		struct {
			uint8_t size;
			uint8_t unused[3];
			uint8_t bytes[ITP_BUILD_ID_MOST];
		} build_id;
	} u;
	uint32_t protection;
	uint32_t flags;
	char path[];
};

struct known {
	/* Path as recorded. Owned by this. */
	char *path;
	/* Open file, if `path` leads to another file or to none: a container's file, out of reach
	 * when its process ends. Else -1. Owned by this. */
	int file;
	/* Bytes of the build id; 0 without any. */
	uint8_t size;
	uint8_t bytes[ITP_BUILD_ID_MOST];
};

struct itp_recorder_build_ids {
	/* struct known by inode and path, as text: "1234 /usr/sbin/nginx". Owned by this. */
	GHashTable *known;
	guint open_count;
};

static void free_known(gpointer data)
{
	struct known *known = data;

	if (known->file >= 0) {
		close(known->file);
	}
	g_free(known->path);
	g_free(known);
}

struct itp_recorder_build_ids *itp_recorder_build_ids_new(void)
{
	struct itp_recorder_build_ids *ids = g_new0(struct itp_recorder_build_ids, 1);

	ids->known = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, free_known);
	return ids;
}

void itp_recorder_build_ids_free(struct itp_recorder_build_ids *ids)
{
	if (!ids) {
		return;
	}
	g_hash_table_unref(ids->known);
	g_free(ids);
}

/* ---- Build ids ---- */

static char *id_text(const struct known *known)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < known->size; i++) {
		g_string_append_printf(text, "%02x", known->bytes[i]);
	}
	return g_string_free(text, FALSE);
}

/* Path of a build id's link in perf's cache. Owned by the caller. */
static char *cache_link(const char *id)
{
	return g_strdup_printf("%s/.debug/.build-id/%.2s/%s", g_get_home_dir(), id,
			       id + MIN(strlen(id), 2));
}

static bool is_cached(const struct known *known)
{
	g_autofree char *id = id_text(known);
	g_autofree char *link = cache_link(id);

	return access(link, F_OK) == 0;
}

static void read_id(struct known *known, const char *place, uint64_t inode)
{
	struct itp_elf_image image;
	struct stat status;

	if (stat(place, &status) != 0 || (inode != 0 && status.st_ino != inode) ||
	    itp_elf_image_look(&image, place) < 0) {
		return;
	}
	while (known->size < ITP_BUILD_ID_MOST && image.build_id[2 * known->size] != '\0') {
		const char *text = image.build_id + 2 * known->size;

		known->bytes[known->size++] = (uint8_t)(g_ascii_xdigit_value(text[0]) << 4 |
							g_ascii_xdigit_value(text[1]));
	}
	itp_elf_image_release(&image);
}

static struct known *read_file(struct itp_recorder_build_ids *ids, const char *path,
			       const struct itp_mapped_file *mapped)
{
	struct known *known = g_new0(struct known, 1);
	g_autofree char *place = itp_mapped_file_is_elsewhere(mapped, path) ||
						 access(path, F_OK) != 0 ?
					 itp_mapped_file_of_process(mapped, path) :
					 NULL;

	known->path = g_strdup(path);
	known->file = -1;
	read_id(known, place ? place : path, mapped->inode);
	if (place && known->size > 0 && ids->open_count < MOST_OPEN && !is_cached(known)) {
		known->file = open(place, O_RDONLY | O_CLOEXEC);
		ids->open_count += known->file >= 0;
	}
	return known;
}

/* NULL for a missing file, and for a file without a build id. */
static const struct known *look_up(struct itp_recorder_build_ids *ids, const char *path,
				   const struct itp_mapped_file *mapped)
{
	g_autofree char *key = g_strdup_printf("%" G_GUINT64_FORMAT " %s", mapped->inode, path);
	struct known *known = g_hash_table_lookup(ids->known, key);

	if (!known) {
		known = read_file(ids, path, mapped);
		g_hash_table_insert(ids->known, g_steal_pointer(&key), known);
	}
	return known->size > 0 ? known : NULL;
}

void itp_recorder_build_ids_add(struct itp_recorder_build_ids *ids,
				struct perf_event_header *record)
{
	struct mapping *mapping = (struct mapping *)record;
	const struct known *known;

	if (record->type != PERF_RECORD_MMAP2 || record->misc & ITP_MISC_MMAP_BUILD_ID ||
	    record->size <= sizeof(*mapping) || !(mapping->protection & PROT_EXEC) ||
	    mapping->path[0] != '/') {
		return;
	}
	known = look_up(ids, mapping->path,
			&(struct itp_mapped_file){ .inode = mapping->u.file.inode,
						   .pid = (int32_t)mapping->pid });
	if (known) {
		memset(&mapping->u, 0, sizeof(mapping->u));
		mapping->u.build_id.size = known->size;
		memcpy(mapping->u.build_id.bytes, known->bytes, known->size);
		record->misc |= ITP_MISC_MMAP_BUILD_ID;
	}
}

void itp_recorder_build_ids_note(struct itp_recorder_build_ids *ids, const char *path)
{
	look_up(ids, path, &(struct itp_mapped_file){ .inode = 0 });
}

/* ---- perf's cache ---- */

/* Copies the open file to `path`, by a rename when complete. False when `path` is unchanged. */
static bool copy_file(int file, const char *path)
{
	g_autofree char *unfinished = g_strconcat(path, ".new", NULL);
	const int copy = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ssize_t count = copy >= 0 ? 1 : -1;

	while (count > 0) {
		count = sendfile(copy, file, NULL, COPY_BYTES);
	}
	if (copy >= 0 && close(copy) != 0) {
		count = -1;
	}
	return count == 0 && g_rename(unfinished, path) == 0;
}

/* Puts a container's file into the cache, as perf does: the file below its path and its build id,
 * and a link by the build id. perf itself would look for the file at its path here. */
static void keep_file(const struct known *known)
{
	g_autofree char *id = id_text(known);
	g_autofree char *directory =
		g_strdup_printf("%s/.debug%s/%s", g_get_home_dir(), known->path, id);
	g_autofree char *file = g_build_filename(directory, "elf", NULL);
	g_autofree char *link = cache_link(id);
	g_autofree char *links = g_path_get_dirname(link);
	g_autofree char *target = g_strdup_printf("../..%s/%s", known->path, id);

	if (g_mkdir_with_parents(directory, 0755) == 0 && g_mkdir_with_parents(links, 0755) == 0 &&
	    copy_file(known->file, file)) {
		(void)symlink(target, link);
	}
}

void itp_recorder_build_ids_keep(const struct itp_recorder_build_ids *ids)
{
	const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
				  G_SPAWN_STDERR_TO_DEV_NULL;
	g_autoptr(GString) list = g_string_new("--add=");
	const size_t head = list->len;
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, ids->known);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct known *known = value;

		if (known->size == 0 || is_cached(known)) {
			continue;
		}
		if (known->file >= 0) {
			keep_file(known);
			continue;
		}
		/* Commas divide the files of perf's list. */
		if (!strchr(known->path, ',') && list->len + strlen(known->path) < LIST_BYTES) {
			g_string_append_printf(list, "%s%s", list->len > head ? "," : "",
					       known->path);
		}
	}
	if (list->len > head) {
		g_spawn_sync(NULL, (char *[]){ "perf", "buildid-cache", list->str, NULL }, NULL,
			     flags, NULL, NULL, NULL, NULL, NULL, NULL);
	}
}
