/* SPDX-License-Identifier: MIT */
/*
 * A recorder as a child whose records are read while it makes them: programs in the kernel
 * (live-bpf.h), or perf record.
 *
 * A thread of its own keeps it going: asks it again and again for records held back, and ends it
 * when the user wants. Records up to then still come, and then the end of the pipe.
 */
#ifndef ITP_PERF_RECORD_LIVE_RECORDER_H
#define ITP_PERF_RECORD_LIVE_RECORDER_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <termios.h>

#include "plugins/perf/record/perf-run.h"
#include "plugins/perf/record/record-options.h"
#include "terminal/screen.h"

struct itp_live_recorder {
	GPid pid;
	/* Screen, left while this process is stopped (Ctrl-Z); NULL for none. Weak. */
	struct itp_screen *screen;
	/* Descriptors for commands to perf, -1 without perf; for the user's keys, or -1; and for
	 * signals. Owned by this. */
	int control;
	int keys;
	int signals;
	/* The recorder's standard error, and its last, unfinished line. Owned by this. */
	int errors;
	GString *line;
	/* Closed when the thread is to end: both ends of a pipe. Owned by this. */
	int stop[2];
	/* The user has ended it. The thread's while it runs. */
	bool is_interrupted;
	GThread *keeper;
	/* Modes of the terminal for keys, and to be restored. */
	struct termios mode;
	struct termios terminal;
	sigset_t mask;
};

/* Recorder to start. All members are weak. */
struct itp_live_choice {
	/* perf's command, which records to standard output; NULL for programs in the kernel. */
	char **perf;
	/* Options for programs in the kernel, and the words that were typed, NULL-terminated. */
	const struct itp_record_options *options;
	char *const *typed;
};

/* Starts a recorder, and makes its records this process's standard input. Its messages are passed
 * on, unless they tell how much it has recorded. From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and
 * the key q end the recorder, and not this process. After an error nothing is to be ended, and
 * nothing was recorded. */
bool itp_live_recorder_start(struct itp_live_recorder *live, const struct itp_live_choice *choice,
			     struct itp_screen *screen, GError **error);

/* Waits for its end. Unless all its output was read, it is ended, if it still runs. */
struct itp_perf_end itp_live_recorder_end(struct itp_live_recorder *live, bool is_read);

#endif
