/* SPDX-License-Identifier: MIT */
/* Which types of units there are: by calls, by what ticks show, and by CPU time. */
#include <errno.h>
#include <math.h>

#include "common/unit/summary.h"
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

/* A thread that does nothing but to wait in p main for clients, to read what they ask and to
 * answer. */
struct talker {
	struct program *program;
	int64_t at_ns;
};

static void wait_for_client(struct talker *talker)
{
	call(talker->program, "p main syscall:epoll_wait", talker->at_ns, talker->at_ns + 100, 50);
	talker->at_ns += 100;
}

static void talk_on(struct talker *talker, const char *path, int32_t descriptor, int64_t bytes)
{
	call_on(talker->program, path, talker->at_ns + 10, talker->at_ns + 11, 0, descriptor,
		bytes);
	talker->at_ns += 20;
}

static void take_client(struct talker *talker, int32_t descriptor)
{
	wait_for_client(talker);
	talk_on(talker, "p main syscall:accept4", 3, descriptor);
}

static void talk(struct talker *talker, int32_t descriptor, int64_t asked_bytes,
		 int64_t answered_bytes)
{
	talk_on(talker, "p main syscall:read", descriptor, asked_bytes);
	talk_on(talker, "p main syscall:write", descriptor, answered_bytes);
}

/* "COUNT ASKED ANSWERED", a line for each type, the one of most units first, with the bytes of all
 * its units; the type in which clients are taken is left out. */
static void assert_talk(struct talker *talker, const char *wanted)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const GArray *types;

	wait_for_client(talker);
	wait_for_client(talker);
	itp_unit_finder_finish(talker->program->finder);
	types = itp_unit_types_find(talker->program->types, ITP_UNIT_CUT);
	for (guint i = 0; i < types->len; i++) {
		const struct itp_unit_type *type = &g_array_index(types, struct itp_unit_type, i);

		if (type->talk.asked_bytes > 0) {
			g_string_append_printf(text, "%d %d %d\n", (int)type->count,
					       (int)type->talk.asked_bytes,
					       (int)type->talk.answered_bytes);
		}
	}
	g_assert_cmpstr(text->str, ==, wanted);
}

/* The name of a type in a profile: one that calls do not tell has its size in it. */
static void assert_name(struct program *program, guint type, const char *wanted)
{
	struct itp_unit_sums *sums = itp_unit_sums_new();
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint));

	itp_unit_types_sum(program->types, program->functions, ITP_UNIT_CUT, sums, numbers);
	g_assert_cmpstr(itp_unit_sums_get(sums, g_array_index(numbers, guint, type))->telling, ==,
			wanted);
	itp_unit_sums_free(sums);
}

/* One makes the same calls in the same time, is asked in 22 bytes, and answered in 8. */
static void test_other_questions_and_answers(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 300; i++) {
		wait_for_client(&talker);
		talk(&talker, 5, i % 3 == 0 ? 22 : 9, i % 3 == 0 ? 8 : 27);
	}
	assert_talk(&talker, "200 1800 5400\n100 2200 800\n");
	assert_name(program, 0, "asked in about 9 bytes");
	assert_name(program, 1, "asked in about 22 bytes");
}

/* Three paths whose names are of 5 to 7 letters, and pages that are longer and shorter by more. */
static void test_questions_of_like_sizes(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 600; i++) {
		const int kind = i * 7 % 3;

		wait_for_client(&talker);
		talk(&talker, 5, 57 + kind, kind == 0 ? 90 : kind == 1 ? 150 : 120);
	}
	assert_talk(&talker, "200 11400 18000\n200 11600 30000\n200 11800 24000\n");
}

/* One of two paths of six letters is answered by half a page, the other one by as little as the one
 * of five letters. */
static void test_answers_of_like_sizes(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 600; i++) {
		const int kind = i * 7 % 3;

		wait_for_client(&talker);
		talk(&talker, 5, kind == 0 ? 58 : 59, kind == 0 ? 69 : kind == 1 ? 71 : 190);
	}
	assert_talk(&talker, "400 23600 52200\n200 11600 13800\n");
}

/* "push 7" is answered by "7": both are longer for longer numbers. "set" is asked in other words,
 * and answered as some of those. */
static void test_numbers_make_no_types(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 400; i++) {
		const int digits = i < 20 ? 1 : i < 200 ? 2 : 3;

		wait_for_client(&talker);
		talk(&talker, 5, 20 + digits, 3 + digits);
		wait_for_client(&talker);
		talk(&talker, 5, 13, 5);
	}
	assert_talk(&talker, "400 5200 2000\n400 8980 2180\n");
}

/* The thread reads or answers in a call whose stack was cut short. */
static void talk_unplaced(struct talker *talker, const char *name, int32_t descriptor,
			  int64_t bytes)
{
	struct program *program = talker->program;
	const struct itp_instance call = { .pid = program->pid,
					   .tid = program->tid,
					   .best_begin_ns = talker->at_ns + 10,
					   .best_ns = 1,
					   .words = { .words = { (uint64_t)descriptor },
						      .are_known = true },
					   .result = bytes,
					   .has_result = true };

	itp_unit_finder_add_unplaced(program->finder, &call, function_of(program, name));
	talker->at_ns += 20;
}

/* All that is read is read where nobody knows, as by a server with a buffer of 16 KiB on the stack;
 * how much it was is known. Behind each answer the thread looks for more. */
static void test_questions_in_no_context(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 300; i++) {
		wait_for_client(&talker);
		talk_unplaced(&talker, ITP_SYSCALL_PREFIX "read", 5, i % 3 == 0 ? 22 : 9);
		talk_on(&talker, "p main syscall:write", 5, i % 3 == 0 ? 8 : 27);
		talk_unplaced(&talker, ITP_SYSCALL_PREFIX "read", 5, -EAGAIN);
	}
	assert_talk(&talker, "200 1800 5400\n100 2200 800\n");
}

/* Long answers are made where nobody knows, and short ones in p main log: that is no reason to take
 * them for two types. Others are asked in other sizes. */
static void test_answers_in_no_context(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 600; i++) {
		wait_for_client(&talker);
		talk_on(&talker, "p main syscall:read", 5, i % 2 == 0 ? 9 : 19);
		if (i % 6 == 1) {
			talk_unplaced(&talker, ITP_SYSCALL_PREFIX "writev", 5,
				      5000 + 10 * (i % 50));
		} else {
			talk_on(&talker, "p main log syscall:write", 5, i % 2 == 0 ? 27 : 300);
			call(program, "p main log", talker.at_ns - 10, talker.at_ns - 9, 0);
		}
	}
	assert_talk(&talker, "300 2700 8100\n300 5700 585000\n");
}

/* Half of the questions are read where the thread looks behind its answer whether there is another
 * one, and half where it has waited for it; a third of both is answered from a file, which is
 * opened and closed. */
static void talk_ahead(struct talker *talker, int64_t asked_bytes, int64_t step)
{
	take_client(talker, 5);
	for (int i = 0; i < 600; i++) {
		const bool is_ahead = i % 2 == 0;
		const char *path = is_ahead ? "p main look" : "p main take";
		g_autofree char *read = g_strconcat(path, " syscall:read", NULL);

		wait_for_client(talker);
		talk_on(talker, read, 5, asked_bytes + (is_ahead ? step : 0));
		call(talker->program, path, talker->at_ns - 10, talker->at_ns - 9, 0);
		if (i % 3 == 0) {
			talk_on(talker, "p main load syscall:openat", -100, 7);
			talk_on(talker, "p main load syscall:close", 7, 0);
			call(talker->program, "p main load", talker->at_ns - 10, talker->at_ns - 9,
			     0);
		}
		talk_on(talker, "p main syscall:write", 5,
			i % 3 == 0 ? 300 :
			is_ahead   ? 27 + step :
				     27);
	}
}

static void test_where_a_question_is_read(struct program *program)
{
	struct talker talker = { .program = program };

	talk_ahead(&talker, 20, 0);
	assert_talk(&talker, "200 4000 60000\n400 8000 10800\n");
}

/* But other questions and answers are of other types where they are read elsewhere. */
static void test_where_another_question_is_read(struct program *program)
{
	struct talker talker = { .program = program };

	talk_ahead(&talker, 20, 30);
	assert_talk(&talker, "100 5000 30000\n100 2000 30000\n200 4000 5400\n"
			     "200 10000 11400\n");
}

/* A script that is asked for in 20 bytes, and that is read and compiled, or is there; another one,
 * which always is, is asked for in 40. */
static void talk_of_scripts(struct talker *talker, bool is_there)
{
	wait_for_client(talker);
	talk_on(talker, "p main syscall:read", 5, 20);
	if (!is_there) {
		talk_on(talker, "p main compile syscall:openat", -100, 7);
		call(talker->program, "p main compile", talker->at_ns - 10, talker->at_ns - 9, 0);
		talk_on(talker, "p main keep syscall:pwrite64", 7, 100);
		call(talker->program, "p main keep", talker->at_ns - 10, talker->at_ns - 9, 0);
	}
	talk_on(talker, "p main syscall:write", 5, 27);
	wait_for_client(talker);
	talk(talker, 5, 40, 90);
}

static void test_what_was_compiled_at_first(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 300; i++) {
		talk_of_scripts(&talker, i >= 100);
	}
	assert_talk(&talker, "300 6000 8100\n300 12000 27000\n");
}

/* Two scripts that are asked for in equal sizes, of which one is not kept. */
static void test_what_is_compiled_in_turns(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 300; i++) {
		talk_of_scripts(&talker, i % 3 > 0);
	}
	assert_talk(&talker, "300 12000 27000\n100 2000 2700\n200 4000 5400\n");
}

/* Two pages that are asked for in one size; ticks find where they are made. One is made through
 * other functions at first, and few ticks find the other one. */
static void talk_of_page(struct talker *talker, const char *path, int ticks, int64_t bytes)
{
	const int64_t end_ns = talker->at_ns + (ticks == 2 ? 1800000 : 900000);

	wait_for_client(talker);
	talk_on(talker, "p main syscall:read", 5, 71);
	for (int i = 0; i < ticks; i++) {
		tick(talker->program, path, talker->at_ns, talker->at_ns + 400000);
		talker->at_ns += 400000;
	}
	stretch(talker->program, ITP_STRETCH_RUN, talker->at_ns, end_ns);
	talker->at_ns = end_ns;
	talk_on(talker, "p main syscall:write", 5, bytes);
}

static void test_rare_units_of_a_kind(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 240; i++) {
		talk_of_page(&talker, "p main counted", i % 3 == 0, 300);
		if (i % 3 == 1) {
			talk_of_page(&talker,
				     i < 20 ? "p main hashed any digest" : "p main hashed digest",
				     2, 90);
		}
	}
	assert_talk(&talker, "240 17040 72000\n80 5680 7200\n");
}

/* Questions of two sizes, which are answered alike. */
static void test_questions_alone(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 300; i++) {
		wait_for_client(&talker);
		talk(&talker, 5, i % 3 == 0 ? 30 : 10, 100 + i % 7);
	}
	assert_talk(&talker, "300 5000 30897\n");
}

/* Answers of two sizes, to the same question. */
static void test_answers_alone(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 300; i++) {
		wait_for_client(&talker);
		talk(&talker, 5, 10, i % 3 == 0 ? 30 : 10);
	}
	assert_talk(&talker, "300 3000 5000\n");
}

/* Asks the server 7 and has its answer before the wait for it, in the functions in which clients
 * are read and answered. */
static void ask_server(struct talker *talker)
{
	talk_on(talker, "p main syscall:write", 7, 59);
	call_on(talker->program, "p main syscall:epoll_wait", talker->at_ns, talker->at_ns + 1, 0,
		4, 1);
	talk_on(talker, "p main syscall:read", 7, 70);
}

/* Two questions of one size, answered in one size: for one of them a server is asked. */
static void test_questions_to_servers(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	talk_on(&talker, "p main syscall:connect", 7, -EINPROGRESS);
	for (int i = 0; i < 600; i++) {
		wait_for_client(&talker);
		talk_on(&talker, "p main syscall:read", 5, 59);
		if (i % 3 == 2) {
			ask_server(&talker);
		}
		talk_on(&talker, "p main syscall:write", 5, 70);
	}
	assert_talk(&talker, "200 11800 14000\n400 23600 28000\n");
}

/* While a unit waits for the output of a program, another program that was begun before has ended,
 * for a third of the units: a signal interrupts the wait. The first unit is of the type in which
 * the client is taken. */
static void test_signals_of_other_units(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 600; i++) {
		wait_for_client(&talker);
		talk_on(&talker, "p main syscall:read", 5, 20);
		talk_on(&talker, "p main begin syscall:clone", -100, 100 + i);
		if (i % 3 == 2) {
			call_on(program, "p main syscall:epoll_wait", talker.at_ns,
				talker.at_ns + 50, 40, 4, -EINTR);
			talker.at_ns += 60;
			talk_on(&talker, "p main reap syscall:wait4", -100, 99 + i);
			talk_on(&talker, "p main count syscall:getrusage", -100, 0);
		}
		call_on(program, "p main syscall:epoll_wait", talker.at_ns, talker.at_ns + 50, 40,
			4, 1);
		talker.at_ns += 60;
		talk_on(&talker, "p main pass syscall:read", 9, 30);
		talk_on(&talker, "p main syscall:write", 5, 40);
	}
	assert_talk(&talker, "599 11980 23960\n3 20 40\n");
}

/* recvmmsg tells how many messages it took, and not how long these were. */
static void test_messages_have_no_size(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 300; i++) {
		wait_for_client(&talker);
		talk_on(&talker, "p main syscall:recvmmsg", 5, 1);
		talk_on(&talker, "p main syscall:read", 5, 9);
		talk_on(&talker, "p main syscall:sendmmsg", 5, 1);
		talk_on(&talker, "p main syscall:write", 5, 8);
	}
	assert_talk(&talker, "300 2700 2400\n");
}

/* A program that the thread has begun writes to a pipe, in one piece or in two: no client does. */
static void test_output_is_no_question(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	for (int i = 0; i < 300; i++) {
		wait_for_client(&talker);
		talk_on(&talker, "p main syscall:read", 5, 10);
		talk_on(&talker, "p main syscall:read", 9, i % 2 == 0 ? 50 : 20);
		if (i % 2 == 1) {
			talk_on(&talker, "p main syscall:read", 9, 30);
		}
		talk_on(&talker, "p main syscall:write", 5, 90);
	}
	assert_talk(&talker, "300 3000 27000\n");
}

/* Two clients have asked the same before the thread has looked: each is a unit, and it is no other
 * question. Only the first two are one, as the thread has answered nobody until then; who said what
 * in that is not known. */
static void test_several_clients(struct program *program)
{
	struct talker talker = { .program = program };

	take_client(&talker, 5);
	take_client(&talker, 6);
	for (int i = 0; i < 300; i++) {
		wait_for_client(&talker);
		talk_on(&talker, "p main syscall:read", 5, 10);
		if (i % 3 == 0) {
			talk_on(&talker, "p main syscall:read", 6, 10);
		}
		talk_on(&talker, "p main syscall:write", 5, 30);
		if (i % 3 == 0) {
			talk_on(&talker, "p main syscall:write", 6, 30);
		}
	}
	assert_talk(&talker, "399 4000 12000\n");
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
		{ "/kinds/answers in no context make no type", test_answers_in_no_context },
		{ "/kinds/questions in no context make types", test_questions_in_no_context },
		{ "/kinds/where a question is read makes no type", test_where_a_question_is_read },
		{ "/kinds/where another question is read makes one",
		  test_where_another_question_is_read },
		{ "/kinds/what is done at first makes none", test_what_was_compiled_at_first },
		{ "/kinds/rare units are of the kind that is likeliest",
		  test_rare_units_of_a_kind },
		{ "/kinds/what is done in turns makes one", test_what_is_compiled_in_turns },
		{ "/kinds/other questions with other answers are types",
		  test_other_questions_and_answers },
		{ "/kinds/questions of like sizes are types", test_questions_of_like_sizes },
		{ "/kinds/some answers of a gap make a type", test_answers_of_like_sizes },
		{ "/kinds/longer numbers make no types", test_numbers_make_no_types },
		{ "/kinds/other questions alone make no types", test_questions_alone },
		{ "/kinds/other answers alone make no types", test_answers_alone },
		{ "/kinds/questions to a server make a type", test_questions_to_servers },
		{ "/kinds/signals that other units wait for make none",
		  test_signals_of_other_units },
		{ "/kinds/numbers of messages are no bytes", test_messages_have_no_size },
		{ "/kinds/what several clients say at once makes no type", test_several_clients },
		{ "/kinds/what a program writes is no question", test_output_is_no_question },
		{ "/kinds/by calls alone", test_calls_alone },
		{ "/kinds/why units differ", test_why_units_differ },
		{ "/kinds/call trees", test_call_trees },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
