/* SPDX-License-Identifier: MIT */
/*
 * Trace on its way to mining, wherever it comes from: a recording, a saved search, or the alarms of
 * a guard. Who reads it counts its symptoms and adds the stacks behind them
 * (common/wait/interest.h).
 */
#ifndef ITP_MINE_INTAKE_H
#define ITP_MINE_INTAKE_H

#include "common/mine/mining.h"
#include "common/wait/interest.h"

struct itp_intake {
	/* Facts of the trace. Texts are weak. */
	struct itp_mined_trace trace;
	/* Stacks behind its symptoms. Owned by this. */
	struct itp_interest interest;
	/* Trace, with the nodes of `interest`. Weak. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
};

/* Empty intake, whose tree and functions may be set later. */
void itp_intake_init(struct itp_intake *intake, const struct itp_context_tree *tree,
		     const struct itp_function_table *functions);
void itp_intake_release(struct itp_intake *intake);

/* Counts a symptom, which took `cost_ns`. */
void itp_intake_count_symptom(struct itp_intake *intake, int64_t cost_ns);

/* Adds the trace and its stacks to the slow traces or to the good ones; texts are copied. A stack
 * is a chain's functions, without processes. */
void itp_mining_add(struct itp_mining *mining, bool of_base, const struct itp_intake *intake);

#endif
