/* SPDX-License-Identifier: MIT */
/*
 * A ranking in the format that was asked for, and the formats made of others.
 *
 *   formats.c    the choice of a renderer
 *   document.c   JSON: the sentence and the JSON lines as one document
 *   markdown.c   Markdown: a comment with the sentence, the table, and the text folded
 *
 * Text is left to common/render/text, CSV and JSON lines to common/render/records. Neither knows of
 * this choice.
 */
#ifndef ITP_RENDER_FORMATS_FORMATS_H
#define ITP_RENDER_FORMATS_FORMATS_H

#include "common/render/render.h"

/* Appends the rendered ranking to `output`. */
void itp_render_ranking(const struct itp_ranking *ranking, const struct itp_render_options *options,
			GString *output);

#endif
