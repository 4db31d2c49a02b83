/* SPDX-License-Identifier: MIT */
/* What guards learn from units that were counted, and when a type has become slow: by hand, and
 * random units. */
#include "common/guard/learning.h"
#include "common/guard/shift.h"

#define ROUNDS 300

static void add(struct itp_guard_counted *counted, uint64_t units, uint64_t latency_ns)
{
	counted->units += units;
	counted->total_ns += units * latency_ns;
	counted->max_ns = MAX(counted->max_ns, latency_ns);
	counted->buckets[itp_guard_bucket(latency_ns)] += units;
}

/* 8990 units of 1 µs, 1000 of 10 µs, 10 of 1 ms: five may be late, and the one before them took
 * 1 ms, 917 504 to 1 048 575 ns; nine in ten take the first bucket. */
static void test_limits(void)
{
	struct itp_guard_counted counted = { 0 };
	struct itp_guard_type type = { .units = 7, .limit_ns = 5 };

	add(&counted, 8990, 1000);
	add(&counted, 1000, 10000);
	add(&counted, 10, 1000000);
	g_assert_true(itp_guard_type_learn(&type, &counted));
	g_assert_cmpuint(type.units, ==, 7);
	g_assert_cmpuint(type.learned_units, ==, 10000);
	g_assert_cmpint(type.max_ns, ==, 1000000);
	g_assert_cmpint(type.mean_ns, ==, (8990 * 1000 + 1000 * 10000 + 10 * 1000000) / 10000);
	g_assert_cmpint(type.limit_ns, ==, 1048576);
	/* 8192 to 10239 ns, and 896 to 1023 ns. */
	g_assert_cmpint(type.median_ns, ==, 960);
	/* As a guard shows the same counts. */
	g_assert_cmpint(itp_guard_counted_quantile(&counted, 50), ==, type.median_ns);
	g_assert_cmpint(itp_guard_counted_quantile(&counted, 99), ==, type.p99_ns);
	g_assert_cmpint(type.usual_ns, ==, 10240);
	add(&counted, 100, 1000);
	g_assert_true(itp_guard_type_learn(&type, &counted));
	g_assert_cmpint(type.usual_ns, ==, 1024);
	/* Of 20 100 units all ten may be. */
	add(&counted, 10000, 1000);
	g_assert_true(itp_guard_type_learn(&type, &counted));
	g_assert_cmpint(type.limit_ns, <, 1000000);
}

static int64_t limit_of(const uint64_t *units, const uint64_t *latencies_ns, guint count)
{
	struct itp_guard_counted counted = { 0 };
	struct itp_guard_type type = { .limit_ns = 1 };

	for (guint i = 0; i < count; i++) {
		add(&counted, units[i], latencies_ns[i]);
	}
	g_assert_true(itp_guard_type_learn(&type, &counted));
	return type.limit_ns;
}

/* The longest ten of 1000 units are the tail: eight of 1024 to 1279 ns, and two of 4096 to 5119 ns,
 * whose logarithms are (8 · ln 1.125 + 2 · ln 4.5) / 10 = 0.395 beyond 1024 ns on average. One in
 * 10 000 is a hundredth of these: 1024 ns · 100^0.395 = 6315 ns. */
static void test_tails(void)
{
	static const uint64_t latencies_ns[] = { 100, 1024, 4096 };
	const int64_t limit_ns = limit_of((const uint64_t[]){ 990, 8, 2 }, latencies_ns, 3);

	g_assert_cmpint(limit_ns, >, 6310);
	g_assert_cmpint(limit_ns, <, 6320);
	/* By 1024 ns · 100^0.256 it would be less than the longest, and by 1024 ns · 100^0.811 more
	 * than twice that. */
	g_assert_cmpint(limit_of((const uint64_t[]){ 990, 9, 1 }, latencies_ns, 3), ==, 5120);
	g_assert_cmpint(limit_of((const uint64_t[]){ 990, 5, 5 }, latencies_ns, 3), ==, 10240);
}

/* Of 2000 units the longest twenty are, from 512 ns on: (10 · ln 1.125 + 8 · ln 2.25 + 2 · ln 9) /
 * 20 = 0.603, and 512 ns · 100^0.603 is 8228 ns. */
static void test_tails_of_more(void)
{
	static const uint64_t latencies_ns[] = { 100, 512, 1024, 5000 };
	const int64_t limit_ns = limit_of((const uint64_t[]){ 1980, 10, 8, 2 }, latencies_ns, 4);

	g_assert_cmpint(limit_ns, >, 8220);
	g_assert_cmpint(limit_ns, <, 8235);
}

/* Of ten units the longer half is the tail, with all of its bucket, 896 to 1023 ns: the logarithms
 * are (9 · ln 1.071 + ln 5.143) / 10 = 0.226, and 896 ns · 10000^0.226 is 7172 ns. Of fewer nothing
 * is learned. */
static void test_few(void)
{
	struct itp_guard_counted counted = { 0 };
	struct itp_guard_type type = { .limit_ns = 5 };

	add(&counted, 9, 1000);
	g_assert_false(itp_guard_type_learn(&type, &counted));
	g_assert_cmpint(type.limit_ns, ==, 5);
	add(&counted, 1, 5000);
	g_assert_true(itp_guard_type_learn(&type, &counted));
	g_assert_cmpint(type.limit_ns, >, 7165);
	g_assert_cmpint(type.limit_ns, <, 7180);
}

/* Of 3000 units the longest thirty are the tail, from 512 ns on, of 400 the longest ten: limits are
 * twice what the longest take, 1280 ns. From 1024 ns on they would be 1679 and 1808 ns. */
static void test_lengths_of_tails(void)
{
	static const uint64_t latencies_ns[] = { 100, 512, 1024 };

	g_assert_cmpint(limit_of((const uint64_t[]){ 2970, 10, 20 }, latencies_ns, 3), ==, 2560);
	g_assert_cmpint(limit_of((const uint64_t[]){ 390, 5, 5 }, latencies_ns, 3), ==, 2560);
}

/* Of twelve units six are the tail: all of one bucket, 896 ns · 5000^0.069 = 1613 ns; or two of
 * another, from which on the limit is twice what the longest take, 1024 ns. */
static void test_halves_are_tails(void)
{
	static const uint64_t latencies_ns[] = { 100, 800, 1000 };
	const int64_t limit_ns = limit_of((const uint64_t[]){ 6, 0, 6 }, latencies_ns, 3);

	g_assert_cmpint(limit_ns, >, 1605);
	g_assert_cmpint(limit_ns, <, 1620);
	g_assert_cmpint(limit_of((const uint64_t[]){ 6, 2, 4 }, latencies_ns, 3), ==, 2048);
}

/* What was recorded is no limit beside what was learned. */
static void test_types_that_were_not_seen(void)
{
	struct itp_guard_file *file = itp_guard_file_new();
	struct itp_guard_loop *loop = itp_guard_file_add_loop(file, "p", "m!serve");
	const bool none[] = { false, false, false };
	const bool some[] = { true, false, true };

	for (int64_t i = 1; i <= 3; i++) {
		const struct itp_guard_type type = { .name = g_strdup("t"), .limit_ns = 100 * i };

		g_array_append_val(loop->types, type);
	}
	itp_guard_loop_learn(loop, none);
	g_assert_cmpint(itp_guard_type_at(loop, 1)->limit_ns, ==, 200);
	itp_guard_loop_learn(loop, some);
	g_assert_cmpint(itp_guard_type_at(loop, 0)->limit_ns, ==, 100);
	g_assert_cmpint(itp_guard_type_at(loop, 1)->limit_ns, ==, 300);
	/* Unless its own units were known to take longer. */
	itp_guard_type_at(loop, 1)->max_ns = 250;
	itp_guard_loop_learn(loop, some);
	g_assert_cmpint(itp_guard_type_at(loop, 1)->limit_ns, ==, 375);
	/* Usual is what is for the others, and what it took when it was recorded. */
	itp_guard_type_at(loop, 0)->usual_ns = 40;
	itp_guard_type_at(loop, 2)->usual_ns = 60;
	itp_guard_loop_learn(loop, some);
	g_assert_cmpint(itp_guard_slow_ns(itp_guard_type_at(loop, 1)), ==, 120);
	itp_guard_type_at(loop, 1)->median_ns = 100;
	itp_guard_loop_learn(loop, some);
	g_assert_cmpint(itp_guard_slow_ns(itp_guard_type_at(loop, 1)), ==, 200);
	g_assert_cmpint(itp_guard_type_at(loop, 0)->usual_ns, ==, 40);
	itp_guard_file_free(file);
}

/* One unit in two thousand may be late, and one in ten slower than usual, among those that were
 * learned. */
static void test_random_units(void)
{
	GRand *random = g_rand_new_with_seed((guint32)g_test_rand_int());

	for (int round = 0; round < ROUNDS; round++) {
		struct itp_guard_counted counted = { 0 };
		struct itp_guard_type type = { .limit_ns = 1 };
		uint64_t late = 0;
		uint64_t slower = 0;

		for (int i = g_rand_int_range(random, 10, 3000); i > 0; i--) {
			add(&counted, 1, UINT64_C(1) << g_rand_int_range(random, 3, 40));
		}
		g_assert_true(itp_guard_type_learn(&type, &counted));
		for (guint i = 0; i < ITP_GUARD_BUCKETS; i++) {
			const int64_t least_ns = (int64_t)itp_guard_bucket_ns(i);

			late += least_ns > type.limit_ns ? counted.buckets[i] : 0;
			slower += least_ns >= type.usual_ns ? counted.buckets[i] : 0;
		}
		g_assert_cmpuint(late * ITP_GUARD_ALLOWED_ONE_IN, <=, counted.units);
		g_assert_cmpuint(slower * 10, <=, counted.units);
		g_assert_cmpint(type.usual_ns, <=, type.limit_ns);
		g_assert_cmpint(type.median_deviation_ns, <=, type.max_ns);
	}
	g_rand_free(random);
}

/* By 36 · D(16/36, 1/10) = 14.2 nats it may be chance, and by 100 · D(33/100, 1/10) = 19.6 not. */
static void test_shift(void)
{
	struct itp_guard_shift shift = { 0 };

	g_assert_cmpint(itp_guard_shift_look(&shift, 29, 29), ==, ITP_GUARD_TURN_NONE);
	shift = (struct itp_guard_shift){ 0 };
	g_assert_cmpint(itp_guard_shift_look(&shift, 36, 16), ==, ITP_GUARD_TURN_NONE);
	g_assert_cmpint(itp_guard_shift_look(&shift, 100, 33), ==, ITP_GUARD_TURN_SLOW);
	g_assert_cmpuint(shift.last_units, ==, 100);
	g_assert_cmpuint(shift.last_slower, ==, 33);
	g_assert_cmpint(itp_guard_shift_look(&shift, 130, 43), ==, ITP_GUARD_TURN_NONE);
	/* By 60 · D(11/60, 2/10) = 0.05 nats a fifth still may be slow, and by 150 · D(13/150,
	 * 2/10) = 7.3 not. */
	g_assert_cmpint(itp_guard_shift_look(&shift, 160, 44), ==, ITP_GUARD_TURN_NONE);
	g_assert_cmpint(itp_guard_shift_look(&shift, 250, 46), ==, ITP_GUARD_TURN_USUAL);
	g_assert_false(shift.is_slow);
}

/* By 30 · D(1/30, 2/10) = 3.7 nats a type still may be slow, and by 30 · D(0, 2/10) = 6.7 not; with
 * more than a fifth of slow units it is. */
static void test_shift_back(void)
{
	struct itp_guard_shift shift = { .is_slow = true };

	g_assert_cmpint(itp_guard_shift_look(&shift, 30, 1), ==, ITP_GUARD_TURN_NONE);
	shift = (struct itp_guard_shift){ .is_slow = true };
	g_assert_cmpint(itp_guard_shift_look(&shift, 30, 0), ==, ITP_GUARD_TURN_USUAL);
	shift = (struct itp_guard_shift){ .is_slow = true };
	g_assert_cmpint(itp_guard_shift_look(&shift, 299, 66), ==, ITP_GUARD_TURN_NONE);
}

/* However many there are, of less than a fifth it is not told; and what was before 300 of them is
 * past. */
static void test_shift_of_many(void)
{
	struct itp_guard_shift shift = { 0 };

	g_assert_cmpint(itp_guard_shift_look(&shift, 30000, 6000), ==, ITP_GUARD_TURN_NONE);
	g_assert_cmpint(itp_guard_shift_look(&shift, 60000, 12600), ==, ITP_GUARD_TURN_SLOW);
	shift = (struct itp_guard_shift){ 0 };
	g_assert_cmpint(itp_guard_shift_look(&shift, 300, 0), ==, ITP_GUARD_TURN_NONE);
	g_assert_cmpint(itp_guard_shift_look(&shift, 340, 24), ==, ITP_GUARD_TURN_SLOW);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/guard learning/limits", test_limits);
	g_test_add_func("/guard learning/limits beyond what was seen", test_tails);
	g_test_add_func("/guard learning/the tail is the longest hundredth", test_tails_of_more);
	g_test_add_func("/guard learning/lengths of tails", test_lengths_of_tails);
	g_test_add_func("/guard learning/halves are tails", test_halves_are_tails);
	g_test_add_func("/guard learning/few units", test_few);
	g_test_add_func("/guard learning/types that were not seen", test_types_that_were_not_seen);
	g_test_add_func("/guard learning/random units", test_random_units);
	g_test_add_func("/guard learning/types that become slow", test_shift);
	g_test_add_func("/guard learning/types that are slow no more", test_shift_back);
	g_test_add_func("/guard learning/types of many units that do", test_shift_of_many);
	return g_test_run();
}
