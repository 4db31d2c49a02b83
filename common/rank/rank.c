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
static void count_waiting(struct itp_rank_state *state)
{
	state->counts_waiting = true;
	itp_contention_spread(state, state->suspect.profile);
	itp_contention_spread(state, state->base.profile);
	itp_side_release(&state->suspect);
	itp_side_release(&state->base);
	itp_side_init(&state->suspect, state);
	itp_side_init(&state->base, state);
}

static void find_idle(struct itp_rank_state *state)
{
	state->guesses_idle = !itp_unwanted_is_known(state);
	if (state->guesses_idle) {
		itp_idle_find(state);
		itp_unwanted_take_out_guessed(state);
	} else {
		itp_unwanted_take_out(state);
	}
}

/* Makes the base comparable. Returns moved contexts (itp_moved_find()), or NULL. */
static uint32_t *prepare(struct itp_rank_state *state)
{
	struct itp_profile *suspect = state->suspect.profile;
	struct itp_profile *base = state->base.profile;
	const bool is_paper = itp_rank_is_paper(state);
	uint32_t *moved_from = NULL;

	/* CPU time is never idle. */
	if (!state->options->ranks_idle && !is_paper &&
	    itp_workload_has_latencies(&suspect->workload)) {
		find_idle(state);
	}
	if (base && !is_paper) {
		itp_profile_scale(base, state->base_factor);
		if (!state->guesses_idle) {
			itp_lasting_scale(state);
		}
		moved_from = itp_moved_find(state);
	}
	if (!is_paper) {
		itp_apart_excuse_recorders(state, suspect);
		itp_apart_excuse_recorders(state, base);
		itp_contention_return(state, suspect);
		itp_contention_return(state, base);
	}
	itp_side_init(&state->suspect, state);
	itp_side_init(&state->base, state);
	if (!is_paper && itp_contention_is_cause(state)) {
		count_waiting(state);
	}
	return moved_from;
}

/* Amounts of work, and doubts about the comparison. */
static void find_doubts(struct itp_ranking *ranking, const struct itp_rank_state *state)
{
	const bool has_unit = state->options->per != NULL;

	ranking->amount = state->base.runs ? itp_amount_ratio(state) : 1;
	ranking->doubts = itp_doubts_find(state);
	ranking->doubted_wait = state->base.runs && !has_unit && !itp_apart_is_machine(state) ?
					itp_doubts_find_wait(state, ranking) :
					ITP_NO_WAIT;
	if (ranking->doubted_wait != ITP_NO_WAIT) {
		ranking->doubts |= ITP_DOUBT_IDLE;
	}
	if (ranking->amount != 1 && !has_unit) {
		ranking->doubts |= ITP_DOUBT_AMOUNT;
	}
	if (ranking->doubts & (ITP_DOUBT_AMOUNT | ITP_DOUBT_LENGTH)) {
		ranking->amount_function = itp_amount_function(state, ranking->amount);
	}
}

/* Ranks what the options ask for. */
static void rank(struct itp_ranking *ranking, struct itp_rank_state *state,
		 const uint32_t *culprits, const uint32_t *moved_from)
{
	const enum itp_rank_by by = state->options->by;
	const bool is_flat = by != ITP_RANK_BY_PATH && by != ITP_RANK_BY_WAIT;

	ranking->rows = is_flat ? itp_flat_rows(state) :
				  g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_row));
	if (is_flat) {
		ranking->entry_count = ranking->rows->len;
		itp_rows_cut(ranking);
	} else if (by == ITP_RANK_BY_WAIT) {
		ranking->held_up = itp_held_up_new(state);
		ranking->entry_count = ranking->held_up->row_count;
	} else {
		itp_paths_rank(ranking, state, culprits, moved_from);
	}
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
		.suspect = { .runs = suspect, .profile = ranking->suspect },
		.base = { .runs = base, .profile = ranking->base },
		.base_factor = base ? ranking->suspect_units / ranking->base_units : 1,
		.speed = itp_machine_speed_find(suspect, base),
	};
	g_autofree uint32_t *moved_from = NULL;
	g_autofree uint32_t *culprits = NULL;

	state.apart = itp_apart_find(&state);
	ranking->suspect_apart = itp_apart_sum(&state, ranking->suspect);
	ranking->base_apart = itp_apart_sum(&state, ranking->base);
	moved_from = prepare(&state);
	culprits = base || options->by == ITP_RANK_BY_PATH ? itp_culprits_find(&state) : NULL;
	ranking->functions = functions;
	ranking->tree = tree;
	ranking->speed = state.speed;
	ranking->suspect_own_ns = itp_rank_own_ns(&state, ranking->suspect);
	ranking->base_own_ns = itp_rank_own_ns(&state, ranking->base);
	ranking->suspect_calls = count_calls(&state, ranking->suspect);
	ranking->base_calls = count_calls(&state, ranking->base);
	ranking->idle = itp_idle_waits(&state);
	ranking->guesses_idle = state.guesses_idle && ranking->idle->len > 0;
	ranking->suspect_runnable_ns = itp_contention_waited_ns(&state, ranking->suspect);
	ranking->base_runnable_ns = itp_contention_waited_ns(&state, ranking->base);
	ranking->takers = itp_contention_takers(&state);
	ranking->counts_waiting = state.counts_waiting;
	find_doubts(ranking, &state);
	if (base && !itp_rank_is_paper(&state)) {
		state.spread = itp_spread_assumed(&state, culprits);
		ranking->spread = state.spread;
		itp_verdict_judge_whole(&state, ranking);
		itp_trunk_find(&state, ranking);
	}
	rank(ranking, &state, culprits, moved_from);
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
