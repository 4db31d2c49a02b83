/* SPDX-License-Identifier: MIT */
/*
 * Words of results with their meaning: the single table behind the legend of a text, the glossary
 * of the page, and the section of introperf(7), which a test compares with it.
 */
#ifndef ITP_RENDER_WORDS_H
#define ITP_RENDER_WORDS_H

#include <glib.h>

struct itp_word {
	const char *word;
	/* Occurrences of the word in a text: a regular expression, for GLib and for JavaScript. */
	const char *pattern;
	/* Sentences of plain text. */
	const char *meaning;
};

/* Words in the order of a result; ends with a word of NULL. */
extern const struct itp_word itp_words[];

/* Appends a line for each word in `text`, with its meaning, broken into lines of `width` columns;
 * nothing without any. */
void itp_words_append(GString *output, const char *text, unsigned int width);

/* Word on idle waits where a recording does not tell whose loss waits are. */
#define ITP_IDLE_IS_GUESSED                                                     \
	"That is a guess by the names of system calls: the recording does not " \
	"tell who waits for whom."

#endif
