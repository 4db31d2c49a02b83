/* SPDX-License-Identifier: MIT */
/*
 * Programs that were started more often: a script runs a process for each line, and pays for it in
 * the loader, the start and the end of another program, at a dozen places.
 *
 * Makers of a program's processes are known (role ITP_WAKER_STARTED). Entries of the program that
 * cost more just as it was started more often are added to the entry that started it, so that the
 * reader gets a single entry, and its begin. Work that a program does the same number of times,
 * however often it is started, stays its own.
 */
#include "common/rank/steps.h"

#include <math.h>

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/rank/often.h"

/* Least part of the starts that an entry has to have made; and of a difference that they have to
 * explain. */
#define PART_LEAST 0.5
/* Least ratio of a culprit's calls, as a part of the ratio of starts, when the base's calls are
 * taken to be fewer by CALLS_LUCK standard deviations. */
#define CALLS_PART 0.5
#define CALLS_LUCK 2
/* Time (ns) that a timer may have missed of the base. */
#define MISSED_NS 2e6
/* Least part of a process that counts as the first: numbers are scaled to another amount of
 * work. */
#define FIRST_LEAST 0.5
/* Most makers in a row: a script, its make, a compiler's driver, the compiler; more are a
 * circle. */
#define MAKERS_MOST 8

/* A program, by the function of its process root. */
struct program {
	double suspect;
	double base;
	/* Entry that started it more often than any other, and the number of its further starts. */
	uint32_t maker;
	double more;
	/* Processes of it in the base that ran another program afterwards. */
	double base_others;
	/* The base had a process of it without a known maker: all begins with it. */
	bool is_first;
};

struct folding {
	const struct itp_rank_state *state;
	/* struct itp_rank_entry, and the index of one by node. Weak. */
	GArray *entries;
	uint32_t *owner;
	/* Function → struct program. Owned by this. */
	GHashTable *programs;
	/* Pair of program and entry → number of its further starts (double *). Owned by this. */
	GHashTable *makers;
};

/* ---- Makers ---- */

static void count_started(const struct folding *it, const struct itp_waker *started, bool is_base)
{
	struct program *program = itp_value_at(it->programs, GUINT_TO_POINTER(started->process),
					       sizeof(struct program));
	uint32_t function = itp_rank_program(it->state, started->node);
	struct program *maker =
		itp_value_at(it->programs, GUINT_TO_POINTER(function), sizeof(struct program));
	double count = (double)started->count;
	double *more = itp_value_at(
		it->makers, itp_pair(started->process, it->owner[started->node]), sizeof(double));

	if (is_base) {
		program->base += count * it->state->base_factor;
		*more -= count * it->state->base_factor;
		maker->base_others += maker == program ? 0 : count * it->state->base_factor;
	} else {
		program->suspect += count;
		*more += count;
	}
}

static void count_side(const struct folding *it, const struct itp_profile *profile, bool is_base)
{
	uint32_t end = MIN(itp_wakers_node_count(profile->wakers), it->state->node_count);

	for (uint32_t node = 1; node < end; node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(profile->wakers, node, &count);

		for (guint i = 0; i < count; i++) {
			if (list[i].role == ITP_WAKER_STARTED) {
				count_started(it, &list[i], is_base);
			}
		}
	}
}

/* Counts a process without a known maker as a further start. */
static void find_first(const struct folding *it)
{
	const struct itp_rank_state *state = it->state;

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_context *context = itp_context_tree_get(state->tree, node);
		struct program *program =
			g_hash_table_lookup(it->programs, GUINT_TO_POINTER(context->function));
		double processes = (double)itp_side_stats(&state->base, node)->count;

		if (program && context->depth == 1 &&
		    processes - program->base - program->base_others >= FIRST_LEAST) {
			program->is_first = true;
			program->suspect++;
			program->base++;
		}
	}
}

/* Maker of each program: of equal numbers the first entry, whatever the table's order. */
static void choose_makers(const struct folding *it)
{
	GHashTableIter iter;
	gpointer key;
	gpointer more;

	g_hash_table_iter_init(&iter, it->makers);
	while (g_hash_table_iter_next(&iter, &key, &more)) {
		uint32_t maker = itp_pair_low(key);
		double count = *(double *)more;
		struct program *program =
			g_hash_table_lookup(it->programs, GUINT_TO_POINTER(itp_pair_high(key)));

		if (count > program->more || (count == program->more && maker < program->maker)) {
			program->more = count;
			program->maker = maker;
		}
	}
}

/* ---- Explained entries ---- */

static uint32_t program_of(const struct folding *it, const struct itp_rank_entry *entry)
{
	return itp_rank_program(it->state, entry->culprit);
}

/* Program of `entry`, if an entry of another program has started it so much more often; NULL
 * otherwise. */
static const struct program *started_program(const struct folding *it,
					     const struct itp_rank_entry *entry)
{
	uint32_t function = program_of(it, entry);
	const struct program *program =
		g_hash_table_lookup(it->programs, GUINT_TO_POINTER(function));
	double more = program ? program->suspect - program->base : 0;

	if (more < ITP_MORE_LEAST || program->suspect < ITP_MORE_FACTOR * program->base ||
	    program->more < PART_LEAST * more || program->maker == ITP_NO_ENTRY ||
	    program_of(it, itp_rank_entry_at(it->entries, program->maker)) == function) {
		return NULL;
	}
	return program;
}

/* True if the entry costs more just because its program was started more often: its cost for each
 * start is the same. Waits do not count: a process may wait for others that it started itself. */
static bool is_explained(const struct program *program, const struct itp_rank_entry *entry)
{
	double suspect_ns = (double)entry->suspect_value;
	double base_ns = (double)entry->base_value;
	double calls = (double)entry->suspect_calls.seen;
	double base_calls = (double)entry->base_calls.seen;
	double base_least = base_calls - CALLS_LUCK * sqrt(base_calls);
	double factor = program->suspect / program->base;

	if (suspect_ns <= base_ns ||
	    ITP_WAIT_PART * (double)entry->delta.use.blocked_ns > suspect_ns - base_ns) {
		return false;
	}
	if (program->base <= 0) {
		return true;
	}
	return calls >= CALLS_PART * factor * base_least &&
	       (base_ns + MISSED_NS) * (factor - 1) >= PART_LEAST * (suspect_ns - base_ns);
}

/* First maker: the entry that started the program of `number`, or the maker of this entry's
 * program, and on, up to the program with which all begins; `number` without any. */
static uint32_t first_maker(const struct folding *it, uint32_t number)
{
	uint32_t maker = number;

	for (size_t i = 0; i < MAKERS_MOST; i++) {
		const struct itp_rank_entry *entry = itp_rank_entry_at(it->entries, maker);
		const struct program *program = started_program(it, entry);

		if (!program || !is_explained(program, entry) ||
		    (maker != number && program->is_first)) {
			return maker;
		}
		maker = program->maker;
	}
	return number;
}

static void add_started(const struct folding *it, struct itp_rank_entry *maker,
			const struct itp_rank_entry *entry)
{
	struct itp_started started = { .process = program_of(it, entry) };
	const struct program *program =
		g_hash_table_lookup(it->programs, GUINT_TO_POINTER(started.process));
	guint i = 0;

	while (i < maker->started->len &&
	       g_array_index(maker->started, struct itp_started, i).process != started.process) {
		i++;
	}
	if (i == maker->started->len) {
		started.count = (uint64_t)llround(program->suspect);
		started.base_count = (uint64_t)llround(program->base);
		g_array_append_val(maker->started, started);
	}
	g_array_index(maker->started, struct itp_started, i).cost +=
		entry->suspect_value - entry->base_value;
}

/* Moves all of `entry` to the maker, which called it more often. */
static void take(const struct folding *it, uint32_t maker_number, uint32_t number)
{
	struct itp_rank_entry *maker = itp_rank_entry_at(it->entries, maker_number);
	struct itp_rank_entry *entry = itp_rank_entry_at(it->entries, number);

	add_started(it, maker, entry);
	maker->suspect_value += entry->suspect_value;
	maker->base_value += entry->base_value;
	maker->weight += entry->weight;
	maker->path_count += entry->path_count;
	maker->delta.more_calls_ns += entry->suspect_value - entry->base_value;
	itp_time_use_add(&maker->delta.use, &entry->delta.use, 1);
	maker->ticks.samples += entry->ticks.samples;
	maker->ticks.variance_us2 += entry->ticks.variance_us2;
	g_array_append_vals(maker->woken, entry->woken->data, entry->woken->len);
	entry->suspect_value = 0;
	entry->base_value = 0;
	entry->path_count = 0;
}

static gint compare_started(gconstpointer a, gconstpointer b, gpointer functions)
{
	const struct itp_started *left = a;
	const struct itp_started *right = b;
	gint order = ITP_ORDER(right->cost, left->cost);

	return order ?: itp_function_compare(functions, left->process, right->process);
}

static void take_all(const struct folding *it)
{
	const GArray *entries = it->entries;
	g_autofree uint32_t *maker = g_new(uint32_t, entries->len + 1);
	g_autofree bool *is_circle = g_new0(bool, entries->len + 1);
	uint32_t *owner = it->owner;

	/* Makers by the entries before any is taken. */
	for (guint i = 0; i < entries->len; i++) {
		maker[i] = itp_rank_entry_at(it->entries, i)->variants->len > 0 ?
				   first_maker(it, i) :
				   i;
	}
	/* Two entries that started each other both keep their costs. */
	for (guint i = 0; i < entries->len; i++) {
		if (maker[maker[i]] != maker[i]) {
			is_circle[i] = true;
		}
	}
	for (guint i = 0; i < entries->len; i++) {
		maker[i] = is_circle[i] ? i : maker[i];
		if (maker[i] != i) {
			take(it, maker[i], i);
		}
	}
	for (guint i = 0; i < entries->len; i++) {
		g_array_sort_with_data(itp_rank_entry_at(it->entries, i)->started, compare_started,
				       (gpointer)it->state->functions);
	}
	for (uint32_t node = 1; node < it->state->node_count; node++) {
		owner[node] = owner[node] == ITP_NO_ENTRY ? ITP_NO_ENTRY : maker[owner[node]];
	}
}

void itp_started_fold(const struct itp_rank_state *state, struct itp_rank_entries *entries)
{
	struct folding it = {
		.state = state,
		.entries = entries->entries,
		.owner = entries->owner,
		.programs = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free),
		.makers = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free),
	};

	count_side(&it, state->suspect.profile, false);
	count_side(&it, state->base.profile, true);
	find_first(&it);
	choose_makers(&it);
	take_all(&it);
	g_hash_table_destroy(it.programs);
	g_hash_table_destroy(it.makers);
}
