/* SPDX-License-Identifier: MIT */
/*
 * The top of the calling context tree: the contexts with the most own latency, or the largest
 * differences of it, and all that leads to them, with the sums of what lies below each. A chain of
 * callers with one callee each goes straight down; where it forks, lines lead to the branches.
 */
#include "common/render/page.h"

#include <stdlib.h>

#include "common/base/labels.h"
#include "common/render/cells.h"
#include "common/render/table.h"
#include "common/render/units.h"

#define FORK "\u251c "
#define LAST "\u2514 "
#define BESIDE "\u2502 "
#define BELOW "  "
#define GAP "\u2026 "
#define PROCESS_DEPTH 1
/* Of the whole: what functions of the kernel have to have by themselves to be worth a line. */
#define KERNEL_SHARE 0.005
/* Of the width, lines of forks may take one part in so many. */
#define PREFIX_SHARE 3

/* Own latency of a node with all below it, without waits for work (ns). */
struct sums {
	int64_t suspect_ns;
	int64_t base_ns;
};

struct tree {
	/* Weak. */
	const struct itp_page *page;
	/* By node, all three. Owned by this. */
	struct sums *sums;
	bool *is_shown;
	/* The rank of the entry whose culprit it is; 0 for none. */
	uint32_t *rank;
	/* How many nodes were chosen for themselves. */
	guint chosen;
};

/* A line to be printed. */
struct item {
	uint32_t node;
	/* What stands before it, and before what is below it. Owned by this. */
	char *lead;
	char *below;
	/* The line stands right below its caller. */
	bool is_chained;
	/* Callers between it and the line before are left out. */
	bool is_behind_gap;
};

static const struct itp_context *context_of(const struct tree *tree, uint32_t node)
{
	return itp_context_tree_get(tree->page->ranking->tree, node);
}

/* What a node has by itself. */
static struct sums own_of(const struct itp_ranking *ranking, uint32_t node)
{
	struct sums own = { 0 };

	if (itp_context_tree_get(ranking->tree, node)->depth > PROCESS_DEPTH &&
	    !(ranking->is_idle && ranking->is_idle[node])) {
		own.suspect_ns = itp_profile_peek(ranking->suspect, node)->own_ns;
		own.base_ns = ranking->base ? itp_profile_peek(ranking->base, node)->own_ns : 0;
	}
	return own;
}

static int64_t change_of(const struct sums *sums)
{
	return sums->suspect_ns - sums->base_ns;
}

/* A node has a smaller id than what is below it. */
static void add_up(struct tree *tree, uint32_t node_count)
{
	for (uint32_t node = node_count; node-- > 1;) {
		struct sums own = own_of(tree->page->ranking, node);
		struct sums *sums = &tree->sums[node];
		struct sums *parent = &tree->sums[context_of(tree, node)->parent];

		sums->suspect_ns += own.suspect_ns;
		sums->base_ns += own.base_ns;
		parent->suspect_ns += sums->suspect_ns;
		parent->base_ns += sums->base_ns;
	}
}

/* A node and what it has by itself. */
struct candidate {
	uint32_t node;
	int64_t weight_ns;
};

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
	const struct candidate *x = a;
	const struct candidate *y = b;

	if (x->weight_ns != y->weight_ns) {
		return x->weight_ns > y->weight_ns ? -1 : 1;
	}
	return x->node < y->node ? -1 : x->node > y->node;
}

static void show_with_callers(struct tree *tree, uint32_t node)
{
	for (; node != ITP_CONTEXT_ROOT && !tree->is_shown[node];
	     node = context_of(tree, node)->parent) {
		tree->is_shown[node] = true;
	}
}

/* Chooses the contexts with the largest own latencies; all that have any for top = 0. */
static void choose(struct tree *tree, uint32_t node_count)
{
	const struct itp_ranking *ranking = tree->page->ranking;
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));

	for (uint32_t node = 1; node < node_count; node++) {
		struct sums own = own_of(ranking, node);
		const struct candidate candidate = { node, llabs(change_of(&own)) };

		if (candidate.weight_ns > 0) {
			g_array_append_val(candidates, candidate);
		}
	}
	g_array_sort(candidates, compare_candidates);
	tree->chosen = ranking->options.top > 0 ?
			       (guint)MIN(ranking->options.top, candidates->len) :
			       candidates->len;
	for (guint i = 0; i < tree->chosen; i++) {
		show_with_callers(tree, g_array_index(candidates, struct candidate, i).node);
	}
	g_array_free(candidates, TRUE);
}

static void mark_culprits(struct tree *tree)
{
	const struct itp_ranking *ranking = tree->page->ranking;

	for (guint i = ranking->paths->len; i-- > 0;) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		for (uint32_t j = 0; j < path->variant_count && path->culprit >= 0; j++) {
			tree->rank[path->variants[j].node] = path->rank;
		}
	}
}

static struct tree tree_new(const struct itp_page *page)
{
	uint32_t node_count = itp_context_tree_size(page->ranking->tree);
	struct tree tree = {
		.page = page,
		.sums = g_new0(struct sums, node_count),
		.is_shown = g_new0(bool, node_count),
		.rank = g_new0(uint32_t, node_count),
	};

	add_up(&tree, node_count);
	choose(&tree, node_count);
	mark_culprits(&tree);
	return tree;
}

static void tree_release(struct tree *tree)
{
	g_free(tree->sums);
	g_free(tree->is_shown);
	g_free(tree->rank);
}

/* Larger differences first, then by name. */
static gint compare_children(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct tree *tree = data;
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;
	int64_t x_ns = llabs(change_of(&tree->sums[x]));
	int64_t y_ns = llabs(change_of(&tree->sums[y]));
	int order;

	if (x_ns != y_ns) {
		return x_ns > y_ns ? -1 : 1;
	}
	order = g_strcmp0(
		itp_function_at(tree->page->ranking, context_of(tree, x)->function)->name,
		itp_function_at(tree->page->ranking, context_of(tree, y)->function)->name);
	return order != 0 ? order : x < y ? -1 : x > y;
}

static void free_children(gpointer children)
{
	g_clear_pointer((GArray **)&children, g_array_unref);
}

/* By node, the shown ones below it as GArray of uint32_t in order; NULL for none. */
static GPtrArray *children_of_all(const struct tree *tree)
{
	uint32_t node_count = itp_context_tree_size(tree->page->ranking->tree);
	GPtrArray *children = g_ptr_array_new_with_free_func(free_children);

	g_ptr_array_set_size(children, (gint)node_count);
	for (uint32_t node = 1; node < node_count; node++) {
		uint32_t parent = context_of(tree, node)->parent;

		if (!tree->is_shown[node]) {
			continue;
		}
		if (!children->pdata[parent]) {
			children->pdata[parent] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		}
		g_array_append_val((GArray *)children->pdata[parent], node);
	}
	for (uint32_t node = 0; node < node_count; node++) {
		if (children->pdata[node]) {
			g_array_sort_with_data(children->pdata[node], compare_children,
					       (gpointer)tree);
		}
	}
	return children;
}

/* "serve_request ◀ 1": the entry of the ranking whose culprit it is. */
static char *name_of(const struct tree *tree, const struct item *item)
{
	g_autofree char *name = itp_label_clean(
		itp_function_at(tree->page->ranking, context_of(tree, item->node)->function)->name);
	g_autofree char *marked = NULL;

	if (tree->rank[item->node] > 0) {
		name = itp_style_take(ITP_STYLE_FACE, g_steal_pointer(&name));
		marked = g_strdup_printf("%s \u25c0 %u", name, tree->rank[item->node]);
	}
	return g_strconcat(item->lead, item->is_behind_gap ? GAP : "", marked ? marked : name,
			   NULL);
}

static void add_row(const struct tree *tree, const struct item *item, struct itp_table *table)
{
	const struct itp_ranking *ranking = tree->page->ranking;
	const struct sums *sums = &tree->sums[item->node];
	struct sums own = own_of(ranking, item->node);
	int64_t whole_ns = ranking->suspect_own_ns - ranking->base_own_ns;
	const char *style = itp_style_of_share(change_of(sums), whole_ns);

	if (ranking->base) {
		itp_table_take(table, itp_style_take(style, itp_cell_time_change(ranking,
										 change_of(sums))));
		itp_table_take(table, itp_cell_time_change(ranking, change_of(&own)));
		itp_table_take(table, itp_cell_time(ranking, sums->base_ns));
		itp_table_take(table, itp_cell_time(ranking, sums->suspect_ns));
	} else {
		itp_table_take(table,
			       itp_style_take(style, itp_cell_share(ranking, sums->suspect_ns)));
		itp_table_take(table, itp_cell_time(ranking, sums->suspect_ns));
		itp_table_take(table, itp_cell_time(ranking, own.suspect_ns));
		itp_table_take(
			table,
			itp_units_count(itp_profile_peek(ranking->suspect, item->node)->count));
	}
	itp_table_take(table, name_of(tree, item));
}

static void add_columns(const struct tree *tree, struct itp_table *table)
{
	static const char *const alone[] = { "share", "total", "own", "calls" };
	const char *const compared[] = { "\u0394 total", "\u0394 own", tree->page->labels.base_head,
					 tree->page->labels.suspect_head };

	for (size_t i = 0; i < G_N_ELEMENTS(alone); i++) {
		itp_table_column(table, tree->page->ranking->base ? compared[i] : alone[i], true);
	}
	itp_table_column(table, "where", false);
}

/* Puts what is below `item` on the stack, the first on top. Processes stand side by side. */
static void push_children(const struct tree *tree, const GArray *children, const struct item *item,
			  GArray *stack)
{
	bool is_root = item->node == ITP_CONTEXT_ROOT;
	bool has_room = itp_label_columns(item->below) < tree->page->width / PREFIX_SHARE;
	bool is_fork = children->len > 1 && has_room && !is_root;

	for (guint i = children->len; i-- > 0;) {
		bool is_last = i + 1 == children->len;
		const char *lead = is_last ? LAST : FORK;
		const char *below = is_last || is_root ? BELOW : BESIDE;
		const struct item child = {
			.node = g_array_index(children, uint32_t, i),
			.lead = g_strconcat(item->below, is_fork ? lead : "", NULL),
			.below = g_strconcat(item->below, is_fork || is_root ? below : "", NULL),
			.is_chained = children->len == 1,
			.is_behind_gap = item->is_behind_gap,
		};

		g_array_append_val(stack, child);
	}
}

/* Which way the kernel goes is no news, between where it is entered and where the time is. */
static bool is_left_out(const struct tree *tree, const struct item *item, const GArray *children)
{
	const struct itp_ranking *ranking = tree->page->ranking;
	const struct itp_context *context = context_of(tree, item->node);
	struct sums own = own_of(ranking, item->node);
	int64_t whole_ns = llabs(ranking->suspect_own_ns - ranking->base_own_ns);

	return children && children->len == 1 && item->is_chained &&
	       itp_function_at(ranking, context->function)->layer == ITP_LAYER_KERNEL &&
	       (double)llabs(change_of(&own)) < KERNEL_SHARE * (double)whole_ns;
}

/* Returns their number. */
static size_t add_rows(const struct tree *tree, struct itp_table *table)
{
	size_t rows = 0;
	g_autoptr(GPtrArray) children = children_of_all(tree);
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(struct item));
	struct item item = { .node = ITP_CONTEXT_ROOT,
			     .lead = g_strdup(""),
			     .below = g_strdup("") };

	for (;;) {
		const GArray *below = children->pdata[item.node];

		if (item.node != ITP_CONTEXT_ROOT && is_left_out(tree, &item, below)) {
			item.is_behind_gap = true;
		} else if (item.node != ITP_CONTEXT_ROOT) {
			add_row(tree, &item, table);
			rows++;
			item.is_behind_gap = false;
		}
		if (below) {
			push_children(tree, below, &item, stack);
		}
		g_free(item.lead);
		g_free(item.below);
		if (stack->len == 0) {
			break;
		}
		item = g_array_index(stack, struct item, stack->len - 1);
		g_array_set_size(stack, stack->len - 1);
	}
	return rows;
}

guint itp_page_append_tree(const struct itp_page *page)
{
	struct tree tree = tree_new(page);
	struct itp_table *table = itp_table_new(page->width);
	guint chosen = tree.chosen;
	size_t rows;

	if (chosen == 0) {
		itp_table_free(table);
		tree_release(&tree);
		return 0;
	}
	add_columns(&tree, table);
	rows = add_rows(&tree, table);
	g_string_append_c(page->output, '\n');
	itp_table_append_heads(table, page->output);
	for (size_t i = 0; i < rows; i++) {
		itp_table_append_row(table, i, page->output);
	}
	g_string_append_c(page->output, '\n');
	itp_table_free(table);
	tree_release(&tree);
	return chosen;
}
