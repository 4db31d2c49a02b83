/* SPDX-License-Identifier: MIT */
/*
 * See tick-blocks.h.
 */
#include "common/infer/tick-blocks.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define BLOCKS 16u
/* Ticks in a block at first: it is doubled when there are BLOCKS of it. */
#define FIRST_TICKS 8u
/* Ticks of a context, and of the others that it is compared with, that tell. */
#define TICKS_ENOUGH 50
/* Blocks less one, as if all were of one size, that tell: fewer show a variance to a factor of two.
 */
#define FREEDOM_ENOUGH 4.0
/* How many standard errors prove that a context is uneven. */
#define ERRORS_OF_PROOF 2

/* Ticks of a context, or of all that it calls as well, in each block. */
struct row {
	uint32_t node;
	uint32_t counts[BLOCKS];
};

struct itp_tick_blocks {
	/* Weak. */
	const struct itp_context_tree *tree;
	/* struct row. Owned by this. */
	GArray *rows;
	/* By node: one more than the number of its row, 0 = none. Owned by this. */
	GArray *row_of;
	uint64_t ticks;
	uint64_t block_ticks;
};

struct itp_tick_blocks *itp_tick_blocks_new(const struct itp_context_tree *tree)
{
	struct itp_tick_blocks *blocks = g_new0(struct itp_tick_blocks, 1);

	blocks->tree = tree;
	blocks->rows = g_array_new(FALSE, FALSE, sizeof(struct row));
	blocks->row_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	blocks->block_ticks = FIRST_TICKS;
	return blocks;
}

void itp_tick_blocks_free(struct itp_tick_blocks *blocks)
{
	if (!blocks) {
		return;
	}
	g_array_free(blocks->rows, TRUE);
	g_array_free(blocks->row_of, TRUE);
	g_free(blocks);
}

static struct row *row_at(const struct itp_tick_blocks *blocks, uint32_t i)
{
	return &g_array_index(blocks->rows, struct row, i);
}

/* The row of the node, valid until another one is made. */
static struct row *intern_row(struct itp_tick_blocks *blocks, uint32_t node)
{
	const struct row made = { .node = node };
	uint32_t *number;

	if (node >= blocks->row_of->len) {
		g_array_set_size(blocks->row_of, node + 1);
	}
	number = &g_array_index(blocks->row_of, uint32_t, node);
	if (*number == 0) {
		g_array_append_val(blocks->rows, made);
		*number = blocks->rows->len;
	}
	return row_at(blocks, *number - 1);
}

/* Two blocks become one. */
static void halve(struct itp_tick_blocks *blocks)
{
	for (guint i = 0; i < blocks->rows->len; i++) {
		uint32_t *counts = row_at(blocks, i)->counts;

		for (size_t block = 0; block < BLOCKS / 2; block++) {
			counts[block] = counts[2 * block] + counts[2 * block + 1];
		}
		memset(&counts[BLOCKS / 2], 0, BLOCKS / 2 * sizeof(counts[0]));
	}
	blocks->block_ticks *= 2;
}

void itp_tick_blocks_add(struct itp_tick_blocks *blocks, uint32_t node)
{
	if (blocks->ticks == BLOCKS * blocks->block_ticks) {
		halve(blocks);
	}
	intern_row(blocks, node)->counts[blocks->ticks / blocks->block_ticks]++;
	blocks->ticks++;
}

static uint32_t sum_of(const struct row *row)
{
	uint32_t sum = 0;

	for (size_t block = 0; block < BLOCKS; block++) {
		sum += row->counts[block];
	}
	return sum;
}

/* ---- Functions ---- */

/* A function below its outermost context on a path: it may call itself. */
struct function {
	/* Context of the row; its counts are those of all contexts below. */
	struct row row;
	/* ITP_CONTEXT_ROOT where it has too few ticks. */
	uint32_t caller;
	double uneven;
};

static uint32_t outermost_of(const struct itp_tick_blocks *blocks, uint32_t node)
{
	uint32_t function = itp_context_tree_get(blocks->tree, node)->function;
	uint32_t outermost = node;

	for (uint32_t at = node; at != ITP_CONTEXT_ROOT;
	     at = itp_context_tree_get(blocks->tree, at)->parent) {
		if (itp_context_tree_get(blocks->tree, at)->function == function) {
			outermost = at;
		}
	}
	return outermost;
}

/* Function of `node`, made when there is none. */
static struct function *intern_function(GHashTable *functions, uint32_t node)
{
	struct function *function = g_hash_table_lookup(functions, GUINT_TO_POINTER(node));

	if (!function) {
		function = g_new0(struct function, 1);
		function->row.node = node;
		g_hash_table_insert(functions, GUINT_TO_POINTER(node), function);
	}
	return function;
}

static void add_counts(struct row *sum, const struct row *row)
{
	for (size_t block = 0; block < BLOCKS; block++) {
		sum->counts[block] += row->counts[block];
	}
}

/* struct function by outermost context; free with g_hash_table_unref(). */
static GHashTable *find_functions(const struct itp_tick_blocks *blocks)
{
	GHashTable *functions = g_hash_table_new_full(NULL, NULL, NULL, g_free);

	for (guint i = 0; i < blocks->rows->len; i++) {
		const struct row *row = row_at(blocks, i);
		uint32_t outermost = outermost_of(blocks, row->node);

		add_counts(&intern_function(functions, outermost)->row, row);
	}
	return functions;
}

/* ---- What they are compared with ---- */

/* By node: ticks of it and of all that it calls. Free with g_free(). */
static uint32_t *sum_below(const struct itp_tick_blocks *blocks)
{
	uint32_t node_count = itp_context_tree_size(blocks->tree);
	uint32_t *below = g_new0(uint32_t, node_count);

	for (guint i = 0; i < blocks->rows->len; i++) {
		below[row_at(blocks, i)->node] = sum_of(row_at(blocks, i));
	}
	/* Parents have smaller numbers. */
	for (uint32_t node = node_count; node-- > ITP_CONTEXT_ROOT + 1;) {
		below[itp_context_tree_get(blocks->tree, node)->parent] += below[node];
	}
	return below;
}

/* The innermost caller that has as many other ticks as the function has, else its process. */
static uint32_t caller_of(const struct itp_tick_blocks *blocks, const struct row *row,
			  const uint32_t *below)
{
	uint32_t node = row->node;
	uint32_t parent = itp_context_tree_get(blocks->tree, node)->parent;

	while (below[node] < 2 * sum_of(row) && parent != ITP_CONTEXT_ROOT) {
		node = parent;
		parent = itp_context_tree_get(blocks->tree, node)->parent;
	}
	return node;
}

/* Sets the callers of all functions. Those are in the result, as functions whose counts are to
 * become those of all that they call; free with g_hash_table_unref(). */
static GHashTable *find_callers(const struct itp_tick_blocks *blocks, GHashTable *functions)
{
	g_autofree uint32_t *below = sum_below(blocks);
	GHashTable *callers = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, functions);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct function *function = value;

		if (sum_of(&function->row) >= TICKS_ENOUGH) {
			function->caller = caller_of(blocks, &function->row, below);
			intern_function(callers, function->caller);
		}
	}
	return callers;
}

static void sum_callers(const struct itp_tick_blocks *blocks, GHashTable *callers)
{
	for (guint i = 0; i < blocks->rows->len; i++) {
		const struct row *row = row_at(blocks, i);

		for (uint32_t node = row->node; node != ITP_CONTEXT_ROOT;
		     node = itp_context_tree_get(blocks->tree, node)->parent) {
			struct function *caller =
				g_hash_table_lookup(callers, GUINT_TO_POINTER(node));

			if (caller) {
				add_counts(&caller->row, row);
			}
		}
	}
}

/* ---- Unevenness ---- */

/* Σ squares of the ticks of blocks. */
static double squares_of(const struct row *row)
{
	double squares = 0;

	for (size_t block = 0; block < BLOCKS; block++) {
		squares += (double)row->counts[block] * row->counts[block];
	}
	return squares;
}

/* Σ (ticks of a block − those that it has as a part of the caller's)². */
static double differences_of(const struct row *row, const struct row *caller, double part)
{
	double squares = 0;

	for (size_t block = 0; block < BLOCKS; block++) {
		double difference = row->counts[block] - part * caller->counts[block];

		squares += difference * difference;
	}
	return squares;
}

/* Of n ticks of a caller's N, p = n / N, blocks differ by N p (1 − p) in all by chance. Blocks of
 * unequal size are as many of one size as their sum has, squared, by the sum of their squares. If
 * the function took longer by itself, N grew with it: what is seen of n is 1 − p of that. */
static double unevenness_of(const struct row *row, const struct row *caller)
{
	double ticks = sum_of(row);
	double all = sum_of(caller);
	double part = ticks / all;
	double freedom = all * all / squares_of(caller) - 1;
	double chance = part * (1 - part) * all;
	double seen;

	if (all - ticks < TICKS_ENOUGH || freedom < FREEDOM_ENOUGH) {
		return 0;
	}
	seen = differences_of(row, caller, part) * (freedom + 1) / freedom;
	seen -= chance * (1 + ERRORS_OF_PROOF * sqrt(2 / freedom));
	return MAX(seen, 0) / ((1 - part) * (1 - part));
}

static void measure(GHashTable *functions, GHashTable *callers)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, functions);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct function *function = value;

		if (function->caller != ITP_CONTEXT_ROOT) {
			function->uneven = unevenness_of(
				&function->row, &intern_function(callers, function->caller)->row);
		}
	}
}

static void begin_anew(struct itp_tick_blocks *blocks)
{
	for (guint i = 0; i < blocks->rows->len; i++) {
		g_array_index(blocks->row_of, uint32_t, row_at(blocks, i)->node) = 0;
	}
	g_array_set_size(blocks->rows, 0);
	blocks->ticks = 0;
	blocks->block_ticks = FIRST_TICKS;
}

uint64_t *itp_tick_blocks_take(struct itp_tick_blocks *blocks)
{
	g_autoptr(GHashTable) functions = find_functions(blocks);
	g_autoptr(GHashTable) callers = find_callers(blocks, functions);
	uint64_t *uneven = g_new0(uint64_t, itp_context_tree_size(blocks->tree));

	sum_callers(blocks, callers);
	measure(functions, callers);
	for (guint i = 0; i < blocks->rows->len; i++) {
		const struct row *row = row_at(blocks, i);
		const struct function *function =
			intern_function(functions, outermost_of(blocks, row->node));
		double part = (double)sum_of(row) / sum_of(&function->row);

		uneven[row->node] = (uint64_t)(function->uneven * part + 0.5);
	}
	begin_anew(blocks);
	return uneven;
}
