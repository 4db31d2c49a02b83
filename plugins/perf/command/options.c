/* SPDX-License-Identifier: MIT */
/*
 * See options.h.
 */
#include "plugins/perf/command/options.h"

#include <string.h>

#include "common/export-job/export-job.h"
#include "common/mining-job/mining-job.h"

#define NEGATION "no-"

/* An option with the name of a parameter, behind NEGATION to turn that off. */
struct row {
	const char *name;
	/* NULL for a switch. */
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
	{ "base", "FILE", "a good run; all others are slow ones (several)" },
	{ "fail-above", "LIMIT", "exit with 3 when slower by more than 5%, 20ms, … (several)" },
	{ "format", "FORMAT", "text, tree, csv, jsonl, json or markdown" },
	{ "separator", "C", "between columns of csv; \\t is a tab" },
	{ "output", "FILE", "write to FILE" },
	{ "color", "WHEN", "auto, never or always" },
	{ "top", "N", "print N entries; 0 prints all" },
	{ "percent-limit", "N", "print entries from N % of the time on" },
	{ "process", "NAME", "only processes of this name, as 'worker*' (several)" },
	{ "path", "N", "show the calls of path N from nearby" },
	{ "explain", NULL, "and what the words of the text mean" },
	{ "by", "WHAT", "path, function, module, process, thread, container or wait" },
	{ "per", "UNIT", "work: run, second or unit, event:NAME, call:FUNCTION, unit:TYPE" },
	{ "in", "UNITS", "only calls in unit or unit:TYPE" },
	{ "metric", "METRIC", "own, total, count or each" },
	{ "method", "METHOD", "totals or paper" },
	{ "no-fold", NULL, "each path stands for itself" },
	{ "fold", NULL, "paths with one culprit are one entry" },
	{ "idle", "HOW", "waiting for work: apart or ranked" },
	{ "min-count", "N", "culprits with fewer calls go last" },
	{ "spread", "N%", "how much runs are assumed to differ" },
	{ "own-modules", "PATTERN", "the program's own code, as 'libshop*' (several)" },
	{ "runtime-modules", "PATTERN", "code that is never the culprit (several)" },
	{ "pair", "BASE=SUSPECT", "two programs or modules are one; none: no others (several)" },
	{ "focus", "RE", "only contexts with such a function" },
	{ "ignore", "RE", "only contexts without one" },
	{ "root", "RE", "contexts begin at such a function" },
	{ "hide", "RE", "leave such functions out of contexts" },
	{ "fold-recursion", NULL, "direct recursion is one call" },
	{ "no-fold-recursion", NULL, "it is as many as were made" },
	{ "max-depth", "N", "contexts have at most N functions" },
	{ "names", "HOW", "short, canonical or raw" },
	{ "names-file", "FILE", "more rules for names" },
	{ "continuity", "RULE", "function, call-site or control-flow" },
	{ "group-by", "WHAT", "process, pid, tid, container or all" },
	{ "estimate", "WHICH", "conservative, aggressive or best" },
	{ "latencies", NULL, "a profile that is saved has the latency of each call" },
	{ "symfs", "DIR", "files of the recorded machine" },
	{ "kallsyms", "FILE", "symbols of the recorded kernel" },
	{ "kernel", "FILE", "code of the recorded kernel" },
	{ "debuginfod", NULL, "ask $DEBUGINFOD_URLS for files" },
	{ "no-debuginfod", NULL, "ask nobody" },
	{ "demangle", "HOW", "full or none" },
	{ "fill", "FROM", "functions that stacks lack: code or none" },
	{ "inline", NULL, "functions compiled into others are shown, by debug data" },
	{ "no-inline", NULL, "they count as these others" },
	{ "clock", "WHICH", "auto, recording or wall" },
};

/* Options of an export alone, or with another text there. */
static const struct row export_rows[] = {
	{ "format", "FORMAT",
	  "folded, folded2, svg, speedscope, pprof, firefox, chrome or callgrind" },
	{ "begin", "SECONDS", "single calls from then on" },
	{ "end", "SECONDS", "and until then" },
};

/* Options of mining alone. */
static const struct row mine_rows[] = {
	{ "min-cost", "COST", "leave out patterns below so much: 30s, 1%" },
	{ "patterns", "WHICH", "own or maximal" },
	{ "focus", "RE", "only stacks with such a function (several)" },
	{ "ignore", "RE", "only stacks without one (several)" },
	{ "order", "WHAT", "by total, traces, events or average" },
	{ "similarity", "HOW", "innermost or paper" },
	{ "stacks", "FILE",
	  "count stacks in this database as well, which grows; further ones are only read" },
	{ "linkage", "HOW", "average, single or complete" },
	{ "cut", "PART", "how alike clusters are that become one, 0 to 1" },
	{ "top", "N", "print N clusters of each kind; 0 prints all" },
	{ "format", "FORMAT", "text, jsonl or html" },
	{ "output", "FILE", "write to FILE" },
	{ "signatures", "FILE",
	  "causes that are known; what they explain is told, and the rest mined" },
	{ "save-signatures", "FILE", "keep those that are shown, behind the ones that are known" },
};

/* Appends a word as one types it. */
static void append_word(GString *command, const char *word)
{
	bool is_plain = g_regex_match_simple("^[\\w@%+=:,./-]+$", word, G_REGEX_RAW, 0);
	g_autofree char *quoted = is_plain ? g_strdup(word) : g_shell_quote(word);

	g_string_append_printf(command, " %s", quoted);
}

/* Only a switch has a negation. */
static bool is_option_of(const char *option, const struct itp_param *param)
{
	return g_str_equal(option, param->name) ||
	       (param->type == ITP_PARAM_BOOL && g_str_has_prefix(option, NEGATION) &&
		g_str_equal(option + strlen(NEGATION), param->name));
}

static const struct itp_param *find_among(const struct itp_param_table *table, const char *option)
{
	for (size_t i = 0; i < table->count; i++) {
		if (is_option_of(option, &table->params[i])) {
			return &table->params[i];
		}
	}
	return NULL;
}

/* Parameter of an option, with its stage; NULL for none. Those of equal names have equal types. */
static const struct itp_param *find_param(const char *option, enum itp_stage *ret_stage)
{
	const struct itp_param *param = NULL;

	for (int stage = 0; !param && stage < ITP_STAGE_COUNT; stage++) {
		*ret_stage = (enum itp_stage)stage;
		param = find_among(itp_stage_param_table(*ret_stage), option);
	}
	/* Jobs instead of a ranking, which is the last stage. */
	param = param ? param : find_among(&itp_export_param_table, option);
	return param ? param : find_among(&itp_mining_param_table, option);
}

static enum itp_stage stage_of(const struct row *row)
{
	enum itp_stage stage;

	(void)find_param(row->name, &stage);
	return stage;
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
	enum itp_stage stage;
	const struct itp_param *param = find_param(name, &stage);

	return !is_joined && argument[1] &&
	       (param ? param->type != ITP_PARAM_BOOL : argument[1][0] != '-');
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

static bool set_value(GHashTable *values, const struct itp_param *param, const char *option,
		      const char *text, GError **error)
{
	switch (param->type) {
	case ITP_PARAM_STRING:
	case ITP_PARAM_CHOICE:
		itp_values_set_text(values, param->name, text);
		return true;
	case ITP_PARAM_STRINGS:
		itp_values_append(values, param->name, text);
		return true;
	case ITP_PARAM_COUNT:
		return set_count(values, param->name, text, error);
	case ITP_PARAM_REAL:
		return set_real(values, param->name, text, error);
	case ITP_PARAM_BOOL:
		itp_values_set_bool(values, param->name, !g_str_has_prefix(option, NEGATION));
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
	const char *name = g_str_equal(option, "-o") ? "output" : option + strlen("--");
	const struct itp_options *options = data;
	enum itp_stage stage;
	const struct itp_param *param = find_param(name, &stage);

	if (g_str_equal(name, "by") && set_by_group(options, text)) {
		return true;
	}
	return param && set_value(options->values[stage], param, name, text, error);
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
		  .flags = row->argument ? G_OPTION_FLAG_NONE : G_OPTION_FLAG_NO_ARG,
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
		if (stage_of(&rows[i]) != ITP_STAGE_RANK) {
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
	return stage_of(row) != ITP_STAGE_RANK || find_among(&itp_export_param_table, row->name);
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
