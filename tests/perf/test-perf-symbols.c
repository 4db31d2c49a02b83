/* SPDX-License-Identifier: MIT */
/*
 * common/symbol: mappings, names of addresses, kernel symbols. This program looks itself up.
 */
#define _GNU_SOURCE /* dladdr() */
#include "common/elf/section.h"
#include "common/symbol/elf-symbols.h"
#include "common/symbol/kernel.h"
#include "common/symbol/symbolizer.h"
#include "common/unwind/unwind.h"
#include "tests/perf/recording.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <sys/auxv.h>
#include <unistd.h>

static struct itp_mapping mapping(uint64_t start, uint64_t end, uint64_t offset)
{
	return (struct itp_mapping){ .start = start, .end = end, .offset = offset };
}

/* The file offset at `address`, -1 where nothing is mapped. */
static int64_t offset_at(struct itp_address_space *space, uint64_t address)
{
	const struct itp_mapping *found = itp_address_space_find(space, address);

	return found ? (int64_t)(address - found->start + found->offset) : -1;
}

static void test_overlap(void)
{
	struct itp_address_space *space = itp_address_space_new();
	struct itp_mapping old = mapping(0x1000, 0x5000, 0x10000);
	struct itp_mapping inner = mapping(0x2000, 0x3000, 0x90000);
	struct itp_mapping across = mapping(0x2800, 0x6000, 0xa0000);

	itp_address_space_map(&space, &old, 2);
	itp_address_space_map(&space, &inner, 3);
	g_assert_cmpint(offset_at(space, 0x1fff), ==, 0x10fff);
	g_assert_cmpint(offset_at(space, 0x2000), ==, 0x90000);
	g_assert_cmpint(offset_at(space, 0x3000), ==, 0x12000);
	g_assert_cmpint(offset_at(space, 0x5000), ==, -1);
	g_assert_cmpint(offset_at(space, 0xfff), ==, -1);
	itp_address_space_map(&space, &across, 4);
	g_assert_cmpint(offset_at(space, 0x27ff), ==, 0x907ff);
	g_assert_cmpint(offset_at(space, 0x2800), ==, 0xa0000);
	g_assert_cmpint(offset_at(space, 0x5fff), ==, 0xa37ff);
	g_assert_cmpint(offset_at(space, 0x1000), ==, 0x10000);
	itp_address_space_unref(space);
}

static void test_fork_copies(void)
{
	struct itp_address_space *parent = itp_address_space_new();
	struct itp_address_space *child;
	struct itp_mapping first = mapping(0x1000, 0x2000, 0);
	struct itp_mapping second = mapping(0x1800, 0x3000, 0x50000);

	itp_address_space_map(&parent, &first, 2);
	child = itp_address_space_ref(parent);
	itp_address_space_map(&child, &second, 3);
	g_assert_cmpint(offset_at(parent, 0x1800), ==, 0x800);
	g_assert_cmpint(offset_at(child, 0x1800), ==, 0x50000);
	g_assert_cmpuint(itp_address_space_layout(parent), ==, 2);
	g_assert_cmpuint(itp_address_space_layout(child), ==, 3);
	itp_address_space_unref(parent);
	itp_address_space_unref(child);
}

static void test_unload(void)
{
	struct itp_address_space *parent = itp_address_space_new();
	struct itp_address_space *child;
	struct itp_mapping program = mapping(0x1000, 0x2000, 0);
	struct itp_mapping text = mapping(0x5000, 0x8000, 0);
	struct itp_mapping inside = mapping(0x6000, 0x7000, 0x90000);

	text.image = 0x4000;
	itp_address_space_map(&parent, &program, 2);
	itp_address_space_map(&parent, &text, 3);
	itp_address_space_map(&parent, &inside, 4);
	child = itp_address_space_ref(parent);
	itp_address_space_unmap(&child, 0x4000, 5);
	g_assert_cmpint(offset_at(child, 0x5000), ==, -1);
	g_assert_cmpint(offset_at(child, 0x7fff), ==, -1);
	g_assert_cmpint(offset_at(child, 0x6000), ==, 0x90000);
	g_assert_cmpint(offset_at(child, 0x1000), ==, 0);
	g_assert_cmpint(offset_at(parent, 0x7fff), ==, 0x2fff);
	g_assert_cmpuint(itp_address_space_layout(child), ==, 5);
	itp_address_space_unref(parent);
	itp_address_space_unref(child);
}

static struct itp_symbol symbol(const char *name, enum itp_binding binding, uint64_t start,
				uint64_t size)
{
	return (struct itp_symbol){ .start = start,
				    .end = start + size,
				    .name = name,
				    .name_length = (uint32_t)strlen(name),
				    .binding = binding,
				    .is_sized = size > 0 };
}

static char *found_name(const struct itp_symbol_table *table, uint64_t address)
{
	const struct itp_symbol *found = itp_symbol_table_find(table, address);

	return found ? g_strndup(found->name, found->name_length) : g_strdup("");
}

static void test_aliases(void)
{
	const struct itp_symbol symbols[] = {
		symbol("__GI___libc_write", ITP_BINDING_LOCAL, 0x100, 0x40),
		symbol("w", ITP_BINDING_LOCAL, 0x100, 0x40),
		symbol("__write", ITP_BINDING_GLOBAL, 0x100, 0x40),
		symbol("write", ITP_BINDING_WEAK, 0x100, 0x40),
		symbol("writf", ITP_BINDING_WEAK, 0x100, 0x40),
		symbol("sizeless", ITP_BINDING_GLOBAL, 0x200, 0),
		symbol("outer", ITP_BINDING_GLOBAL, 0x300, 0x100),
		symbol("inner", ITP_BINDING_LOCAL, 0x340, 0x10),
		symbol("label", ITP_BINDING_LOCAL, 0x380, 0),
	};

	for (size_t first = 0; first < G_N_ELEMENTS(symbols); first++) {
		struct itp_symbol_table table;
		g_autofree char *write_name = NULL;
		g_autofree char *sizeless_name = NULL;
		g_autofree char *outer_name = NULL;
		g_autofree char *inner_name = NULL;
		g_autofree char *no_name = NULL;
		g_autofree char *label_name = NULL;

		itp_symbol_table_init(&table);
		for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++) {
			itp_symbol_table_add(&table, &symbols[(first + i) % G_N_ELEMENTS(symbols)]);
		}
		itp_symbol_table_finish(&table);
		write_name = found_name(&table, 0x13f);
		sizeless_name = found_name(&table, 0x2ff);
		outer_name = found_name(&table, 0x3f0);
		inner_name = found_name(&table, 0x345);
		no_name = found_name(&table, 0x140);
		label_name = found_name(&table, 0x410);
		g_assert_cmpstr(write_name, ==, "write");
		g_assert_cmpstr(sizeless_name, ==, "sizeless");
		g_assert_cmpstr(outer_name, ==, "outer");
		g_assert_cmpstr(inner_name, ==, "inner");
		g_assert_cmpstr(no_name, ==, "");
		g_assert_cmpstr(label_name, ==, "label");
		itp_symbol_table_release(&table);
	}
}

static uint64_t own_vaddr(void (*function)(void))
{
	Dl_info info;

	g_assert_true(dladdr((void *)(uintptr_t)function, &info) != 0);
	return (uintptr_t)function - (uintptr_t)info.dli_fbase;
}

static void test_own_functions(void)
{
	enum itp_error error = ITP_OK;
	struct itp_elf_symbols *symbols = itp_elf_symbols_new("/proc/self/exe", &error);
	uint64_t vaddr = own_vaddr(test_own_functions);
	struct itp_elf_function found;
	g_autofree char *name = NULL;
	uint64_t start = 0;
	uint64_t end;

	g_assert_nonnull(symbols);
	if (itp_elf_image_segment(&symbols->image, PT_LOAD)->p_vaddr != 0) {
		g_test_skip("this program is linked to a fixed address");
		itp_elf_symbols_free(symbols);
		return;
	}
	found = itp_elf_symbols_find(symbols, vaddr + 9);
	name = g_strndup(found.name ? found.name : "", found.name_length);
	g_assert_cmpstr(name, ==, "test_own_functions");
	g_assert_cmphex(found.start, ==, vaddr);
	/* The unwind tables know the same without a name. */
	g_assert_true(itp_cfi_bounds(symbols->cfi, vaddr + 9, &start, &end));
	g_assert_cmphex(start, ==, vaddr);
	g_assert_false(itp_cfi_bounds(symbols->cfi, 1, &start, &end));
	itp_elf_symbols_free(symbols);
}

/* Stacks are unwound before anybody asks for a name. */
static void test_names_apart(void)
{
	enum itp_error error = ITP_OK;
	struct itp_elf_symbols *symbols = itp_elf_symbols_open("/proc/self/exe", &error);

	g_assert_nonnull(symbols);
	g_assert_nonnull(symbols->cfi);
	g_assert_cmpuint(symbols->table.symbols->len, ==, 0);
	itp_elf_symbols_read(symbols);
	g_assert_cmpuint(symbols->table.symbols->len, >, 0);
	itp_elf_symbols_free(symbols);
}

static void test_no_elf(void)
{
	g_autofree char *path = recording_write_bytes("\177ELF\2\1\1garbage", 14);
	enum itp_error error = ITP_OK;

	g_assert_null(itp_elf_symbols_new(path, &error));
	g_assert_cmpint(error, ==, ITP_ERROR_CORRUPT);
	g_assert_null(itp_elf_symbols_new("/dev/null", &error));
	g_assert_cmpint(error, ==, ITP_ERROR_IO);
	g_unlink(path);
}

/* Name of the function at offset 0x1010 of this program, mapped as built with `build_id`. */
static char *name_with_build_id(const char *build_id)
{
	const struct itp_symbolizer_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_symbolizer *symbolizer = itp_symbolizer_new(&options, functions);
	struct itp_address_space *space = itp_address_space_new();
	g_autofree char *path = g_file_read_link("/proc/self/exe", NULL);
	struct itp_map_request request = {
		.start = 0x400000, .length = 0x100000, .path = path, .build_id = build_id
	};
	uint64_t vaddr = own_vaddr(test_own_functions);
	uint64_t slide;
	uint32_t id;
	char *name;

	itp_symbolizer_map(symbolizer, &space, &request);
	g_assert_cmphex(itp_symbolizer_user(symbolizer, space, 0x3fffff, &slide), ==,
			ITP_FUNCTION_UNMAPPED);
	id = itp_symbolizer_user(symbolizer, space, 0x400000 + vaddr, &slide);
	g_assert_cmphex(slide, ==, 0x400000);
	g_assert_cmphex(itp_symbolizer_user(symbolizer, space, 0x400000 + vaddr, &slide), ==, id);
	g_assert_cmphex(slide, ==, 0x400000);
	name = g_strdup(itp_function_table_get(functions, id)->name);
	itp_address_space_unref(space);
	itp_symbolizer_free(symbolizer);
	itp_function_table_free(functions);
	return name;
}

static void test_build_id(void)
{
	g_autofree char *unknown = name_with_build_id(NULL);
	g_autofree char *other = name_with_build_id("00112233445566778899aabbccddeeff00112233");
	g_autofree char *itself = NULL;
	enum itp_error error = ITP_OK;
	struct itp_elf_symbols *symbols = itp_elf_symbols_new("/proc/self/exe", &error);

	g_assert_cmpstr(unknown, ==, "test_own_functions");
	if (symbols->image.build_id[0] == '\0') {
		g_test_skip("this program was linked without a build id");
	} else {
		itself = name_with_build_id(symbols->image.build_id);
		g_assert_cmpstr(itself, ==, "test_own_functions");
		g_assert_nonnull(strstr(other, "+0x"));
	}
	itp_elf_symbols_free(symbols);
}

/* Name of the function at 0x1010 behind `start`, where a file in memory is mapped from 0x3000 on.
 */
static const char *name_in_memory(struct itp_symbolizer *symbolizer,
				  const struct itp_function_table *functions, uint64_t start,
				  bool is_private)
{
	struct itp_address_space *space = itp_address_space_new();
	const struct itp_map_request request = { .start = start,
						 .length = 0x2000,
						 .offset = 0x3000,
						 .path = "/memfd:code (deleted)",
						 .pid = (int32_t)(start >> 20),
						 .is_private = is_private };
	uint64_t slide;
	uint32_t id;

	itp_symbolizer_map(symbolizer, &space, &request);
	id = itp_symbolizer_user(symbolizer, space, start + 0x1010, &slide);
	itp_address_space_unref(space);
	return itp_function_table_get(functions, id)->name;
}

static void test_files_in_memory(void)
{
	const struct itp_symbolizer_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_symbolizer *symbolizer = itp_symbolizer_new(&options, functions);

	/* A program is the same wherever it lies; what was compiled is known by its address. */
	g_assert_cmpstr(name_in_memory(symbolizer, functions, 0x400000, true), ==,
			"memfd:code+0x4010");
	g_assert_cmpstr(name_in_memory(symbolizer, functions, 0x700000, true), ==,
			"memfd:code+0x4010");
	g_assert_cmpstr(name_in_memory(symbolizer, functions, 0x700000, false), ==,
			"[jit]+0x701010");
	itp_symbolizer_free(symbolizer);
	itp_function_table_free(functions);
}

static void map_at(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
		   const char *path, uint64_t start, uint64_t length, uint64_t offset)
{
	const struct itp_map_request request = {
		.start = start, .length = length, .offset = offset, .path = path, .pid = 7
	};

	itp_symbolizer_map(symbolizer, space, &request);
}

static void assert_name(struct itp_symbolizer *symbolizer,
			const struct itp_function_table *functions, struct itp_address_space *space,
			uint64_t address, const char *expected)
{
	uint64_t slide;
	uint32_t id = itp_symbolizer_user(symbolizer, space, address, &slide);

	g_assert_cmpstr(itp_function_table_get(functions, id)->name, ==, expected);
}

/* Order of the two does not matter: code that was moved while nobody watched is told by its
 * address. Memory between parts of a file that do not fit together is no code of it. */
static void test_moved_code(void)
{
	const struct itp_symbolizer_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_symbolizer *symbolizer = itp_symbolizer_new(&options, functions);
	struct itp_address_space *space = itp_address_space_new();

	map_at(symbolizer, &space, "/nowhere/app", 0x400000, 0x1000, 0x1000);
	map_at(symbolizer, &space, "//anon", 0x401000, 0x1000, 0);
	map_at(symbolizer, &space, "//anon", 0x402000, 0x1000, 0);
	assert_name(symbolizer, functions, space, 0x401010, "[anon]+0x401010");
	map_at(symbolizer, &space, "/nowhere/app", 0x403000, 0x1000, 0x4000);
	assert_name(symbolizer, functions, space, 0x401010, "app+0x2010");
	assert_name(symbolizer, functions, space, 0x402010, "app+0x3010");
	map_at(symbolizer, &space, "/nowhere/lib", 0x500000, 0x3000, 0);
	map_at(symbolizer, &space, "//anon", 0x501000, 0x1000, 0);
	assert_name(symbolizer, functions, space, 0x501010, "lib+0x1010");
	map_at(symbolizer, &space, "/nowhere/lib", 0x600000, 0x1000, 0);
	map_at(symbolizer, &space, "//anon", 0x601000, 0x1000, 0);
	map_at(symbolizer, &space, "/nowhere/lib", 0x602000, 0x1000, 0x9000);
	assert_name(symbolizer, functions, space, 0x601010, "[anon]+0x601010");
	itp_address_space_unref(space);
	itp_symbolizer_free(symbolizer);
	itp_function_table_free(functions);
}

static void test_build_id_notes(void)
{
	const guint32 notes[] = { 4, 4, 1, 0x00554e47, 7, 4, 3, 3, 0x00554e47, 0x00ccbbaa };
	g_autofree char *id = itp_build_id_from_notes((const uint8_t *)notes, sizeof(notes) - 1);
	g_autofree char *cut = itp_build_id_from_notes((const uint8_t *)notes, sizeof(notes) - 4);

	g_assert_cmpstr(id, ==, "aabbcc");
	g_assert_null(cut);
	g_assert_true(itp_build_id_may_equal("aabb0000", "aabb"));
	g_assert_true(itp_build_id_may_equal("", "aabb"));
	g_assert_false(itp_build_id_may_equal("aabb01", "aabb"));
	g_assert_false(itp_build_id_may_equal("aabc", "aabb"));
}

/* "NAME MODULE" at `address` of a kernel whose text was recorded at `text`. */
static char *kernel_name(const char *kallsyms, uint64_t text, uint64_t address)
{
	g_autofree char *path = recording_write_bytes(kallsyms, strlen(kallsyms));
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_kernel *kernel = itp_kernel_new(path, NULL, functions);
	const struct itp_function *function;
	uint32_t id;
	char *result;

	itp_kernel_set_text(kernel, text, 0x100000);
	id = itp_kernel_function(kernel, address);
	function = itp_function_table_get(functions, id);
	result = g_strdup_printf("%s %s%s", function->name, function->module,
				 itp_kernel_symbols_hidden(kernel) ? " hidden" : "");
	itp_kernel_free(kernel);
	itp_function_table_free(functions);
	g_unlink(path);
	return result;
}

static void test_interruptions(void)
{
	static const char *const names[] = { "asm_sysvec_apic_timer_interrupt",
					     "asm_exc_page_fault", "asm_load_gs_index",
					     "schedule" };
	const bool wanted[] = { true, true, false, false };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *kallsyms = g_strdup_printf("ffffffff81000000 T _stext\n"
							    "ffffffff81000010 T %s\n",
							    names[i]);
		g_autofree char *path = recording_write_bytes(kallsyms, strlen(kallsyms));
		const struct itp_symbolizer_options options = { .kallsyms = path };
		struct itp_function_table *functions = itp_function_table_new();
		struct itp_symbolizer *symbolizer = itp_symbolizer_new(&options, functions);
		uint64_t slide;
		uint32_t id = itp_symbolizer_kernel_function(symbolizer,
							     UINT64_C(0xffffffff81000014), &slide);

		g_assert_cmpstr(itp_function_table_get(functions, id)->name, ==, names[i]);
		g_assert_cmpint(itp_symbolizer_is_interruption(symbolizer, id), ==, wanted[i]);
		g_assert_cmpuint(slide, ==, 0);
		itp_symbolizer_free(symbolizer);
		itp_function_table_free(functions);
		g_unlink(path);
	}
}

static void test_kallsyms(void)
{
	static const char kallsyms[] = "ffffffff81000000 T _text\n"
				       "ffffffff81000100 t do_it\n"
				       "ffffffff81000100 T __do_it\n"
				       "ffffffff81000200 D data\n"
				       "ffffffff81000300 T last\n"
				       "this is no line\n"
				       "ffffffffc0000000 t helper\t[mod]\n";
	static const char hidden[] = "0000000000000000 T _text\n0000000000000000 t do_it\n";
	const uint64_t text = UINT64_C(0xffffffff81000000);
	g_autofree char *same = kernel_name(kallsyms, text, text + 0x2ff);
	g_autofree char *moved = kernel_name(kallsyms, text + 0x2000000, text + 0x2000310);
	g_autofree char *module = kernel_name(kallsyms, text, UINT64_C(0xffffffffc0000004));
	g_autofree char *lost_module =
		kernel_name(kallsyms, text + 0x2000000, UINT64_C(0xffffffffc0000004));
	g_autofree char *far = kernel_name(kallsyms, text, UINT64_C(0xffffffffd0000000));
	g_autofree char *zeros = kernel_name(hidden, text, text + 0x10);

	g_assert_cmpstr(same, ==, "__do_it [kernel]");
	g_assert_cmpstr(moved, ==, "last [kernel]");
	g_assert_cmpstr(module, ==, "helper [mod]");
	g_assert_cmpstr(lost_module, ==, "[kernel]+0xffffffffc0000004 [kernel]");
	g_assert_cmpstr(far, ==, "[kernel]+0xffffffffd0000000 [kernel]");
	g_assert_cmpstr(zeros, ==, "[kernel]+0x10 [kernel] hidden");
}

static void test_kallsyms_layout(void)
{
	static const char padding[] = "ffffffff81000000 T _text\n"
				      "ffffffff81000100 t do_it\n"
				      "ffffffff810001f0 t __pfx_next\n"
				      "ffffffff81000200 t next";
	static const char module_last[] = "ffffffff81000000 T _text\n"
					  "ffffffff81000100 t helper\t[mod]";
	const uint64_t text = UINT64_C(0xffffffff81000000);
	g_autofree char *stuff = g_strnfill(2000, 'x');
	g_autofree char *long_line = g_strconcat("ffffffff81000000 T ", stuff, "\n", NULL);
	g_autofree char *before = kernel_name(padding, text, text + 0x1f8);
	g_autofree char *last = kernel_name(padding, text, text + 0x204);
	g_autofree char *module = kernel_name(module_last, text, text + 0x104);
	g_autofree char *other = kernel_name(long_line, text, text + 0x10);

	g_assert_cmpstr(before, ==, "do_it [kernel]");
	g_assert_cmpstr(last, ==, "next [kernel]");
	g_assert_cmpstr(module, ==, "helper [mod]");
	g_assert_cmpstr(other, ==, "[kernel]+0x10 [kernel]");
}

static void test_other_kernel(void)
{
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_kernel *kernel = itp_kernel_new(NULL, "0.0.1-nowhere", functions);
	uint32_t id = itp_kernel_function(kernel, UINT64_C(0xffffffff81000010));

	/* The running kernel's names would be wrong ones. */
	g_assert_true(itp_function_table_get(functions, id)->is_unnamed);
	g_assert_true(itp_kernel_symbols_missing(kernel));
	itp_kernel_free(kernel);
	itp_function_table_free(functions);
}

static void test_syscalls(void)
{
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_syscall_names *names = itp_syscall_names_new("x86_64", functions);
	const struct {
		int64_t number;
		const char *name;
	} calls[] = { { 1, "syscall:write" },
		      { 230, "syscall:clock_nanosleep" },
		      { 1000, "syscall:1000" },
		      { -1, "syscall:-1" },
		      { INT64_MAX, "syscall:9223372036854775807" } };

	for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
		uint32_t id = itp_syscall_names_function(names, calls[i].number);

		g_assert_cmpstr(itp_function_table_get(functions, id)->name, ==, calls[i].name);
		g_assert_cmpint(itp_function_table_get(functions, id)->layer, ==,
				ITP_LAYER_SYSCALL);
		g_assert_cmpuint(itp_syscall_names_function(names, calls[i].number), ==, id);
	}
	itp_syscall_names_free(names);
	itp_function_table_free(functions);
}

static void test_demangle(void)
{
	const struct {
		const char *name;
		const char *readable;
	} names[] = {
		{ "_ZN4shop4Cart3addEPKci", "shop::Cart::add(char const*, int)" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back(int const&)" },
		{ "_ZN4shop4CartC1Ev", "shop::Cart::Cart()" },
		{ "_ZL6helperi.part.0", "helper(int) [clone .part.0]" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "main", NULL },
		{ "_Z", NULL },
		{ "_ZN4shop", NULL },
		{ "_R", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *readable = itp_demangle(names[i].name);

		g_assert_cmpstr(readable, ==, names[i].readable);
	}
}

/* Each substitution stands for everything before it twice: the text doubles every 7 bytes. */
static char *exploding_name(guint doublings)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	GString *name = g_string_new("_Z1f1AIiiE");

	for (guint i = 0; i < doublings; i++) {
		g_string_append_printf(name, "1AIS%c_S%c_E", digits[i], digits[i]);
	}
	return g_string_free(name, FALSE);
}

static void test_hostile_names(void)
{
	gint64 begin_us = g_get_monotonic_time();
	g_autofree char *long_name = g_strnfill(5000, 'a');
	g_autofree char *deep_name = g_strnfill(1020, 'P');

	for (guint doublings = 1; doublings <= 36; doublings++) {
		g_autofree char *name = exploding_name(doublings);
		g_autofree char *readable = itp_demangle(name);

		g_assert_true(!readable || strlen(readable) <= ITP_MAX_DEMANGLED_BYTES);
	}
	memcpy(long_name, "_Z4999", 6);
	g_assert_null(itp_demangle(long_name));
	memcpy(deep_name, "_Z1f", 4);
	g_free(itp_demangle(deep_name));
	g_assert_cmpint(g_get_monotonic_time() - begin_us, <, 10 * G_USEC_PER_SEC);
}

/* One page too much makes it another one, whose names would be wrong. */
static void test_vdso(void)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	struct itp_elf_symbols *symbols = NULL;
	uint64_t mapped_bytes = 0;

	if (getauxval(AT_SYSINFO_EHDR) == 0) {
		g_test_skip("this process has no vdso");
		return;
	}
	while (!symbols && mapped_bytes < 16 * page_bytes) {
		mapped_bytes += page_bytes;
		symbols = itp_elf_symbols_new_vdso(mapped_bytes, "");
	}
	g_assert_nonnull(symbols);
	itp_elf_symbols_free(symbols);
	g_assert_null(itp_elf_symbols_new_vdso(mapped_bytes + page_bytes, ""));
	g_assert_null(itp_elf_symbols_new_vdso(mapped_bytes, "00112233"));
}

/* Of the mapping that begins at `address`, as /proc/self/smaps tells; -1 when it does not. */
static int64_t resident_kilobytes(const void *address)
{
	g_autofree char *begin = g_strdup_printf("%zx-", (size_t)(uintptr_t)address);
	g_autofree char *maps = NULL;
	const char *at;

	g_file_get_contents("/proc/self/smaps", &maps, NULL, NULL);
	at = maps ? strstr(maps, begin) : NULL;
	at = at ? strstr(at, "\nRss:") : NULL;
	return at ? g_ascii_strtoll(at + strlen("\nRss:"), NULL, 10) : -1;
}

static void test_forget(void)
{
	struct itp_elf_image image;
	g_autofree char *before = NULL;
	g_autofree char *after = NULL;

	g_assert_cmpint(itp_elf_image_init(&image, "/proc/self/exe"), ==, 0);
	before = g_compute_checksum_for_data(G_CHECKSUM_SHA256, image.map.bytes.data,
					     image.map.bytes.size);
	g_assert_cmpint(resident_kilobytes(image.map.bytes.data), >=,
			(int64_t)(image.map.bytes.size / 1024));
	itp_elf_image_forget(&image);
	g_assert_cmpint(resident_kilobytes(image.map.bytes.data), ==, 0);
	after = g_compute_checksum_for_data(G_CHECKSUM_SHA256, image.map.bytes.data,
					    image.map.bytes.size);
	g_assert_cmpstr(after, ==, before);
	itp_elf_image_release(&image);
}

/* Of this program. Owned by the caller, who removes the file. */
static char *copy_of_program(void)
{
	g_autofree char *bytes = NULL;
	gsize size;

	g_assert_true(g_file_get_contents("/proc/self/exe", &bytes, &size, NULL));
	return recording_write_bytes(bytes, size);
}

static char *name_of(const struct itp_elf_symbols *symbols, uint64_t vaddr)
{
	struct itp_elf_function found = itp_elf_symbols_find(symbols, vaddr);

	return found.name ? g_strndup(found.name, found.name_length) : g_strdup("");
}

/* The first function that has a symbol. */
static uint64_t any_function(const struct itp_elf_symbols *symbols)
{
	g_assert_cmpuint(symbols->table.symbols->len, >, 0);
	return g_array_index(symbols->table.symbols, struct itp_symbol, 0).start;
}

static void test_shortened_file(void)
{
	g_autofree char *path = copy_of_program();
	enum itp_error error;
	struct itp_elf_symbols *symbols = itp_elf_symbols_new(path, &error);
	uint64_t vaddr = any_function(symbols);
	g_autofree char *before = name_of(symbols, vaddr);
	g_autofree char *after = NULL;

	g_assert_cmpuint(strlen(before), >, 0);
	itp_elf_symbols_forget(symbols);
	g_assert_false(itp_elf_symbols_have_changed(symbols));
	g_assert_cmpint(truncate(path, 64), ==, 0);
	after = name_of(symbols, vaddr);
	g_assert_cmpstr(after, !=, before);
	g_assert_true(itp_elf_symbols_have_changed(symbols));
	g_assert_nonnull(itp_elf_image_at(&symbols->image, vaddr).data);
	itp_elf_symbols_free(symbols);
	g_unlink(path);
}

static void test_shortened_meanwhile(void)
{
	g_autofree char *path = copy_of_program();
	struct itp_elf_image image;

	g_assert_cmpint(itp_elf_image_look(&image, path), ==, 0);
	g_assert_cmpint(truncate(path, 4096), ==, 0);
	g_assert_cmpint(itp_elf_image_take(&image), ==, ITP_ERROR_CHANGED);
	itp_elf_image_release(&image);
	g_unlink(path);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/symbols/a new mapping replaces what it overlaps", test_overlap);
	g_test_add_func("/symbols/a fork shares mappings until one side changes", test_fork_copies);
	g_test_add_func("/symbols/a file that is unloaded takes all its parts away", test_unload);
	g_test_add_func("/symbols/aliases resolve the same in any order", test_aliases);
	g_test_add_func("/symbols/functions of a file are found by name and by unwind table",
			test_own_functions);
	g_test_add_func("/symbols/a file is opened without its names", test_names_apart);
	g_test_add_func("/symbols/the memory of a file can go, and comes back", test_forget);
	g_test_add_func("/symbols/files that are no ELF are refused", test_no_elf);
	g_test_add_func("/symbols/a file of another build gives no names", test_build_id);
	g_test_add_func("/symbols/a program may be a file in memory", test_files_in_memory);
	g_test_add_func("/symbols/code that was moved to other pages is the file's still",
			test_moved_code);
	g_test_add_func("/symbols/build ids are found in notes", test_build_id_notes);
	g_test_add_func("/symbols/kernel names move with the kernel", test_kallsyms);
	g_test_add_func("/symbols/padding between kernel functions is none of them",
			test_kallsyms_layout);
	g_test_add_func("/symbols/interrupts and exceptions are told by name", test_interruptions);
	g_test_add_func("/symbols/another kernel's recording gets no names", test_other_kernel);
	g_test_add_func("/symbols/names of C++ and Rust are shown as in the source", test_demangle);
	g_test_add_func("/symbols/names made to explode are left alone", test_hostile_names);
	g_test_add_func("/symbols/the vdso is this process's, or none", test_vdso);
	g_test_add_func("/symbols/system calls have names or numbers", test_syscalls);
	g_test_add_func("/symbols/a file that becomes shorter stays as it was when it was opened",
			test_shortened_file);
	g_test_add_func("/symbols/a file that becomes shorter while it is opened is refused",
			test_shortened_meanwhile);
	return g_test_run();
}
