/* SPDX-License-Identifier: MIT */
/*
 * See mine-options.h. Values are checked by their components.
 */
#include "plugins/perf/command/mine-options.h"

#include "plugins/perf/command/words.h"

#define EXAMPLES                                                               \
	"Examples:\n"                                                          \
	"  perf introperf mine --symptom 'call:handle_request>100ms' *.data\n" \
	"  perf introperf mine --symptom process:main_loop *.data\n"           \
	"  perf introperf mine --base good-1.data --base good-2.data slow-*.data\n"

static void set_wait_param(GHashTable *values, const char *name, const char *text)
{
	if (text) {
		itp_values_set_text(values, name, text);
	}
}

static bool check_each(const struct itp_mine_request *request, GError **error)
{
	const char *format = itp_values_text(request->options.values[ITP_STAGE_RANK], "format");

	if (request->each && g_strcmp0(format, "jsonl") != 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--each: only --format jsonl tells it");
		return false;
	}
	return true;
}

static bool interpret(struct itp_mine_request *request, GError **error)
{
	set_wait_param(request->wait, "symptom", request->symptom);
	set_wait_param(request->wait, "scope", request->scope);
	return itp_params_read(&itp_wait_param_table, request->wait, &request->wait_params,
			       error) &&
	       (!request->wait_params.symptom ||
		itp_symptom_wish_parse(&request->wish, request->wait_params.symptom, error)) &&
	       check_each(request, error);
}

bool itp_mine_request_parse(struct itp_mine_request *request, char **arguments, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("RECORDING…");
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, &request->options, NULL);
	const GOptionEntry own[] = {
		{ "symptom", 0, 0, G_OPTION_ARG_STRING, &request->symptom,
		  "what is slow: call:F>100ms, call:F, process>2s, process:F, unit:TYPE>5ms",
		  "WHAT" },
		{ "scope", 0, 0, G_OPTION_ARG_STRING, &request->scope,
		  "path: what held it up at each instant; graph: all that was waited for", "HOW" },
		{ "base", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &request->base,
		  "a good recording (several)", "FILE" },
		{ "each", 0, 0, G_OPTION_ARG_NONE, &request->each,
		  "in jsonl, each symptom as well, and what held it up", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &request->files, NULL,
		  NULL },
		{ .long_name = NULL },
	};

	*request = (struct itp_mine_request){ .wait = itp_values_new() };
	itp_options_init(&request->options, arguments);
	g_option_group_add_entries(group, own);
	itp_options_add_mine_entries(group);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(
		context, "Find what explains the time of the slow calls in many recordings.");
	g_option_context_set_description(context, EXAMPLES);
	g_set_prgname("perf introperf mine");
	if (!itp_words_parse(context, arguments, error)) {
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
	g_clear_pointer(&request->wait, g_hash_table_unref);
	itp_symptom_wish_release(&request->wish);
	itp_params_release(&itp_wait_param_table, &request->wait_params);
	g_free(request->symptom);
	g_free(request->scope);
	g_strfreev(request->base);
	g_strfreev(request->files);
}
