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
 *   thread.c          a thread's event: can its stack be believed, and what has its clock been
 *                     since the event before: on the CPU, ready, or blocked
 *     boundary.c        system calls, interrupts and tracing frames in it (rule 4)
 *     broken.c          frames still missing in it (rule 5), if common/completion found none
 *     match.c           open frames that continue in it, so the calls that have ended (rules 1, 2,
 *                       3 and 5)
 *     continuity.c      open frames of the thread: times of its calls (rule 6)
 *   gap.c             the time between two stacks, such as a wait for a disk, shared among their
 *                     functions
 *     strata.c          gaps summed by kind, to be divided by ticks: shares.c, habits.c
 *   stretches.c       a thread's life in stretches: running, ready, waiting
 *     wait-ends.c       ends of its waits; wake-stack.c: the waker on a wakeup's stack
 *     wakers.c          wakers of each context
 *     meanwhile.c       doings while it waited; activity.c: the latest doings of each thread
 *     demand.c          wanted and idle waits: who loses time by a wait; wait-places.c: places
 *                       where only who works waits, such as a disk or a lock, by the names of
 *                       common/known
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
#include "common/infer/infer-options.h"
#include "common/infer/instance.h"
#include "common/infer/speed-sums.h"
#include "common/infer/strata.h"
#include "common/infer/stretch.h"
#include "common/infer/wakers.h"

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
