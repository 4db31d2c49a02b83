/* SPDX-License-Identifier: MIT */
/*
 * The natural order of ids, for sorting.
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

#endif
