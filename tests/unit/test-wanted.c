/* SPDX-License-Identifier: MIT */
/* Waits for work that others wait for, on trees that were worked out by hand. */
#include "tests/unit/comparison.h"

static const struct itp_ranking_options folded = { .folds = true };

static void suspect(struct comparison *comparison, const char *stack, uint64_t count, int64_t own)
{
	comparison_set(comparison, comparison->suspect[0], stack, count, own);
}

/* The last function of `waiter`, in `process`, waited for the thread that was in `wait`. */
static void want_in(struct comparison *comparison, const struct itp_profile *profile,
		    const char *wait, const char *process, const char *waiter, int64_t both_ns)
{
	const uint32_t node = comparison_node_id(comparison, waiter);
	const struct itp_waker wanted = {
		.node = comparison_node_id(comparison, wait),
		.role = ITP_WAKER_WANTED,
		.process = itp_function_table_intern_stand_in(comparison->functions, process,
							      ITP_LAYER_PROCESS),
		.function = itp_context_tree_get(comparison->tree, node)->function,
		.count = 9,
		.blocked_ns = both_ns,
	};

	itp_wakers_add(profile->wakers, &wanted);
}

static void want(struct comparison *comparison, const char *wait, const char *process,
		 const char *waiter, int64_t both_ns)
{
	want_in(comparison, comparison->suspect[0], wait, process, waiter, both_ns);
}

#define ASK "client: main ask libc.so.6!read syscall:read k:schedule"
#define LOOP "proxy: main loop libc.so.6!epoll_wait syscall:epoll_wait k:schedule"
#define TAKE "database: main take libc.so.6!epoll_wait syscall:epoll_wait k:schedule"

static void block_chain(struct comparison *comparison)
{
	comparison_block(comparison, comparison->suspect[0], ASK, 9, 1000);
	comparison_block(comparison, comparison->suspect[0], LOOP, 9, 900);
	comparison_block(comparison, comparison->suspect[0], TAKE, 9, 800);
	suspect(comparison, "client: main ask", 9, 5);
	suspect(comparison, "proxy: main loop handle", 9, 10);
	suspect(comparison, "database: main take", 9, 20);
}

static void assert_idle(struct comparison *comparison, guint count, int64_t own_ns)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &folded, false);

	g_assert_cmpuint(ranking->idle->len, ==, count);
	g_assert_cmpint(ranking->suspect_own_ns, ==, own_ns);
	itp_ranking_free(ranking);
}

static void test_a_wait_is_idle_that_nobody_waits_for(struct comparison *comparison,
						      gconstpointer data)
{
	(void)data;
	block_chain(comparison);
	assert_idle(comparison, 2, 1000 + 35);
}

/* 451 of 900 is more than half; 450 is not. */
static void test_a_wait_is_not_idle_that_a_client_waits_for(struct comparison *comparison,
							    gconstpointer data)
{
	(void)data;
	block_chain(comparison);
	want(comparison, LOOP, "client", "client: main ask", 450);
	assert_idle(comparison, 2, 1000 + 35);
	want(comparison, LOOP, "client", "client: main ask", 1);
	assert_idle(comparison, 1, 1000 + 900 + 35);
}

static void test_who_waits_for_work_wants_nothing(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	block_chain(comparison);
	want(comparison, TAKE, "proxy", "proxy: main loop", 800);
	assert_idle(comparison, 2, 1000 + 35);
}

/* The client waits for the proxy, and the proxy for the database. */
static void test_what_a_wanted_wait_waits_for_is_wanted(struct comparison *comparison,
							gconstpointer data)
{
	(void)data;
	block_chain(comparison);
	want(comparison, TAKE, "proxy", "proxy: main loop", 800);
	want(comparison, LOOP, "client", "client: main ask", 900);
	assert_idle(comparison, 0, 1000 + 900 + 800 + 35);
}

/* The client waits for the proxy in one workload, and the proxy for the database in the other one.
 */
static void assert_both(struct comparison *comparison, const struct itp_profile *client_in,
			const struct itp_profile *proxy_in)
{
	struct itp_ranking *ranking;

	block_chain(comparison);
	comparison_block(comparison, comparison->base[0], ASK, 9, 1000);
	comparison_block(comparison, comparison->base[0], LOOP, 9, 900);
	comparison_block(comparison, comparison->base[0], TAKE, 9, 800);
	want_in(comparison, client_in, LOOP, "client", "client: main ask", 900);
	want_in(comparison, proxy_in, TAKE, "proxy", "proxy: main loop", 800);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 1000 + 900 + 800 + 35);
	itp_ranking_free(ranking);
}

static void test_the_base_tells_of_the_suspect(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	assert_both(comparison, comparison->base[0], comparison->suspect[0]);
}

static void test_the_suspect_tells_of_the_base(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	assert_both(comparison, comparison->suspect[0], comparison->base[0]);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/wanted/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a wait is idle that nobody waits for", test_a_wait_is_idle_that_nobody_waits_for);
	add("a wait is not idle that a client waits for",
	    test_a_wait_is_not_idle_that_a_client_waits_for);
	add("who waits for work wants nothing", test_who_waits_for_work_wants_nothing);
	add("what a wanted wait waits for is wanted", test_what_a_wanted_wait_waits_for_is_wanted);
	add("the base tells of the suspect", test_the_base_tells_of_the_suspect);
	add("the suspect tells of the base", test_the_suspect_tells_of_the_base);
	return g_test_run();
}
