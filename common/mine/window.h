/* SPDX-License-Identifier: MIT */
/*
 * Functions in a part of a stack, each once, while the part moves along the stack: a pattern's gaps
 * lie one behind the other and mostly have the same functions, so each is made from the last.
 */
#ifndef ITP_MINE_WINDOW_H
#define ITP_MINE_WINDOW_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct itp_window {
	/* By function: number of its occurrences in the part, and its place in `functions`. Owned
	 * by this. */
	uint32_t *counts;
	uint32_t *places;
	/* uint32_t: functions of the part, each once, in any order. Owned by this. */
	GArray *functions;
};

/* Empty window, for functions below `function_count`. */
void itp_window_init(struct itp_window *window, uint32_t function_count);
void itp_window_release(struct itp_window *window);

/* The part begins to have the function once more, and once less. */
void itp_window_enter(struct itp_window *window, uint32_t function);
void itp_window_leave(struct itp_window *window, uint32_t function);

/* Empties the window. */
void itp_window_clear(struct itp_window *window);

static inline bool itp_window_has(const struct itp_window *window, uint32_t function)
{
	return window->counts[function] > 0;
}

#endif
