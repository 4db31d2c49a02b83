/* SPDX-License-Identifier: MIT */
/*
 * On x86-64 the stack pointer is at the kernel's ucontext during the return from a handler; its
 * layout never changes.
 */
#include "common/unwind/cfi-signal.h"

/* Offset of the registers, behind uc_flags, uc_link and uc_stack. */
#define UCONTEXT_REGISTERS 40
#define STACK_POINTER 7
#define PROGRAM_COUNTER 16

/* mov $SYS_rt_sigreturn, %rax; syscall */
static const uint8_t signal_return[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };

/* DWARF numbers in the kernel's order: r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip. */
static const uint8_t kernel_order[] = {
	8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, STACK_POINTER, PROGRAM_COUNTER
};

/* True when the code is at `vaddr`, or `vaddr` is at its system call, as seen from before or behind
 * the call. */
static bool is_signal_return(const struct itp_elf_image *image, uint64_t vaddr)
{
	const size_t distances[] = { 0, sizeof(signal_return) - 2, sizeof(signal_return) - 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(distances); i++) {
		struct itp_bytes code = itp_elf_image_at(image, vaddr - distances[i]);

		if (code.size >= sizeof(signal_return) &&
		    memcmp(code.data, signal_return, sizeof(signal_return)) == 0) {
			return true;
		}
	}
	return false;
}

bool itp_cfi_is_near_signal_return(const struct itp_elf_image *image,
				   enum itp_architecture architecture, uint64_t begin, uint64_t end)
{
	/* The code as seen from an address behind it, and from the next. */
	const uint64_t first = begin - sizeof(signal_return);
	const struct itp_bytes code = itp_elf_image_at(image, first);
	const size_t size = MIN(code.size, (size_t)(end + sizeof(signal_return) - first));

	for (size_t i = 0; architecture == ITP_X86_64 && i + sizeof(signal_return) <= size; i++) {
		if (memcmp(code.data + i, signal_return, sizeof(signal_return)) == 0) {
			return true;
		}
	}
	return false;
}

bool itp_cfi_signal_return(const struct itp_elf_image *image, enum itp_architecture architecture,
			   uint64_t vaddr, struct itp_cfi_row *ret_row)
{
	if (architecture != ITP_X86_64 || !is_signal_return(image, vaddr)) {
		return false;
	}
	memset(ret_row, 0, sizeof(*ret_row));
	ret_row->cfa = (struct itp_cfi_rule){ .kind = ITP_CFI_REGISTER, .source = STACK_POINTER };
	ret_row->return_register = PROGRAM_COUNTER;
	ret_row->is_signal_frame = true;
	for (size_t i = 0; i < G_N_ELEMENTS(kernel_order); i++) {
		ret_row->rules[ret_row->rule_count++] = (struct itp_cfi_rule){
			.kind = ITP_CFI_SAVED,
			.target = kernel_order[i],
			.value = UCONTEXT_REGISTERS + 8 * (int32_t)i,
		};
	}
	return true;
}
