/* SPDX-License-Identifier: MIT */
/*
 * See sides.h.
 */
#include "common/compare/sides.h"

#include "common/compare/base.h"

static bool divide(struct itp_sides *sides, const struct itp_workload_set *workloads,
		   const GPtrArray *base, GError **error)
{
	g_autoptr(GPtrArray) list = itp_workload_set_list(workloads);

	g_clear_pointer(&sides->suspects, g_ptr_array_unref);
	g_clear_pointer(&sides->bases, g_ptr_array_unref);
	return itp_sides_divide(list, base, &sides->bases, &sides->suspects, error);
}

bool itp_sides_init(struct itp_sides *sides, const struct itp_workload_set *workloads,
		    const struct itp_set_workload *period, const struct itp_view_options *options,
		    const GPtrArray *base, GError **error)
{
	*sides = (struct itp_sides){ .workloads = NULL };
	if (!divide(sides, workloads, base, error)) {
		return false;
	}
	sides->workloads = itp_workload_set_view(workloads, period, sides->bases, options, error);
	if (!sides->workloads || !divide(sides, sides->workloads, base, error)) {
		return false;
	}
	for (guint i = sides->suspects->len; period && i-- > 0;) {
		const struct itp_set_workload *suspect = g_ptr_array_index(sides->suspects, i);

		if (!suspect->is_period) {
			g_ptr_array_remove_index(sides->suspects, i);
		}
	}
	return true;
}

void itp_sides_release(struct itp_sides *sides)
{
	itp_workload_set_free(sides->workloads);
	g_clear_pointer(&sides->suspects, g_ptr_array_unref);
	g_clear_pointer(&sides->bases, g_ptr_array_unref);
}
