/* SPDX-License-Identifier: MIT */
/*
 * What there is to show of one function: its lines, and what each cost.
 *
 * A line belongs to where it was written: those of inlined functions are sections of their own.
 * Where nothing is known of lines, addresses stand for them.
 */
#ifndef ITP_SOURCE_PAGE_H
#define ITP_SOURCE_PAGE_H

#include "common/source/costs.h"
#include "common/symbol/symbol-files.h"

/* What was written in one file as one function. */
struct itp_source_section {
	/* NULL for code of which no lines are known. Owned by this. */
	char *file;
	/* NULL where that is not known. Owned by this. */
	char *function;
	/* That is another function than the page's. */
	bool is_inlined;
	/* Line in which the function begins, 0 where that is not known. */
	guint begin;
	/* The lines of the file, from 1 on, without their ends; NULL where it cannot be read. Owned
	 * by this. */
	char **text;
	guint text_lines;
	/* Of all rows. */
	uint64_t weight;
	int64_t time_ns;
	/* Its place among the sections. */
	guint rank;
};

/* Own costs of a line, or those of what one call in it led to. */
struct itp_source_row {
	/* Weak. */
	struct itp_source_section *section;
	/* Of the file; or an address: of an instruction, or of that behind a call. */
	uint64_t line;
	bool is_call;
	/* Of a call. */
	uint32_t callee;
	/* Where own costs are of an address: the instruction, or NULL. Owned by the page. */
	const char *instruction;
	uint64_t ticks;
	uint64_t weight;
	int64_t time_ns;
};

struct itp_source_page {
	uint32_t function;
	/* How long it was in the stacks of all threads together. */
	int64_t total_ns;
	/* Of all rows that are no calls. */
	uint64_t own_ticks;
	uint64_t own_weight;
	/* How long threads were off the CPU while it was innermost, as when another thread had it;
	 * 0 where the recording does not tell. */
	int64_t own_off_ns;
	/* struct itp_source_section *: the function's own first, the others by their costs. Owned
	 * by this. */
	GPtrArray *sections;
	/* struct itp_source_row by section and line, own costs before calls. Owned by this. */
	GArray *rows;
	/* Texts of the rows. Owned by this. */
	GStringChunk *texts;
	/* There is debug data. */
	bool has_lines;
	/* As of itp_lines_missing(). One of the texts. */
	const char *missing;
};

struct itp_source_request {
	/* Weak. */
	const struct itp_source_costs *costs;
	const struct itp_function_table *functions;
	/* Where files of the recorded machine lie, and who is asked for debug data; both may be
	 * NULL. */
	const char *symfs;
	struct itp_debuginfod *debuginfod;
};

/* One page for each function that was seen, the most expensive one first. A GPtrArray of struct
 * itp_source_page; free with g_ptr_array_unref(). */
GPtrArray *itp_source_pages(const struct itp_source_request *request);

#endif
