/* SPDX-License-Identifier: MIT */
/*
 * See descriptors.h.
 *
 * A process made by another looks into its maker's table, too, for a descriptor not used yet: the
 * side was there when it was made, and is the same.
 */
#include "common/through/descriptors.h"

#include <glib.h>

#include "common/base/hash.h"

/* Stands in a table for a descriptor that was closed; others are side + 2, as 0 is none. */
#define CLOSED 1
#define FIRST 2

struct table {
	/* Side + FIRST by descriptor. Owned by this. */
	GHashTable *sides;
	/* Table of the process' maker, or NULL. Weak. */
	struct table *parent;
	/* Sides of the parent with this number and above were opened later. */
	uint32_t sides_then;
	/* How many sides its process has made that were not used yet; and the parent's until then.
	 */
	uint32_t unused;
	uint32_t unused_then;
};

struct side {
	/* Number of its descriptors. */
	uint32_t references;
	/* Side older than the sight of its first use; and side of a call that does not tell its
	 * descriptors. */
	bool was_there;
	bool was_unused;
};

struct itp_descriptors {
	/* struct table by process. Weak. */
	GHashTable *processes;
	/* struct table, also of processes whose number is used again. Owned by this. */
	GPtrArray *tables;
	/* struct side. Owned by this. */
	GArray *sides;
};

static void free_table(gpointer data)
{
	struct table *table = data;

	g_hash_table_unref(table->sides);
	g_free(table);
}

struct itp_descriptors *itp_descriptors_new(void)
{
	struct itp_descriptors *descriptors = g_new0(struct itp_descriptors, 1);

	descriptors->processes = g_hash_table_new(itp_hash_number, NULL);
	descriptors->tables = g_ptr_array_new_with_free_func(free_table);
	descriptors->sides = g_array_new(FALSE, FALSE, sizeof(struct side));
	return descriptors;
}

void itp_descriptors_free(struct itp_descriptors *descriptors)
{
	if (descriptors) {
		g_hash_table_unref(descriptors->processes);
		g_ptr_array_unref(descriptors->tables);
		g_array_unref(descriptors->sides);
		g_free(descriptors);
	}
}

static struct side *side_at(const struct itp_descriptors *descriptors, uint32_t side)
{
	return &g_array_index(descriptors->sides, struct side, side);
}

static struct table *add_table(struct itp_descriptors *descriptors, int32_t pid)
{
	struct table *table = g_new0(struct table, 1);

	table->sides = g_hash_table_new(itp_hash_number, NULL);
	g_ptr_array_add(descriptors->tables, table);
	g_hash_table_insert(descriptors->processes, GINT_TO_POINTER(pid), table);
	return table;
}

static struct table *table_of(struct itp_descriptors *descriptors, int32_t pid)
{
	struct table *table = g_hash_table_lookup(descriptors->processes, GINT_TO_POINTER(pid));

	return table ? table : add_table(descriptors, pid);
}

static gsize value_at(const struct table *table, int64_t descriptor)
{
	return GPOINTER_TO_SIZE(
		g_hash_table_lookup(table->sides, GSIZE_TO_POINTER((gsize)descriptor)));
}

static void set(struct itp_descriptors *descriptors, const struct table *table, int64_t descriptor,
		uint32_t side)
{
	side_at(descriptors, side)->references++;
	g_hash_table_insert(table->sides, GSIZE_TO_POINTER((gsize)descriptor),
			    GSIZE_TO_POINTER((gsize)side + FIRST));
}

/* Takes the descriptor from its side; returns the side without any descriptor left. */
static uint32_t release_descriptor(struct itp_descriptors *descriptors, const struct table *table,
				   int64_t descriptor)
{
	gsize value = value_at(table, descriptor);
	uint32_t side = value >= FIRST ? (uint32_t)(value - FIRST) : ITP_SIDE_NONE;

	if (side == ITP_SIDE_NONE || --side_at(descriptors, side)->references > 0) {
		return ITP_SIDE_NONE;
	}
	return side;
}

static uint32_t new_side(struct itp_descriptors *descriptors, bool was_there)
{
	const struct side side = { .was_there = was_there };

	if (descriptors->sides->len >= ITP_SIDES_MOST) {
		return ITP_SIDE_NONE;
	}
	g_array_append_val(descriptors->sides, side);
	return descriptors->sides->len - 1;
}

static bool is_descriptor(int64_t descriptor)
{
	return descriptor >= 0 && descriptor <= INT32_MAX;
}

/* Side used by an ancestor of the table's process since, or before, as far as it is the same. */
static uint32_t inherited(const struct itp_descriptors *descriptors, const struct table *table,
			  int64_t descriptor)
{
	gsize value = 0;
	uint32_t side;
	uint32_t sides_then = 0;
	uint32_t unused_then = 0;

	for (; table->parent && value == 0; table = table->parent) {
		sides_then = table->sides_then;
		unused_then = table->unused_then;
		value = value_at(table->parent, descriptor);
	}
	side = value >= FIRST ? (uint32_t)(value - FIRST) : ITP_SIDE_NONE;
	return side != ITP_SIDE_NONE &&
			       (side < sides_then ||
				(side_at(descriptors, side)->was_there &&
				 (!side_at(descriptors, side)->was_unused || unused_then > 0))) ?
		       side :
		       ITP_SIDE_NONE;
}

/* Ancestors have the side as well, unless they have used their descriptor for another: up to its
 * possible maker. */
static void set_in_all(struct itp_descriptors *descriptors, struct table *table, int64_t descriptor,
		       uint32_t side)
{
	bool is_made = false;

	for (; table && !is_made && value_at(table, descriptor) == 0; table = table->parent) {
		set(descriptors, table, descriptor, side);
		is_made = table->unused > 0;
		table->unused -= is_made;
	}
	side_at(descriptors, side)->was_unused = is_made;
}

uint32_t itp_descriptors_get(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor)
{
	struct table *table = table_of(descriptors, pid);
	gsize value = is_descriptor(descriptor) ? value_at(table, descriptor) : 0;
	uint32_t side;

	if (value >= FIRST || !is_descriptor(descriptor)) {
		return value >= FIRST ? (uint32_t)(value - FIRST) : ITP_SIDE_NONE;
	}
	side = value == CLOSED ? ITP_SIDE_NONE : inherited(descriptors, table, descriptor);
	if (side == ITP_SIDE_NONE) {
		side = new_side(descriptors, true);
	}
	if (side != ITP_SIDE_NONE && value == CLOSED) {
		set(descriptors, table, descriptor, side);
	} else if (side != ITP_SIDE_NONE) {
		set_in_all(descriptors, table, descriptor, side);
	}
	return side;
}

uint32_t itp_descriptors_open(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor)
{
	const struct table *table = table_of(descriptors, pid);
	uint32_t side = is_descriptor(descriptor) ? new_side(descriptors, false) : ITP_SIDE_NONE;

	if (side != ITP_SIDE_NONE) {
		release_descriptor(descriptors, table, descriptor);
		set(descriptors, table, descriptor, side);
	}
	return side;
}

void itp_descriptors_make_two(struct itp_descriptors *descriptors, int32_t pid)
{
	table_of(descriptors, pid)->unused += 2;
}

void itp_descriptors_duplicate(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor,
			       int64_t other)
{
	uint32_t side = itp_descriptors_get(descriptors, pid, descriptor);

	if (side != ITP_SIDE_NONE && is_descriptor(other) && other != descriptor) {
		const struct table *table = table_of(descriptors, pid);

		release_descriptor(descriptors, table, other);
		set(descriptors, table, other, side);
	}
}

uint32_t itp_descriptors_close(struct itp_descriptors *descriptors, int32_t pid, int64_t descriptor)
{
	const struct table *table = table_of(descriptors, pid);
	uint32_t left = ITP_SIDE_NONE;

	if (is_descriptor(descriptor)) {
		left = release_descriptor(descriptors, table, descriptor);
		g_hash_table_insert(table->sides, GSIZE_TO_POINTER((gsize)descriptor),
				    GSIZE_TO_POINTER(CLOSED));
	}
	return left;
}

void itp_descriptors_fork(struct itp_descriptors *descriptors, int32_t parent, int32_t pid)
{
	struct table *from = table_of(descriptors, parent);
	struct table *table = add_table(descriptors, pid);
	GHashTableIter iter;
	gpointer descriptor;
	gpointer value;

	table->parent = from;
	table->sides_then = descriptors->sides->len;
	table->unused_then = from->unused;
	g_hash_table_iter_init(&iter, from->sides);
	while (g_hash_table_iter_next(&iter, &descriptor, &value)) {
		if (GPOINTER_TO_SIZE(value) >= FIRST) {
			side_at(descriptors, (uint32_t)(GPOINTER_TO_SIZE(value) - FIRST))
				->references++;
		}
		g_hash_table_insert(table->sides, descriptor, value);
	}
}

static gint compare_descriptors(gconstpointer a, gconstpointer b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

GArray *itp_descriptors_between(const struct itp_descriptors *descriptors, int32_t pid,
				int64_t first, int64_t last)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(int64_t));
	const struct table *table =
		g_hash_table_lookup(descriptors->processes, GINT_TO_POINTER(pid));
	GHashTableIter iter;
	gpointer key;

	if (!table) {
		return list;
	}
	g_hash_table_iter_init(&iter, table->sides);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		int64_t descriptor = (int64_t)GPOINTER_TO_SIZE(key);

		if (descriptor >= first && descriptor <= last) {
			g_array_append_val(list, descriptor);
		}
	}
	g_array_sort(list, compare_descriptors);
	return list;
}
