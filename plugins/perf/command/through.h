/* SPDX-License-Identifier: MIT */
/*
 * Output of `units --through`: the requests found by common/through in a recording.
 */
#ifndef ITP_PERF_COMMAND_THROUGH_H
#define ITP_PERF_COMMAND_THROUGH_H

#include "common/engine/recordings.h"

/* Prints the requests of the only one of `recordings`, called `path`: as text the first `top` (0:
 * all), or as JSON lines all of them. False with an error without any. */
bool itp_through_show(const struct itp_recordings *recordings, const char *path, guint top,
		      bool is_jsonl, GError **error);

#endif
