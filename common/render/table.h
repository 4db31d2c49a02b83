/* SPDX-License-Identifier: MIT */
/*
 * Aligned columns of text: collects all rows, then knows the width of each column. And a terminal's
 * effects on the text: colours, and replacements where it has no Unicode.
 *
 * Renderers mark a span of text by a style and ITP_STYLE_END, always: the marks take no column, and
 * no cleaned name holds them. itp_style_append() then knows the terminal's abilities. It keeps
 * every column where it is.
 */
#ifndef ITP_RENDER_TABLE_H
#define ITP_RENDER_TABLE_H

#include <glib.h>
#include <stdbool.h>

struct itp_table;

/* Table without columns, for `width` terminal columns. */
struct itp_table *itp_table_new(unsigned int width);
void itp_table_free(struct itp_table *table);

/* Adds a column, before the first row. */
void itp_table_column(struct itp_table *table, const char *head, bool right_aligned);

/* Adds the next cell, row by row. Takes ownership of `cell`, a clean label. */
void itp_table_take(struct itp_table *table, char *cell);

/* Puts `tail`, owned by the table from now on, behind the last cell of the last taken row, which is
 * shortened first; it is left out where nothing of the cell could be kept. */
void itp_table_take_tail(struct itp_table *table, char *tail);

/* Append the heads, or the cells of row `row`, as a line. The last column is shortened to the rest
 * of the width, and left out where the rest is next to nothing. */
void itp_table_append_heads(const struct itp_table *table, GString *output);
void itp_table_append_row(const struct itp_table *table, size_t row, GString *output);

/* Appends heads and all rows as a table of Markdown, each cell as wide as the table may be at most.
 */
void itp_table_append_markdown(const struct itp_table *table, GString *output);

/* ---- Styles ---- */

/* Characters given up by Unicode. Spans do not nest. */
#define ITP_STYLE_LARGE "\u206a"   /* much of the slow-down, or of the whole */
#define ITP_STYLE_NOTABLE "\u206b" /* some of it */
#define ITP_STYLE_SAVED "\u206c"   /* a speed-up */
#define ITP_STYLE_FACE "\u206d"    /* the function to open first */
#define ITP_STYLE_FAINT "\u206e"   /* possible chance */
#define ITP_STYLE_END "\u206f"

/* Style of `part_ns` of `whole_ns`, which may be negative; "" for too small a part. Shares are
 * those from which on perf colours its text. */
const char *itp_style_of_share(int64_t part_ns, int64_t whole_ns);

/* `text` in a style, which may be "". Takes and returns owned memory. */
char *itp_style_take(const char *style, char *text);

/* Appends `text`, of valid UTF-8: with `color`, its styles as escape sequences, else without them;
 * with `ascii`, one ASCII character for each column of any other. */
void itp_style_append(GString *output, const char *text, bool color, bool ascii);

#endif
