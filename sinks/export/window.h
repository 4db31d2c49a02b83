/* SPDX-License-Identifier: MIT */
/*
 * The parameters `begin` and `end`: times on the recording's clock.
 */
#ifndef ITP_SINKS_EXPORT_WINDOW_H
#define ITP_SINKS_EXPORT_WINDOW_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Each may be NULL, for no bound. An error names the parameter. */
bool itp_export_window_parse(const char *begin, const char *end, int64_t *ret_begin_ns,
			     int64_t *ret_end_ns, GError **error);

#endif
