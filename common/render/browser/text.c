/* SPDX-License-Identifier: MIT */
/*
 * See browser.h: pages of text alone.
 */
#include "common/render/browser/page.h"

#include "common/base/labels.h"
#include "common/render/table.h"
#include "common/render/text/text.h"

struct text {
	struct itp_browser_page page;
	const char *title;
	void (*append)(const struct itp_browser_page *page, GString *text);
	/* char *. Owned by this. */
	GPtrArray *lines;
};

static const struct {
	const char *keys;
	const char *what;
} help[] = {
	{ "\u2191 \u2193 PgUp PgDn Home End", "another row" },
	{ "Enter \u2192", "open the row: a path, a context, a function in its context" },
	{ "Esc \u2190", "back; in the tree, \u2190 closes a context, then goes to its caller" },
	{ "t", "the tree of contexts, at the one of the row" },
	{ "s", "the whole result as it is printed" },
	{ "/", "search; n, N: the next one, the one before" },
	{ "< >", "the recording before, behind this one, where several were given" },
	{ "h ?", "these keys" },
	{ "q Ctrl-C", "leave" },
	{ "", "" },
	{ "In the tree:", "" },
	{ "+", "open or close the context" },
	{ "e c", "open, close it and all that lies below" },
	{ "E C", "open, close everything" },
	{ "H", "follow what costs most from here down" },
	{ "", "" },
	{ "What the columns say:", "" },
	{ "own", "latency without that of the functions called" },
	{ "total", "latency with it; in the tree, own latencies in and below a context" },
	{ "calls, each", "how many, and how long one takes; in a comparison, by what factor" },
	{ "why", "the largest part of a cost or a difference" },
	{ "~ ?", "may well be chance; is too rare to say" },
	{ "#1", "the function to open first of path 1" },
};

#define KEYS_COLUMNS 24
/* Indent of a key's meaning, where it stands below the key for lack of room. */
#define KEYS_INDENT 4

static void append_help(const struct itp_browser_page *page, GString *text)
{
	bool is_wide = page->width >= ITP_PAGE_WIDTH_LEAST;

	for (size_t i = 0; i < G_N_ELEMENTS(help); i++) {
		unsigned int columns = itp_label_columns(help[i].keys);

		g_string_append_printf(text, " %s", help[i].keys);
		if (help[i].what[0] == '\0') {
			itp_label_end_line(text);
			continue;
		}
		if (is_wide) {
			itp_label_pad(text, KEYS_COLUMNS - 1 - columns);
		} else {
			itp_label_end_line(text);
			itp_label_pad(text, KEYS_INDENT);
		}
		itp_label_wrap(text, help[i].what, is_wide ? KEYS_COLUMNS : KEYS_INDENT,
			       is_wide ? KEYS_COLUMNS : KEYS_INDENT, page->width);
	}
}

/* The text itself is never narrower than ITP_PAGE_WIDTH_LEAST. */
static void append_print(const struct itp_browser_page *page, GString *text)
{
	struct itp_render_options looks = page->subject->looks;

	looks.format = ITP_FORMAT_TEXT;
	looks.width = page->width;
	looks.color = false;
	looks.ascii = false;
	looks.path = 0;
	looks.next = NULL;
	itp_render_text(page->subject->ranking, &looks, text);
}

static char *title_of_text(const struct itp_browser_page *page)
{
	return g_strdup(((const struct text *)page)->title);
}

static void lay_out_text(struct itp_browser_page *page)
{
	struct text *it = (struct text *)page;
	g_autoptr(GString) text = g_string_new(NULL);

	it->append(page, text);
	g_ptr_array_set_size(it->lines, 0);
	itp_browser_add_lines(it->lines, text->str);
}

static size_t count_text_rows(const struct itp_browser_page *page)
{
	return ((const struct text *)page)->lines->len;
}

static void append_text_row(const struct itp_browser_page *page, size_t row, GString *line)
{
	g_string_append(line, g_ptr_array_index(((const struct text *)page)->lines, row));
}

static char *text_of_row(const struct itp_browser_page *page, size_t row)
{
	return g_strdup(g_ptr_array_index(((const struct text *)page)->lines, row));
}

static void text_free(struct itp_browser_page *page)
{
	g_ptr_array_unref(((struct text *)page)->lines);
	g_free(page);
}

static const struct itp_browser_kind kind = {
	.is_text = true,
	.keys = "\u2191\u2193 scroll  / search  Esc back  q quit",
	.title = title_of_text,
	.lay_out = lay_out_text,
	.count = count_text_rows,
	.append_row = append_text_row,
	.name = text_of_row,
	.free = text_free,
};

static struct itp_browser_page *text_new(const struct itp_browser_subject *subject,
					 const char *title,
					 void (*append)(const struct itp_browser_page *page,
							GString *text))
{
	struct text *it = g_new0(struct text, 1);

	it->page = (struct itp_browser_page){ .kind = &kind, .subject = subject };
	it->title = title;
	it->append = append;
	it->lines = g_ptr_array_new_with_free_func(g_free);
	return &it->page;
}

struct itp_browser_page *itp_browser_help_new(const struct itp_browser_subject *subject)
{
	return text_new(subject, "Keys", append_help);
}

struct itp_browser_page *itp_browser_print_new(const struct itp_browser_subject *subject)
{
	return text_new(subject, "The result as it is printed", append_print);
}
