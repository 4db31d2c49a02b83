/* SPDX-License-Identifier: MIT */
/* Events that tell nothing. */
#include <glib.h>

#include "common/infer/event-check.h"

/* Number of measurements that count, of a single one that took so long. */
static uint64_t count_speeds(uint64_t computed_ns)
{
	const struct itp_stack_event event = {
		.kind = ITP_EVENT_SPEED,
		.argument = 3,
		.words = { .words = { computed_ns } },
	};
	struct itp_infer_counts counts = { 0 };

	g_assert_true(itp_event_count_speed(&event, &counts));
	return counts.speeds.count;
}

static void test_a_measurement_takes_a_millisecond(void)
{
	g_assert_cmpuint(count_speeds(900000), ==, 1);
	g_assert_cmpuint(count_speeds(1100000), ==, 0);
	g_assert_cmpuint(count_speeds(0), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/event check/a measurement takes a millisecond at most",
			test_a_measurement_takes_a_millisecond);
	return g_test_run();
}
