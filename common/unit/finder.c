/* SPDX-License-Identifier: MIT */
/*
 * See finder.h.
 */
#include "common/unit/finder.h"

#include "common/base/hash.h"
#include "common/unit/halts.h"
#include "common/unit/loops.h"

/* How many waits are kept until what they are is decided. */
#define BATCH (1u << 16)

/* A unit that has begun. */
struct open_unit {
	bool is_open;
	struct itp_unit unit;
	/* The outermost call that has ended since, and the node of the loop in the tree. */
	uint32_t left_depth;
	/* uint32_t. Owned by this. */
	GArray *paths;
};

struct itp_unit_finder {
	const struct itp_context_tree *tree;
	itp_unit_func on_unit;
	void *data;
	/* All owned by this. */
	struct itp_halts *halts;
	struct itp_loops *loops;
	struct itp_path_sets *paths;
	/* struct itp_halt, whose paths are those of `batch_paths` from the sum of those before;
	 * and how many each has. */
	GArray *batch;
	GArray *batch_paths;
	GArray *path_counts;
	/* struct open_unit by tid. */
	GHashTable *threads;
};

static void free_open_unit(gpointer data)
{
	struct open_unit *open = data;

	g_array_unref(open->paths);
	g_free(open);
}

static struct open_unit *open_unit_of(struct itp_unit_finder *finder, int32_t tid)
{
	struct open_unit *open = g_hash_table_lookup(finder->threads, GINT_TO_POINTER(tid));

	if (!open) {
		open = g_new0(struct open_unit, 1);
		open->paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_hash_table_insert(finder->threads, GINT_TO_POINTER(tid), open);
	}
	return open;
}

static uint32_t depth_of(const struct itp_unit_finder *finder, uint32_t node)
{
	return itp_context_tree_get(finder->tree, node)->depth;
}

/* What the thread has done until it waits. */
static void go_on(struct open_unit *open, const struct itp_halt *halt, const uint32_t *paths,
		  guint count)
{
	open->left_depth = MIN(open->left_depth, halt->left_depth);
	itp_time_use_add(&open->unit.use, &halt->use, 1);
	itp_path_set_add(open->paths, paths, count);
}

/* A wait that is a part of the unit. */
static void wait_inside(struct open_unit *open, const struct itp_halt *halt)
{
	itp_time_use_add(&open->unit.use, &halt->wait_use, 1);
	itp_path_set_add(open->paths, &halt->node, 1);
}

/* The loop has come round: it has stayed, and what it had called has not. */
static bool has_come_round(const struct itp_unit_finder *finder, const struct open_unit *open)
{
	return open->left_depth == depth_of(finder, open->unit.loop) + 1;
}

static bool has_left(const struct itp_unit_finder *finder, const struct open_unit *open)
{
	return open->left_depth <= depth_of(finder, open->unit.loop);
}

static void end_unit(struct itp_unit_finder *finder, struct open_unit *open, int64_t end_ns)
{
	open->unit.end_ns = end_ns;
	open->unit.paths = itp_path_sets_intern(finder->paths, open->paths);
	finder->on_unit(&open->unit, finder->data);
	open->is_open = false;
}

static void begin_unit(struct open_unit *open, const struct itp_halt *halt, uint32_t loop)
{
	open->is_open = true;
	open->unit = (struct itp_unit){ .pid = halt->pid,
					.tid = halt->tid,
					.begin_ns = halt->end_ns,
					.loop = loop,
					.wait = halt->node };
	open->left_depth = UINT32_MAX;
	g_array_set_size(open->paths, 0);
}

static void take(struct itp_unit_finder *finder, const struct itp_halt *halt, const uint32_t *paths,
		 guint count)
{
	struct open_unit *open;
	uint32_t loop;

	if (halt->node == ITP_CONTEXT_ROOT) {
		g_hash_table_remove(finder->threads, GINT_TO_POINTER(halt->tid));
		return;
	}
	open = open_unit_of(finder, halt->tid);
	loop = itp_loops_of(finder->loops, halt->node);
	if (open->is_open) {
		go_on(open, halt, paths, count);
		open->is_open = !has_left(finder, open);
	}
	if (open->is_open && loop == open->unit.loop && has_come_round(finder, open)) {
		end_unit(finder, open, halt->begin_ns);
	}
	if (open->is_open) {
		wait_inside(open, halt);
	} else if (loop != ITP_CONTEXT_ROOT) {
		begin_unit(open, halt, loop);
	}
}

static void tell_batch(struct itp_unit_finder *finder)
{
	const uint32_t *paths = (const uint32_t *)(const void *)finder->batch_paths->data;

	itp_loops_decide(finder->loops);
	for (guint i = 0; i < finder->batch->len; i++) {
		guint count = g_array_index(finder->path_counts, guint, i);

		take(finder, &g_array_index(finder->batch, struct itp_halt, i), paths, count);
		paths += count;
	}
	g_array_set_size(finder->batch, 0);
	g_array_set_size(finder->batch_paths, 0);
	g_array_set_size(finder->path_counts, 0);
}

static void on_halt(const struct itp_halt *halt, void *data)
{
	struct itp_unit_finder *finder = data;

	itp_loops_note(finder->loops, halt);
	g_array_append_vals(finder->batch, halt, 1);
	g_array_append_vals(finder->batch_paths, halt->paths->data, halt->paths->len);
	g_array_append_val(finder->path_counts, halt->paths->len);
	if (finder->batch->len == BATCH) {
		tell_batch(finder);
	}
}

struct itp_unit_finder *itp_unit_finder_new(const struct itp_context_tree *tree,
					    const struct itp_function_table *functions,
					    itp_unit_func on_unit, void *data)
{
	struct itp_unit_finder *finder = g_new0(struct itp_unit_finder, 1);

	finder->tree = tree;
	finder->on_unit = on_unit;
	finder->data = data;
	finder->halts = itp_halts_new(tree, functions, on_halt, finder);
	finder->loops = itp_loops_new(tree);
	finder->paths = itp_path_sets_new();
	finder->batch = g_array_new(FALSE, FALSE, sizeof(struct itp_halt));
	finder->batch_paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	finder->path_counts = g_array_new(FALSE, FALSE, sizeof(guint));
	finder->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_open_unit);
	return finder;
}

void itp_unit_finder_free(struct itp_unit_finder *finder)
{
	if (!finder) {
		return;
	}
	itp_halts_free(finder->halts);
	itp_loops_free(finder->loops);
	itp_path_sets_free(finder->paths);
	g_array_unref(finder->batch);
	g_array_unref(finder->batch_paths);
	g_array_unref(finder->path_counts);
	g_hash_table_unref(finder->threads);
	g_free(finder);
}

void itp_unit_finder_add(struct itp_unit_finder *finder, const struct itp_instance *instance)
{
	itp_halts_add(finder->halts, instance);
}

void itp_unit_finder_add_stretch(struct itp_unit_finder *finder, const struct itp_stretch *stretch)
{
	itp_halts_add_stretch(finder->halts, stretch);
}

void itp_unit_finder_finish(struct itp_unit_finder *finder)
{
	tell_batch(finder);
}

const struct itp_path_sets *itp_unit_finder_paths(const struct itp_unit_finder *finder)
{
	return finder->paths;
}
