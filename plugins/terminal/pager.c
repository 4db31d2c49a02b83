/* SPDX-License-Identifier: MIT */
/*
 * See pager.h. The child is there from the start, holding the end of a pipe, and becomes the pager
 * when there is something to read.
 */
#include "plugins/terminal/pager.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>

#include "plugins/terminal/terminal.h"

/* What perf has less do: leave at once when all fits, keep colours, cut long lines, leave the text
 * on the screen. */
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

/* In the child. Does not return. */
static void become_pager(const char *pager, int input)
{
	struct pollfd watched = { .fd = input, .events = POLLIN };

	/* Ctrl-C ends what computes, not what shows. */
	signal(SIGINT, SIG_IGN);
	while (poll(&watched, 1, -1) < 0) {
	}
	if (watched.revents & POLLIN) {
		dup2(input, STDIN_FILENO);
		close(input);
		setenv("LESS", LESS_OPTIONS, false);
		execl("/bin/sh", "sh", "-c", pager, NULL);
	}
	_exit(EXIT_FAILURE);
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
	if (!command || !isatty(STDOUT_FILENO) || pipe(ends) != 0) {
		return;
	}
	pager->pid = fork();
	if (pager->pid == 0) {
		close(ends[1]);
		become_pager(command, ends[0]);
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
	/* The pager reads to the end of these. */
	fclose(stdout);
	fclose(stderr);
	waitpid(pager->pid, NULL, 0);
}
