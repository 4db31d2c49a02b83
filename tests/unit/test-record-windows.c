/* SPDX-License-Identifier: MIT */
/* When the recorder watches system calls, for a budget: slots by hand, and simulated programs. */
#include <glib.h>

#include "plugins/perf/record/windows.h"

#define SEED 7
#define MS INT64_C(1000000)
#define S (1000 * MS)

/* A program that computes all the time on one CPU, but for the part `waits`, whose system calls
 * take `calls` of a nanosecond of CPU time for each that they are watched, and everything else
 * `others`. */
struct simulation {
	double waits;
	double calls;
	double others;
	/* CPU time to begin and to end a window that does not follow another one. */
	double edges_ns;
	/* CPU time of the recorder's own process, of a nanosecond, whatever is watched. */
	double own;
	/* Price of system calls until `first_ns`. */
	double calls_first;
	int64_t first_ns;
	/* How late anybody looks after a drawn window, which has ended when due. */
	int64_t late_ns;
	struct itp_recorder_spent spent;
	/* How long was watched, in how many windows, and the sum of what these stand for. */
	int64_t watched_ns;
	guint windows;
	int64_t stands_ns;
	/* Part of the program's CPU time in windows that watching took. */
	double taken;
};

/* Lets it run from `begin_ns` on for `length_ns` with this budget. */
static void simulate(struct simulation *simulation, double budget, int64_t length_ns)
{
	struct itp_recorder_windows *windows =
		itp_recorder_windows_new(budget, g_rand_new_with_seed(SEED), 0);
	int64_t now_ns = 0;
	bool was_open = false;

	while (now_ns < length_ns) {
		const struct itp_recorder_window window =
			itp_recorder_windows_step(windows, now_ns, &simulation->spent);
		const int64_t step_ns = MIN(window.due_ns, length_ns) - now_ns;
		const double calls = now_ns < simulation->first_ns ? simulation->calls_first :
								     simulation->calls;
		const double calls_ns = window.is_open ? calls * (double)step_ns : 0;
		const int64_t late_ns = window.is_open && window.one_in > 1 ? simulation->late_ns :
									      0;

		g_assert_cmpint(step_ns, >, 0);
		simulation->spent.target_ns +=
			(1 - simulation->waits) * (double)(step_ns + late_ns);
		simulation->spent.calls_ns += calls_ns;
		simulation->spent.others_ns += simulation->others * (double)step_ns;
		if (window.is_open && !was_open) {
			simulation->spent.own_edges_ns += simulation->edges_ns;
		}
		*(window.is_open ?
			  &simulation->spent.own_calls_ns :
			  &simulation->spent.own_others_ns) += simulation->own * (double)step_ns;
		was_open = window.is_open;
		if (window.is_open) {
			simulation->watched_ns += step_ns;
			simulation->stands_ns += step_ns * window.one_in;
			simulation->windows++;
		}
		simulation->taken = itp_recorder_windows_taken(windows, &simulation->spent);
		now_ns += step_ns + late_ns;
	}
	itp_recorder_windows_free(windows);
}

/* Part of its CPU time that was spent. */
static double part_of(const struct simulation *simulation)
{
	return itp_recorder_spent_part(&simulation->spent, 0).part;
}

static void test_what_is_cheap_is_watched_all_the_time(void)
{
	struct simulation cheap = { .calls = 0.02, .others = 0.01 };

	simulate(&cheap, 0.05, 10 * S);
	g_assert_cmpint(cheap.watched_ns, ==, 10 * S);
	/* Windows of 10, 20, 40, 80 and then 160 ms. */
	g_assert_cmpuint(cheap.windows, ==, 4 + 62);
}

/* To begin and to end a window costs as much as 4 % of the CPU while it is open; but there is only
 * one. */
static void test_one_window_has_two_edges(void)
{
	struct simulation cheap = { .calls = 0.01, .others = 0.02, .edges_ns = 0.4 * MS };

	simulate(&cheap, 0.05, 10 * S);
	g_assert_cmpint(cheap.watched_ns, ==, 10 * S);
}

/* The recorder takes 2 % of the CPU for ticks and switches, also while system calls are watched. A
 * program whose calls take 40 % at first, and after five seconds 1.5 %, is watched all the time
 * from then on, as all together take 4.5 % with the 1 % in the program. */
static void test_own_work_is_counted_once(void)
{
	struct simulation calmer = {
		.calls = 0.015, .others = 0.01, .own = 0.02, .calls_first = 0.4, .first_ns = 5 * S
	};

	simulate(&calmer, 0.05, 15 * S);
	g_assert_cmpint(calmer.watched_ns, >, 6 * S);
	g_assert_cmpint(calmer.watched_ns, <, 11 * S);
}

/* A recorder that is late closes a window for a moment, in which it makes the tables of new code:
 * that says nothing of what it does all the time. The program's calls take 70 %, and are not
 * watched all the time. */
static void test_a_busy_moment_is_no_rule(void)
{
	struct itp_recorder_windows *windows =
		itp_recorder_windows_new(0.05, g_rand_new_with_seed(SEED), 0);
	struct itp_recorder_spent spent = { 0 };
	int64_t watched_ns = 0;

	for (int64_t now_ns = 0; now_ns < 10 * S;) {
		const struct itp_recorder_window window =
			itp_recorder_windows_step(windows, now_ns, &spent);
		const double length_ns = (double)(window.due_ns - now_ns);

		spent.target_ns += length_ns;
		spent.calls_ns += window.is_open ? 0.7 * length_ns : 0;
		*(window.is_open ? &spent.own_calls_ns : &spent.own_learning_ns) +=
			now_ns < S ? 0.9 * length_ns : 0;
		watched_ns += window.is_open ? window.due_ns - now_ns : 0;
		now_ns = window.due_ns;
	}
	g_assert_cmpint(watched_ns, <, 2 * S);
	itp_recorder_windows_free(windows);
}

/* Of many windows the edges are part of what is held. */
static void test_edges_are_paid_for(void)
{
	struct simulation busy = { .calls = 0.3, .others = 0.01, .edges_ns = 1 * MS };

	simulate(&busy, 0.05, 60 * S);
	g_assert_cmpfloat(part_of(&busy), <, 0.0525);
	g_assert_cmpfloat(part_of(&busy), >, 0.04);
}

/* Each window's edges cost 5 ms, as much as 2 % of the CPU in 250 ms: in windows of 10 ms, a tenth
 * of the time would be watched. The program's 1 % pays for half of the time. */
static void test_windows_are_as_long_as_their_edges_are_dear(void)
{
	struct simulation quiet = { .waits = 0.95, .calls = 0.02, .edges_ns = 5 * MS };

	simulate(&quiet, 0.05, 30 * S);
	g_assert_cmpint(quiet.watched_ns, >, 12 * S);
	g_assert_cmpint(quiet.watched_ns, <, 18 * S);
	g_assert_cmpfloat(itp_recorder_spent_part(&quiet.spent, 30 * S).part, <, 0.0525);
}

/* Of a program whose calls become dear, 2 % of the last 45 s are watched in windows of 10 ms, each
 * as dear as two and a half of its edges: 90 of them, behind some 50 that were longer. */
static void test_windows_become_shorter_again(void)
{
	struct simulation busier = { .waits = 0.95,
				     .calls = 0.5,
				     .calls_first = 0.02,
				     .first_ns = 15 * S,
				     .edges_ns = 2 * MS };

	simulate(&busier, 0.05, 60 * S);
	g_assert_cmpuint(busier.windows, >, 110);
	g_assert_cmpuint(busier.windows, <, 170);
}

/* Ticks and switches take more than the budget has, so that one of 64 slots is watched: a short
 * one, in 0.64 s. */
static void test_windows_without_a_budget_are_short(void)
{
	struct simulation poor = { .calls = 0.1, .others = 0.2, .edges_ns = 5 * MS };

	simulate(&poor, 0.05, 64 * S);
	g_assert_cmpuint(poor.windows, >=, 95);
}

/* Watching takes half of the CPU: of 5 % for it, 1 % is spent otherwise, so that it may be watched
 * for some 8 % of the time. */
static void test_the_budget_is_held_and_used(void)
{
	struct simulation busy = { .calls = 0.5, .others = 0.01 };

	simulate(&busy, 0.05, 60 * S);
	g_assert_cmpfloat(part_of(&busy), <, 0.0525);
	g_assert_cmpfloat(part_of(&busy), >, 0.04);
	g_assert_cmpint(busy.windows, >, 150);
}

/* Not one window in a time is left out where nothing is left for it: some are always known. */
static void test_some_windows_there_always_are(void)
{
	struct simulation poor = { .calls = 0.5, .others = 0.2 };

	simulate(&poor, 0.05, 64 * S);
	/* Behind the first three, in 21 slots. */
	g_assert_cmpint(poor.windows, >=, 3 + 99 - 1);
	g_assert_cmpint(poor.windows, <=, 3 + 99 + 1);
}

/* What windows stand for together is the whole time, to within 5 %: of any number that is made at a
 * steady rate. */
static void test_windows_stand_for_the_whole_time(void)
{
	struct simulation busy = { .calls = 0.3, .others = 0.005 };

	simulate(&busy, 0.05, 120 * S);
	g_assert_cmpfloat((double)busy.stands_ns / (120.0 * S), >, 0.95);
	g_assert_cmpfloat((double)busy.stands_ns / (120.0 * S), <, 1.05);
}

/* Whoever looks 8 ms late finds what watching took in the 10 ms of the windows. */
static void test_a_late_look_is_no_longer_window(void)
{
	struct simulation busy = { .calls = 0.3, .late_ns = 8 * MS };

	simulate(&busy, 0.05, 60 * S);
	g_assert_cmpint(busy.windows, >, 100);
	g_assert_cmpfloat(busy.taken, >, 0.29);
	g_assert_cmpfloat(busy.taken, <, 0.31);
	g_assert_cmpfloat(part_of(&busy), <, 0.0525);
}

/* The slots of a program that does something in each eighth slot: which of the eight phases are
 * watched is drawn by lot, so that each is watched about as often. */
static void test_no_period_hides(void)
{
	struct itp_recorder_windows *windows =
		itp_recorder_windows_new(0.05, g_rand_new_with_seed(SEED), 0);
	struct itp_recorder_spent spent = { 0 };
	guint seen[8] = { 0 };
	guint all = 0;

	for (int64_t now_ns = 0; now_ns < 800 * S;) {
		const struct itp_recorder_window window =
			itp_recorder_windows_step(windows, now_ns, &spent);
		const double length_ns = (double)(window.due_ns - now_ns);

		if (window.is_open) {
			seen[now_ns / ITP_RECORDER_SLOT_NS % 8]++;
			all++;
		}
		spent.target_ns += length_ns;
		spent.calls_ns += window.is_open ? 0.4 * length_ns : 0;
		now_ns = window.due_ns;
	}
	for (guint i = 0; i < G_N_ELEMENTS(seen); i++) {
		g_assert_cmpuint(seen[i], >, all / 8 * 8 / 10);
		g_assert_cmpuint(seen[i], <, all / 8 * 12 / 10);
	}
	itp_recorder_windows_free(windows);
}

/* Calls of the first 10 ms take 90 % of the CPU, as each of their stacks is new; all others take 2
 * %, so that all of them are watched within a tenth of a second. */
static void test_the_first_price_is_forgotten(void)
{
	struct simulation cheap = {
		.calls = 0.02, .others = 0.01, .calls_first = 0.9, .first_ns = 10 * MS
	};

	simulate(&cheap, 0.05, 10 * S);
	g_assert_cmpint(cheap.watched_ns, >, 9 * S);
}

/* At the begin the recorder makes tables of all code, for 0.9 s: that is over, and keeps no call of
 * a cheap program from being watched. */
static void test_learning_is_no_debt(void)
{
	struct itp_recorder_windows *windows =
		itp_recorder_windows_new(0.05, g_rand_new_with_seed(SEED), 0);
	struct itp_recorder_spent spent = { .own_learning_ns = 0.9 * S };
	int64_t watched_ns = 0;

	for (int64_t now_ns = 0; now_ns < 2 * S;) {
		const struct itp_recorder_window window =
			itp_recorder_windows_step(windows, now_ns, &spent);

		spent.target_ns += (double)(window.due_ns - now_ns);
		spent.calls_ns += window.is_open ? 0.02 * (double)(window.due_ns - now_ns) : 0;
		watched_ns += window.is_open ? window.due_ns - now_ns : 0;
		now_ns = window.due_ns;
	}
	g_assert_cmpint(watched_ns, >=, 2 * S);
	g_assert_cmpfloat(itp_recorder_spent_part(&spent, 2 * S).part, >, 0.45);
	itp_recorder_windows_free(windows);
}

/* Until the first window opens, the recorder was busy for 56 of 58 us. System calls of other
 * programs take 20 % of a CPU: that is more than 5 %, whatever the first moments were like. */
static void test_preparing_is_no_rate(void)
{
	struct itp_recorder_windows *windows =
		itp_recorder_windows_new(0.05, g_rand_new_with_seed(SEED), 0);
	struct itp_recorder_spent spent = { .own_others_ns = 56000 };
	int64_t watched_ns = 0;

	for (int64_t now_ns = 58000; now_ns < 10 * S;) {
		const struct itp_recorder_window window =
			itp_recorder_windows_step(windows, now_ns, &spent);
		const double length_ns = (double)(window.due_ns - now_ns);

		spent.target_ns += 0.05 * length_ns;
		spent.stranger_calls_ns += window.is_open ? 0.2 * length_ns : 0;
		watched_ns += window.is_open ? window.due_ns - now_ns : 0;
		now_ns = window.due_ns;
	}
	g_assert_cmpint(watched_ns, <, 3 * S);
	g_assert_cmpfloat(itp_recorder_spent_part(&spent, 10 * S).part, <, 0.0525);
	itp_recorder_windows_free(windows);
}

/* A server that waits for 98 % of the time: 5 % of its CPU time would not pay for what is always
 * watched. A hundredth of one CPU pays for all in the server, and 5 % of one CPU for all that the
 * recorder does; where calls are dearer, the hundredth holds, or the 5 %. */
static void test_who_waits_is_watched_all_the_time(void)
{
	struct simulation cheap = { .waits = 0.98, .calls = 0.006, .others = 0.002, .own = 0.03 };
	struct simulation dear = { .waits = 0.9, .calls = 0.05, .others = 0.002 };
	struct simulation laborious = { .waits = 0.98, .calls = 0.002, .own = 0.08 };

	simulate(&cheap, 0.05, 10 * S);
	g_assert_cmpint(cheap.watched_ns, ==, 10 * S);
	simulate(&dear, 0.05, 20 * S);
	g_assert_cmpint(dear.watched_ns, <, 5 * S);
	g_assert_cmpfloat(itp_recorder_spent_part(&dear.spent, 20 * S).part, <, 0.0105);
	g_assert_cmpfloat(itp_recorder_spent_part(&dear.spent, 20 * S).part, >, 0.008);
	simulate(&laborious, 0.05, 20 * S);
	g_assert_cmpint(laborious.watched_ns, <, 2 * S);
}

/* A window that took 14 ms to open lasts its 10 ms all the same. */
static void test_a_late_window_is_no_shorter(void)
{
	struct itp_recorder_windows *windows =
		itp_recorder_windows_new(0.05, g_rand_new_with_seed(SEED), 0);
	const struct itp_recorder_spent spent = { 0 };

	g_assert_true(itp_recorder_windows_step(windows, 0, &spent).is_open);
	g_assert_cmpint(itp_recorder_windows_delay(windows, 14 * MS), ==, 24 * MS);
	g_assert_true(itp_recorder_windows_step(windows, 23 * MS, &spent).is_open);
	itp_recorder_windows_free(windows);
}

/* 10 ms of 110 are the recorder's, which also took 5 ms in its own process: 15 of 100. In a second,
 * of which the program uses a tenth, that is 15 of 1000. Where all of it is one window, 8
 * of 110 ms were taken there. */
static void test_what_was_spent(void)
{
	const struct itp_recorder_spent spent = {
		.target_ns = 110 * MS,
		.calls_ns = 8 * MS,
		.others_ns = 2 * MS,
		.own_calls_ns = 1 * MS,
		.own_others_ns = 4 * MS,
	};
	const struct itp_recorder_spent none = { 0 };
	struct itp_recorder_windows *windows =
		itp_recorder_windows_new(0.05, g_rand_new_with_seed(SEED), 0);

	g_assert_cmpfloat_with_epsilon(itp_recorder_spent_part(&spent, S / 10).part, 0.15, 1e-9);
	g_assert_false(itp_recorder_spent_part(&spent, S / 10).is_of_cpu);
	g_assert_cmpfloat_with_epsilon(itp_recorder_spent_part(&spent, S).part, 0.015, 1e-9);
	g_assert_true(itp_recorder_spent_part(&spent, S).is_of_cpu);
	itp_recorder_windows_step(windows, 0, &none);
	g_assert_cmpfloat_with_epsilon(itp_recorder_windows_taken(windows, &spent), 8.0 / 110,
				       1e-9);
	itp_recorder_windows_step(windows, 10 * MS, &spent);
	g_assert_cmpfloat_with_epsilon(itp_recorder_windows_taken(windows, &spent), 8.0 / 110,
				       1e-9);
	itp_recorder_windows_free(windows);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/record-windows/what is cheap is watched all the time",
			test_what_is_cheap_is_watched_all_the_time);
	g_test_add_func("/record-windows/one window has two edges", test_one_window_has_two_edges);
	g_test_add_func("/record-windows/own work is counted once", test_own_work_is_counted_once);
	g_test_add_func("/record-windows/a busy moment is no rule", test_a_busy_moment_is_no_rule);
	g_test_add_func("/record-windows/edges are paid for", test_edges_are_paid_for);
	g_test_add_func("/record-windows/windows are as long as their edges are dear",
			test_windows_are_as_long_as_their_edges_are_dear);
	g_test_add_func("/record-windows/windows become shorter again",
			test_windows_become_shorter_again);
	g_test_add_func("/record-windows/windows without a budget are short",
			test_windows_without_a_budget_are_short);
	g_test_add_func("/record-windows/the budget is held and used",
			test_the_budget_is_held_and_used);
	g_test_add_func("/record-windows/some windows there always are",
			test_some_windows_there_always_are);
	g_test_add_func("/record-windows/windows stand for the whole time",
			test_windows_stand_for_the_whole_time);
	g_test_add_func("/record-windows/a late look is no longer window",
			test_a_late_look_is_no_longer_window);
	g_test_add_func("/record-windows/no period hides", test_no_period_hides);
	g_test_add_func("/record-windows/learning is no debt", test_learning_is_no_debt);
	g_test_add_func("/record-windows/preparing-is-no-rate", test_preparing_is_no_rate);
	g_test_add_func("/record-windows/the first price is forgotten",
			test_the_first_price_is_forgotten);
	g_test_add_func("/record-windows/who waits is watched all the time",
			test_who_waits_is_watched_all_the_time);
	g_test_add_func("/record-windows/a late window is no shorter",
			test_a_late_window_is_no_shorter);
	g_test_add_func("/record-windows/what was spent", test_what_was_spent);
	return g_test_run();
}
