/* SPDX-License-Identifier: MIT */
/*
 * Latest doings of a thread, for threads that waited for it: process and function of each stretch
 * of its time. While the thread itself waited, its stretch names the thread it waited for, so that
 * a chain of waits ends at its cause, or at a wait for the kernel.
 *
 * And latest runs on each CPU, so that a thread that waited for a CPU can be told who had it. Only
 * switches tell: a process that is not recorded itself is known by the recorded threads that lost
 * their CPU to it, and is taken to have it until one of them is back.
 *
 * Memory is bounded: older doings are told apart less finely, and of each CPU the last runs are
 * kept, so a wait may be longer than the known part of it.
 */
#ifndef ITP_INFER_ACTIVITY_H
#define ITP_INFER_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

struct itp_activity;

struct itp_doing {
	/* Process and function, ITP_FUNCTION_UNKNOWN when unknown. */
	uint32_t process;
	uint32_t function;
	/* Context of the thread itself meanwhile, of its function or of its wait for another
	 * thread's; ITP_CONTEXT_ROOT when unknown. */
	uint32_t node;
	/* Function for which it was done, and its process. */
	uint32_t keeper;
	uint32_t keeper_process;
	/* A thread of the process waited for a CPU, in whatever function. */
	bool is_queued;
};

/* Doing of which nothing is known. */
extern const struct itp_doing itp_doing_unknown;

/* Nothing is known before `begin_ns`. */
struct itp_activity *itp_activity_new(int64_t begin_ns);
void itp_activity_free(struct itp_activity *activity);

/* Forgets everything before `time_ns`, and the gap up to it. */
void itp_activity_forget(struct itp_activity *activity, int64_t time_ns);

/* Appends `doing`, from the end of `activity` until `end_ns`. Nothing happens if the end is not
 * later. */
void itp_activity_add(struct itp_activity *activity, int64_t end_ns, const struct itp_doing *doing);

/* Visitor: `ns` of the time asked for ended at `end_ns`. */
typedef void itp_activity_visit(int64_t end_ns, int64_t ns, const struct itp_doing *doing,
				void *data);

/* The stretches between two times, the oldest first; what is not known is left out. */
void itp_activity_each(const struct itp_activity *activity, int64_t begin_ns, int64_t end_ns,
		       itp_activity_visit *visit, void *data);

struct itp_cpu_runs;

struct itp_cpu_runs *itp_cpu_runs_new(void);
void itp_cpu_runs_free(struct itp_cpu_runs *runs);

/* A thread of `process` (its root's function) gets the CPU, and the thread before has it no more. A
 * `cpu` that is unknown, or too large, is ignored, as everywhere here. */
void itp_cpu_runs_begin(struct itp_cpu_runs *runs, int32_t cpu, uint32_t process, int64_t time_ns);
void itp_cpu_runs_end(struct itp_cpu_runs *runs, int32_t cpu, int64_t time_ns);

/* The CPU's last thread before `time_ns` and until now was none of the recording's, but of
 * `process`; ITP_FUNCTION_UNKNOWN for nobody. Only the first such thread behind one of the
 * recording's is known otherwise. */
void itp_cpu_runs_correct(struct itp_cpu_runs *runs, int32_t cpu, uint32_t process,
			  int64_t time_ns);

/* Switches may be missing from before now: nobody is known to have, or to have had, any CPU. */
void itp_cpu_runs_lose(struct itp_cpu_runs *runs);

typedef void (*itp_cpu_run_func)(uint32_t process, int64_t run_ns, void *data);

/* Shows the processes that had the CPU between two times, each with its time, the last one
 * first. */
void itp_cpu_runs_tell(const struct itp_cpu_runs *runs, int32_t cpu, int64_t begin_ns,
		       int64_t end_ns, itp_cpu_run_func tell, void *data);

#endif
