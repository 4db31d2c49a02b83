/* SPDX-License-Identifier: MIT */
/*
 * Messages of the components in the words of a host's arguments.
 */
#ifndef ITP_PERF_HOST_WORDS_H
#define ITP_PERF_HOST_WORDS_H

/* What a parameter is called: a replacement as g_regex_replace() has it, in which \\1 is its name.
 */
#define ITP_WORDS_OPTION "--\\1"
#define ITP_WORDS_PARAMETER "parameter \"\\1\""

/* `message` as one line, without the class that it comes from. Owned by the caller. */
char *itp_words(const char *message, const char *parameter);

#endif
