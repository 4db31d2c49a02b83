/* SPDX-License-Identifier: MIT */
/*
 * The table of a ranking, for a terminal.
 */
#ifndef ITP_RENDER_PATH_TABLE_H
#define ITP_RENDER_PATH_TABLE_H

#include "common/render/workload.h"

/* Δ of own latency over the frames of a path, or their own latency without a base, whatever the
 * paths are ranked by. */
int64_t itp_path_own_delta_ns(const struct itp_ranked_path *path);

/* Appends heads and rows, each row with its path, between empty lines. */
void itp_path_table_append(const struct itp_ranking *ranking,
			   const struct itp_workload_labels *labels, unsigned int width,
			   GString *output);

#endif
