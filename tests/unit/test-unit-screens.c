/* SPDX-License-Identifier: MIT */
/* Units of programs with a screen, whose calls are written down: a key lasts until its drawing. */
#include "tests/unit/unit-program.h"

#define SCREEN 11
#define NOTES 12
#define READING 1
#define DRAWING 2
/* A thread of which nothing else is known. */
#define STRANGER 9
#define MS INT64_C(1000000)

static void open_screen(struct program *program)
{
	make(program, "p open", "connect", 0, 1, 0, SCREEN, 0);
	make(program, "p open", "eventfd2", 2, 3, 0, 0, NOTES);
}

/* The loop waits for a time at most. */
static void wait_at_most(struct program *program, int32_t timeout_ms, int64_t begin_ns,
			 int64_t end_ns, int64_t found)
{
	program->third_word = (uint64_t)timeout_ms;
	make(program, "p main wait", "poll", begin_ns, end_ns,
	     timeout_ms == 0 ? 0 : end_ns - begin_ns, 0x2000, found);
	program->third_word = 0;
}

static void assert_ends(struct program *program, int64_t begin_ns, int64_t end_ns)
{
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		if (unit->begin_ns == begin_ns) {
			g_assert_cmpint(unit->end_ns - begin_ns, ==, end_ns - begin_ns);
			return;
		}
	}
	g_test_message("no unit begins at %" G_GINT64_FORMAT, begin_ns);
	g_test_fail();
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

/* A thread reads of the screen, and leaves a note to the drawing thread. */
static void read_of_screen(struct program *program, int64_t begin_ns, int64_t end_ns)
{
	program->tid = READING;
	program->waker = STRANGER;
	program->third_word = (uint64_t)-1;
	make(program, "p read wait", "poll", begin_ns, end_ns, end_ns - begin_ns, 0x2000, 1);
	make(program, "p read take", "recvmsg", end_ns + 1, end_ns + 2, 0, SCREEN, 32);
	make(program, "p read note", "write", end_ns + 3, end_ns + 4, 0, NOTES, 8);
	program->tid = DRAWING;
	program->waker = READING;
}

/* The drawing thread puts the drawing off by a note to itself. The server of the screen confirms a
 * change, and the reader leaves a note as well. */
static void test_a_note_to_oneself(struct program *program)
{
	open_screen(program);
	for (int64_t at = 100; at < 500; at += 100) {
		read_of_screen(program, at - 80, at);
		make(program, "p draw wait", "poll", at - 45, at + 6, 51, 0x2000, 1);
		make(program, "p draw take", "read", at + 7, at + 8, 0, NOTES, 8);
		make(program, "p draw tell", "writev", at + 10, at + 11, 0, SCREEN, 28);
		make(program, "p draw note", "write", at + 12, at + 13, 0, NOTES, 8);
		read_of_screen(program, at + 5, at + 14);
		make(program, "p draw wait", "poll", at + 20, at + 21, 0, 0x2000, 1);
		make(program, "p draw take", "read", at + 22, at + 23, 0, NOTES, 8);
		make(program, "p draw show", "writev", at + 40, at + 41, 0, SCREEN, 800);
	}
	assert_drawn(program, 3, 0, 41);
}

/* A key comes, of which the server of the screen is told. */
static void take_key(struct program *program, int64_t at)
{
	wait_at_most(program, -1, at - 40 * MS, at, 1);
	make(program, "p main take", "recvmsg", at + 10, at + 20, 0, SCREEN, 120);
	make(program, "p main tell", "writev", at + 30, at + 40, 0, SCREEN, 28);
}

/* The server confirms a change, while a timer is due within a time; drawing comes 30 ms behind the
 * key. */
static void draw_behind_news(struct program *program, int64_t at_ms, int32_t timeout_ms,
			     bool has_effect)
{
	const int64_t at = at_ms * MS;

	take_key(program, at);
	wait_at_most(program, timeout_ms, at + 50, at + 75, 1);
	make(program, "p main take", "recvmsg", at + 80, at + 90, 0, SCREEN, 32);
	if (has_effect) {
		make(program, "p main tell", "writev", at + 92, at + 94, 0, SCREEN, 28);
	}
	wait_at_most(program, 15, at + 100, at + 15 * MS, 0);
	wait_at_most(program, 15, at + 15 * MS + 10, at + 30 * MS, 0);
	make(program, "p main draw", "writev", at + 30 * MS + 10, at + 30 * MS + 20, 0, SCREEN,
	     800);
}

/* News without an effect is no end of a key before the key's frame: due within three frames of
 * sixty a second, 50 ms. News with an answer is work of its own. */
static void test_news_before_a_frame(struct program *program)
{
	open_screen(program);
	draw_behind_news(program, 1000, 15, false);
	draw_behind_news(program, 2000, 50, false);
	draw_behind_news(program, 3000, 51, false);
	draw_behind_news(program, 4000, 15, true);
	draw_behind_news(program, 5000, 15, false);
	wait_at_most(program, -1, 5100 * MS, 5200 * MS, 1);
	itp_unit_finder_finish(program->finder);
	assert_ends(program, 1000 * MS, 1030 * MS + 20);
	assert_ends(program, 2000 * MS, 2030 * MS + 20);
	assert_ends(program, 3000 * MS, 3000 * MS + 40);
	assert_ends(program, 4000 * MS, 4000 * MS + 40);
	assert_ends(program, 4000 * MS + 75, 4030 * MS + 20);
}

/* The loop looks for more before the drawing, and finds its own note behind the drawing: a later
 * frame is no part of the key. */
static void draw_twice(struct program *program, int64_t at)
{
	take_key(program, at);
	wait_at_most(program, 0, at + 50, at + 60, 0);
	make(program, "p main note", "write", at + 70, at + 80, 0, NOTES, 8);
	make(program, "p main draw", "writev", at + 90, at + 100, 0, SCREEN, 800);
	wait_at_most(program, 0, at + 110, at + 120, 1);
	make(program, "p main take", "read", at + 130, at + 140, 0, NOTES, 8);
	wait_at_most(program, 10, at + 150, at + 10 * MS, 0);
	make(program, "p main draw", "writev", at + 10 * MS + 10, at + 10 * MS + 20, 0, SCREEN,
	     800);
}

static void test_a_key_is_drawn_once(struct program *program)
{
	open_screen(program);
	for (int64_t i = 1; i < 6; i++) {
		draw_twice(program, i * 1000 * MS);
	}
	itp_unit_finder_finish(program->finder);
	assert_ends(program, 2000 * MS, 2000 * MS + 100);
	assert_ends(program, 3000 * MS, 3000 * MS + 100);
}

/* Likewise of a key of which the server is told nothing before the drawing. */
static void draw_first(struct program *program, int64_t at)
{
	wait_at_most(program, -1, at - 40 * MS, at, 1);
	make(program, "p main take", "recvmsg", at + 10, at + 20, 0, SCREEN, 120);
	wait_at_most(program, 0, at + 50, at + 60, 0);
	make(program, "p main draw", "writev", at + 90, at + 100, 0, SCREEN, 800);
	wait_at_most(program, 15, at + 150, at + 15 * MS, 0);
	make(program, "p main draw", "writev", at + 15 * MS + 10, at + 15 * MS + 20, 0, SCREEN,
	     800);
}

static void test_a_key_is_drawn_first(struct program *program)
{
	open_screen(program);
	for (int64_t i = 1; i < 6; i++) {
		draw_first(program, i * 1000 * MS);
	}
	itp_unit_finder_finish(program->finder);
	assert_ends(program, 2000 * MS, 2000 * MS + 100);
	assert_ends(program, 3000 * MS, 3000 * MS + 100);
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

/* A key is let go behind its drawing, while the loop waits for a time at most, and the server of
 * the screen is told nothing. A later frame is drawn in any case. */
static void let_go(struct program *program, int64_t at_ms, int32_t timeout_ms)
{
	const int64_t at = at_ms * MS;

	take_key(program, at);
	wait_at_most(program, 15, at + 50, at + 15 * MS, 0);
	make(program, "p main draw", "writev", at + 15 * MS + 10, at + 15 * MS + 20, 0, SCREEN,
	     800);
	wait_at_most(program, timeout_ms, at + 16 * MS, at + 20 * MS, 1);
	make(program, "p main take", "recvmsg", at + 20 * MS + 10, at + 20 * MS + 20, 0, SCREEN,
	     120);
	wait_at_most(program, 15, at + 20 * MS + 30, at + 35 * MS, 0);
	make(program, "p main draw", "writev", at + 35 * MS + 10, at + 35 * MS + 20, 0, SCREEN,
	     800);
	wait_at_most(program, 15, at + 36 * MS, at + 51 * MS, 0);
}

/* A frame due already within three frames, 50 ms, is nobody's answer. */
static void test_frames_go_on(struct program *program)
{
	open_screen(program);
	let_go(program, 1000, 50);
	let_go(program, 2000, 51);
	let_go(program, 3000, 50);
	take_key(program, 4000 * MS);
	itp_unit_finder_finish(program->finder);
	assert_ends(program, 1000 * MS, 1015 * MS + 20);
	assert_ends(program, 1020 * MS, 1020 * MS + 30);
	assert_ends(program, 2020 * MS, 2035 * MS + 20);
	assert_ends(program, 3020 * MS, 3020 * MS + 30);
}

/* A key is read along with a reply, while a frame is drawn, and taken in the next round. */
static void take_key_of_reply(struct program *program, int64_t at)
{
	wait_at_most(program, 15, at - 15 * MS, at - MS, 0);
	make(program, "p main note", "write", at - 100, at - 90, 0, NOTES, 8);
	make(program, "p main draw", "writev", at - 80, at - 70, 0, SCREEN, 800);
	make(program, "p main hear", "recvmsg", at - 60, at - 50, 0, SCREEN, 152);
	wait_at_most(program, 0, at - 10, at, 1);
	make(program, "p main clear", "read", at + 10, at + 20, 0, NOTES, 8);
	make(program, "p main tell", "writev", at + 30, at + 40, 0, SCREEN, 28);
	wait_at_most(program, 14, at + 50, at + 14 * MS, 0);
	make(program, "p main draw", "writev", at + 14 * MS + 10, at + 14 * MS + 20, 0, SCREEN,
	     800);
	wait_at_most(program, 1000, at + 15 * MS, at + 60 * MS, 1);
}

/* Frames of an animation, each of which is noted by the thread for itself. */
static void test_frames_are_single(struct program *program)
{
	open_screen(program);
	draw_twice(program, 1000 * MS);
	draw_twice(program, 2000 * MS);
	for (int64_t at = 3000 * MS; at < 3100 * MS; at += 16 * MS) {
		wait_at_most(program, 15, at - 15 * MS, at, 0);
		make(program, "p main note", "write", at + 10, at + 20, 0, NOTES, 8);
		make(program, "p main draw", "writev", at + 30, at + 40, 0, SCREEN, 800);
		wait_at_most(program, 0, at + 50, at + 60, 1);
		make(program, "p main clear", "read", at + 70, at + 80, 0, NOTES, 8);
	}
	itp_unit_finder_finish(program->finder);
	assert_ends(program, 3016 * MS, 3016 * MS + 50);
	assert_ends(program, 3032 * MS, 3032 * MS + 50);
}

static void test_a_key_comes_with_a_reply(struct program *program)
{
	open_screen(program);
	draw_twice(program, 1000 * MS);
	draw_twice(program, 2000 * MS);
	for (int64_t i = 3; i < 6; i++) {
		take_key_of_reply(program, i * 1000 * MS);
	}
	itp_unit_finder_finish(program->finder);
	assert_ends(program, 3000 * MS, 3014 * MS + 20);
	assert_ends(program, 4000 * MS, 4014 * MS + 20);
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/screens/a thread puts its drawing off by a note to itself",
		  test_a_note_to_oneself },
		{ "/screens/news that changes nothing comes before a frame",
		  test_news_before_a_frame },
		{ "/screens/a key is there since the reader was told of it",
		  test_a_reader_waits_on },
		{ "/screens/frames that were due anyway are nobody's", test_frames_go_on },
		{ "/screens/frames of an animation are apart", test_frames_are_single },
		{ "/screens/a key comes along with a reply", test_a_key_comes_with_a_reply },
		{ "/screens/a key is drawn once", test_a_key_is_drawn_once },
		{ "/screens/a key is drawn with the first frame", test_a_key_is_drawn_first },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
