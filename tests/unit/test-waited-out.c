/* SPDX-License-Identifier: MIT */
/* Waits that last as long as a timer of TCP. */
#include "common/rank/waited-out.h"
#include "tests/unit/comparison.h"
#include "tests/unit/latencies.h"

#define US INT64_C(1000)

#define CALL "main read_body syscall:recvfrom"
#define BELOW " k:schedule k:__schedule"

static const struct itp_ranking_options options = { .folds = true, .ranks_idle = true };

/* So many waits in recvfrom, of which each lasts from `least_us` to `most_us`, evenly, and below
 * which the kernel does what `below` says. Called again, those before stay. */
static void wait_for(struct comparison *comparison, unsigned int waits, int64_t least_us,
		     int64_t most_us, const char *below)
{
	g_autofree char *stack = g_strconcat(CALL, below, BELOW, NULL);
	struct itp_node_stats *stats = comparison_node(comparison, comparison->suspect[0], CALL);
	const struct itp_node_stats before = *stats;
	int64_t sum_ns = comparison_node(comparison, comparison->suspect[0], stack)->own_ns;

	for (unsigned int i = 0; i < waits; i++) {
		sum_ns += (least_us + (most_us - least_us) * i / waits) * US;
	}
	comparison_block(comparison, comparison->suspect[0], stack, waits, sum_ns);
	*stats = before;
	for (unsigned int i = 0; i < waits; i++) {
		int64_t each_ns = (least_us + (most_us - least_us) * i / waits) * US;

		test_add_latency(stats, each_ns, each_ns, each_ns);
	}
}

static void assert_timer(const struct comparison *comparison, const char *expected)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, false);
	const struct itp_waited_out *timer =
		itp_waited_out_find(ranking, comparison_path(ranking, 0));

	g_assert_cmpstr(timer ? timer->name : "-", ==, expected);
	itp_ranking_free(ranking);
}

/* The first answers on a connection are acknowledged at once. */
static void test_a_delayed_acknowledgement(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 90, 40010, 44000, " k:tcp_recvmsg");
	wait_for(comparison, 16, 20, 20, " k:tcp_recvmsg");
	assert_timer(comparison, "delayed ACK");
}

static void test_what_got_lost(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 9, 201000, 209000, " k:tcp_recvmsg");
	assert_timer(comparison, "retransmission");
}

static void test_a_connection_is_asked_for_again(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 9, 1001000, 1060000, " k:tcp_v4_connect");
	assert_timer(comparison, "SYN retransmission");
}

static void test_not_before_its_time(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 90, 38000, 41000, " k:tcp_recvmsg");
	assert_timer(comparison, "-");
}

static void test_a_fifth_late_at_most(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 90, 47500, 47900, " k:tcp_recvmsg");
	assert_timer(comparison, "delayed ACK");
}

static void test_not_later_than_that(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 90, 48200, 48500, " k:tcp_recvmsg");
	assert_timer(comparison, "-");
}

/* Evenly from 36 to 53 ms they deviate by a ninth, about 44.5 ms. */
static void test_not_of_many_lengths(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 90, 36000, 53000, " k:tcp_recvmsg");
	assert_timer(comparison, "-");
}

static void test_lengths_may_differ_a_little(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 90, 37500, 51000, " k:tcp_recvmsg");
	assert_timer(comparison, "delayed ACK");
}

static void test_not_so_few(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 4, 40010, 44000, " k:tcp_recvmsg");
	assert_timer(comparison, "-");
	wait_for(comparison, 1, 40010, 40010, " k:tcp_recvmsg");
	assert_timer(comparison, "delayed ACK");
}

static void test_only_for_tcp(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 90, 40010, 44000, " k:unix_stream_read_generic");
	assert_timer(comparison, "-");
}

/* So many waits, of which the kernel's network ended each after `least_us` to `most_us`, evenly. */
static void end_by_network(struct comparison *comparison, unsigned int waits, int64_t least_us,
			   int64_t most_us)
{
	struct itp_waker network = { .role = ITP_WAKER_WOKE, .count = waits };

	network.node = comparison_node_id(comparison, CALL " k:tcp_recvmsg" BELOW);
	network.process = itp_function_table_intern_stand_in(
		comparison->functions, ITP_REASON_PREFIX "network", ITP_LAYER_KERNEL);
	network.function = ITP_FUNCTION_UNKNOWN;
	for (unsigned int i = 0; i < waits; i++) {
		const int64_t us = least_us + (most_us - least_us) * i / waits;

		network.blocked_ns += us * US;
		network.square_us2 += (uint64_t)(us * us);
	}
	itp_wakers_add(comparison->suspect[0]->wakers, &network);
}

/* A server waits for the next request, of any length that clients take for it, and then for the
 * rest of the request, which comes by a second write. */
static void test_beside_waits_that_a_client_ends(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	wait_for(comparison, 60, 40010, 44000, " k:tcp_recvmsg");
	wait_for(comparison, 60, 8000, 31000, " k:tcp_recvmsg");
	assert_timer(comparison, "-");
	end_by_network(comparison, 60, 40010, 44000);
	assert_timer(comparison, "delayed ACK");
}

static void test_answers_from_afar_have_many_lengths(struct comparison *comparison,
						     gconstpointer data)
{
	(void)data;
	wait_for(comparison, 60, 36000, 53000, " k:tcp_recvmsg");
	end_by_network(comparison, 60, 36000, 53000);
	assert_timer(comparison, "-");
}

static const struct {
	const char *path;
	void (*check)(struct comparison *comparison, gconstpointer data);
} tests[] = {
	{ "/waited-out/a delayed acknowledgement", test_a_delayed_acknowledgement },
	{ "/waited-out/what got lost", test_what_got_lost },
	{ "/waited-out/a connection is asked for again", test_a_connection_is_asked_for_again },
	{ "/waited-out/not before its time", test_not_before_its_time },
	{ "/waited-out/a fifth late at most", test_a_fifth_late_at_most },
	{ "/waited-out/not later than that", test_not_later_than_that },
	{ "/waited-out/not of many lengths", test_not_of_many_lengths },
	{ "/waited-out/lengths may differ a little", test_lengths_may_differ_a_little },
	{ "/waited-out/not so few", test_not_so_few },
	{ "/waited-out/only for TCP", test_only_for_tcp },
	{ "/waited-out/beside waits that a client ends", test_beside_waits_that_a_client_ends },
	{ "/waited-out/answers from afar have many lengths",
	  test_answers_from_afar_have_many_lengths },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_test_add(tests[i].path, struct comparison, NULL, comparison_set_up,
			   tests[i].check, comparison_tear_down);
	}
	return g_test_run();
}
