/* SPDX-License-Identifier: MIT */
/* When an answer has been sent: servers whose calls are written down. */
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "tests/unit/unit-program.h"

#define LISTENER 3
#define CLIENT 7
#define LISTENING 1
#define WORKING 2
/* A thread of which nothing else is known. */
#define STRANGER 9

/* A thread reads of a client and has a worker answer in two parts. Between them the worker waits
 * for a lock that others have, or, where `is_own`, for its queue. */
static void answer_in_parts(struct program *program, bool is_own)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	for (int64_t at = 100; at < 600; at += 100) {
		program->tid = LISTENING;
		make(program, "p main wait", "epoll_wait", at - 80, at, 80, 4, 1);
		make(program, "p main fill", "read", at + 1, at + 2, 0, CLIENT, 4);
		program->tid = WORKING;
		program->waker = LISTENING;
		make(program, "p work take", "futex", at - 30, at + 6, 36, 0x1000, 0);
		make(program, "p work answer", "write", at + 20, at + 21, 0, CLIENT, 4);
		program->waker = STRANGER;
		make(program, is_own ? "p work take" : "p work answer lock", "futex", at + 22,
		     at + 40, 18, 0x2000, 0);
		program->waker = 0;
		make(program, "p work answer", "write", at + 41, at + 42, 0, CLIENT, 4);
	}
	make(program, "p work take", "futex", 600, 650, 50, 0x1000, 0);
	itp_unit_finder_finish(program->finder);
}

/* Number of the worker's units that begin and end so behind a hundred. */
static guint count_of_worker(const struct program *program, int64_t begin_ns, int64_t end_ns)
{
	guint count = 0;

	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		count += unit->tid == WORKING && unit->begin_ns % 100 == begin_ns &&
			 unit->end_ns % 100 == end_ns;
	}
	return count;
}

/* The thread goes on with the answer when it has the lock. */
static void test_an_answer_goes_on_behind_a_lock(struct program *program)
{
	answer_in_parts(program, false);
	g_assert_cmpuint(count_of_worker(program, 0, 42), ==, 5);
	g_assert_cmpuint(count_of_worker(program, 0, 21), ==, 0);
}

/* A worker that finds something more to tell the client in its queue has another piece of work. */
static void test_a_worker_tells_more_of_its_own(struct program *program)
{
	answer_in_parts(program, true);
	g_assert_cmpuint(count_of_worker(program, 0, 42), ==, 5);
	g_assert_cmpuint(count_of_worker(program, 0, 21), ==, 5);
}

/* Three datagrams are read at once, and a fourth one behind the first answer; each is a unit of its
 * own, also where one call has two of the answers. */
static void test_datagrams_are_read_at_once(struct program *program)
{
	for (int64_t at = 0; at < 300; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "recvmmsg", at + 12, at + 13, 0, CLIENT, 3);
		make(program, "p main answer", "sendmsg", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p main fill", "recvmmsg", at + 22, at + 23, 0, CLIENT, 1);
		make(program, "p main answer", "sendmmsg", at + 30, at + 34, 0, CLIENT, 2);
		make(program, "p main answer", "sendmsg", at + 40, at + 41, 0, CLIENT, 4);
	}
	make(program, "p main wait", "epoll_wait", 300, 400, 100, 4, 1);
	assert_units(program, "main epoll_wait 10 21\n"
			      "main epoll_wait 10 32\n"
			      "main epoll_wait 10 34\n"
			      "main epoll_wait 22 41\n"
			      "main epoll_wait 110 121\n"
			      "main epoll_wait 110 132\n"
			      "main epoll_wait 110 134\n"
			      "main epoll_wait 122 141\n"
			      "main epoll_wait 210 221\n"
			      "main epoll_wait 210 232\n"
			      "main epoll_wait 210 234\n"
			      "main epoll_wait 222 241\n");
}

/* The thread loses its CPU in the middle of a call with three answers, where it has sent the first:
 * each takes a third of the 30 for which it ran, and reaches its client as quickly as the first. */
static void test_the_cpu_is_lost_between_answers(struct program *program)
{
	for (int64_t at = 0; at < 300; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "recvmmsg", at + 12, at + 13, 0, CLIENT, 3);
		stretch(program, ITP_STRETCH_RUN, at + 13, at + 27);
		stretch(program, ITP_STRETCH_READY, at + 27, at + 67);
		stretch(program, ITP_STRETCH_RUN, at + 67, at + 90);
		program->woke_ns = at + 25;
		make(program, "p main answer", "sendmmsg", at + 20, at + 90, 0, CLIENT, 3);
		program->woke_ns = 0;
	}
	make(program, "p main wait", "epoll_wait", 300, 400, 100, 4, 1);
	/* Clients are known when the thread has answered once. */
	assert_units(program, "main epoll_wait 10 85\n"
			      "main epoll_wait 110 125\n"
			      "main epoll_wait 110 175\n"
			      "main epoll_wait 110 185\n"
			      "main epoll_wait 210 225\n"
			      "main epoll_wait 210 275\n"
			      "main epoll_wait 210 285\n");
}

/* A damaged recording has a call of as many messages as there are numbers. */
static void test_a_call_has_too_many_messages(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "recvmmsg", at + 12, at + 13, 0, CLIENT, INT64_MAX);
		make(program, "p main answer", "sendmmsg", at + 20, at + 21, 0, CLIENT, INT64_MAX);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(program->units->len, <=, 4 * 1024);
}

/* Datagrams without an answer are forgotten when the thread waits for others. */
static void test_a_datagram_is_not_answered(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "recvmmsg", at + 12, at + 13, 0, CLIENT, 3);
		make(program, "p main answer", "sendmsg", at + 20, at + 21, 0, CLIENT, 4);
	}
	assert_units(program, "main epoll_wait 10 21\n"
			      "main epoll_wait 110 121\n"
			      "main epoll_wait 210 221\n");
}

/* Data held back is sent when the option is taken back, which wakes the client; that the
 * connection is closed much later is no part of the answer. */
static void test_an_answer_is_uncorked(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p main answer", "write", at + 30, at + 32, 0, CLIENT, 4);
		program->woke_ns = at + 43;
		make(program, "p main send", "setsockopt", at + 40, at + 45, 0, CLIENT, 0);
		program->woke_ns = at + 83;
		make(program, "p main end", "close", at + 80, at + 85, 0, CLIENT, 0);
		program->woke_ns = 0;
	}
	assert_units(program, "main epoll_wait 10 43\n"
			      "main epoll_wait 110 143\n"
			      "main epoll_wait 210 243\n");
}

/* Accepts a connection, and answers without waking the client, which was not asleep, but perhaps
 * waits for the end of the connection then. TCP_CORK was set before where `is_corked`. */
static void answer_and_close(struct program *program, int64_t at, bool is_corked, bool wakes)
{
	make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
	make(program, "p main take", "accept4", at + 11, at + 12, 0, LISTENER, CLIENT);
	program->second_word = IPPROTO_TCP;
	program->third_word = is_corked ? TCP_CORK : TCP_NODELAY;
	make(program, "p main set", "setsockopt", at + 13, at + 14, 0, CLIENT, 0);
	program->second_word = 0;
	program->third_word = 0;
	make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
	make(program, "p main answer", "write", at + 30, at + 32, 0, CLIENT, 4);
	program->second_word = IPPROTO_TCP;
	program->third_word = TCP_NODELAY;
	make(program, "p main set", "setsockopt", at + 40, at + 41, 0, CLIENT, 0);
	program->second_word = 0;
	program->third_word = 0;
	program->woke_ns = wakes ? at + 83 : 0;
	make(program, "p main end", "close", at + 80, at + 85, 0, CLIENT, 0);
	program->woke_ns = 0;
}

static void test_an_answer_wakes_nobody(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		answer_and_close(program, at, at == 100 || at == 300, at < 300);
	}
	assert_units(program, "main epoll_wait 10 32\n"
			      "main epoll_wait 110 183\n"
			      "main epoll_wait 210 232\n"
			      "main epoll_wait 310 385\n");
}

/* The first client sleeps until its answer's second part wakes it. The others are awake, as the
 * first part has woken them, and wait for the end of the connection later: nothing was held back.
 */
static void test_a_place_that_has_woken_holds_nothing_back(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main take", "accept4", at + 11, at + 12, 0, LISTENER, CLIENT);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		program->woke_ns = at + 31;
		make(program, "p main head", "write", at + 30, at + 32, 0, CLIENT, 4);
		program->woke_ns = at == 0 ? at + 42 : 0;
		make(program, "p main body", "write", at + 40, at + 45, 0, CLIENT, 4);
		program->woke_ns = at + 83;
		make(program, "p main end", "close", at + 80, at + 85, 0, CLIENT, 0);
		program->woke_ns = 0;
	}
	assert_units(program, "main epoll_wait 10 42\n"
			      "main epoll_wait 110 142\n"
			      "main epoll_wait 210 242\n"
			      "main epoll_wait 310 342\n");
}

/* The kernel gives a number back first of all: a call of close() that takes longer ends when
 * another thread has accepted the next connection by that number, whose request is another unit. */
static void test_a_number_is_given_back_early(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		program->tid = LISTENING;
		make(program, "p listen", "accept4", at + 1, at + 5, 4, LISTENER, CLIENT);
		program->tid = WORKING;
		program->waker = LISTENING;
		make(program, "p work take", "futex", at - 40, at + 6, 46, 0x1000, 0);
		program->waker = 0;
		make(program, "p work fill", "read", at + 11, at + 12, 0, CLIENT, 4);
		make(program, "p work answer", "write", at + 20, at + 21, 0, CLIENT, 4);
		program->tid = LISTENING;
		make(program, "p listen", "accept4", at + 25, at + 33, 8, LISTENER, CLIENT);
		program->tid = WORKING;
		make(program, "p work end", "close", at + 30, at + 40, 0, CLIENT, 0);
		make(program, "p work fill", "read", at + 41, at + 42, 0, CLIENT, 4);
		make(program, "p work answer", "write", at + 45, at + 46, 0, CLIENT, 4);
		make(program, "p work end", "close", at + 50, at + 51, 0, CLIENT, 0);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_of_worker(program, 5, 21), ==, 5);
	g_assert_cmpuint(count_of_worker(program, 33, 46), ==, 4);
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/answers/an answer goes on behind a lock",
		  test_an_answer_goes_on_behind_a_lock },
		{ "/answers/a worker tells more that it finds in its queue",
		  test_a_worker_tells_more_of_its_own },
		{ "/answers/datagrams that are read at once have a unit each",
		  test_datagrams_are_read_at_once },
		{ "/answers/the CPU is lost between answers of one call",
		  test_the_cpu_is_lost_between_answers },
		{ "/answers/a call has too many messages", test_a_call_has_too_many_messages },
		{ "/answers/a datagram without an answer is forgotten",
		  test_a_datagram_is_not_answered },
		{ "/answers/an answer is sent when it is held back no more",
		  test_an_answer_is_uncorked },
		{ "/answers/an answer that wakes nobody has left, unless it was to be held back",
		  test_an_answer_wakes_nobody },
		{ "/answers/a place that has woken clients holds nothing back",
		  test_a_place_that_has_woken_holds_nothing_back },
		{ "/answers/a number is given back before the call of close ends",
		  test_a_number_is_given_back_early },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
