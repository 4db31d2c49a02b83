/* SPDX-License-Identifier: MIT */
/*
 * State of the threads' turns (turns.h), as shared by its files.
 */
#ifndef ITP_UNIT_TURNS_STATE_H
#define ITP_UNIT_TURNS_STATE_H

#include "common/unit/halts.h"
#include "common/unit/looks.h"
#include "common/unit/loops.h"
#include "common/unit/open-unit.h"
#include "common/unit/own-contexts.h"
#include "common/unit/path-sets.h"
#include "common/unit/unit.h"

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

#endif
