/* SPDX-License-Identifier: MIT */
/*
 * See browser.h. From top to bottom: the title, the heads of columns, the rows, a few lines about
 * the selected row, and the keys, or a message.
 */
#include "common/render/browser/browser.h"

#include "common/base/labels.h"
#include "common/render/browser/page.h"
#include "common/render/table.h"

/* Lines about the selected row; height of a page with room for all of them. */
#define NOTES 3
#define NOTES_HEIGHT 16
/* Title, heads and keys. */
#define FIXED_LINES 3
#define PATTERN_MOST 200

struct itp_browser {
	struct itp_browser_subject subject;
	/* Weak. */
	struct itp_browser_series *series;
	/* struct itp_browser_page *, the last one being on top. Never empty. Owned by this. */
	GPtrArray *pages;
	/* Last search; while `is_asking`, the part of it typed so far. Owned by this. */
	GString *pattern;
	bool is_asking;
	/* Message for the next sight, or NULL. Owned by this. */
	char *message;
};

static void free_page(gpointer page)
{
	itp_browser_page_free(page);
}

static struct itp_browser_page *top_of(const struct itp_browser *browser)
{
	return g_ptr_array_index(browser->pages, browser->pages->len - 1);
}

static void begin_pages(struct itp_browser *browser)
{
	const struct itp_ranking *ranking = browser->subject.ranking;
	const uint64_t path = browser->subject.looks.path;
	struct itp_browser_page *list = itp_browser_list_new(&browser->subject);

	g_ptr_array_add(browser->pages, list ? list : itp_browser_print_new(&browser->subject));
	if (path > 0) {
		itp_browser_page_go_to(list, path - 1);
		g_ptr_array_add(
			browser->pages,
			itp_browser_path_new(&browser->subject, itp_path_at(ranking, path - 1)));
		browser->subject.looks.path = 0;
	}
	if (browser->subject.looks.incomplete || browser->subject.looks.interrupted) {
		browser->message = g_strdup("Not all was read: these are the results until then.");
	}
}

struct itp_browser *itp_browser_new(const struct itp_ranking *ranking,
				    const struct itp_render_options *looks,
				    struct itp_browser_series *series)
{
	struct itp_browser *browser = g_new0(struct itp_browser, 1);

	series->step = 0;
	browser->series = series;

	browser->subject.ranking = ranking;
	browser->subject.looks = *looks;
	browser->subject.page.ranking = ranking;
	browser->subject.page.is_verbose = true;
	browser->subject.page.shows_chance = true;
	browser->subject.page.rows_most = G_MAXUINT;
	itp_workload_labels_init(&browser->subject.page.labels, ranking);
	itp_context_sums_init(&browser->subject.sums, ranking);
	browser->pages = g_ptr_array_new_with_free_func(free_page);
	browser->pattern = g_string_new(NULL);
	begin_pages(browser);
	return browser;
}

void itp_browser_free(struct itp_browser *browser)
{
	g_ptr_array_unref(browser->pages);
	itp_context_sums_release(&browser->subject.sums);
	itp_workload_labels_release(&browser->subject.page.labels);
	g_string_free(browser->pattern, TRUE);
	g_free(browser->message);
	g_free(browser);
}

static void set_message(struct itp_browser *browser, char *message)
{
	g_free(browser->message);
	browser->message = message;
}

static void push_page(struct itp_browser *browser, struct itp_browser_page *page)
{
	g_ptr_array_add(browser->pages, page);
}

/* ---- Keys ---- */

static void search(struct itp_browser *browser, int step)
{
	if (browser->pattern->len > 0 &&
	    !itp_browser_page_find(top_of(browser), browser->pattern->str, step)) {
		set_message(browser,
			    g_strdup_printf("\"%s\" is nowhere here.", browser->pattern->str));
	}
}

static void press_while_asking(struct itp_browser *browser, gunichar key)
{
	GString *pattern = browser->pattern;

	if (key == ITP_BROWSER_ENTER) {
		browser->is_asking = false;
		search(browser, 1);
	} else if (key == ITP_BROWSER_ESCAPE) {
		browser->is_asking = false;
		g_string_truncate(pattern, 0);
	} else if (key == ITP_BROWSER_ERASE && pattern->len > 0) {
		const char *last = g_utf8_find_prev_char(pattern->str, pattern->str + pattern->len);

		g_string_truncate(pattern, (gsize)(last - pattern->str));
	} else if (itp_label_is_seen(key) && pattern->len < PATTERN_MOST) {
		g_string_append_unichar(pattern, key);
	}
}

static void open_selected(struct itp_browser *browser)
{
	struct itp_browser_page *page = top_of(browser);
	struct itp_browser_page *about = page->kind->open ? page->kind->open(page) : NULL;

	if (about) {
		push_page(browser, about);
	}
}

static void go_back(struct itp_browser *browser)
{
	if (browser->pages->len > 1) {
		g_ptr_array_set_size(browser->pages, (gint)browser->pages->len - 1);
	} else {
		set_message(browser, g_strdup("This is the first page; q leaves."));
	}
}

static void open_tree(struct itp_browser *browser)
{
	const struct itp_browser_page *page = top_of(browser);
	const uint32_t node = page->kind->node ? page->kind->node(page) : ITP_CONTEXT_ROOT;

	push_page(browser, itp_browser_tree_new(&browser->subject, node));
}

/* Opens pages reachable from anywhere, once. */
static void press_letter(struct itp_browser *browser, gunichar key)
{
	switch (key) {
	case '/':
		g_string_truncate(browser->pattern, 0);
		browser->is_asking = true;
		break;
	case 'n':
	case 'N':
		search(browser, key == 'n' ? 1 : -1);
		break;
	case 't':
		open_tree(browser);
		break;
	case 's':
		push_page(browser, itp_browser_print_new(&browser->subject));
		break;
	case 'h':
	case '?':
	case ITP_BROWSER_HELP:
		push_page(browser, itp_browser_help_new(&browser->subject));
		break;
	default:
		break;
	}
}

static void press_anywhere(struct itp_browser *browser, gunichar key)
{
	switch (key) {
	case ITP_BROWSER_ENTER:
	case ITP_BROWSER_RIGHT:
		open_selected(browser);
		break;
	case ITP_BROWSER_ESCAPE:
	case ITP_BROWSER_LEFT:
		go_back(browser);
		break;
	default:
		press_letter(browser, key);
		break;
	}
}

/* False without such a page. */
static bool step_series(struct itp_browser *browser, gunichar key)
{
	struct itp_browser_series *series = browser->series;
	int step = key == '>' ? 1 : -1;
	bool is_there = step > 0 ? series->number < series->count : series->number > 1;

	if (is_there) {
		series->step = step;
	} else {
		set_message(browser, g_strdup_printf("There is no recording %s this one.",
						     step > 0 ? "behind" : "before"));
	}
	return is_there;
}

bool itp_browser_press(struct itp_browser *browser, gunichar key)
{
	struct itp_browser_page *page = top_of(browser);

	set_message(browser, NULL);
	if (key == ITP_BROWSER_INTERRUPT || (key == 'q' && !browser->is_asking)) {
		return false;
	}
	if ((key == '>' || key == '<') && !browser->is_asking) {
		return !step_series(browser, key);
	}
	if (browser->is_asking) {
		press_while_asking(browser, key);
	} else if (!(page->kind->press && page->kind->press(page, key)) &&
		   !itp_browser_page_move(page, key)) {
		press_anywhere(browser, key);
	}
	return true;
}

/* ---- Lines of a page ---- */

/* Takes `text`. */
static void add_line(GPtrArray *lines, char *text, unsigned int width)
{
	g_ptr_array_add(lines, text[0] == '\0' ? g_strdup("") : itp_label_shorten(text, width));
	g_free(text);
}

static void add_heads(GPtrArray *lines, const struct itp_browser_page *page)
{
	g_autoptr(GString) line = g_string_new(NULL);

	if (page->kind->append_heads) {
		page->kind->append_heads(page, line);
	}
	g_ptr_array_add(lines, g_strdup(g_strchomp(line->str)));
}

static void add_rows(GPtrArray *lines, const struct itp_browser_page *page)
{
	size_t count = page->kind->count(page);

	for (size_t row = page->first; row < page->first + page->shown; row++) {
		g_autoptr(GString) line = g_string_new(NULL);

		if (row < count) {
			page->kind->append_row(page, row, line);
		}
		g_ptr_array_add(lines, g_strdup(g_strchomp(line->str)));
	}
}

static void add_notes(GPtrArray *lines, const struct itp_browser_page *page, guint room)
{
	g_autofree char *note = page->kind->note ? page->kind->note(page) : NULL;
	guint end = lines->len + room;

	if (note) {
		itp_browser_add_lines(lines, note);
	}
	g_ptr_array_set_size(lines, (gint)MIN(lines->len, end));
	while (lines->len < end) {
		g_ptr_array_add(lines, g_strdup(""));
	}
}

static char *last_line(const struct itp_browser *browser, const struct itp_browser_page *page)
{
	if (browser->is_asking) {
		return g_strdup_printf("/%s_", browser->pattern->str);
	}
	if (browser->message || browser->series->count <= 1) {
		return g_strdup(browser->message ? browser->message : page->kind->keys);
	}
	return g_strdup_printf("%s  < > recording", page->kind->keys);
}

/* "slow.data: 617 ms in 46 paths (2 of 3)" */
static char *numbered_title(const struct itp_browser *browser, const struct itp_browser_page *page)
{
	g_autofree char *title = page->kind->title(page);

	if (browser->series->count <= 1) {
		return g_steal_pointer(&title);
	}
	return g_strdup_printf("%s (%u of %u)", title, browser->series->number,
			       browser->series->count);
}

GPtrArray *itp_browser_lines(struct itp_browser *browser, unsigned int width, unsigned int height,
			     int *ret_selected)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	struct itp_browser_page *page = top_of(browser);
	guint notes = page->kind->note ? (height >= NOTES_HEIGHT ? NOTES : 1) : 0;
	unsigned int used = FIXED_LINES + notes;

	itp_browser_page_lay_out(page, width, height > used ? height - used : 1);
	add_line(lines, numbered_title(browser, page), width);
	add_heads(lines, page);
	*ret_selected = page->kind->is_text ? -1 : (int)(lines->len + page->cursor - page->first);
	add_rows(lines, page);
	add_notes(lines, page, notes);
	/* Without room for all, the last line is not the keys'. */
	g_ptr_array_set_size(lines, (gint)MIN(lines->len, MAX(height, 1) - 1));
	add_line(lines, last_line(browser, page), width);
	return lines;
}
