/* SPDX-License-Identifier: MIT */
/*
 * The recipe that --overhead chooses, with numbers that one can work out by hand, and what perf
 * stat counts.
 */
#include "plugins/perf/record/overhead.h"
#include "plugins/perf/record/rates.h"

/* Events in a second of CPU time: 3 000 + timer without system calls, 13 000 + timer with them,
 * 14 000 + timer with page faults; and 10 000 ends of system calls, which have no stack. */
static const struct itp_event_rates rates = {
	.syscalls = 10000,
	.switches = 3000,
	.starts = 100,
	.page_faults = 900,
};

/* 1 µs by frame pointers; 2 µs and 1 µs for each KiB of a copy: 18 µs with 16 KiB, 10 µs with 8. */
static const struct itp_event_costs costs = {
	.frame_pointers_ns = 1000,
	.copy_ns = 2000,
	.copy_byte_ns = 1000.0 / 1024,
};

static void check_overhead(enum itp_preset preset, unsigned int frequency_hz,
			   unsigned int stack_bytes, double expected)
{
	const struct itp_recipe recipe = { .preset = preset,
					   .frequency_hz = frequency_hz,
					   .stack_bytes = stack_bytes };

	g_assert_cmpfloat_with_epsilon(itp_overhead_of(&recipe, &rates, &costs), expected, 1e-9);
}

static void test_overhead(void)
{
	/* (97 + 3 000) × 1 µs */
	check_overhead(ITP_PRESET_LIGHT, 97, 0, 0.003097);
	/* (997 + 13 000) × 1 µs + 10 000 × 1 µs */
	check_overhead(ITP_PRESET_USUAL, 997, 0, 0.023997);
	/* (3 989 + 14 000) × 18 µs + 10 000 × 1 µs */
	check_overhead(ITP_PRESET_FULL, 3989, 16384, 0.333802);
	/* (997 + 3 000) × 10 µs */
	check_overhead(ITP_PRESET_LIGHT, 997, 8192, 0.03997);
}

static void test_ticks(void)
{
	const struct itp_recipe recipe = { .preset = ITP_PRESET_LIGHT, .frequency_hz = 1000 };
	struct itp_event_costs slow_timer = costs;

	slow_timer.tick_ns = 20000;
	/* (1 000 + 3 000) × 1 µs + 1 000 × 20 µs */
	g_assert_cmpfloat_with_epsilon(itp_overhead_of(&recipe, &rates, &slow_timer), 0.024, 1e-9);
}

static void test_switches_without_stacks(void)
{
	const struct itp_recipe recipe = { .preset = ITP_PRESET_TIMER, .frequency_hz = 1000 };
	struct itp_event_costs slow_switches = costs;

	check_overhead(ITP_PRESET_TIMER, 1000, 0, 0.001);
	slow_switches.switch_ns = 500;
	/* 1 000 × 1 µs + 3 000 × 0.5 µs */
	g_assert_cmpfloat_with_epsilon(itp_overhead_of(&recipe, &rates, &slow_switches), 0.0025,
				       1e-9);
}

/* They are recorded with system calls. */
static void test_wakeups(void)
{
	struct itp_recipe recipe = { .preset = ITP_PRESET_LIGHT, .frequency_hz = 97 };
	struct itp_event_rates waking = rates;

	waking.wakeups = 1000;
	g_assert_cmpfloat_with_epsilon(itp_overhead_of(&recipe, &waking, &costs), 0.003097, 1e-9);
	recipe.preset = ITP_PRESET_USUAL;
	/* (97 + 14 000) × 1 µs + 10 000 × 1 µs */
	g_assert_cmpfloat_with_epsilon(itp_overhead_of(&recipe, &waking, &costs), 0.024097, 1e-9);
}

static void check_choice(struct itp_overhead_wishes wishes, double limit, enum itp_preset preset,
			 unsigned int frequency_hz, unsigned int stack_bytes)
{
	struct itp_recipe recipe = { 0 };

	wishes.limit = limit;
	g_assert_true(itp_overhead_choose(&wishes, &rates, &costs, &recipe));
	g_assert_cmpuint(recipe.preset, ==, preset);
	g_assert_cmpuint(recipe.frequency_hz, ==, frequency_hz);
	g_assert_cmpuint(recipe.stack_bytes, ==, stack_bytes);
}

static void test_choice_with_frame_pointers(void)
{
	const struct itp_overhead_wishes none = { 0 };

	/* 27 989 µs */
	check_choice(none, 0.03, ITP_PRESET_FULL, 3989, 0);
	check_choice(none, 0.0279, ITP_PRESET_USUAL, 997, 0);
	/* 23 499 and 23 199 µs */
	check_choice(none, 0.0239, ITP_PRESET_USUAL, 499, 0);
	check_choice(none, 0.0233, ITP_PRESET_USUAL, 199, 0);
	/* 3 997, 3 499 and 3 199 µs */
	check_choice(none, 0.0231, ITP_PRESET_LIGHT, 997, 0);
	check_choice(none, 0.0039, ITP_PRESET_LIGHT, 499, 0);
	check_choice(none, 0.0034, ITP_PRESET_LIGHT, 199, 0);
	/* 499, 199 and 97 µs */
	check_choice(none, 0.0031, ITP_PRESET_TIMER, 499, 0);
	check_choice(none, 0.0004, ITP_PRESET_TIMER, 199, 0);
	check_choice(none, 0.0001, ITP_PRESET_TIMER, 97, 0);
}

static void test_choice_without_frame_pointers(void)
{
	const struct itp_overhead_wishes frameless = { .is_frameless = true };

	check_choice(frameless, 0.34, ITP_PRESET_FULL, 3989, 16384);
	/* 13 997 × 18 µs, 13 499 × 18 µs, 13 499 × 10 µs, 13 199 × 10 µs, and 10 000 × 1 µs each */
	check_choice(frameless, 0.33, ITP_PRESET_USUAL, 997, 16384);
	check_choice(frameless, 0.26, ITP_PRESET_USUAL, 499, 16384);
	check_choice(frameless, 0.25, ITP_PRESET_USUAL, 499, 8192);
	check_choice(frameless, 0.1425, ITP_PRESET_USUAL, 199, 8192);
	/* 3 997 × 18 µs, 3 499 × 18 µs, 3 499 × 10 µs, 3 199 × 10 µs, 3 199 × 6 µs */
	check_choice(frameless, 0.14, ITP_PRESET_LIGHT, 997, 16384);
	check_choice(frameless, 0.07, ITP_PRESET_LIGHT, 499, 16384);
	check_choice(frameless, 0.05, ITP_PRESET_LIGHT, 499, 8192);
	check_choice(frameless, 0.033, ITP_PRESET_LIGHT, 199, 8192);
	check_choice(frameless, 0.02, ITP_PRESET_LIGHT, 199, 4096);
	/* 499 × 18 µs, 199 × 18 µs, 97 × 10 µs; below, there are no copies. */
	check_choice(frameless, 0.019, ITP_PRESET_TIMER, 499, 16384);
	check_choice(frameless, 0.005, ITP_PRESET_TIMER, 199, 16384);
	check_choice(frameless, 0.001, ITP_PRESET_TIMER, 97, 8192);
	check_choice(frameless, 0.0009, ITP_PRESET_TIMER, 499, 0);
}

static void test_wishes(void)
{
	check_choice((struct itp_overhead_wishes){ .has_preset = true, .preset = ITP_PRESET_LIGHT },
		     0.9, ITP_PRESET_LIGHT, 997, 0);
	check_choice((struct itp_overhead_wishes){ .frequency_hz = 50 }, 0.0031, ITP_PRESET_LIGHT,
		     50, 0);
	check_choice((struct itp_overhead_wishes){ .frequency_hz = 50 }, 0.003, ITP_PRESET_TIMER,
		     50, 0);
	check_choice((struct itp_overhead_wishes){ .wants_fp = true, .is_frameless = true }, 0.5,
		     ITP_PRESET_FULL, 3989, 0);
	/* (3 989 + 14 000) × 3 µs + 10 000 × 1 µs */
	check_choice((struct itp_overhead_wishes){ .wants_dwarf = true, .stack_bytes = 1024 }, 0.07,
		     ITP_PRESET_FULL, 3989, 1024);
}

static void test_lowest(void)
{
	const struct itp_overhead_wishes dwarf = { .limit = 0.00001, .wants_dwarf = true };
	const struct itp_overhead_wishes any = { .limit = 0.00001 };
	struct itp_recipe recipe;

	g_assert_false(itp_overhead_choose(&any, &rates, &costs, &recipe));
	g_assert_cmpuint(recipe.frequency_hz, ==, 97);
	g_assert_cmpuint(recipe.stack_bytes, ==, 0);
	g_assert_false(itp_overhead_choose(&dwarf, &rates, &costs, &recipe));
	g_assert_cmpuint(recipe.frequency_hz, ==, 97);
	g_assert_cmpuint(recipe.stack_bytes, ==, 8192);
}

/* From a small limit to a large one, over rates and costs of all sizes. */
static void test_monotonic(void)
{
	for (int round = 0; round < 1000; round++) {
		const struct itp_event_rates some = {
			.syscalls = g_test_rand_double_range(0, 300000),
			.switches = g_test_rand_double_range(0, 100000),
			.wakeups = g_test_rand_double_range(0, 100000),
			.starts = g_test_rand_double_range(0, 1000),
			.page_faults = g_test_rand_double_range(0, 50000),
		};
		const struct itp_event_costs their = {
			.frame_pointers_ns = g_test_rand_double_range(200, 9000),
			.copy_ns = g_test_rand_double_range(200, 9000),
			.copy_byte_ns = g_test_rand_double_range(0, 2),
		};
		double before = 0;

		for (double limit = 0.0005; limit < 1; limit *= 1.1) {
			const struct itp_overhead_wishes wishes = { .limit = limit,
								    .is_frameless = round % 2 };
			struct itp_recipe recipe;
			bool is_found = itp_overhead_choose(&wishes, &some, &their, &recipe);
			double overhead = itp_overhead_of(&recipe, &some, &their);

			g_assert_true(is_found == (overhead < limit));
			g_assert_cmpfloat(overhead, >=, before);
			before = overhead;
		}
	}
}

static void test_parse(void)
{
	static const char *const wrong[] = {
		"", "%", "x", "5 %", "5%%", "0", "-1%", "100%", "nan"
	};
	double limit;

	g_assert_true(itp_overhead_parse("5%", &limit, NULL));
	g_assert_cmpfloat(limit, ==, 0.05);
	g_assert_true(itp_overhead_parse("0.5", &limit, NULL));
	g_assert_cmpfloat(limit, ==, 0.005);
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_false(itp_overhead_parse(wrong[i], &limit, &error));
		g_assert_true(g_str_has_prefix(error->message, "--overhead: \""));
	}
}

static void test_rates(void)
{
	struct itp_event_rates counted;
	double cpu_s;

	/* Each in the CPU time in which it was counted. */
	itp_event_rates_parse("80,,page-faults,400000000,100.00,132.394,/sec\n"
			      "1,,sched:sched_wakeup_new,500000000,100.00,0.000,/sec\n"
			      "WARNING: Ignored open failure for pid 12\n"
			      "30,,sched:sched_waking,500000000,100.00,49.648,/sec\n"
			      "\nsomething else\n"
			      "<not counted>,,sched:sched_switch,0,100.00,,\n"
			      "176,,raw_syscalls:sys_enter,500000000,100.00,291.266,/sec\n",
			      &counted, &cpu_s);
	g_assert_cmpfloat(cpu_s, ==, 0.5);
	g_assert_cmpfloat(counted.syscalls, ==, 352);
	g_assert_cmpfloat(counted.switches, ==, 0);
	g_assert_cmpfloat(counted.wakeups, ==, 60);
	g_assert_cmpfloat(counted.starts, ==, 2);
	g_assert_cmpfloat(counted.page_faults, ==, 200);
	itp_event_rates_parse("<not counted>,,raw_syscalls:sys_enter,0,100.00,,\n", &counted,
			      &cpu_s);
	g_assert_cmpfloat(cpu_s, ==, 0);
	g_assert_cmpfloat(counted.syscalls, ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/overhead/events times their cost", test_overhead);
	g_test_add_func("/overhead/a tick is an event and an interrupt", test_ticks);
	g_test_add_func("/overhead/switches cost without a stack, too",
			test_switches_without_stacks);
	g_test_add_func("/overhead/wakeups are recorded with system calls", test_wakeups);
	g_test_add_func("/overhead/the most below the limit", test_choice_with_frame_pointers);
	g_test_add_func("/overhead/copies where code keeps no frame pointers",
			test_choice_without_frame_pointers);
	g_test_add_func("/overhead/what the user fixes stays", test_wishes);
	g_test_add_func("/overhead/the lowest when nothing fits", test_lowest);
	g_test_add_func("/overhead/a smaller limit never costs more", test_monotonic);
	g_test_add_func("/overhead/a limit is a share", test_parse);
	g_test_add_func("/overhead/rates are of a second of CPU time", test_rates);
	return g_test_run();
}
