/* SPDX-License-Identifier: MIT */
/*
 * Top of the calling context tree: contexts with the most own latency, or its largest differences,
 * and all their callers, with the sums over everything below each. A chain of callers with a single
 * callee each goes straight down; where it forks, lines lead to the branches.
 */
#include "common/render/text/page.h"

#include <stdlib.h>

#include "common/base/labels.h"
#include "common/render/cells.h"
#include "common/render/context-sums.h"
#include "common/render/table.h"
#include "common/render/units.h"

#define FORK "\u251c "
#define LAST "\u2514 "
#define BESIDE "\u2502 "
#define BELOW "  "
#define GAP "\u2026 "
/* Of the whole: what functions of the kernel have to have by themselves to be worth a line. */
#define KERNEL_SHARE 0.005
/* Share of the width for lines of forks, 1 in so many. */
#define PREFIX_SHARE 3

struct tree {
	/* Weak. */
	const struct itp_page *page;
	/* Owned by this. */
	struct itp_context_sums sums;
	/* By node. Owned by this. */
	bool *is_shown;
	/* How many nodes were chosen for themselves. */
	guint chosen;
};

/* A line to be printed. */
struct item {
	uint32_t node;
	/* Lines before it, and before its callees. Owned by this. */
	char *lead;
	char *below;
	/* The line stands right below its caller. */
	bool is_chained;
	/* Callers between it and the line before are left out. */
	bool is_behind_gap;
};

static const struct itp_context *context_in_tree(const struct tree *tree, uint32_t node)
{
	return itp_context_tree_get(tree->page->ranking->tree, node);
}

/* Node with its own sums. */
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
	     node = context_in_tree(tree, node)->parent) {
		tree->is_shown[node] = true;
	}
}

/* Chooses the contexts with the largest own latencies; all with any for top = 0. */
static void choose_contexts(struct tree *tree, uint32_t node_count)
{
	const struct itp_ranking *ranking = tree->page->ranking;
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));

	for (uint32_t node = 1; node < node_count; node++) {
		const struct itp_context_sum own = itp_context_sums_own(&tree->sums, node);
		const struct candidate candidate = { node, llabs(itp_context_sum_change(&own)) };

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

static struct tree tree_new(const struct itp_page *page)
{
	uint32_t node_count = itp_context_tree_size(page->ranking->tree);
	struct tree tree = {
		.page = page,
		.is_shown = g_new0(bool, node_count),
	};

	itp_context_sums_init(&tree.sums, page->ranking);
	choose_contexts(&tree, node_count);
	return tree;
}

static void tree_release(struct tree *tree)
{
	itp_context_sums_release(&tree->sums);
	g_free(tree->is_shown);
}

/* The shown callees of a node (uint32_t), in order. Free with g_array_unref(). */
static GArray *shown_callees(const struct tree *tree, uint32_t node)
{
	GArray *shown = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t count;
	const uint32_t *callees = itp_context_sums_callees(&tree->sums, node, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (tree->is_shown[callees[i]]) {
			g_array_append_val(shown, callees[i]);
		}
	}
	return shown;
}

/* "serve_request ◀ 1": the entry of the ranking whose culprit it is. */
static char *name_of_item(const struct tree *tree, const struct item *item)
{
	g_autofree char *name = itp_label_function(
		itp_function_at(tree->page->ranking, context_in_tree(tree, item->node)->function));
	g_autofree char *marked = NULL;

	if (tree->sums.ranks[item->node] > 0) {
		name = itp_style_take(ITP_STYLE_FACE, g_steal_pointer(&name));
		marked = g_strdup_printf("%s \u25c0 %u", name, tree->sums.ranks[item->node]);
	}
	return g_strconcat(item->lead, item->is_behind_gap ? GAP : "", marked ? marked : name,
			   NULL);
}

static void add_item_row(const struct tree *tree, const struct item *item, struct itp_table *table)
{
	const struct itp_ranking *ranking = tree->page->ranking;
	const struct itp_context_sum *sums = &tree->sums.sums[item->node];
	const struct itp_context_sum own = itp_context_sums_own(&tree->sums, item->node);
	const struct itp_node_stats *stats = itp_profile_peek(ranking->suspect, item->node);
	int64_t whole_ns = ranking->suspect_own_ns - ranking->base_own_ns;
	const char *style = itp_style_of_share(itp_context_sum_change(sums), whole_ns);

	if (ranking->base) {
		itp_table_take(table, itp_style_take(style, itp_cell_time_change(
								    ranking,
								    itp_context_sum_change(sums))));
		itp_table_take(table, itp_cell_time_change(ranking, itp_context_sum_change(&own)));
		itp_table_take(table, itp_cell_time(ranking, sums->base_ns));
		itp_table_take(table, itp_cell_time(ranking, sums->suspect_ns));
	} else {
		itp_table_take(table,
			       itp_style_take(style, itp_cell_share(ranking, sums->suspect_ns)));
		itp_table_take(table, itp_cell_time(ranking, sums->suspect_ns));
		itp_table_take(table, itp_cell_time(ranking, own.suspect_ns));
		itp_table_take(table, itp_units_count(itp_ranking_has_latencies(ranking) ?
							      stats->count :
							      stats->samples));
	}
	itp_table_take(table, name_of_item(tree, item));
}

static void add_columns(const struct tree *tree, struct itp_table *table)
{
	const char *const alone[] = { "share", "total", "own",
				      itp_ranking_has_latencies(tree->page->ranking) ? "calls" :
										       "ticks" };
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

/* Ways inside of the kernel are no news, between its entry and the place of the time. */
static bool is_left_out(const struct tree *tree, const struct item *item, const GArray *children)
{
	const struct itp_ranking *ranking = tree->page->ranking;
	const struct itp_context *context = context_in_tree(tree, item->node);
	const struct itp_context_sum own = itp_context_sums_own(&tree->sums, item->node);
	int64_t whole_ns = llabs(ranking->suspect_own_ns - ranking->base_own_ns);

	return children->len == 1 && item->is_chained &&
	       itp_function_at(ranking, context->function)->layer == ITP_LAYER_KERNEL &&
	       (double)llabs(itp_context_sum_change(&own)) < KERNEL_SHARE * (double)whole_ns;
}

/* Returns their number. */
static size_t add_rows(const struct tree *tree, struct itp_table *table)
{
	size_t rows = 0;
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(struct item));
	struct item item = { .node = ITP_CONTEXT_ROOT,
			     .lead = g_strdup(""),
			     .below = g_strdup("") };

	for (;;) {
		g_autoptr(GArray) below = shown_callees(tree, item.node);

		if (item.node != ITP_CONTEXT_ROOT && is_left_out(tree, &item, below)) {
			item.is_behind_gap = true;
		} else if (item.node != ITP_CONTEXT_ROOT) {
			add_item_row(tree, &item, table);
			rows++;
			item.is_behind_gap = false;
		}
		push_children(tree, below, &item, stack);
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
