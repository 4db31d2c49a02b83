/* SPDX-License-Identifier: MIT */
/*
 * Part of a path from nearby that other JSON lines have as well: the chain behind a slow call.
 */
#ifndef ITP_RENDER_RECORDS_JSON_DETAIL_H
#define ITP_RENDER_RECORDS_JSON_DETAIL_H

#include <jansson.h>

#include <glib.h>

/* The steps of itp_chain(); null for NULL. A new reference. */
json_t *itp_json_chain(const GArray *steps);

#endif
