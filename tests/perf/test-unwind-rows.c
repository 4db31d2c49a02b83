/* SPDX-License-Identifier: MIT */
/*
 * Rows of unwind tables: hand-made programs, hostile ones, expressions, and all rows of real
 * libraries against those that elfutils makes of them.
 */
#include "common/unwind/cfi-expression.h"
#include "tests/perf/unwind-elf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#define START 0x1000
#define RSP 7
#define RBX 3
#define RBP 6
#define RIP 16

/* CFA = rsp + 8, return address at CFA - 8, as compilers begin. */
static const uint8_t usual[] = { DW_CFA_def_cfa, RSP, 8, DW_CFA_offset | RIP, 1 };

/* A file with one function of 0x100 bytes and these instructions. */
static void make(struct unwind_elf *elf, const uint8_t *program, size_t size)
{
	struct unwind_table_maker maker;

	unwind_table_begin(&maker);
	unwind_table_add_common(&maker, "", RIP, usual, sizeof(usual));
	unwind_table_add_function(&maker, START, 0x100, program, size);
	g_assert_true(unwind_elf_init(elf, maker.bytes, ".eh_frame", EM_X86_64));
	g_assert_nonnull(elf->cfi);
}

#define MAKE(elf, ...)                                      \
	do {                                                \
		const uint8_t program_[] = { __VA_ARGS__ }; \
		make(elf, program_, sizeof(program_));      \
	} while (0)

static const struct itp_cfi_row *row_at(const struct unwind_elf *elf, uint64_t vaddr)
{
	bool is_lasting;

	return itp_cfi_find(elf->cfi, vaddr, &is_lasting);
}

static const struct itp_cfi_rule *rule_of(const struct itp_cfi_row *row, uint8_t target)
{
	for (uint32_t i = 0; row && i < row->rule_count; i++) {
		if (row->rules[i].target == target) {
			return &row->rules[i];
		}
	}
	return NULL;
}

static void assert_cfa(const struct unwind_elf *elf, uint64_t vaddr, uint16_t source, int32_t value)
{
	const struct itp_cfi_row *row = row_at(elf, vaddr);

	g_assert_nonnull(row);
	if (row) {
		g_assert_cmpint(row->cfa.kind, ==, ITP_CFI_REGISTER);
		g_assert_cmpint(row->cfa.source, ==, source);
		g_assert_cmpint(row->cfa.value, ==, value);
	}
}

static void test_advance(void)
{
	struct unwind_elf elf;

	MAKE(&elf, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | RBP, 2,
	     DW_CFA_advance_loc1, 3, DW_CFA_def_cfa_register, RBP, DW_CFA_advance_loc2, 0x20, 0,
	     DW_CFA_def_cfa, RSP, 8);
	assert_cfa(&elf, START, RSP, 8);
	assert_cfa(&elf, START + 1, RSP, 16);
	assert_cfa(&elf, START + 3, RSP, 16);
	assert_cfa(&elf, START + 4, RBP, 16);
	assert_cfa(&elf, START + 0x23, RBP, 16);
	assert_cfa(&elf, START + 0x24, RSP, 8);
	assert_cfa(&elf, START + 0xff, RSP, 8);
	g_assert_null(row_at(&elf, START + 0x100));
	g_assert_null(row_at(&elf, START - 1));
	g_assert_null(rule_of(row_at(&elf, START), RBP));
	g_assert_cmpint(rule_of(row_at(&elf, START + 1), RBP)->value, ==, -16);
	g_assert_true(row_at(&elf, START + 1)->is_simple);
	unwind_elf_release(&elf);
}

static void test_remember(void)
{
	struct unwind_elf elf;

	MAKE(&elf, DW_CFA_offset | RBX, 2, DW_CFA_def_cfa_offset, 32, DW_CFA_advance_loc | 1,
	     DW_CFA_remember_state, DW_CFA_restore | RBX, DW_CFA_def_cfa_offset, 8,
	     DW_CFA_advance_loc | 1, DW_CFA_restore_state);
	assert_cfa(&elf, START + 1, RSP, 8);
	g_assert_null(rule_of(row_at(&elf, START + 1), RBX));
	g_assert_true(row_at(&elf, START + 1)->kept & ITP_REGISTER_BIT(RBX));
	assert_cfa(&elf, START + 2, RSP, 32);
	g_assert_nonnull(rule_of(row_at(&elf, START + 2), RBX));
	unwind_elf_release(&elf);
}

static void test_kinds(void)
{
	struct unwind_elf elf;
	const struct itp_cfi_row *row;

	MAKE(&elf, DW_CFA_register, RIP, 5, DW_CFA_undefined, RBP, DW_CFA_val_offset, 12, 2,
	     DW_CFA_expression, 13, 2, DW_OP_breg7, 8, DW_CFA_val_expression, 14, 1, DW_OP_lit3,
	     DW_CFA_GNU_args_size, 16, DW_CFA_same_value, 2, DW_CFA_offset_extended, 0xc0, 1, 4);
	row = row_at(&elf, START);
	g_assert_nonnull(row);
	g_assert_cmpint(rule_of(row, RIP)->kind, ==, ITP_CFI_REGISTER);
	g_assert_cmpint(rule_of(row, RIP)->source, ==, 5);
	g_assert_null(rule_of(row, RBP));
	g_assert_false(row->kept & ITP_REGISTER_BIT(RBP));
	g_assert_cmpint(rule_of(row, 12)->kind, ==, ITP_CFI_CFA_PLUS);
	g_assert_cmpint(rule_of(row, 12)->value, ==, -16);
	g_assert_cmpint(rule_of(row, 13)->kind, ==, ITP_CFI_SAVED_AT_EXPRESSION);
	g_assert_cmpint(rule_of(row, 14)->kind, ==, ITP_CFI_EXPRESSION);
	g_assert_cmpint(rule_of(row, 14)->source, ==, 1);
	g_assert_true(row->kept & ITP_REGISTER_BIT(2));
	g_assert_false(row->is_simple);
	unwind_elf_release(&elf);
}

static void test_outermost(void)
{
	struct unwind_elf elf;

	MAKE(&elf, DW_CFA_undefined, RIP);
	g_assert_cmpint(row_at(&elf, START)->caller, ==, ITP_CFI_CALLER_NONE);
	unwind_elf_release(&elf);
}

/* The programs differ from one another in which limit or rule they break. */
static void test_bad_programs(void)
{
	const struct {
		uint8_t size;
		uint8_t bytes[24];
	} programs[] = {
		{ 1, { DW_CFA_restore_state } },
		{ 1, { DW_CFA_advance_loc4 } },
		{ 2, { DW_CFA_def_cfa, 0x80 } },
		{ 1, { DW_CFA_offset | RBX } },
		{ 3, { DW_CFA_expression, RBX, 100 } },
		{ 2, { DW_CFA_def_cfa_expression, 0x7f } },
		{ 1, { DW_CFA_set_loc } },
		{ 1, { 0x3f } },
		{ 3, { DW_CFA_def_cfa, 50, 8 } },
		/* The offset has 35 bits. */
		{ 6, { DW_CFA_def_cfa_offset, 0xff, 0xff, 0xff, 0xff, 0x7f } },
		{ 20,
		  { DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state,
		    DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state,
		    DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state,
		    DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state,
		    DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state,
		    DW_CFA_remember_state, DW_CFA_remember_state, DW_CFA_remember_state } },
		/* Only arm64 signs return addresses. */
		{ 1, { DW_CFA_AARCH64_negate_ra_state } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		struct unwind_elf elf;

		make(&elf, programs[i].bytes, programs[i].size);
		g_assert_null(row_at(&elf, START));
		unwind_elf_release(&elf);
	}
}

/* A register number that would take gigabytes, were there a place for each. */
static void test_huge_register(void)
{
	struct unwind_elf elf;

	MAKE(&elf, DW_CFA_offset_extended, 0xff, 0xff, 0xff, 0x3f, 1, DW_CFA_same_value, 0xff, 0xff,
	     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
	assert_cfa(&elf, START, RSP, 8);
	unwind_elf_release(&elf);
}

/* .debug_frame names its common entries by offset, from the beginning. */
static void test_debug_frame(void)
{
	struct unwind_table_maker maker;
	struct unwind_elf elf;
	const uint32_t common_id = UINT32_MAX;
	const uint32_t common_offset = 0;
	uint64_t start;
	uint64_t end;

	unwind_table_begin(&maker);
	unwind_table_add_common(&maker, "", RIP, usual, sizeof(usual));
	memcpy(maker.bytes->data + 4, &common_id, 4);
	for (start = START + 0x100; start >= START; start -= 0x100) {
		guint begin = maker.bytes->len;

		unwind_table_add_function(&maker, start, 0x80, NULL, 0);
		memcpy(maker.bytes->data + begin + 4, &common_offset, 4);
	}
	g_assert_true(unwind_elf_init(&elf, maker.bytes, ".debug_frame", EM_X86_64));
	assert_cfa(&elf, START, RSP, 8);
	assert_cfa(&elf, START + 0x17f, RSP, 8);
	g_assert_null(row_at(&elf, START + 0x80));
	g_assert_true(itp_cfi_bounds(elf.cfi, START + 0x7f, &start, &end));
	g_assert_cmphex(start, ==, START);
	g_assert_cmphex(end, ==, START + 0x80);
	g_assert_false(itp_cfi_bounds(elf.cfi, START + 0x80, &start, &end));
	unwind_elf_release(&elf);
}

/* Every byte of a table in turn is changed, and the table cut: whatever comes out, it ends. */
static void test_damaged_tables(void)
{
	const uint8_t program[] = { DW_CFA_remember_state,
				    DW_CFA_expression,
				    13,
				    2,
				    DW_OP_breg7,
				    8,
				    DW_CFA_restore_state,
				    DW_CFA_advance_loc | 1,
				    DW_CFA_def_cfa_offset,
				    16 };
	const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	guint size = 1;

	for (guint damage = 0; damage < size * (G_N_ELEMENTS(values) + 1); damage++) {
		guint place = damage / (G_N_ELEMENTS(values) + 1);
		guint value = damage % (G_N_ELEMENTS(values) + 1);
		struct unwind_table_maker maker;
		struct unwind_elf elf;

		unwind_table_begin(&maker);
		unwind_table_add_common(&maker, "zS", RIP, usual, sizeof(usual));
		unwind_table_add_function(&maker, START, 0x100, program, sizeof(program));
		unwind_table_add_function(&maker, START + 0x100, 0x100, program, sizeof(program));
		size = maker.bytes->len;
		if (value == G_N_ELEMENTS(values)) {
			g_byte_array_set_size(maker.bytes, place);
		} else {
			maker.bytes->data[place] = values[value];
		}
		if (unwind_elf_init(&elf, maker.bytes, ".eh_frame", EM_X86_64)) {
			for (uint64_t i = 0; elf.cfi && i < 0x210; i++) {
				row_at(&elf, START - 8 + i);
			}
			unwind_elf_release(&elf);
		}
	}
}

static char *copy_of(const char *bytes, gsize size)
{
	char *copy = g_malloc(size);

	memcpy(copy, bytes, size);
	return copy;
}

/* As above with a real file's two tables, a few random bytes at a time. */
static void test_damaged_file(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(20140616);
	g_autofree char *contents = NULL;
	struct unwind_elf whole = { .cfi = NULL };
	const GElf_Phdr *header;
	gsize size;

	g_assert_true(g_file_get_contents("/proc/self/exe", &contents, &size, NULL));
	g_assert_cmpint(itp_elf_image_init(&whole.image, "/proc/self/exe"), ==, 0);
	header = itp_elf_image_segment(&whole.image, PT_GNU_EH_FRAME);
	g_assert_nonnull(header);
	for (int round = 0; header && round < 300; round++) {
		g_autofree char *damaged = copy_of(contents, size);
		struct unwind_elf elf;

		/* The table proper lies behind its header, and has about four times its size. */
		for (guint i = g_rand_int(random) % 50; i < 50; i++) {
			uint64_t place = header->p_offset +
					 g_rand_int(random) % (i < 10 ? 12 : 5 * header->p_filesz);

			damaged[MIN(place, size - 1)] = (char)g_rand_int(random);
		}
		if (unwind_elf_init_from(&elf, damaged, size)) {
			for (int i = 0; elf.cfi && i < 2000; i++) {
				row_at(&elf, g_rand_int(random) % size);
			}
			unwind_elf_release(&elf);
		}
	}
	unwind_elf_release(&whole);
}

static enum itp_cfi_result evaluate(const uint8_t *bytes, size_t size, uint64_t *ret_value)
{
	static const uint64_t memory[] = { 0x1122334455667788, 42 };
	const struct itp_stack_copy stack = { .data = (const uint8_t *)memory,
					      .size = sizeof(memory),
					      .address = 0x7000 };
	const struct itp_registers registers = { .known = ITP_REGISTER_BIT(RSP) |
							  ITP_REGISTER_BIT(RIP),
						 .values = { [RSP] = 0x7000, [RIP] = 0x1234 } };
	const struct itp_cfi_context context = { .registers = &registers, .stack = &stack };
	const struct itp_bytes expression = { .data = bytes, .size = size };

	return itp_cfi_evaluate(expression, &context, ret_value);
}

#define EVALUATE(ret_value, ...)                             \
	({                                                   \
		const uint8_t bytes_[] = { __VA_ARGS__ };    \
		evaluate(bytes_, sizeof(bytes_), ret_value); \
	})

#define ASSERT_VALUE(expected, ...)                                              \
	do {                                                                     \
		uint64_t value_ = 0;                                             \
		g_assert_cmpint(EVALUATE(&value_, __VA_ARGS__), ==, ITP_CFI_OK); \
		g_assert_cmphex(value_, ==, (uint64_t)(expected));               \
	} while (0)

#define ASSERT_RESULT(expected, ...)                                           \
	do {                                                                   \
		uint64_t value_ = 0;                                           \
		g_assert_cmpint(EVALUATE(&value_, __VA_ARGS__), ==, expected); \
	} while (0)

static void test_operations(void)
{
	ASSERT_VALUE(5, DW_OP_lit5);
	ASSERT_VALUE(0x1122334455667788, DW_OP_breg7, 0, DW_OP_deref);
	ASSERT_VALUE(0x88, DW_OP_breg7, 0, DW_OP_deref_size, 1);
	ASSERT_VALUE(42, DW_OP_breg7, 8, DW_OP_deref);
	ASSERT_VALUE(-1, DW_OP_const1s, 0xff);
	ASSERT_VALUE(0xff, DW_OP_const1u, 0xff);
	ASSERT_VALUE(-2, DW_OP_const2s, 0xfe, 0xff);
	ASSERT_VALUE(0x04030201, DW_OP_const4u, 1, 2, 3, 4);
	ASSERT_VALUE(0x0807060504030201, DW_OP_const8s, 1, 2, 3, 4, 5, 6, 7, 8);
	ASSERT_VALUE(300, DW_OP_constu, 0xac, 2);
	ASSERT_VALUE(-3, DW_OP_consts, 0x7d);
	ASSERT_VALUE(INT64_MIN, DW_OP_constu, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		     1);
	ASSERT_VALUE(7, DW_OP_lit3, DW_OP_lit4, DW_OP_plus);
	ASSERT_VALUE(-1, DW_OP_lit3, DW_OP_lit4, DW_OP_minus);
	ASSERT_VALUE(12, DW_OP_lit3, DW_OP_lit4, DW_OP_mul);
	ASSERT_VALUE(-2, DW_OP_const1s, 0xfa, DW_OP_lit3, DW_OP_div);
	ASSERT_VALUE(2, DW_OP_lit8, DW_OP_lit3, DW_OP_mod);
	ASSERT_VALUE(INT64_MIN, DW_OP_lit1, DW_OP_const1u, 63, DW_OP_shl, DW_OP_const1s, 0xff,
		     DW_OP_div);
	ASSERT_VALUE(0, DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl);
	ASSERT_VALUE(-1, DW_OP_const1s, 0x80, DW_OP_const1u, 200, DW_OP_shra);
	ASSERT_VALUE(4, DW_OP_const1s, 0xfc, DW_OP_abs);
	ASSERT_VALUE(-4, DW_OP_lit4, DW_OP_neg);
	ASSERT_VALUE(~UINT64_C(4), DW_OP_lit4, DW_OP_not);
	ASSERT_VALUE(20, DW_OP_lit4, DW_OP_plus_uconst, 16);
	ASSERT_VALUE(1, DW_OP_const1s, 0xff, DW_OP_lit0, DW_OP_lt);
	ASSERT_VALUE(2, DW_OP_lit1, DW_OP_lit2, DW_OP_over, DW_OP_drop);
	ASSERT_VALUE(1, DW_OP_lit1, DW_OP_lit2, DW_OP_swap);
	ASSERT_VALUE(2, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot);
	ASSERT_VALUE(1, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop, DW_OP_drop,
		     DW_OP_lit1, DW_OP_mul, DW_OP_lit3, DW_OP_div);
	ASSERT_VALUE(1, DW_OP_lit1, DW_OP_lit2, DW_OP_pick, 1);
	ASSERT_VALUE(9, DW_OP_lit9, DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_drop);
	ASSERT_VALUE(9, DW_OP_lit9, DW_OP_skip, 1, 0, DW_OP_drop);
	/* The procedure linkage table's: 8 more behind the 11th byte of an entry. */
	ASSERT_VALUE(0x7008, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11,
		     DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus);
}

static void test_deep_expression(void)
{
	uint8_t bytes[65];
	uint64_t value = 0;

	memset(bytes, DW_OP_lit7, sizeof(bytes));
	g_assert_cmpint(evaluate(bytes, 64, &value), ==, ITP_CFI_OK);
	g_assert_cmpint(evaluate(bytes, 65, &value), ==, ITP_CFI_UNUSABLE);
}

static void test_bad_expressions(void)
{
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_nop);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_lit1, DW_OP_plus);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_lit1, DW_OP_lit0, DW_OP_div);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_lit1, DW_OP_lit0, DW_OP_mod);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_const8u, 1);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_constu, 0x80);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_lit1, DW_OP_pick, 1);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_addr, 1, 2, 3, 4, 5, 6, 7, 8);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_call_frame_cfa);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_lit1, DW_OP_deref_size, 9);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_skip, 0x00, 0x80);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_skip, 0xff, 0x7f);
	/* Endless, and endlessly deep. */
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_skip, 0xfd, 0xff);
	ASSERT_RESULT(ITP_CFI_UNUSABLE, DW_OP_lit1, DW_OP_skip, 0xfc, 0xff);
	ASSERT_RESULT(ITP_CFI_NO_REGISTER, DW_OP_breg6, 0);
	ASSERT_RESULT(ITP_CFI_NO_REGISTER, DW_OP_bregx, 0xff, 0x7f, 0);
	ASSERT_RESULT(ITP_CFI_NO_MEMORY, DW_OP_breg7, 9, DW_OP_deref);
	ASSERT_RESULT(ITP_CFI_NO_MEMORY, DW_OP_breg7, 0x7f, DW_OP_deref);
}

/* Describes what elfutils says of one register in the words of our rules. */
static void describe_reference(GString *text, const Dwarf_Op *ops, size_t count, bool is_memory)
{
	if (count == 0) {
		g_string_append(text, is_memory ? "undefined" : "same");
	} else if (ops[0].atom == DW_OP_regx && count == 1) {
		g_string_append_printf(text, "r%" G_GUINT64_FORMAT, ops[0].number);
	} else if (ops[0].atom == DW_OP_call_frame_cfa &&
		   (count == 1 || (count == 2 && ops[1].atom == DW_OP_plus_uconst))) {
		g_string_append_printf(text, "[cfa%+" G_GINT64_FORMAT "]",
				       count == 1 ? 0 : (gint64)ops[1].number);
	} else {
		g_string_append(text, "expression");
	}
}

static void describe_ours(GString *text, const struct itp_cfi_row *row, uint8_t target)
{
	const struct itp_cfi_rule *rule = rule_of(row, target);

	if (!rule) {
		g_string_append(text, row->kept & ITP_REGISTER_BIT(target) ? "same" : "undefined");
	} else if (rule->kind == ITP_CFI_SAVED) {
		g_string_append_printf(text, "[cfa%+d]", rule->value);
	} else if (rule->kind == ITP_CFI_REGISTER) {
		g_string_append_printf(text, "r%u", rule->source);
	} else {
		g_string_append(text, "expression");
	}
}

static void describe_reference_cfa(GString *text, Dwarf_Frame *frame)
{
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) != 0) {
		g_string_append(text, "cfa none");
	} else if (count == 1 && ops[0].atom == DW_OP_bregx) {
		g_string_append_printf(text, "cfa r%d%+d", (int)ops[0].number, (int)ops[0].number2);
	} else {
		g_string_append(text, "cfa expression");
	}
}

/* Registers to compare: all but what elfutils has wrong, and the stack pointer, which is the CFA
 * in both. */
struct machine {
	uint8_t first;
	uint8_t last;
	uint8_t stack_pointer;
	/* Of x86-64, preserved by every function; but not in elfutils, without a rule. */
	uint8_t preserved;
};

/* Without rax, which no function preserves. */
static const struct machine x86_64 = {
	.first = 1, .last = RIP, .stack_pointer = RSP, .preserved = RBX
};
/* x0 to the link register; elfutils knows no program counter. */
static const struct machine arm64 = {
	.first = 0, .last = 30, .stack_pointer = 31, .preserved = 0xff
};

static void compare_row(const struct machine *machine, Dwarf_Frame *frame,
			const struct itp_cfi_row *row, uint64_t vaddr)
{
	g_autoptr(GString) theirs = g_string_new(NULL);
	g_autoptr(GString) ours = g_string_new(NULL);

	describe_reference_cfa(theirs, frame);
	if (row && row->cfa.kind == ITP_CFI_REGISTER) {
		g_string_append_printf(ours, "cfa r%d%+d", row->cfa.source, row->cfa.value);
	} else {
		g_string_append(ours, row ? "cfa expression" : "cfa none");
	}
	for (uint8_t i = machine->first; row && i <= machine->last; i++) {
		Dwarf_Op memory[3];
		Dwarf_Op *ops;
		size_t count;

		if (i == machine->stack_pointer || (i == machine->preserved && !rule_of(row, i))) {
			continue;
		}
		g_assert_cmpint(dwarf_frame_register(frame, i, memory, &ops, &count), ==, 0);
		g_string_append_printf(theirs, " %d=", i);
		describe_reference(theirs, ops, count, ops == memory);
		g_string_append_printf(ours, " %d=", i);
		describe_ours(ours, row, i);
	}
	if (!g_string_equal(theirs, ours)) {
		g_test_message("at 0x%" G_GINT64_MODIFIER "x", vaddr);
		g_assert_cmpstr(ours->str, ==, theirs->str);
	}
}

static void compare_file(const struct machine *machine, const char *path)
{
	struct unwind_elf elf;
	Dwarf_CFI *reference;
	guint rows = 0;

	g_assert_cmpint(itp_elf_image_init(&elf.image, path), ==, 0);
	elf.cfi = itp_cfi_new(&elf.image);
	reference = dwarf_getcfi_elf(elf.image.elf);
	g_assert_nonnull(elf.cfi);
	g_assert_nonnull(reference);
	for (guint i = 0; i < elf.image.segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(elf.image.segments, GElf_Phdr, i);
		uint64_t end = segment->p_vaddr + segment->p_memsz;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) {
			continue;
		}
		for (Dwarf_Addr vaddr = segment->p_vaddr; vaddr < end;) {
			Dwarf_Frame *frame;
			Dwarf_Addr start = vaddr;
			Dwarf_Addr row_end = vaddr + 1;

			if (dwarf_cfi_addrframe(reference, vaddr, &frame) == 0) {
				dwarf_frame_info(frame, &start, &row_end, NULL);
				compare_row(machine, frame, row_at(&elf, vaddr), vaddr);
				compare_row(machine, frame, row_at(&elf, row_end - 1), row_end - 1);
				free(frame);
				rows++;
			} else {
				/* The loader's entry point has no rules. */
				g_assert_true(!row_at(&elf, vaddr) ||
					      row_at(&elf, vaddr)->caller == ITP_CFI_CALLER_NONE);
			}
			vaddr = MAX(row_end, vaddr + 1);
		}
	}
	g_test_message("%s: %u rows", path, rows);
	g_assert_cmpuint(rows, >, 50);
	dwarf_cfi_end(reference);
	unwind_elf_release(&elf);
}

static void test_real_files(void)
{
	g_auto(GStrv) lines = NULL;
	g_autofree char *maps = NULL;
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	guint count = 0;

	g_assert_true(g_file_get_contents("/proc/self/maps", &maps, NULL, NULL));
	lines = g_strsplit(maps, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *path = strchr(*line, '/');

		if (path && strstr(*line, " r-xp ") && g_hash_table_add(seen, path) &&
		    g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
			compare_file(&x86_64, path);
			count++;
		}
	}
	g_assert_cmpuint(count, >, 2);
}

/* ITP_ARM64_FILES names them, separated by colons; else what Debian's cross package has. */
static void test_real_arm64_files(void)
{
	const char *named = g_getenv("ITP_ARM64_FILES");
	g_auto(GStrv) paths = g_strsplit(named ? named :
						 "/usr/aarch64-linux-gnu/lib/libc.so.6:"
						 "/usr/aarch64-linux-gnu/lib/libm.so.6:"
						 "/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1",
					 ":", -1);

	if (!named && !g_file_test(paths[0], G_FILE_TEST_EXISTS)) {
		g_test_skip("package libc6-arm64-cross is not installed");
		return;
	}
	for (char **path = paths; *path; path++) {
		compare_file(&arm64, *path);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/rows/hold from one advance to the next", test_advance);
	g_test_add_func("/rows/a remembered state comes back", test_remember);
	g_test_add_func("/rows/each kind of rule is kept", test_kinds);
	g_test_add_func("/rows/an undefined return address means no caller", test_outermost);
	g_test_add_func("/rows/are not made of programs that break a rule or a limit",
			test_bad_programs);
	g_test_add_func("/rows/need no memory for registers that do not exist", test_huge_register);
	g_test_add_func("/rows/come from .debug_frame too", test_debug_frame);
	g_test_add_func("/rows/damaged tables do no harm", test_damaged_tables);
	g_test_add_func("/rows/a damaged real file does no harm", test_damaged_file);
	g_test_add_func("/expressions/every operation", test_operations);
	g_test_add_func("/expressions/their stack is bounded", test_deep_expression);
	g_test_add_func("/expressions/bad ones are refused", test_bad_expressions);
	g_test_add_func("/rows/of real files are those of elfutils", test_real_files);
	g_test_add_func("/rows/of real arm64 files are those of elfutils", test_real_arm64_files);
	return g_test_run();
}
