/* SPDX-License-Identifier: MIT */
/*
 * Aligned columns of text: collects all rows, then knows how wide each column has to be.
 */
#ifndef ITP_RENDER_TABLE_H
#define ITP_RENDER_TABLE_H

#include <glib.h>
#include <stdbool.h>

struct itp_table;

/* A table without columns that may take `width` terminal columns. */
struct itp_table *itp_table_new(unsigned int width);
void itp_table_free(struct itp_table *table);

/* Adds a column, before the first row. */
void itp_table_column(struct itp_table *table, const char *head, bool right_aligned);

/* Adds the next cell, row by row. Takes ownership of `cell`, a clean label. */
void itp_table_take(struct itp_table *table, char *cell);

/* Append the heads, or the cells of row `row`, as one line. The last column is shortened to
 * what is left of the width, and left out where that is next to nothing. */
void itp_table_append_heads(const struct itp_table *table, GString *output);
void itp_table_append_row(const struct itp_table *table, size_t row, GString *output);

#endif
