/* SPDX-License-Identifier: MIT */
/*
 * Which system calls are to be watched: those in which loops wait or look for events in any case,
 * and as few others as tell apart the types that can be (PerfGuard, section 5: "a subset of the
 * functions"), rather those that few units make.
 */
#ifndef ITP_GUARD_PROBES_H
#define ITP_GUARD_PROBES_H

#include "common/guard/guard.h"

struct itp_guard_probes {
	/* Names of system calls, without their prefix: those that end units, and those that are
	 * only watched; each sorted. Owned by this. */
	GPtrArray *ending;
	GPtrArray *telling;
};

void itp_guard_probes_init(struct itp_guard_probes *probes, const struct itp_guard_file *file);
void itp_guard_probes_release(struct itp_guard_probes *probes);

/* The contexts of `loop` that are seen with these, as bits. */
uint64_t itp_guard_probes_seen(const struct itp_guard_probes *probes,
			       const struct itp_guard_loop *loop);

/* What of a type can be seen: `seen` as above. In a usual context half of its units were. */
struct itp_guard_shape itp_guard_shape_of(const struct itp_guard_type *type, uint64_t seen);

#endif
