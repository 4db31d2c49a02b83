/* SPDX-License-Identifier: MIT */
/*
 * Inlined functions at addresses of a real file, this program itself, compared with libdw's own
 * search at each of them.
 */
#include "common/symbol/inlines.h"
#include "common/symbol/symbolizer.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Distance of the addresses that are looked at, in bytes: all places within instructions. */
#define STRIDE 7
/* Fewest addresses with inlined functions, where the compiler inlines at all. */
#define LEAST 500

struct fixture {
	char *path;
	struct itp_elf_image image;
	struct itp_debug_data *reference;
	struct itp_inlines *inlines;
	/* Names of inlined functions, by id. */
	GPtrArray *names;
};

static uint32_t note_name(void *data, const struct itp_inlined_name *name)
{
	GPtrArray *names = data;

	g_ptr_array_add(names, g_strdup(name->symbol));
	return names->len - 1;
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	const struct itp_symbol_files files = { .build_id = "" };

	(void)data;
	fixture->path = g_file_read_link("/proc/self/exe", NULL);
	g_assert_nonnull(fixture->path);
	g_assert_cmpint(itp_elf_image_init(&fixture->image, fixture->path), ==, 0);
	fixture->names = g_ptr_array_new_with_free_func(g_free);
	/* Id 0 is no function. */
	g_ptr_array_add(fixture->names, NULL);
	fixture->reference = itp_debug_data_new(&files, fixture->path);
	if (fixture->reference) {
		fixture->inlines = itp_inlines_new(itp_debug_data_new(&files, fixture->path), 1,
						   note_name, fixture->names);
	}
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	itp_inlines_free(fixture->inlines);
	itp_debug_data_free(fixture->reference);
	itp_elf_image_release(&fixture->image);
	g_ptr_array_unref(fixture->names);
	g_free(fixture->path);
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ?
		       dwarf_formstring(&attribute) :
		       dwarf_diename(die);
}

static uint64_t entry_of(Dwarf_Die *die)
{
	Dwarf_Addr entry = 0;
	Dwarf_Addr base;
	Dwarf_Addr end;

	if (dwarf_entrypc(die, &entry) != 0) {
		dwarf_ranges(die, 0, &base, &entry, &end);
	}
	return entry;
}

/* Names of the functions around `die` up to the one with the code, innermost first; "" where this
 * begins at `vaddr`. */
static char *names_around(Dwarf_Die *die, uint64_t vaddr)
{
	g_autoptr(GString) text = g_string_new(NULL);
	Dwarf_Die *scopes = NULL;
	int count = dwarf_getscopes_die(die, &scopes);
	int i;

	for (i = 0; i < count && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine) {
			g_string_append_printf(text, "%s ", name_of(&scopes[i]));
		}
	}
	if (i < count && entry_of(&scopes[i]) == vaddr) {
		g_string_truncate(text, 0);
	}
	free(scopes);
	return g_strdup(text->str);
}

/* Names at `vaddr` by libdw; "" without any, and at the first address of a function. */
static char *expected_at(struct fixture *fixture, uint64_t vaddr)
{
	Dwarf_Die *scopes = NULL;
	Dwarf_Die unit;
	char *names;
	int count;

	if (!dwarf_addrdie(itp_debug_data_dwarf(fixture->reference), vaddr, &unit)) {
		return g_strdup("");
	}
	count = dwarf_getscopes(&unit, vaddr, &scopes);
	names = count > 0 ? names_around(&scopes[0], vaddr) : g_strdup("");
	free(scopes);
	return names;
}

static char *found_at(struct fixture *fixture, uint64_t vaddr)
{
	const struct itp_inlined_chain *chain = itp_inlines_find(fixture->inlines, vaddr);
	GString *text = g_string_new(NULL);

	for (uint32_t i = chain ? chain->count : 0; i-- > 0;) {
		const char *name = fixture->names->pdata[chain->calls[i].function];

		g_string_append_printf(text, "%s ", name);
	}
	return g_string_free(text, FALSE);
}

static const GElf_Phdr *code_of(const struct fixture *fixture)
{
	for (guint i = 0; i < fixture->image.segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(fixture->image.segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X) {
			return segment;
		}
	}
	g_assert_not_reached();
}

static void test_names(struct fixture *fixture, gconstpointer data)
{
	const GElf_Phdr *code = code_of(fixture);
	guint inlined_count = 0;

	(void)data;
	if (!fixture->inlines) {
		g_test_skip("this program has no debug data");
		return;
	}
	for (uint64_t at = 0; at < code->p_filesz; at += STRIDE) {
		g_autofree char *expected = expected_at(fixture, code->p_vaddr + at);
		g_autofree char *found = found_at(fixture, code->p_vaddr + at);

		inlined_count += expected[0] != '\0';
		g_assert_cmpstr(found, ==, expected);
		if (!g_str_equal(found, expected)) {
			g_test_message("at 0x%" G_GINT64_MODIFIER "x", code->p_vaddr + at);
			return;
		}
	}
	g_test_message("%u addresses with inlined functions", inlined_count);
#ifdef __OPTIMIZE__
	g_assert_cmpuint(inlined_count, >, LEAST);
#endif
}

static inline __attribute__((always_inline)) unsigned mix(unsigned value)
{
	return value * 3 + 1;
}

static __attribute__((cold, noinline)) void complain(unsigned value)
{
	g_test_message("%u", value);
}

/* Of two parts, as one hardly ever runs; the other one begins with inlined code. */
static __attribute__((noinline)) unsigned split(unsigned value)
{
	const unsigned mixed = mix(value);

	if (mixed == 0) {
		complain(value);
	}
	return mixed;
}

/* Address of split() in its file. */
static uint64_t address_of_split(const struct fixture *fixture)
{
	extern const char __executable_start;
	const GElf_Phdr *first = &g_array_index(fixture->image.segments, GElf_Phdr, 0);

	for (guint i = 0; first->p_type != PT_LOAD; i++) {
		first = &g_array_index(fixture->image.segments, GElf_Phdr, i);
	}
	return (uint64_t)((const char *)split - &__executable_start) + first->p_vaddr;
}

/* Function with the code at `vaddr`, which is in it. */
static Dwarf_Die function_at(const struct fixture *fixture, uint64_t vaddr)
{
	Dwarf_Die function = { .addr = NULL };
	Dwarf_Die *inner = NULL;
	Dwarf_Die *scopes = NULL;
	Dwarf_Die unit;
	int count;

	g_assert_nonnull(dwarf_addrdie(itp_debug_data_dwarf(fixture->reference), vaddr, &unit));
	g_assert_cmpint(dwarf_getscopes(&unit, vaddr, &inner), >, 0);
	count = dwarf_getscopes_die(&inner[0], &scopes);
	for (int i = 0; i < count && !function.addr; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) {
			function = scopes[i];
		}
	}
	g_assert_nonnull(function.addr);
	free(inner);
	free(scopes);
	return function;
}

/* A function in parts is called at one of them, whichever is lower. */
static void test_parts(struct fixture *fixture, gconstpointer data)
{
	const uint64_t entry = address_of_split(fixture);
	volatile unsigned one = 1;
	guint part_count = 0;
	ptrdiff_t offset = 0;
	Dwarf_Die function;
	Dwarf_Addr base;
	Dwarf_Addr start;
	Dwarf_Addr end;

	(void)data;
	g_assert_cmpuint(split(one), ==, 4);
	if (!fixture->inlines) {
		g_test_skip("this program has no debug data");
		return;
	}
	function = function_at(fixture, entry);
	while ((offset = dwarf_ranges(&function, offset, &base, &start, &end)) > 0) {
		g_autofree char *expected = expected_at(fixture, start);
		g_autofree char *found = found_at(fixture, start);

		g_assert_cmpstr(found, ==, start == entry ? "" : expected);
		part_count++;
	}
	g_assert_cmpuint(part_count, >, 0);
	g_test_message("of %u parts", part_count);
}

static void test_sites(struct fixture *fixture, gconstpointer data)
{
	const GElf_Phdr *code = code_of(fixture);

	(void)data;
	if (!fixture->inlines) {
		g_test_skip("this program has no debug data");
		return;
	}
	for (uint64_t at = 0; at < code->p_filesz; at += STRIDE) {
		const struct itp_inlined_chain *chain =
			itp_inlines_find(fixture->inlines, code->p_vaddr + at);

		for (uint32_t i = 0; chain && i < chain->count; i++) {
			const struct itp_frame caller = { .address = chain->calls[i].site };

			g_assert_true(itp_frame_calls_inlined(&caller));
			g_assert_cmphex(chain->calls[i].site, <=,
					itp_inline_site(code->p_vaddr + code->p_filesz));
		}
	}
}

/* Ranges of this program's inlined functions are none of another's. */
static void test_elsewhere(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	if (!fixture->inlines) {
		g_test_skip("this program has no debug data");
		return;
	}
	g_assert_null(itp_inlines_find(fixture->inlines, 0));
	g_assert_null(itp_inlines_find(fixture->inlines, UINT64_MAX));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add("/inlines/functions are those of libdw at each address", struct fixture, NULL,
		   set_up, test_names, tear_down);
	g_test_add("/inlines/a function in parts is called at one of them", struct fixture, NULL,
		   set_up, test_parts, tear_down);
	g_test_add("/inlines/places of calls are no addresses", struct fixture, NULL, set_up,
		   test_sites, tear_down);
	g_test_add("/inlines/there are none where no code is", struct fixture, NULL, set_up,
		   test_elsewhere, tear_down);
	return g_test_run();
}
