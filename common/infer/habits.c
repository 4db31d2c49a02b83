/* SPDX-License-Identifier: MIT */
/*
 * Ticks by function and by pair of caller and callee, and the division from the root down.
 *
 * A group's contexts and their callers form a tree in which parents have smaller numbers: sums go
 * through it backwards, divisions forwards.
 */
#include "common/infer/habits.h"

#include "common/base/order.h"
#include "common/infer/strata-sums.h"

/* Weight, in ticks, of a function's doings elsewhere. */
#define ELSEWHERE_TICKS 0.5

/* Branch of the tree at hand: sums over a context and all below. */
struct branch {
	double weight;
	double part;
	/* Ticks elsewhere of the context's function and of its callees here. */
	double elsewhere;
	/* Share of the whole for the context with all below. */
	double share;
	bool is_there;
};

struct itp_habits {
	/* Weak. */
	const struct itp_strata *strata;
	/* By function: ticks that found it innermost, anywhere. Owned by this. */
	double *self;
	/* By node: ticks in calls of its function by its parent's function, anywhere. Owned by
	 * this. */
	double *call;
	/* By node. Owned by this. */
	struct branch *branches;
	/* uint32_t: nodes of the tree at hand, which is empty between groups. Owned by this. */
	GArray *nodes;
};

static const struct itp_context *context_of_node(const struct itp_habits *habits, uint32_t node)
{
	return itp_context_tree_get(habits->strata->tree, node);
}

/* The root has no caller to be led to, and is not among the nodes. */
static void plant_root(struct itp_habits *habits)
{
	habits->branches[ITP_CONTEXT_ROOT].is_there = true;
}

/* Adds the node and its callers to the tree at hand, which has the root already. */
static void add_nodes(struct itp_habits *habits, uint32_t node)
{
	while (!habits->branches[node].is_there) {
		habits->branches[node].is_there = true;
		g_array_append_val(habits->nodes, node);
		node = context_of_node(habits, node)->parent;
	}
}

static void clear(struct itp_habits *habits)
{
	for (guint i = 0; i < habits->nodes->len; i++) {
		habits->branches[g_array_index(habits->nodes, uint32_t, i)] = (struct branch){ 0 };
	}
	habits->branches[ITP_CONTEXT_ROOT] = (struct branch){ 0 };
	g_array_set_size(habits->nodes, 0);
}

/* Nodes by their own function and their parent's. */
static gint compare_calls(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_habits *habits = data;
	const struct itp_context *left = context_of_node(habits, *(const uint32_t *)a);
	const struct itp_context *right = context_of_node(habits, *(const uint32_t *)b);
	uint32_t left_caller = context_of_node(habits, left->parent)->function;
	uint32_t right_caller = context_of_node(habits, right->parent)->function;

	if (left->function != right->function) {
		return left->function < right->function ? -1 : 1;
	}
	return (left_caller > right_caller) - (left_caller < right_caller);
}

/* Gives each of the `count` nodes the sum over all nodes of the same call. */
static void share_sum(struct itp_habits *habits, const uint32_t *nodes, guint count)
{
	double sum = 0;

	for (guint i = 0; i < count; i++) {
		sum += habits->call[nodes[i]];
	}
	for (guint i = 0; i < count; i++) {
		habits->call[nodes[i]] = sum;
	}
}

static void sum_call_pairs(struct itp_habits *habits)
{
	const GArray *nodes = habits->nodes;
	guint first = 0;

	g_array_sort_with_data(habits->nodes, compare_calls, habits);
	for (guint i = 1; i <= nodes->len; i++) {
		const uint32_t *node = &g_array_index(nodes, uint32_t, first);

		if (i == nodes->len || compare_calls(node, &node[i - first], habits) != 0) {
			share_sum(habits, node, i - first);
			first = i;
		}
	}
}

static void add_ticks(struct itp_habits *habits)
{
	for (uint32_t i = 1; i < habits->strata->contexts->len; i++) {
		const struct itp_stratum_context *context = itp_strata_context(habits->strata, i);

		/* Contexts left out were there in earlier periods. */
		if (context->given_ns != 0 || context->ticks != 0) {
			add_nodes(habits, context->node);
			habits->call[context->node] += context->weight;
			habits->self[context_of_node(habits, context->node)->function] +=
				context->weight;
		}
	}
}

struct itp_habits *itp_habits_new(const struct itp_strata *strata)
{
	struct itp_habits *habits = g_new0(struct itp_habits, 1);
	uint32_t node_count = itp_context_tree_size(strata->tree);

	habits->strata = strata;
	habits->self = g_new0(double, itp_function_table_size(strata->functions));
	habits->call = g_new0(double, node_count);
	habits->branches = g_new0(struct branch, node_count);
	habits->nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	plant_root(habits);
	add_ticks(habits);
	for (uint32_t node = node_count - 1; node > ITP_CONTEXT_ROOT; node--) {
		habits->call[context_of_node(habits, node)->parent] += habits->call[node];
	}
	sum_call_pairs(habits);
	clear(habits);
	return habits;
}

void itp_habits_free(struct itp_habits *habits)
{
	if (!habits) {
		return;
	}
	g_free(habits->self);
	g_free(habits->call);
	g_free(habits->branches);
	g_array_free(habits->nodes, TRUE);
	g_free(habits);
}

/* Ticks of a function elsewhere, out of `all`; not negative by rounding. */
static double elsewhere(double all, double here)
{
	return MAX(all - here, 0);
}

static double self_elsewhere(const struct itp_habits *habits, const struct itp_habit_part *part)
{
	return elsewhere(habits->self[context_of_node(habits, part->node)->function], part->weight);
}

static double call_elsewhere(const struct itp_habits *habits, uint32_t node)
{
	return elsewhere(habits->call[node], habits->branches[node].weight);
}

static void plant(struct itp_habits *habits, const GArray *parts)
{
	plant_root(habits);
	for (guint i = 0; i < parts->len; i++) {
		const struct itp_habit_part *part = &g_array_index(parts, struct itp_habit_part, i);
		struct branch *branch = &habits->branches[part->node];

		add_nodes(habits, part->node);
		branch->weight += part->weight;
		branch->part += part->part;
		branch->elsewhere += self_elsewhere(habits, part);
	}
}

static void sum_up(struct itp_habits *habits)
{
	g_array_sort(habits->nodes, itp_order_of_ids);
	for (guint i = habits->nodes->len; i-- > 0;) {
		uint32_t node = g_array_index(habits->nodes, uint32_t, i);
		const struct branch *branch = &habits->branches[node];
		struct branch *caller = &habits->branches[context_of_node(habits, node)->parent];

		caller->weight += branch->weight;
		caller->part += branch->part;
		caller->elsewhere += call_elsewhere(habits, node);
	}
}

/* Share of a part of the branch: its own context, or a call. */
static double divided(const struct itp_habits *habits, const struct branch *branch, double part,
		      double part_elsewhere)
{
	double trust = MIN(ELSEWHERE_TICKS * habits->strata->mean_weight, branch->elsewhere);

	if (branch->part + trust <= 0) {
		return 0;
	}
	if (trust > 0) {
		part += trust * part_elsewhere / branch->elsewhere;
	}
	return branch->share * part / (branch->part + trust);
}

static void divide_calls(struct itp_habits *habits)
{
	struct branch *root = &habits->branches[ITP_CONTEXT_ROOT];

	/* Processes are no function's habit. */
	root->elsewhere = 0;
	root->share = root->part;
	for (guint i = 0; i < habits->nodes->len; i++) {
		uint32_t node = g_array_index(habits->nodes, uint32_t, i);
		struct branch *branch = &habits->branches[node];

		branch->share = divided(habits,
					&habits->branches[context_of_node(habits, node)->parent],
					branch->part, call_elsewhere(habits, node));
	}
}

void itp_habits_apply(struct itp_habits *habits, GArray *parts)
{
	if (parts->len < 2) {
		return;
	}
	plant(habits, parts);
	sum_up(habits);
	divide_calls(habits);
	for (guint i = 0; i < parts->len; i++) {
		struct itp_habit_part *part = &g_array_index(parts, struct itp_habit_part, i);

		part->part = divided(habits, &habits->branches[part->node], part->part,
				     self_elsewhere(habits, part));
	}
	clear(habits);
}
