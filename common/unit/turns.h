/* SPDX-License-Identifier: MIT */
/*
 * Halts of threads, one after the other → begins and ends of their units, for the finder.
 *
 * begin-end.c begins and ends units, inheritance.c hands the unit of a thread on to its child,
 * suspensions.c has units that wait for something other than their thread's next work, coroutines.c
 * units that go from thread to thread.
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
	struct itp_halts *halts;
	const struct itp_loops *loops;
	const struct itp_looks *looks;
	itp_unit_func on_unit;
	void *data;
	/* Contexts of units, and their call paths. Owned by this. */
	struct itp_own_contexts *contexts;
	struct itp_path_sets *paths;
	/* struct itp_open_unit by tid. Owned by this. */
	GHashTable *threads;
	/* Thread whose coroutine has last read of a client, by process and the client's descriptor
	 * (itp_pair()). Owned by this. */
	GHashTable *readers;
	/* By the same key: context of the read (a node), and the client's unit set aside in no
	 * thread. Loops of coroutines (nodes of the inference's tree) that have answered clients.
	 * Owned by this. */
	GHashTable *read_in;
	GHashTable *aside;
	GHashTable *answering;
	/* uint32_t by loop, as in itp_unit_finder_waits() and itp_unit_finder_reads(). Owned by
	 * this. */
	GHashTable *waits;
	GHashTable *reads;
	struct itp_unit_gaps gaps;
	bool keeps_turns;
};

/* The caller sets the weak members before the first halt. */
void itp_turns_init(struct itp_turns *turns, const struct itp_context_tree *tree,
		    const struct itp_function_table *functions);
void itp_turns_release(struct itp_turns *turns);

/* Takes the next halt of a thread; `work` has the paths and ticks before it. */
void itp_turns_take(struct itp_turns *turns, const struct itp_halt *halt,
		    const struct itp_unit_work *work);

#endif
