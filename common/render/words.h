/* SPDX-License-Identifier: MIT */
/*
 * What the words of results mean: the one table behind the legend of a text, the glossary of the
 * page, and the section of introperf(7), which a test compares with it.
 */
#ifndef ITP_RENDER_WORDS_H
#define ITP_RENDER_WORDS_H

#include <glib.h>

struct itp_word {
	const char *word;
	/* What of a text is this word: a regular expression, for GLib and for JavaScript. */
	const char *pattern;
	/* Sentences of plain text. */
	const char *meaning;
};

/* In the order in which a result has them; ends with a word that is NULL. */
extern const struct itp_word itp_words[];

/* Appends a line for each word that occurs in `text`, with what it means, broken into lines of
 * `width` columns; nothing where there is none. */
void itp_words_append(GString *output, const char *text, unsigned int width);

/* Said of idle waits where a recording does not tell whose loss waits are. */
#define ITP_IDLE_IS_GUESSED                                                     \
	"That is a guess by the names of system calls: the recording does not " \
	"tell who waits for whom."

#endif
