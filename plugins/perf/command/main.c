/* SPDX-License-Identifier: MIT */
/*
 * See program.h: choice of the subcommand.
 */
#include "plugins/perf/command/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "plugins/perf/command/words.h"
#include "plugins/perf/mcp/mcp.h"
#include "terminal/pager.h"

/* Options as perf's. */
#define NO_PAGER "--no-pager"
#define BROWSER "--tui"

static const struct {
	const char *name;
	int (*run)(char **arguments);
	/* Output to be read in a pager. */
	bool has_pager;
	const char *help;
} subcommands[] = {
	{ "record", itp_record_run, false, "record what the others want to see" },
	{ "report", itp_report_run, true, "rank where the time of a recording went" },
	{ "diff", itp_diff_run, true, "rank what makes a slow recording slower than a good one" },
	{ "annotate", itp_annotate_run, true, "show what each source line of a culprit costs" },
	{ "top", itp_top_run, false, "rank where the time goes while it does" },
	{ "mine", itp_mine_run, true, "find what explains the slow calls of many recordings" },
	{ "units", itp_units_run, true,
	  "find the units of work of a program, and how long they take" },
	{ "guard", itp_guard_run, false, "tell when a unit of a program that runs takes too long" },
	{ "export", itp_export_run, false, "write a recording for another program" },
	{ "mcp", itp_mcp_run, false, "answer a program that talks (Model Context Protocol)" },
};

static void print_help(void)
{
	printf("Usage: perf introperf [--no-pager] SUBCOMMAND [OPTION…] [ARGUMENT…]\n\n"
	       "Find the calling contexts that explain a slow run.\n\n");
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		printf("  %-9s %s\n", subcommands[i].name, subcommands[i].help);
	}
	printf("\nExamples:\n"
	       "  perf introperf record -- ./program\n"
	       "  perf introperf report\n"
	       "  perf introperf diff good.data slow.data\n\n"
	       "`perf introperf help SUBCOMMAND` tells its options; `man perf-introperf` explains "
	       "all.\n");
}

/* Free with g_free(); the names are weak. */
static char **subcommand_names(void)
{
	char **names = g_new0(char *, G_N_ELEMENTS(subcommands) + 1);

	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		names[i] = (char *)subcommands[i].name;
	}
	return names;
}

/* True when the output needs the terminal itself. */
static bool has_browser(char **arguments)
{
	return arguments[0] && g_strv_contains((const char *const *)arguments, BROWSER);
}

static int run_with_pager(int (*run)(char **arguments), char **arguments)
{
	struct itp_pager pager;
	int code;

	itp_pager_start(&pager);
	code = run(arguments);
	itp_pager_finish(&pager);
	return code;
}

static void complain_of_subcommand(const char *name)
{
	g_autofree char **names = subcommand_names();
	g_autofree char *all = g_strjoinv(", ", names);
	const char *nearest = itp_words_nearest(name, names);

	if (nearest) {
		itp_complain("\"%s\" is no subcommand: did you mean %s?", name, nearest);
	} else {
		itp_complain("\"%s\" is no subcommand; there are %s", name, all);
	}
}

/* `arguments` begin with its name. */
static int run_subcommand(char **arguments, bool wants_pager)
{
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		if (strcmp(arguments[0], subcommands[i].name) == 0) {
			return subcommands[i].has_pager && wants_pager && !has_browser(arguments) ?
				       run_with_pager(subcommands[i].run, arguments) :
				       subcommands[i].run(arguments);
		}
	}
	complain_of_subcommand(arguments[0]);
	return ITP_EXIT_ERROR;
}

static int help(char *subcommand)
{
	if (subcommand) {
		return run_subcommand((char *[]){ subcommand, "--help", NULL }, false);
	}
	print_help();
	return ITP_EXIT_FINE;
}

int main(int argc, char **argv)
{
	static const char *const help_words[] = { "help", "--help", "-h", NULL };
	static const char *const version_words[] = { "version", "--version", "-v", NULL };
	bool wants_pager = argc < 2 || strcmp(argv[1], NO_PAGER) != 0;
	char **arguments = wants_pager ? argv + 1 : argv + 2;

	itp_program_begin();
	if (!arguments[0]) {
		print_help();
		return ITP_EXIT_ERROR;
	}
	if (g_strv_contains(help_words, arguments[0])) {
		return help(arguments[1]);
	}
	if (g_strv_contains(version_words, arguments[0])) {
		printf("introperf %s\n", PACKAGE_VERSION);
		return ITP_EXIT_FINE;
	}
	return run_subcommand(arguments, wants_pager);
}
