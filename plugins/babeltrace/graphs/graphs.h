/* SPDX-License-Identifier: MIT */
/*
 * Graphs of Babeltrace inside of other hosts, which need them for traces in CTF: to read one, and
 * to mine; and to export.
 *
 *   graphs.c             what hosts hand to common/engine of these:
 *     traces.c             traces in CTF, read to a job
 *       chain.c              filters of a graph
 *       trial.c              a trial reading, as readers may crash
 *         graph.c              the graph; classes.c: the linked component classes
 *           trace-look.c         reasons for a trace that is refused
 *   mined-traces.c       traces in CTF, read to a job of mining
 *   exporting.c          recordings, saved profiles and traces → a file of another program
 */
#ifndef ITP_BABELTRACE_GRAPHS_H
#define ITP_BABELTRACE_GRAPHS_H

#include "common/engine/host-graphs.h"

extern const struct itp_graphs itp_babeltrace_graphs;

#endif
