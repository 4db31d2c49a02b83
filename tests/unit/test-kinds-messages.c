/* SPDX-License-Identifier: MIT */
/* Types of units by what clients ask and how they are answered. */
#include <errno.h>

#include "common/unit/summary.h"
#include "tests/unit/unit-program.h"

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

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/kinds-messages/answers in no context make no type",
		  test_answers_in_no_context },
		{ "/kinds-messages/questions in no context make types",
		  test_questions_in_no_context },
		{ "/kinds-messages/where a question is read makes no type",
		  test_where_a_question_is_read },
		{ "/kinds-messages/where another question is read makes one",
		  test_where_another_question_is_read },
		{ "/kinds-messages/what is done at first makes none",
		  test_what_was_compiled_at_first },
		{ "/kinds-messages/rare units are of the kind that is likeliest",
		  test_rare_units_of_a_kind },
		{ "/kinds-messages/what is done in turns makes one",
		  test_what_is_compiled_in_turns },
		{ "/kinds-messages/other questions with other answers are types",
		  test_other_questions_and_answers },
		{ "/kinds-messages/questions of like sizes are types",
		  test_questions_of_like_sizes },
		{ "/kinds-messages/some answers of a gap make a type", test_answers_of_like_sizes },
		{ "/kinds-messages/longer numbers make no types", test_numbers_make_no_types },
		{ "/kinds-messages/other questions alone make no types", test_questions_alone },
		{ "/kinds-messages/other answers alone make no types", test_answers_alone },
		{ "/kinds-messages/questions to a server make a type", test_questions_to_servers },
		{ "/kinds-messages/signals that other units wait for make none",
		  test_signals_of_other_units },
		{ "/kinds-messages/numbers of messages are no bytes", test_messages_have_no_size },
		{ "/kinds-messages/what several clients say at once makes no type",
		  test_several_clients },
		{ "/kinds-messages/what a program writes is no question",
		  test_output_is_no_question },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
