/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the renderers of a function's lines: lines between those with costs, their heads,
 * and rows of text.
 */
#ifndef ITP_RENDER_SOURCE_LISTING_H
#define ITP_RENDER_SOURCE_LISTING_H

#include "common/render/source/source.h"
#include "common/render/table.h"

enum itp_source_entry_kind {
	/* Lines are left out. */
	ITP_SOURCE_GAP,
	/* Line without costs, near a line with some. */
	ITP_SOURCE_FREE,
	/* Own costs, or a call. */
	ITP_SOURCE_COSTS,
};

struct itp_source_entry {
	enum itp_source_entry_kind kind;
	/* Weak. */
	const struct itp_source_section *section;
	/* Of costs. Weak. */
	const struct itp_source_row *row;
	/* Of the file, or an address. */
	uint64_t line;
	/* First entry of its line, with the text. */
	bool has_text;
};

/* struct itp_source_entry, the sections one behind the other. Free with g_array_unref(). */
GArray *itp_source_listing(const struct itp_source_page *page);

/* struct itp_source_entry: the rows with most costs, the dearest first, at most `most`. Free with
 * g_array_unref(). */
GArray *itp_source_dearest(const struct itp_source_page *page, const struct itp_source_looks *looks,
			   guint most);

/* Row by itself, with its text. */
struct itp_source_entry itp_source_entry_of(const struct itp_source_row *row);

/* The line as columns see it, or the instruction, or "". Owned by the caller, as all below. */
char *itp_source_entry_text(const struct itp_source_entry *entry);

/* "42", or the address of an instruction; and "shop.c:42". */
char *itp_source_entry_line(const struct itp_source_entry *entry);
char *itp_source_entry_place(const struct itp_source_entry *entry);

/* Name shortened to a number of columns. */
char *itp_source_name(const struct itp_function_table *functions, uint32_t function,
		      unsigned int columns);

/* "handle in shop (/usr/bin/shop): own CPU time 1.20 s (1 204 ticks) and 20 ms blocked; …" */
char *itp_source_head(const struct itp_source_page *page, const struct itp_source_looks *looks);

/* Reason for missing lines, and its remedy; NULL where there are lines. */
char *itp_source_lack(const struct itp_source_page *page, const struct itp_source_looks *looks);

/* "shop.c (not found), inlined: take" */
char *itp_source_section_name(const struct itp_source_section *section);

/* Sets what a row is, and where: "type", "file", "line" and the like. */
void itp_source_set_place(json_t *object, const struct itp_source_row *row);

/* ---- Rows of text ---- */

/* Cells of rows, and behind them the text of their lines, of which only the end may be cut. To be
 * freed by itp_source_rows_append(). */
struct itp_source_rows {
	/* The last column is empty. Owned by this. */
	struct itp_table *table;
	/* char *, by row. Owned by this. */
	GPtrArray *texts;
	unsigned int width;
};

/* Begins without columns. */
void itp_source_rows_init(struct itp_source_rows *rows, unsigned int width);

/* Ends a row, whose cells were taken by the table. Takes `place`, of the entry. */
void itp_source_rows_take(struct itp_source_rows *rows, char *place,
			  const struct itp_source_entry *entry);

/* Appends the rows below the name, which this takes. */
void itp_source_rows_append(struct itp_source_rows *rows, char *name, GString *output);

/* Appends a sentence, which this takes. */
void itp_source_append_wrapped(char *text, unsigned int indent, unsigned int width,
			       GString *output);

#endif
