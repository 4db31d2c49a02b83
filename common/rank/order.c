/* SPDX-License-Identifier: MIT */
/*
 * Order of a ranking: paths, entries of paths, and choice of those kept. Rows have their order by
 * the files that make them, and are cut here.
 */
#include "common/rank/steps.h"

#include "common/base/order.h"
#include "common/rank/entries.h"
#include "common/rank/path.h"
#include "common/rank/verdict.h"

/* ---- Paths in order ---- */

static gint compare_leaves(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_rank_leaf *left = a;
	const struct itp_rank_leaf *right = b;
	gint order = ITP_ORDER(right->cost, left->cost);

	return order ?: itp_rank_compare_paths(data, left->node, right->node);
}

/* Part of the base's value that is taken out of the path to `leaf`. */
static int64_t base_path_value(const struct itp_rank_state *state, uint32_t leaf)
{
	return itp_rank_is_paper(state) && !state->base.is_leaf[leaf] ?
		       0 :
		       state->base.path_value[leaf];
}

/* True at the end of a path: in the suspect, or only in the base, unless the paper is followed. */
static bool is_path(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_is_frame(state, node) &&
	       (state->suspect.is_leaf[node] ||
		(!itp_rank_is_paper(state) && state->base.is_leaf[node] &&
		 !state->suspect.is_present[node]));
}

/* GETPATHSET: every leaf stands for its path. Most expensive first. */
static GArray *find_leaves(struct itp_rank_state *state, const uint32_t *culprits)
{
	GArray *leaves = g_array_new(FALSE, FALSE, sizeof(struct itp_rank_leaf));

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct itp_rank_leaf leaf = { .node = node };

		if (is_path(state, node)) {
			leaf.cost = state->suspect.path_value[node] - base_path_value(state, node);
			leaf.culprit = culprits[node];
			g_array_append_val(leaves, leaf);
		}
	}
	g_array_sort_with_data(leaves, compare_leaves, state);
	return leaves;
}

/* ---- Entries in order ---- */

/* Parts of the list: extra costs, most expensive first; savings, largest first; entries that may be
 * chance, or are rare. If chance is not judged, all are in the first part. */
enum part {
	PART_COSTS_MORE,
	PART_SAVES,
	PART_UNSURE,
	/* Nothing to show. */
	PART_EMPTY,
};

static enum part part_of(const struct itp_rank_entry *entry)
{
	if (itp_rank_entry_is_empty(entry)) {
		return PART_EMPTY;
	}
	if (itp_rank_entry_is_unsure(entry)) {
		return PART_UNSURE;
	}
	return entry->significance.score < 0 ? PART_SAVES : PART_COSTS_MORE;
}

/* Order within a part: losses of the base's programs before newcomers that took the CPU; then by
 * weight; then as the paths. */
static gint compare_entries(gconstpointer a, gconstpointer b)
{
	const struct itp_rank_entry *left = a;
	const struct itp_rank_entry *right = b;
	enum part part = part_of(left);
	int64_t sign = part == PART_SAVES ? -1 : 1;
	gint order = ITP_ORDER(part, part_of(right));

	order = order ?: ITP_ORDER(left->is_newcomer, right->is_newcomer);
	order = order ?: ITP_ORDER(sign * right->weight, sign * left->weight);
	return order ?: ITP_ORDER(left->leaf, right->leaf);
}

/* Sorts struct itp_rank_entry, and drops empty entries. Their significance must be known. */
static void order_entries(GArray *entries)
{
	guint count;

	g_array_sort(entries, compare_entries);
	for (count = entries->len; count > 0; count--) {
		if (!itp_rank_entry_is_empty(itp_rank_entry_at(entries, count - 1))) {
			break;
		}
	}
	g_array_set_size(entries, count);
}

/* Index of the largest saving; entries->len without any. */
static guint find_saving(const GArray *entries)
{
	guint i = 0;

	while (i < entries->len && part_of(itp_rank_entry_at(entries, i)) != PART_SAVES) {
		i++;
	}
	return i;
}

/* True if entry `i` is among the `top` first (0 = all), or waits for one of these, with which it is
 * told. */
static bool is_among(const GArray *entries, guint i, size_t top)
{
	uint32_t cause = itp_rank_entry_at(entries, i)->cause;

	return top == 0 || (cause == ITP_NO_ENTRY ? i : cause) < top;
}

static void mark_rare(const struct itp_rank_state *state, GArray *entries)
{
	const bool counts_calls = itp_workload_has_latencies(&state->suspect.profile->workload);

	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(entries, i);

		entry->is_rare = counts_calls &&
				 entry->suspect_calls.seen + entry->base_calls.seen <
					 state->options->min_count;
	}
}

/* True if a cost is large enough to be shown. */
static bool is_large(const struct itp_ranking *ranking, int64_t value)
{
	return (double)ABS(value) >= ranking->options.least_share * (double)ranking->suspect_own_ns;
}

void itp_paths_rank(struct itp_ranking *ranking, struct itp_rank_state *state,
		    const uint32_t *culprits, const uint32_t *moved_from)
{
	g_autoptr(GArray) leaves = find_leaves(state, culprits);
	struct itp_rank_entries *grouped = itp_rank_entries_new(state, culprits, leaves);
	GArray *entries = grouped->entries;
	bool is_faster = state->base.runs && ranking->suspect_own_ns < ranking->base_own_ns;
	guint saving;

	if (state->base.runs && itp_rank_folds(state)) {
		itp_started_fold(state, grouped);
		itp_verdict_judge(state, grouped);
	}
	mark_rare(state, entries);
	order_entries(entries);
	if (itp_rank_folds(state)) {
		itp_effects_find(state, leaves, entries);
	}
	/* A whole that got faster has a reason: the largest saving is shown. */
	saving = is_faster ? find_saving(entries) : entries->len;
	ranking->entry_count = entries->len;
	ranking->path_count = leaves->len;
	for (guint i = 0; i < entries->len; i++) {
		const struct itp_rank_entry *entry = itp_rank_entry_at(entries, i);

		ranking->significant_count += !itp_significance_is_chance(&entry->significance);
		ranking->sure_count += entry->significance.verdict == ITP_VERDICT_SURE;
		if (is_large(ranking, entry->suspect_value - entry->base_value) &&
		    (i == saving || is_among(entries, i, state->options->top))) {
			struct itp_ranked_path path = itp_ranked_path_make(
				state, &g_array_index(leaves, struct itp_rank_leaf, entry->leaf),
				entry, moved_from, i + 1);

			g_array_append_val(ranking->paths, path);
		}
	}
	itp_rank_entries_free(grouped);
}

void itp_rows_cut(struct itp_ranking *ranking)
{
	GArray *rows = ranking->rows;
	const size_t top = ranking->options.top;
	guint left = 0;

	for (guint i = 0; i < rows->len && (top == 0 || i < top); i++) {
		const struct itp_ranked_row row = g_array_index(rows, struct itp_ranked_row, i);

		if (is_large(ranking, row.ranked_value)) {
			g_array_index(rows, struct itp_ranked_row, left++) = row;
		}
	}
	g_array_set_size(rows, left);
}
