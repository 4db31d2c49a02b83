/* SPDX-License-Identifier: MIT */
/*
 * The program perf-introperf, which `perf introperf` runs: everything in one short command.
 *
 *   main.c     which subcommand
 *   rank.c     report and diff
 *   options.c  options that are parameters of components
 *   inputs.c   what kind of input a path is
 *   graph.c    the one graph of libbabeltrace2, and its errors
 *
 * Nothing is analysed here: the components of the plugin do that, as in any other graph, and
 * check their parameters themselves.
 */
#ifndef ITP_PLUGINS_PERF_INTROPERF_H
#define ITP_PLUGINS_PERF_INTROPERF_H

#include <glib.h>

/* Exit statuses of the program. */
enum itp_exit {
	ITP_EXIT_FINE = 0,
	ITP_EXIT_ERROR = 1,
	/* Slower than --fail-above allows. */
	ITP_EXIT_ABOVE_LIMIT = 3,
	/* As a shell has it for SIGINT. */
	ITP_EXIT_INTERRUPTED = 130,
};

/* Subcommands: `arguments`, NULL-terminated, begin with the subcommand. They print their own
 * errors. */
enum itp_exit itp_report_run(char **arguments);
enum itp_exit itp_diff_run(char **arguments);

/* One line on standard error, after the name of the program. */
void itp_complain(const char *format, ...) G_GNUC_PRINTF(1, 2);

#endif
