/* SPDX-License-Identifier: MIT */
/*
 * Waits that lose somebody time.
 *
 * A waiting thread has something to do, and its wait is wanted: somebody loses time by it. Or it
 * has nothing to do, and the wait is idle. A wait is wanted
 *
 *   - while a unit of work is open in its thread: a request that was read and is not done with
 *     yet, which itp_demand_want() is told;
 *   - while a thread whose wait is wanted waits for this one: the chain of wakeups tells whom a
 *     thread has waited for. A client waits for a server until the server wakes it, so the
 *     server's own waits meanwhile are the client's loss;
 *   - where only who works waits: for a disk, a page or a lock (wait-places.h);
 *   - in the first thread of the recorded command, for all of its life, and in those of processes
 *     that it has made, once they have ended of their own will. Other threads of theirs have a part
 *     in it only where they do the same: they were made for a function below which first threads
 *     wait themselves, as the second of two workers of which main() is the first. Any other one
 *     may have done its part or have been told to end, by a flag that nobody sees; so its waits
 *     are wanted as far as it was waited for, as above. Waits for any event count only while an
 *     answer of others or a thread of its own is to come. A command that serves others has no such
 *     life, but for what its first thread asks others itself, as a client of its own server; nor
 *     have processes of its making, unless they ask others, as a client that it has started. Lives
 *     are weaker than the rest, as a program may wait for its user all of its own: what they alone
 *     want is told apart, as life_ns.
 *
 * Example: a client waits from 0 to 100 ms, and a server, which was idle until 1 ms, wakes it at
 * 100 ms. Of the server's wait from −900 ms to 1 ms the part from 0 to 1 ms was wanted, and of its
 * wait for a disk from 20 to 90 ms all.
 *
 * A wait is known to be wanted only when its thread wakes a client or answers, so the latest waits
 * of each thread are kept until then. A woken thread waited at least until its waker's latest wait
 * had ended: the wanted part of a wait always reaches to its end, and each wait needs a single
 * number, the begin of this part. Older waits are kept as sums by place and waker, wanted in
 * proportion. Memory grows with the threads, not with the recording.
 *
 * Wanted time of a wait ended by a thread at work is passed on: the time is in contexts of the
 * other thread. A lock's is not: anybody may hold it. A wait for the end of a thread or of a
 * process is passed on whole: it counts as nobody's, but the chain goes on, to all children of the
 * process that ended meanwhile, or all of its threads made for the same function. A thread that
 * joins four workers one after the other waits for all of them from the first join on. Where the
 * recording ends before the wait does, the words of the call tell whose end it is for.
 *
 * Finding units is left to others (common/unit/asked.h); naming the idle rest, to the ranking.
 */
#ifndef ITP_INFER_DEMAND_H
#define ITP_INFER_DEMAND_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/stretch.h"

struct itp_demand;

/* `tree` and `functions` are weak. */
struct itp_demand *itp_demand_new(const struct itp_context_tree *tree,
				  const struct itp_function_table *functions);
void itp_demand_free(struct itp_demand *demand);

/* Waits of a thread. */
struct itp_wait_history;

/* Makes the history of a thread of process `pid` that begins; weak. */
struct itp_wait_history *itp_demand_begin_thread(struct itp_demand *demand, int32_t pid,
						 int32_t tid);
/* The first thread of a process was made by process `maker_pid`. */
void itp_demand_set_maker(struct itp_wait_history *history, int32_t maker_pid);
/* The thread has ended; `node` is its last place: in exit() or exit_group() when it ended by
 * itself. Its history is known for some time, for waiters for its end, and must not be used any
 * more. */
void itp_demand_end_thread(struct itp_demand *demand, struct itp_wait_history *history,
			   uint32_t node, int64_t end_ns);

/* The thread is the recorded command's first. */
void itp_demand_set_command(struct itp_demand *demand, struct itp_wait_history *history);
/* Process `pid` waits for the requests of others from now on, or not any more: meanwhile its life
 * is no unit of work. */
void itp_demand_serve(struct itp_demand *demand, int32_t pid, bool serves);
/* Thread `tid` has waited since `since_ns` for the answer to a question of its own: a life for the
 * first thread of a command, also where another thread serves. */
void itp_demand_await(struct itp_demand *demand, int32_t tid, int64_t since_ns);
/* Process `pid` waits for an answer of others from now on, or not any more. */
void itp_demand_ask(struct itp_demand *demand, int32_t pid, bool asks);

/* Adds a wait of the thread that has ended, and may go on with the next: `wait` is of kind
 * ITP_STRETCH_WAIT. `is_for_end`: the thread that ended it has ended itself, which only the wait
 * shows. */
void itp_demand_add(struct itp_demand *demand, struct itp_wait_history *history,
		    const struct itp_stretch *wait, bool is_for_end);
/* The wait does not go on: its pieces without a known waker were for the thread that ended the last
 * piece. */
void itp_demand_settle(struct itp_demand *demand, struct itp_wait_history *history);

/* Time in which a thread had a unit of work open. */
struct itp_open_time {
	int32_t tid;
	int64_t since_ns;
	/* Not later than now, or INT64_MAX. */
	int64_t until_ns;
	/* Node at and below which it waited for the unit; ITP_CONTEXT_ROOT: anywhere. */
	uint32_t at;
	/* Only in waits that no other thread has ended. */
	bool is_alone;
};

void itp_demand_want(struct itp_demand *demand, const struct itp_open_time *open);

/* Events are missing from before now: what happens later says nothing of the waits before. */
void itp_demand_lose(struct itp_demand *demand);

/* The recording has ended, and lasted for `length_ns`. In a recording of several programs outside
 * of the command (`is_machine`), a command that sleeps through most of it only sets the length of
 * the recording: no loss. */
void itp_demand_finish(struct itp_demand *demand, int64_t length_ns, bool is_machine);

/* Demand for the time blocked in a context itself. */
struct itp_node_demand {
	/* Wanted time, and time wanted only by the life of the command, in nanoseconds. */
	int64_t wanted_ns;
	int64_t life_ns;
	/* Part of both that was passed on. */
	int64_t passed_ns;
};

/* Demand of the context `node` found since the last call. */
struct itp_node_demand itp_demand_take(struct itp_demand *demand, uint32_t node);

#endif
