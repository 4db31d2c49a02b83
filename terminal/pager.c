/* SPDX-License-Identifier: MIT */
/*
 * See pager.h. The child is there from the start, at the end of a pipe, and starts the pager when
 * there is something to read. It stands between, with a copy of as much as a pipe holds: a pager
 * that has taken more does read, and the output of any other is shown from the copy.
 */
#define _GNU_SOURCE /* F_GETPIPE_SZ, pipe2(), TEMP_FAILURE_RETRY() */
#include "terminal/pager.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>

#include "terminal/terminal.h"

/* Options that perf sets for less: leave at once when all fits, keep colours, cut long lines, leave
 * the text on the screen. */
#define LESS_OPTIONS "FRSX"

/* NULL for none. */
static const char *find_pager(void)
{
	static const char *const usual[] = { "/usr/bin/pager", "/usr/bin/less" };
	const char *pager = getenv("PERF_PAGER");

	pager = pager ? pager : getenv("PAGER");
	for (size_t i = 0; !pager && i < G_N_ELEMENTS(usual); i++) {
		pager = access(usual[i], X_OK) == 0 ? usual[i] : NULL;
	}
	return !pager || pager[0] == '\0' || g_str_equal(pager, "cat") ? NULL : pager;
}

static bool write_all(int to, const char *data, size_t bytes)
{
	while (bytes > 0) {
		ssize_t written = TEMP_FAILURE_RETRY(write(to, data, bytes));

		if (written <= 0) {
			return false;
		}
		data += written;
		bytes -= (size_t)written;
	}
	return true;
}

/* Passes bytes on until either end closes. `kept`, which may be NULL, gets bytes for a pipe without
 * a reader: it is emptied, and left so, when there were more. */
static void pass_on(int from, int to, GString *kept)
{
	const int capacity = fcntl(to, F_GETPIPE_SZ);
	size_t passed = 0;
	char buffer[4096];
	ssize_t got;
	bool is_open = true;

	while (is_open && (got = TEMP_FAILURE_RETRY(read(from, buffer, sizeof(buffer)))) > 0) {
		passed += (size_t)got;
		if (kept) {
			g_string_append_len(kept, buffer, got);
		}
		is_open = write_all(to, buffer, (size_t)got);
		if (kept && is_open && passed > (size_t)capacity) {
			g_string_truncate(kept, 0);
			kept = NULL;
		}
	}
}

/* Shows the bytes from `input`. Returns lost bytes, which the pager has not shown. */
static GString *show(const char *pager, int input)
{
	GString *kept = g_string_new(NULL);
	FILE *stream = popen(pager, "we");
	int status;

	/* An end as any other, for the pager. */
	signal(SIGPIPE, SIG_IGN);
	if (!stream) {
		pass_on(input, STDOUT_FILENO, NULL);
		return kept;
	}
	pass_on(input, fileno(stream), kept);
	status = pclose(stream);
	if (status == 0 || !WIFEXITED(status)) {
		g_string_truncate(kept, 0);
	}
	return kept;
}

/* In the child. Does not return. */
static void run_pager(const char *pager, int input)
{
	struct pollfd watched = { .fd = input, .events = POLLIN };
	GString *lost;

	/* Ctrl-C ends the computing process alone. */
	signal(SIGINT, SIG_IGN);
	while (poll(&watched, 1, -1) < 0) {
	}
	if (!(watched.revents & POLLIN)) {
		_exit(EXIT_FAILURE);
	}
	setenv("LESS", LESS_OPTIONS, false);
	lost = show(pager, input);
	if (lost->len > 0) {
		itp_terminal_say("introperf: the pager \"%s\" has failed; this is the text "
				 "without it\n",
				 pager);
		(void)write_all(STDOUT_FILENO, lost->str, lost->len);
		pass_on(input, STDOUT_FILENO, NULL);
	}
	_exit(EXIT_SUCCESS);
}

static void redirect(int output)
{
	bool takes_errors = isatty(STDERR_FILENO);

	dup2(output, STDOUT_FILENO);
	if (takes_errors) {
		itp_terminal_keep_errors();
		/* Messages in the midst of a page could not be read. */
		dup2(output, STDERR_FILENO);
	}
	close(output);
}

void itp_pager_start(struct itp_pager *pager)
{
	const char *command = find_pager();
	struct itp_terminal terminal = itp_terminal_of_output(true, ITP_COLOR_AUTO);
	g_autofree char *columns = g_strdup_printf("%u", terminal.columns);
	int ends[2];

	pager->pid = 0;
	if (!command || !isatty(STDOUT_FILENO) || pipe2(ends, O_CLOEXEC) != 0) {
		return;
	}
	pager->pid = fork();
	if (pager->pid == 0) {
		close(ends[1]);
		run_pager(command, ends[0]);
	}
	close(ends[0]);
	if (pager->pid < 0) {
		close(ends[1]);
		pager->pid = 0;
		return;
	}
	redirect(ends[1]);
	setenv(ITP_PAGER_IN_USE, "true", true);
	setenv(ITP_PAGER_COLUMNS, columns, true);
}

void itp_pager_finish(struct itp_pager *pager)
{
	if (pager->pid == 0) {
		return;
	}
	signal(SIGINT, SIG_IGN);
	/* The pager reads until both are closed. */
	(void)fflush(stdout);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	waitpid(pager->pid, NULL, 0);
}
