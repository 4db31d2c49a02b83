/* SPDX-License-Identifier: MIT */
/*
 * From the delays of a trace's symptoms (common/wait/interest.h) to stacks that are mined.
 */
#ifndef ITP_MINE_INTERESTS_H
#define ITP_MINE_INTERESTS_H

#include "common/mine/mining.h"
#include "common/wait/interest.h"

/* All weak. */
struct itp_mined_interest {
	const struct itp_interest *interest;
	/* Trace, with the nodes of `interest`. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
};

/* Adds the stacks, and `trace`, whose texts are copied, to the slow traces or to the good ones. A
 * stack is a chain's functions, without processes. */
void itp_mining_add(struct itp_mining *mining, bool of_base, const struct itp_mined_trace *trace,
		    const struct itp_mined_interest *interest);

#endif
