/* SPDX-License-Identifier: MIT */
/*
 * Command that waits to be let go, so that its events can be counted from the first one on.
 */
#ifndef ITP_PERF_COMMAND_HELD_H
#define ITP_PERF_COMMAND_HELD_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

struct itp_held {
	/* 0 for none. */
	pid_t pid;
	/* Pipe in which a line, written by a child of this process, lets it go. */
	int gate;
	/* Aside, as with perf: nobody types for it, and its output is not mixed with ours. */
	bool is_aside;
};

/* Starts `command` up to the point where it would run. is_aside of `held` is set before. */
bool itp_held_start(struct itp_held *held, char **command, GError **error);

/* Shell command that lets it go while this process is there. Owned by the caller. */
char *itp_held_release_command(const struct itp_held *held);

/* Closes this process' ends of the gate; the command has been let go by then, or ends. */
void itp_held_close(struct itp_held *held);

/* Processes of the command with all descendants that have run for a moment, in perf's form:
 * "12,13". NULL when it has ended. Owned by the caller. */
char *itp_held_pids(const struct itp_held *held);

/* Living ones of `pids`, processes or threads; "" when all have ended. Owned by the caller. */
char *itp_living(const char *pids);

/* Living ones of `pids`, from itp_held_pids(). NULL when the command has ended. Owned by the
 * caller. */
char *itp_held_survivors(const struct itp_held *held, const char *pids);

/* Waits for its end, after SIGTERM if it still runs, as perf does with a command. Returns its
 * status as from waitpid(), 0 without a command; its pid is 0 afterwards. */
int itp_held_end(struct itp_held *held);

#endif
