/* SPDX-License-Identifier: MIT */
/*
 * One path as a person would tell it: its ends and its turning points.
 */
#ifndef ITP_RENDER_PATH_LINE_H
#define ITP_RENDER_PATH_LINE_H

#include "common/rank/detail.h"

/* Appends "nginx: main › … › handler › filter ◀ culprit › nanosleep", broken into lines of at
 * most `width` columns. */
void itp_path_line_append(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  unsigned int width, GString *output);

#endif
