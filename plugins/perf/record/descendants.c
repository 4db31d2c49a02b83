/* SPDX-License-Identifier: MIT */
/*
 * See descendants.h. Processes that end meanwhile are left out by the recorder.
 */
#include "plugins/perf/record/descendants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most processes named. */
#define NAMED 4

struct process {
	int32_t pid;
	int32_t parent;
};

/* False when the process is gone. */
static bool read_process(const char *name, struct process *ret_process)
{
	g_autofree char *path = g_strdup_printf("/proc/%s/stat", name);
	g_autofree char *text = NULL;
	const char *end;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		return false;
	}
	ret_process->pid = atoi(name);
	/* The name may hold anything. */
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %d", &ret_process->parent) == 1;
}

/* struct process, of all that this user may look at and that have run for a second: others may have
 * ended before perf, which then records nothing, has found them. */
static GArray *read_processes(void)
{
	GArray *processes = g_array_new(FALSE, FALSE, sizeof(struct process));
	g_autoptr(GDir) directory = g_dir_open("/proc", 0, NULL);
	struct process process;
	const char *name;

	while (directory && (name = g_dir_read_name(directory))) {
		if (itp_target_is_settled(name) && read_process(name, &process)) {
			g_array_append_val(processes, process);
		}
	}
	return processes;
}

static int32_t parent_of(int32_t pid)
{
	g_autofree char *name = g_strdup_printf("%" G_GINT32_FORMAT, pid);
	struct process process = { .parent = 0 };

	return read_process(name, &process) ? process.parent : 0;
}

static bool contains(const GArray *pids, int32_t pid)
{
	for (guint i = 0; i < pids->len; i++) {
		if (g_array_index(pids, int32_t, i) == pid) {
			return true;
		}
	}
	return false;
}

/* Processes to be left out: this program, and its ancestors. */
static GArray *own_processes(void)
{
	GArray *own = g_array_new(FALSE, FALSE, sizeof(int32_t));

	for (int32_t pid = getpid(); pid > 0 && !contains(own, pid); pid = parent_of(pid)) {
		g_array_append_val(own, pid);
	}
	return own;
}

/* Appends descendants of `pids` (int32_t). */
static void add_descendants(GArray *pids, const GArray *processes)
{
	g_autoptr(GArray) own = own_processes();

	for (guint i = 0; i < pids->len; i++) {
		const int32_t parent = g_array_index(pids, int32_t, i);

		for (guint k = 0; k < processes->len; k++) {
			const struct process *child = &g_array_index(processes, struct process, k);

			if (child->parent == parent && !contains(own, child->pid) &&
			    !contains(pids, child->pid)) {
				g_array_append_val(pids, child->pid);
			}
		}
	}
}

/* "813, 814, 815 and 816, and 12 more, which it has made, are recorded too". */
static char *sentence_of(const GArray *pids, guint first)
{
	const guint count = pids->len - first;
	const guint named = MIN(count, NAMED);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < named; i++) {
		g_string_append_printf(text, "%s%" G_GINT32_FORMAT,
				       i == 0        ? "" :
				       i + 1 < named ? ", " :
						       " and ",
				       g_array_index(pids, int32_t, first + i));
	}
	if (count > named) {
		g_string_append_printf(text, ", and %u more", count - named);
	}
	g_string_append_printf(text, ", which %s made, %s recorded too (-t records threads alone)",
			       first == 1 ? "it has" : "these have", count == 1 ? "is" : "are");
	return g_string_free(text, FALSE);
}

char *itp_target_take_descendants(struct itp_target *target)
{
	g_autoptr(GArray) processes = NULL;
	g_autoptr(GArray) pids = NULL;
	g_autoptr(GString) list = NULL;
	g_auto(GStrv) names = NULL;
	guint first;

	if (!target->pids || target->is_threads || target->user) {
		return NULL;
	}
	processes = read_processes();
	pids = g_array_new(FALSE, FALSE, sizeof(int32_t));
	names = g_strsplit(target->pids, ",", -1);
	for (char **name = names; *name; name++) {
		const int32_t pid = atoi(*name);

		g_array_append_val(pids, pid);
	}
	first = pids->len;
	add_descendants(pids, processes);
	if (pids->len == first) {
		return NULL;
	}
	list = g_string_new(target->pids);
	for (guint i = first; i < pids->len; i++) {
		g_string_append_printf(list, ",%" G_GINT32_FORMAT, g_array_index(pids, int32_t, i));
	}
	g_free(target->pids);
	target->pids = g_strdup(list->str);
	return sentence_of(pids, first);
}
