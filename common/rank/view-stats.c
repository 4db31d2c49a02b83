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

/* Whether callers lose anything that was below them. */
static bool is_cut(const struct itp_context_tree *tree, const struct itp_view_fate *fates)
{
	for (uint32_t node = 1; node < itp_context_tree_size(tree); node++) {
		if (fates[node].role != ITP_VIEW_WHOLE) {
			return true;
		}
	}
	return false;
}

/* What is left of `old`, all of whose span is `span`. */
static struct itp_node_stats left_of(const struct itp_node_stats *old,
				     const struct itp_view_fate *fate, const struct span *span)
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
	return stats;
}

/* Adds what is left of a node to its target. Like minimum, maximum and histogram, its latencies
 * and slowest calls stay as they were. */
static void move_node(struct itp_profile *profile, const struct itp_view_fate *fate, uint32_t node,
		      const struct span *span)
{
	struct itp_node_stats *stats = itp_profile_node(profile, node);
	struct itp_node_stats left = left_of(stats, fate, span);

	*stats = (struct itp_node_stats){ .count = 0 };
	if (fate->is_inner) {
		itp_slowest_clear_node(profile->slowest, node);
		itp_latencies_clear_node(profile->latencies, node);
	} else {
		itp_slowest_move_node(profile->slowest, fate->target, node);
		itp_latencies_move_node(profile->latencies, fate->target, node);
	}
	itp_node_stats_merge(itp_profile_node(profile, fate->target), &left);
}

void itp_view_profile(const struct itp_context_tree *tree, const struct itp_view_fate *fates,
		      struct itp_profile *profile)
{
	uint32_t count = itp_context_tree_size(tree);
	g_autofree struct span *spans = is_cut(tree, fates) ? cut_spans(tree, fates, profile) :
							      NULL;
	uint32_t size = 0;

	/* A target is not behind its node, so what was at it has gone already. */
	for (uint32_t node = 1; node < count; node++) {
		const struct itp_view_fate *fate = &fates[node];
		const struct span span = spans ? spans[node] :
						 span_of(itp_profile_peek(profile, node));

		if (fate->role != ITP_VIEW_WHOLE && fate->role != ITP_VIEW_LEADING) {
			itp_profile_clear_node(profile, node);
			continue;
		}
		move_node(profile, fate, node, &span);
		size = MAX(size, fate->target + 1);
	}
	itp_profile_truncate(profile, size);
}
