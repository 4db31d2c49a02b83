/* SPDX-License-Identifier: MIT */
/*
 * See arguments.h. What is missing or wrong is left for whoever knows the names to say.
 */
#include "plugins/perf/script/arguments.h"

#include <glib.h>
#include <string.h>

#define OPTION "--"

char **itp_arguments_read(char *const *texts, int count)
{
	GPtrArray *read = g_ptr_array_new();

	for (int i = 0; i < count; i++) {
		const char *text = texts[i];

		if (!g_str_has_prefix(text, OPTION)) {
			g_ptr_array_add(read, g_strdup(text));
			continue;
		}
		text += strlen(OPTION);
		if (text[0] == '\0') {
			continue;
		}
		if (strchr(text, '=') || i + 1 == count) {
			g_ptr_array_add(read, g_strdup(text));
		} else {
			g_ptr_array_add(read, g_strconcat(text, "=", texts[++i], NULL));
		}
	}
	g_ptr_array_add(read, NULL);
	return (char **)g_ptr_array_free(read, FALSE);
}
