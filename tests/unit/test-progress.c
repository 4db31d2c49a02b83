/* SPDX-License-Identifier: MIT */
/*
 * The line that tells how far long work has come, on a terminal made for the test.
 */
#include "terminal/progress.h"

#include <poll.h>
#include <pty.h>
#include <string.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"
#define PATIENCE_MS 10000

/* Standard error is the terminal between these two. */
struct screen {
	int master;
	int slave;
	int before;
};

static struct screen screen_open(void)
{
	struct screen screen = { .before = dup(STDERR_FILENO) };

	g_assert_cmpint(openpty(&screen.master, &screen.slave, NULL, NULL, NULL), ==, 0);
	dup2(screen.slave, STDERR_FILENO);
	return screen;
}

static void screen_close(struct screen *screen)
{
	dup2(screen->before, STDERR_FILENO);
	close(screen->before);
	close(screen->slave);
	close(screen->master);
}

static bool has_output(const struct screen *screen, int patience_ms)
{
	struct pollfd watched = { .fd = screen->master, .events = POLLIN };

	return poll(&watched, 1, patience_ms) == 1;
}

/* What is on it; "" after a while of nothing. */
static char *screen_read(const struct screen *screen)
{
	char text[512] = "";

	if (has_output(screen, PATIENCE_MS)) {
		g_assert_cmpint(read(screen->master, text, sizeof text - 1), >, 0);
	}
	return g_strdup(text);
}

static void test_text(void)
{
	g_autofree char *text = itp_progress_line_text("reading perf.data", 500 * 1000 * 1000,
						       2000 * 1000 * 1000, 5 * G_USEC_PER_SEC);
	g_autofree char *unknown =
		itp_progress_line_text("reading perf.data", 500, 0, G_USEC_PER_SEC);

	g_assert_cmpstr(text, ==,
			"reading perf.data: 25 %, 500.0\u00a0MB of 2.0\u00a0GB, 100.0\u00a0MB/s, "
			"15 s left");
	g_assert_true(g_str_has_prefix(unknown, "reading perf.data: 0 %, 500"));
}

static void test_long_work(void)
{
	struct screen screen = screen_open();
	struct itp_progress_line progress;
	gint64 begin_us = g_get_monotonic_time();
	g_autofree char *drawn = NULL;
	g_autofree char *erased = NULL;

	g_setenv("TERM", "xterm", true);
	itp_progress_line_init(&progress);
	while (!has_output(&screen, 0) && g_get_monotonic_time() < begin_us + 1000 * PATIENCE_MS) {
		itp_progress_line_update(&progress, "reading x", 30, 100);
	}
	g_assert_cmpint(g_get_monotonic_time() - begin_us, >=, G_USEC_PER_SEC);
	drawn = screen_read(&screen);
	g_assert_true(g_str_has_prefix(drawn, ERASE_LINE "reading x: 30 %, "));
	g_assert_null(strchr(drawn, '\n'));
	itp_progress_line_release(&progress);
	erased = screen_read(&screen);
	g_assert_true(g_str_has_suffix(erased, ERASE_LINE));
	screen_close(&screen);
}

static void test_short_work(void)
{
	struct screen screen = screen_open();
	struct itp_progress_line progress;

	g_setenv("TERM", "xterm", true);
	itp_progress_line_init(&progress);
	itp_progress_line_update(&progress, "reading x", 30, 100);
	itp_progress_line_release(&progress);
	g_assert_false(has_output(&screen, 0));
	screen_close(&screen);
}

static void check_none(struct itp_progress_line *progress)
{
	itp_progress_line_init(progress);
	g_assert_cmpint(progress->terminal, ==, -1);
	itp_progress_line_update(progress, "reading x", 30, 100);
	itp_progress_line_release(progress);
}

static void test_no_terminal(void)
{
	struct screen screen = screen_open();
	struct itp_progress_line progress;
	int pipe_ends[2];

	g_setenv("TERM", "dumb", true);
	check_none(&progress);
	g_setenv("TERM", "xterm", true);
	g_assert_cmpint(pipe(pipe_ends), ==, 0);
	dup2(pipe_ends[1], STDERR_FILENO);
	check_none(&progress);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	screen_close(&screen);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/progress/share, amount, rate and time left", test_text);
	g_test_add_func("/progress/a line after a second, erased at the end", test_long_work);
	g_test_add_func("/progress/short work shows nothing", test_short_work);
	g_test_add_func("/progress/no terminal gets nothing", test_no_terminal);
	return g_test_run();
}
