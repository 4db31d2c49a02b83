/* SPDX-License-Identifier: MIT */
/*
 * A ranking as records for programs, one for each of its entries.
 *
 *   csv.c           comma-separated values
 *   jsonl.c         JSON lines
 *   fields.c        tables of fields, from which both are made: fields.h
 *   input-fields.c  the fields of the whole input
 *   path-fields.c   of a path, and of its frames
 *   row-fields.c    of a function, a module, a process; and of a wait for work
 *   json-held.c     of a ranking by=wait
 *   json-detail.c   of a path from nearby, and of its slowest calls
 *
 * A new number of a path, say its threads, is a line in PATH_FIELDS of path-fields.c
 *
 *   X("threads", "threads", path->thread_count)
 *
 * and a member of JSON lines in that place, and the last column of CSV. Both are documented in
 * babeltrace2-sink.introperf.rank(7). Names of numbers that need latencies are listed in
 * common/render/unwatched.c.
 *
 * JSON values are left to common/render/json.c, the lines as one document to common/render/formats.
 */
#ifndef ITP_RENDER_RECORDS_RECORDS_H
#define ITP_RENDER_RECORDS_RECORDS_H

#include "common/render/render.h"

/* Append the ranking, or the path of it that the options name, to `output`. */
void itp_render_csv(const struct itp_ranking *ranking, const struct itp_render_options *options,
		    GString *output);
void itp_render_jsonl(const struct itp_ranking *ranking, const struct itp_render_options *options,
		      GString *output);

#endif
