/* SPDX-License-Identifier: MIT */
/*
 * The error of a graph as one line in the words of the command line.
 */
#ifndef ITP_PERF_COMMAND_GRAPH_ERROR_H
#define ITP_PERF_COMMAND_GRAPH_ERROR_H

#include "plugins/perf/command/introperf.h"

/* Takes the error of libbabeltrace2's current thread and prints its first cause. Returns what the
 * program should exit with. */
enum itp_exit itp_graph_error_print(void);

#endif
