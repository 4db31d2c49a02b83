/* SPDX-License-Identifier: MIT */
/*
 * The JSON object of one path from nearby.
 */
#ifndef ITP_RENDER_JSON_DETAIL_H
#define ITP_RENDER_JSON_DETAIL_H

#include <jansson.h>

#include "common/rank/ranking.h"

/* The "detail" object of a path of the ranking: distributions and slowest calls of the function
 * that stands for it. A new reference. */
json_t *itp_json_detail(const struct itp_ranking *ranking, const struct itp_ranked_path *path);

#endif
