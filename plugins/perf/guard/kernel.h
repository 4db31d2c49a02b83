/* SPDX-License-Identifier: MIT */
/*
 * The guard's programs in the kernel: loading them, telling them what they are to know, and hearing
 * what they have to say. All of it goes with this process, however that ends.
 */
#ifndef ITP_PERF_GUARD_KERNEL_H
#define ITP_PERF_GUARD_KERNEL_H

#include <glib.h>
#include <stdbool.h>

#include "common/guard/guard.h"
#include "common/guard/probes.h"
#include "common/symbol/kernel.h"
#include "plugins/perf/guard/guard-bpf.h"

struct itp_guard_kernel;

/* `record` is the first part of an itp_guard_snapshot where its kind is one of these. */
typedef void (*itp_guard_record_func)(const struct itp_guard_record *record, void *data);

struct itp_guard_kernel_options {
	/* All weak. */
	const struct itp_guard_file *file;
	const struct itp_guard_probes *probes;
	const struct itp_syscall_names *names;
	itp_guard_record_func on_record;
	void *data;
	/* How often a second each CPU looks whether its thread is late. */
	guint hertz;
	/* All execs are told. */
	bool tells_all_execs;
};

/* System calls are watched, but no process before it is added. NULL with an error that says what is
 * missing. */
struct itp_guard_kernel *itp_guard_kernel_new(const struct itp_guard_kernel_options *options,
					      GError **error);
void itp_guard_kernel_free(struct itp_guard_kernel *kernel);

bool itp_guard_kernel_add(struct itp_guard_kernel *kernel, int32_t pid, uint32_t image);
void itp_guard_kernel_remove(struct itp_guard_kernel *kernel, int32_t pid);

void itp_guard_kernel_answer_wait(struct itp_guard_kernel *kernel,
				  const struct itp_guard_wait_key *key, uint32_t answer);
void itp_guard_kernel_answer_context(struct itp_guard_kernel *kernel,
				     const struct itp_guard_context_key *key, uint32_t answer);

/* The same questions may be asked again. */
void itp_guard_kernel_leave_open(struct itp_guard_kernel *kernel,
				 const struct itp_guard_wait_key *wait,
				 const struct itp_guard_context_key *context);

/* The descriptor that is readable when there are records, which itp_guard_kernel_take() hands out.
 */
int itp_guard_kernel_fd(const struct itp_guard_kernel *kernel);
void itp_guard_kernel_take(struct itp_guard_kernel *kernel);

/* Makes a record of each thread that is late and does not run. The CPU time that this took, in
 * nanoseconds. */
double itp_guard_kernel_look_around(struct itp_guard_kernel *kernel);

/* Watches system calls again, which itp_guard_kernel_rest() lets alone. */
bool itp_guard_kernel_watch(struct itp_guard_kernel *kernel, GError **error);
void itp_guard_kernel_rest(struct itp_guard_kernel *kernel);

/* Makes a record when the thread is made to run again, once. */
void itp_guard_kernel_await(struct itp_guard_kernel *kernel, int32_t tid);
/* Nobody is awaited any more. */
void itp_guard_kernel_await_none(struct itp_guard_kernel *kernel);

/* Times what it takes to look at a system call, or does not any more; see
 * itp_guard_kernel_totals().
 */
void itp_guard_kernel_time_looks(struct itp_guard_kernel *kernel, bool is_on);

/* By how much any system call takes longer while they are watched, in nanoseconds. */
double itp_guard_kernel_price_ns(const struct itp_guard_kernel *kernel);

/* Whether a unit that was seen since system calls are watched is older than that, and is not known
 * to be late yet. */
bool itp_guard_kernel_has_lasting(struct itp_guard_kernel *kernel, int64_t older_ns);

/* Sums over all CPUs, of type `type` of loop `loop`. */
void itp_guard_kernel_counts(const struct itp_guard_kernel *kernel, guint loop, guint type,
			     struct itp_guard_counts *ret_counts);
void itp_guard_kernel_totals(const struct itp_guard_kernel *kernel,
			     struct itp_guard_totals *ret_totals);

/* From now on a unit of this type is late after `limit_ns`. */
void itp_guard_kernel_limit(struct itp_guard_kernel *kernel, guint loop, guint type,
			    int64_t limit_ns);

/* What the kernel knows of the types of a loop. Weak. */
const struct itp_guard_loop_shapes *itp_guard_kernel_shapes(const struct itp_guard_kernel *kernel,
							    guint loop);

#endif
