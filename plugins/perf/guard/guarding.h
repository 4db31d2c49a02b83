/* SPDX-License-Identifier: MIT */
/*
 * The whole of a guard over running processes, from the first process to the last. The parts are
 * listed in plugins/perf/guard/guard.h; knowledge of guards, and conclusions from it, are left to
 * common/guard.
 */
#ifndef ITP_PERF_GUARD_GUARDING_H
#define ITP_PERF_GUARD_GUARDING_H

#include <glib.h>
#include <stdbool.h>

#include "common/guard/guard.h"
#include "plugins/perf/guard/recorder.h"

struct itp_guarding_options {
	/* Weak. */
	const struct itp_guard_file *file;
	/* Processes, with commas between; NULL for none. Weak. */
	const char *pids;
	/* Guard all processes with a loop, present and future. */
	bool is_machine;
	bool is_json;
	/* Seconds between summaries; 0 for a single summary at the end. */
	double period_s;
	guint hertz;
	/* Largest cost: a part of the CPU time used by the guarded processes, or of one CPU's if
	 * they use less. */
	double budget;
	/* Recording after a late unit. */
	struct itp_guard_recorder_options record;
};

struct itp_guarding;

/* Begins to guard. NULL with an error on failure, with nothing left in the kernel. */
struct itp_guarding *itp_guarding_new(const struct itp_guarding_options *options, GError **error);
void itp_guarding_free(struct itp_guarding *guarding);

/* Takes process `pid`, about to exec a program: its programs, and processes it starts, are guarded
 * as soon as any of them has a loop of the guards. */
void itp_guarding_await(struct itp_guarding *guarding, int32_t pid);

/* Prints until no process is left, or SIGINT, SIGTERM or SIGHUP comes; then prints the summary.
 * False with an error when all processes were given up for one reason. */
bool itp_guarding_run(struct itp_guarding *guarding, GError **error);

/* Sets the limits in `file` by counts; apart from limits, `file` equals the file in the options.
 * Returns the number of types that have learned. */
guint itp_guarding_learn(const struct itp_guarding *guarding, struct itp_guard_file *file);

/* Part of the time in which system calls were watched. */
double itp_guarding_watched(const struct itp_guarding *guarding);

#endif
