/* SPDX-License-Identifier: MIT */
/*
 * See run.h. A command has a child of its own: an error or the end of a recording stays there.
 */
#include "plugins/perf/mcp/run.h"

#include <string.h>

#define SELF "/proc/self/exe"
#define TOO_LONG "\n[cut here: ask for less, by top, or for one path]\n"

/* Beginning of `text`, up to a whole line. Takes and returns owned memory. */
static char *cut(char *text)
{
	const char *end;

	if (strlen(text) <= ITP_MCP_ANSWER_BYTES) {
		return text;
	}
	end = g_strrstr_len(text, ITP_MCP_ANSWER_BYTES, "\n");
	text[end ? (gsize)(end - text) : ITP_MCP_ANSWER_BYTES] = '\0';
	return g_strconcat(g_steal_pointer(&text), TOO_LONG, NULL);
}

bool itp_mcp_run_command(char *const *arguments, char **ret_text)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autofree char *output = NULL;
	g_autofree char *errors = NULL;
	g_autoptr(GError) error = NULL;
	int status;

	g_ptr_array_add(words, (char *)SELF);
	for (guint i = 0; arguments[i]; i++) {
		g_ptr_array_add(words, arguments[i]);
	}
	g_ptr_array_add(words, NULL);
	if (!g_spawn_sync(NULL, (char **)words->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output,
			  &errors, &status, &error)) {
		*ret_text = g_strdup(error->message);
		return false;
	}
	*ret_text = cut(g_strconcat(output, errors, NULL));
	return g_spawn_check_wait_status(status, NULL);
}
