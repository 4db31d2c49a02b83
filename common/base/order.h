/* SPDX-License-Identifier: MIT */
/*
 * Order of numbers, for sorting, and places in sorted arrays.
 */
#ifndef ITP_BASE_ORDER_H
#define ITP_BASE_ORDER_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

/* Order of two numbers: below 0 where `left` is smaller, 0 where they are equal. In a GCompareFunc
 * with several keys, ?: goes from a key to the next: ITP_ORDER(…) ?: ITP_ORDER(…). */
#define ITP_ORDER(left, right) (((left) > (right)) - ((left) < (right)))

/* GCompareFuncs for arrays of uint32_t, of double and of strings: the smallest first. */
static inline gint itp_order_of_ids(gconstpointer a, gconstpointer b)
{
	return ITP_ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

static inline gint itp_order_of_doubles(gconstpointer a, gconstpointer b)
{
	return ITP_ORDER(*(const double *)a, *(const double *)b);
}

static inline gint itp_order_of_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
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
