/* SPDX-License-Identifier: MIT */
/*
 * See failure.h.
 */
#include "common/base/failure.h"

#include "common/base/error.h"

G_DEFINE_QUARK(itp - failure, itp_failure)

void itp_failure_set(GError **error, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error_literal(error, itp_failure_quark(), 0, text);
}

GError *itp_failure_of_part(GError *reading, GError *refusal)
{
	GError *error = NULL;

	if (!g_error_matches(reading, itp_failure_quark(), ITP_FAILURE_PART)) {
		error = g_steal_pointer(&reading);
	} else if (refusal) {
		itp_failure_set(&error, "%s; nothing is reported of what was read until there: %s",
				reading->message, refusal->message);
	} else {
		itp_failure_set(&error, "%s; what was read until there is reported as incomplete",
				reading->message);
	}
	g_clear_error(&reading);
	g_clear_error(&refusal);
	return error;
}

void itp_failure_set_memory(GError **error)
{
	itp_failure_set(error, "%s", itp_error_text(ITP_ERROR_MEMORY));
}

char *itp_failure_line(const char *message)
{
	g_autoptr(GRegex) line_end = g_regex_new("\\s*\\n\\s*", G_REGEX_RAW, 0, NULL);
	char *line = g_regex_replace_literal(line_end, message, -1, 0, " ", 0, NULL);

	return line ? line : g_strdup(message);
}
