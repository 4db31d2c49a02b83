/* SPDX-License-Identifier: MIT */
/* See foreign-maps.h. */
#include "messages/foreign-maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/failure.h"

/* Processes not named by a file. */
#define ANY_PID (-1)

struct saved_range {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	/* Owned by this. */
	char *path;
	bool is_private;
};

struct saved_map {
	int32_t pid;
	/* struct saved_range of executable memory. Owned by this. */
	GArray *ranges;
};

struct itp_foreign_maps {
	/* struct saved_map. Owned by this. */
	GArray *maps;
};

static void clear_range(void *data)
{
	g_free(((struct saved_range *)data)->path);
}

static void clear_map(void *data)
{
	g_array_unref(((struct saved_map *)data)->ranges);
}

/* "START-END PERMISSIONS OFFSET DEVICE INODE PATH" */
static bool read_line(const char *line, GArray *ranges)
{
	struct saved_range range;
	char permissions[5];
	int path = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &range.start,
		   &range.end, permissions, &range.offset, &path) != 4 ||
	    path == 0 || range.end < range.start) {
		return false;
	}
	if (strchr(permissions, 'x')) {
		range.is_private = strchr(permissions, 'p') != NULL;
		range.path = g_strdup(line[path] != '\0' ? line + path : "//anon");
		g_array_append_val(ranges, range);
	}
	return true;
}

static bool read_file(const char *path, GArray *ranges, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, &cause)) {
		itp_failure_set(error, "parameter \"maps\": %s", cause->message);
		return false;
	}
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		if (lines[i][0] != '\0' && !read_line(lines[i], ranges)) {
			itp_failure_set(error,
					"parameter \"maps\": %s: line %u is not one of a "
					"/proc/PID/maps file",
					path, i + 1);
			return false;
		}
	}
	return true;
}

/* The process in `name`, or ANY_PID; *ret_path, weak, is the file. */
static int32_t split_name(const char *name, const char **ret_path)
{
	char *end;
	uint64_t pid = g_ascii_strtoull(name, &end, 10);

	if (g_ascii_isdigit(name[0]) && *end == '=' && pid <= INT32_MAX) {
		*ret_path = end + 1;
		return (int32_t)pid;
	}
	*ret_path = name;
	return ANY_PID;
}

struct itp_foreign_maps *itp_foreign_maps_new(const GPtrArray *names, GError **error)
{
	struct itp_foreign_maps *maps = g_new0(struct itp_foreign_maps, 1);

	maps->maps = g_array_new(FALSE, FALSE, sizeof(struct saved_map));
	g_array_set_clear_func(maps->maps, clear_map);
	for (guint i = 0; names && i < names->len; i++) {
		struct saved_map map = { .ranges = g_array_new(FALSE, FALSE,
							       sizeof(struct saved_range)) };
		const char *path;

		g_array_set_clear_func(map.ranges, clear_range);
		map.pid = split_name(g_ptr_array_index(names, i), &path);
		g_array_append_val(maps->maps, map);
		if (!read_file(path, map.ranges, error)) {
			itp_foreign_maps_free(maps);
			return NULL;
		}
	}
	return maps;
}

void itp_foreign_maps_free(struct itp_foreign_maps *maps)
{
	if (maps) {
		g_array_unref(maps->maps);
		g_free(maps);
	}
}

/* The map for process `pid`; NULL for none. */
static const struct saved_map *find_map(const struct itp_foreign_maps *maps, int32_t pid)
{
	for (guint i = 0; i < maps->maps->len; i++) {
		const struct saved_map *map = &g_array_index(maps->maps, struct saved_map, i);

		if (map->pid == pid) {
			return map;
		}
	}
	return NULL;
}

bool itp_foreign_maps_apply(const struct itp_foreign_maps *maps, int32_t pid,
			    struct itp_symbolizer *symbolizer, struct itp_address_space **space)
{
	const struct saved_map *map = find_map(maps, pid);

	if (!map) {
		map = find_map(maps, ANY_PID);
	}
	for (guint i = 0; map && i < map->ranges->len; i++) {
		const struct saved_range *range =
			&g_array_index(map->ranges, struct saved_range, i);
		const struct itp_map_request request = {
			.start = range->start,
			.length = range->end - range->start,
			.offset = range->offset,
			.path = range->path,
			.pid = pid,
			.is_private = range->is_private,
		};

		itp_symbolizer_map(symbolizer, space, &request);
	}
	return map != NULL;
}
