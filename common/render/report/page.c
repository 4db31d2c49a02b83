/* SPDX-License-Identifier: MIT */
/*
 * The HTML page: page.html, in which each @NAME@ stands for the file of that name, and @data@ and
 * @title@ for what this run says. The files, D3 among them, were put into the program when it was
 * built; the page needs nothing else and asks nobody.
 */
#include "common/render/report/parts.h"

#include <stdlib.h>
#include <string.h>

#include "common/render/labels.h"
#include "common/render/report/embedded.h"

#define PAGE "page.html"
#define MARK '@'

#define DECLARE_FILE(symbol, name) extern const char itp_page_##symbol[], itp_page_##symbol##_end[];
#define LIST_FILE(symbol, name) { name, itp_page_##symbol, itp_page_##symbol##_end },

ITP_PAGE_FILES(DECLARE_FILE)

static const struct {
	const char *name;
	const char *begin;
	const char *end;
} files[] = { ITP_PAGE_FILES(LIST_FILE) };

/* The first mark in `text`: "@", a name of letters, digits, dots and dashes, "@". NULL without. */
static const char *find_mark(const char *text, size_t *ret_length)
{
	static const char letters[] = G_CSET_a_2_z G_CSET_DIGITS ".-";

	for (const char *at = strchr(text, MARK); at; at = strchr(at + 1, MARK)) {
		size_t length = strspn(at + 1, letters);

		if (length > 0 && at[length + 1] == MARK) {
			*ret_length = length + 2;
			return at;
		}
	}
	return NULL;
}

static void append_title(const struct itp_page *page, GString *output)
{
	itp_report_append_escaped(output, page->labels.suspect);
	if (page->labels.base) {
		g_string_append(output, " against ");
		itp_report_append_escaped(output, page->labels.base);
	}
}

/* HTML ends a script, whatever its type, at the first "</script", and changes its mind about where
 * that is at "<!--". In JSON "<" is only part of strings. */
static void append_data(const struct itp_page *page, bool incomplete, GString *output)
{
	char *data = itp_report_data(page, incomplete);

	for (const char *at = data; *at != '\0';) {
		size_t length = strcspn(at, "<");

		g_string_append_len(output, at, (gssize)length);
		at += length;
		if (*at == '<') {
			g_string_append(output, "\\u003c");
			at++;
		}
	}
	free(data);
}

static void append_file(const char *name, GString *output)
{
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		if (g_str_equal(files[i].name, name)) {
			g_string_append_len(output, files[i].begin, files[i].end - files[i].begin);
		}
	}
}

void itp_report_append_page(const struct itp_page *page, bool incomplete)
{
	g_autoptr(GString) frame = g_string_new(NULL);
	const char *at;
	const char *mark;
	size_t length = 0;

	append_file(PAGE, frame);
	for (at = frame->str; (mark = find_mark(at, &length)); at = mark + length) {
		g_autofree char *name = g_strndup(mark + 1, length - 2);

		g_string_append_len(page->output, at, mark - at);
		if (strcmp(name, "data") == 0) {
			append_data(page, incomplete, page->output);
		} else if (strcmp(name, "title") == 0) {
			append_title(page, page->output);
		} else {
			append_file(name, page->output);
		}
	}
	g_string_append(page->output, at);
}
