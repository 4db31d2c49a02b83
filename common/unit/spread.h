/* SPDX-License-Identifier: MIT */
/*
 * Spread of the latencies in a type of units, and the limit from which on one is unusual.
 */
#ifndef ITP_UNIT_SPREAD_H
#define ITP_UNIT_SPREAD_H

#include "common/infer/latencies.h"
#include "common/unit/type.h"

/* Sets all members that follow from the type's latencies, at node 0 of `latencies`, and from the
 * sum of their squares in ns²; its count and its total are set before. */
void itp_unit_type_set_spread(struct itp_unit_type *type, const struct itp_latencies *latencies,
			      double square_sum);

#endif
