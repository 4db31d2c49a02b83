/* SPDX-License-Identifier: MIT */
/*
 * See births.h.
 */
#include "common/unit/births.h"

#include <glib.h>

#include "common/base/hash.h"

/* Most births known, in some ten megabytes: beyond, nothing new is learned. */
#define BIRTHS_MOST (1u << 16)

struct itp_births {
	/* struct itp_birth by tid of the child; and by tid of the maker a GArray of children
	 * (int32_t) with unsettled births. Owned by this. */
	GHashTable *children;
	GHashTable *makers;
};

struct itp_births *itp_births_new(void)
{
	struct itp_births *births = g_new0(struct itp_births, 1);

	births->children = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	births->makers =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, (GDestroyNotify)g_array_unref);
	return births;
}

void itp_births_free(struct itp_births *births)
{
	g_hash_table_unref(births->children);
	g_hash_table_unref(births->makers);
	g_free(births);
}

static GArray *unsettled_of(struct itp_births *births, int32_t maker)
{
	GArray *unsettled = g_hash_table_lookup(births->makers, GINT_TO_POINTER(maker));

	if (!unsettled) {
		unsettled = g_array_new(FALSE, FALSE, sizeof(int32_t));
		g_hash_table_insert(births->makers, GINT_TO_POINTER(maker), unsettled);
	}
	return unsettled;
}

void itp_births_note(struct itp_births *births, int32_t child, int32_t maker, int64_t time_ns)
{
	GArray *unsettled = unsettled_of(births, maker);
	struct itp_birth *birth;

	if (g_hash_table_size(births->children) < BIRTHS_MOST && unsettled->len < BIRTHS_MOST) {
		birth = g_new0(struct itp_birth, 1);
		birth->maker = maker;
		birth->time_ns = time_ns;
		g_hash_table_insert(births->children, GINT_TO_POINTER(child), birth);
		g_array_append_val(unsettled, child);
	}
}

void itp_births_settle(struct itp_births *births, int32_t maker, int64_t until_ns,
		       const struct itp_unit *unit)
{
	GArray *unsettled = g_hash_table_lookup(births->makers, GINT_TO_POINTER(maker));
	guint count = 0;

	for (; unsettled && count < unsettled->len; count++) {
		struct itp_birth *birth = g_hash_table_lookup(
			births->children,
			GINT_TO_POINTER(g_array_index(unsettled, int32_t, count)));

		if (birth && birth->maker == maker) {
			if (birth->time_ns >= until_ns) {
				break;
			}
			birth->is_settled = true;
			birth->unit = unit && unit->begin_ns <= birth->time_ns ?
					      *unit :
					      (struct itp_unit){ 0 };
		}
	}
	if (count > 0) {
		g_array_remove_range(unsettled, 0, count);
	}
}

bool itp_births_has(const struct itp_births *births, int32_t child)
{
	return g_hash_table_contains(births->children, GINT_TO_POINTER(child));
}

bool itp_births_take(struct itp_births *births, int32_t child, struct itp_birth *ret_birth)
{
	const struct itp_birth *birth =
		g_hash_table_lookup(births->children, GINT_TO_POINTER(child));

	if (birth) {
		*ret_birth = *birth;
		g_hash_table_remove(births->children, GINT_TO_POINTER(child));
	}
	return birth;
}
