/* SPDX-License-Identifier: MIT */
/*
 * Units of work: a program's transactions, found without knowledge of it (PerfGuard, sections 3 and
 * 4).
 *
 *   finder.c          calls → units, in batches
 *     made-code.c       contexts in which code without names is one function
 *     halts.c           calls → a thread's work from one wait to the next
 *       waits.c           system calls that wait for an event; call-contexts.c: their contexts
 *       conversations.c   sides of descriptors: who speaks first; returns.c: their events
 *       requests.c        open requests of threads; owners.c: the request worked for;
 *                         questions.c: datagrams read at once
 *       causes.c          origins of a wait's end; births.c: makers of threads
 *       past.c            a thread's time and ticks since its wait before
 *       spans.c           use of threads' time, also for profiles.c
 *     purposes.c        waits for work, or for an answer inside of a unit
 *     loops.c           functions with a loop around a wait
 *     looks.c           calls with which units begin, also without a wait
 *     rests.c           times in which nobody watches system calls
 *     turns.c           begins and ends of units, decided by halts
 *       begin-end.c       the same, carried out: facts about a unit at its begin and end
 *       open-unit.c       parts of the unit that a thread is in
 *       inheritance.c     units taken over from a thread's maker
 *       suspensions.c     units that wait for any event
 *       coroutines.c      units that change threads
 *       own-contexts.c    contexts of units
 *   types.c           types of units
 *     groups.c          units without a difference, added up; signals.c: loops that began them
 *     path-sets.c       sets of call paths, each kept once
 *     kinds.c           division of groups into types, by the data
 *       features.c        facts about groups, as counts; scores.c: their probability
 *       kindred.c         types that are one kind of work; succession.c: times of units
 *       sizes.c           bytes sent and got by clients; modes.c: sizes and times of several kinds
 *     like-sets.c       division by a user's cut; distances.c: of two sets; gates.c: left out
 *     telling.c         contexts that tell a type from others
 *     spread.c          usual latencies of a type; deviation.c: causes of their differences
 *   log.c             single units, with their types
 *   summary.c         types → their sums in a profile
 *   profiles.c        calls inside of units, a profile for each group
 *   within.c          calls → the profile of the units of a type
 *   asked.c           times of open requests, for losses by waits (common/infer/demand.h)
 *
 * A unit is one iteration of an event-processing loop: it begins at the return of the loop's wait
 * for work, and ends at the loop's next wait for work. A loop may have several such waits: for the
 * next connection in a queue, and for the next request of a connection. Waiting for work is no part
 * of a unit, blocking inside is. When a coroutine waits for something else, its thread waits, too,
 * or turns to another coroutine: later work is a part of the unit only when a client waits for its
 * answer, and only as time. Everything is streamed: memory grows with the contexts and with the
 * ways that units take, not with the units. Functions are those of the inference.
 */
#ifndef ITP_UNIT_UNIT_H
#define ITP_UNIT_UNIT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/infer/instance.h"
#include "common/unit/sizes.h"

/* A span in which its thread has worked for a unit. */
struct itp_unit_piece {
	int64_t begin_ns;
	int64_t end_ns;
};

struct itp_unit {
	int32_t pid;
	int32_t tid;
	int64_t begin_ns;
	int64_t end_ns;
	/* Time at which its thread began with the unit: later than `begin_ns` when another thread
	 * had accepted the connection and handed it over. `use` counts from then on. */
	int64_t own_begin_ns;
	/* Spans of the thread's work for the unit, when the thread has worked for other units in
	 * between: struct itp_unit_piece, the first perhaps with an earlier begin than the unit,
	 * and the last with a later end. NULL: all the time. Weak, valid while the unit is told. */
	const GArray *pieces;
	/* Lower bound for the begins of the thread's open units, told later. */
	int64_t oldest_ns;
	/* Nodes in the finder's tree: the function with the loop, and the system call of its
	 * wait. */
	uint32_t loop;
	uint32_t wait;
	/* Node of the loop in the inference's tree. */
	uint32_t at;
	/* Loop, thread and begin of the unit that ended the wait before this one (PerfGuard,
	 * section 3: a listener signals, and a worker waits); ITP_CONTEXT_ROOT: none. */
	uint32_t signaller_loop;
	int32_t signaller_tid;
	int64_t signaller_begin_ns;
	/* Descriptor, connected by the process, that has brought the unit's work unasked, as a key
	 * from the server of a screen: a write there is the answer. −1: none. */
	int32_t source;
	/* The unit began with a look of the loop that needed no wait. */
	bool was_looked_for;
	/* The loop is a coroutine's: the unit began with a look that found something, and perhaps
	 * ended with the thread's wait. */
	bool is_of_coroutine;
	/* Call paths of the unit's system calls, an id of the finder's sets. */
	uint32_t paths;
	/* Paths among these with calls that speak with servers asked by the process. */
	uint32_t asking_paths;
	/* uint32_t: contexts of the timer's ticks, in the finder's tree, each as often as seen.
	 * Weak, valid while the unit is told. */
	const GArray *ticks;
	/* Use of the unit's time; the use of the rest is unknown. */
	struct itp_time_use use;
	/* Bytes read of its client and written to the client by its thread; and whether the unit
	 * had several clients, with unknown shares. */
	struct itp_talk talk;
	bool has_several_clients;
};

typedef void (*itp_unit_func)(const struct itp_unit *unit, void *data);

/* Units perhaps missing, or decided without proof. */
struct itp_unit_gaps {
	/* Number of units still open at the end of the recording, and the age of the oldest. */
	uint64_t open_units;
	int64_t longest_open_ns;
	/* No wakeup tells the end of a wait, and no argument the descriptor of a system call:
	 * purposes of waits are told by their kinds alone. */
	bool has_no_proof;
};

#endif
