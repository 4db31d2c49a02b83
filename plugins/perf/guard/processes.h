/* SPDX-License-Identifier: MIT */
/*
 * Guarded processes: their maps, compared with the guards' modules, and the functions of their
 * stacks.
 *
 * An image is the map of a process from one exec to the next; forks share the image.
 */
#ifndef ITP_PERF_GUARD_PROCESSES_H
#define ITP_PERF_GUARD_PROCESSES_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"
#include "common/guard/guard.h"
#include "common/stacks/callchain.h"
#include "plugins/perf/guard/guard-bpf.h"

struct itp_guard_process {
	int32_t pid;
	uint32_t image;
	/* Stacks of all its threads. Owned by this. */
	struct itp_process stacks;
	/* Time of the map's last reading, by g_get_monotonic_time(); and trust in the map for an
	 * unexplained stack, longer each time. */
	gint64 read_us;
	gint64 trust_us;
};

struct itp_guard_processes;

/* `file` is weak. */
struct itp_guard_processes *itp_guard_processes_new(const struct itp_guard_file *file);
void itp_guard_processes_free(struct itp_guard_processes *processes);

/* True when process `pid` exists, with a readable map. */
bool itp_guard_is_process(int32_t pid);

/* Reads the map of `pid`. NULL with an error without such a process, when a module of the guards is
 * another build, or, with `needs_loop`, without a function of the guards' loops. */
struct itp_guard_process *itp_guard_processes_add(struct itp_guard_processes *processes,
						  int32_t pid, bool needs_loop, GError **error);
/* Adds a fork without a look, with the map of its parent. */
void itp_guard_processes_fork(struct itp_guard_processes *processes, int32_t pid,
			      int32_t parent_pid);
void itp_guard_processes_remove(struct itp_guard_processes *processes, int32_t pid);

/* NULL for none. */
struct itp_guard_process *itp_guard_processes_find(const struct itp_guard_processes *processes,
						   int32_t pid);
guint itp_guard_processes_count(const struct itp_guard_processes *processes);

/* Sources of names, which grow. Weak. */
struct itp_function_table *itp_guard_processes_functions(
	const struct itp_guard_processes *processes);
struct itp_syscall_names *itp_guard_processes_calls(const struct itp_guard_processes *processes);

/* Frames of a snapshot; only the kernel's for a process not guarded. Valid until the next call. */
const struct itp_callchain *itp_guard_processes_resolve(struct itp_guard_processes *processes,
							const struct itp_guard_snapshot *snapshot);

/* Functions of a snapshot, root first, kernel's last: a GArray of uint32_t. *ret_end is
 * ITP_STACK_END_ROOT if they reach the thread's first function, as far as known now,
 * ITP_STACK_END_DEPTH if too little was copied for it, or another end. Reads the map again if it
 * may have changed; NULL with an error as by itp_guard_processes_add(). Free with
 * g_array_unref(). */
GArray *itp_guard_processes_stack(struct itp_guard_processes *processes,
				  struct itp_guard_process *process,
				  const struct itp_guard_snapshot *snapshot,
				  enum itp_stack_end *ret_end, GError **error);

#endif
