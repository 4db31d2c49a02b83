/* SPDX-License-Identifier: MIT */
/*
 * A ranking as records for programs, one for each of its entries.
 *
 *   csv.c          comma-separated values
 *   jsonl.c        JSON lines
 *   json-detail.c  the object of a path from nearby
 *   json-held.c    the objects of a ranking by=wait
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
