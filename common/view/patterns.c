/* SPDX-License-Identifier: MIT */
/*
 * GLib tells the place of an error in an expression only in its message, behind the expression
 * itself: "… PATTERN” at char OFFSET: REASON". A message of another form is given as it is. The
 * offset counts characters in an expression, but bytes in a replacement.
 */
#include "common/view/patterns.h"

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

/* ---- Functions by patterns ---- */

struct itp_patterns {
	/* Both owned by this. */
	char *parameter;
	/* GRegex * */
	GPtrArray *expressions;
};

static bool add(struct itp_patterns *patterns, const char *text, GError **error)
{
	struct itp_regex_problem problem;
	GRegex *regex = itp_regex_new(text, &problem);

	if (!regex) {
		g_set_error(error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE,
			    "parameter \"%s\": \"%s\" is not a regular expression: %s at "
			    "character %zu",
			    patterns->parameter, text, problem.reason, problem.at + 1);
		g_free(problem.reason);
		return false;
	}
	g_ptr_array_add(patterns->expressions, regex);
	return true;
}

struct itp_patterns *itp_patterns_new(const char *parameter, const GPtrArray *texts, GError **error)
{
	struct itp_patterns *patterns = g_new0(struct itp_patterns, 1);

	patterns->parameter = g_strdup(parameter);
	patterns->expressions = g_ptr_array_new_with_free_func((GDestroyNotify)g_regex_unref);
	for (guint i = 0; i < texts->len; i++) {
		if (!add(patterns, g_ptr_array_index(texts, i), error)) {
			itp_patterns_free(patterns);
			return NULL;
		}
	}
	return patterns;
}

void itp_patterns_free(struct itp_patterns *patterns)
{
	if (!patterns) {
		return;
	}
	g_ptr_array_unref(patterns->expressions);
	g_free(patterns->parameter);
	g_free(patterns);
}

static bool has_module(const char *pattern)
{
	for (const char *at = strchr(pattern, '!'); at; at = strchr(at + 1, '!')) {
		g_autofree char *before = g_strndup(pattern, (gsize)(at - pattern));

		if (!g_str_has_suffix(before, "(?") && !g_str_has_suffix(before, "(?<")) {
			return true;
		}
	}
	return false;
}

/* Selects the frames that match; *ret_found: any did. */
static bool select_by(const GRegex *regex, const struct itp_function_table *functions,
		      const bool *is_frame, bool *ret_selected, bool *ret_found, GError **error)
{
	bool with_module = has_module(g_regex_get_pattern(regex));

	*ret_found = false;
	for (uint32_t id = 0; id < itp_function_table_size(functions); id++) {
		const struct itp_function *function = itp_function_table_get(functions, id);
		g_autofree char *full = g_strdup_printf("%s!%s", function->module, function->name);
		GError *reason = NULL;

		if (!is_frame[id]) {
			continue;
		}
		if (g_regex_match_full(regex, with_module ? full : function->name, -1, 0, 0, NULL,
				       &reason)) {
			ret_selected[id] = true;
			*ret_found = true;
		}
		if (reason) {
			g_propagate_error(error, reason);
			return false;
		}
	}
	return true;
}

bool itp_patterns_select(const struct itp_patterns *patterns,
			 const struct itp_function_table *functions, const bool *is_frame,
			 bool *ret_selected, GError **error)
{
	for (guint i = 0; i < patterns->expressions->len; i++) {
		const GRegex *regex = g_ptr_array_index(patterns->expressions, i);
		bool found;

		if (!select_by(regex, functions, is_frame, ret_selected, &found, error)) {
			g_prefix_error(error, "parameter \"%s\": ", patterns->parameter);
			return false;
		}
		if (!found) {
			g_set_error(error, G_REGEX_ERROR, G_REGEX_ERROR_MATCH,
				    "parameter \"%s\": \"%s\" matches no function of the inputs",
				    patterns->parameter, g_regex_get_pattern(regex));
			return false;
		}
	}
	return true;
}
