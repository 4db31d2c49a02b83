/* SPDX-License-Identifier: MIT */
/*
 * The words of a function's name: what stands between its upper-case letters (StackMine, section VI
 * A), and here also between "_", "::", digits and other signs. Case does not count.
 */
#ifndef ITP_MINE_NAMES_H
#define ITP_MINE_NAMES_H

#include <glib.h>
#include <stdint.h>

/* Words as small numbers. */
struct itp_word_table;

struct itp_word_table *itp_word_table_new(void);
void itp_word_table_free(struct itp_word_table *table);

/* Numbers of the words of `name`, ascending, with repetitions: "readURLFile2" has file, read, url.
 * A GArray of uint32_t; free with g_array_unref(). */
GArray *itp_name_words(struct itp_word_table *table, const char *name);

/* Sub(a, b) of two such lists: 1 − 2 · common / (length of a + length of b); 0 for two empty
 * ones. */
double itp_words_distance(const GArray *a, const GArray *b);

#endif
