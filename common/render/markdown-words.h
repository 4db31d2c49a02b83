/* SPDX-License-Identifier: MIT */
/*
 * Words in Markdown, in which none of their characters means anything.
 */
#ifndef ITP_RENDER_MARKDOWN_WORDS_H
#define ITP_RENDER_MARKDOWN_WORDS_H

#include <glib.h>

/* Appends `text` in one line, in which no character means anything: "operator\\<". */
void itp_markdown_append(GString *output, const char *text);

#endif
