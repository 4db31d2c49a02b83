/* SPDX-License-Identifier: MIT */
/*
 * How the latencies of a type of units spread, and from which on one is unusual.
 */
#ifndef ITP_UNIT_SPREAD_H
#define ITP_UNIT_SPREAD_H

#include "common/infer/latencies.h"
#include "common/unit/types.h"

/* Sets all that follows from its latencies, which are those of node 0, and from the sum of their
 * squares; its count and its total are set. */
void itp_unit_type_set_spread(struct itp_unit_type *type, const struct itp_latencies *latencies,
			      double square_sum);

#endif
