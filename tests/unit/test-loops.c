/* SPDX-License-Identifier: MIT */
/* Loops by the returns to their waits, and calls with which their units begin, just on both sides
 * of each limit. */
#include "common/unit/looks.h"
#include "common/unit/loops.h"

/* p main serve wait syscall, and p main serve read syscall: nodes by their depths. */
struct server {
	struct itp_context_tree *tree;
	struct itp_loops *loops;
	uint32_t process;
	uint32_t main;
	uint32_t serve;
	uint32_t wait;
	uint32_t read;
	/* Of no calls. */
	GArray *paths;
};

#define DEPTH_OF_OUTERMOST 2
#define DEPTH_BELOW_MAIN 3
#define DEPTH_BELOW_SERVE 4

static void set_up(struct server *server, gconstpointer data)
{
	uint32_t function = 1;

	(void)data;
	server->tree = itp_context_tree_new();
	server->loops = itp_loops_new(server->tree);
	server->paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	server->process = itp_context_tree_child(server->tree, ITP_CONTEXT_ROOT, function++);
	server->main = itp_context_tree_child(server->tree, server->process, function++);
	server->serve = itp_context_tree_child(server->tree, server->main, function++);
	server->wait = itp_context_tree_child(server->tree, server->serve, function++);
	server->wait = itp_context_tree_child(server->tree, server->wait, function++);
	server->read = itp_context_tree_child(server->tree, server->serve, function++);
	server->read = itp_context_tree_child(server->tree, server->read, function++);
}

static void tear_down(struct server *server, gconstpointer data)
{
	(void)data;
	itp_loops_free(server->loops);
	g_array_unref(server->paths);
	itp_context_tree_free(server->tree);
}

static void begin_anew(struct server *server)
{
	tear_down(server, NULL);
	set_up(server, NULL);
}

/* A wait for any event, in which calls from `left_depth` on have ended since the one before. */
static struct itp_halt halt_of(const struct server *server, uint32_t left_depth)
{
	return (struct itp_halt){
		.tid = 1,
		.node = server->wait,
		.class = ITP_WAIT_CLASS_EVENT,
		.outcome = ITP_HALT_SOMETHING,
		.blocked_ns = 9,
		.left_depth = left_depth,
		.paths = server->paths,
	};
}

static void return_to_wait(struct server *server, guint count, uint32_t left_depth)
{
	for (guint i = 0; i < count; i++) {
		const struct itp_halt halt = halt_of(server, left_depth);

		itp_loops_note(server->loops, &halt);
	}
}

static uint32_t loop_of(struct server *server)
{
	itp_loops_decide(server->loops);
	return itp_loops_of(server->loops, server->wait);
}

static void test_a_function_comes_back_three_times(struct server *server, gconstpointer data)
{
	(void)data;
	return_to_wait(server, 4, DEPTH_BELOW_SERVE);
	g_assert_cmpuint(loop_of(server), ==, server->serve);
	begin_anew(server);
	return_to_wait(server, 3, DEPTH_BELOW_SERVE);
	g_assert_cmpuint(loop_of(server), ==, ITP_CONTEXT_ROOT);
}

/* Of a thousand returns so many seem to be main()'s. */
static uint32_t loop_by_returns_to_main(struct server *server, guint count)
{
	begin_anew(server);
	return_to_wait(server, 1, DEPTH_BELOW_SERVE);
	return_to_wait(server, 1000 - count, DEPTH_BELOW_SERVE);
	return_to_wait(server, count, DEPTH_BELOW_MAIN);
	return loop_of(server);
}

static void test_a_hundredth_of_the_returns_makes_a_loop(struct server *server, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(loop_by_returns_to_main(server, 12), ==, server->main);
	g_assert_cmpuint(loop_by_returns_to_main(server, 8), ==, server->serve);
}

/* At so many of a hundred returns the outermost function had ended. */
static uint32_t loop_by_new_functions(struct server *server, guint count)
{
	begin_anew(server);
	return_to_wait(server, 1, DEPTH_BELOW_SERVE);
	return_to_wait(server, 100 - count, DEPTH_BELOW_SERVE);
	return_to_wait(server, count, DEPTH_OF_OUTERMOST);
	return loop_of(server);
}

static void test_a_quarter_of_new_functions_makes_the_threads_loop(struct server *server,
								   gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(loop_by_new_functions(server, 30), ==, server->process);
	g_assert_cmpuint(loop_by_new_functions(server, 20), ==, server->serve);
}

/* Of ten reads without a wait, none in vain, so many have brought a request. */
static uint32_t loop_of_reads(struct server *server, guint requests)
{
	begin_anew(server);
	for (guint i = 0; i < 10; i++) {
		const struct itp_halt halt = {
			.tid = 1,
			.node = server->read,
			.class = ITP_WAIT_CLASS_DATA,
			.only_looks = true,
			.outcome = ITP_HALT_SOMETHING,
			.side = i < requests ? ITP_CONVERSATION_SERVES : ITP_CONVERSATION_ASKS,
			.left_depth = DEPTH_BELOW_SERVE,
			.paths = server->paths,
		};

		itp_loops_note(server->loops, &halt);
	}
	itp_loops_decide(server->loops);
	return itp_loops_of(server->loops, server->read);
}

static void test_most_reads_bring_a_request(struct server *server, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(loop_of_reads(server, 6), ==, server->serve);
	g_assert_cmpuint(loop_of_reads(server, 4), ==, ITP_CONTEXT_ROOT);
}

/* ---- Calls with which units begin ---- */

static void note(struct server *server, struct itp_looks *looks, uint32_t node, bool has_worked,
		 uint32_t left_depth)
{
	struct itp_halt halt = halt_of(server, left_depth);

	if (node != server->wait) {
		halt.node = node;
		halt.class = ITP_WAIT_CLASS_DATA;
		halt.blocked_ns = 0;
	}
	itp_looks_note(looks, server->loops, &halt, has_worked);
}

/* Of `units` units so many begin with a read, and all others with none. In `once` of those no
 * further read comes behind their work. */
static struct itp_looks *looks_of(struct server *server, guint units, guint reads, guint once)
{
	struct itp_looks *looks = itp_looks_new(server->tree);

	return_to_wait(server, 9, DEPTH_BELOW_SERVE);
	itp_loops_decide(server->loops);
	g_assert_cmpuint(itp_loops_of(server->loops, server->wait), ==, server->serve);
	for (guint i = 0; i < units; i++) {
		note(server, looks, server->wait, i > 0, DEPTH_BELOW_SERVE);
		if (i < reads) {
			note(server, looks, server->read, false, DEPTH_BELOW_SERVE);
		}
		if (i < reads && i >= once) {
			note(server, looks, server->read, true, DEPTH_BELOW_SERVE);
		}
	}
	note(server, looks, server->wait, true, DEPTH_BELOW_SERVE);
	itp_looks_decide(looks);
	return looks;
}

static uint32_t wait_of_reads(struct server *server, guint units, guint reads)
{
	struct itp_looks *looks;
	uint32_t wait;

	begin_anew(server);
	looks = looks_of(server, units, reads, reads);
	wait = itp_looks_wait_of(looks, server->read);
	itp_looks_free(looks);
	return wait;
}

static void test_half_of_the_units_begin_with_a_read(struct server *server, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(wait_of_reads(server, 20, 12), ==, server->wait);
	g_assert_cmpuint(wait_of_reads(server, 20, 8), ==, ITP_CONTEXT_ROOT);
}

static bool begins_unit(struct server *server, guint once)
{
	struct itp_looks *looks;
	bool begins;

	begin_anew(server);
	looks = looks_of(server, 60, 60, once);
	begins = itp_looks_begins_unit(looks, server->serve, server->wait, server->read,
				       DEPTH_BELOW_SERVE);
	itp_looks_free(looks);
	return begins;
}

static void test_a_tenth_of_the_units_reads_once(struct server *server, gconstpointer data)
{
	(void)data;
	g_assert_true(begins_unit(server, 8));
	g_assert_false(begins_unit(server, 5));
}

static void add(const char *name, void (*test)(struct server *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/loops/", name, NULL);

	g_test_add(path, struct server, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a function comes back three times", test_a_function_comes_back_three_times);
	add("a hundredth of the returns makes a loop",
	    test_a_hundredth_of_the_returns_makes_a_loop);
	add("a quarter of new functions makes the thread's loop",
	    test_a_quarter_of_new_functions_makes_the_threads_loop);
	add("most reads bring a request", test_most_reads_bring_a_request);
	add("half of the units begin with a read", test_half_of_the_units_begin_with_a_read);
	add("a tenth of the units reads once", test_a_tenth_of_the_units_reads_once);
	return g_test_run();
}
