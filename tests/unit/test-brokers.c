/* SPDX-License-Identifier: MIT */
/* Requests whose jobs go through a broker, in scenes (through-scene.h). */
#include <string.h>

#include "tests/unit/through-scene.h"

/* A job through a broker, process 20: process 10 is asked, brings a job, and waits for what comes
 * of it; 30, which waits for jobs, is given it, and brings that. Nobody knows that but by its
 * always being so: every turn has two who waited. */
#define BROKER_CONNECTED                                                                          \
	"10 accept 3 = 4", "10 socket 2 = 5", "10 connect 5 = 0", "20 accept 3 = 4",              \
		"30 socket 2 = 5", "30 connect 5 = 0", "20 accept 3 = 5", "30 write 5 0 32 = 32", \
		"20 epoll_wait 9 = 1", "20 read 5 0 100 = 32"
#define JOB_BROUGHT                                                                          \
	"20 epoll_wait 9 ...", "10 recvfrom 4 0 100 = 41", "10 write 5 0 35 = 35", "20 = 1", \
		"20 read 4 0 100 = 35", "20 write 5 0 24 = 24", "20 write 4 0 4 = 4",        \
		"30 read 5 0 100 = 24", "10 read 5 0 100 = 4", "10 write 5 0 39 = 39",       \
		"20 epoll_wait 9 = 1", "20 read 4 0 100 = 39"
#define JOB_DONE                                                                        \
	"30 write 5 0 103 = 103", "20 epoll_wait 9 = 1", "20 read 5 0 100 = 103",       \
		"20 write 4 0 92 = 92", "20 write 5 0 4 = 4", "10 read 5 0 100 = 92",   \
		"10 sendto 4 0 60 = 60", "30 read 5 0 100 = 4", "30 write 5 0 32 = 32", \
		"20 epoll_wait 9 = 1", "20 read 5 0 100 = 32"
#define JOB JOB_BROUGHT, JOB_DONE
#define JOB_TOLD "p10.10 p20.20<0 p30.30<1 p20.20<0 p20.20<2"

static void test_broker(void)
{
	ASSERT_TOLD(JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD, BROKER_CONNECTED, JOB, JOB, JOB,
		    JOB_BROUGHT);
}

/* Six times may be by chance. */
static void test_too_few_jobs(void)
{
	ASSERT_TOLD("p30.30 p20.20<0; "
		    "p10.10 p20.20<0 p20.20<0; p30.30 p20.20<0; p30.30 p20.20<0; "
		    "p10.10 p20.20<0 p20.20<0; p30.30 p20.20<0; p30.30 p20.20<0; "
		    "p10.10 p20.20<0 p20.20<0; p30.30 p20.20<0; p30.30 p20.20<0 open",
		    BROKER_CONNECTED, JOB, JOB, JOB);
}

/* While the worker has a job, another one is brought, which it is given when it asks, and which is
 * done before anybody waits for that: no other one can lie there. Or one of two. */
#define SECOND_CONNECTED "11 accept 3 = 7", "11 socket 2 = 6", "11 connect 6 = 0", "20 accept 3 = 6"
#define SECOND_BROUGHT                                                             \
	"11 recvfrom 7 0 100 = 41", "11 write 6 0 36 = 36", "20 epoll_wait 9 = 1", \
		"20 read 6 0 100 = 36", "20 write 6 0 4 = 4", "11 read 6 0 100 = 4"
#define SECOND_GIVEN                                                                  \
	"20 write 5 0 24 = 24", "30 read 5 0 100 = 24", "30 write 5 0 103 = 103",     \
		"20 epoll_wait 9 = 1", "20 read 5 0 100 = 103", "20 write 5 0 4 = 4", \
		"30 read 5 0 100 = 4"
#define SECOND_DONE                                                            \
	"11 write 6 0 39 = 39", "20 epoll_wait 9 = 1", "20 read 6 0 100 = 39", \
		"20 write 6 0 92 = 92", "11 read 6 0 100 = 92", "11 sendto 7 0 60 = 60"

static void test_lying_job(void)
{
	ASSERT_TOLD(JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD
			     "; p10.11 p20.20<0 p30.30<1 p20.20<2 p20.20<0",
		    BROKER_CONNECTED, SECOND_CONNECTED, JOB, JOB, JOB, JOB_BROUGHT, SECOND_BROUGHT,
		    JOB_DONE, SECOND_GIVEN, SECOND_DONE);
}

static void test_lying_jobs(void)
{
	ASSERT_TOLD(JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD
			     "; p10.11 p20.20<0 p20.20<0 mixed; p10.12 p20.20<0 p20.20<0 mixed"
			     "; p30.30 p20.20<0 rest",
		    BROKER_CONNECTED, SECOND_CONNECTED, "12 accept 3 = 8", "12 socket 2 = 9",
		    "12 connect 9 = 0", "20 accept 3 = 7", JOB, JOB, JOB, JOB_BROUGHT,
		    SECOND_BROUGHT, "12 recvfrom 8 0 100 = 41", "12 write 9 0 37 = 37",
		    "20 epoll_wait 9 = 1", "20 read 7 0 100 = 37", "20 write 7 0 4 = 4",
		    "12 read 9 0 100 = 4", JOB_DONE, SECOND_GIVEN, SECOND_DONE,
		    "12 write 9 0 38 = 38", "20 epoll_wait 9 = 1", "20 read 7 0 100 = 38",
		    "20 write 7 0 91 = 91", "12 read 9 0 100 = 91", "12 sendto 8 0 60 = 60");
}

/* Who waits is answered when its time is over, too: always with as many bytes. */
#define TIME_OVER                                                           \
	"20 epoll_wait 9 = 0", "20 write 5 0 5 = 5", "30 read 5 0 100 = 5", \
		"30 write 5 0 32 = 32", "20 epoll_wait 9 = 1", "20 read 5 0 100 = 32"

static void test_time_over(void)
{
	ASSERT_TOLD(JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD, BROKER_CONNECTED, JOB,
		    TIME_OVER, JOB, TIME_OVER, JOB, JOB);
}

/* But who is answered by itself with this and that has other causes: nothing is told of jobs. */
static void test_other_causes(void)
{
	struct through_scene scene;
	g_autofree char *text = NULL;

	through_scene_init(&scene);
	through_scene_play(&scene,
			   (const char *const[]){ BROKER_CONNECTED, JOB, TIME_OVER, JOB, JOB, JOB,
						  "20 epoll_wait 9 = 0", "20 write 5 0 6 = 6",
						  "30 read 5 0 100 = 6", NULL });
	itp_through_finish(scene.through, &scene.recall);
	text = through_scene_told(scene.through);
	g_assert_null(strstr(text, "p30.30<"));
	through_scene_release(&scene);
}

/* It answers when there is room: behind a wait that comes back at once. */
#define SLEPT "20 epoll_wait 9 ...", "20 sleeps", "20 = 1"
#define ROOM "20 epoll_wait 9 = 1"
#define JOB_LATER                                                                                \
	"10 recvfrom 4 0 100 = 41", "10 write 5 0 35 = 35", SLEPT, "20 read 4 0 100 = 35", ROOM, \
		"20 write 4 0 4 = 4", ROOM, "20 write 5 0 24 = 24", "30 read 5 0 100 = 24",      \
		"10 read 5 0 100 = 4", "10 write 5 0 39 = 39", SLEPT, "20 read 4 0 100 = 39",    \
		"30 write 5 0 103 = 103", SLEPT, "20 read 5 0 100 = 103", ROOM,                  \
		"20 write 5 0 4 = 4", ROOM, "20 write 4 0 92 = 92", "10 read 5 0 100 = 92",      \
		"10 sendto 4 0 60 = 60", "30 read 5 0 100 = 4", "30 write 5 0 32 = 32", SLEPT,   \
		"20 read 5 0 100 = 32"

static void test_later_answers(void)
{
	ASSERT_TOLD(JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD, BROKER_CONNECTED, JOB_LATER,
		    JOB_LATER, JOB_LATER, JOB_LATER);
}

/* The broker takes from two, and answers the last one first: with it, before it, the one for whom
 * that was. That it always does so is known from others, seven times. */
#define TWO_REVERSED                                                                  \
	"11 write 6 0 36 = 36", "12 write 9 0 37 = 37", "20 epoll_wait 9 = 2",        \
		"20 read 6 0 100 = 36", "20 read 7 0 100 = 37", "20 write 7 0 4 = 4", \
		"20 write 6 0 4 = 4", "11 read 6 0 100 = 4", "12 read 9 0 100 = 4"
#define TWO_TOLD "p10.11 p20.20<0; p10.12 p20.20<0; "
#define TWO_AND_JOB                                                                               \
	"20 epoll_wait 9 ...", "10 recvfrom 4 0 100 = 41", "12 write 9 0 37 = 37",                \
		"10 write 5 0 35 = 35", "20 = 2", "20 read 7 0 100 = 37", "20 read 4 0 100 = 35", \
		"20 write 5 0 24 = 24", "20 write 4 0 4 = 4", "20 write 7 0 4 = 4",               \
		"30 read 5 0 100 = 24", "10 read 5 0 100 = 4", "12 read 9 0 100 = 4",             \
		"10 sendto 4 0 60 = 60"

static void test_batch(void)
{
	ASSERT_TOLD(JOB_TOLD "; " JOB_TOLD "; " JOB_TOLD
			     "; " TWO_TOLD TWO_TOLD TWO_TOLD TWO_TOLD TWO_TOLD TWO_TOLD TWO_TOLD
			     "p10.10 p20.20<0 p30.30<1; p10.12 p20.20<0",
		    BROKER_CONNECTED, SECOND_CONNECTED, "12 socket 2 = 9", "12 connect 9 = 0",
		    "20 accept 3 = 7", JOB, JOB, JOB, TWO_REVERSED, TWO_REVERSED, TWO_REVERSED,
		    TWO_REVERSED, TWO_REVERSED, TWO_REVERSED, TWO_REVERSED, TWO_AND_JOB);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/brokers/a job goes through a broker, and what comes of it back",
			test_broker);
	g_test_add_func("/brokers/unless that may be by chance", test_too_few_jobs);
	g_test_add_func("/brokers/a job that lies there alone is known", test_lying_job);
	g_test_add_func("/brokers/one of two that lie there is not", test_lying_jobs);
	g_test_add_func("/brokers/who waits for a job may wait in vain", test_time_over);
	g_test_add_func("/brokers/who is answered by itself was given nothing", test_other_causes);
	g_test_add_func("/brokers/a broker may answer a turn later than it takes",
			test_later_answers);
	g_test_add_func("/brokers/of two that a broker takes at once the order tells", test_batch);
	return g_test_run();
}
