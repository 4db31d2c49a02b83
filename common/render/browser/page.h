/* SPDX-License-Identifier: MIT */
/*
 * Page of a browser: rows, one of them selected. A kind of page begins its data with a struct
 * itp_browser_page.
 */
#ifndef ITP_RENDER_BROWSER_PAGE_H
#define ITP_RENDER_BROWSER_PAGE_H

#include "common/render/browser/keys.h"
#include "common/render/context-sums.h"
#include "common/render/text/page.h"

struct itp_browser_page;

/* Functions of a kind of page. Texts belong to the caller. */
struct itp_browser_kind {
	/* Nothing is selected: the text moves. */
	bool is_text;
	/* Keys worth knowing, for the last line. */
	const char *keys;
	char *(*title)(const struct itp_browser_page *page);
	/* Lays out the results of the next three functions, for lines of page->width. */
	void (*lay_out)(struct itp_browser_page *page);
	void (*append_heads)(const struct itp_browser_page *page, GString *line);
	size_t (*count)(const struct itp_browser_page *page);
	void (*append_row)(const struct itp_browser_page *page, size_t row, GString *line);
	/* Text of a row for searches. */
	char *(*name)(const struct itp_browser_page *page, size_t row);
	/* More about the selected row, in lines. NULL: nothing. */
	char *(*note)(const struct itp_browser_page *page);
	/* Page about the selected row; NULL: there is none. May be NULL. */
	struct itp_browser_page *(*open)(struct itp_browser_page *page);
	/* Context of the selected row, ITP_CONTEXT_ROOT for none. */
	uint32_t (*node)(const struct itp_browser_page *page);
	/* Takes a key with another meaning than elsewhere. May be NULL. */
	bool (*press)(struct itp_browser_page *page, gunichar key);
	/* Selects the next row with `pattern`, where there are more than visible ones. NULL: there
	 * are not. */
	bool (*find)(struct itp_browser_page *page, const char *pattern, int step);
	void (*free)(struct itp_browser_page *page);
};

/* Subject of all pages. */
struct itp_browser_subject {
	/* Weak. */
	const struct itp_ranking *ranking;
	struct itp_render_options looks;
	/* Owned by this; of its members, `width` and `output` are each page's own. */
	struct itp_page page;
	struct itp_context_sums sums;
};

struct itp_browser_page {
	const struct itp_browser_kind *kind;
	/* Weak. */
	const struct itp_browser_subject *subject;
	/* Columns that it was laid out for; 0: not yet. */
	unsigned int width;
	/* Selected row, first visible row, and the number of visible ones. */
	size_t cursor;
	size_t first;
	size_t shown;
};

void itp_browser_page_free(struct itp_browser_page *page);

/* Takes the size for rows. */
void itp_browser_page_lay_out(struct itp_browser_page *page, unsigned int width, size_t shown);
/* Selects a row, or the nearest one that exists. */
void itp_browser_page_go_to(struct itp_browser_page *page, size_t row);
/* Moves by a key; false for other keys. */
bool itp_browser_page_move(struct itp_browser_page *page, gunichar key);
/* Selects the next (step 1) or the last (-1) row with `pattern`, from the selected one on. */
bool itp_browser_page_find(struct itp_browser_page *page, const char *pattern, int step);
/* True when `pattern` is in `text`, in any case. */
bool itp_browser_is_in(const char *text, const char *pattern);
/* Appends the lines of `text`. */
void itp_browser_add_lines(GPtrArray *lines, const char *text);
/* The subject's page in the page's width, with another output. */
struct itp_page itp_browser_text_of(const struct itp_browser_page *page, GString *output);

/* ---- The kinds ---- */

/* list.c: ranked entries, by their kind. NULL: no rows. */
struct itp_browser_page *itp_browser_list_new(const struct itp_browser_subject *subject);
struct itp_browser_page *itp_browser_path_new(const struct itp_browser_subject *subject,
					      const struct itp_ranked_path *path);
/* `node` is selected, and its callers are open. ITP_CONTEXT_ROOT: none is. */
struct itp_browser_page *itp_browser_tree_new(const struct itp_browser_subject *subject,
					      uint32_t node);
/* text.c */
struct itp_browser_page *itp_browser_help_new(const struct itp_browser_subject *subject);
struct itp_browser_page *itp_browser_print_new(const struct itp_browser_subject *subject);

#endif
