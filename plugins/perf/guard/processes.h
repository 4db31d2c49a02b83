/* SPDX-License-Identifier: MIT */
/*
 * The processes that are guarded: what they have mapped, whether that is what the guards are for,
 * and the functions of their stacks.
 *
 * An image is what a process has mapped from one exec to the next; its forks have the same.
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
	/* Of all threads of it. Owned by this. */
	struct itp_process stacks;
	/* g_get_monotonic_time() of when its map was read last, and how long it may be believed for
	 * a stack that it does not explain: longer each time. */
	gint64 read_us;
	gint64 trust_us;
};

struct itp_guard_processes;

/* `file` is weak. */
struct itp_guard_processes *itp_guard_processes_new(const struct itp_guard_file *file);
void itp_guard_processes_free(struct itp_guard_processes *processes);

/* Whether there is such a process, whose map may be read. */
bool itp_guard_is_process(int32_t pid);

/* Looks at what `pid` has mapped. NULL with an error when it is not there, when a module of the
 * guards is another build, or when `needs_loop` and no function of theirs with a loop is there. */
struct itp_guard_process *itp_guard_processes_add(struct itp_guard_processes *processes,
						  int32_t pid, bool needs_loop, GError **error);
/* The same without looking, as it has the same as its parent. */
void itp_guard_processes_fork(struct itp_guard_processes *processes, int32_t pid,
			      int32_t parent_pid);
void itp_guard_processes_remove(struct itp_guard_processes *processes, int32_t pid);

/* NULL for none. */
struct itp_guard_process *itp_guard_processes_find(const struct itp_guard_processes *processes,
						   int32_t pid);
guint itp_guard_processes_count(const struct itp_guard_processes *processes);

/* What gives names; it grows. Weak. */
struct itp_function_table *itp_guard_processes_functions(
	const struct itp_guard_processes *processes);
struct itp_syscall_names *itp_guard_processes_calls(const struct itp_guard_processes *processes);

/* The frames of a snapshot, whosever it is: of one that is not guarded the kernel's. Valid until
 * the next call. */
const struct itp_callchain *itp_guard_processes_resolve(struct itp_guard_processes *processes,
							const struct itp_guard_snapshot *snapshot);

/* The functions of a snapshot, root first, kernel's last: a GArray of uint32_t; *ret_end is
 * ITP_STACK_END_ROOT where they begin at the thread's first, as far as is known now,
 * ITP_STACK_END_DEPTH where too little was copied for that, or another. What it has mapped is
 * looked at again where it may be another by now; an error as above then, with NULL. Free with
 * g_array_unref(). */
GArray *itp_guard_processes_stack(struct itp_guard_processes *processes,
				  struct itp_guard_process *process,
				  const struct itp_guard_snapshot *snapshot,
				  enum itp_stack_end *ret_end, GError **error);

#endif
