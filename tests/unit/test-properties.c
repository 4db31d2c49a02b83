/* SPDX-License-Identifier: MIT */
/*
 * What must hold for every trace, tried on seeded random ones.
 *
 * A random trace is a few threads that walk up and down a small call graph, make system calls,
 * leave the CPU and come back. The paper's mode is also compared with Algorithm 2 written down
 * line by line.
 */
#include <string.h>

#include "tests/unit/support.h"

#define SEEDS 60
#define THREADS 3
#define MAX_DEPTH 8

/* One event of a random trace. */
struct step {
	enum itp_event_kind kind;
	int64_t time_ns;
	int32_t tid;
	int64_t argument;
	/* The stack misses frames at its root, and is known to. */
	bool is_broken;
	char stack[MAX_DEPTH * 12 + 80];
};

struct walker {
	int calls[MAX_DEPTH];
	int sites[MAX_DEPTH];
	int depth;
	bool in_syscall;
	bool off_cpu;
};

/* Returns from some calls and makes others. */
static void walk(struct walker *walker, GRand *random)
{
	walker->depth = g_rand_int_range(random, 1, walker->depth + 1);
	while (walker->depth < MAX_DEPTH && g_rand_boolean(random)) {
		walker->sites[walker->depth - 1] = g_rand_int_range(random, 1, 3);
		walker->calls[walker->depth++] = g_rand_int_range(random, 1, 5);
	}
}

static void write_stack(const struct walker *walker, char *text, size_t size)
{
	size_t used = 0;

	for (int d = 0; d < walker->depth; d++) {
		used += (size_t)g_snprintf(text + used, size - used, "%sf%d@%d", d ? " " : "",
					   walker->calls[d], walker->sites[d]);
	}
	if (walker->in_syscall) {
		g_snprintf(text + used, size - used,
			   " k:entry_SYSCALL_64 k:do_syscall_64 k:vfs_read");
	}
}

/* What a thread may do next, given its state. */
static enum itp_event_kind next_kind(struct walker *walker, GRand *random)
{
	if (walker->off_cpu) {
		walker->off_cpu = false;
		return ITP_EVENT_SWITCH_IN;
	}
	switch (g_rand_int_range(random, 0, 4)) {
	case 0:
		walker->off_cpu = true;
		return ITP_EVENT_SWITCH_OUT;
	case 1:
		return walker->in_syscall ? ITP_EVENT_SYSCALL_EXIT : ITP_EVENT_SYSCALL_ENTER;
	default:
		return ITP_EVENT_SAMPLE;
	}
}

static struct step next_step(struct walker *walker, GRand *random)
{
	struct step step = { 0 };

	if (!walker->in_syscall && !walker->off_cpu) {
		walk(walker, random);
	}
	step.kind = next_kind(walker, random);
	walker->in_syscall = step.kind == ITP_EVENT_SYSCALL_ENTER ||
			     (walker->in_syscall && step.kind != ITP_EVENT_SYSCALL_EXIT);
	step.argument = step.kind == ITP_EVENT_SWITCH_OUT ? g_rand_int_range(random, 0, 2) : 0;
	if (step.kind != ITP_EVENT_SWITCH_IN) {
		write_stack(walker, step.stack, sizeof(step.stack));
	}
	return step;
}

/* Somebody wakes a thread, perhaps at the very moment at which it leaves the CPU. */
static void append_wakeup(GArray *trace, GRand *random, const struct step *step)
{
	const struct step wakeup = { .kind = ITP_EVENT_WAKEUP,
				     .time_ns = step->time_ns,
				     .tid = g_rand_int_range(random, 1, THREADS + 1) };

	if (g_rand_int_range(random, 0, 8) == 0) {
		g_array_append_val(trace, wakeup);
	}
}

/* Some samples are a timer's; now and then events are lost, or a stack misses its first frame. */
static void append_noise(GArray *trace, GRand *random, struct step *step)
{
	char *second = strchr(step->stack, ' ');

	if (step->kind == ITP_EVENT_SAMPLE) {
		step->argument = g_rand_int_range(random, 0, 2);
	}

	if (second && g_rand_int_range(random, 0, 15) == 0) {
		memmove(step->stack, second + 1, strlen(second));
		step->is_broken = true;
	}
	if (g_rand_int_range(random, 0, 60) == 0) {
		const struct step loss = {
			.kind = ITP_EVENT_LOSS, .time_ns = step->time_ns, .tid = -1, .argument = 3
		};

		g_array_append_val(trace, loss);
	}
}

/* Appends the lives of THREADS threads, from START to END, beginning at *time_ns. */
static void append_lives(GArray *trace, GRand *random, int64_t *time_ns, int steps, bool noisy)
{
	struct walker walkers[THREADS];

	for (int i = 0; i < THREADS; i++) {
		struct step start = { .kind = ITP_EVENT_START, .time_ns = *time_ns, .tid = i + 1 };

		memset(&walkers[i], 0, sizeof(walkers[i]));
		walkers[i].depth = 1;
		walkers[i].calls[0] = 9;
		g_array_append_val(trace, start);
		start.kind = ITP_EVENT_SWITCH_IN;
		g_array_append_val(trace, start);
	}
	for (int i = 0; i < steps; i++) {
		int who = g_rand_int_range(random, 0, THREADS);
		struct step step = next_step(&walkers[who], random);

		*time_ns += g_rand_int_range(random, 1, 3) - (i % 3 == 0);
		step.time_ns = *time_ns;
		step.tid = who + 1;
		if (noisy) {
			append_noise(trace, random, &step);
		}
		g_array_append_val(trace, step);
		append_wakeup(trace, random, &step);
	}
	*time_ns += 5;
	for (int i = 0; i < THREADS; i++) {
		struct step end = { .kind = ITP_EVENT_END, .time_ns = *time_ns, .tid = i + 1 };

		g_array_append_val(trace, end);
	}
}

static GArray *random_trace(guint32 seed, int lives, bool noisy)
{
	GArray *trace = g_array_new(FALSE, FALSE, sizeof(struct step));
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	int64_t time_ns = 1000;

	for (int i = 0; i < lives; i++) {
		append_lives(trace, random, &time_ns, 300, noisy);
		time_ns += 10;
	}
	return trace;
}

static void push_steps(struct test_run *run, const GArray *trace, guint begin, guint end)
{
	for (guint i = begin; i < end; i++) {
		const struct step *step = &g_array_index(trace, struct step, i);

		int error = step->is_broken ?
				    test_push_incomplete(run, step->kind, step->time_ns, step->tid,
							 step->stack, step->argument) :
				    test_push_argument(run, step->kind, step->time_ns, step->tid,
						       step->stack, step->argument);

		g_assert_cmpint(error, ==, 0);
	}
}

static void run_trace(struct test_run *run, enum itp_continuity continuity,
		      enum itp_estimate estimate, const struct test_run *share, const GArray *trace)
{
	test_run_init(run, continuity, estimate, share);
	push_steps(run, trace, 0, trace->len);
	itp_infer_finish(run->infer);
	test_tell_shares(run);
}

static void for_each_seed(void (*check)(guint32 seed, enum itp_continuity continuity))
{
	for (guint32 seed = 1; seed <= SEEDS; seed++) {
		check(seed, ITP_CONTINUITY_FUNCTION);
		check(seed, ITP_CONTINUITY_CALL_SITE);
		check(seed, ITP_CONTINUITY_CONTROL_FLOW);
	}
}

/* That of processes, which is also the sum of own latencies. */
static int64_t observed_ns(const struct test_run *run)
{
	int64_t own_ns = 0;
	int64_t total_ns = 0;

	for (guint node = 1; node < itp_context_tree_size(run->tree); node++) {
		const struct itp_node_stats *stats = itp_profile_peek(run->profile, node);

		g_assert_cmpint(stats->own_ns, >=, 0);
		g_assert_cmpint(stats->own_use.cpu_ns, >=, 0);
		own_ns += stats->own_ns;
		if (itp_context_tree_get(run->tree, node)->depth == 1) {
			total_ns += stats->total_ns;
		}
	}
	g_assert_cmpint(total_ns, >, 0);
	g_assert_cmpint(own_ns, ==, total_ns);
	return total_ns;
}

static void check_own_sum(guint32 seed, enum itp_continuity continuity)
{
	g_autoptr(GArray) trace = random_trace(seed, 2, true);

	for (int estimate = 0; estimate < 3; estimate++) {
		struct test_run run;

		run_trace(&run, continuity, (enum itp_estimate)estimate, NULL, trace);
		observed_ns(&run);
		test_run_release(&run, NULL);
	}
}

static void test_own_latencies_sum_to_the_observed_time(void)
{
	for_each_seed(check_own_sum);
}

/* All of the time, in fewer contexts. */
static void check_limit(guint32 seed, enum itp_continuity continuity)
{
	g_autoptr(GArray) trace = random_trace(seed, 2, true);
	struct test_run whole;
	struct test_run few;

	run_trace(&whole, continuity, ITP_ESTIMATE_BEST, NULL, trace);
	test_run_init(&few, continuity, ITP_ESTIMATE_BEST, NULL);
	test_run_set_limit(&few, continuity, itp_context_tree_size(whole.tree) / 2);
	push_steps(&few, trace, 0, trace->len);
	itp_infer_finish(few.infer);
	test_tell_shares(&few);
	g_assert_cmpint(observed_ns(&few), ==, observed_ns(&whole));
	g_assert_cmpuint(itp_context_tree_size(few.tree), <, itp_context_tree_size(whole.tree));
	g_assert_cmpuint(few.instances->len, <, whole.instances->len);
	g_assert_cmpuint(itp_infer_counts(few.infer)->unfollowed_stacks, >, 0);
	g_assert_cmpuint(itp_infer_counts(whole.infer)->unfollowed_stacks, ==, 0);
	test_run_release(&few, NULL);
	test_run_release(&whole, NULL);
}

static void test_no_time_is_lost_with_too_many_contexts(void)
{
	for_each_seed(check_limit);
}

static void check_estimates(guint32 seed, enum itp_continuity continuity)
{
	g_autoptr(GArray) trace = random_trace(seed, 1, true);
	struct test_run run;

	run_trace(&run, continuity, ITP_ESTIMATE_CONSERVATIVE, NULL, trace);
	for (guint i = 0; i < run.instances->len; i++) {
		const struct itp_instance *instance =
			&g_array_index(run.instances, struct itp_instance, i);
		const struct itp_time_use *use = &instance->use;

		g_assert_cmpint(0, <=, instance->lower_ns);
		g_assert_cmpint(instance->lower_ns, <=, instance->conservative_ns);
		g_assert_cmpint(instance->conservative_ns, <=, instance->aggressive_ns);
		g_assert_cmpint(instance->aggressive_ns, <=, instance->upper_ns);
		g_assert_cmpint(instance->lower_ns, <=, instance->best_ns);
		g_assert_cmpint(instance->best_ns, <=, instance->upper_ns);
		g_assert_cmpint(instance->best_begin_ns, <=, instance->begin_ns);
		g_assert_cmpint(use->cpu_ns, >=, 0);
		g_assert_cmpint(use->blocked_ns, >=, 0);
		g_assert_cmpint(use->runnable_ns, >=, 0);
		g_assert_cmpint(use->cpu_ns + use->blocked_ns + use->runnable_ns, <=,
				instance->conservative_ns);
	}
	test_run_release(&run, NULL);
}

static void test_estimates_lie_in_order_within_the_bounds(void)
{
	for_each_seed(check_estimates);
}

static void assert_equal_profiles(const struct test_run *a, const struct test_run *b)
{
	uint32_t size = MAX(itp_node_table_limit(a->profile->nodes),
			    itp_node_table_limit(b->profile->nodes));

	g_assert_cmpuint(size, >, 10);
	for (uint32_t node = 0; node < size; node++) {
		g_assert_cmpmem(itp_profile_peek(a->profile, node), sizeof(struct itp_node_stats),
				itp_profile_peek(b->profile, node), sizeof(struct itp_node_stats));
	}
}

/* Where no thread lives: behind the last end before the second life. */
static guint quiet_point(const GArray *trace)
{
	guint ends = 0;
	guint i = 0;

	while (ends < THREADS) {
		ends += g_array_index(trace, struct step, i++).kind == ITP_EVENT_END;
	}
	return i;
}

/* Cut where no thread lives: each part is a recording of its own. */
static void check_split(guint32 seed, enum itp_continuity continuity)
{
	g_autoptr(GArray) trace = random_trace(seed, 2, false);
	struct test_run whole;
	struct test_run first;
	struct test_run second;

	run_trace(&whole, continuity, ITP_ESTIMATE_CONSERVATIVE, NULL, trace);
	test_run_init(&first, continuity, ITP_ESTIMATE_CONSERVATIVE, &whole);
	test_run_init(&second, continuity, ITP_ESTIMATE_CONSERVATIVE, &whole);
	push_steps(&first, trace, 0, quiet_point(trace));
	push_steps(&second, trace, quiet_point(trace), trace->len);
	itp_infer_finish(first.infer);
	itp_infer_finish(second.infer);
	itp_profile_merge(second.profile, first.profile);
	assert_equal_profiles(&second, &whole);
	test_run_release(&first, &whole);
	test_run_release(&second, &whole);
	test_run_release(&whole, NULL);
}

static void test_merged_profiles_of_parts_equal_that_of_the_whole(void)
{
	for_each_seed(check_split);
}

static void push_open(const struct itp_instance *instance, void *data)
{
	struct test_run *run = data;

	g_assert_cmpint(itp_normalizer_push_open(run->normalizer, instance), ==, 0);
}

/* Time only goes on, in each period. */
static void assert_possible(const struct itp_profile *profile)
{
	for (uint32_t node = 0; node < itp_node_table_limit(profile->nodes); node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);

		g_assert_cmpint(stats->total_ns, >=, 0);
		g_assert_cmpint(stats->own_ns, >=, 0);
		g_assert_cmpint(stats->own_ns, <=, stats->total_ns);
	}
}

/* Puts the profile of the period that ends at `time_ns` into `sum`. */
static void end_period(struct test_run *run, int64_t time_ns, struct itp_profile *sum)
{
	itp_infer_show_open(run->infer, time_ns, push_open, run);
	test_tell_shares(run);
	assert_possible(run->profile);
	itp_profile_merge(sum, run->profile);
	itp_profile_free(run->profile);
	run->profile = itp_profile_new("test");
	itp_normalizer_set_profile(run->normalizer, run->profile);
}

static void run_periods(struct test_run *run, const GArray *trace, struct itp_profile *sum)
{
	guint begin = 0;

	/* The threads end in the last one. */
	for (guint end = 50; end + THREADS < trace->len; end += 50) {
		push_steps(run, trace, begin, end);
		/* Also where nothing has happened for a while. */
		end_period(run, g_array_index(trace, struct step, end).time_ns, sum);
		begin = end;
	}
	push_steps(run, trace, begin, trace->len);
	itp_infer_finish(run->infer);
	test_tell_shares(run);
	itp_profile_merge(run->profile, sum);
}

static void check_periods(guint32 seed, enum itp_continuity continuity)
{
	g_autoptr(GArray) trace = random_trace(seed, 1, false);

	for (int estimate = 0; estimate < 3; estimate++) {
		struct itp_profile *sum = itp_profile_new("test");
		struct test_run whole;
		struct test_run run;

		run_trace(&whole, continuity, (enum itp_estimate)estimate, NULL, trace);
		test_run_init(&run, continuity, (enum itp_estimate)estimate, &whole);
		run_periods(&run, trace, sum);
		assert_equal_profiles(&run, &whole);
		itp_profile_free(sum);
		test_run_release(&run, &whole);
		test_run_release(&whole, NULL);
	}
}

static void test_profiles_of_periods_add_up_to_that_of_the_whole(void)
{
	for_each_seed(check_periods);
}

/* Whether nobody can tell which of two events at one time came first: they are different
 * threads', or one is somebody else's act on the other's thread. */
static bool is_order_free(const struct step *a, const struct step *b)
{
	return a->time_ns == b->time_ns &&
	       (a->tid != b->tid || a->kind == ITP_EVENT_WAKEUP || b->kind == ITP_EVENT_WAKEUP);
}

/* Swaps neighbours that happen at the same time in different threads. */
static guint swap_equal_times(GArray *trace, GRand *random)
{
	guint swapped = 0;

	for (guint i = 0; i + 1 < trace->len; i++) {
		struct step *step = &g_array_index(trace, struct step, i);

		if (is_order_free(&step[0], &step[1]) && g_rand_boolean(random)) {
			struct step other = step[0];

			step[0] = step[1];
			step[1] = other;
			swapped++;
		}
	}
	return swapped;
}

static void check_order(guint32 seed, enum itp_continuity continuity)
{
	g_autoptr(GArray) trace = random_trace(seed, 2, false);
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	struct test_run before;
	struct test_run after;

	run_trace(&before, continuity, ITP_ESTIMATE_CONSERVATIVE, NULL, trace);
	g_assert_cmpuint(swap_equal_times(trace, random), >, 5);
	run_trace(&after, continuity, ITP_ESTIMATE_CONSERVATIVE, &before, trace);
	assert_equal_profiles(&after, &before);
	test_run_release(&after, &before);
	test_run_release(&before, NULL);
}

static void test_the_order_of_equal_times_does_not_matter(void)
{
	for_each_seed(check_order);
}

static void check_repetition(guint32 seed, enum itp_continuity continuity)
{
	g_autoptr(GArray) trace = random_trace(seed, 1, true);
	g_autofree char *first_text = NULL;
	g_autofree char *second_text = NULL;
	struct test_run first;
	struct test_run second;

	run_trace(&first, continuity, ITP_ESTIMATE_CONSERVATIVE, NULL, trace);
	run_trace(&second, continuity, ITP_ESTIMATE_CONSERVATIVE, NULL, trace);
	first_text = test_instances(&first);
	second_text = test_instances(&second);
	g_assert_cmpstr(first_text, ==, second_text);
	assert_equal_profiles(&first, &second);
	test_run_release(&first, NULL);
	test_run_release(&second, NULL);
}

static void test_two_runs_give_the_same_instances(void)
{
	for_each_seed(check_repetition);
}

/* Algorithm 2 with its registers, for one thread, as printed but for the inverted line 11. */
struct registers {
	int64_t begin_ns[MAX_DEPTH + 3];
	int64_t end_ns[MAX_DEPTH + 3];
	uint32_t function[MAX_DEPTH + 3];
	guint count;
};

static void close_register(struct registers *registers, guint d, int64_t time_ns, GString *log)
{
	g_string_append_printf(log, "%u %u %d %d %d\n", d, registers->function[d],
			       (int)registers->begin_ns[d],
			       (int)(registers->end_ns[d] - registers->begin_ns[d]),
			       (int)(time_ns - registers->begin_ns[d]));
	registers->count = d;
}

static void new_stack_event(struct registers *registers, const GArray *stack, int64_t time_ns,
			    GString *log)
{
	guint all_new_from = stack->len;

	for (guint d = stack->len; d-- > 0;) {
		if (d >= registers->count ||
		    g_array_index(stack, struct itp_frame, d).function != registers->function[d]) {
			all_new_from = d;
		}
	}
	while (registers->count > all_new_from) {
		close_register(registers, registers->count - 1, time_ns, log);
	}
	for (guint d = all_new_from; d < stack->len; d++) {
		registers->begin_ns[d] = time_ns;
		registers->function[d] = g_array_index(stack, struct itp_frame, d).function;
	}
	registers->count = stack->len;
	for (guint d = 0; d < stack->len; d++) {
		registers->end_ns[d] = time_ns;
	}
}

static void log_instances(const struct test_run *run, int32_t tid, GString *log)
{
	for (guint i = 0; i < run->instances->len; i++) {
		const struct itp_instance *instance =
			&g_array_index(run->instances, struct itp_instance, i);
		uint32_t function = itp_context_tree_get(run->tree, instance->node)->function;

		if (instance->tid == tid && instance->depth > 0) {
			g_string_append_printf(log, "%u %u %d %d %d\n", instance->depth - 1,
					       function, (int)instance->begin_ns,
					       (int)instance->conservative_ns,
					       (int)instance->aggressive_ns);
		}
	}
}

static void compare_with_algorithm_2(struct test_run *run, const GArray *trace, int32_t tid)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	g_autoptr(GString) wanted = g_string_new(NULL);
	g_autoptr(GString) got = g_string_new(NULL);
	struct registers registers = { .count = 0 };

	for (guint i = 0; i < trace->len; i++) {
		const struct step *step = &g_array_index(trace, struct step, i);

		if (step->tid != tid) {
			continue;
		}
		test_frames(run->functions, step->stack, frames);
		if (step->kind == ITP_EVENT_END) {
			while (registers.count > 0) {
				close_register(&registers, registers.count - 1, step->time_ns,
					       wanted);
			}
		} else if (frames->len > 0) {
			new_stack_event(&registers, frames, step->time_ns, wanted);
		}
	}
	log_instances(run, tid, got);
	g_assert_cmpuint(got->len, >, 100);
	g_assert_cmpstr(got->str, ==, wanted->str);
}

static void test_function_mode_equals_algorithm_2(void)
{
	for (guint32 seed = 1; seed <= SEEDS; seed++) {
		g_autoptr(GArray) trace = random_trace(seed, 1, false);
		struct test_run run;

		run_trace(&run, ITP_CONTINUITY_FUNCTION, ITP_ESTIMATE_CONSERVATIVE, NULL, trace);
		for (int32_t tid = 1; tid <= THREADS; tid++) {
			compare_with_algorithm_2(&run, trace, tid);
		}
		test_run_release(&run, NULL);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/properties/own latencies sum to the observed time",
			test_own_latencies_sum_to_the_observed_time);
	g_test_add_func("/properties/no time is lost with too many contexts",
			test_no_time_is_lost_with_too_many_contexts);
	g_test_add_func("/properties/estimates lie in order within the bounds",
			test_estimates_lie_in_order_within_the_bounds);
	g_test_add_func("/properties/merged profiles of parts equal that of the whole",
			test_merged_profiles_of_parts_equal_that_of_the_whole);
	g_test_add_func("/properties/profiles of periods add up to that of the whole",
			test_profiles_of_periods_add_up_to_that_of_the_whole);
	g_test_add_func("/properties/the order of equal times does not matter",
			test_the_order_of_equal_times_does_not_matter);
	g_test_add_func("/properties/two runs give the same instances",
			test_two_runs_give_the_same_instances);
	g_test_add_func("/properties/function mode equals algorithm 2",
			test_function_mode_equals_algorithm_2);
	return g_test_run();
}
