/* SPDX-License-Identifier: MIT */
/*
 * Order of ids by number, for sorting, and places in sorted arrays.
 */
#ifndef ITP_BASE_ORDER_H
#define ITP_BASE_ORDER_H

#include <glib.h>
#include <stdint.h>

/* A GCompareFunc for arrays of uint32_t: the smallest first. */
static inline gint itp_order_of_ids(gconstpointer a, gconstpointer b)
{
	const uint32_t *left = a;
	const uint32_t *right = b;

	return (*left > *right) - (*left < *right);
}

/* How many elements of `array` have a number of at most `limit`: a uint64_t at `offset` in each, by
 * which they are sorted. */
static inline guint itp_count_up_to(const GArray *array, size_t offset, uint64_t limit)
{
	size_t size = g_array_get_element_size((GArray *)array);
	guint low = 0;
	guint high = array->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const void *number = array->data + middle * size + offset;

		if (*(const uint64_t *)number <= limit) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

#endif
