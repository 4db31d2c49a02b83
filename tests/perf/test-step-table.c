/* SPDX-License-Identifier: MIT */
/*
 * Unwind tables as steps for a program in the kernel: hand-made rules, and real libraries against
 * the rows that the unwinder finds for them, at both ends of each step and at random addresses.
 */
#define _GNU_SOURCE /* dl_iterate_phdr() */
#include <dwarf.h>
#include <link.h>

#include "common/unwind/step-table.h"
#include "tests/perf/unwind-elf.h"

#define START 0x1000
#define LENGTH 0x300
#define RBX 3
#define RBP 6
#define RSP 7
#define RIP 16

/* CFA = rsp + 8, return address at CFA - 8, as compilers begin. */
static const uint8_t usual[] = { DW_CFA_def_cfa, RSP, 8, DW_CFA_offset | RIP, 1 };

struct made {
	struct unwind_elf elf;
	struct itp_steps *steps;
	struct itp_step_table *table;
};

/* A file with one function and these instructions. */
static void make(struct made *made, const char *augmentation, const uint8_t *program, size_t size)
{
	struct unwind_table_maker maker;

	unwind_table_begin(&maker);
	unwind_table_add_common(&maker, augmentation, RIP, usual, sizeof(usual));
	unwind_table_add_function(&maker, START, LENGTH, program, size);
	g_assert_true(unwind_elf_init(&made->elf, maker.bytes, ".eh_frame", EM_X86_64));
	made->steps = itp_steps_new();
	made->table = itp_step_table_new(made->elf.cfi, made->steps, NULL, NULL);
	g_assert_nonnull(made->table);
}

#define MAKE(made, augmentation, ...)                                 \
	do {                                                          \
		const uint8_t program_[] = { __VA_ARGS__ };           \
		make(made, augmentation, program_, sizeof(program_)); \
	} while (0)

static void release(struct made *made)
{
	itp_step_table_free(made->table);
	itp_steps_free(made->steps);
	unwind_elf_release(&made->elf);
}

static struct itp_step step_at(const struct made *made, uint64_t vaddr)
{
	return *itp_steps_get(made->steps, itp_step_table_find(made->table, vaddr));
}

static void assert_step(const struct made *made, uint64_t vaddr, enum itp_step_cfa cfa,
			int32_t cfa_offset, enum itp_step_bp bp, int32_t bp_offset)
{
	const struct itp_step step = step_at(made, vaddr);

	g_assert_cmpint(step.cfa, ==, cfa);
	g_assert_cmpint(step.cfa_offset, ==, cfa_offset);
	g_assert_cmpint(step.bp, ==, bp);
	g_assert_cmpint(step.bp_offset, ==, bp_offset);
}

static void test_prologue(void)
{
	struct made made;

	/* push %rbp; mov %rsp, %rbp; … leave. */
	MAKE(&made, "", DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | RBP, 2,
	     DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, RBP, DW_CFA_advance_loc2, 0x40, 1,
	     DW_CFA_def_cfa, RSP, 8);
	assert_step(&made, START, ITP_STEP_CFA_SP, 8, ITP_STEP_BP_SAME, 0);
	assert_step(&made, START + 1, ITP_STEP_CFA_SP, 16, ITP_STEP_BP_AT_CFA, -16);
	assert_step(&made, START + 3, ITP_STEP_CFA_SP, 16, ITP_STEP_BP_AT_CFA, -16);
	assert_step(&made, START + 4, ITP_STEP_CFA_BP, 16, ITP_STEP_BP_AT_CFA, -16);
	/* In the second 256 bytes, whose first row began in the first. */
	assert_step(&made, START + 0x143, ITP_STEP_CFA_BP, 16, ITP_STEP_BP_AT_CFA, -16);
	assert_step(&made, START + 0x144, ITP_STEP_CFA_SP, 8, ITP_STEP_BP_AT_CFA, -16);
	assert_step(&made, START + LENGTH - 1, ITP_STEP_CFA_SP, 8, ITP_STEP_BP_AT_CFA, -16);
	/* Between it and the code at the file's entry. */
	assert_step(&made, START + LENGTH, ITP_STEP_CFA_UNRULED, 0, ITP_STEP_BP_SAME, 0);
	assert_step(&made, START - 1, ITP_STEP_CFA_UNKNOWN, 0, ITP_STEP_BP_SAME, 0);
	assert_step(&made, 0, ITP_STEP_CFA_UNKNOWN, 0, ITP_STEP_BP_SAME, 0);
	assert_step(&made, UINT64_MAX, ITP_STEP_CFA_UNKNOWN, 0, ITP_STEP_BP_SAME, 0);
	release(&made);
}

static void test_entry_point(void)
{
	struct made made;

	MAKE(&made, "", DW_CFA_nop);
	assert_step(&made, UNWIND_ENTRY, ITP_STEP_CFA_ROOT, 0, ITP_STEP_BP_SAME, 0);
	assert_step(&made, UNWIND_ENTRY - 1, ITP_STEP_CFA_UNRULED, 0, ITP_STEP_BP_SAME, 0);
	assert_step(&made, UNWIND_ENTRY + 256, ITP_STEP_CFA_UNRULED, 0, ITP_STEP_BP_SAME, 0);
	release(&made);
}

static void test_outermost(void)
{
	struct made made;

	MAKE(&made, "", DW_CFA_undefined, RIP);
	assert_step(&made, START, ITP_STEP_CFA_ROOT, 0, ITP_STEP_BP_SAME, 0);
	release(&made);
}

static void test_aligned_stack(void)
{
	struct made made;

	/* The CFA is in memory at rbp - 8, the caller's rbp at rbp. */
	MAKE(&made, "", DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref,
	     DW_CFA_expression, RBP, 2, DW_OP_breg6, 0);
	assert_step(&made, START, ITP_STEP_CFA_AT_BP, -8, ITP_STEP_BP_AT_BP, 0);
	release(&made);
}

static void test_linkage(void)
{
	struct made made;

	MAKE(&made, "", DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15,
	     DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus);
	assert_step(&made, START, ITP_STEP_CFA_PLT, 11, ITP_STEP_BP_SAME, 0);
	release(&made);
}

static void test_signal(void)
{
	struct made made;

	/* As the C library says it of where signal handlers return to. */
	MAKE(&made, "zS", DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0xa0, 1, DW_OP_deref,
	     DW_CFA_expression, RBP, 3, DW_OP_breg7, 0xf8, 0, DW_CFA_expression, RIP, 3,
	     DW_OP_breg7, 0xa8, 1);
	assert_step(&made, START, ITP_STEP_CFA_SIGNAL, 0, ITP_STEP_BP_SAME, 0);
	release(&made);
	/* Another place of the frame pointer. */
	MAKE(&made, "zS", DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0xa0, 1, DW_OP_deref,
	     DW_CFA_expression, RBP, 3, DW_OP_breg7, 0xf0, 0, DW_CFA_expression, RIP, 3,
	     DW_OP_breg7, 0xa8, 1);
	assert_step(&made, START, ITP_STEP_CFA_UNKNOWN, 0, ITP_STEP_BP_SAME, 0);
	release(&made);
}

/* What a step cannot say is not said wrongly. */
static void test_unknown(void)
{
	struct made made;

	MAKE(&made, "", DW_CFA_def_cfa, RBX, 16);
	g_assert_cmpint(step_at(&made, START).cfa, ==, ITP_STEP_CFA_UNKNOWN);
	release(&made);
	MAKE(&made, "", DW_CFA_def_cfa_expression, 3, DW_OP_breg3, 8, DW_OP_deref);
	g_assert_cmpint(step_at(&made, START).cfa, ==, ITP_STEP_CFA_UNKNOWN);
	release(&made);
	MAKE(&made, "", DW_CFA_offset | RIP, 2);
	g_assert_cmpint(step_at(&made, START).cfa, ==, ITP_STEP_CFA_UNKNOWN);
	release(&made);
	MAKE(&made, "", DW_CFA_offset | RSP, 3);
	g_assert_cmpint(step_at(&made, START).cfa, ==, ITP_STEP_CFA_UNKNOWN);
	release(&made);
	MAKE(&made, "", DW_CFA_undefined, RBP);
	assert_step(&made, START, ITP_STEP_CFA_SP, 8, ITP_STEP_BP_UNKNOWN, 0);
	release(&made);
	MAKE(&made, "", DW_CFA_advance_loc | 4, DW_CFA_restore_state);
	assert_step(&made, START + 3, ITP_STEP_CFA_SP, 8, ITP_STEP_BP_SAME, 0);
	g_assert_cmpint(step_at(&made, START + 4).cfa, ==, ITP_STEP_CFA_UNKNOWN);
	release(&made);
}

static void test_other_architecture(void)
{
	struct unwind_table_maker maker;
	struct unwind_elf elf;
	struct itp_steps *steps = itp_steps_new();

	unwind_table_begin(&maker);
	unwind_table_add_common(&maker, "", 30, NULL, 0);
	unwind_table_add_function(&maker, START, LENGTH, NULL, 0);
	g_assert_true(unwind_elf_init(&elf, maker.bytes, ".eh_frame", EM_AARCH64));
	g_assert_null(itp_step_table_new(elf.cfi, steps, NULL, NULL));
	unwind_elf_release(&elf);
	itp_steps_free(steps);
}

static void assert_beginning(const struct made *made, uint64_t vaddr, enum itp_step_cfa cfa,
			     bool begins)
{
	g_assert_cmpint(step_at(made, vaddr).cfa, ==, cfa);
	g_assert_cmpint(step_at(made, vaddr).is_root_above, ==, begins);
}

/* Functions that begin a stack: with rules, and in the gap behind. */
static void test_beginnings(void)
{
	struct made made;

	MAKE(&made, "", DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16);
	itp_step_table_free(made.table);
	itp_cfi_begin_stack(made.elf.cfi, START, START + LENGTH);
	itp_cfi_begin_stack(made.elf.cfi, START + LENGTH + 0x10, START + LENGTH + 0x30);
	itp_cfi_begin_stack(made.elf.cfi, START + LENGTH + 0x30, START + LENGTH + 0x400);
	itp_cfi_begin_stack(made.elf.cfi, START + 0x20, START + 0x20);
	made.table = itp_step_table_new(made.elf.cfi, made.steps, NULL, NULL);
	assert_beginning(&made, START - 1, ITP_STEP_CFA_UNKNOWN, false);
	assert_beginning(&made, START + 3, ITP_STEP_CFA_SP, true);
	g_assert_cmpint(step_at(&made, START + 3).cfa_offset, ==, 8);
	assert_beginning(&made, START + LENGTH - 1, ITP_STEP_CFA_SP, true);
	g_assert_cmpint(step_at(&made, START + LENGTH - 1).cfa_offset, ==, 16);
	assert_beginning(&made, START + LENGTH + 0xf, ITP_STEP_CFA_UNRULED, false);
	assert_beginning(&made, START + LENGTH + 0x10, ITP_STEP_CFA_UNRULED, true);
	assert_beginning(&made, START + LENGTH + 0x30, ITP_STEP_CFA_UNRULED, true);
	assert_beginning(&made, START + LENGTH + 0x3ff, ITP_STEP_CFA_UNRULED, true);
	assert_beginning(&made, START + LENGTH + 0x400, ITP_STEP_CFA_UNRULED, false);
	release(&made);
}

/* A program in Go alone that is stripped. */
static void test_beginnings_without_rules(void)
{
	struct made made = { .steps = itp_steps_new() };

	g_assert_true(unwind_elf_init(&made.elf, g_byte_array_new(), ".go.buildinfo", EM_X86_64));
	g_assert_null(made.elf.cfi);
	made.elf.cfi = itp_cfi_new_of_any(&made.elf.image);
	itp_cfi_begin_stack(made.elf.cfi, START, START + 0x20);
	made.table = itp_step_table_new(made.elf.cfi, made.steps, NULL, NULL);
	g_assert_nonnull(made.table);
	assert_beginning(&made, START - 1, ITP_STEP_CFA_UNKNOWN, false);
	assert_beginning(&made, START, ITP_STEP_CFA_UNRULED, true);
	assert_beginning(&made, START + 0x20, ITP_STEP_CFA_UNRULED, false);
	release(&made);
}

/* ---- Real files ---- */

static const struct itp_cfi_rule *rule_of(const struct itp_cfi_row *row, uint8_t target)
{
	for (uint32_t i = 0; i < row->rule_count; i++) {
		if (row->rules[i].target == target) {
			return &row->rules[i];
		}
	}
	return NULL;
}

/* The step is what the row says, or says less. */
static void compare(const struct itp_step *step, const struct itp_cfi_row *row)
{
	const struct itp_cfi_rule *saved = row ? rule_of(row, RBP) : NULL;

	if (!row || row->caller != ITP_CFI_CALLER_BY_RULES || row->is_signal_frame) {
		g_assert_true(step->cfa == ITP_STEP_CFA_UNKNOWN ||
			      (!row && step->cfa == ITP_STEP_CFA_UNRULED) ||
			      (row && step->cfa == (row->is_signal_frame ? ITP_STEP_CFA_SIGNAL :
									   ITP_STEP_CFA_ROOT)));
		return;
	}
	g_assert_cmpint(step->cfa, !=, ITP_STEP_CFA_ROOT);
	if (!row->is_simple || (row->cfa.source != RSP && row->cfa.source != RBP)) {
		return;
	}
	g_assert_cmpint(step->cfa, ==, row->cfa.source == RSP ? ITP_STEP_CFA_SP : ITP_STEP_CFA_BP);
	g_assert_cmpint(step->cfa_offset, ==, row->cfa.value);
	g_assert_cmpint(step->bp, ==,
			saved                            ? ITP_STEP_BP_AT_CFA :
			row->kept & (UINT64_C(1) << RBP) ? ITP_STEP_BP_SAME :
							   ITP_STEP_BP_UNKNOWN);
	g_assert_cmpint(step->bp_offset, ==, saved ? saved->value : 0);
}

/* The address is the first or the last of a step, or one of the sixteenth part that is drawn: the
 * unwinder runs a function's whole program for each. */
static bool is_compared(const struct itp_step_table *table, uint64_t vaddr)
{
	uint32_t step = itp_step_table_find(table, vaddr);

	return step != itp_step_table_find(table, vaddr - 1) ||
	       step != itp_step_table_find(table, vaddr + 1) || g_test_rand_int_range(0, 16) == 0;
}

static void compare_file(const char *path)
{
	struct itp_elf_image image;
	struct itp_cfi *cfi;
	struct itp_steps *steps = itp_steps_new();
	struct itp_step_table *table;
	uint64_t unknown = 0;
	uint64_t compared = 0;

	g_assert_cmpint(itp_elf_image_init(&image, path), ==, 0);
	cfi = itp_cfi_new(&image);
	g_assert_nonnull(cfi);
	table = itp_step_table_new(cfi, steps, NULL, NULL);
	g_assert_nonnull(table);
	for (uint64_t vaddr = table->base; table && vaddr < table->base + table->index->len * 256;
	     vaddr++) {
		const struct itp_step *step =
			itp_steps_get(steps, itp_step_table_find(table, vaddr));
		const struct itp_cfi_row *row;
		bool is_lasting;

		if (!is_compared(table, vaddr)) {
			continue;
		}
		row = itp_cfi_find(cfi, vaddr, &is_lasting);
		compare(step, row);
		compared += row != NULL;
		unknown += row && step->cfa == ITP_STEP_CFA_UNKNOWN;
	}
	g_test_message("%s: %u rows, %u steps, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		       " addresses unknown",
		       path, table->rows->len, itp_steps_count(steps), unknown, compared);
	/* 2 % of the dynamic loader, which keeps its frame in rbx while it looks up a function. */
	g_assert_cmpuint(unknown * 20, <, compared);
	itp_step_table_free(table);
	itp_steps_free(steps);
	itp_cfi_free(cfi);
	itp_elf_image_release(&image);
}

static int compare_mapped(struct dl_phdr_info *info, size_t size, void *data)
{
	guint *count = data;

	(void)size;
	if (info->dlpi_name[0] == '/') {
		compare_file(info->dlpi_name);
		++*count;
	}
	return 0;
}

/* Those of this process: the C library, the dynamic loader, GLib. */
static void test_real_files(void)
{
	guint count = 0;

	dl_iterate_phdr(compare_mapped, &count);
	g_assert_cmpuint(count, >=, 2);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/steps/a prologue's rows hold from where they begin", test_prologue);
	g_test_add_func("/steps/the entry point has no caller", test_entry_point);
	g_test_add_func("/steps/code without a return address has no caller", test_outermost);
	g_test_add_func("/steps/an aligned stack is found by its frame pointer",
			test_aligned_stack);
	g_test_add_func("/steps/linkage tables are known by their expression", test_linkage);
	g_test_add_func("/steps/signals are known by their expressions", test_signal);
	g_test_add_func("/steps/what cannot be said is unknown", test_unknown);
	g_test_add_func("/steps/other architectures have no table", test_other_architecture);
	g_test_add_func("/steps/stacks begin where they are said to", test_beginnings);
	g_test_add_func("/steps/stacks begin in a file without rules",
			test_beginnings_without_rules);
#ifdef __x86_64__
	g_test_add_func("/steps/addresses of real files have the unwinder's rules",
			test_real_files);
#endif
	return g_test_run();
}
