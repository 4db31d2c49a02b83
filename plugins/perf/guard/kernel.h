/* SPDX-License-Identifier: MIT */
/*
 * The guard's programs in the kernel: loads them, tells them about processes and limits, and takes
 * their records. All of it goes with this process, however the process ends.
 */
#ifndef ITP_PERF_GUARD_KERNEL_H
#define ITP_PERF_GUARD_KERNEL_H

#include <glib.h>
#include <stdbool.h>

#include "common/guard/guard.h"
#include "common/guard/learning.h"
#include "common/guard/probes.h"
#include "common/symbol/kernel.h"
#include "plugins/perf/guard/guard-bpf.h"

struct itp_guard_kernel;

/* `record` is the first part of an itp_guard_snapshot if its kind has snapshots. */
typedef void (*itp_guard_record_func)(const struct itp_guard_record *record, void *data);

struct itp_guard_kernel_options {
	/* All weak. */
	const struct itp_guard_file *file;
	const struct itp_guard_probes *probes;
	const struct itp_syscall_names *names;
	itp_guard_record_func on_record;
	void *data;
	/* Looks a second of each CPU at its thread, for lateness. */
	guint hertz;
	/* Execs of all processes are told. */
	bool tells_all_execs;
};

/* Watches system calls, for no process until the first is added. NULL with an error that names the
 * missing part. */
struct itp_guard_kernel *itp_guard_kernel_new(const struct itp_guard_kernel_options *options,
					      GError **error);
void itp_guard_kernel_free(struct itp_guard_kernel *kernel);

bool itp_guard_kernel_add(struct itp_guard_kernel *kernel, int32_t pid, uint32_t image);
void itp_guard_kernel_remove(struct itp_guard_kernel *kernel, int32_t pid);

void itp_guard_kernel_answer_wait(struct itp_guard_kernel *kernel,
				  const struct itp_guard_wait_key *key, uint32_t answer);
void itp_guard_kernel_answer_context(struct itp_guard_kernel *kernel,
				     const struct itp_guard_context_key *key, uint32_t answer);

/* Allows the questions of a place to be asked again. */
void itp_guard_kernel_leave_open(struct itp_guard_kernel *kernel,
				 const struct itp_guard_wait_key *wait,
				 const struct itp_guard_context_key *context);

/* Descriptor that is readable when records have come; itp_guard_kernel_take() hands them out. */
int itp_guard_kernel_fd(const struct itp_guard_kernel *kernel);
void itp_guard_kernel_take(struct itp_guard_kernel *kernel);

/* Makes a record of each late thread that does not run. Returns the CPU time taken, in
 * nanoseconds. */
double itp_guard_kernel_look_around(struct itp_guard_kernel *kernel);

/* Watches system calls again; itp_guard_kernel_rest() lets them alone. False with an error if
 * refused. */
bool itp_guard_kernel_watch(struct itp_guard_kernel *kernel, GError **error);
void itp_guard_kernel_rest(struct itp_guard_kernel *kernel);

/* Makes a record when thread `tid` is woken, once. */
void itp_guard_kernel_await(struct itp_guard_kernel *kernel, int32_t tid);
/* Nobody is awaited any more. */
void itp_guard_kernel_await_none(struct itp_guard_kernel *kernel);

/* Times looks at system calls, or stops to; see itp_guard_kernel_totals(). */
void itp_guard_kernel_time_looks(struct itp_guard_kernel *kernel, bool is_on);

/* Extra time of any system call while watched, in nanoseconds. */
double itp_guard_kernel_price_ns(const struct itp_guard_kernel *kernel);

/* True when a unit seen in this window is older than `older_ns`, and not known to be late yet. */
bool itp_guard_kernel_has_lasting(struct itp_guard_kernel *kernel, int64_t older_ns);

/* Counts of type `type` of loop `loop`, and totals, summed over all CPUs. */
void itp_guard_kernel_counts(const struct itp_guard_kernel *kernel, guint loop, guint type,
			     struct itp_guard_counted *ret_counts);
void itp_guard_kernel_totals(const struct itp_guard_kernel *kernel,
			     struct itp_guard_totals *ret_totals);

/* Sets the limit of the type: units are late from now on after `limit_ns`. */
void itp_guard_kernel_limit(struct itp_guard_kernel *kernel, guint loop, guint type,
			    int64_t limit_ns);

/* Types of a loop, as known to the kernel. Weak. */
const struct itp_guard_loop_shapes *itp_guard_kernel_shapes(const struct itp_guard_kernel *kernel,
							    guint loop);

#endif
