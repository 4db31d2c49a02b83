/* SPDX-License-Identifier: MIT */
/*
 * See terminal.h.
 */
#include "terminal/terminal.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <glib.h>

#include "common/base/labels.h"

#define FILE_COLUMNS 80

const char *const itp_color_names[] = {
	[ITP_COLOR_AUTO] = "auto",
	[ITP_COLOR_NEVER] = "never",
	[ITP_COLOR_ALWAYS] = "always",
	NULL,
};

/* True when a pager is in front of the terminal. */
static bool has_pager(void)
{
	return g_strcmp0(getenv(ITP_PAGER_IN_USE), "true") == 0;
}

/* Former standard error; -1 while no pager has taken it. */
static int kept_errors = -1;

static int duplicate(int descriptor)
{
	return fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

void itp_terminal_keep_errors(void)
{
	kept_errors = duplicate(STDERR_FILENO);
}

int itp_terminal_open_errors(void)
{
	if (isatty(STDERR_FILENO)) {
		return duplicate(STDERR_FILENO);
	}
	return kept_errors >= 0 ? duplicate(kept_errors) : -1;
}

static unsigned int count_columns(void)
{
	const char *text = getenv(ITP_PAGER_COLUMNS);
	struct winsize size;
	guint64 columns;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		return size.ws_col;
	}
	return has_pager() && text &&
			       g_ascii_string_to_unsigned(text, 10, 1, G_MAXUSHORT, &columns,
							  NULL) ?
		       (unsigned int)columns :
		       FILE_COLUMNS;
}

bool itp_terminal_has_sequences(void)
{
	const char *kind = getenv("TERM");

	return kind && !g_str_equal(kind, "dumb");
}

/* https://no-color.org: any value but the empty one. */
static bool wants_color(void)
{
	const char *refusal = getenv("NO_COLOR");

	return (!refusal || refusal[0] == '\0') && itp_terminal_has_sequences();
}

/* Name of the locale, found as by setlocale(). */
static const char *locale_name(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		const char *name = getenv(variables[i]);

		if (name && name[0] != '\0') {
			return name;
		}
	}
	return "C";
}

bool itp_terminal_has_unicode(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", NULL);
	const char *name = locale_name();
	bool has_unicode;

	if (!locale) {
		/* A locale not installed here still tells its user's wish. */
		return g_regex_match_simple("utf-?8", name, G_REGEX_CASELESS, 0);
	}
	has_unicode = g_str_equal(nl_langinfo_l(CODESET, locale), "UTF-8");
	freelocale(locale);
	return has_unicode;
}

struct itp_terminal itp_terminal_of_output(bool is_terminal, enum itp_color color)
{
	bool is_shown = is_terminal && (isatty(STDOUT_FILENO) || has_pager());

	return (struct itp_terminal){
		.columns = is_terminal ? count_columns() : FILE_COLUMNS,
		.color = color == ITP_COLOR_ALWAYS ||
			 (color == ITP_COLOR_AUTO && is_shown && wants_color()),
		.ascii = is_shown && !itp_terminal_has_unicode(),
	};
}

void itp_terminal_say(const char *format, ...)
{
	g_autofree char *text = NULL;
	g_autofree char *clean = NULL;
	g_autofree char *ascii = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	clean = itp_label_clean_text(text);
	if ((isatty(STDERR_FILENO) || kept_errors >= 0) && !itp_terminal_has_unicode()) {
		ascii = g_str_to_ascii(clean, NULL);
	}
	fprintf(stderr, "%s\n", ascii ? ascii : clean);
}
