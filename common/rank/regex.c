/* SPDX-License-Identifier: MIT */
/*
 * GLib says where an expression is wrong in its message only, behind the expression itself:
 * "… PATTERN” at char OFFSET: REASON". A message of another form is given as it is. The offset
 * counts characters in an expression, but bytes in a replacement.
 */
#include "common/rank/regex.h"

#include <string.h>

#define NOT_UTF8 "this is not UTF-8"

static void read_problem(const char *text, const char *message,
			 struct itp_regex_problem *ret_problem)
{
	const char *at = strstr(message, text);
	char *end = NULL;
	guint64 offset;

	*ret_problem = (struct itp_regex_problem){ .at = 0 };
	at = at ? at + strlen(text) : message;
	at += strcspn(at, "0123456789");
	offset = g_ascii_strtoull(at, &end, 10);
	if (end == at || !g_str_has_prefix(end, ": ") || offset > strlen(text)) {
		ret_problem->reason = g_strdup(message);
		return;
	}
	ret_problem->at = (size_t)offset;
	ret_problem->reason = g_strdup(end + 2);
}

static bool check_text(const char *text, struct itp_regex_problem *ret_problem)
{
	const char *end;

	if (g_utf8_validate(text, -1, &end)) {
		return true;
	}
	*ret_problem = (struct itp_regex_problem){
		.at = (size_t)g_utf8_pointer_to_offset(text, end),
		.reason = g_strdup(NOT_UTF8),
	};
	return false;
}

GRegex *itp_regex_new(const char *pattern, struct itp_regex_problem *ret_problem)
{
	g_autoptr(GError) error = NULL;
	GRegex *regex;

	if (!check_text(pattern, ret_problem)) {
		return NULL;
	}
	regex = g_regex_new(pattern, 0, 0, &error);
	if (!regex) {
		read_problem(pattern, error->message, ret_problem);
	}
	return regex;
}

bool itp_regex_check_replacement(const char *replacement, struct itp_regex_problem *ret_problem)
{
	g_autoptr(GError) error = NULL;

	if (!check_text(replacement, ret_problem)) {
		return false;
	}
	if (!g_regex_check_replacement(replacement, NULL, &error)) {
		read_problem(replacement, error->message, ret_problem);
		ret_problem->at = (size_t)g_utf8_pointer_to_offset(replacement,
								   replacement + ret_problem->at);
		return false;
	}
	return true;
}
