/* SPDX-License-Identifier: MIT */
/*
 * See kinds.h.
 */
#include "common/unit/kinds.h"

#include <math.h>
#include <string.h>

/* So many groups are merged with each other, those of most units; each other one goes to the type
 * that fits best. */
#define MERGED_MOST 256
/* How often all groups may go elsewhere: by then next to none does. */
#define ROUNDS_MOST 10

struct kinds {
	struct itp_features *features;
	guint groups;
	guint length;
	/* By type: its counts, one behind the other, and its score; -∞ for what is no type any
	 * more. All owned by this. */
	guint types;
	uint64_t *counts;
	double *scores;
	/* By group: its type, or NONE until it has one. */
	guint *type_of;
};

#define NONE UINT_MAX

static uint64_t *counts_of(const struct kinds *kinds, guint type)
{
	return kinds->counts + (size_t)type * kinds->length;
}

static bool is_type(const struct kinds *kinds, guint type)
{
	return kinds->scores[type] > -INFINITY;
}

static void kinds_init(struct kinds *kinds, const struct itp_features_input *input)
{
	kinds->features = itp_features_new(input);
	kinds->groups = input->count;
	kinds->length = itp_features_length(kinds->features);
	kinds->types = MIN(input->count, MERGED_MOST);
	kinds->counts = g_new0(uint64_t, (size_t)kinds->types * kinds->length);
	kinds->scores = g_new(double, kinds->types);
	kinds->type_of = g_new(guint, input->count);
	for (guint i = 0; i < input->count; i++) {
		kinds->type_of[i] = i < kinds->types ? i : NONE;
	}
	for (guint i = 0; i < kinds->types; i++) {
		itp_features_add(kinds->features, i, counts_of(kinds, i));
		kinds->scores[i] = itp_features_score(kinds->features, counts_of(kinds, i), NULL);
	}
}

static void kinds_release(struct kinds *kinds)
{
	itp_features_free(kinds->features);
	g_free(kinds->counts);
	g_free(kinds->scores);
	g_free(kinds->type_of);
}

/* ---- Merging ---- */

/* What is gained when two types are merged: of each pair, the first one before the second. */
struct gains {
	guint count;
	/* By both; and by the first, the second with which it gains most, NONE for none. Owned by
	 * this. */
	double *all;
	guint *best;
};

static double *gain_at(const struct gains *gains, guint a, guint b)
{
	return &gains->all[(size_t)MIN(a, b) * gains->count + MAX(a, b)];
}

static double gain_of(const struct kinds *kinds, guint a, guint b)
{
	return itp_features_score(kinds->features, counts_of(kinds, a), counts_of(kinds, b)) -
	       kinds->scores[a] - kinds->scores[b];
}

static void find_best(const struct kinds *kinds, struct gains *gains, guint a)
{
	gains->best[a] = NONE;
	for (guint b = a + 1; b < gains->count; b++) {
		if (is_type(kinds, b) &&
		    (gains->best[a] == NONE ||
		     *gain_at(gains, a, b) > *gain_at(gains, a, gains->best[a]))) {
			gains->best[a] = b;
		}
	}
}

static void gains_init(struct gains *gains, const struct kinds *kinds)
{
	gains->count = kinds->types;
	gains->all = g_new(double, (size_t)gains->count * gains->count + 1);
	gains->best = g_new(guint, gains->count);
	for (guint a = 0; a < gains->count; a++) {
		for (guint b = a + 1; b < gains->count; b++) {
			*gain_at(gains, a, b) = gain_of(kinds, a, b);
		}
		find_best(kinds, gains, a);
	}
}

/* The two that gain most, the first of equal ones; `b` is the best one of *ret_a. */
static bool find_pair(const struct kinds *kinds, const struct gains *gains, guint *ret_a)
{
	double most = -INFINITY;

	*ret_a = NONE;
	for (guint a = 0; a < gains->count; a++) {
		if (is_type(kinds, a) && gains->best[a] != NONE &&
		    *gain_at(gains, a, gains->best[a]) > most) {
			most = *gain_at(gains, a, gains->best[a]);
			*ret_a = a;
		}
	}
	return *ret_a != NONE;
}

/* `b` becomes a part of `a`. */
static void merge(struct kinds *kinds, guint a, guint b)
{
	for (guint i = 0; i < kinds->length; i++) {
		counts_of(kinds, a)[i] += counts_of(kinds, b)[i];
	}
	kinds->scores[a] = itp_features_score(kinds->features, counts_of(kinds, a), NULL);
	kinds->scores[b] = -INFINITY;
	for (guint i = 0; i < kinds->groups; i++) {
		kinds->type_of[i] = kinds->type_of[i] == b ? a : kinds->type_of[i];
	}
}

/* After `b` was merged with `a`. */
static void renew_gains(const struct kinds *kinds, struct gains *gains, guint a, guint b)
{
	for (guint i = 0; i < gains->count; i++) {
		if (i != a && is_type(kinds, i)) {
			*gain_at(gains, a, i) = gain_of(kinds, MIN(a, i), MAX(a, i));
		}
	}
	for (guint i = 0; i < gains->count; i++) {
		const guint best = gains->best[i];

		if (!is_type(kinds, i)) {
			continue;
		}
		if (i == a || best == a || best == b) {
			find_best(kinds, gains, i);
		} else if (i < a && best != NONE &&
			   *gain_at(gains, i, a) > *gain_at(gains, i, best)) {
			gains->best[i] = a;
		}
	}
}

/* Merges all, one pair after the other, and takes what was likeliest on the way: with equal ones,
 * fewer types. */
static void merge_all(struct kinds *kinds)
{
	g_autofree guint *likeliest = g_memdup2(kinds->type_of, kinds->groups * sizeof(guint));
	struct gains gains;
	guint types = kinds->types;
	double total = 0;
	double most = 0;
	guint a;

	gains_init(&gains, kinds);
	while (find_pair(kinds, &gains, &a)) {
		const guint b = gains.best[a];

		total += *gain_at(&gains, a, b) +
			 itp_features_of_types(kinds->features, types - 1) -
			 itp_features_of_types(kinds->features, types);
		types--;
		merge(kinds, a, b);
		renew_gains(kinds, &gains, a, b);
		if (total >= most) {
			most = total;
			memcpy(likeliest, kinds->type_of, kinds->groups * sizeof(guint));
		}
	}
	memcpy(kinds->type_of, likeliest, kinds->groups * sizeof(guint));
	g_free(gains.all);
	g_free(gains.best);
}

/* ---- Where single groups belong ---- */

/* Makes counts and scores anew of which group is of which type. */
static void count_again(struct kinds *kinds)
{
	memset(kinds->counts, 0, sizeof(uint64_t) * kinds->types * kinds->length);
	for (guint i = 0; i < kinds->groups; i++) {
		if (kinds->type_of[i] != NONE) {
			itp_features_add(kinds->features, i, counts_of(kinds, kinds->type_of[i]));
		}
	}
	for (guint i = 0; i < kinds->types; i++) {
		kinds->scores[i] =
			counts_of(kinds, i)[0] == 0 ?
				-INFINITY :
				itp_features_score(kinds->features, counts_of(kinds, i), NULL);
	}
}

/* Of a group that is none's, with these counts: the type that gains most by it. */
static guint find_type(const struct kinds *kinds, const uint64_t *counts, guint usual)
{
	double most = -INFINITY;
	guint found = usual;

	for (guint type = 0; type < kinds->types; type++) {
		double gain;

		if (!is_type(kinds, type)) {
			continue;
		}
		gain = itp_features_score(kinds->features, counts_of(kinds, type), counts) -
		       kinds->scores[type];
		if (gain > most || (gain == most && type == usual)) {
			most = gain;
			found = type;
		}
	}
	return found;
}

static void set_type(struct kinds *kinds, guint group, guint type, bool is_in)
{
	uint64_t *counts = counts_of(kinds, type);

	if (is_in) {
		itp_features_add(kinds->features, group, counts);
	} else {
		itp_features_subtract(kinds->features, group, counts);
	}
	kinds->scores[type] = counts[0] == 0 ? -INFINITY :
					       itp_features_score(kinds->features, counts, NULL);
}

/* Whether the group goes to another type. A type's only group stays. */
static bool move_group(struct kinds *kinds, guint group)
{
	g_autofree uint64_t *counts = g_new0(uint64_t, kinds->length);
	const guint before = kinds->type_of[group];

	itp_features_add(kinds->features, group, counts);
	if (before != NONE) {
		if (counts_of(kinds, before)[0] == counts[0]) {
			return false;
		}
		set_type(kinds, group, before, false);
	}
	kinds->type_of[group] = find_type(kinds, counts, before);
	set_type(kinds, group, kinds->type_of[group], true);
	return kinds->type_of[group] != before;
}

static void move_all(struct kinds *kinds)
{
	bool has_moved = true;

	count_again(kinds);
	for (guint round = 0; has_moved && round < ROUNDS_MOST; round++) {
		has_moved = false;
		for (guint i = 0; i < kinds->groups; i++) {
			has_moved |= move_group(kinds, i);
		}
	}
}

guint *itp_kinds_find(const struct itp_features_input *input)
{
	struct kinds kinds;
	guint *first = g_new(guint, input->count + 1);
	g_autofree guint *first_of_type = NULL;

	kinds_init(&kinds, input);
	merge_all(&kinds);
	move_all(&kinds);
	first_of_type = g_new(guint, kinds.types);
	for (guint i = 0; i < kinds.types; i++) {
		first_of_type[i] = NONE;
	}
	for (guint i = 0; i < input->count; i++) {
		guint *of_type = &first_of_type[kinds.type_of[i]];

		*of_type = *of_type == NONE ? i : *of_type;
		first[i] = *of_type;
	}
	kinds_release(&kinds);
	return first;
}
