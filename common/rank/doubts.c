/* SPDX-License-Identifier: MIT */
/*
 * Comparisons that make little sense: what two workloads must have in common to be compared, and
 * whether both did as much.
 *
 * The amount is looked at where nobody said it (`per`): a server that was asked three times as
 * often makes three times as many system calls, wherever it makes any. Calls of most functions are
 * only known within bounds, system calls are counted. Each place that makes them has one vote, so
 * that a cause which makes many more of one kind is outvoted. A program that does most of its kinds
 * of calls when it begins has as many of those however much it does then: such places may stand
 * aside, but more of the others must agree.
 */
#include "common/rank/steps.h"

#include <math.h>

#include "common/base/hash.h"
#include "common/rank/evidence.h"
#include "common/rank/idle.h"
#include "common/rank/scale.h"

/* Runs whose lengths differ by more than this hardly did the same work. */
#define LENGTH_FACTOR 10
/* Part of the suspect's time below processes that the base has too. */
#define PART_LEAST 0.5
/* Part of the events of a workload that may be lost. */
#define LOST_MOST 0.02

/* Of a place that has a vote, in each workload. */
#define CALLS_LEAST 20
#define PLACES_LEAST 6
/* What those that agree may be off by, how many of all they must be, and what is about the same. */
#define AGREEMENT 1.2
#define PART_AGREES 0.5
#define RATIO_LEAST 1.5
/* By how much a place may differ that has nothing to do with the amount, and how many must agree of
 * the others. */
#define RATIO_OF_BEGINNING 1.05
#define OTHERS_LEAST 12
#define PART_OF_OTHERS 0.65

/* ---- Whether both did as much ---- */

struct place {
	uint64_t suspect;
	uint64_t base;
};

/* By who makes a system call, and which. */
static GHashTable *count_places(const struct itp_rank_state *state)
{
	GHashTable *places = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct place *place;
		gpointer key;
		uint32_t maker;

		if (itp_rank_function(state, node)->layer != ITP_LAYER_SYSCALL) {
			continue;
		}
		maker = itp_idle_waiter(state, node);
		key = itp_pair(itp_rank_function_id(state, maker),
			       itp_rank_function_id(state, node));
		place = g_hash_table_lookup(places, key);
		if (!place) {
			place = g_new0(struct place, 1);
			g_hash_table_insert(places, key, place);
		}
		place->suspect += itp_side_stats(&state->suspect, node)->count;
		place->base += itp_side_stats(&state->base, node)->count;
	}
	return places;
}

static gint compare_ratios(gconstpointer a, gconstpointer b)
{
	const double *left = a;
	const double *right = b;

	return (*left > *right) - (*left < *right);
}

static GArray *sort_ratios(GHashTable *places)
{
	GArray *ratios = g_array_new(FALSE, FALSE, sizeof(double));
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, places);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct place *place = value;
		double ratio = (double)place->suspect / (double)MAX(place->base, 1);

		if (MIN(place->suspect, place->base) >= CALLS_LEAST) {
			g_array_append_val(ratios, ratio);
		}
	}
	g_array_sort(ratios, compare_ratios);
	return ratios;
}

/* What `part` of `ratios`, sorted, and at least `least` agree on; 1 when they do not, or that is
 * about the same. */
static double agreed_ratio(const GArray *ratios, double part, guint least)
{
	guint agree = 0;
	double median;

	if (ratios->len < PLACES_LEAST) {
		return 1;
	}
	median = g_array_index(ratios, double, ratios->len / 2);
	for (guint i = 0; i < ratios->len; i++) {
		double off = g_array_index(ratios, double, i) / median;

		agree += fabs(log(off)) <= log(AGREEMENT);
	}
	return agree >= part * ratios->len && agree >= least &&
			       fabs(log(median)) >= log(RATIO_LEAST) ?
		       median :
		       1;
}

/* Those of `ratios` that may have to do with the amount. */
static GArray *without_beginning(const GArray *ratios)
{
	GArray *others = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < ratios->len; i++) {
		double ratio = g_array_index(ratios, double, i);

		if (fabs(log(ratio)) > log(RATIO_OF_BEGINNING)) {
			g_array_append_val(others, ratio);
		}
	}
	return others;
}

double itp_amount_ratio(const struct itp_rank_state *state)
{
	g_autoptr(GHashTable) places = count_places(state);
	g_autoptr(GArray) ratios = sort_ratios(places);
	g_autoptr(GArray) others = NULL;
	double ratio = agreed_ratio(ratios, PART_AGREES, 0);

	if (ratio != 1) {
		return ratio;
	}
	others = without_beginning(ratios);
	return agreed_ratio(others, PART_OF_OTHERS, OTHERS_LEAST);
}

/* ---- Whether they can be compared ---- */

static double length_of(const struct itp_runs *runs)
{
	double length_ns = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct itp_infer_counts *counts = &runs->profiles[i]->workload.counts;

		length_ns += (double)(counts->end_ns - counts->begin_ns) / (double)runs->count;
	}
	return length_ns;
}

static bool differ_in_length(const struct itp_runs *suspect, const struct itp_runs *base)
{
	double suspect_ns = length_of(suspect);
	double base_ns = length_of(base);

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

/* Most of the suspect's time is in processes of names that the base does not have. */
static bool are_other_programs(const struct itp_rank_state *state)
{
	int64_t all_ns = 0;
	int64_t common_ns = 0;

	for (uint32_t node = 1; node < state->node_count; node++) {
		int64_t own_ns = itp_side_stats(&state->suspect, node)->own_ns;

		if (!itp_rank_is_frame(state, node) || state->is_idle[node]) {
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

uint32_t itp_doubts_find(const struct itp_rank_state *state, const struct itp_runs *suspect,
			 const struct itp_runs *base)
{
	uint32_t doubts = 0;

	if (!base) {
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
	if (itp_workload_is_of_other_machine(&suspect->profiles[0]->workload,
					     &base->profiles[0]->workload)) {
		doubts |= ITP_DOUBT_ARCHITECTURES;
	}
	if (!state->options->per && differ_in_length(suspect, base)) {
		doubts |= ITP_DOUBT_LENGTH;
	}
	return doubts;
}
