/* SPDX-License-Identifier: MIT */
/*
 * See words.h. A component begins its causes with its class, and calls parameters by their names,
 * which the arguments of hosts share. What it says of the graph that it is in, hosts without one of
 * their own say of the input and of their options.
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
		{ "no introperf:node events arrived; put filter.introperf.normalize before this "
		  "sink",
		  "there are no calls in what was read" },
		{ "no introperf:instance events in the input; put filter.introperf.infer before "
		  "this filter",
		  "there are no calls in what was read" },
		{ "it must come from source.introperf.perf, or be a trace",
		  "it must be a recording of perf, or a trace" },
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
