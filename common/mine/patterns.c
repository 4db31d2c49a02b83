/* SPDX-License-Identifier: MIT */
/*
 * See patterns.h. The search follows BIDE (Wang and Han, 2004), with costs instead of counts: a
 * pattern is known by the nodes of the forest in which its first occurrences end (its projection),
 * and grows by the functions that are often enough, by cost, below these. Functions that do not
 * cost enough by themselves are not in the forest (the Apriori property).
 *
 * A pattern is not followed if some function can be put into it at the same place in all its
 * stacks: so it can into all that the pattern grows to, and the search comes to these by another
 * way. What is left and cannot grow is held against the others at the end, as it may be a part of
 * one that was reached by another way.
 */
#include "common/base/order.h"
#include "common/mine/counting.h"
#include "common/mine/search.h"

static void index_functions(struct itp_pattern_search *search, uint32_t function_count)
{
	const struct itp_forest *forest = &search->patterns->forest;

	search->first = g_new0(uint32_t, function_count + 2);
	search->nodes_of = g_new(uint32_t, forest->count + 1);
	for (uint32_t i = 0; i < forest->count; i++) {
		search->first[forest->nodes[i].function + 2]++;
	}
	for (uint32_t f = 2; f < function_count + 2; f++) {
		search->first[f] += search->first[f - 1];
	}
	for (uint32_t i = 0; i < forest->count; i++) {
		search->nodes_of[search->first[forest->nodes[i].function + 1]++] = i;
	}
}

/* ---- What a pattern can grow by ---- */

/* Adds the first occurrences of each function in the range to its cost; functions that come for the
 * first time go to `touched`. */
static void add_range(struct itp_pattern_search *search, uint32_t begin, uint32_t end,
		      GArray *touched)
{
	for (uint32_t i = begin; i < end; i++) {
		const struct itp_forest_node *node = itp_search_node(search, i);

		if (i < search->covered[node->function]) {
			continue;
		}
		if (search->covered[node->function] == 0) {
			g_array_append_val(touched, node->function);
		}
		search->costs[node->function] += node->cost_ns;
		search->covered[node->function] = node->end;
	}
	search->steps += end - begin;
}

/* The functions that cost enough below `projection` (uint32_t; NULL: all of the forest): a GArray
 * of struct itp_growth, by function. */
static GArray *find_growths(struct itp_pattern_search *search, const GArray *projection)
{
	g_autoptr(GArray) touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	GArray *growths = g_array_new(FALSE, FALSE, sizeof(struct itp_growth));

	if (!projection) {
		add_range(search, 0, search->patterns->forest.count, touched);
	}
	for (guint i = 0; projection && i < projection->len; i++) {
		uint32_t node = g_array_index(projection, uint32_t, i);

		add_range(search, node + 1, itp_search_node(search, node)->end, touched);
	}
	g_array_sort(touched, itp_order_of_ids);
	for (guint i = 0; i < touched->len; i++) {
		uint32_t function = g_array_index(touched, uint32_t, i);
		const struct itp_growth growth = { function, search->costs[function] };

		if (growth.cost_ns >= search->options->least_ns) {
			g_array_append_val(growths, growth);
		}
		search->costs[function] = 0;
		search->covered[function] = 0;
	}
	return growths;
}

/* Adds the first occurrences of `function` from `begin` up to `end`. */
static void project_range(const struct itp_pattern_search *search, uint32_t function,
			  uint32_t begin, uint32_t end, GArray *projection)
{
	uint32_t covered = begin;

	for (uint32_t i = itp_search_find(search, function, begin);
	     i < search->first[function + 1] && search->nodes_of[i] < end; i++) {
		uint32_t node = search->nodes_of[i];

		if (node >= covered) {
			g_array_append_val(projection, node);
			covered = itp_search_node(search, node)->end;
		}
	}
}

static GArray *project(const struct itp_pattern_search *search, const GArray *projection,
		       uint32_t function)
{
	GArray *next = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	if (!projection) {
		project_range(search, function, 0, search->patterns->forest.count, next);
	}
	for (guint i = 0; projection && i < projection->len; i++) {
		uint32_t node = g_array_index(projection, uint32_t, i);

		project_range(search, function, node + 1, itp_search_node(search, node)->end, next);
	}
	return next;
}

/* ---- Whether the pattern has to be followed (BackScan) ---- */

static bool has_function(const uint32_t *functions, guint count, uint32_t function)
{
	for (guint i = 0; i < count; i++) {
		if (functions[i] == function) {
			return true;
		}
	}
	return false;
}

/* Keeps in each gap the functions that `path` has there, too; all of them of the first path.
 * Returns whether any is left. */
static bool narrow_gaps(struct itp_pattern_search *search, const GArray *path, bool is_first)
{
	bool has_any = false;

	for (guint i = 0; i < search->pattern->len; i++) {
		GArray *gap = g_ptr_array_index(search->gaps, i);
		guint count;
		const uint32_t *functions = itp_search_gap(search, path, i, &count);
		guint kept = 0;

		if (is_first) {
			g_array_set_size(gap, 0);
			g_array_append_vals(gap, functions, count);
			kept = count;
		}
		for (guint k = 0; !is_first && k < gap->len; k++) {
			uint32_t function = g_array_index(gap, uint32_t, k);

			if (has_function(functions, count, function)) {
				g_array_index(gap, uint32_t, kept++) = function;
			}
		}
		g_array_set_size(gap, kept);
		has_any |= kept > 0;
	}
	return has_any;
}

static void free_gap(gpointer gap)
{
	g_array_unref(gap);
}

/* Whether some function is in the same gap of the pattern in all stacks that have it. */
static bool can_insert(struct itp_pattern_search *search, const GArray *projection)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	while (search->gaps->len < search->pattern->len) {
		g_ptr_array_add(search->gaps, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
	}
	for (guint i = 0; i < projection->len; i++) {
		itp_search_path(search, g_array_index(projection, uint32_t, i), path);
		itp_search_places(search, path);
		search->steps += path->len;
		if (!narrow_gaps(search, path, i == 0)) {
			return false;
		}
	}
	return true;
}

/* ---- The search ---- */

static bool must_stop(struct itp_pattern_search *search)
{
	const struct itp_pattern_options *options = search->options;

	search->patterns->is_incomplete |=
		(options->max_steps > 0 && search->steps >= options->max_steps) ||
		(options->max_candidates > 0 &&
		 search->patterns->list->len >= options->max_candidates);
	return search->patterns->is_incomplete;
}

static bool is_told(struct itp_pattern_search *search, int64_t cost_ns, const GArray *projection,
		    const GArray *growths)
{
	bool are_maximal = search->options->choice == ITP_PATTERNS_MAXIMAL;

	if (are_maximal && growths->len > 0) {
		return false;
	}
	return itp_search_own_cost(search, projection, growths) >=
	       (are_maximal ? cost_ns : search->options->least_ns);
}

static void add_pattern(struct itp_pattern_search *search, const GArray *projection)
{
	const struct itp_pattern pattern = {
		.functions =
			g_memdup2(search->pattern->data, search->pattern->len * sizeof(uint32_t)),
		.length = search->pattern->len,
		.nodes = g_memdup2(projection->data, projection->len * sizeof(uint32_t)),
		.node_count = projection->len,
	};

	g_array_append_val(search->patterns->list, pattern);
}

/* Looks for all that the pattern at hand, of which `projection` is, grows to. */
static void grow(struct itp_pattern_search *search, int64_t cost_ns, const GArray *projection)
{
	g_autoptr(GArray) growths = find_growths(search, projection);

	if (projection && is_told(search, cost_ns, projection, growths)) {
		add_pattern(search, projection);
	}
	for (guint i = 0; i < growths->len && !must_stop(search); i++) {
		const struct itp_growth growth = g_array_index(growths, struct itp_growth, i);
		g_autoptr(GArray) next = project(search, projection, growth.function);

		g_array_append_val(search->pattern, growth.function);
		if (!can_insert(search, next)) {
			grow(search, growth.cost_ns, next);
		}
		g_array_set_size(search->pattern, search->pattern->len - 1);
	}
}

static void run_search(struct itp_mined_patterns *patterns, uint32_t function_count,
		       const struct itp_pattern_options *options)
{
	struct itp_pattern_search search = {
		.patterns = patterns,
		.options = options,
		.costs = g_new0(int64_t, function_count + 1),
		.covered = g_new0(uint32_t, function_count + 1),
		.pattern = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.firsts = g_array_new(FALSE, FALSE, sizeof(guint)),
		.lasts = g_array_new(FALSE, FALSE, sizeof(guint)),
		.gaps = g_ptr_array_new_with_free_func(free_gap),
		.groups = itp_search_groups_new(),
		.group_functions = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};

	index_functions(&search, function_count);
	grow(&search, 0, NULL);
	g_free(search.nodes_of);
	g_free(search.first);
	g_free(search.costs);
	g_free(search.covered);
	g_array_unref(search.pattern);
	g_array_unref(search.firsts);
	g_array_unref(search.lasts);
	g_ptr_array_unref(search.gaps);
	g_array_unref(search.groups);
	g_array_unref(search.group_functions);
}

/* ---- What is left ---- */

bool itp_is_subsequence(const uint32_t *part, uint32_t part_length, const uint32_t *whole,
			uint32_t whole_length)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < whole_length && found < part_length; i++) {
		found += whole[i] == part[found];
	}
	return found == part_length;
}

void itp_pattern_clear(struct itp_pattern *pattern)
{
	g_free(pattern->functions);
	g_free(pattern->nodes);
	g_clear_pointer(&pattern->ranges, g_array_unref);
}

static void clear_pattern(gpointer data)
{
	itp_pattern_clear(data);
}

static void count_stacks(struct itp_mined_patterns *patterns, const struct itp_stack_set *set)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	for (guint i = 0; i < patterns->list->len; i++) {
		g_ptr_array_add(list, &g_array_index(patterns->list, struct itp_pattern, i));
	}
	itp_patterns_count(list, &patterns->forest);
	for (guint i = 0; i < list->len; i++) {
		struct itp_pattern *pattern = g_ptr_array_index(list, i);
		struct itp_stacks_sum sum = itp_ranges_sum(pattern->ranges, &patterns->forest, set);

		pattern->cost_ns = sum.cost_ns;
		pattern->events = sum.events;
	}
}

static gint compare_patterns(gconstpointer a, gconstpointer b)
{
	const struct itp_pattern *left = a;
	const struct itp_pattern *right = b;

	if (left->cost_ns != right->cost_ns) {
		return left->cost_ns < right->cost_ns ? 1 : -1;
	}
	for (uint32_t i = 0; i < MIN(left->length, right->length); i++) {
		if (left->functions[i] != right->functions[i]) {
			return left->functions[i] < right->functions[i] ? -1 : 1;
		}
	}
	return (left->length > right->length) - (left->length < right->length);
}

void itp_mined_patterns_init(struct itp_mined_patterns *patterns, const struct itp_stack_set *set,
			     uint32_t function_count, const struct itp_pattern_options *options)
{
	struct itp_forest all;
	g_autofree int64_t *costs = NULL;
	g_autofree bool *keeps = g_new0(bool, function_count + 1);

	itp_forest_init(&all, set, NULL);
	costs = itp_forest_costs(&all, function_count);
	itp_forest_release(&all);
	for (uint32_t f = 0; f < function_count; f++) {
		keeps[f] = costs[f] >= options->least_ns;
	}
	*patterns = (struct itp_mined_patterns){
		.list = g_array_new(FALSE, FALSE, sizeof(struct itp_pattern)),
	};
	g_array_set_clear_func(patterns->list, clear_pattern);
	itp_forest_init(&patterns->forest, set, keeps);
	run_search(patterns, function_count, options);
	count_stacks(patterns, set);
	g_array_sort(patterns->list, compare_patterns);
}

void itp_mined_patterns_release(struct itp_mined_patterns *patterns)
{
	g_clear_pointer(&patterns->list, g_array_unref);
	itp_forest_release(&patterns->forest);
}
