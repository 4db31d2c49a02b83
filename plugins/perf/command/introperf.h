/* SPDX-License-Identifier: MIT */
/*
 * The program perf-introperf, run by `perf introperf`: everything in a single short command.
 *
 *   main.c      which subcommand
 *   program.c   how it begins, ends and complains, also introperf-guard
 *   words.c     the words of a command line, for all of them
 *   report.c    report and diff
 *   export.c    export
 *     options.c   options that are parameters of components, of these
 *     reading.c   what a user sees while recordings are read
 *     familiar.c  options of perf itself, also of record and top
 *     browse.c    --tui; browse-missing.c: where the program was built without
 *   mine.c      mine; mine-options.c: what it is told
 *     interests.c from recordings to the stacks that are mined
 *   annotate.c  annotate
 *   units.c     units; and guards made of them
 *     through.c   units --through: requests through threads and processes
 *   guard-start.c   guard: becomes introperf-guard; guard-missing.c: where there is none
 *   record.c    record
 *     record-options.c  what it is told, and the recipe that follows
 *     like.c      --like: what an earlier recording was told
 *     target.c    what is recorded, and whether its code keeps frame pointers
 *     recipe.c    the arguments of perf record
 *     perf-run.c  perf as a child
 *     quality.c   what the recording is worth
 *     overhead.c  --overhead: a recipe below a share of CPU time
 *       costs.c     what an event costs here
 *       rates.c     how many the target makes
 *       held.c      a program that is not to run before they are counted
 *
 * terminal is what it shares with other hosts: the pager, progress, the screen.
 *   top.c       top
 *     live.c        what is live, read and ranked period by period, beside what it is compared with
 *     live-perf.c perf as a child whose records are read while it makes them
 *
 * Nothing is ranked here: plugins/perf/host reads and ranks, and the components check their
 * parameters themselves.
 *
 * The program introperf-guard, separate for its small memory, as it guards for long:
 *
 *   guard-main.c    begins
 *   guard.c         guard, as plugins/perf/guard does it
 */
#ifndef ITP_PERF_COMMAND_INTROPERF_H
#define ITP_PERF_COMMAND_INTROPERF_H

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
