/* SPDX-License-Identifier: MIT */
/*
 * Reads the map line by line into a symbol table.
 */
#include "common/symbol/jit-map.h"

#include "common/base/trusted-file.h"

#include <string.h>
#include <unistd.h>

/* A million functions with names of 60 bytes. */
#define MAX_BYTES (64 * 1024 * 1024)

/* As much as the file had when it was opened, terminated. */
static char *read_text(int fd, size_t bytes)
{
	g_autofree char *text = g_malloc(bytes + 1);
	ssize_t got = 0;
	size_t size = 0;

	while (size < bytes && (got = read(fd, text + size, bytes - size)) > 0) {
		size += (size_t)got;
	}
	if (got < 0) {
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

struct itp_jit_map *itp_jit_map_new(const char *root, const char *path)
{
	size_t bytes;
	int fd = itp_trusted_file_open(root, path, MAX_BYTES, &bytes);
	struct itp_jit_map *map;
	char *text;
	char *line;
	char *next;

	if (fd < 0) {
		return NULL;
	}
	text = read_text(fd, bytes);
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
