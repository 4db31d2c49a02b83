/* SPDX-License-Identifier: MIT */
/*
 * See types.h. All numbers of a type follow from its groups.
 */
#include "common/unit/types.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/unit/deviation.h"
#include "common/unit/groups.h"
#include "common/unit/kinds.h"
#include "common/unit/like-sets.h"
#include "common/unit/spread.h"
#include "common/unit/telling.h"

/* Divisor of a type's units: a path taken by a 2nd of them, or more, is usual. */
#define USUAL_PART 2

struct itp_unit_types {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	const struct itp_path_sets *paths;
	/* Owned by this. */
	struct itp_unit_groups *groups;
	/* struct itp_unit_type; by group the first group of its type (guint); and by first group
	 * the place of the type. Owned by this. */
	GArray *found;
	GArray *first_groups;
	GArray *places;
	/* Cut of `found`; and whether no units have come since. */
	double found_cut;
	bool is_found;
	int64_t took_ns;
};

static void clear_type(gpointer data)
{
	struct itp_unit_type *type = data;

	g_array_unref(type->telling);
	g_array_unref(type->paths);
}

struct itp_unit_types *itp_unit_types_new(const struct itp_context_tree *tree,
					  const struct itp_function_table *functions,
					  const struct itp_path_sets *paths)
{
	struct itp_unit_types *types = g_new0(struct itp_unit_types, 1);

	types->tree = tree;
	types->functions = functions;
	types->paths = paths;
	types->groups = itp_unit_groups_new();
	types->found = g_array_new(FALSE, FALSE, sizeof(struct itp_unit_type));
	g_array_set_clear_func(types->found, clear_type);
	types->first_groups = g_array_new(FALSE, FALSE, sizeof(guint));
	types->places = g_array_new(FALSE, FALSE, sizeof(guint));
	return types;
}

void itp_unit_types_free(struct itp_unit_types *types)
{
	if (!types) {
		return;
	}
	itp_unit_groups_free(types->groups);
	g_array_unref(types->found);
	g_array_unref(types->first_groups);
	g_array_unref(types->places);
	g_free(types);
}

static const struct itp_unit_group *typed_group_at(const struct itp_unit_types *types, guint i)
{
	return itp_unit_groups_at(types->groups, i);
}

static struct itp_unit_type *type_at(const struct itp_unit_types *types, guint i)
{
	return &g_array_index(types->found, struct itp_unit_type, i);
}

guint itp_unit_types_add(struct itp_unit_types *types, const struct itp_unit *unit)
{
	types->is_found = false;
	return itp_unit_groups_add(types->groups, unit);
}

/* ---- Groups of one type ---- */

static gint compare_groups(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_unit_types *types = data;
	const guint left = *(const guint *)a;
	const guint right = *(const guint *)b;
	const struct itp_unit_group *one = typed_group_at(types, left);
	const struct itp_unit_group *other = typed_group_at(types, right);

	if (one->loop != other->loop) {
		return one->loop < other->loop ? -1 : 1;
	}
	return one->count != other->count ?
		       (one->count < other->count) - (one->count > other->count) :
		       (left > right) - (left < right);
}

/* Numbers of all groups, groups of one loop together, the largest first: a GArray of guint. */
static GArray *sorted_groups(struct itp_unit_types *types)
{
	const guint count = itp_unit_groups_count(types->groups);
	GArray *sorted = g_array_sized_new(FALSE, FALSE, sizeof(guint), count);

	for (guint i = 0; i < count; i++) {
		g_array_append_val(sorted, i);
	}
	g_array_sort_with_data(sorted, compare_groups, types);
	return sorted;
}

/* By group of a loop: the first group with an alike set. Sets are in the order of their groups. */
static guint *first_of_alike(const struct itp_unit_types *types, const guint *groups, guint count,
			     double cut)
{
	g_autofree uint32_t *sets = g_new(uint32_t, count + 1);
	g_autofree guint *place_of = g_new(guint, count + 1);
	g_autofree guint *group_of = g_new(guint, count + 1);
	g_autofree guint *alike = NULL;
	g_autoptr(GHashTable) places = g_hash_table_new(itp_hash_number, NULL);
	struct itp_like_sets like = { .tree = types->tree,
				      .functions = types->functions,
				      .paths = types->paths,
				      .loop = typed_group_at(types, groups[0])->loop,
				      .sets = sets };
	guint *first = g_new(guint, count + 1);

	for (guint i = 0; i < count; i++) {
		const gpointer set = GUINT_TO_POINTER(
			itp_path_sets_known(typed_group_at(types, groups[i])->paths));
		gpointer place;

		if (!g_hash_table_lookup_extended(places, set, NULL, &place)) {
			place = GUINT_TO_POINTER(like.count);
			g_hash_table_insert(places, set, place);
			group_of[like.count] = i;
			sets[like.count++] = GPOINTER_TO_UINT(set);
		}
		place_of[i] = GPOINTER_TO_UINT(place);
	}
	alike = itp_like_sets_find(&like, cut);
	for (guint i = 0; i < count; i++) {
		first[i] = group_of[alike[place_of[i]]];
	}
	return first;
}

/* Finds the types of the groups whose units took paths, or of the groups whose units took none:
 * units without work are like nothing else. */
static void find_kinds(const struct itp_unit_types *types, const guint *groups, guint count,
		       bool took_paths, guint *first)
{
	g_autofree guint *numbers = g_new(guint, count + 1);
	g_autofree guint *places = g_new(guint, count + 1);
	g_autofree guint *kinds = NULL;
	struct itp_features_input input = { .tree = types->tree,
					    .functions = types->functions,
					    .paths = types->paths,
					    .groups = types->groups,
					    .numbers = numbers };

	for (guint i = 0; i < count; i++) {
		if ((typed_group_at(types, groups[i])->paths != ITP_PATH_SET_NONE) == took_paths) {
			places[input.count] = i;
			numbers[input.count++] = groups[i];
		}
	}
	kinds = input.count > 0 ? itp_kinds_find(&input) : NULL;
	for (guint i = 0; i < input.count; i++) {
		first[places[i]] = places[kinds[i]];
	}
}

/* Counts are by node, here and below. */
static uint64_t count_of(GHashTable *counts, uint32_t node)
{
	return GPOINTER_TO_SIZE(g_hash_table_lookup(counts, GUINT_TO_POINTER(node)));
}

static void add_count(GHashTable *counts, uint32_t node, uint64_t units)
{
	g_hash_table_insert(counts, GUINT_TO_POINTER(node),
			    GSIZE_TO_POINTER(count_of(counts, node) + units));
}

static void count_paths(const struct itp_unit_types *types, const struct itp_unit_group *group,
			GHashTable *counts)
{
	size_t count = 0;
	const uint32_t *nodes = itp_path_sets_get_known(types->paths, group->paths, &count);

	for (size_t i = 0; i < count; i++) {
		add_count(counts, nodes[i], group->count);
	}
}

/* Paths taken by most units of a type, whose first group is `own`: GBytes of nodes. */
static GBytes *usual_paths(const struct itp_unit_types *types, const guint *groups,
			   const guint *first, guint count, guint own)
{
	g_autoptr(GHashTable) counts = g_hash_table_new(itp_hash_number, NULL);
	g_autoptr(GArray) usual = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint64_t units = 0;
	GHashTableIter iter;
	gpointer node;

	for (guint i = own; i < count; i++) {
		if (first[i] == own) {
			count_paths(types, typed_group_at(types, groups[i]), counts);
			units += typed_group_at(types, groups[i])->count;
		}
	}
	g_hash_table_iter_init(&iter, counts);
	while (g_hash_table_iter_next(&iter, &node, NULL)) {
		const uint32_t path = GPOINTER_TO_UINT(node);

		if (USUAL_PART * count_of(counts, path) >= units) {
			g_array_append_val(usual, path);
		}
	}
	g_array_sort(usual, itp_order_of_ids);
	return g_bytes_new(usual->data, usual->len * sizeof(uint32_t));
}

static guint hash_bytes(gconstpointer bytes)
{
	gsize size;
	const void *data = g_bytes_get_data((GBytes *)bytes, &size);

	return itp_hash_bytes(data, size);
}

/* Merges types whose units usually make the same calls, as calls alone cannot tell them apart. */
static void merge_untold(const struct itp_unit_types *types, const guint *groups, guint count,
			 guint *first)
{
	g_autofree guint *told = g_new(guint, count + 1);
	g_autoptr(GHashTable) known = g_hash_table_new_full(hash_bytes, g_bytes_equal,
							    (GDestroyNotify)g_bytes_unref, NULL);

	for (guint i = 0; i < count; i++) {
		GBytes *usual = first[i] == i ? usual_paths(types, groups, first, count, i) : NULL;
		gpointer before;

		if (!usual) {
			told[i] = told[first[i]];
		} else if (g_hash_table_lookup_extended(known, usual, NULL, &before)) {
			told[i] = GPOINTER_TO_UINT(before);
			g_bytes_unref(usual);
		} else {
			told[i] = i;
			g_hash_table_insert(known, usual, GUINT_TO_POINTER(i));
		}
	}
	memcpy(first, told, count * sizeof(guint));
}

/* By group of a loop: the first group of its type. */
static guint *first_of_types(const struct itp_unit_types *types, const guint *groups, guint count,
			     double cut)
{
	guint *first;

	if (cut != ITP_UNIT_CUT && cut != ITP_UNIT_CUT_CALLS) {
		return first_of_alike(types, groups, count, cut);
	}
	first = g_new(guint, count + 1);
	find_kinds(types, groups, count, true, first);
	find_kinds(types, groups, count, false, first);
	if (cut == ITP_UNIT_CUT_CALLS) {
		merge_untold(types, groups, count, first);
	}
	return first;
}

/* ---- Numbers of a type ---- */

static void add_group(struct itp_unit_type *type, const struct itp_unit_group *group)
{
	type->loop = group->loop;
	type->wait = group->wait;
	type->count += group->count;
	type->looked_for += group->looked_for;
	type->is_of_coroutine |= group->is_of_coroutine;
	type->total_ns += group->total_ns;
	type->min_ns = MIN(type->min_ns, group->min_ns);
	type->max_ns = MAX(type->max_ns, group->max_ns);
	itp_time_use_add(&type->use, &group->use, 1);
	type->talk.asked_bytes += group->talk.asked_bytes;
	type->talk.answered_bytes += group->talk.answered_bytes;
}

/* `counts` has the number of units begun by each loop. */
static void set_signaller(struct itp_unit_type *type, GHashTable *counts)
{
	GHashTableIter iter;
	gpointer loop;
	gpointer count;

	g_hash_table_iter_init(&iter, counts);
	while (g_hash_table_iter_next(&iter, &loop, &count)) {
		if (GPOINTER_TO_SIZE(count) > type->signalled ||
		    (GPOINTER_TO_SIZE(count) == type->signalled &&
		     GPOINTER_TO_UINT(loop) < type->signaller)) {
			type->signaller = GPOINTER_TO_UINT(loop);
			type->signalled = GPOINTER_TO_SIZE(count);
		}
	}
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
	const struct itp_unit_path *left = a;
	const struct itp_unit_path *right = b;

	return left->units != right->units ?
		       (left->units < right->units) - (left->units > right->units) :
		       (left->node > right->node) - (left->node < right->node);
}

static void set_paths(struct itp_unit_type *type, GHashTable *counts)
{
	GHashTableIter iter;
	gpointer node;

	g_hash_table_iter_init(&iter, counts);
	while (g_hash_table_iter_next(&iter, &node, NULL)) {
		const struct itp_unit_path path = { GPOINTER_TO_UINT(node),
						    count_of(counts, GPOINTER_TO_UINT(node)) };

		g_array_append_val(type->paths, path);
	}
	g_array_sort(type->paths, compare_paths);
}

static guint count_sets(const struct itp_unit_types *types, const guint *groups, const guint *first,
			guint count, guint own)
{
	g_autoptr(GHashTable) sets = g_hash_table_new(itp_hash_number, NULL);

	for (guint i = own; i < count; i++) {
		if (first[i] == own) {
			g_hash_table_add(sets,
					 GUINT_TO_POINTER(typed_group_at(types, groups[i])->paths));
		}
	}
	return g_hash_table_size(sets);
}

/* Adds the type of the groups of a loop with `own` as their first. */
static void add_loop_type(struct itp_unit_types *types, const guint *groups, const guint *first,
			  guint count, guint own)
{
	struct itp_unit_type type = { .group = groups[own],
				      .min_ns = INT64_MAX,
				      .telling = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
				      .paths = g_array_new(FALSE, FALSE,
							   sizeof(struct itp_unit_path)) };
	struct itp_latencies *latencies = itp_latencies_new();
	g_autoptr(GHashTable) signals = g_hash_table_new(itp_hash_number, NULL);
	g_autoptr(GHashTable) paths = g_hash_table_new(itp_hash_number, NULL);
	struct itp_cause_sums sums = { 0 };

	for (guint i = own; i < count; i++) {
		if (first[i] == own) {
			add_group(&type, typed_group_at(types, groups[i]));
			count_paths(types, typed_group_at(types, groups[i]), paths);
			itp_cause_sums_add(&sums, typed_group_at(types, groups[i]));
			itp_latencies_add_node(latencies, 0,
					       itp_unit_groups_latencies(types->groups), groups[i]);
			itp_unit_signals_collect(itp_unit_groups_signals(types->groups), groups[i],
						 signals);
		}
	}
	type.sets = count_sets(types, groups, first, count, own);
	itp_unit_type_set_spread(&type, latencies, sums.square_sum);
	itp_unit_type_set_causes(&type, &sums, latencies);
	set_signaller(&type, signals);
	set_paths(&type, paths);
	itp_latencies_free(latencies);
	g_array_append_val(types->found, type);
}

/* ---- Contexts of types ---- */

/* Contexts shown by the groups of one type, whose first is `own`; with `count`, by all groups. */
static struct itp_shown *shown_of(const struct itp_unit_types *types, const guint *groups,
				  const guint *first, guint count, guint own)
{
	struct itp_shown *shown =
		itp_shown_new(types->tree, types->paths, typed_group_at(types, groups[0])->loop);

	for (guint i = 0; i < count; i++) {
		if (own == count || first[i] == own) {
			itp_shown_add(shown, types->groups, groups[i]);
		}
	}
	return shown;
}

/* Finds the types among the groups of one loop. */
static void find_types_of_loop(struct itp_unit_types *types, const guint *groups, guint count,
			       double cut)
{
	g_autofree guint *first = first_of_types(types, groups, count, cut);
	struct itp_shown *all = shown_of(types, groups, first, count, count);
	const guint before = types->found->len;

	for (guint i = 0; i < count; i++) {
		g_array_index(types->first_groups, guint, groups[i]) = groups[first[i]];
		if (first[i] == i) {
			add_loop_type(types, groups, first, count, i);
		}
	}
	for (guint i = 0, found = before; i < count; i++) {
		if (first[i] == i) {
			struct itp_shown *own = shown_of(types, groups, first, count, i);
			struct itp_unit_type *type = type_at(types, found++);

			itp_shown_measure(own, all, &type->trees);
			if (types->found->len > before + 1) {
				type->telling_is = itp_shown_find_telling(own, all, type->telling);
			}
			itp_shown_free(own);
		}
	}
	itp_shown_free(all);
}

static gint compare_types(gconstpointer a, gconstpointer b)
{
	const struct itp_unit_type *left = a;
	const struct itp_unit_type *right = b;

	if (left->total_ns != right->total_ns) {
		return left->total_ns < right->total_ns ? 1 : -1;
	}
	return left->loop != right->loop ?
		       (left->loop > right->loop) - (left->loop < right->loop) :
		       (left->count < right->count) - (left->count > right->count);
}

const struct itp_context_tree *itp_unit_types_tree(const struct itp_unit_types *types)
{
	return types->tree;
}

static void find_types(struct itp_unit_types *types, double cut)
{
	g_autoptr(GArray) sorted = sorted_groups(types);
	const guint *groups = (const guint *)(const void *)sorted->data;
	guint begin = 0;

	g_array_set_size(types->found, 0);
	g_array_set_size(types->first_groups, itp_unit_groups_count(types->groups));
	g_array_set_size(types->places, itp_unit_groups_count(types->groups));
	while (begin < sorted->len) {
		guint end = begin + 1;

		while (end < sorted->len && typed_group_at(types, groups[end])->loop ==
						    typed_group_at(types, groups[begin])->loop) {
			end++;
		}
		find_types_of_loop(types, groups + begin, end - begin, cut);
		begin = end;
	}
	g_array_sort(types->found, compare_types);
	for (guint i = 0; i < types->found->len; i++) {
		g_array_index(types->places, guint, type_at(types, i)->group) = i;
	}
	types->found_cut = cut;
	types->is_found = true;
}

const GArray *itp_unit_types_find(struct itp_unit_types *types, double cut)
{
	if (!types->is_found || types->found_cut != cut) {
		const int64_t begin_us = g_get_monotonic_time();

		find_types(types, cut);
		types->took_ns = 1000 * (g_get_monotonic_time() - begin_us);
	}
	return types->found;
}

int64_t itp_unit_types_took_ns(const struct itp_unit_types *types)
{
	return types->took_ns;
}

guint itp_unit_types_groups(const struct itp_unit_types *types)
{
	return itp_unit_groups_count(types->groups);
}

guint itp_unit_types_of_group(const struct itp_unit_types *types, guint group)
{
	return g_array_index(types->places, guint,
			     g_array_index(types->first_groups, guint, group));
}

void itp_unit_types_add_units(const struct itp_unit_types *types, guint place,
			      struct itp_latencies *latencies, struct itp_slowest *slowest,
			      uint32_t node)
{
	for (guint group = 0; group < itp_unit_groups_count(types->groups); group++) {
		if (itp_unit_types_of_group(types, group) == place) {
			itp_latencies_add_node(latencies, node,
					       itp_unit_groups_latencies(types->groups), group);
			itp_slowest_add_node(slowest, node, itp_unit_groups_slowest(types->groups),
					     group);
		}
	}
}
