/* SPDX-License-Identifier: MIT */
/*
 * Waits for what another entry costs: a client waits for its service, and the service is slow.
 *
 * What ran while an entry was blocked is known (role ITP_WAKER_RAN). Where most of that is on the
 * path of another entry, or a program that it started more often (started.c), and that entry has
 * become slower by a like amount, the wait is an effect of it, and the reader needs one entry and
 * not two. Where several have together, it is one of the first of them. Of a lock, several may wait
 * at once for what takes its holder once as long, but not more than there are threads. What
 * explains a difference that is sure or likely is likely itself, unless it is chance by more than a
 * twentieth.
 *
 * Only the first entries are looked at: what comes later is small.
 */
#include "common/rank/steps.h"

#define ENTRIES_MOST 64
/* Of the wait's Δ: in so much of it at least something is known to have run, or to have kept its
 * threads waiting. One that mostly sleeps waits for nobody, whoever once held it up. */
#define PART_KNOWN 0.01
/* Of the time in which something is known to have run, and of the wait's Δ. */
#define PART_EXPLAINED 0.5
/* Of the former, for each of several that explain a wait together. */
#define PART_OF_SEVERAL 0.1
/* Of the time that others kept a wait's threads waiting, and of its Δ, where who did it need not do
 * more than before: it has come to do it while others wait. */
#define PART_KEPT 0.9
#define PART_GROWN 0.1
/* That one difference is chance; of many, which verdict.h judges, some are as unlikely. */
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

/* A cause of a wait that is no chance is none either, if it is unlikely to be by itself. Chance
 * explains chance, and both stay that. */
static bool is_real(const struct itp_rank_entry *cause, const struct itp_rank_entry *wait)
{
	const struct itp_significance *of = &cause->significance;

	return !itp_significance_is_chance(of) || itp_significance_is_chance(&wait->significance) ||
	       (of->doubt != ITP_DOUBT_ABOUT_SIZE && of->probability <= CHANCE_MOST);
}

static bool may_be_cause(const struct itp_rank_entry *cause, const struct itp_rank_entry *wait)
{
	return cause != wait && is_real(cause, wait) && !cause->is_rare &&
	       cause->cause == ITP_NO_ENTRY && delta_of(cause) > 0;
}

static bool is_on_path(const struct itp_rank_state *state, uint32_t node, uint32_t function)
{
	while (itp_rank_is_frame(state, node) && itp_rank_function_id(state, node) != function) {
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

/* What ran while an entry's threads waited, or which functions kept them waiting, and how much of
 * it is explained. */
struct search {
	const struct itp_rank_state *state;
	const GArray *leaves;
	const struct itp_rank_entry *wait;
	/* struct itp_waker. Weak. */
	const GArray *others;
	int64_t all_ns;
};

/* Whether what costs `delta_ns` more, of `suspect_ns`, is that part of what the wait does, for each
 * of those that waited at once: what ran for `ran_ns` of the waits takes less time than that by
 * itself. Where it is less than all threads can have waited for, something else ran: stacks around
 * it had shown no more than a caller. */
static bool is_large_enough(const struct search *search, int64_t delta_ns, int64_t suspect_ns,
			    int64_t ran_ns, double part)
{
	double threads = (double)search->state->suspect.profile->workload.counts.threads;
	double waiting = MAX(1, MIN(threads, (double)ran_ns / (double)suspect_ns));

	return waiting * (double)delta_ns >= part * (double)delta_of(search->wait);
}

/* Whether functions on the path to `leaf`, that of `cause`, ran as `one`, or programs that it
 * started. */
static bool explains(const struct search *search, const struct itp_rank_entry *cause,
		     const struct itp_waker *one)
{
	const struct itp_rank_state *state = search->state;
	uint32_t leaf = g_array_index(search->leaves, struct itp_rank_leaf, cause->leaf).node;

	return has_started(cause, one->process) || (one->process == itp_rank_program(state, leaf) &&
						    is_on_path(state, leaf, one->function));
}

/* How long of what ran `cause` explains, without that of which `*told` is set, which is for all
 * that it explains afterwards. `told` may be NULL. */
static int64_t explained_ns(const struct search *search, const struct itp_rank_entry *cause,
			    bool *told)
{
	int64_t sum_ns = 0;

	for (guint i = 0; i < search->others->len; i++) {
		const struct itp_waker *one = &g_array_index(search->others, struct itp_waker, i);

		if ((told && told[i]) || !explains(search, cause, one)) {
			continue;
		}
		sum_ns += one->blocked_ns;
		if (told) {
			told[i] = true;
		}
	}
	return sum_ns;
}

/* The first entry that explains the wait by itself: `part_run` of the time, and `part_grown` of its
 * Δ. */
static uint32_t find_one_cause(const struct search *search, const GArray *entries, double part_run,
			       double part_grown)
{
	for (guint i = 0; i < MIN(entries->len, ENTRIES_MOST); i++) {
		const struct itp_rank_entry *cause = entry_at(entries, i);
		int64_t ran_ns;

		if (!may_be_cause(cause, search->wait)) {
			continue;
		}
		ran_ns = explained_ns(search, cause, NULL);
		if ((double)ran_ns >= part_run * (double)search->all_ns &&
		    is_large_enough(search, delta_of(cause), cause->suspect_value, ran_ns,
				    part_grown)) {
			return i;
		}
	}
	return ITP_NO_ENTRY;
}

/* The first of several entries that explain the wait together. */
static uint32_t find_first_cause(const struct search *search, const GArray *entries)
{
	g_autofree bool *told = g_new0(bool, search->others->len);
	uint32_t first = ITP_NO_ENTRY;
	int64_t delta_ns = 0;
	int64_t suspect_ns = 0;
	int64_t ran_ns = 0;

	for (guint i = 0; i < MIN(entries->len, ENTRIES_MOST); i++) {
		const struct itp_rank_entry *cause = entry_at(entries, i);
		int64_t more_ns =
			may_be_cause(cause, search->wait) ? explained_ns(search, cause, told) : 0;

		if ((double)more_ns < PART_OF_SEVERAL * (double)search->all_ns) {
			continue;
		}
		first = MIN(first, i);
		ran_ns += more_ns;
		delta_ns += delta_of(cause);
		suspect_ns += cause->suspect_value;
	}
	return first != ITP_NO_ENTRY && (double)ran_ns >= PART_EXPLAINED * (double)search->all_ns &&
			       is_large_enough(search, delta_ns, suspect_ns, ran_ns,
					       PART_EXPLAINED) ?
		       first :
		       ITP_NO_ENTRY;
}

/* By what ran meanwhile, one that explains it or several; or by who kept the threads waiting. */
static uint32_t find_by(const struct itp_rank_state *state, const GArray *leaves,
			const GArray *entries, const struct itp_rank_entry *wait,
			enum itp_waker_role role)
{
	g_autoptr(GArray) others = itp_wakers_of_nodes(state->suspect.profile->wakers, role,
						       (const uint32_t *)(void *)wait->woken->data,
						       wait->woken->len, state->functions);
	const struct search search = { state, leaves, wait, others, itp_wakers_sum_ns(others) };
	uint32_t cause;

	if ((double)search.all_ns < PART_KNOWN * (double)delta_of(wait)) {
		return ITP_NO_ENTRY;
	}
	if (role == ITP_WAKER_KEPT) {
		return find_one_cause(&search, entries, PART_KEPT, PART_GROWN);
	}
	cause = find_one_cause(&search, entries, PART_EXPLAINED, PART_EXPLAINED);
	return cause != ITP_NO_ENTRY ? cause : find_first_cause(&search, entries);
}

static uint32_t find_cause(const struct itp_rank_state *state, const GArray *leaves,
			   const GArray *entries, const struct itp_rank_entry *wait)
{
	uint32_t cause = find_by(state, leaves, entries, wait, ITP_WAKER_RAN);

	return cause != ITP_NO_ENTRY ? cause :
				       find_by(state, leaves, entries, wait, ITP_WAKER_KEPT);
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
			struct itp_rank_entry *cause = entry_at(entries, entry->cause);

			cause->is_waited_for = true;
			if (!itp_significance_is_chance(&entry->significance) &&
			    itp_significance_is_chance(&cause->significance)) {
				cause->significance.verdict = ITP_VERDICT_LIKELY;
			}
		}
	}
}

/* Where entry `i` belongs: 0 told by itself, 1 told with its cause; 2 perhaps chance, 3 told with
 * that. */
static unsigned int part_of(const GArray *entries, uint32_t i)
{
	const uint32_t cause = entry_at(entries, i)->cause;

	if (cause != ITP_NO_ENTRY) {
		return itp_rank_entry_is_unsure(entry_at(entries, cause)) ? 3 : 1;
	}
	return itp_rank_entry_is_unsure(entry_at(entries, i)) ? 2 : 0;
}

/* By entry: the first place that it or one of those that wait for it has. Free with g_free(). */
static uint32_t *find_first_places(const GArray *entries)
{
	uint32_t *first = g_new(uint32_t, entries->len);

	for (guint i = 0; i < entries->len; i++) {
		first[i] = i;
	}
	for (guint i = 0; i < entries->len; i++) {
		uint32_t cause = entry_at(entries, i)->cause;

		if (cause != ITP_NO_ENTRY) {
			first[cause] = MIN(first[cause], i);
		}
	}
	return first;
}

struct places {
	const GArray *entries;
	const uint32_t *first;
};

static gint compare_places(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct places *places = data;
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	unsigned int left_part = part_of(places->entries, left);
	unsigned int right_part = part_of(places->entries, right);

	if (left_part != right_part) {
		return left_part < right_part ? -1 : 1;
	}
	if (places->first[left] != places->first[right]) {
		return places->first[left] < places->first[right] ? -1 : 1;
	}
	return (left > right) - (left < right);
}

/* A cause comes where the first of its effects was, and effects behind all that is told by itself.
 */
static void put_effects_last(GArray *entries)
{
	g_autofree uint32_t *first = find_first_places(entries);
	struct places places = { entries, first };
	g_autofree uint32_t *order = g_new(uint32_t, entries->len);
	g_autofree uint32_t *place = g_new(uint32_t, entries->len);
	g_autofree struct itp_rank_entry *sorted = g_new(struct itp_rank_entry, entries->len);

	for (guint i = 0; i < entries->len; i++) {
		order[i] = i;
	}
	g_qsort_with_data(order, (gint)entries->len, sizeof(*order), compare_places, &places);
	for (guint i = 0; i < entries->len; i++) {
		sorted[i] = *entry_at(entries, order[i]);
		place[order[i]] = i;
	}
	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = entry_at(entries, i);

		*entry = sorted[i];
		entry->cause = entry->cause == ITP_NO_ENTRY ? ITP_NO_ENTRY : place[entry->cause];
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
	put_effects_last(entries);
}
