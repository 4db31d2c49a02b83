/* SPDX-License-Identifier: MIT */
/*
 * Waits for another entry's cost: a client waits for its service, and the service is slow.
 *
 * Code that ran while an entry was blocked is known (role ITP_WAKER_RAN). If most of it is on the
 * path of another entry, or in a program that the entry started more often (started.c), and this
 * entry has become slower by a like amount, the wait is its effect, and the reader needs one entry
 * instead of two. If several entries explain a wait together, the first of them is the cause.
 * Several threads may wait at once for a lock whose holder takes the time once, but not more than
 * there are threads. An entry that explains a sure or likely difference is likely itself, unless
 * its chance is more than a twentieth.
 *
 * Only the first entries are looked at: later entries are small.
 */
#include "common/rank/steps.h"

#include "common/base/order.h"

#define ENTRIES_MOST 64
/* Least part of the wait's Δ in which something is known to have run, or to have kept its threads
 * waiting. An entry that mostly sleeps waits for nobody, even if somebody once held it up. */
#define PART_KNOWN 0.01
/* Least part explained, of the time in which something is known to have run and of the wait's Δ. */
#define PART_EXPLAINED 0.5
/* Least part of the former for each of several causes of a wait. */
#define PART_OF_SEVERAL 0.1
/* Least parts of the time for which others kept a wait's threads waiting, and of the wait's Δ. A
 * cause need not do more than before: it has come to do its work while others wait. */
#define PART_KEPT 0.9
#define PART_GROWN 0.1
/* Largest probability that a single difference is chance; of many (verdict.h) some are as
 * unlikely. */
#define CHANCE_MOST 0.05

static int64_t delta_of(const struct itp_rank_entry *entry)
{
	return entry->suspect_value - entry->base_value;
}

static bool is_wait(const struct itp_rank_entry *entry)
{
	return ITP_WAIT_PART * entry->delta.use.blocked_ns > delta_of(entry) && delta_of(entry) > 0;
}

/* True unless the cause is chance, and likely enough to be chance by itself, while the wait is
 * none. Chance explains chance, and both stay chance. */
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

/* A wait, the code that ran meanwhile or the functions that kept its threads waiting, and their
 * time together. */
struct search {
	const struct itp_rank_state *state;
	const GArray *leaves;
	const struct itp_rank_entry *wait;
	/* struct itp_waker. Weak. */
	const GArray *others;
	int64_t all_ns;
};

/* True if the cause's Δ is large enough for `part` of the wait's Δ, counted once for each thread
 * that waited at once: for `ran_ns` of waits the cause took `suspect_ns` of time. If even all
 * threads could not have waited as long, something else ran, and stacks around it showed no more
 * than a caller. */
static bool is_large_enough(const struct search *search, int64_t delta_ns, int64_t suspect_ns,
			    int64_t ran_ns, double part)
{
	double threads = (double)search->state->suspect.profile->workload.counts.threads;
	double waiting = MAX(1, MIN(threads, (double)ran_ns / (double)suspect_ns));

	return waiting * (double)delta_ns >= part * (double)delta_of(search->wait);
}

/* True if `one` is a function on the path to the leaf of `cause`, or a program that `cause`
 * started. */
static bool explains(const struct search *search, const struct itp_rank_entry *cause,
		     const struct itp_waker *one)
{
	const struct itp_rank_state *state = search->state;
	uint32_t leaf = g_array_index(search->leaves, struct itp_rank_leaf, cause->leaf).node;

	return has_started(cause, one->process) || (one->process == itp_rank_program(state, leaf) &&
						    is_on_path(state, leaf, one->function));
}

/* Time of the running code that `cause` explains, without code with *told set. Sets *told for all
 * that it explains. `told` may be NULL. */
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

/* First entry that explains the wait by itself: `part_run` of the time, and `part_grown` of its
 * Δ. */
static uint32_t find_one_cause(const struct search *search, const GArray *entries, double part_run,
			       double part_grown)
{
	for (guint i = 0; i < MIN(entries->len, ENTRIES_MOST); i++) {
		const struct itp_rank_entry *cause = itp_rank_entry_at(entries, i);
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

/* First of several entries that explain the wait together. */
static uint32_t find_first_cause(const struct search *search, const GArray *entries)
{
	g_autofree bool *told = g_new0(bool, search->others->len);
	uint32_t first = ITP_NO_ENTRY;
	int64_t delta_ns = 0;
	int64_t suspect_ns = 0;
	int64_t ran_ns = 0;

	for (guint i = 0; i < MIN(entries->len, ENTRIES_MOST); i++) {
		const struct itp_rank_entry *cause = itp_rank_entry_at(entries, i);
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

/* Cause by the code that ran meanwhile, a single entry or several; or by functions that kept the
 * threads waiting. */
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

/* Causes that wait themselves are replaced by their own cause, up to the last. */
static void follow_causes(GArray *entries)
{
	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(entries, i);

		while (entry->cause != ITP_NO_ENTRY &&
		       itp_rank_entry_at(entries, entry->cause)->cause != ITP_NO_ENTRY) {
			entry->cause = itp_rank_entry_at(entries, entry->cause)->cause;
		}
		if (entry->cause != ITP_NO_ENTRY) {
			struct itp_rank_entry *cause = itp_rank_entry_at(entries, entry->cause);

			cause->is_waited_for = true;
			if (!itp_significance_is_chance(&entry->significance) &&
			    itp_significance_is_chance(&cause->significance)) {
				cause->significance.verdict = ITP_VERDICT_LIKELY;
			}
		}
	}
}

/* Part of the list for entry `i`: 0 told by itself, 1 told with its cause; 2 perhaps chance, 3 told
 * with a cause that is perhaps chance. */
static unsigned int part_of(const GArray *entries, uint32_t i)
{
	const uint32_t cause = itp_rank_entry_at(entries, i)->cause;

	if (cause != ITP_NO_ENTRY) {
		return itp_rank_entry_is_unsure(itp_rank_entry_at(entries, cause)) ? 3 : 1;
	}
	return itp_rank_entry_is_unsure(itp_rank_entry_at(entries, i)) ? 2 : 0;
}

/* First place of an entry and its effects, by entry. Free with g_free(). */
static uint32_t *find_first_places(const GArray *entries)
{
	uint32_t *first = g_new(uint32_t, entries->len);

	for (guint i = 0; i < entries->len; i++) {
		first[i] = i;
	}
	for (guint i = 0; i < entries->len; i++) {
		uint32_t cause = itp_rank_entry_at(entries, i)->cause;

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
	gint order = ITP_ORDER(part_of(places->entries, left), part_of(places->entries, right));

	order = order ?: ITP_ORDER(places->first[left], places->first[right]);
	return order ?: ITP_ORDER(left, right);
}

/* Puts causes in the place of their first effect, and effects behind all entries told by
 * themselves. */
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
		sorted[i] = *itp_rank_entry_at(entries, order[i]);
		place[order[i]] = i;
	}
	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(entries, i);

		*entry = sorted[i];
		entry->cause = entry->cause == ITP_NO_ENTRY ? ITP_NO_ENTRY : place[entry->cause];
	}
}

void itp_effects_find(const struct itp_rank_state *state, const GArray *leaves, GArray *entries)
{
	for (guint i = 0; i < MIN(entries->len, ENTRIES_MOST); i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(entries, i);

		if (is_wait(entry)) {
			entry->cause = find_cause(state, leaves, entries, entry);
		}
	}
	follow_causes(entries);
	put_effects_last(entries);
}
