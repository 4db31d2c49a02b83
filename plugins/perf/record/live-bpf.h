/* SPDX-License-Identifier: MIT */
/*
 * Programs in the kernel that record for a reader that follows: a child of this process, whose
 * records become this process's standard input, as perf's do (live-recorder.h).
 */
#ifndef ITP_PERF_RECORD_LIVE_BPF_H
#define ITP_PERF_RECORD_LIVE_BPF_H

#include <glib.h>
#include <signal.h>

#include "plugins/perf/record/record-options.h"

/* Starts the recorder with `options`, for the command `typed`, NULL-terminated words. `*ret_pid` is
 * its process, `*ret_errors` its standard error. Returns the end of a pipe from which its records
 * are to be read; -1 with an error where the kernel has not let it begin, and nothing was recorded.
 * `mask` has the signals that are blocked in it. */
int itp_live_bpf_start(const struct itp_record_options *options, char *const *typed,
		       const sigset_t *mask, GPid *ret_pid, int *ret_errors, GError **error);

#endif
