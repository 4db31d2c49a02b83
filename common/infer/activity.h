/* SPDX-License-Identifier: MIT */
/*
 * What a thread did lately, for those who waited for it: which process and function had each
 * stretch of its time. While the thread itself waited, that is whom it waited for, so that a chain
 * of waits ends at who kept it waiting, or where a thread waits for the kernel.
 *
 * And who ran on each CPU lately, so that whoever waited for one can be told who had it. Only what
 * switches tell is known: of processes that are not recorded themselves, only to whom the recorded
 * threads lost their CPU, who is taken to have it until one of them is back.
 *
 * The memory is bounded: what a thread did longer ago is told apart less finely, and of each CPU
 * the last runs are kept, so a wait may be longer than what is known of it.
 */
#ifndef ITP_INFER_ACTIVITY_H
#define ITP_INFER_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

struct itp_activity;

struct itp_doing {
	/* ITP_FUNCTION_UNKNOWN, when that is not known. */
	uint32_t process;
	uint32_t function;
	/* The context of that function, ITP_CONTEXT_ROOT when that is another thread's, or not
	 * known. */
	uint32_t node;
	/* For which function it was done; another thread's only. */
	uint32_t keeper;
	/* A thread of the process waited for a CPU, in whatever function. */
	bool is_queued;
};

/* Nothing of it is known. */
extern const struct itp_doing itp_doing_unknown;

/* Nothing is known before `begin_ns`. */
struct itp_activity *itp_activity_new(int64_t begin_ns);
void itp_activity_free(struct itp_activity *activity);

/* Forgets everything before `time_ns`, and what was between. */
void itp_activity_forget(struct itp_activity *activity, int64_t time_ns);

/* From where `activity` ends until `end_ns` it was `doing`. Nothing happens if that is not later.
 */
void itp_activity_add(struct itp_activity *activity, int64_t end_ns, const struct itp_doing *doing);

/* `ns` of the time that was asked for ended at `end_ns`. */
typedef void itp_activity_visit(int64_t end_ns, int64_t ns, const struct itp_doing *doing,
				void *data);

/* The stretches between two times, the oldest first; what is not known is left out. */
void itp_activity_each(const struct itp_activity *activity, int64_t begin_ns, int64_t end_ns,
		       itp_activity_visit *visit, void *data);

struct itp_cpu_runs;

struct itp_cpu_runs *itp_cpu_runs_new(void);
void itp_cpu_runs_free(struct itp_cpu_runs *runs);

/* A thread of `process` (its root's function) gets the CPU; whoever had it has it no more. A `cpu`
 * that is not known, or too large, is ignored, as everywhere here. */
void itp_cpu_runs_begin(struct itp_cpu_runs *runs, int32_t cpu, uint32_t process, int64_t time_ns);
void itp_cpu_runs_end(struct itp_cpu_runs *runs, int32_t cpu, int64_t time_ns);

/* Switches may be missing from before now: nobody is known to have, or to have had, any CPU. */
void itp_cpu_runs_lose(struct itp_cpu_runs *runs);

typedef void (*itp_cpu_run_func)(uint32_t process, int64_t run_ns, void *data);

/* Tells how long who had the CPU between the two times, the last one first. */
void itp_cpu_runs_tell(const struct itp_cpu_runs *runs, int32_t cpu, int64_t begin_ns,
		       int64_t end_ns, itp_cpu_run_func tell, void *data);

#endif
