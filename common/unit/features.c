/* SPDX-License-Identifier: MIT */
/*
 * See features.h. Counts lie one behind the other: units; units in each context; ticks that went to
 * each context from its caller's; ticks that stayed in a context itself; the same of all contexts,
 * also of contexts shown by calls; units of each class of CPU time; units of each asked, and of
 * each answered, size; units with a known asked size; units that have answered in no context; and
 * call paths of all units together.
 */
#include "common/unit/features.h"

#include <math.h>
#include <string.h>

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/unit/conversations.h"
#include "common/unit/features-parts.h"
#include "common/unit/modes.h"

/* Most contexts of a loop told apart, by calls and by ticks: contexts with most units. */
#define CONTEXTS_MOST 1024
/* log Γ(i / 2) is kept for i below this number. */
#define GAMMAS_KEPT (1u << 16)
/* Contexts with fewer ticks have the number of their caller's: of two equal types five ticks are
 * all in one by chance once in 16 times, fewer more often. */
#define TICKS_LEAST 5
/* No count. */
#define NONE UINT_MAX
/* ---- Contexts ---- */

struct counted {
	uint32_t node;
	uint64_t count;
};

static gint compare_counted(gconstpointer a, gconstpointer b)
{
	const struct counted *left = a;
	const struct counted *right = b;

	if (left->count != right->count) {
		return left->count < right->count ? 1 : -1;
	}
	return (left->node > right->node) - (left->node < right->node);
}

static const uint32_t *nodes_of(const struct itp_features_input *input, guint i, bool of_ticks,
				size_t *ret_count)
{
	const struct itp_unit_group *group = itp_unit_groups_at(input->groups, input->numbers[i]);

	if (of_ticks) {
		return itp_unit_groups_ticks(input->groups, input->numbers[i], ret_count);
	}
	return itp_path_sets_get_known(input->paths, group->paths, ret_count);
}

/* `counts` has units by node, here and below. */
static void add_units(GHashTable *counts, uint32_t node, uint64_t units)
{
	const gpointer key = GUINT_TO_POINTER(node);
	const gsize before = GPOINTER_TO_SIZE(g_hash_table_lookup(counts, key));

	g_hash_table_insert(counts, key, GSIZE_TO_POINTER(before + units));
}

/* struct counted, largest counts first. Free with g_array_unref(). */
static GArray *sort_counted(GHashTable *counts)
{
	GArray *sorted = g_array_new(FALSE, FALSE, sizeof(struct counted));
	GHashTableIter iter;
	gpointer node;
	gpointer units;

	g_hash_table_iter_init(&iter, counts);
	while (g_hash_table_iter_next(&iter, &node, &units)) {
		const struct counted counted = { GPOINTER_TO_UINT(node), GPOINTER_TO_SIZE(units) };

		g_array_append_val(sorted, counted);
	}
	g_array_sort(sorted, compare_counted);
	return sorted;
}

/* Adds `units` to the nodes from `node` up to the loop's, without nodes in `seen`, unless NULL. */
static void count_path(const struct itp_features *features, uint32_t node, uint64_t units,
		       GHashTable *seen, GHashTable *counts)
{
	while (node != features->loop && node != ITP_CONTEXT_ROOT) {
		const gpointer key = GUINT_TO_POINTER(node);

		if (seen && !g_hash_table_add(seen, key)) {
			return;
		}
		add_units(counts, node, units);
		node = itp_context_tree_get(features->input.tree, node)->parent;
	}
}

/* struct counted: contexts of calls by their units, contexts of ticks by their ticks; a caller
 * before its callees. Free with g_array_unref(). */
static GArray *count_contexts(const struct itp_features *features, bool of_ticks)
{
	const struct itp_features_input *input = &features->input;
	g_autoptr(GHashTable) counts = g_hash_table_new(itp_hash_number, NULL);

	for (guint i = 0; i < input->count; i++) {
		g_autoptr(GHashTable) seen = of_ticks ? NULL :
							g_hash_table_new(itp_hash_number, NULL);
		size_t count = 0;
		const uint32_t *nodes = nodes_of(input, i, of_ticks, &count);

		for (size_t k = 0; k < count; k++) {
			count_path(features, of_ticks ? itp_tick_node(nodes[k]) : nodes[k],
				   itp_unit_groups_at(input->groups, input->numbers[i])->count,
				   seen, counts);
		}
	}
	return sort_counted(counts);
}

/* NONE when the context is not told apart. */
static guint number_of_context(const struct itp_features *features,
			       const struct itp_feature_contexts *contexts, uint32_t node)
{
	gpointer number;

	if (node == features->loop) {
		return 0;
	}
	return g_hash_table_lookup_extended(contexts->numbers, GUINT_TO_POINTER(node), NULL,
					    &number) ?
		       GPOINTER_TO_UINT(number) :
		       NONE;
}

/* Counts of the units in each context whose calls speak with servers: struct counted. Free with
 * g_array_unref(). */
static GArray *count_asking(const struct itp_features *features)
{
	const struct itp_features_input *input = &features->input;
	g_autoptr(GHashTable) counts = g_hash_table_new(itp_hash_number, NULL);

	for (guint i = 0; i < input->count; i++) {
		const struct itp_unit_group *group =
			itp_unit_groups_at(input->groups, input->numbers[i]);
		size_t count = 0;
		const uint32_t *nodes =
			itp_path_sets_get_known(input->paths, group->asking_paths, &count);

		for (size_t k = 0; k < count; k++) {
			add_units(counts, nodes[k], group->count);
		}
	}
	return sort_counted(counts);
}

/* Numbers the calls that speak with servers; `counts` has the units by number. */
static void number_asking(struct itp_feature_contexts *contexts,
			  const struct itp_features *features, GArray *counts)
{
	g_autoptr(GArray) sorted = count_asking(features);

	for (guint i = 0; i < sorted->len && contexts->above->len <= CONTEXTS_MOST; i++) {
		const struct counted *counted = &g_array_index(sorted, struct counted, i);
		const guint above = number_of_context(features, contexts, counted->node);
		const guint number = contexts->above->len;

		if (above != NONE && g_array_index(counts, uint64_t, above) > counted->count) {
			g_array_append_val(contexts->above, above);
			g_array_append_val(counts, counted->count);
			g_hash_table_insert(contexts->asking, GUINT_TO_POINTER(counted->node),
					    GUINT_TO_POINTER(number));
		}
	}
}

/* A context with all units of its caller's tells nothing, and has the caller's number. */
static void contexts_init(struct itp_feature_contexts *contexts,
			  const struct itp_features *features, bool of_ticks, uint64_t units)
{
	g_autoptr(GArray) sorted = count_contexts(features, of_ticks);
	g_autoptr(GArray) counts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const guint of_loop = 0;

	contexts->numbers = g_hash_table_new(itp_hash_number, NULL);
	contexts->above = g_array_new(FALSE, FALSE, sizeof(guint));
	contexts->asking = g_hash_table_new(itp_hash_number, NULL);
	g_array_append_val(contexts->above, of_loop);
	g_array_append_val(counts, units);
	for (guint i = 0; i < sorted->len; i++) {
		const struct counted *counted = &g_array_index(sorted, struct counted, i);
		const guint above = number_of_context(
			features, contexts,
			itp_context_tree_get(features->input.tree, counted->node)->parent);
		guint number = contexts->above->len;

		if (of_ticks && counted->count < TICKS_LEAST) {
			break;
		}
		if (above == NONE || (number > CONTEXTS_MOST &&
				      g_array_index(counts, uint64_t, above) != counted->count)) {
			continue;
		}
		if (!of_ticks && g_array_index(counts, uint64_t, above) == counted->count) {
			number = above;
		} else {
			g_array_append_val(contexts->above, above);
			g_array_append_val(counts, counted->count);
		}
		g_hash_table_insert(contexts->numbers, GUINT_TO_POINTER(counted->node),
				    GUINT_TO_POINTER(number));
	}
	if (!of_ticks) {
		number_asking(contexts, features, counts);
	}
}

static void contexts_release(struct itp_feature_contexts *contexts)
{
	g_hash_table_unref(contexts->asking);
	g_hash_table_unref(contexts->numbers);
	g_array_unref(contexts->above);
}

/* Name of the context's system call, without its prefix; NULL for a function. Weak. */
static const char *call_of(const struct itp_features *features, uint32_t node)
{
	return itp_function_syscall(
		itp_context_function(features->input.tree, features->input.functions, node));
}

static bool is_write(const struct itp_features *features, uint32_t node)
{
	const char *call = call_of(features, node);

	return call && itp_descriptor_use_of(call) == ITP_DESCRIPTOR_WRITTEN;
}

/* The number of a read that is also the number of another call is no read. */
static void find_uses(struct itp_features *features)
{
	const guint count = features->calls.above->len;
	g_autofree bool *others = g_new0(bool, count);
	GHashTableIter iter;
	gpointer node;
	gpointer number;

	features->writes = g_new0(bool, count);
	features->reads = g_new0(bool, count);
	g_hash_table_iter_init(&iter, features->calls.numbers);
	while (g_hash_table_iter_next(&iter, &node, &number)) {
		const guint i = GPOINTER_TO_UINT(number);
		const char *call = call_of(features, GPOINTER_TO_UINT(node));
		const bool is_read = call && itp_descriptor_use_of(call) == ITP_DESCRIPTOR_READ;

		features->writes[i] |= is_write(features, GPOINTER_TO_UINT(node));
		features->reads[i] |= is_read;
		others[i] |= call && !is_read;
	}
	for (guint i = 0; i < count; i++) {
		features->reads[i] &= !others[i];
	}
}

/* ---- Counts ---- */

static void add_asking(const struct itp_features *features, guint i, uint64_t units,
		       uint64_t *counts)
{
	const struct itp_unit_group *group =
		itp_unit_groups_at(features->input.groups, features->input.numbers[i]);
	size_t count = 0;
	const uint32_t *nodes =
		itp_path_sets_get_known(features->input.paths, group->asking_paths, &count);

	for (size_t k = 0; k < count; k++) {
		/* The loop itself, number 0, is no such call. */
		const guint number = GPOINTER_TO_UINT(
			g_hash_table_lookup(features->calls.asking, GUINT_TO_POINTER(nodes[k])));

		counts[number] += number > 0 ? units : 0;
	}
}

static void add_call_units(const struct itp_features *features, guint i, uint64_t units,
			   uint64_t *counts)
{
	g_autofree bool *is_in = g_new0(bool, features->calls.above->len);
	size_t count = 0;
	const uint32_t *nodes = nodes_of(&features->input, i, false, &count);

	for (size_t k = 0; k < count; k++) {
		uint32_t node = nodes[k];
		guint number = number_of_context(features, &features->calls, node);

		while (number == NONE && node != ITP_CONTEXT_ROOT) {
			node = itp_context_tree_get(features->input.tree, node)->parent;
			number = number_of_context(features, &features->calls, node);
		}
		for (; number != NONE && number > 0 && !is_in[number];
		     number = itp_feature_above(&features->calls, number)) {
			is_in[number] = true;
			counts[number] += units;
		}
	}
	add_asking(features, i, units, counts);
}

/* True when the group's units have answered, and none of their contexts shows the answer. */
static bool is_unseen(const struct itp_features *features, guint i)
{
	const struct itp_unit_group *group =
		itp_unit_groups_at(features->input.groups, features->input.numbers[i]);
	size_t count = 0;
	const uint32_t *nodes = nodes_of(&features->input, i, false, &count);

	if (group->answered_class == 0 || group->answered_class == ITP_SIZE_UNKNOWN) {
		return false;
	}
	for (size_t k = 0; k < count; k++) {
		if (is_write(features, nodes[k])) {
			return false;
		}
	}
	return true;
}

/* Contexts of the group's units as shown by calls: nodes. Free with g_hash_table_unref(). */
static GHashTable *shown_contexts(const struct itp_features *features, guint i)
{
	GHashTable *shown = g_hash_table_new(itp_hash_number, NULL);
	size_t count = 0;
	const uint32_t *nodes = nodes_of(&features->input, i, false, &count);

	g_hash_table_add(shown, GUINT_TO_POINTER(features->loop));
	for (size_t k = 0; k < count; k++) {
		uint32_t node = nodes[k];

		while (node != ITP_CONTEXT_ROOT &&
		       g_hash_table_add(shown, GUINT_TO_POINTER(node))) {
			node = itp_context_tree_get(features->input.tree, node)->parent;
		}
	}
	return shown;
}

/* A tick's context is news only below the contexts shown by calls. */
static void add_ticks(const struct itp_features *features, guint i, uint64_t units,
		      uint64_t *counts)
{
	g_autoptr(GHashTable) shown = shown_contexts(features, i);
	size_t count = 0;
	const uint32_t *nodes = nodes_of(&features->input, i, true, &count);

	for (size_t k = 0; k < count; k++) {
		uint32_t node = itp_tick_node(nodes[k]);
		guint number = number_of_context(features, &features->ticks, node);

		if (number != NONE) {
			counts[features->own_at + number] += units;
		}
		if (number != NONE && !g_hash_table_contains(shown, GUINT_TO_POINTER(node))) {
			counts[features->selves_at + number] += units;
		}
		while (node != ITP_CONTEXT_ROOT &&
		       !g_hash_table_contains(shown, GUINT_TO_POINTER(node))) {
			number = number_of_context(features, &features->ticks, node);
			if (number != NONE) {
				counts[features->ticks_at + number] += units;
			}
			node = itp_context_tree_get(features->input.tree, node)->parent;
		}
	}
}

static uint64_t units_of_group(const struct itp_features *features, guint i)
{
	return itp_unit_groups_at(features->input.groups, features->input.numbers[i])->count;
}

static void add_size(const struct itp_feature_sizes *sizes, guint class, uint64_t units,
		     uint64_t *counts)
{
	if (class != ITP_SIZE_UNKNOWN) {
		counts[sizes->at + sizes->numbers[class]] += units;
	}
}

void itp_features_add(const struct itp_features *features, guint i, uint64_t *counts)
{
	const struct itp_unit_group *group =
		itp_unit_groups_at(features->input.groups, features->input.numbers[i]);
	const uint64_t units = group->count;
	size_t paths = 0;

	(void)nodes_of(&features->input, i, false, &paths);
	counts[features->paths_at] += paths * units;
	counts[features->heard_at] +=
		group->asked_class != 0 && group->asked_class != ITP_SIZE_UNKNOWN ? units : 0;
	counts[features->unseen_at] += is_unseen(features, i) ? units : 0;
	counts[0] += units;
	add_call_units(features, i, units, counts);
	add_ticks(features, i, units, counts);
	counts[features->classes_at + group->cpu_class] += units;
	add_size(&features->asked, group->asked_class, units, counts);
	add_size(&features->answered, group->answered_class, units, counts);
}

guint itp_features_length(const struct itp_features *features)
{
	return features->length;
}

/* ---- Made and freed ---- */

static void count_parts(struct itp_features *features)
{
	const guint contexts = features->ticks.above->len;

	features->parts = g_new0(guint, contexts);
	for (guint i = 0; i < contexts; i++) {
		features->parts[i] += features->all[features->selves_at + i] > 0;
		if (i > 0 && features->all[features->ticks_at + i] > 0) {
			features->parts[itp_feature_above(&features->ticks, i)]++;
		}
	}
}

/* Units of the groups by class of size. */
static void sum_sizes(const struct itp_features *features, bool of_answers, uint64_t *units)
{
	const struct itp_features_input *input = &features->input;

	for (guint i = 0; i < input->count; i++) {
		const struct itp_unit_group *group =
			itp_unit_groups_at(input->groups, input->numbers[i]);

		units[of_answers ? group->answered_class : group->asked_class] += group->count;
	}
}

static void sizes_init(struct itp_feature_sizes *sizes, const struct itp_features *features,
		       bool of_answers)
{
	g_autofree uint64_t *units = g_new0(uint64_t, ITP_SIZE_CLASSES + 1);
	g_autofree guint *modes = g_new(guint, ITP_SIZE_CLASSES);

	sum_sizes(features, of_answers, units);
	itp_modes_number(units, ITP_SIZE_CLASSES, modes);
	for (guint i = 0; i < ITP_SIZE_CLASSES; i++) {
		if (units[i] > 0) {
			sizes->numbers[i] = sizes->count;
			sizes->modes[sizes->count++] = modes[i];
		}
	}
}

/* Other values are seldom needed for `units` units. */
static void keep_gammas(struct itp_features *features, uint64_t units)
{
	features->gamma_count = (guint)MIN(4 * units + 2 * ITP_CPU_CLASSES, GAMMAS_KEPT);
	features->gammas = g_new0(double, features->gamma_count);
	for (guint i = 1; i < features->gamma_count; i++) {
		features->gammas[i] = lgamma(i / 2.0);
	}
}

struct itp_features *itp_features_new(const struct itp_features_input *input)
{
	struct itp_features *features = g_new0(struct itp_features, 1);
	uint64_t units = 0;

	features->input = *input;
	features->loop = itp_unit_groups_at(input->groups, input->numbers[0])->loop;
	for (guint i = 0; i < input->count; i++) {
		units += units_of_group(features, i);
	}
	keep_gammas(features, units);
	contexts_init(&features->calls, features, false, units);
	find_uses(features);
	contexts_init(&features->ticks, features, true, 0);
	features->ticks_at = features->calls.above->len;
	features->selves_at = features->ticks_at + features->ticks.above->len;
	features->own_at = features->selves_at + features->ticks.above->len;
	features->classes_at = features->own_at + features->ticks.above->len;
	sizes_init(&features->asked, features, false);
	sizes_init(&features->answered, features, true);
	features->asked.at = features->classes_at + ITP_CPU_CLASSES;
	features->answered.at = features->asked.at + features->asked.count;
	features->heard_at = features->answered.at + features->answered.count;
	features->unseen_at = features->heard_at + 1;
	features->paths_at = features->unseen_at + 1;
	features->length = features->paths_at + 1;
	features->all = g_new0(uint64_t, features->length);
	for (guint i = 0; i < input->count; i++) {
		itp_features_add(features, i, features->all);
	}
	count_parts(features);
	return features;
}

void itp_features_free(struct itp_features *features)
{
	contexts_release(&features->calls);
	contexts_release(&features->ticks);
	g_free(features->writes);
	g_free(features->reads);
	g_free(features->parts);
	g_free(features->all);
	g_free(features->gammas);
	g_free(features);
}

double itp_features_paths(const struct itp_features *features, const uint64_t *counts)
{
	return (double)counts[features->paths_at] / (double)MAX(counts[0], 1);
}

bool itp_features_reads(const struct itp_features *features, guint i)
{
	return features->reads[i];
}

uint64_t itp_features_heard(const struct itp_features *features, const uint64_t *counts)
{
	return counts[features->heard_at];
}

uint64_t itp_features_known(const struct itp_features *features, const uint64_t *counts, guint i)
{
	return counts[0] - (features->writes[i] ? counts[features->unseen_at] : 0);
}

const uint64_t *itp_features_calls(const struct itp_features *features, const uint64_t *counts,
				   guint *ret_count)
{
	*ret_count = features->calls.above->len;
	return counts;
}

const uint64_t *itp_features_ticks(const struct itp_features *features, const uint64_t *counts,
				   guint *ret_count)
{
	*ret_count = features->ticks.above->len;
	return counts + features->ticks_at;
}

const uint64_t *itp_features_own_ticks(const struct itp_features *features, const uint64_t *counts,
				       guint *ret_count)
{
	*ret_count = features->ticks.above->len;
	return counts + features->own_at;
}

double itp_features_apart(const struct itp_features *features, const uint64_t *one,
			  const uint64_t *other, enum itp_size size, bool by_modes)
{
	const struct itp_feature_sizes *sizes = size == ITP_SIZE_ASKED ? &features->asked :
									 &features->answered;
	double apart = 0;

	for (guint i = 0; i < sizes->count;) {
		const guint first = i;
		double difference = 0;

		do {
			difference += (double)one[sizes->at + i] / (double)one[0] -
				      (double)other[sizes->at + i] / (double)other[0];
			i++;
		} while (by_modes && i < sizes->count && sizes->modes[i] == sizes->modes[first]);
		apart += fabs(difference) / 2;
	}
	return apart;
}

const uint64_t *itp_features_classes(const struct itp_features *features, const uint64_t *counts)
{
	return counts + features->classes_at;
}
