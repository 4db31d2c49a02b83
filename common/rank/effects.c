/* SPDX-License-Identifier: MIT */
/*
 * See effects.h. Only the first entries are looked at: what comes later is small.
 */
#include "common/rank/effects.h"

#define ENTRIES_MOST 64
/* Of the time in which something is known to have run, and of the wait's Δ. */
#define PART_EXPLAINED 0.5
/* That one difference is chance; of many, which noise.h judges, some are as unlikely. */
#define CHANCE_MOST 0.05

static struct itp_rank_entry *entry_at(const GArray *entries, guint i)
{
	return &g_array_index(entries, struct itp_rank_entry, i);
}

static int64_t delta_of(const struct itp_rank_entry *entry)
{
	return entry->suspect_value - entry->base_value;
}

static bool is_wait(const struct itp_rank_entry *entry)
{
	return 2 * entry->delta.use.blocked_ns > delta_of(entry) && delta_of(entry) > 0;
}

/* What explains a wait that is no chance is none either, if it is unlikely to be by itself. */
static bool is_real(const struct itp_rank_entry *cause, const struct itp_rank_entry *wait)
{
	const struct itp_significance *of = &cause->significance;

	return !of->is_noise ||
	       (!wait->significance.is_noise && of->doubt != ITP_DOUBT_ABOUT_SIZE &&
		of->probability <= CHANCE_MOST);
}

static bool may_be_cause(const struct itp_rank_entry *cause, const struct itp_rank_entry *wait)
{
	return cause != wait && is_real(cause, wait) && !cause->is_rare &&
	       cause->cause == ITP_NO_ENTRY && delta_of(cause) > 0;
}

/* Whether what `cause` costs more is as much as half of what `wait` does, for each of those that
 * waited at once: what ran for `ran_ns` of the waits takes less time than that by itself. */
static bool is_large_enough(const struct itp_rank_entry *cause, const struct itp_rank_entry *wait,
			    int64_t ran_ns)
{
	double waiting = MAX(1, (double)ran_ns / (double)cause->suspect_value);

	return waiting * (double)delta_of(cause) >= PART_EXPLAINED * (double)delta_of(wait);
}

static bool is_on_path(const struct itp_rank_state *state, uint32_t node, uint32_t function)
{
	while (itp_rank_is_frame(state, node) &&
	       itp_context_tree_get(state->tree, node)->function != function) {
		node = itp_rank_parent(state, node);
	}
	return itp_rank_is_frame(state, node);
}

static bool has_started(const struct itp_rank_entry *entry, uint32_t process)
{
	for (guint i = 0; i < entry->started->len; i++) {
		if (g_array_index(entry->started, struct itp_started, i).process == process) {
			return true;
		}
	}
	return false;
}

/* How long functions on the path to `leaf`, that of `cause`, ran, of `ran`, and programs that it
 * started. */
static int64_t explained_ns(const struct itp_rank_state *state, const GArray *ran,
			    const struct itp_rank_entry *cause, uint32_t leaf)
{
	uint32_t root = itp_rank_process(state, leaf);
	uint32_t process = itp_context_tree_get(state->tree, root)->function;
	int64_t sum_ns = 0;

	for (guint i = 0; i < ran->len; i++) {
		const struct itp_waker *one = &g_array_index(ran, struct itp_waker, i);

		if (has_started(cause, one->process) ||
		    (one->process == process && is_on_path(state, leaf, one->function))) {
			sum_ns += one->blocked_ns;
		}
	}
	return sum_ns;
}

static uint32_t find_cause(const struct itp_rank_state *state, const GArray *leaves,
			   const GArray *entries, const struct itp_rank_entry *wait)
{
	guint count = MIN(entries->len, ENTRIES_MOST);
	g_autoptr(GArray) ran = itp_wakers_of_nodes(state->suspect.profile->wakers, ITP_WAKER_RAN,
						    (const uint32_t *)(void *)wait->woken->data,
						    wait->woken->len, state->functions);
	int64_t all_ns = itp_wakers_sum_ns(ran);

	for (guint i = 0; all_ns > 0 && i < count; i++) {
		const struct itp_rank_entry *cause = entry_at(entries, i);
		int64_t ran_ns;
		uint32_t leaf;

		if (!may_be_cause(cause, wait)) {
			continue;
		}
		leaf = g_array_index(leaves, struct itp_rank_leaf, cause->leaf).node;
		ran_ns = explained_ns(state, ran, cause, leaf);
		if ((double)ran_ns >= PART_EXPLAINED * (double)all_ns &&
		    is_large_enough(cause, wait, ran_ns)) {
			return i;
		}
	}
	return ITP_NO_ENTRY;
}

/* Causes come first; they have none themselves. */
static void put_causes_first(GArray *entries)
{
	g_autofree uint32_t *place = g_new(uint32_t, entries->len);
	GArray *sorted =
		g_array_sized_new(FALSE, FALSE, sizeof(struct itp_rank_entry), entries->len);

	for (guint i = 0; i < entries->len; i++) {
		place[i] = ITP_NO_ENTRY;
	}
	for (guint i = 0; i < entries->len; i++) {
		uint32_t both[] = { entry_at(entries, i)->cause, i };

		for (size_t j = 0; j < G_N_ELEMENTS(both); j++) {
			if (both[j] != ITP_NO_ENTRY && place[both[j]] == ITP_NO_ENTRY) {
				place[both[j]] = sorted->len;
				g_array_append_val(sorted, *entry_at(entries, both[j]));
			}
		}
	}
	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = entry_at(entries, i);

		*entry = *entry_at(sorted, i);
		entry->cause = entry->cause == ITP_NO_ENTRY ? ITP_NO_ENTRY : place[entry->cause];
	}
	g_array_unref(sorted);
}

/* What an entry waits for may be found to wait itself: the last one is the cause of all. */
static void follow_causes(GArray *entries)
{
	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = entry_at(entries, i);

		while (entry->cause != ITP_NO_ENTRY &&
		       entry_at(entries, entry->cause)->cause != ITP_NO_ENTRY) {
			entry->cause = entry_at(entries, entry->cause)->cause;
		}
		if (entry->cause != ITP_NO_ENTRY) {
			entry_at(entries, entry->cause)->is_waited_for = true;
			entry_at(entries, entry->cause)->significance.is_noise = false;
		}
	}
}

void itp_effects_find(const struct itp_rank_state *state, const GArray *leaves, GArray *entries)
{
	for (guint i = 0; i < MIN(entries->len, ENTRIES_MOST); i++) {
		struct itp_rank_entry *entry = entry_at(entries, i);

		if (is_wait(entry)) {
			entry->cause = find_cause(state, leaves, entries, entry);
		}
	}
	follow_causes(entries);
	put_causes_first(entries);
}
