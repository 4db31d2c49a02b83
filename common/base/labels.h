/* SPDX-License-Identifier: MIT */
/*
 * Names and sentences in columns of a terminal.
 *
 * Names come from the traced machine and may hold anything: invalid UTF-8, control characters,
 * thousands of template arguments. Whatever goes to a terminal passes here first. A column is
 * a cell of the terminal: wide characters take two, combining ones none.
 */
#ifndef ITP_BASE_LABELS_H
#define ITP_BASE_LABELS_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"

/* Copy of `name` in valid UTF-8, with everything replaced that is not seen as a character (line
 * ends, escape sequences, direction marks); "?" for an empty name. */
char *itp_label_clean(const char *name);

/* itp_label_clean() of a function's name as people read it: itp_function_shown_name(). */
char *itp_label_function(const struct itp_function *function);

/* itp_label_clean() of a text that may be empty, which gives "". */
char *itp_label_clean_text(const char *text);

/* True when a character is seen as itself, and does nothing else to a terminal. */
bool itp_label_is_seen(gunichar character);

unsigned int itp_label_columns(const char *label);
unsigned int itp_label_character_columns(gunichar character);

/* Copy of a clean label that takes `columns` at most (at least 1): its middle gives way to …. */
char *itp_label_shorten(const char *label, unsigned int columns);

/* Shortens a function's name: its arguments go first, then its result's type and its templates'
 * types. The mark of an inlined function goes before its name is cut. */
char *itp_label_shorten_function(const char *label, unsigned int columns);

/* Copy of a function's name without arguments and marks: "Cache::find" of "Cache::find(int) const".
 */
char *itp_label_without_arguments(const char *label);

/* Makes a label that itp_label_wrap() will not break at its blanks. Takes and returns owned
 * memory. */
char *itp_label_unbroken(char *label);

/* Appends `text`, broken at blanks so that no line is wider than `width`, with its first line
 * starting at column `column` (already written) and the others indented by `indent`. Ends with
 * a line end. */
void itp_label_wrap(GString *output, const char *text, unsigned int column, unsigned int indent,
		    unsigned int width);

/* Appends `count` blanks. */
void itp_label_pad(GString *output, unsigned int count);

/* Ends a line, without blanks at its end. */
void itp_label_end_line(GString *output);

#endif
