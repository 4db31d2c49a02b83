/* SPDX-License-Identifier: MIT */
/*
 * System calls to be watched: all calls in which loops wait or look for events, and as few others
 * as separate the types (PerfGuard, section 5: "a subset of the functions"), preferably calls of
 * few units.
 */
#ifndef ITP_GUARD_PROBES_H
#define ITP_GUARD_PROBES_H

#include "common/guard/guard.h"

struct itp_guard_probes {
	/* Names of system calls, without prefix: calls that end units, and calls only watched; each
	 * sorted. Owned by this. */
	GPtrArray *ending;
	GPtrArray *telling;
};

void itp_guard_probes_init(struct itp_guard_probes *probes, const struct itp_guard_file *file);
void itp_guard_probes_release(struct itp_guard_probes *probes);

/* Contexts of `loop` seen with the probes, as bits. */
uint64_t itp_guard_probes_seen(const struct itp_guard_probes *probes,
			       const struct itp_guard_loop *loop);

/* Shape of a type within the contexts `seen`. Usual contexts had half of its units. */
struct itp_guard_shape itp_guard_shape_of(const struct itp_guard_type *type, uint64_t seen);

#endif
