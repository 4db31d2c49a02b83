/* SPDX-License-Identifier: MIT */
/*
 * A command that waits to be let go, so that its events can be counted from the first one on.
 */
#ifndef ITP_PERF_COMMAND_HELD_H
#define ITP_PERF_COMMAND_HELD_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

struct itp_held {
	/* 0 for none. */
	pid_t pid;
	/* What a child of this process writes a line to. */
	int gate;
	/* As with perf, nobody types for it, and what it prints is not mixed with what we do. */
	bool is_aside;
};

/* Starts `command` up to the point where it would run. Of `held`, is_aside is set before. */
bool itp_held_start(struct itp_held *held, char **command, GError **error);

/* A shell command that lets it go while this process is there. Owned by the caller. */
char *itp_held_release_command(const struct itp_held *held);

/* Closes what this process has of the gate, after which it has been let go or ends. */
void itp_held_close(struct itp_held *held);

/* The command's process and all below it that have run for a moment, as perf takes them: "12,13".
 * NULL when it has ended. Owned by the caller. */
char *itp_held_pids(const struct itp_held *held);

/* Those of `pids`, of processes or threads, that are there; "" when all have ended. Owned by the
 * caller. */
char *itp_living(const char *pids);

/* Those of `pids`, which are of itp_held_pids(), that have not ended. NULL when the command has.
 * Owned by the caller. */
char *itp_held_survivors(const struct itp_held *held, const char *pids);

/* Waits for its end, after SIGTERM if it still runs, as perf does with a command. Returns its
 * status as from waitpid(), which is 0 when there is none, its pid being 0, as it is afterwards. */
int itp_held_end(struct itp_held *held);

#endif
