/* SPDX-License-Identifier: MIT */
/*
 * Command that waits to be let go, so that its events can be counted from the first on. Choosing
 * and recording it is left to its users.
 */
#ifndef ITP_PERF_RECORD_HELD_H
#define ITP_PERF_RECORD_HELD_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

struct itp_held {
	/* Process of the command; 0 for none. */
	pid_t pid;
	/* Write end of a pipe: a line, by this process or a child, lets the command go. */
	int gate;
	/* Runs aside, as with perf: input from /dev/null, and output to standard error. */
	bool is_aside;
};

/* Starts `command`, NULL-terminated words, up to its exec. `is_aside` of `held` is set before.
 * False with an error when no process can be made. */
bool itp_held_start(struct itp_held *held, char **command, GError **error);

/* Shell command that lets the command go while this process lives. Owned by the caller. */
char *itp_held_release_command(const struct itp_held *held);

/* Closes this process' end of the gate; a command not let go by then ends. */
void itp_held_close(struct itp_held *held);

/* Pids of the command and of descendants older than 0.2 s, in perf's form: "12,13". NULL when the
 * command has ended. Owned by the caller. */
char *itp_held_pids(const struct itp_held *held);

/* Living processes or threads of `pids` ("12,13"); "" when all have ended. Owned by the caller. */
char *itp_living(const char *pids);

/* Living processes of `pids`, from itp_held_pids(). NULL when the command has ended. Owned by the
 * caller. */
char *itp_held_survivors(const struct itp_held *held, const char *pids);

/* Waits for the end of the command, after SIGTERM if still running, as perf does. Returns its
 * status as from waitpid(), 0 without a command; `pid` is 0 afterwards. */
int itp_held_end(struct itp_held *held);

#endif
