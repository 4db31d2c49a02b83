/* SPDX-License-Identifier: MIT */
/* Waits for work are told from those inside a unit: servers whose calls are written down. */
#include <errno.h>
#include <string.h>

#include "tests/unit/unit-program.h"

#define LISTENER 3
#define CLIENT 7
#define DATABASE 9

/* The function of `path` makes this system call, "read", and returns. Where it blocks, the thread
 * program->waker ends that. */
static void make(struct program *program, const char *path, const char *syscall, int64_t begin_ns,
		 int64_t end_ns, int64_t blocked_ns, int32_t descriptor, int64_t result)
{
	g_autofree char *inner = g_strdup_printf("%s " ITP_SYSCALL_PREFIX "%s", path, syscall);

	if (blocked_ns > 0) {
		wait_until_signalled(program, begin_ns, begin_ns + blocked_ns, program->waker);
	}
	call_on(program, inner, begin_ns, end_ns, blocked_ns, descriptor, result);
	call(program, path, begin_ns, end_ns, blocked_ns);
}

/* A listener accepts a connection, which a worker takes from a queue: request and answer. */
static void accept_and_serve(struct program *program, int64_t at, bool is_sent_late)
{
	program->tid = 1;
	make(program, "p listen take", "accept", at - 50, at, 50, LISTENER, CLIENT);
	make(program, "p listen put", "futex", at + 1, at + 2, 0, 0x1000, 1);
	program->tid = 2;
	program->waker = 1;
	make(program, "p work take", "futex", at - 40, at + 3, 42, 0x1000, 0);
	program->waker = 0;
	make(program, "p work serve fill", "read", at + 4, at + (is_sent_late ? 20 : 5),
	     is_sent_late ? 16 : 0, CLIENT, 4);
	make(program, "p work serve answer", "write", at + 28, at + 30, 0, CLIENT, 4);
	make(program, "p work serve end", "close", at + 31, at + 32, 0, CLIENT, 0);
	call(program, "p work serve", at + 4, at + 33, 0);
}

/* The worker's wait for the queue is no part of a unit, although it blocks while the read of the
 * connection looks like the loop's wait, too. What is sent late begins late. */
static void test_a_queue_and_a_connection(struct program *program)
{
	for (int64_t at = 100; at < 700; at += 100) {
		accept_and_serve(program, at, at >= 400);
	}
	assert_units(program, "listen accept 100 150\n"
			      "work futex 103 160\n"
			      "listen accept 200 250\n"
			      "work futex 203 260\n"
			      "listen accept 300 350\n"
			      "work futex 303 360\n"
			      "listen accept 400 450\n"
			      "work futex 420 460\n"
			      "listen accept 500 550\n"
			      "work futex 520 560\n");
}

/* One connection after the other, each with two requests, and a third that is no more than the
 * client's end. */
static void serve_two(struct program *program, int64_t at)
{
	make(program, "p main take", "accept", at, at + 10, 10, LISTENER, CLIENT);
	make(program, "p main serve fill", "read", at + 11, at + 20, 9, CLIENT, 4);
	make(program, "p main serve fill", "read", at + 22, at + 30, 8, CLIENT, 4);
	make(program, "p main serve answer", "write", at + 38, at + 40, 0, CLIENT, 4);
	make(program, "p main serve fill", "read", at + 41, at + 60, 19, CLIENT, 4);
	make(program, "p main serve answer", "write", at + 68, at + 70, 0, CLIENT, 4);
	make(program, "p main serve fill", "read", at + 71, at + 80, 9, CLIENT, 0);
	make(program, "p main serve end", "close", at + 81, at + 82, 0, CLIENT, 0);
	call(program, "p main serve", at + 11, at + 83, 0);
}

/* A request whose second half comes late is one unit; the wait for the next request of the same
 * connection is none, nor is the end of the connection. */
static void test_connections_are_kept(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		serve_two(program, at);
	}
	assert_units(program, "main accept 20 41\n"
			      "main read 60 71\n"
			      "main accept 120 141\n"
			      "main read 160 171\n"
			      "main accept 220 241\n"
			      "main read 260 271\n"
			      "main accept 320 341\n"
			      "main read 360 371\n");
}

/* Its requests are there as soon as the one before is answered. */
static void test_requests_in_a_pipeline(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		for (int64_t i = 20; i < 80; i += 20) {
			make(program, "p main fill", "read", at + i, at + i + 1, 0, CLIENT, 4);
			make(program, "p main answer", "write", at + i + 5, at + i + 6, 0, CLIENT,
			     4);
		}
		make(program, "p main fill", "read", at + 80, at + 81, 0, CLIENT, -EAGAIN);
	}
	assert_units(program, "main epoll_wait 10 40\n"
			      "main epoll_wait 40 60\n"
			      "main epoll_wait 60 80\n"
			      "main epoll_wait 110 140\n"
			      "main epoll_wait 140 160\n"
			      "main epoll_wait 160 180\n"
			      "main epoll_wait 210 240\n"
			      "main epoll_wait 240 260\n"
			      "main epoll_wait 260 280\n"
			      "main epoll_wait 310 340\n"
			      "main epoll_wait 340 360\n"
			      "main epoll_wait 360 380\n");
}

/* How many requests one read has brought is not seen: what is answered together is one unit. */
static void test_several_requests_in_one_read(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 12);
		make(program, "p main answer", "write", at + 30, at + 31, 0, CLIENT, 4);
		make(program, "p main answer", "write", at + 40, at + 41, 0, CLIENT, 4);
	}
	assert_units(program, "main epoll_wait 10 100\n"
			      "main epoll_wait 110 200\n"
			      "main epoll_wait 210 300\n");
}

/* Every second client hangs up without a word. */
static void test_clients_hang_up(struct program *program)
{
	for (int64_t at = 0; at < 800; at += 100) {
		const bool hangs_up = at % 200 != 0;

		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, hangs_up ? 0 : 4);
		if (hangs_up) {
			make(program, "p main end", "close", at + 22, at + 23, 0, CLIENT, 0);
		} else {
			make(program, "p main answer", "write", at + 30, at + 31, 0, CLIENT, 4);
		}
	}
	assert_units(program, "main epoll_wait 10 100\n"
			      "main epoll_wait 210 300\n"
			      "main epoll_wait 410 500\n"
			      "main epoll_wait 610 700\n");
}

/* A worker asks a database for each request, for longer than it waits for the next one. */
static void test_a_database_is_asked(struct program *program)
{
	make(program, "p open", "connect", 0, 1, 0, DATABASE, 0);
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "recvfrom", at, at + 10, 10, CLIENT, 4);
		make(program, "p main ask send", "sendto", at + 20, at + 21, 0, DATABASE, 4);
		make(program, "p main ask wait", "poll", at + 22, at + 80, 58, 0x2000, 1);
		make(program, "p main ask fill", "recvfrom", at + 81, at + 82, 0, DATABASE, 4);
		make(program, "p main answer", "sendto", at + 90, at + 91, 0, CLIENT, 4);
	}
	assert_units(program, "main recvfrom 10 100\n"
			      "main recvfrom 110 200\n"
			      "main recvfrom 210 300\n");
}

/* A thread asks another one by a condition and waits for its answer by another condition: what it
 * set going itself is no work. Its requests come by one pipe and are answered by another. */
static void test_an_answer_of_another_thread(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		program->tid = 1;
		make(program, "p serve take", "read", at, at + 10, 10, 5, 1);
		program->tid = 2;
		program->waker = 1;
		make(program, "p help take", "futex", at - 70, at + 21, 90, 0x1000, 0);
		program->tid = 1;
		make(program, "p serve ask", "futex", at + 19, at + 22, 0, 0x1000, 1);
		program->waker = 2;
		make(program, "p serve ask", "futex", at + 23, at + 71, 47, 0x2000, 0);
		program->waker = 0;
		make(program, "p serve answer", "write", at + 90, at + 91, 0, 6, 1);
	}
	assert_units(program, "serve read 10 100\n"
			      "help futex 21 30\n"
			      "serve read 110 200\n"
			      "help futex 121 130\n"
			      "serve read 210 300\n"
			      "help futex 221 230\n"
			      "serve read 310 400\n"
			      "help futex 321 330\n");
}

/* A signal interrupts the wait, whose handler is no work; then the loop waits for the same. */
static void test_a_wait_is_interrupted(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "pselect6", at, at + 10, 10, 4,
		     at % 200 ? -514 : -EINTR);
		make(program, "p main handle", "wait4", at + 11, at + 20, 0, 0, 0);
		make(program, "p main wait", "pselect6", at + 30, at + 50, 20, 4, 1);
		make(program, "p main fill", "read", at + 60, at + 61, 0, CLIENT, 4);
		make(program, "p main answer", "write", at + 70, at + 71, 0, CLIENT, 4);
	}
	assert_units(program, "main pselect6 50 100\n"
			      "main pselect6 150 200\n"
			      "main pselect6 250 300\n");
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/waits/a queue and a connection", test_a_queue_and_a_connection },
		{ "/waits/connections are kept", test_connections_are_kept },
		{ "/waits/requests in a pipeline", test_requests_in_a_pipeline },
		{ "/waits/several requests in one read", test_several_requests_in_one_read },
		{ "/waits/clients hang up", test_clients_hang_up },
		{ "/waits/a database is asked", test_a_database_is_asked },
		{ "/waits/an answer of another thread", test_an_answer_of_another_thread },
		{ "/waits/a wait is interrupted", test_a_wait_is_interrupted },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
