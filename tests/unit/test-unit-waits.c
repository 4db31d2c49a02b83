/* SPDX-License-Identifier: MIT */
/* Waits for work are told from those inside a unit: servers whose calls are written down. */
#include <errno.h>
#include <string.h>

#include "tests/unit/unit-program.h"

#define LISTENER 3
#define CLIENT 7
#define DATABASE 9
#define PAGE 11

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
 * connection looks like the loop's wait, too. The unit begins when the listener was woken, as the
 * client waits since then; what is sent late begins late. */
static void test_a_queue_and_a_connection(struct program *program)
{
	for (int64_t at = 100; at < 700; at += 100) {
		accept_and_serve(program, at, at >= 400);
	}
	assert_units(program, "listen accept 100 150\n"
			      "work futex 100 130\n"
			      "listen accept 200 250\n"
			      "work futex 200 230\n"
			      "listen accept 300 350\n"
			      "work futex 300 330\n"
			      "listen accept 400 450\n"
			      "work futex 420 430\n"
			      "listen accept 500 550\n"
			      "work futex 520 530\n");
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
	assert_units(program, "main accept 20 40\n"
			      "main read 60 70\n"
			      "main accept 120 140\n"
			      "main read 160 170\n"
			      "main accept 220 240\n"
			      "main read 260 270\n"
			      "main accept 320 340\n"
			      "main read 360 370\n");
}

/* With which reads units of the loop have begun without a wait: "NAME NAME". */
static void assert_reads(const struct program *program, const char *wanted)
{
	const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, 0);
	const GArray *reads = itp_unit_finder_reads(program->finder, unit->loop);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; reads && i < reads->len; i++) {
		g_string_append_printf(text, "%s%s", i > 0 ? " " : "",
				       node_name(program, g_array_index(reads, uint32_t, i)));
	}
	g_assert_cmpstr(text->str, ==, wanted);
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
	assert_units(program, "main epoll_wait 10 26\n"
			      "main epoll_wait 40 46\n"
			      "main epoll_wait 60 66\n"
			      "main epoll_wait 110 126\n"
			      "main epoll_wait 140 146\n"
			      "main epoll_wait 160 166\n"
			      "main epoll_wait 210 226\n"
			      "main epoll_wait 240 246\n"
			      "main epoll_wait 260 266\n"
			      "main epoll_wait 310 326\n"
			      "main epoll_wait 340 346\n"
			      "main epoll_wait 360 366\n");
	assert_reads(program, ITP_SYSCALL_PREFIX "read");
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
	assert_units(program, "main epoll_wait 10 41\n"
			      "main epoll_wait 110 141\n"
			      "main epoll_wait 210 241\n");
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
	assert_units(program, "main epoll_wait 10 31\n"
			      "main epoll_wait 210 231\n"
			      "main epoll_wait 410 431\n"
			      "main epoll_wait 610 631\n");
}

/* A worker that has answered waits until its client has closed the connection, and then for the
 * queue: nobody waits for it. */
static void test_a_worker_lingers(struct program *program)
{
	for (int64_t at = 100; at < 700; at += 100) {
		program->tid = 1;
		make(program, "p listen take", "accept", at - 50, at, 50, LISTENER, CLIENT);
		make(program, "p listen put", "futex", at + 1, at + 2, 0, 0x1000, 1);
		program->tid = 2;
		program->waker = 1;
		make(program, "p work take", "futex", at - 40, at + 3, 42, 0x1000, 0);
		program->waker = 0;
		make(program, "p work fill", "read", at + 4, at + 5, 0, CLIENT, 4);
		make(program, "p work answer", "write", at + 8, at + 10, 0, CLIENT, 4);
		make(program, "p work linger", "poll", at + 11, at + 50, 39, 0x2000, 1);
		make(program, "p work linger", "read", at + 51, at + 52, 0, CLIENT, 0);
		make(program, "p work linger", "close", at + 53, at + 54, 0, CLIENT, 0);
	}
	assert_units(program, "work futex 100 110\n"
			      "listen accept 100 150\n"
			      "work futex 200 210\n"
			      "listen accept 200 250\n"
			      "work futex 300 310\n"
			      "listen accept 300 350\n"
			      "work futex 400 410\n"
			      "listen accept 400 450\n"
			      "work futex 500 510\n"
			      "listen accept 500 550\n"
			      "work futex 600 610\n");
}

/* The stack of each second request's read lacks the loop: its descriptor tells to whom it belongs.
 */
static void test_a_read_whose_stack_lacks_the_loop(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p main answer", "write", at + 30, at + 31, 0, CLIENT, 4);
		make(program, "p lost fill", "read", at + 40, at + 41, 0, CLIENT, 4);
		make(program, "p lost answer", "write", at + 50, at + 51, 0, CLIENT, 4);
	}
	assert_units(program, "main epoll_wait 10 31\n"
			      "main epoll_wait 40 51\n"
			      "main epoll_wait 110 131\n"
			      "main epoll_wait 140 151\n"
			      "main epoll_wait 210 231\n"
			      "main epoll_wait 240 251\n"
			      "main epoll_wait 310 331\n");
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
	assert_units(program, "main recvfrom 10 91\n"
			      "main recvfrom 110 191\n"
			      "main recvfrom 210 291\n");
}

/* A thread asks another one by a condition and waits for its answer by another condition: what it
 * set going itself is no work. Its requests come by one pipe and are answered by another. The other
 * thread's units begin when it is woken, before its system call returns. */
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
			      "help futex 20 30\n"
			      "serve read 110 200\n"
			      "help futex 120 130\n"
			      "serve read 210 300\n"
			      "help futex 220 230\n"
			      "serve read 310 400\n"
			      "help futex 320 330\n");
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
	assert_units(program, "main pselect6 50 71\n"
			      "main pselect6 150 171\n"
			      "main pselect6 250 271\n");
}

/* Two turns of an event loop serve one request: the answer is written when the client can take it,
 * or when a database has answered. */
static void test_an_answer_in_a_later_turn(struct program *program)
{
	make(program, "p open", "connect", 0, 1, 0, DATABASE, 0);
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p main ask", "write", at + 22, at + 23, 0, DATABASE, 4);
		make(program, "p main wait", "epoll_wait", at + 24, at + 60, 36, 4, 1);
		make(program, "p main ask", "read", at + 61, at + 62, 0, DATABASE, 4);
		make(program, "p main answer", "write", at + 70, at + 71, 0, CLIENT, 4);
	}
	assert_units(program, "main epoll_wait 10 24\n"
			      "main epoll_wait 60 71\n"
			      "main epoll_wait 110 171\n"
			      "main epoll_wait 210 271\n");
}

/* A client that does not wait for answers sends one message after the other, and asks once. */
static void test_messages_without_answers(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p main log", "fsync", at + 30, at + 40, 0, 3, 0);
		if (at == 0) {
			make(program, "p main answer", "write", at + 50, at + 51, 0, CLIENT, 4);
		}
	}
	make(program, "p main wait", "epoll_wait", 500, 510, 10, 4, 1);
	make(program, "p main fill", "read", 520, 521, 0, CLIENT, 4);
	assert_units(program, "main epoll_wait 10 51\n"
			      "main epoll_wait 110 200\n"
			      "main epoll_wait 210 300\n"
			      "main epoll_wait 310 400\n"
			      "main epoll_wait 410 500\n");
}

/* The client does not take the answer as fast as it is written. */
static void test_a_wait_to_write(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "recvfrom", at, at + 10, 10, CLIENT, 4);
		make(program, "p main answer", "sendto", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p main answer", "poll", at + 22, at + 60, 38, 0x2000, 1);
		make(program, "p main answer", "sendto", at + 61, at + 62, 0, CLIENT, 4);
	}
	assert_units(program, "main recvfrom 10 62\n"
			      "main recvfrom 110 162\n"
			      "main recvfrom 210 262\n");
}

/* A listener that waits for connections by poll hands each over to another thread. */
static void test_a_listener_polls(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "poll", at, at + 10, 10, 0x2000, 1);
		make(program, "p main take", "accept4", at + 11, at + 12, 0, LISTENER, CLIENT);
		make(program, "p main put", "futex", at + 20, at + 21, 0, 0x1000, 1);
	}
	assert_units(program, "main poll 10 100\n"
			      "main poll 110 200\n"
			      "main poll 210 300\n");
}

/* A connection for each request, which the client is to close. */
static void linger(struct program *program, int64_t at)
{
	make(program, "p main take", "accept", at, at + 10, 10, LISTENER, CLIENT);
	make(program, "p main serve fill", "read", at + 12, at + 13, 0, CLIENT, 4);
	make(program, "p main serve answer", "write", at + 38, at + 40, 0, CLIENT, 4);
	make(program, "p main serve linger", "poll", at + 41, at + 80, 39, CLIENT, 1);
	make(program, "p main serve linger", "read", at + 81, at + 82, 0, CLIENT, 0);
	make(program, "p main serve linger", "close", at + 83, at + 84, 0, CLIENT, 0);
	call(program, "p main serve", at + 11, at + 85, 0);
}

/* For a guard a unit ends where the thread waits until its client has closed the connection: it is
 * told of that place, as the client takes its time. */
static void test_a_guard_is_told_where_clients_linger(struct program *program)
{
	itp_unit_finder_keep_turns(program->finder);
	for (int64_t at = 0; at < 400; at += 100) {
		linger(program, at);
	}
	assert_units(program, "main accept 10 41\n"
			      "main accept 110 141\n"
			      "main accept 210 241\n"
			      "main accept 310 341\n");
	assert_reads(program, ITP_SYSCALL_PREFIX "poll");
}

/* An answer is held back until the connection's half is shut, which wakes the client. */
static void test_an_answer_is_held_back(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		program->woke_ns = at == 200 ? at + 31 : 0;
		make(program, "p main answer", "write", at + 30, at + 32, 0, CLIENT, 4);
		program->woke_ns = at + 43;
		make(program, "p main end", "shutdown", at + 40, at + 45, 0, CLIENT, 0);
		program->woke_ns = 0;
	}
	assert_units(program, "main epoll_wait 10 43\n"
			      "main epoll_wait 110 143\n"
			      "main epoll_wait 210 231\n");
}

/* The third client does not wait for its answer, as the server has its CPU: it has the bytes as
 * soon as the quicker of the others had theirs, not only when the call returns. */
static void test_an_answer_to_who_is_awake(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		program->woke_ns = at == 200 ? 0 : at == 100 ? at + 34 : at + 38;
		make(program, "p main answer", "write", at + 30, at + 40, 0, CLIENT, 4);
		program->woke_ns = 0;
	}
	assert_units(program, "main epoll_wait 10 38\n"
			      "main epoll_wait 110 134\n"
			      "main epoll_wait 210 234\n");
}

/* A thread reads what clients send, and a worker answers: twice it finds the next request without
 * having to wait for it, and once it is woken for nothing. */
static void test_a_worker_finds_more(struct program *program)
{
	make(program, "p listen take", "accept", 0, 1, 1, LISTENER, CLIENT);
	make(program, "p listen take", "accept", 2, 3, 1, LISTENER, DATABASE);
	for (int64_t at = 100; at < 500; at += 100) {
		program->tid = 1;
		make(program, "p main wait", "epoll_wait", at - 80, at, 80, 4, 1);
		make(program, "p main fill", "read", at + 1, at + 2, 0, CLIENT, 4);
		make(program, "p main fill", "read", at + 3, at + 4, 0, DATABASE, 4);
		program->tid = 2;
		program->waker = 1;
		wait_until_signalled(program, at - 40, at - 30, 1);
		call_on(program, "p work take syscall:futex", at - 40, at - 30, 10, 0x1000, 0);
		wait_until_signalled(program, at - 20, at + 6, 1);
		call_on(program, "p work take syscall:futex", at - 20, at + 6, 26, 0x1000, 0);
		program->waker = 0;
		call(program, "p work take", at - 40, at + 7, 0);
		make(program, "p work answer", "write", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p work look", "pread64", at + 25, at + 26, 0, 12, 4);
		make(program, "p work answer", "write", at + 40, at + 41, 0, DATABASE, 4);
		make(program, "p work answer", "write", at + 42, at + 43, 0, DATABASE, 4);
	}
	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);
		const int64_t at = unit->end_ns / 100 * 100;
		const bool is_second = unit->end_ns == at + 43;

		if (unit->tid == 2) {
			g_assert_cmpint(unit->begin_ns, ==, at + (is_second ? 3 : 0));
			g_assert_cmpint(unit->own_begin_ns, ==, at + (is_second ? 21 : 6));
			g_assert_cmpint(unit->end_ns, ==, at + (is_second ? 43 : 21));
		}
	}
	g_assert_cmpuint(program->units->len, ==, 3 + 7);
}

/* A worker that is woken to end has answered before, and has no unit of that. */
static void test_a_worker_is_told_to_end(struct program *program)
{
	make(program, "p listen take", "accept", 0, 1, 1, LISTENER, CLIENT);
	program->waker = 9;
	for (int64_t at = 100; at < 500; at += 100) {
		wait_until_signalled(program, at - 40, at - 5, 9);
		call_on(program, "p work take syscall:futex", at - 40, at, 35, 0x1000, 0);
		call(program, "p work take", at - 40, at + 1, 0);
		if (at < 400) {
			make(program, "p work fill", "read", at + 5, at + 6, 0, CLIENT, 4);
			make(program, "p work answer", "write", at + 20, at + 21, 0, CLIENT, 4);
		}
	}
	call(program, "p work", 40, 410, 0);
	call(program, "p", 0, 410, 0);
	assert_units(program, "work futex 95 121\n"
			      "work futex 195 221\n"
			      "work futex 295 321\n");
}

/* A thread that ends in a unit has not ended it; nor has the end of the recording. */
static void test_a_thread_ends_inside(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p serve fill", "read", at, at + 50, 50, CLIENT, 4);
		if (at < 300) {
			make(program, "p serve answer", "write", at + 60, at + 61, 0, CLIENT, 4);
		}
	}
	call(program, "p serve", 0, 370, 0);
	call(program, "p", 0, 370, 0);
	program->tid = 2;
	make(program, "p serve fill", "read", 400, 450, 50, CLIENT, 4);
	make(program, "p serve log", "fsync", 460, 470, 0, 3, 0);
	program->flags = ITP_INSTANCE_END_UNKNOWN;
	call(program, "p serve", 390, 500, 0);
	call(program, "p", 390, 500, 0);
	assert_units(program, "serve read 50 61\n"
			      "serve read 150 161\n"
			      "serve read 250 261\n");
	g_assert_false(itp_unit_finder_gaps(program->finder).has_no_proof);
	g_assert_cmpuint(itp_unit_finder_gaps(program->finder).open_units, ==, 1);
	g_assert_cmpint(itp_unit_finder_gaps(program->finder).longest_open_ns, ==, 50);
}

/* Where neither words nor wakeups were recorded, the one for any event is taken to begin units, and
 * the other waits are inside. */
static void test_nothing_tells_what_waits_are_for(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		call(program, "p main wait syscall:epoll_wait", at, at + 10, 10);
		call(program, "p main wait", at, at + 10, 10);
		call(program, "p main ask syscall:read", at + 20, at + 60, 40);
		call(program, "p main ask", at + 20, at + 60, 40);
	}
	assert_units(program, "main epoll_wait 10 100\n"
			      "main epoll_wait 110 200\n"
			      "main epoll_wait 210 300\n");
	g_assert_true(itp_unit_finder_gaps(program->finder).has_no_proof);
}

/* Without words, wakeups tell: what the thread has set going itself is an answer, and the wait for
 * which it has not is the loop's, although that is of a lower class. */
static void test_wakeups_tell_without_words(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		program->tid = 2;
		wait_until_signalled(program, at - 60, at + 19, 1);
		call(program, "p help take syscall:futex", at - 60, at + 20, 79);
		program->tid = 1;
		wait_until_signalled(program, at, at + 10, 3);
		call(program, "p main take syscall:futex", at, at + 10, 10);
		call(program, "p main take", at, at + 10, 10);
		wait_until_signalled(program, at + 20, at + 60, 2);
		call(program, "p main ask syscall:poll", at + 20, at + 60, 40);
		call(program, "p main ask", at + 20, at + 60, 40);
	}
	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		if (unit->tid == 1) {
			g_assert_cmpint(unit->end_ns - unit->begin_ns, ==, 90);
		}
	}
}

/* The stack at the system call that answers is deeper than what was copied of it: the answer is in
 * no context, and ends the unit all the same. */
static void test_an_answer_in_no_context(struct program *program)
{
	make(program, "p listen take", "accept", 0, 10, 10, LISTENER, CLIENT);
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, "p main fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		make_unplaced(program, CLIENT, "sendmsg", at + 30, at + 30);
		make(program, "p main log", "fsync", at + 40, at + 50, 0, 3, 0);
	}
	assert_units(program, "main epoll_wait 110 130\n"
			      "main epoll_wait 210 230\n"
			      "main epoll_wait 310 330\n");
}

/* A server tries to accept before it waits, and finds nothing or a connection. */
static void test_nothing_to_accept(struct program *program)
{
	for (int64_t at = 0; at < 800; at += 100) {
		if (at % 200 == 0) {
			make(program, "p main take", "accept4", at, at + 1, 0, LISTENER, -EAGAIN);
			make(program, "p main wait", "select", at + 2, at + 50, 48, 4, 1);
		}
		make(program, "p main take", "accept4", at + 51, at + 52, 0, LISTENER, CLIENT);
		make(program, "p main fill", "recvfrom", at + 60, at + 61, 0, CLIENT, 4);
		make(program, "p main answer", "sendto", at + 70, at + 71, 0, CLIENT, 4);
		make(program, "p main end", "close", at + 80, at + 81, 0, CLIENT, 0);
	}
	make(program, "p main take", "accept4", 800, 801, 0, LISTENER, -EAGAIN);
	assert_units(program, "main select 50 71\n"
			      "main accept4 152 171\n"
			      "main select 250 271\n"
			      "main accept4 352 371\n"
			      "main select 450 471\n"
			      "main accept4 552 571\n"
			      "main select 650 671\n"
			      "main accept4 752 771\n");
}

/* A program whose window shows what keys are typed: the server of the screen is asked for a
 * connection, and then speaks first. */
static void type_keys(struct program *program, void (*draw)(struct program *program, int64_t at))
{
	make(program, "p open", "connect", 0, 1, 0, DATABASE, 0);
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p main wait", "poll", at - 50, at, 50, 0x2000, 1);
		make(program, "p main take", "recvmsg", at + 1, at + 2, 0, DATABASE, 32);
		draw(program, at);
		make(program, "p main log", "fsync", at + 35, at + 36, 0, 3, 0);
	}
}

/* It polls before it writes, and is never held up there. */
static void draw_at_once(struct program *program, int64_t at)
{
	make(program, "p main draw", "poll", at + 20, at + 21, 0, 0x2000, 1);
	make(program, "p main draw", "writev", at + 22, at + 23, 0, DATABASE, 24);
}

/* The poll that never blocks begins no units, though nothing tells what it is for; and what is
 * written to who has brought the key is the answer. */
static void test_a_poll_before_each_write(struct program *program)
{
	type_keys(program, draw_at_once);
	assert_units(program, "main poll 100 123\n"
			      "main poll 200 223\n"
			      "main poll 300 323\n");
}

/* It looks for more keys before it draws, and goes on when there are none; then it asks where the
 * pointer is, which is no answer yet. */
static void draw_later(struct program *program, int64_t at)
{
	make(program, "p main ask", "writev", at + 5, at + 6, 0, DATABASE, 24);
	make(program, "p main ask", "recvmsg", at + 7, at + 12, 5, DATABASE, 32);
	make(program, "p main wait", "poll", at + 15, at + 16, 0, 0x2000, 0);
	make(program, "p main draw", "writev", at + 22, at + 23, 0, DATABASE, 24);
	make(program, "p main wait", "poll", at + 25, at + 26, 0, 0x2000, 0);
}

static void test_a_look_for_more_goes_on(struct program *program)
{
	type_keys(program, draw_later);
	assert_units(program, "main poll 100 123\n"
			      "main poll 200 223\n"
			      "main poll 300 323\n");
}

/* A game looks for keys before each frame, and never waits for them: each frame is a unit. */
static void test_frames(struct program *program)
{
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p main look", "poll", at, at + 1, 0, 0x2000, 0);
		make(program, "p main draw", "writev", at + 10, at + 11, 0, DATABASE, 24);
		make(program, "p main pause", "nanosleep", at + 20, at + 90, 70, 0, 0);
	}
	assert_units(program, "main poll 101 200\n"
			      "main poll 201 300\n"
			      "main poll 301 400\n");
}

/* A worker without clients asks before it reads: what it asks is no answer. */
static void test_a_worker_asks(struct program *program)
{
	make(program, "p open", "connect", 0, 1, 0, DATABASE, 0);
	for (int64_t at = 100; at < 500; at += 100) {
		program->waker = 9;
		make(program, "p work take", "futex", at - 40, at, 40, 0x1000, 0);
		program->waker = 0;
		make(program, "p work ask", "sendto", at + 10, at + 11, 0, DATABASE, 4);
		make(program, "p work ask", "recvfrom", at + 12, at + 30, 0, DATABASE, 4);
		make(program, "p work tell", "futex", at + 40, at + 41, 0, 0x3000, 1);
	}
	assert_units(program, "work futex 100 160\n"
			      "work futex 200 260\n"
			      "work futex 300 360\n");
}

/* A thread wakes itself up by an event's descriptor, of which it has read what another thread has
 * written before that is told: nobody is answered by that. */
static void test_a_thread_wakes_itself(struct program *program)
{
	make(program, "p open", "eventfd2", 0, 1, 0, 0, DATABASE);
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p main wait", "poll", at - 50, at, 50, 0x2000, 1);
		make(program, "p main take", "read", at + 1, at + 2, 0, DATABASE, 8);
		make(program, "p main wake", "write", at + 10, at + 11, 0, DATABASE, 8);
		make(program, "p main log", "fsync", at + 35, at + 36, 0, 3, 0);
	}
	assert_units(program, "main poll 100 150\n"
			      "main poll 200 250\n"
			      "main poll 300 350\n");
}

/* A thread that has connected a client, whose reads are too deep to be in a context, finds the next
 * request as it comes back for more: each read begins a unit once the one before is answered. */
static void test_reads_in_no_context(struct program *program)
{
	make(program, "p listen take", "accept", 0, 10, 10, LISTENER, CLIENT);
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p main wait", "epoll_wait", at, at + 10, 10, 4, 1);
		for (int64_t i = 20; i < 80; i += 20) {
			make_unplaced(program, CLIENT, "read", at + i - 1, at + i);
			make(program, "p main look", "pread64", at + i + 2, at + i + 3, 0, 9, 4);
			make_unplaced(program, CLIENT, "write", at + i + 5, at + i + 5);
		}
	}
	assert_units(program, "main epoll_wait 110 125\n"
			      "main epoll_wait 139 145\n"
			      "main epoll_wait 159 165\n"
			      "main epoll_wait 210 225\n"
			      "main epoll_wait 239 245\n"
			      "main epoll_wait 259 265\n"
			      "main epoll_wait 310 325\n"
			      "main epoll_wait 339 345\n"
			      "main epoll_wait 359 365\n"
			      "main epoll_wait 410 425\n"
			      "main epoll_wait 439 445\n");
}

/* An event loop writes the head of an answer, asks whether there is room, and writes what it has
 * read of a file: as one request, which begins when it was woken. */
static void answer_with_head(struct program *program, int64_t at, bool reads_client)
{
	make(program, "p main wait", "poll", at, at + 10, 10, 0x2000, 1);
	make(program, "p main fill", "recvfrom", at + 11, at + 12, 0, CLIENT, 4);
	make(program, "p main open", "openat", at + 13, at + 14, 0, 0x3000, PAGE);
	make(program, "p main answer", "sendto", at + 20, at + 21, 0, CLIENT, 4);
	make(program, "p main wait", "poll", at + 22, at + 23, 0, 0x2000, 1);
	if (reads_client) {
		make(program, "p main fill", "recvfrom", at + 24, at + 25, 0, CLIENT, 4);
	}
	make(program, "p main open", "read", at + 26, at + 27, 0, PAGE, 4);
	make(program, "p main answer", "sendto", at + 30, at + 31, 0, CLIENT, 4);
}

static void test_room_for_more_of_an_answer(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		answer_with_head(program, at, false);
	}
	make(program, "p main wait", "poll", 400, 410, 10, 0x2000, 1);
	assert_units(program, "main poll 10 31\n"
			      "main poll 110 131\n"
			      "main poll 210 231\n"
			      "main poll 310 331\n");
}

/* Where the client has asked again in between, the second answer is that of another request. */
static void test_an_answer_to_another_request(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		answer_with_head(program, at, true);
	}
	assert_units(program, "main poll 10 21\n"
			      "main poll 23 31\n"
			      "main poll 110 121\n"
			      "main poll 123 131\n"
			      "main poll 210 221\n"
			      "main poll 223 231\n"
			      "main poll 310 321\n");
}

/* The file has no more: a write of no bytes brings nothing to the client. */
static void test_a_write_of_nothing(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main wait", "poll", at, at + 10, 10, 0x2000, 1);
		make(program, "p main fill", "recvfrom", at + 11, at + 12, 0, CLIENT, 4);
		make(program, "p main answer", "sendto", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p main answer", "sendto", at + 30, at + 31, 0, CLIENT, 0);
	}
	assert_units(program, "main poll 10 21\n"
			      "main poll 110 121\n"
			      "main poll 210 221\n");
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/waits/a queue and a connection", test_a_queue_and_a_connection },
		{ "/waits/connections are kept", test_connections_are_kept },
		{ "/waits/requests in a pipeline", test_requests_in_a_pipeline },
		{ "/waits/several requests in one read", test_several_requests_in_one_read },
		{ "/waits/clients hang up", test_clients_hang_up },
		{ "/waits/a worker lingers", test_a_worker_lingers },
		{ "/waits/a read whose stack lacks the loop",
		  test_a_read_whose_stack_lacks_the_loop },
		{ "/waits/a database is asked", test_a_database_is_asked },
		{ "/waits/an answer of another thread", test_an_answer_of_another_thread },
		{ "/waits/a wait is interrupted", test_a_wait_is_interrupted },
		{ "/waits/an answer in a later turn", test_an_answer_in_a_later_turn },
		{ "/waits/messages without answers", test_messages_without_answers },
		{ "/waits/a wait to write", test_a_wait_to_write },
		{ "/waits/nothing to accept", test_nothing_to_accept },
		{ "/waits/an answer in no context", test_an_answer_in_no_context },
		{ "/waits/a listener polls", test_a_listener_polls },
		{ "/waits/a thread ends inside a unit", test_a_thread_ends_inside },
		{ "/waits/nothing tells what waits are for",
		  test_nothing_tells_what_waits_are_for },
		{ "/waits/room for more of an answer", test_room_for_more_of_an_answer },
		{ "/waits/an answer to another request", test_an_answer_to_another_request },
		{ "/waits/a write of nothing", test_a_write_of_nothing },
		{ "/waits/a poll before each write", test_a_poll_before_each_write },
		{ "/waits/a look for more goes on", test_a_look_for_more_goes_on },
		{ "/waits/a guard is told where clients linger",
		  test_a_guard_is_told_where_clients_linger },
		{ "/waits/an answer is held back", test_an_answer_is_held_back },
		{ "/waits/an answer to who is awake", test_an_answer_to_who_is_awake },
		{ "/waits/reads in no context", test_reads_in_no_context },
		{ "/waits/a worker finds more", test_a_worker_finds_more },
		{ "/waits/a worker is told to end", test_a_worker_is_told_to_end },
		{ "/waits/frames", test_frames },
		{ "/waits/a worker asks", test_a_worker_asks },
		{ "/waits/a thread wakes itself", test_a_thread_wakes_itself },
		{ "/waits/wakeups tell without words", test_wakeups_tell_without_words },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
