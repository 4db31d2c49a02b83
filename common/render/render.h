/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the renderers of a ranking: what they are asked for, and numbers and words in
 * their formats. Each format is left to a room: text to common/render/text, CSV and JSON lines to
 * common/render/records, the choice among them to common/render/formats.
 *
 *   table.c          aligned columns, and styles; markdown-words.c: words in Markdown
 *   cells.c          numbers of a ranking as cells
 *   units.c          times, counts and shares as a person says them
 *   words.c          words of results, with their meaning
 *   json.c           JSON values
 *   workload.c       names and completeness of inputs
 *   unwatched.c      numbers left out, as nobody watched them
 *   context-sums.c   sums below each context
 *
 * Renderers turn an itp_ranking into bytes and decide nothing about it: no filtering, no arithmetic
 * beyond units and shares. Equal rankings give equal bytes. The place of the bytes is the host's
 * business.
 */
#ifndef ITP_RENDER_RENDER_H
#define ITP_RENDER_RENDER_H

#include "common/rank/ranking.h"

/* Version of the JSON lines and CSV layouts: changes when a reader would have to. */
#define ITP_RENDER_SCHEMA 1

enum itp_format {
	ITP_FORMAT_TEXT = 0,
	ITP_FORMAT_CSV = 1,
	ITP_FORMAT_JSONL = 2,
	/* Text with the tree in place of the table. */
	ITP_FORMAT_TREE = 3,
	/* One document with the sentence and the JSON lines. */
	ITP_FORMAT_JSON = 4,
	/* A comment: the sentence, the table, and the text folded. */
	ITP_FORMAT_MARKDOWN = 5,
};

/* Formats that hold JSON lines. */
static inline bool itp_format_has_lines(enum itp_format format)
{
	return format == ITP_FORMAT_JSONL || format == ITP_FORMAT_JSON;
}

struct itp_render_options {
	enum itp_format format;
	/* Columns for text; at least 60. */
	unsigned int width;
	/* Of text: escape sequences for colours; ASCII alone. The host knows the terminal. */
	bool color;
	bool ascii;
	/* Of text: words used, with their meaning, come last. */
	bool explain;
	/* Of text: everything, also possible chance and the nature of the numbers. */
	bool verbose;
	/* Of text: the first sentence and the rows alone, whatever else was asked for. */
	bool quiet;
	/* Of text: a row for each path that the ranking has and is no chance, and for the first of
	 * the others, rather than for a few. */
	bool all_rows;
	/* Of CSV, an ASCII character; 0 is the comma. With any other, values have a dot for it, and
	 * none is quoted. */
	char separator;
	/* Rank of the path to be shown from nearby, instead of the ranking; 0 = none. It must
	 * exist. */
	uint64_t path;
	/* How users ask for a path from nearby, where they ask for path 1: "path=1". NULL = not
	 * told. Weak. */
	const char *next;
	/* Further results of the host, in the same format: text behind the summary, or JSON lines
	 * before it. NULL: nothing. Weak. */
	const char *more;
	/* Users type "--top 0" rather than "top=0". */
	bool has_options;
	/* Set when the graph ended with an error: the results are of the input read until then, and
	 * say so. */
	bool incomplete;
	/* Set when somebody ended the recording early, to see the results until then. */
	bool interrupted;
	/* Of a live trace: number of the period, and its begin and end since the beginning of the
	 * trace; or the number of periods behind these results. 0: there are none. */
	uint64_t period;
	int64_t period_begin_ns;
	int64_t period_end_ns;
	uint64_t periods;
};

#endif
