/* SPDX-License-Identifier: MIT */
/*
 * See words.h. A component begins its causes with its class, and calls parameters by their names,
 * which the arguments of hosts share.
 */
#include "plugins/perf/host/words.h"

#include <glib.h>

char *itp_words(const char *message, const char *parameter)
{
	const struct {
		const char *expression;
		const char *replacement;
	} wordings[] = {
		{ "^(source|filter|sink)\\.introperf\\.[a-z]+: ", "" },
		{ "parameter \"inputs\": ", "" },
		{ "parameter \"([a-z-]+)\"", parameter },
		{ "\\s*\\n\\s*", " " },
	};
	char *text = g_strdup(message);

	for (size_t i = 0; i < G_N_ELEMENTS(wordings); i++) {
		g_autoptr(GRegex) regex = g_regex_new(wordings[i].expression, G_REGEX_RAW, 0, NULL);
		char *next = g_regex_replace(regex, text, -1, 0, wordings[i].replacement, 0, NULL);

		if (next) {
			g_free(text);
			text = next;
		}
	}
	return text;
}
