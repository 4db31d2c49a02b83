/* SPDX-License-Identifier: MIT */
/*
 * Formats composed of others: a document in JSON (document.c), and Markdown (markdown.c).
 */
#ifndef ITP_RENDER_FORMATS_COMPOSED_H
#define ITP_RENDER_FORMATS_COMPOSED_H

#include "common/render/render.h"

/* Appends the rendered ranking to `output`. */
void itp_render_json(const struct itp_ranking *ranking, const struct itp_render_options *options,
		     GString *output);
void itp_render_markdown(const struct itp_ranking *ranking,
			 const struct itp_render_options *options, GString *output);

#endif
