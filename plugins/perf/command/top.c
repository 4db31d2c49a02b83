/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: top, a ranking every few seconds of what perf records in the meantime.
 */
#include <string.h>
#include <unistd.h>

#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/live-graph.h"
#include "plugins/perf/command/live-perf.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/perf-run.h"
#include "plugins/perf/command/recipe.h"
#include "plugins/perf/host/words.h"

#define STANDARD_STREAM "-"
#define DEFAULT_PERIOD "2s"

static const char summary[] =
	"Rank every few seconds where the time goes, while it goes there. Ends with q, Ctrl-C, or\n"
	"the command, with a ranking of all that was seen.";

static const char examples[] = "Examples:\n"
			       "  perf introperf top -p 1234\n"
			       "  perf introperf top -a --light --period 5s\n"
			       "  perf introperf top --format jsonl -- ./program --its-option\n";

struct top {
	struct itp_target target;
	int pid;
	gboolean is_machine;
	gboolean is_light;
	gboolean is_full;
	gboolean wants_fp;
	gboolean wants_dwarf;
	int frequency_hz;
	/* Owned by this. */
	char *period;
	struct itp_options options;
};

static void top_release(struct top *top)
{
	g_strfreev(top->target.command);
	g_free(top->period);
	itp_options_release(&top->options);
}

static bool parse(struct top *top, char **arguments, GError **error)
{
	const GOptionEntry entries[] = {
		{ "pid", 'p', 0, G_OPTION_ARG_INT, &top->pid, "a process that runs", "PID" },
		{ "all-cpus", 'a', 0, G_OPTION_ARG_NONE, &top->is_machine, "the whole machine",
		  NULL },
		{ "period", 0, 0, G_OPTION_ARG_STRING, &top->period,
		  "time between two rankings (2s)", "TIME" },
		{ "light", 0, 0, G_OPTION_ARG_NONE, &top->is_light, "no system calls", NULL },
		{ "full", 0, 0, G_OPTION_ARG_NONE, &top->is_full,
		  "page faults too, and a faster timer", NULL },
		{ "freq", 'F', 0, G_OPTION_ARG_INT, &top->frequency_hz,
		  "ticks of the timer in a second (997; 3989 with --full)", "N" },
		{ "fp", 0, 0, G_OPTION_ARG_NONE, &top->wants_fp, "follow stacks by frame pointers",
		  NULL },
		{ "dwarf", 0, 0, G_OPTION_ARG_NONE, &top->wants_dwarf, "copy the top of each stack",
		  NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &top->target.command, NULL,
		  NULL },
		{ .long_name = NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("[[--] COMMAND…]");
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, &top->options, NULL);
	g_auto(GStrv) copy = g_strdupv(arguments);

	g_option_group_add_entries(group, entries);
	itp_options_add_entries(group, &top->options, false);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(context, summary);
	g_option_context_set_description(context, examples);
	g_option_context_set_strict_posix(context, TRUE);
	g_set_prgname("perf introperf top");
	if (!g_option_context_parse_strv(context, &copy, error)) {
		return false;
	}
	top->target.pid = top->pid;
	top->target.is_machine = top->is_machine;
	return true;
}

static bool check(const struct top *top, GError **error)
{
	if ((top->is_light && top->is_full) || (top->wants_fp && top->wants_dwarf)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--light and --full, --fp and --dwarf: choose one");
		return false;
	}
	if (top->options.html || top->options.save) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--%s: only of recordings", top->options.html ? "html" : "save");
		return false;
	}
	if (top->frequency_hz < 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--freq: less than 0");
		return false;
	}
	return itp_target_check(&top->target, error);
}

static struct itp_recipe choose_recipe(const struct top *top)
{
	struct itp_recipe recipe = {
		.preset = top->is_light ? ITP_PRESET_LIGHT :
			  top->is_full  ? ITP_PRESET_FULL :
					  ITP_PRESET_USUAL,
		.frequency_hz = (unsigned int)top->frequency_hz,
		.output = STANDARD_STREAM,
	};
	g_autofree char *frameless =
		top->wants_fp || top->wants_dwarf ? NULL : itp_target_frameless(&top->target);

	if (top->wants_dwarf || frameless) {
		recipe.stack_bytes = itp_recipe_stack_bytes(recipe.preset);
	}
	return recipe;
}

/* With what makes perf speak while it records. */
static char **command_of(const struct top *top)
{
	const struct itp_recipe recipe = choose_recipe(top);
	g_auto(GStrv) plain = itp_recipe_command(&recipe, &top->target);
	GPtrArray *command = g_ptr_array_new();

	for (size_t i = 0; plain[i]; i++) {
		g_ptr_array_add(command, g_strdup(plain[i]));
		if (i > 0 && strcmp(plain[i], "record") == 0 && strcmp(plain[i - 1], "perf") == 0) {
			g_ptr_array_add(command, g_strdup("-q"));
			g_ptr_array_add(command, g_strdup("--control=fd:3"));
		}
	}
	g_ptr_array_add(command, NULL);
	return (char **)g_ptr_array_free(command, FALSE);
}

static void set_params(const struct top *top)
{
	bt_value *const *values = top->options.values;

	itp_options_append(values[ITP_STAGE_SOURCE], "inputs", STANDARD_STREAM);
	bt_value_map_insert_bool_entry(values[ITP_STAGE_SOURCE], "live", BT_TRUE);
	bt_value_map_insert_string_entry(values[ITP_STAGE_INFER], "period",
					 top->period ? top->period : DEFAULT_PERIOD);
}

static bool run(struct top *top, GError **error)
{
	g_auto(GStrv) command = command_of(top);
	struct itp_live_perf live;
	struct itp_graph graph;
	bool done;

	/* root is not refused, and a trial takes as long as a short recording. */
	if ((geteuid() != 0 && !itp_perf_try(command, error)) ||
	    !itp_live_perf_start(&live, command, error)) {
		return false;
	}
	set_params(top);
	done = itp_live_graph_init(&graph, top->options.values, error) &&
	       itp_live_graph_run(&graph, error);
	itp_live_perf_end(&live);
	itp_graph_release(&graph);
	return done;
}

int itp_top_run(char **arguments)
{
	struct top top = { 0 };
	GError *error = NULL;
	bool done;

	/* What was live cannot be looked at again, so there is no next command. */
	itp_options_init(&top.options, (char *[]){ arguments[0], NULL });
	done = parse(&top, arguments, &error) && check(&top, &error) && run(&top, &error);
	if (error) {
		g_autofree char *text = itp_words(error->message, ITP_WORDS_OPTION);

		itp_complain("%s", text);
		g_error_free(error);
	}
	top_release(&top);
	return done ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}
