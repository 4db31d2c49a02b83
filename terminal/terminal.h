/* SPDX-License-Identifier: MIT */
/*
 * What the standard streams can show.
 *
 * Files and pipes get the same bytes everywhere: 80 columns, Unicode, no colours. Only a terminal,
 * or the pager in front of one, is asked.
 */
#ifndef ITP_TERMINAL_TERMINAL_H
#define ITP_TERMINAL_TERMINAL_H

#include <glib.h>
#include <stdbool.h>

/* As perf calls it; whatever starts a pager for our output sets it to "true". */
#define ITP_PAGER_IN_USE "PERF_PAGER_IN_USE"
/* Of the terminal behind the pager. */
#define ITP_PAGER_COLUMNS "COLUMNS"

enum itp_color {
	/* On a terminal that is not "dumb", unless NO_COLOR is set. */
	ITP_COLOR_AUTO,
	ITP_COLOR_NEVER,
	ITP_COLOR_ALWAYS,
};

/* Ends with NULL. */
extern const char *const itp_color_names[];

struct itp_terminal {
	unsigned int columns;
	bool color;
	/* Its locale has no Unicode. */
	bool ascii;
};

/* `is_terminal`: the result goes to standard output and no file. */
struct itp_terminal itp_terminal_of_output(bool is_terminal, enum itp_color color);

/* Whether terminals like that of the environment have escape sequences. */
bool itp_terminal_has_sequences(void);

/* Whether a pager is in front of the terminal. */
bool itp_terminal_has_pager(void);

/* To be called before standard error, which is a terminal, becomes a pipe to one that shows it
 * there: keeps a way to it. */
void itp_terminal_keep_errors(void);

/* A new descriptor of the terminal that standard error is, or was before the pager took it; -1 when
 * it is none. Owned by the caller. */
int itp_terminal_open_errors(void);

/* Whether the locale of the environment has Unicode, whatever setlocale() was told. */
bool itp_terminal_has_unicode(void);

/* Prints a line on standard error, in ASCII where that is a terminal without Unicode. Names in it
 * may be hostile: what would not be seen as one character is replaced. */
void itp_terminal_say(const char *format, ...) G_GNUC_PRINTF(1, 2);

#endif
