/* SPDX-License-Identifier: MIT */
/* Requests through threads and processes, in scenes (through-scene.h). */
#include "tests/unit/through-scene.h"

/* A client asks a server, which asks another one. */
#define CHAIN_CONNECTED                                                                            \
	"20 accept 3 ...", "10 socket 2 = 5", "10 connect 5 = 0", "10 wakes 20", "20 = 4",         \
		"20 read 4 0 100 ...", "10 write 5 0 40 ...", "10 wakes 20", "10 = 40", "20 = 40", \
		"10 read 5 0 100 ...", "30 accept 3 ...", "20 socket 2 = 6", "20 connect 6 = 0",   \
		"20 wakes 30", "30 = 4", "30 read 4 0 100 ...", "20 write 6 0 30 ...",             \
		"20 wakes 30", "20 = 30", "30 = 30", "20 read 6 0 100 ..."
#define CHAIN_ANSWERED                                                                     \
	"30 write 4 0 20 ...", "30 wakes 20", "30 = 20", "20 = 20", "20 write 4 0 60 ...", \
		"20 wakes 10", "20 = 60", "10 = 60"

static void test_chain(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p30.30<1", CHAIN_CONNECTED, CHAIN_ANSWERED);
}

static void test_times(void)
{
	const char *const lines[] = { CHAIN_CONNECTED, CHAIN_ANSWERED, NULL };
	const struct itp_hop *hops;
	const GArray *routes;
	const struct itp_route *route;
	struct through_scene scene;

	through_scene_init(&scene);
	through_scene_play(&scene, lines);
	itp_through_finish(scene.through, &scene.recall);
	hops = (const struct itp_hop *)(void *)itp_through_hops(scene.through)->list->data;
	routes = itp_through_routes(scene.through);
	route = &g_array_index(routes, struct itp_route, 0);
	g_assert_cmpint(hops[1].waits_ns, >, 0);
	g_assert_cmpint(hops[1].waits_ns, <, hops[1].end_ns - hops[1].begin_ns);
	g_assert_cmpint(hops[2].waits_ns, ==, 0);
	g_assert_cmpint(hops[1].sent_ns, ==, hops[0].begin_ns);
	g_assert_cmpint(hops[1].begin_ns, >, hops[1].sent_ns);
	g_assert_cmpint(hops[1].begin_ns, >=, hops[0].begin_ns);
	g_assert_cmpint(hops[2].end_ns, <=, hops[1].end_ns);
	g_assert_cmpint(hops[0].waits_ns, >=, hops[1].end_ns - hops[1].begin_ns - STEP_NS);
	g_assert_cmpstr(route->key, ==, "p10 → p20 → p30");
	g_assert_cmpuint(route->steps->len, ==, 3);
	g_assert_cmpint(itp_route_quantile_ns(route, 0.5), ==, hops[0].end_ns - hops[0].begin_ns);
	through_scene_release(&scene);
}

static void test_open(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p30.30<1 open", CHAIN_CONNECTED);
}

static void test_loss(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p30.30<1 lost", CHAIN_CONNECTED, "lost", CHAIN_ANSWERED);
}

/* The one before the loss may lack what it asked; the next one is whole. */
static void test_loss_between(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 lost; p10.10 p20.20<0", "20 accept 3 ...", "10 socket 2 = 5",
		    "10 connect 5 = 0", "10 wakes 20", "20 = 4", "20 read 4 0 100 ...",
		    "10 write 5 0 40 ...", "10 wakes 20", "10 = 40", "20 = 40",
		    "20 write 4 0 10 = 10", "10 read 5 0 100 = 10", "lost", "20 getpid = 20",
		    "20 read 4 0 100 ...", "10 write 5 0 41 ...", "10 wakes 20", "10 = 41",
		    "20 = 41", "20 write 4 0 11 = 11", "10 read 5 0 100 = 11");
}

/* Of the server's answer the client takes more than was sent: they are not connected. */
static void test_excess(void)
{
	ASSERT_TOLD("p20.20", "20 accept 3 ...", "10 socket 2 = 5", "10 connect 5 = 0",
		    "10 wakes 20", "20 = 4", "20 read 4 0 100 ...", "10 write 5 0 40 ...",
		    "10 wakes 20", "10 = 40", "20 = 40", "10 read 5 0 100 ...",
		    "20 write 4 0 60 ...", "20 wakes 10", "20 = 60", "10 = 61");
}

/* Two clients send as much at the same time, and nothing tells which of them is answered: nobody
 * waits, so nobody is woken. */
#define TWO_ALIKE                                                                             \
	"10 write 5 0 40 = 40", "11 write 6 0 40 = 40", "20 accept 3 = 4", "20 accept 3 = 5", \
		"20 read 4 0 100 = 40", "20 write 4 0 10 = 10", "20 read 5 0 100 = 40",       \
		"20 write 5 0 10 = 10", "10 read 5 0 100 = 10", "11 read 6 0 100 = 10"

static void test_unclear(void)
{
	ASSERT_TOLD("p20.20 rest; p20.20 rest", "10 socket 2 = 5", "11 socket 2 = 6",
		    "10 connect 5 ...", "11 connect 6 ...", "10 = 0", "11 = 0", TWO_ALIKE);
}

/* One has connected before the other did, and so it is accepted before. */
static void test_queue(void)
{
	ASSERT_TOLD("p10.10 p20.20<0; p10.11 p20.20<0", "10 socket 1 = 5", "11 socket 1 = 6",
		    "10 connect 5 = 0", "11 connect 6 = 0", TWO_ALIKE);
}

/* Over TCP that is only known of one CPU. */
static void test_packets(void)
{
	ASSERT_TOLD("p20.20 rest; p20.20 rest", "10 socket 2 = 5", "11 socket 2 = 6",
		    "10 connect 5 = 0", "11 connect 6 = 0", TWO_ALIKE);
}

/* Or when the first one had sent something before the second one connected. */
static void test_used_before(void)
{
	ASSERT_TOLD("p10.10 p20.20<0; p10.11 p20.20<0", "10 socket 2 = 5", "10 connect 5 = 0",
		    "10 write 5 0 40 = 40", "11 socket 2 = 6", "11 connect 6 = 0",
		    "11 write 6 0 40 = 40", "20 accept 3 = 4", "20 accept 3 = 5",
		    "20 read 4 0 100 = 40", "20 write 4 0 10 = 10", "20 read 5 0 100 = 40",
		    "20 write 5 0 10 = 10", "10 read 5 0 100 = 10", "11 read 6 0 100 = 10");
}

/* Process 40 is asked from outside seven times, and at last while two others of the recording ask
 * with as many bytes: who puts connections into its queue is never recorded. */
#define FROM_OUTSIDE \
	"40 accept 3 = 4", "40 recvfrom 4 0 100 = 7", "40 sendto 4 0 8 = 8", "40 close 4 = 0"
#define LAST_AND_TWO                                                                            \
	"10 socket 2 = 5", "11 socket 2 = 6", "10 connect 5 ...", "11 connect 6 ...", "10 = 0", \
		"11 = 0", "40 accept 3 = 4", "10 write 5 0 40 = 40", "11 write 6 0 40 = 40",    \
		"20 accept 3 = 4", "20 accept 3 = 5", "20 read 4 0 100 = 40",                   \
		"20 write 4 0 10 = 10", "20 read 5 0 100 = 40", "20 write 5 0 10 = 10",         \
		"40 recvfrom 4 0 100 = 40", "40 sendto 4 0 10 = 10", "10 read 5 0 100 = 10",    \
		"11 read 6 0 100 = 10"

static void test_outside(void)
{
	ASSERT_TOLD("p40.40; p40.40; p40.40; p40.40; p40.40; p40.40; p40.40; "
		    "p20.20 rest; p20.20 rest; p40.40",
		    FROM_OUTSIDE, FROM_OUTSIDE, FROM_OUTSIDE, FROM_OUTSIDE, FROM_OUTSIDE,
		    FROM_OUTSIDE, FROM_OUTSIDE, LAST_AND_TWO);
	ASSERT_TOLD("p40.40; p40.40; p40.40; p40.40; p40.40; p40.40; "
		    "p20.20 rest; p20.20 rest; p40.40 rest",
		    FROM_OUTSIDE, FROM_OUTSIDE, FROM_OUTSIDE, FROM_OUTSIDE, FROM_OUTSIDE,
		    FROM_OUTSIDE, LAST_AND_TWO);
}

/* But of two servers either may be the first one's. */
static void test_two_queues(void)
{
	ASSERT_TOLD("p20.20 rest; p30.30 rest", "10 socket 1 = 5", "11 socket 1 = 6",
		    "10 connect 5 = 0", "11 connect 6 = 0", "10 write 5 0 40 = 40",
		    "11 write 6 0 40 = 40", "20 accept 3 = 4", "30 accept 3 = 4",
		    "20 read 4 0 100 = 40", "30 read 4 0 100 = 40", "20 write 4 0 10 = 10",
		    "30 write 4 0 10 = 10", "10 read 5 0 100 = 10", "11 read 6 0 100 = 10");
}

/* The first one sees the end of its connection before the second one's is closed. */
static void test_ends(void)
{
	ASSERT_TOLD("p10.10 p20.20<0; p10.11 p20.20<0", "10 socket 2 = 5", "11 socket 2 = 6",
		    "10 connect 5 ...", "11 connect 6 ...", "10 = 0", "11 = 0", TWO_ALIKE,
		    "20 close 4 = 0", "10 read 5 0 100 = 0", "20 close 5 = 0",
		    "11 read 6 0 100 = 0");
}

/* The same, but of other sizes. */
static void test_sizes(void)
{
	ASSERT_TOLD("p10.10 p20.20<0; p10.11 p20.20<0", "10 socket 2 = 5", "11 socket 2 = 6",
		    "10 connect 5 = 0", "11 connect 6 = 0", "10 write 5 0 40 = 40",
		    "11 write 6 0 50 = 50", "20 accept 3 = 4", "20 accept 3 = 5",
		    "20 read 4 0 100 = 40", "20 write 4 0 10 = 10", "20 read 5 0 100 = 50",
		    "20 write 5 0 10 = 10", "10 read 5 0 100 = 10", "11 read 6 0 100 = 10");
}

/* Process 10 was killed: its peer saw the end of the connection before the end of the process was
 * told. */
static void test_killed(void)
{
	ASSERT_TOLD("p10.10 p20.20<0", "10 socket 2 = 5", "10 connect 5 = 0",
		    "10 write 5 0 40 = 40", "20 accept 3 = 4", "20 read 4 0 100 = 40",
		    "20 write 4 0 10 = 10", "10 read 5 0 100 = 10", "20 read 4 0 100 = 0",
		    "10 ends");
}

/* Two clients of a loop, whose requests it takes both before it asks for the first. */
#define LOOP_TAKES                                                                     \
	"10 socket 2 = 5", "11 socket 2 = 6", "10 connect 5 = 0", "20 accept 3 = 4",   \
		"11 connect 6 = 0", "20 accept 3 = 5", "10 write 5 0 40 = 40",         \
		"11 write 6 0 50 = 50", "20 epoll_wait 9 = 2", "20 read 4 0 100 = 40", \
		"20 read 5 0 100 = 50"
#define LOOP_ASKS                                                                                 \
	"20 socket 2 = 7", "20 connect 7 = 0", "30 accept 3 = 4", "20 write 7 0 41 = 41",         \
		"20 socket 2 = 8", "20 connect 8 = 0", "31 accept 3 = 5", "20 write 8 0 51 = 51", \
		"30 read 4 0 100 = 41", "31 read 5 0 100 = 51", "31 write 5 0 12 = 12",           \
		"30 write 4 0 11 = 11"

static void test_answer_tells(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p30.30<1; p10.11 p20.20<0 p30.31<1", LOOP_TAKES, LOOP_ASKS,
		    "20 epoll_wait 9 = 1", "20 read 8 0 100 = 12", "20 write 5 0 20 = 20",
		    "20 epoll_wait 9 = 1", "20 read 7 0 100 = 11", "20 write 4 0 21 = 21",
		    "10 read 5 0 100 = 21", "11 read 6 0 100 = 20");
}

/* Both answers are taken before either is passed on. */
static void test_mixed(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 mixed; p10.11 p20.20<0 mixed", LOOP_TAKES, LOOP_ASKS,
		    "20 epoll_wait 9 = 2", "20 read 8 0 100 = 12", "20 read 7 0 100 = 11",
		    "20 write 5 0 20 = 20", "20 write 4 0 21 = 21", "10 read 5 0 100 = 21",
		    "11 read 6 0 100 = 20");
}

/* Each connection is closed when what came through it was passed on. */
static void test_closes_behind(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p30.30<1; p10.11 p20.20<0 p30.31<1", LOOP_TAKES, LOOP_ASKS,
		    "20 epoll_wait 9 = 2", "20 read 8 0 100 = 12", "20 read 7 0 100 = 11",
		    "20 write 5 0 20 = 20", "20 close 8 = 0", "20 write 4 0 21 = 21",
		    "20 close 7 = 0", "10 read 5 0 100 = 21", "11 read 6 0 100 = 20");
}

/* Or before that is done: then what was passed on before tells nothing. */
static void test_closes_before(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 mixed; p10.11 p20.20<0 mixed", LOOP_TAKES, LOOP_ASKS,
		    "20 epoll_wait 9 = 2", "20 read 8 0 100 = 12", "20 read 7 0 100 = 11",
		    "20 close 8 = 0", "20 write 5 0 20 = 20", "20 close 7 = 0",
		    "20 write 4 0 21 = 21", "10 read 5 0 100 = 21", "11 read 6 0 100 = 20");
}

/* The loop of LOOP_TAKES once more: what it was asked, and what it asks for each in the order in
 * which it took them; then it is told for whom that was, as one answer comes and is passed on
 * before the other does. */
#define AGAIN_TAKES                                                            \
	"10 write 5 0 40 = 40", "11 write 6 0 50 = 50", "20 epoll_wait 9 = 2", \
		"20 read 4 0 100 = 40", "20 read 5 0 100 = 50"
#define AGAIN_ASKS                                                              \
	"20 write 7 0 41 = 41", "20 write 8 0 51 = 51", "30 read 4 0 100 = 41", \
		"31 read 5 0 100 = 51", "31 write 5 0 12 = 12", "30 write 4 0 11 = 11"
#define ANSWERS_APART                                                                  \
	"20 epoll_wait 9 = 1", "20 read 8 0 100 = 12", "20 write 5 0 20 = 20",         \
		"20 epoll_wait 9 = 1", "20 read 7 0 100 = 11", "20 write 4 0 21 = 21", \
		"10 read 5 0 100 = 21", "11 read 6 0 100 = 20"
#define ANSWERS_AT_ONCE                                                                 \
	"20 epoll_wait 9 = 2", "20 read 8 0 100 = 12", "20 read 7 0 100 = 11",          \
		"20 write 5 0 20 = 20", "20 write 4 0 21 = 21", "10 read 5 0 100 = 21", \
		"11 read 6 0 100 = 20"

/* How many of `rounds` requests of two clients are followed, of which the last two are told by
 * nothing but the order; or one before them was out of order. */
static guint followed_in_order(guint rounds, bool has_exception)
{
	const char *const first[] = { LOOP_TAKES, LOOP_ASKS, ANSWERS_APART, NULL };
	const char *const apart[] = { AGAIN_TAKES, AGAIN_ASKS, ANSWERS_APART, NULL };
	const char *const other[] = { AGAIN_TAKES,
				      "20 write 8 0 51 = 51",
				      "20 write 7 0 41 = 41",
				      "30 read 4 0 100 = 41",
				      "31 read 5 0 100 = 51",
				      "31 write 5 0 12 = 12",
				      "30 write 4 0 11 = 11",
				      ANSWERS_APART,
				      NULL };
	const char *const last[] = { AGAIN_TAKES, AGAIN_ASKS, ANSWERS_AT_ONCE, NULL };
	const struct itp_hops *hops;
	struct through_scene scene;
	guint followed = 0;

	through_scene_init(&scene);
	through_scene_play(&scene, first);
	for (guint i = 1; i < rounds; i++) {
		through_scene_play(&scene, apart);
	}
	if (has_exception) {
		through_scene_play(&scene, other);
	}
	through_scene_play(&scene, last);
	itp_through_finish(scene.through, &scene.recall);
	hops = itp_through_hops(scene.through);
	for (guint i = 0; i < hops->roots->len; i++) {
		guint root = g_array_index(hops->roots, guint, i);

		followed += itp_hops_behind(hops, root) == root + 3 &&
			    itp_hops_doubt(hops, root) == ITP_HOP_CERTAIN;
	}
	through_scene_release(&scene);
	return followed;
}

/* Seven times are no chance, six may be; and once is enough to show that it does otherwise. */
static void test_order(void)
{
	g_assert_cmpuint(followed_in_order(7, false), ==, 2 * 8);
	g_assert_cmpuint(followed_in_order(6, false), ==, 2 * 6);
	g_assert_cmpuint(followed_in_order(7, true), ==, 2 * 8);
}

/* A loop has asked for the first client, and takes the answer and the second one's request; then it
 * wakes its other thread by a pipe, which is nothing that it does for either. */
static void test_own_pipe(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p30.30<1; p10.11 p20.20<0 p30.31<1", "20 pipe2 0 = 0",
		    "21 read 8 0 100 ...", "10 socket 2 = 5", "10 connect 5 = 0", "20 accept 3 = 4",
		    "11 socket 2 = 6", "11 connect 6 = 0", "20 accept 3 = 5", "20 socket 2 = 6",
		    "20 connect 6 = 0", "30 accept 3 = 4", "20 socket 2 = 7", "20 connect 7 = 0",
		    "31 accept 3 = 5", "10 write 5 0 40 = 40", "20 epoll_wait 9 = 1",
		    "20 read 4 0 100 = 40", "20 write 6 0 41 = 41", "30 read 4 0 100 = 41",
		    "30 write 4 0 11 = 11", "11 write 6 0 50 = 50", "20 epoll_wait 9 = 2",
		    "20 read 6 0 100 = 11", "20 read 5 0 100 = 50", "20 write 9 0 1 ...",
		    "20 wakes 21", "20 = 1", "21 = 1", "20 write 7 0 51 = 51",
		    "20 write 4 0 21 = 21", "10 read 5 0 100 = 21", "31 read 5 0 100 = 51",
		    "31 write 5 0 12 = 12", "20 epoll_wait 9 = 1", "20 read 7 0 100 = 12",
		    "20 write 5 0 20 = 20", "11 read 6 0 100 = 20");
}

/* A loop answers the first client, accepts the second one, and connects for that before it has read
 * what it asks. */
static void test_rest_of_turn(void)
{
	ASSERT_TOLD("p10.10 p20.20<0; p10.11 p20.20<0 p30.30<1", "10 socket 2 = 5",
		    "10 connect 5 = 0", "20 epoll_wait 9 = 1", "20 accept 3 = 4",
		    "10 write 5 0 40 = 40", "11 socket 2 = 6", "11 connect 6 = 0",
		    "20 epoll_wait 9 = 2", "20 read 4 0 100 = 40", "20 write 4 0 10 = 10",
		    "20 accept 3 = 5", "20 socket 2 = 7", "20 connect 7 = 0", "30 accept 3 = 4",
		    "10 read 5 0 100 = 10", "11 write 6 0 50 = 50", "20 epoll_wait 9 = 1",
		    "20 read 5 0 100 = 50", "20 write 7 0 51 = 51", "30 read 4 0 100 = 51",
		    "30 write 4 0 12 = 12", "20 epoll_wait 9 = 1", "20 read 7 0 100 = 12",
		    "20 write 5 0 20 = 20", "11 read 6 0 100 = 20");
}

/* A loop takes from the first client, connects for that, and then for the second one, whose
 * connection it has accepted, but from which it has read nothing yet. */
static void test_connects_early(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p30.30<1; p10.11 p20.20<0 p30.31<1", "10 socket 2 = 5",
		    "10 connect 5 = 0", "20 accept 3 = 4", "11 socket 2 = 6", "11 connect 6 = 0",
		    "20 accept 3 = 5", "10 write 5 0 40 = 40", "20 epoll_wait 9 = 1",
		    "20 read 4 0 100 = 40", "20 socket 2 = 6", "20 connect 6 = 0",
		    "30 accept 3 = 4", "20 read 5 0 100 = -11", "20 socket 2 = 7",
		    "20 connect 7 = 0", "31 accept 3 = 5", "11 write 6 0 50 = 50",
		    "20 epoll_wait 9 = 3", "20 write 6 0 41 = 41", "20 read 5 0 100 = 50",
		    "20 write 7 0 51 = 51", "30 read 4 0 100 = 41", "30 write 4 0 11 = 11",
		    "31 read 5 0 100 = 51", "31 write 5 0 12 = 12", "20 epoll_wait 9 = 1",
		    "20 read 6 0 100 = 11", "20 write 4 0 21 = 21", "20 epoll_wait 9 = 1",
		    "20 read 7 0 100 = 12", "20 write 5 0 20 = 20", "10 read 5 0 100 = 21",
		    "11 read 6 0 100 = 20");
}

/* Two children have made pairs of descriptors, which have the same numbers in both: the socket of
 * the one is not the pipe of the other, by which that wakes itself. Else its loop would have one
 * more of which it may ask for ever. */
static void test_made_by_children(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 mixed; p10.11 p20.20<0 mixed; p10.10 p20.20<0 p30.30<1",
		    "50 getpid = 50", "50 makes 20", "50 makes 60", "20 pipe2 0 = 0",
		    "60 socketpair 0 = 0", "60 recvmsg 19 0 = 5", "20 read 19 0 100 = 1",
		    LOOP_TAKES, LOOP_ASKS, ANSWERS_AT_ONCE, "10 write 5 0 40 = 40",
		    "20 epoll_wait 9 = 1", "20 read 4 0 100 = 40", "20 write 7 0 41 = 41",
		    "30 read 4 0 100 = 41", "30 write 4 0 11 = 11", "20 epoll_wait 9 = 1",
		    "20 read 7 0 100 = 11", "20 write 4 0 21 = 21", "10 read 5 0 100 = 21");
}

/* Process 40 is asked from outside, with as many bytes as the two send, over a connection that it
 * accepted before they connected. */
static void test_accepted_before(void)
{
	ASSERT_TOLD("p20.20 rest; p20.20 rest; p40.40", "40 accept 3 = 4", "10 socket 2 = 5",
		    "11 socket 2 = 6", "10 connect 5 ...", "11 connect 6 ...", "10 = 0", "11 = 0",
		    "10 write 5 0 40 = 40", "11 write 6 0 40 = 40", "20 accept 3 = 4",
		    "20 accept 3 = 5", "20 read 4 0 100 = 40", "20 write 4 0 10 = 10",
		    "20 read 5 0 100 = 40", "20 write 5 0 10 = 10", "40 recvfrom 4 0 100 = 40",
		    "40 sendto 4 0 10 = 10", "10 read 5 0 100 = 10", "11 read 6 0 100 = 10");
}

/* Or it accepts later, but those two have connected to 20, which was woken by that. */
static void test_another_listener(void)
{
	ASSERT_TOLD("p20.20 rest; p20.20 rest; p40.40", "10 socket 2 = 5", "11 socket 2 = 6",
		    "20 epoll_wait 9 ...", "10 connect 5 ...", "10 wakes 20", "10 = 0", "20 = 1",
		    "20 accept 3 = -11", "20 epoll_wait 9 ...", "11 connect 6 ...", "11 wakes 20",
		    "11 = 0", "20 = 1", "20 accept 3 = -11", "40 accept 3 = 4",
		    "10 write 5 0 40 = 40", "11 write 6 0 40 = 40", "20 accept 3 = 4",
		    "20 accept 3 = 5", "20 read 4 0 100 = 40", "20 write 4 0 10 = 10",
		    "20 read 5 0 100 = 40", "20 write 5 0 10 = 10", "40 recvfrom 4 0 100 = 40",
		    "40 sendto 4 0 10 = 10", "10 read 5 0 100 = 10", "11 read 6 0 100 = 10");
}

/* Thread 20 takes, and hands over to 21, which asks and answers. */
#define HANDED                                                                                   \
	"10 socket 2 = 5", "10 connect 5 = 0", "20 accept 3 = 4", "21 futex 0 ...",              \
		"10 write 5 0 40 = 40", "20 read 4 0 100 = 40", "20 futex 0 ...", "20 wakes 21", \
		"20 = 1", "21 = 0", "21 socket 2 = 6", "21 connect 6 = 0", "30 accept 3 = 4",    \
		"21 write 6 0 30 = 30", "30 read 4 0 100 = 30", "30 write 4 0 20 = 20",          \
		"21 read 6 0 100 = 20"

static void test_worker(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p20.21<1 p30.30<2", HANDED, "21 write 4 0 60 = 60",
		    "10 read 5 0 100 = 60");
}

/* The thread that took it answers as well. */
static void test_worker_hands_back(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p20.21<1 p30.30<2", HANDED, "21 futex 0 ...", "21 wakes 20",
		    "21 = 1", "20 write 4 0 60 = 60", "10 read 5 0 100 = 60");
}

/* A worker that was busy takes the next one without being woken: its answer tells. */
static void test_busy_worker(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p20.21<1; p10.11 p20.20<0 p20.21<1", "10 socket 2 = 5",
		    "10 connect 5 = 0", "20 accept 3 = 4", "11 socket 2 = 6", "11 connect 6 = 0",
		    "20 accept 3 = 5", "10 write 5 0 40 = 40", "11 write 6 0 50 = 50",
		    "20 read 4 0 100 = 40", "20 read 5 0 100 = 50", "21 write 4 0 7 = 7",
		    "21 write 5 0 8 = 8", "10 read 5 0 100 = 7", "11 read 6 0 100 = 8");
}

/* Two that are served by threads of their own send through one connection before it is answered. */
static void test_shared(void)
{
	ASSERT_TOLD("p10.10 p20.20<0 p30.30<1 shared; p10.11 p20.21<0 shared", "10 socket 2 = 5",
		    "10 connect 5 = 0", "20 accept 3 = 4", "11 socket 2 = 6", "11 connect 6 = 0",
		    "21 accept 3 = 5", "20 socket 2 = 7", "20 connect 7 = 0", "30 accept 3 = 4",
		    "10 write 5 0 40 = 40", "11 write 6 0 50 = 50", "20 read 4 0 100 = 40",
		    "21 read 5 0 100 = 50", "20 write 7 0 30 = 30", "21 write 7 0 31 = 31",
		    "30 read 4 0 100 = 61", "30 write 4 0 11 = 11", "20 read 7 0 100 = 5",
		    "21 read 7 0 100 = 6", "20 write 4 0 9 = 9", "21 write 5 0 8 = 8",
		    "10 read 5 0 100 = 9", "11 read 6 0 100 = 8");
}

/* One pipe there, one back, made before the other process was. */
static void test_pipes(void)
{
	ASSERT_TOLD("p10.10 p20.20<0", "10 pipe 0 = 0", "10 pipe 0 = 0", "10 makes 20",
		    "20 close 4 = 0", "20 close 5 = 0", "10 close 3 = 0", "10 close 6 = 0",
		    "20 read 3 0 100 ...", "10 write 4 0 40 ...", "10 wakes 20", "10 = 40",
		    "20 = 40", "10 read 5 0 100 ...", "20 write 6 0 10 ...", "20 wakes 10",
		    "20 = 10", "10 = 10");
}

/* Nothing comes back: no request. */
static void test_pipeline(void)
{
	ASSERT_TOLD("", "20 read 0 0 100 ...", "10 write 1 0 40 ...", "10 wakes 20", "10 = 40",
		    "20 = 40", "20 read 0 0 100 ...", "10 write 1 0 40 ...", "10 wakes 20",
		    "10 = 40", "20 = 40");
}

/* A number that was closed stands for another connection, one that was duplicated for the same. */
static void test_descriptors(void)
{
	ASSERT_TOLD("p10.10 p20.20<0; p10.10 p30.30<0", "20 accept 3 ...", "10 socket 2 = 5",
		    "10 connect 5 = 0", "10 wakes 20", "20 = 4", "20 dup2 4 9 = 9",
		    "20 close 4 = 0", "20 read 9 0 100 ...", "10 write 5 0 40 ...", "10 wakes 20",
		    "10 = 40", "20 = 40", "20 write 9 0 10 = 10", "10 read 5 0 100 = 10",
		    "10 close 5 = 0", "30 accept 3 ...", "10 socket 2 = 5", "10 connect 5 = 0",
		    "10 wakes 30", "30 = 4", "30 read 4 0 100 ...", "10 write 5 0 40 ...",
		    "10 wakes 30", "10 = 40", "30 = 40", "30 write 4 0 10 = 10",
		    "10 read 5 0 100 = 10");
}

/* Another thread is given the number while the call that closes it goes on. */
static void test_closing(void)
{
	ASSERT_TOLD("p10.11 p20.20<0", "20 accept 3 ...", "10 socket 2 = 5", "10 close 5 ...",
		    "11 socket 2 = 5", "10 = 0", "11 connect 5 = 0", "11 wakes 20", "20 = 4",
		    "20 read 4 0 100 ...", "11 write 5 0 40 ...", "11 wakes 20", "11 = 40",
		    "20 = 40", "20 write 4 0 10 = 10", "11 read 5 0 100 = 10", "11 close 5 = 0",
		    "20 read 4 0 100 = 0");
}

/* A server whose client is on another machine, and which asks a third one. */
static void test_strangers(void)
{
	ASSERT_TOLD("p20.20 stranger", "20 accept 3 = 4", "20 recvfrom 4 0 100 = 40",
		    "20 socket 2 = 5", "20 connect 5 = 0", "20 sendto 5 0 10 = 10",
		    "20 recvfrom 5 0 100 = 20", "20 sendto 4 0 60 = 60");
}

/* Files are no connections, whoever writes as much as another one reads. */
static void test_files(void)
{
	ASSERT_TOLD("", "10 openat 0 = 5", "20 openat 0 = 6", "20 read 6 0 100 ...",
		    "10 write 5 0 40 ...", "10 wakes 20", "10 = 40", "20 = 40",
		    "20 write 6 0 10 ...", "20 wakes 10", "20 = 10", "10 read 5 0 100 = 10");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/through/a request goes from a client through a server to another one",
			test_chain);
	g_test_add_func("/through/hops know what they took, waited and were waited to be taken",
			test_times);
	g_test_add_func("/through/one that is not answered is open", test_open);
	g_test_add_func("/through/one in which events were lost is told so", test_loss);
	g_test_add_func("/through/one that may lack something is told so, the next one is whole",
			test_loss_between);
	g_test_add_func("/through/who takes more than was sent is not connected", test_excess);
	g_test_add_func("/through/connections that may be either's are nobody's", test_unclear);
	g_test_add_func("/through/connections are accepted in the order in which they were made",
			test_queue);
	g_test_add_func("/through/but packets of several CPUs have no order", test_packets);
	g_test_add_func("/through/unless something was sent through the first one",
			test_used_before);
	g_test_add_func("/through/a queue into which only strangers put has no others",
			test_outside);
	g_test_add_func("/through/but those of two servers have no order", test_two_queues);
	g_test_add_func("/through/nobody sees the end of a connection before it is closed",
			test_ends);
	g_test_add_func("/through/counts of bytes tell connections apart", test_sizes);
	g_test_add_func("/through/a connection ends before its killed process does", test_killed);
	g_test_add_func("/through/the answer tells for which of several a loop asked",
			test_answer_tells);
	g_test_add_func("/through/what a loop mixes is told so", test_mixed);
	g_test_add_func("/through/a connection that is closed has been passed on",
			test_closes_behind);
	g_test_add_func("/through/but not by one that closes first", test_closes_before);
	g_test_add_func("/through/nor by the order, unless the loop always keeps to it",
			test_order);
	g_test_add_func("/through/who wakes a thread of its own asks nobody", test_own_pipe);
	g_test_add_func("/through/what a loop does behind an answer is not for that",
			test_rest_of_turn);
	g_test_add_func("/through/who is connected for is known when it asks", test_connects_early);
	g_test_add_func("/through/nothing is accepted before it was connected",
			test_accepted_before);
	g_test_add_func("/through/nor from another queue than it was put into",
			test_another_listener);
	g_test_add_func("/through/what children make without a number is not their parent's",
			test_made_by_children);
	g_test_add_func("/through/a worker works for what it answers", test_worker);
	g_test_add_func("/through/a worker that was woken for one works for that",
			test_worker_hands_back);
	g_test_add_func("/through/a worker that was busy is known by its answers",
			test_busy_worker);
	g_test_add_func("/through/a connection that several share is told so", test_shared);
	g_test_add_func("/through/two pipes are one connection", test_pipes);
	g_test_add_func("/through/a pipeline is no request", test_pipeline);
	g_test_add_func("/through/descriptors are duplicated, closed and used again",
			test_descriptors);
	g_test_add_func("/through/a number is used again while it is being closed", test_closing);
	g_test_add_func("/through/who was not recorded is told so", test_strangers);
	g_test_add_func("/through/files are no connections", test_files);
	return g_test_run();
}
