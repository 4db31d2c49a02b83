/* SPDX-License-Identifier: MIT */
/*
 * See followed.h.
 */
#include "plugins/perf/record/followed.h"

#include <linux/perf_event.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/base/hash.h"
#include "common/perf-data/mapping.h"
#include "plugins/perf/record/images.h"
#include "plugins/perf/record/sideband.h"

struct itp_recorder_followed {
	/* Weak. */
	struct itp_recorder_kernel *kernel;
	bool is_machine;
	int32_t own_pid;
	/* Number of programs begun (exec) by process; and set of processes changed since the
	 * programs in the kernel were told. Owned by this. */
	GHashTable *execs;
	GHashTable *changed;
	/* All owned by this. */
	struct itp_function_table *functions;
	struct itp_symbolizer *symbolizer;
	struct itp_tasks *tasks;
	struct itp_recorder_images *images;
};

struct itp_recorder_followed *itp_recorder_followed_new(struct itp_recorder_kernel *kernel,
							bool is_machine)
{
	struct itp_recorder_followed *followed = g_new0(struct itp_recorder_followed, 1);
	struct utsname name;
	const bool is_known = uname(&name) == 0;
	const struct itp_symbolizer_options options = {
		.os_release = is_known ? name.release : NULL,
		.hostname = is_known ? name.nodename : NULL,
		.is_monotonic = true,
	};

	followed->kernel = kernel;
	followed->is_machine = is_machine;
	followed->own_pid = getpid();
	followed->execs = g_hash_table_new(itp_hash_number, NULL);
	followed->changed = g_hash_table_new(itp_hash_number, NULL);
	followed->functions = itp_function_table_new();
	followed->symbolizer = itp_symbolizer_new(&options, followed->functions);
	followed->tasks = itp_tasks_new();
	followed->images = itp_recorder_images_new(kernel);
	return followed;
}

void itp_recorder_followed_free(struct itp_recorder_followed *followed)
{
	if (!followed) {
		return;
	}
	g_hash_table_unref(followed->execs);
	g_hash_table_unref(followed->changed);
	itp_recorder_images_free(followed->images);
	itp_tasks_free(followed->tasks);
	itp_symbolizer_free(followed->symbolizer);
	itp_function_table_free(followed->functions);
	g_free(followed);
}

/* ---- Choice of processes ---- */

static bool is_followed(const struct itp_recorder_followed *followed, int32_t pid)
{
	return g_hash_table_contains(followed->execs, GINT_TO_POINTER(pid)) ||
	       (followed->is_machine && pid > 0 && pid != followed->own_pid);
}

static uint32_t execs_of(const struct itp_recorder_followed *followed, int32_t pid)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(followed->execs, GINT_TO_POINTER(pid)));
}

static void note_change(struct itp_recorder_followed *followed, int32_t pid)
{
	g_hash_table_add(followed->changed, GINT_TO_POINTER(pid));
}

void itp_recorder_followed_add(struct itp_recorder_followed *followed, int32_t pid)
{
	g_hash_table_insert(followed->execs, GINT_TO_POINTER(pid), GUINT_TO_POINTER(0));
	itp_recorder_kernel_add(followed->kernel, pid);
}

/* ---- Records ---- */

static bool push_fork(struct itp_recorder_followed *followed, struct itp_bytes body)
{
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t tid;
	uint32_t parent_tid;

	if (!itp_bytes_u32(&body, &pid) || !itp_bytes_u32(&body, &parent_pid) ||
	    !itp_bytes_u32(&body, &tid) || !itp_bytes_u32(&body, &parent_tid) ||
	    !is_followed(followed, (int32_t)parent_pid)) {
		return false;
	}
	itp_tasks_fork(followed->tasks, (int32_t)pid, (int32_t)tid, (int32_t)parent_pid,
		       (int32_t)parent_tid);
	/* The program on_fork() has added the child, too, with its parent's image as known then. */
	if (pid != parent_pid) {
		g_hash_table_insert(followed->execs, GUINT_TO_POINTER(pid), GUINT_TO_POINTER(0));
		note_change(followed, (int32_t)pid);
	}
	return true;
}

static bool push_exit(struct itp_recorder_followed *followed, struct itp_bytes body)
{
	uint32_t pid;
	uint32_t tid;
	struct itp_task *task;

	if (!itp_bytes_u32(&body, &pid) || !itp_bytes_take(&body, sizeof(uint32_t)) ||
	    !itp_bytes_u32(&body, &tid) || !is_followed(followed, (int32_t)pid)) {
		return false;
	}
	task = itp_tasks_find(followed->tasks, (int32_t)tid);
	if (task && !task->is_ended) {
		itp_tasks_end(followed->tasks, task);
	}
	return true;
}

static bool push_comm(struct itp_recorder_followed *followed, uint16_t misc, struct itp_bytes body)
{
	uint32_t pid;
	uint32_t tid;

	if (!itp_bytes_u32(&body, &pid) || !itp_bytes_u32(&body, &tid) ||
	    !is_followed(followed, (int32_t)pid)) {
		return false;
	}
	if (misc & PERF_RECORD_MISC_COMM_EXEC) {
		g_hash_table_insert(followed->execs, GUINT_TO_POINTER(pid),
				    GUINT_TO_POINTER(execs_of(followed, (int32_t)pid) + 1));
		itp_task_exec(itp_tasks_get(followed->tasks, (int32_t)pid, (int32_t)tid));
	}
	return true;
}

static bool push_mapping(struct itp_recorder_followed *followed,
			 const struct itp_perf_record *record)
{
	struct itp_perf_mapping mapping;
	struct itp_map_request request;

	if (!itp_perf_record_mapping(record, &mapping) || !is_followed(followed, mapping.pid)) {
		return false;
	}
	request = itp_perf_mapping_request(&mapping);
	if (mapping.is_executable) {
		itp_tasks_map(followed->tasks, mapping.pid, followed->symbolizer, &request);
		note_change(followed, mapping.pid);
	}
	return true;
}

bool itp_recorder_followed_push(struct itp_recorder_followed *followed,
				const struct perf_event_header *header)
{
	const struct itp_perf_record record = {
		.type = header->type,
		.misc = header->misc,
		.body = { .data = (const uint8_t *)(header + 1),
			  .size = header->size - sizeof(*header) -
				  sizeof(struct itp_recorder_trailer) },
	};

	switch (record.type) {
	case PERF_RECORD_FORK:
		return push_fork(followed, record.body);
	case PERF_RECORD_EXIT:
		return push_exit(followed, record.body);
	case PERF_RECORD_COMM:
		return push_comm(followed, record.misc, record.body);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return push_mapping(followed, &record);
	default:
		/* Losses may be of any process. */
		return true;
	}
}

void itp_recorder_followed_tell(struct itp_recorder_followed *followed)
{
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, followed->changed);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const int32_t pid = GPOINTER_TO_INT(key);
		struct itp_process *process = itp_tasks_process(followed->tasks, pid);

		itp_recorder_images_tell(followed->images, process, execs_of(followed, pid));
		itp_tasks_process_unref(followed->tasks, process);
	}
	g_hash_table_remove_all(followed->changed);
}

struct itp_address_space *itp_recorder_followed_space(struct itp_recorder_followed *followed,
						      int32_t pid, int32_t tid)
{
	return itp_tasks_get(followed->tasks, pid, tid)->process->space;
}

void itp_recorder_followed_need(struct itp_recorder_followed *followed,
				struct itp_address_space *space, const uint64_t *frames,
				guint count)
{
	itp_recorder_images_need(followed->images, space, frames, count);
}
