/* SPDX-License-Identifier: MIT */
/*
 * Parts of the text, each appended to the same page, and their common state.
 */
#ifndef ITP_RENDER_TEXT_PAGE_H
#define ITP_RENDER_TEXT_PAGE_H

#include "common/rank/detail.h"
#include "common/render/cells.h"
#include "common/render/entries.h"
#include "common/render/workload.h"

/* Processes named that had a CPU for which others waited; a hundredth of the waiting is nobody to
 * ask about. */
#define ITP_TAKERS_NAMED 3
#define ITP_TAKER_LEAST 0.01

/* Least width of text. Tables that narrow have their most important columns only. */
#define ITP_PAGE_WIDTH_LEAST 60

/* Input of all parts. */
struct itp_page {
	/* Weak. */
	const struct itp_ranking *ranking;
	GString *output;
	/* Owned by this. */
	struct itp_workload_labels labels;
	unsigned int width;
	/* Path told most of: the only one, or the first. NULL without paths. Weak. */
	const struct itp_ranked_path *path;
	/* Contexts with a line of their own in the tree; 0 without a tree. */
	guint tree_contexts;
	/* Members of the options. */
	bool has_options;
	bool is_verbose;
	/* Rows for the first entries that may be chance, too; and the greatest number of rows. */
	bool shows_chance;
	guint rows_most;
	/* Page about a period of a trace that goes on. */
	bool is_period;
};

/* text.c: a page that is empty, appended to `output`. */
void itp_page_init(struct itp_page *page, const struct itp_ranking *ranking,
		   const struct itp_render_options *options, GString *output);
void itp_page_release(struct itp_page *page);
/* text.c: the first sentence alone, in one line; NULL where there is none. To be freed. */
char *itp_page_sentence(const struct itp_ranking *ranking,
			const struct itp_render_options *options);
/* page.c: how a user asks for that: "--by function" or "by=\"function\"". Owned by the caller. */
char *itp_page_ask(const struct itp_page *page, const char *name, const char *value);
/* text.c: reasons why the comparison makes little sense, and pairs taken for the same in it. */
void itp_page_append_doubts(const struct itp_page *page);
/* headline.c: the first sentence. False, with nothing appended, without one: for rankings by
 * function or by another number than own time. */
bool itp_page_append_headline(const struct itp_page *page);
/* headline.c: the first sentence where the work of both is divided by (ranking->by_work); NULL
 * where it names the same place. Owned by the caller. */
char *itp_page_headline_by_work(const struct itp_page *page);
/* headline.c: time for which others waited longer because of the path's cost. */
int64_t itp_page_waits_for_ns(const struct itp_ranking *ranking,
			      const struct itp_ranked_path *path);
/* text-summary.c: the whole in numbers; all of it on a verbose page, and without a headline. */
void itp_page_append_summary(const struct itp_page *page, bool has_headline);
/* text-summary.c: both, with nothing between them. */
void itp_page_append_answer(const struct itp_page *page);
/* path-table.c: the table of the paths, with the lines under its rows; that of functions or
 * modules. */
void itp_page_append_paths(const struct itp_page *page);
void itp_page_append_rows(const struct itp_page *page);
/* path-table.c: the tables alone, to be freed; of paths, with those in `shown` (guint). */
struct itp_table *itp_page_paths_table(const struct itp_page *page, const GArray *shown);
struct itp_table *itp_page_rows_table(const struct itp_page *page);
/* path-table.c: module of its code, its share, its time with all callees. To be freed. */
char *itp_page_row_notes(const struct itp_page *page, const struct itp_ranked_row *row);
/* held-table.c: functions that hold up others, with the sentences before them. */
void itp_page_append_held(const struct itp_page *page);
/* tree.c: the top of the calling context tree. Returns the number of chosen contexts, all with any
 * time for top = 0. */
guint itp_page_append_tree(const struct itp_page *page);
/* path-notes.c: notes on a path besides its frames. */
void itp_page_append_path_notes(const struct itp_page *page, const struct itp_ranked_path *path);
/* text-foot.c: how small a slow-down these runs could have shown, as sentences. To be freed. */
char *itp_page_visible_text(const struct itp_ranking *ranking);
/* text-foot.c: by how much the difference of a path may be off, and on a verbose page why; NULL
 * where that is not judged. To be freed. */
char *itp_page_doubt_text(const struct itp_page *page, const struct itp_ranked_path *path);
/* text-foot.c: what was left out, how good the numbers and the input are; or the latter alone. */
void itp_page_append_foot(const struct itp_page *page, bool incomplete);
void itp_page_append_quality(const struct itp_page *page, bool incomplete);

/* path-table.c: calls of the culprit in all its contexts; for a path that stands for itself, its
 * face's. */
struct itp_cell_calls itp_page_path_calls(const struct itp_ranking *ranking,
					  const struct itp_ranked_path *path);

/* path-detail.c: the page's path from nearby. */
void itp_page_append_detail(const struct itp_page *page);
/* path-notes.c: most of its blocked time was ended by nobody in the recording: the wakers seen tell
 * little. */
bool itp_page_is_end_unseen(const struct itp_ranked_path *path);
/* path-notes.c: "as long as TCP waits before it acknowledges what came (delayed ACK, 40 ms)"; NULL
 * where its waits are no timer's of TCP. */
char *itp_page_timer_text(const struct itp_ranking *ranking, const struct itp_ranked_path *path);
/* path-notes.c: "the kernel (timer)", "reply", "reply in redis-server". */
char *itp_page_waker_name(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  const struct itp_waker *waker);

/* path-line.c: appends "nginx: main › … › handler › filter ◀ culprit › nanosleep", broken into
 * lines of at most `width` columns. */
void itp_path_line_append(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  unsigned int width, GString *output);

/* page.c: paths shown in the table, without waits for another one: all that are sure or likely, and
 * without any, or with page->shows_chance, the first of the others; at most page->rows_most. GArray
 * of indices (guint). Free with g_array_unref(). */
GArray *itp_page_shown_paths(const struct itp_page *page);

/* page.c: name of a function as part of a sentence, unbroken. */
char *itp_page_name(const struct itp_page *page, uint32_t function);

/* ---- Text about a path from nearby ---- */

struct itp_detail_page {
	/* Weak. */
	const struct itp_page *page;
	const struct itp_ranked_path *path;
	/* Detail, with a face other than NULL. */
	struct itp_path_detail detail;
};

/* path-detail.c: text before its functions, the functions with a row each, and text behind. The
 * table is to be freed. */
void itp_page_append_detail_head(const struct itp_detail_page *it);
struct itp_table *itp_page_functions_table(const struct itp_detail_page *it);
void itp_page_append_detail_foot(const struct itp_detail_page *it);
/* path-calls.c: when the slowest calls were. */
void itp_page_append_slowest(const struct itp_detail_page *it);
/* path-calls.c: the chain behind the slowest calls, as lines (char *), the first one a title and
 * each behind it about the wait of the one before. NULL where unknown, or without a wait. Free with
 * g_ptr_array_unref(). */
GPtrArray *itp_page_chain_lines(const struct itp_ranking *ranking,
				const struct itp_path_detail *detail);
/* path-calls.c: the chain on the page; nothing where unknown, or without a wait. */
void itp_page_append_chain(const struct itp_detail_page *it);

#endif
