/* SPDX-License-Identifier: MIT */
/*
 * See kinds.h.
 */
#include "common/unit/kinds.h"

#include <math.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/unit/kindred.h"

/* Most ways merged with each other, those of most units; each other way goes to the type that fits
 * best. */
#define MERGED_MOST 256
/* Most rounds in which all ways may change their type: later ones change next to nothing. */
#define ROUNDS_MOST 4
#define NONE UINT_MAX

struct entry {
	guint index;
	uint64_t count;
};

/* A way that units take: groups with the same facts, as far as told apart. */
struct way {
	uint64_t units;
	/* First of its groups. */
	guint group;
	/* struct entry: its counts other than 0. Owned by this. */
	GArray *entries;
};

struct kinds {
	/* Weak. */
	const struct itp_features_input *input;
	struct itp_features *features;
	guint length;
	/* struct way, those of most units first; and the way of each group. Owned by this. */
	GArray *ways;
	guint *way_of;
	/* By type: its counts, one behind the other, and its score; −∞ after a merge. By way: its
	 * type, NONE at first. All owned by this. */
	guint types;
	uint64_t *counts;
	double *scores;
	guint *type_of;
	/* Times of the units of each type. Owned by this. */
	struct itp_moments *moments;
};

static uint64_t *counts_of(const struct kinds *kinds, guint type)
{
	return kinds->counts + (size_t)type * kinds->length;
}

static bool is_type(const struct kinds *kinds, guint type)
{
	return kinds->scores[type] > -INFINITY;
}

static const struct way *way_at(const struct kinds *kinds, guint way)
{
	return &g_array_index(kinds->ways, struct way, way);
}

/* Adds the counts of a way to `counts`, or subtracts them. */
static void add_way(const struct kinds *kinds, guint way, bool is_in, uint64_t *counts)
{
	const GArray *entries = way_at(kinds, way)->entries;

	for (guint i = 0; i < entries->len; i++) {
		const struct entry *entry = &g_array_index(entries, struct entry, i);

		counts[entry->index] += is_in ? entry->count : -entry->count;
	}
}

/* ---- Ways ---- */

static void clear_way(gpointer data)
{
	g_array_unref(((struct way *)data)->entries);
}

static gint compare_ways(gconstpointer a, gconstpointer b)
{
	const struct way *left = a;
	const struct way *right = b;

	if (left->units != right->units) {
		return left->units < right->units ? 1 : -1;
	}
	return (left->group > right->group) - (left->group < right->group);
}

/* Counts of each unit of a group: struct entry. Free with g_array_unref(). */
static GArray *entries_of(const struct kinds *kinds, guint group, uint64_t *scratch)
{
	GArray *entries = g_array_new(FALSE, TRUE, sizeof(struct entry));

	memset(scratch, 0, sizeof(uint64_t) * kinds->length);
	itp_features_add(kinds->features, group, scratch);
	for (guint i = 0; i < kinds->length; i++) {
		if (scratch[i] > 0) {
			g_array_set_size(entries, entries->len + 1);
			g_array_index(entries, struct entry, entries->len - 1).index = i;
			g_array_index(entries, struct entry, entries->len - 1).count =
				scratch[i] / scratch[0];
		}
	}
	return entries;
}

static guint hash_entries(gconstpointer data)
{
	const GArray *entries = data;

	return itp_hash_bytes(entries->data, entries->len * sizeof(struct entry));
}

static gboolean equal_entries(gconstpointer a, gconstpointer b)
{
	const GArray *left = a;
	const GArray *right = b;

	return left->len == right->len &&
	       memcmp(left->data, right->data, left->len * sizeof(struct entry)) == 0;
}

static void find_ways(struct kinds *kinds, const struct itp_features_input *input)
{
	g_autoptr(GHashTable) ways = g_hash_table_new(hash_entries, equal_entries);
	g_autofree uint64_t *scratch = g_new(uint64_t, kinds->length);

	for (guint i = 0; i < input->count; i++) {
		struct way way = { 0, i, entries_of(kinds, i, scratch) };
		gpointer number;

		if (g_hash_table_lookup_extended(ways, way.entries, NULL, &number)) {
			g_array_unref(way.entries);
		} else {
			number = GUINT_TO_POINTER(kinds->ways->len);
			g_array_append_val(kinds->ways, way);
			g_hash_table_insert(ways, way.entries, number);
		}
		kinds->way_of[i] = GPOINTER_TO_UINT(number);
		g_array_index(kinds->ways, struct way, GPOINTER_TO_UINT(number)).units +=
			scratch[0];
	}
}

/* Sorts the ways, and multiplies their entries, so far of one unit, by their units. */
static void sort_ways(struct kinds *kinds, guint groups)
{
	g_autofree guint *place_of = g_new(guint, groups + 1);
	g_autofree guint *first_of = g_new(guint, groups + 1);

	for (guint i = 0; i < groups; i++) {
		first_of[i] = way_at(kinds, kinds->way_of[i])->group;
	}
	g_array_sort(kinds->ways, compare_ways);
	for (guint i = 0; i < kinds->ways->len; i++) {
		const struct way *way = way_at(kinds, i);

		place_of[way->group] = i;
		for (guint k = 0; k < way->entries->len; k++) {
			g_array_index(way->entries, struct entry, k).count *= way->units;
		}
	}
	for (guint i = 0; i < groups; i++) {
		kinds->way_of[i] = place_of[first_of[i]];
	}
}

static void kinds_init(struct kinds *kinds, const struct itp_features_input *input)
{
	kinds->input = input;
	kinds->features = itp_features_new(input);
	kinds->length = itp_features_length(kinds->features);
	kinds->ways = g_array_new(FALSE, FALSE, sizeof(struct way));
	g_array_set_clear_func(kinds->ways, clear_way);
	kinds->way_of = g_new(guint, input->count);
	find_ways(kinds, input);
	sort_ways(kinds, input->count);
	kinds->types = MIN(kinds->ways->len, MERGED_MOST);
	kinds->counts = g_new0(uint64_t, (size_t)kinds->types * kinds->length);
	kinds->scores = g_new(double, kinds->types);
	kinds->moments = g_new0(struct itp_moments, kinds->types);
	kinds->type_of = g_new(guint, kinds->ways->len);
	for (guint i = 0; i < kinds->ways->len; i++) {
		kinds->type_of[i] = i < kinds->types ? i : NONE;
	}
	for (guint i = 0; i < kinds->types; i++) {
		add_way(kinds, i, true, counts_of(kinds, i));
		kinds->scores[i] = itp_features_score(kinds->features, counts_of(kinds, i), NULL);
	}
}

static void kinds_release(struct kinds *kinds)
{
	itp_features_free(kinds->features);
	g_array_unref(kinds->ways);
	g_free(kinds->way_of);
	g_free(kinds->counts);
	g_free(kinds->scores);
	g_free(kinds->type_of);
	g_free(kinds->moments);
}

/* ---- Merging ---- */

/* Gains by merging two types: of each pair, the first before the second. */
struct gains {
	guint count;
	/* Gain by both types; and by the first, the second with the largest gain, NONE for none.
	 * Owned by this. */
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

/* Pair with the largest gain, the first of equal ones; the second is the best of *ret_a. */
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
static void merge_kinds(struct kinds *kinds, guint a, guint b)
{
	for (guint i = 0; i < kinds->length; i++) {
		counts_of(kinds, a)[i] += counts_of(kinds, b)[i];
	}
	kinds->scores[a] = itp_features_score(kinds->features, counts_of(kinds, a), NULL);
	kinds->scores[b] = -INFINITY;
	itp_moments_add(&kinds->moments[a], &kinds->moments[b]);
	for (guint i = 0; i < kinds->ways->len; i++) {
		kinds->type_of[i] = kinds->type_of[i] == b ? a : kinds->type_of[i];
	}
}

/* Renews the gains after `b` was merged with `a`. */
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

/* Merges all, one pair after the other, and takes the likeliest types on the way: of equally likely
 * ones, the fewest. */
static void merge_all(struct kinds *kinds)
{
	g_autofree guint *likeliest = g_memdup2(kinds->type_of, kinds->ways->len * sizeof(guint));
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
		merge_kinds(kinds, a, b);
		renew_gains(kinds, &gains, a, b);
		if (total >= most) {
			most = total;
			memcpy(likeliest, kinds->type_of, kinds->ways->len * sizeof(guint));
		}
	}
	memcpy(kinds->type_of, likeliest, kinds->ways->len * sizeof(guint));
	g_free(gains.all);
	g_free(gains.best);
}

/* ---- Types of single ways ---- */

/* Makes counts and scores anew from the type of each way. */
static void count_again(struct kinds *kinds)
{
	memset(kinds->counts, 0, sizeof(uint64_t) * kinds->types * kinds->length);
	for (guint i = 0; i < kinds->ways->len; i++) {
		if (kinds->type_of[i] != NONE) {
			add_way(kinds, i, true, counts_of(kinds, kinds->type_of[i]));
		}
	}
	for (guint i = 0; i < kinds->types; i++) {
		kinds->scores[i] =
			counts_of(kinds, i)[0] == 0 ?
				-INFINITY :
				itp_features_score(kinds->features, counts_of(kinds, i), NULL);
	}
}

/* Type with the largest gain by a way of these counts, now in no type. */
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

static void set_type(struct kinds *kinds, guint way, guint type, bool is_in)
{
	uint64_t *counts = counts_of(kinds, type);

	add_way(kinds, way, is_in, counts);
	kinds->scores[type] = counts[0] == 0 ? -INFINITY :
					       itp_features_score(kinds->features, counts, NULL);
}

/* Moves the way to the best type; true when it has moved. A type's only way stays. */
static bool move_way(struct kinds *kinds, guint way)
{
	g_autofree uint64_t *counts = g_new0(uint64_t, kinds->length);
	const guint before = kinds->type_of[way];

	add_way(kinds, way, true, counts);
	if (before != NONE) {
		if (counts_of(kinds, before)[0] == counts[0]) {
			return false;
		}
		set_type(kinds, way, before, false);
	}
	kinds->type_of[way] = find_type(kinds, counts, before);
	set_type(kinds, way, kinds->type_of[way], true);
	return kinds->type_of[way] != before;
}

static void move_all(struct kinds *kinds)
{
	bool has_moved = true;

	count_again(kinds);
	for (guint round = 0; has_moved && round < ROUNDS_MOST; round++) {
		has_moved = false;
		for (guint i = 0; i < kinds->ways->len; i++) {
			has_moved |= move_way(kinds, i);
		}
	}
}

/* Number without a type; NONE when all are taken. */
static guint free_type(const struct kinds *kinds)
{
	for (guint i = 0; i < kinds->types; i++) {
		if (!is_type(kinds, i)) {
			return i;
		}
	}
	return NONE;
}

static const struct itp_unit_group *input_group_at(const struct kinds *kinds, guint i)
{
	return itp_unit_groups_at(kinds->input->groups, kinds->input->numbers[i]);
}

/* True when the type's units from the class of CPU time `valley` on succeed its other units, or
 * precede them. */
static bool are_succession(const struct kinds *kinds, guint type, guint valley)
{
	struct itp_moments below = { 0 };
	struct itp_moments above = { 0 };

	for (guint i = 0; i < kinds->input->count; i++) {
		const struct itp_unit_group *group = input_group_at(kinds, i);

		if (kinds->type_of[kinds->way_of[i]] == type) {
			itp_moments_add(group->cpu_class < valley ? &below : &above,
					&group->moments);
		}
	}
	return itp_moments_succeed(&below, &above);
}

/* Class between two modes of a type's CPU times that come in turns; 0 for none. */
static guint valley_of(const struct kinds *kinds, guint type)
{
	const guint valley = itp_type_valley(kinds->features, counts_of(kinds, type));

	return valley > 0 && !are_succession(kinds, type, valley) ? valley : 0;
}

/* Divides types whose CPU times have two modes, until none has. */
static void divide_modes(struct kinds *kinds)
{
	for (guint type = 0; type < kinds->types; type++) {
		const guint valley = is_type(kinds, type) ? valley_of(kinds, type) : 0;
		const guint other = valley > 0 ? free_type(kinds) : NONE;

		for (guint way = 0; other != NONE && way < kinds->ways->len; way++) {
			if (kinds->type_of[way] == type &&
			    input_group_at(kinds, way_at(kinds, way)->group)->cpu_class >= valley) {
				kinds->type_of[way] = other;
			}
		}
		if (other != NONE) {
			count_again(kinds);
			type = MIN(type, other) - 1;
		}
	}
}

static void find_moments(const struct kinds *kinds)
{
	memset(kinds->moments, 0, sizeof(struct itp_moments) * kinds->types);
	for (guint i = 0; i < kinds->input->count; i++) {
		itp_moments_add(&kinds->moments[kinds->type_of[kinds->way_of[i]]],
				&input_group_at(kinds, i)->moments);
	}
}

static bool are_kindred(const struct kinds *kinds, guint a, guint b)
{
	return itp_types_are_kindred(kinds->features, counts_of(kinds, a), counts_of(kinds, b),
				     itp_moments_succeed(&kinds->moments[a], &kinds->moments[b]));
}

static bool may_merge(const struct kinds *kinds, guint a, guint b, bool of_like_questions)
{
	return (!of_like_questions ||
		itp_types_are_asked_alike(kinds->features, counts_of(kinds, a),
					  counts_of(kinds, b))) &&
	       are_kindred(kinds, a, b);
}

/* Likeliest of the types before `b` that are one kind of work with it; NONE for none. */
static guint find_kin(const struct kinds *kinds, guint b, bool of_like_questions)
{
	double most = -INFINITY;
	guint found = NONE;

	for (guint a = 0; a < b; a++) {
		const double gain = is_type(kinds, a) ? gain_of(kinds, a, b) : -INFINITY;

		if (gain > most && may_merge(kinds, a, b, of_like_questions)) {
			most = gain;
			found = a;
		}
	}
	return found;
}

/* Merges types that are one kind of work, those of rare ways first: all, or only types asked alike.
 * A sum may be one kind with a type that was none with its parts. */
static void merge_kindred(struct kinds *kinds, bool of_like_questions)
{
	bool has_merged = true;

	while (has_merged) {
		has_merged = false;
		for (guint b = kinds->types; b-- > 1;) {
			const guint a = is_type(kinds, b) ? find_kin(kinds, b, of_like_questions) :
							    NONE;

			if (a != NONE) {
				merge_kinds(kinds, a, b);
				has_merged = true;
			}
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
	divide_modes(&kinds);
	find_moments(&kinds);
	merge_kindred(&kinds, true);
	merge_kindred(&kinds, false);
	first_of_type = g_new(guint, kinds.types);
	for (guint i = 0; i < kinds.types; i++) {
		first_of_type[i] = NONE;
	}
	for (guint i = 0; i < input->count; i++) {
		guint *of_type = &first_of_type[kinds.type_of[kinds.way_of[i]]];

		*of_type = *of_type == NONE ? i : *of_type;
		first[i] = *of_type;
	}
	kinds_release(&kinds);
	return first;
}
