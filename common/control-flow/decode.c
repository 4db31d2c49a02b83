/* SPDX-License-Identifier: MIT */
/*
 * x86-64 and arm64 by Capstone's instruction numbers.
 */
#include "common/control-flow/decode.h"

#include <stdio.h>

/* Name since Capstone 5. */
#if CS_API_MAJOR < 5
#define X86_INS_UD1 X86_INS_UD2B
#endif

#define OPERAND_SIZE_PREFIX 0x66
#define REX_W 0x08
#define VEX_2_PREFIX 0xc5
#define VEX_3_PREFIX 0xc4
#define EVEX_PREFIX 0x62
/* With the longest prefix, an opcode and a ModRM byte. */
#define MIN_VECTOR_BYTES 6
/* Of system calls made the old way. */
#define SYSTEM_CALL_INTERRUPT 0x80

struct itp_flow_decoder {
	csh capstone;
	/* Reused. Owned by this. */
	cs_insn *instruction;
	enum itp_architecture architecture;
};

/* Capstone does not look at what its own functions return. Blocks from malloc() are freed well. */
static void use_memory_of_glib(void)
{
	cs_opt_mem memory = { .malloc = g_malloc,
			      .calloc = g_malloc0_n,
			      .realloc = g_realloc,
			      .free = g_free,
			      .vsnprintf = vsnprintf };

	cs_option(0, CS_OPT_MEM, (size_t)&memory);
}

struct itp_flow_decoder *itp_flow_decoder_new(enum itp_architecture architecture)
{
	struct itp_flow_decoder *decoder = g_new0(struct itp_flow_decoder, 1);
	bool is_arm = architecture == ITP_ARM64;

	decoder->architecture = architecture;
	use_memory_of_glib();
	if (cs_open(is_arm ? CS_ARCH_ARM64 : CS_ARCH_X86,
		    is_arm ? CS_MODE_LITTLE_ENDIAN : CS_MODE_64, &decoder->capstone) != CS_ERR_OK) {
		g_free(decoder);
		return NULL;
	}
	cs_option(decoder->capstone, CS_OPT_DETAIL, CS_OPT_ON);
	decoder->instruction = cs_malloc(decoder->capstone);
	return decoder;
}

void itp_flow_decoder_free(struct itp_flow_decoder *decoder)
{
	if (!decoder) {
		return;
	}
	cs_free(decoder->instruction, 1);
	cs_close(&decoder->capstone);
	g_free(decoder);
}

const cs_insn *itp_flow_decode_detail(struct itp_flow_decoder *decoder, struct itp_bytes bytes,
				      uint64_t vaddr)
{
	const uint8_t *code = bytes.data;
	size_t size = bytes.size;
	uint64_t address = vaddr;

	if (!code ||
	    !cs_disasm_iter(decoder->capstone, &code, &size, &address, decoder->instruction)) {
		return NULL;
	}
	return decoder->instruction;
}

void itp_flow_written_registers(struct itp_flow_decoder *decoder, const cs_insn *instruction,
				cs_regs ret_written, uint8_t *ret_count)
{
	cs_regs read;
	uint8_t read_count;

	if (cs_regs_access(decoder->capstone, instruction, read, &read_count, ret_written,
			   ret_count) != CS_ERR_OK) {
		*ret_count = 0;
	}
}

/* Capstone takes the target of a jump with a 16-bit operand for 16 bits wide; processors differ. */
static bool has_unclear_width(const cs_x86 *x86)
{
	return x86->prefix[2] == OPERAND_SIZE_PREFIX && !(x86->rex & REX_W);
}

static void set_branch(struct itp_flow_instruction *result, const cs_x86 *x86,
		       enum itp_flow_kind direct, enum itp_flow_kind indirect)
{
	const cs_x86_op *operand = &x86->operands[0];

	if (x86->op_count != 1 || has_unclear_width(x86)) {
		result->kind = ITP_FLOW_UNCLEAR;
	} else if (operand->type == X86_OP_IMM) {
		result->kind = direct;
		result->target = (uint64_t)operand->imm;
	} else {
		result->kind = indirect;
		if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP &&
		    operand->mem.index == X86_REG_INVALID &&
		    operand->mem.segment == X86_REG_INVALID) {
			result->target = result->vaddr + result->size + (uint64_t)operand->mem.disp;
		}
	}
}

static enum itp_flow_kind interrupt_kind(const cs_x86 *x86)
{
	bool is_system_call = x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM &&
			      x86->operands[0].imm == SYSTEM_CALL_INTERRUPT;

	return is_system_call ? ITP_FLOW_SYSTEM_CALL : ITP_FLOW_TRAP;
}

/* Address made by lea, or a number that may be an address. */
static uint64_t mentioned_address(const cs_insn *instruction, bool *ret_is_number)
{
	const cs_x86 *x86 = &instruction->detail->x86;

	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		if (operand->type == X86_OP_IMM) {
			*ret_is_number = true;
			return (uint64_t)operand->imm;
		}
		if (operand->type == X86_OP_MEM && instruction->id == X86_INS_LEA &&
		    operand->mem.index == X86_REG_INVALID) {
			if (operand->mem.base == X86_REG_RIP) {
				return instruction->address + instruction->size +
				       (uint64_t)operand->mem.disp;
			}
			*ret_is_number = true;
			return operand->mem.base == X86_REG_INVALID ? (uint64_t)operand->mem.disp :
								      0;
		}
	}
	return 0;
}

static void classify_x86(struct itp_flow_instruction *result, const cs_insn *instruction)
{
	const cs_x86 *x86 = &instruction->detail->x86;

	switch (instruction->id) {
	case X86_INS_JMP:
		set_branch(result, x86, ITP_FLOW_JUMP, ITP_FLOW_JUMP_INDIRECT);
		break;
	case X86_INS_CALL:
		set_branch(result, x86, ITP_FLOW_CALL, ITP_FLOW_CALL_INDIRECT);
		break;
	case X86_INS_LOOP:
	case X86_INS_LOOPE:
	case X86_INS_LOOPNE:
		set_branch(result, x86, ITP_FLOW_CONDITIONAL, ITP_FLOW_UNCLEAR);
		break;
	case X86_INS_RET:
		result->kind = ITP_FLOW_RETURN;
		break;
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
		result->kind = ITP_FLOW_SYSTEM_CALL;
		break;
	case X86_INS_INT:
		result->kind = (uint8_t)interrupt_kind(x86);
		break;
	case X86_INS_INT1:
	case X86_INS_INT3:
	case X86_INS_INTO:
	case X86_INS_HLT:
	case X86_INS_UD2:
		result->kind = ITP_FLOW_TRAP;
		break;
	/* Instructions without an agreed length: nothing goes on behind them. */
	case X86_INS_UD0:
	case X86_INS_UD1:
		result->kind = ITP_FLOW_STOP;
		break;
	case X86_INS_LJMP:
	case X86_INS_LCALL:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
	case X86_INS_SYSRET:
	case X86_INS_SYSEXIT:
	/* A guest ends where its host wants. */
	case X86_INS_VMLAUNCH:
	case X86_INS_VMRESUME:
		result->kind = ITP_FLOW_UNCLEAR;
		break;
	default:
		for (uint8_t i = 0; i < instruction->detail->groups_count; i++) {
			if (instruction->detail->groups[i] == X86_GRP_JUMP) {
				set_branch(result, x86, ITP_FLOW_CONDITIONAL, ITP_FLOW_UNCLEAR);
				return;
			}
		}
		result->is_padding = instruction->id == X86_INS_NOP;
		result->mentioned = mentioned_address(instruction, &result->is_number);
		break;
	}
}

/* Target, the last operand. */
static uint64_t arm64_target(const cs_arm64 *arm64)
{
	const cs_arm64_op *last;

	if (arm64->op_count == 0) {
		return 0;
	}
	last = &arm64->operands[arm64->op_count - 1];
	return last->type == ARM64_OP_IMM ? (uint64_t)last->imm : 0;
}

static void classify_arm64(struct itp_flow_instruction *result, const cs_insn *instruction)
{
	const cs_arm64 *arm64 = &instruction->detail->arm64;
	bool has_condition = arm64->cc != ARM64_CC_INVALID && arm64->cc != ARM64_CC_AL &&
			     arm64->cc != ARM64_CC_NV;

	switch (instruction->id) {
	case ARM64_INS_B:
		result->kind = has_condition ? ITP_FLOW_CONDITIONAL : ITP_FLOW_JUMP;
		result->target = arm64_target(arm64);
		break;
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
		result->kind = ITP_FLOW_CONDITIONAL;
		result->target = arm64_target(arm64);
		break;
	case ARM64_INS_BL:
		result->kind = ITP_FLOW_CALL;
		result->target = arm64_target(arm64);
		break;
	case ARM64_INS_BLR:
		result->kind = ITP_FLOW_CALL_INDIRECT;
		break;
	case ARM64_INS_BR:
		result->kind = ITP_FLOW_JUMP_INDIRECT;
		break;
	case ARM64_INS_RET:
		result->kind = ITP_FLOW_RETURN;
		break;
	case ARM64_INS_SVC:
		result->kind = ITP_FLOW_SYSTEM_CALL;
		break;
	case ARM64_INS_BRK:
	case ARM64_INS_HLT:
		result->kind = ITP_FLOW_TRAP;
		break;
	case ARM64_INS_ERET:
	case ARM64_INS_DRPS:
		result->kind = ITP_FLOW_UNCLEAR;
		break;
	case ARM64_INS_ADR:
		result->mentioned = arm64_target(arm64);
		break;
	default:
		break;
	}
}

/* How many bytes the operands take behind a ModRM byte: SIB and displacement. 0 when there are not
 * as many. */
static size_t modrm_bytes(const uint8_t *modrm, size_t size)
{
	uint8_t mode = modrm[0] >> 6;
	uint8_t memory = modrm[0] & 7;
	size_t result = 1;

	if (mode == 3) {
		return result;
	}
	if (memory == 4) {
		if (size < 2) {
			return 0;
		}
		memory = modrm[1] & 7;
		result++;
	}
	if (mode == 1) {
		return result + 1;
	}
	return result + (mode == 2 || memory == 5 ? 4 : 0);
}

/* Size of a vector instruction, with a VEX or EVEX prefix. Of those for AVX-512 Capstone 4 lacks
 * many, and the C library's string functions are full of them; none is a jump. 0 for others. */
static size_t vector_bytes(struct itp_bytes bytes)
{
	const uint8_t *code = bytes.data;
	size_t prefix_bytes;
	size_t operand_bytes;
	bool has_number;
	uint8_t opcode;
	uint8_t map = 1;

	if (bytes.size < MIN_VECTOR_BYTES) {
		return 0;
	}
	if (code[0] == VEX_2_PREFIX) {
		prefix_bytes = 2;
	} else if (code[0] == VEX_3_PREFIX) {
		prefix_bytes = 3;
		map = code[1] & 0x1f;
	} else if (code[0] == EVEX_PREFIX && (code[1] & 0x0c) == 0 && (code[2] & 0x04)) {
		prefix_bytes = 4;
		map = code[1] & 0x03;
	} else {
		return 0;
	}
	opcode = code[prefix_bytes];
	operand_bytes = modrm_bytes(code + prefix_bytes + 1, bytes.size - prefix_bytes - 1);
	has_number = map == 3 ||
		     (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
				   (opcode >= 0xc4 && opcode <= 0xc6)));
	if (map == 0 || map > 3 || operand_bytes == 0 ||
	    prefix_bytes + 1 + operand_bytes + has_number > bytes.size) {
		return 0;
	}
	return prefix_bytes + 1 + operand_bytes + has_number;
}

struct itp_flow_instruction itp_flow_decode(struct itp_flow_decoder *decoder,
					    struct itp_bytes bytes, uint64_t vaddr)
{
	const cs_insn *instruction = itp_flow_decode_detail(decoder, bytes, vaddr);
	struct itp_flow_instruction result = { .vaddr = vaddr, .kind = ITP_FLOW_PLAIN };

	if (!instruction || instruction->size == 0) {
		result.size = decoder->architecture == ITP_X86_64 ? (uint8_t)vector_bytes(bytes) :
								    0;
		if (result.size == 0) {
			result.kind = ITP_FLOW_UNCLEAR;
			result.size = 1;
		}
		return result;
	}
	result.size = (uint8_t)instruction->size;
	if (decoder->architecture == ITP_ARM64) {
		classify_arm64(&result, instruction);
	} else {
		classify_x86(&result, instruction);
	}
	return result;
}
