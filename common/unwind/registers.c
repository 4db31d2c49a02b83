/* SPDX-License-Identifier: MIT */
/*
 * Numbers from asm/perf_regs.h of each architecture and from its DWARF supplement (System V
 * x86-64 psABI, figure 3.36; DWARF for the Arm 64-bit Architecture, section 4.1).
 */
#include "common/unwind/registers.h"

#define NONE 0xff

static const uint8_t x86_64_by_perf[] = {
	/* AX BX CX DX SI DI BP SP IP, FLAGS CS SS DS ES FS GS, R8 … R15 */
	0,    3,    2,    1,    4, 5, 6,  7,  16, NONE, NONE, NONE,
	NONE, NONE, NONE, NONE, 8, 9, 10, 11, 12, 13,   14,   15,
};

static const uint8_t arm64_by_perf[] = {
	/* X0 … X29, LR, SP, PC */
	0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
};

#define BITS(first, last) (ITP_REGISTER_BIT((last) + 1) - ITP_REGISTER_BIT(first))

static const struct itp_register_set sets[] = {
	[ITP_X86_64] = {
		.count = 17,
		.stack_pointer = 7,
		.frame_pointer = 6,
		.program_counter = 16,
		/* rbx, rbp, r12 … r15 */
		.preserved = ITP_REGISTER_BIT(3) | ITP_REGISTER_BIT(6) | BITS(12, 15),
		.address_bits = UINT64_MAX,
		.syscall_bytes = 2,
		.perf_count = sizeof(x86_64_by_perf),
		.by_perf = x86_64_by_perf,
	},
	[ITP_ARM64] = {
		.count = 33,
		.stack_pointer = 31,
		.frame_pointer = 29,
		.program_counter = 32,
		/* x19 … x28, frame pointer and link register */
		.preserved = BITS(19, 30),
		/* User addresses have at most 52 bits; a signature may begin at bit 48 without
		 * large addresses. */
		.address_bits = ITP_REGISTER_BIT(48) - 1,
		.has_signatures = true,
		.syscall_bytes = 4,
		.perf_count = sizeof(arm64_by_perf),
		.by_perf = arm64_by_perf,
	},
};

const struct itp_register_set *itp_register_set(enum itp_architecture architecture)
{
	return &sets[architecture];
}

bool itp_registers_from_perf(const struct itp_register_set *set, uint64_t mask,
			     const uint64_t *values, size_t count,
			     struct itp_registers *ret_registers)
{
	const uint64_t needed = ITP_REGISTER_BIT(set->program_counter) |
				ITP_REGISTER_BIT(set->stack_pointer);
	uint64_t known = 0;

	if ((size_t)__builtin_popcountll(mask) > count) {
		return false;
	}
	for (; mask != 0; mask &= mask - 1) {
		int bit = __builtin_ctzll(mask);
		uint64_t value = *values++;

		if (bit < set->perf_count && set->by_perf[bit] < set->count) {
			ret_registers->values[set->by_perf[bit]] = value;
			known |= ITP_REGISTER_BIT(set->by_perf[bit]);
		}
	}
	ret_registers->known = known;
	return (known & needed) == needed;
}
