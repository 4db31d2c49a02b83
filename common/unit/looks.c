/* SPDX-License-Identifier: MIT */
/*
 * See looks.h.
 */
#include "common/unit/looks.h"

#include "common/base/hash.h"

/* Number of a wait's units that have begun with one call, and their ends. */
struct first {
	uint32_t wait;
	uint32_t node;
	uint64_t units;
	/* Of `units`: those without a second call by the loop's function. */
	uint64_t once;
	/* By depth: units with the call as the last one before the wait, where the depth is of the
	 * outermost call that ended since it was made before. Owned by this. */
	GArray *lasts;
	uint64_t all_lasts;
};

/* Course of a thread through a unit. */
struct course {
	/* Wait that began the unit; ITP_CONTEXT_ROOT outside of loops. */
	uint32_t wait;
	uint32_t loop_depth;
	/* Call that began the unit; ITP_CONTEXT_ROOT before. */
	uint32_t first;
	/* Depth of the outermost call that ended since `first` was made; and its value at the
	 * latest repetition of `first`, until more work is done, or 0. */
	uint32_t left_depth;
	uint32_t last_depth;
	bool has_worked;
	bool has_come_round;
};

struct itp_looks {
	/* Weak. */
	const struct itp_context_tree *tree;
	/* gsize by wait: number of units begun by it. Owned by this. */
	GHashTable *units;
	/* struct first by wait and call (itp_pair()). Owned by this. */
	GHashTable *firsts;
	/* uint32_t by call: the wait with most units begun by the call, at least half of its units.
	 * Owned by this. */
	GHashTable *waits;
	/* struct course by tid. Owned by this. */
	GHashTable *threads;
};

static void free_first(gpointer data)
{
	struct first *first = data;

	g_array_unref(first->lasts);
	g_free(first);
}

struct itp_looks *itp_looks_new(const struct itp_context_tree *tree)
{
	struct itp_looks *looks = g_new0(struct itp_looks, 1);

	looks->tree = tree;
	looks->units = g_hash_table_new(itp_hash_number, NULL);
	looks->firsts = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_first);
	looks->waits = g_hash_table_new(itp_hash_number, NULL);
	looks->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return looks;
}

void itp_looks_free(struct itp_looks *looks)
{
	g_hash_table_unref(looks->units);
	g_hash_table_unref(looks->firsts);
	g_hash_table_unref(looks->waits);
	g_hash_table_unref(looks->threads);
	g_free(looks);
}

static uint32_t depth_of_look(const struct itp_looks *looks, uint32_t node)
{
	return itp_context_tree_get(looks->tree, node)->depth;
}

static struct course *course_of(struct itp_looks *looks, int32_t tid)
{
	struct course *course = g_hash_table_lookup(looks->threads, GINT_TO_POINTER(tid));

	if (!course) {
		course = g_new0(struct course, 1);
		g_hash_table_insert(looks->threads, GINT_TO_POINTER(tid), course);
	}
	return course;
}

static struct first *first_of_wait(struct itp_looks *looks, uint32_t wait, uint32_t node)
{
	const gpointer key = itp_pair(wait, node);
	struct first *first = g_hash_table_lookup(looks->firsts, key);

	if (!first) {
		first = g_new0(struct first, 1);
		first->wait = wait;
		first->node = node;
		first->lasts = g_array_new(FALSE, TRUE, sizeof(uint64_t));
		g_array_set_size(first->lasts, depth_of_look(looks, node) + 1);
		g_hash_table_insert(looks->firsts, key, first);
	}
	return first;
}

static gsize units_of_wait(const struct itp_looks *looks, uint32_t wait)
{
	return GPOINTER_TO_SIZE(g_hash_table_lookup(looks->units, GUINT_TO_POINTER(wait)));
}

static void end_course(struct itp_looks *looks, const struct course *course)
{
	struct first *first;

	if (course->wait == ITP_CONTEXT_ROOT || course->first == ITP_CONTEXT_ROOT) {
		return;
	}
	first = first_of_wait(looks, course->wait, course->first);
	first->units++;
	first->once += !course->has_come_round;
	if (course->last_depth > 0) {
		g_array_index(first->lasts, uint64_t, course->last_depth)++;
		first->all_lasts++;
	}
}

static void begin_course(struct itp_looks *looks, struct course *course, uint32_t wait,
			 uint32_t loop)
{
	g_hash_table_insert(looks->units, GUINT_TO_POINTER(wait),
			    GSIZE_TO_POINTER(units_of_wait(looks, wait) + 1));
	*course = (struct course){ .wait = wait,
				   .loop_depth = depth_of_look(looks, loop),
				   .left_depth = UINT32_MAX };
}

/* Notes work: the latest repetition of the first call was not the unit's last call. */
static void work(struct course *course)
{
	course->has_worked = true;
	if (course->last_depth > 0 && course->last_depth <= course->loop_depth + 1) {
		course->has_come_round = true;
	}
	course->last_depth = 0;
}

static void make_call(struct itp_looks *looks, struct course *course, const struct itp_halt *halt)
{
	if (course->first == ITP_CONTEXT_ROOT && halt->class == ITP_WAIT_CLASS_DATA) {
		course->first = halt->node;
	} else if (course->first != halt->node) {
		work(course);
		return;
	} else if (course->has_worked) {
		course->last_depth = course->left_depth;
	}
	course->has_worked = false;
	course->left_depth = depth_of_look(looks, halt->node);
}

void itp_looks_note(struct itp_looks *looks, const struct itp_loops *loops,
		    const struct itp_halt *halt, bool has_worked)
{
	struct course *course = course_of(looks, halt->tid);
	uint32_t loop = halt->node == ITP_CONTEXT_ROOT || halt->only_looks ?
				ITP_CONTEXT_ROOT :
				itp_loops_of(loops, halt->node);

	if (has_worked) {
		work(course);
	}
	if (!halt->is_unsure) {
		course->left_depth = MIN(course->left_depth, halt->left_depth);
	}
	if (halt->is_unplaced || halt->next_ns > 0 || halt->is_turn) {
		return;
	}
	if (loop != ITP_CONTEXT_ROOT) {
		end_course(looks, course);
		begin_course(looks, course, halt->node, loop);
	} else if (halt->node == ITP_CONTEXT_ROOT || course->left_depth <= course->loop_depth) {
		g_hash_table_remove(looks->threads, GINT_TO_POINTER(halt->tid));
	} else if (course->wait != ITP_CONTEXT_ROOT) {
		make_call(looks, course, halt);
	}
}

/* ---- Begins of units ---- */

static const struct first *find_first(const struct itp_looks *looks, uint32_t wait, uint32_t node)
{
	return g_hash_table_lookup(looks->firsts, itp_pair(wait, node));
}

static bool begins_most(const struct itp_looks *looks, const struct first *first)
{
	return first->units >= units_of_wait(looks, first->wait) / ITP_LOOKS_PART;
}

/* Equal numbers go to the lower wait: nothing depends on the order in a table. */
static bool begins_more(const struct first *first, const struct first *other)
{
	return !other || first->units > other->units ||
	       (first->units == other->units && first->wait < other->wait);
}

void itp_looks_decide(struct itp_looks *looks)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_remove_all(looks->waits);
	g_hash_table_iter_init(&iter, looks->firsts);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		const struct first *first = data;
		const uint32_t wait = itp_looks_wait_of(looks, first->node);

		if (first->units >= ITP_LOOP_LEAST && begins_most(looks, first) &&
		    begins_more(first, find_first(looks, wait, first->node))) {
			g_hash_table_insert(looks->waits, GUINT_TO_POINTER(first->node),
					    GUINT_TO_POINTER(first->wait));
		}
	}
}

uint32_t itp_looks_wait_of(const struct itp_looks *looks, uint32_t node)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(looks->waits, GUINT_TO_POINTER(node)));
}

/* Greatest depth usual at the last call of units; 0 for none. */
static uint32_t depth_of_lasts(const struct first *first)
{
	const uint64_t least = MAX(ITP_LOOP_LEAST, first->all_lasts / ITP_LOOP_PART);

	for (guint depth = first->lasts->len; depth > 0; depth--) {
		if (g_array_index(first->lasts, uint64_t, depth - 1) >= least) {
			return depth - 1;
		}
	}
	return 0;
}

bool itp_looks_begins_unit(const struct itp_looks *looks, uint32_t loop, uint32_t wait,
			   uint32_t node, uint32_t left_depth)
{
	const struct first *first = find_first(looks, wait, node);
	const gsize units = units_of_wait(looks, wait);

	if (!first || !begins_most(looks, first)) {
		return false;
	}
	if (first->all_lasts >= MAX(ITP_LOOP_LEAST, units / ITP_LOOKS_PART)) {
		return left_depth <= depth_of_lasts(first);
	}
	return left_depth <= depth_of_look(looks, loop) + 1 &&
	       first->once >= MAX(ITP_LOOP_LEAST, units / ITP_LOOKS_ONCE_PART);
}
