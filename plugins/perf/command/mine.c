/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: mine. Recordings are read one after the other; what is found in them together is
 * made at the end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/duration.h"
#include "common/rank/patterns.h"
#include "common/render/mining/mining.h"
#include "messages/failure.h"
#include "plugins/perf/command/interests.h"
#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/host/interrupt.h"
#include "plugins/perf/host/words.h"
#include "sinks/profiles/write.h"
#include "terminal/terminal.h"

#define EXAMPLES                                                               \
	"Examples:\n"                                                          \
	"  perf introperf mine --symptom 'call:handle_request>100ms' *.data\n" \
	"  perf introperf mine --symptom process:main_loop *.data\n"           \
	"  perf introperf mine --base good-1.data --base good-2.data slow-*.data\n"

#define DEFAULT_PART 0.01
#define DEFAULT_TOP 10
#define DEFAULT_CUT 0.5
/* What the search may take: some minutes, and some gigabytes. */
#define MAX_STEPS UINT64_C(60000000000)
#define MAX_CANDIDATES 100000

static const char *const scope_names[] = {
	[ITP_INTEREST_PATH] = "path",
	[ITP_INTEREST_GRAPH] = "graph",
	NULL,
};

static const char *const linkage_names[] = {
	[ITP_LINKAGE_AVERAGE] = "average",
	[ITP_LINKAGE_SINGLE] = "single",
	[ITP_LINKAGE_COMPLETE] = "complete",
	NULL,
};

static const char *const order_names[] = {
	[ITP_CLUSTERS_BY_TOTAL] = "total",
	[ITP_CLUSTERS_BY_TRACES] = "traces",
	[ITP_CLUSTERS_BY_EVENTS] = "events",
	[ITP_CLUSTERS_BY_AVERAGE] = "average",
	NULL,
};

static const char *const format_names[] = { "text", "jsonl", NULL };

/* What the arguments say. */
struct request {
	struct itp_options options;
	/* As given. Owned by this. */
	char *symptom;
	char *min_cost;
	char *scope;
	char *linkage;
	char *order;
	char *format;
	char *output;
	char *signatures;
	char *save_signatures;
	char **focus;
	char **ignore;
	char **base;
	char **files;
	gboolean each;
	double cut;
	int top;
	/* What they mean. Owned by this. */
	struct itp_symptom_wish wish;
	struct itp_interest_options interest;
	struct itp_mining_options mining;
	/* struct itp_signature, or NULL. */
	GArray *known;
	/* What is told of each symptom, or NULL. */
	GString *symptoms;
	bool is_jsonl;
};

static bool refuse(GError **error, const char *option, const char *text, const char *wanted)
{
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s: \"%s\" is not %s",
		    option, text, wanted);
	return false;
}

/* The index of `text` among `names`; that of the first where there is no text. */
static bool choose(const char *option, const char *text, const char *const *names, int *ret_choice,
		   GError **error)
{
	g_autofree char *all = NULL;

	for (*ret_choice = 0; text && names[*ret_choice]; ++*ret_choice) {
		if (strcmp(names[*ret_choice], text) == 0) {
			return true;
		}
	}
	if (!text) {
		return true;
	}
	all = g_strjoinv(", ", (char **)names);
	return refuse(error, option, text, all);
}

/* "1%" or "30s". */
static bool parse_min_cost(struct request *request, GError **error)
{
	const char *text = request->min_cost;
	char *end = NULL;
	double number = text ? g_ascii_strtod(text, &end) : 0;
	double ns;

	request->mining.least_part = DEFAULT_PART;
	if (!text) {
		return true;
	}
	if (end != text && strcmp(end, "%") == 0 && number > 0 && number <= 100) {
		request->mining.least_part = number / 100;
		return true;
	}
	if (!itp_duration_parse(text, &ns) || ns < 1 || ns > 1e18) {
		return refuse(error, "min-cost", text, "a time or a share, such as 30s or 1%");
	}
	request->mining.least_ns = llround(ns);
	return true;
}

static bool read_signatures(struct request *request, GError **error)
{
	g_autofree char *text = NULL;
	gsize size;

	if (!request->signatures) {
		return true;
	}
	if (!g_file_get_contents(request->signatures, &text, &size, error)) {
		g_prefix_error(error, "--signatures: ");
		return false;
	}
	request->known = itp_signatures_read(text, size, request->signatures, error);
	if (!request->known) {
		g_prefix_error(error, "--signatures: ");
	}
	return request->known;
}

static bool interpret(struct request *request, GError **error)
{
	int scope;
	int linkage;
	int order;
	int format;

	if (!choose("scope", request->scope, scope_names, &scope, error) ||
	    !choose("linkage", request->linkage, linkage_names, &linkage, error) ||
	    !choose("order", request->order, order_names, &order, error) ||
	    !choose("format", request->format, format_names, &format, error) ||
	    !parse_min_cost(request, error) || !read_signatures(request, error)) {
		return false;
	}
	if (request->symptom && !itp_symptom_wish_parse(&request->wish, request->symptom, error)) {
		return false;
	}
	if (request->each && format != 1) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--each: only --format jsonl tells it");
		return false;
	}
	request->symptoms = request->each ? g_string_new(NULL) : NULL;
	request->interest = (struct itp_interest_options){
		.wish = request->symptom ? &request->wish : NULL,
		.scope = (enum itp_interest_scope)scope,
		.each = request->symptoms,
	};
	request->mining.clusters = (struct itp_cluster_options){
		.linkage = (enum itp_linkage)linkage,
		.cut = request->cut,
		.order = (enum itp_cluster_order)order,
	};
	request->mining.max_steps = MAX_STEPS;
	request->mining.max_candidates = MAX_CANDIDATES;
	request->is_jsonl = format == 1;
	return true;
}

static bool parse(struct request *request, char **arguments, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("RECORDING…");
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, &request->options, NULL);
	const GOptionEntry own[] = {
		{ "symptom", 0, 0, G_OPTION_ARG_STRING, &request->symptom,
		  "what is slow: call:F>100ms, call:F, process>2s, process:F", "WHAT" },
		{ "min-cost", 0, 0, G_OPTION_ARG_STRING, &request->min_cost,
		  "leave out patterns below 30s, or 1% of all", "COST" },
		{ "scope", 0, 0, G_OPTION_ARG_STRING, &request->scope,
		  "path: what held it up at each instant; graph: all that was waited for", "HOW" },
		{ "focus", 0, 0, G_OPTION_ARG_STRING_ARRAY, &request->focus,
		  "only stacks with such a function (several)", "RE" },
		{ "ignore", 0, 0, G_OPTION_ARG_STRING_ARRAY, &request->ignore,
		  "only stacks without one (several)", "RE" },
		{ "base", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &request->base,
		  "a good recording (several)", "FILE" },
		{ "order", 0, 0, G_OPTION_ARG_STRING, &request->order,
		  "by total, traces, events or average", "WHAT" },
		{ "linkage", 0, 0, G_OPTION_ARG_STRING, &request->linkage,
		  "average, single or complete", "HOW" },
		{ "cut", 0, 0, G_OPTION_ARG_DOUBLE, &request->cut,
		  "how alike clusters are that become one, 0 to 1", "PART" },
		{ "top", 0, 0, G_OPTION_ARG_INT, &request->top,
		  "print N clusters of each kind; 0 prints all", "N" },
		{ "format", 0, 0, G_OPTION_ARG_STRING, &request->format, "text or jsonl",
		  "FORMAT" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &request->output, "write to FILE",
		  "FILE" },
		{ "each", 0, 0, G_OPTION_ARG_NONE, &request->each,
		  "in jsonl, each symptom as well, and what held it up", NULL },
		{ "signatures", 0, 0, G_OPTION_ARG_FILENAME, &request->signatures,
		  "causes that are known; what they explain is told, and the rest mined", "FILE" },
		{ "save-signatures", 0, 0, G_OPTION_ARG_FILENAME, &request->save_signatures,
		  "keep those that are shown, behind the ones that are known", "FILE" },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &request->files, NULL,
		  NULL },
		{ .long_name = NULL },
	};
	g_auto(GStrv) copy = g_strdupv(arguments);

	g_option_group_add_entries(group, own);
	itp_options_add_reading_entries(group);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(
		context, "Find what explains the time of the slow calls in many recordings.");
	g_option_context_set_description(context, EXAMPLES);
	g_set_prgname("perf introperf mine");
	if (!g_option_context_parse_strv(context, &copy, error)) {
		return false;
	}
	if (!request->files) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "name the recordings: perf introperf mine RECORDING…");
		return false;
	}
	return interpret(request, error);
}

static void request_release(struct request *request)
{
	itp_options_release(&request->options);
	itp_symptom_wish_release(&request->wish);
	g_free(request->symptom);
	g_free(request->min_cost);
	g_free(request->scope);
	g_free(request->linkage);
	g_free(request->order);
	g_free(request->format);
	g_free(request->output);
	g_free(request->signatures);
	g_free(request->save_signatures);
	g_clear_pointer(&request->known, g_array_unref);
	if (request->symptoms) {
		g_string_free(request->symptoms, TRUE);
	}
	g_strfreev(request->focus);
	g_strfreev(request->ignore);
	g_strfreev(request->base);
	g_strfreev(request->files);
}

/* ---- Reading ---- */

struct reading {
	const struct request *request;
	struct itp_host_params params;
	struct itp_mining *mining;
	struct itp_progress_line line;
	struct itp_interrupt interrupt;
	bool is_interrupted;
	guint broken;
};

static bool look(const struct itp_progress *progress, void *data)
{
	struct reading *reading = data;

	(void)progress;
	reading->is_interrupted |= itp_interrupt_take(&reading->interrupt);
	return !reading->is_interrupted;
}

static void tell(const char *text, void *data)
{
	itp_reading_warn(text, &((struct reading *)data)->line);
}

static guint count_of(char **paths)
{
	return paths ? g_strv_length(paths) : 0;
}

/* Files that cannot be read are named and counted; the others are mined. */
static void read_all(struct reading *reading, char **paths, bool of_base)
{
	const struct itp_recordings_watch watch = { .progress = look,
						    .tell = tell,
						    .data = reading };

	for (guint i = 0; i < count_of(paths) && !reading->is_interrupted; i++) {
		g_autoptr(GError) error = NULL;

		itp_progress_line_update(&reading->line, "reading", i, count_of(paths));
		if (!itp_interests_add(reading->mining, of_base, paths[i], &reading->params,
				       &reading->request->interest, &watch, &error) &&
		    error) {
			reading->broken++;
			itp_reading_warn(error->message, &reading->line);
		}
	}
	itp_progress_line_end(&reading->line);
}

static void fill_paths(GPtrArray *inputs, char **paths)
{
	for (guint i = 0; i < count_of(paths); i++) {
		g_ptr_array_add(inputs, paths[i]);
	}
}

/* ---- The result ---- */

/* By function: whether a pattern of the option chooses it. NULL without patterns, and on an error.
 * To be freed. */
static bool *select_functions(const struct itp_mining *mining, const char *option, char **texts,
			      GError **error)
{
	uint32_t size = itp_function_table_size(mining->functions);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	g_autofree bool *is_frame = g_new0(bool, size);
	struct itp_patterns *patterns;
	bool *selected = NULL;

	if (!texts) {
		return NULL;
	}
	fill_paths(list, texts);
	patterns = itp_patterns_new(option, list, error);
	for (uint32_t id = 0; id < size; id++) {
		is_frame[id] = itp_function_table_get(mining->functions, id)->layer !=
			       ITP_LAYER_PROCESS;
	}
	if (patterns) {
		selected = g_new0(bool, size);
		if (!itp_patterns_select(patterns, mining->functions, is_frame, selected, error)) {
			g_clear_pointer(&selected, g_free);
		}
		itp_patterns_free(patterns);
	}
	return selected;
}

static bool select_stacks(const struct request *request, struct itp_mining *mining, GError **error)
{
	GError *reason = NULL;
	g_autofree bool *focus = select_functions(mining, "focus", request->focus, &reason);
	g_autofree bool *ignore =
		reason ? NULL : select_functions(mining, "ignore", request->ignore, &reason);

	if (reason) {
		g_propagate_error(error, reason);
		return false;
	}
	itp_mining_select(mining, focus, ignore);
	return true;
}

static void render(const struct request *request, const struct reading *reading,
		   const struct itp_mined *mined, const GArray *matches, GString *text)
{
	const struct itp_terminal terminal =
		itp_terminal_of_output(!request->output, ITP_COLOR_NEVER);
	const struct itp_mining_page page = {
		.mining = reading->mining,
		.mined = mined,
		.signatures = request->known,
		.matches = matches,
		.each = request->symptoms,
		.symptom = request->symptom,
		.broken = reading->broken,
		.top = (guint)MAX(request->top, 0),
		.width = MAX(terminal.columns, 60),
	};

	if (request->is_jsonl) {
		itp_render_mining_jsonl(&page, text);
	} else {
		itp_render_mining_text(&page, text);
	}
}

static bool check_symptoms(const struct request *request, const struct itp_mining *mining,
			   GError **error)
{
	const struct itp_mined_trace sum = itp_mining_sum(mining->traces);

	if (mining->traces->len == 0) {
		itp_failure_set(error, "none of the recordings could be read");
	} else if (sum.symptoms == 0 && sum.calls == 0) {
		itp_failure_set(error, "--symptom: there is no %s in any of the recordings",
				request->symptom ? request->symptom : "call");
	} else if (sum.symptoms == 0) {
		itp_failure_set(error,
				"--symptom: none of %" G_GUINT64_FORMAT
				" was slower than \"%s\" says",
				sum.calls, request->symptom);
	}
	return sum.symptoms > 0;
}

static bool save_signatures(const struct request *request, const struct itp_mining *mining,
			    const struct itp_mined *mined, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *dumped = NULL;

	if (!request->save_signatures) {
		return true;
	}
	dumped = itp_signatures_text(mining, mined, (guint)MAX(request->top, 0), request->known);
	g_string_append_printf(text, "%s\n", dumped);
	return itp_write(request->save_signatures, text, error);
}

/* What is mined, found and written. */
static bool conclude(const struct request *request, const struct reading *reading, GError **error)
{
	struct itp_mining *mining = reading->mining;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GArray) matches = request->known ? itp_signatures_match(request->known, mining) :
						     NULL;
	struct itp_stack_statistics *statistics = itp_mining_statistics(mining);
	struct itp_mined mined[ITP_MINE_KINDS];
	bool done;

	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_init(&mined[kind], mining, (enum itp_mine_kind)kind, statistics,
			       &request->mining);
	}
	render(request, reading, mined, matches, text);
	done = save_signatures(request, mining, mined, error) &&
	       itp_write(request->output, text, error);
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_release(&mined[kind]);
	}
	itp_stack_statistics_free(statistics);
	return done;
}

static bool write_result(const struct request *request, const struct reading *reading,
			 GError **error)
{
	itp_mining_close(reading->mining);
	return check_symptoms(request, reading->mining, error) &&
	       select_stacks(request, reading->mining, error) && conclude(request, reading, error);
}

static enum itp_exit run(const struct request *request, GError **error)
{
	struct itp_mining mining;
	struct reading reading = { .request = request, .mining = &mining };
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	bool done;

	fill_paths(inputs, request->base);
	fill_paths(inputs, request->files);
	if (!itp_write_check(request->output, inputs, error) ||
	    !itp_write_check(request->save_signatures, inputs, error)) {
		return ITP_EXIT_ERROR;
	}
	itp_mining_init(&mining);
	itp_progress_line_init(&reading.line);
	itp_interrupt_init(&reading.interrupt);
	done = itp_host_params_init(&reading.params, request->options.values, error);
	if (done) {
		read_all(&reading, request->base, true);
		read_all(&reading, request->files, false);
		done = !reading.is_interrupted && write_result(request, &reading, error);
	}
	itp_host_params_release(&reading.params);
	itp_interrupt_release(&reading.interrupt);
	itp_progress_line_release(&reading.line);
	itp_mining_release(&mining);
	if (reading.is_interrupted) {
		itp_failure_set(error, "interrupted before all was read");
		return ITP_EXIT_INTERRUPTED;
	}
	return done && reading.broken == 0 ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}

int itp_mine_run(char **arguments)
{
	struct request request = { .cut = DEFAULT_CUT, .top = DEFAULT_TOP };
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	itp_options_init(&request.options, arguments);
	if (parse(&request, arguments, &error)) {
		code = run(&request, &error);
	}
	if (error) {
		g_autofree char *text = itp_words(error->message, ITP_WORDS_OPTION);

		itp_complain("%s", text);
		g_error_free(error);
	}
	request_release(&request);
	return code;
}
