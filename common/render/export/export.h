/* SPDX-License-Identifier: MIT */
/*
 * Files for other programs: a writer in each file, for a tree of contexts with its sums, or for a
 * timeline of calls.
 *
 *   export.c      the table of formats
 *   folded.c      text for flame graphs, one value or two                  tree
 *   flame.c       a flame graph as a picture                               tree
 *   speedscope.c  JSON of speedscope                                       both
 *   pprof.c       gzipped protocol buffers of pprof                        tree
 *   callgrind.c   text of callgrind_annotate and KCachegrind               tree
 *   firefox.c     JSON of the Firefox Profiler; its samples: firefox-samples.c
 *                                                                          timeline
 *   chrome.c      JSON trace events, for Perfetto and chrome://tracing     timeline
 *   json-names.c  names of functions and modules as JSON
 *   timeline.c    calls in the order of time
 *   writers.h     prototypes of the writers
 *
 * Writers write to a stream as they go and do not look at its errors: ferror() tells the caller
 * whether everything went out. Formats by name are values of --format, whose help is in
 * plugins/perf/command/options.c. An own latency below zero, which only bounds of hostile input
 * could give, counts as none.
 */
#ifndef ITP_RENDER_EXPORT_EXPORT_H
#define ITP_RENDER_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/render/export/input.h"

enum itp_export_format {
	ITP_EXPORT_FOLDED,
	ITP_EXPORT_FOLDED2,
	ITP_EXPORT_SPEEDSCOPE,
	ITP_EXPORT_PPROF,
	ITP_EXPORT_FIREFOX,
	ITP_EXPORT_CHROME,
	ITP_EXPORT_CALLGRIND,
	ITP_EXPORT_SVG,
};

/* By number, NULL-terminated. */
extern const char *const itp_export_format_names[];

/* Parts shown by a format, at least one of which must be there. */
bool itp_export_shows_tree(enum itp_export_format format);
bool itp_export_shows_timeline(enum itp_export_format format);
/* True when it shows a base beside the suspect, and whether it must have one. */
bool itp_export_shows_base(enum itp_export_format format);
bool itp_export_needs_base(enum itp_export_format format);
/* True for a format other than text. */
bool itp_export_is_binary(enum itp_export_format format);

/* Writes `input` to `stream`. ITP_ERROR_IO with errno when a temporary file of the timeline cannot
 * be read or written; ITP_ERROR_MEMORY. */
int itp_export(enum itp_export_format format, const struct itp_export_input *input, FILE *stream);

#endif
