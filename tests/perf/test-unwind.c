/* SPDX-License-Identifier: MIT */
/*
 * Unwinding of hand-made stacks: how they end, which addresses are looked up, and what stacks that
 * lie can do.
 *
 * The code under test is a hand-made file whose functions have 0x100 bytes each; it is mapped at
 * CODE, and the copied stack begins at STACK.
 */
#include "common/symbol/jit-map.h"
#include "common/unwind/unwind.h"
#include "tests/perf/unwind-elf.h"

#include <dwarf.h>
#include <sys/auxv.h>

#define CODE UINT64_C(0x400000)
#define CODE_END (CODE + 0x10000)
/* Memory without a file, where Python has put what runs under its functions: one of the two kinds
 * behind the other. */
#define MADE (CODE_END + 0x1000)
#define STACK UINT64_C(0x7ffe0000)
#define STACK_WORDS 64

/* DWARF numbers. */
#define RBP 6
#define RSP 7
#define RIP 16
#define ARM_FP 29
#define ARM_LR 30
#define ARM_SP 31

/* perf's. */
#define PERF_RDI 5
#define PERF_RBP 6
#define PERF_RSP 7
#define PERF_RIP 8

/* Functions of the file, in its own addresses; those between have no rules. */
enum {
	/* CFA = rsp + 8. */
	LEAF = 0x1000,
	/* CFA = rsp + 32, rbp at CFA - 16. */
	CALLER = 0x1100,
	/* CFA = rbp + 16. */
	FRAMED = 0x1200,
	/* Undefined return address. */
	FIRST = 0x1300,
	/* The CFA is the stack pointer: nothing was pushed. */
	STUCK = 0x1400,
	/* The return address is in rdi. */
	IN_REGISTER = 0x1500,
	/* The kernel's frame for a handler: stack pointer and return address lie on the stack. */
	SIGNAL = 0x1600,
	/* The CFA is what rsp points to. */
	JUMPING = 0x1700,
	/* Like LEAF, and its calls stand on another stack. */
	SWITCHING = 0x1900,
	/* Returns from signal handlers, with a function's rules; and without rules. */
	SIGNAL_RETURN = 0x1b00,
	BARE_SIGNAL_RETURN = 0x1d00,
	NO_RULES = 0x2000,
};

struct fixture {
	struct unwind_elf elf;
	struct itp_unwinder *unwinder;
	/* How much further down the file lies than at CODE. */
	uint64_t shift;
	uint64_t stack[STACK_WORDS];
	uint64_t registers[PERF_RIP + 1];
	struct itp_unwind_input input;
	struct itp_unwound_frame frames[32];
	size_t max;
	size_t count;
	enum itp_unwind_end end;
};

static const struct itp_symbol made[] = {
	{ .start = MADE, .end = MADE + 11, .name = "py::f:shop.py", .name_length = 13 },
	{ .start = MADE + 16, .end = MADE + 31, .name = "py::g:shop.py", .name_length = 13 },
	{ .start = MADE + 64, .end = MADE + 75, .name = "function f", .name_length = 10 },
	{ .start = MADE + 128, .end = MADE + 228, .name = "py::h:shop.py", .name_length = 13 },
};

static bool resolve_made(uint64_t address, struct itp_unwind_place *ret_place)
{
	for (size_t i = 0; i < G_N_ELEMENTS(made); i++) {
		if (address >= made[i].start && address < made[i].end) {
			ret_place->row = itp_made_code_row(&made[i], address);
			return true;
		}
	}
	return false;
}

static bool resolve(void *data, uint64_t address, struct itp_unwind_place *ret_place)
{
	struct fixture *fixture = data;

	if (address >= MADE) {
		return resolve_made(address, ret_place);
	}
	if (address < CODE || address >= CODE_END) {
		return false;
	}
	ret_place->cfi = fixture->elf.cfi;
	ret_place->vaddr = address - CODE + fixture->shift;
	return true;
}

/* Functions without rules, whose names are known: the second calls the first, the third the second.
 */
#define KNOWN_BYTES 0x40
static const uint64_t known[] = { NO_RULES + 0x200, NO_RULES + 0x280, NO_RULES + 0x300 };
#define KNOWN_END (NO_RULES + 0x400)
/* Behind that call, from the start of the function. */
#define KNOWN_RETURN 0x15

/* Behind calls of whatever a register holds, and whatever is in a table. */
#define FIRST_RETURN (FIRST + 0x12)
#define STUCK_RETURN (STUCK + 0x27)

static const uint8_t *known_code(void)
{
	static const uint8_t call_register[] = { 0x41, 0xff, 0xd4 };
	static const uint8_t call_table[] = { 0xff, 0x14, 0xfd, 0x80, 0x10, 0x40, 0x00 };
	static uint8_t code[KNOWN_END - FIRST];

	for (size_t i = 1; i < G_N_ELEMENTS(known); i++) {
		const uint64_t behind = known[i] + KNOWN_RETURN;
		const int32_t distance = (int32_t)(known[i - 1] - behind);

		code[behind - FIRST - 5] = 0xe8;
		memcpy(&code[behind - FIRST - sizeof(distance)], &distance, sizeof(distance));
	}
	memcpy(&code[FIRST_RETURN - FIRST - sizeof(call_register)], call_register,
	       sizeof(call_register));
	memcpy(&code[STUCK_RETURN - FIRST - sizeof(call_table)], call_table, sizeof(call_table));
	return code;
}

static bool find_known(void *data, uint64_t address, struct itp_unwind_code *ret_code)
{
	(void)data;
	*ret_code = (struct itp_unwind_code){ .bytes = known_code(),
					      .begin = CODE + FIRST,
					      .end = CODE + KNOWN_END };
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		if (address >= CODE + known[i] && address < CODE + known[i] + KNOWN_BYTES) {
			ret_code->entry = CODE + known[i];
		}
	}
	return address >= ret_code->begin && address < ret_code->end;
}

#define ADD(maker, start, ...)                                                              \
	do {                                                                                \
		const uint8_t program_[] = { __VA_ARGS__ };                                 \
		unwind_table_add_function(maker, start, 0x100, program_, sizeof(program_)); \
	} while (0)

/* The code to return from a signal handler, behind the table and the zeroes that end it. */
static void add_code(GByteArray *table, guint place)
{
	/* mov $15, %rax; syscall */
	static const guint8 code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	guint old_length = table->len;

	g_byte_array_set_size(table, place - UNWIND_TABLE);
	memset(table->data + old_length, 0, table->len - old_length);
	g_byte_array_append(table, code, sizeof(code));
}

static GByteArray *make_table(void)
{
	const uint8_t usual[] = { DW_CFA_def_cfa, RSP, 8, DW_CFA_offset | RIP, 1 };
	struct unwind_table_maker maker;

	unwind_table_begin(&maker);
	unwind_table_add_common(&maker, "", RIP, usual, sizeof(usual));
	unwind_table_add_function(&maker, LEAF, 0x100, NULL, 0);
	ADD(&maker, CALLER, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | RBP, 2);
	ADD(&maker, FRAMED, DW_CFA_def_cfa, RBP, 16, DW_CFA_offset | RBP, 2);
	ADD(&maker, FIRST, DW_CFA_undefined, RIP);
	ADD(&maker, STUCK, DW_CFA_def_cfa_offset, 0);
	ADD(&maker, IN_REGISTER, DW_CFA_def_cfa_offset, 0, DW_CFA_register, RIP, 5);
	unwind_table_add_common(&maker, "zS", RIP, usual, sizeof(usual));
	/* From one byte before, as C libraries do: the trampoline was never called. */
	unwind_table_add_function(&maker, SIGNAL - 1, 0x101,
				  (const uint8_t[]){ DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 8,
						     DW_OP_deref, DW_CFA_expression, RSP, 2,
						     DW_OP_breg7, 8, DW_CFA_expression, RIP, 2,
						     DW_OP_breg7, 0 },
				  15);
	unwind_table_add_common(&maker, "", RIP, usual, sizeof(usual));
	ADD(&maker, JUMPING, DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 0, DW_OP_deref);
	unwind_table_add_function(&maker, SWITCHING, 0x100, NULL, 0);
	unwind_table_add_function(&maker, SIGNAL_RETURN, 0x100, NULL, 0);
	add_code(maker.bytes, SIGNAL_RETURN);
	add_code(maker.bytes, BARE_SIGNAL_RETURN);
	return maker.bytes;
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_assert_true(unwind_elf_init(&fixture->elf, make_table(), ".eh_frame", EM_X86_64));
	itp_cfi_begin_stack(fixture->elf.cfi, SWITCHING, SWITCHING + 0x100);
	fixture->unwinder = itp_unwinder_new(resolve, find_known);
	fixture->max = G_N_ELEMENTS(fixture->frames);
	fixture->registers[PERF_RSP] = STACK;
	fixture->input = (struct itp_unwind_input){
		.architecture = ITP_X86_64,
		.layout = 1,
		.register_mask = 0x1ff,
		.register_count = 9,
		.registers = fixture->registers,
		.stack = fixture->stack,
		.stack_bytes = sizeof(fixture->stack),
	};
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	itp_unwinder_free(fixture->unwinder);
	unwind_elf_release(&fixture->elf);
}

static void unwind(struct fixture *fixture, uint64_t place)
{
	fixture->registers[PERF_RIP] = CODE + place;
	fixture->count = itp_unwind(fixture->unwinder, &fixture->input, fixture, fixture->frames,
				    fixture->max, &fixture->end);
}

/* The frames' places in the file, and how they end. */
static void assert_frames(const struct fixture *fixture, enum itp_unwind_end end, size_t count,
			  const uint64_t *places)
{
	g_assert_cmpint(fixture->end, ==, end);
	g_assert_cmpuint(fixture->count, ==, count);
	for (size_t i = 0; i < MIN(count, fixture->count); i++) {
		g_assert_cmphex(fixture->frames[i].address - CODE, ==, places[i]);
	}
}

#define ASSERT_FRAMES(fixture, end, ...)                                     \
	do {                                                                 \
		const uint64_t places_[] = { __VA_ARGS__ };                  \
		assert_frames(fixture, end, G_N_ELEMENTS(places_), places_); \
	} while (0)

static void test_root(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* LEAF, its caller, and the first function. */
	fixture->stack[0] = CODE + CALLER + 0x10;
	fixture->stack[4] = CODE + FIRST + 5;
	unwind(fixture, LEAF + 4);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF + 4, CALLER + 0x10, FIRST + 5);
	g_assert_true(fixture->frames[0].is_exact);
	g_assert_false(fixture->frames[1].is_exact);
	g_assert_cmpint(fixture->frames[0].how, ==, ITP_UNWIND_REGISTERS);
	g_assert_cmpint(fixture->frames[1].how, ==, ITP_UNWIND_RULE);
	/* A return address of 0 says the same. */
	fixture->stack[4] = 0;
	unwind(fixture, LEAF + 4);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF + 4, CALLER + 0x10);
}

static void test_return_at_end(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* CALLER ends with a call that does not return, so LEAF returns to where FRAMED begins. */
	fixture->stack[0] = CODE + FRAMED;
	fixture->stack[4] = CODE + FIRST + 1;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF, FRAMED, FIRST + 1);
	/* The same address in a leaf is that of the function that begins there. */
	fixture->registers[PERF_RBP] = STACK + 8;
	fixture->stack[1] = STACK + 100;
	fixture->stack[2] = CODE + FIRST + 1;
	unwind(fixture, FRAMED);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, FRAMED, FIRST + 1);
}

static void test_saved_register(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* CALLER saved the frame pointer that FRAMED's rule needs. */
	fixture->stack[2] = STACK + 10 * 8;
	fixture->stack[3] = CODE + FRAMED + 8;
	fixture->stack[11] = CODE + FIRST + 1;
	unwind(fixture, CALLER + 1);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, CALLER + 1, FRAMED + 8, FIRST + 1);
}

static void test_depth(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->stack[0] = CODE + CALLER + 0x10;
	fixture->stack[4] = CODE + CALLER + 0x20;
	/* One byte of the second return address is not in the copy. */
	fixture->input.stack_bytes = 5 * 8 - 1;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_DEPTH, LEAF, CALLER + 0x10);
	fixture->input.stack_bytes = 7;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_DEPTH, LEAF);
	fixture->input.stack_bytes = 0;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_DEPTH, LEAF);
}

static void test_lost_register(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* FRAMED's rule needs a frame pointer that nobody recorded. */
	fixture->input.register_mask = UINT64_C(1) << PERF_RSP | UINT64_C(1) << PERF_RIP;
	fixture->input.register_count = 2;
	fixture->registers[0] = STACK;
	fixture->registers[1] = CODE + FRAMED + 1;
	unwind(fixture, 0);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, FRAMED + 1);
}

static void test_not_growing(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->stack[0] = CODE + STUCK + 1;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_BAD, LEAF, STUCK + 1);
	/* A frame pointer below the stack pointer. */
	fixture->registers[PERF_RBP] = STACK - 16;
	fixture->stack[0] = CODE + FRAMED + 1;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_BAD, LEAF, FRAMED + 1);
	/* An expression that leads back. */
	fixture->stack[0] = STACK;
	unwind(fixture, JUMPING);
	g_assert_cmpint(fixture->end, !=, ITP_UNWIND_LIMIT);
}

static void test_limit(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	for (size_t i = 0; i < STACK_WORDS; i++) {
		fixture->stack[i] = CODE + LEAF + 1;
	}
	fixture->max = 5;
	unwind(fixture, LEAF);
	g_assert_cmpint(fixture->end, ==, ITP_UNWIND_LIMIT);
	g_assert_cmpuint(fixture->count, ==, 5);
	fixture->max = 0;
	unwind(fixture, LEAF);
	g_assert_cmpint(fixture->end, ==, ITP_UNWIND_LIMIT);
	g_assert_cmpuint(fixture->count, ==, 0);
}

static void test_frame_pointer(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->registers[PERF_RBP] = STACK + 2 * 8;
	fixture->stack[2] = STACK + 20 * 8;
	fixture->stack[3] = CODE + FIRST + 1;
	unwind(fixture, NO_RULES + 0x40);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, NO_RULES + 0x40, FIRST + 1);
	g_assert_cmpint(fixture->frames[1].how, ==, ITP_UNWIND_FRAME_POINTER);
	/* The chain ends with 0. */
	fixture->stack[2] = 0;
	fixture->stack[3] = CODE + NO_RULES + 0x80;
	unwind(fixture, NO_RULES + 0x40);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, NO_RULES + 0x40, NO_RULES + 0x80);
	/* It leads to what is no code. */
	fixture->stack[3] = 12345;
	unwind(fixture, NO_RULES + 0x40);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, NO_RULES + 0x40);
	/* It is no address of a word, or none in the copy. */
	fixture->stack[3] = (CODE + FIRST + 1) << 8;
	fixture->registers[PERF_RBP] = STACK + 2 * 8 + 1;
	unwind(fixture, NO_RULES + 0x40);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, NO_RULES + 0x40);
	fixture->registers[PERF_RBP] = UINT64_MAX - 7;
	unwind(fixture, NO_RULES + 0x40);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, NO_RULES + 0x40);
	/* It leads into a frame that is left already. */
	fixture->registers[PERF_RBP] = STACK;
	fixture->stack[0] = CODE + NO_RULES + 0x40;
	fixture->stack[1] = CODE + FIRST + 1;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, LEAF, NO_RULES + 0x40);
}

static void test_call_site(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* What lies before it is no address, no return address, or that of another call. */
	fixture->stack[0] = 12345;
	fixture->stack[1] = CODE + known[1];
	fixture->stack[2] = CODE + known[2] + KNOWN_RETURN;
	fixture->stack[3] = CODE + known[1] + KNOWN_RETURN;
	fixture->stack[7] = CODE + known[2] + KNOWN_RETURN;
	unwind(fixture, known[0] + 4);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, known[0] + 4, known[1] + KNOWN_RETURN,
		      known[2] + KNOWN_RETURN);
	g_assert_cmpint(fixture->frames[1].how, ==, ITP_UNWIND_CALL_SITE);
	g_assert_false(fixture->frames[1].is_exact);
	/* A rule holds in the caller of a function without one, and the other way round. */
	fixture->stack[0] = CODE + known[0] + 8;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, LEAF, known[0] + 8, known[1] + KNOWN_RETURN,
		      known[2] + KNOWN_RETURN);
	/* Nothing on the stack is behind a call of it: the frame pointer may know. */
	fixture->stack[7] = 0;
	fixture->registers[PERF_RBP] = STACK + 8 * 8;
	fixture->stack[8] = STACK + 20 * 8;
	fixture->stack[9] = CODE + FIRST + 1;
	unwind(fixture, known[2] + 4);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, known[2] + 4, FIRST + 1);
	/* The code of the last byte that is mapped, and addresses that wrap around. */
	fixture->registers[PERF_RBP] = 0;
	for (guint i = 0; i < STACK_WORDS; i++) {
		fixture->stack[i] = CODE + FIRST - 1 + i % 8;
	}
	unwind(fixture, known[0]);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, known[0]);
}

static void test_indirect_call_site(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* Behind the nearest indirect call nothing is sound: it is left from before. */
	fixture->stack[1] = CODE + STUCK_RETURN;
	fixture->stack[4] = CODE + FIRST_RETURN;
	unwind(fixture, known[2] + 4);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, known[2] + 4, FIRST_RETURN);
	g_assert_cmpint(fixture->frames[1].how, ==, ITP_UNWIND_CALL_SITE);
	/* By a function that was called by its address. */
	fixture->stack[0] = CODE + known[2] + KNOWN_RETURN;
	unwind(fixture, known[1] + 4);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, known[1] + 4, known[2] + KNOWN_RETURN,
		      FIRST_RETURN);
	/* No stack at all is sound. */
	fixture->stack[4] = CODE + FIRST_RETURN + 1;
	unwind(fixture, known[2] + 4);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, known[2] + 4);
}

/* Begin of the made code at CODE, as ASSERT_FRAMES counts. */
#define MADE_AT(number) (made[number].start - CODE)

static void test_made_code(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* In a function that both trampolines called, then in each before and behind its call. */
	fixture->stack[0] = MADE + 6;
	fixture->stack[2] = MADE + 16 + 4 + 6;
	fixture->stack[4] = CODE + FIRST + 1;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF, MADE_AT(0) + 6, MADE_AT(1) + 4 + 6,
		      FIRST + 1);
	g_assert_cmpint(fixture->frames[2].how, ==, ITP_UNWIND_RULE);
	fixture->stack[0] = CODE + FIRST + 1;
	unwind(fixture, MADE_AT(0));
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, MADE_AT(0), FIRST + 1);
	unwind(fixture, MADE_AT(1) + 4 + 10);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, MADE_AT(1) + 4 + 10, FIRST + 1);
	/* Another's, or something else: nothing is known of it. */
	unwind(fixture, MADE_AT(2));
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, MADE_AT(2));
	unwind(fixture, MADE_AT(3));
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, MADE_AT(3));
}

static void test_signal(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* The handler returns to the first byte of the trampoline; CALLER was interrupted before
	 * its first instruction, where CFA = rsp + 32 holds already. */
	fixture->stack[0] = CODE + SIGNAL;
	fixture->stack[1] = CODE + CALLER;
	fixture->stack[2] = STACK + 20 * 8;
	fixture->stack[23] = CODE + FIRST + 1;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF, SIGNAL, CALLER, FIRST + 1);
	g_assert_true(fixture->frames[1].is_exact);
	g_assert_true(fixture->frames[2].is_exact);
	g_assert_false(fixture->frames[3].is_exact);
	g_assert_cmpint(fixture->frames[2].how, ==, ITP_UNWIND_EXPRESSION);
	/* Interrupted on a stack that was not copied, as with sigaltstack(). */
	fixture->stack[2] = STACK - 0x100000;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_DEPTH, LEAF, SIGNAL, CALLER);
}

/* What the kernel has put on the stack for a handler without rules to return by. */
static void test_signal_return_by_its_code(struct fixture *fixture, gconstpointer data)
{
	static const uint64_t places[] = { SIGNAL_RETURN, BARE_SIGNAL_RETURN };

	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		/* Behind 40 bytes of a ucontext 17 registers, of which the last two are rsp and
		 * rip; the first byte of the trampoline is the return address. */
		fixture->stack[0] = CODE + places[i];
		fixture->stack[1 + 5 + 10] = STACK + 30 * 8;
		fixture->stack[1 + 5 + 15] = STACK + 24 * 8;
		fixture->stack[1 + 5 + 16] = CODE + FRAMED;
		fixture->stack[31] = CODE + FIRST + 1;
		unwind(fixture, LEAF);
		ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF, places[i], FRAMED, FIRST + 1);
		g_assert_true(fixture->frames[2].is_exact);
		/* In the trampoline: at the system call, and behind it. */
		fixture->stack[5 + 10] = STACK + 30 * 8;
		fixture->stack[5 + 15] = STACK + 24 * 8;
		fixture->stack[5 + 16] = CODE + FRAMED;
		unwind(fixture, places[i] + 7);
		ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, places[i] + 7, FRAMED, FIRST + 1);
		unwind(fixture, places[i] + 9);
		ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, places[i] + 9, FRAMED, FIRST + 1);
	}
	/* Other code of the same function. */
	fixture->stack[0] = CODE + FIRST + 1;
	unwind(fixture, SIGNAL_RETURN + 10);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, SIGNAL_RETURN + 10, FIRST + 1);
}

static void test_other_stack(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* What was called begins the stack; what lies above is no caller. */
	fixture->stack[0] = CODE + SWITCHING + 0x20;
	fixture->stack[1] = CODE + CALLER + 8;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF, SWITCHING + 0x20);
	/* It is called like any other function. */
	fixture->stack[0] = CODE + FIRST + 1;
	unwind(fixture, SWITCHING + 4);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, SWITCHING + 4, FIRST + 1);
}

static void test_signal_loop(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* A signal frame that says it interrupted itself. */
	fixture->stack[0] = CODE + SIGNAL + 1;
	fixture->stack[1] = STACK;
	unwind(fixture, SIGNAL + 1);
	g_assert_cmpint(fixture->end, ==, ITP_UNWIND_LIMIT);
	g_assert_cmpuint(fixture->count, ==, fixture->max);
}

static void test_return_in_register(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->registers[PERF_RDI] = CODE + CALLER + 1;
	fixture->stack[3] = CODE + FIRST + 1;
	unwind(fixture, IN_REGISTER + 1);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, IN_REGISTER + 1, CALLER + 1, FIRST + 1);
	/* Further up that register is not known. */
	fixture->stack[0] = CODE + IN_REGISTER + 1;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_BAD, LEAF, IN_REGISTER + 1);
}

static void test_behind_syscall(struct fixture *fixture, gconstpointer data)
{
	const uint64_t last = JUMPING + 0x100;

	(void)data;
	/* JUMPING ends with the instruction that makes the system call, or right before it. */
	fixture->stack[0] = STACK + 4 * 8;
	fixture->stack[3] = CODE + FIRST + 1;
	for (uint64_t distance = 0; distance <= 2; distance += 2) {
		unwind(fixture, last + distance);
		ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, last + distance, FIRST + 1);
		g_assert_false(fixture->frames[0].is_exact);
	}
	/* In the new thread of a clone nothing is there to return to. */
	fixture->stack[3] = STACK;
	unwind(fixture, last + 2);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, last + 2);
}

static void test_entry_point(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->stack[0] = CODE + UNWIND_ENTRY + 7;
	unwind(fixture, LEAF);
	ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF, UNWIND_ENTRY + 7);
	unwind(fixture, UNWIND_ENTRY + 0x200);
	ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, UNWIND_ENTRY + 0x200);
}

/* More addresses than the unwinder remembers at a time. */
static void test_many_addresses(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->stack[0] = CODE + FIRST + 1;
	fixture->stack[3] = CODE + FIRST + 1;
	for (int round = 0; round < 20; round++) {
		fixture->input.layout = 1 + (uint32_t)round;
		for (uint64_t i = 0; i < 0x100; i++) {
			unwind(fixture, LEAF + i);
			ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, LEAF + i, FIRST + 1);
			unwind(fixture, FIRST + i);
			ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, FIRST + i);
			unwind(fixture, CALLER + i);
			ASSERT_FRAMES(fixture, ITP_UNWIND_ROOT, CALLER + i, FIRST + 1);
			unwind(fixture, NO_RULES + 0x10 + i);
			ASSERT_FRAMES(fixture, ITP_UNWIND_NO_RULE, NO_RULES + 0x10 + i);
		}
	}
}

static void test_address_spaces(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->stack[0] = CODE + FIRST + 1;
	for (uint32_t layout = 1; layout < 50000; layout++) {
		fixture->input.layout = layout;
		fixture->shift = layout % 2 * (FIRST - LEAF);
		unwind(fixture, LEAF);
		g_assert_cmpuint(fixture->count, ==, layout % 2 ? 1 : 2);
	}
}

static void test_unmapped(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->stack[0] = 0x1234;
	unwind(fixture, LEAF);
	g_assert_cmpint(fixture->end, ==, ITP_UNWIND_BAD);
	g_assert_cmpuint(fixture->count, ==, 2);
	g_assert_cmphex(fixture->frames[1].address, ==, 0x1234);
}

static void test_bad_registers(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->input.register_mask = 0x3f;
	unwind(fixture, LEAF);
	g_assert_cmpint(fixture->end, ==, ITP_UNWIND_BAD);
	g_assert_cmpuint(fixture->count, ==, 0);
	/* Fewer values than bits. */
	fixture->input.register_mask = UINT64_MAX;
	unwind(fixture, LEAF);
	g_assert_cmpuint(fixture->count, ==, 0);
}

/* Whatever is on the stack, nothing outside of the copy is read (AddressSanitizer) and it ends. */
static void test_random_stacks(struct fixture *fixture, gconstpointer data)
{
	static const uint64_t starts[] = { LEAF,        CALLER, FRAMED,  FIRST,   STUCK,
					   IN_REGISTER, SIGNAL, JUMPING, NO_RULES };
	g_autoptr(GRand) random = g_rand_new_with_seed(20140616);

	(void)data;
	for (int round = 0; round < 20000; round++) {
		size_t bytes = 1 + g_rand_int(random) % sizeof(fixture->stack);
		g_autofree uint8_t *copy = g_malloc(bytes);

		for (size_t i = 0; i < STACK_WORDS; i++) {
			uint64_t start = starts[g_rand_int(random) % G_N_ELEMENTS(starts)];

			fixture->stack[i] = g_rand_boolean(random) ?
						    CODE + start + g_rand_int(random) % 0x100 :
						    STACK + g_rand_int(random) % 0x300;
		}
		memcpy(copy, fixture->stack, bytes);
		fixture->input.stack = copy;
		fixture->input.stack_bytes = bytes;
		fixture->registers[PERF_RBP] = STACK + g_rand_int(random) % 0x300;
		unwind(fixture, starts[g_rand_int(random) % G_N_ELEMENTS(starts)] + 1);
		g_assert_cmpuint(fixture->count, >, 0);
		g_assert_cmpuint(fixture->count, <=, fixture->max);
	}
}

/* A leaf that keeps its return address in the link register, signed; then a frame record. */
static void test_arm64(void)
{
	const uint8_t usual[] = { DW_CFA_def_cfa, ARM_SP, 0 };
	const uint8_t framed[] = { DW_CFA_AARCH64_negate_ra_state,
				   DW_CFA_def_cfa_offset,
				   32,
				   DW_CFA_offset | ARM_FP,
				   4,
				   DW_CFA_offset | ARM_LR,
				   3 };
	const uint8_t first[] = { DW_CFA_undefined, ARM_LR };
	const uint64_t signature = UINT64_C(0x005a) << 48;
	struct unwind_table_maker maker;
	uint64_t registers[33] = { 0 };
	struct fixture fixture = { .max = 8 };

	unwind_table_begin(&maker);
	unwind_table_add_common(&maker, "", ARM_LR, usual, sizeof(usual));
	unwind_table_add_function(&maker, LEAF, 0x100, NULL, 0);
	unwind_table_add_function(&maker, CALLER, 0x100, framed, sizeof(framed));
	unwind_table_add_function(&maker, FIRST, 0x100, first, sizeof(first));
	g_assert_true(unwind_elf_init(&fixture.elf, maker.bytes, ".eh_frame", EM_AARCH64));
	fixture.unwinder = itp_unwinder_new(resolve, find_known);
	registers[ARM_LR] = (CODE + CALLER + 8) | signature;
	registers[ARM_SP] = STACK;
	registers[32] = CODE + LEAF + 4;
	fixture.stack[1] = (CODE + FIRST + 8) | signature;
	fixture.input = (struct itp_unwind_input){
		.architecture = ITP_ARM64,
		.layout = 1,
		.register_mask = UINT64_MAX >> 31,
		.register_count = G_N_ELEMENTS(registers),
		.registers = registers,
		.stack = fixture.stack,
		.stack_bytes = sizeof(fixture.stack),
	};
	fixture.count = itp_unwind(fixture.unwinder, &fixture.input, &fixture, fixture.frames,
				   fixture.max, &fixture.end);
	ASSERT_FRAMES(&fixture, ITP_UNWIND_ROOT, LEAF + 4, CALLER + 8, FIRST + 8);
	tear_down(&fixture, NULL);
}

static void test_vdso(void)
{
	struct itp_elf_image image;
	uint64_t bytes;
	int error = ITP_ERROR_IO;

	if (getauxval(AT_SYSINFO_EHDR) == 0) {
		g_test_skip("this machine has no vdso");
		return;
	}
	for (bytes = 4096; error != 0 && bytes <= 1024 * 1024; bytes += 4096) {
		error = itp_unwind_open_vdso(&image, bytes, "");
	}
	g_assert_cmpint(error, ==, 0);
	if (error == 0) {
		struct itp_cfi *cfi = itp_cfi_new(&image);

		g_assert_nonnull(cfi);
		itp_cfi_free(cfi);
		itp_elf_image_release(&image);
		g_assert_cmpint(itp_unwind_open_vdso(&image, bytes - 4096, "abcd"), ==,
				ITP_ERROR_IO);
	}
}

#define ADD_TEST(path, function) g_test_add(path, struct fixture, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	ADD_TEST("/unwind/from a leaf to the thread's first function", test_root);
	ADD_TEST("/unwind/return addresses are looked up in the call", test_return_at_end);
	ADD_TEST("/unwind/saved registers are restored", test_saved_register);
	ADD_TEST("/unwind/ends where the copy does", test_depth);
	ADD_TEST("/unwind/ends when a register is not known", test_lost_register);
	ADD_TEST("/unwind/refuses stacks that do not grow", test_not_growing);
	ADD_TEST("/unwind/stops at the limit", test_limit);
	ADD_TEST("/unwind/frame pointers help where there is no rule", test_frame_pointer);
	ADD_TEST("/unwind/so does the code of callers", test_call_site);
	ADD_TEST("/unwind/indirect calls count where the whole stack is sound",
		 test_indirect_call_site);
	ADD_TEST("/unwind/made code", test_made_code);
	ADD_TEST("/unwind/goes through signal frames", test_signal);
	ADD_TEST("/unwind/knows the return from a signal handler by its code",
		 test_signal_return_by_its_code);
	ADD_TEST("/unwind/ends where the stack was changed", test_other_stack);
	ADD_TEST("/unwind/a signal frame cannot make an endless stack", test_signal_loop);
	ADD_TEST("/unwind/return addresses may be in registers", test_return_in_register);
	ADD_TEST("/unwind/a system call may be the last instruction", test_behind_syscall);
	ADD_TEST("/unwind/the entry point has no caller", test_entry_point);
	ADD_TEST("/unwind/addresses do not get each other's rules", test_many_addresses);
	ADD_TEST("/unwind/address spaces do not either", test_address_spaces);
	ADD_TEST("/unwind/keeps the first address that is mapped nowhere", test_unmapped);
	ADD_TEST("/unwind/needs stack pointer and program counter", test_bad_registers);
	ADD_TEST("/unwind/random stacks do no harm", test_random_stacks);
	g_test_add_func("/unwind/arm64 with signed return addresses", test_arm64);
	g_test_add_func("/unwind/opens the running vdso", test_vdso);
	return g_test_run();
}
