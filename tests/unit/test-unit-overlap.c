/* SPDX-License-Identifier: MIT */
/* Several requests at once in one event loop: a server whose calls are written down. */
#include <errno.h>
#include <fcntl.h>

#include "tests/unit/unit-program.h"

#define LISTENER 3
#define LOOP 4
#define A 7
#define B 8
#define COPY_OF_A 9
#define DATABASE_OF_A 20
#define DATABASE_OF_B 21

/* The loop waits for any event, and something is there at `end_ns`. */
static void await(struct program *program, int64_t begin_ns, int64_t end_ns)
{
	make(program, "p main wait", "epoll_wait", begin_ns, end_ns, end_ns - begin_ns, LOOP, 1);
}

static void take(struct program *program, int32_t client, int64_t begin_ns)
{
	make(program, "p main take", "read", begin_ns, begin_ns + 1, 0, client, 5);
}

static void answer(struct program *program, int32_t client, int64_t begin_ns)
{
	make(program, "p main answer", "write", begin_ns, begin_ns + 1, 0, client, 9);
}

static void ask(struct program *program, int32_t database, int64_t begin_ns)
{
	make(program, "p main ask", "write", begin_ns, begin_ns + 1, 0, database, 9);
}

static void hear(struct program *program, int32_t database, int64_t begin_ns)
{
	make(program, "p main hear", "read", begin_ns, begin_ns + 1, 0, database, 9);
}

/* Two clients have connected, and one of them was answered once: until then it is not known that
 * the thread answers at all. Four units, from 10, 110, 210 and 310 on. */
static void begin(struct program *program)
{
	make(program, "p main open", "connect", -40, -39, 0, DATABASE_OF_A, 0);
	make(program, "p main open", "connect", -38, -37, 0, DATABASE_OF_B, 0);
	make(program, "p main accept", "accept", -20, -19, 0, LISTENER, A);
	make(program, "p main accept", "accept", -18, -17, 0, LISTENER, B);
	for (int64_t at = 0; at < 400; at += 100) {
		await(program, at, at + 10);
		take(program, A, at + 20);
		answer(program, A, at + 30);
	}
}

#define FIRST                       \
	"main epoll_wait 10 31\n"   \
	"main epoll_wait 110 131\n" \
	"main epoll_wait 210 231\n" \
	"main epoll_wait 310 331\n"

/* Units that were told behind the first four. */
static const struct itp_unit *unit_at(const struct program *program, guint i)
{
	return &g_array_index(program->units, struct itp_unit, 4 + i);
}

/* A turn finds two clients ready: what is read second is waited for since then, as the thread was
 * busy with the first until then. */
static void test_two_are_ready(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	take(program, B, 430);
	answer(program, A, 450);
	answer(program, B, 460);
	await(program, 500, 510);
	assert_units(program, FIRST "main epoll_wait 410 451\n"
				    "main epoll_wait 430 461\n");
	g_assert_false(unit_at(program, 0)->has_several_clients);
	g_assert_cmpuint(unit_at(program, 0)->talk.asked_bytes, ==, 5);
	g_assert_cmpuint(unit_at(program, 0)->talk.answered_bytes, ==, 9);
	g_assert_cmpuint(unit_at(program, 1)->talk.asked_bytes, ==, 5);
}

/* Each waits for what it has asked a database, and goes on when this has answered, the second one
 * first. */
static void ask_and_hear(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	ask(program, DATABASE_OF_A, 430);
	await(program, 440, 450);
	take(program, B, 460);
	ask(program, DATABASE_OF_B, 470);
	await(program, 480, 500);
	hear(program, DATABASE_OF_B, 510);
	answer(program, B, 520);
	await(program, 530, 560);
	hear(program, DATABASE_OF_A, 570);
	answer(program, A, 580);
	await(program, 590, 600);
}

/* A database answers before the loop waits again, and is read in the function that reads clients:
 * no other request is found there. */
static void test_an_answer_is_there(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	ask(program, DATABASE_OF_A, 430);
	make(program, "p main wait", "epoll_wait", 440, 441, 0, LOOP, 1);
	take(program, DATABASE_OF_A, 450);
	answer(program, A, 460);
	await(program, 500, 510);
	assert_units(program, FIRST "main epoll_wait 410 461\n");
}

static void test_databases_are_asked(struct program *program)
{
	ask_and_hear(program);
	assert_units(program, FIRST "main epoll_wait 450 521\n"
				    "main epoll_wait 410 581\n");
}

/* Both make the same calls, so both take the same paths, whatever was done in between. */
static void test_paths_are_own(struct program *program)
{
	ask_and_hear(program);
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(program->units->len, ==, 6);
	g_assert_cmpuint(unit_at(program, 0)->paths, ==, unit_at(program, 1)->paths);
}

static void assert_calls(const struct program *program, const struct itp_profile *profile,
			 const char *path, uint64_t count, int64_t total_ns)
{
	uint32_t depth;
	const struct itp_node_stats *stats =
		itp_profile_peek(profile, node_of(program, path, &depth));

	g_test_message("%s", path);
	g_assert_cmpuint(stats->count, ==, count);
	g_assert_cmpint(stats->total_ns, ==, total_ns);
}

static struct itp_profile *profile_of_all(struct program *program)
{
	struct itp_profile *profile = itp_profile_new("");

	itp_unit_finder_finish(program->finder);
	g_assert_cmpint(itp_unit_profiles_finish(program->profiles), ==, 0);
	for (guint i = 0; i < program->groups->len; i++) {
		itp_unit_profiles_merge(program->profiles, i, profile);
	}
	return profile;
}

/* No call is in the profile of a request for which it was not made, and none is forgotten, although
 * the request that ends first has begun last. */
static void test_profiles_are_own(struct program *program)
{
	struct itp_profile *profile;

	ask_and_hear(program);
	profile = profile_of_all(program);
	assert_calls(program, profile, "p main take", 6, 6);
	assert_calls(program, profile, "p main ask", 2, 2);
	assert_calls(program, profile, "p main hear", 2, 2);
	assert_calls(program, profile, "p main answer", 6, 6);
	/* Whoever goes on has waited until then. */
	assert_calls(program, profile, "p main wait", 3, 10 + 20 + 30);
	/* The loop's function as long as the units: four of 21, one of 71 and one of 171. */
	assert_calls(program, profile, "p main", 6, 4 * 21 + 71 + 171);
	itp_profile_free(profile);
}

/* The first one goes on, although the second one was at hand when the thread waited: it has waited.
 */
static void test_who_goes_on_has_waited(struct program *program)
{
	struct itp_profile *profile = itp_profile_new("");

	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	ask(program, DATABASE_OF_A, 430);
	await(program, 440, 450);
	take(program, B, 460);
	make(program, "p main tell", "write", 470, 471, 0, DATABASE_OF_B, 9);
	await(program, 480, 500);
	hear(program, DATABASE_OF_A, 510);
	answer(program, A, 520);
	await(program, 530, 560);
	hear(program, DATABASE_OF_B, 570);
	answer(program, B, 580);
	await(program, 590, 600);
	itp_unit_finder_finish(program->finder);
	g_assert_cmpint(itp_unit_profiles_finish(program->profiles), ==, 0);
	itp_unit_profiles_merge(program->profiles, g_array_index(program->groups, guint, 4),
				profile);
	assert_calls(program, profile, "p main ask", 1, 1);
	assert_calls(program, profile, "p main wait", 2, 10 + 20);
	itp_profile_free(profile);
}

/* A request's use of a CPU is what was done for it; while its thread waits, it does, too. */
static void test_uses_are_own(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	stretch(program, ITP_STRETCH_RUN, 410, 440);
	take(program, A, 420);
	await(program, 440, 450);
	stretch(program, ITP_STRETCH_RUN, 450, 480);
	take(program, B, 460);
	await(program, 480, 500);
	stretch(program, ITP_STRETCH_RUN, 500, 530);
	answer(program, B, 520);
	await(program, 530, 560);
	stretch(program, ITP_STRETCH_RUN, 560, 590);
	answer(program, A, 580);
	await(program, 590, 600);
	assert_units(program, FIRST "main epoll_wait 450 521\n"
				    "main epoll_wait 410 581\n");
	g_assert_cmpint(unit_at(program, 0)->use.cpu_ns, ==, 30 + 21);
	g_assert_cmpint(unit_at(program, 0)->use.blocked_ns, ==, 20);
	g_assert_cmpint(unit_at(program, 1)->use.cpu_ns, ==, 30 + 21);
	g_assert_cmpint(unit_at(program, 1)->use.blocked_ns, ==, 10 + 20 + 30);
}

/* What the thread does in a wait, as to leave the CPU and to come back to it, is for nobody, but
 * for the request that goes on with it. */
static void test_time_in_waits(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	take(program, B, 430);
	make(program, "p main wait", "epoll_wait", 440, 460, 10, LOOP, 1);
	stretch(program, ITP_STRETCH_RUN, 450, 460);
	answer(program, B, 470);
	await(program, 480, 490);
	answer(program, A, 500);
	await(program, 510, 520);
	assert_units(program, FIRST "main epoll_wait 430 471\n"
				    "main epoll_wait 410 501\n");
	g_assert_cmpint(unit_at(program, 0)->use.cpu_ns, ==, 10);
	g_assert_cmpint(unit_at(program, 0)->use.blocked_ns, ==, 10);
	g_assert_cmpint(unit_at(program, 1)->use.cpu_ns, ==, 0);
	g_assert_cmpint(unit_at(program, 1)->use.blocked_ns, ==, 10 + 10);
}

/* A turn goes on with one request, and reads another one after that: this begins there. */
static void test_one_goes_on_first(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	ask(program, DATABASE_OF_A, 430);
	await(program, 440, 450);
	hear(program, DATABASE_OF_A, 460);
	take(program, B, 470);
	answer(program, B, 480);
	await(program, 490, 500);
	answer(program, A, 510);
	await(program, 520, 530);
	assert_units(program, FIRST "main epoll_wait 470 481\n"
				    "main epoll_wait 410 511\n");
}

/* Each connects to a database of its own, and asks it when it can be written to. */
static void test_connections_are_waited_for(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	make(program, "p main connect", "connect", 425, 426, 0, DATABASE_OF_A + 2, -115);
	take(program, B, 430);
	make(program, "p main connect", "connect", 435, 436, 0, DATABASE_OF_B + 2, -115);
	await(program, 440, 450);
	stretch(program, ITP_STRETCH_RUN, 450, 470);
	ask(program, DATABASE_OF_B + 2, 460);
	await(program, 470, 480);
	hear(program, DATABASE_OF_B + 2, 490);
	answer(program, B, 500);
	answer(program, A, 510);
	await(program, 520, 530);
	assert_units(program, FIRST "main epoll_wait 430 501\n"
				    "main epoll_wait 410 511\n");
	g_assert_cmpint(unit_at(program, 0)->use.cpu_ns, ==, 20);
	g_assert_cmpint(unit_at(program, 1)->use.cpu_ns, ==, 0);
}

/* A timer is due while two requests are open: nothing tells whose it is, so it is nobody's. */
static void test_a_timer_of_one_of_two(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	take(program, B, 430);
	await(program, 440, 450);
	stretch(program, ITP_STRETCH_RUN, 450, 490);
	make(program, "p main work", "fsync", 460, 470, 0, 30, 0);
	await(program, 490, 500);
	answer(program, A, 510);
	answer(program, B, 520);
	await(program, 530, 540);
	assert_units(program, FIRST "main epoll_wait 410 511\n"
				    "main epoll_wait 430 521\n");
	g_assert_cmpint(unit_at(program, 0)->use.cpu_ns, <, 40);
	g_assert_cmpint(unit_at(program, 1)->use.cpu_ns, <, 40);
}

/* After one of two was answered, the timer is that of the other one. */
static void test_a_timer_of_the_last(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	take(program, B, 430);
	answer(program, A, 440);
	await(program, 450, 460);
	stretch(program, ITP_STRETCH_RUN, 460, 490);
	await(program, 490, 500);
	stretch(program, ITP_STRETCH_RUN, 500, 540);
	answer(program, B, 510);
	await(program, 540, 550);
	assert_units(program, FIRST "main epoll_wait 410 441\n"
				    "main epoll_wait 430 511\n");
	g_assert_cmpint(unit_at(program, 1)->use.cpu_ns, ==, 30 + 11);
}

/* A turn reads one request in two parts, and that of another client in between. */
static void test_a_request_in_parts(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	take(program, B, 430);
	take(program, A, 440);
	answer(program, A, 450);
	answer(program, B, 460);
	await(program, 510, 520);
	assert_units(program, FIRST "main epoll_wait 410 451\n"
				    "main epoll_wait 430 461\n");
}

/* Another thread has answered what this one has read, as shows when the client asks again: it has
 * lasted until the loop waited, as far as this thread is concerned. */
static void test_another_thread_answers(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	await(program, 430, 440);
	take(program, B, 450);
	program->tid = 2;
	make(program, "p help answer", "write", 452, 453, 0, A, 9);
	program->tid = 1;
	answer(program, B, 460);
	await(program, 470, 480);
	take(program, A, 490);
	answer(program, A, 500);
	await(program, 510, 520);
	assert_units(program, FIRST "main epoll_wait 440 461\n"
				    "main epoll_wait 410 430\n"
				    "main epoll_wait 480 501\n");
}

/* Likewise where the thread had read of another client before it waited. */
static void answer_the_first_late(struct program *program, int32_t read_of_a)
{
	await(program, 400, 410);
	take(program, read_of_a, 420);
	take(program, B, 430);
	await(program, 440, 450);
	take(program, read_of_a, 460);
	answer(program, A, 470);
	answer(program, B, 480);
	await(program, 490, 500);
	assert_units(program, FIRST "main epoll_wait 410 440\n"
				    "main epoll_wait 450 471\n"
				    "main epoll_wait 430 481\n");
}

static void test_another_thread_answers_the_first(struct program *program)
{
	begin(program);
	answer_the_first_late(program, A);
}

static void control(struct program *program, int32_t descriptor, int command, int64_t result)
{
	program->second_word = (uint64_t)command;
	make(program, "p main control", "fcntl", 390, 391, 0, descriptor, result);
	program->second_word = 0;
}

/* A client is read from by a copy of the descriptor that it is answered by. Flags that are asked
 * for, with the number of another client, are no copy. */
static void test_a_client_of_two_numbers(struct program *program)
{
	begin(program);
	control(program, A, F_DUPFD_CLOEXEC, COPY_OF_A);
	control(program, A, F_GETFL, B);
	answer_the_first_late(program, COPY_OF_A);
}

/* Its first number is closed, and stands for another client. */
static void test_a_client_loses_a_number(struct program *program)
{
	begin(program);
	control(program, A, F_DUPFD, COPY_OF_A);
	make(program, "p main close", "close", 392, 393, 0, A, 0);
	make(program, "p main accept", "accept", 394, 395, 0, LISTENER, A);
	await(program, 400, 410);
	take(program, COPY_OF_A, 420);
	await(program, 430, 440);
	take(program, A, 450);
	answer(program, A, 460);
	answer(program, COPY_OF_A, 470);
	await(program, 480, 490);
	assert_units(program, FIRST "main epoll_wait 440 461\n"
				    "main epoll_wait 410 471\n");
}

/* Another thread answers, and the client has asked again before the loop looks: nothing blocks, and
 * it is another request. */
static void test_another_thread_is_quick(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	program->tid = 2;
	make(program, "p help answer", "write", 422, 423, 0, A, 9);
	program->tid = 1;
	make(program, "p main wait", "epoll_wait", 430, 431, 0, LOOP, 1);
	take(program, A, 440);
	answer(program, A, 450);
	await(program, 460, 470);
	assert_units(program, FIRST "main epoll_wait 410 430\n"
				    "main epoll_wait 431 451\n");
}

/* What nobody has answered when the recording ends is told as open, each for itself. */
static void test_open_at_the_end(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	take(program, B, 430);
	await(program, 440, 450);
	program->flags = ITP_INSTANCE_END_UNKNOWN;
	call(program, "p main", -50, 500, 0);
	call(program, "p", -50, 500, 0);
	assert_units(program, FIRST);
	g_assert_cmpuint(itp_unit_finder_gaps(program->finder).open_units, ==, 2);
	g_assert_cmpint(itp_unit_finder_gaps(program->finder).longest_open_ns, ==, 90);
}

/* The loop accepts a client, and looks for more, while a request is open: this goes on. */
static void test_a_client_is_accepted(struct program *program)
{
	begin(program);
	for (int64_t at = 400; at < 600; at += 100) {
		await(program, at, at + 10);
		take(program, A, at + 20);
		await(program, at + 30, at + 40);
		make(program, "p main accept", "accept", at + 41, at + 42, 0, LISTENER, B);
		make(program, "p main accept", "accept", at + 43, at + 44, 0, LISTENER, -EAGAIN);
		await(program, at + 50, at + 60);
		answer(program, A, at + 70);
	}
	await(program, 600, 610);
	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < 2; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit,
							     program->units->len - 2 + i);

		g_assert_cmpint(unit->begin_ns, ==, 410 + 100 * i);
		g_assert_cmpint(unit->end_ns, ==, 471 + 100 * i);
	}
}

/* The function with the loop has returned and is called again before anybody was answered, as it is
 * for each wait in some event loops: requests last until their answers. One at hand, another one
 * turned away from, and one whose client hangs up. */
static void test_a_loop_is_left(struct program *program)
{
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	take(program, B, 430);
	call(program, "p main", -50, 450, 0);
	await(program, 490, 500);
	answer(program, A, 510);
	answer(program, B, 520);
	await(program, 530, 540);
	take(program, A, 550);
	make(program, "p main close", "close", 560, 561, 0, A, 0);
	call(program, "p main", 450, 570, 0);
	await(program, 580, 590);
	make(program, "p main accept", "accept", 595, 596, 0, LISTENER, A);
	take(program, A, 600);
	answer(program, A, 610);
	await(program, 620, 630);
	assert_units(program, FIRST "main epoll_wait 410 511\n"
				    "main epoll_wait 430 521\n"
				    "main epoll_wait 590 611\n");
}

/* More are open than are kept: the two oldest ones are told as such that have not ended, and what
 * answers them later ends nothing. */
static void test_too_many(struct program *program)
{
	const int32_t most = 4096;
	const struct itp_unit *last;

	for (int32_t i = 0; i < most + 3; i++) {
		make(program, "p listen", "accept", i - 9000, i - 9000, 0, LISTENER, 100 + i);
	}
	begin(program);
	await(program, 400, 410);
	for (int32_t i = 0; i < most + 3; i++) {
		take(program, 100 + i, 420 + i);
	}
	answer(program, 100, 9000);
	answer(program, 100 + most + 2, 9010);
	await(program, 9020, 9030);
	itp_unit_finder_finish(program->finder);
	last = &g_array_index(program->units, struct itp_unit, program->units->len - 1);
	g_assert_cmpint(last->begin_ns, ==, 420 + most + 2);
	g_assert_cmpint(last->end_ns, ==, 9011);
	g_assert_cmpuint(itp_unit_finder_gaps(program->finder).open_units, ==, 2);
}

/* A guard does not know which call answers whom: units last from wait to wait. */
static void test_turns_are_kept(struct program *program)
{
	itp_unit_finder_keep_turns(program->finder);
	begin(program);
	await(program, 400, 410);
	take(program, A, 420);
	take(program, B, 430);
	answer(program, A, 440);
	answer(program, B, 450);
	await(program, 460, 470);
	itp_unit_finder_finish(program->finder);
	g_assert_cmpint(unit_at(program, 0)->end_ns, ==, 460);
	g_assert_cmpuint(program->units->len, ==, 5);
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/overlap/two clients are ready", test_two_are_ready },
		{ "/overlap/databases are asked", test_databases_are_asked },
		{ "/overlap/a database has answered already", test_an_answer_is_there },
		{ "/overlap/paths are a request's own", test_paths_are_own },
		{ "/overlap/profiles are a request's own", test_profiles_are_own },
		{ "/overlap/who goes on has waited", test_who_goes_on_has_waited },
		{ "/overlap/use of time is a request's own", test_uses_are_own },
		{ "/overlap/time in waits", test_time_in_waits },
		{ "/overlap/one goes on first", test_one_goes_on_first },
		{ "/overlap/connections are waited for", test_connections_are_waited_for },
		{ "/overlap/a timer of one of two", test_a_timer_of_one_of_two },
		{ "/overlap/a timer of the last", test_a_timer_of_the_last },
		{ "/overlap/a request in parts", test_a_request_in_parts },
		{ "/overlap/another thread answers", test_another_thread_answers },
		{ "/overlap/another thread answers before the loop looks",
		  test_another_thread_is_quick },
		{ "/overlap/another thread answers the first",
		  test_another_thread_answers_the_first },
		{ "/overlap/a client of two numbers", test_a_client_of_two_numbers },
		{ "/overlap/a client loses a number", test_a_client_loses_a_number },
		{ "/overlap/open at the end", test_open_at_the_end },
		{ "/overlap/a client is accepted", test_a_client_is_accepted },
		{ "/overlap/a loop is left", test_a_loop_is_left },
		{ "/overlap/too many", test_too_many },
		{ "/overlap/turns are kept for guards", test_turns_are_kept },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
