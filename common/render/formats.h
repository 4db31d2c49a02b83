/* SPDX-License-Identifier: MIT */
/*
 * The renderers behind itp_render_ranking(), one a file, and what they all read.
 */
#ifndef ITP_RENDER_FORMATS_H
#define ITP_RENDER_FORMATS_H

#include "common/render/render.h"

/* `index` must be below the number of paths. */
static inline const struct itp_ranked_path *itp_path_at(const struct itp_ranking *ranking,
							size_t index)
{
	return &g_array_index(ranking->paths, struct itp_ranked_path, index);
}

void itp_render_text(const struct itp_ranking *ranking, const struct itp_render_options *options,
		     GString *output);
void itp_render_csv(const struct itp_ranking *ranking, const struct itp_render_options *options,
		    GString *output);
void itp_render_jsonl(const struct itp_ranking *ranking, const struct itp_render_options *options,
		      GString *output);

#endif
