/* SPDX-License-Identifier: MIT */
/* Types of units by calls, by what ticks show, and by CPU time. */
#include <math.h>

#include "tests/unit/unit-program.h"

struct server {
	struct program *program;
	/* The next unit begins here. */
	int64_t at_ns;
	/* A tick finds it in p main FIRST before the others; NULL: none does. Weak. */
	const char *first;
	/* Its system calls are made through this function; NULL: through none. Weak. */
	const char *through;
};

/* p main FUNCTION makes a system call: "FUNCTION" for a write, or "FUNCTION:CALL". */
static void serve_call(struct server *server, const char *name, int64_t at_ns)
{
	g_auto(GStrv) parts = g_strsplit(name, ":", 2);
	g_autofree char *outer = g_strjoin(" ", "p main",
					   server->through ? server->through : parts[0],
					   server->through ? parts[0] : NULL, NULL);
	g_autofree char *inner =
		g_strdup_printf("%s syscall:%s", outer, parts[1] ? parts[1] : "write");

	call(server->program, inner, at_ns, at_ns + 1, 0);
	call(server->program, outer, at_ns, at_ns + 1, 0);
}

/* A unit that takes `cpu_ns` and makes these system calls, with a space between two of them; ticks
 * are every millisecond, in p main TICKS, which may be of several functions. */
static void serve(struct server *server, int64_t cpu_ns, const char *calls, const char *ticks,
		  guint tick_count)
{
	struct program *program = server->program;
	const int64_t begin_ns = server->at_ns + 100;
	g_auto(GStrv) names = g_strsplit(calls, " ", -1);
	g_autofree char *hot = g_strdup_printf("p main %s", ticks);
	const int64_t part_ns = cpu_ns / (tick_count + 1);

	call(program, "p main wait syscall:poll", server->at_ns, begin_ns, 100);
	call(program, "p main wait", server->at_ns, begin_ns, 100);
	if (server->first) {
		g_autofree char *first = g_strdup_printf("p main %s", server->first);

		tick(program, first, begin_ns, begin_ns);
	}
	for (guint i = 0; i < tick_count; i++) {
		tick(program, hot, begin_ns + i * part_ns, begin_ns + (i + 1) * part_ns);
	}
	stretch(program, ITP_STRETCH_RUN, begin_ns + tick_count * part_ns, begin_ns + cpu_ns);
	for (guint i = 0; names[i]; i++) {
		serve_call(server, names[i], begin_ns + cpu_ns - 50 + i);
	}
	server->at_ns = begin_ns + cpu_ns;
}

/* "COUNT NAME, NAME", a line for each type, the one that took most time first. */
static void assert_types(struct server *server, double cut, const char *wanted)
{
	struct program *program = server->program;
	g_autoptr(GString) text = g_string_new(NULL);
	const GArray *types;

	serve(server, 1000, "last", "last", 0);
	itp_unit_finder_finish(program->finder);
	types = itp_unit_types_find(program->types, cut);
	for (guint i = 0; i < types->len; i++) {
		const struct itp_unit_type *type = &g_array_index(types, struct itp_unit_type, i);

		/* A guard looks for nothing else. */
		for (guint k = 0; k < type->paths->len; k++) {
			g_assert_true(g_str_has_prefix(
				node_name(program,
					  g_array_index(type->paths, struct itp_unit_path, k).node),
				ITP_SYSCALL_PREFIX));
		}
		g_string_append_printf(text, "%d", (int)type->count);
		for (guint k = 0; k < type->telling->len; k++) {
			g_string_append_printf(
				text, "%s %s", k > 0 ? "," : "",
				node_name(program, g_array_index(type->telling, uint32_t, k)));
		}
		g_string_append_c(text, '\n');
	}
	g_assert_cmpstr(text->str, ==, wanted);
}

/* Cheap requests are rarely hit by a tick; those that are show a function that the others do not
 * call. The others go where their CPU time is usual. */
static void test_ticks_show_types(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 200; i++) {
		serve(&server, 150000 + 100 * i, "log", "cheap", i % 8 == 0);
		if (i % 2 == 0) {
			serve(&server, 2900000 + 1000 * i, "log", "dear", 3);
		}
	}
	assert_types(&server, ITP_UNIT_CUT, "100 dear\n200 cheap\n");
}

/* Of equal CPU time: which of three functions a unit calls, ticks show. */
static void test_equal_times(struct program *program)
{
	static const char *const functions[] = { "parse", "encode", "solve" };
	struct server server = { .program = program };

	for (int i = 0; i < 120; i++) {
		serve(&server, 4000000 + 1000 * (i % 7), "log", functions[i % 3], 4);
	}
	assert_types(&server, ITP_UNIT_CUT, "40 parse\n40 encode\n40 solve\n");
}

/* However long they take, as long as they do the same. */
static void test_a_heavy_tail_is_one_type(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 400; i++) {
		const int64_t cpu_ns = 100000000 / (1 + 7 * i % 400);

		serve(&server, cpu_ns, "log", "work", (guint)MIN(cpu_ns / 1000000, 50));
	}
	assert_types(&server, ITP_UNIT_CUT, "400\n");
}

/* Calls that are made now and then, whatever the unit is, make no type; those that only one kind
 * makes do, and a rare kind is one. */
static void test_occasional_calls(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 600; i++) {
		const char *more = i % 5 == 0 && i % 7 == 0 ? " grow flush" :
				   i % 5 == 0               ? " grow" :
				   i % 7 == 0               ? " flush" :
							      "";
		g_autofree char *calls = g_strconcat(i % 60 == 1 ? "rare" :
						     i % 2 == 0  ? "read" :
								   "search",
						     more, NULL);

		serve(&server, 100000 + 100 * (i % 13), calls, "log", 0);
	}
	assert_types(&server, ITP_UNIT_CUT, "300 read\n290 search\n10 rare\n");
}

/* Two plain kinds are two types, though most of their paths are the same; a user's cut makes of
 * them what it says. */
static void test_the_data_choose_the_cut(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 100; i++) {
		serve(&server, 100000, i % 2 == 0 ? "read a b c d e" : "search a b c d e", "log",
		      0);
	}
	assert_types(&server, ITP_UNIT_CUT, "50 read\n50 search\n");
	g_assert_cmpuint(itp_unit_types_find(program->types, 0.2)->len, ==, 1);
	g_assert_cmpuint(itp_unit_types_find(program->types, 0.01)->len, ==, 2);
}

/* Calls now and then cost time as well, here a fifth of a unit's: by that they make no type,
 * however many units there are. Those without which a unit takes a fifth of the time do. */
static void test_calls_that_cost_a_little(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 3000; i++) {
		serve(&server, (i % 3 == 0 ? 120000 : 100000) + 7 * (i * 37 % 4000),
		      i % 3 == 0 ? "read stat send grow" : "read stat send", "log", 0);
	}
	assert_types(&server, ITP_UNIT_CUT, "3000\n");
}

static void test_calls_that_cost_much(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 300; i++) {
		serve(&server, (i % 3 == 0 ? 500000 : 100000) + 7 * (i * 37 % 4000),
		      i % 3 == 0 ? "read pack" : "read", "log", 0);
	}
	assert_types(&server, ITP_UNIT_CUT, "100 pack\n200\n");
}

/* Without a tick: units that take thirty times as long, and none between. */
static void test_two_modes(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 300; i++) {
		serve(&server, (i % 3 == 0 ? 3000000 : 100000) + 7 * (i * 37 % 4000), "read", "log",
		      0);
	}
	assert_types(&server, ITP_UNIT_CUT, "100\n200\n");
}

/* The same, by less than caches make of equal work. */
static void test_two_near_modes(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 300; i++) {
		serve(&server, (i % 3 == 0 ? 280000 : 100000) + 7 * (i * 37 % 400), "read", "log",
		      0);
	}
	assert_types(&server, ITP_UNIT_CUT, "300\n");
}

/* And by more. */
static void test_two_modes_apart(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 300; i++) {
		serve(&server, (i % 3 == 0 ? 420000 : 100000) + 7 * (i * 37 % 400), "read", "log",
		      0);
	}
	assert_types(&server, ITP_UNIT_CUT, "100\n200\n");
}

/* The first hundred take four times as long, as caches have to be filled, and none behind. */
static void test_modes_in_succession(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 300; i++) {
		serve(&server, (i < 100 ? 420000 : 100000) + 7 * (i * 37 % 400), "read", "log", 0);
	}
	assert_types(&server, ITP_UNIT_CUT, "300\n");
}

/* 100 units each that take about 0.45 ms, five of which are found to weigh, which may be chance,
 * and about 1 ms, which solve. Ticks find 21 of the short ones, and `long_units` of the long ones,
 * in the three functions that make their calls. */
static void serve_solvers(struct server *server, int long_units)
{
	static const char *const functions[] = { "read", "stat", "log" };

	for (int i = 0; i < 100; i++) {
		serve(server, 380000 + 1400 * i, "read stat log",
		      i < 21 ? functions[i % 3] : "weigh", i < 26);
		serve(server, 800000 + 4000 * i, "read stat log",
		      i < long_units ? functions[i % 3] : "solve", 1);
	}
}

/* By 7 · ln(7/4) - ln(4) = 2.5 the long units are less in each of the functions, which may be
 * chance, but not in three of them. */
static void test_less_in_all(struct program *program)
{
	struct server server = { .program = program };

	serve_solvers(&server, 3);
	assert_types(&server, ITP_UNIT_CUT, "100 solve\n100\n");
}

/* The long ones do as much of it. */
static void test_as_much_in_all(struct program *program)
{
	struct server server = { .program = program };

	serve_solvers(&server, 21);
	assert_types(&server, ITP_UNIT_CUT, "200\n");
}

/* Half of the units make twice as many calls, which take a tenth more of their time. */
static void test_many_more_calls(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 3000; i++) {
		serve(&server, (i % 2 == 0 ? 118000 : 100000) + 7 * (i * 37 % 2000),
		      i % 2 == 0 ? "read open stat close" : "read", "log", 0);
	}
	assert_types(&server, ITP_UNIT_CUT, "1500 open, stat, close\n1500\n");
}

/* Each unit parses for a while, and sorts for as long as there is to sort: in long ones most ticks
 * are in another function than in short ones, but they parse as well. */
static void test_long_units_do_the_same(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 600; i++) {
		const int64_t sorting_ns = 60000000 / (1 + 7 * i % 600);

		server.first = i % 3 == 0 ? "parse" : NULL;
		serve(&server, 300000 + sorting_ns, "log", "sort",
		      (guint)((sorting_ns + 1000000 * (int64_t)(i % 10) / 10) / 1000000));
	}
	assert_types(&server, ITP_UNIT_CUT, "600\n");
}

/* One unit in ten meets another thread's lock, wakes a third one and finds the heap full, which
 * costs time: whatever it is asked. */
static void test_incidental_calls(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 600; i++) {
		serve(&server, (i % 10 == 0 ? 160000 : 100000) + 7 * (i * 37 % 4000),
		      i % 10 == 0 ? "read pthread_mutex_lock:futex pthread_mutex_unlock:futex "
				    "pthread_mutex_lock:sched_yield grow:brk more:mmap "
				    "move:mremap trim:madvise open:mprotect less:munmap" :
				    "read",
		      "log", 0);
	}
	assert_types(&server, ITP_UNIT_CUT, "600\n");
}

/* One unit in ten is interrupted by two signals, which other programs send when they end. */
static void test_handled_signals(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 600; i++) {
		serve(&server, 100000 + 7 * (i * 37 % 4000),
		      i % 10 == 0 ? "read begin:rt_sigreturn go:sigreturn" : "read", "log", 0);
	}
	assert_types(&server, ITP_UNIT_CUT, "600\n");
}

/* Ticks find one unit in four where it gives a lock back for which another thread waits. */
static void test_ticks_in_locks(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 600; i++) {
		serve(&server, 4000000 + 1000 * (i % 7), "log",
		      i % 4 == 0 ? "work __pthread_mutex_unlock_usercnt k:wake_up" : "work", 4);
	}
	assert_types(&server, ITP_UNIT_CUT, "600\n");
}

/* A script is compiled again after a while: its functions are elsewhere then, and faster. */
static void test_compiled_again(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 600; i++) {
		server.through = i < 300 ? "j:0x100" : "j:0x200";
		serve(&server, (i < 300 ? 160000 : 100000) + 7 * (i * 37 % 4000), "read answer",
		      "log", 0);
	}
	assert_types(&server, ITP_UNIT_CUT, "600\n");
}

/* What a guard sees: types that make the same calls are one. */
static void test_calls_alone(struct program *program)
{
	struct server server = { .program = program };

	for (int i = 0; i < 200; i++) {
		const char *calls = i % 4 == 0 ? "search" : "log";

		serve(&server, 4000000, calls, i % 2 == 0 ? "a" : "b", 4);
	}
	assert_types(&server, ITP_UNIT_CUT_CALLS, "150 log, b\n50 search\n");
	g_assert_cmpuint(itp_unit_types_find(program->types, ITP_UNIT_CUT)->len, ==, 3);
}

/* Half of the units wait 400 ns for a CPU: by that alone they differ. */
static void test_why_units_differ(struct program *program)
{
	const struct itp_unit_type *type;

	for (int64_t at = 0; at < 41000; at += 1000) {
		const int64_t ready_ns = at % 2000 == 0 ? 400 : 0;

		call(program, "p main wait syscall:poll", at, at + 1000 - 200 - ready_ns, 100);
		call(program, "p main wait", at, at + 1000 - 200 - ready_ns, 100);
		stretch(program, ITP_STRETCH_READY, at + 800 - ready_ns, at + 800);
		stretch(program, ITP_STRETCH_RUN, at + 800, at + 1000);
		call(program, "p main read syscall:read", at + 900, at + 910, 0);
		call(program, "p main read", at + 900, at + 910, 0);
	}
	itp_unit_finder_finish(program->finder);
	type = &g_array_index(itp_unit_types_find(program->types, ITP_UNIT_CUT),
			      struct itp_unit_type, 0);
	g_assert_cmpuint(type->count, ==, 40);
	g_assert_cmpfloat(fabs(type->causes.runnable_part - 1), <, 1e-6);
	g_assert_cmpfloat(fabs(type->causes.cpu_part), <, 1e-6);
	g_assert_cmpfloat(fabs(type->work_mean_ns - 200), <, 1e-6);
	g_assert_cmpfloat(type->work_deviation_ns, <, 1e-3);
	g_assert_cmpfloat(fabs(type->deviation_ns - 200), <, 1);
}

/* Two paths, of which one is in one unit of two. Both write at one depth, so half of the six
 * contexts of two units are not told by function and depth. */
static void test_call_trees(struct program *program)
{
	struct server server = { .program = program };
	const struct itp_unit_type *type;

	for (int i = 0; i < 41; i++) {
		serve(&server, 1000, i % 2 == 0 ? "read" : "read log", "x", 0);
	}
	itp_unit_finder_finish(program->finder);
	type = &g_array_index(itp_unit_types_find(program->types, ITP_UNIT_CUT),
			      struct itp_unit_type, 0);
	g_assert_cmpuint(type->count, ==, 40);
	g_assert_cmpuint(type->sets, ==, 2);
	g_assert_cmpfloat(fabs(type->trees.paths - 1.5), <, 1e-6);
	g_assert_cmpfloat(fabs(type->trees.functions - 2.5), <, 1e-6);
	g_assert_cmpfloat(fabs(type->trees.depth_part - 0.5), <, 1e-6);
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/kinds/ticks show types", test_ticks_show_types },
		{ "/kinds/of equal times", test_equal_times },
		{ "/kinds/a heavy tail is one type", test_a_heavy_tail_is_one_type },
		{ "/kinds/occasional calls make no type", test_occasional_calls },
		{ "/kinds/the data choose the cut", test_the_data_choose_the_cut },
		{ "/kinds/calls that cost a little make no type", test_calls_that_cost_a_little },
		{ "/kinds/calls that cost much make one", test_calls_that_cost_much },
		{ "/kinds/two modes of CPU time are two types", test_two_modes },
		{ "/kinds/modes by which equal work differs are one", test_two_near_modes },
		{ "/kinds/modes further apart are two types", test_two_modes_apart },
		{ "/kinds/modes that come one after the other are one", test_modes_in_succession },
		{ "/kinds/units that do less where calls are made are a type", test_less_in_all },
		{ "/kinds/longer units that do as much there are none", test_as_much_in_all },
		{ "/kinds/many more calls make one", test_many_more_calls },
		{ "/kinds/long units that do the same are of one type",
		  test_long_units_do_the_same },
		{ "/kinds/locks, wakeups and the heap make no type", test_incidental_calls },
		{ "/kinds/nor do signals that are handled", test_handled_signals },
		{ "/kinds/ticks in locks make no type", test_ticks_in_locks },
		{ "/kinds/code that is compiled again makes no type", test_compiled_again },
		{ "/kinds/by calls alone", test_calls_alone },
		{ "/kinds/why units differ", test_why_units_differ },
		{ "/kinds/call trees", test_call_trees },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
