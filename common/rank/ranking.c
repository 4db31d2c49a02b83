/* SPDX-License-Identifier: MIT */
/*
 * Steps of a ranking.
 */
#include "common/rank/ranking.h"

#include "common/rank/apart.h"
#include "common/rank/entries.h"
#include "common/rank/held-up.h"
#include "common/rank/idle.h"
#include "common/rank/lasting.h"
#include "common/rank/machine-speed.h"
#include "common/rank/path.h"
#include "common/rank/scale.h"
#include "common/rank/steps.h"
#include "common/rank/unwanted.h"
#include "common/rank/verdict.h"

const char *const itp_metric_names[] = {
	[ITP_METRIC_OWN] = "own",
	[ITP_METRIC_TOTAL] = "total",
	[ITP_METRIC_COUNT] = "count",
	[ITP_METRIC_EACH] = "each",
	NULL,
};

const char *const itp_method_names[] = {
	[ITP_METHOD_TOTALS] = "totals",
	[ITP_METHOD_PAPER] = "paper",
	NULL,
};

const char *const itp_rank_by_names[] = {
	[ITP_RANK_BY_PATH] = "path",       [ITP_RANK_BY_FUNCTION] = "function",
	[ITP_RANK_BY_MODULE] = "module",   [ITP_RANK_BY_WAIT] = "wait",
	[ITP_RANK_BY_PROCESS] = "process", NULL,
};

const char *const itp_novelty_names[] = {
	[ITP_NOVELTY_NONE] = "none",
	[ITP_NOVELTY_NEW] = "new",
	[ITP_NOVELTY_VANISHED] = "vanished",
	[ITP_NOVELTY_MOVED] = "moved",
};

const char *const itp_doubt_names[] = {
	"base-empty", "suspect-empty", "other-programs", "no-common-context", "length", "losses",
	"amount",     "architectures", "idle",
};

const char *const itp_doubt_about_names[] = {
	[ITP_DOUBT_ABOUT_NOTHING] = "none",  [ITP_DOUBT_ABOUT_SAMPLES] = "samples",
	[ITP_DOUBT_ABOUT_WAITS] = "waits",   [ITP_DOUBT_ABOUT_RUNS] = "runs",
	[ITP_DOUBT_ABOUT_WORK] = "work",     [ITP_DOUBT_ABOUT_SIZE] = "size",
	[ITP_DOUBT_ABOUT_LOSSES] = "losses", [ITP_DOUBT_ABOUT_CUTS] = "cuts",
};

const char *const itp_verdict_names[] = {
	[ITP_VERDICT_NONE] = "none",
	[ITP_VERDICT_CHANCE] = "chance",
	[ITP_VERDICT_LIKELY] = "likely",
	[ITP_VERDICT_SURE] = "sure",
};

/* ---- Paths in order ---- */

static gint compare_leaves(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_rank_leaf *left = a;
	const struct itp_rank_leaf *right = b;

	if (left->cost != right->cost) {
		return left->cost > right->cost ? -1 : 1;
	}
	return itp_rank_compare_paths(data, left->node, right->node);
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
	int64_t left_weight = sign * left->weight;
	int64_t right_weight = sign * right->weight;

	if (part != part_of(right)) {
		return part < part_of(right) ? -1 : 1;
	}
	if (left->is_newcomer != right->is_newcomer) {
		return left->is_newcomer ? 1 : -1;
	}
	if (left_weight != right_weight) {
		return left_weight > right_weight ? -1 : 1;
	}
	return (left->leaf > right->leaf) - (left->leaf < right->leaf);
}

/* Sorts struct itp_rank_entry, and drops empty entries. Their significance must be known. */
static void order_entries(GArray *entries)
{
	guint count;

	g_array_sort(entries, compare_entries);
	for (count = entries->len; count > 0; count--) {
		if (!itp_rank_entry_is_empty(
			    &g_array_index(entries, struct itp_rank_entry, count - 1))) {
			break;
		}
	}
	g_array_set_size(entries, count);
}

/* Index of the largest saving; entries->len without any. */
static guint find_saving(const GArray *entries)
{
	guint i = 0;

	while (i < entries->len &&
	       part_of(&g_array_index(entries, struct itp_rank_entry, i)) != PART_SAVES) {
		i++;
	}
	return i;
}

/* True if entry `i` is among the `top` first (0 = all), or waits for one of these, with which it is
 * told. */
static bool is_among(const GArray *entries, guint i, size_t top)
{
	uint32_t cause = g_array_index(entries, struct itp_rank_entry, i).cause;

	return top == 0 || (cause == ITP_NO_ENTRY ? i : cause) < top;
}

static void mark_rare(const struct itp_rank_state *state, GArray *entries)
{
	const bool counts_calls = itp_workload_has_latencies(&state->suspect.profile->workload);

	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = &g_array_index(entries, struct itp_rank_entry, i);

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

static void rank_paths(struct itp_ranking *ranking, struct itp_rank_state *state,
		       const uint32_t *culprits, const uint32_t *moved_from,
		       const struct itp_runs *suspect, const struct itp_runs *base)
{
	g_autoptr(GArray) leaves = find_leaves(state, culprits);
	struct itp_rank_entries *grouped = itp_rank_entries_new(state, culprits, leaves);
	GArray *entries = grouped->entries;
	bool is_faster = base && ranking->suspect_own_ns < ranking->base_own_ns;
	guint saving;

	if (base && itp_rank_folds(state)) {
		itp_started_fold(state, grouped, itp_runs_units(suspect) / itp_runs_units(base));
		itp_verdict_judge(state, grouped, suspect, base);
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
		const struct itp_rank_entry *entry =
			&g_array_index(entries, struct itp_rank_entry, i);

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

/* ---- The whole ---- */

/* True right below missing frames, which have stand-ins. */
static bool is_lost(const struct itp_rank_state *state, uint32_t node)
{
	const uint32_t caller = itp_rank_parent(state, node);
	const char *name = caller != ITP_CONTEXT_ROOT ? itp_rank_function(state, caller)->name :
							NULL;

	return g_strcmp0(name, ITP_UNKNOWN_CALLERS_NAME) == 0 ||
	       g_strcmp0(name, ITP_MADE_CODE_NAME) == 0;
}

static struct itp_call_counts count_calls(const struct itp_rank_state *state,
					  const struct itp_profile *profile)
{
	struct itp_call_counts counts = { .calls = 0 };
	uint32_t function_count = itp_function_table_size(state->functions);
	g_autofree uint64_t *calls = g_new0(uint64_t, function_count);
	/* Calls, or nanoseconds of a function and its callees: interpreters are seldom hit by a
	 * tick themselves. */
	g_autofree uint64_t *weights = g_new0(uint64_t, function_count);
	const bool has_calls = profile && itp_workload_has_latencies(&profile->workload);

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node)) {
			const struct itp_node_stats *stats = itp_profile_peek(profile, node);
			const uint64_t count = has_calls ? stats->count + stats->lost_count :
							   stats->samples;

			const uint64_t weight = has_calls ? count :
							    (uint64_t)MAX(stats->total_ns, 0);

			calls[itp_rank_function_id(state, node)] += count;
			weights[itp_rank_function_id(state, node)] += weight;
			if (is_lost(state, node)) {
				itp_machine_code_lose(&counts.made, itp_rank_function(state, node),
						      weight);
			}
		}
	}
	for (uint32_t id = 0; id < function_count; id++) {
		const struct itp_function *function = itp_function_table_get(state->functions, id);

		counts.calls += calls[id];
		counts.unnamed += function->is_unnamed ? calls[id] : 0;
		itp_machine_code_add(&counts.made, function, weights[id]);
	}
	return counts;
}

static struct itp_recording recording_of(const struct itp_workload *workload)
{
	return (struct itp_recording){
		.name = workload->name,
		.clock = workload->clock,
		.begin_ns = workload->counts.begin_ns,
		.end_ns = workload->counts.end_ns,
		.recall = workload->recall,
	};
}

/* Recordings of several runs; NULL for a single run. */
static struct itp_recording *list_recordings(const struct itp_runs *runs)
{
	struct itp_recording *recordings =
		runs->count > 1 ? g_new0(struct itp_recording, runs->count) : NULL;

	for (size_t i = 0; recordings && i < runs->count; i++) {
		recordings[i] = recording_of(&runs->profiles[i]->workload);
		recordings[i].name = g_strdup(recordings[i].name);
	}
	return recordings;
}

static void free_recordings(struct itp_recording *recordings, size_t count)
{
	for (size_t i = 0; recordings && i < count; i++) {
		g_free(recordings[i].name);
	}
	g_free(recordings);
}

void itp_ranking_recording(const struct itp_ranking *ranking, bool of_base, uint32_t run,
			   struct itp_recording *ret_recording)
{
	const struct itp_recording *recordings = of_base ? ranking->base_recordings :
							   ranking->suspect_recordings;
	const struct itp_profile *profile = of_base ? ranking->base : ranking->suspect;

	*ret_recording = recordings ? recordings[run] : recording_of(&profile->workload);
}

static struct itp_ranking *make(const struct itp_ranking_options *options,
				const struct itp_runs *suspect, const struct itp_runs *base)
{
	struct itp_ranking *ranking = g_new0(struct itp_ranking, 1);

	ranking->options = *options;
	ranking->paths = g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_path));
	g_array_set_clear_func(ranking->paths, itp_ranked_path_clear);
	ranking->suspect = itp_runs_merge(suspect);
	ranking->suspect_units = itp_runs_units(suspect);
	ranking->suspect_runs = suspect->count;
	ranking->suspect_recordings = list_recordings(suspect);
	if (base) {
		ranking->base = itp_runs_merge(base);
		ranking->base_units = itp_runs_units(base);
		ranking->base_runs = base->count;
		ranking->base_recordings = list_recordings(base);
	}
	return ranking;
}

/* Counts waiting for a CPU. The places that lost the CPU say little about the delayed work, so it
 * is spread. */
static void count_waiting(struct itp_ranking *ranking, struct itp_rank_state *state)
{
	state->counts_waiting = true;
	itp_contention_spread(state, ranking->suspect);
	itp_contention_spread(state, ranking->base);
	itp_side_release(&state->suspect);
	itp_side_release(&state->base);
	itp_side_init(&state->suspect, state, ranking->suspect);
	itp_side_init(&state->base, state, ranking->base);
}

static void find_idle(struct itp_ranking *ranking, struct itp_rank_state *state,
		      const struct itp_runs *suspect, const struct itp_runs *base)
{
	if (itp_unwanted_is_known(ranking->suspect, ranking->base)) {
		itp_unwanted_take_out(state, suspect, base, ranking->suspect, ranking->base);
	} else {
		itp_idle_find(state, ranking->suspect, ranking->base);
		itp_unwanted_take_out_guessed(state, ranking->suspect, ranking->base);
		ranking->guesses_idle = true;
		state->guesses_idle = true;
	}
}

/* Makes the base comparable. Returns moved contexts (itp_moved_find()), or NULL. */
static uint32_t *prepare(struct itp_ranking *ranking, struct itp_rank_state *state,
			 const struct itp_runs *suspect, const struct itp_runs *base)
{
	const double scale = base ? ranking->suspect_units / ranking->base_units : 1;
	uint32_t *moved_from = NULL;

	state->apart = itp_apart_find(state);
	ranking->suspect_apart = itp_apart_sum(state, ranking->suspect);
	ranking->base_apart = itp_apart_sum(state, ranking->base);
	/* CPU time is never idle. */
	if (!state->options->ranks_idle && !itp_rank_is_paper(state) &&
	    itp_ranking_has_latencies(ranking)) {
		find_idle(ranking, state, suspect, base);
	}
	if (ranking->base && !itp_rank_is_paper(state)) {
		itp_profile_scale(ranking->base, scale);
		if (!ranking->guesses_idle) {
			itp_lasting_scale(state, suspect, base, ranking->suspect, ranking->base,
					  scale);
		}
		moved_from = itp_moved_find(state, ranking->suspect, ranking->base);
	}
	if (!itp_rank_is_paper(state)) {
		itp_apart_excuse_recorders(state, ranking->suspect);
		itp_apart_excuse_recorders(state, ranking->base);
		itp_contention_return(state, ranking->suspect);
		itp_contention_return(state, ranking->base);
	}
	itp_side_init(&state->suspect, state, ranking->suspect);
	itp_side_init(&state->base, state, ranking->base);
	if (!itp_rank_is_paper(state) && itp_contention_is_cause(state, scale)) {
		count_waiting(ranking, state);
	}
	return moved_from;
}

/* Cuts the sorted rows to the `top` first, and drops small rows. */
static void cut(struct itp_ranking *ranking)
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

struct itp_ranking *itp_ranking_new(const struct itp_ranking_options *options,
				    const struct itp_function_table *functions,
				    const struct itp_context_tree *tree,
				    const struct itp_runs *suspect, const struct itp_runs *base)
{
	struct itp_ranking *ranking = make(options, suspect, base);
	struct itp_rank_state state = {
		.options = options,
		.functions = functions,
		.tree = tree,
		.node_count = itp_context_tree_size(tree),
		.kinds = itp_module_kinds_new(options->modules, functions),
		.speed = itp_machine_speed_find(suspect, base),
	};
	g_autofree uint32_t *moved_from = prepare(ranking, &state, suspect, base);
	bool is_by_path = options->by == ITP_RANK_BY_PATH;
	g_autofree uint32_t *culprits = is_by_path || base ? itp_culprits_find(&state) : NULL;

	ranking->functions = functions;
	ranking->tree = tree;
	ranking->speed = state.speed;
	ranking->suspect_own_ns = itp_rank_own_ns(&state, ranking->suspect);
	ranking->base_own_ns = itp_rank_own_ns(&state, ranking->base);
	ranking->suspect_calls = count_calls(&state, ranking->suspect);
	ranking->base_calls = count_calls(&state, ranking->base);
	ranking->idle =
		itp_idle_waits(&state, base ? ranking->suspect_units / ranking->base_units : 1);
	ranking->guesses_idle &= ranking->idle->len > 0;
	ranking->suspect_runnable_ns = itp_contention_waited_ns(&state, ranking->suspect);
	ranking->base_runnable_ns = itp_contention_waited_ns(&state, ranking->base);
	ranking->takers = itp_contention_takers(&state);
	ranking->counts_waiting = state.counts_waiting;
	ranking->amount = base ? itp_amount_ratio(&state) : 1;
	ranking->doubts = itp_doubts_find(&state, suspect, base);
	ranking->doubted_wait = base && !options->per && !itp_apart_is_machine(&state) ?
					itp_doubts_find_wait(ranking, suspect, base) :
					ITP_NO_WAIT;
	if (ranking->doubted_wait != ITP_NO_WAIT) {
		ranking->doubts |= ITP_DOUBT_IDLE;
	}
	if (ranking->amount != 1 && !options->per) {
		ranking->doubts |= ITP_DOUBT_AMOUNT;
	}
	if (ranking->doubts & (ITP_DOUBT_AMOUNT | ITP_DOUBT_LENGTH)) {
		ranking->amount_function = itp_amount_function(&state, ranking->amount);
	}
	if (base && !itp_rank_is_paper(&state)) {
		state.spread = itp_spread_assumed(&state, culprits);
		ranking->spread = state.spread;
		itp_verdict_judge_whole(&state, ranking, suspect, base);
		itp_trunk_find(&state, ranking);
	}
	if (is_by_path) {
		ranking->rows = g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_row));
		rank_paths(ranking, &state, culprits, moved_from, suspect, base);
	} else if (options->by == ITP_RANK_BY_WAIT) {
		ranking->rows = g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_row));
		ranking->held_up = itp_held_up_new(&state, suspect, base);
		ranking->entry_count = ranking->held_up->row_count;
	} else {
		ranking->rows = itp_flat_rows(&state, suspect, base);
		ranking->entry_count = ranking->rows->len;
		cut(ranking);
	}
	itp_side_release(&state.suspect);
	itp_side_release(&state.base);
	ranking->apart = state.apart;
	g_free(state.unwanted_ns[0]);
	g_free(state.unwanted_ns[1]);
	g_free(state.waits_for_work);
	g_free(state.kinds);
	return ranking;
}

void itp_ranking_free(struct itp_ranking *ranking)
{
	if (!ranking) {
		return;
	}
	g_array_free(ranking->paths, TRUE);
	g_array_free(ranking->rows, TRUE);
	itp_held_up_free(ranking->held_up);
	g_array_free(ranking->idle, TRUE);
	g_array_free(ranking->takers, TRUE);
	g_free(ranking->apart);
	free_recordings(ranking->suspect_recordings, ranking->suspect_runs);
	free_recordings(ranking->base_recordings, ranking->base_runs);
	itp_profile_free(ranking->suspect);
	itp_profile_free(ranking->base);
	g_free(ranking->unit);
	itp_ranking_free(ranking->by_work);
	g_free(ranking->work);
	g_free(ranking);
}
