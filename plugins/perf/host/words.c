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
		{ "and no introperf:instance events arrived; put filter.introperf.infer, and not "
		  "filter.introperf.normalize, before this sink",
		  "and there are none in a saved profile; name the recording that it was made of" },
		{ "single calls arrived; it is for profiles, which filter.introperf.normalize "
		  "before this sink makes of them",
		  "it is for profiles, and --timeline shows single calls; leave out one of them" },
		{ "a profile arrived, which has no time; it is for single calls, of "
		  "filter.introperf.infer without filter.introperf.normalize",
		  "it is for single calls, which --timeline shows of a recording; a profile has no "
		  "time" },
		{ "; babeltrace2 --begin and --end choose a part of a recording",
		  "; chrome, firefox and speedscope do" },
		{ "\"format\" is \"([a-z0-9]+)\", which", "--format \\1" },
		{ "after \"begin\",", "after --begin," },
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
