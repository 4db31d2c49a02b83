/* SPDX-License-Identifier: MIT */
/* Units of programs with a screen, whose calls are written down: a key lasts until its drawing. */
#include "tests/unit/unit-program.h"

#define SCREEN 11
#define NOTES 12
#define READING 1
#define DRAWING 2
/* A thread of which nothing else is known. */
#define STRANGER 9

static void open_screen(struct program *program)
{
	make(program, "p open", "connect", 0, 1, 0, SCREEN, 0);
	make(program, "p open", "eventfd2", 2, 3, 0, 0, NOTES);
}

/* Units of the drawing thread: their number, and their begins and ends behind a hundred. */
static void assert_drawn(struct program *program, guint wanted, int64_t begin_ns, int64_t end_ns)
{
	guint count = 0;

	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		if (unit->tid == DRAWING) {
			g_assert_cmpint(unit->begin_ns % 100, ==, begin_ns);
			g_assert_cmpint(unit->end_ns % 100, ==, end_ns);
			count++;
		}
	}
	g_assert_cmpuint(count, ==, wanted);
}

/* A thread reads of the screen. A key is noted for the drawing thread. Behind a reply, the reading
 * function waits again. */
static void fetch(struct program *program, int64_t begin_ns, int64_t end_ns, bool is_key)
{
	program->tid = READING;
	program->third_word = (uint64_t)-1;
	wait_until_signalled(program, begin_ns, end_ns, STRANGER);
	call_on(program, "p read fetch syscall:poll", begin_ns, end_ns, end_ns - begin_ns, 0x2000,
		1);
	program->third_word = 0;
	call_on(program, "p read fetch syscall:recvmsg", end_ns + 1, end_ns + 2, 0, SCREEN, 32);
	if (is_key) {
		call(program, "p read fetch", begin_ns, end_ns + 3, 0);
		make(program, "p read note", "write", end_ns + 3, end_ns + 4, 0, NOTES, 8);
	}
	program->tid = DRAWING;
	program->waker = READING;
}

/* The unit of the reader has begun with a reply to the key before. The key is there since the
 * reader was told of the key itself. */
static void test_a_reader_waits_on(struct program *program)
{
	open_screen(program);
	for (int64_t at = 100; at < 500; at += 100) {
		fetch(program, at - 85, at, true);
		make(program, "p draw wait", "poll", at - 45, at + 6, 51, 0x2000, 1);
		make(program, "p draw take", "read", at + 7, at + 8, 0, NOTES, 8);
		make(program, "p draw ask", "writev", at + 10, at + 11, 0, SCREEN, 28);
		fetch(program, at + 5, at + 14, false);
		make(program, "p draw show", "writev", at + 40, at + 41, 0, SCREEN, 800);
	}
	assert_drawn(program, 3, 0, 41);
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/screens/a key is there since the reader was told of it",
		  test_a_reader_waits_on },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
