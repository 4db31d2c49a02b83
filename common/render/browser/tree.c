/* SPDX-License-Identifier: MIT */
/*
 * See browser.h: the tree of contexts. A context stands below its caller while the caller is open;
 * the dearest, or the greatest difference, comes first.
 */
#include "common/render/browser/page.h"

#include "common/base/labels.h"
#include "common/render/cells.h"
#include "common/render/table.h"

#define NUMBER_COLUMNS 9
#define INDENT 2
/* However deep a context is, its name has room. */
#define INDENT_SHARE 2
#define OPEN_MARK "- "
#define CLOSED_MARK "+ "
#define LEAF_MARK "  "

struct tree {
	struct itp_browser_page page;
	/* By node. Owned by this. */
	bool *is_open;
	/* Visible nodes (uint32_t), in their order. Owned by this. */
	GArray *rows;
};

static const struct itp_context *context_in_tree(const struct tree *tree, uint32_t node)
{
	return itp_context_tree_get(tree->page.subject->ranking->tree, node);
}

static const uint32_t *callees_of(const struct tree *tree, uint32_t node, uint32_t *ret_count)
{
	return itp_context_sums_callees(&tree->page.subject->sums, node, ret_count);
}

static bool has_callees(const struct tree *tree, uint32_t node)
{
	uint32_t count;

	(void)callees_of(tree, node, &count);
	return count > 0;
}

static uint32_t row_of(const struct tree *tree, size_t row)
{
	return row < tree->rows->len ? g_array_index(tree->rows, uint32_t, row) : ITP_CONTEXT_ROOT;
}

static uint32_t selected(const struct tree *tree)
{
	return row_of(tree, tree->page.cursor);
}

/* ---- Visible contexts ---- */

/* Appends `node` with all below it, a caller before its callees, in open contexts only unless
 * `is_all`. */
static void append_below(const struct tree *tree, uint32_t node, bool is_all, GArray *nodes)
{
	g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	g_array_append_val(waiting, node);
	while (waiting->len > 0) {
		uint32_t next = g_array_index(waiting, uint32_t, waiting->len - 1);
		uint32_t count = 0;
		const uint32_t *callees = callees_of(tree, next, &count);

		g_array_set_size(waiting, waiting->len - 1);
		g_array_append_val(nodes, next);
		for (uint32_t i = is_all || tree->is_open[next] ? count : 0; i-- > 0;) {
			g_array_append_val(waiting, callees[i]);
		}
	}
}

static void find_rows(struct tree *tree)
{
	g_array_set_size(tree->rows, 0);
	append_below(tree, ITP_CONTEXT_ROOT, false, tree->rows);
	/* The root of everything is no context. */
	g_array_remove_index(tree->rows, 0);
}

/* `node` stays selected, or its nearest caller still visible. */
static void update(struct tree *tree, uint32_t node)
{
	find_rows(tree);
	for (; node != ITP_CONTEXT_ROOT; node = context_in_tree(tree, node)->parent) {
		for (guint row = 0; row < tree->rows->len; row++) {
			if (row_of(tree, row) == node) {
				itp_browser_page_go_to(&tree->page, row);
				return;
			}
		}
	}
	itp_browser_page_go_to(&tree->page, 0);
}

static void reveal(struct tree *tree, uint32_t node)
{
	uint32_t caller = node;

	while (caller != ITP_CONTEXT_ROOT) {
		caller = context_in_tree(tree, caller)->parent;
		tree->is_open[caller] = true;
	}
	update(tree, node);
}

/* Opens or closes `node` and all below it; for the root of everything, which is never closed, all
 * nodes. */
static void set_all(struct tree *tree, uint32_t node, bool is_open)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t before = selected(tree);

	append_below(tree, node, true, nodes);
	for (guint i = 0; i < nodes->len; i++) {
		tree->is_open[g_array_index(nodes, uint32_t, i)] = is_open;
	}
	tree->is_open[ITP_CONTEXT_ROOT] = true;
	update(tree, before);
}

/* Goes down to a context with more by itself than any callee. */
static void follow_hottest(struct tree *tree)
{
	const struct itp_context_sums *sums = &tree->page.subject->sums;
	uint32_t node = selected(tree);
	uint32_t count;
	const uint32_t *callees = callees_of(tree, node, &count);

	while (count > 0) {
		const struct itp_context_sum own = itp_context_sums_own(sums, node);

		if (llabs(itp_context_sum_change(&own)) >
		    llabs(itp_context_sum_change(&sums->sums[callees[0]]))) {
			break;
		}
		node = callees[0];
		callees = callees_of(tree, node, &count);
	}
	reveal(tree, node);
}

/* ---- Keys ---- */

static bool toggle(struct tree *tree)
{
	uint32_t node = selected(tree);

	if (has_callees(tree, node)) {
		tree->is_open[node] = !tree->is_open[node];
		update(tree, node);
	}
	return true;
}

/* Opens it, or goes to its first callee. */
static bool go_right(struct tree *tree)
{
	if (tree->is_open[selected(tree)]) {
		itp_browser_page_go_to(&tree->page, tree->page.cursor + 1);
		return true;
	}
	return toggle(tree);
}

/* Closes it, or goes to its caller. */
static bool go_left(struct tree *tree)
{
	uint32_t node = selected(tree);
	uint32_t parent = context_in_tree(tree, node)->parent;

	if (tree->is_open[node] && node != ITP_CONTEXT_ROOT) {
		return toggle(tree);
	}
	if (parent != ITP_CONTEXT_ROOT) {
		update(tree, parent);
		return true;
	}
	return false;
}

static bool press_letter(struct tree *tree, gunichar key)
{
	switch (key) {
	case 'e':
	case 'c':
		set_all(tree, selected(tree), key == 'e');
		return true;
	case 'E':
	case 'C':
		set_all(tree, ITP_CONTEXT_ROOT, key == 'E');
		return true;
	case 'H':
		follow_hottest(tree);
		return true;
	case 't':
		return true;
	default:
		return false;
	}
}

static bool press(struct itp_browser_page *page, gunichar key)
{
	struct tree *tree = (struct tree *)page;

	switch (key) {
	case ITP_BROWSER_RIGHT:
		return go_right(tree);
	case ITP_BROWSER_LEFT:
		return go_left(tree);
	case ITP_BROWSER_ENTER:
	case '+':
		return toggle(tree);
	default:
		return press_letter(tree, key);
	}
}

/* Searches all contexts, in their order with everything open. */
static bool find_context(struct itp_browser_page *page, const char *pattern, int step)
{
	struct tree *tree = (struct tree *)page;
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	guint at = 0;

	append_below(tree, ITP_CONTEXT_ROOT, true, nodes);
	while (at + 1 < nodes->len && g_array_index(nodes, uint32_t, at) != selected(tree)) {
		at++;
	}
	for (guint i = 1; i <= nodes->len; i++) {
		guint next = (at + (step > 0 ? i : nodes->len - i)) % nodes->len;
		uint32_t node = g_array_index(nodes, uint32_t, next);

		if (node != ITP_CONTEXT_ROOT &&
		    itp_browser_is_in(itp_function_at(page->subject->ranking,
						      context_in_tree(tree, node)->function)
					      ->name,
				      pattern)) {
			reveal(tree, node);
			return true;
		}
	}
	return false;
}

/* ---- Lines of the tree ---- */

static char *title_of_tree(const struct itp_browser_page *page)
{
	const struct itp_workload_labels *labels = &page->subject->page.labels;

	return labels->base ?
		       g_strdup_printf("Contexts: %s \u2192 %s", labels->base, labels->suspect) :
		       g_strdup_printf("Contexts: %s", labels->suspect);
}

static void lay_out_tree(struct itp_browser_page *page)
{
	find_rows((struct tree *)page);
}

static size_t count_tree_rows(const struct itp_browser_page *page)
{
	return ((const struct tree *)page)->rows->len;
}

static void append_number(GString *line, const char *number)
{
	unsigned int columns = itp_label_columns(number);

	itp_label_pad(line, NUMBER_COLUMNS - MIN(columns, NUMBER_COLUMNS - 1));
	g_string_append(line, number);
}

/* Takes `number`. */
static void take_number(GString *line, char *number)
{
	append_number(line, number);
	g_free(number);
}

static bool has_both(const struct itp_browser_page *page)
{
	return page->subject->ranking->base && page->width >= ITP_PAGE_WIDTH_LEAST;
}

static void append_heads(const struct itp_browser_page *page, GString *line)
{
	const bool compares = page->subject->ranking->base != NULL;

	append_number(line, compares ? "\u0394 total" : "total");
	append_number(line, compares ? "\u0394 own" : "own");
	if (has_both(page)) {
		append_number(line, "before");
		append_number(line, "after");
	} else if (!compares) {
		append_number(line, "share");
	}
	g_string_append(line, "    context");
}

static void append_change(const struct itp_ranking *ranking, const struct itp_context_sum *sum,
			  GString *line)
{
	int64_t change_ns = itp_context_sum_change(sum);
	const char *style =
		itp_style_of_share(change_ns, ranking->suspect_own_ns - ranking->base_own_ns);

	take_number(line,
		    itp_style_take(style, ranking->base ? itp_cell_time_change(ranking, change_ns) :
							  itp_cell_time(ranking, change_ns)));
}

static void append_numbers(const struct itp_browser_page *page, uint32_t node, GString *line)
{
	const struct itp_ranking *ranking = page->subject->ranking;
	const struct itp_context_sum *sum = &page->subject->sums.sums[node];
	const struct itp_context_sum own = itp_context_sums_own(&page->subject->sums, node);

	append_change(ranking, sum, line);
	append_change(ranking, &own, line);
	if (has_both(page)) {
		take_number(line, itp_cell_time(ranking, sum->base_ns));
		take_number(line, itp_cell_time(ranking, sum->suspect_ns));
	} else if (!ranking->base) {
		take_number(line, itp_cell_share(ranking, sum->suspect_ns));
	}
}

/* "- main  #1" */
static char *label_of(const struct tree *tree, uint32_t node)
{
	const struct itp_browser_subject *subject = tree->page.subject;
	uint32_t rank = subject->sums.ranks[node];
	g_autofree char *name = itp_label_function(
		itp_function_at(subject->ranking, context_in_tree(tree, node)->function));
	const char *mark = !has_callees(tree, node) ? LEAF_MARK :
			   tree->is_open[node]      ? OPEN_MARK :
						      CLOSED_MARK;

	return rank > 0 ? g_strdup_printf("%s#%u %s", mark, rank, name) :
			  g_strconcat(mark, name, NULL);
}

static void append_tree_row(const struct itp_browser_page *page, size_t row, GString *line)
{
	const struct tree *tree = (const struct tree *)page;
	uint32_t node = row_of(tree, row);
	unsigned int indent = (context_in_tree(tree, node)->depth - 1) * INDENT;
	g_autofree char *label = label_of(tree, node);
	unsigned int used;
	g_autofree char *fitting = NULL;

	append_numbers(page, node, line);
	g_string_append(line, "  ");
	used = itp_label_columns(line->str);
	indent = MIN(indent, (page->width - MIN(used, page->width)) / INDENT_SHARE);
	itp_label_pad(line, indent);
	used += indent;
	fitting = itp_label_shorten_function(label, page->width > used ? page->width - used : 1);
	g_string_append(line, fitting);
}

static char *label_of_row(const struct itp_browser_page *page, size_t row)
{
	const struct tree *tree = (const struct tree *)page;

	return label_of(tree, row_of(tree, row));
}

/* Module of its code, and the number of its calls. */
static char *note_of(const struct itp_browser_page *page)
{
	const struct tree *tree = (const struct tree *)page;
	const struct itp_ranking *ranking = page->subject->ranking;
	uint32_t node = selected(tree);
	uint32_t id = context_in_tree(tree, node)->function;
	const struct itp_cell_calls calls =
		itp_cell_calls_of(ranking, itp_profile_peek(ranking->suspect, node),
				  ranking->base ? itp_profile_peek(ranking->base, node) : NULL);
	g_autofree char *module = itp_label_clean_text(itp_function_at(ranking, id)->module);
	g_autofree char *count = itp_cell_count(ranking, &calls);
	g_autofree char *each = itp_cell_each(ranking, &calls);

	if (node == ITP_CONTEXT_ROOT) {
		return g_strdup("");
	}
	return g_strdup_printf(" %s%s%s; calls %s, each %s", itp_kind_of(ranking, id),
			       module[0] ? " " : "", module, count, each);
}

static uint32_t selected_node(const struct itp_browser_page *page)
{
	return selected((const struct tree *)page);
}

static void tree_free(struct itp_browser_page *page)
{
	struct tree *tree = (struct tree *)page;

	g_free(tree->is_open);
	g_array_unref(tree->rows);
	g_free(tree);
}

static const struct itp_browser_kind kind = {
	.keys = "Enter open/close  e c all below  H hottest  / search  Esc back  q quit",
	.title = title_of_tree,
	.lay_out = lay_out_tree,
	.append_heads = append_heads,
	.count = count_tree_rows,
	.append_row = append_tree_row,
	.name = label_of_row,
	.note = note_of,
	.node = selected_node,
	.press = press,
	.find = find_context,
	.free = tree_free,
};

struct itp_browser_page *itp_browser_tree_new(const struct itp_browser_subject *subject,
					      uint32_t node)
{
	struct tree *tree = g_new0(struct tree, 1);

	tree->page = (struct itp_browser_page){ .kind = &kind, .subject = subject };
	tree->is_open = g_new0(bool, itp_context_tree_size(subject->ranking->tree));
	tree->rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	tree->is_open[ITP_CONTEXT_ROOT] = true;
	reveal(tree, node);
	return &tree->page;
}
