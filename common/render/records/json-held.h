/* SPDX-License-Identifier: MIT */
/*
 * Objects of a ranking by=wait that are in JSON lines alone.
 */
#ifndef ITP_RENDER_RECORDS_JSON_HELD_H
#define ITP_RENDER_RECORDS_JSON_HELD_H

#include <jansson.h>

#include "common/rank/held-up.h"

/* Of type knot and edge. New references. */
json_t *itp_json_held_knot(const struct itp_ranking *ranking, guint knot);
json_t *itp_json_held_edge(const struct itp_ranking *ranking, const struct itp_wait_for *edge);

#endif
