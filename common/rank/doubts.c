/* SPDX-License-Identifier: MIT */
/*
 * Doubts about comparisons: two workloads need something in common to be compared.
 */
#include "common/rank/steps.h"

#include <math.h>

#include "common/rank/evidence.h"
#include "common/rank/scale.h"

/* Runs that differ in length by a larger factor hardly did the same work. */
#define LENGTH_FACTOR 10
/* Least part of the suspect's time in processes that the base has too. */
#define PART_LEAST 0.5
/* Largest part of a workload's events that may be lost. */
#define LOST_MOST 0.02
/* Least part that is most: of a command's time, by which it took longer or less long; and of this
 * difference, in one wait. */
#define MOST 0.5

static bool differ_in_length(const struct itp_rank_state *state)
{
	double suspect_ns = itp_runs_length_ns(state->suspect.runs);
	double base_ns = itp_runs_length_ns(state->base.runs);

	return suspect_ns > LENGTH_FACTOR * base_ns || base_ns > LENGTH_FACTOR * suspect_ns;
}

static bool have_common_context(const struct itp_rank_state *state)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node) && state->suspect.is_present[node] &&
		    state->base.is_present[node]) {
			return true;
		}
	}
	return false;
}

/* True if most of the suspect's time is in processes with names unknown to the base. */
static bool are_other_programs(const struct itp_rank_state *state)
{
	int64_t all_ns = 0;
	int64_t common_ns = 0;

	for (uint32_t node = 1; node < state->node_count; node++) {
		int64_t own_ns = itp_side_stats(&state->suspect, node)->own_ns;

		if (!itp_rank_is_ranked(state, node)) {
			continue;
		}
		all_ns += own_ns;
		if (state->base.is_present[itp_rank_process(state, node)]) {
			common_ns += own_ns;
		}
	}
	return (double)common_ns < PART_LEAST * (double)all_ns;
}

static bool has_lost_much(const struct itp_rank_state *state, const struct itp_side *side)
{
	return itp_evidence_lost_part(state, side->profile) > LOST_MOST;
}

static bool is_empty(const struct itp_rank_state *state, const struct itp_side *side)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (side->is_present[node] && itp_rank_is_frame(state, node)) {
			return false;
		}
	}
	return true;
}

guint itp_doubts_find_wait(const struct itp_rank_state *state, const struct itp_ranking *ranking)
{
	const struct itp_runs *suspect = state->suspect.runs;
	const struct itp_runs *base = state->base.runs;
	const double suspect_ns = itp_runs_length_ns(suspect);
	const double base_ns = itp_runs_length_ns(base);
	const double longer_ns = suspect_ns - base_ns;
	const double runs = (double)suspect->count;
	const double ranked =
		(double)(ranking->suspect_own_ns - ranking->base_own_ns) / runs / longer_ns;
	double most = MOST;
	guint found = ITP_NO_WAIT;

	if (!itp_runs_are_commands(suspect) || !itp_runs_are_commands(base) || ranked >= MOST ||
	    fabs(longer_ns) <= MOST * MAX(suspect_ns, base_ns)) {
		return ITP_NO_WAIT;
	}
	for (guint i = 0; i < ranking->idle->len; i++) {
		const struct itp_idle_wait *wait =
			&g_array_index(ranking->idle, struct itp_idle_wait, i);
		const double part = (double)(wait->suspect_ns - wait->base_ns) / runs / longer_ns;

		if (part >= most && wait->process != ITP_FUNCTION_UNKNOWN) {
			most = part;
			found = i;
		}
	}
	return found;
}

uint32_t itp_doubts_find(const struct itp_rank_state *state)
{
	uint32_t doubts = 0;

	if (!state->base.runs) {
		return 0;
	}
	if (is_empty(state, &state->base)) {
		return ITP_DOUBT_BASE_EMPTY;
	}
	if (is_empty(state, &state->suspect)) {
		return ITP_DOUBT_SUSPECT_EMPTY;
	}
	if (are_other_programs(state)) {
		doubts |= ITP_DOUBT_OTHER_PROGRAMS;
	} else if (!have_common_context(state)) {
		doubts |= ITP_DOUBT_NO_COMMON_CONTEXT;
	}
	if (has_lost_much(state, &state->suspect) || has_lost_much(state, &state->base)) {
		doubts |= ITP_DOUBT_LOSSES;
	}
	if (itp_workload_is_of_other_machine(&state->suspect.runs->profiles[0]->workload,
					     &state->base.runs->profiles[0]->workload)) {
		doubts |= ITP_DOUBT_ARCHITECTURES;
	}
	if (!state->options->per && differ_in_length(state) && !itp_amount_is_equal(state)) {
		doubts |= ITP_DOUBT_LENGTH;
	}
	return doubts;
}
