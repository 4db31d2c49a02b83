/* SPDX-License-Identifier: MIT */
/*
 * Growing patterns: see search.h. The search follows BIDE (Wang and Han, 2004), with costs instead
 * of counts: a pattern is known by the nodes of the forest in which its first occurrences end (its
 * projection), and grows by the functions that are often enough, by cost, below these.
 *
 * A pattern is left where no growth of it can be told (promise.c), or only by another way
 * (inserting.c). Where all its stacks go on with a common function, it grows by this function at
 * once: into a growth by any other, it could be put in. A trunk shared by all stacks is walked
 * through once in this way.
 */
#include "common/mine/search.h"

#include "common/base/order.h"
#include "common/mine/search-parts.h"

/* Looks at all nodes of the forest without finding a pattern, until the search looks closely, and
 * until it may stop. Stacks of programs whose calls are drawn at random take it about one look for
 * each pattern (tests/bench/mine-stacks). */
#define CLOSE_LOOKS 16
#define IDLE_LOOKS 1000

/* Pattern that is being grown. */
struct level {
	/* uint32_t: nodes in which it ends; NULL for the empty one. Owned by this. */
	GArray *projection;
	/* struct itp_growth: all its growths, and the next to be tried. Owned by this. */
	GArray *growths;
	guint next;
	guint length;
};

static void clear_level(gpointer data)
{
	struct level *level = data;

	g_clear_pointer(&level->projection, g_array_unref);
	g_array_unref(level->growths);
}

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

/* ---- Growths of a pattern ---- */

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
	itp_search_work(search, end - begin);
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
static void project_range(struct itp_pattern_search *search, uint32_t function, uint32_t begin,
			  uint32_t end, GArray *projection)
{
	uint32_t i = itp_search_find(search, function, begin);

	while (i < search->first[function + 1] && search->nodes_of[i] < end) {
		uint32_t node = search->nodes_of[i];

		g_array_append_val(projection, node);
		i = itp_search_find(search, function, itp_search_node(search, node)->end);
		itp_search_work(search, 1);
	}
	itp_search_work(search, 1);
}

static GArray *project(struct itp_pattern_search *search, const GArray *projection,
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

/* ---- The only way on ---- */

/* True when all stacks with the pattern share the next function, below each node of the projection:
 * none of them ends there. */
static bool has_one_way(struct itp_pattern_search *search, const GArray *projection)
{
	uint32_t function = UINT32_MAX;

	for (guint i = 0; i < projection->len; i++) {
		uint32_t at = g_array_index(projection, uint32_t, i);
		const struct itp_forest_node *node = itp_search_node(search, at);
		const struct itp_forest_node *below = node + 1;

		itp_search_work(search, 1);
		if (at + 1 == node->end || below->end != node->end ||
		    below->cost_ns != node->cost_ns || (i > 0 && below->function != function)) {
			return false;
		}
		function = below->function;
	}
	return projection->len > 0;
}

/* Makes the pattern longer as long as there is a single way. */
static void follow_one_way(struct itp_pattern_search *search, GArray *projection)
{
	while (has_one_way(search, projection)) {
		for (guint i = 0; i < projection->len; i++) {
			g_array_index(projection, uint32_t, i)++;
		}
		g_array_append_val(
			search->pattern,
			itp_search_node(search, g_array_index(projection, uint32_t, 0))->function);
	}
}

/* ---- The search ---- */

/* Steps needed to count stacks: each pattern is compared with the functions of all others. */
static uint64_t steps_to_come(const struct itp_mined_patterns *patterns)
{
	return (uint64_t)patterns->list->len * patterns->functions;
}

/* Steps since the last found pattern; and whether they are `looks` looks at all nodes. */
static uint64_t idle_steps(const struct itp_pattern_search *search)
{
	return search->patterns->steps - search->found_at;
}

static bool is_idle_for(const struct itp_pattern_search *search, uint64_t looks)
{
	return idle_steps(search) >= looks * search->patterns->forest.count;
}

static bool must_stop(struct itp_pattern_search *search)
{
	const struct itp_pattern_options *options = search->options;
	struct itp_mined_patterns *patterns = search->patterns;

	patterns->is_incomplete |=
		(options->max_steps > 0 &&
		 patterns->steps + steps_to_come(patterns) >= options->max_steps) ||
		(options->max_idle_steps > 0 && idle_steps(search) >= options->max_idle_steps &&
		 is_idle_for(search, IDLE_LOOKS)) ||
		(options->max_candidates > 0 && patterns->list->len >= options->max_candidates);
	return patterns->is_incomplete;
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
	search->patterns->functions += pattern.length;
	search->found_at = search->patterns->steps;
}

/* Grows the pattern at hand next, with its `projection` and its cost. Takes the projection. */
static void enter(struct itp_pattern_search *search, int64_t cost_ns, GArray *projection)
{
	struct level level = { .projection = projection };

	if (projection) {
		follow_one_way(search, projection);
	}
	level.length = search->pattern->len;
	level.growths = find_growths(search, projection);
	if (projection && is_told(search, cost_ns, projection, level.growths)) {
		add_pattern(search, projection);
	}
	g_array_append_val(search->levels, level);
}

/* True when the pattern at hand has to be grown; `before` is the previous pattern's projection. */
static bool is_followed(struct itp_pattern_search *search, const GArray *before,
			const GArray *projection)
{
	bool is_close = search->options->looks_closely || is_idle_for(search, CLOSE_LOOKS);

	return itp_search_is_promising(search, projection) &&
	       !itp_search_can_insert(search, before, projection) &&
	       (!is_close || (itp_search_fits_ending(search, projection) &&
			      itp_search_has_prospects(search, projection)));
}

/* Tries the next growth at the last level. */
static void grow(struct itp_pattern_search *search)
{
	struct level *level = &g_array_index(search->levels, struct level, search->levels->len - 1);
	const struct itp_growth *growth =
		&g_array_index(level->growths, struct itp_growth, level->next++);
	g_autoptr(GArray) projection = project(search, level->projection, growth->function);

	g_array_set_size(search->pattern, level->length);
	g_array_append_val(search->pattern, growth->function);
	if (is_followed(search, level->projection, projection)) {
		enter(search, growth->cost_ns, g_steal_pointer(&projection));
	}
}

static void search_all(struct itp_pattern_search *search)
{
	const struct itp_forest *forest = &search->patterns->forest;
	GArray *outermost = NULL;

	/* All stacks share their outermost function. */
	if (forest->count > 0 && forest->nodes[0].end == forest->count) {
		const uint32_t node = 0;

		outermost = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_array_append_val(outermost, node);
		g_array_append_val(search->pattern, forest->nodes[0].function);
	}
	enter(search, outermost ? forest->nodes[0].cost_ns : 0, outermost);
	while (search->levels->len > 0) {
		const struct level *level =
			&g_array_index(search->levels, struct level, search->levels->len - 1);

		if (level->next == level->growths->len || must_stop(search)) {
			g_array_set_size(search->levels, search->levels->len - 1);
		} else {
			grow(search);
		}
	}
}

static void search_init(struct itp_pattern_search *search, struct itp_mined_patterns *patterns,
			uint32_t function_count, const struct itp_pattern_options *options)
{
	*search = (struct itp_pattern_search){
		.patterns = patterns,
		.options = options,
		.costs = g_new0(int64_t, function_count + 1),
		.covered = g_new0(uint32_t, function_count + 1),
		.levels = g_array_new(FALSE, FALSE, sizeof(struct level)),
		.pattern = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.firsts = g_array_new(FALSE, FALSE, sizeof(guint)),
		.lasts = g_array_new(FALSE, FALSE, sizeof(guint)),
		.gaps = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref),
		.groups = itp_search_groups_new(),
		.group_functions = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};
	g_array_set_clear_func(search->levels, clear_level);
	itp_window_init(&search->window, function_count);
	itp_promise_init(&search->promise, &patterns->forest, options->least_ns);
	itp_prospects_init(&search->prospects, function_count);
	index_functions(search, function_count);
}

static void search_release(struct itp_pattern_search *search)
{
	g_free(search->nodes_of);
	g_free(search->first);
	g_free(search->costs);
	g_free(search->covered);
	g_array_unref(search->levels);
	g_array_unref(search->pattern);
	g_array_unref(search->path);
	g_array_unref(search->firsts);
	g_array_unref(search->lasts);
	g_ptr_array_unref(search->gaps);
	g_array_unref(search->groups);
	g_array_unref(search->group_functions);
	itp_window_release(&search->window);
	itp_promise_release(&search->promise);
	itp_prospects_release(&search->prospects);
}

void itp_search_run(struct itp_mined_patterns *patterns, uint32_t function_count,
		    const struct itp_pattern_options *options)
{
	struct itp_pattern_search search;

	search_init(&search, patterns, function_count, options);
	search_all(&search);
	search_release(&search);
}
