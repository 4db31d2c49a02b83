/* SPDX-License-Identifier: MIT */
/* Units of threads and processes that a server makes for its connections: calls are written down.
 */
#include "tests/unit/unit-program.h"

#define LISTENER 3
/* Result of each system call in no context. */
#define COPY 4
#define CLIENT 7
#define LIBRARY 8
#define DATABASE 9

/* A child that was forked for a connection speaks first, as it greets the client; its reads wait
 * for commands all the same. */
static void test_a_child_greets(struct program *program)
{
	make(program, "p listen take", "accept", 0, 10, 10, LISTENER, CLIENT);
	make(program, "p listen", "clone", 20, 21, 0, 0, 2);
	program->pid = 2;
	program->tid = 2;
	make(program, "p serve", "dup2", 30, 31, 0, CLIENT, 0);
	make(program, "p serve answer", "write", 40, 41, 0, 0, 4);
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p serve fill", "read", at - 50, at, 50, 0, 4);
		make(program, "p serve ask", "sendto", at + 10, at + 11, 0, DATABASE, 4);
		make(program, "p serve ask", "recvfrom", at + 12, at + 40, 28, DATABASE, 4);
		make(program, "p serve answer", "write", at + 42, at + 43, 0, 0, 4);
	}
	assert_units(program, "serve read 100 143\n"
			      "serve read 200 243\n"
			      "serve read 300 343\n");
}

/* Accepts a connection, and makes a thread or a process for it. */
static void accept_and_make(struct program *program, int64_t at, int32_t child)
{
	program->pid = 1;
	program->tid = 1;
	make(program, "p main take", "accept", at, at + 10, 10, LISTENER, CLIENT);
	make(program, "p main make", "clone", at + 12, at + 15, 0, 0, child);
	make(program, "p main make", "close", at + 16, at + 17, 0, CLIENT, 0);
}

/* The thread's life from `serve` on, and its end. */
static void serve_once(struct program *program, int64_t at, const char *serve)
{
	g_autofree char *fill = g_strdup_printf("%s fill", serve);
	g_autofree char *answer = g_strdup_printf("%s answer", serve);

	make(program, fill, "read", at + 20, at + 21, 0, CLIENT, 4);
	make(program, answer, "write", at + 30, at + 31, 0, CLIENT, 4);
	make(program, answer, "fsync", at + 40, at + 45, 0, 3, 0);
	call(program, serve, at + 18, at + 46, 0);
	call(program, "p", at + 15, at + 50, 0);
}

/* No unit has begun with a read, without a wait. */
static void assert_no_reads(const struct program *program)
{
	const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, 0);

	g_assert_null(itp_unit_finder_reads(program->finder, unit->loop));
}

/* The child serves the request from when its parent has accepted it; the parent hands over. */
static void test_a_child_for_each_connection(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		const int32_t child = 100 + (int32_t)at;

		accept_and_make(program, at, child);
		program->pid = child;
		program->tid = child;
		serve_once(program, at, "p main serve");
	}
	assert_units(program, "main accept 10 31\n"
			      "main accept 10 100\n"
			      "main accept 110 131\n"
			      "main accept 110 200\n"
			      "main accept 210 231\n"
			      "main accept 210 300\n"
			      "main accept 310 331\n");
	assert_no_reads(program);
}

/* A guard, who does not know what is an answer, follows children from where they were made to their
 * end. */
static void test_a_guard_follows_children(struct program *program)
{
	itp_unit_finder_keep_turns(program->finder);
	for (int64_t at = 0; at < 400; at += 100) {
		const int32_t child = 100 + (int32_t)at;

		accept_and_make(program, at, child);
		program->pid = child;
		program->tid = child;
		serve_once(program, at, "p main serve");
	}
	assert_units(program, "main accept 12 50\n"
			      "main accept 10 100\n"
			      "main accept 112 150\n"
			      "main accept 110 200\n"
			      "main accept 212 250\n"
			      "main accept 210 300\n"
			      "main accept 312 350\n");
}

/* The stack of the call that makes the child was not believed: the child has the connection of its
 * parent all the same, of which its own copies are made before the parent is seen again. */
static void test_a_child_is_made_in_no_context(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		const int32_t child = 100 + (int32_t)at;

		program->pid = 1;
		program->tid = 1;
		make(program, "p main take", "accept", at, at + 10, 10, LISTENER, CLIENT);
		program->result = child;
		program->has_result = true;
		make_unplaced(program, 0, "clone", at + 12, at + 15);
		program->has_result = false;
		program->pid = child;
		program->tid = child;
		make(program, "p main serve", "dup2", at + 18, at + 19, 0, CLIENT, 0);
		make(program, "p main serve fill", "read", at + 20, at + 21, 0, 0, 4);
		make(program, "p main serve answer", "write", at + 30, at + 31, 0, 0, 4);
		call(program, "p main serve", at + 18, at + 46, 0);
		call(program, "p", at + 15, at + 50, 0);
	}
	assert_units(program, "main accept 10 31\n"
			      "main accept 10 100\n"
			      "main accept 110 131\n"
			      "main accept 110 200\n"
			      "main accept 210 231\n"
			      "main accept 210 300\n"
			      "main accept 310 331\n");
}

/* One that waits as the loop does, as a worker that its parent has made, has no unit before. */
static void test_a_guard_follows_no_workers(struct program *program)
{
	itp_unit_finder_keep_turns(program->finder);
	for (int64_t at = 0; at < 300; at += 100) {
		accept_and_make(program, at, 100 + (int32_t)at);
	}
	program->pid = 100;
	program->tid = 100;
	make(program, "p main take", "accept", 20, 310, 290, LISTENER, CLIENT);
	make(program, "p main answer", "write", 330, 331, 0, CLIENT, 4);
	make(program, "p main take", "accept", 340, 350, 10, LISTENER, CLIENT);
	assert_units(program, "main accept 10 100\n"
			      "main accept 110 200\n"
			      "main accept 310 340\n");
}

/* Work of a thread for the connection that it was made for has no loop but the thread. */
static void test_a_thread_for_each_connection(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		accept_and_make(program, at, 100 + (int32_t)at);
		program->tid = 100 + (int32_t)at;
		serve_once(program, at, "p start serve");
	}
	assert_units(program, "start read 10 31\n"
			      "main accept 10 100\n"
			      "start read 110 131\n"
			      "main accept 110 200\n"
			      "start read 210 231\n"
			      "main accept 210 300\n"
			      "start read 310 331\n");
}

/* Children wait for their clients to hang up before anything of them is told that is in a context:
 * in which of its units the parent was when it made them is known all the same. */
static void test_children_that_are_told_late(struct program *program)
{
	for (int64_t at = 0; at < 500; at += 100) {
		accept_and_make(program, at, 100 + (int32_t)at);
	}
	for (int64_t at = 0; at < 400; at += 100) {
		program->pid = 100 + (int32_t)at;
		program->tid = 100 + (int32_t)at;
		make_unplaced(program, CLIENT, "read", at + 20, at + 20);
		make_unplaced(program, CLIENT, "write", at + 30, at + 30);
		make(program, "p main linger", "poll", at + 40, at + 600, 560, 0x2000, 1);
		call(program, "p", at + 15, at + 610, 0);
	}
	assert_units(program, "main accept 10 100\n"
			      "main accept 110 200\n"
			      "main accept 210 300\n"
			      "main accept 310 400\n"
			      "main accept 10 30\n"
			      "main accept 110 130\n"
			      "main accept 210 230\n"
			      "main accept 310 330\n");
}

/* No stack of a child is believed, from its first system call to its end. */
static void test_a_child_in_no_context(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		accept_and_make(program, at, 100 + (int32_t)at);
		program->pid = 100 + (int32_t)at;
		program->tid = 100 + (int32_t)at;
		make_unplaced(program, CLIENT, "read", at + 20, at + 20);
		make_unplaced(program, CLIENT, "write", at + 30, at + 30);
		call(program, "p", at + 15, at + 40, 0);
	}
	assert_units(program, "main accept 10 30\n"
			      "main accept 10 100\n"
			      "main accept 110 130\n"
			      "main accept 110 200\n"
			      "main accept 210 230\n"
			      "main accept 210 300\n"
			      "main accept 310 330\n");
}

/* It answers by a copy of the descriptor, which its parent has closed before any call of the child
 * is told. */
static void test_a_child_answers_by_a_copy(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		accept_and_make(program, at, 100 + (int32_t)at);
		program->pid = 100 + (int32_t)at;
		program->tid = 100 + (int32_t)at;
		make_unplaced(program, CLIENT, "dup2", at + 18, at + 19);
		make_unplaced(program, CLIENT, "read", at + 20, at + 20);
		make_unplaced(program, COPY, "write", at + 30, at + 30);
		call(program, "p", at + 15, at + 40, 0);
	}
	assert_units(program, "main accept 10 30\n"
			      "main accept 10 100\n"
			      "main accept 110 130\n"
			      "main accept 110 200\n"
			      "main accept 210 230\n"
			      "main accept 210 300\n"
			      "main accept 310 330\n");
}

/* Its copies are made before its birth is told, and the connection's first number is closed. */
static void test_a_child_copies_before_its_birth(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		const int32_t child = 100 + (int32_t)at;

		program->pid = program->tid = 1;
		make(program, "p main take", "accept", at, at + 10, 10, LISTENER, CLIENT);
		program->pid = program->tid = child;
		make(program, "p main serve", "dup2", at + 14, at + 15, 0, CLIENT, COPY);
		program->pid = program->tid = 1;
		make(program, "p main make", "clone", at + 12, at + 16, 0, 0, child);
		make(program, "p main make", "close", at + 17, at + 18, 0, CLIENT, 0);
		program->pid = program->tid = child;
		make(program, "p main serve", "close", at + 19, at + 20, 0, CLIENT, 0);
		make(program, "p main serve fill", "read", at + 22, at + 23, 0, COPY, 4);
		make(program, "p main serve answer", "write", at + 30, at + 31, 0, COPY, 4);
		call(program, "p main serve", at + 14, at + 40, 0);
		call(program, "p", at + 14, at + 41, 0);
	}
	assert_units(program, "main accept 10 31\n"
			      "main accept 10 100\n"
			      "main accept 110 131\n"
			      "main accept 110 200\n"
			      "main accept 210 231\n"
			      "main accept 210 300\n"
			      "main accept 310 331\n");
}

/* The child runs another program, which reads and answers by copies of the connection. */
static void test_a_child_runs_another_program(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		accept_and_make(program, at, 100 + (int32_t)at);
		program->pid = 100 + (int32_t)at;
		program->tid = 100 + (int32_t)at;
		make(program, "p main hand", "dup2", at + 16, at + 17, 0, CLIENT, 0);
		make(program, "p main hand", "dup2", at + 18, at + 19, 0, CLIENT, 1);
		/* Not in the first directory of the path; and there. */
		make(program, "p main look", "execve", at + 19, at + 19, 0, 0, -2);
		call(program, "p main look " ITP_SYSCALL_PREFIX "execve", at + 19, at + 19, 0);
		call(program, "p main", at + 15, at + 20, 0);
		call(program, "p", at + 15, at + 20, 0);
		make(program, "q link", "read", at + 21, at + 21, 0, LIBRARY, 4);
		call(program, "q link", at + 21, at + 21, 0);
		make(program, "q start fill", "read", at + 22, at + 23, 0, 0, 4);
		make(program, "q start answer", "write", at + 30, at + 31, 0, 1, 4);
		call(program, "q start", at + 21, at + 40, 0);
		call(program, "q", at + 20, at + 41, 0);
	}
	assert_units(program, "start read 10 31\n"
			      "main accept 10 100\n"
			      "start read 110 131\n"
			      "main accept 110 200\n"
			      "start read 210 231\n"
			      "main accept 210 300\n"
			      "start read 310 331\n");
}

/* The stack of the read is not believed, as where it is deep in a program that has just begun. */
static void test_a_child_reads_where_nobody_knows(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		accept_and_make(program, at, 100 + (int32_t)at);
		program->pid = 100 + (int32_t)at;
		program->tid = 100 + (int32_t)at;
		make(program, "p main hand", "dup2", at + 16, at + 17, 0, CLIENT, 0);
		make(program, "p main hand", "dup2", at + 18, at + 19, 0, CLIENT, 1);
		call(program, "p main look " ITP_SYSCALL_PREFIX "execve", at + 19, at + 19, 0);
		call(program, "p main", at + 15, at + 20, 0);
		call(program, "p", at + 15, at + 20, 0);
		make(program, "q link", "read", at + 21, at + 21, 0, LIBRARY, 4);
		call(program, "q link", at + 21, at + 21, 0);
		if (at == 100) {
			make_unplaced(program, 0, "read", at + 22, at + 23);
			make(program, "q start list", "read", at + 25, at + 26, 0, LIBRARY, 4);
		} else {
			make(program, "q start fill", "read", at + 22, at + 23, 0, 0, 4);
		}
		make(program, "q start answer", "write", at + 30, at + 31, 0, 1, 4);
		call(program, "q start", at + 21, at + 40, 0);
		call(program, "q", at + 20, at + 41, 0);
	}
	assert_units(program, "start read 10 31\n"
			      "main accept 10 100\n"
			      "start read 110 131\n"
			      "main accept 110 200\n"
			      "start read 210 231\n"
			      "main accept 210 300\n"
			      "start read 310 331\n");
}

/* A child that its parent makes now and then, and that has a loop of its own, has taken nothing
 * over. */
static void test_a_child_with_a_loop(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		make(program, "p main watch", "poll", at, at + 90, 90, 0x2000, 0);
		make(program, "p main make", "clone", at + 91, at + 92, 0, 0, 2);
	}
	program->pid = 2;
	program->tid = 2;
	for (int64_t at = 400; at < 800; at += 100) {
		make(program, "p main child take", "accept", at - 20, at, 20, LISTENER, CLIENT);
		make(program, "p main child fill", "read", at + 1, at + 2, 0, CLIENT, 4);
		make(program, "p main child answer", "write", at + 30, at + 31, 0, CLIENT, 4);
		call(program, "p main child", at, at + 40, 0);
	}
	assert_units(program, "main poll 90 100\n"
			      "main poll 190 200\n"
			      "main poll 290 300\n"
			      "main accept 400 431\n"
			      "main accept 500 531\n"
			      "main accept 600 631\n");
}

/* A thread for a connection has more than one request of it, of which only the first read is in a
 * context. */
static void test_more_of_one_connection(struct program *program)
{
	for (int64_t at = 0; at < 400; at += 100) {
		accept_and_make(program, at, 100 + (int32_t)at);
		program->tid = 100 + (int32_t)at;
		make(program, "p start fill", "read", at + 20, at + 21, 0, CLIENT, 4);
		make(program, "p start answer", "write", at + 30, at + 31, 0, CLIENT, 4);
		make_unplaced(program, CLIENT, "read", at + 40, at + 40);
		make(program, "p start answer", "write", at + 50, at + 51, 0, CLIENT, 4);
		call(program, "p", at + 15, at + 60, 0);
	}
	assert_units(program, "start read 10 31\n"
			      "start read 40 51\n"
			      "main accept 10 100\n"
			      "start read 110 131\n"
			      "start read 140 151\n"
			      "main accept 110 200\n"
			      "start read 210 231\n"
			      "start read 240 251\n"
			      "main accept 210 300\n"
			      "start read 310 331\n"
			      "start read 340 351\n");
}

/* Requests that a child finds whenever it looks, in two reads each: nothing ever blocks. */
static void find_requests(struct program *program, const char *source)
{
	program->pid = 2;
	program->tid = 2;
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p serve peek", "recvfrom", at, at + 1, 0, CLIENT, 4);
		make(program, "p serve fill", source, at + 2, at + 3, 0, CLIENT, 4);
		make(program, "p serve answer", "write", at + 42, at + 43, 0, CLIENT, 4);
	}
}

/* The client takes the CPU of the child at each answer and has asked again when the child looks: it
 * never waits. */
static void test_a_child_never_waits(struct program *program)
{
	accept_and_make(program, 0, 2);
	find_requests(program, "read");
	assert_units(program, "serve recvfrom 10 143\n"
			      "serve recvfrom 200 243\n"
			      "serve recvfrom 300 343\n");
}

/* Likewise, but the child waits between two requests. */
static void test_a_child_waits_elsewhere(struct program *program)
{
	accept_and_make(program, 0, 2);
	program->pid = 2;
	program->tid = 2;
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p serve wait", "poll", at - 50, at - 1, 49, 0x2000, 1);
		make(program, "p serve peek", "recvfrom", at, at + 1, 0, CLIENT, 4);
		make(program, "p serve answer", "write", at + 42, at + 43, 0, CLIENT, 4);
	}
	assert_units(program, "serve poll 99 143\n"
			      "serve poll 199 243\n"
			      "serve poll 299 343\n");
}

/* A program that reads a file has no requests. */
static void test_a_file_is_no_client(struct program *program)
{
	for (int64_t at = 100; at < 500; at += 100) {
		make(program, "p main open", "openat", at - 10, at - 9, 0, 0, CLIENT);
		make(program, "p main fill", "read", at, at + 1, 0, CLIENT, 4);
		make(program, "p main copy", "write", at + 42, at + 43, 0, CLIENT, 4);
	}
	assert_units(program, "");
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/children/a child greets", test_a_child_greets },
		{ "/children/a child for each connection", test_a_child_for_each_connection },
		{ "/children/a guard follows children", test_a_guard_follows_children },
		{ "/children/a guard follows no workers", test_a_guard_follows_no_workers },
		{ "/children/a thread for each connection", test_a_thread_for_each_connection },
		{ "/children/children that are told late", test_children_that_are_told_late },
		{ "/children/a child in no context", test_a_child_in_no_context },
		{ "/children/a child is made in no context", test_a_child_is_made_in_no_context },
		{ "/children/a child answers by a copy", test_a_child_answers_by_a_copy },
		{ "/children/a child copies before its birth",
		  test_a_child_copies_before_its_birth },
		{ "/children/a child runs another program", test_a_child_runs_another_program },
		{ "/children/a child that runs another program reads where nobody knows",
		  test_a_child_reads_where_nobody_knows },
		{ "/children/a child with a loop", test_a_child_with_a_loop },
		{ "/children/more of one connection", test_more_of_one_connection },
		{ "/children/a child never waits", test_a_child_never_waits },
		{ "/children/a child waits elsewhere", test_a_child_waits_elsewhere },
		{ "/children/a file is no client", test_a_file_is_no_client },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
