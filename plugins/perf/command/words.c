/* SPDX-License-Identifier: MIT */
/*
 * See words.h. GLib does not tell which options a context has, but for its help.
 */
#include "plugins/perf/command/words.h"

#include <string.h>

/* Characters of a word for each mistake, so that it may still be meant. */
#define CHARACTERS_PER_MISTAKE 3

/* ---- Intended words ---- */

/* How many characters have to be put in, taken out, replaced, or exchanged with the next one. */
static size_t count_mistakes(const char *word, const char *meant)
{
	const size_t width = strlen(meant) + 1;
	const size_t height = strlen(word) + 1;
	g_autofree size_t *cells = g_new(size_t, width * height);

	for (size_t i = 0; i < width * height; i++) {
		const size_t row = i / width;
		const size_t column = i % width;
		size_t *cell = &cells[i];

		*cell = row + column;
		if (row == 0 || column == 0) {
			continue;
		}
		*cell = MIN(cell[-1], *(cell - width)) + 1;
		*cell = MIN(*cell, *(cell - width - 1) + (word[row - 1] != meant[column - 1]));
		if (row > 1 && column > 1 && word[row - 1] == meant[column - 2] &&
		    word[row - 2] == meant[column - 1]) {
			*cell = MIN(*cell, *(cell - 2 * width - 2) + 1);
		}
	}
	return cells[width * height - 1];
}

const char *itp_words_nearest(const char *word, char *const *candidates)
{
	size_t least = MAX(1, strlen(word) / CHARACTERS_PER_MISTAKE) + 1;
	const char *nearest = NULL;

	for (; *candidates; candidates++) {
		const bool is_begun = word[0] != '\0' && g_str_has_prefix(*candidates, word);
		const size_t mistakes = is_begun ? 1 : count_mistakes(word, *candidates);

		if (mistakes < least && mistakes < strlen(*candidates)) {
			least = mistakes;
			nearest = *candidates;
		}
	}
	return nearest;
}

/* Long options listed by a help, with their dashes. */
static char **list_options(const char *help)
{
	g_autoptr(GRegex) line = g_regex_new("^  (?:-., )?(--[a-z-]+)", G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	GPtrArray *options = g_ptr_array_new();

	g_regex_match(line, help, 0, &match);
	while (g_match_info_matches(match)) {
		g_ptr_array_add(options, g_match_info_fetch(match, 1));
		g_match_info_next(match, NULL);
	}
	g_ptr_array_add(options, NULL);
	return (char **)g_ptr_array_free(options, FALSE);
}

/* Adds the remedy to an error about an option. */
static void suggest(const char *help, GError *error)
{
	const char *option = strchr(error->message, '-');
	g_auto(GStrv) options = list_options(help);
	g_autofree char *before = error->message;
	g_autofree char *name = option ? g_strndup(option, strcspn(option, "=")) : NULL;
	const char *nearest =
		name && g_str_has_prefix(name, "--") ? itp_words_nearest(name, options) : NULL;

	error->message =
		nearest ? g_strdup_printf("%s: did you mean %s?", before, nearest) :
			  g_strdup_printf("%s: `%s --help` lists all", before, g_get_prgname());
}

/* ---- Values of short options ---- */

static bool takes_value(const char *help, const char *option)
{
	const bool is_long = g_str_has_prefix(option, "--");
	g_autofree char *quoted = g_regex_escape_string(option, -1);
	g_autofree char *line =
		g_strdup_printf(is_long ? "^  (-., )?%s=" : "^  %s, --[a-z-]+=", quoted);

	return g_regex_match_simple(line, help, G_REGEX_MULTILINE | G_REGEX_RAW, 0);
}

/* Adds a word, as two where it is a short option with its value; true when the value is the next
 * word. */
static bool add_word(GPtrArray *words, const char *word, const char *help)
{
	const bool is_short = word[0] == '-' && word[1] != '-' && word[1] != '\0';
	g_autofree char *option = g_strndup(word, is_short ? 2 : strlen(word));

	if (is_short && word[2] != '\0' && takes_value(help, option)) {
		g_ptr_array_add(words, g_steal_pointer(&option));
		g_ptr_array_add(words, g_strdup(word + 2));
		return false;
	}
	g_ptr_array_add(words, g_strdup(word));
	return word[0] == '-' && takes_value(help, word);
}

/* Words in GLib's form. Words behind options are not looked at. */
static char **split(const char *help, bool is_strict, char **arguments)
{
	GPtrArray *words = g_ptr_array_new();
	char **word = arguments;
	bool is_value = true;

	/* The first word is the subcommand. */
	for (; *word && (is_value || !g_str_equal(*word, "--")); word++) {
		if (is_value) {
			g_ptr_array_add(words, g_strdup(*word));
			is_value = false;
		} else if (is_strict && (*word)[0] != '-') {
			break;
		} else {
			is_value = add_word(words, *word, help);
		}
	}
	for (; *word; word++) {
		g_ptr_array_add(words, g_strdup(*word));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

bool itp_words_parse(GOptionContext *context, char **arguments, GError **error)
{
	g_autofree char *help = g_option_context_get_help(context, FALSE, NULL);
	g_auto(GStrv) words = split(help, g_option_context_get_strict_posix(context), arguments);
	GError *reason = NULL;

	if (g_option_context_parse_strv(context, &words, &reason)) {
		return true;
	}
	if (g_error_matches(reason, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)) {
		suggest(help, reason);
	}
	g_propagate_error(error, reason);
	return false;
}
