/* SPDX-License-Identifier: MIT */
/*
 * Names and sentences in columns of a terminal: cleaning, measuring, shortening, wrapping. All
 * strings are UTF-8; only itp_label_clean() copes with bytes that are not.
 */
#include "common/base/labels.h"

#include <string.h>

#define ELLIPSIS "\u2026"
/* Blank between number and unit from g_format_size(). */
#define NO_BREAK_SPACE 0xa0
#define REPLACEMENT 0xfffd
/* Blank at which a line must not break. */
#define NO_BREAK "\u00a0"

bool itp_label_is_seen(gunichar character)
{
	return character == ' ' || character == NO_BREAK_SPACE ||
	       (g_unichar_isprint(character) && !g_unichar_isspace(character));
}

char *itp_label_clean_text(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *clean = g_string_sized_new(strlen(valid));

	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);

		g_string_append_unichar(clean, itp_label_is_seen(c) ? c :
					       c == '\t'            ? ' ' :
								      REPLACEMENT);
	}
	return g_string_free(clean, FALSE);
}

char *itp_label_clean(const char *name)
{
	return itp_label_clean_text(name[0] == '\0' ? "?" : name);
}

char *itp_label_function(const struct itp_function *function)
{
	g_autofree char *name = itp_function_shown_name(function);

	return itp_label_clean(name);
}

unsigned int itp_label_character_columns(gunichar character)
{
	if (g_unichar_iszerowidth(character)) {
		return 0;
	}
	return g_unichar_iswide(character) ? 2 : 1;
}

unsigned int itp_label_columns(const char *label)
{
	unsigned int columns = 0;

	for (const char *at = label; *at != '\0'; at = g_utf8_next_char(at)) {
		columns += itp_label_character_columns(g_utf8_get_char(at));
	}
	return columns;
}

/* Longest start of `label` within `columns`; returns its end. */
static const char *fitting_start(const char *label, unsigned int columns)
{
	const char *at = label;

	while (*at != '\0') {
		unsigned int next = itp_label_character_columns(g_utf8_get_char(at));

		if (next > columns) {
			break;
		}
		columns -= next;
		at = g_utf8_next_char(at);
	}
	return at;
}

/* Longest end of `label` within `columns`; returns its start. */
static const char *fitting_end(const char *label, unsigned int columns)
{
	const char *at = label + strlen(label);

	while (at > label) {
		const char *before = g_utf8_prev_char(at);
		unsigned int next = itp_label_character_columns(g_utf8_get_char(before));

		if (next > columns) {
			break;
		}
		columns -= next;
		at = before;
	}
	return at;
}

char *itp_label_shorten(const char *label, unsigned int columns)
{
	const char *start_end, *end_start;
	unsigned int end_columns;
	GString *shortened;

	if (itp_label_columns(label) <= columns) {
		return g_strdup(label);
	}
	/* The end of a name tells more than its start: it gets the odd column. */
	end_columns = columns / 2;
	start_end = fitting_start(label, columns - 1 - end_columns);
	end_start = fitting_end(label, end_columns);
	shortened = g_string_new_len(label, start_end - label);
	g_string_append(shortened, ELLIPSIS);
	g_string_append(shortened, end_start);
	return g_string_free(shortened, FALSE);
}

/* Position behind the bracket that closes the bracket at `open`; NULL without any. */
static const char *group_end(const char *open, char begin, char end)
{
	unsigned int depth = 0;

	for (const char *at = open; *at != '\0'; at++) {
		depth += *at == begin ? 1 : 0;
		if (*at == end && --depth == 0) {
			return at + 1;
		}
	}
	return NULL;
}

/* In parentheses, and no list of arguments. */
static bool is_no_list(const char *text)
{
	return g_str_has_prefix(text, "(anonymous namespace)") ||
	       g_str_has_prefix(text, ITP_INLINED_SUFFIX + 1);
}

/* Copy of `label` with … for whatever is in brackets, but for what is no list. */
static char *without_groups(const char *label, char begin, char end)
{
	GString *text = g_string_new(NULL);

	while (*label != '\0') {
		const char *behind = *label == begin ? group_end(label, begin, end) : NULL;

		if (!behind || behind == label + 2 || is_no_list(label)) {
			behind = behind ? behind : label + 1;
			g_string_append_len(text, label, behind - label);
		} else {
			g_string_append_printf(text, "%c" ELLIPSIS "%c", begin, end);
		}
		label = behind;
	}
	return g_string_free(text, FALSE);
}

/* Begin of a function's name behind the type of its result; the label when it has no arguments. */
static const char *behind_type(const char *label)
{
	static const char operator[] = "operator ";
	const char *arguments = strchr(label, '(');
	const char *start = label;
	int depth = 0;

	for (const char *at = label; arguments && at < arguments; at++) {
		depth += (*at == '<') - (*at == '>');
		if (g_str_has_prefix(at, operator)) {
			at += strlen(operator) - 1;
		} else if (*at == ' ' && depth == 0) {
			start = at + 1;
		}
	}
	return start;
}

/* Copy of `label` without the mark of an inlined function; NULL without such a mark. */
static char *unmarked(const char *label)
{
	return g_str_has_suffix(label, ITP_INLINED_SUFFIX) ?
		       g_strndup(label, strlen(label) - strlen(ITP_INLINED_SUFFIX)) :
		       NULL;
}

/* Of a label that is too long. */
static char *shorten_name(const char *label, unsigned int columns)
{
	g_autofree char *name = NULL;
	g_autofree char *plain = NULL;
	const char *untyped;

	name = without_groups(label, '(', ')');
	if (itp_label_columns(name) <= columns) {
		return g_steal_pointer(&name);
	}
	untyped = behind_type(name);
	if (itp_label_columns(untyped) <= columns) {
		return g_strdup(untyped);
	}
	plain = without_groups(untyped, '<', '>');
	return itp_label_shorten(plain, columns);
}

char *itp_label_shorten_function(const char *label, unsigned int columns)
{
	g_autofree char *name = NULL;
	g_autofree char *marked = NULL;

	if (itp_label_columns(label) <= columns) {
		return g_strdup(label);
	}
	name = unmarked(label);
	if (!name) {
		return shorten_name(label, columns);
	}
	marked = without_groups(label, '(', ')');
	return itp_label_columns(marked) <= columns ? g_steal_pointer(&marked) :
						      itp_label_shorten_function(name, columns);
}

char *itp_label_without_arguments(const char *marked)
{
	static const char call_operator[] = "operator()";
	g_autofree char *name = unmarked(marked);
	const char *label = name ? name : marked;
	GString *text = g_string_new(NULL);

	while (*label != '\0') {
		const char *behind = *label == '(' ? group_end(label, '(', ')') : NULL;

		if (g_str_has_prefix(label, call_operator)) {
			behind = label + strlen(call_operator);
			g_string_append(text, call_operator);
		} else if (!behind || is_no_list(label)) {
			behind = behind ? behind : label + 1;
			g_string_append_len(text, label, behind - label);
		}
		label = behind;
	}
	if (g_str_has_suffix(text->str, " const")) {
		g_string_truncate(text, text->len - strlen(" const"));
	}
	return g_string_free(text, FALSE);
}

char *itp_label_unbroken(char *label)
{
	GString *text = g_string_new(label);

	g_free(label);
	g_string_replace(text, " ", NO_BREAK, 0);
	return g_string_free(text, FALSE);
}

void itp_label_pad(GString *output, unsigned int count)
{
	while (count-- > 0) {
		g_string_append_c(output, ' ');
	}
}

void itp_label_end_line(GString *output)
{
	while (output->len > 0 && output->str[output->len - 1] == ' ') {
		g_string_truncate(output, output->len - 1);
	}
	g_string_append_c(output, '\n');
}

/* Appends a word, shortened when too long for a line of its own. */
static unsigned int append_word(GString *output, const char *word, unsigned int columns)
{
	g_autofree char *fitting = itp_label_shorten(word, columns);
	GString *text = g_string_new(fitting);

	g_string_replace(text, NO_BREAK, " ", 0);
	g_string_append_len(output, text->str, (gssize)text->len);
	g_string_free(text, TRUE);
	return itp_label_columns(fitting);
}

void itp_label_wrap(GString *output, const char *text, unsigned int column, unsigned int indent,
		    unsigned int width)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	bool first = true;

	for (char **word = words; *word != NULL; word++) {
		unsigned int blank = first ? 0 : 1;

		if (column > indent && column + blank + itp_label_columns(*word) > width) {
			itp_label_end_line(output);
			itp_label_pad(output, indent);
			column = indent;
			blank = 0;
		}
		itp_label_pad(output, blank);
		column += blank + append_word(output, *word, width - column - blank);
		first = false;
	}
	itp_label_end_line(output);
}
