/* SPDX-License-Identifier: MIT */
/*
 * See graph-error.h. A component begins its causes with its class, and calls parameters by their
 * names, which options share.
 */
#include "plugins/perf/command/graph-error.h"

#include <babeltrace2/babeltrace.h>

#include "sinks/rank/limit.h"

static const struct {
	const char *expression;
	const char *replacement;
} wordings[] = {
	{ "^(source|filter|sink)\\.introperf\\.[a-z]+: ", "" },
	{ "parameter \"inputs\": ", "" },
	{ "parameter \"([a-z-]+)\"", "--\\1" },
	{ "\\s*\\n\\s*", " " },
};

static char *reword(const char *message)
{
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

enum itp_exit itp_graph_error_print(void)
{
	const bt_error *error = bt_current_thread_take_error();
	enum itp_exit code = ITP_EXIT_ERROR;
	g_autofree char *text = NULL;

	/* Later causes only say on which way the first one came. */
	if (!error || bt_error_get_cause_count(error) == 0) {
		itp_complain("the graph failed for a reason that Babeltrace did not tell");
	} else {
		const char *message =
			bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));

		text = reword(message);
		itp_complain("%s", text);
		if (g_strstr_len(message, -1, ITP_LIMITS_EXCEEDED)) {
			code = ITP_EXIT_ABOVE_LIMIT;
		}
	}
	if (error) {
		bt_error_release(error);
	}
	return code;
}
