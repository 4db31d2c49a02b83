/* SPDX-License-Identifier: MIT */
/* Purposes of waits by their votes, just on both sides of each limit. */
#include <glib.h>

#include "common/unit/purposes.h"

#define WAIT 5
#define READ 7

static void read_of(struct itp_purposes *purposes, uint32_t node, enum itp_conversation side,
		    int64_t blocked_ns)
{
	const struct itp_halt halt = {
		.tid = 1,
		.node = node,
		.class = ITP_WAIT_CLASS_DATA,
		.side = side,
		.outcome = ITP_HALT_SOMETHING,
		.blocked_ns = blocked_ns,
	};

	itp_purposes_note(purposes, &halt);
}

static enum itp_purpose purpose_of_reads(guint work, guint answers)
{
	struct itp_purposes *purposes = itp_purposes_new();
	enum itp_purpose purpose;
	double part;

	for (guint i = 0; i < work + answers; i++) {
		read_of(purposes, WAIT, i < work ? ITP_CONVERSATION_SERVES : ITP_CONVERSATION_ASKS,
			9);
	}
	purpose = itp_purposes_of(purposes, WAIT, &part);
	itp_purposes_free(purposes);
	return purpose;
}

static void test_half_of_the_reads_are_for_work(void)
{
	g_assert_cmpint(purpose_of_reads(5, 5), ==, ITP_PURPOSE_WORK);
	g_assert_cmpint(purpose_of_reads(4, 6), ==, ITP_PURPOSE_ANSWER);
}

/* A wait for any event is for what is read behind it. */
static enum itp_purpose purpose_of_events(guint work, guint answers)
{
	const struct itp_halt wait = {
		.tid = 1,
		.node = WAIT,
		.class = ITP_WAIT_CLASS_EVENT,
		.outcome = ITP_HALT_SOMETHING,
		.blocked_ns = 9,
	};
	struct itp_purposes *purposes = itp_purposes_new();
	enum itp_purpose purpose;
	double part;

	for (guint i = 0; i < work + answers; i++) {
		itp_purposes_note(purposes, &wait);
		read_of(purposes, READ, i < work ? ITP_CONVERSATION_SERVES : ITP_CONVERSATION_ASKS,
			0);
	}
	purpose = itp_purposes_of(purposes, WAIT, &part);
	itp_purposes_free(purposes);
	return purpose;
}

static void test_a_tenth_of_the_events_is_for_work(void)
{
	g_assert_cmpint(purpose_of_events(3, 22), ==, ITP_PURPOSE_WORK);
	g_assert_cmpint(purpose_of_events(2, 23), ==, ITP_PURPOSE_ANSWER);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/purposes/half of the reads are for work",
			test_half_of_the_reads_are_for_work);
	g_test_add_func("/purposes/a tenth of the events is for work",
			test_a_tenth_of_the_events_is_for_work);
	return g_test_run();
}
