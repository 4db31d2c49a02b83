/* SPDX-License-Identifier: MIT */
/* Stacks of throttled threads, by their innermost functions. */
#include "common/infer/throttle.h"
#include "tests/unit/support.h"

/* Whether a switch shows a quota, with these functions behind the one that is told of it. */
static bool shows(const char *behind)
{
	struct itp_function_table *functions = itp_function_table_new();
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	g_autofree char *stack = g_strdup_printf("A k:task_work_run k:__cond_resched %s", behind);
	struct itp_stack_event event = { .kind = ITP_EVENT_SWITCH_OUT };
	bool is_throttled;

	test_frames(functions, stack, frames);
	event.frames = (const struct itp_frame *)(void *)frames->data;
	event.frame_count = frames->len;
	is_throttled = itp_throttle_shows(functions, &event);
	itp_function_table_free(functions);
	return is_throttled;
}

static void test_two_functions_of_the_scheduler_lie_behind(void)
{
	g_assert_true(shows("k:schedule k:__schedule"));
	g_assert_false(shows("k:a k:b k:schedule k:__schedule"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/throttle/two functions of the scheduler lie behind",
			test_two_functions_of_the_scheduler_lie_behind);
	return g_test_run();
}
