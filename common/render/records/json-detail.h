/* SPDX-License-Identifier: MIT */
/*
 * JSON object of a path from nearby, and its parts shared with other JSON lines: ticks, and the
 * chain behind a slow call.
 */
#ifndef ITP_RENDER_RECORDS_JSON_DETAIL_H
#define ITP_RENDER_RECORDS_JSON_DETAIL_H

#include <jansson.h>

#include "common/rank/ranking.h"

/* "detail" object of a path of the ranking: distributions and slowest calls of its function. A new
 * reference. */
json_t *itp_json_detail(const struct itp_ranking *ranking, const struct itp_ranked_path *path);

/* The steps of itp_chain(); null for NULL. A new reference. */
json_t *itp_json_chain(const GArray *steps);

/* Ticks behind an own CPU time of `workload` (NULL: there is none) and its standard deviation, null
 * when that is not known; with `prefix` in front of their keys. */
void itp_json_set_ticks(json_t *object, const char *prefix, const struct itp_workload *workload,
			const struct itp_ticks *ticks);

#endif
