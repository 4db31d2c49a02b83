/* SPDX-License-Identifier: MIT */
/*
 * libintroperf as a program sees it: numbers that were computed by hand, and what is refused.
 */
#include "library/introperf.h"

#include <glib.h>

#define MS INT64_C(1000000)

struct fixture {
	struct introperf *introperf;
	struct introperf_run *base;
	struct introperf_run *suspect;
	struct introperf_ranking *ranking;
	uint32_t main;
	uint32_t work;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->introperf = introperf_new();
	fixture->base = introperf_run_new(fixture->introperf, "good", INTROPERF_BASE);
	fixture->suspect = introperf_run_new(fixture->introperf, "slow", INTROPERF_SUSPECT);
	fixture->main = introperf_function(fixture->introperf, "main", "shop", INTROPERF_USER);
	fixture->work = introperf_function(fixture->introperf, "work", "shop", INTROPERF_USER);
	fixture->ranking = NULL;
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	introperf_ranking_free(fixture->ranking);
	introperf_free(fixture->introperf);
}

/* The innermost of `frames` is the last that is not INTROPERF_UNKNOWN. */
static int feed(struct introperf_run *run, enum introperf_kind kind, int64_t time_ns,
		int64_t argument, uint32_t outer, uint32_t inner)
{
	const struct introperf_frame frames[] = { { .function = outer }, { .function = inner } };
	const struct introperf_event event = {
		.kind = kind,
		.time_ns = time_ns,
		.pid = 7,
		.tid = 7,
		.name = "shop",
		.argument = argument,
		.frames = frames,
		.frame_count = (outer != INTROPERF_UNKNOWN) + (inner != INTROPERF_UNKNOWN),
	};

	return introperf_run_feed(run, &event);
}

/* A call of `function` from `begin_ms` to `end_ms`. */
static void enter(struct introperf_run *run, uint32_t function, int64_t ms)
{
	g_assert_cmpint(feed(run, INTROPERF_ENTRY, ms * MS, 0, function, 0), ==, 0);
}

static void leave(struct introperf_run *run, uint32_t function, int64_t ms)
{
	g_assert_cmpint(feed(run, INTROPERF_EXIT, ms * MS, 0, function, 0), ==, 0);
}

/* main, which takes 80 ms by itself, calls work twice, each time for `each_ms`. */
static void trace(const struct fixture *fixture, struct introperf_run *run, int64_t each_ms)
{
	enter(run, fixture->main, 0);
	enter(run, fixture->work, 10);
	leave(run, fixture->work, 10 + each_ms);
	enter(run, fixture->work, 40 + each_ms);
	leave(run, fixture->work, 40 + 2 * each_ms);
	leave(run, fixture->main, 80 + 2 * each_ms);
}

static void rank(struct fixture *fixture, size_t top)
{
	g_assert_cmpint(introperf_run_finish(fixture->base), ==, 0);
	g_assert_cmpint(introperf_run_finish(fixture->suspect), ==, 0);
	g_assert_cmpint(introperf_rank(fixture->introperf, top, &fixture->ranking), ==, 0);
}

/* The suspect's calls of work take 30 ms each, the base's 10: work costs 40 ms more. */
static void test_exact(struct fixture *fixture, gconstpointer data)
{
	struct introperf_entry entry;
	struct introperf_place place;

	(void)data;
	trace(fixture, fixture->base, 10);
	trace(fixture, fixture->suspect, 30);
	rank(fixture, 1);
	g_assert_cmpuint(introperf_ranking_size(fixture->ranking), ==, 1);
	g_assert_cmpint(introperf_ranking_entry(fixture->ranking, 0, &entry), ==, 0);
	g_assert_cmpint(entry.cost_ns, ==, 40 * MS);
	g_assert_cmpint(entry.suspect_ns, ==, 60 * MS);
	g_assert_cmpint(entry.base_ns, ==, 20 * MS);
	g_assert_cmpuint(entry.calls, ==, 2);
	g_assert_cmpuint(entry.base_calls, ==, 2);
	g_assert_cmpstr(entry.process, ==, "shop");
	g_assert_cmpuint(entry.frame_count, ==, 2);
	g_assert_cmpint(entry.culprit, ==, 1);
	g_assert_cmpint(introperf_ranking_place(fixture->ranking, 0, 0, &place), ==, 0);
	g_assert_cmpstr(place.function, ==, "main");
	g_assert_cmpstr(place.module, ==, "shop");
	g_assert_cmpint(place.total_ns, ==, 140 * MS);
	g_assert_cmpint(place.own_ns, ==, 80 * MS);
	g_assert_cmpint(place.base_own_ns, ==, 80 * MS);
	g_assert_cmpuint(place.calls, ==, 1);
	g_assert_cmpint(introperf_ranking_place(fixture->ranking, 0, 1, &place), ==, 0);
	g_assert_cmpstr(place.function, ==, "work");
	g_assert_cmpint(place.own_ns, ==, 60 * MS);
	g_assert_cmpint(place.base_total_ns, ==, 20 * MS);
	g_assert_cmpuint(place.base_calls, ==, 2);
}

/* Two good runs, of 5 and 15 ms each call: what a run of theirs costs is between. */
static void test_runs(struct fixture *fixture, gconstpointer data)
{
	struct introperf_run *other =
		introperf_run_new(fixture->introperf, "good too", INTROPERF_BASE);
	struct introperf_entry entry;

	(void)data;
	trace(fixture, fixture->base, 5);
	trace(fixture, other, 15);
	trace(fixture, fixture->suspect, 30);
	g_assert_cmpint(introperf_run_finish(other), ==, 0);
	rank(fixture, 1);
	g_assert_cmpint(introperf_ranking_entry(fixture->ranking, 0, &entry), ==, 0);
	g_assert_cmpint(entry.base_ns, ==, 20 * MS);
	g_assert_cmpint(entry.cost_ns, ==, 40 * MS);
}

/* It leaves the CPU in work at 10 ms, is woken at 38 by thread 9 and comes back at 40. */
static void test_wait(struct fixture *fixture, gconstpointer data)
{
	struct introperf_run *run = fixture->suspect;
	struct introperf_entry entry;

	(void)data;
	feed(run, INTROPERF_SAMPLE, 0, 0, fixture->main, fixture->work);
	feed(run, INTROPERF_SWITCH_IN, 0, 0, 0, 0);
	feed(run, INTROPERF_SWITCH_OUT, 10 * MS, 1, fixture->main, fixture->work);
	feed(run, INTROPERF_WAKEUP, 38 * MS, 9, fixture->main, 0);
	feed(run, INTROPERF_SWITCH_IN, 40 * MS, 0, 0, 0);
	feed(run, INTROPERF_SAMPLE, 50 * MS, 0, fixture->main, fixture->work);
	rank(fixture, 0);
	g_assert_cmpint(introperf_ranking_entry(fixture->ranking, 0, &entry), ==, 0);
	g_assert_cmpint(entry.suspect_ns, ==, 50 * MS);
	g_assert_cmpint(entry.blocked_ns, ==, 28 * MS);
	g_assert_cmpint(entry.cpu_ns, ==, 20 * MS);
	g_assert_cmpint(entry.is_noise, ==, 0);
}

/* Three ticks of 1 ms, in two seconds of which nobody knows more; and against them, a base in which
 * work has one such tick and 80 ms of waiting. */
static void test_ticks(struct fixture *fixture, gconstpointer data)
{
	struct introperf_entry entry;

	(void)data;
	feed(fixture->suspect, INTROPERF_SAMPLE, 0, MS, fixture->main, fixture->work);
	feed(fixture->suspect, INTROPERF_SAMPLE, 2000 * MS, MS, fixture->main, fixture->work);
	feed(fixture->suspect, INTROPERF_SAMPLE, 2001 * MS, MS, fixture->main, fixture->work);
	feed(fixture->base, INTROPERF_SAMPLE, 0, MS, fixture->main, fixture->work);
	feed(fixture->base, INTROPERF_SWITCH_IN, 0, 0, 0, 0);
	feed(fixture->base, INTROPERF_SWITCH_OUT, 1 * MS, 1, fixture->main, fixture->work);
	feed(fixture->base, INTROPERF_SWITCH_IN, 81 * MS, 0, 0, 0);
	rank(fixture, 0);
	g_assert_cmpint(introperf_ranking_entry(fixture->ranking, 0, &entry), ==, 0);
	g_assert_cmpint(entry.suspect_ns, ==, 3 * MS);
	g_assert_cmpint(entry.base_ns, ==, 1 * MS);
	g_assert_cmpint(entry.blocked_ns, ==, 0);
	g_assert_cmpuint(entry.calls, ==, 0);
}

/* Calls of one function from two places are two calls; from one place they are one. */
static void test_call_sites(struct fixture *fixture, gconstpointer data)
{
	struct introperf_frame frames[] = { { 0x10, fixture->main }, { 0x99, fixture->work } };
	struct introperf_event event = { .kind = INTROPERF_SAMPLE,
					 .pid = 7,
					 .tid = 7,
					 .frames = frames,
					 .frame_count = G_N_ELEMENTS(frames) };
	struct introperf_place place;

	(void)data;
	for (int i = 0; i < 4; i++) {
		event.time_ns = i * MS;
		frames[0].address = i < 2 ? 0x10 : 0x20;
		g_assert_cmpint(introperf_run_feed(fixture->suspect, &event), ==, 0);
	}
	rank(fixture, 0);
	g_assert_cmpint(introperf_ranking_place(fixture->ranking, 0, 1, &place), ==, 0);
	g_assert_cmpuint(place.calls, ==, 2);
}

/* By what is refused, nothing changes. */
static void test_folded(struct fixture *fixture, gconstpointer data)
{
	const struct introperf_event sample = {
		.kind = INTROPERF_SAMPLE, .pid = 7, .tid = 7, .name = "shop"
	};
	struct introperf_event later = sample;
	struct introperf_place place;
	struct introperf_entry entry;

	(void)data;
	g_assert_cmpint(introperf_run_feed_folded(fixture->suspect, &sample, "shop", "main;work"),
			==, 0);
	later.time_ns = 10 * MS;
	g_assert_cmpint(introperf_run_feed_folded(fixture->suspect, &later, "shop", ";main;;work"),
			==, 0);
	g_assert_cmpint(introperf_run_feed_folded(fixture->suspect, &sample, "shop", "main"), ==,
			INTROPERF_ERROR_TIME_ORDER);
	introperf_run_finish(fixture->base);
	introperf_run_finish(fixture->suspect);
	g_assert_cmpint(introperf_rank(fixture->introperf, 0, &fixture->ranking), ==, 0);
	g_assert_cmpuint(introperf_ranking_size(fixture->ranking), ==, 1);
	introperf_ranking_entry(fixture->ranking, 0, &entry);
	g_assert_cmpuint(entry.frame_count, ==, 2);
	g_assert_cmpuint(entry.calls, ==, 1);
	g_assert_cmpint(entry.cost_ns, ==, 10 * MS);
	introperf_ranking_place(fixture->ranking, 0, 1, &place);
	g_assert_cmpstr(place.function, ==, "work");
	g_assert_cmpstr(place.module, ==, "shop");
}

static void test_refused(struct fixture *fixture, gconstpointer data)
{
	static const struct introperf_frame deep[INTROPERF_MAX_DEPTH + 1];
	const struct introperf_event too_deep = { .kind = INTROPERF_SAMPLE,
						  .time_ns = 10 * MS,
						  .frames = deep,
						  .frame_count = G_N_ELEMENTS(deep) };
	struct introperf_run *run = fixture->suspect;

	(void)data;
	g_assert_cmpint(feed(run, INTROPERF_SAMPLE, 10 * MS, 0, fixture->main, 0), ==, 0);
	g_assert_cmpint(feed(run, INTROPERF_SAMPLE, 9 * MS, 0, fixture->main, 0), ==,
			INTROPERF_ERROR_TIME_ORDER);
	g_assert_cmpint(feed(run, INTROPERF_SAMPLE, 10 * MS, 0, 4000, 0), ==,
			INTROPERF_ERROR_UNKNOWN_FUNCTION);
	g_assert_cmpint(
		feed(run, (enum introperf_kind)(INTROPERF_END + 1), 10 * MS, 0, fixture->main, 0),
		==, INTROPERF_ERROR_UNKNOWN_KIND);
	g_assert_cmpint(introperf_run_feed(run, &too_deep), ==, INTROPERF_ERROR_LIMIT);
	g_assert_cmpint(introperf_rank(fixture->introperf, 0, &fixture->ranking), ==,
			INTROPERF_ERROR_UNFINISHED);
	g_assert_null(fixture->ranking);
	rank(fixture, 0);
	g_assert_cmpint(introperf_run_finish(run), ==, INTROPERF_ERROR_FINISHED);
	g_assert_cmpint(feed(run, INTROPERF_SAMPLE, 20 * MS, 0, fixture->main, 0), ==,
			INTROPERF_ERROR_FINISHED);
}

/* A call of 1 ms every 2 ms, of which the program knows the name or not. */
static void feed_calls(const struct fixture *fixture, struct introperf_run *run, uint32_t callee)
{
	const struct introperf_frame frames[] = { { 0x10, fixture->main },
						  { 0x20, fixture->work } };
	struct introperf_event event = {
		.pid = 7, .tid = 7, .name = "shop", .callee = callee, .frames = frames
	};

	for (int i = 0; i < 20; i++) {
		event.kind = i % 2 ? INTROPERF_SYSCALL_EXIT : INTROPERF_SYSCALL_ENTER;
		event.time_ns = i * MS;
		event.frame_count = G_N_ELEMENTS(frames);
		g_assert_cmpint(introperf_run_feed(run, &event), ==, 0);
	}
}

static void test_calls(struct fixture *fixture, gconstpointer data)
{
	const uint32_t call =
		introperf_function(fixture->introperf, "read", NULL, INTROPERF_SYSCALL);
	const struct introperf_event wrong = { .kind = INTROPERF_SYSCALL_ENTER,
					       .time_ns = 19 * MS,
					       .pid = 7,
					       .tid = 7,
					       .callee = fixture->work };
	struct introperf_place place;

	feed_calls(fixture, fixture->suspect, GPOINTER_TO_INT(data) ? call : INTROPERF_UNKNOWN);
	g_assert_cmpint(introperf_run_feed(fixture->suspect, &wrong), ==,
			INTROPERF_ERROR_NO_SYSTEM_CALL);
	rank(fixture, 0);
	g_assert_cmpint(introperf_ranking_place(fixture->ranking, 0, 0, &place), ==, 0);
	g_assert_cmpint(place.total_ns, ==, 19 * MS);
	g_assert_cmpint(introperf_ranking_place(fixture->ranking, 0, 1, &place), ==, 0);
	g_assert_cmpstr(place.function, ==, "work");
	g_assert_cmpint(place.total_ns, ==, 19 * MS);
	if (!data) {
		g_assert_cmpint(place.own_ns, ==, 19 * MS);
		g_assert_cmpint(introperf_ranking_place(fixture->ranking, 0, 2, &place), ==,
				INTROPERF_ERROR_NO_SUCH);
		return;
	}
	g_assert_cmpint(introperf_ranking_place(fixture->ranking, 0, 2, &place), ==, 0);
	g_assert_cmpstr(place.function, ==, "syscall:read");
	g_assert_cmpint(place.own_ns, ==, 10 * MS);
	g_assert_cmpuint(place.calls, ==, 10);
}

static void test_nothing(struct fixture *fixture, gconstpointer data)
{
	struct introperf_entry entry = { .cost_ns = 1 };
	struct introperf_place place = { .calls = 1 };

	(void)data;
	g_assert_cmpint(introperf_run_finish(fixture->base), ==, 0);
	g_assert_cmpint(introperf_run_finish(fixture->suspect), ==, 0);
	g_assert_cmpint(introperf_rank(fixture->introperf, 0, &fixture->ranking), ==,
			INTROPERF_ERROR_NO_SUSPECT);
	fixture->suspect = introperf_run_new(fixture->introperf, "more", INTROPERF_SUSPECT);
	trace(fixture, fixture->suspect, 1);
	g_assert_cmpint(introperf_run_finish(fixture->suspect), ==, 0);
	g_assert_cmpint(introperf_rank(fixture->introperf, 0, &fixture->ranking), ==, 0);
	g_assert_cmpint(introperf_ranking_entry(fixture->ranking, 9, &entry), ==,
			INTROPERF_ERROR_NO_SUCH);
	g_assert_cmpint(introperf_ranking_place(fixture->ranking, 0, 9, &place), ==,
			INTROPERF_ERROR_NO_SUCH);
	g_assert_cmpint(entry.cost_ns, ==, 1);
	g_assert_cmpuint(place.calls, ==, 1);
}

/* `count` samples of main, which stands in one of four functions that it calls, itself among them.
 */
static void feed_random(const struct fixture *fixture, struct introperf_run *run, GRand *random,
			size_t count)
{
	uint32_t functions[] = {
		fixture->main, fixture->work,
		introperf_function(fixture->introperf, "a", "shop", INTROPERF_USER),
		introperf_function(fixture->introperf, "b", NULL, INTROPERF_USER)
	};

	for (size_t i = 0; i < count; i++) {
		uint32_t inner = functions[g_rand_int_range(random, 0, 4)];

		g_assert_cmpint(
			feed(run, INTROPERF_SAMPLE, (int64_t)i * MS, 0, fixture->main, inner), ==,
			0);
	}
}

static void check_entry(const struct introperf_ranking *ranking, size_t i)
{
	struct introperf_entry entry;
	struct introperf_place place;

	g_assert_cmpint(introperf_ranking_entry(ranking, i, &entry), ==, 0);
	g_assert_cmpint(entry.cost_ns, ==, entry.suspect_ns - entry.base_ns);
	g_assert_cmpint(entry.culprit, <, (int32_t)entry.frame_count);
	for (size_t frame = 0; frame < entry.frame_count; frame++) {
		g_assert_cmpint(introperf_ranking_place(ranking, i, frame, &place), ==, 0);
		g_assert_cmpint(place.own_ns, <=, place.total_ns);
		g_assert_cmpint(place.base_own_ns, <=, place.base_total_ns);
	}
}

/* Whatever the stacks are: costs are differences, and without a base entries add up to the time for
 * which the thread was seen. */
static void test_random(struct fixture *fixture, gconstpointer data)
{
	enum {
		SAMPLES = 300
	};
	g_autoptr(GRand) random = g_rand_new_with_seed(GPOINTER_TO_UINT(data));
	struct introperf_entry entry;
	int64_t sum_ns = 0;

	feed_random(fixture, fixture->suspect, random, SAMPLES);
	rank(fixture, 0);
	for (size_t i = 0; i < introperf_ranking_size(fixture->ranking); i++) {
		check_entry(fixture->ranking, i);
		introperf_ranking_entry(fixture->ranking, i, &entry);
		sum_ns += entry.cost_ns;
	}
	g_assert_cmpint(sum_ns, ==, (SAMPLES - 1) * MS);

	introperf_ranking_free(fixture->ranking);
	fixture->base = introperf_run_new(fixture->introperf, "again", INTROPERF_BASE);
	feed_random(fixture, fixture->base, random, SAMPLES);
	g_assert_cmpint(introperf_run_finish(fixture->base), ==, 0);
	g_assert_cmpint(introperf_rank(fixture->introperf, 0, &fixture->ranking), ==, 0);
	for (size_t i = 0; i < introperf_ranking_size(fixture->ranking); i++) {
		check_entry(fixture->ranking, i);
	}
}

static void add(const char *path, gconstpointer data,
		void (*test)(struct fixture *fixture, gconstpointer data))
{
	g_test_add(path, struct fixture, data, set_up, test, tear_down);
}

int main(int argc, char *argv[])
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("/library/exact calls have exact latencies", NULL, test_exact);
	add("/library/runs of one role are runs of the same work", NULL, test_runs);
	add("/library/a wait is blocked time", NULL, test_wait);
	add("/library/ticks alone tell CPU time, and so does what they are compared with", NULL,
	    test_ticks);
	add("/library/addresses tell calls apart", NULL, test_call_sites);
	add("/library/stacks may be text", NULL, test_folded);
	add("/library/a system call is a frame", GINT_TO_POINTER(1), test_calls);
	add("/library/one that nobody names is none", NULL, test_calls);
	add("/library/what is wrong is refused", NULL, test_refused);
	add("/library/where there is nothing, nothing is set", NULL, test_nothing);
	for (guint seed = 1; seed <= 20; seed++) {
		g_autofree char *path = g_strdup_printf("/library/random stacks add up: %u", seed);

		add(path, GUINT_TO_POINTER(seed), test_random);
	}
	return g_test_run();
}
