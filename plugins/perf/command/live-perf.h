/* SPDX-License-Identifier: MIT */
/*
 * perf record as a child whose records are read while it makes them.
 *
 * A thread of its own keeps it going: asks it again and again for what it holds back, and ends it
 * when the user wants to. What perf has by then still comes, and then the end of the pipe.
 */
#ifndef ITP_PERF_COMMAND_LIVE_PERF_H
#define ITP_PERF_COMMAND_LIVE_PERF_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <termios.h>

struct itp_live_perf {
	GPid pid;
	/* Where perf takes commands; one on which what the user types is read, or -1; and one on
	 * which signals are read. Owned by this. */
	int control;
	int keys;
	int signals;
	/* Closed when the thread is to end: both ends of a pipe. Owned by this. */
	int stop[2];
	GThread *keeper;
	/* To be restored. */
	struct termios terminal;
	sigset_t mask;
};

/* Starts `command`, which records to standard output, and makes its records this process's standard
 * input. From now on SIGINT, SIGTERM, SIGHUP and the key q end perf, and not this process. */
bool itp_live_perf_start(struct itp_live_perf *live, char **command, GError **error);

/* Ends it, if it still runs, and waits for that. Returns its status as from waitpid(). */
int itp_live_perf_end(struct itp_live_perf *live);

#endif
