/* SPDX-License-Identifier: MIT */
/*
 * Entry points of the commands, and common words of the programs. See command.h for the files.
 *
 * mcp is in plugins/perf/mcp.
 *
 * Nothing is ranked here: common/engine reads and ranks, and checks the parameters. introperf-guard
 * is a program of its own for its small memory, as it guards for long.
 */
#ifndef ITP_PERF_COMMAND_PROGRAM_H
#define ITP_PERF_COMMAND_PROGRAM_H

#include <glib.h>

/* Exit statuses of the program. */
enum itp_exit {
	ITP_EXIT_FINE = 0,
	ITP_EXIT_ERROR = 1,
	/* Slower than --fail-above allows. */
	ITP_EXIT_ABOVE_LIMIT = 3,
	/* Status of a shell for SIGINT. */
	ITP_EXIT_INTERRUPTED = 130,
};

/* Subcommands: `arguments`, NULL-terminated, begin with the subcommand. They print their own
 * errors and return the exit status, an itp_exit or, of a recording, that of the program that was
 * recorded. */
int itp_report_run(char **arguments);
int itp_diff_run(char **arguments);
int itp_record_run(char **arguments);
int itp_top_run(char **arguments);
int itp_export_run(char **arguments);
int itp_mine_run(char **arguments);
int itp_units_run(char **arguments);
int itp_annotate_run(char **arguments);
int itp_guard_run(char **arguments);

/* To be called first. */
void itp_program_begin(void);

/* Path of another program of the project: beside this one, as in a build, or else in the directory
 * `installed`. Owned by the caller. */
char *itp_program_find(const char *name, const char *installed);

/* Prints a line on standard error, after the name of the program. */
void itp_complain(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Prints likewise, with options' words where `message` names parameters. */
void itp_complain_in_options(const char *message);
/* Prints `error` likewise, which may be NULL, and takes it. */
void itp_complain_of(GError *error);

#endif
