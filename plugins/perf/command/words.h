/* SPDX-License-Identifier: MIT */
/*
 * The words of a command line: read as perf reads them, and what was meant by one that is wrong.
 */
#ifndef ITP_PERF_COMMAND_WORDS_H
#define ITP_PERF_COMMAND_WORDS_H

#include <glib.h>
#include <stdbool.h>

/* Has GLib take the options out of `arguments`, which begin with the subcommand and stay as they
 * are. The value of a short option may follow at once, as in -F99. An error about an option that
 * there is not names the one that may be meant. */
bool itp_words_parse(GOptionContext *context, char **arguments, GError **error);

/* The one of `candidates`, which NULL ends, that is most like `word`; NULL when none is. Weak. */
const char *itp_words_nearest(const char *word, char *const *candidates);

#endif
