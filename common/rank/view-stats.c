/* SPDX-License-Identifier: MIT */
/*
 * Own latencies only move; totals, bounds and use of callers are first cut to what is left of
 * their contexts, from the leaves up, and then move with the calls.
 */
#include "common/rank/view-stats.h"

/* What a node, with all below it, takes of time. */
struct span {
	int64_t total_ns;
	int64_t lower_ns;
	int64_t upper_ns;
	struct itp_time_use use;
};

static struct span span_of(const struct itp_node_stats *stats)
{
	return (struct span){ stats->total_ns, stats->lower_ns, stats->upper_ns, stats->use };
}

static void add(struct span *span, const struct span *other)
{
	span->total_ns += other->total_ns;
	span->lower_ns += other->lower_ns;
	span->upper_ns += other->upper_ns;
	itp_time_use_add(&span->use, &other->use, 1);
}

static void subtract(struct span *span, const struct span *other)
{
	span->total_ns -= other->total_ns;
	span->lower_ns -= other->upper_ns;
	span->upper_ns -= other->lower_ns;
	itp_time_use_add(&span->use, &other->use, -1);
}

/* What is left of the totals of each node, by node. The caller frees it. */
static struct span *cut_spans(const struct itp_context_tree *tree,
			      const struct itp_view_fate *fates, const struct itp_profile *profile)
{
	uint32_t count = itp_context_tree_size(tree);
	struct span *spans = g_new0(struct span, count);
	g_autofree struct span *below = g_new0(struct span, count);
	g_autofree struct span *ignored = g_new0(struct span, count);

	for (uint32_t node = count; node-- > 1;) {
		uint32_t parent = itp_context_tree_get(tree, node)->parent;

		switch (fates[node].role) {
		case ITP_VIEW_WHOLE:
			spans[node] = span_of(itp_profile_peek(profile, node));
			subtract(&spans[node], &ignored[node]);
			add(&ignored[parent], &ignored[node]);
			break;
		case ITP_VIEW_LEADING:
		case ITP_VIEW_CUT:
			spans[node] = below[node];
			break;
		case ITP_VIEW_IGNORED:
			ignored[node] = span_of(itp_profile_peek(profile, node));
			add(&ignored[parent], &ignored[node]);
			break;
		case ITP_VIEW_GONE:
			break;
		}
		add(&below[parent], &spans[node]);
	}
	return spans;
}

/* Adds what is left of a node to its target. */
static void move_node(struct itp_node_stats *target, const struct itp_view_fate *fate,
		      const struct itp_node_stats *old, const struct span *span)
{
	struct itp_node_stats stats = {
		.own_ns = old->own_ns,
		.own_use = old->own_use,
		.samples = old->samples,
		.own_variance_us2 = old->own_variance_us2,
	};

	if (!fate->is_inner) {
		stats = *old;
		stats.total_ns = span->total_ns;
		stats.lower_ns = span->lower_ns;
		stats.upper_ns = span->upper_ns;
		stats.use = span->use;
	}
	if (fate->role == ITP_VIEW_LEADING) {
		stats.own_ns = 0;
		stats.own_use = (struct itp_time_use){ 0 };
		stats.samples = 0;
		stats.own_variance_us2 = 0;
	}
	itp_node_stats_merge(target, &stats);
}

/* Like minimum, maximum and histogram, its calls stay as they were. */
static void move_calls(struct itp_profile *view, const struct itp_view_fate *fate,
		       const struct itp_profile *profile, uint32_t node)
{
	if (!fate->is_inner) {
		itp_slowest_add_node(view->slowest, fate->target, profile->slowest, node);
	}
}

struct itp_profile *itp_view_profile(const struct itp_context_tree *tree,
				     const struct itp_view_fate *fates,
				     const struct itp_profile *profile)
{
	struct itp_profile *view = itp_profile_new(profile->workload.name);
	g_autofree struct span *spans = cut_spans(tree, fates, profile);

	g_free(view->workload.options);
	view->workload.options = g_strdup(profile->workload.options);
	view->workload.counts = profile->workload.counts;
	view->workload.clock = profile->workload.clock;
	view->workload.complete = profile->workload.complete;
	for (uint32_t node = 1; node < itp_context_tree_size(tree); node++) {
		enum itp_view_role role = fates[node].role;

		if (role == ITP_VIEW_WHOLE || role == ITP_VIEW_LEADING) {
			move_node(itp_profile_node(view, fates[node].target), &fates[node],
				  itp_profile_peek(profile, node), &spans[node]);
			move_calls(view, &fates[node], profile, node);
		}
	}
	return view;
}
