/* SPDX-License-Identifier: MIT */
/*
 * See calls.h.
 */
#include "common/rank/calls.h"

uint8_t *itp_calls_telling(const struct itp_profile *profile,
			   const struct itp_function_table *functions,
			   const struct itp_context_tree *tree)
{
	uint8_t *telling = g_new0(uint8_t, itp_function_table_size(functions));
	uint32_t size = itp_context_tree_size(tree);

	for (uint32_t node = 1; node < size; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		uint8_t *of = &telling[itp_context_tree_get(tree, node)->function];

		if (stats->counted_count > 0) {
			*of = ITP_TELLING_COUNTED;
		} else if (itp_node_stats_calls(stats, &profile->workload.counts).possible !=
			   ITP_CALLS_UNKNOWN) {
			*of = MAX(*of, ITP_TELLING_SHOWN);
		}
	}
	return telling;
}

struct itp_call_bounds itp_calls_of(const struct itp_profile *profile,
				    const struct itp_node_stats *stats, uint8_t telling)
{
	const struct itp_infer_counts *counts = &profile->workload.counts;
	bool has_call = stats->count > stats->part_count;
	struct itp_call_bounds bounds = { .seen = 0 };

	if (has_call || stats->counted_count + stats->shown_count > 0 ||
	    telling == ITP_TELLING_NOTHING || counts->losses > 0) {
		return itp_node_stats_calls(stats, counts);
	}
	if (telling == ITP_TELLING_SHOWN && itp_node_stats_is_present(stats)) {
		bounds.possible = counts->broken_stacks;
	}
	return bounds;
}

struct itp_call_bounds itp_side_calls(const struct itp_rank_state *state,
				      const struct itp_side *side, uint32_t node)
{
	if (!side->profile) {
		return (struct itp_call_bounds){ .seen = 0 };
	}
	return itp_calls_of(side->profile, itp_profile_peek(side->profile, node),
			    side->telling[itp_rank_function_id(state, node)]);
}

bool itp_calls_compare(struct itp_call_bounds suspect, struct itp_call_bounds base,
		       uint64_t *ret_suspect, uint64_t *ret_base)
{
	bool are_close = itp_call_bounds_are_close(suspect) && itp_call_bounds_are_close(base);
	bool is_more = suspect.seen > base.possible;

	if (!are_close && !is_more && base.seen <= suspect.possible) {
		return false;
	}
	*ret_suspect = are_close || is_more ? suspect.seen : suspect.possible;
	*ret_base = !are_close && is_more ? base.possible : base.seen;
	return true;
}

void itp_calls_split(struct itp_delta *delta, int64_t suspect_ns, int64_t base_ns,
		     struct itp_call_bounds suspect, struct itp_call_bounds base)
{
	int64_t difference_ns = suspect_ns - base_ns;
	int64_t more_ns = difference_ns;
	uint64_t suspect_calls;
	uint64_t base_calls;

	if (!itp_calls_compare(suspect, base, &suspect_calls, &base_calls) ||
	    (base_calls == 0 && base_ns != 0)) {
		delta->unsplit_ns += difference_ns;
		return;
	}
	if (base_calls > 0) {
		__int128 more = (__int128)suspect_calls - (__int128)base_calls;

		more_ns = itp_divide(more * base_ns, base_calls);
	}
	delta->more_calls_ns += more_ns;
	delta->slower_calls_ns += difference_ns - more_ns;
}
