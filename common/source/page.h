/* SPDX-License-Identifier: MIT */
/*
 * Page of a function: its lines, and the costs of each. Costs are left to costs.h, lines to
 * lines.h.
 *
 * A line belongs to the function in which it was written: lines of inlined functions are sections
 * of their own. Addresses stand for unknown lines.
 */
#ifndef ITP_SOURCE_PAGE_H
#define ITP_SOURCE_PAGE_H

#include "common/source/costs.h"
#include "common/symbol/symbol-files.h"

/* Code written in one file as one function. */
struct itp_source_section {
	/* NULL for code without known lines. Owned by this. */
	char *file;
	/* NULL when unknown. Owned by this. */
	char *function;
	/* The function is another one than the page's. */
	bool is_inlined;
	/* The file comes with the system or with a compiler. */
	bool is_library;
	/* First line of the function, 0 when unknown. */
	guint begin;
	/* Lines of the file, from 1 on, without their ends; NULL when it cannot be read. Owned by
	 * this. */
	char **text;
	guint text_lines;
	/* Sums over rows: own ticks' weight, and time of calls. */
	uint64_t weight;
	int64_t time_ns;
	/* Index among the sections. */
	guint rank;
};

/* Costs of a line: its own, or those of a call in it. */
struct itp_source_row {
	/* Weak. */
	struct itp_source_section *section;
	/* Line of the file; or address of an instruction, or of the one behind a call. */
	uint64_t line;
	bool is_call;
	/* Function called, of a call. */
	uint32_t callee;
	/* Instruction of an address with own costs, or NULL. Owned by the page. */
	const char *instruction;
	uint64_t ticks;
	uint64_t weight;
	int64_t time_ns;
};

struct itp_source_page {
	uint32_t function;
	/* Time of the function in the stacks of all threads together; and for how long these
	 * waited for a CPU, which is in no other number. */
	int64_t total_ns;
	int64_t waiting_ns;
	/* Sums over all own places. */
	uint64_t own_ticks;
	uint64_t own_weight;
	/* Time of threads off the CPU with the function innermost; 0 when not recorded. */
	int64_t own_off_ns;
	/* struct itp_source_section *: the function's own first, then the program's files by their
	 * costs, and files of libraries behind these. Owned by this. */
	GPtrArray *sections;
	/* struct itp_source_row by section and line, own costs before calls. Owned by this. */
	GArray *rows;
	/* Texts of the rows, and of `missing`. Owned by this. */
	GStringChunk *texts;
	/* True with debug data. */
	bool has_lines;
	/* Result of itp_lines_missing(). Owned by `texts`. */
	const char *missing;
};

/* Nanoseconds of a row. Where nobody knows for how much time a tick stands: ticks, and nothing for
 * calls. */
double itp_source_row_cost(const struct itp_source_costs *costs, const struct itp_source_row *row);

struct itp_source_request {
	/* Weak. */
	const struct itp_source_costs *costs;
	const struct itp_function_table *functions;
	/* Folder with the files of the recorded machine, and server of debug data; NULL for none.
	 * Weak. */
	const char *symfs;
	struct itp_debuginfod *debuginfod;
};

/* Pages of all functions seen, the most expensive one first. A GPtrArray of struct itp_source_page;
 * free with g_ptr_array_unref(). */
GPtrArray *itp_source_pages(const struct itp_source_request *request);

#endif
