/* SPDX-License-Identifier: MIT */
/*
 * Steps of a ranking, one after the other.
 */
#include "common/rank/rank.h"

#include "common/rank/apart.h"
#include "common/rank/held-up.h"
#include "common/rank/idle.h"
#include "common/rank/lasting.h"
#include "common/rank/machine-speed.h"
#include "common/rank/path.h"
#include "common/rank/scale.h"
#include "common/rank/steps.h"
#include "common/rank/unwanted.h"
#include "common/rank/verdict.h"

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
	ranking->suspect_recordings = itp_recording_list_new(suspect);
	if (base) {
		ranking->base = itp_runs_merge(base);
		ranking->base_units = itp_runs_units(base);
		ranking->base_runs = base->count;
		ranking->base_recordings = itp_recording_list_new(base);
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
		itp_paths_rank(ranking, &state, culprits, moved_from, suspect, base);
	} else if (options->by == ITP_RANK_BY_WAIT) {
		ranking->rows = g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_row));
		ranking->held_up = itp_held_up_new(&state, suspect, base);
		ranking->entry_count = ranking->held_up->row_count;
	} else {
		ranking->rows = itp_flat_rows(&state, suspect, base);
		ranking->entry_count = ranking->rows->len;
		itp_rows_cut(ranking);
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
	itp_recording_list_free(ranking->suspect_recordings, ranking->suspect_runs);
	itp_recording_list_free(ranking->base_recordings, ranking->base_runs);
	itp_profile_free(ranking->suspect);
	itp_profile_free(ranking->base);
	g_free(ranking->unit);
	itp_ranking_free(ranking->by_work);
	g_free(ranking->work);
	g_free(ranking);
}
