/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: which subcommand runs.
 */
#include "plugins/perf/command/introperf.h"

#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal/pager.h"
#include "terminal/terminal.h"

/* As perf has it. */
#define NO_PAGER "--no-pager"

static const struct {
	const char *name;
	int (*run)(char **arguments);
	/* Its output is one to read. */
	bool has_pager;
	const char *help;
} subcommands[] = {
	{ "record", itp_record_run, false, "record with perf what the others want to see" },
	{ "report", itp_report_run, true, "rank where the time of a recording went" },
	{ "diff", itp_diff_run, true, "rank what makes a slow recording slower than a good one" },
	{ "top", itp_top_run, false, "rank where the time goes while it does" },
	{ "mine", itp_mine_run, true, "find what explains the slow calls of many recordings" },
	{ "units", itp_units_run, true,
	  "find the units of work of a program, and how long they take" },
	{ "guard", itp_guard_run, false, "tell when a unit of a program that runs takes too long" },
	{ "export", itp_export_run, false, "write a recording for another program" },
};

void itp_complain(const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	itp_terminal_say("introperf: %s", text);
}

static void print_help(void)
{
	printf("Usage: perf introperf [--no-pager] SUBCOMMAND [OPTION…] [ARGUMENT…]\n\n"
	       "Find the calling contexts that explain a slow run.\n\n");
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		printf("  %-8s %s\n", subcommands[i].name, subcommands[i].help);
	}
	printf("\nExamples:\n"
	       "  perf introperf record -- ./program\n"
	       "  perf introperf report\n"
	       "  perf introperf diff good.data slow.data\n\n"
	       "Each subcommand has a --help of its own; `man perf-introperf` explains all.\n");
}

static char *subcommand_names(void)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		g_ptr_array_add(names, (char *)subcommands[i].name);
	}
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
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

/* What was printed and not written yet may still fail, and GLib's help ends the process itself. */
static void close_output(void)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		itp_complain("standard output: cannot write: %s", g_strerror(errno));
		_exit(ITP_EXIT_ERROR);
	}
}

int main(int argc, char **argv)
{
	bool wants_pager = argc < 2 || strcmp(argv[1], NO_PAGER) != 0;
	char **arguments = wants_pager ? argv + 1 : argv + 2;
	const char *name = arguments[0] ? arguments[0] : "";
	g_autofree char *names = subcommand_names();

	setlocale(LC_CTYPE, "");
	atexit(close_output);
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		if (strcmp(name, subcommands[i].name) == 0) {
			return subcommands[i].has_pager && wants_pager ?
				       run_with_pager(subcommands[i].run, arguments) :
				       subcommands[i].run(arguments);
		}
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		print_help();
		return ITP_EXIT_FINE;
	}
	if (strcmp(name, "--version") == 0) {
		printf("introperf %s\n", PACKAGE_VERSION);
		return ITP_EXIT_FINE;
	}
	if (arguments[0]) {
		itp_complain("\"%s\" is no subcommand; there are %s", name, names);
	} else {
		itp_complain("which subcommand? There are %s; --help tells more", names);
	}
	return ITP_EXIT_ERROR;
}
