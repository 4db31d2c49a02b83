/* SPDX-License-Identifier: MIT */
/* Canonical names: what is taken out of them, and what only looks as if it should be. */
#include "common/view/names.h"

#include <string.h>

static struct itp_canonical apply(const struct itp_names *names, const char *name,
				  const char *module, enum itp_layer layer, bool is_unnamed)
{
	const struct itp_function function = { .name = name,
					       .module = module,
					       .build_id = "",
					       .layer = layer,
					       .is_unnamed = is_unnamed };
	struct itp_canonical canonical = { NULL };
	GError *error = NULL;

	g_assert_true(itp_names_apply(names, &function, &canonical, &error));
	g_assert_no_error(error);
	return canonical;
}

static void check_name(const char *name, const char *wanted, bool is_part)
{
	struct itp_names *names = itp_names_new(true);
	struct itp_canonical got = apply(names, name, "shop", ITP_LAYER_USER, false);

	g_assert_cmpstr(got.name, ==, wanted);
	g_assert_cmpint(got.is_part, ==, is_part);
	itp_canonical_clear(&got);
	itp_names_free(names);
}

static void test_suffixes_of_the_compiler_go(void)
{
	check_name("finish_task_switch.isra.0", "finish_task_switch", false);
	check_name("price_of.constprop.0.isra.12", "price_of", false);
	check_name("shop::price(int) (inlined)", "shop::price(int)", false);
	check_name("price_of.llvm.1234567890123456789", "price_of", false);
	check_name("price_of.lto_priv.0.lto_priv.1", "price_of", false);
	check_name("price_of.lto_priv", "price_of", false);
	check_name("price_of.__uniq.123.llvm.45", "price_of", false);
	check_name("price_of.localalias", "price_of", false);
	check_name("main._omp_fn.0.constprop.0", "main._omp_fn.0", false);
	check_name("_ZN4shop5priceEv.isra.0", "_ZN4shop5priceEv", false);
	check_name("shop::price(int) [clone .isra.0]", "shop::price(int)", false);
	check_name("shop::price(int) [clone .constprop.0] [clone .lto_priv.1]", "shop::price(int)",
		   false);
	check_name("shop::price(int) (.llvm.123)", "shop::price(int)", false);
}

static void test_parts_of_a_function_are_known_as_such(void)
{
	check_name("price_of.part.0", "price_of", true);
	check_name("price_of.part.0.isra.0", "price_of", true);
	check_name("price_of.isra.0.cold", "price_of", true);
	check_name("price_of.cold.17", "price_of", true);
	check_name("shop::price(int) [clone .part.0] [clone .isra.0]", "shop::price(int)", true);
	check_name("shop::price(int) [clone .constprop.0] [clone .cold]", "shop::price(int)", true);
	check_name("shop::price(int) (.cold)", "shop::price(int)", true);
}

static void test_hashes_of_rust_go(void)
{
	check_name("core::fmt::Formatter::pad::h0123456789abcdef", "core::fmt::Formatter::pad",
		   false);
	check_name("core::fmt::Formatter::pad::h0123456789abcdef [clone .llvm.123]",
		   "core::fmt::Formatter::pad", false);
	check_name("_ZN4core3ptr19drop$LT$std..io$GT$17h0123456789abcdefE.llvm.1",
		   "_ZN4core3ptr19drop$LT$std..io$GT$E", false);
	check_name("shop[3c1c0]::price", "shop::price", false);
	check_name("<shop[3c1c09ab12f0]::Cart as core[846817f741e54dfd]::fmt::Display>::fmt",
		   "<shop::Cart as core::fmt::Display>::fmt", false);
}

static void test_tiers_of_virtual_machines_go(void)
{
	check_name("JS:~price /srv/shop.js:2:15", "price /srv/shop.js", false);
	check_name("JS:*price /srv/shop.js:2:15", "price /srv/shop.js", false);
	check_name("LazyCompile:^Cart.total file:///srv/my shop.mjs:7",
		   "Cart.total file:///srv/my shop.mjs", false);
	check_name("JS:+ /srv/shop.js:9:1", "(anonymous) /srv/shop.js:9:1", false);
	check_name("void Shop$$Lambda$14+0x00007f08a4ec71c0.run()", "void Shop$$Lambda.run()",
		   false);
	check_name("void Shop$$Lambda/0x00007f08a4ec71c0.run()", "void Shop$$Lambda.run()", false);
	check_name("int java.lang.invoke.LambdaForm$DMH+0x00007f08.invoke(int)",
		   "int java.lang.invoke.LambdaForm$DMH.invoke(int)", false);
	check_name("void Shop$Lambda2.run()", "void Shop$Lambda2.run()", false);
	check_name("py::price:/srv/shop.py", "py::price:/srv/shop.py", false);
}

static void test_tags_and_versions_go(void)
{
	check_name("shop::name[abi:cxx11](int)", "shop::name(int)", false);
	check_name("std::__1::sort[abi:ne180100]<int*>(int*)", "std::__1::sort<int*>(int*)", false);
	check_name("memcpy@@GLIBC_2.14", "memcpy", false);
	check_name("memcpy@GLIBC_2.2.5", "memcpy", false);
	check_name("memcpy@GLIBC_2.2.5@plt", "memcpy@plt", false);
}

static void test_what_only_looks_alike_stays(void)
{
	static const char *const names[] = {
		"foo@plt",
		"_foo@12",
		"main._omp_fn.0",
		"foo.123",
		"foo.part",
		"foo.avx2",
		"foo() [clone ._omp_fn.0]",
		"foo() [clone .avx2]",
		"Shop::operator[](int)",
		"Shop::operator()(int)",
		"Shop::operator\"\" _part.0",
		"main::{lambda()#1}::operator()() const",
		"void run<&(shelf.part.0)>()",
		"run<(char)46, shelf.isra.0>::go(int)",
		"std::array<int [3], 2ul>::at(unsigned long)",
		"<[u8] as core::slice::Join<&str>>::join",
		"<[f] as Add>::add",
		"shop::h0123456789abcdef::price",
		"shop::h01234567",
		"github.com/shop/cart.part.0",
		"main.(*Cart).part.0",
		".isra.0",
		"syscall",
		"",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		check_name(names[i], names[i], false);
	}
}

static void check_module(const char *module, const char *wanted)
{
	struct itp_names *names = itp_names_new(true);
	struct itp_canonical got = apply(names, "f", module, ITP_LAYER_USER, false);

	g_assert_cmpstr(got.module, ==, wanted);
	itp_canonical_clear(&got);
	itp_names_free(names);
}

static void test_libraries_keep_the_version_of_their_interface(void)
{
	check_module("libz.so.1.2.13", "libz.so.1");
	check_module("libz.so.1.3.1", "libz.so.1");
	check_module("libz.so.1", "libz.so.1");
	check_module("libz.so", "libz.so");
	check_module("libglib-2.0.so.0.7400.6", "libglib-2.0.so.0");
	check_module("libstdc++.so.6.0.30", "libstdc++.so.6");
	check_module("libshop-1.2.so", "libshop.so");
	check_module("libshop-1.2.4.so", "libshop.so");
	check_module("libgtk-3.so", "libgtk-3.so");
	check_module("libLLVM-14.so.1", "libLLVM-14.so.1");
	check_module("libc-2.31.so", "libc.so.6");
	check_module("ld-2.31.so", "ld-linux.so");
	check_module("libz.so.1.2.13 (deleted)", "libz.so.1");
	check_module("mod_deflate.so", "mod_deflate.so");
	check_module("nginx-1.22", "nginx-1.22");
	check_module("python3.11", "python3.11");
	check_module("[kernel]", "[kernel]");
	check_module("[ext4]", "[ext4]");
	check_module("", "");
}

static void test_only_names_of_functions_are_rewritten_as_such(void)
{
	struct itp_names *names = itp_names_new(true);
	struct itp_canonical got;

	got = apply(names, "libz.so.1.2.13+0x10", "libz.so.1.2.13", ITP_LAYER_USER, true);
	g_assert_cmpstr(got.name, ==, "libz.so.1.2.13+0x10");
	g_assert_cmpstr(got.module, ==, "libz.so.1");
	itp_canonical_clear(&got);
	got = apply(names, "worker.part.0", "", ITP_LAYER_PROCESS, false);
	g_assert_cmpstr(got.name, ==, "worker.part.0");
	itp_canonical_clear(&got);
	got = apply(names, "vfs_read.part.0", "[kernel]", ITP_LAYER_KERNEL, false);
	g_assert_cmpstr(got.name, ==, "vfs_read");
	itp_canonical_clear(&got);
	itp_names_free(names);
}

static void test_the_longest_names_are_rewritten(void)
{
	g_autofree char *letters = g_strnfill(16 * 1024, 'a');
	g_autofree char *dots = g_strnfill(16 * 1024, '.');
	g_autofree char *name = g_strconcat(letters, ".isra.0", NULL);
	g_autofree char *dotted = g_strconcat("a", dots, "isra.", NULL);

	check_name(name, letters, false);
	check_name(dotted, dotted, false);
}

static bool parse(struct itp_names *names, const char *text, GError **error)
{
	return itp_names_parse(names, text, strlen(text), "rules", error);
}

static void test_rules_of_a_user_come_last(void)
{
	struct itp_names *names = itp_names_new(true);
	GError *error = NULL;
	struct itp_canonical got;

	g_assert_true(parse(names,
			    "# how shop is built\r\n"
			    "\n"
			    "  function ^shop_v\\d+_(\\w+)$ => shop_\\1\r\n"
			    "function ^shop_ =>\n"
			    "function ^.*$ => \n"
			    "module\t^plugin-[^.]+  =>  plugin\n"
			    "process ^worker/\\d+ => worker",
			    &error));
	g_assert_no_error(error);
	got = apply(names, "shop_v12_price.isra.0", "plugin-7.so", ITP_LAYER_USER, false);
	/* The third rule would leave nothing. */
	g_assert_cmpstr(got.name, ==, "price");
	g_assert_cmpstr(got.module, ==, "plugin.so");
	itp_canonical_clear(&got);
	got = apply(names, "worker/3", "", ITP_LAYER_PROCESS, false);
	g_assert_cmpstr(got.name, ==, "worker");
	itp_canonical_clear(&got);
	itp_names_free(names);
}

static void test_without_the_builtin_rules_only_those_of_the_user_count(void)
{
	struct itp_names *names = itp_names_new(false);
	struct itp_canonical got;

	g_assert_true(parse(names, "function ^a => b", NULL));
	got = apply(names, "a.isra.0", "libz.so.1.2", ITP_LAYER_USER, false);
	g_assert_cmpstr(got.name, ==, "b.isra.0");
	g_assert_cmpstr(got.module, ==, "libz.so.1.2");
	itp_canonical_clear(&got);
	itp_names_free(names);
}

static void test_a_wrong_line_is_named_by_place_and_reason(void)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "function a => b\nfunktion a => b",
		  "rules:2:1: \"funktion\" is not one of function, module, process" },
		{ "\n  function (a => b", "rules:2:14: missing terminating )" },
		{ "function \xc3\xa4[z-a] => b",
		  "rules:1:14: range out of order in character class" },
		{ "function a", "rules:1:11: \"=>\" and a replacement are missing" },
		{ "module", "rules:1:7: \"=>\" and a replacement are missing" },
		{ "module => b", "rules:1:8: there is no regular expression before \"=>\"" },
		{ "function a => \\g<x", "rules:1:19: unfinished symbolic reference" },
		{ "function a => \xc3\xa4\\g<x", "rules:1:20: unfinished symbolic reference" },
		{ "function a => b\nfunction \xff", "rules:2:10: this is not UTF-8" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct itp_names *names = itp_names_new(true);
		g_autoptr(GError) error = NULL;

		g_assert_false(parse(names, cases[i].text, &error));
		g_assert_nonnull(error);
		g_assert_cmpstr(error ? error->message : NULL, ==, cases[i].message);
		itp_names_free(names);
	}
}

static void test_an_expression_that_gives_up_is_an_error(void)
{
	struct itp_names *names = itp_names_new(true);
	const struct itp_function function = { .name = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
					       .module = "" };
	struct itp_canonical canonical;
	g_autoptr(GError) error = NULL;

	g_assert_true(parse(names, "function ^(a+)+$ => b", NULL));
	g_assert_false(itp_names_apply(names, &function, &canonical, &error));
	g_assert_error(error, G_REGEX_ERROR, G_REGEX_ERROR_MATCH);
	itp_names_free(names);
}

static void test_a_file_without_end_is_not_read_to_it(void)
{
	struct itp_names *names = itp_names_new(true);
	g_autoptr(GError) error = NULL;

	g_assert_false(itp_names_read(names, "/dev/zero", &error));
	g_assert_cmpstr(error ? error->message : NULL, ==,
			"/dev/zero: longer than the 1048576 bytes that rules may take");
	itp_names_free(names);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/names/suffixes of the compiler go", test_suffixes_of_the_compiler_go);
	g_test_add_func("/names/parts of a function are known as such",
			test_parts_of_a_function_are_known_as_such);
	g_test_add_func("/names/hashes of Rust go", test_hashes_of_rust_go);
	g_test_add_func("/names/tiers of virtual machines go", test_tiers_of_virtual_machines_go);
	g_test_add_func("/names/tags and versions go", test_tags_and_versions_go);
	g_test_add_func("/names/what only looks alike stays", test_what_only_looks_alike_stays);
	g_test_add_func("/names/libraries keep the version of their interface",
			test_libraries_keep_the_version_of_their_interface);
	g_test_add_func("/names/only names of functions are rewritten as such",
			test_only_names_of_functions_are_rewritten_as_such);
	g_test_add_func("/names/the longest names are rewritten",
			test_the_longest_names_are_rewritten);
	g_test_add_func("/names/rules of a user come last", test_rules_of_a_user_come_last);
	g_test_add_func("/names/without the built-in rules only those of the user count",
			test_without_the_builtin_rules_only_those_of_the_user_count);
	g_test_add_func("/names/a wrong line is named by place and reason",
			test_a_wrong_line_is_named_by_place_and_reason);
	g_test_add_func("/names/an expression that gives up is an error",
			test_an_expression_that_gives_up_is_an_error);
	g_test_add_func("/names/a file without end is not read to it",
			test_a_file_without_end_is_not_read_to_it);
	return g_test_run();
}
