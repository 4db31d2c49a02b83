/* SPDX-License-Identifier: MIT */
/*
 * What threads come to, one halt after the other → where their units begin and end, for the finder.
 *
 * begin-end.c begins and ends them, inheritance.c hands the unit of a thread on to one that it has
 * made, suspensions.c has those that wait for something other than their thread's next work,
 * coroutines.c those that go from thread to thread.
 */
#ifndef ITP_UNIT_TURNS_H
#define ITP_UNIT_TURNS_H

#include "common/unit/finder.h"
#include "common/unit/halts.h"
#include "common/unit/looks.h"
#include "common/unit/loops.h"
#include "common/unit/open-unit.h"
#include "common/unit/own-contexts.h"

struct itp_turns {
	/* Weak. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	struct itp_halts *halts;
	const struct itp_loops *loops;
	const struct itp_looks *looks;
	itp_unit_func on_unit;
	void *data;
	/* The contexts of units, and the call paths that they have taken. Owned by this. */
	struct itp_own_contexts *contexts;
	struct itp_path_sets *paths;
	/* struct itp_open_unit by tid. Owned by this. */
	GHashTable *threads;
	/* By process and descriptor of a client (itp_pair()): the thread in which a coroutine has
	 * last read of him. Owned by this. */
	GHashTable *readers;
	/* By the same the context of that read (a node); the unit that is his, and at hand in no
	 * thread; and loops of coroutines
	 * (nodes of the inference's tree) that have answered clients. Owned by this. */
	GHashTable *read_in;
	GHashTable *aside;
	GHashTable *answering;
	/* uint32_t, as itp_unit_finder_waits() and itp_unit_finder_reads() tell them, by loop.
	 * Owned by this. */
	GHashTable *waits;
	GHashTable *reads;
	struct itp_unit_gaps gaps;
	bool keeps_turns;
};

/* What is weak is set by the caller, before the first halt. */
void itp_turns_init(struct itp_turns *turns, const struct itp_context_tree *tree,
		    const struct itp_function_table *functions);
void itp_turns_release(struct itp_turns *turns);

/* Takes what a thread has come to next; `halt` has the paths and ticks behind it. */
void itp_turns_take(struct itp_turns *turns, const struct itp_halt *halt,
		    const struct itp_unit_work *work);

/* A wait, or a look, that is a part of the unit. */
void itp_turns_wait_inside(const struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt);

#endif
