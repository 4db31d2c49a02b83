/* SPDX-License-Identifier: MIT */
/*
 * See groups.h.
 */
#include "plugins/perf/record/groups.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/elf/bytes.h"
#include "plugins/perf/record/sideband.h"

struct itp_recorder_groups {
	/* Number of a group by its path, from 1 on. Owned by this. */
	GHashTable *numbers;
	/* Number of the group by process. Owned by this. */
	GHashTable *of_processes;
};

struct itp_recorder_groups *itp_recorder_groups_new(void)
{
	struct itp_recorder_groups *groups = g_new0(struct itp_recorder_groups, 1);

	groups->numbers = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);
	groups->of_processes = g_hash_table_new(itp_hash_number, NULL);
	return groups;
}

void itp_recorder_groups_free(struct itp_recorder_groups *groups)
{
	if (!groups) {
		return;
	}
	g_hash_table_unref(groups->numbers);
	g_hash_table_unref(groups->of_processes);
	g_free(groups);
}

/* Path in a line of /proc/PID/cgroup, "4:memory:/docker/3f2a…". Weak. */
static const char *path_in(const char *line)
{
	const char *controllers = strchr(line, ':');
	const char *path = controllers ? strchr(controllers + 1, ':') : NULL;

	return path ? path + 1 : "";
}

/* Of several hierarchies (version 1 of control groups), the longest path: a runtime makes a group
 * in all or in some. NULL for a process that is gone. Owned by the caller. */
static char *read_path(int32_t pid)
{
	g_autofree char *file = g_strdup_printf("/proc/%d/cgroup", pid);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	const char *longest = "";

	if (!g_file_get_contents(file, &text, NULL, NULL)) {
		return NULL;
	}
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		const char *path = path_in(lines[i]);

		longest = strlen(path) > strlen(longest) ? path : longest;
	}
	return g_strdup(longest);
}

static uint64_t number_of(struct itp_recorder_groups *groups, const char *path,
			  itp_recorder_tell *tell, void *data)
{
	gpointer known = g_hash_table_lookup(groups->numbers, path);

	if (!known) {
		known = GUINT_TO_POINTER(g_hash_table_size(groups->numbers) + 1);
		g_hash_table_insert(groups->numbers, g_strdup(path), known);
		itp_recorder_existing_group(GPOINTER_TO_UINT(known), path, tell, data);
	}
	return GPOINTER_TO_UINT(known);
}

/* True when the group is another one than before. */
static bool look(struct itp_recorder_groups *groups, struct itp_recorder_group *group,
		 itp_recorder_tell *tell, void *data)
{
	const gpointer process = GINT_TO_POINTER(group->pid);
	const gpointer before = g_hash_table_lookup(groups->of_processes, process);
	g_autofree char *path = read_path(group->pid);

	if (!path) {
		return false;
	}
	group->number = number_of(groups, path, tell, data);
	g_hash_table_insert(groups->of_processes, process, GUINT_TO_POINTER((guint)group->number));
	return group->number != GPOINTER_TO_UINT(before);
}

static void copy_from_parent(struct itp_recorder_groups *groups, uint32_t pid, uint32_t parent_pid)
{
	g_hash_table_insert(
		groups->of_processes, GUINT_TO_POINTER(pid),
		g_hash_table_lookup(groups->of_processes, GUINT_TO_POINTER(parent_pid)));
}

static uint64_t time_of(const struct perf_event_header *header)
{
	struct itp_recorder_trailer trailer;

	memcpy(&trailer, (const uint8_t *)header + header->size - sizeof(trailer), sizeof(trailer));
	return trailer.time_ns;
}

bool itp_recorder_groups_push(struct itp_recorder_groups *groups,
			      const struct perf_event_header *header, itp_recorder_tell *tell,
			      void *data, struct itp_recorder_group *ret_group)
{
	struct itp_bytes body = { .data = (const uint8_t *)(header + 1),
				  .size = header->size - sizeof(*header) };
	const uint64_t time_ns = time_of(header);
	uint32_t pid;
	uint32_t other;

	/* The process; then a fork's parent, or the thread of a name. */
	if (!itp_bytes_u32(&body, &pid) || !itp_bytes_u32(&body, &other)) {
		return false;
	}
	if (header->type == PERF_RECORD_FORK && pid != other) {
		copy_from_parent(groups, pid, other);
	}
	*ret_group = (struct itp_recorder_group){ .pid = (int32_t)pid, .time_ns = time_ns };
	return header->type == PERF_RECORD_COMM && pid == other &&
	       ((header->misc & PERF_RECORD_MISC_COMM_EXEC) || time_ns == 0) &&
	       look(groups, ret_group, tell, data);
}
