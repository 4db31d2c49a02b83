/* SPDX-License-Identifier: MIT */
/* Rule 4, system calls, interrupts and the tracer, on traces short enough to work out by hand. */
#include "common/base/error.h"
#include "tests/unit/support.h"

static void test_a_system_call_is_an_exact_frame(struct test_run *run, gconstpointer data)
{
	const struct itp_instance *call;

	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 1, "A");
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 10, 1,
			   "A read " TEST_ENTRY "k:syscall_trace_enter", 7);
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A read " TEST_ENTRY "k:ksys_read");
	test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, 33, 1,
			   "A read " TEST_ENTRY "k:syscall_exit_work", 7);
	call = test_instance(run, "p A read syscall:7");
	g_assert_cmpint(call->lower_ns, ==, 23);
	g_assert_cmpint(call->upper_ns, ==, 23);
	g_assert_cmpuint(call->flags, ==, ITP_INSTANCE_EXACT | ITP_INSTANCE_COUNTED);
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A");
	test_assert_instances(run, "p A read syscall:7 ksys_read 20 0 13\n"
				   "p A read syscall:7 10 23 23\n"
				   "p A read 10 23 30\n"
				   "p A 5 35 35\n"
				   "p 5 35 35\n");
}

static void test_the_same_call_twice_is_two_calls(struct test_run *run, gconstpointer data)
{
	(void)data;
	for (int64_t t = 10; t < 50; t += 20) {
		test_push(run, ITP_EVENT_SYSCALL_ENTER, t, 1, "A read " TEST_ENTRY);
		test_push(run, ITP_EVENT_SYSCALL_EXIT, t + 10, 1, "A read " TEST_ENTRY);
	}
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A read syscall:0")->count, ==, 2);
	g_assert_cmpuint(test_stats(run, "p A read")->count, ==, 1);
}

static void test_a_call_whose_exit_was_missed_ends_when_user_code_shows(struct test_run *run,
									gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A read " TEST_ENTRY);
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	test_assert_instances(run, "p A read syscall:0 10 0 10\n"
				   "p A read 10 0 10\n"
				   "p A B 20 0 0\n"
				   "p A 10 10 10\n"
				   "p 10 10 10\n");
}

static void test_a_call_whose_exit_was_missed_is_not_the_next_one(struct test_run *run,
								  gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A read " TEST_ENTRY);
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 20, 1, "A read " TEST_ENTRY);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A read syscall:0")->count, ==, 2);
}

static void test_a_call_whose_entry_was_missed_is_named_by_the_kernel(struct test_run *run,
								      gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A read " TEST_ENTRY "k:__x64_sys_read");
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A read syscall:read __x64_sys_read")->count, ==, 1);
}

/* Recordings without system calls know the call of a stack, and not how long it goes on. */
static void test_a_call_that_a_stack_tells_is_not_the_next_ones(struct test_run *run,
								gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 10, 1,
			   "A wait " TEST_ENTRY "k:__x64_sys_futex k:schedule", 1);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1,
			   "A read " TEST_ENTRY "k:__x64_sys_read k:schedule", 1);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 1,
			   "A load " TEST_ENTRY "k:ksys_read k:schedule", 1);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A wait syscall:futex __x64_sys_futex schedule")->count,
			 ==, 1);
	g_assert_cmpuint(test_stats(run, "p A read syscall:read __x64_sys_read schedule")->count,
			 ==, 1);
	g_assert_cmpuint(test_stats(run, "p A load ksys_read schedule")->count, ==, 1);
}

/* The begin or the end of a system call, of which nobody knows which one it is. */
static int push_unnamed(struct test_run *run, enum itp_event_kind kind, int64_t time_ns,
			const char *stack, uint32_t callee)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	struct itp_stack_event event = { .kind = kind,
					 .time_ns = time_ns,
					 .pid = 1,
					 .tid = 1,
					 .cpu = -1,
					 .comm = "p",
					 .callee = callee,
					 .complete = true };

	test_frames(run->functions, stack, frames);
	event.frames = (const struct itp_frame *)(void *)frames->data;
	event.frame_count = frames->len;
	return itp_infer_push(run->infer, &event);
}

/* Behind the frames of the short stacks lies what is left of the long one. */
static void test_a_call_that_nobody_names_has_no_frame(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 1, "A B C D");
	push_unnamed(run, ITP_EVENT_SYSCALL_ENTER, 10, "A B", ITP_FUNCTION_UNKNOWN);
	push_unnamed(run, ITP_EVENT_SYSCALL_EXIT, 20, "A B", ITP_FUNCTION_UNKNOWN);
	push_unnamed(run, ITP_EVENT_SYSCALL_ENTER, 30, "A B " TEST_ENTRY, ITP_FUNCTION_UNKNOWN);
	test_assert_instances(run, "p A B C D 5 0 5\n"
				   "p A B C 5 0 5\n"
				   "p A B 5 25 25\n"
				   "p A 5 25 25\n"
				   "p 5 25 25\n");
}

/* What the stack shows says that no call begins: a probe, behind which the program's part is not to
 * be believed either, or an interrupt. */
static void test_a_call_that_the_stack_denies_has_no_frame(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 1, "A B C D");
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A k:do_syscall_64 k:asm_exc_int3");
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 20, 1, "A B C k:asm_sysvec_apic_timer_interrupt");
	test_assert_instances(run, "p A B C D 5 0 15\n"
				   "p A B C 5 15 15\n"
				   "p A B 5 15 15\n"
				   "p A 5 15 15\n"
				   "p 5 15 15\n");
}

static void test_the_stack_may_name_the_call(struct test_run *run, gconstpointer data)
{
	(void)data;
	push_unnamed(run, ITP_EVENT_SYSCALL_ENTER, 10, "A " TEST_ENTRY "k:__x64_sys_read",
		     ITP_FUNCTION_UNKNOWN);
	push_unnamed(run, ITP_EVENT_SYSCALL_EXIT, 30, "A", ITP_FUNCTION_UNKNOWN);
	test_assert_instances(run, "p A syscall:read 10 20 20\n"
				   "p A 10 20 20\n"
				   "p 10 20 20\n");
}

static void test_no_other_function_is_a_system_call(struct test_run *run, gconstpointer data)
{
	const uint32_t function = test_function(run->functions, "A");

	(void)data;
	g_assert_cmpint(push_unnamed(run, ITP_EVENT_SYSCALL_ENTER, 10, "A", function), ==,
			ITP_ERROR_CALLEE);
	g_assert_cmpint(push_unnamed(run, ITP_EVENT_SYSCALL_EXIT, 10, "A", function), ==,
			ITP_ERROR_CALLEE);
	g_assert_cmpint(push_unnamed(run, ITP_EVENT_SWITCH_OUT, 10, "A", function), ==,
			ITP_ERROR_CALLEE);
	/* Nobody looks at it there. */
	g_assert_cmpint(push_unnamed(run, ITP_EVENT_SAMPLE, 10, "A", function), ==, ITP_OK);
	test_assert_instances(run, "p A 10 0 0\np 10 0 0\n");
}

static void test_interrupts_are_not_callees(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1,
		  "A B k:asm_sysvec_apic_timer_interrupt k:handle_softirqs k:net_rx_action");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A");
	test_assert_instances(run, "p A B 10 10 20\np A 10 20 20\np 10 20 20\n");
	g_assert_cmpuint(itp_infer_counts(run->infer)->interrupted_stacks, ==, 1);
}

static void test_the_tracer_is_cut_off(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1,
		  "A k:asm_exc_page_fault k:handle_fault k:perf_trace_x k:perf_tp_event k:memcpy");
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A asm_exc_page_fault handle_fault")->count, ==, 1);
	g_assert_cmpuint(itp_context_tree_size(run->tree), ==, 5);
}

/* A recorder's program in the kernel, with the stub by which a tracepoint calls it. */
static void test_programs_of_the_tracer_are_cut_off(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1,
		  "A k:asm_exc_page_fault k:handle_fault k:__bpf_trace_x k:bpf_trace_run2");
	/* Its first instruction has no frame yet, so that its caller is left out. */
	test_push(run, ITP_EVENT_SAMPLE, 20, 1,
		  "A k:asm_exc_page_fault k:handle_fault k:introperf_recorder_on_exit");
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A asm_exc_page_fault handle_fault")->count, ==, 1);
	g_assert_cmpuint(itp_context_tree_size(run->tree), ==, 5);
}

/* Ticks find it there as they find the tracer elsewhere; the program's wait is another. */
static void test_what_the_tracer_waits_for_is_its_own(struct test_run *run, gconstpointer data)
{
	const struct itp_node_stats *stats;

	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "main@1 clone@1", 7);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1,
			   "main@1 clone@1 k:do_syscall_64 k:__x64_sys_clone@1 k:copy_process@1 "
			   "k:perf_event_init_task@1 k:perf_trace_init@1 k:schedule@1",
			   1);
	test_push(run, ITP_EVENT_SWITCH_IN, 100, 1, "");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 110, 1,
			   "main@1 clone@1 k:do_syscall_64 k:__x64_sys_clone@1 k:schedule@2", 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 140, 1, "");
	test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, 150, 1, "main@1 clone@1", 7);
	itp_infer_finish(run->infer);
	stats = test_stats(run, "p main clone syscall:7 __x64_sys_clone copy_process [recorder]");
	g_assert_cmpint(stats->own_use.blocked_ns, ==, 80);
	stats = test_stats(run, "p main clone syscall:7 __x64_sys_clone schedule");
	g_assert_cmpint(stats->own_use.blocked_ns, ==, 30);
}

static void test_lttng_is_cut_off(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1,
		  "A k:asm_exc_page_fault k:handle_fault k:__event_probe__x86_exceptions_class "
		  "k:lttng_callstack_get_size");
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 20, 1,
		  "B k:syscall_entry_event_probe k:lttng_event_reserve");
	test_push(run, ITP_EVENT_SYSCALL_EXIT, 30, 1,
		  "B k:syscall_exit_event_probe k:lttng_event_reserve");
	itp_infer_finish(run->infer);
	/* The tree's own root, the process, A and its two, B and its system call. */
	g_assert_cmpuint(itp_context_tree_size(run->tree), ==, 7);
}

static void test_page_faults_are_callees(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A k:asm_exc_page_fault k:handle_fault");
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A asm_exc_page_fault handle_fault")->count, ==, 1);
}

static const struct test_on_run by_call_sites[] = {
	{ "a system call is an exact frame", test_a_system_call_is_an_exact_frame },
	{ "the same call twice is two calls", test_the_same_call_twice_is_two_calls },
	{ "a call whose exit was missed ends when user code shows",
	  test_a_call_whose_exit_was_missed_ends_when_user_code_shows },
	{ "a call whose exit was missed is not the next one",
	  test_a_call_whose_exit_was_missed_is_not_the_next_one },
	{ "a call whose entry was missed is named by the kernel",
	  test_a_call_whose_entry_was_missed_is_named_by_the_kernel },
	{ "a call that a stack tells is not the next one's",
	  test_a_call_that_a_stack_tells_is_not_the_next_ones },
	{ "a call that nobody names has no frame", test_a_call_that_nobody_names_has_no_frame },
	{ "a call that the stack denies has no frame",
	  test_a_call_that_the_stack_denies_has_no_frame },
	{ "the stack may name the call", test_the_stack_may_name_the_call },
	{ "no other function is a system call", test_no_other_function_is_a_system_call },
	{ "interrupts are not callees", test_interrupts_are_not_callees },
	{ "the tracer is cut off", test_the_tracer_is_cut_off },
	{ "programs of the tracer are cut off", test_programs_of_the_tracer_are_cut_off },
	{ "what the tracer waits for is its own", test_what_the_tracer_waits_for_is_its_own },
	{ "LTTng is cut off", test_lttng_is_cut_off },
	{ "page faults are callees", test_page_faults_are_callees },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("boundary", ITP_CONTINUITY_CALL_SITE, by_call_sites,
			 G_N_ELEMENTS(by_call_sites));
	return g_test_run();
}
