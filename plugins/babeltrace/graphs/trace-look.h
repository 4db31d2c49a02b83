/* SPDX-License-Identifier: MIT */
/*
 * A look at the files of a trace that Babeltrace's reader refused, as for many of these it gives no
 * reason.
 */
#ifndef ITP_GRAPHS_TRACE_LOOK_H
#define ITP_GRAPHS_TRACE_LOOK_H

/* Flaw of the trace in `directory`, and the remedy; NULL when none shows. Owned by the caller. */
char *itp_trace_look(const char *directory);

#endif
