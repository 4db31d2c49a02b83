/* SPDX-License-Identifier: MIT */
/*
 * Reads a map that anybody may have put into a directory for all: only those of the user who
 * asks, or of root, count.
 */
#include "common/symbol/jit-map.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A million functions with names of 60 bytes. */
#define MAX_BYTES (64 * 1024 * 1024)

static bool is_trusted(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_size <= MAX_BYTES &&
	       (status->st_uid == geteuid() || status->st_uid == 0);
}

/* As much as the file had when it was opened, terminated. */
static char *read_text(int fd)
{
	g_autofree char *text = NULL;
	struct stat status;
	ssize_t got = 0;
	size_t size = 0;

	if (fstat(fd, &status) != 0 || !is_trusted(&status)) {
		return NULL;
	}
	text = g_try_malloc((size_t)status.st_size + 1);
	while (text && size < (size_t)status.st_size &&
	       (got = read(fd, text + size, (size_t)status.st_size - size)) > 0) {
		size += (size_t)got;
	}
	if (!text || got < 0) {
		return NULL;
	}
	text[size] = '\0';
	return g_steal_pointer(&text);
}

/* `line` is terminated; others than functions are passed over. */
static void add_line(struct itp_symbol_table *table, const char *line)
{
	char *end;
	uint64_t start = g_ascii_strtoull(line, &end, 16);
	uint64_t size;

	if (end == line || *end != ' ') {
		return;
	}
	line = end + 1;
	size = g_ascii_strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || end[1] == '\0' || size == 0 ||
	    size > UINT64_MAX - start) {
		return;
	}
	itp_symbol_table_add(table, &(struct itp_symbol){
					    .start = start,
					    .end = start + size,
					    .name = end + 1,
					    .name_length = (uint32_t)strlen(end + 1),
					    .binding = ITP_BINDING_GLOBAL,
					    .is_sized = true,
				    });
}

struct itp_jit_map *itp_jit_map_new(const char *path)
{
	/* Without O_NONBLOCK a named pipe would block for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	struct itp_jit_map *map;
	char *text;
	char *line;
	char *next;

	if (fd < 0) {
		return NULL;
	}
	text = read_text(fd);
	close(fd);
	if (!text) {
		return NULL;
	}
	map = g_new(struct itp_jit_map, 1);
	map->text = text;
	itp_symbol_table_init(&map->table);
	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next) {
			*next++ = '\0';
		}
		add_line(&map->table, line);
	}
	itp_symbol_table_finish(&map->table);
	return map;
}

void itp_jit_map_free(struct itp_jit_map *map)
{
	if (!map) {
		return;
	}
	itp_symbol_table_release(&map->table);
	g_free(map->text);
	g_free(map);
}
