/* SPDX-License-Identifier: MIT */
/*
 * Check whether a pattern can still have the ending shared by all its stacks: see search-parts.h. A
 * closer look for functions that call each other in turn, whose stacks differ in their beginnings
 * and end alike.
 *
 * Shared functions are the continuation of all stacks behind the pattern, as long as there is a
 * single way, and none of them again further within. They stand in one run in each stack. The
 * ending is the common end of all these runs. For any growth of the pattern, the last shared
 * functions are matched from the innermost one outwards in the same places of the ending in all
 * stacks, and everything before lies before the ending. Unless they are the whole ending, the whole
 * ending can be put in their place, and the longer pattern is in the same stacks. Where a pattern,
 * matched as early as possible, is within the ending of a stack already, it must therefore end with
 * the beginning of the ending, and with all of the ending before its place: else no growth of it in
 * the stack is ever told.
 *
 * Example: main a b a c leaf and main b a c leaf have the ending b a c leaf. The pattern main a c
 * is in the ending's third function in the second stack, and does not end with b a c: its growths
 * can only be told of the first stack.
 */
#include "common/mine/search-parts.h"

/* Ending of all stacks of a projection. */
struct ending {
	struct itp_pattern_search *search;
	const GArray *projection;
	/* uint32_t: functions of the first stack's way, of which covered[] is how many stacks have
	 * them. Owned by this. */
	GArray *touched;
	/* uint32_t: by node of the projection, the end of its run of shared functions. Owned by
	 * this. */
	GArray *ends;
	/* uint32_t: the ending. Owned by this. */
	GArray *functions;
};

static uint32_t top_of(const struct ending *ending, guint i)
{
	return g_array_index(ending->projection, uint32_t, i);
}

static uint32_t function_at(const struct ending *ending, uint32_t node)
{
	return itp_search_node(ending->search, node)->function;
}

/* True when all stacks of the node go on with the node behind it. */
static bool has_one_way(const struct ending *ending, uint32_t at)
{
	const struct itp_forest_node *node = itp_search_node(ending->search, at);

	return at + 1 < node->end && node[1].end == node->end && node[1].cost_ns == node->cost_ns;
}

static bool is_shared(const struct ending *ending, uint32_t node)
{
	return ending->search->covered[function_at(ending, node)] == ending->projection->len;
}

/* Counts the functions with which all stacks go on, up to the present one. */
static void find_shared(struct ending *ending)
{
	for (guint i = 0; i < ending->projection->len; i++) {
		uint32_t at = top_of(ending, i);

		for (; has_one_way(ending, at); at++) {
			uint32_t function = function_at(ending, at + 1);
			uint32_t *count = &ending->search->covered[function];

			if (i == 0 && *count == 0) {
				g_array_append_val(ending->touched, function);
			}
			*count += *count == i;
			itp_search_work(ending->search, 1);
		}
	}
}

/* Finds the ends of the runs of shared functions. False if a stack has one of these functions again
 * within. */
static bool find_ends(struct ending *ending)
{
	for (guint i = 0; i < ending->projection->len; i++) {
		uint32_t at = top_of(ending, i);
		uint32_t end = itp_search_node(ending->search, at)->end;

		while (has_one_way(ending, at) && is_shared(ending, at + 1)) {
			at++;
		}
		g_array_append_val(ending->ends, at);
		for (uint32_t below = at + 1; below < end; below++) {
			if (is_shared(ending, below)) {
				return false;
			}
		}
		itp_search_work(ending->search, end - top_of(ending, i));
	}
	return true;
}

/* How many functions two nodes have in common that are shared, from the nodes outwards. */
static guint common_length(const struct ending *ending, uint32_t left, uint32_t right)
{
	guint length = 0;

	while (function_at(ending, left) == function_at(ending, right) && is_shared(ending, left)) {
		uint32_t above_left = itp_search_node(ending->search, left)->parent;
		uint32_t above_right = itp_search_node(ending->search, right)->parent;

		length++;
		if (above_left == left || above_right == right) {
			break;
		}
		left = above_left;
		right = above_right;
	}
	itp_search_work(ending->search, length);
	return length;
}

static void find_ending(struct ending *ending)
{
	uint32_t at = g_array_index(ending->ends, uint32_t, 0);
	guint length = common_length(ending, at, at);

	for (guint i = 1; i < ending->ends->len; i++) {
		length = MIN(length,
			     common_length(ending, at, g_array_index(ending->ends, uint32_t, i)));
	}
	g_array_set_size(ending->functions, length);
	while (length > 0) {
		g_array_index(ending->functions, uint32_t, --length) = function_at(ending, at);
		at = itp_search_node(ending->search, at)->parent;
	}
}

/* How much of the ending lies before node `i` of the projection, and in it. */
static guint length_before(const struct ending *ending, guint i)
{
	const uint32_t *depths = ending->search->promise.depths;
	guint left = depths[g_array_index(ending->ends, uint32_t, i)] - depths[top_of(ending, i)];

	return ending->functions->len - MIN(left, ending->functions->len);
}

/* True when the pattern ends with the first functions of the ending, `least` or more of them. */
static bool ends_with(const struct ending *ending, guint least)
{
	const GArray *pattern = ending->search->pattern;

	for (guint length = least; length <= MIN(ending->functions->len, pattern->len); length++) {
		const uint32_t *last = &g_array_index(pattern, uint32_t, pattern->len - length);
		guint same = 0;

		while (same < length &&
		       last[same] == g_array_index(ending->functions, uint32_t, same)) {
			same++;
		}
		itp_search_work(ending->search, same + 1);
		if (same == length) {
			return true;
		}
	}
	return false;
}

/* True when stacks of sufficient cost may have the whole ending behind the pattern. */
static bool is_promising(const struct ending *ending)
{
	int64_t sum_ns = 0;

	for (guint i = 0; i < ending->projection->len; i++) {
		guint least = length_before(ending, i);

		if (least == 0 || ends_with(ending, least)) {
			sum_ns += itp_search_promised(ending->search, top_of(ending, i));
		}
	}
	return sum_ns >= ending->search->options->least_ns;
}

bool itp_search_fits_ending(struct itp_pattern_search *search, const GArray *projection)
{
	g_autoptr(GArray) touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct ending ending = { search, projection, touched, ends, functions };
	bool fits = true;

	find_shared(&ending);
	if (projection->len > 0 && find_ends(&ending)) {
		find_ending(&ending);
		fits = is_promising(&ending);
	}
	for (guint i = 0; i < touched->len; i++) {
		search->covered[g_array_index(touched, uint32_t, i)] = 0;
	}
	return fits;
}
