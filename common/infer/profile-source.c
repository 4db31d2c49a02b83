/* SPDX-License-Identifier: MIT */
/*
 * See profile-source.h.
 */
#include "common/infer/profile-source.h"

static bool has_something(const struct itp_profile *profile, uint32_t node)
{
	const struct itp_node_stats *stats = itp_profile_peek(profile, node);
	guint waker_count;

	itp_wakers_of_node(profile->wakers, node, &waker_count);
	return itp_node_stats_is_present(stats) || stats->own_ns != 0 || waker_count > 0;
}

bool *itp_profile_source_used(const struct itp_profile_source *source)
{
	bool *is_used = g_new0(bool, source->node_count);

	for (uint32_t node = source->node_count; --node > ITP_CONTEXT_ROOT;) {
		uint32_t parent;
		uint32_t function;

		is_used[node] = is_used[node] || has_something(source->profile, node);
		source->get_context(source->contexts, node, &parent, &function);
		is_used[parent] = is_used[parent] || is_used[node];
	}
	return is_used;
}

struct itp_function itp_profile_source_function(const struct itp_profile_source *source,
						uint32_t id)
{
	struct itp_function function = *itp_function_table_get(source->functions, id);

	function.file = "";
	return function;
}
