/* SPDX-License-Identifier: MIT */
/*
 * What is drawn on a screen, as much of it as a terminal made for the test holds.
 */
#include "terminal/screen.h"

#include <pty.h>
#include <unistd.h>

#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"

/* The frame of a terminal of this size. Owned by the caller. */
static char *draw(unsigned short rows, unsigned short columns, const char *text)
{
	const struct winsize size = { .ws_row = rows, .ws_col = columns };
	int before = dup(STDOUT_FILENO);
	int master;
	int slave;
	GString *frame;

	g_assert_cmpint(openpty(&master, &slave, NULL, NULL, &size), ==, 0);
	dup2(slave, STDOUT_FILENO);
	frame = itp_screen_frame(text);
	dup2(before, STDOUT_FILENO);
	close(before);
	close(slave);
	close(master);
	return g_string_free(frame, FALSE);
}

static void check(unsigned short rows, unsigned short columns, const char *text, const char *wanted)
{
	g_autofree char *frame = draw(rows, columns, text);

	g_assert_cmpstr(frame, ==, wanted);
}

static void test_fits(void)
{
	check(5, 20, "one\ntwo\n", HOME "one" CLEAR_LINE "\ntwo" CLEAR_LINE "\n" CLEAR_BELOW);
	check(5, 20, "", HOME "\n" CLEAR_BELOW);
}

static void test_lines(void)
{
	check(2, 20, "one\ntwo\nthree\n", HOME "one" CLEAR_LINE "\ntwo" CLEAR_LINE);
}

/* What stands in the last column is not to be cleared. */
static void test_columns(void)
{
	check(1, 4, "four\n", HOME "four");
	check(1, 4, "fives\n", HOME "five");
}

static void test_sequences(void)
{
	check(1, 4, "a\033[1;33mbcdef\033[m\n", HOME "a\033[1;33mbcd\033[m");
	check(1, 4, "a\033[", HOME "a\033[" CLEAR_LINE);
}

/* Half of a wide character cannot be shown. */
static void test_characters(void)
{
	check(1, 4, "aé›–b\n", HOME "aé›–");
	check(1, 4, "a漢字b\n", HOME "a漢");
	check(1, 4, "e\xcc\x81xyz\n", HOME "e\xcc\x81xyz");
	check(1, 4, "\xff\n", HOME "\xef\xbf\xbd" CLEAR_LINE);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/screen/what fits is drawn, and the rest cleared", test_fits);
	g_test_add_func("/screen/lines that do not fit are left out", test_lines);
	g_test_add_func("/screen/lines are cut at the last column", test_columns);
	g_test_add_func("/screen/escape sequences take no column, and all are there",
			test_sequences);
	g_test_add_func("/screen/characters take as many columns as they are wide",
			test_characters);
	return g_test_run();
}
