/* SPDX-License-Identifier: MIT */
/*
 * See program.h: how the programs begin, end and complain.
 */
#include "plugins/perf/command/program.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/failure.h"
#include "terminal/terminal.h"

/* Base of a shell's status for a signal. */
#define SIGNAL_STATUS 128

void itp_complain(const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	itp_terminal_say("introperf: %s", text);
}

/* `message` with parameters named as options. Owned by the caller. */
static char *name_options(const char *message)
{
	/* One or several names: parameters "focus", "ignore" and "root". */
	g_autoptr(GRegex) parameter = g_regex_new(
		"(?:parameters? |(?<!^)\\G(, | and ))\"([a-z-]+)\"", G_REGEX_RAW, 0, NULL);
	char *text = g_regex_replace(parameter, message, -1, 0, "\\1--\\2", 0, NULL);

	return text ? text : g_strdup(message);
}

void itp_complain_in_options(const char *message)
{
	g_autofree char *line = itp_failure_line(message);
	g_autofree char *text = name_options(line);

	itp_complain("%s", text);
}

void itp_complain_of(GError *error)
{
	if (error) {
		itp_complain_in_options(error->message);
		g_error_free(error);
	}
}

/* Printed and unwritten text may still fail, and GLib's help ends the process itself. */
static void close_output(void)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		itp_complain("standard output: cannot write: %s", g_strerror(errno));
		_exit(ITP_EXIT_ERROR);
	}
}

/* The reader of the output wants no more of it. perf reports a program ended by a signal as one
 * that it could not run; a shell takes the status for the same. */
static void end_quietly(int number)
{
	_exit(SIGNAL_STATUS + number);
}

char *itp_program_find(const char *name, const char *installed)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *directory = g_path_get_dirname(self ? self : "");
	char *beside = g_build_filename(directory, name, NULL);

	if (self && access(beside, X_OK) == 0) {
		return beside;
	}
	g_free(beside);
	return g_build_filename(installed, name, NULL);
}

void itp_program_begin(void)
{
	signal(SIGPIPE, end_quietly);
	setlocale(LC_CTYPE, "");
	atexit(close_output);
}
