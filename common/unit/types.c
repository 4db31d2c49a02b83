/* SPDX-License-Identifier: MIT */
/*
 * See types.h. Units of one loop and one set are a group, from which all numbers of a type follow.
 */
#include "common/unit/types.h"

#include "common/base/hash.h"
#include "common/unit/like-sets.h"
#include "common/unit/signals.h"
#include "common/unit/spread.h"

/* Of a type, and in how many units as a part of all they must be. */
#define TELLING_MOST 3
#define TELLING_PART 0.5

/* The node of a group's latencies is its number. */
struct group {
	uint32_t loop;
	uint32_t wait;
	uint32_t paths;
	uint64_t count;
	uint64_t looked_for;
	bool is_of_coroutine;
	int64_t total_ns;
	double square_sum;
	int64_t min_ns;
	int64_t max_ns;
	struct itp_time_use use;
};

struct itp_unit_types {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	const struct itp_path_sets *paths;
	/* struct group; and their numbers by loop and set (itp_pair()). Owned by this. */
	GArray *groups;
	GHashTable *numbers;
	struct itp_latencies *latencies;
	struct itp_slowest *slowest;
	struct itp_unit_signals *signals;
	/* struct itp_unit_type; and by group the first one of its type (guint), and by that the
	 * place of the type. Owned by this. */
	GArray *found;
	GArray *first_groups;
	GArray *places;
	/* By which cut that was; negative when units have come since. */
	double found_cut;
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
	types->groups = g_array_new(FALSE, FALSE, sizeof(struct group));
	types->numbers = g_hash_table_new(itp_hash_number, NULL);
	types->latencies = itp_latencies_new();
	types->slowest = itp_slowest_new();
	types->signals = itp_unit_signals_new();
	types->found = g_array_new(FALSE, FALSE, sizeof(struct itp_unit_type));
	g_array_set_clear_func(types->found, clear_type);
	types->first_groups = g_array_new(FALSE, FALSE, sizeof(guint));
	types->places = g_array_new(FALSE, FALSE, sizeof(guint));
	types->found_cut = -1;
	return types;
}

void itp_unit_types_free(struct itp_unit_types *types)
{
	if (!types) {
		return;
	}
	g_array_unref(types->groups);
	g_hash_table_unref(types->numbers);
	itp_latencies_free(types->latencies);
	itp_slowest_free(types->slowest);
	itp_unit_signals_free(types->signals);
	g_array_unref(types->found);
	g_array_unref(types->first_groups);
	g_array_unref(types->places);
	g_free(types);
}

static struct group *group_at(const struct itp_unit_types *types, guint i)
{
	return &g_array_index(types->groups, struct group, i);
}

static struct itp_unit_type *type_at(const struct itp_unit_types *types, guint i)
{
	return &g_array_index(types->found, struct itp_unit_type, i);
}

/* ---- Units ---- */

static guint number_of(struct itp_unit_types *types, const struct itp_unit *unit)
{
	const gpointer key = itp_pair(unit->loop, unit->paths);
	gpointer number;

	if (!g_hash_table_lookup_extended(types->numbers, key, NULL, &number)) {
		const struct group group = { .loop = unit->loop,
					     .wait = unit->wait,
					     .paths = unit->paths,
					     .min_ns = INT64_MAX };

		number = GUINT_TO_POINTER(types->groups->len);
		g_array_append_val(types->groups, group);
		g_hash_table_insert(types->numbers, key, number);
	}
	return GPOINTER_TO_UINT(number);
}

guint itp_unit_types_add(struct itp_unit_types *types, const struct itp_unit *unit)
{
	const guint number = number_of(types, unit);
	const int64_t length_ns = unit->end_ns - unit->begin_ns;
	struct group *group = group_at(types, number);
	const struct itp_slow_call slow = { .node = number,
					    .pid = unit->pid,
					    .tid = unit->tid,
					    .begin_ns = unit->begin_ns,
					    .latency_ns = length_ns,
					    .lower_ns = length_ns,
					    .upper_ns = length_ns };

	itp_slowest_add(types->slowest, &slow);
	types->found_cut = -1;
	group->count++;
	group->looked_for += unit->was_looked_for;
	group->is_of_coroutine |= unit->is_of_coroutine;
	group->total_ns += length_ns;
	group->square_sum += (double)length_ns * (double)length_ns;
	group->min_ns = MIN(group->min_ns, length_ns);
	group->max_ns = MAX(group->max_ns, length_ns);
	itp_time_use_add(&group->use, &unit->use, 1);
	itp_latencies_add(types->latencies, number, length_ns, 1);
	if (unit->signaller_loop != ITP_CONTEXT_ROOT) {
		itp_unit_signals_add(types->signals, number, unit->signaller_loop);
	}
	return number;
}

/* ---- Which groups are one type ---- */

static gint compare_groups(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_unit_types *types = data;
	const guint left = *(const guint *)a;
	const guint right = *(const guint *)b;
	const struct group *one = group_at(types, left);
	const struct group *other = group_at(types, right);

	if (one->loop != other->loop) {
		return one->loop < other->loop ? -1 : 1;
	}
	return one->count != other->count ?
		       (one->count < other->count) - (one->count > other->count) :
		       (left > right) - (left < right);
}

/* Numbers of all groups, those of one loop together, the largest first: a GArray of guint. */
static GArray *sorted_groups(struct itp_unit_types *types)
{
	GArray *sorted = g_array_sized_new(FALSE, FALSE, sizeof(guint), types->groups->len);

	for (guint i = 0; i < types->groups->len; i++) {
		g_array_append_val(sorted, i);
	}
	g_array_sort_with_data(sorted, compare_groups, types);
	return sorted;
}

/* Sets beyond those that are told apart are none. */
static uint32_t known_set(uint32_t paths)
{
	return paths == ITP_PATH_SET_OTHERS ? ITP_PATH_SET_NONE : paths;
}

/* By group of a loop: the first one of its type. */
static guint *first_of_types(const struct itp_unit_types *types, const guint *groups, guint count,
			     double cut)
{
	g_autofree uint32_t *sets = g_new(uint32_t, count + 1);
	const struct itp_like_sets like = { .tree = types->tree,
					    .functions = types->functions,
					    .paths = types->paths,
					    .loop = group_at(types, groups[0])->loop,
					    .sets = sets,
					    .count = count };

	for (guint i = 0; i < count; i++) {
		sets[i] = known_set(group_at(types, groups[i])->paths);
	}
	return itp_like_sets_find(&like, cut);
}

/* ---- What a type is ---- */

static void add_group(struct itp_unit_type *type, const struct group *group)
{
	type->loop = group->loop;
	type->wait = group->wait;
	type->count += group->count;
	type->looked_for += group->looked_for;
	type->is_of_coroutine |= group->is_of_coroutine;
	type->sets++;
	type->total_ns += group->total_ns;
	type->min_ns = MIN(type->min_ns, group->min_ns);
	type->max_ns = MAX(type->max_ns, group->max_ns);
	itp_time_use_add(&type->use, &group->use, 1);
}

/* `counts` has how many units which loop began. */
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

static void count_paths(const struct itp_unit_types *types, const struct group *group,
			GHashTable *counts)
{
	size_t count = 0;
	const uint32_t *nodes = itp_path_sets_get(types->paths, known_set(group->paths), &count);

	for (size_t i = 0; i < count; i++) {
		add_count(counts, nodes[i], group->count);
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

/* Of the groups of a loop whose first is `own`. */
static void add_type(struct itp_unit_types *types, const guint *groups, const guint *first,
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
	double square_sum = 0;

	for (guint i = own; i < count; i++) {
		if (first[i] == own) {
			add_group(&type, group_at(types, groups[i]));
			count_paths(types, group_at(types, groups[i]), paths);
			square_sum += group_at(types, groups[i])->square_sum;
			itp_latencies_add_node(latencies, 0, types->latencies, groups[i]);
			itp_unit_signals_collect(types->signals, groups[i], signals);
		}
	}
	itp_unit_type_set_spread(&type, latencies, square_sum);
	set_signaller(&type, signals);
	set_paths(&type, paths);
	itp_latencies_free(latencies);
	g_array_append_val(types->found, type);
}

/* ---- What tells types apart ---- */

/* By context: in how many units it was. */
static void count_contexts(const struct itp_unit_types *types, const struct group *group,
			   GHashTable *counts)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(itp_hash_number, NULL);
	size_t count = 0;
	const uint32_t *nodes = itp_path_sets_get(types->paths, known_set(group->paths), &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t node = nodes[i];

		while (node != group->loop && node != ITP_CONTEXT_ROOT &&
		       g_hash_table_add(seen, GUINT_TO_POINTER(node))) {
			add_count(counts, node, group->count);
			node = itp_context_tree_get(types->tree, node)->parent;
		}
	}
}

/* Whether most units of the type were in this context, and none of another type was. */
static bool is_telling(const struct itp_unit_type *type, GHashTable *own, GHashTable *all,
		       uint32_t node)
{
	const uint64_t count = count_of(own, node);

	return (double)count >= TELLING_PART * (double)type->count && count == count_of(all, node);
}

/* `own` is that of the type. */
static gint compare_telling(gconstpointer a, gconstpointer b, gpointer own)
{
	const uint32_t left = *(const uint32_t *)a;
	const uint32_t right = *(const uint32_t *)b;
	const uint64_t left_count = count_of(own, left);
	const uint64_t right_count = count_of(own, right);

	return left_count != right_count ? (left_count < right_count) - (left_count > right_count) :
					   (left > right) - (left < right);
}

static void find_telling(const struct itp_unit_types *types, struct itp_unit_type *type,
			 GHashTable *own, GHashTable *all)
{
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, own);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const uint32_t node = GPOINTER_TO_UINT(key);
		const uint32_t parent = itp_context_tree_get(types->tree, node)->parent;

		/* The outermost on its path. */
		if (is_telling(type, own, all, node) &&
		    (parent == type->loop || !is_telling(type, own, all, parent))) {
			g_array_append_val(type->telling, node);
		}
	}
	g_array_sort_with_data(type->telling, compare_telling, own);
	g_array_set_size(type->telling, MIN(type->telling->len, TELLING_MOST));
}

/* Of the groups of one type, whose first is `own`; or with `count`, of all. */
static GHashTable *contexts_of(const struct itp_unit_types *types, const guint *groups,
			       const guint *first, guint count, guint own)
{
	GHashTable *counts = g_hash_table_new(itp_hash_number, NULL);

	for (guint i = 0; i < count; i++) {
		if (own == count || first[i] == own) {
			count_contexts(types, group_at(types, groups[i]), counts);
		}
	}
	return counts;
}

/* The groups of one loop. */
static void find_types_of_loop(struct itp_unit_types *types, const guint *groups, guint count,
			       double cut)
{
	g_autofree guint *first = first_of_types(types, groups, count, cut);
	g_autoptr(GHashTable) all = contexts_of(types, groups, first, count, count);
	const guint before = types->found->len;

	for (guint i = 0; i < count; i++) {
		g_array_index(types->first_groups, guint, groups[i]) = groups[first[i]];
		if (first[i] == i) {
			add_type(types, groups, first, count, i);
		}
	}
	for (guint i = 0, found = before; i < count && types->found->len > before + 1; i++) {
		if (first[i] == i) {
			g_autoptr(GHashTable) own = contexts_of(types, groups, first, count, i);

			find_telling(types, type_at(types, found++), own, all);
		}
	}
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
	g_array_set_size(types->first_groups, types->groups->len);
	g_array_set_size(types->places, types->groups->len);
	while (begin < sorted->len) {
		guint end = begin + 1;

		while (end < sorted->len &&
		       group_at(types, groups[end])->loop == group_at(types, groups[begin])->loop) {
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
}

const GArray *itp_unit_types_find(struct itp_unit_types *types, double cut)
{
	if (types->found_cut != cut) {
		find_types(types, cut);
	}
	return types->found;
}

guint itp_unit_types_groups(const struct itp_unit_types *types)
{
	return types->groups->len;
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
	for (guint group = 0; group < types->groups->len; group++) {
		if (itp_unit_types_of_group(types, group) == place) {
			itp_latencies_add_node(latencies, node, types->latencies, group);
			itp_slowest_add_node(slowest, node, types->slowest, group);
		}
	}
}
