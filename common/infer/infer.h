/* SPDX-License-Identifier: MIT */
/*
 * From stack events to function instances (paper, section 3.3, Algorithm 2, and the rules that real
 * traces need beyond it).
 *
 * An itp_infer follows all threads of a recording. Feed it the stack events in time order; it calls
 * back with every function instance at its end, children before their parents. Memory grows with
 * the context tree and the number of live threads, not with the recording. The context tree has a
 * limit.
 *
 *   infer.c           threads and processes: the owner of each event
 *     event-check.c     events refused before the inference
 *     tick-length.c     CPU time of a tick, for timers that do not tell
 *     throttle.c        threads stopped by a CPU quota
 *     ended-threads.c   threads that ended last
 *   thread.c          a thread's event: can its stack be believed?
 *     boundary.c        system calls, interrupts and tracing frames in it (rule 4)
 *     broken.c          frames still missing in it (rule 5), if common/completion found none
 *     match.c           open frames that continue in it, so the calls that have ended (rules 1, 2,
 *                       3 and 5)
 *     continuity.c      open frames of the thread: times of its calls (rule 6)
 *   gap.c             the time between two stacks, shared among functions
 *     strata.c          gaps summed by kind, to be divided by ticks: shares.c, habits.c
 *   stretches.c       a thread's life in stretches: running, ready, waiting
 *     wait-ends.c       ends of its waits; wake-stack.c: the waker on a wakeup's stack
 *     wakers.c          wakers of each context
 *     meanwhile.c       doings while it waited; activity.c: the latest doings of each thread
 *     demand.c          wanted and idle waits: who loses time by a wait; wait-places.c: places
 *                       where only who works waits
 *   normalize.c       instances → a profile: own latencies, without those of callees
 *   profile.c         statistics of each context
 *     node-fields.c     the numbers of a context by name; node-table.c: their memory
 *     kept.c            numbers that a recording's events can tell
 *     latencies.c       fine histograms; slowest.c: the slowest calls
 *     unit-sums.c       units of work in a profile
 *     profile-source.c  a finished profile on its way
 *   options.c         words of options
 */
#ifndef ITP_INFER_INFER_H
#define ITP_INFER_INFER_H

#include "common/base/context-tree.h"
#include "common/base/flow.h"
#include "common/base/function-table.h"
#include "common/base/stack-event.h"
#include "common/infer/demand.h"
#include "common/infer/instance.h"
#include "common/infer/speed-sums.h"
#include "common/infer/strata.h"
#include "common/infer/stretch.h"
#include "common/infer/wakers.h"

enum itp_continuity {
	/* Exactly the paper: raw frames, a frame continues while the functions below it do. */
	ITP_CONTINUITY_FUNCTION = 0,
	/* A frame continues while its caller also waits at the same call instruction; boundary,
	 * broken-stack and loss rules hold. */
	ITP_CONTINUITY_CALL_SITE = 1,
	/* In addition, a frame continues only if its code allows control to come from its old place
	 * to the new one without returning in between. */
	ITP_CONTINUITY_CONTROL_FLOW = 2,
};

/* Threads in a common tree of contexts. */
enum itp_group_by {
	ITP_GROUP_BY_PROCESS = 0,
	ITP_GROUP_BY_PID = 1,
	ITP_GROUP_BY_TID = 2,
	ITP_GROUP_BY_ALL = 3,
	ITP_GROUP_BY_CONTAINER = 4,
};

/* Called during itp_infer_push(), for each call in the order of their begins. At the end, innermost
 * first, instances are handed out. */
typedef void (*itp_call_func)(const struct itp_call *call, void *data);

/* Contexts followed in a recording. All data kept of one, from here to the ranking, take about a
 * kilobyte; a compiler's 8 000 stacks have 3 400. */
#define ITP_MAX_CONTEXTS (1u << 20)

struct itp_infer_options {
	enum itp_continuity continuity;
	enum itp_group_by group_by;
	/* 0: ITP_MAX_CONTEXTS. Contexts of whole processes, and of their losses, are always
	 * followed. */
	uint32_t max_contexts;
	/* NULL without interest. Gets the data of the instances' function. */
	itp_call_func on_call;
	/* NULL without interest in stretches. Gets the same data. */
	itp_stretch_func on_stretch;
	/* NULL without interest in system calls that are in no context. */
	itp_unplaced_func on_unplaced;
	/* For ITP_CONTINUITY_CONTROL_FLOW. */
	struct itp_flow flow;
};

/* Counts of the events seen, and of missing ones. */
struct itp_infer_counts {
	/* Time of the first and the last event; 0 without any. */
	int64_t begin_ns;
	int64_t end_ns;
	uint64_t threads;
	uint64_t events;
	/* Events with a stack, and those of them whose stack did not reach the root. */
	uint64_t stacks;
	uint64_t broken_stacks;
	/* Of the broken stacks: those deeper than their recorded part, and of these the ones that
	 * were no copies; those whose recorded part does not tell the next caller; and those whose
	 * copy ends at a page that was not in memory. The reason of the rest is unknown. */
	uint64_t deep_stacks;
	uint64_t deep_chains;
	uint64_t unwind_failures;
	uint64_t short_copies;
	/* Stacks with functions in no context, since there were too many contexts: their time is
	 * their callers'. */
	uint64_t unfollowed_stacks;
	/* Stacks recorded without some of their functions, which were inserted from the code, and
	 * the number of these. */
	uint64_t completed_stacks;
	uint64_t filled_frames;
	/* Stacks by how their frames were found. */
	uint64_t found_by[ITP_FOUND_BY_COUNT];
	/* Stacks with an interrupt on top of the thread. */
	uint64_t interrupted_stacks;
	/* Ticks of a timer that found a thread on the CPU, and for how much CPU time they stand
	 * together. */
	uint64_t timer_samples;
	int64_t tick_ns;
	/* Watched kinds of events: enum itp_watched. */
	uint32_t watched;
	/* Time for which all threads that have ended were blocked together, as switches tell, even
	 * those without stacks. */
	int64_t blocked_ns;
	/* Where system calls are watched in windows alone: how long these were together, and all
	 * that lies between them. */
	int64_t windows_ns;
	int64_t rests_ns;
	/* Part of the former by which being watched slowed the programs. */
	int64_t slowed_ns;
	/* Part of windows_ns drawn by lot, and not watched for certain, and in how many windows. */
	int64_t drawn_ns;
	uint64_t drawn_windows;
	struct itp_speed_sums speeds;
	/* Units of work: requests that were answered, and the recorded command. Without any, or
	 * where wakeups are not watched, nobody knows whose loss a wait is. */
	uint64_t units;
	/* Units that are such a command. */
	uint64_t commands;
	/* Loss events, and the number of lost events as far as known. */
	uint64_t losses;
	uint64_t lost_events;
	/* Records behind others of later times, which is no loss; and those of them that could not
	 * be put in order. */
	uint64_t late_records;
	uint64_t misplaced_records;
	/* The input ended before its time. */
	bool cut;
};

/* Called during itp_infer_push() and itp_infer_finish(). Look up nodes of `tree` and functions
 * of the table that are new since the last call before using the instance. */
typedef void (*itp_instance_func)(const struct itp_instance *instance, void *data);

struct itp_infer;

/* `functions` and `tree` are weak, must outlive the result and may be read at any time. Process
 * roots and system calls are interned into `functions`. */
struct itp_infer *itp_infer_new(const struct itp_infer_options *options,
				struct itp_function_table *functions, struct itp_context_tree *tree,
				itp_instance_func on_instance, void *data);
void itp_infer_free(struct itp_infer *infer);

/* The recording watches `watched` (enum itp_watched), as its reader knows, whatever comes.
 * Otherwise only events tell. */
void itp_infer_watch(struct itp_infer *infer, uint32_t watched);

/* Handles one event. Function ids must exist in the table. Returns ITP_ERROR_TIME_ORDER when
 * the event is older than its predecessor and ITP_ERROR_UNKNOWN_ID for a bad function id; the
 * event is then ignored. */
int itp_infer_push(struct itp_infer *infer, const struct itp_stack_event *event);

/* Shows the open instances to `show`, those of a thread innermost first, as known at `time_ns`; all
 * events up to then have been pushed. They stay open: their latencies only grow until they are told
 * as closed, with the same tid, depth, node and begin. */
void itp_infer_show_open(const struct itp_infer *infer, int64_t time_ns, itp_instance_func show,
			 void *data);

/* Closes what is open, at the time of the last event. No push may follow. */
void itp_infer_finish(struct itp_infer *infer);

/* Tells how the own CPU times of contexts, as the best estimates of the instances that were handed
 * out and shown as open have them, are to be corrected by what the ticks of a timer say (strata.h),
 * and what of their blocked time was somebody's loss; only of what passed since the last time. To
 * be asked behind itp_infer_finish(), and behind itp_infer_show_open() at the end of a period. */
void itp_infer_tell_shares(struct itp_infer *infer, itp_share_func tell, void *data);

/* To be told by whoever knows of requests, also during itp_infer_push(): a thread had one open
 * (demand.h). */
void itp_infer_want(struct itp_infer *infer, const struct itp_open_time *open);
/* Thread `tid` has waited since `since_ns` for the answer to a question of its own. */
void itp_infer_await(struct itp_infer *infer, int32_t tid, int64_t since_ns);
/* Process `pid` waits for requests of others from now on, or not any more. */
void itp_infer_serve(struct itp_infer *infer, int32_t pid, bool serves);
/* Process `pid` waits for an answer of others from now on, or not any more. */
void itp_infer_ask(struct itp_infer *infer, int32_t pid, bool asks);

/* Wakers of threads that were seen to leave the CPU blocked. Valid until the next push. */
const struct itp_wakers *itp_infer_wakers(const struct itp_infer *infer);

/* Valid until the next push. */
const struct itp_infer_counts *itp_infer_counts(const struct itp_infer *infer);

/* Counts at the end of a period from `begin_ns` to `end_ns`. */
struct itp_infer_counts itp_infer_counts_until(const struct itp_infer *infer, int64_t begin_ns,
					       int64_t end_ns);

#endif
