/* SPDX-License-Identifier: MIT */
/*
 * See innermost.h.
 */
#include "common/mine/innermost.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/mine/signatures.h"

/* How much less alike patterns are that lead to different functions. */
#define DIFFERENT_PART 0.5
/* A function is a wrapper of one that takes more of what it costs. */
#define WRAPPED_PART 0.9

enum kind {
	/* Of the system. */
	KIND_OTHER = 0,
	/* A program's own, with a name. */
	KIND_OWN,
	/* Stands for what the one before it did itself. */
	KIND_ITSELF,
};

struct itp_innermost {
	uint32_t function_count;
	/* By function: what it is; what the stacks cost that have it; those of them of which it is
	 * the innermost own one; and those of these in which it calls the same function of the
	 * system, of the one that costs most. Owned by this. */
	enum kind *kinds;
	int64_t *in_stacks;
	int64_t *innermost;
	int64_t *wrapped;
	/* The last by caller and callee. Owned by this. */
	GHashTable *calls;
	/* Of all stacks. */
	int64_t cost_ns;
};

static enum kind kind_of(const struct itp_function *function)
{
	if (strcmp(function->name, ITP_MINED_ITSELF) == 0) {
		return KIND_ITSELF;
	}
	return itp_signature_is_own(function) && !function->is_unnamed ? KIND_OWN : KIND_OTHER;
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
	for (uint32_t id = 0; id < innermost->function_count; id++) {
		innermost->kinds[id] = kind_of(itp_function_table_get(functions, id));
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
		g_free(innermost);
	}
}

static bool is_own(const struct itp_innermost *innermost, uint32_t function)
{
	return innermost->kinds[function] == KIND_OWN;
}

static void add_call(struct itp_innermost *innermost, uint32_t caller, uint32_t callee,
		     int64_t cost_ns)
{
	gpointer key = itp_pair(caller, callee);
	int64_t sum = (int64_t)GPOINTER_TO_SIZE(g_hash_table_lookup(innermost->calls, key));

	sum += cost_ns;
	g_hash_table_insert(innermost->calls, key, GSIZE_TO_POINTER((gsize)sum));
	innermost->wrapped[caller] = MAX(innermost->wrapped[caller], sum);
}

/* What a program's function costs that is at the node, of which it is the innermost one, and how
 * that is divided among what it calls. `deeper` is by node what programs' functions below cost. */
static void add_node(struct itp_innermost *innermost, const struct itp_forest *forest, uint32_t i,
		     const int64_t *deeper)
{
	const struct itp_forest_node *node = &forest->nodes[i];
	uint32_t caller = forest->nodes[node->parent].function;

	if (is_own(innermost, node->function)) {
		innermost->innermost[node->function] += node->cost_ns - deeper[i];
	} else if (node->parent != i && is_own(innermost, caller) &&
		   innermost->kinds[node->function] == KIND_OTHER) {
		add_call(innermost, caller, node->function, node->cost_ns - deeper[i]);
	}
}

void itp_innermost_add(struct itp_innermost *innermost, const struct itp_forest *forest)
{
	g_autofree int64_t *in_stacks = itp_forest_costs(forest, innermost->function_count);
	g_autofree int64_t *deeper = g_new0(int64_t, forest->count + 1);

	for (uint32_t i = 0; i < innermost->function_count; i++) {
		innermost->in_stacks[i] += in_stacks[i];
	}
	for (uint32_t i = forest->count; i-- > 0;) {
		const struct itp_forest_node *node = &forest->nodes[i];

		add_node(innermost, forest, i, deeper);
		if (node->parent == i) {
			innermost->cost_ns += node->cost_ns;
		} else {
			deeper[node->parent] += is_own(innermost, node->function) ? node->cost_ns :
										    deeper[i];
		}
	}
}

/* ITP_FUNCTION_UNKNOWN where it has none. */
static uint32_t innermost_of(const struct itp_innermost *innermost,
			     const struct itp_pattern *pattern)
{
	for (uint32_t i = pattern->length; i-- > 0;) {
		if (is_own(innermost, pattern->functions[i])) {
			return pattern->functions[i];
		}
	}
	return ITP_FUNCTION_UNKNOWN;
}

/* What it says of two patterns that one of them leads to `function`, and the other goes through it.
 */
struct meeting {
	/* The part of what the function costs of which it is the innermost one; and that by how few
	 * of the stacks have it, or 0 of a wrapper. */
	double part;
	double likeness;
};

static bool goes_through(const struct itp_pattern *pattern, uint32_t function)
{
	for (uint32_t i = 0; i < pattern->length; i++) {
		if (pattern->functions[i] == function) {
			return true;
		}
	}
	return false;
}

static bool is_wrapper(const struct itp_innermost *innermost, uint32_t function)
{
	return (double)innermost->wrapped[function] >
	       WRAPPED_PART * (double)innermost->innermost[function];
}

static double part_of(int64_t part_ns, int64_t whole_ns)
{
	return (double)part_ns / (double)MAX(whole_ns, 1);
}

static void meet(const struct itp_innermost *innermost, const struct itp_pattern *pattern,
		 uint32_t function, struct meeting *meeting)
{
	int64_t in_stacks = innermost->in_stacks[function];
	double part = part_of(innermost->innermost[function], in_stacks);

	if (!goes_through(pattern, function)) {
		return;
	}
	meeting->part = MAX(meeting->part, part);
	if (!is_wrapper(innermost, function)) {
		meeting->likeness =
			MAX(meeting->likeness, part * (1 - part_of(in_stacks, innermost->cost_ns)));
	}
}

double itp_innermost_likeness(const struct itp_innermost *innermost, const struct itp_pattern *left,
			      const struct itp_pattern *right, double similarity)
{
	uint32_t of_left = innermost_of(innermost, left);
	uint32_t of_right = innermost_of(innermost, right);
	struct meeting meeting = { 0, 0 };

	if (of_left == ITP_FUNCTION_UNKNOWN || of_right == ITP_FUNCTION_UNKNOWN) {
		return similarity;
	}
	meet(innermost, left, of_right, &meeting);
	meet(innermost, right, of_left, &meeting);
	return MAX(meeting.likeness,
		   similarity * (DIFFERENT_PART + (1 - DIFFERENT_PART) * meeting.part));
}
