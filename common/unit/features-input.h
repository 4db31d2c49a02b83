/* SPDX-License-Identifier: MIT */
/*
 * Units whose features are counted.
 */
#ifndef ITP_UNIT_FEATURES_INPUT_H
#define ITP_UNIT_FEATURES_INPUT_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/unit/groups.h"

/* Units to look at. All weak. */
struct itp_features_input {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	const struct itp_path_sets *paths;
	const struct itp_unit_groups *groups;
	/* Numbers of the groups of a loop. */
	const guint *numbers;
	guint count;
};

#endif
