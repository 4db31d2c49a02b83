/* SPDX-License-Identifier: MIT */
/*
 * What is compared: a view of the workloads, divided into those that behave and those under
 * suspicion.
 */
#ifndef ITP_COMPARE_SIDES_H
#define ITP_COMPARE_SIDES_H

#include <glib.h>
#include <stdbool.h>

#include "common/compare/workload-set.h"

struct itp_sides {
	/* Owned by this. */
	struct itp_workload_set *workloads;
	/* const struct itp_set_workload * of these. Owned by this. */
	GPtrArray *suspects;
	GPtrArray *bases;
};

/* `base` has the names (char *) of those that behave, NULL = none. With `period`, which may be
 * NULL, this period of it is the only suspect, if it is one. To be released, also after an error.
 */
bool itp_sides_init(struct itp_sides *sides, const struct itp_workload_set *workloads,
		    const struct itp_set_workload *period, const struct itp_view_options *options,
		    const GPtrArray *base, GError **error);
void itp_sides_release(struct itp_sides *sides);

#endif
