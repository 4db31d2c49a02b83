/* SPDX-License-Identifier: MIT */
/*
 * Units of work: a program's transactions, found without knowing it (PerfGuard, sections 3 and 4).
 *
 *   waits.c      which system calls wait for an event; call-contexts.c: in which contexts they do
 *   conversations.c  who speaks first on which descriptor
 *   births.c     who has made which thread
 *   causes.c     whether a thread itself set going what ended its wait
 *   requests.c   whether a thread has a request open
 *   owners.c     for which of several it works
 *   asked.c      when a process has, for whose loss waits are (common/infer/demand.h)
 *   halts.c   calls → what a thread does from one wait to the next
 *   purposes.c   → whether waits are for work or for an answer inside a unit
 *   loops.c      → whose loop a wait is in
 *   looks.c      → with which calls its units begin, also those that were not waited for
 *   finder.c     → units; turns.c: where they begin and end, by what threads come to;
 *                begin-end.c: what is known of them then; open-unit.c: what belongs to the one that
 *                a thread is in; inheritance.c: that of a thread's maker; suspensions.c: those that
 *                wait for an event; coroutines.c: those that change threads; own-contexts.c:
 *                their contexts
 *   path-sets.c  sets of call paths, each kept once
 *   distances.c  how unlike two of them are; like-sets.c: which are alike
 *   signals.c    whose units begin those of which loop
 *   groups.c     units that nothing tells apart, added up
 *   features.c   what is known of groups as counts; kinds.c: which groups are of one type;
 *                kindred.c: which are not, though they differ; succession.c: when they came
 *   types.c      types of units, and how long they take; telling.c: which contexts tell them
 *   sizes.c      how much clients send and get; modes.c: sizes and times of several kinds
 *   spread.c     what is usual of that; deviation.c: why they differ
 *   log.c        single units, with their types
 *   summary.c    types → what a profile holds of them
 *   profiles.c   what units of each type did, in a profile of its own
 *   within.c     calls → the profile of what lies in the units of a type
 *   spans.c      how threads spent their time, for halts.c and profiles.c
 *
 * A unit is one iteration of an event-processing loop: it begins when a wait for work of the loop
 * returns, and ends when the loop waits for work again. A loop may have several such waits: for the
 * next connection in a queue, and for the next request of a connection. Waiting for work is no part
 * of a unit, blocking inside is. When a coroutine waits for something else, its thread does, too,
 * or turns to another one: what it does after that is a part of the unit only where a client waits
 * for its answer, and no more than as time. All of it is streamed: memory grows with the contexts
 * and with the ways that units take, not with the units. Functions are those of the inference.
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
	/* When its thread began with it: later than `begin_ns` where another thread had accepted
	 * the connection and handed it over. Its time is spent here. */
	int64_t own_begin_ns;
	/* Where its thread has worked for other units in between, the spans in which it has not:
	 * struct itp_unit_piece, of which the first may begin before the unit does, and the last
	 * end behind it. NULL: it has worked for this one all the time. Weak, valid while the unit
	 * is told. */
	const GArray *pieces;
	/* Units of its thread that have begun and are told later have begun then or behind it. */
	int64_t oldest_ns;
	/* In the finder's tree: node of the function whose loop it is, and of the system call in
	 * which that waits. */
	uint32_t loop;
	uint32_t wait;
	/* The node of its loop in the inference's tree. */
	uint32_t at;
	/* Who ended the wait before it, if that was done in a unit: the loop, thread and begin of
	 * that (PerfGuard, section 3: a listener signals, and a worker waits); ITP_CONTEXT_ROOT. */
	uint32_t signaller_loop;
	int32_t signaller_tid;
	int64_t signaller_begin_ns;
	/* A descriptor that the process has connected, and by which the unit's work has come
	 * unasked, as a key from the server of a screen: what is written there is the answer. −1:
	 * none. */
	int32_t source;
	/* It did not begin with that wait, but when the loop looked and had not to wait. */
	bool was_looked_for;
	/* Its loop is a coroutine's: it began with a look that found something, and the thread's
	 * wait may have ended it. */
	bool is_of_coroutine;
	/* The call paths that it took, in the finder's sets: those of its system calls. */
	uint32_t paths;
	/* Contexts in which ticks of the timer found it, in the finder's tree, each as often as
	 * that was seen: uint32_t. Weak, valid while the unit is told. */
	const GArray *ticks;
	/* How its time was spent; how the rest was is not known. */
	struct itp_time_use use;
	/* What its thread has read of its client and written to that; and whether it had several,
	 * of which it is not known who said what. */
	struct itp_talk talk;
	bool has_several_clients;
};

#endif
