/* SPDX-License-Identifier: MIT */
/*
 * Text as Markdown.
 */
#ifndef ITP_RENDER_MARKDOWN_H
#define ITP_RENDER_MARKDOWN_H

#include <glib.h>

/* Appends `text` in one line, in which no character means anything: "operator\\<". */
void itp_markdown_append(GString *output, const char *text);

#endif
