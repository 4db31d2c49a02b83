/* SPDX-License-Identifier: MIT */
/*
 * Cost of the stacks with the pattern at hand, and with no longer costly one: see search-parts.h.
 * If some longer pattern is costly, so is a pattern longer by one function (the Apriori property):
 * one of the growths below the pattern, or with a function in a gap. The gaps of a stack depend on
 * the latest places of the pattern in it, so stacks are grouped by the last node of its last
 * function.
 */
#include "common/mine/search-parts.h"

struct group {
	uint32_t node;
	/* Cost of all its stacks, and of those without a longer costly pattern found. */
	int64_t cost_ns;
	int64_t own_ns;
	/* Begin of its path in group_functions, followed by `firsts` and `lasts`. */
	guint path;
	guint length;
};

static struct group *group_at(const struct itp_pattern_search *search, guint i)
{
	return &g_array_index(search->groups, struct group, i);
}

/* ---- Below the pattern ---- */

/* Growths are marked in `covered`. */
static void mark_growths(struct itp_pattern_search *search, const GArray *growths, uint32_t mark)
{
	for (guint i = 0; i < growths->len; i++) {
		search->covered[g_array_index(growths, struct itp_growth, i).function] = mark;
	}
}

/* True when no growth is between the two nodes, nor in the lower one. */
static bool is_reached(struct itp_pattern_search *search, uint32_t node, uint32_t from)
{
	while (node != from) {
		itp_search_work(search, 1);
		if (search->covered[itp_search_node(search, node)->function] > 0) {
			return false;
		}
		node = itp_search_node(search, node)->parent;
	}
	return true;
}

/* Costs of the stacks at and below `node` without `function` below it, and without growths, too. */
static void weigh_group(struct itp_pattern_search *search, struct group *group, uint32_t function)
{
	const struct itp_forest_node *top = itp_search_node(search, group->node);

	group->cost_ns = top->cost_ns;
	group->own_ns = top->cost_ns;
	for (uint32_t i = itp_search_find(search, function, group->node + 1);
	     i < search->first[function + 1] && search->nodes_of[i] < top->end;) {
		const struct itp_forest_node *node = itp_search_node(search, search->nodes_of[i]);

		group->cost_ns -= node->cost_ns;
		i = itp_search_find(search, function, node->end);
		itp_search_work(search, 1);
	}
	for (uint32_t i = group->node + 1; i < top->end;) {
		const struct itp_forest_node *node = itp_search_node(search, i);
		bool leaves = search->covered[node->function] > 0 || node->function == function;

		group->own_ns -= leaves ? node->cost_ns : 0;
		i = leaves ? node->end : i + 1;
		itp_search_work(search, 1);
	}
}

/* Groups the stacks below a node of the projection. Returns the cost of those without a growth. */
static int64_t add_groups(struct itp_pattern_search *search, uint32_t from)
{
	const struct itp_forest_node *top = itp_search_node(search, from);
	int64_t own_ns = 0;

	for (uint32_t i = itp_search_find(search, top->function, from);
	     i < search->first[top->function + 1] && search->nodes_of[i] < top->end; i++) {
		struct group group = { .node = search->nodes_of[i] };

		itp_search_work(search, 1);
		weigh_group(search, &group, top->function);
		if (!is_reached(search, group.node, from)) {
			group.own_ns = 0;
		}
		own_ns += group.own_ns;
		g_array_append_val(search->groups, group);
	}
	return own_ns;
}

/* ---- In the gaps ---- */

static void find_paths(struct itp_pattern_search *search)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	GArray *functions = search->group_functions;

	g_array_set_size(functions, 0);
	for (guint i = 0; i < search->groups->len; i++) {
		struct group *group = group_at(search, i);

		itp_search_path(search, group->node, path);
		itp_search_places(search, path);
		group->path = functions->len;
		group->length = path->len;
		g_array_append_vals(functions, path->data, path->len);
		g_array_append_vals(functions, search->firsts->data, search->firsts->len);
		g_array_append_vals(functions, search->lasts->data, search->lasts->len);
	}
}

/* The functions in gap `gap` of the group's stacks. Weak. */
static const uint32_t *gap_of(const struct itp_pattern_search *search, const struct group *group,
			      guint gap, guint *ret_count)
{
	const uint32_t *path = &g_array_index(search->group_functions, uint32_t, group->path);
	const uint32_t *firsts = path + group->length;
	const uint32_t *lasts = firsts + search->pattern->len;
	uint32_t begin = gap == 0 ? 0 : firsts[gap - 1] + 1;

	*ret_count = lasts[gap] - begin;
	return path + begin;
}

/* Adds up the cost of each function in the gap; functions in it go to `touched`. */
static void add_gap(struct itp_pattern_search *search, guint gap, GArray *touched)
{
	for (guint i = 0; i < search->groups->len; i++) {
		guint count;
		const uint32_t *functions = gap_of(search, group_at(search, i), gap, &count);

		for (guint k = 0; k < count; k++) {
			uint32_t *seen = &search->covered[functions[k]];

			if (*seen == 0) {
				g_array_append_val(touched, functions[k]);
			}
			search->costs[functions[k]] +=
				*seen == i + 1 ? 0 : group_at(search, i)->cost_ns;
			*seen = i + 1;
		}
		itp_search_work(search, count);
	}
}

static bool has_costly(struct itp_pattern_search *search, const struct group *group, guint gap)
{
	guint count;
	const uint32_t *functions = gap_of(search, group, gap, &count);

	for (guint k = 0; k < count; k++) {
		itp_search_work(search, 1);
		if (search->costs[functions[k]] >= search->options->least_ns) {
			return true;
		}
	}
	return false;
}

/* Returns the cost of the stacks without a costly function in the gap. */
static int64_t narrow_by_gap(struct itp_pattern_search *search, guint gap)
{
	g_autoptr(GArray) touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	int64_t own_ns = 0;

	add_gap(search, gap, touched);
	for (guint i = 0; i < search->groups->len; i++) {
		struct group *group = group_at(search, i);

		if (group->own_ns > 0 && has_costly(search, group, gap)) {
			group->own_ns = 0;
		}
		own_ns += group->own_ns;
	}
	for (guint i = 0; i < touched->len; i++) {
		search->costs[g_array_index(touched, uint32_t, i)] = 0;
		search->covered[g_array_index(touched, uint32_t, i)] = 0;
	}
	return own_ns;
}

int64_t itp_search_own_cost(struct itp_pattern_search *search, const GArray *projection,
			    const GArray *growths)
{
	const int64_t least_ns = search->options->least_ns;
	int64_t own_ns = 0;

	if (itp_search_most_own(search, projection) < least_ns) {
		return 0;
	}
	g_array_set_size(search->groups, 0);
	mark_growths(search, growths, 1);
	for (guint i = 0; i < projection->len; i++) {
		own_ns += add_groups(search, g_array_index(projection, uint32_t, i));
	}
	mark_growths(search, growths, 0);
	if (own_ns >= least_ns) {
		find_paths(search);
	}
	for (guint gap = search->pattern->len; gap-- > 0 && own_ns >= least_ns;) {
		own_ns = narrow_by_gap(search, gap);
	}
	return own_ns;
}

GArray *itp_search_groups_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct group));
}
