/* SPDX-License-Identifier: MIT */
/*
 * Recordings whose events have different stacks, or none: what the enter of a system call has shown
 * of the program holds until its exit. Each is compared with the same events with whole stacks.
 */
#include "tests/unit/support.h"

struct fixture {
	/* With whole stacks, and with what there may be instead. */
	struct test_run whole;
	struct test_run less;
};

static void begin_run(struct test_run *run)
{
	const struct itp_flow flow = { .can_stay = test_can_stay,
				       .may_avoid = test_may_avoid,
				       .always_calls = test_always_calls,
				       .may_jump_away = test_may_jump_away,
				       .is_frameless = test_is_frameless,
				       .data = run };

	test_run_init(run, ITP_CONTINUITY_CONTROL_FLOW, ITP_ESTIMATE_BEST, NULL);
	test_run_set_flow(run, &flow);
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	begin_run(&fixture->whole);
	begin_run(&fixture->less);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_run_release(&fixture->whole, NULL);
	test_run_release(&fixture->less, NULL);
}

static void push_both(struct fixture *fixture, enum itp_event_kind kind, int64_t time_ns,
		      const char *stack, int64_t argument)
{
	test_push_argument(&fixture->whole, kind, time_ns, 1, stack, argument);
	test_push_argument(&fixture->less, kind, time_ns, 1, stack, argument);
}

static char *all_of(const struct test_run *run)
{
	g_autofree char *instances = NULL;
	GString *text = g_string_new(NULL);

	itp_infer_finish(run->infer);
	instances = test_instances(run);
	g_string_append(text, instances);
	for (guint i = 0; i < run->instances->len; i++) {
		const struct itp_instance *instance =
			&g_array_index(run->instances, struct itp_instance, i);

		g_string_append_printf(text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %u\n",
				       instance->best_begin_ns, instance->best_ns,
				       instance->max_calls);
	}
	return g_string_free(text, FALSE);
}

static void assert_same(const struct fixture *fixture)
{
	g_autofree char *whole = all_of(&fixture->whole);
	g_autofree char *less = all_of(&fixture->less);

	g_assert_cmpstr(less, ==, whole);
	g_assert_cmpuint(itp_infer_counts(fixture->less.infer)->broken_stacks, ==, 0);
}

static void test_exit_without_stack(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	for (int64_t i = 0; i < 3; i++) {
		const int64_t begin_ns = 10 + 100 * i;

		push_both(fixture, ITP_EVENT_SYSCALL_ENTER, begin_ns, "main@1 looper@5 read@9", 7);
		test_push_exit(&fixture->whole, begin_ns + 40, 1, "main@1 looper@5 read@9", 7, 0);
		test_push_incomplete(&fixture->less, ITP_EVENT_SYSCALL_EXIT, begin_ns + 40, 1, "",
				     7);
	}
	push_both(fixture, ITP_EVENT_SAMPLE, 400, "main@1 looper@7", 1);
	assert_same(fixture);
}

/* Frame pointers led past the functions of the C library, which keeps none, and to its own call of
 * main(). */
static void test_switch_with_fewer_frames(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	for (int64_t i = 0; i < 2; i++) {
		const int64_t begin_ns = 10 + 100 * i;

		push_both(fixture, ITP_EVENT_SYSCALL_ENTER, begin_ns,
			  "start@1 libc@2 main@3 usleep@4 sleep@9", 7);
		test_push_argument(&fixture->whole, ITP_EVENT_SWITCH_OUT, begin_ns + 10, 1,
				   "start@1 libc@2 main@3 usleep@4 sleep@9 k:schedule", 1);
		test_push_argument(&fixture->less, ITP_EVENT_SWITCH_OUT, begin_ns + 10, 1,
				   "libc@2 sleep@9 k:schedule", 1);
		push_both(fixture, ITP_EVENT_SWITCH_IN, begin_ns + 60, "", 0);
		test_push_exit(&fixture->whole, begin_ns + 70, 1,
			       "start@1 libc@2 main@3 usleep@4 sleep@9", 7, 0);
		test_push_exit(&fixture->less, begin_ns + 70, 1, "libc@2 sleep@9", 7, 0);
	}
	assert_same(fixture);
}

/* Whoever stands elsewhere is not in the call any more, whatever was recorded of its exit. */
static void test_other_place_is_another_stack(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	push_both(fixture, ITP_EVENT_SYSCALL_ENTER, 10, "main@1 work@2 read@9", 7);
	push_both(fixture, ITP_EVENT_SWITCH_OUT, 20, "main@5 k:schedule", 1);
	assert_same(fixture);
	g_assert_cmpuint(test_stats(&fixture->less, "p main schedule")->count, ==, 0);
}

static void push_call(struct test_run *run, enum itp_event_kind kind, int64_t time_ns,
		      const char *call, bool has_stack)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	struct itp_stack_event event = { .kind = kind,
					 .time_ns = time_ns,
					 .pid = 1,
					 .tid = 1,
					 .cpu = -1,
					 .comm = "p",
					 .callee = test_function(run->functions, call),
					 .complete = has_stack };

	test_frames(run->functions, has_stack ? "main@1 looper@5 deep@9" : "", frames);
	event.frames = (const struct itp_frame *)(void *)frames->data;
	event.frame_count = frames->len;
	itp_infer_push(run->infer, &event);
}

static void push_calls(struct test_run *run, const char *entered, const char *left, bool has_stack)
{
	for (int64_t time_ns = 10; time_ns < 400; time_ns += 100) {
		push_call(run, ITP_EVENT_SYSCALL_ENTER, time_ns, entered, true);
		push_call(run, ITP_EVENT_SYSCALL_EXIT, time_ns + 30, left, has_stack);
	}
	test_push(run, ITP_EVENT_SAMPLE, 500, 1, "main@1 looper@7");
}

/* Whether the exit of `left` without a stack is as good as one with the enter's. */
static bool is_as_good(struct fixture *fixture, const char *entered, const char *left)
{
	g_autofree char *whole = NULL;
	g_autofree char *less = NULL;

	push_calls(&fixture->whole, entered, left, true);
	push_calls(&fixture->less, entered, left, false);
	whole = all_of(&fixture->whole);
	less = all_of(&fixture->less);
	return g_str_equal(whole, less);
}

static void test_call_comes_back(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_assert_true(is_as_good(fixture, "syscall:read", "syscall:read"));
}

static void test_signal_return_does_not(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_assert_false(is_as_good(fixture, "syscall:rt_sigreturn", "syscall:rt_sigreturn"));
}

static void test_other_call_does_not(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_assert_false(is_as_good(fixture, "syscall:read", "syscall:write"));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *sentence;
		void (*function)(struct fixture *, gconstpointer);
	} tests[] = {
		{ "an exit without a stack has that of its enter", test_exit_without_stack },
		{ "a switch with fewer frames has those of its enter",
		  test_switch_with_fewer_frames },
		{ "who stands at another place does not", test_other_place_is_another_stack },
		{ "a call comes back to where it was made", test_call_comes_back },
		{ "the end of a signal handler does not", test_signal_return_does_not },
		{ "the exit of another call has no stack", test_other_call_does_not },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	for (guint i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *path = g_strconcat("/same-call/", tests[i].sentence, NULL);

		g_test_add(path, struct fixture, NULL, set_up, tests[i].function, tear_down);
	}
	return g_test_run();
}
