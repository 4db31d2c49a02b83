/* SPDX-License-Identifier: MIT */
/*
 * perf as a child of this process.
 */
#ifndef ITP_PERF_COMMAND_PERF_RUN_H
#define ITP_PERF_COMMAND_PERF_RUN_H

#include <glib.h>
#include <stdbool.h>

/* The exit status of perf when what it was to record has ended. */
#define ITP_PERF_FAILED 255

struct itp_perf_end {
	/* As from waitpid(). */
	int status;
	/* By a signal, as one ends a recording. */
	bool is_interrupted;
};

/* Runs `command` to its end. What ends this process from outside (SIGINT, SIGTERM, SIGHUP) is left
 * to perf, which then finishes its file. */
bool itp_perf_run(char **command, struct itp_perf_end *ret_end, GError **error);

/* Says what follows from perf not having started, for `reason`, which it takes. Returns false. */
bool itp_perf_explain_start(GError *reason, GError **error);

/* Says what follows from perf, which says nothing itself if it `is_quiet`, having ended without a
 * recording at `path`. Returns false. */
bool itp_perf_explain_nothing(const char *path, bool is_quiet, GError **error);

/* Whether perf may record with `command`, of which the target is replaced by something that ends at
 * once and the file by none. The error says why not and what to do. */
bool itp_perf_try(char **command, GError **error);

/* Runs `command`, and returns what it says on standard error, owned by the caller; NULL when it
 * cannot be started or fails. */
char *itp_perf_listen(char **command, GError **error);

#endif
