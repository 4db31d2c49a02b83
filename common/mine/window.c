/* SPDX-License-Identifier: MIT */
/*
 * See window.h.
 */
#include "common/mine/window.h"

void itp_window_init(struct itp_window *window, uint32_t function_count)
{
	*window = (struct itp_window){
		.counts = g_new0(uint32_t, function_count + 1),
		.places = g_new(uint32_t, function_count + 1),
		.functions = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};
}

void itp_window_release(struct itp_window *window)
{
	g_free(window->counts);
	g_free(window->places);
	g_array_unref(window->functions);
}

void itp_window_enter(struct itp_window *window, uint32_t function)
{
	if (window->counts[function]++ == 0) {
		window->places[function] = window->functions->len;
		g_array_append_val(window->functions, function);
	}
}

/* The last function of the list takes the free place. */
void itp_window_leave(struct itp_window *window, uint32_t function)
{
	GArray *functions = window->functions;

	if (--window->counts[function] == 0) {
		uint32_t last = g_array_index(functions, uint32_t, functions->len - 1);
		uint32_t place = window->places[function];

		g_array_index(functions, uint32_t, place) = last;
		window->places[last] = place;
		g_array_set_size(functions, functions->len - 1);
	}
}

void itp_window_clear(struct itp_window *window)
{
	for (guint i = 0; i < window->functions->len; i++) {
		window->counts[g_array_index(window->functions, uint32_t, i)] = 0;
	}
	g_array_set_size(window->functions, 0);
}
