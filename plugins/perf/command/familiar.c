/* SPDX-License-Identifier: MIT */
/*
 * See familiar.h.
 */
#include "plugins/perf/command/familiar.h"

#include <string.h>

#define REPORT ITP_PERF_COMMAND_REPORT
#define DIFF ITP_PERF_COMMAND_DIFF
#define TOP ITP_PERF_COMMAND_TOP
#define RECORD ITP_PERF_COMMAND_RECORD
#define ANNOTATE ITP_PERF_COMMAND_ANNOTATE
#define READING (REPORT | DIFF)
#define RANKING (REPORT | DIFF | TOP)

#define HEADER "`perf report --header-only -i FILE` prints it; -v says how good the recording is"

enum meaning {
	/* Replaced by another option; `text` names it. */
	MEANING_ELSE,
	/* Always on. */
	MEANING_ANYWAY,
	MEANING_INPUT,
	MEANING_QUIET,
	MEANING_VERBOSE,
	MEANING_COMMS,
	MEANING_PIDS,
	MEANING_TIDS,
	MEANING_GRAPH,
	MEANING_TREE,
	MEANING_SEPARATOR,
	MEANING_MODULES,
	MEANING_SORT,
	MEANING_FIELDS,
	MEANING_THREADS,
	MEANING_TOTALS,
	MEANING_OWN,
};

struct option {
	/* Bits of enum itp_perf_command. */
	unsigned int commands;
	char letter;
	const char *name;
	enum meaning meaning;
	/* NULL for an option without a value. */
	const char *argument;
	const char *text;
};

static const struct option known[] = {
	{ REPORT | ANNOTATE, 'i', "input", MEANING_INPUT, "FILE", "the recording, as in perf" },
	{ DIFF, 'i', "input", MEANING_ELSE, NULL,
	  "files stand behind the options: perf introperf diff GOOD SLOW" },
	{ TOP, 'i', "input", MEANING_ELSE, NULL,
	  "top records by itself, of -p PID, -a or a command; perf introperf report -i FILE reads" },
	{ RECORD, 'i', "no-inherit", MEANING_ELSE, NULL,
	  "processes that the target starts are always recorded; -o FILE names the recording" },
	{ READING, 'q', "quiet", MEANING_QUIET, NULL,
	  "no warnings; of the result the sentence and the rows alone" },
	{ TOP, 'q', "quiet", MEANING_ELSE, NULL, "warnings come when top has ended; leave it out" },
	{ RANKING, 'v', "verbose", MEANING_VERBOSE, NULL,
	  "all there is to say, with names in full" },
	{ READING, 'g', "call-graph", MEANING_GRAPH, "HOW",
	  "as in perf: caller is a tree, none functions; paths are shown anyway" },
	{ RANKING | ANNOTATE, 0, "stdio", MEANING_ANYWAY, NULL, "as in perf; it is so anyway" },
	{ ANNOTATE, 0, "stdio2", MEANING_ANYWAY, NULL, NULL },
	{ ANNOTATE, 'l', "print-line", MEANING_ANYWAY, NULL,
	  "as in perf; lines have their numbers anyway" },
	{ ANNOTATE, 'd', "dsos", MEANING_ELSE, NULL, "did you mean -s, the function?" },
	{ RANKING, 'n', "show-nr-samples", MEANING_ANYWAY, NULL,
	  "as in perf; numbers of calls are shown anyway" },
	{ ANNOTATE, 'n', "show-nr-samples", MEANING_ELSE, NULL,
	  "--format jsonl has the ticks of each line" },
	{ RECORD, 'n', "no-samples", MEANING_ELSE, NULL,
	  "without stacks there is nothing to rank; perf stat counts events" },
	{ REPORT, 'c', "comms", MEANING_COMMS, "NAME[,NAME…]", NULL },
	{ DIFF, 'C', "comms", MEANING_COMMS, "NAME[,NAME…]", NULL },
	{ TOP, 0, "comms", MEANING_COMMS, "NAME[,NAME…]", NULL },
	{ RANKING, 0, "comm", MEANING_COMMS, "NAME[,NAME…]",
	  "only processes of these names, with all their threads" },
	{ RECORD, 0, "comm", MEANING_ELSE, NULL,
	  "record all with -a, and take `report --comm NAME`; or name it with -p PID" },
	{ READING, 0, "pid", MEANING_PIDS, "PID[,PID…]", "only these processes" },
	{ READING, 0, "tid", MEANING_TIDS, "TID[,TID…]", "only these threads" },
	{ READING, 'p', "parent", MEANING_ELSE, NULL, "did you mean --pid?" },
	{ READING, 'd', "dsos", MEANING_MODULES, "NAME[,NAME…]",
	  "only contexts with functions of these modules" },
	{ TOP, 0, "dsos", MEANING_MODULES, "NAME[,NAME…]", NULL },
	{ RECORD, 'd', "data", MEANING_ELSE, NULL,
	  "addresses of data are of no use here; -e EVENT records one event more" },
	{ READING, 't', "field-separator", MEANING_SEPARATOR, "C",
	  "as --format csv --separator C" },
	{ READING, 'e', "event", MEANING_ELSE, NULL,
	  "events are chosen when it is recorded: perf introperf record -e EVENT" },
	{ READING, 'u', "uid", MEANING_ELSE, NULL,
	  "users are chosen when it is recorded; --comm, --pid and --tid choose here" },
	{ REPORT | ANNOTATE, 'C', "cpu", MEANING_ELSE, NULL,
	  "CPUs are chosen when it is recorded; --comm, --pid and --tid choose here" },
	{ DIFF, 0, "cpu", MEANING_ELSE, NULL,
	  "CPUs are chosen when it is recorded; --comm, --pid and --tid choose here" },
	{ REPORT, 'F', "fields", MEANING_FIELDS, "KEY[,KEY…]",
	  "as in perf: --sort and --children; the others are shown" },
	{ TOP, 0, "fields", MEANING_FIELDS, "KEY[,KEY…]", NULL },
	{ DIFF, 'F', "formula", MEANING_ELSE, NULL,
	  "columns are what they are; did you mean --by or --format?" },
	{ READING | TOP, 's', "sort", MEANING_SORT, "KEY[,KEY…]",
	  "as in perf: by sym, else dso, else tid, pid, comm or cgroup" },
	{ RECORD, 's', "stat", MEANING_ELSE, NULL,
	  "threads are told apart by `report --group-by tid`" },
	{ READING, 'S', "symbols", MEANING_ELSE, NULL, "did you mean --focus?" },
	{ TOP, 0, "symbols", MEANING_ELSE, NULL, "did you mean --focus?" },
	{ REPORT, 0, "symbol-filter", MEANING_ELSE, NULL, "did you mean --focus?" },
	{ REPORT | TOP, 0, "ignore-callees", MEANING_ELSE, NULL, "did you mean --hide?" },
	{ REPORT | TOP, 0, "hierarchy", MEANING_ELSE, NULL, "did you mean --format tree?" },
	{ REPORT, 'G', "inverted", MEANING_TREE, NULL, "as in perf: -g caller, a tree" },
	{ RECORD | TOP, 'G', "cgroup", MEANING_ELSE, NULL,
	  "a single group is not recorded; -a records all, and `report --by container` tells them "
	  "apart" },
	{ RECORD, 0, "all-cgroups", MEANING_ANYWAY, NULL,
	  "as in perf; control groups are recorded anyway" },
	{ REPORT, 'T', "threads", MEANING_THREADS, NULL,
	  "as in perf: each thread, as --by thread" },
	{ RECORD, 'T', "timestamp", MEANING_ANYWAY, NULL, "as in perf; times are recorded anyway" },
	{ RECORD, 0, "off-cpu", MEANING_ANYWAY, NULL,
	  "as in perf; time off the CPU is recorded anyway" },
	{ RECORD, 'z', "compression-level", MEANING_ANYWAY, NULL,
	  "as in perf; copies of stacks are compressed anyway" },
	{ TOP, 'z', "zero", MEANING_ANYWAY, NULL,
	  "as in perf; each ranking is of its period anyway" },
	{ RECORD | TOP, 'm', "mmap-pages", MEANING_ELSE, NULL,
	  "buffers are as large as they have to be; --light records less" },
	{ REPORT | ANNOTATE, 'm', "modules", MEANING_ANYWAY, NULL,
	  "as in perf; functions of the kernel's modules have names anyway" },
	{ REPORT, 0, "header", MEANING_ELSE, NULL, HEADER },
	{ REPORT, 0, "header-only", MEANING_ELSE, NULL, HEADER },
	{ REPORT, 'I', "show-info", MEANING_ELSE, NULL, HEADER },
	{ REPORT | TOP, 0, "children", MEANING_TOTALS, NULL,
	  "as in perf: functions, with all that they call" },
	{ REPORT | TOP, 0, "no-children", MEANING_OWN, NULL,
	  "as in perf: functions, without what they call" },
	{ REPORT | TOP, 0, "max-stack", MEANING_ELSE, NULL, "did you mean --max-depth?" },
	{ REPORT, 0, "stdio-color", MEANING_ELSE, NULL, "did you mean --color?" },
	{ REPORT | TOP | ANNOTATE, 'k', "vmlinux", MEANING_ELSE, NULL, "did you mean --kernel?" },
	{ RECORD, 'k', "clockid", MEANING_ELSE, NULL, "the clock is always CLOCK_MONOTONIC" },
	{ DIFF, 'c', "compute", MEANING_ELSE, NULL, "did you mean --metric?" },
	{ RECORD | TOP, 'c', "event-period", MEANING_ELSE, NULL,
	  "did you mean -F, the frequency?" },
	{ TOP, 'E', "entries", MEANING_ELSE, NULL, "did you mean --top?" },
	{ TOP, 'f', "count-filter", MEANING_ELSE, NULL, "did you mean --min-count?" },
	{ READING | ANNOTATE, 'f', "force", MEANING_ANYWAY, NULL,
	  "as in perf; who owns a file does not matter anyway" },
	{ READING, 0, "time", MEANING_ELSE, NULL,
	  "a recording is ranked as a whole; `babeltrace2 --begin … --end …` ranks a part" },
	{ READING, 'D', "dump-raw-trace", MEANING_ELSE, NULL, "`perf script` prints events" },
};

/* "-x" or "--name" */
static bool is_option_called(const struct option *row, const char *option)
{
	return option[1] == '-' ? g_str_equal(&option[2], row->name) :
				  row->letter != 0 && option[1] == row->letter;
}

static const struct option *find_option(enum itp_perf_command command, const char *option)
{
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		if ((known[i].commands & command) && is_option_called(&known[i], option)) {
			return &known[i];
		}
	}
	g_assert_not_reached();
}

static bool refuse_option(const char *option, const char *text, GError **error)
{
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", option, text);
	return false;
}

static void insert(const struct itp_options *options, const char *name, const char *value)
{
	itp_values_set_text(options->values[ITP_STAGE_RANK], name, value);
}

/* Each is a pattern of all functions of a module. */
static void choose_modules(const struct itp_options *options, const char *names)
{
	g_auto(GStrv) modules = g_strsplit(names, ",", -1);

	for (size_t i = 0; modules[i]; i++) {
		g_autofree char *base = g_path_get_basename(modules[i]);
		g_autofree char *quoted = g_regex_escape_string(base, -1);
		g_autofree char *pattern = g_strdup_printf("^%s!", quoted);

		itp_values_append(options->values[ITP_STAGE_RANK], "focus", pattern);
	}
}

/* First word of perf's "graph,0.5,caller,…" with a meaning here. */
static bool choose_graph(const struct itp_options *options, const char *option, const char *text,
			 GError **error)
{
	static const char *const same[] = { "graph", "flat", "fractal", "callee", NULL };
	g_auto(GStrv) words = g_strsplit(text ? text : "graph", ",", 2);

	if (g_str_equal(words[0], "caller")) {
		insert(options, "format", "tree");
	} else if (g_str_equal(words[0], "none")) {
		insert(options, "by", "function");
	} else if (g_str_equal(words[0], "folded")) {
		return refuse_option(
			option, "`perf introperf export --format folded` writes such lines", error);
	} else if (!g_strv_contains(same, words[0])) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "%s: \"%s\" is not one of graph, flat, fractal, caller, callee, none; "
			    "-i names a file",
			    option, text);
		return false;
	}
	return true;
}

/* Keys of rows, the finest first: functions rather than modules rather than processes. */
static const struct {
	const char *key;
	const char *by;
	/* NULL: as usual. */
	const char *group_by;
} keys[] = {
	{ "sym", "function", NULL },
	{ "symbol", "function", NULL },
	{ "dso", "module", NULL },
	{ "tid", "process", "tid" },
	{ "pid", "process", "pid" },
	{ "comm", "process", NULL },
	{ "cgroup", "process", "container" },
};

/* Number of a key; the number of all for none. */
static size_t find_key(const char *word)
{
	size_t k = 0;

	while (k < G_N_ELEMENTS(keys) && !g_str_equal(word, keys[k].key)) {
		k++;
	}
	return k;
}

/* Rows by the finest of keys, words with commas between. Words of `columns`, which may be NULL, are
 * no keys, but allowed. */
static bool choose_sort(const struct itp_options *options, const char *option, const char *text,
			const char *const *columns, GError **error)
{
	g_auto(GStrv) words = g_strsplit(text, ",", -1);
	size_t finest = G_N_ELEMENTS(keys);

	for (size_t i = 0; words[i]; i++) {
		const size_t k = find_key(words[i]);

		if (k == G_N_ELEMENTS(keys) && !(columns && g_strv_contains(columns, words[i]))) {
			g_autofree char *others = columns ? g_strjoinv(", ", (char **)columns) :
							    NULL;

			g_set_error(
				error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				"%s: \"%s\" is not one of sym, dso, comm, pid, tid, cgroup%s%s; see --by",
				option, words[i], others ? ", " : "", others ? others : "");
			return false;
		}
		finest = MIN(finest, k);
	}
	if (finest == G_N_ELEMENTS(keys)) {
		return refuse_option(option, "names no key: sym, dso, comm, pid, tid or cgroup",
				     error);
	}
	insert(options, "by", keys[finest].by);
	if (keys[finest].group_by) {
		itp_values_set_text(options->values[ITP_STAGE_INFER], "group-by",
				    keys[finest].group_by);
	}
	return true;
}

/* Keys, and columns that rows have anyway. */
static bool choose_fields(const struct itp_options *options, const char *option, const char *text,
			  GError **error)
{
	static const char *const columns[] = { "overhead", "overhead_children", "sample", "period",
					       NULL };
	g_auto(GStrv) words = g_strsplit(text, ",", -1);

	if (g_strv_contains((const char *const *)words, "overhead_children")) {
		insert(options, "metric", "total");
	}
	return choose_sort(options, option, text, columns, error);
}

static void choose_functions(const struct itp_options *options, const char *metric)
{
	insert(options, "by", "function");
	insert(options, "metric", metric);
}

static void set_said_text(char **text, const char *value)
{
	g_free(*text);
	*text = g_strdup(value);
}

/* A GOptionArgFunc. */
static gboolean take_option(const char *option, const char *text, gpointer data, GError **error)
{
	struct itp_options *options = data;
	struct itp_familiar *said = &options->familiar;
	const struct option *row = find_option(said->command, option);

	switch (row->meaning) {
	case MEANING_ELSE:
		return refuse_option(option, row->text, error);
	case MEANING_ANYWAY:
		return true;
	case MEANING_INPUT:
		set_said_text(&said->input, text);
		return true;
	case MEANING_QUIET:
		said->is_quiet = true;
		return true;
	case MEANING_VERBOSE:
		said->is_verbose = true;
		return true;
	case MEANING_COMMS:
		set_said_text(&said->comms, text);
		return true;
	case MEANING_PIDS:
		set_said_text(&said->pids, text);
		return true;
	case MEANING_TIDS:
		set_said_text(&said->tids, text);
		return true;
	case MEANING_GRAPH:
		return choose_graph(options, option, text, error);
	case MEANING_TREE:
		insert(options, "format", "tree");
		return true;
	case MEANING_SEPARATOR:
		insert(options, "format", "csv");
		insert(options, "separator", text);
		return true;
	case MEANING_MODULES:
		choose_modules(options, text);
		return true;
	case MEANING_SORT:
		return choose_sort(options, option, text, NULL, error);
	case MEANING_FIELDS:
		return choose_fields(options, option, text, error);
	case MEANING_THREADS:
		return choose_sort(options, option, "tid", NULL, error);
	case MEANING_TOTALS:
		choose_functions(options, "total");
		return true;
	case MEANING_OWN:
		choose_functions(options, "own");
		return true;
	}
	return false;
}

static int flags_of(const struct option *row)
{
	const int hidden = row->meaning == MEANING_ELSE || !row->text ? G_OPTION_FLAG_HIDDEN :
									G_OPTION_FLAG_NONE;

	return hidden | (!row->argument                ? G_OPTION_FLAG_NO_ARG :
			 row->meaning == MEANING_GRAPH ? G_OPTION_FLAG_OPTIONAL_ARG :
							 G_OPTION_FLAG_NONE);
}

void itp_familiar_add_entries(GOptionGroup *group, enum itp_perf_command command)
{
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		const struct option *row = &known[i];
		const GOptionEntry entries[] = {
			{ .long_name = row->name,
			  .short_name = row->letter,
			  .flags = flags_of(row),
			  .arg = G_OPTION_ARG_CALLBACK,
			  .arg_data = (gpointer)take_option,
			  .description = row->text,
			  .arg_description = row->argument },
			{ .long_name = NULL },
		};

		if (row->commands & command) {
			g_option_group_add_entries(group, entries);
		}
	}
}

/* ---- Processes ---- */

/* The values of a list, or any. Free with g_strfreev(). */
static char **list_of(const char *text)
{
	return g_strsplit(text ? text : "*", ",", -1);
}

static bool check_numbers(const char *option, const char *text, GError **error)
{
	g_auto(GStrv) numbers = list_of(text);

	for (size_t i = 0; text && numbers[i]; i++) {
		if (!g_ascii_string_to_unsigned(numbers[i], 10, 0, G_MAXINT32, NULL, NULL)) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				    "%s: \"%s\" is no number of a process or thread; several have "
				    "commas between",
				    option, numbers[i]);
			return false;
		}
	}
	return true;
}

/* Adds a process by the name given to processes told apart by these numbers. */
static void add_process(GHashTable *values, const char *comm, const char *pid, const char *tid,
			const char *group_by)
{
	g_autofree char *pattern =
		g_str_equal(group_by, "tid") ? g_strdup_printf("%s/%s/%s", comm, pid, tid) :
		g_str_equal(group_by, "pid") ? g_strdup_printf("%s/%s", comm, pid) :
					       g_strdup(comm);

	itp_values_append(values, "process", pattern);
}

static void add_processes(const struct itp_options *options, const char *group_by)
{
	g_auto(GStrv) comms = list_of(options->familiar.comms);
	g_auto(GStrv) pids = list_of(options->familiar.pids);
	g_auto(GStrv) tids = list_of(options->familiar.tids);

	for (size_t i = 0; comms[i]; i++) {
		for (size_t k = 0; pids[k]; k++) {
			for (size_t m = 0; tids[m]; m++) {
				add_process(options->values[ITP_STAGE_RANK], comms[i], pids[k],
					    tids[m], group_by);
			}
		}
	}
}

/* How processes are to be told apart: as finely as was asked for, and as is needed. */
static const char *choose_grouping(const struct itp_options *options)
{
	const char *asked = itp_values_text(options->values[ITP_STAGE_INFER], "group-by");
	const char *group_by = options->familiar.tids ? "tid" :
			       options->familiar.pids ? "pid" :
							NULL;

	if (!group_by || g_strcmp0(asked, "tid") == 0) {
		return asked ? asked : "process";
	}
	itp_values_set_text(options->values[ITP_STAGE_INFER], "group-by", group_by);
	return group_by;
}

bool itp_familiar_apply(const struct itp_options *options, GError **error)
{
	const struct itp_familiar *said = &options->familiar;

	if (!check_numbers("--pid", said->pids, error) ||
	    !check_numbers("--tid", said->tids, error)) {
		return false;
	}
	if (said->is_verbose) {
		insert(options, "names", "canonical");
	}
	/* A page says all that there is. */
	if (said->is_verbose && !options->html) {
		itp_values_set_bool(options->values[ITP_STAGE_RANK], "verbose", true);
	}
	if (said->is_quiet && !options->html) {
		itp_values_set_bool(options->values[ITP_STAGE_RANK], "quiet", true);
	}
	if (said->comms || said->pids || said->tids) {
		add_processes(options, choose_grouping(options));
	}
	return true;
}
