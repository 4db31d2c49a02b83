/* SPDX-License-Identifier: MIT */
/*
 * See page.h.
 */
#include "common/render/browser/page.h"

#include <string.h>

void itp_browser_page_free(struct itp_browser_page *page)
{
	if (page) {
		page->kind->free(page);
	}
}

struct itp_page itp_browser_text_of(const struct itp_browser_page *page, GString *output)
{
	struct itp_page text = page->subject->page;

	text.width = page->width;
	text.output = output;
	return text;
}

void itp_browser_add_lines(GPtrArray *lines, const char *text)
{
	g_auto(GStrv) split = g_strsplit(text, "\n", -1);
	guint count = g_strv_length(split);

	/* The last line has an end as well. */
	if (count > 0 && split[count - 1][0] == '\0') {
		count--;
	}
	for (guint i = 0; i < count; i++) {
		g_ptr_array_add(lines, g_strdup(split[i]));
	}
}

/* Last row from which on the others fill the page. */
static size_t last_first(const struct itp_browser_page *page)
{
	size_t count = page->kind->count(page);

	return count > page->shown ? count - page->shown : 0;
}

static void keep_in_sight(struct itp_browser_page *page)
{
	if (page->kind->is_text) {
		page->cursor = MIN(page->cursor, last_first(page));
		page->first = page->cursor;
		return;
	}
	if (page->cursor >= page->first + page->shown) {
		page->first = page->cursor - page->shown + 1;
	}
	page->first = MIN(MIN(page->first, page->cursor), last_first(page));
}

void itp_browser_page_go_to(struct itp_browser_page *page, size_t row)
{
	size_t count = page->kind->count(page);

	page->cursor = MIN(row, count > 0 ? count - 1 : 0);
	keep_in_sight(page);
}

void itp_browser_page_lay_out(struct itp_browser_page *page, unsigned int width, size_t shown)
{
	if (page->width != width) {
		page->width = width;
		page->kind->lay_out(page);
	}
	page->shown = MAX(shown, 1);
	itp_browser_page_go_to(page, page->cursor);
}

static void move_by(struct itp_browser_page *page, size_t rows, bool is_up)
{
	if (is_up) {
		itp_browser_page_go_to(page, page->cursor - MIN(rows, page->cursor));
	} else {
		itp_browser_page_go_to(page, page->cursor + rows);
	}
}

bool itp_browser_page_move(struct itp_browser_page *page, gunichar key)
{
	switch (key) {
	case ITP_BROWSER_UP:
	case ITP_BROWSER_DOWN:
		move_by(page, 1, key == ITP_BROWSER_UP);
		return true;
	case ITP_BROWSER_PAGE_UP:
	case ITP_BROWSER_PAGE_DOWN:
	case ' ':
		move_by(page, page->shown, key == ITP_BROWSER_PAGE_UP);
		return true;
	case ITP_BROWSER_HOME:
	case ITP_BROWSER_END:
		itp_browser_page_go_to(page, key == ITP_BROWSER_HOME ? 0 : SIZE_MAX);
		return true;
	default:
		return false;
	}
}

bool itp_browser_is_in(const char *text, const char *pattern)
{
	g_autofree char *folded_text = g_utf8_casefold(text, -1);
	g_autofree char *folded_pattern = g_utf8_casefold(pattern, -1);

	return strstr(folded_text, folded_pattern) != NULL;
}

bool itp_browser_page_find(struct itp_browser_page *page, const char *pattern, int step)
{
	size_t count = page->kind->count(page);

	if (page->kind->find) {
		return page->kind->find(page, pattern, step);
	}
	for (size_t i = 1; i <= count; i++) {
		size_t row = (page->cursor + (step > 0 ? i : count - i)) % count;
		g_autofree char *name = page->kind->name(page, row);

		if (itp_browser_is_in(name, pattern)) {
			itp_browser_page_go_to(page, row);
			return true;
		}
	}
	return false;
}
