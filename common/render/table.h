/* SPDX-License-Identifier: MIT */
/*
 * Aligned columns of text: collects all rows, then knows how wide each column has to be. And what a
 * terminal adds to the text, and what it takes from it: colours, and replacements where it has no
 * Unicode.
 *
 * Renderers mark a span of text by a style and ITP_STYLE_END, always: the marks take no column,
 * and no cleaned name holds them. itp_style_append() then knows what the terminal can show. It
 * keeps every column where it is.
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

/* Puts `tail`, owned by the table from now on, behind the last cell of the row that was taken last,
 * which is shortened first; it is left out where nothing of the cell could be kept. */
void itp_table_take_tail(struct itp_table *table, char *tail);

/* Append the heads, or the cells of row `row`, as one line. The last column is shortened to
 * what is left of the width, and left out where that is next to nothing. */
void itp_table_append_heads(const struct itp_table *table, GString *output);
void itp_table_append_row(const struct itp_table *table, size_t row, GString *output);

/* Appends heads and all rows as a table of Markdown, each cell as wide as the table may be at most.
 */
void itp_table_append_markdown(const struct itp_table *table, GString *output);

/* ---- Styles ---- */

/* Characters that Unicode has given up. Spans do not nest. */
#define ITP_STYLE_LARGE "\u206a"   /* much of what got slower, or of the whole */
#define ITP_STYLE_NOTABLE "\u206b" /* some of it */
#define ITP_STYLE_SAVED "\u206c"   /* what got faster */
#define ITP_STYLE_FACE "\u206d"    /* the function to open first */
#define ITP_STYLE_FAINT "\u206e"   /* what may be chance */
#define ITP_STYLE_END "\u206f"

/* The style of `part_ns` of `whole_ns`, which may be negative; "" for one that is too small. The
 * shares are those from which perf colours its text. */
const char *itp_style_of_share(int64_t part_ns, int64_t whole_ns);

/* `text` in a style, which may be "". Takes and returns owned memory. */
char *itp_style_take(const char *style, char *text);

/* Appends `text`, of valid UTF-8: with `color`, its styles as escape sequences, else without them;
 * with `ascii`, one ASCII character for each column of any other. */
void itp_style_append(GString *output, const char *text, bool color, bool ascii);

#endif
