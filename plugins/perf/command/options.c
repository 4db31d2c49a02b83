/* SPDX-License-Identifier: MIT */
/*
 * See options.h.
 */
#include "plugins/perf/command/options.h"

#include <string.h>

#include "common/export-job/export-job.h"

#define NEGATION "no-"

enum kind {
	KIND_STRING,
	/* May be given several times. */
	KIND_STRINGS,
	KIND_COUNT,
	KIND_REAL,
	/* Without a value; its name may begin with NEGATION. */
	KIND_SWITCH,
};

struct row {
	const char *name;
	enum itp_stage stage;
	enum kind kind;
	const char *argument;
	const char *help;
};

/* How many of the first rows not everybody has. */
static const size_t special_rows[] = {
	[ITP_OPTIONS_RECORDING] = 0,
	[ITP_OPTIONS_LIVE] = 1,
	[ITP_OPTIONS_COMPARISON] = 2,
};
#define SPECIAL_ROWS 2

static const struct row rows[] = {
	{ "base", ITP_STAGE_RANK, KIND_STRINGS, "FILE",
	  "a good run; all others are slow ones (several)" },
	{ "fail-above", ITP_STAGE_RANK, KIND_STRINGS, "LIMIT",
	  "exit with 3 when slower by more than 5%, 20ms, … (several)" },
	{ "format", ITP_STAGE_RANK, KIND_STRING, "FORMAT",
	  "text, tree, csv, jsonl, json or markdown" },
	{ "separator", ITP_STAGE_RANK, KIND_STRING, "C", "between columns of csv; \\t is a tab" },
	{ "output", ITP_STAGE_RANK, KIND_STRING, "FILE", "write to FILE" },
	{ "color", ITP_STAGE_RANK, KIND_STRING, "WHEN", "auto, never or always" },
	{ "top", ITP_STAGE_RANK, KIND_COUNT, "N", "print N entries; 0 prints all" },
	{ "percent-limit", ITP_STAGE_RANK, KIND_REAL, "N",
	  "print entries from N % of the time on" },
	{ "process", ITP_STAGE_RANK, KIND_STRINGS, "NAME",
	  "only processes of this name, as 'worker*' (several)" },
	{ "path", ITP_STAGE_RANK, KIND_COUNT, "N", "show the calls of path N from nearby" },
	{ "explain", ITP_STAGE_RANK, KIND_SWITCH, NULL, "and what the words of the text mean" },
	{ "by", ITP_STAGE_RANK, KIND_STRING, "WHAT",
	  "path, function, module, process, thread, container or wait" },
	{ "per", ITP_STAGE_RANK, KIND_STRING, "UNIT",
	  "work: run, second or unit, event:NAME, call:FUNCTION, unit:TYPE" },
	{ "in", ITP_STAGE_RANK, KIND_STRING, "UNITS", "only calls in unit or unit:TYPE" },
	{ "metric", ITP_STAGE_RANK, KIND_STRING, "METRIC", "own, total, count or each" },
	{ "method", ITP_STAGE_RANK, KIND_STRING, "METHOD", "totals or paper" },
	{ "no-fold", ITP_STAGE_RANK, KIND_SWITCH, NULL, "each path stands for itself" },
	{ "fold", ITP_STAGE_RANK, KIND_SWITCH, NULL, "paths with one culprit are one entry" },
	{ "idle", ITP_STAGE_RANK, KIND_STRING, "HOW", "waiting for work: apart or ranked" },
	{ "min-count", ITP_STAGE_RANK, KIND_COUNT, "N", "culprits with fewer calls go last" },
	{ "spread", ITP_STAGE_RANK, KIND_STRING, "N%", "how much runs are assumed to differ" },
	{ "own-modules", ITP_STAGE_RANK, KIND_STRINGS, "PATTERN",
	  "the program's own code, as 'libshop*' (several)" },
	{ "runtime-modules", ITP_STAGE_RANK, KIND_STRINGS, "PATTERN",
	  "code that is never the culprit (several)" },
	{ "pair", ITP_STAGE_RANK, KIND_STRINGS, "BASE=SUSPECT",
	  "two programs or modules are one; none: no others (several)" },
	{ "focus", ITP_STAGE_RANK, KIND_STRINGS, "RE", "only contexts with such a function" },
	{ "ignore", ITP_STAGE_RANK, KIND_STRINGS, "RE", "only contexts without one" },
	{ "root", ITP_STAGE_RANK, KIND_STRINGS, "RE", "contexts begin at such a function" },
	{ "hide", ITP_STAGE_RANK, KIND_STRINGS, "RE", "leave such functions out of contexts" },
	{ "fold-recursion", ITP_STAGE_RANK, KIND_SWITCH, NULL, "direct recursion is one call" },
	{ "no-fold-recursion", ITP_STAGE_RANK, KIND_SWITCH, NULL, "it is as many as were made" },
	{ "max-depth", ITP_STAGE_RANK, KIND_COUNT, "N", "contexts have at most N functions" },
	{ "names", ITP_STAGE_RANK, KIND_STRING, "HOW", "short, canonical or raw" },
	{ "names-file", ITP_STAGE_RANK, KIND_STRING, "FILE", "more rules for names" },
	{ "continuity", ITP_STAGE_INFER, KIND_STRING, "RULE",
	  "function, call-site or control-flow" },
	{ "group-by", ITP_STAGE_INFER, KIND_STRING, "WHAT", "process, pid, tid, container or all" },
	{ "estimate", ITP_STAGE_NORMALIZE, KIND_STRING, "WHICH",
	  "conservative, aggressive or best" },
	{ "latencies", ITP_STAGE_NORMALIZE, KIND_SWITCH, NULL,
	  "a profile that is saved has the latency of each call" },
	{ "symfs", ITP_STAGE_SOURCE, KIND_STRING, "DIR", "files of the recorded machine" },
	{ "kallsyms", ITP_STAGE_SOURCE, KIND_STRING, "FILE", "symbols of the recorded kernel" },
	{ "kernel", ITP_STAGE_SOURCE, KIND_STRING, "FILE", "code of the recorded kernel" },
	{ "debuginfod", ITP_STAGE_SOURCE, KIND_SWITCH, NULL, "ask $DEBUGINFOD_URLS for files" },
	{ "no-debuginfod", ITP_STAGE_SOURCE, KIND_SWITCH, NULL, "ask nobody" },
	{ "demangle", ITP_STAGE_SOURCE, KIND_STRING, "HOW", "full or none" },
	{ "fill", ITP_STAGE_SOURCE, KIND_STRING, "FROM",
	  "functions that stacks lack: code or none" },
	{ "inline", ITP_STAGE_SOURCE, KIND_SWITCH, NULL,
	  "functions compiled into others are shown, by debug data" },
	{ "no-inline", ITP_STAGE_SOURCE, KIND_SWITCH, NULL, "they count as these others" },
	{ "clock", ITP_STAGE_SOURCE, KIND_STRING, "WHICH", "auto, recording or wall" },
};

/* Options of an export alone, or with another text there. */
static const struct row export_rows[] = {
	{ "format", ITP_STAGE_RANK, KIND_STRING, "FORMAT",
	  "folded, folded2, svg, speedscope, pprof, firefox, chrome or callgrind" },
	{ "begin", ITP_STAGE_RANK, KIND_STRING, "SECONDS", "single calls from then on" },
	{ "end", ITP_STAGE_RANK, KIND_STRING, "SECONDS", "and until then" },
};

/* Options of mining alone. */
static const struct row mine_rows[] = {
	{ "min-cost", ITP_STAGE_RANK, KIND_STRING, "COST",
	  "leave out patterns below so much: 30s, 1%" },
	{ "patterns", ITP_STAGE_RANK, KIND_STRING, "WHICH", "own or maximal" },
	{ "focus", ITP_STAGE_RANK, KIND_STRINGS, "RE",
	  "only stacks with such a function (several)" },
	{ "ignore", ITP_STAGE_RANK, KIND_STRINGS, "RE", "only stacks without one (several)" },
	{ "order", ITP_STAGE_RANK, KIND_STRING, "WHAT", "by total, traces, events or average" },
	{ "similarity", ITP_STAGE_RANK, KIND_STRING, "HOW", "innermost or paper" },
	{ "stacks", ITP_STAGE_RANK, KIND_STRINGS, "FILE",
	  "count stacks in this database as well, which grows; further ones are only read" },
	{ "linkage", ITP_STAGE_RANK, KIND_STRING, "HOW", "average, single or complete" },
	{ "cut", ITP_STAGE_RANK, KIND_REAL, "PART",
	  "how alike clusters are that become one, 0 to 1" },
	{ "top", ITP_STAGE_RANK, KIND_COUNT, "N", "print N clusters of each kind; 0 prints all" },
	{ "format", ITP_STAGE_RANK, KIND_STRING, "FORMAT", "text, jsonl or html" },
	{ "output", ITP_STAGE_RANK, KIND_STRING, "FILE", "write to FILE" },
	{ "signatures", ITP_STAGE_RANK, KIND_STRING, "FILE",
	  "causes that are known; what they explain is told, and the rest mined" },
	{ "save-signatures", ITP_STAGE_RANK, KIND_STRING, "FILE",
	  "keep those that are shown, behind the ones that are known" },
};

/* Appends a word as one types it. */
static void append_word(GString *command, const char *word)
{
	bool is_plain = g_regex_match_simple("^[\\w@%+=:,./-]+$", word, G_REGEX_RAW, 0);
	g_autofree char *quoted = is_plain ? g_strdup(word) : g_shell_quote(word);

	g_string_append_printf(command, " %s", quoted);
}

static const struct row *find_among(const struct row *among, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(among[i].name, name) == 0) {
			return &among[i];
		}
	}
	return NULL;
}

/* NULL for none. Rows of equal names differ in their help alone. */
static const struct row *find_row(const char *name)
{
	const struct row *row = find_among(rows, G_N_ELEMENTS(rows), name);

	row = row ? row : find_among(export_rows, G_N_ELEMENTS(export_rows), name);
	return row ? row : find_among(mine_rows, G_N_ELEMENTS(mine_rows), name);
}

/* Place and length of the ranking do not apply to a path from nearby. */
static bool is_of_the_ranking(const char *option)
{
	static const char *const names[] = {
		"output", "color", "format", "top", "percent-limit", "save", "tui", NULL,
	};

	return g_strv_contains(names, option);
}

/* Of an option, without its value; NULL for a file and for short options that need no care. Owned
 * by the caller. */
static char *long_name_of(const char *argument)
{
	if (g_str_has_prefix(argument, "-o")) {
		return g_strdup("output");
	}
	return g_str_has_prefix(argument, "--") ?
		       g_strndup(argument + strlen("--"), strcspn(argument + strlen("--"), "=")) :
		       NULL;
}

/* True when an option's value is the next word. */
static bool has_next(const char *name, char *const *argument)
{
	const bool is_short = (*argument)[1] != '-';
	const bool is_joined = is_short ? (*argument)[2] != '\0' : strchr(*argument, '=') != NULL;
	const struct row *row = find_row(name);

	return !is_joined && argument[1] &&
	       (row ? row->kind != KIND_SWITCH : argument[1][0] != '-');
}

/* Appends an argument of one or two words: an option with its value, or a file. */
static char **append_argument(GString *command, char **argument)
{
	g_autofree char *name = long_name_of(*argument);
	const bool has_value = name && has_next(name, argument);

	if (!name || !is_of_the_ranking(name)) {
		append_word(command, *argument);
		if (has_value) {
			append_word(command, argument[1]);
		}
	}
	return argument + 1 + has_value;
}

static char *next_command(char **arguments)
{
	GString *command = g_string_new("perf introperf");
	char **argument = arguments;

	while (*argument && !g_str_equal(*argument, "--")) {
		argument = append_argument(command, argument);
	}
	g_string_append(command, " --path 1");
	/* Words behind "--" are files. */
	for (; *argument; argument++) {
		append_word(command, *argument);
	}
	return g_string_free(command, FALSE);
}

void itp_options_init(struct itp_options *options, char **arguments)
{
	options->next = next_command(arguments);
	options->html = NULL;
	options->no_source = FALSE;
	options->save = NULL;
	options->familiar = (struct itp_familiar){ 0 };
	options->tui = FALSE;
	for (size_t i = 0; i < ITP_STAGE_COUNT; i++) {
		options->values[i] = itp_values_new();
	}
}

static void release_familiar(struct itp_familiar *familiar)
{
	g_free(familiar->input);
	g_free(familiar->comms);
	g_free(familiar->pids);
	g_free(familiar->tids);
}

void itp_options_release(struct itp_options *options)
{
	for (size_t i = 0; i < ITP_STAGE_COUNT; i++) {
		g_clear_pointer(&options->values[i], g_hash_table_unref);
	}
	g_free(options->next);
	g_clear_pointer(&options->html, g_free);
	g_clear_pointer(&options->save, g_free);
	release_familiar(&options->familiar);
}

bool itp_options_has_text(const struct itp_options *options)
{
	const char *format = itp_values_text(options->values[ITP_STAGE_RANK], "format");

	return !format || g_str_equal(format, "text") || g_str_equal(format, "tree");
}

static bool set_count(GHashTable *values, const char *name, const char *text, GError **error)
{
	guint64 number;

	if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--%s: \"%s\" is not a whole number from 0 on", name, text);
		return false;
	}
	itp_values_set(values, name, g_variant_new_uint64(number));
	return true;
}

static bool set_real(GHashTable *values, const char *name, const char *text, GError **error)
{
	char *end;
	double number = g_ascii_strtod(text, &end);

	if (end == text || *end != '\0') {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--%s: \"%s\" is not a number", name, text);
		return false;
	}
	itp_values_set(values, name, g_variant_new_double(number));
	return true;
}

static void set_switch(GHashTable *values, const char *name)
{
	bool is_off = g_str_has_prefix(name, NEGATION);

	itp_values_set_bool(values, is_off ? name + strlen(NEGATION) : name, !is_off);
}

static bool set_value(GHashTable *values, const struct row *row, const char *text, GError **error)
{
	switch (row->kind) {
	case KIND_STRING:
		itp_values_set_text(values, row->name, text);
		return true;
	case KIND_STRINGS:
		itp_values_append(values, row->name, text);
		return true;
	case KIND_COUNT:
		return set_count(values, row->name, text, error);
	case KIND_REAL:
		return set_real(values, row->name, text, error);
	case KIND_SWITCH:
		set_switch(values, row->name);
		return true;
	}
	return false;
}

/* Kinds of rows that are processes grouped in a certain way: each thread by itself, or all of a
 * container. */
static const struct {
	const char *by;
	const char *group_by;
} groups[] = { { "thread", "tid" }, { "container", "container" } };

/* False for all other kinds. */
static bool set_by_group(const struct itp_options *options, const char *by)
{
	for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
		if (g_str_equal(by, groups[i].by)) {
			itp_values_set_text(options->values[ITP_STAGE_RANK], "by", "process");
			itp_values_set_text(options->values[ITP_STAGE_INFER], "group-by",
					    groups[i].group_by);
			return true;
		}
	}
	return false;
}

/* A GOptionArgFunc. */
static gboolean take_option(const char *option, const char *text, gpointer data, GError **error)
{
	bool is_short = g_str_equal(option, "-o");
	const struct row *row = find_row(is_short ? "output" : option + strlen("--"));
	const struct itp_options *options = data;

	if (row && g_str_equal(row->name, "by") && set_by_group(options, text)) {
		return true;
	}
	return row && set_value(options->values[row->stage], row, text, error);
}

static char short_name_of(const struct row *row)
{
	return g_str_equal(row->name, "output") ? 'o' : 0;
}

static void add_row_entry(GOptionGroup *group, const struct row *row, char short_name)
{
	const GOptionEntry entries[] = {
		{ .long_name = row->name,
		  .short_name = short_name,
		  .flags = row->kind == KIND_SWITCH ? G_OPTION_FLAG_NO_ARG : G_OPTION_FLAG_NONE,
		  .arg = G_OPTION_ARG_CALLBACK,
		  .arg_data = (gpointer)take_option,
		  .description = row->help,
		  .arg_description = row->argument },
		{ .long_name = NULL },
	};

	g_option_group_add_entries(group, entries);
}

/* Options that are no parameters of a component: other output than the ranking. */
static void add_own_entries(GOptionGroup *group, struct itp_options *options, bool compares)
{
	const GOptionEntry entries[] = {
		{ .long_name = "html",
		  .arg = G_OPTION_ARG_FILENAME,
		  .arg_data = &options->html,
		  .description = "write a page to look at to FILE, instead of the ranking",
		  .arg_description = "FILE" },
		{ .long_name = "no-source",
		  .arg = G_OPTION_ARG_NONE,
		  .arg_data = &options->no_source,
		  .description = "leave the source lines of culprits out of the page" },
		{ .long_name = "tui",
		  .arg_data = &options->tui,
		  .description = "walk through the ranking in the terminal",
		  .arg = G_OPTION_ARG_NONE },
		{ .long_name = NULL },
	};
	const GOptionEntry alone[] = {
		{ .long_name = "save",
		  .arg = G_OPTION_ARG_FILENAME,
		  .arg_data = &options->save,
		  .description = "save the profile to FILE, instead of ranking it",
		  .arg_description = "FILE" },
		{ .long_name = NULL },
	};

	g_option_group_add_entries(group, entries);
	if (!compares) {
		g_option_group_add_entries(group, alone);
	}
}

void itp_options_add_entries(GOptionGroup *group, struct itp_options *options,
			     enum itp_options_of of)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (i < special_rows[of] || i >= SPECIAL_ROWS) {
			add_row_entry(group, &rows[i], short_name_of(&rows[i]));
		}
	}
	if (of != ITP_OPTIONS_LIVE) {
		add_own_entries(group, options, of == ITP_OPTIONS_COMPARISON);
	}
}

/* Options for reading recordings, and for inference. */
void itp_options_add_reading_entries(GOptionGroup *group)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (rows[i].stage != ITP_STAGE_RANK) {
			add_row_entry(group, &rows[i], 0);
		}
	}
}

void itp_options_add_mine_entries(GOptionGroup *group)
{
	for (size_t i = 0; i < G_N_ELEMENTS(mine_rows); i++) {
		add_row_entry(group, &mine_rows[i], short_name_of(&mine_rows[i]));
	}
	itp_options_add_reading_entries(group);
}

/* True when the row is a parameter of another component, or of the export. */
static bool is_of_export(const struct row *row)
{
	for (size_t i = 0; i < itp_export_param_table.count; i++) {
		const char *name =
			row->name + (g_str_has_prefix(row->name, NEGATION) ? strlen(NEGATION) : 0);

		if (g_str_equal(itp_export_param_table.params[i].name, name)) {
			return true;
		}
	}
	return row->stage != ITP_STAGE_RANK;
}

void itp_options_add_export_entries(GOptionGroup *group)
{
	for (size_t i = 0; i < G_N_ELEMENTS(export_rows); i++) {
		add_row_entry(group, &export_rows[i], 0);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (is_of_export(&rows[i]) && !g_str_equal(rows[i].name, export_rows[0].name)) {
			add_row_entry(group, &rows[i], short_name_of(&rows[i]));
		}
	}
}
