/* SPDX-License-Identifier: MIT */
/*
 * See style.h. Yellow and cyan are told apart by those who do not see red or green as well, on a
 * bright and on a dark background; what is large is bold besides, and every sign is in the text.
 */
#include "common/render/style.h"

#include "common/base/labels.h"

#define LARGE_SHARE 0.05
#define NOTABLE_SHARE 0.005

static const struct {
	const char *mark;
	const char *escape;
} styles[] = {
	{ ITP_STYLE_LARGE, "\033[1;33m" }, { ITP_STYLE_NOTABLE, "\033[33m" },
	{ ITP_STYLE_SAVED, "\033[36m" },   { ITP_STYLE_FACE, "\033[1m" },
	{ ITP_STYLE_FAINT, "\033[2m" },    { ITP_STYLE_END, "\033[m" },
};

static const struct {
	const char *character;
	char replacement;
} replacements[] = {
	{ "\u00b5", 'u' }, { "\u00b7", '.' }, { "\u00d7", 'x' }, { "\u0394", 'D' },
	{ "\u03a3", 'S' }, { "\u2013", '-' }, { "\u2026", '*' }, { "\u203a", '>' },
	{ "\u2192", '>' }, { "\u2264", '<' }, { "\u2265", '>' }, { "\u2212", '-' },
	{ "\u2500", '-' }, { "\u2502", '|' }, { "\u2514", '`' }, { "\u251c", '|' },
	{ "\u2581", '_' }, { "\u2582", '.' }, { "\u2583", ':' }, { "\u2584", '-' },
	{ "\u2585", '=' }, { "\u2586", '+' }, { "\u2587", '*' }, { "\u2588", '#' },
	{ "\u25b6", '>' }, { "\u25c0", '<' }, { "\u00b1", '~' },
};

#define UNKNOWN '?'

const char *itp_style_of_share(int64_t part_ns, int64_t whole_ns)
{
	double share = (double)ABS(part_ns) / (double)MAX(ABS(whole_ns), 1);

	if (share < NOTABLE_SHARE) {
		return "";
	}
	if (part_ns < 0) {
		return ITP_STYLE_SAVED;
	}
	return share < LARGE_SHARE ? ITP_STYLE_NOTABLE : ITP_STYLE_LARGE;
}

char *itp_style_take(const char *style, char *text)
{
	char *styled;

	if (style[0] == '\0') {
		return text;
	}
	styled = g_strconcat(style, text, ITP_STYLE_END, NULL);
	g_free(text);
	return styled;
}

/* The escape sequence behind a mark; NULL when `at` is none. */
static const char *find_escape(const char *at)
{
	for (size_t i = 0; i < G_N_ELEMENTS(styles); i++) {
		if (g_str_has_prefix(at, styles[i].mark)) {
			return styles[i].escape;
		}
	}
	return NULL;
}

static char find_replacement(const char *at)
{
	for (size_t i = 0; i < G_N_ELEMENTS(replacements); i++) {
		if (g_str_has_prefix(at, replacements[i].character)) {
			return replacements[i].replacement;
		}
	}
	return UNKNOWN;
}

/* The character at `at` in as many columns as it takes. */
static void append_ascii(GString *output, const char *at)
{
	for (unsigned int i = itp_label_character_columns(g_utf8_get_char(at)); i > 0; i--) {
		g_string_append_c(output, find_replacement(at));
	}
}

void itp_style_append(GString *output, const char *text, bool color, bool ascii)
{
	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
		const char *escape = (guchar)*at < 0x80 ? NULL : find_escape(at);

		if (escape) {
			g_string_append(output, color ? escape : "");
		} else if (ascii && (guchar)*at >= 0x80) {
			append_ascii(output, at);
		} else {
			g_string_append_len(output, at, g_utf8_next_char(at) - at);
		}
	}
}
