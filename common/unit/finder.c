/* SPDX-License-Identifier: MIT */
/*
 * See finder.h.
 */
#include "common/unit/finder.h"

#include "common/base/hash.h"
#include "common/unit/made-code.h"
#include "common/unit/rests.h"
#include "common/unit/turns.h"

/* Numbers of waits, call paths between them, and calls after which a batch of waits is decided. */
#define BATCH (1u << 16)
#define BATCH_PATHS (1u << 22)
#define BATCH_CALLS (1u << 20)

/* Latest answer of a thread: times of its first and its latest write, and the indices in the batch
 * of the halts since the latest (guint). */
struct answer {
	int64_t since_ns;
	int64_t latest_ns;
	GArray *halts;
};

static void free_answer(gpointer data)
{
	struct answer *answer = data;

	g_array_unref(answer->halts);
	g_free(answer);
}

struct itp_unit_finder {
	itp_unit_func on_unit;
	/* Weak. */
	void *data;
	/* All owned by this. */
	struct itp_made_code *made;
	struct itp_halts *halts;
	struct itp_loops *loops;
	struct itp_looks *looks;
	struct itp_rests *rests;
	struct itp_turns turns;
	/* struct itp_halt, each with its next paths in `batch_paths` and ticks in `batch_ticks`,
	 * and their numbers in `path_counts` and `tick_counts`. */
	GArray *batch;
	GArray *batch_paths;
	GArray *path_counts;
	GArray *batch_ticks;
	GArray *tick_counts;
	/* guint: index in the batch of a thread's latest wait for any event, by tid; and of the
	 * latest wait in each context, by tid and node (itp_pair()). */
	GHashTable *latest_events;
	GHashTable *latest_waits;
	/* struct answer by tid. */
	GHashTable *answers;
	guint batch_calls;
};

static void tell_batch(struct itp_unit_finder *finder)
{
	struct itp_unit_work work = {
		.paths = (const uint32_t *)(const void *)finder->batch_paths->data,
		.ticks = (const uint32_t *)(const void *)finder->batch_ticks->data
	};

	itp_loops_decide(finder->loops);
	for (guint i = 0; i < finder->batch->len; i++) {
		struct itp_halt *halt = &g_array_index(finder->batch, struct itp_halt, i);

		halt->only_looks = !itp_loops_waits(finder->loops, halt);
		itp_looks_note(finder->looks, finder->loops, halt,
			       g_array_index(finder->path_counts, guint, i) > 0);
	}
	itp_looks_decide(finder->looks);
	for (guint i = 0; i < finder->batch->len; i++) {
		work.path_count = g_array_index(finder->path_counts, guint, i);
		work.tick_count = g_array_index(finder->tick_counts, guint, i);
		itp_turns_take(&finder->turns, &g_array_index(finder->batch, struct itp_halt, i),
			       &work);
		work.paths += work.path_count;
		work.ticks += work.tick_count;
	}
	g_array_set_size(finder->batch, 0);
	g_array_set_size(finder->batch_paths, 0);
	g_array_set_size(finder->path_counts, 0);
	g_array_set_size(finder->batch_ticks, 0);
	g_array_set_size(finder->tick_counts, 0);
	g_hash_table_remove_all(finder->latest_events);
	g_hash_table_remove_all(finder->answers);
	g_hash_table_remove_all(finder->latest_waits);
	finder->batch_calls = 0;
}

/* NULL: the batch has none. */
static struct itp_halt *find_latest(const struct itp_unit_finder *finder, GHashTable *latest,
				    gconstpointer key)
{
	gpointer place;

	return g_hash_table_lookup_extended(latest, key, NULL, &place) ?
		       &g_array_index(finder->batch, struct itp_halt, GPOINTER_TO_UINT(place)) :
		       NULL;
}

/* Marks a thread's latest wait for any event by later calls: as a wait for room, or as the find of
 * a note of the thread itself. */
static void note_find(struct itp_unit_finder *finder, const struct itp_halt *halt)
{
	const gpointer tid = GINT_TO_POINTER(halt->tid);
	struct itp_halt *wait = find_latest(finder, finder->latest_events, tid);

	if (wait && halt->request.has_waited_to_write) {
		wait->is_for_room = wait->blocked_ns == 0;
	}
	if (wait && halt->reads_own_note) {
		wait->finds_own_note = wait->finds_one;
	}
	if (halt->class == ITP_WAIT_CLASS_EVENT) {
		g_hash_table_insert(finder->latest_events, tid,
				    GUINT_TO_POINTER(finder->batch->len));
	}
}

static struct answer *answer_of(struct itp_unit_finder *finder, int32_t tid)
{
	struct answer *answer = g_hash_table_lookup(finder->answers, GINT_TO_POINTER(tid));

	if (!answer) {
		answer = g_new0(struct answer, 1);
		answer->halts = g_array_new(FALSE, FALSE, sizeof(guint));
		g_hash_table_insert(finder->answers, GINT_TO_POINTER(tid), answer);
	}
	return answer;
}

/* Marks the halts between two writes of one answer of the thread, by its later calls. */
static void note_answer(struct itp_unit_finder *finder, const struct itp_halt *halt)
{
	struct answer *answer = answer_of(finder, halt->tid);
	const struct itp_request_state *request = &halt->request;

	for (guint i = 0; i < answer->halts->len && answer->since_ns == request->answer_since_ns &&
			  answer->latest_ns < request->answered_ns;
	     i++) {
		g_array_index(finder->batch, struct itp_halt,
			      g_array_index(answer->halts, guint, i))
			.is_amid_answer = true;
	}
	if (answer->latest_ns != request->answered_ns) {
		g_array_set_size(answer->halts, 0);
	}
	answer->since_ns = request->answer_since_ns;
	answer->latest_ns = request->answered_ns;
	g_array_append_val(answer->halts, finder->batch->len);
}

/* Marks a thread's latest wait for any event in the context, if without an effect on others. */
static void note_effect(struct itp_unit_finder *finder, const struct itp_halt *halt)
{
	const gpointer key = itp_pair((uint32_t)halt->tid, halt->node);
	struct itp_halt *wait;

	if (halt->class != ITP_WAIT_CLASS_EVENT) {
		return;
	}
	wait = find_latest(finder, finder->latest_waits, key);
	if (wait) {
		wait->has_no_effect = halt->request.asked_ns <= wait->end_ns &&
				      halt->request.answered_ns <= wait->end_ns;
	}
	g_hash_table_insert(finder->latest_waits, key, GUINT_TO_POINTER(finder->batch->len));
}

static void on_halt(const struct itp_halt *halt, void *data)
{
	struct itp_unit_finder *finder = data;

	note_answer(finder, halt);
	note_find(finder, halt);
	note_effect(finder, halt);
	itp_loops_note(finder->loops, halt);
	g_array_append_vals(finder->batch, halt, 1);
	g_array_append_vals(finder->batch_paths, halt->paths->data, halt->paths->len);
	g_array_append_val(finder->path_counts, halt->paths->len);
	g_array_append_vals(finder->batch_ticks, halt->ticks->data, halt->ticks->len);
	g_array_append_val(finder->tick_counts, halt->ticks->len);
	if (finder->batch->len == BATCH || finder->batch_paths->len >= BATCH_PATHS ||
	    finder->batch_calls >= BATCH_CALLS) {
		tell_batch(finder);
	}
}

static void on_unit_of_turns(const struct itp_unit *unit, void *data)
{
	const struct itp_unit_finder *finder = data;
	struct itp_unit told = *unit;

	told.at = itp_made_code_node(finder->made, unit->at);
	if (!itp_rests_meet(finder->rests, unit->begin_ns, unit->end_ns)) {
		finder->on_unit(&told, finder->data);
	}
}

struct itp_unit_finder *itp_unit_finder_new(const struct itp_context_tree *tree,
					    const struct itp_function_table *functions,
					    itp_unit_func on_unit, void *data)
{
	struct itp_unit_finder *finder = g_new0(struct itp_unit_finder, 1);
	const struct itp_context_tree *contexts;

	finder->made = itp_made_code_new(tree, functions);
	contexts = itp_made_code_tree(finder->made);
	finder->halts = itp_halts_new(contexts, functions, on_halt, finder);
	finder->loops = itp_loops_new(contexts);
	finder->looks = itp_looks_new(contexts);
	itp_turns_init(&finder->turns, contexts, functions);
	finder->turns.halts = finder->halts;
	finder->turns.loops = finder->loops;
	finder->turns.looks = finder->looks;
	finder->rests = itp_rests_new();
	finder->on_unit = on_unit;
	finder->data = data;
	finder->turns.on_unit = on_unit_of_turns;
	finder->turns.data = finder;
	finder->batch = g_array_new(FALSE, FALSE, sizeof(struct itp_halt));
	finder->batch_paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	finder->path_counts = g_array_new(FALSE, FALSE, sizeof(guint));
	finder->batch_ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	finder->tick_counts = g_array_new(FALSE, FALSE, sizeof(guint));
	finder->latest_events = g_hash_table_new(itp_hash_number, NULL);
	finder->answers = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_answer);
	finder->latest_waits = g_hash_table_new(itp_hash_number, NULL);
	return finder;
}

void itp_unit_finder_free(struct itp_unit_finder *finder)
{
	if (!finder) {
		return;
	}
	itp_made_code_free(finder->made);
	itp_halts_free(finder->halts);
	itp_loops_free(finder->loops);
	itp_looks_free(finder->looks);
	itp_rests_free(finder->rests);
	itp_turns_release(&finder->turns);
	g_array_unref(finder->batch);
	g_array_unref(finder->batch_paths);
	g_array_unref(finder->path_counts);
	g_array_unref(finder->batch_ticks);
	g_array_unref(finder->tick_counts);
	g_hash_table_unref(finder->latest_events);
	g_hash_table_unref(finder->answers);
	g_hash_table_unref(finder->latest_waits);
	g_free(finder);
}

void itp_unit_finder_keep_turns(struct itp_unit_finder *finder)
{
	finder->turns.keeps_turns = true;
}

void itp_unit_finder_add(struct itp_unit_finder *finder, const struct itp_instance *instance)
{
	struct itp_instance storage;
	const struct itp_instance *call = itp_made_code_call(finder->made, instance, &storage);

	finder->batch_calls++;
	if (call) {
		itp_halts_add(finder->halts, call);
	}
}

void itp_unit_finder_add_unplaced(struct itp_unit_finder *finder, const struct itp_instance *call,
				  uint32_t function)
{
	itp_halts_add_unplaced(finder->halts, call, function);
}

void itp_unit_finder_add_stretch(struct itp_unit_finder *finder, const struct itp_stretch *stretch)
{
	struct itp_stretch placed = *stretch;

	placed.node = itp_made_code_context(finder->made, stretch->node);
	itp_halts_add_stretch(finder->halts, &placed);
}

void itp_unit_finder_watch(struct itp_unit_finder *finder, bool is_watched, int64_t time_ns)
{
	itp_rests_watch(finder->rests, is_watched, time_ns);
}

void itp_unit_finder_finish(struct itp_unit_finder *finder)
{
	tell_batch(finder);
	finder->turns.gaps.has_no_proof = !itp_halts_have_proof(finder->halts);
}

struct itp_unit_gaps itp_unit_finder_gaps(const struct itp_unit_finder *finder)
{
	return finder->turns.gaps;
}

const GArray *itp_unit_finder_waits(const struct itp_unit_finder *finder, uint32_t loop)
{
	return g_hash_table_lookup(finder->turns.waits, GUINT_TO_POINTER(loop));
}

const GArray *itp_unit_finder_reads(const struct itp_unit_finder *finder, uint32_t loop)
{
	return g_hash_table_lookup(finder->turns.reads, GUINT_TO_POINTER(loop));
}

const struct itp_context_tree *itp_unit_finder_tree(const struct itp_unit_finder *finder)
{
	return itp_own_contexts_tree(finder->turns.contexts);
}

const struct itp_path_sets *itp_unit_finder_paths(const struct itp_unit_finder *finder)
{
	return finder->turns.paths;
}
