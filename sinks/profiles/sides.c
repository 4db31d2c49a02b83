/* SPDX-License-Identifier: MIT */
/*
 * See sides.h.
 */
#include "sinks/profiles/sides.h"

#include "sinks/profiles/base.h"

static bool divide(struct itp_rank_sides *sides, const struct itp_rank_workloads *workloads,
		   const GPtrArray *base, GError **error)
{
	g_autoptr(GPtrArray) list = itp_rank_workloads_list(workloads);

	g_clear_pointer(&sides->suspects, g_ptr_array_unref);
	g_clear_pointer(&sides->bases, g_ptr_array_unref);
	return itp_rank_divide(list, base, &sides->bases, &sides->suspects, error);
}

bool itp_rank_sides_init(struct itp_rank_sides *sides, const struct itp_rank_workloads *workloads,
			 const struct itp_rank_workload *period,
			 const struct itp_view_options *options, const GPtrArray *base,
			 GError **error)
{
	*sides = (struct itp_rank_sides){ .workloads = NULL };
	if (!divide(sides, workloads, base, error)) {
		return false;
	}
	sides->workloads = itp_rank_workloads_view(workloads, period, sides->bases, options, error);
	if (!sides->workloads || !divide(sides, sides->workloads, base, error)) {
		return false;
	}
	for (guint i = sides->suspects->len; period && i-- > 0;) {
		const struct itp_rank_workload *suspect = g_ptr_array_index(sides->suspects, i);

		if (!suspect->is_period) {
			g_ptr_array_remove_index(sides->suspects, i);
		}
	}
	return true;
}

void itp_rank_sides_release(struct itp_rank_sides *sides)
{
	itp_rank_workloads_free(sides->workloads);
	g_clear_pointer(&sides->suspects, g_ptr_array_unref);
	g_clear_pointer(&sides->bases, g_ptr_array_unref);
}
