/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: which subcommand runs.
 */
#include "plugins/perf/command/introperf.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(char **arguments);
	const char *help;
} subcommands[] = {
	{ "record", itp_record_run, "record with perf what the others want to see" },
	{ "report", itp_report_run, "rank where the time of a recording went" },
	{ "diff", itp_diff_run, "rank what makes a slow recording slower than a good one" },
};

void itp_complain(const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	fprintf(stderr, "introperf: %s\n", text);
}

static void print_help(void)
{
	printf("Usage: perf introperf SUBCOMMAND [OPTION…] [ARGUMENT…]\n\n"
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

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	g_autofree char *names = subcommand_names();

	setlocale(LC_CTYPE, "");
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++) {
		if (strcmp(name, subcommands[i].name) == 0) {
			return subcommands[i].run(argv + 1);
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
	if (argc > 1) {
		itp_complain("\"%s\" is no subcommand; there are %s", name, names);
	} else {
		itp_complain("which subcommand? There are %s; --help tells more", names);
	}
	return ITP_EXIT_ERROR;
}
