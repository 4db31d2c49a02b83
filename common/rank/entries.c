/* SPDX-License-Identifier: MIT */
/*
 * Grouping by culprit, and the sums of the groups in one pass over the tree: a node's costs belong
 * to the entry of the nearest culprit above it.
 */
#include "common/rank/entries.h"

#include "common/base/order.h"
#include "common/rank/often.h"
#include "common/rank/path.h"

#include <stdlib.h>

#include "common/base/hash.h"

/* Least part of longer waits for others that what these do beyond the base must come to. */
#define PART_GROWN 0.5

/* Place of a node. */
struct place {
	/* Nearest culprit at or above it, and system call. */
	uint32_t culprit;
	uint32_t syscall;
	/* Position of a culprit's variant in the entry, from 1; 0 before it has a variant. */
	uint32_t variant;
};

/* Sums of the entries in the making. */
struct summing {
	const struct itp_rank_state *state;
	struct itp_rank_entries *result;
	/* Places by node. Owned by this. */
	struct place *places;
	/* Function that stands for the module, by function. Owned by this. */
	uint32_t *representative;
	/* Pair of entry and function, which may stand for a module, → Δ (int64_t *). Owned by
	 * this. */
	GHashTable *by_module;
	GHashTable *by_syscall;
	/* Owned by this. */
	struct itp_often_sums *often;
};

static void clear_entry(gpointer data)
{
	struct itp_rank_entry *entry = data;

	g_array_unref(entry->variants);
	g_array_unref(entry->woken);
	g_array_unref(entry->started);
}

static uint32_t add_entry(struct itp_rank_entries *result, uint32_t leaf)
{
	const struct itp_rank_entry entry = {
		.leaf = leaf,
		.variants = g_array_new(FALSE, FALSE, sizeof(struct itp_variant)),
		.woken = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.started = g_array_new(FALSE, FALSE, sizeof(struct itp_started)),
	};

	g_array_append_val(result->entries, entry);
	return result->entries->len - 1;
}

/* Adds an entry for a path that stands for itself. */
static void add_lone_entry(const struct itp_rank_state *state, struct itp_rank_entries *result,
			   const struct itp_rank_leaf *leaf, uint32_t index)
{
	struct itp_rank_entry *entry = itp_rank_entry_at(result->entries, add_entry(result, index));

	entry->path_count = 1;
	entry->culprit = leaf->culprit;
	entry->suspect_value = state->suspect.path_value[leaf->node];
	entry->base_value = entry->suspect_value - leaf->cost;
}

/* Process and function of the culprit. */
static gpointer key_of(const struct itp_rank_state *state, uint32_t culprit)
{
	return itp_pair(itp_rank_program(state, culprit), itp_rank_function_id(state, culprit));
}

/* Makes an entry of each process and function with culprits. */
static void group(const struct itp_rank_state *state, const uint32_t *culprits,
		  struct itp_rank_entries *result)
{
	g_autoptr(GHashTable) by_key = g_hash_table_new(itp_hash_number, NULL);

	for (uint32_t node = 1; node < state->node_count; node++) {
		gpointer key;
		gpointer known;

		if (culprits[node] != node) {
			continue;
		}
		key = key_of(state, node);
		if (!g_hash_table_lookup_extended(by_key, key, NULL, &known)) {
			known = GUINT_TO_POINTER(add_entry(result, ITP_NO_LEAF));
			g_hash_table_insert(by_key, key, known);
		}
		result->owner[node] = GPOINTER_TO_UINT(known);
	}
}

static void add_to(GHashTable *sums, uint32_t entry, uint32_t function, int64_t part_ns)
{
	*(int64_t *)itp_value_at(sums, itp_pair(entry, function), sizeof(int64_t)) += part_ns;
}

/* First function of each module, which stands for all of it, by function. */
static uint32_t *representatives(const struct itp_rank_state *state)
{
	uint32_t size = itp_function_table_size(state->functions);
	uint32_t *first = g_new0(uint32_t, size);
	g_autoptr(GHashTable) by_module = g_hash_table_new(itp_hash_text, g_str_equal);

	for (uint32_t id = 1; id < size; id++) {
		const char *module = itp_function_table_get(state->functions, id)->module;
		gpointer known = g_hash_table_lookup(by_module, module);

		if (!known) {
			known = GUINT_TO_POINTER(id);
			g_hash_table_insert(by_module, (gpointer)module, known);
		}
		first[id] = GPOINTER_TO_UINT(known);
	}
	return first;
}

static struct itp_variant *variant_of(struct summing *summing, struct itp_rank_entry *entry,
				      uint32_t culprit)
{
	if (summing->places[culprit].variant == 0) {
		const struct itp_variant variant = { .node = culprit };

		g_array_append_val(entry->variants, variant);
		summing->places[culprit].variant = entry->variants->len;
	}
	return &g_array_index(entry->variants, struct itp_variant,
			      summing->places[culprit].variant - 1);
}

/* Adds the time of `node` to the entry `number`, by module, system call and wakers; and its
 * ticks. */
static void add_place(struct summing *summing, uint32_t number, uint32_t node)
{
	const struct itp_rank_state *state = summing->state;
	const struct itp_node_stats *suspect = itp_side_stats(&state->suspect, node);
	int64_t blocked_ns = suspect->own_use.blocked_ns -
			     itp_side_stats(&state->base, node)->own_use.blocked_ns;
	guint waker_count;

	if (itp_wakers_of_node(state->suspect.profile->wakers, node, &waker_count)) {
		g_array_append_val(itp_rank_entry_at(summing->result->entries, number)->woken,
				   node);
	}
	itp_ticks_add(&itp_rank_entry_at(summing->result->entries, number)->ticks, suspect);
	add_to(summing->by_module, number,
	       summing->representative[itp_rank_function_id(state, node)],
	       itp_rank_own_delta(state, node));
	if (summing->places[node].syscall != ITP_FUNCTION_UNKNOWN) {
		add_to(summing->by_syscall, number, summing->places[node].syscall, blocked_ns);
		if (state->base.profile) {
			itp_often_sums_add(summing->often, number, summing->places[node].syscall,
					   node);
		}
	}
}

static int64_t passed_on(const struct itp_node_stats *stats)
{
	return CLAMP(stats->demand.passed_ns, 0, MAX(stats->own_use.blocked_ns, 0));
}

static void add_node(struct summing *summing, uint32_t node)
{
	const struct itp_rank_state *state = summing->state;
	uint32_t number = summing->result->owner[node];
	struct itp_rank_entry *entry = itp_rank_entry_at(summing->result->entries, number);
	struct itp_variant *variant = variant_of(summing, entry, summing->places[node].culprit);

	if (summing->places[node].culprit == node) {
		entry->suspect_calls = itp_call_bounds_sum(
			entry->suspect_calls, itp_side_calls(state, &state->suspect, node));
		entry->base_calls = itp_call_bounds_sum(entry->base_calls,
							itp_side_calls(state, &state->base, node));
	}
	variant->suspect_ns += state->suspect.value[node];
	variant->base_ns += state->base.value[node];
	entry->suspect_value += state->suspect.value[node];
	entry->base_value += state->base.value[node];
	entry->passed_ns += passed_on(itp_side_stats(&state->suspect, node)) -
			    passed_on(itp_side_stats(&state->base, node));
	itp_time_use_add(&entry->delta.use, &itp_side_stats(&state->suspect, node)->own_use, 1);
	itp_time_use_add(&entry->delta.use, &itp_side_stats(&state->base, node)->own_use, -1);
	add_place(summing, number, node);
}

/* Adds places of paths that stand for themselves. */
static void add_lone_places(struct summing *summing, const GArray *leaves)
{
	for (guint i = 0; i < summing->result->entries->len; i++) {
		const struct itp_rank_entry *entry = itp_rank_entry_at(summing->result->entries, i);
		uint32_t node;

		if (!itp_rank_entry_is_path(entry)) {
			continue;
		}
		node = g_array_index(leaves, struct itp_rank_leaf, entry->leaf).node;
		for (; itp_rank_is_frame(summing->state, node);
		     node = itp_rank_parent(summing->state, node)) {
			if (!itp_rank_is_apart(summing->state, node)) {
				add_place(summing, i, node);
			}
		}
	}
}

static void add_nodes(struct summing *summing)
{
	const struct itp_rank_state *state = summing->state;
	uint32_t *owner = summing->result->owner;

	for (uint32_t node = 1; node < state->node_count; node++) {
		uint32_t parent = itp_rank_parent(state, node);
		bool is_syscall = itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL;

		summing->places[node].syscall = is_syscall ? itp_rank_function_id(state, node) :
							     summing->places[parent].syscall;
		if (owner[node] != ITP_NO_ENTRY) {
			summing->places[node].culprit = node;
		} else {
			owner[node] = owner[parent];
			summing->places[node].culprit = summing->places[parent].culprit;
		}
		if (owner[node] != ITP_NO_ENTRY && !itp_rank_is_apart(state, node)) {
			add_node(summing, node);
		}
	}
}

/* Functions with the most of each entry's Δ in `sums`. */
static uint32_t *heaviest(const struct summing *summing, GHashTable *sums)
{
	const struct itp_function_table *functions = summing->state->functions;
	guint count = summing->result->entries->len;
	uint32_t *best = g_new0(uint32_t, count);
	g_autofree int64_t *best_ns = g_new0(int64_t, count);
	GHashTableIter iter;
	gpointer key;
	gpointer sum;

	g_hash_table_iter_init(&iter, sums);
	while (g_hash_table_iter_next(&iter, &key, &sum)) {
		uint32_t entry = itp_pair_high(key);
		uint32_t function = itp_pair_low(key);
		const struct itp_rank_entry *owner =
			itp_rank_entry_at(summing->result->entries, entry);
		int64_t sign = owner->suspect_value >= owner->base_value ? 1 : -1;
		int64_t part_ns = sign * *(int64_t *)sum;

		if (part_ns > best_ns[entry] ||
		    (part_ns == best_ns[entry] && part_ns > 0 &&
		     itp_function_compare(functions, function, best[entry]) < 0)) {
			best_ns[entry] = part_ns;
			best[entry] = function;
		}
	}
	return best;
}

/* Order by |Δ|, then by path. */
static gint compare_variants(gconstpointer a, gconstpointer b, gpointer state)
{
	const struct itp_variant *left = a;
	const struct itp_variant *right = b;
	int64_t left_ns = llabs(left->suspect_ns - left->base_ns);
	int64_t right_ns = llabs(right->suspect_ns - right->base_ns);
	gint order = ITP_ORDER(right_ns, left_ns);

	return order ?: itp_rank_compare_paths(state, left->node, right->node);
}

static void finish_variants(const struct itp_rank_state *state, struct itp_rank_entries *result)
{
	for (guint i = 0; i < result->entries->len; i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(result->entries, i);

		if (entry->variants->len > 0) {
			itp_calls_split(&entry->delta, entry->suspect_value, entry->base_value,
					entry->suspect_calls, entry->base_calls);
			g_array_sort_with_data(entry->variants, compare_variants, (gpointer)state);
		}
	}
}

static void name_places(const struct summing *summing)
{
	g_autofree uint32_t *modules = heaviest(summing, summing->by_module);
	g_autofree uint32_t *syscalls = heaviest(summing, summing->by_syscall);
	g_autofree struct itp_often *often =
		itp_often_find(summing->often, summing->result->entries->len);

	for (guint i = 0; i < summing->result->entries->len; i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(summing->result->entries, i);

		entry->cost_function = modules[i];
		entry->syscall = syscalls[i];
		entry->often = often[i];
	}
}

/* Sets the path of an entry: through the first of its variants in any workload, and from there to
 * most of the Δ. */
static void choose_path(struct itp_rank_entry *entry, const uint32_t *followed)
{
	for (guint i = 0; i < entry->variants->len && entry->leaf == ITP_NO_LEAF; i++) {
		entry->culprit = g_array_index(entry->variants, struct itp_variant, i).node;
		entry->leaf = followed[entry->culprit];
	}
}

/* Counts paths at their own culprits; paths without a culprit get entries of their own. */
static void choose_paths(const struct itp_rank_state *state, const GArray *leaves,
			 struct itp_rank_entries *result)
{
	g_autofree uint32_t *followed = itp_branches_follow(state, result, leaves);

	for (guint i = 0; i < result->entries->len; i++) {
		choose_path(itp_rank_entry_at(result->entries, i), followed);
	}
	for (guint i = 0; i < leaves->len; i++) {
		const struct itp_rank_leaf *leaf = &g_array_index(leaves, struct itp_rank_leaf, i);

		if (leaf->culprit == ITP_CONTEXT_ROOT) {
			add_lone_entry(state, result, leaf, i);
		} else {
			itp_rank_entry_at(result->entries, result->owner[leaf->culprit])
				->path_count++;
		}
	}
}

/* Disowns nodes of entries without a path, such as entries of idle nodes alone: there is nothing to
 * show. Nothing is added to them later, and they are dropped as empty. */
static void disown_pathless(const struct itp_rank_state *state, struct itp_rank_entries *result)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		uint32_t number = result->owner[node];

		if (number != ITP_NO_ENTRY &&
		    itp_rank_entry_at(result->entries, number)->leaf == ITP_NO_LEAF) {
			result->owner[node] = ITP_NO_ENTRY;
		}
	}
}

/* Makes entries of paths that share their culprits, or an entry for each path. */
static void make_entries(struct summing *summing, const uint32_t *culprits, const GArray *leaves)
{
	const struct itp_rank_state *state = summing->state;
	bool folds = itp_rank_folds(state);

	if (folds) {
		group(state, culprits, summing->result);
	}
	add_nodes(summing);
	if (folds) {
		finish_variants(state, summing->result);
		choose_paths(state, leaves, summing->result);
		disown_pathless(state, summing->result);
		return;
	}
	for (guint i = 0; i < leaves->len; i++) {
		add_lone_entry(state, summing->result,
			       &g_array_index(leaves, struct itp_rank_leaf, i), i);
	}
}

static bool is_newcomer(const struct itp_rank_state *state, const GArray *leaves,
			const struct itp_rank_entry *entry)
{
	uint32_t leaf;

	if (!state->counts_waiting || itp_rank_entry_is_empty(entry)) {
		return false;
	}
	leaf = g_array_index(leaves, struct itp_rank_leaf, entry->leaf).node;
	return !state->base.is_present[itp_rank_process(state, leaf)];
}

/* Mean number of threads that waited at once in the suspect for others that worked, while it ran;
 * at least one. */
static double waiting_at_once(const struct itp_rank_state *state)
{
	const struct itp_infer_counts *counts = &state->suspect.profile->workload.counts;
	const double length_ns = (double)counts->end_ns - (double)counts->begin_ns;
	double passed_ns = 0;

	for (uint32_t node = 1; node < state->node_count; node++) {
		passed_ns += (double)passed_on(itp_side_stats(&state->suspect, node));
	}
	return length_ns > 0 ? MAX(passed_ns / length_ns, 1) : 1;
}

/* True if what others did beyond the base can have made the waits for them longer: counted once for
 * each thread that waited at once, it is a large enough part of them. Else the waits are not
 * theirs: they do as much as before, and threads have come to wait for one another. */
static bool is_passed_to_growth(const struct itp_rank_state *state, const GArray *entries)
{
	double passed_ns = 0;
	double grown_ns = 0;

	for (guint i = 0; i < entries->len; i++) {
		const struct itp_rank_entry *entry = itp_rank_entry_at(entries, i);

		passed_ns += (double)entry->passed_ns;
		grown_ns += MAX((double)entry->weight - (double)entry->passed_ns, 0);
	}
	return passed_ns <= 0 || grown_ns * waiting_at_once(state) >= PART_GROWN * passed_ns;
}

static void weigh(const struct itp_rank_state *state, const GArray *leaves, GArray *entries)
{
	bool is_passed;

	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(entries, i);

		entry->weight = entry->suspect_value - entry->base_value;
		if (!state->counts_waiting) {
			entry->weight -= entry->delta.use.runnable_ns;
		}
	}
	is_passed = !state->base.profile || is_passed_to_growth(state, entries);
	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(entries, i);

		entry->weight -= is_passed ? entry->passed_ns : 0;
		entry->cause = ITP_NO_ENTRY;
		entry->is_waited_for = false;
		entry->is_newcomer = is_newcomer(state, leaves, entry);
	}
}

struct itp_rank_entries *itp_rank_entries_new(const struct itp_rank_state *state,
					      const uint32_t *culprits, const GArray *leaves)
{
	struct itp_rank_entries *result = g_new0(struct itp_rank_entries, 1);
	struct summing summing = {
		.state = state,
		.result = result,
		.places = g_new0(struct place, state->node_count),
		.representative = representatives(state),
		.by_module = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free),
		.by_syscall = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free),
		.often = itp_often_sums_new(state),
	};

	result->entries = g_array_new(FALSE, FALSE, sizeof(struct itp_rank_entry));
	g_array_set_clear_func(result->entries, clear_entry);
	result->owner = g_new(uint32_t, state->node_count);
	for (uint32_t node = 0; node < state->node_count; node++) {
		result->owner[node] = ITP_NO_ENTRY;
	}
	make_entries(&summing, culprits, leaves);
	add_lone_places(&summing, leaves);
	name_places(&summing);
	weigh(state, leaves, result->entries);
	g_hash_table_destroy(summing.by_module);
	g_hash_table_destroy(summing.by_syscall);
	itp_often_sums_free(summing.often);
	g_free(summing.representative);
	g_free(summing.places);
	return result;
}

void itp_rank_entries_free(struct itp_rank_entries *entries)
{
	g_array_unref(entries->entries);
	g_free(entries->owner);
	g_free(entries);
}
