/* SPDX-License-Identifier: MIT */
/* Event-processing loops and their units: by hand, and random programs. */
#include <inttypes.h>
#include <errno.h>

#include "tests/unit/unit-program.h"

#define PROGRAMS 500

/* ---- Loops ---- */

static void test_a_loop(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		call(program, "p main serve wait syscall:epoll_wait", at, at + 50, 50);
		call(program, "p main serve wait", at, at + 51, 50);
		call(program, "p main serve answer syscall:write", at + 60, at + 70, 0);
		call(program, "p main serve answer", at + 60, at + 70, 0);
	}
	assert_units(program, "serve epoll_wait 50 100\n"
			      "serve epoll_wait 150 200\n"
			      "serve epoll_wait 250 300\n");
}

/* A function that came back twice is no loop. */
static void test_twice_is_no_loop(struct program *program)
{
	for (int64_t at = 0; at < 300; at += 100) {
		call(program, "p main open syscall:poll", at, at + 50, 50);
		call(program, "p main open", at, at + 51, 50);
	}
	assert_units(program, "");
}

/* Each connection is one unit, whatever it reads. */
static void test_the_outermost_loop_counts(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		call(program, "p main syscall:accept", at, at + 10, 10);
		for (int64_t i = 20; i < 60; i += 10) {
			call(program, "p main serve fill k:tcp_recvmsg", at + i, at + i + 5, 5);
			call(program, "p main serve fill syscall:read", at + i, at + i + 5, 5);
			call(program, "p main serve fill", at + i, at + i + 6, 5);
		}
		call(program, "p main serve", at + 15, at + 70, 20);
	}
	assert_units(program, "main accept 10 100\n"
			      "main accept 110 200\n"
			      "main accept 210 300\n");
}

/* A client that a server has forked is in the same contexts; what it waits for is not the server's.
 */
static void test_threads_have_loops_of_their_own(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		program->tid = 1;
		call(program, "p main serve wait syscall:epoll_wait", at, at + 50, 50);
		call(program, "p main serve wait", at, at + 51, 50);
		program->tid = 2;
		call(program, "p main ask syscall:poll", at + 60, at + 70, 5);
		call(program, "p main ask", at + 60, at + 70, 5);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(program->units->len, ==, 6);
}

/* Of two waits in one loop the one for any event begins its units. */
static void test_events_come_before_data(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		call(program, "p main fill k:unix_stream_read_generic", at + 50, at + 90, 40);
		call(program, "p main fill syscall:read", at + 50, at + 90, 40);
		call(program, "p main fill", at + 50, at + 90, 40);
		call(program, "p main look syscall:poll", at + 91, at + 95, 1);
		call(program, "p main look", at + 91, at + 95, 1);
	}
	assert_units(program, "main poll 95 191\n"
			      "main poll 195 291\n"
			      "main poll 295 391\n");
}

/* A server reads, and waits only when nothing is there: what came at once is a unit as well. */
static void test_what_is_there_is_not_waited_for(struct program *program)
{
	for (int64_t at = 0; at < 800; at += 100) {
		call(program, "p main serve fill syscall:recvfrom", at, at + 5, 0);
		if (at < 400 || at == 600) {
			call(program, "p main serve fill wait syscall:poll", at + 10, at + 50, 40);
			call(program, "p main serve fill wait", at + 10, at + 50, 40);
			call(program, "p main serve fill syscall:recvfrom", at + 51, at + 52, 0);
		}
		call(program, "p main serve fill", at, at + 55, 40);
		call(program, "p main serve answer syscall:write", at + 60, at + 70, 0);
		call(program, "p main serve answer", at + 60, at + 70, 0);
		call(program, "p main serve", at, at + 70, 40);
	}
	assert_units(program, "main poll 50 100\n"
			      "main poll 150 200\n"
			      "main poll 250 300\n"
			      "main poll 350 400\n"
			      "main poll 400 500\n"
			      "main poll 500 600\n"
			      "main poll 650 700\n");
}

/* A thread of its own serves a connection, and reads before it waits: where the next query is
 * always there already, it has had three before it waits for the first time. */
static void test_what_comes_before_the_first_wait(struct program *program)
{
	for (int64_t at = 0; at < 800; at += 100) {
		program->tid = at < 400 ? 1 : 2;
		program->would_block = at < 400;
		call(program, "p main serve fill syscall:recvfrom", at, at + 5, 0);
		program->would_block = false;
		if (at < 400 || at == 700) {
			call(program, "p main serve fill syscall:poll", at + 10, at + 50, 40);
			call(program, "p main serve fill syscall:recvfrom", at + 51, at + 52, 0);
		}
		call(program, "p main serve fill", at, at + 55, 40);
		call(program, "p main serve answer syscall:write", at + 60, at + 70, 0);
		call(program, "p main serve answer", at + 60, at + 70, 0);
	}
	assert_units(program, "serve poll 50 100\n"
			      "serve poll 150 200\n"
			      "serve poll 250 300\n"
			      "serve poll 400 500\n"
			      "serve poll 500 600\n"
			      "serve poll 600 700\n");
}

/* As before, but what reads stays below the loop's function, which serves until nothing is there. A
 * long request is read in two pieces, the second one from further inside. */
static void test_what_a_connection_has_more_is_found(struct program *program)
{
	for (int64_t at = 0; at < 600; at += 100) {
		if (at != 300) {
			call(program, "p main wait syscall:epoll_wait", at, at + 10, 10);
			call(program, "p main wait", at, at + 10, 10);
		}
		call(program, "p main serve fill syscall:read", at + 20, at + 22, 0);
		if (at == 400) {
			call(program, "p main serve fill more syscall:mmap", at + 22, at + 23, 0);
			call(program, "p main serve fill more", at + 22, at + 23, 0);
			call(program, "p main serve fill syscall:read", at + 23, at + 24, 0);
		}
		call(program, "p main serve fill", at + 20, at + 25, 0);
		call(program, "p main serve answer syscall:write", at + 30, at + 40, 0);
		call(program, "p main serve answer", at + 30, at + 40, 0);
		if (at != 200) {
			call(program, "p main serve fill syscall:read", at + 50, at + 52, 0);
			call(program, "p main serve fill", at + 50, at + 52, 0);
			call(program, "p main serve", at + 20, at + 60, 0);
		}
	}
	assert_units(program, "main epoll_wait 10 50\n"
			      "main epoll_wait 110 150\n"
			      "main epoll_wait 210 320\n"
			      "main epoll_wait 320 350\n"
			      "main epoll_wait 410 450\n"
			      "main epoll_wait 510 550\n");
}

/* A worker takes files from a queue, and waits for a signal only when that is empty. Each is read
 * piece by piece, which is no unit. */
static void test_what_a_queue_has_more_is_found(struct program *program)
{
	for (int64_t at = 0; at < 800; at += 100) {
		if (at != 300 && at != 400) {
			call(program, "p run wait syscall:futex", at, at + 10, 10);
			call(program, "p run wait", at, at + 10, 10);
		}
		for (int64_t piece = 20; piece < 50; piece += 10) {
			call(program, "p run pack syscall:read", at + piece, at + piece + 1, 0);
			call(program, "p run pack syscall:write", at + piece + 2, at + piece + 3,
			     0);
		}
		call(program, "p run pack", at + 20, at + 60, 0);
	}
	assert_units(program, "run futex 10 100\n"
			      "run futex 110 200\n"
			      "run futex 210 320\n"
			      "run futex 320 420\n"
			      "run futex 420 500\n"
			      "run futex 510 600\n"
			      "run futex 610 700\n");
}

/* What reads twice for each event has not two of them. */
static void test_to_read_twice_is_no_look(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		call(program, "p main wait syscall:epoll_wait", at, at + 10, 10);
		call(program, "p main wait", at, at + 10, 10);
		for (int64_t i = 20; i < 60; i += 20) {
			call(program, "p main fill syscall:read", at + i, at + i + 5, 0);
			call(program, "p main fill", at + i, at + i + 5, 0);
			call(program, "p main syscall:write", at + i + 10, at + i + 11, 0);
		}
	}
	assert_units(program, "main epoll_wait 10 100\n"
			      "main epoll_wait 110 200\n"
			      "main epoll_wait 210 300\n"
			      "main epoll_wait 310 400\n");
}

/* One that runs coroutines, each on a stack of its own, stays in none of its functions. */
static void test_a_thread_may_be_the_loop(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		call(program, "p schedule syscall:epoll_wait", at, at + 50, 50);
		call(program, "p schedule", at, at + 51, 50);
		call(program, "p coroutine syscall:write", at + 60, at + 70, 0);
		call(program, "p coroutine", at + 55, at + 75, 0);
	}
	assert_units(program, "p epoll_wait 50 100\n"
			      "p epoll_wait 150 200\n"
			      "p epoll_wait 250 300\n");
}

/* The coroutine of a connection, on a stack of its own, in the thread that runs it. */
static void serve_in_coroutine(struct program *program, int64_t at, bool is_left)
{
	call(program, "p coroutine serve fill syscall:read", at, at + 2, 0);
	call(program, "p coroutine serve fill", at, at + 3, 0);
	call(program, "p coroutine serve answer syscall:write", at + 10, at + 20, 0);
	call(program, "p coroutine serve answer", at + 10, at + 20, 0);
	if (!is_left) {
		program->would_block = true;
		call(program, "p coroutine serve fill syscall:read", at + 25, at + 26, 0);
		program->would_block = false;
		call(program, "p coroutine serve fill", at + 25, at + 27, 0);
	}
	call(program, "p coroutine serve", at, at + 28, 0);
	call(program, "p coroutine", at, at + 29, 0);
}

static void schedule(struct program *program, int64_t at)
{
	call(program, "p schedule syscall:epoll_wait", at, at + 50, 50);
	call(program, "p schedule", at, at + 51, 50);
}

/* Each request is one unit of the coroutine, from when it is read and is there: also when another
 * is there at once, when the coroutine goes on in another thread, where it looks for the next one,
 * and beside what the thread does otherwise. */
static void test_a_coroutine_s_loop(struct program *program)
{
	for (int64_t at = 0; at < 600; at += 100) {
		schedule(program, at);
		if (at == 200) {
			serve_in_coroutine(program, at + 60, true);
		} else if (at == 300) {
			call(program, "p other syscall:write", at + 60, at + 70, 0);
			call(program, "p other", at + 60, at + 70, 0);
		} else {
			serve_in_coroutine(program, at + 60, false);
		}
	}
	program->tid = 2;
	for (int64_t at = 600; at < 1000; at += 100) {
		schedule(program, at);
		program->would_block = at == 600;
		call(program, "p coroutine serve fill syscall:read", at + 60, at + 61, 0);
		program->would_block = false;
		call(program, "p coroutine serve fill", at + 60, at + 62, 0);
		call(program, "p coroutine serve answer syscall:write", at + 70, at + 80, 0);
		call(program, "p coroutine serve answer", at + 70, at + 80, 0);
		if (at == 700) {
			call(program, "p coroutine serve fill syscall:read", at + 85, at + 86, 0);
			call(program, "p coroutine serve fill", at + 85, at + 86, 0);
			call(program, "p coroutine serve answer syscall:write", at + 87, at + 88,
			     0);
			call(program, "p coroutine serve answer", at + 87, at + 89, 0);
		}
		call(program, "p coroutine serve", at + 60, at + 90, 0);
		call(program, "p coroutine", at + 60, at + 91, 0);
	}
	schedule(program, 1000);
	assert_units(program, "serve read 60 85\n"
			      "serve read 160 185\n"
			      "serve read 260 300\n"
			      "p epoll_wait 350 400\n"
			      "serve read 460 485\n"
			      "serve read 560 585\n"
			      "p epoll_wait 650 700\n"
			      "serve read 760 785\n"
			      "serve read 785 800\n"
			      "serve read 860 900\n"
			      "serve read 960 1000\n");
}

/* The thread looks at all events before it waits: a request that it finds so begins then. */
static void test_a_look_finds_for_a_coroutine(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p schedule", "epoll_wait", at, at + 30, at % 200 == 0 ? 30 : 0, 4,
		     1);
		serve_in_coroutine(program, at + 60, false);
	}
	schedule(program, 400);
	assert_units(program, "serve read 30 85\n"
			      "serve read 130 185\n"
			      "serve read 230 285\n"
			      "serve read 330 385\n");
}

/* The runtime learns of a request in one thread; a coroutine reads the first byte of it in a second
 * one, to see whether the client is still there, and its server the rest, in a third one. What that
 * thread reads behind the answer belongs to another request. */
static void test_a_request_goes_through_coroutines(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		program->tid = 1;
		make(program, "p schedule", "epoll_wait", at, at + 30, 30, 4, 1);
		program->tid = 2;
		make(program, "p schedule", "epoll_wait", at, at + 31, 31, 4, 0);
		make(program, "p coroutine watch fill", "read", at + 35, at + 36, 0, 7, 1);
		program->tid = 3;
		make(program, "p schedule", "epoll_wait", at, at + 32, 32, 4, 0);
		make(program, "p coroutine serve fill", "read", at + 40, at + 41, 0, 7, 3);
		make(program, "p coroutine serve answer", "write", at + 50, at + 51, 0, 7, 4);
		program->would_block = true;
		make(program, "p coroutine watch fill", "read", at + 55, at + 56, 0, 7, -EAGAIN);
		make(program, "p coroutine serve fill", "read", at + 60, at + 61, 0, 7, -EAGAIN);
		program->would_block = false;
		call(program, "p coroutine serve", at + 40, at + 62, 0);
		call(program, "p coroutine", at + 35, at + 62, 0);
	}
	assert_units(program, "serve read 30 51\n"
			      "p epoll_wait 30 100\n"
			      "p epoll_wait 31 100\n"
			      "serve read 130 151\n"
			      "p epoll_wait 130 200\n"
			      "p epoll_wait 131 200\n"
			      "serve read 230 251\n"
			      "p epoll_wait 230 300\n"
			      "p epoll_wait 231 300\n"
			      "serve read 330 351\n");
}

/* A coroutine answers the client, and looks for his next request in vain. */
static void answer_in_coroutine(struct program *program, int64_t at, int32_t client)
{
	make(program, "p coroutine serve answer", "write", at, at + 1, 0, client, 4);
	program->would_block = true;
	make(program, "p coroutine serve fill", "read", at + 2, at + 3, 0, client, -EAGAIN);
	program->would_block = false;
	call(program, "p coroutine serve", at, at + 4, 0);
	call(program, "p coroutine", at, at + 4, 0);
}

/* Number of units of coroutines that last so long, behind the first hundred nanoseconds: until then
 * it is not known who answers. */
static guint count_of_coroutines(const struct program *program, int64_t begin_ns, int64_t end_ns)
{
	guint count = 0;

	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		count += unit->is_of_coroutine && unit->begin_ns > 100 &&
			 unit->begin_ns % 100 == begin_ns && unit->end_ns % 100 == end_ns;
	}
	return count;
}

/* A thread learns of four clients, reads for three coroutines, one after the other, and answers for
 * the first of them. Others go on with the second one, in a thread that has read of the fourth
 * client meanwhile, and with the rest. */
static void test_coroutines_change_threads(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		program->tid = 1;
		make(program, "p schedule", "epoll_wait", at, at + 30, 30, 4, 4);
		for (int32_t i = 0; i < 3; i++) {
			make(program, "p coroutine serve fill", "read", at + 40 + i, at + 41 + i, 0,
			     7 + i, 3);
		}
		answer_in_coroutine(program, at + 50, 7);
		make(program, "p schedule", "futex", at + 58, at + 90, 32, 0x1000, 0);
		program->tid = 2;
		make(program, "p schedule", "futex", at - 30, at + 40, 70, 0x1000, 0);
		make(program, "p coroutine serve fill", "read", at + 51, at + 52, 0, 10, 3);
		answer_in_coroutine(program, at + 60, 8);
		program->tid = 3;
		make(program, "p schedule", "futex", at - 10, at + 45, 55, 0x1000, 0);
		answer_in_coroutine(program, at + 70, 9);
		answer_in_coroutine(program, at + 80, 10);
	}
	itp_unit_finder_finish(program->finder);
	for (int64_t end_ns = 51; end_ns <= 81; end_ns += 10) {
		g_assert_cmpuint(count_of_coroutines(program, 30, end_ns), ==, 3);
	}
}

/* Code that a program makes for itself has another address as soon as it is compiled again: in each
 * turn the loop waits and answers by another way. */
static void test_a_loop_in_made_code(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		g_autofree char *way = g_strdup_printf("p main j:0x1 j:0x%" PRIx64, 2 + at);
		g_autofree char *wait = g_strconcat(way, " wait", NULL);
		g_autofree char *answer = g_strconcat(way, " j:0x1 answer", NULL);

		make(program, wait, "epoll_wait", at, at + 10, 10, 4, 1);
		make(program, answer, "write", at + 30, at + 31, 0, 7, 4);
		call(program, way, at, at + 40, 0);
	}
	assert_units(program, "j:0x1 epoll_wait 10 100\n"
			      "j:0x1 epoll_wait 110 200\n"
			      "j:0x1 epoll_wait 210 300\n"
			      "j:0x1 epoll_wait 310 400\n");
}

/* All coroutines begin in the same function of the runtime. That one of them comes after another,
 * so that this seems to stay, makes no loop of it. */
static void test_where_coroutines_begin(struct program *program)
{
	for (int64_t at = 0; at < 600; at += 100) {
		schedule(program, at);
		serve_in_coroutine(program, at + 60, false);
		for (int64_t i = 90; i < 96; i += 2) {
			program->would_block = i < 94;
			call(program, "p coroutine watch syscall:read", at + i, at + i + 1, 0);
			call(program, "p coroutine watch", at + i, at + i + 1, 0);
		}
		program->would_block = false;
		call(program, "p coroutine", at + 90, at + 96, 0);
	}
	schedule(program, 600);
	assert_units(program, "serve read 60 85\n"
			      "serve read 160 185\n"
			      "serve read 260 285\n"
			      "serve read 360 385\n"
			      "serve read 460 485\n"
			      "serve read 560 585\n");
}

/* Only what a pipe, or the like, will have is waited for: a disk is read. */
static void test_files_are_no_events(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		call(program, "p main next k:filemap_read", at, at + 50, 50);
		call(program, "p main next syscall:read", at, at + 50, 50);
		call(program, "p main next", at, at + 51, 50);
	}
	assert_units(program, "");
}

/* A worker waits for a job by a condition, and for a lock on the way. */
static void test_a_lock_is_no_event(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		call(program, "p run pthread_mutex_lock syscall:futex", at, at + 20, 20);
		call(program, "p run pthread_mutex_lock", at, at + 20, 20);
		call(program, "p run pthread_cond_wait syscall:futex", at + 30, at + 60, 30);
		call(program, "p run pthread_cond_wait", at + 30, at + 60, 30);
	}
	assert_units(program, "run futex 60 130\n"
			      "run futex 160 230\n"
			      "run futex 260 330\n");
}

/* What was lost may have been the end of a unit. */
static void test_lost_events_end_no_unit(struct program *program)
{
	for (int64_t at = 0; at < 600; at += 100) {
		program->flags = at == 300 ? ITP_INSTANCE_LOST : 0;
		call(program, "p main serve", at - 40, at - 30, 0);
		program->flags = 0;
		call(program, "p main wait syscall:select", at, at + 50, 50);
		call(program, "p main wait", at, at + 51, 50);
	}
	assert_units(program, "main select 50 100\n"
			      "main select 150 200\n"
			      "main select 350 400\n"
			      "main select 450 500\n");
}

/* A worker that leaves its loop has not ended a unit by that; another one with its number begins
 * anew. */
static void test_a_thread_ends(struct program *program)
{
	for (int64_t begin = 0; begin < 2000; begin += 1000) {
		for (int64_t at = begin; at < begin + 300; at += 100) {
			call(program, "p run take syscall:poll", at, at + 50, 50);
			call(program, "p run take", at, at + 51, 50);
		}
		call(program, "p run", begin, begin + 400, 0);
		call(program, "p", begin, begin + 400, 0);
	}
	assert_units(program, "run poll 50 100\n"
			      "run poll 150 200\n"
			      "run poll 1050 1100\n"
			      "run poll 1150 1200\n");
}

/* One iteration of each: the listener (2) takes a connection at 50 and signals at 55, in its unit
 * that goes on until 80; the worker (3) has waited for that since 10. */
static void listen_and_work(struct program *program, int64_t at)
{
	program->tid = 2;
	wait_until_signalled(program, at - 20, at + 50, 0);
	call(program, "p listen syscall:epoll_wait", at - 20, at + 50, 70);
	program->tid = 3;
	wait_until_signalled(program, at + 10, at + 55, 2);
	call(program, "p work syscall:futex", at + 10, at + 56, 45);
}

static void test_a_listener_signals(struct program *program)
{
	guint signalled = 0;

	for (int64_t at = 100; at < 600; at += 100) {
		listen_and_work(program, at);
	}
	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		g_assert_cmpuint(unit->signaller_loop != ITP_CONTEXT_ROOT, ==, unit->tid == 3);
		if (unit->tid == 3) {
			g_assert_cmpint(unit->signaller_tid, ==, 2);
			g_assert_cmpint(unit->signaller_begin_ns, ==, unit->begin_ns - 5);
			signalled++;
		}
	}
	g_assert_cmpuint(signalled, ==, 4);
	for (guint i = 0; i < 2; i++) {
		const GArray *types = itp_unit_types_find(program->types, ITP_UNIT_CUT);
		const struct itp_unit_type *type = &g_array_index(types, struct itp_unit_type, i);

		g_assert_cmpuint(type->signalled, ==, type->signaller == 0 ? 0 : 4);
	}
}

/* The wait of the loop is no part of a unit, another wait is. */
static void test_how_the_time_was_spent(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		stretch(program, ITP_STRETCH_WAIT, at, at + 40);
		stretch(program, ITP_STRETCH_READY, at + 40, at + 55);
		call(program, "p main wait syscall:poll", at, at + 50, 50);
		call(program, "p main wait", at, at + 51, 50);
		stretch(program, ITP_STRETCH_RUN, at + 55, at + 70);
		stretch(program, ITP_STRETCH_WAIT, at + 70, at + 80);
		call(program, "p main sync syscall:fsync", at + 70, at + 80, 10);
		call(program, "p main sync", at + 70, at + 80, 10);
		stretch(program, ITP_STRETCH_RUN, at + 80, at + 100);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(program->units->len, ==, 3);
	for (guint i = 0; i < 3; i++) {
		const struct itp_time_use *use =
			&g_array_index(program->units, struct itp_unit, i).use;

		g_assert_cmpint(use->cpu_ns, ==, 35);
		g_assert_cmpint(use->blocked_ns, ==, 10);
		g_assert_cmpint(use->runnable_ns, ==, 5);
	}
}

/* A thread that was woken, and loses the CPU before its system call has returned, is at work since
 * it was woken: who has asked waits meanwhile. */
static void test_the_cpu_is_lost_at_once(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		stretch(program, ITP_STRETCH_WAIT, at, at + 30);
		stretch(program, ITP_STRETCH_READY, at + 30, at + 32);
		stretch(program, ITP_STRETCH_RUN, at + 32, at + 36);
		stretch(program, ITP_STRETCH_READY, at + 36, at + 47);
		call(program, "p main wait syscall:poll", at, at + 50, 30);
		call(program, "p main wait", at, at + 51, 30);
		stretch(program, ITP_STRETCH_RUN, at + 47, at + 100);
		call(program, "p main answer", at + 60, at + 70, 0);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(program->units->len, ==, 3);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		g_assert_cmpint(unit->begin_ns, ==, 100 * (int64_t)i + 32);
		g_assert_cmpint(unit->use.cpu_ns, ==, 57);
		g_assert_cmpint(unit->use.runnable_ns, ==, 11);
	}
}

/* How a thread spent a system call is told behind the call. */
static void test_a_wait_inside_is_a_part(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		call(program, "p main wait syscall:poll", at, at + 50, 50);
		stretch(program, ITP_STRETCH_WAIT, at, at + 50);
		call(program, "p main wait", at, at + 51, 50);
		stretch(program, ITP_STRETCH_RUN, at + 50, at + 60);
		call(program, "p main fill k:tcp_recvmsg", at + 62, at + 65, 0);
		call(program, "p main fill syscall:recvfrom", at + 60, at + 80, 5);
		stretch(program, ITP_STRETCH_RUN, at + 60, at + 70);
		stretch(program, ITP_STRETCH_WAIT, at + 70, at + 75);
		stretch(program, ITP_STRETCH_RUN, at + 75, at + 80);
		call(program, "p main fill", at + 60, at + 80, 5);
		stretch(program, ITP_STRETCH_RUN, at + 80, at + 100);
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(program->units->len, ==, 3);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_time_use *use =
			&g_array_index(program->units, struct itp_unit, i).use;

		g_assert_cmpint(use->cpu_ns, ==, 45);
		g_assert_cmpint(use->blocked_ns, ==, 5);
	}
}

/* Stacks that do not show their callers end no loop; what they show is of no known path. */
static void test_broken_stacks(struct program *program)
{
	for (int64_t at = 0; at < 600; at += 100) {
		call(program, "p main serve wait syscall:poll", at, at + 50, 50);
		call(program, "p main serve wait", at, at + 51, 50);
		if (at >= 400) {
			call(program, "p main serve", at - 400, at + 60, 0);
			call(program, "p main", at - 400, at + 60, 0);
			call(program, "p ? deep syscall:write", at + 60, at + 70, 0);
			call(program, "p ? deep", at + 60, at + 70, 0);
			call(program, "p ?", at + 60, at + 70, 0);
		}
	}
	assert_units(program, "serve poll 50 100\n"
			      "serve poll 150 200\n"
			      "serve poll 250 300\n"
			      "serve poll 350 400\n"
			      "serve poll 450 500\n");
}

/* Children that were forked in other places do the same. */
static void test_a_loop_is_a_function_s(struct program *program)
{
	static const char *const callers[] = { "start", "replace" };

	for (int k = 0; k < 2; k++) {
		g_autofree char *inner =
			g_strdup_printf("p main %s serve syscall:accept", callers[k]);
		g_autofree char *work =
			g_strdup_printf("p main %s serve send syscall:write", callers[k]);
		g_autofree char *outer = g_strdup_printf("p main %s serve send", callers[k]);

		program->tid = k + 1;
		for (int64_t at = 0; at < 400; at += 100) {
			call(program, inner, at, at + 50, 50);
			call(program, work, at + 60, at + 70, 0);
			call(program, outer, at + 60, at + 70, 0);
		}
	}
	itp_unit_finder_finish(program->finder);
	g_assert_cmpuint(program->units->len, ==, 6);
	g_assert_cmpuint(itp_unit_types_find(program->types, 0)->len, ==, 1);
}

/* ---- Random programs ---- */

/* A loop does this and that, waits for other things inside, and its thread others' things beside:
 * its units are known. */
static void run_at_random(struct program *program, GRand *random, GString *wanted)
{
	static const char *const inner[] = { "read", "write", "sort", "send" };
	const int rounds = g_rand_int_range(random, 4, 60);
	int64_t at = g_rand_int_range(random, 0, 1000);
	int64_t begin_ns = -1;

	for (int i = 0; i < rounds; i++) {
		const int64_t blocked_ns = g_rand_int_range(random, 1, 100);
		const int calls = g_rand_int_range(random, 0, 4);

		if (begin_ns >= 0) {
			g_string_append_printf(wanted, "loop epoll_wait %" PRId64 " %" PRId64 "\n",
					       begin_ns, at);
		}
		call(program, "p main loop ask syscall:epoll_wait", at, at + blocked_ns,
		     blocked_ns);
		begin_ns = at + blocked_ns;
		at += blocked_ns + 1;
		call(program, "p main loop ask", begin_ns - blocked_ns, at, blocked_ns);
		for (int k = 0; k < calls; k++) {
			const char *name = inner[g_rand_int_range(random, 0, 4)];
			g_autofree char *deep =
				g_strdup_printf("p main loop %s step syscall:%s", name,
						g_rand_boolean(random) ? "poll" : "fsync");
			g_autofree char *outer = g_strdup_printf("p main loop %s", name);
			const int64_t length_ns = g_rand_int_range(random, 1, 50);
			const int times = g_rand_int_range(random, 1, 5);

			for (int n = 0; n < times; n++) {
				call(program, deep, at, at + length_ns, length_ns / 2);
				at += length_ns;
			}
			call(program, outer, at - length_ns * times, at, 0);
		}
		at += g_rand_int_range(random, 0, 20);
	}
}

static void test_random_programs(void)
{
	for (guint32 seed = 0; seed < PROGRAMS && !g_test_failed(); seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		g_autoptr(GString) wanted = g_string_new(NULL);
		struct program program;
		const GArray *types;
		uint64_t count = 0;

		program_init(&program);
		run_at_random(&program, random, wanted);
		assert_units(&program, wanted->str);
		types = itp_unit_types_find(program.types, ITP_UNIT_CUT);
		for (guint i = 0; i < types->len; i++) {
			count += g_array_index(types, struct itp_unit_type, i).count;
		}
		g_assert_cmpuint(count, ==, program.units->len);
		if (g_test_failed()) {
			g_test_message("seed %u", seed);
		}
		program_release(&program);
	}
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/units/a loop", test_a_loop },
		{ "/units/twice is no loop", test_twice_is_no_loop },
		{ "/units/the outermost loop counts", test_the_outermost_loop_counts },
		{ "/units/threads have loops of their own", test_threads_have_loops_of_their_own },
		{ "/units/events come before data", test_events_come_before_data },
		{ "/units/what is there is not waited for", test_what_is_there_is_not_waited_for },
		{ "/units/what comes before the first wait is found",
		  test_what_comes_before_the_first_wait },
		{ "/units/what a connection has more is found",
		  test_what_a_connection_has_more_is_found },
		{ "/units/what a queue has more is found", test_what_a_queue_has_more_is_found },
		{ "/units/to read twice is no look", test_to_read_twice_is_no_look },
		{ "/units/a thread may be the loop", test_a_thread_may_be_the_loop },
		{ "/units/a coroutine has a loop of its own", test_a_coroutine_s_loop },
		{ "/units/a look finds for a coroutine", test_a_look_finds_for_a_coroutine },
		{ "/units/a request goes through coroutines",
		  test_a_request_goes_through_coroutines },
		{ "/units/coroutines change threads", test_coroutines_change_threads },
		{ "/units/a loop in made code", test_a_loop_in_made_code },
		{ "/units/where coroutines begin is no loop", test_where_coroutines_begin },
		{ "/units/files are no events", test_files_are_no_events },
		{ "/units/a lock is no event", test_a_lock_is_no_event },
		{ "/units/lost events end no unit", test_lost_events_end_no_unit },
		{ "/units/a thread ends", test_a_thread_ends },
		{ "/units/how the time was spent", test_how_the_time_was_spent },
		{ "/units/the CPU is lost at once", test_the_cpu_is_lost_at_once },
		{ "/units/a wait inside is a part", test_a_wait_inside_is_a_part },
		{ "/units/a listener signals", test_a_listener_signals },
		{ "/units/broken stacks", test_broken_stacks },
		{ "/units/a loop is a function's", test_a_loop_is_a_function_s },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	g_test_add_func("/units/random programs", test_random_programs);
	return g_test_run();
}
