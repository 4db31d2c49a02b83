/* SPDX-License-Identifier: MIT */
/*
 * See groups.h.
 */
#include "common/unit/groups.h"

#include "common/base/context-tree.h"
#include "common/base/hash.h"
#include "common/base/order.h"

struct itp_unit_groups {
	/* struct itp_unit_group. Owned by this. */
	GArray *list;
	/* Numbers of groups by work and further facts, each an itp_pair() of ids: of both sets of
	 * paths, of loop and these, of ticks and CPU class, and of these two and classes of sizes.
	 * All owned by this. */
	GHashTable *numbers;
	GHashTable *called;
	GHashTable *done;
	GHashTable *known;
	GHashTable *sized;
	struct itp_path_sets *ticks;
	struct itp_latencies *latencies;
	struct itp_slowest *slowest;
	struct itp_unit_signals *signals;
	/* Number of units until now. */
	uint64_t units;
};

struct itp_unit_groups *itp_unit_groups_new(void)
{
	struct itp_unit_groups *groups = g_new0(struct itp_unit_groups, 1);

	groups->list = g_array_new(FALSE, FALSE, sizeof(struct itp_unit_group));
	groups->numbers = g_hash_table_new(itp_hash_number, NULL);
	groups->called = g_hash_table_new(itp_hash_number, NULL);
	groups->done = g_hash_table_new(itp_hash_number, NULL);
	groups->known = g_hash_table_new(itp_hash_number, NULL);
	groups->sized = g_hash_table_new(itp_hash_number, NULL);
	groups->ticks = itp_path_sets_new();
	groups->latencies = itp_latencies_new();
	groups->slowest = itp_slowest_new();
	groups->signals = itp_unit_signals_new();
	return groups;
}

void itp_unit_groups_free(struct itp_unit_groups *groups)
{
	if (!groups) {
		return;
	}
	g_array_unref(groups->list);
	g_hash_table_unref(groups->numbers);
	g_hash_table_unref(groups->called);
	g_hash_table_unref(groups->done);
	g_hash_table_unref(groups->known);
	g_hash_table_unref(groups->sized);
	itp_path_sets_free(groups->ticks);
	itp_latencies_free(groups->latencies);
	itp_slowest_free(groups->slowest);
	itp_unit_signals_free(groups->signals);
	g_free(groups);
}

static struct itp_unit_group *unit_group_at(const struct itp_unit_groups *groups, guint i)
{
	return &g_array_index(groups->list, struct itp_unit_group, i);
}

/* Id of a pair, a new one for a new pair. */
static uint32_t id_of(GHashTable *ids, gpointer pair)
{
	gpointer id;

	if (!g_hash_table_lookup_extended(ids, pair, NULL, &id)) {
		id = GUINT_TO_POINTER(g_hash_table_size(ids));
		g_hash_table_insert(ids, pair, id);
	}
	return GPOINTER_TO_UINT(id);
}

/* Number of the half octave: 2·log2 of `cpu_ns`, rounded down. */
static guint cpu_class_of(int64_t cpu_ns)
{
	const guint bit = cpu_ns > 0 ? (guint)g_bit_storage((gulong)cpu_ns) - 1 : 0;
	const double part = (double)cpu_ns / (double)(UINT64_C(1) << bit);

	return cpu_ns > 0 ? 2 * bit + (part * part >= 2 ? 1 : 0) : ITP_CPU_CLASS_NONE;
}

/* Replaces contexts of ticks, in any order, by marks that differ: for each context its first
 * ticks. */
static void make_marks(GArray *nodes)
{
	uint32_t before = UINT32_MAX;
	guint repeats = 0;
	guint kept = 0;

	g_array_sort(nodes, itp_order_of_ids);
	for (guint i = 0; i < nodes->len; i++) {
		const uint32_t node = g_array_index(nodes, uint32_t, i);

		repeats = node == before ? repeats + 1 : 0;
		before = node;
		if (repeats < ITP_TICKS_OF_CONTEXT) {
			g_array_index(nodes, uint32_t, kept++) =
				node * ITP_TICKS_OF_CONTEXT + repeats;
		}
	}
	g_array_set_size(nodes, kept);
}

static uint32_t ticks_of(struct itp_unit_groups *groups, const struct itp_unit *unit)
{
	g_autoptr(GArray) nodes = NULL;
	uint32_t id;

	if (!unit->ticks || unit->ticks->len == 0) {
		return ITP_PATH_SET_NONE;
	}
	nodes = g_array_copy((GArray *)unit->ticks);
	make_marks(nodes);
	id = itp_path_sets_intern(groups->ticks, nodes);
	return id == ITP_PATH_SET_OTHERS ? ITP_PATH_SET_NONE : id;
}

/* Facts about a unit beside its calls. */
struct known {
	uint32_t ticks;
	guint cpu_class;
	guint asked_class;
	guint answered_class;
};

static gpointer key_of_group(struct itp_unit_groups *groups, const struct itp_unit *unit,
			     const struct known *known)
{
	const uint32_t sizes = known->asked_class * (ITP_SIZE_CLASSES + 1) + known->answered_class;
	const uint32_t work = id_of(groups->known, itp_pair(known->ticks, known->cpu_class));
	const uint32_t called = id_of(groups->called, itp_pair(unit->paths, unit->asking_paths));

	return itp_pair(id_of(groups->done, itp_pair(unit->loop, called)),
			id_of(groups->sized, itp_pair(work, sizes)));
}

/* Finds the group of a unit, or makes a new one while there are fewer than `most`. */
static bool find_group(struct itp_unit_groups *groups, const struct itp_unit *unit,
		       const struct known *known, guint most, guint *ret_number)
{
	const gpointer key = key_of_group(groups, unit, known);
	const struct itp_unit_group group = { .loop = unit->loop,
					      .wait = unit->wait,
					      .paths = unit->paths,
					      .asking_paths = unit->asking_paths,
					      .ticks = known->ticks,
					      .cpu_class = known->cpu_class,
					      .asked_class = known->asked_class,
					      .answered_class = known->answered_class,
					      .min_ns = INT64_MAX };
	gpointer number;

	if (g_hash_table_lookup_extended(groups->numbers, key, NULL, &number)) {
		*ret_number = GPOINTER_TO_UINT(number);
		return true;
	}
	if (groups->list->len >= most) {
		return false;
	}
	*ret_number = groups->list->len;
	g_array_append_val(groups->list, group);
	g_hash_table_insert(groups->numbers, key, GUINT_TO_POINTER(*ret_number));
	return true;
}

static guint number_of_group(struct itp_unit_groups *groups, const struct itp_unit *unit)
{
	struct known known = { ticks_of(groups, unit), cpu_class_of(unit->use.cpu_ns),
			       itp_size_class(unit->talk.asked_bytes),
			       itp_size_class(unit->talk.answered_bytes) };
	guint number = 0;

	if (!unit->has_several_clients &&
	    find_group(groups, unit, &known, ITP_GROUPS_WITH_SIZES, &number)) {
		return number;
	}
	known.asked_class = known.answered_class = ITP_SIZE_UNKNOWN;
	if (find_group(groups, unit, &known, ITP_GROUPS_WITH_TICKS, &number)) {
		return number;
	}
	known.ticks = ITP_PATH_SET_NONE;
	if (find_group(groups, unit, &known, ITP_GROUPS_WITH_CLASS, &number)) {
		return number;
	}
	known.cpu_class = ITP_CPU_CLASS_NONE;
	(void)find_group(groups, unit, &known, UINT_MAX, &number);
	return number;
}

static void add_unit(struct itp_unit_group *group, const struct itp_unit *unit)
{
	const int64_t length_ns = unit->end_ns - unit->begin_ns;
	const double work_ns = (double)(length_ns - unit->use.runnable_ns);

	group->count++;
	group->looked_for += unit->was_looked_for;
	group->is_of_coroutine |= unit->is_of_coroutine;
	group->total_ns += length_ns;
	group->square_sum += (double)length_ns * (double)length_ns;
	group->min_ns = MIN(group->min_ns, length_ns);
	group->max_ns = MAX(group->max_ns, length_ns);
	itp_time_use_add(&group->use, &unit->use, 1);
	group->cpu_products += (double)length_ns * (double)unit->use.cpu_ns;
	group->blocked_products += (double)length_ns * (double)unit->use.blocked_ns;
	group->runnable_products += (double)length_ns * (double)unit->use.runnable_ns;
	group->work_square_sum += work_ns * work_ns;
	group->talk.asked_bytes += unit->talk.asked_bytes;
	group->talk.answered_bytes += unit->talk.answered_bytes;
}

guint itp_unit_groups_add(struct itp_unit_groups *groups, const struct itp_unit *unit)
{
	const guint number = number_of_group(groups, unit);
	const int64_t length_ns = unit->end_ns - unit->begin_ns;
	const struct itp_slow_call slow = { .node = number,
					    .pid = unit->pid,
					    .tid = unit->tid,
					    .begin_ns = unit->begin_ns,
					    .latency_ns = length_ns,
					    .lower_ns = length_ns,
					    .upper_ns = length_ns };

	itp_slowest_add(groups->slowest, &slow);
	add_unit(unit_group_at(groups, number), unit);
	itp_moments_add_unit(&unit_group_at(groups, number)->moments, (double)groups->units++);
	itp_latencies_add(groups->latencies, number, length_ns, 1);
	if (unit->signaller_loop != ITP_CONTEXT_ROOT) {
		itp_unit_signals_add(groups->signals, number, unit->signaller_loop);
	}
	return number;
}

guint itp_unit_groups_count(const struct itp_unit_groups *groups)
{
	return groups->list->len;
}

const struct itp_unit_group *itp_unit_groups_at(const struct itp_unit_groups *groups, guint group)
{
	return unit_group_at(groups, group);
}

const uint32_t *itp_unit_groups_ticks(const struct itp_unit_groups *groups, guint group,
				      size_t *ret_count)
{
	return itp_path_sets_get(groups->ticks, unit_group_at(groups, group)->ticks, ret_count);
}

const struct itp_latencies *itp_unit_groups_latencies(const struct itp_unit_groups *groups)
{
	return groups->latencies;
}

const struct itp_slowest *itp_unit_groups_slowest(const struct itp_unit_groups *groups)
{
	return groups->slowest;
}

const struct itp_unit_signals *itp_unit_groups_signals(const struct itp_unit_groups *groups)
{
	return groups->signals;
}
