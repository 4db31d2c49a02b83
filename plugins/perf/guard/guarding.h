/* SPDX-License-Identifier: MIT */
/*
 * Guards over processes that run (PerfGuard, section 4.5).
 *
 *   guarding.c   the whole, from the first process to the last
 *   processes.c  what they have mapped, and the functions of their stacks
 *   kernel.c     the programs in the kernel, which are guard.bpf.c with guard-units.h and
 *                guard-state.h
 *   guard-bpf.h  what these and the rest share
 *   windows.c    when system calls are watched
 *   answers.c    what the kernel asks
 *   alarms.c     units that are late
 *   wakers.c     who ended their waiting
 *   recorder.c   a recording of the late units that follow one
 *   shifts.c     types that have become slow as a whole
 *   lines.c      what is said of them
 *   reasons.c    what is said of what they took longer than usual
 *
 * What the guards know, and what follows from it, is common/guard's.
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
	/* All that there are and will be that have one of the loops. */
	bool is_machine;
	bool is_json;
	/* Between summaries; 0 for one at the end only. */
	double period_s;
	guint hertz;
	/* What it may cost: a part of the CPU time that the guarded processes use, or of one CPU's
	 * where they use less. */
	double budget;
	/* What is recorded when a unit was late. */
	struct itp_guard_recorder_options record;
};

struct itp_guarding;

/* Begins. NULL with an error when it cannot, with nothing left in the kernel. */
struct itp_guarding *itp_guarding_new(const struct itp_guarding_options *options, GError **error);
void itp_guarding_free(struct itp_guarding *guarding);

/* `pid` is about to begin a program: that is guarded, and so is what it starts, as soon as one of
 * them has a loop of the guards. */
void itp_guarding_await(struct itp_guarding *guarding, int32_t pid);

/* Prints until there is no process left, or SIGINT, SIGTERM or SIGHUP comes; then the summary.
 * False when all processes were given up for one reason, which is the error. */
bool itp_guarding_run(struct itp_guarding *guarding, GError **error);

/* Sets the limits of `file`, which says the same as that of the options but for these, by what was
 * counted. Returns how many types have learned. */
guint itp_guarding_learn(const struct itp_guarding *guarding, struct itp_guard_file *file);

#endif
