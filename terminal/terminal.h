/* SPDX-License-Identifier: MIT */
/*
 * Abilities of the standard streams.
 *
 *   terminal.c  colours and Unicode
 *   pager.c     results through a pager
 *   screen.c    a screen for changing text
 *   progress.c  the progress of long work, in a line
 *
 * Files and pipes get equal bytes everywhere: 80 columns, Unicode, no colours. Only a terminal, or
 * the pager in front of one, is asked.
 */
#ifndef ITP_TERMINAL_TERMINAL_H
#define ITP_TERMINAL_TERMINAL_H

#include <glib.h>
#include <stdbool.h>

/* perf's variable, set to "true" by the starter of a pager for our output. */
#define ITP_PAGER_IN_USE "PERF_PAGER_IN_USE"
/* Of the terminal behind the pager. */
#define ITP_PAGER_COLUMNS "COLUMNS"

enum itp_color {
	/* Colours on a terminal that is not "dumb", unless NO_COLOR is set. */
	ITP_COLOR_AUTO,
	ITP_COLOR_NEVER,
	ITP_COLOR_ALWAYS,
};

/* Ends with NULL. */
extern const char *const itp_color_names[];

struct itp_terminal {
	unsigned int columns;
	bool color;
	/* Locale without Unicode. */
	bool ascii;
};

/* `is_terminal`: the result goes to standard output and no file. */
struct itp_terminal itp_terminal_of_output(bool is_terminal, enum itp_color color);

/* True when terminals like the environment's have escape sequences. */
bool itp_terminal_has_sequences(void);

/* Keeps a way to standard error, a terminal, before it becomes a pipe to a process in front of
 * it. */
void itp_terminal_keep_errors(void);

/* New descriptor of standard error's terminal, now or before the pager took it; -1 for anything
 * else. Owned by the caller. */
int itp_terminal_open_errors(void);

/* True when the locale of the environment has Unicode, whatever setlocale() was told. */
bool itp_terminal_has_unicode(void);

/* Prints a line on standard error, in ASCII on a terminal without Unicode. Names in it may be
 * hostile: characters that would not be seen as themselves are replaced. */
void itp_terminal_say(const char *format, ...) G_GNUC_PRINTF(1, 2);

#endif
