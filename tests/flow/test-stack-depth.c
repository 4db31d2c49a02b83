/* SPDX-License-Identifier: MIT */
/*
 * Depth of the stack by instructions: functions of this program without unwind rules, written by
 * hand, and every function of real libraries that is understood, against its unwind rules.
 */
#define _GNU_SOURCE /* dl_iterate_phdr() */
#include <link.h>
#include <string.h>

#include "common/control-flow/stack-depth.h"

#ifdef __x86_64__

#define RBP 6
#define RSP 7
#define RIP 16

/* NAME: a function without rules; NAME_end: the byte behind. */
#define BARE(name, code)                                                                       \
	asm(".text\n.globl " #name "\n.hidden " #name "\n.globl " #name "_end\n.hidden " #name \
	    "_end\n" #name ":\n" code #name "_end:\n");                                        \
	extern const char name[], name##_end[]

BARE(framed, "push %rbp\n mov %rsp, %rbp\n sub $32, %rsp\n call framed\n mov $1, %ebp\n"
	     "lea 0x18(%rsp), %rsp\n add $8, %rsp\n pop %rbp\n ret\n");
BARE(left, "push %rbp\n mov %rsp, %rbp\n push %rbx\n and $-32, %rsp\n sub %rax, %rsp\n"
	   "lea -8(%rbp), %rsp\n pop %rbx\n leave\n ret\n");
BARE(forked, "endbr64\n push %r12\n test %rdi, %rdi\n je 1f\n push %rbx\n push %rbx\n pop %rbx\n"
	     "pop %rbx\n nopl 0x100(%rax)\n 1: pop %r12\n ret\n .byte 0, 0, 0xcc\n nop\n");
BARE(looping, "sub $8, %rsp\n 1: dec %rdi\n jne 1b\n jmp 2f\n nop\n 2: add $8, %rsp\n jmp *%rax\n");
BARE(twice, "1: test %edi, %edi\n ret\n nop\n sub $24, %rsp\n add $24, %rsp\n jmp 1b\n");
BARE(trapped, "test %edi, %edi\n je 1f\n ret\n 1: push %rax\n call *%rax\n hlt\n");

/* Not understood. */
BARE(unequal, "test %rdi, %rdi\n je 1f\n push %rbx\n 1: ret\n");
BARE(deep_return, "push %rbx\n ret\n");
BARE(high, "pop %rbx\n push %rbx\n ret\n");
BARE(elsewhere, "mov %rdi, %rsp\n ret\n");
BARE(swapped, "xchg %rdi, %rsp\n ret\n");
BARE(unsaved, "xor %ebp, %ebp\n ret\n");
BARE(switched, "push %rbx\n jmp *%rax\n pop %rbx\n ret\n");
BARE(middle, "nop\n jmp framed + 1\n");
BARE(next_call, "call 1f\n 1: pop %rax\n ret\n");
BARE(with_data, "jmp 1f\n .quad 0x1122334455667788\n 1: ret\n");
BARE(other_bp, "push %rbp\n push %rbx\n pop %rbp\n pop %rbx\n ret\n");
BARE(bytes_off, "ret $8\n");
BARE(never_left, "push %rax\n 1: call *%rax\n jmp 1b\n");
BARE(behind, "ret\n push %rbx\n ret\n nop\n ret\n");

struct told {
	/* "0 sp+8; 1 sp+16 bp@-16; …": steps from where they begin, relative to the function. */
	GString *text;
	uint64_t begin;
	uint64_t end;
	struct itp_step last;
};

static void take(void *data, uint64_t begin, uint64_t end, const struct itp_step *step)
{
	struct told *told = data;

	g_assert_cmpuint(begin, >=, told->end);
	if (told->text->len == 0 || begin != told->end ||
	    memcmp(step, &told->last, sizeof(*step)) != 0) {
		g_string_append_printf(told->text, "%s%" G_GUINT64_FORMAT " %s+%d",
				       told->text->len > 0 ? "; " : "", begin - told->begin,
				       step->cfa == ITP_STEP_CFA_SP ? "sp" :
				       step->cfa == ITP_STEP_CFA_BP ? "bp" :
								      "?",
				       step->cfa_offset);
		if (step->bp == ITP_STEP_BP_AT_CFA) {
			g_string_append_printf(told->text, " bp@%d", step->bp_offset);
		}
	}
	told->end = end;
	told->last = *step;
}

struct self {
	struct itp_elf_image image;
	struct itp_cfi *cfi;
	struct itp_stack_depth *depth;
	uint64_t base;
};

static int take_base(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uint64_t *)data = info->dlpi_addr;
	return 1;
}

static void open_self(struct self *self)
{
	dl_iterate_phdr(take_base, &self->base);
	g_assert_cmpint(itp_elf_image_init(&self->image, "/proc/self/exe"), ==, 0);
	self->cfi = itp_cfi_new(&self->image);
	g_assert_nonnull(self->cfi);
	self->depth = itp_stack_depth_new(self->cfi);
	g_assert_nonnull(self->depth);
}

static void close_self(struct self *self)
{
	itp_stack_depth_free(self->depth);
	itp_cfi_free(self->cfi);
	itp_elf_image_release(&self->image);
}

static void assert_told(const struct self *self, uintptr_t begin, uintptr_t end, const char *wanted)
{
	struct told told = { .text = g_string_new(NULL) };

	told.begin = begin - self->base;
	itp_stack_depth_tell(self->depth, told.begin, end - self->base, take, &told);
	g_assert_cmpstr(told.text->str, ==, wanted);
	g_string_free(told.text, TRUE);
}

#define ASSERT_TOLD(self, name, wanted) \
	assert_told(self, (uintptr_t)(name), (uintptr_t)name##_end, wanted)

static void test_understood(void)
{
	struct self self;

	open_self(&self);
	ASSERT_TOLD(&self, framed,
		    "0 sp+8; 1 sp+16 bp@-16; 8 sp+48 bp@-16; 23 sp+24 bp@-16; 27 sp+16 bp@-16; "
		    "28 sp+8");
	ASSERT_TOLD(&self, left,
		    "0 sp+8; 1 sp+16 bp@-16; 5 sp+24 bp@-16; 9 bp+16 bp@-16; 16 sp+24 bp@-16; "
		    "17 sp+16 bp@-16; 18 sp+8");
	ASSERT_TOLD(&self, forked,
		    "0 sp+8; 6 sp+16; 12 sp+24; 13 sp+32; 14 sp+24; 15 sp+16; 24 sp+8");
	ASSERT_TOLD(&self, looping, "0 sp+8; 4 sp+16; 12 sp+16; 16 sp+8");
	ASSERT_TOLD(&self, twice, "0 sp+8; 4 sp+8; 8 sp+32; 12 sp+8");
	ASSERT_TOLD(&self, trapped, "0 sp+8; 6 sp+16");
	close_self(&self);
}

/* Of these nothing is told, as something in them could be otherwise than it looks. */
static void test_not_understood(void)
{
	struct self self;

	open_self(&self);
	ASSERT_TOLD(&self, unequal, "");
	ASSERT_TOLD(&self, deep_return, "");
	ASSERT_TOLD(&self, high, "");
	ASSERT_TOLD(&self, elsewhere, "");
	ASSERT_TOLD(&self, swapped, "");
	ASSERT_TOLD(&self, unsaved, "");
	ASSERT_TOLD(&self, switched, "");
	ASSERT_TOLD(&self, middle, "");
	ASSERT_TOLD(&self, next_call, "");
	ASSERT_TOLD(&self, with_data, "");
	ASSERT_TOLD(&self, other_bp, "");
	ASSERT_TOLD(&self, bytes_off, "");
	ASSERT_TOLD(&self, never_left, "");
	/* Nor of what stands behind one, be it as clear as it may. */
	ASSERT_TOLD(&self, behind, "0 sp+8");
	/* A stretch that ends within a function. */
	assert_told(&self, (uintptr_t)framed, (uintptr_t)framed_end - 1, "");
	close_self(&self);
}

/* Code that the compiler puts into each program has steps in its table: _init() and _fini() here.
 */
extern void _init(void);
extern void _fini(void);

/* With an endbr64 in front of it or not, the first thing they do is sub $8, %rsp. */
static void assert_depth(const struct itp_steps *steps, const struct itp_step_table *table,
			 uint64_t begin)
{
	int32_t deepest = 0;

	for (uint64_t at = begin; at <= begin + 8; at++) {
		const struct itp_step *step = itp_steps_get(steps, itp_step_table_find(table, at));

		g_assert_cmpint(step->cfa, ==, ITP_STEP_CFA_SP);
		g_assert_cmpint(step->cfa_offset, ==, at == begin ? 8 : step->cfa_offset);
		deepest = MAX(deepest, step->cfa_offset);
	}
	g_assert_cmpint(deepest, ==, 16);
}

static void test_table(void)
{
	struct itp_steps *steps = itp_steps_new();
	struct itp_step_table *table;
	struct self self;

	open_self(&self);
	table = itp_step_table_new(self.cfi, steps, itp_stack_depth_tell, self.depth);
	g_assert_nonnull(table);
	assert_depth(steps, table, (uintptr_t)_init - self.base);
	assert_depth(steps, table, (uintptr_t)_fini - self.base);
	itp_step_table_free(table);
	itp_steps_free(steps);
	close_self(&self);
}

/* ---- Any bytes ---- */

#define STRETCHES 3000
#define STRETCH_MOST 512

struct stretch {
	uint64_t begin;
	uint64_t end;
};

static void take_inside(void *data, uint64_t begin, uint64_t end, const struct itp_step *step)
{
	struct stretch *rest = data;

	g_assert_cmpuint(begin, >=, rest->begin);
	g_assert_cmpuint(end, >, begin);
	g_assert_cmpuint(end, <=, rest->end);
	g_assert_cmpint(step->cfa_offset, >=, 8);
	rest->begin = end;
}

/* Bytes of any kind, code from its middle on or no code at all: what is told lies within them. */
static void test_any_bytes(void)
{
	struct self self;

	open_self(&self);
	for (int i = 0; i < STRETCHES; i++) {
		const GElf_Phdr *segment =
			&g_array_index(self.image.segments, GElf_Phdr,
				       g_test_rand_int_range(0, (gint32)self.image.segments->len));
		struct stretch rest;

		rest.begin = segment->p_vaddr +
			     (uint64_t)g_test_rand_int_range(0, (gint32)segment->p_filesz + 1);
		rest.end = rest.begin + (uint64_t)g_test_rand_int_range(0, STRETCH_MOST);
		itp_stack_depth_tell(self.depth, rest.begin, rest.end, take_inside, &rest);
	}
	close_self(&self);
}

/* ---- Real files ---- */

struct comparing {
	struct itp_cfi *cfi;
	struct itp_stack_depth *depth;
	uint64_t functions;
	uint64_t understood;
	uint64_t compared;
	uint64_t different;
	/* End of the function compared last. */
	uint64_t end;
};

static const struct itp_cfi_rule *rule_of(const struct itp_cfi_row *row, uint8_t target)
{
	for (uint32_t i = 0; i < row->rule_count; i++) {
		if (row->rules[i].target == target) {
			return &row->rules[i];
		}
	}
	return NULL;
}

/* Compilers keep the rule of a saved register up to a function's end. */
static bool agrees(const struct itp_step *step, const struct itp_cfi_row *row)
{
	const struct itp_cfi_rule *saved = rule_of(row, RBP);
	const uint8_t source = step->cfa == ITP_STEP_CFA_SP ? RSP : RBP;

	return (row->cfa.source != source || row->cfa.value == step->cfa_offset) &&
	       (step->bp == ITP_STEP_BP_SAME || (saved && saved->value == step->bp_offset));
}

static void compare(void *data, uint64_t begin, uint64_t end, const struct itp_step *step)
{
	struct comparing *comparing = data;
	bool is_lasting;
	const struct itp_cfi_row *row = itp_cfi_find(comparing->cfi, begin, &is_lasting);

	(void)end;
	if (row && row->caller == ITP_CFI_CALLER_BY_RULES && row->is_simple && rule_of(row, RIP)) {
		comparing->compared++;
		if (!agrees(step, row)) {
			comparing->different++;
			g_test_message("%" G_GINT64_MODIFIER "x: %s+%d bp %d, rules: r%d+%d", begin,
				       step->cfa == ITP_STEP_CFA_SP ? "sp" : "bp", step->cfa_offset,
				       step->bp_offset, row->cfa.source, row->cfa.value);
		}
	}
}

static void compare_function(void *data, uint64_t begin, uint64_t end,
			     const struct itp_cfi_row *row)
{
	struct comparing *comparing = data;
	const uint64_t before = comparing->compared;
	uint64_t start;

	if (begin < comparing->end || !itp_cfi_bounds(comparing->cfi, begin, &start, &end)) {
		return;
	}
	comparing->end = end;
	/* A cold part of a function begins somewhere within it. */
	if (!row || row->cfa.source != RSP || row->cfa.value != 8) {
		return;
	}
	comparing->functions++;
	itp_stack_depth_tell(comparing->depth, start, end, compare, comparing);
	comparing->understood += comparing->compared > before;
}

static int compare_mapped(struct dl_phdr_info *info, size_t size, void *data)
{
	struct comparing comparing = { .end = 0 };
	struct itp_elf_image image;
	guint *count = data;

	(void)size;
	if (info->dlpi_name[0] != '/' || itp_elf_image_init(&image, info->dlpi_name) != 0) {
		return 0;
	}
	comparing.cfi = itp_cfi_new(&image);
	comparing.depth = itp_stack_depth_new(comparing.cfi);
	itp_cfi_tell_rows(comparing.cfi, compare_function, &comparing);
	g_test_message("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		       " functions understood, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		       " instructions differ",
		       info->dlpi_name, comparing.understood, comparing.functions,
		       comparing.different, comparing.compared);
	g_assert_cmpuint(comparing.different, ==, 0);
	g_assert_cmpuint(comparing.understood * 2, >, comparing.functions);
	itp_stack_depth_free(comparing.depth);
	itp_cfi_free(comparing.cfi);
	itp_elf_image_release(&image);
	++*count;
	return 0;
}

static void test_real_files(void)
{
	guint count = 0;

	dl_iterate_phdr(compare_mapped, &count);
	g_assert_cmpuint(count, >=, 2);
}

#endif

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
#ifdef __x86_64__
	g_test_add_func("/depth/of functions written by hand", test_understood);
	g_test_add_func("/depth/what is not understood is not told", test_not_understood);
	g_test_add_func("/depth/code around constructors has steps", test_table);
	g_test_add_func("/depth/any bytes are looked at", test_any_bytes);
	g_test_add_func("/depth/in real files it is as their rules say", test_real_files);
#endif
	return g_test_run();
}
