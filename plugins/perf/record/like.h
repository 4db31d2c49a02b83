/* SPDX-License-Identifier: MIT */
/*
 * --like FILE: recording as for an earlier recording, so that both can be compared.
 */
#ifndef ITP_PERF_RECORD_LIKE_H
#define ITP_PERF_RECORD_LIKE_H

#include "plugins/perf/record/record-values.h"

/* Chooses in `options` what the command line of the recording at `path` had chosen: stack, preset,
 * timer, and programs in the kernel. An error when it cannot be read or does not tell. */
bool itp_like_read(const char *path, struct itp_record_options *options, GError **error);

#endif
