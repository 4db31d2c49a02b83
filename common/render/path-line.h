/* SPDX-License-Identifier: MIT */
/*
 * One path as a person would tell it: its ends and its turning points.
 */
#ifndef ITP_RENDER_PATH_LINE_H
#define ITP_RENDER_PATH_LINE_H

#include "common/rank/ranking.h"

/* The frame that stands for the path: its culprit, or what it was folded by, or its hottest frame.
 * NULL when the path has no frames. */
const struct itp_ranked_frame *itp_path_face(const struct itp_ranked_path *path);

/* Appends "nginx: main › … › handler › filter ◀ culprit › nanosleep", broken into lines of at
 * most `width` columns. */
void itp_path_line_append(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  unsigned int width, GString *output);

#endif
