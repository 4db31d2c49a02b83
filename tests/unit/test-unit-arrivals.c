/* SPDX-License-Identifier: MIT */
/* When a request is there, and when its answer is sent: servers whose calls are written down. */
#include <errno.h>
#include <sys/epoll.h>

#include "tests/unit/unit-program.h"

#define LISTENER 3
#define CLIENT 7
#define OTHER_CLIENT 8
#define PIPE 9
#define SCREEN 11
#define LISTENING 1
#define WORKING 2
#define ANSWERING 3
#define WATCHING 4
/* A thread of which nothing else is known. */
#define STRANGER 9

/* The working thread has waited until `end_ns`, which somebody has ended, and serves then. */
static void work(struct program *program, int64_t begin_ns, int64_t end_ns)
{
	program->tid = WORKING;
	program->waker = STRANGER;
	make(program, "p work take", "futex", begin_ns, end_ns, end_ns - begin_ns, 0x1000, 0);
	program->waker = 0;
	make(program, "p work serve fill", "read", end_ns + 2, end_ns + 3, 0, CLIENT, 4);
	make(program, "p work serve answer", "write", end_ns + 20, end_ns + 21, 0, CLIENT, 4);
	call(program, "p work serve", end_ns + 2, end_ns + 22, 0);
}

/* A listener puts a connection into a queue, in which it lies until the worker comes to it: whoever
 * has connected and asked waits since the listener was woken. */
static void test_a_connection_lies_in_a_queue(struct program *program)
{
	for (int64_t at = 100; at < 500; at += 100) {
		program->tid = LISTENING;
		make(program, "p listen wait", "poll", at - 90, at, 90, 0x2000, 1);
		make(program, "p listen take", "accept", at + 2, at + 3, 0, LISTENER, CLIENT);
		work(program, at - 40, at + 30);
		make(program, "p work end", "close", at + 55, at + 56, 0, CLIENT, 0);
	}
	assert_units(program, "listen poll 100 110\n"
			      "work futex 100 151\n"
			      "listen poll 200 210\n"
			      "work futex 200 251\n"
			      "listen poll 300 310\n"
			      "work futex 300 351\n");
}

/* A worker finds nothing in a new connection, and hands it to a thread that waits for all of these,
 * which it wakes. The request is there when that looks: it has slept for the worker, and not for
 * the client, who waits since the connection was taken. */
static void test_a_reactor_is_woken_by_a_worker(struct program *program)
{
	for (int64_t at = 100; at < 600; at += 100) {
		program->tid = LISTENING;
		program->waker = STRANGER;
		make(program, "p listen wait", "poll", at - 90, at, 90, 0x2000, 1);
		make(program, "p listen take", "accept", at + 2, at + 3, 0, LISTENER, CLIENT);
		program->tid = WORKING;
		program->waker = LISTENING;
		make(program, "p work take", "futex", at - 40, at + 5, 45, 0x1000, 0);
		program->tid = ANSWERING;
		program->waker = WORKING;
		make(program, "p react wait", "epoll_wait", at - 60, at + 30, 90, 4, 1);
		make(program, "p react take", "read", at + 31, at + 32, 0, PIPE, 1);
		make(program, "p react wait", "epoll_wait", at + 33, at + 34, 0, 4, 1);
		make(program, "p react serve", "read", at + 35, at + 36, 0, CLIENT, 4);
		program->tid = WORKING;
		program->waker = ANSWERING;
		make(program, "p work take", "futex", at + 10, at + 38, 28, 0x1000, 0);
		make(program, "p work answer", "write", at + 50, at + 51, 0, CLIENT, 4);
		make(program, "p work answer", "close", at + 52, at + 53, 0, CLIENT, 0);
	}
	itp_unit_finder_finish(program->finder);
	for (int64_t at = 100; at < 500; at += 100) {
		guint count = 0;

		for (guint i = 0; i < program->units->len; i++) {
			const struct itp_unit *unit =
				&g_array_index(program->units, struct itp_unit, i);

			count += unit->tid == WORKING && unit->begin_ns == at &&
				 unit->end_ns == at + 51;
		}
		g_assert_cmpuint(count, ==, 1);
	}
}

/* A worker sleeps until its client has closed the connection, and takes another one from the queue,
 * where it lies since it was accepted: it has not slept for this one. */
static void test_a_worker_lingers_for_another(struct program *program)
{
	for (int64_t at = 100; at < 700; at += 100) {
		const int32_t old = at % 200 == 0 ? CLIENT : OTHER_CLIENT;
		const int32_t new = at % 200 == 0 ? OTHER_CLIENT : CLIENT;

		program->tid = LISTENING;
		program->waker = STRANGER;
		make(program, "p listen take", "accept", at - 90, at, 90, LISTENER, new);
		program->tid = WORKING;
		program->second_word = 1;
		make(program, "p work linger", "poll", at - 40, at + 30, 70, 0x2000, 1);
		program->second_word = 0;
		make(program, "p work linger", "read", at + 31, at + 32, 0, old, 0);
		make(program, "p work linger", "close", at + 33, at + 34, 0, old, 0);
		make(program, "p work serve", "read", at + 36, at + 37, 0, new, 4);
		make(program, "p work serve", "write", at + 50, at + 51, 0, new, 4);
	}
	itp_unit_finder_finish(program->finder);
	for (int64_t at = 200; at < 600; at += 100) {
		guint count = 0;

		for (guint i = 0; i < program->units->len; i++) {
			const struct itp_unit *unit =
				&g_array_index(program->units, struct itp_unit, i);

			count += unit->tid == WORKING && unit->begin_ns == at &&
				 unit->end_ns == at + 51;
		}
		g_assert_cmpuint(count, ==, 1);
	}
}

/* The thread has slept in it until `run_ns`. */
static void wait_in_no_context(struct program *program, int64_t begin_ns, int64_t run_ns,
			       int64_t end_ns)
{
	const struct itp_instance wait = { .pid = program->pid,
					   .tid = program->tid,
					   .begin_ns = end_ns,
					   .best_begin_ns = begin_ns,
					   .best_ns = end_ns - begin_ns,
					   .result = 1,
					   .has_result = true };

	wait_until_signalled(program, begin_ns, run_ns, STRANGER);
	itp_unit_finder_add_unplaced(program->finder, &wait,
				     function_of(program, "syscall:select"));
}

/* A thread reads what clients send, for a worker; its wait is too deep to be in a context, and
 * tells since when the process knows of it. */
static void test_a_wait_in_no_context(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	for (int64_t at = 100; at < 500; at += 100) {
		program->tid = LISTENING;
		wait_in_no_context(program, at - 30, at, at + 2);
		make(program, "p main fill", "read", at + 8, at + 9, 0, CLIENT, 4);
		program->tid = WORKING;
		program->waker = STRANGER;
		make(program, "p work take", "futex", at - 40, at + 30, 70, 0x1000, 0);
		program->waker = 0;
		make(program, "p work answer", "write", at + 40, at + 41, 0, CLIENT, 4);
	}
	assert_units(program, "work futex 100 141\n"
			      "work futex 200 241\n"
			      "work futex 300 341\n");
}

/* A selector hands connections that have something to read to workers; what it does seems to go on
 * since it has accepted them. A request does not begin before the process has heard of it. */
static void test_a_connection_is_kept(struct program *program)
{
	for (int64_t at = 0; at < 80; at += 20) {
		program->tid = LISTENING;
		make(program, "p listen take", "accept", at, at + 10, 10, LISTENER, CLIENT);
		make(program, "p listen add", "epoll_ctl", at + 11, at + 12, 0, 4, 0);
	}
	for (int64_t at = 100; at < 500; at += 100) {
		program->tid = LISTENING;
		wait_in_no_context(program, at - 30, at, at + 2);
		make(program, "p listen add", "epoll_ctl", at + 3, at + 4, 0, 4, 0);
		program->tid = WORKING;
		program->waker = LISTENING;
		make(program, "p work take", "futex", at - 40, at + 30, 70, 0x1000, 0);
		program->waker = 0;
		make(program, "p work serve fill", "read", at + 32, at + 33, 0, CLIENT, 4);
		make(program, "p work serve answer", "write", at + 40, at + 41, 0, CLIENT, 4);
		call(program, "p work serve", at + 32, at + 42, 0);
	}
	program->tid = WORKING;
	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		g_assert_cmpint(unit->tid == WORKING && unit->end_ns > 200 ? unit->begin_ns % 100 :
									     0,
				==, 0);
	}
	g_assert_cmpuint(program->units->len, >=, 3);
}

/* A connection is put into the set of a selector, or taken out. */
static void change_set(struct program *program, const char *path, int64_t at, int operation)
{
	program->second_word = (uint64_t)operation;
	program->third_word = CLIENT;
	make(program, path, "epoll_ctl", at, at + 1, 0, 4, 0);
	program->second_word = 0;
	program->third_word = 0;
}

/* A selector takes out of its set what has something to read, and hands it to a worker, which looks
 * at the connection again before it reads. Some lie in the queue while the worker is busy: each
 * begins when the selector knew. */
static void test_a_selector_takes_connections_out(struct program *program)
{
	guint count = 0;

	make(program, "p listen take", "accept", 0, 10, 10, LISTENER, CLIENT);
	change_set(program, "p listen add", 11, EPOLL_CTL_ADD);
	for (int64_t at = 100; at < 900; at += 100) {
		const bool is_queued = at >= 500;
		const int64_t work_ns = at + (is_queued ? 30 : 3);

		program->tid = LISTENING;
		program->waker = STRANGER;
		make(program, "p listen wait", "epoll_wait", at - 50, at, 50, 4, 1);
		change_set(program, "p listen remove", at + 1, EPOLL_CTL_DEL);
		program->tid = WORKING;
		if (!is_queued) {
			program->waker = LISTENING;
			make(program, "p work take", "futex", at - 40, work_ns, work_ns - at + 40,
			     0x1000, 0);
		}
		program->waker = 0;
		program->second_word = 1;
		make(program, "p work serve fill", "poll", work_ns + 1, work_ns + 2, 0, 0x2000, 1);
		program->second_word = 0;
		make(program, "p work serve fill", "read", work_ns + 3, work_ns + 4, 0, CLIENT, 4);
		make(program, "p work serve answer", "write", at + 40, at + 41, 0, CLIENT, 4);
		change_set(program, "p work serve keep", at + 42, EPOLL_CTL_ADD);
		call(program, "p work serve", work_ns, at + 44, 0);
	}
	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		if (unit->tid == WORKING && unit->begin_ns >= 200) {
			g_assert_cmpint(unit->begin_ns % 100, ==, 0);
			g_assert_cmpint(unit->end_ns % 100, ==, 41);
			count++;
		}
	}
	g_assert_cmpuint(count, ==, 6);
}

/* All but the first, which may have begun before, begin and end so behind a hundred: so many. */
static void assert_units_of_coroutines(struct program *program, int64_t begin_ns, int64_t end_ns,
				       guint wanted)
{
	guint count = 0;

	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		if (unit->is_of_coroutine && unit->begin_ns > 100) {
			g_assert_cmpint(unit->begin_ns % 100, ==, begin_ns);
			g_assert_cmpint(unit->end_ns % 100, ==, end_ns);
			count++;
		}
	}
	g_assert_cmpuint(count, ==, wanted);
}

/* Coroutines read in one thread what another one was woken for. That theirs has come back, too, for
 * a pipe, when nothing was there for them yet, is not since when this was known. */
static void test_a_wait_for_another_event(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		program->tid = LISTENING;
		make(program, "p schedule", "epoll_wait", at - 30, at + 30, 60, 4, 1);
		program->tid = WORKING;
		make(program, "p coroutine serve fill", "read", at + 35, at + 36, 0, CLIENT, 3);
		make(program, "p coroutine serve answer", "write", at + 40, at + 41, 0, CLIENT, 4);
		program->would_block = true;
		make(program, "p coroutine serve fill", "read", at + 45, at + 46, 0, CLIENT,
		     -EAGAIN);
		program->would_block = false;
		call(program, "p coroutine serve", at + 35, at + 47, 0);
		call(program, "p coroutine", at + 35, at + 48, 0);
		make(program, "p schedule", "epoll_wait", at + 50, at + 60, 10, 4, 1);
		make(program, "p copy fill", "read", at + 61, at + 62, 0, PIPE, 3);
	}
	assert_units_of_coroutines(program, 30, 41, 3);
}

/* The thread turns to another coroutine each time between a read and an answer, so that no function
 * of the first one has stayed; its own calls tell that it has. */
static void test_another_coroutine_in_between(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		program->tid = LISTENING;
		make(program, "p schedule", "epoll_wait", at - 30, at + 30, 60, 4, 1);
		program->tid = WORKING;
		make(program, "p coroutine serve fill", "read", at + 35, at + 36, 0, CLIENT, 3);
		call(program, "p coroutine serve", at + 35, at + 37, 0);
		call(program, "p coroutine", at + 35, at + 37, 0);
		make(program, "p coroutine watch tell", "write", at + 38, at + 39, 0, PIPE, 1);
		call(program, "p coroutine watch", at + 38, at + 39, 0);
		call(program, "p coroutine", at + 38, at + 39, 0);
		make(program, "p coroutine serve answer", "write", at + 40, at + 41, 0, CLIENT, 4);
		program->would_block = true;
		make(program, "p coroutine serve fill", "read", at + 45, at + 46, 0, CLIENT,
		     -EAGAIN);
		program->would_block = false;
		call(program, "p coroutine serve", at + 40, at + 47, 0);
		call(program, "p coroutine", at + 40, at + 48, 0);
		make(program, "p schedule", "epoll_wait", at + 50, at + 60, 10, 4, 0);
	}
	assert_units_of_coroutines(program, 30, 41, 3);
}

/* A coroutine reads in one thread, and goes on in another one at last, where it answers and looks
 * for more. */
static void test_an_answer_in_another_thread(struct program *program)
{
	for (int64_t at = 0; at < 700; at += 100) {
		const bool is_left = at >= 400;

		program->tid = LISTENING;
		make(program, "p schedule", "epoll_wait", at - 30, at + 30, 60, 4, 1);
		program->tid = WORKING;
		make(program, "p schedule", "epoll_wait", at, at + 31, 31, 4, 0);
		make(program, "p coroutine serve fill", "read", at + 35, at + 36, 0, CLIENT, 3);
		if (is_left) {
			call(program, "p coroutine serve", at + 35, at + 37, 0);
			call(program, "p coroutine", at + 35, at + 37, 0);
			program->tid = ANSWERING;
			make(program, "p schedule", "epoll_wait", at, at + 38, 38, 4, 0);
		}
		make(program, "p coroutine serve answer", "write", at + 40, at + 41, 0, CLIENT, 4);
		program->would_block = true;
		make(program, "p coroutine serve fill", "read", at + 45, at + 46, 0, CLIENT,
		     -EAGAIN);
		program->would_block = false;
		call(program, "p coroutine serve", at + 35, at + 47, 0);
		call(program, "p coroutine", at + 35, at + 47, 0);
	}
	assert_units_of_coroutines(program, 30, 41, 6);
}

/* Number of units that begin and end so behind a hundred. */
static guint count_coroutines(const struct program *program, int64_t begin_ns, int64_t end_ns)
{
	guint count = 0;

	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		count += unit->is_of_coroutine && unit->begin_ns % 100 == begin_ns &&
			 unit->end_ns % 100 == end_ns;
	}
	return count;
}

static void serve_in_coroutine(struct program *program, const char *function, const char *syscall,
			       int64_t at, int32_t client, int64_t result)
{
	g_autofree char *path = g_strconcat("p coroutine serve ", function, NULL);

	make(program, path, syscall, at, at + 1, 0, client, result);
}

/* The thread turns to another coroutine, or to the runtime. */
static void leave_coroutine(struct program *program, int64_t at)
{
	call(program, "p coroutine serve", at - 3, at, 0);
	call(program, "p coroutine", at - 3, at, 0);
}

/* Requests of two clients, and then four of each at once: both are read, and answered one after the
 * other, as what they need is there. Each lasts until its own answer. */
static void test_coroutines_take_turns(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	make(program, "p open", "accept", 2, 3, 1, LISTENER, OTHER_CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		make(program, "p schedule", "epoll_wait", at - 30, at + 30, 60, 4, 1);
		serve_in_coroutine(program, "fill", "read", at + 35, CLIENT, 3);
		if (at >= 500) {
			leave_coroutine(program, at + 37);
			serve_in_coroutine(program, "fill", "read", at + 38, OTHER_CLIENT, 3);
			leave_coroutine(program, at + 40);
		}
		serve_in_coroutine(program, "answer", "write", at + 50, CLIENT, 4);
		serve_in_coroutine(program, "fill", "read", at + 52, CLIENT, -EAGAIN);
		leave_coroutine(program, at + 54);
		if (at >= 500) {
			serve_in_coroutine(program, "answer", "write", at + 60, OTHER_CLIENT, 4);
			serve_in_coroutine(program, "fill", "read", at + 62, OTHER_CLIENT, -EAGAIN);
			leave_coroutine(program, at + 64);
		}
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 30, 51), ==, 8);
	g_assert_cmpuint(count_coroutines(program, 30, 61), ==, 4);
}

/* Two threads read of a client each, and the first answers both, without having looked for anything
 * in between. */
static void test_two_answers_of_one_thread(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	make(program, "p open", "accept", 2, 3, 1, LISTENER, OTHER_CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		const bool are_two = at >= 500;

		program->tid = LISTENING;
		make(program, "p schedule", "epoll_wait", at - 30, at + 30, 60, 4, 1);
		serve_in_coroutine(program, "fill", "read", at + 35, CLIENT, 3);
		if (are_two) {
			leave_coroutine(program, at + 37);
			program->tid = WORKING;
			make(program, "p schedule", "epoll_wait", at - 30, at + 31, 61, 4, 0);
			serve_in_coroutine(program, "fill", "read", at + 40, OTHER_CLIENT, 3);
			leave_coroutine(program, at + 42);
			program->tid = LISTENING;
		}
		serve_in_coroutine(program, "answer", "write", at + 50, CLIENT, 4);
		if (are_two) {
			serve_in_coroutine(program, "answer", "write", at + 60, OTHER_CLIENT, 4);
			serve_in_coroutine(program, "fill", "read", at + 62, OTHER_CLIENT, -EAGAIN);
		}
		serve_in_coroutine(program, "fill", "read", at + 64, CLIENT, -EAGAIN);
		leave_coroutine(program, at + 66);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 30, 51), ==, 8);
	g_assert_cmpuint(count_coroutines(program, 30, 61), ==, 4);
}

/* A thread answers two requests of one client, without having looked for anything in between: the
 * second one was read by another thread. */
static void test_two_answers_to_one_client(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		program->tid = LISTENING;
		make(program, "p schedule", "epoll_wait", at - 30, at + 30, 60, 4, 1);
		serve_in_coroutine(program, "fill", "read", at + 35, CLIENT, 3);
		serve_in_coroutine(program, "answer", "write", at + 50, CLIENT, 4);
		if (at >= 500) {
			program->tid = WORKING;
			make(program, "p schedule", "epoll_wait", at - 30, at + 60, 90, 4, 1);
			serve_in_coroutine(program, "fill", "read", at + 65, CLIENT, 3);
			leave_coroutine(program, at + 67);
			program->tid = LISTENING;
			serve_in_coroutine(program, "answer", "write", at + 70, CLIENT, 4);
		}
		serve_in_coroutine(program, "fill", "read", at + 80, CLIENT, -EAGAIN);
		leave_coroutine(program, at + 82);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 30, 51), ==, 8);
	g_assert_cmpuint(count_coroutines(program, 60, 71), ==, 4);
}

/* A thread that serves nobody looks for events where all others are busy, and leaves the first
 * client's request to one of these, which has a request of its own to serve first: each begins when
 * the process was told of it. */
static void test_an_event_is_left_to_another_thread(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	make(program, "p open", "accept", 2, 3, 1, LISTENER, OTHER_CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		const bool is_left = at >= 500;

		program->tid = is_left ? WATCHING : LISTENING;
		make(program, "p schedule", "epoll_wait", at - 20, at + 10, 30, 4, 1);
		if (!is_left) {
			serve_in_coroutine(program, "fill", "read", at + 12, CLIENT, 3);
			serve_in_coroutine(program, "answer", "write", at + 20, CLIENT, 4);
			serve_in_coroutine(program, "fill", "read", at + 22, CLIENT, -EAGAIN);
			leave_coroutine(program, at + 24);
		}
		program->tid = WORKING;
		make(program, "p schedule", "epoll_wait", at - 20, at + 30, 50, 4, 1);
		serve_in_coroutine(program, "fill", "read", at + 35, OTHER_CLIENT, 3);
		serve_in_coroutine(program, "answer", "write", at + 50, OTHER_CLIENT, 4);
		serve_in_coroutine(program, "fill", "read", at + 52, OTHER_CLIENT, -EAGAIN);
		leave_coroutine(program, at + 54);
		if (is_left) {
			serve_in_coroutine(program, "fill", "read", at + 60, CLIENT, 3);
			serve_in_coroutine(program, "answer", "write", at + 70, CLIENT, 4);
			serve_in_coroutine(program, "fill", "read", at + 72, CLIENT, -EAGAIN);
			leave_coroutine(program, at + 74);
		}
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 10, 21), ==, 4);
	g_assert_cmpuint(count_coroutines(program, 30, 51), ==, 8);
	g_assert_cmpuint(count_coroutines(program, 10, 71), ==, 4);
}

/* The thread in which a coroutine reads was woken for something else: the request is there since
 * another thread was told of it. */
static void test_a_thread_was_woken_for_others(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		program->tid = WORKING;
		program->waker = STRANGER;
		make(program, "p stop", "futex", at - 20, at + 5, 25, 0x1000, 0);
		program->waker = 0;
		program->tid = WATCHING;
		make(program, "p schedule", "epoll_wait", at - 60, at + 30, 90, 4, 1);
		program->tid = WORKING;
		serve_in_coroutine(program, "fill", "read", at + 35, CLIENT, 3);
		serve_in_coroutine(program, "answer", "write", at + 50, CLIENT, 4);
		serve_in_coroutine(program, "fill", "read", at + 52, CLIENT, -EAGAIN);
		leave_coroutine(program, at + 54);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 30, 51), ==, 8);
}

/* A thread answers for a coroutine that has read in another one, and waits long after a third
 * thread has read the client's next request: this one shows that the one before was answered. */
static void test_the_next_request_tells_of_an_answer(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		program->tid = LISTENING;
		make(program, "p schedule", "epoll_wait", at - 20, at + 30, 50, 4, 1);
		serve_in_coroutine(program, "fill", "read", at + 35, CLIENT, 3);
		leave_coroutine(program, at + 38);
		if (at >= 500) {
			program->tid = ANSWERING;
			serve_in_coroutine(program, "answer", "write", at + 50, CLIENT, 4);
			program->tid = WORKING;
			make(program, "p schedule", "epoll_wait", at - 20, at + 55, 75, 4, 1);
			serve_in_coroutine(program, "fill", "read", at + 60, CLIENT, 3);
			serve_in_coroutine(program, "answer", "write", at + 70, CLIENT, 4);
			serve_in_coroutine(program, "fill", "read", at + 72, CLIENT, -EAGAIN);
			leave_coroutine(program, at + 74);
			program->tid = ANSWERING;
			make(program, "p stop", "futex", at + 51, at + 76, 25, 0x1000, 0);
		} else {
			serve_in_coroutine(program, "answer", "write", at + 50, CLIENT, 4);
			serve_in_coroutine(program, "fill", "read", at + 52, CLIENT, -EAGAIN);
			leave_coroutine(program, at + 54);
		}
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 30, 51), ==, 8);
	g_assert_cmpuint(count_coroutines(program, 55, 71), ==, 4);
}

/* The stacks of four reads are not believed: their descriptor tells in which
 * loop they are. */
static void test_a_coroutine_reads_in_no_context(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		make(program, "p schedule", "epoll_wait", at - 30, at + 30, 60, 4, 1);
		if (at < 500) {
			serve_in_coroutine(program, "fill", "read", at + 35, CLIENT, 3);
		} else {
			make_unplaced(program, CLIENT, "read", at + 35, at + 36);
		}
		serve_in_coroutine(program, "answer", "write", at + 50, CLIENT, 4);
		serve_in_coroutine(program, "fill", "read", at + 52, CLIENT, -EAGAIN);
		leave_coroutine(program, at + 54);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 30, 51), ==, 8);
}

/* The thread sleeps until somebody has brought what four of the requests need. */
static void test_a_coroutine_waits(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		make(program, "p schedule", "epoll_wait", at - 20, at + 30, 50, 4, 1);
		serve_in_coroutine(program, "fill", "read", at + 35, CLIENT, 3);
		if (at >= 500) {
			leave_coroutine(program, at + 38);
			make(program, "p stop", "futex", at + 40, at + 60, 20, 0x1000, 0);
		}
		serve_in_coroutine(program, "answer", "write", at + 70, CLIENT, 4);
		serve_in_coroutine(program, "fill", "read", at + 72, CLIENT, -EAGAIN);
		leave_coroutine(program, at + 75);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 30, 71), ==, 8);
}

/* The runtime comes back to its wait many times before there is something to do: mostly its own
 * function has stayed meanwhile. */
static void test_a_runtime_has_nothing_to_do(struct program *program)
{
	make(program, "p open", "accept", 0, 1, 1, LISTENER, CLIENT);
	for (int64_t at = 100; at < 900; at += 100) {
		for (int64_t i = 0; i < 8; i++) {
			make(program, "p run schedule", "epoll_wait", at - 20 + 6 * i,
			     at - 18 + 6 * i, 2, 4, i == 7);
		}
		call(program, "p run", at - 20, at + 33, 0);
		serve_in_coroutine(program, "fill", "read", at + 35, CLIENT, 3);
		serve_in_coroutine(program, "answer", "write", at + 50, CLIENT, 4);
		serve_in_coroutine(program, "fill", "read", at + 52, CLIENT, -EAGAIN);
		leave_coroutine(program, at + 54);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(count_coroutines(program, 24, 51), ==, 8);
}

/* A listener that sleeps in accept() once finds a connection there: nobody has waited for it since
 * the listener was woken for the connection before. */
static void test_a_listener_finds_the_next_connection(struct program *program)
{
	for (int64_t at = 100; at < 500; at += 100) {
		program->tid = LISTENING;
		program->waker = STRANGER;
		if (at == 300) {
			make(program, "p listen take", "accept", at + 50, at + 52, 0, LISTENER,
			     CLIENT);
		} else {
			make(program, "p listen take", "accept", at - 10, at, 10, LISTENER, CLIENT);
		}
		work(program, at - 40, at == 300 ? at + 60 : at + 30);
		make(program, "p work end", "close", at + 86, at + 87, 0, CLIENT, 0);
	}
	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		if (unit->tid == WORKING && unit->end_ns == 381) {
			g_assert_cmpint(unit->begin_ns, ==, 350);
			return;
		}
	}
	g_assert_not_reached();
}

/* One thread reads what comes from the screen, and wakes the one that draws: the key was there
 * since that was woken. What is written to the screen is the answer, and what follows is no part of
 * it.
 */
static void test_a_key_is_read_in_another_thread(struct program *program)
{
	make(program, "p open", "connect", 0, 1, 0, SCREEN, 0);
	for (int64_t at = 100; at < 500; at += 100) {
		program->tid = LISTENING;
		program->waker = STRANGER;
		program->third_word = (uint64_t)-1;
		make(program, "p listen wait", "poll", at - 90, at, 90, 0x2000, 1);
		make(program, "p listen take", "recvmsg", at + 1, at + 2, 0, SCREEN, 32);
		program->tid = WORKING;
		program->waker = LISTENING;
		make(program, "p draw wait", "poll", at - 60, at + 6, 66, 0x2000, 1);
		make(program, "p draw take", "read", at + 7, at + 8, 0, PIPE, 8);
		make(program, "p draw show", "writev", at + 20, at + 21, 0, SCREEN, 24);
		make(program, "p draw store", "fsync", at + 25, at + 26, 0, 3, 0);
	}
	assert_units(program, "listen poll 100 110\n"
			      "draw poll 100 121\n"
			      "listen poll 200 210\n"
			      "draw poll 200 221\n"
			      "listen poll 300 310\n"
			      "draw poll 300 321\n");
}

#define MS INT64_C(1000000)

/* A key, of which the server of the screen is told something at once. So long after that a timer is
 * due, and then another one: behind the first there is nothing to draw. */
static void type_key(struct program *program, int64_t at_ms, int64_t first_ms, int64_t second_ms)
{
	const int64_t at = at_ms * MS;

	make(program, "p main wait", "poll", at - 40 * MS, at, 40 * MS, 0x2000, 1);
	make(program, "p main take", "recvmsg", at + 10, at + 20, 0, SCREEN, 32);
	make(program, "p main tell", "writev", at + 30, at + 40, 0, SCREEN, 24);
	make(program, "p main wait", "poll", at + MS, at + first_ms * MS, (first_ms - 1) * MS,
	     0x2000, 0);
	make(program, "p main wait", "poll", at + first_ms * MS + 10, at + second_ms * MS,
	     (second_ms - first_ms) * MS - 10, 0x2000, 0);
	make(program, "p main draw", "writev", at + second_ms * MS + 30, at + second_ms * MS + 40,
	     0, SCREEN, 800);
	make(program, "p main wait", "poll", at + (second_ms + 2) * MS, at + (second_ms + 18) * MS,
	     16 * MS, 0x2000, 0);
	make(program, "p main draw", "writev", at + (second_ms + 18) * MS + 30,
	     at + (second_ms + 18) * MS + 40, 0, SCREEN, 800);
}

/* Drawing within three frames of sixty a second, 50 ms since the first wait, belongs to the key,
 * and the frame behind that does not; nor does what a later timer draws. */
static void test_a_frame_is_waited_for(struct program *program)
{
	make(program, "p open", "connect", 0, 1, 0, SCREEN, 0);
	type_key(program, 1000, 17, 33);
	type_key(program, 2000, 17, 50);
	type_key(program, 3000, 17, 52);
	type_key(program, 4000, 60, 70);
	type_key(program, 5000, 17, 33);
	itp_unit_finder_finish(program->finder);
	for (int64_t i = 0; i < 4; i++) {
		static const int64_t ends_ns[] = { 33 * MS + 40, 50 * MS + 40, 40, 40 };
		const int64_t begin_ns = (i + 1) * 1000 * MS;
		guint place = 0;

		while (g_array_index(program->units, struct itp_unit, place).begin_ns < begin_ns) {
			place++;
		}
		g_assert_cmpint(g_array_index(program->units, struct itp_unit, place).begin_ns, ==,
				begin_ns);
		g_assert_cmpint(g_array_index(program->units, struct itp_unit, place).end_ns, ==,
				begin_ns + ends_ns[i]);
	}
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/arrivals/a connection that lies in a queue is waited for",
		  test_a_connection_lies_in_a_queue },
		{ "/arrivals/a worker wakes who waits for new connections",
		  test_a_reactor_is_woken_by_a_worker },
		{ "/arrivals/a worker lingers for another client",
		  test_a_worker_lingers_for_another },
		{ "/arrivals/a wait in no context tells since when a request was known",
		  test_a_wait_in_no_context },
		{ "/arrivals/a request on a kept connection begins when the process hears of it",
		  test_a_connection_is_kept },
		{ "/arrivals/a wait for another event does not tell of a request",
		  test_a_wait_for_another_event },
		{ "/arrivals/a thread turns to another coroutine in between",
		  test_another_coroutine_in_between },
		{ "/arrivals/a coroutine answers in another thread than it reads in",
		  test_an_answer_in_another_thread },
		{ "/arrivals/coroutines of one thread take turns", test_coroutines_take_turns },
		{ "/arrivals/two answers of one thread", test_two_answers_of_one_thread },
		{ "/arrivals/two answers to one client", test_two_answers_to_one_client },
		{ "/arrivals/an event is left to another thread",
		  test_an_event_is_left_to_another_thread },
		{ "/arrivals/a coroutine's thread was woken for others",
		  test_a_thread_was_woken_for_others },
		{ "/arrivals/the next request tells that the one before was answered",
		  test_the_next_request_tells_of_an_answer },
		{ "/arrivals/a selector takes out of its set what it hands over",
		  test_a_selector_takes_connections_out },
		{ "/arrivals/a coroutine reads in no context",
		  test_a_coroutine_reads_in_no_context },
		{ "/arrivals/a thread sleeps while its coroutine has a request",
		  test_a_coroutine_waits },
		{ "/arrivals/a runtime has nothing to do for long",
		  test_a_runtime_has_nothing_to_do },
		{ "/arrivals/a connection there at once is not waited for since the one before",
		  test_a_listener_finds_the_next_connection },
		{ "/arrivals/a key is answered with one of the next frames",
		  test_a_frame_is_waited_for },
		{ "/arrivals/a key that another thread has read is there since then",
		  test_a_key_is_read_in_another_thread },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
