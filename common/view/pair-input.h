/* SPDX-License-Identifier: MIT */
/*
 * Contexts of two workloads, among whose programs and modules pairs are found (pairs.h).
 */
#ifndef ITP_VIEW_PAIR_INPUT_H
#define ITP_VIEW_PAIR_INPUT_H

#include <stdbool.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

enum itp_pair_kind {
	ITP_PAIR_MODULE = 0,
	ITP_PAIR_PROGRAM = 1,
};

#define ITP_PAIR_KIND_COUNT 2

/* Bits: workloads that have a context. */
enum itp_pair_side {
	ITP_PAIR_BASE = 1 << 0,
	ITP_PAIR_SUSPECT = 1 << 1,
};

struct itp_pair_input {
	const struct itp_context_tree *tree;
	/* Functions as recorded, for the build ids. */
	const struct itp_function_table *recorded;
	/* Functions by their names in both workloads, and by number in `recorded` their numbers in
	 * it, for all functions of the tree. */
	const struct itp_function_table *functions;
	const uint32_t *renamed;
	/* Bits of enum itp_pair_side, by node. */
	const uint8_t *sides;
	/* Two kinds of machines were recorded: code tells nothing of code there, and only rules of
	 * the user make pairs. */
	bool is_other_machine;
};

#endif
