/* SPDX-License-Identifier: MIT */
/*
 * Division of the sums of strata.c by ticks.
 *
 * A kind whose CPU time lets expect TICKS_ENOUGH ticks is divided by its own. (By expected ticks,
 * not by actual ones: kinds that happened to get ticks would otherwise be divided by them, and the
 * rest by their absence.) The others are pooled at the innermost context common to both their ends,
 * and if the pool is still too short, at its caller; but time inside of a system call is never
 * pooled with time outside, as the call's own times are exact.
 */
#include "common/infer/habits.h"
#include "common/infer/strata-sums.h"

#define TICKS_ENOUGH 4.0

/* Part of all kinds divided together: the number of a kind, or of a node behind the kinds. */
struct member {
	uint32_t group;
	uint32_t kind;
};

/* Sums over the kinds of a group, for a context. */
struct sum {
	int64_t given_ns;
	double weight;
	uint64_t ticks;
	bool is_touched;
};

/* A division at work. */
struct division {
	/* struct member, by group. Owned by this. */
	GArray *members;
	/* By node. Owned by this. */
	struct sum *sums;
	struct itp_share *shares;
	/* struct itp_habit_part: contexts with sums of the group at hand. Owned by this. */
	GArray *parts;
	/* Owned by this. */
	struct itp_habits *habits;
};

static bool is_enough(const struct itp_strata *strata, double cpu_ns)
{
	return cpu_ns * (double)strata->ticks >= TICKS_ENOUGH * (double)strata->cpu_ns;
}

/* True for a node whose pool goes to no caller. */
static bool is_end_of_pool(const struct itp_strata *strata, uint32_t node)
{
	const struct itp_context *context = itp_context_tree_get(strata->tree, node);

	return context->parent == ITP_CONTEXT_ROOT ||
	       itp_function_table_get(strata->functions, context->function)->layer ==
		       ITP_LAYER_SYSCALL;
}

/* Contexts that are the pool of others; by node, to be freed by the caller. */
static bool *find_pools(const struct itp_strata *strata, uint32_t node_count)
{
	bool *is_pool = g_new0(bool, node_count);
	g_autofree double *pooled_ns = g_new0(double, node_count);

	for (uint32_t i = 1; i < strata->kinds->len; i++) {
		const struct itp_stratum *kind = itp_strata_get(strata, i);

		if (!is_enough(strata, (double)kind->cpu_ns)) {
			pooled_ns[itp_strata_common(strata, kind->before, kind->after)] +=
				(double)kind->cpu_ns;
		}
	}
	for (uint32_t node = node_count - 1; node > ITP_CONTEXT_ROOT; node--) {
		is_pool[node] = is_enough(strata, pooled_ns[node]) || is_end_of_pool(strata, node);
		if (!is_pool[node]) {
			pooled_ns[itp_context_tree_get(strata->tree, node)->parent] +=
				pooled_ns[node];
		}
	}
	return is_pool;
}

static gint compare_members(gconstpointer a, gconstpointer b)
{
	const struct member *left = a;
	const struct member *right = b;
	int by_group = (left->group > right->group) - (left->group < right->group);

	return by_group != 0 ? by_group : (left->kind > right->kind) - (left->kind < right->kind);
}

static GArray *find_members(const struct itp_strata *strata, uint32_t node_count)
{
	g_autofree bool *is_pool = find_pools(strata, node_count);
	GArray *members = g_array_new(FALSE, FALSE, sizeof(struct member));

	for (uint32_t i = 1; i < strata->kinds->len; i++) {
		const struct itp_stratum *kind = itp_strata_get(strata, i);
		struct member member = { .group = node_count + i, .kind = i };

		if (!is_enough(strata, (double)kind->cpu_ns)) {
			member.group = itp_strata_common(strata, kind->before, kind->after);
			while (member.group != ITP_CONTEXT_ROOT && !is_pool[member.group]) {
				member.group =
					itp_context_tree_get(strata->tree, member.group)->parent;
			}
		}
		g_array_append_val(members, member);
	}
	g_array_sort(members, compare_members);
	return members;
}

static void add_context(struct division *division, const struct itp_stratum_context *context)
{
	struct sum *sum = &division->sums[context->node];
	const struct itp_habit_part part = { .node = context->node };

	if (!sum->is_touched) {
		sum->is_touched = true;
		g_array_append_val(division->parts, part);
	}
	sum->given_ns += context->given_ns;
	sum->weight += context->weight;
	sum->ticks += context->ticks;
}

static void add_kind(const struct itp_strata *strata, struct division *division, uint32_t kind)
{
	const struct itp_stratum_context *context;

	for (uint32_t i = itp_strata_get(strata, kind)->first; i != 0; i = context->next) {
		context = itp_strata_context(strata, i);
		/* Contexts left out were there in earlier periods. */
		if (context->given_ns != 0 || context->ticks != 0) {
			add_context(division, context);
		}
	}
}

static struct sum sum_group(const struct division *division)
{
	struct sum all = { 0 };

	for (guint i = 0; i < division->parts->len; i++) {
		uint32_t node = g_array_index(division->parts, struct itp_habit_part, i).node;
		const struct sum *sum = &division->sums[node];

		all.given_ns += sum->given_ns;
		all.weight += sum->weight;
		all.ticks += sum->ticks;
	}
	return all;
}

/* How much of the group each of its contexts takes: by ticks, by what continuity.h said, and by
 * what its functions do elsewhere. Returns the sum, in the unit of ticks. */
static double find_parts(const struct itp_strata *strata, struct division *division,
			 const struct sum *all)
{
	double doubt = ITP_STRATA_PRIOR_TICKS * strata->mean_weight;

	for (guint i = 0; i < division->parts->len; i++) {
		struct itp_habit_part *part =
			&g_array_index(division->parts, struct itp_habit_part, i);
		const struct sum *sum = &division->sums[part->node];
		double prior = all->given_ns > 0 ? (double)sum->given_ns / (double)all->given_ns :
						   0;

		part->weight = sum->weight;
		part->part = sum->weight + doubt * prior;
	}
	itp_habits_apply(division->habits, division->parts);
	return all->weight + doubt;
}

static uint64_t variance_us2(double cpu_ns, double part, double ticks)
{
	double cpu_us = cpu_ns / 1000;

	return (uint64_t)(cpu_us * cpu_us * part * (1 - MIN(part, 1)) / (ticks + 1));
}

/* Divides everything added since the last time. Rounded so that nothing is lost or gained. */
static void divide_group(const struct itp_strata *strata, struct division *division)
{
	const struct sum all = sum_group(division);
	double whole = find_parts(strata, division, &all);
	double divided_ns = 0;
	int64_t rounded_ns = 0;

	for (guint i = 0; i < division->parts->len; i++) {
		const struct itp_habit_part *taken =
			&g_array_index(division->parts, struct itp_habit_part, i);
		struct sum *sum = &division->sums[taken->node];
		struct itp_share *share = &division->shares[taken->node];
		double part = taken->part / whole;
		int64_t before_ns = rounded_ns;

		divided_ns += part * (double)all.given_ns;
		rounded_ns = i + 1 == division->parts->len ? all.given_ns :
							     (int64_t)(divided_ns + 0.5);
		share->cpu_ns += rounded_ns - before_ns - sum->given_ns;
		share->samples += sum->ticks;
		share->variance_us2 += variance_us2((double)all.given_ns, part, (double)all.ticks);
		*sum = (struct sum){ 0 };
	}
	g_array_set_size(division->parts, 0);
}

static void divide_members(const struct itp_strata *strata, struct division *division)
{
	for (guint i = 0; i < division->members->len; i++) {
		const struct member *member = &g_array_index(division->members, struct member, i);

		add_kind(strata, division, member->kind);
		if (i + 1 == division->members->len || member[1].group != member->group) {
			divide_group(strata, division);
		}
	}
}

static uint32_t process_of_node(const struct itp_strata *strata, uint32_t node)
{
	const struct itp_context *context = itp_context_tree_get(strata->tree, node);

	while (context->parent != ITP_CONTEXT_ROOT) {
		node = context->parent;
		context = itp_context_tree_get(strata->tree, node);
	}
	return node;
}

static void tell_node(struct itp_strata *strata, const struct itp_share *share, uint32_t node,
		      itp_share_func tell, void *data)
{
	const struct itp_context *context = itp_context_tree_get(strata->tree, node);
	struct itp_share news = *share;

	news.node = node;
	news.within = node;
	if (context->function == strata->recorder && strata->recorder != ITP_FUNCTION_UNKNOWN) {
		news.within = context->parent;
		news.node = itp_strata_recorder(strata, process_of_node(strata, node));
	}
	if (news.cpu_ns != 0 || news.samples != 0 || news.variance_us2 != 0) {
		tell(&news, data);
	}
}

void itp_strata_tell(struct itp_strata *strata, itp_share_func tell, void *data)
{
	uint32_t node_count = itp_context_tree_size(strata->tree);
	struct division division = {
		.members = find_members(strata, node_count),
		.sums = g_new0(struct sum, node_count),
		.shares = g_new0(struct itp_share, node_count),
		.parts = g_array_new(FALSE, FALSE, sizeof(struct itp_habit_part)),
		.habits = itp_habits_new(strata),
	};

	if (strata->ticks > 0) {
		divide_members(strata, &division);
		for (uint32_t node = 1; node < node_count; node++) {
			tell_node(strata, &division.shares[node], node, tell, data);
		}
	}
	g_array_free(division.members, TRUE);
	g_free(division.sums);
	g_free(division.shares);
	g_array_free(division.parts, TRUE);
	itp_habits_free(division.habits);
	itp_strata_begin_sums(strata);
}
