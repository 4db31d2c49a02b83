/* SPDX-License-Identifier: MIT */
/*
 * The registers of a frame, by their DWARF numbers, and perf's numbers of them.
 *
 * Only registers of calling conventions and unwind rules: general registers, stack pointer and
 * program counter. A register whose value was lost on the way up the stack is unknown.
 */
#ifndef ITP_UNWIND_REGISTERS_H
#define ITP_UNWIND_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum itp_architecture {
	ITP_X86_64,
	ITP_ARM64,
};

/* No architecture has more. */
#define ITP_REGISTER_LIMIT 33

#define ITP_REGISTER_BIT(number) (UINT64_C(1) << (number))

struct itp_registers {
	/* A bit for each known register. */
	uint64_t known;
	uint64_t values[ITP_REGISTER_LIMIT];
};

/* DWARF numbers and facts about the calling convention. */
struct itp_register_set {
	uint8_t count;
	uint8_t stack_pointer;
	uint8_t frame_pointer;
	uint8_t program_counter;
	/* Registers that a function leaves unchanged unless its rules tell otherwise. */
	uint64_t preserved;
	/* Bits of a return address; the others may hold a signature (arm64). */
	uint64_t address_bits;
	/* Return addresses may be signed (arm64). */
	bool has_signatures;
	/* Length of the instruction that makes a system call. */
	uint8_t syscall_bytes;
	/* DWARF number by perf's number; `count` or higher for registers without a DWARF number. */
	uint8_t perf_count;
	const uint8_t *by_perf;
};

/* Static storage. */
const struct itp_register_set *itp_register_set(enum itp_architecture architecture);

/* Sets *ret_registers from a sample: `mask` is the attribute's sample_regs_user, `values` has a
 * value for each of its bits, lowest first. False with fewer values than bits, or without program
 * counter or stack pointer. */
bool itp_registers_from_perf(const struct itp_register_set *set, uint64_t mask,
			     const uint64_t *values, size_t count,
			     struct itp_registers *ret_registers);

#endif
