/* SPDX-License-Identifier: MIT */
/*
 * perf as a child of this process.
 */
#ifndef ITP_PERF_RECORD_PERF_RUN_H
#define ITP_PERF_RECORD_PERF_RUN_H

#include <glib.h>
#include <stdbool.h>

/* Exit status of perf when its target has ended. */
#define ITP_PERF_FAILED 255

struct itp_perf_end {
	/* Status as from waitpid(). */
	int status;
	/* Ended by a signal, as users end a recording. */
	bool is_interrupted;
};

/* Runs `command` to its end. Signals from outside (SIGINT, SIGTERM, SIGHUP) are left to perf, which
 * then finishes its file. */
bool itp_perf_run(char **command, struct itp_perf_end *ret_end, GError **error);

/* Explains why perf did not start, for `reason`, which it takes. Returns false. */
bool itp_perf_explain_start(GError *reason, GError **error);

/* Explains why perf, silent itself if it `is_quiet`, ended without a recording at `path`. Returns
 * false. */
bool itp_perf_explain_nothing(const char *path, bool is_quiet, GError **error);

/* True when perf may record with `command`: tried with a target that ends at once and without a
 * file. The error has the reason and the remedy. */
bool itp_perf_try(char **command, GError **error);

/* Runs `command`, and returns its standard error, owned by the caller; NULL when it cannot be
 * started or fails. */
char *itp_perf_listen(char **command, GError **error);

#endif
