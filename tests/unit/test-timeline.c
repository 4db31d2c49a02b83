/* SPDX-License-Identifier: MIT */
/* Calls in the order in which they ended, as begins and ends in the order of time. */
#include <errno.h>

#include "common/base/error.h"
#include "common/base/stack-event.h"
#include "common/render/export/timeline.h"

#define PID 7
#define TID 8
#define MANY 10000

struct fixture {
	struct itp_timeline *timeline;
};

static struct itp_timeline *make(int64_t begin_ns, int64_t end_ns)
{
	const struct itp_timeline_options options = {
		.directory = g_get_tmp_dir(),
		.begin_ns = begin_ns,
		.end_ns = end_ns,
	};
	struct itp_timeline *timeline = itp_timeline_new(&options);

	g_assert_nonnull(timeline);
	return timeline;
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->timeline = make(INT64_MIN, INT64_MAX);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	itp_timeline_free(fixture->timeline);
}

static void add_of(struct itp_timeline *timeline, int32_t tid, uint32_t function, uint32_t depth,
		   int64_t begin_ns, int64_t end_ns)
{
	const struct itp_instance instance = {
		.pid = PID,
		.tid = tid,
		.depth = depth,
		.best_begin_ns = begin_ns,
		.best_ns = end_ns - begin_ns,
	};

	g_assert_cmpint(itp_timeline_add(timeline, function, &instance), ==, ITP_OK);
}

static void add(struct itp_timeline *timeline, char function, uint32_t depth, int64_t begin_ns,
		int64_t end_ns)
{
	add_of(timeline, TID, (uint32_t)function, depth, begin_ns, end_ns);
}

/* "A0 B1 b2 a3": begins in upper case, with their times. */
static char *events_text(struct itp_timeline *timeline, guint thread)
{
	GString *text = g_string_new(NULL);
	struct itp_timeline_event event;

	g_assert_cmpint(itp_timeline_open(timeline, thread), ==, ITP_OK);
	while (itp_timeline_next(timeline, &event) > 0) {
		char name = (char)event.call.function;

		g_string_append_printf(text, "%s%c%d", text->len > 0 ? " " : "",
				       event.is_begin ? name : g_ascii_tolower(name),
				       (int)event.time_ns);
	}
	return g_string_free(text, FALSE);
}

static void assert_events(struct itp_timeline *timeline, const char *expected)
{
	g_autofree char *text = NULL;
	g_autofree char *again = NULL;

	itp_timeline_finish(timeline);
	text = events_text(timeline, 0);
	again = events_text(timeline, 0);
	g_assert_cmpstr(text, ==, expected);
	g_assert_cmpstr(again, ==, expected);
}

static void test_nested(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add(fixture->timeline, 'C', 2, 2, 3);
	add(fixture->timeline, 'B', 1, 1, 4);
	add(fixture->timeline, 'D', 1, 5, 6);
	add(fixture->timeline, 'A', 0, 0, 9);
	assert_events(fixture->timeline, "A0 B1 C2 c3 b4 D5 d6 a9");
	g_assert_cmpint(itp_timeline_begin_ns(fixture->timeline), ==, 0);
	g_assert_cmpint(itp_timeline_end_ns(fixture->timeline), ==, 9);
}

static void test_ties(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add(fixture->timeline, 'C', 2, 1, 1);
	add(fixture->timeline, 'B', 1, 1, 4);
	add(fixture->timeline, 'B', 1, 4, 4);
	add(fixture->timeline, 'B', 1, 4, 9);
	add(fixture->timeline, 'A', 0, 1, 9);
	assert_events(fixture->timeline, "A1 B1 C1 c1 b4 B4 b4 B4 b9 a9");
}

static void test_exec(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add(fixture->timeline, 'B', 1, 1, 2);
	add(fixture->timeline, 'A', 0, 0, 3);
	add(fixture->timeline, 'D', 1, 4, 5);
	add(fixture->timeline, 'C', 0, 3, 6);
	assert_events(fixture->timeline, "A0 B1 b2 a3 C3 D4 d5 c6");
	g_assert_cmpint(itp_timeline_thread(fixture->timeline, 0)->process, ==, 'C');
	g_assert_cmpint(itp_timeline_thread(fixture->timeline, 0)->call_count, ==, 4);
}

/* What no inference says, but a file may: children that stick out, callers that are missing. */
static void add_thread(struct itp_timeline *timeline, const char *name, int64_t end_ns)
{
	const struct itp_instance instance = {
		.pid = PID, .tid = TID, .thread_name = name, .best_ns = end_ns
	};

	g_assert_cmpint(itp_timeline_add(timeline, 'A', &instance), ==, ITP_OK);
}

static void test_names(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add_of(fixture->timeline, TID + 1, 'A', 0, 0, 9);
	add_thread(fixture->timeline, "worker 3", 4);
	add_thread(fixture->timeline, "\"x\";y", 9);
	itp_timeline_finish(fixture->timeline);
	g_assert_cmpstr(itp_timeline_thread(fixture->timeline, 0)->name, ==, "\"x\";y");
	g_assert_null(itp_timeline_thread(fixture->timeline, 1)->name);
}

static void test_cut(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add(fixture->timeline, 'B', 1, 2, 12);
	add(fixture->timeline, 'C', 1, 5, 20);
	add(fixture->timeline, 'A', 0, 4, 10);
	add(fixture->timeline, 'D', 9, 11, 12);
	assert_events(fixture->timeline, "A2 B2 b5 C5 c10 a10 D11 d12");
}

static void test_negative(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add(fixture->timeline, 'B', 1, 5, 3);
	add(fixture->timeline, 'A', 0, 0, 9);
	assert_events(fixture->timeline, "A0 a9");
}

static void test_window(void)
{
	struct itp_timeline *timeline = make(3, 6);

	add(timeline, 'B', 1, 1, 3);
	add(timeline, 'C', 1, 3, 5);
	add(timeline, 'D', 1, 5, 8);
	add(timeline, 'E', 1, 8, 9);
	add(timeline, 'A', 0, 0, 9);
	assert_events(timeline, "A3 C3 c5 D5 d6 a6");
	itp_timeline_free(timeline);
}

static void test_threads(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *first = NULL;
	g_autofree char *second = NULL;

	(void)data;
	add_of(fixture->timeline, 12, 'C', 1, 2, 3);
	add_of(fixture->timeline, 11, 'B', 1, 1, 4);
	add_of(fixture->timeline, 12, 'A', 0, 0, 5);
	itp_timeline_finish(fixture->timeline);
	g_assert_cmpint(itp_timeline_thread_count(fixture->timeline), ==, 2);
	first = events_text(fixture->timeline, 0);
	second = events_text(fixture->timeline, 1);
	g_assert_cmpstr(first, ==, "B1 b4");
	g_assert_cmpstr(second, ==, "A0 C2 c3 a5");
}

static void test_empty(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	itp_timeline_finish(fixture->timeline);
	g_assert_cmpint(itp_timeline_thread_count(fixture->timeline), ==, 0);
	g_assert_cmpint(itp_timeline_begin_ns(fixture->timeline), ==, 0);
	g_assert_cmpint(itp_timeline_end_ns(fixture->timeline), ==, 0);
}

/* More than blocks and buffers hold, in several threads at once. */
static void test_many(struct fixture *fixture, gconstpointer data)
{
	struct itp_timeline_event event;

	(void)data;
	for (int64_t i = 0; i < MANY; i++) {
		for (int32_t tid = 1; tid <= 3; tid++) {
			add_of(fixture->timeline, tid, (uint32_t)i, 1, 2 * i, 2 * i + 1);
		}
	}
	itp_timeline_finish(fixture->timeline);
	for (guint thread = 0; thread < 3; thread++) {
		int64_t expected = 0;

		g_assert_cmpint(itp_timeline_open(fixture->timeline, thread), ==, ITP_OK);
		while (itp_timeline_next(fixture->timeline, &event) > 0) {
			g_assert_cmpint(event.time_ns, ==, expected);
			g_assert_cmpint(event.is_begin, ==, expected % 2 == 0);
			g_assert_cmpint(event.call.function, ==, expected / 2);
			expected++;
		}
		g_assert_cmpint(expected, ==, 2 * MANY);
	}
}

static void test_limit(struct fixture *fixture, gconstpointer data)
{
	const struct itp_instance instance = { .depth = ITP_MAX_STACK_DEPTH + 3 };

	(void)data;
	g_assert_cmpint(itp_timeline_add(fixture->timeline, 0, &instance), ==, ITP_ERROR_LIMIT);
}

static void test_no_directory(void)
{
	const struct itp_timeline_options options = { .directory = "/nowhere" };

	g_assert_null(itp_timeline_new(&options));
	g_assert_cmpint(errno, ==, ENOENT);
}

#define ADD(path, function) \
	g_test_add("/timeline/" path, struct fixture, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	ADD("what a call calls lies in between its begin and its end", test_nested);
	ADD("events of one instant nest as the calls do", test_ties);
	ADD("an exec begins another process in the same thread", test_exec);
	ADD("threads have the names that they had last", test_names);
	ADD("what sticks out of its caller is cut", test_cut);
	ADD("a call that ends before it begins is left out", test_negative);
	g_test_add_func("/timeline/a window cuts calls", test_window);
	ADD("threads are apart, in the order of their numbers", test_threads);
	ADD("there may be no call", test_empty);
	ADD("there may be many calls of many threads", test_many);
	ADD("a call that is too deep is refused", test_limit);
	g_test_add_func("/timeline/a directory that is not there is an error", test_no_directory);
	return g_test_run();
}
