/* SPDX-License-Identifier: MIT */
/* Rule 3 on traces short enough to work out by hand, over the code of test_can_stay(). */
#include <string.h>

#include "tests/unit/support.h"

struct fixture {
	struct test_run run;
	/* Questions that were asked. */
	unsigned int asked;
};

static bool count_and_answer(void *data, const struct itp_flow_step *step)
{
	struct fixture *fixture = data;

	fixture->asked++;
	return test_can_stay(&fixture->run, step);
}

static bool may_jump_away(void *data, const struct itp_frame *frame, const struct itp_frame *other)
{
	struct fixture *fixture = data;

	return test_may_jump_away(&fixture->run, frame, other);
}

static bool may_avoid(void *data, const struct itp_flow_step *step)
{
	struct fixture *fixture = data;

	return test_may_avoid(&fixture->run, step);
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_run_init(&fixture->run, ITP_CONTINUITY_CONTROL_FLOW, ITP_ESTIMATE_CONSERVATIVE, NULL);
	test_run_set_flow(&fixture->run, &(struct itp_flow){ .can_stay = count_and_answer,
							     .may_jump_away = may_jump_away,
							     .may_avoid = may_avoid,
							     .data = fixture });
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_run_release(&fixture->run, NULL);
}

static void append_span(GString *text, const struct itp_instance *instance)
{
	g_string_append_printf(text, "%d+%d", (int)instance->begin_ns,
			       (int)instance->conservative_ns);
}

static void append_calls(GString *text, const struct itp_instance *instance)
{
	g_string_append_printf(text, "%d×%d", (int)instance->lower_ns, (int)instance->max_calls);
}

static void assert_instances(struct fixture *fixture, const char *function, const char *wanted,
			     void (*append)(GString *text, const struct itp_instance *instance))
{
	GString *got = g_string_new(NULL);

	itp_infer_finish(fixture->run.infer);
	for (guint i = 0; i < fixture->run.instances->len; i++) {
		const struct itp_instance *instance =
			&g_array_index(fixture->run.instances, struct itp_instance, i);
		g_autofree char *path = test_path(&fixture->run, instance->node);
		const char *name = strrchr(path, ' ');

		if (name && g_str_equal(name + 1, function)) {
			g_string_append(got, got->len > 0 ? " " : "");
			append(got, instance);
		}
	}
	g_assert_cmpstr(got->str, ==, wanted);
	g_string_free(got, TRUE);
}

/* The instances of `function`, as "begin+latency" in the order of their ends. */
static void assert_calls(struct fixture *fixture, const char *function, const char *wanted)
{
	assert_instances(fixture, function, wanted, append_span);
}

/* The same, as "lower bound×number of calls that it may be". */
static void assert_doubt(struct fixture *fixture, const char *function, const char *wanted)
{
	assert_instances(fixture, function, wanted, append_calls);
}

/* Tells the core which functions keep no frame pointer. */
static void use_frame_pointers(struct fixture *fixture)
{
	test_run_set_flow(&fixture->run, &(struct itp_flow){ .can_stay = test_can_stay,
							     .may_jump_away = test_may_jump_away,
							     .may_avoid = test_may_avoid,
							     .is_frameless = test_is_frameless,
							     .data = &fixture->run });
}

#define ENTER ITP_EVENT_SYSCALL_ENTER
#define EXIT ITP_EVENT_SYSCALL_EXIT
#define ENTRY " " TEST_ENTRY

/* System call 7 from `stack`, from `time_ns` until 10 ns later. */
static void call(struct fixture *fixture, int64_t time_ns, const char *stack)
{
	g_autofree char *enter = g_strconcat(stack, ENTRY "k:syscall_trace_enter", NULL);
	g_autofree char *leave = g_strconcat(stack, ENTRY "k:syscall_exit_work", NULL);

	test_push_argument(&fixture->run, ENTER, time_ns, 1, enter, 7);
	test_push_argument(&fixture->run, EXIT, time_ns + 10, 1, leave, 7);
}

static void test_calls_from_a_loop_are_told_apart(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	call(fixture, 10, "loop@1 handle@1 read@1");
	call(fixture, 30, "loop@1 handle@2 read@1");
	call(fixture, 50, "loop@1 handle@1 read@1");
	call(fixture, 70, "loop@1 handle@2 read@1");
	assert_calls(fixture, "handle", "10+30 50+30");
	assert_calls(fixture, "loop", "10+70");
	assert_calls(fixture, "read", "10+10 30+10 50+10 70+10");
}

/* Place of a call, in a caller, of a function inlined there: 2⁶³ + 1, and others. */
#define INLINED_1 "9223372036854775809"
#define INLINED_2 "9223372036854775810"

/* The code is loop's and serve's: take and look have none of their own. */
static void test_inlined_functions_are_in_the_code_around_them(struct fixture *fixture,
							       gconstpointer data)
{
	(void)data;
	call(fixture, 10, "loop@" INLINED_1 " take@5 serve@" INLINED_2 " look@8 read@1");
	call(fixture, 30, "loop@" INLINED_1 " take@5 serve@" INLINED_2 " look@9 read@1");
	call(fixture, 50, "loop@" INLINED_1 " take@5 serve@" INLINED_2 " look@8 read@1");
	call(fixture, 70, "loop@" INLINED_1 " take@3 read@1");
	assert_calls(fixture, "look", "10+30 50+10");
	assert_calls(fixture, "serve", "10+30 50+10");
	assert_calls(fixture, "take", "10+70");
	assert_calls(fixture, "loop", "10+70");
}

static void test_a_new_call_moves_the_question_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	call(fixture, 10, "loop@1 a@1 b@1 c@1 read@1");
	call(fixture, 30, "loop@1 a@1 b@1 c@1 read@1");
	assert_calls(fixture, "a", "10+10 30+10");
	assert_calls(fixture, "c", "10+10 30+10");
	assert_calls(fixture, "loop", "10+30");
}

static void test_a_loop_stops_the_question(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 loop@1 read@1");
	call(fixture, 30, "main@1 loop@1 read@1");
	assert_calls(fixture, "main", "10+30");
	assert_calls(fixture, "loop", "10+30");
	assert_calls(fixture, "read", "10+10 30+10");
}

static void test_what_nobody_can_call_again_is_one_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "main@1 once@1 work@5");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "main@1 once@1 work@6");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 35, 1, "main@1 once@1 work@7");
	assert_doubt(fixture, "once", "25×1");
	assert_doubt(fixture, "work", "25×1");
}

static void test_what_a_loop_calls_may_be_several_calls(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "main@1 loop@1 work@5");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "main@1 loop@1 work@6");
	test_push_argument(&fixture->run, ENTER, 35, 1, "main@1 loop@1 work@7 read@1" ENTRY, 7);
	test_push_exit(&fixture->run, 60, 1, "main@1 loop@1 work@7 read@1" ENTRY, 7, 0);
	assert_calls(fixture, "work", "10+50");
	assert_doubt(fixture, "loop", "50×1");
	assert_doubt(fixture, "work", "0×3");
	assert_doubt(fixture, "read", "25×1");
}

static void test_a_system_call_that_is_not_repeated_shows_one_call(struct fixture *fixture,
								   gconstpointer data)
{
	(void)data;
	call(fixture, 10, "loop@1 handle@1 read@1");
	call(fixture, 30, "loop@1 handle@2 read@1");
	assert_doubt(fixture, "handle", "30×1");
}

static void test_a_call_that_can_do_without_a_system_call_shows_nothing(struct fixture *fixture,
									gconstpointer data)
{
	(void)data;
	call(fixture, 10, "loop@1 handle@1 maybe_fill@1 read@1");
	call(fixture, 30, "loop@1 handle@2 read@1");
	assert_doubt(fixture, "handle", "10×2");
}

static void test_what_hides_a_caller_shows_nothing(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	use_frame_pointers(fixture);
	call(fixture, 10, "loop@1 handle@1 libc_read@1");
	call(fixture, 30, "loop@1 handle@2 libc_read@1");
	assert_doubt(fixture, "handle", "10×2");
}

static void test_inside_a_system_call_everything_stays(struct fixture *fixture, gconstpointer data)
{
	const char *blocked = "main@1 read@1" ENTRY "k:ksys_read k:schedule";

	(void)data;
	test_push_argument(&fixture->run, ENTER, 10, 1, "main@1 read@1" ENTRY, 7);
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 20, 1, blocked, 1);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 30, 1, "");
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 40, 1, blocked, 1);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 50, 1, "");
	test_push_argument(&fixture->run, EXIT, 60, 1, "main@1 read@1" ENTRY, 7);
	assert_calls(fixture, "read", "10+50");
	assert_calls(fixture, "main", "10+50");
}

static void test_a_recording_may_begin_inside_a_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 10, 1,
			   "main@1 read@1" ENTRY "k:__x64_sys_7 k:schedule", 1);
	test_push_argument(&fixture->run, EXIT, 60, 1, "main@1 read@1" ENTRY, 7);
	assert_calls(fixture, "read", "10+50");
}

static void test_two_exits_without_an_entry_are_two_calls(struct fixture *fixture,
							  gconstpointer data)
{
	(void)data;
	test_push_argument(&fixture->run, EXIT, 10, 1, "main@1 read@1" ENTRY, 7);
	test_push_argument(&fixture->run, EXIT, 60, 1, "main@1 read@1" ENTRY, 7);
	assert_calls(fixture, "read", "10+0 60+0");
}

static void test_a_thread_may_stand_still(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "main@1 work@5");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "main@1 work@5");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "main@1 work@7");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 40, 1, "main@1 work@6");
	assert_calls(fixture, "work", "10+20 40+0");
	assert_calls(fixture, "main", "10+20 40+0");
}

static void test_a_page_fault_is_where_the_thread_stands(struct fixture *fixture,
							 gconstpointer data)
{
	const char *fault = "main@1 work@5 k:asm_exc_page_fault k:handle_mm_fault";

	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, fault);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, fault);
	assert_calls(fixture, "work", "10+10");
}

static void test_what_a_broken_stack_misses_is_not_asked_about(struct fixture *fixture,
							       gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 a@1 b@1 read@1");
	test_push_incomplete(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "b@2", 0);
	assert_calls(fixture, "a", "10+20");
	assert_calls(fixture, "b", "10+20");
}

/* The stacks of frame pointers: "a", which called libc, is not in them. */
static void test_what_hides_its_caller_leaves_that_open(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	use_frame_pointers(fixture);
	call(fixture, 10, "main@1 a@1 work@1");
	call(fixture, 30, "main@1 libc_write@1");
	call(fixture, 50, "main@1 a@3 work@1");
	assert_calls(fixture, "a", "10+50");
	assert_calls(fixture, "libc_write", "30+10");
}

static void append_flags(GString *text, const struct itp_instance *instance)
{
	g_string_append(text, instance->flags & ITP_INSTANCE_FILLED ? "filled" : "seen");
}

static void test_what_was_put_in_is_called(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	use_frame_pointers(fixture);
	call(fixture, 10, "main@1 +a libc_write@1");
	call(fixture, 30, "main@1 +a libc_write@1");
	call(fixture, 50, "main@2 +a libc_write@1");
	assert_calls(fixture, "a", "10+30 50+10");
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->completed_stacks, ==, 6);
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->filled_frames, ==, 6);
}

static void test_what_was_put_in_is_marked(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	use_frame_pointers(fixture);
	call(fixture, 10, "main@1 +a libc_write@1");
	assert_instances(fixture, "a", "filled", append_flags);
}

static void test_what_is_seen_was_not_put_in(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	use_frame_pointers(fixture);
	call(fixture, 10, "main@1 +a libc_write@1");
	call(fixture, 30, "main@1 a@3 work@1");
	call(fixture, 50, "main@1 +a libc_write@1");
	assert_instances(fixture, "a", "seen", append_flags);
}

static void test_a_hidden_caller_may_be_another_one(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	use_frame_pointers(fixture);
	call(fixture, 10, "main@1 a@1 work@1");
	call(fixture, 30, "main@2 libc_write@1");
	assert_calls(fixture, "a", "10+10");
	assert_calls(fixture, "libc_write", "30+10");
}

static void test_what_a_hidden_caller_did_is_not_asked_about(struct fixture *fixture,
							     gconstpointer data)
{
	(void)data;
	use_frame_pointers(fixture);
	call(fixture, 10, "main@1 libc_write@1");
	call(fixture, 30, "main@1 libc_write@1");
	/* A broken stack tells that libc_write is gone, but nothing of what called it. */
	test_push_incomplete(&fixture->run, ITP_EVENT_SAMPLE, 45, 1, "libc_other@1", 0);
	call(fixture, 50, "main@1 a@1 work@1");
	assert_calls(fixture, "main", "10+50");
	assert_calls(fixture, "libc_write", "10+10 30+10");
}

static void test_what_a_signal_interrupted_stands_still(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "main@1 work@5 sigreturn@1 handler@1");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "main@1 work@5");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "main@1 work@5 sigreturn@1 handler@1");
	assert_calls(fixture, "work", "10+20");
	assert_calls(fixture, "handler", "10+0 30+0");
}

static void test_the_kernel_may_repeat_a_system_call(struct fixture *fixture, gconstpointer data)
{
	const gint64 results[] = { -512, -513, -514, -516, -4 };

	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(results); i++) {
		test_push_argument(&fixture->run, ENTER, 10 + (gint64)i * 20, 1, "main@1 read@1",
				   7);
		test_push_exit(&fixture->run, 20 + (gint64)i * 20, 1, "main@1 read@1", 7,
			       results[i]);
	}
	/* After EINTR it does not. */
	call(fixture, 130, "main@1 read@1");
	assert_calls(fixture, "read", "10+90 130+10");
}

static void test_a_tail_call_leaves_the_caller_where_it_is(struct fixture *fixture,
							   gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 open@1 jumping@1 read@1");
	call(fixture, 30, "main@1 open@1 tail@1 read@1");
	call(fixture, 50, "main@1 open@1 other@1 read@1");
	call(fixture, 70, "main@1 open@1 jumping@1 read@1");
	call(fixture, 90, "main@1 open@1 other@1 read@1");
	assert_calls(fixture, "open", "10+30 50+10 70+10 90+10");
}

static void test_a_sample_may_be_taken_on_the_way_into_a_system_call(struct fixture *fixture,
								     gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 5, 1, "main@1 read@1");
	call(fixture, 10, "main@1 read@1");
	assert_calls(fixture, "read", "5+15");
}

static void test_the_way_out_of_a_system_call_is_not_the_way_in(struct fixture *fixture,
								gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 read@1");
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 25, 1,
			   "main@1 read@1" ENTRY "k:exit_to_user_mode_prepare k:schedule", 0);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 27, 1, "");
	call(fixture, 30, "main@1 read@1");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 45, 1, "main@1 read@1");
	call(fixture, 50, "main@1 read@1");
	assert_calls(fixture, "read", "10+17 30+15 50+10");
}

static void test_the_way_in_is_not_the_way_out_of_the_last_call(struct fixture *fixture,
								gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 read@1");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 25, 1,
		  "main@1 read@1" ENTRY "k:syscall_trace_enter k:perf_trace_sys_enter");
	call(fixture, 30, "main@1 read@1");
	assert_calls(fixture, "read", "10+10 25+15");
}

static void test_what_may_be_the_way_in_or_out_counts_for_neither(struct fixture *fixture,
								  gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 read@1");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 25, 1, "main@1 read@1" ENTRY);
	call(fixture, 30, "main@1 read@1");
	assert_calls(fixture, "read", "10+10 30+10");
}

static void test_an_event_that_is_there_twice_counts_once(struct fixture *fixture,
							  gconstpointer data)
{
	(void)data;
	for (unsigned int i = 0; i < 2; i++) {
		test_push_argument(&fixture->run, ENTER, 10, 1, "main@1 read@1" ENTRY, 7);
	}
	for (unsigned int i = 0; i < 2; i++) {
		test_push_argument(&fixture->run, EXIT, 20, 1, "main@1 read@1" ENTRY, 7);
	}
	assert_calls(fixture, "read", "10+10");
}

/* The kernel says of the exit of sigreturn() that it is none of any call. */
static void test_a_signal_handler_leaves_what_it_interrupted_where_it_was(struct fixture *fixture,
									  gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 read@1");
	call(fixture, 30, "main@1 read@1 sigreturn@1 handler@1 write@1");
	test_push_argument(&fixture->run, ENTER, 50, 1, "main@1 read@1 sigreturn@9", 15);
	test_push_argument(&fixture->run, EXIT, 60, 1, "main@1 read@1", -1);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 70, 1, "main@1 read@3");
	assert_calls(fixture, "read", "10+60");
}

static void test_another_system_call_has_not_come_back_yet(struct fixture *fixture,
							   gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 read@1");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 25, 1, "main@1 read@3");
	call(fixture, 30, "main@1 read@3");
	assert_calls(fixture, "read", "10+30");
}

static void test_after_a_loss_nothing_is_asked(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	call(fixture, 10, "main@1 read@1");
	test_push_argument(&fixture->run, ITP_EVENT_LOSS, 25, 1, "", 3);
	fixture->asked = 0;
	call(fixture, 30, "main@1 read@1");
	g_assert_cmpuint(fixture->asked, ==, 0);
	assert_calls(fixture, "main", "10+10 30+10");
}

static void test_without_code_call_sites_decide(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_run_set_flow(&fixture->run, &(struct itp_flow){ .can_stay = NULL });
	call(fixture, 10, "main@1 handle@1 read@1");
	call(fixture, 30, "main@1 handle@1 read@1");
	call(fixture, 50, "main@2 handle@1 read@1");
	assert_calls(fixture, "handle", "10+30 50+10");
}

/* Within system call 7: `kind` shows `first` and then `second` behind the entry of the kernel. */
static void see_in_kernel(struct fixture *fixture, enum itp_event_kind kind, const char *first,
			  const char *second)
{
	test_push_argument(&fixture->run, ENTER, 10, 1, "main@1 read@1" ENTRY, 7);
	for (int i = 0; i < 2; i++) {
		g_autofree char *stack =
			g_strconcat("main@1 read@1" ENTRY, i == 0 ? first : second, NULL);

		test_push_argument(&fixture->run, kind, 20 + 10 * i, 1, stack, 1);
	}
	test_push_argument(&fixture->run, EXIT, 40, 1, "main@1 read@1" ENTRY, 7);
}

static void test_kernel_calls_are_told_apart(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	see_in_kernel(fixture, ITP_EVENT_SWITCH_OUT, "k:work@2 k:wait@3", "k:work@2 k:wait@3");
	assert_calls(fixture, "work", "20+0 30+0");
}

static void test_an_interrupted_kernel_function_stays(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	see_in_kernel(fixture, ITP_EVENT_SAMPLE, "k:loop@1 k:work@2",
		      "k:loop@1 k:work@2 k:asm_sysvec_apic_timer_interrupt k:handle_softirqs");
	assert_calls(fixture, "work", "20+10");
}

static void test_a_kernel_function_that_faults_stays(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	see_in_kernel(fixture, ITP_EVENT_SAMPLE, "k:loop@1 k:work@2 k:asm_exc_page_fault k:fault@2",
		      "k:loop@1 k:work@2 k:asm_exc_page_fault k:fault@1");
	assert_calls(fixture, "work", "20+10");
}

static void test_a_return_thunk_is_no_other_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	see_in_kernel(fixture, ITP_EVENT_SAMPLE, "k:work@2 k:wait@3",
		      "k:work@2 k:its_return_thunk@1");
	assert_calls(fixture, "work", "20+10");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*test)(struct fixture *fixture, gconstpointer data);
	} tests[] = {
		{ "calls from a loop are told apart", test_calls_from_a_loop_are_told_apart },
		{ "a new call moves the question up", test_a_new_call_moves_the_question_up },
		{ "a loop stops the question", test_a_loop_stops_the_question },
		{ "what nobody can call again is one call",
		  test_what_nobody_can_call_again_is_one_call },
		{ "what a loop calls may be several calls",
		  test_what_a_loop_calls_may_be_several_calls },
		{ "a system call that is not repeated shows one call",
		  test_a_system_call_that_is_not_repeated_shows_one_call },
		{ "a call that can do without a system call shows nothing",
		  test_a_call_that_can_do_without_a_system_call_shows_nothing },
		{ "what hides a caller shows nothing", test_what_hides_a_caller_shows_nothing },
		{ "inside a system call everything stays",
		  test_inside_a_system_call_everything_stays },
		{ "a recording may begin inside a call", test_a_recording_may_begin_inside_a_call },
		{ "two exits without an entry are two calls",
		  test_two_exits_without_an_entry_are_two_calls },
		{ "inlined functions are in the code around them",
		  test_inlined_functions_are_in_the_code_around_them },
		{ "calls of kernel functions are told apart", test_kernel_calls_are_told_apart },
		{ "an interrupted kernel function stays",
		  test_an_interrupted_kernel_function_stays },
		{ "a kernel function that faults stays", test_a_kernel_function_that_faults_stays },
		{ "a return thunk is no other call", test_a_return_thunk_is_no_other_call },
		{ "a thread may stand still", test_a_thread_may_stand_still },
		{ "a page fault is where the thread stands",
		  test_a_page_fault_is_where_the_thread_stands },
		{ "what a broken stack misses is not asked about",
		  test_what_a_broken_stack_misses_is_not_asked_about },
		{ "what hides its caller leaves that open",
		  test_what_hides_its_caller_leaves_that_open },
		{ "what was put in is called", test_what_was_put_in_is_called },
		{ "what was put in is marked", test_what_was_put_in_is_marked },
		{ "what is seen was not put in", test_what_is_seen_was_not_put_in },
		{ "a hidden caller may be another one", test_a_hidden_caller_may_be_another_one },
		{ "what a hidden caller did is not asked about",
		  test_what_a_hidden_caller_did_is_not_asked_about },
		{ "what a signal interrupted stands still",
		  test_what_a_signal_interrupted_stands_still },
		{ "the kernel may repeat a system call", test_the_kernel_may_repeat_a_system_call },
		{ "a tail call leaves the caller where it is",
		  test_a_tail_call_leaves_the_caller_where_it_is },
		{ "a sample may be taken on the way into a system call",
		  test_a_sample_may_be_taken_on_the_way_into_a_system_call },
		{ "the way out of a system call is not the way in",
		  test_the_way_out_of_a_system_call_is_not_the_way_in },
		{ "the way in is not the way out of the last call",
		  test_the_way_in_is_not_the_way_out_of_the_last_call },
		{ "what may be the way in or out counts for neither",
		  test_what_may_be_the_way_in_or_out_counts_for_neither },
		{ "an event that is there twice counts once",
		  test_an_event_that_is_there_twice_counts_once },
		{ "a signal handler leaves what it interrupted where it was",
		  test_a_signal_handler_leaves_what_it_interrupted_where_it_was },
		{ "another system call has not come back yet",
		  test_another_system_call_has_not_come_back_yet },
		{ "after a loss nothing is asked", test_after_a_loss_nothing_is_asked },
		{ "without code call sites decide", test_without_code_call_sites_decide },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *path = g_strconcat("/flow/", tests[i].name, NULL);

		g_test_add(path, struct fixture, NULL, set_up, tests[i].test, tear_down);
	}
	return g_test_run();
}
