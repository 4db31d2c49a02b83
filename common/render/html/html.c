/* SPDX-License-Identifier: MIT */
/*
 * See html.h. In a frame, each @NAME@ stands for the file of its name, and @data@, @title@ and the
 * parts for a run's results. The files, D3 among them, were put into the program when it was built.
 * A page's policy names its scripts and styles by hash, in @script-hashes@ and @style-hashes@: had
 * a name of the recording become a script, it would not run.
 */
#include "common/render/html/html.h"

#include <string.h>

#include "common/render/html/embedded.h"

#define MARK '@'
#define SHA256_BYTES 32

#define DECLARE_FILE(symbol, name) extern const char itp_page_##symbol[], itp_page_##symbol##_end[];
#define LIST_FILE(symbol, name) { name, itp_page_##symbol, itp_page_##symbol##_end },

ITP_PAGE_FILES(DECLARE_FILE)

static const struct {
	const char *name;
	const char *begin;
	const char *end;
} files[] = { ITP_PAGE_FILES(LIST_FILE) };

struct filling {
	/* Weak. */
	const struct itp_html *html;
	const char *frame;
};

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

void itp_html_append_escaped(GString *output, const char *text)
{
	g_autofree char *escaped = g_markup_escape_text(text, -1);

	g_string_append(output, escaped);
}

/* HTML ends a script, whatever its type, at the first "</script", and changes its mind about the
 * place at "<!--". In JSON "<" is only part of strings. */
static void append_data(const char *data, GString *output)
{
	for (const char *at = data; *at != '\0';) {
		size_t length = strcspn(at, "<");

		g_string_append_len(output, at, (gssize)length);
		at += length;
		if (*at == '<') {
			g_string_append(output, "\\u003c");
			at++;
		}
	}
}

static void append_file(const char *name, GString *output)
{
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		if (g_str_equal(files[i].name, name)) {
			g_string_append_len(output, files[i].begin, files[i].end - files[i].begin);
		}
	}
}

/* "'sha256-BASE64'", by which a policy allows a script or a style sheet in the page. */
static void append_hash(const GString *text, GString *output)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[SHA256_BYTES];
	gsize digest_bytes = sizeof(digest);
	g_autofree char *base64 = NULL;

	g_checksum_update(checksum, (const guchar *)text->str, (gssize)text->len);
	g_checksum_get_digest(checksum, digest, &digest_bytes);
	base64 = g_base64_encode(digest, digest_bytes);
	g_string_append_printf(output, "'sha256-%s'", base64);
}

static void append_filled(const struct filling *filling, const char *text, GString *output);

/* Hash of each element of the frame between `open` and `close`. An element with attributes holds
 * data, which no browser runs. */
static void append_hashes(const struct filling *filling, const char *open, const char *close,
			  GString *output)
{
	const char *separator = "";
	const char *end;

	for (const char *at = strstr(filling->frame, open); at; at = strstr(end, open)) {
		const char *begin = at + strlen(open);
		g_autoptr(GString) text = g_string_new(NULL);
		g_autofree char *inner = NULL;

		end = strstr(begin, close);
		inner = g_strndup(begin, (gsize)(end - begin));
		append_filled(filling, inner, text);
		g_string_append(output, separator);
		append_hash(text, output);
		separator = " ";
	}
}

static const struct itp_html_part *find_part(const struct itp_html *html, const char *name)
{
	for (const struct itp_html_part *part = html->parts; part && part->name; part++) {
		if (strcmp(part->name, name) == 0) {
			return part;
		}
	}
	return NULL;
}

static void append_named_part(const struct filling *filling, const char *name, GString *output)
{
	const struct itp_html_part *part = find_part(filling->html, name);

	if (strcmp(name, "data") == 0) {
		append_data(filling->html->data, output);
	} else if (strcmp(name, "title") == 0) {
		itp_html_append_escaped(output, filling->html->title);
	} else if (strcmp(name, "script-hashes") == 0) {
		append_hashes(filling, "<script>", "</script>", output);
	} else if (strcmp(name, "style-hashes") == 0) {
		append_hashes(filling, "<style>", "</style>", output);
	} else if (part && part->is_json) {
		append_data(part->text, output);
	} else if (part) {
		g_string_append(output, part->text);
	} else {
		append_file(name, output);
	}
}

/* `text` with its marks filled in. */
static void append_filled(const struct filling *filling, const char *text, GString *output)
{
	const char *mark;
	size_t length = 0;

	for (; (mark = find_mark(text, &length)); text = mark + length) {
		g_autofree char *name = g_strndup(mark + 1, length - 2);

		g_string_append_len(output, text, mark - text);
		append_named_part(filling, name, output);
	}
	g_string_append(output, text);
}

void itp_html_append(const struct itp_html *html, GString *output)
{
	g_autoptr(GString) frame = g_string_new(NULL);
	struct filling filling = { .html = html };

	append_file(html->frame, frame);
	filling.frame = frame->str;
	append_filled(&filling, frame->str, output);
}
