/* SPDX-License-Identifier: MIT */
/*
 * See markdown-words.h. Any ASCII punctuation may have a backslash before it (CommonMark, 2.4).
 */
#include "common/render/markdown-words.h"

#include <string.h>

void itp_markdown_append(GString *output, const char *text)
{
	for (const char *c = text; *c; c++) {
		if (strchr("\\`*_[]<>|~&", *c)) {
			g_string_append_c(output, '\\');
		}
		g_string_append_c(output, *c == '\n' ? ' ' : *c);
	}
}
