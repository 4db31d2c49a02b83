/* SPDX-License-Identifier: MIT */
/*
 * Ratio of the work that two workloads did, if users did not name a unit of it (`per`), and the
 * function that could count it.
 *
 * A server with three times as many requests makes three times as many system calls, at every place
 * that makes any. Calls of most functions are only known within bounds, but system calls are
 * counted. Each place that makes them has a vote, so that a cause with many more calls of one kind
 * is outvoted. A program that makes most kinds of its calls as it begins has the same number of
 * them however much it does then: places with equal numbers may stand aside, but more of the others
 * must agree.
 */
#include "common/rank/steps.h"

#include <math.h>

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/rank/idle.h"

/* Least calls of a voting place, in each workload; and least number of such places. */
#define CALLS_LEAST 20
#define PLACES_LEAST 6
/* Factor within which places agree with the median, part of all places that must agree, and least
 * ratio: amounts below it are about the same. */
#define AGREEMENT 1.2
#define PART_AGREES 0.5
#define RATIO_LEAST 1.5
/* Factor within which a place has equal numbers, and may stand aside; least number and part of the
 * other places that must agree then. */
#define RATIO_OF_BEGINNING 1.05
#define OTHERS_LEAST 12
#define PART_OF_OTHERS 0.65
/* Factor within which the calls of a function must agree with the ratio to stand for it. */
#define FUNCTION_OFF 1.05

struct place {
	uint64_t suspect;
	uint64_t base;
	/* The program's own code makes the call. */
	bool is_own;
};

/* Calls by function that makes a system call, and by system call. */
static GHashTable *count_places(const struct itp_rank_state *state)
{
	GHashTable *places = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct place *place;
		uint32_t maker;

		if (itp_rank_function(state, node)->layer != ITP_LAYER_SYSCALL) {
			continue;
		}
		maker = itp_idle_waiter(state, node);
		place = itp_value_at(places,
				     itp_pair(itp_rank_function_id(state, maker),
					      itp_rank_function_id(state, node)),
				     sizeof(*place));
		place->is_own = itp_rank_is_frame(state, maker) &&
				itp_module_kind_is_own(itp_rank_kind(state, maker));
		place->suspect += itp_side_stats(&state->suspect, node)->count;
		place->base += itp_side_stats(&state->base, node)->count;
	}
	return places;
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
	g_array_sort(ratios, itp_order_of_doubles);
	return ratios;
}

/* Median of `ratios`, sorted, if `part` of them and at least `least` agree on it; 1 if they do not,
 * or if the amounts are about the same. */
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

/* Ratios of places that cannot stand aside. */
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

bool itp_amount_is_equal(const struct itp_rank_state *state)
{
	g_autoptr(GHashTable) places = count_places(state);
	GHashTableIter iter;
	gpointer value;
	bool is_told = false;

	g_hash_table_iter_init(&iter, places);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct place *place = value;
		const uint64_t more = MAX(place->suspect, place->base);

		if (more >= CALLS_LEAST) {
			is_told |= place->is_own;
			if ((double)more > AGREEMENT * (double)MIN(place->suspect, place->base)) {
				return false;
			}
		}
	}
	return is_told;
}

/* ---- The function that counts the work ---- */

/* Calls of a function, in all its contexts. */
struct calls {
	struct itp_call_bounds suspect;
	struct itp_call_bounds base;
	/* Time of the suspect's calls, callees included. */
	int64_t total_ns;
};

static struct calls *sum_calls(const struct itp_rank_state *state)
{
	struct calls *sums = g_new0(struct calls, itp_function_table_size(state->functions));

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct calls *calls = &sums[itp_rank_function_id(state, node)];

		calls->suspect = itp_call_bounds_sum(calls->suspect,
						     itp_side_calls(state, &state->suspect, node));
		calls->base =
			itp_call_bounds_sum(calls->base, itp_side_calls(state, &state->base, node));
		calls->total_ns += itp_side_stats(&state->suspect, node)->total_ns;
	}
	return sums;
}

/* True for calls in this ratio; in any that is not about 1, if it is 1. */
static bool are_in_ratio(const struct calls *calls, double ratio)
{
	const double calls_ratio = (double)calls->suspect.seen / (double)calls->base.seen;

	return ratio == 1 ? fabs(log(calls_ratio)) >= log(RATIO_LEAST) :
			    fabs(log(calls_ratio / ratio)) <= log(FUNCTION_OFF);
}

/* True if its calls are known in both workloads, and they are in the same ratio. */
static bool are_known(const struct calls *calls, double ratio)
{
	return calls->suspect.seen > 0 && calls->base.seen > 0 &&
	       itp_call_bounds_are_close(calls->suspect) &&
	       itp_call_bounds_are_close(calls->base) && are_in_ratio(calls, ratio);
}

/* True for a function that people can name: of the program's own, or, as nobody knows what it is
 * called for, a system call whose ratio is that of most. */
static bool can_count(const struct itp_rank_state *state, uint32_t id, double ratio)
{
	const struct itp_function *function = itp_function_table_get(state->functions, id);

	return function->layer == ITP_LAYER_USER ?
		       !function->is_unnamed &&
			       itp_module_kind_is_own((enum itp_module_kind)state->kinds[id]) :
		       function->layer == ITP_LAYER_SYSCALL && ratio != 1;
}

/* Order of functions to count by: those of the program, with most of its time below them; then
 * system calls, with most calls. */
static bool is_better(const struct itp_rank_state *state, const struct calls *sums, uint32_t id,
		      uint32_t than)
{
	const enum itp_layer layer = itp_function_table_get(state->functions, id)->layer;
	double more;

	if (than == ITP_FUNCTION_UNKNOWN) {
		return true;
	}
	if (layer != itp_function_table_get(state->functions, than)->layer) {
		return layer == ITP_LAYER_USER;
	}
	more = layer == ITP_LAYER_USER ?
		       (double)sums[id].total_ns - (double)sums[than].total_ns :
		       (double)sums[id].suspect.seen - (double)sums[than].suspect.seen;
	return more > 0 || (more == 0 && itp_function_compare(state->functions, id, than) < 0);
}

uint32_t itp_amount_function(const struct itp_rank_state *state, double ratio)
{
	g_autofree struct calls *sums = sum_calls(state);
	uint32_t best = ITP_FUNCTION_UNKNOWN;

	for (uint32_t id = 1; id < itp_function_table_size(state->functions); id++) {
		if (can_count(state, id, ratio) && are_known(&sums[id], ratio) &&
		    is_better(state, sums, id, best)) {
			best = id;
		}
	}
	return best;
}
