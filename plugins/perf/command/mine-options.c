/* SPDX-License-Identifier: MIT */
/*
 * See mine-options.h.
 */
#include "plugins/perf/command/mine-options.h"

#include <math.h>
#include <string.h>

#include "common/base/duration.h"

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

static const char *const format_names[] = {
	[ITP_MINE_TEXT] = "text",
	[ITP_MINE_JSONL] = "jsonl",
	[ITP_MINE_HTML] = "html",
	NULL,
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
static bool parse_min_cost(struct itp_mine_request *request, GError **error)
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

static bool read_signatures(struct itp_mine_request *request, GError **error)
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

static bool check_numbers(const struct itp_mine_request *request, GError **error)
{
	g_autofree char *cut = g_strdup_printf("%g", request->cut);
	g_autofree char *top = g_strdup_printf("%d", request->top);

	if (!(request->cut >= 0 && request->cut <= 1)) {
		return refuse(error, "cut", cut, "between 0 and 1");
	}
	return request->top >= 0 || refuse(error, "top", top, "0 or more");
}

static bool choose_all(struct itp_mine_request *request, GError **error)
{
	int scope = 0;
	int linkage = 0;
	int order = 0;
	int format = 0;
	const struct {
		const char *option;
		const char *text;
		const char *const *names;
		int *ret_choice;
	} choices[] = {
		{ "scope", request->scope, scope_names, &scope },
		{ "linkage", request->linkage, linkage_names, &linkage },
		{ "order", request->order, order_names, &order },
		{ "format", request->format, format_names, &format },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(choices); i++) {
		if (!choose(choices[i].option, choices[i].text, choices[i].names,
			    choices[i].ret_choice, error)) {
			return false;
		}
	}
	request->interest.scope = (enum itp_interest_scope)scope;
	request->mining.clusters =
		(struct itp_cluster_options){ .linkage = (enum itp_linkage)linkage,
					      .cut = request->cut,
					      .order = (enum itp_cluster_order)order };
	request->form = (enum itp_mine_form)format;
	return true;
}

static bool interpret(struct itp_mine_request *request, GError **error)
{
	if (!choose_all(request, error) || !check_numbers(request, error) ||
	    !parse_min_cost(request, error) || !read_signatures(request, error) ||
	    (request->symptom &&
	     !itp_symptom_wish_parse(&request->wish, request->symptom, error))) {
		return false;
	}
	if (request->each && request->form != ITP_MINE_JSONL) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--each: only --format jsonl tells it");
		return false;
	}
	request->symptoms = request->each ? g_string_new(NULL) : NULL;
	request->interest.wish = request->symptom ? &request->wish : NULL;
	request->interest.each = request->symptoms;
	request->mining.max_steps = MAX_STEPS;
	request->mining.max_candidates = MAX_CANDIDATES;
	return true;
}

bool itp_mine_request_parse(struct itp_mine_request *request, char **arguments, GError **error)
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
		{ "format", 0, 0, G_OPTION_ARG_STRING, &request->format, "text, jsonl or html",
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

	*request = (struct itp_mine_request){ .cut = DEFAULT_CUT, .top = DEFAULT_TOP };
	itp_options_init(&request->options, arguments);
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

void itp_mine_request_release(struct itp_mine_request *request)
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
