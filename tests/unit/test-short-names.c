/* SPDX-License-Identifier: MIT */
/*
 * Short names, and which functions a name that is typed means. Long names are as demanglers and
 * Go's linker write them.
 */
#include "common/view/short-names.h"

#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

static uint32_t add(struct itp_function_table *functions, const char *name)
{
	const struct itp_function function = { .name = name, .module = "shop", .build_id = "" };

	return itp_function_table_intern(functions, &function);
}

/* What a function is called, of a table with another one, or NULL. To be freed. */
static char *shorten_beside(const char *name, const char *other)
{
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_names *names = itp_names_new(true);
	const uint32_t id = add(functions, name);
	struct itp_short_names *shorts;
	struct itp_canonical canonical;
	char *result;

	if (other) {
		add(functions, other);
	}
	shorts = itp_short_names_new(names, functions, NULL);
	g_assert_true(
		itp_names_apply(names, itp_function_table_get(functions, id), &canonical, NULL));
	itp_short_names_apply(shorts, &canonical);
	result = g_strdup(canonical.name);
	itp_canonical_clear(&canonical);
	itp_short_names_free(shorts);
	itp_names_free(names);
	itp_function_table_free(functions);
	return result;
}

static void check(const char *name, const char *expected)
{
	g_autofree char *got = shorten_beside(name, NULL);

	g_assert_cmpstr(got, ==, expected);
}

static void test_names_of_cxx(void)
{
	check("store(" STRING " const&, long, bool)", "store(std::string const&, long, bool)");
	check("std::vector<" STRING ", std::allocator<" STRING " > >::push_back(" STRING "&&)",
	      "std::vector<std::string>::push_back(std::string&&)");
	check("std::map<int, long, std::less<int>, std::allocator<std::pair<int const, long> > >::find"
	      "(int const&)",
	      "std::map<int, long>::find(int const&)");
	check("operator<<(std::ostream&, shop::Item const&)",
	      "operator<<(std::ostream&, shop::Item const&)");
	check("shop::Item::operator->() const", "shop::Item::operator->() const");
	check("main", "main");
}

static void test_names_of_rust(void)
{
	check("work::digest::<alloc::string::String>", "work::digest");
	check("<alloc::vec::Vec<u8> as core::fmt::Debug>::fmt", "<alloc::Vec<u8> as Debug>::fmt");
	check("std::collections::hash::map::HashMap<K,V,S,A>::entry",
	      "std::HashMap<K,V,S,A>::entry");
	check("work::digest::h0123456789abcdef", "work::digest");
}

static void test_names_of_go(void)
{
	/* A package of the language itself. */
	check("net/http.(*conn).serve", "net/http.(*conn).serve");
	check("example.org/shop/inner.Store", "inner.Store");
	check("runtime.mcall", "runtime.mcall");
}

static void test_names_of_python(void)
{
	g_autofree char *other =
		shorten_beside("py::price:/srv/a/shop.py", "py::price:/srv/b/shop.py");

	check("py::Shop.price:/srv/shop.py", "Shop.price (shop.py)");
	check("py::<module>:<string>", "<module> (<string>)");
	check("py::run.<locals>.<lambda>:/srv/a b/c:d/shop.py", "run.<locals>.<lambda> (shop.py)");
	g_assert_cmpstr(other, ==, "py::price:/srv/a/shop.py");
}

static void test_two_functions_are_never_one(void)
{
	g_autofree char *first = shorten_beside("a.org/v1.Get", "b.org/v1.Get");
	g_autofree char *other = shorten_beside("a.org/v1.Get", "v1.Get2");
	g_autofree char *shown = shorten_beside("a.org/v1.Get", "v1.Get");

	g_assert_cmpstr(first, ==, "a.org/v1.Get");
	g_assert_cmpstr(other, ==, "v1.Get");
	g_assert_cmpstr(shown, ==, "a.org/v1.Get");
}

static void test_who_is_meant(void)
{
	const char *process = "long shop::process<" STRING " >(std::vector<" STRING " > const&)";

	g_assert_true(itp_name_is_meant(process, "process"));
	g_assert_true(itp_name_is_meant(process, "shop::process"));
	g_assert_false(itp_name_is_meant(process, "rocess"));
	g_assert_false(itp_name_is_meant(process, "shop"));
	g_assert_true(itp_name_is_meant("work::digest::<alloc::string::String>", "digest"));
	g_assert_true(itp_name_is_meant("net/http.(*conn).serve", "http.(*conn).serve"));
	g_assert_true(itp_name_is_meant("serve", "serve"));
	g_assert_true(itp_name_is_meant("serve (inlined)", "serve"));
	g_assert_true(itp_name_is_meant("shop::Cache::take(int) (inlined)", "take"));
	g_assert_false(itp_name_is_meant("serve (inlined)", "inlined"));
	g_assert_false(itp_name_is_meant("serve", ""));
	g_assert_false(itp_name_is_meant("shop::Item::operator<(shop::Item const&)", "Item"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/short-names/names of C++", test_names_of_cxx);
	g_test_add_func("/short-names/names of Rust", test_names_of_rust);
	g_test_add_func("/short-names/names of Go", test_names_of_go);
	g_test_add_func("/short-names/names of Python", test_names_of_python);
	g_test_add_func("/short-names/two functions are never one",
			test_two_functions_are_never_one);
	g_test_add_func("/short-names/who is meant by what is typed", test_who_is_meant);
	return g_test_run();
}
