/* SPDX-License-Identifier: MIT */
/*
 * Words of a command line: read as perf reads them, and the intended word for a wrong one.
 */
#ifndef ITP_PERF_COMMAND_WORDS_H
#define ITP_PERF_COMMAND_WORDS_H

#include <glib.h>
#include <stdbool.h>

/* Has GLib take the options out of `arguments`, which begin with the subcommand and stay as they
 * are. The value of a short option may follow at once, as in -F99. An error about an unknown option
 * names the one that may be meant. */
bool itp_words_parse(GOptionContext *context, char **arguments, GError **error);

/* Most similar one of `candidates`, which NULL ends, to `word`; NULL when none is. Weak. */
const char *itp_words_nearest(const char *word, char *const *candidates);

#endif
