/* SPDX-License-Identifier: MIT */
/*
 * See innermost.h.
 */
#include "common/mine/innermost.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/mine/functions.h"

/* Factor of similarity between patterns that lead to different functions. */
#define DIFFERENT_PART 0.5
/* Share of a wrapper's cost in a single callee, at least. */
#define WRAPPED_PART 0.9

enum kind {
	/* Of the system. */
	KIND_OTHER = 0,
	/* A program's own, with a name. */
	KIND_OWN,
	/* Stand-in for work of the function before it alone. */
	KIND_ITSELF,
};

struct itp_innermost {
	uint32_t function_count;
	/* By function: its kind; the cost of its stacks; the part of it in stacks of which it is
	 * the innermost own function; and the part of this in its calls of a single function of the
	 * system, the dearest. Owned by this. */
	enum kind *kinds;
	int64_t *in_stacks;
	int64_t *innermost;
	int64_t *wrapped;
	/* The last by caller and callee. Owned by this. */
	GHashTable *calls;
	/* By a program's function and its next one within: cost of the stacks with the latter as
	 * innermost function, and the former around it. Owned by this. */
	GHashTable *ways;
	/* Of all stacks. */
	int64_t cost_ns;
};

static enum kind function_kind(const struct itp_function *function)
{
	if (itp_mined_is_itself(function)) {
		return KIND_ITSELF;
	}
	return itp_mined_is_own(function) && !function->is_unnamed ? KIND_OWN : KIND_OTHER;
}

struct itp_innermost *itp_innermost_new(const struct itp_function_table *functions)
{
	struct itp_innermost *innermost = g_new0(struct itp_innermost, 1);

	innermost->function_count = itp_function_table_size(functions);
	innermost->kinds = g_new0(enum kind, innermost->function_count);
	innermost->in_stacks = g_new0(int64_t, innermost->function_count);
	innermost->innermost = g_new0(int64_t, innermost->function_count);
	innermost->wrapped = g_new0(int64_t, innermost->function_count);
	innermost->calls = g_hash_table_new(itp_hash_number, NULL);
	innermost->ways = g_hash_table_new(itp_hash_number, NULL);
	for (uint32_t id = 0; id < innermost->function_count; id++) {
		innermost->kinds[id] = function_kind(itp_function_table_get(functions, id));
	}
	return innermost;
}

void itp_innermost_free(struct itp_innermost *innermost)
{
	if (innermost) {
		g_free(innermost->kinds);
		g_free(innermost->in_stacks);
		g_free(innermost->innermost);
		g_free(innermost->wrapped);
		g_hash_table_unref(innermost->calls);
		g_hash_table_unref(innermost->ways);
		g_free(innermost);
	}
}

static bool is_own_function(const struct itp_innermost *innermost, uint32_t function)
{
	return innermost->kinds[function] == KIND_OWN;
}

/* Adds to the pair's sum in `sums`. Returns the sum. */
static int64_t add_pair(GHashTable *sums, uint32_t high, uint32_t low, int64_t cost_ns)
{
	gpointer key = itp_pair(high, low);
	int64_t sum = (int64_t)GPOINTER_TO_SIZE(g_hash_table_lookup(sums, key)) + cost_ns;

	g_hash_table_insert(sums, key, GSIZE_TO_POINTER((gsize)sum));
	return sum;
}

/* By node: the program's function around it, ITP_FUNCTION_UNKNOWN for none. To be freed. */
static uint32_t *find_around(const struct itp_innermost *innermost, const struct itp_forest *forest)
{
	uint32_t *around = g_new0(uint32_t, forest->count + 1);

	for (uint32_t i = 0; i < forest->count; i++) {
		uint32_t parent = forest->nodes[i].parent;

		if (parent != i) {
			around[i] = is_own_function(innermost, forest->nodes[parent].function) ?
					    forest->nodes[parent].function :
					    around[parent];
		}
	}
	return around;
}

/* Cost of a program's function at the node, as the innermost one, and its division among the
 * callees. `deeper_ns` is the cost of programs' functions below it, and `around` the program's
 * function around it. */
static void add_forest_node(struct itp_innermost *innermost, const struct itp_forest *forest,
			    uint32_t i, int64_t deeper_ns, uint32_t around)
{
	const struct itp_forest_node *node = &forest->nodes[i];
	uint32_t caller = forest->nodes[node->parent].function;
	int64_t cost_ns = node->cost_ns - deeper_ns;

	if (is_own_function(innermost, node->function)) {
		innermost->innermost[node->function] += cost_ns;
		add_pair(innermost->ways, around, node->function, cost_ns);
	} else if (node->parent != i && is_own_function(innermost, caller) &&
		   innermost->kinds[node->function] == KIND_OTHER) {
		int64_t sum_ns = add_pair(innermost->calls, caller, node->function, cost_ns);

		innermost->wrapped[caller] = MAX(innermost->wrapped[caller], sum_ns);
	}
}

void itp_innermost_add(struct itp_innermost *innermost, const struct itp_forest *forest)
{
	g_autofree int64_t *in_stacks = itp_forest_costs(forest, innermost->function_count);
	g_autofree int64_t *deeper = g_new0(int64_t, forest->count + 1);
	g_autofree uint32_t *around = find_around(innermost, forest);

	for (uint32_t i = 0; i < innermost->function_count; i++) {
		innermost->in_stacks[i] += in_stacks[i];
	}
	for (uint32_t i = forest->count; i-- > 0;) {
		const struct itp_forest_node *node = &forest->nodes[i];

		add_forest_node(innermost, forest, i, deeper[i], around[i]);
		if (node->parent == i) {
			innermost->cost_ns += node->cost_ns;
		} else {
			deeper[node->parent] += is_own_function(innermost, node->function) ?
							node->cost_ns :
							deeper[i];
		}
	}
}

/* Function to which a pattern leads: the innermost function of a program, and the program's
 * function around it; ITP_FUNCTION_UNKNOWN for none. */
struct lead {
	uint32_t function;
	uint32_t around;
};

static struct lead lead_of(const struct itp_innermost *innermost, const struct itp_pattern *pattern)
{
	struct lead lead = { ITP_FUNCTION_UNKNOWN, ITP_FUNCTION_UNKNOWN };

	for (uint32_t i = 0; i < pattern->length; i++) {
		if (is_own_function(innermost, pattern->functions[i])) {
			lead.around = lead.function;
			lead.function = pattern->functions[i];
		}
	}
	return lead;
}

/* Meeting of two patterns: the first leads to a function, and the second goes through it. */
struct meeting {
	/* Share of the function's cost as innermost function; and rarity of its stacks, for a
	 * wrapper of stacks with the function around it too. */
	double part;
	double likeness;
};

/* True when the pattern has the function; *ret_has_around when it is also the next of a program
 * within the function around. */
static bool goes_through(const struct itp_innermost *innermost, const struct itp_pattern *pattern,
			 const struct lead *lead, bool *ret_has_around)
{
	uint32_t around = ITP_FUNCTION_UNKNOWN;
	bool has_function = false;
	bool has_around = false;

	for (uint32_t i = 0; i < pattern->length; i++) {
		uint32_t function = pattern->functions[i];

		has_function |= function == lead->function;
		has_around |= function == lead->function && around == lead->around;
		around = is_own_function(innermost, function) ? function : around;
	}
	*ret_has_around = has_around && lead->around != ITP_FUNCTION_UNKNOWN;
	return has_function;
}

static bool is_wrapper(const struct itp_innermost *innermost, uint32_t function)
{
	return (double)innermost->wrapped[function] >
	       WRAPPED_PART * (double)innermost->innermost[function];
}

static double cost_part(int64_t part_ns, int64_t whole_ns)
{
	return (double)part_ns / (double)MAX(whole_ns, 1);
}

/* Cost of the stacks with a pattern's lead: the function, or for a wrapper the way to it through
 * the function around. */
static int64_t cost_of(const struct itp_innermost *innermost, const struct lead *lead)
{
	return is_wrapper(innermost, lead->function) ?
		       (int64_t)GPOINTER_TO_SIZE(g_hash_table_lookup(
			       innermost->ways, itp_pair(lead->around, lead->function))) :
		       innermost->in_stacks[lead->function];
}

static void meet(const struct itp_innermost *innermost, const struct itp_pattern *pattern,
		 const struct lead *lead, struct meeting *meeting)
{
	double part = cost_part(innermost->innermost[lead->function],
				innermost->in_stacks[lead->function]);
	int64_t cost_ns = cost_of(innermost, lead);
	bool has_around;

	if (!goes_through(innermost, pattern, lead, &has_around)) {
		return;
	}
	meeting->part = MAX(meeting->part, part);
	/* A pattern may leave functions out, and no stack may have its way to a wrapper. */
	if ((has_around || !is_wrapper(innermost, lead->function)) && cost_ns > 0) {
		meeting->likeness =
			MAX(meeting->likeness, part * (1 - cost_part(cost_ns, innermost->cost_ns)));
	}
}

double itp_innermost_likeness(const struct itp_innermost *innermost, const struct itp_pattern *left,
			      const struct itp_pattern *right, double similarity)
{
	const struct lead of_left = lead_of(innermost, left);
	const struct lead of_right = lead_of(innermost, right);
	struct meeting meeting = { 0, 0 };

	if (of_left.function == ITP_FUNCTION_UNKNOWN || of_right.function == ITP_FUNCTION_UNKNOWN) {
		return similarity;
	}
	meet(innermost, left, &of_right, &meeting);
	meet(innermost, right, &of_left, &meeting);
	return MAX(meeting.likeness,
		   similarity * (DIFFERENT_PART + (1 - DIFFERENT_PART) * meeting.part));
}
