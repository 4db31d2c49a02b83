/* SPDX-License-Identifier: MIT */
/*
 * Numbers as a person would say them, and labels that cannot harm a terminal.
 */
#include "common/base/labels.h"
#include "common/render/units.h"

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

static void test_times(void)
{
	static const struct {
		int64_t time_ns;
		const char *text;
	} cases[] = {
		{ 0, "0 s" },
		{ 1, "1 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.0 µs" },
		{ 9949, "9.9 µs" },
		{ 9950, "10 µs" },
		{ 812000, "812 µs" },
		{ 999499, "999 µs" },
		{ 999500, "1.0 ms" },
		{ 6900000, "6.9 ms" },
		{ 31 * MS, "31 ms" },
		{ 999499999, "999 ms" },
		{ 999500000, "1.00 s" },
		{ 9520 * MS, "9.52 s" },
		{ 9995 * MS, "10.0 s" },
		{ 12 * S, "12.0 s" },
		{ 99950 * MS, "100 s" },
		{ 999 * S, "999 s" },
		{ 1000 * S, "16.7 min" },
		{ 6000 * S, "1.67 h" },
		{ INT64_MAX, "2562048 h" },
		{ INT64_MIN, "−2562048 h" },
		{ -9520 * MS, "−9.52 s" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = itp_units_time(cases[i].time_ns);

		g_assert_cmpstr(text, ==, cases[i].text);
	}
}

static void test_changes(void)
{
	g_autofree char *more = itp_units_time_change(9520 * MS);
	g_autofree char *less = itp_units_time_change(-812000);
	g_autofree char *same = itp_units_time_change(0);
	g_autofree char *fewer_calls = itp_units_count_change(-1377);

	g_assert_cmpstr(more, ==, "+9.52 s");
	g_assert_cmpstr(less, ==, "−812 µs");
	g_assert_cmpstr(same, ==, "0 s");
	g_assert_cmpstr(fewer_calls, ==, "−1 377");
}

static void test_counts(void)
{
	static const struct {
		uint64_t count;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1377, "1 377" },
		{ 61204, "61 204" },
		{ 1294078, "1 294 078" },
		{ 9999999, "9 999 999" },
		{ 10000000, "10.0 M" },
		{ 999999999, "1.00 G" },
		{ UINT64_MAX, "18.4 E" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = itp_units_count(cases[i].count);

		g_assert_cmpstr(text, ==, cases[i].text);
	}
}

static void test_one_time(void)
{
	g_autofree char *never = itp_units_times(0);
	g_autofree char *once = itp_units_times(1);
	g_autofree char *often = itp_units_times(1377);

	g_assert_cmpstr(never, ==, "0 times");
	g_assert_cmpstr(once, ==, "once");
	g_assert_cmpstr(often, ==, "1 377 times");
}

static void test_ratios_and_shares(void)
{
	static const struct {
		double value;
		double base;
		const char *ratio;
		const char *share;
	} cases[] = {
		{ 1, 1000000, "×<0.01", "<0.1 %" }, { 1, 20, "×0.05", "5.0 %" },
		{ 0, 1, "×<0.01", "0 %" },          { 3, 10, "×0.3", "30 %" },
		{ 2, 1000, "×<0.01", "0.2 %" },     { 999, 1000, "×1.0", ">99 %" },
		{ 1, 1, "×1.0", "100 %" },          { 44, 10, "×4.4", "440 %" },
		{ 22, 1, "×22", "2200 %" },         { 12345, 1, "×12k", "1234500 %" },
	};
	g_autofree char *less = itp_units_share(-1, 20);
	g_autofree char *much_less = itp_units_share(-1, 5);

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *ratio = itp_units_ratio(cases[i].value, cases[i].base);
		g_autofree char *share = itp_units_share(cases[i].value, cases[i].base);

		g_assert_cmpstr(ratio, ==, cases[i].ratio);
		g_assert_cmpstr(share, ==, cases[i].share);
	}
	g_assert_cmpstr(less, ==, "\u22125.0 %");
	g_assert_cmpstr(much_less, ==, "\u221220 %");
}

static void test_clean_labels(void)
{
	g_autofree char *escape = itp_label_clean("a\x1b[31mb\nc\td");
	g_autofree char *invalid = itp_label_clean("x\xff\xfey");
	g_autofree char *direction = itp_label_clean("a\u202eb");
	g_autofree char *control = itp_label_clean("a\xc2\x9b"
						   "31mb");
	g_autofree char *empty = itp_label_clean("");
	g_autofree char *nothing = itp_label_clean_text("");

	g_assert_cmpstr(escape, ==, "a\ufffd[31mb\ufffdc d");
	g_assert_cmpstr(invalid, ==, "x\ufffd\ufffdy");
	g_assert_cmpstr(direction, ==, "a\ufffdb");
	g_assert_cmpstr(control, ==, "a\ufffd31mb");
	g_assert_cmpstr(empty, ==, "?");
	g_assert_cmpstr(nothing, ==, "");
}

static void test_shortened_labels(void)
{
	g_autofree char *fits = itp_label_shorten("handler", 7);
	g_autofree char *middle = itp_label_shorten("ns::Class<int, char>::method", 11);
	g_autofree char *wide = itp_label_shorten("漢字漢字漢字", 7);
	g_autofree char *least = itp_label_shorten("handler", 1);

	g_assert_cmpstr(fits, ==, "handler");
	g_assert_cmpstr(middle, ==, "ns::C…ethod");
	g_assert_cmpstr(wide, ==, "漢…字");
	g_assert_cmpstr(least, ==, "…");
}

static void assert_plain(const char *name, const char *expected)
{
	g_autofree char *plain = itp_label_without_arguments(name);

	g_assert_cmpstr(plain, ==, expected);
}

static void test_labels_without_arguments(void)
{
	assert_plain("main", "main");
	assert_plain("Cache::find(std::function<int (int)>, int) const", "Cache::find");
	assert_plain("(anonymous namespace)::run(char**)", "(anonymous namespace)::run");
	assert_plain("std::less<int>::operator()(int, int) const", "std::less<int>::operator()");
	assert_plain("serve(int)::{lambda(int)#1}::operator()(int)",
		     "serve::{lambda#1}::operator()");
	assert_plain("broken(", "broken(");
	assert_plain("Cache::find(int) (inlined)", "Cache::find");
	assert_plain("", "");
}

static void assert_short(const char *name, unsigned int columns, const char *expected)
{
	g_autofree char *shortened = itp_label_shorten_function(name, columns);

	g_assert_cmpstr(shortened, ==, expected);
}

static void test_shortened_functions(void)
{
	assert_short("f(int)", 6, "f(int)");
	assert_short("shop::Cache::take(unsigned long) (inlined)", 40,
		     "shop::Cache::take(…) (inlined)");
	assert_short("shop::Cache::take(unsigned long) (inlined)", 20, "shop::Cache::take(…)");
	assert_short("boolean Report.isNumber(java.lang.String)", 30, "boolean Report.isNumber(…)");
	assert_short("boolean Report.isNumber(java.lang.String)", 20, "Report.isNumber(…)");
	assert_short("std::vector<int, std::allocator<int> >::at(unsigned long)", 22,
		     "std::vector<…>::at(…)");
	assert_short("app::{lambda(int, char)#1}::operator()(long) const", 40,
		     "app::{lambda(…)#1}::operator()(…) const");
	assert_short("(anonymous namespace)::scan(Cursor&, Key&)", 32,
		     "(anonymous namespace)::scan(…)");
	assert_short("operator new(unsigned long, int)", 16, "operator new(…)");
	assert_short("operator<<(Stream&, Text const&)", 16, "operator<<(…)");
	assert_short("a_long_name_of_a_function", 11, "a_lon…ction");
	assert_short("broken(name of a function", 12, "broke…nction");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/render/times are in the unit a person would say", test_times);
	g_test_add_func("/render/changes carry their sign", test_changes);
	g_test_add_func("/render/counts are grouped or abbreviated", test_counts);
	g_test_add_func("/render/one time is once", test_one_time);
	g_test_add_func("/render/ratios and shares stay short", test_ratios_and_shares);
	g_test_add_func("/render/labels cannot harm a terminal", test_clean_labels);
	g_test_add_func("/render/long labels lose their middle", test_shortened_labels);
	g_test_add_func("/render/labels lose the arguments of functions",
			test_labels_without_arguments);
	g_test_add_func("/render/long functions lose their arguments first",
			test_shortened_functions);
	return g_test_run();
}
