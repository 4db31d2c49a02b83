/* SPDX-License-Identifier: MIT */
/* Algorithm 2 and the rules beyond it, on traces short enough to work out by hand. */
#include "common/error.h"
#include "common/infer/match.h"
#include "tests/unit/support.h"

struct fixture {
	struct test_run run;
};

static void set_up(struct fixture *fixture, gconstpointer continuity)
{
	test_run_init(&fixture->run, GPOINTER_TO_INT(continuity), ITP_ESTIMATE_CONSERVATIVE, NULL);
}

static void tear_down(struct fixture *fixture, gconstpointer continuity)
{
	(void)continuity;
	test_run_release(&fixture->run, NULL);
}

static void assert_instances(struct fixture *fixture, const char *wanted)
{
	g_autofree char *got = NULL;

	itp_infer_finish(fixture->run.infer);
	got = test_instances(&fixture->run);
	g_assert_cmpstr(got, ==, wanted);
}

static const struct itp_instance *instance_of(const struct fixture *fixture, const char *path)
{
	for (guint i = 0; i < fixture->run.instances->len; i++) {
		const struct itp_instance *instance =
			&g_array_index(fixture->run.instances, struct itp_instance, i);
		g_autofree char *name = test_path(&fixture->run, instance->node);

		if (g_str_equal(name, path)) {
			return instance;
		}
	}
	g_error("no instance of %s", path);
}

/* Figure 3: A B D at t1 and t2, A C D at t3, A C at t4; t1..t4 = 10, 20, 30, 40. */
static void test_figure_3(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B D");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A B D");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A C D");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 40, 1, "A C");
	assert_instances(fixture, "p A B D 10 10 20\n"
				  "p A B 10 10 20\n"
				  "p A C D 30 0 10\n"
				  "p A C 30 10 10\n"
				  "p A 10 30 30\n"
				  "p 10 30 30\n");
}

/* Table 1, column R: (begin, last seen, function) of every register. */
static void assert_registers(const struct itp_open_stack *stack, const int64_t (*wanted)[2],
			     const uint32_t *functions, guint count)
{
	g_assert_cmpuint(stack->frames->len, ==, count + 1);
	for (guint d = 0; d < count; d++) {
		const struct itp_open_frame *open = itp_open_stack_frame(stack, d + 1);

		g_assert_cmpint(open->begin.time_ns, ==, wanted[d][0]);
		g_assert_cmpint(stack->seen.time_ns, ==, wanted[d][1]);
		g_assert_cmpuint(open->frame.function, ==, functions[d]);
	}
}

static void ignore_instance(const struct itp_instance *instance, void *data)
{
	(void)instance;
	(void)data;
}

static void show(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		 const uint32_t *functions, guint count, int64_t time_ns)
{
	const struct itp_moment now = { .time_ns = time_ns };
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	struct itp_frame frame = { .function = 9 };
	struct itp_transition transition = { 0 };

	g_array_append_val(frames, frame);
	for (guint i = 0; i < count; i++) {
		frame.function = functions[i];
		g_array_append_val(frames, frame);
	}
	transition.keep = itp_open_stack_prefix(stack, rules, frames);
	transition.sure = transition.keep;
	itp_open_stack_replace(stack, rules, frames, &transition, &now);
}

static void test_table_1(void)
{
	enum {
		A = 1,
		B,
		C,
		D
	};
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_context_tree *tree = itp_context_tree_new();
	const struct itp_continuity_rules rules = {
		.continuity = ITP_CONTINUITY_FUNCTION,
		.tree = tree,
		.max_contexts = ITP_MAX_CONTEXTS,
		.gap = itp_gap_new(),
		.strata = itp_strata_new(functions, tree),
		.nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.counted = g_array_new(FALSE, TRUE, sizeof(bool)),
		.on_instance = ignore_instance,
	};
	const struct itp_moment start = { .time_ns = 1 };
	struct itp_open_stack stack;

	itp_open_stack_init(&stack, 1, 1);
	itp_open_stack_begin(&stack, &rules, 9, &start, true);
	show(&stack, &rules, (uint32_t[]){ A, B, D }, 3, 1);
	assert_registers(&stack, (int64_t[][2]){ { 1, 1 }, { 1, 1 }, { 1, 1 } },
			 (uint32_t[]){ A, B, D }, 3);
	show(&stack, &rules, (uint32_t[]){ A, B, D }, 3, 2);
	assert_registers(&stack, (int64_t[][2]){ { 1, 2 }, { 1, 2 }, { 1, 2 } },
			 (uint32_t[]){ A, B, D }, 3);
	show(&stack, &rules, (uint32_t[]){ A, C, D }, 3, 3);
	assert_registers(&stack, (int64_t[][2]){ { 1, 3 }, { 3, 3 }, { 3, 3 } },
			 (uint32_t[]){ A, C, D }, 3);
	show(&stack, &rules, (uint32_t[]){ A, C }, 2, 4);
	assert_registers(&stack, (int64_t[][2]){ { 1, 4 }, { 3, 4 } }, (uint32_t[]){ A, C }, 2);
	itp_open_stack_release(&stack);
	itp_gap_free(rules.gap);
	itp_strata_free(rules.strata);
	g_array_free(rules.nodes, TRUE);
	g_array_free(rules.counted, TRUE);
	itp_context_tree_free(tree);
	itp_function_table_free(functions);
}

static void test_function_rule_ignores_call_sites(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A@1 B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A@2 B");
	assert_instances(fixture, "p A B 10 10 10\np A 10 10 10\np 10 10 10\n");
}

static void test_another_call_site_is_another_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A@1 B@5 C@7");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A@1 B@6 C@7");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A@2 B@6 C@7");
	assert_instances(fixture, "p A B C 10 0 10\n"
				  "p A B C 20 0 10\n"
				  "p A B 10 10 20\n"
				  "p A B C 30 0 0\n"
				  "p A B 30 0 0\n"
				  "p A 10 20 20\n"
				  "p 10 20 20\n");
}

static void test_bounds_reach_from_absent_to_gone(struct fixture *fixture, gconstpointer data)
{
	const struct itp_instance *instance;

	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 35, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 50, 1, "A");
	instance = instance_of(fixture, "p A B");
	/* Without code it may be two calls. */
	g_assert_cmpint(instance->lower_ns, ==, 0);
	g_assert_cmpuint(instance->max_calls, ==, 2);
	g_assert_cmpint(instance->conservative_ns, ==, 15);
	g_assert_cmpint(instance->aggressive_ns, ==, 30);
	g_assert_cmpint(instance->upper_ns, ==, 40);
	g_assert_cmpuint(instance->flags, ==, 0);
}

static void assert_best(const struct fixture *fixture, const char *path, int64_t begin_ns,
			int64_t best_ns)
{
	const struct itp_instance *instance = instance_of(fixture, path);

	g_assert_cmpint(instance->best_begin_ns, ==, begin_ns);
	g_assert_cmpint(instance->best_ns, ==, best_ns);
}

/* Between 20 and 60 D and C return and E and F are called: at 28, 36, 44 and 52. */
static void test_the_best_estimate_spreads_changes_over_the_gap(struct fixture *fixture,
								gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A C D");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A C D");
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 60, 1, "A E F", 1);
	itp_infer_finish(fixture->run.infer);
	assert_best(fixture, "p A C D", 10, 18);
	assert_best(fixture, "p A C", 10, 26);
	assert_best(fixture, "p A E", 44, 16);
	assert_best(fixture, "p A E F", 52, 8);
	assert_best(fixture, "p A", 10, 50);
}

/* Between 20 and 76, D, C, A, E and F are innermost, in that order. D has been seen so twice, and
 * in one gap: it gets (2 + 1) / (1 + 1) parts where the others get one. */
static void test_the_best_estimate_knows_where_time_is_spent(struct fixture *fixture,
							     gconstpointer data)
{
	(void)data;
	test_push_argument(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A C D", 1);
	test_push_argument(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A C D", 1);
	test_push_argument(&fixture->run, ITP_EVENT_SAMPLE, 76, 1, "A E F", 1);
	itp_infer_finish(fixture->run.infer);
	assert_best(fixture, "p A C D", 10, 10 + 15);
	assert_best(fixture, "p A C", 10, 10 + 25);
	assert_best(fixture, "p A E", 20 + 35, 21);
	assert_best(fixture, "p A E F", 20 + 45, 11);
	assert_best(fixture, "p A", 10, 66);
}

/* What makes a system call begins and ends with it: only the others are spread over 20 to 50. From
 * one call to the next it then takes the tracer up to 30, which are less of 70 to 130. */
static void test_the_best_estimate_knows_what_makes_system_calls(struct fixture *fixture,
								 gconstpointer data)
{
	(void)data;
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A B read", 7);
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_EXIT, 20, 1, "A B read", 7);
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 50, 1, "A C write", 8);
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_EXIT, 70, 1, "A C write", 8);
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 130, 1, "A D send", 9);
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_EXIT, 140, 1, "A D send", 9);
	itp_infer_finish(fixture->run.infer);
	assert_best(fixture, "p A D", 120, 20);
	assert_best(fixture, "p A B read", 10, 10);
	assert_best(fixture, "p A B", 10, 20);
	/* Until 100 the tracer is at work; the call that was made returns then, its caller at 110.
	 */
	assert_best(fixture, "p A C", 40, 70);
	assert_best(fixture, "p A C write", 50, 50);
	assert_best(fixture, "p A C write syscall:8", 50, 20);
}

static void test_what_is_there_first_and_last_has_unknown_ends(struct fixture *fixture,
							       gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(instance_of(fixture, "p A")->flags, ==,
			 ITP_INSTANCE_BEGIN_UNKNOWN | ITP_INSTANCE_END_UNKNOWN);
	g_assert_cmpuint(instance_of(fixture, "p A B")->flags, ==, ITP_INSTANCE_END_UNKNOWN);
}

#define ENTRY "k:entry_SYSCALL_64_after_hwframe k:do_syscall_64 "

static void test_a_system_call_is_an_exact_frame(struct fixture *fixture, gconstpointer data)
{
	const struct itp_instance *call;

	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 5, 1, "A");
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 10, 1,
			   "A read " ENTRY "k:syscall_trace_enter", 7);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A read " ENTRY "k:ksys_read");
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_EXIT, 33, 1,
			   "A read " ENTRY "k:syscall_exit_work", 7);
	call = instance_of(fixture, "p A read syscall:7");
	g_assert_cmpint(call->lower_ns, ==, 23);
	g_assert_cmpint(call->upper_ns, ==, 23);
	g_assert_cmpuint(call->flags, ==, ITP_INSTANCE_EXACT | ITP_INSTANCE_COUNTED);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 40, 1, "A");
	assert_instances(fixture, "p A read syscall:7 ksys_read 20 0 13\n"
				  "p A read syscall:7 10 23 23\n"
				  "p A read 10 23 30\n"
				  "p A 5 35 35\n"
				  "p 5 35 35\n");
}

static void test_the_same_call_twice_is_two_calls(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	for (int64_t t = 10; t < 50; t += 20) {
		test_push(&fixture->run, ITP_EVENT_SYSCALL_ENTER, t, 1, "A read " ENTRY);
		test_push(&fixture->run, ITP_EVENT_SYSCALL_EXIT, t + 10, 1, "A read " ENTRY);
	}
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p A read syscall:0")->count, ==, 2);
	g_assert_cmpuint(test_stats(&fixture->run, "p A read")->count, ==, 1);
}

static void test_a_call_whose_exit_was_missed_ends_when_user_code_shows(struct fixture *fixture,
									gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A read " ENTRY);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	assert_instances(fixture, "p A read syscall:0 10 0 10\n"
				  "p A read 10 0 10\n"
				  "p A B 20 0 0\n"
				  "p A 10 10 10\n"
				  "p 10 10 10\n");
}

static void test_a_call_whose_exit_was_missed_is_not_the_next_one(struct fixture *fixture,
								  gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A read " ENTRY);
	test_push(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 20, 1, "A read " ENTRY);
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p A read syscall:0")->count, ==, 2);
}

static void test_a_call_whose_entry_was_missed_is_named_by_the_kernel(struct fixture *fixture,
								      gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A read " ENTRY "k:__x64_sys_read");
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p A read syscall:read __x64_sys_read")->count,
			 ==, 1);
}

static void test_interrupts_are_not_callees(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1,
		  "A B k:asm_sysvec_apic_timer_interrupt k:handle_softirqs k:net_rx_action");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A");
	assert_instances(fixture, "p A B 10 10 20\np A 10 20 20\np 10 20 20\n");
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->interrupted_stacks, ==, 1);
}

static void test_the_tracer_is_cut_off(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1,
		  "A k:asm_exc_page_fault k:handle_fault k:perf_trace_x k:perf_tp_event k:memcpy");
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p A asm_exc_page_fault handle_fault")->count,
			 ==, 1);
	g_assert_cmpuint(itp_context_tree_size(fixture->run.tree), ==, 5);
}

/* Ticks find it there as they find the tracer elsewhere; the program's wait is another. */
static void test_what_the_tracer_waits_for_is_its_own(struct fixture *fixture, gconstpointer data)
{
	const struct itp_node_stats *stats;

	(void)data;
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "main@1 clone@1", 7);
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 20, 1,
			   "main@1 clone@1 k:do_syscall_64 k:__x64_sys_clone@1 k:copy_process@1 "
			   "k:perf_event_init_task@1 k:perf_trace_init@1 k:schedule@1",
			   1);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 100, 1, "");
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 110, 1,
			   "main@1 clone@1 k:do_syscall_64 k:__x64_sys_clone@1 k:schedule@2", 1);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 140, 1, "");
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_EXIT, 150, 1, "main@1 clone@1", 7);
	itp_infer_finish(fixture->run.infer);
	stats = test_stats(&fixture->run,
			   "p main clone syscall:7 __x64_sys_clone copy_process [recorder]");
	g_assert_cmpint(stats->own_use.blocked_ns, ==, 80);
	stats = test_stats(&fixture->run, "p main clone syscall:7 __x64_sys_clone schedule");
	g_assert_cmpint(stats->own_use.blocked_ns, ==, 30);
}

static void test_lttng_is_cut_off(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1,
		  "A k:asm_exc_page_fault k:handle_fault k:__event_probe__x86_exceptions_class "
		  "k:lttng_callstack_get_size");
	test_push(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 20, 1,
		  "B k:syscall_entry_event_probe k:lttng_event_reserve");
	test_push(&fixture->run, ITP_EVENT_SYSCALL_EXIT, 30, 1,
		  "B k:syscall_exit_event_probe k:lttng_event_reserve");
	itp_infer_finish(fixture->run.infer);
	/* The tree's own root, the process, A and its two, B and its system call. */
	g_assert_cmpuint(itp_context_tree_size(fixture->run.tree), ==, 7);
}

static void test_page_faults_are_callees(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A k:asm_exc_page_fault k:handle_fault");
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p A asm_exc_page_fault handle_fault")->count,
			 ==, 1);
}

/* 10 off the CPU blocked, 30 woken, 35 on the CPU again. */
static void test_time_is_split_by_switches_and_wakeups(struct fixture *fixture, gconstpointer data)
{
	const struct itp_instance *instance;

	(void)data;
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 0, 1, "");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 4, 1, "A");
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 10, 1, "A B", 1);
	test_push_argument(&fixture->run, ITP_EVENT_WAKEUP, 30, 1, "", 2);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 35, 1, "");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 40, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 41, 1, "A");
	instance = instance_of(fixture, "p A B");
	g_assert_cmpint(instance->conservative_ns, ==, 30);
	g_assert_cmpint(instance->use.blocked_ns, ==, 20);
	g_assert_cmpint(instance->use.runnable_ns, ==, 5);
	g_assert_cmpint(instance->use.cpu_ns, ==, 5);
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpint(test_stats(&fixture->run, "p A")->use.cpu_ns, ==, 12);
	g_assert_cmpint(test_stats(&fixture->run, "p A")->own_use.cpu_ns, ==, 7);
	g_assert_cmpint(test_stats(&fixture->run, "p A")->own_use.blocked_ns, ==, 0);
}

static void test_a_thread_off_the_cpu_stands_where_it_was(struct fixture *fixture,
							  gconstpointer data)
{
	(void)data;
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 10, 1, "A B", 1);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 90, 1, "");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 100, 1, "A");
	assert_instances(fixture, "p A B 10 80 90\np A 10 90 90\np 10 90 90\n");
}

/* Thread 2 begins at 20 and gets a CPU at 50. */
static void test_a_new_thread_waits_for_a_cpu(struct fixture *fixture, gconstpointer data)
{
	const struct itp_node_stats *process;

	(void)data;
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 10, 1, "main", 1);
	test_push(&fixture->run, ITP_EVENT_START, 20, 2, "");
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 50, 2, "");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 60, 2, "work");
	test_push(&fixture->run, ITP_EVENT_END, 70, 2, "");
	itp_infer_finish(fixture->run.infer);
	process = test_stats(&fixture->run, "p");
	g_assert_cmpint(process->use.runnable_ns, ==, 30);
	g_assert_cmpint(process->use.cpu_ns, ==, 20);
}

static void test_without_switches_the_use_of_time_is_unknown(struct fixture *fixture,
							     gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A");
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpint(test_stats(&fixture->run, "p A")->use.cpu_ns, ==, 0);
}

static void test_a_wakeup_shows_the_wakers_stack(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 2, "X");
	test_push_argument(&fixture->run, ITP_EVENT_WAKEUP, 20, 1, "X Y", 2);
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p X Y")->count, ==, 1);
	g_assert_cmpuint(test_stats(&fixture->run, "p A")->count, ==, 1);
}

/* The root of all, p, A and B are as many contexts as there may be. */
static void test_too_many_contexts_count_as_their_callers(struct fixture *fixture,
							  gconstpointer data)
{
	test_run_set_limit(&fixture->run, (enum itp_continuity)GPOINTER_TO_INT(data), 4);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A B C A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A B C A D");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 40, 1, "A C");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 50, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 60, 1, "A");
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->unfollowed_stacks, ==, 3);
	assert_instances(fixture, "p A B 10 20 30\n"
				  "p A B 50 0 10\n"
				  "p A 10 50 50\n"
				  "p 10 50 50\n");
	g_assert_cmpuint(itp_context_tree_size(fixture->run.tree), ==, 4);
	g_assert_cmpint(test_stats(&fixture->run, "p A B")->own_ns, ==, 20);
	g_assert_cmpint(test_stats(&fixture->run, "p A")->own_ns, ==, 30);
	g_assert_cmpint(test_stats(&fixture->run, "p")->own_ns, ==, 0);
}

static void test_too_many_entered_functions_count_as_their_callers(struct fixture *fixture,
								   gconstpointer data)
{
	(void)data;
	test_run_set_limit(&fixture->run, ITP_CONTINUITY_CONTROL_FLOW, 3);
	test_push(&fixture->run, ITP_EVENT_FUNCTION_ENTRY, 10, 1, "A");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_ENTRY, 20, 1, "B");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_ENTRY, 30, 1, "A");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_EXIT, 40, 1, "A");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_EXIT, 50, 1, "B");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_EXIT, 60, 1, "A");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_ENTRY, 70, 1, "A");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_EXIT, 80, 1, "A");
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->unfollowed_stacks, ==, 2);
	assert_instances(fixture, "p A 10 50 50\n"
				  "p A 70 10 10\n"
				  "p 10 70 70\n");
}

/* Processes have their context all the same, and what they lose. */
static void test_too_many_processes_are_told_apart(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_run_set_limit(&fixture->run, ITP_CONTINUITY_CONTROL_FLOW, 1);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push_argument(&fixture->run, ITP_EVENT_LOSS, 20, 1, "", 5);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	assert_instances(fixture, "p [lost] 20 0 10\n"
				  "p 10 20 20\n");
}

static void test_broken_stacks_are_matched_by_their_suffix(struct fixture *fixture,
							   gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push_incomplete(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "B C D", 0);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A B C");
	assert_instances(fixture, "p A B C D 20 0 10\n"
				  "p A B C 10 20 20\n"
				  "p A B 10 20 20\n"
				  "p A 10 20 20\n"
				  "p 10 20 20\n");
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->broken_stacks, ==, 1);
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->deep_stacks, ==, 0);
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->unwind_failures, ==, 0);
}

static void test_stacks_are_counted_by_their_end_and_how_they_were_found(struct fixture *fixture,
									 gconstpointer data)
{
	static const enum itp_stack_end ends[] = { ITP_STACK_END_ROOT, ITP_STACK_END_DEPTH,
						   ITP_STACK_END_DEPTH, ITP_STACK_END_UNWIND,
						   ITP_STACK_END_UNKNOWN };
	const struct itp_infer_counts *counts = itp_infer_counts(fixture->run.infer);
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));

	(void)data;
	test_frames(fixture->run.functions, "m f", frames);
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		const struct itp_stack_event event = {
			.kind = ITP_EVENT_SAMPLE,
			.time_ns = 10 + (int64_t)i,
			.pid = 1,
			.tid = 1,
			.comm = "p",
			.frames = (const struct itp_frame *)(void *)frames->data,
			.frame_count = frames->len,
			.complete = ends[i] == ITP_STACK_END_ROOT,
			.end = ends[i],
			.found_by = i < 3 ? ITP_FOUND_BY_RULE : ITP_FOUND_BY_FRAME_POINTER,
		};

		g_assert_cmpint(itp_infer_push(fixture->run.infer, &event), ==, 0);
	}
	g_assert_cmpuint(counts->broken_stacks, ==, 4);
	g_assert_cmpuint(counts->deep_stacks, ==, 2);
	g_assert_cmpuint(counts->unwind_failures, ==, 1);
	g_assert_cmpuint(counts->found_by[ITP_FOUND_BY_RULE], ==, 3);
	g_assert_cmpuint(counts->found_by[ITP_FOUND_BY_FRAME_POINTER], ==, 2);
}

static void test_the_function_rule_takes_broken_stacks_as_they_are(struct fixture *fixture,
								   gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push_incomplete(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "B", 0);
	assert_instances(fixture, "p A B 10 0 10\n"
				  "p A 10 0 10\n"
				  "p B 20 0 0\n"
				  "p 10 10 10\n");
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->broken_stacks, ==, 1);
}

static void test_broken_stacks_in_recursion_end_as_little_as_possible(struct fixture *fixture,
								      gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B C B C");
	test_push_incomplete(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "B C D", 0);
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p A B C B C D")->count, ==, 1);
}

static void test_broken_stacks_that_fit_nowhere_are_skipped(struct fixture *fixture,
							    gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push_incomplete(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "X Y", 0);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	assert_instances(fixture, "p A B 10 20 20\np A 10 20 20\np 10 20 20\n");
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->broken_stacks, ==, 1);
}

static void test_a_function_seen_below_another_is_no_root(struct fixture *fixture,
							  gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A X");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "C D");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 40, 1, "A X");
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p A")->count, ==, 1);
	g_assert_cmpint(test_stats(&fixture->run, "p A X")->total_ns, ==, 20);
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->broken_stacks, ==, 1);
}

static void test_a_lone_frame_does_not_end_a_deep_stack(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "write");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	assert_instances(fixture, "p A B 10 20 20\np A 10 20 20\np 10 20 20\n");
}

/* A program without frame pointers: hardly a stack reaches further than the C library. */
static void test_where_most_stacks_are_broken_each_counts_as_it_is(struct fixture *fixture,
								   gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	for (int64_t t = 20; t < 100; t += 10) {
		test_push(&fixture->run, ITP_EVENT_SAMPLE, t, 1, "stat");
	}
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 100, 1, "A B");
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpint(test_stats(&fixture->run, "p stat")->total_ns, ==, 60);
	g_assert_cmpuint(test_stats(&fixture->run, "p A")->count, ==, 2);
	g_assert_cmpint(test_stats(&fixture->run, "p A")->total_ns, ==, 0);
}

static void test_a_broken_stack_ends_what_made_the_last_system_call(struct fixture *fixture,
								    gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A close " ENTRY);
	test_push(&fixture->run, ITP_EVENT_SYSCALL_EXIT, 12, 1, "A close " ENTRY);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 50, 1, "sleep");
	test_push(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 90, 1, "A close " ENTRY);
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(test_stats(&fixture->run, "p A close")->count, ==, 2);
	g_assert_cmpint(test_stats(&fixture->run, "p A close")->total_ns, ==, 2);
	g_assert_cmpint(test_stats(&fixture->run, "p A")->total_ns, ==, 80);
}

static void test_a_burst_of_broken_stacks_ends_nothing(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	for (int64_t t = 10; t < 30; t++) {
		test_push(&fixture->run, ITP_EVENT_SAMPLE, t, 1, "A B");
	}
	for (int64_t t = 30; t < 40; t++) {
		test_push(&fixture->run, ITP_EVENT_SAMPLE, t, 1, "stat");
	}
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 50, 1, "A B");
	assert_instances(fixture, "p A B 10 40 40\np A 10 40 40\np 10 40 40\n");
}

static void test_loss_ends_what_is_open_and_is_not_averaged_in(struct fixture *fixture,
							       gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	test_push_argument(&fixture->run, ITP_EVENT_LOSS, 25, -1, "", 12);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 37, 1, "A B");
	itp_infer_finish(fixture->run.infer);
	g_assert_cmpuint(instance_of(fixture, "p A B")->flags & ITP_INSTANCE_LOST, !=, 0);
	g_assert_cmpuint(test_stats(&fixture->run, "p A B")->count, ==, 1);
	g_assert_cmpint(test_stats(&fixture->run, "p A B")->max_ns, ==, 7);
	/* Its time is the thread's all the same. */
	g_assert_cmpint(test_stats(&fixture->run, "p A B")->total_ns, ==, 10 + 7);
	g_assert_cmpuint(test_stats(&fixture->run, "p A B")->lost_count, ==, 1);
	g_assert_cmpuint(itp_infer_counts(fixture->run.infer)->lost_events, ==, 12);
}

/* From 10 to 60 the thread makes no system call; four ticks of nine find X, of which nothing says
 * who called it: it is what the caller of the innermost function calls. */
static void test_a_tick_that_fits_nowhere_counts_for_what_it_shows(struct fixture *fixture,
								   gconstpointer data)
{
	(void)data;
	test_run_release(&fixture->run, NULL);
	test_run_init(&fixture->run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 0, 1, "");
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_EXIT, 10, 1, "A B", 7);
	for (int64_t t = 15; t < 60; t += 5) {
		if (t % 10 == 0) {
			test_push_incomplete(&fixture->run, ITP_EVENT_SAMPLE, t, 1, "X", 1);
		} else {
			test_push_argument(&fixture->run, ITP_EVENT_SAMPLE, t, 1, "A B", 1);
		}
	}
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_ENTER, 60, 1, "A B", 7);
	itp_infer_finish(fixture->run.infer);
	test_tell_shares(&fixture->run);
	/* 50 ns; the five other ticks, and the half that is the prior's, are B's. */
	g_assert_cmpint(test_stats(&fixture->run, "p A X")->own_use.cpu_ns, ==, 21);
	g_assert_cmpuint(test_stats(&fixture->run, "p A X")->samples, ==, 4);
	g_assert_cmpuint(test_stats(&fixture->run, "p A X")->count, ==, 0);
	g_assert_cmpint(test_stats(&fixture->run, "p A B")->own_use.cpu_ns, ==, 29);
	g_assert_cmpint(test_stats(&fixture->run, "p A")->use.cpu_ns, ==, 50);
}

static void test_two_threads_never_mix(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 12, 2, "A C");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 22, 2, "A C");
	assert_instances(fixture, "p A B 10 10 12\np A 10 10 12\np 10 10 12\n"
				  "p A C 12 10 10\np A 12 10 10\np 12 10 10\n");
}

static void test_exec_and_exit_close_everything(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push_argument(&fixture->run, ITP_EVENT_START, 5, 1, "", 99);
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_EXEC, 20, 1, "");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_END, 40, 1, "");
	assert_instances(fixture, "p A B 10 0 10\np A 10 0 10\np 5 15 15\n"
				  "p A B 30 0 10\np A 30 0 10\np 20 20 20\n");
	g_assert_cmpuint(instance_of(fixture, "p A B")->flags, ==, 0);
	g_assert_cmpint(instance_of(fixture, "p A B")->upper_ns, ==, 15);
}

static void test_function_entries_and_exits_are_exact(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, ITP_EVENT_FUNCTION_ENTRY, 10, 1, "A");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_ENTRY, 20, 1, "B");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_EXIT, 30, 1, "B");
	test_push(&fixture->run, ITP_EVENT_FUNCTION_EXIT, 50, 1, "A");
	g_assert_cmpuint(instance_of(fixture, "p A")->flags, ==,
			 ITP_INSTANCE_EXACT | ITP_INSTANCE_COUNTED);
	g_assert_cmpint(instance_of(fixture, "p A")->upper_ns, ==, 40);
	g_assert_cmpint(instance_of(fixture, "p A B")->lower_ns, ==, 10);
}

static void test_events_out_of_order_are_refused(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A"), ==, 0);
	g_assert_cmpint(test_push(&fixture->run, ITP_EVENT_SAMPLE, 9, 1, "A"), ==,
			ITP_ERROR_TIME_ORDER);
}

static void test_unknown_functions_are_refused(struct fixture *fixture, gconstpointer data)
{
	const struct itp_frame frame = { .function = 1000 };
	const struct itp_stack_event event = {
		.kind = ITP_EVENT_SAMPLE, .comm = "p", .frames = &frame, .frame_count = 1
	};

	(void)data;
	g_assert_cmpint(itp_infer_push(fixture->run.infer, &event), ==, ITP_ERROR_UNKNOWN_ID);
}

typedef void (*test_func)(struct fixture *fixture, gconstpointer data);

static void add(const char *name, enum itp_continuity continuity, test_func test)
{
	g_autofree char *path = g_strconcat("/infer/", name, NULL);

	g_test_add(path, struct fixture, GINT_TO_POINTER(continuity), set_up, test, tear_down);
}

static void append_open(const struct itp_instance *instance, void *data)
{
	GString *text = data;

	g_string_append_printf(text, "%u %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT "\n",
			       instance->depth, instance->begin_ns, instance->best_ns);
	g_assert_cmpuint(instance->flags & ITP_INSTANCE_END_UNKNOWN, !=, 0);
}

static void assert_open(const struct test_run *run, int64_t time_ns, const char *wanted)
{
	g_autoptr(GString) text = g_string_new(NULL);

	itp_infer_show_open(run->infer, time_ns, append_open, text);
	g_assert_cmpstr(text->str, ==, wanted);
}

static void test_what_is_open_is_known_as_far_as_it_was_seen(void)
{
	struct test_run run;

	test_run_init(&run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
	test_push(&run, ITP_EVENT_SAMPLE, 10, 1, "main work");
	test_push(&run, ITP_EVENT_SAMPLE, 20, 1, "main work");
	assert_open(&run, 50, "2 10+10\n1 10+10\n0 10+10\n");
	/* Off the CPU it stays where it is. */
	test_push_argument(&run, ITP_EVENT_SWITCH_OUT, 60, 1, "main work", 1);
	assert_open(&run, 90, "2 10+80\n1 10+80\n0 10+80\n");
	assert_open(&run, 100, "2 10+90\n1 10+90\n0 10+90\n");
	g_assert_cmpuint(run.instances->len, ==, 0);
	test_run_release(&run, NULL);
}

static void test_an_entered_function_is_open_until_it_is_left(void)
{
	struct test_run run;

	test_run_init(&run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
	test_push(&run, ITP_EVENT_FUNCTION_ENTRY, 10, 1, "main");
	test_push(&run, ITP_EVENT_FUNCTION_ENTRY, 20, 1, "work");
	assert_open(&run, 50, "2 20+30\n1 10+40\n0 10+40\n");
	test_push(&run, ITP_EVENT_FUNCTION_EXIT, 60, 1, "work");
	assert_open(&run, 70, "1 10+60\n0 10+60\n");
	test_run_release(&run, NULL);
}

int main(int argc, char **argv)
{
	const struct {
		const char *name;
		test_func test;
	} by_rules[] = {
		{ "another call site is another call", test_another_call_site_is_another_call },
		{ "bounds reach from absent to gone", test_bounds_reach_from_absent_to_gone },
		{ "the best estimate spreads changes over the gap",
		  test_the_best_estimate_spreads_changes_over_the_gap },
		{ "the best estimate knows where time is spent",
		  test_the_best_estimate_knows_where_time_is_spent },
		{ "the best estimate knows what makes system calls",
		  test_the_best_estimate_knows_what_makes_system_calls },
		{ "what is there first and last has unknown ends",
		  test_what_is_there_first_and_last_has_unknown_ends },
		{ "a system call is an exact frame", test_a_system_call_is_an_exact_frame },
		{ "the same call twice is two calls", test_the_same_call_twice_is_two_calls },
		{ "a call whose exit was missed ends when user code shows",
		  test_a_call_whose_exit_was_missed_ends_when_user_code_shows },
		{ "a call whose exit was missed is not the next one",
		  test_a_call_whose_exit_was_missed_is_not_the_next_one },
		{ "a call whose entry was missed is named by the kernel",
		  test_a_call_whose_entry_was_missed_is_named_by_the_kernel },
		{ "interrupts are not callees", test_interrupts_are_not_callees },
		{ "the tracer is cut off", test_the_tracer_is_cut_off },
		{ "what the tracer waits for is its own",
		  test_what_the_tracer_waits_for_is_its_own },
		{ "LTTng is cut off", test_lttng_is_cut_off },
		{ "page faults are callees", test_page_faults_are_callees },
		{ "time is split by switches and wakeups",
		  test_time_is_split_by_switches_and_wakeups },
		{ "a thread off the CPU stands where it was",
		  test_a_thread_off_the_cpu_stands_where_it_was },
		{ "a new thread waits for a CPU", test_a_new_thread_waits_for_a_cpu },
		{ "without switches the use of time is unknown",
		  test_without_switches_the_use_of_time_is_unknown },
		{ "a wakeup shows the waker's stack", test_a_wakeup_shows_the_wakers_stack },
		{ "broken stacks are matched by their suffix",
		  test_broken_stacks_are_matched_by_their_suffix },
		{ "too many contexts count as their callers",
		  test_too_many_contexts_count_as_their_callers },
		{ "too many entered functions count as their callers",
		  test_too_many_entered_functions_count_as_their_callers },
		{ "too many processes are told apart", test_too_many_processes_are_told_apart },
		{ "stacks are counted by their end and by how they were found",
		  test_stacks_are_counted_by_their_end_and_how_they_were_found },
		{ "broken stacks in recursion end as little as possible",
		  test_broken_stacks_in_recursion_end_as_little_as_possible },
		{ "broken stacks that fit nowhere are skipped",
		  test_broken_stacks_that_fit_nowhere_are_skipped },
		{ "a function seen below another is no root",
		  test_a_function_seen_below_another_is_no_root },
		{ "a lone frame does not end a deep stack",
		  test_a_lone_frame_does_not_end_a_deep_stack },
		{ "where most stacks are broken each counts as it is",
		  test_where_most_stacks_are_broken_each_counts_as_it_is },
		{ "a broken stack ends what made the last system call",
		  test_a_broken_stack_ends_what_made_the_last_system_call },
		{ "a burst of broken stacks ends nothing",
		  test_a_burst_of_broken_stacks_ends_nothing },
		{ "loss ends what is open and is not averaged in",
		  test_loss_ends_what_is_open_and_is_not_averaged_in },
		{ "a tick that fits nowhere counts for what it shows",
		  test_a_tick_that_fits_nowhere_counts_for_what_it_shows },
		{ "two threads never mix", test_two_threads_never_mix },
		{ "exec and exit close everything", test_exec_and_exit_close_everything },
		{ "function entries and exits are exact",
		  test_function_entries_and_exits_are_exact },
		{ "events out of order are refused", test_events_out_of_order_are_refused },
		{ "unknown functions are refused", test_unknown_functions_are_refused },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/infer/table 1 of the paper gives its registers", test_table_1);
	add("figure 3 of the paper gives both estimates", ITP_CONTINUITY_FUNCTION, test_figure_3);
	add("the function rule takes broken stacks as they are", ITP_CONTINUITY_FUNCTION,
	    test_the_function_rule_takes_broken_stacks_as_they_are);
	add("the function rule ignores call sites", ITP_CONTINUITY_FUNCTION,
	    test_function_rule_ignores_call_sites);
	for (size_t i = 0; i < G_N_ELEMENTS(by_rules); i++) {
		add(by_rules[i].name, ITP_CONTINUITY_CALL_SITE, by_rules[i].test);
	}
	g_test_add_func("/infer/what is open is known as far as it was seen",
			test_what_is_open_is_known_as_far_as_it_was_seen);
	g_test_add_func("/infer/an entered function is open until it is left",
			test_an_entered_function_is_open_until_it_is_left);
	return g_test_run();
}
