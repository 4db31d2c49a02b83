/* SPDX-License-Identifier: MIT */
/*
 * See amount.h. Calls of most functions are only known within bounds, system calls are counted.
 * Each place that makes them has one vote, so that a cause which makes many more of one kind is
 * outvoted. A program that does most of its kinds of calls when it begins has as many of those
 * however much it does then: such places may stand aside, but more of the others must agree.
 */
#include "common/rank/amount.h"

#include <math.h>

#include "common/base/hash.h"
#include "common/rank/idle.h"

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
		key = itp_pair(itp_context_tree_get(state->tree, maker)->function,
			       itp_context_tree_get(state->tree, node)->function);
		place = g_hash_table_lookup(places, key);
		if (!place) {
			place = g_new0(struct place, 1);
			g_hash_table_insert(places, key, place);
		}
		place->suspect += itp_profile_peek(state->suspect.profile, node)->count;
		place->base += itp_profile_peek(state->base.profile, node)->count;
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
