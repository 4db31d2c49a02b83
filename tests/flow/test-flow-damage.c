/* SPDX-License-Identifier: MIT */
/*
 * Control flow of files whose bytes are wrong: this program itself, with some of them changed, or
 * with code that is as expensive as it can be. There is no right answer, but there is an end.
 */
#define _GNU_SOURCE
#include "common/control-flow/control-flow.h"
#include "common/elf/section.h"

#include <unistd.h>

#define ROUNDS 7
#define CHANGES 400
#define QUESTIONS 1000
#define QUESTIONS_OF_PATTERN 100
/* What all that is kept of one file may take. */
#define MAX_KEPT_BYTES (64u * 1024 * 1024)
#define MAX_SECONDS 300

/* The same sequence each time (splitmix64). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

static struct itp_elf_symbols *open_bytes(const uint8_t *bytes, size_t size)
{
	g_autofree char *path = NULL;
	struct itp_elf_symbols *symbols;
	enum itp_error error;
	int fd = g_file_open_tmp("introperf-flow-XXXXXX", &path, NULL);

	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(write(fd, bytes, size), ==, (ssize_t)size);
	close(fd);
	symbols = itp_elf_symbols_new(path, &error);
	unlink(path);
	return symbols;
}

static struct itp_flow_point some_point(uint64_t *state, struct itp_bytes text, uint64_t vaddr)
{
	uint64_t random = next_random(state);

	return (struct itp_flow_point){ .vaddr = vaddr + (random >> 1) % text.size,
					.is_behind_call = random & 1 };
}

static void ask_some(const struct itp_elf_symbols *symbols, int count, uint64_t *state)
{
	struct itp_control_flow *flow = itp_control_flow_new(symbols);
	const GElf_Phdr *code = NULL;
	struct itp_bytes text;

	for (guint i = 0; i < symbols->image.segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(symbols->image.segments, GElf_Phdr, i);

		code = segment->p_type == PT_LOAD && (segment->p_flags & PF_X) ? segment : code;
	}
	text = code ? itp_elf_image_contents(&symbols->image, code) :
		      (struct itp_bytes){ .size = 0 };
	for (int i = 0; flow && text.size > 0 && i < count; i++) {
		struct itp_flow_point from = some_point(state, text, code->p_vaddr);
		struct itp_flow_point to = some_point(state, text, code->p_vaddr);
		enum itp_flow_answer answer;

		/* Mostly close to one another, and so in one function. */
		to.vaddr = i % 4 ? from.vaddr + to.vaddr % 64 : to.vaddr;
		answer = itp_control_flow_ask(flow, from, to);
		g_assert_cmpint(answer, <=, ITP_FLOW_UNKNOWN);
		g_assert_cmpint(itp_control_flow_ask(flow, from, to), ==, answer);
	}
	if (flow) {
		g_assert_cmpuint(itp_control_flow_bytes(flow), <, MAX_KEPT_BYTES);
	}
	itp_control_flow_free(flow);
}

/* The contents of a section of this program as part of a copy of it, `bytes`. */
static uint8_t *section_in(const struct itp_elf_image *image, uint8_t *bytes, const char *name,
			   size_t *ret_size)
{
	struct itp_bytes section = itp_elf_section(image, name);

	g_assert_nonnull(section.data);
	*ret_size = section.size;
	return bytes + (section.data - image->map.bytes.data);
}

static void test_changed_bytes(void)
{
	static const char *const sections[] = { ".text",   ".text",     ".eh_frame", ".rodata",
						".symtab", ".rela.dyn", ".text" };
	struct itp_elf_image image;
	uint64_t state = 1;

	g_assert_cmpint(itp_elf_image_init(&image, "/proc/self/exe"), ==, 0);
	for (int round = 0; round < ROUNDS; round++) {
		g_autofree uint8_t *bytes = g_memdup2(image.map.bytes.data, image.map.bytes.size);
		struct itp_elf_symbols *symbols;
		size_t size;
		uint8_t *section =
			section_in(&image, bytes, sections[round % G_N_ELEMENTS(sections)], &size);

		for (int i = 0; i < CHANGES; i++) {
			section[next_random(&state) % size] = (uint8_t)next_random(&state);
		}
		symbols = open_bytes(bytes, image.map.bytes.size);
		if (symbols) {
			ask_some(symbols, QUESTIONS, &state);
		}
		itp_elf_symbols_free(symbols);
	}
	itp_elf_image_release(&image);
}

/* Makes all code one function: by its symbols, as there are no unwind tables any more. */
static void make_one_function(const struct itp_elf_image *image, uint8_t *bytes, uint64_t vaddr,
			      uint64_t text_size)
{
	static const char *const unwind_tables[] = { ".eh_frame", ".eh_frame_hdr" };
	Elf64_Sym *symbols;
	size_t size;

	for (size_t i = 0; i < G_N_ELEMENTS(unwind_tables); i++) {
		uint8_t *table = section_in(image, bytes, unwind_tables[i], &size);

		memset(table, 0, size);
	}
	symbols = (Elf64_Sym *)(void *)section_in(image, bytes, ".symtab", &size);
	for (size_t i = 0; i < size / sizeof(*symbols); i++) {
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_size > 0) {
			symbols[i].st_value = vaddr;
			symbols[i].st_size = text_size;
		}
	}
}

/* Fills the code with `pattern`, over and over. */
static void ask_filled(const uint8_t *pattern, size_t pattern_size, bool is_one_function)
{
	struct itp_elf_image image;
	g_autofree uint8_t *bytes = NULL;
	struct itp_elf_symbols *symbols;
	uint64_t state = 2;
	uint64_t vaddr = 0;
	uint8_t *text;
	size_t size;

	g_assert_cmpint(itp_elf_image_init(&image, "/proc/self/exe"), ==, 0);
	bytes = g_memdup2(image.map.bytes.data, image.map.bytes.size);
	text = section_in(&image, bytes, ".text", &size);
	g_assert_true(itp_elf_image_vaddr(&image, (uint64_t)(text - bytes), &vaddr));
	for (size_t i = 0; i < size; i++) {
		text[i] = pattern[i % pattern_size];
	}
	if (is_one_function) {
		make_one_function(&image, bytes, vaddr, size);
	}
	symbols = open_bytes(bytes, image.map.bytes.size);
	g_assert_nonnull(symbols);
	ask_some(symbols, QUESTIONS_OF_PATTERN, &state);
	itp_elf_symbols_free(symbols);
	itp_elf_image_release(&image);
}

static void test_patterns(void)
{
	/* jmp *%rax; je 0 */
	static const uint8_t jumps[] = { 0xff, 0xe0, 0x74, 0x00 };
	/* je to far ahead, over and over */
	static const uint8_t branches[] = { 0x0f, 0x84, 0x00, 0x40, 0x00, 0x00 };
	/* lea 0x1000(%rip), %rax */
	static const uint8_t places[] = { 0x48, 0x8d, 0x05, 0x00, 0x10, 0x00, 0x00 };
	/* je 2; jmp *(%rax, %rcx, 8) */
	static const uint8_t tables[] = { 0x74, 0x03, 0xff, 0x24, 0xc8 };
	/* call *%rax */
	static const uint8_t calls[] = { 0xff, 0xd0 };

	for (int i = 0; i < 2; i++) {
		ask_filled(jumps, sizeof(jumps), i);
		ask_filled(branches, sizeof(branches), i);
		ask_filled(places, sizeof(places), i);
		ask_filled(tables, sizeof(tables), i);
		ask_filled(calls, sizeof(calls), i);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	/* Ends a loop without end. */
	alarm(MAX_SECONDS);
	g_test_add_func("/flow/damage/changed bytes are answered in bounded time and memory",
			test_changed_bytes);
	g_test_add_func("/flow/damage/code made to be expensive is answered in bounded time and "
			"memory",
			test_patterns);
	return g_test_run();
}
