/* SPDX-License-Identifier: MIT */
/*
 * See names-file.h. Columns count characters from 1.
 */
#include "common/rank/names-file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/rank/regex.h"

#define ARROW " =>"
#define BLANKS " \t"

struct line {
	const char *path;
	unsigned int number;
	const char *text;
};

G_GNUC_PRINTF(4, 5)
static bool fail(const struct line *line, const char *at, GError **error, const char *format, ...)
{
	g_autofree char *reason = NULL;
	va_list arguments;

	va_start(arguments, format);
	reason = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s:%u:%ld: %s", line->path,
		    line->number, g_utf8_pointer_to_offset(line->text, at) + 1, reason);
	return false;
}

/* Says what is wrong with the part of the line that begins at `part`. */
static bool fail_in(const struct line *line, const char *part, struct itp_regex_problem *problem,
		    GError **error)
{
	fail(line, g_utf8_offset_to_pointer(part, (glong)problem->at), error, "%s",
	     problem->reason);
	g_free(problem->reason);
	return false;
}

/* Moves `*at` behind the word that the line begins with. */
static bool read_subject(const struct line *line, const char **at,
			 enum itp_names_subject *ret_subject, GError **error)
{
	size_t length = strcspn(*at, BLANKS);
	g_autofree char *word = g_strndup(*at, length);
	g_autofree char *known = NULL;

	for (size_t i = 0; itp_names_subject_names[i]; i++) {
		if (g_str_equal(word, itp_names_subject_names[i])) {
			*ret_subject = (enum itp_names_subject)i;
			*at += length;
			*at += strspn(*at, BLANKS);
			return true;
		}
	}
	known = g_strjoinv(", ", (char **)itp_names_subject_names);
	return fail(line, *at, error, "\"%s\" is not one of %s", word, known);
}

static bool add_rule(struct itp_names *names, const struct line *line,
		     enum itp_names_subject subject, const char *pattern, const char *arrow,
		     GError **error)
{
	g_autofree char *expression = g_strchomp(g_strndup(pattern, (gsize)(arrow - pattern)));
	const char *replacement = arrow + strlen(ARROW);
	g_autoptr(GRegex) regex = NULL;
	struct itp_regex_problem problem;

	replacement += strspn(replacement, BLANKS);
	regex = itp_regex_new(expression, &problem);
	if (!regex) {
		return fail_in(line, pattern, &problem, error);
	}
	if (!itp_regex_check_replacement(replacement, &problem)) {
		return fail_in(line, replacement, &problem, error);
	}
	itp_names_add(names, subject, regex, replacement);
	return true;
}

static bool parse_line(struct itp_names *names, const struct line *line, GError **error)
{
	const char *at = line->text + strspn(line->text, BLANKS);
	enum itp_names_subject subject = ITP_NAMES_FUNCTION;
	const char *arrow;

	if (*at == '\0' || *at == '#') {
		return true;
	}
	if (!read_subject(line, &at, &subject, error)) {
		return false;
	}
	/* The blank of the arrow may be the one behind the subject. */
	arrow = strstr(at - 1, ARROW);
	if (!arrow) {
		return fail(line, line->text + strlen(line->text), error,
			    "\"=>\" and a replacement are missing");
	}
	if (arrow < at) {
		return fail(line, at, error, "there is no regular expression before \"=>\"");
	}
	return add_rule(names, line, subject, at, arrow, error);
}

bool itp_names_parse(struct itp_names *names, const char *text, size_t length, const char *path,
		     GError **error)
{
	const char *end;
	bool is_text = g_utf8_validate(text, (gssize)length, &end);
	g_autofree char *valid = g_strndup(text, (gsize)(end - text));
	g_auto(GStrv) lines = g_strsplit(valid, "\n", -1);
	struct line line = { .path = path };

	for (char **at = lines; *at; at++) {
		line.text = at[1] || is_text ? g_strchomp(*at) : *at;
		line.number++;
		if (!at[1] && !is_text) {
			return fail(&line, line.text + strlen(line.text), error,
				    "this is not UTF-8");
		}
		if (!parse_line(names, &line, error)) {
			return false;
		}
	}
	return true;
}

bool itp_names_read(struct itp_names *names, const char *path, GError **error)
{
	g_autofree char *text = g_malloc(ITP_MAX_NAMES_FILE_BYTES + 1);
	FILE *file = fopen(path, "re");
	size_t length = 0;
	int code = errno;

	if (file) {
		length = fread(text, 1, ITP_MAX_NAMES_FILE_BYTES + 1, file);
		code = ferror(file) ? errno : 0;
		(void)fclose(file);
	}
	if (!file || code != 0) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", path,
			    g_strerror(code));
		return false;
	}
	if (length > ITP_MAX_NAMES_FILE_BYTES) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC,
			    "%s: longer than the %d bytes that rules may take", path,
			    ITP_MAX_NAMES_FILE_BYTES);
		return false;
	}
	return itp_names_parse(names, text, length, path, error);
}
