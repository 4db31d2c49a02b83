/* SPDX-License-Identifier: MIT */
/*
 * perf record as a child whose records are read while it makes them.
 *
 * A thread of its own keeps it going: asks it again and again for records held back, and ends it
 * when the user wants. Records up to then still come, and then the end of the pipe.
 */
#ifndef ITP_PERF_COMMAND_LIVE_PERF_H
#define ITP_PERF_COMMAND_LIVE_PERF_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <termios.h>

#include "plugins/perf/command/perf-run.h"
#include "terminal/screen.h"

struct itp_live_perf {
	GPid pid;
	/* Screen, left while this process is stopped (Ctrl-Z); NULL for none. Weak. */
	struct itp_screen *screen;
	/* Descriptors for commands to perf; for the user's keys, or -1; and for signals. Owned by
	 * this. */
	int control;
	int keys;
	int signals;
	/* perf's standard error, and its last, unfinished line. Owned by this. */
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

/* Starts `command`, which records to standard output, and makes its records this process's standard
 * input. Its messages are passed on, unless they tell how much it has recorded. From now on SIGINT,
 * SIGTERM, SIGHUP, SIGQUIT and the key q end perf, and not this process. After an error nothing is
 * to be ended. */
bool itp_live_perf_start(struct itp_live_perf *live, char **command, struct itp_screen *screen,
			 GError **error);

/* Waits for its end. Unless all its output was read, it is ended, if it still runs. */
struct itp_perf_end itp_live_perf_end(struct itp_live_perf *live, bool is_read);

#endif
