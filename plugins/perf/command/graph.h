/* SPDX-License-Identifier: MIT */
/*
 * The one graph of perf-introperf, which is that of
 *
 *   babeltrace2 INPUT… -c filter.introperf.infer -c filter.introperf.normalize \
 *               -c sink.introperf.rank
 *
 * and gives the same bytes. The sink writes the result.
 */
#ifndef ITP_PERF_COMMAND_GRAPH_H
#define ITP_PERF_COMMAND_GRAPH_H

#include "plugins/perf/command/inputs.h"
#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/options.h"

/* Runs it to its end, or until SIGINT, after which the result is that of what was read. Prints
 * errors, with the names of options for those of parameters. */
enum itp_exit itp_graph_run(const struct itp_inputs *inputs, const struct itp_options *options);

#endif
