/* SPDX-License-Identifier: MIT */
/*
 * For programs in the kernel: copies of a thread's registers in user mode, and of its stack, of
 * which user space makes frames.
 *
 * The kernel's structures are declared as far as they are needed; the loader finds their members
 * in the running kernel.
 */
#ifndef ITP_PERF_BPF_COPYING_H
#define ITP_PERF_BPF_COPYING_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <stdint.h>

#include <bpf/bpf_helpers.h>

#include "plugins/perf/bpf/registers.h"

#define KNOWN __attribute__((preserve_access_index))

#ifdef __TARGET_ARCH_x86
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip;
	unsigned long cs, flags;
	unsigned long sp;
} KNOWN;
#else
struct pt_regs {
	__u64 regs[31];
	__u64 sp;
	__u64 pc;
	__s32 syscallno;
} KNOWN;
#endif

struct task_struct;

/* Context of a program that is run for each thread of the machine. */
struct bpf_iter_meta {
	struct seq_file *seq;
} KNOWN;

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} KNOWN;

static __always_inline void copy_registers(uint64_t *to, const struct pt_regs *from)
{
#ifdef __TARGET_ARCH_x86
	to[0] = from->ax;
	to[1] = from->bx;
	to[2] = from->cx;
	to[3] = from->dx;
	to[4] = from->si;
	to[5] = from->di;
	to[6] = from->bp;
	to[7] = from->sp;
	to[8] = from->ip;
	to[9] = from->r8;
	to[10] = from->r9;
	to[11] = from->r10;
	to[12] = from->r11;
	to[13] = from->r12;
	to[14] = from->r13;
	to[15] = from->r14;
	to[16] = from->r15;
#else
	for (int i = 0; i < 31; i++) {
		to[i] = from->regs[i];
	}
	to[31] = from->sp;
	to[32] = from->pc;
#endif
}

static __always_inline long copy_page(void *to, __u32 bytes, __u64 address,
				      struct task_struct *task)
{
	return task ? bpf_copy_from_user_task(to, bytes, (const void *)address, task, 0) :
		      bpf_probe_read_user(to, bytes, (const void *)address);
}

/* Copies the stack from the stack pointer up into `room` bytes, a number of whole pages, as far as
 * it is in memory: of `task`, or of the current thread for NULL. Returns how many bytes there are;
 * example: 9 192 from a stack pointer 1 000 bytes below the end of a page, where two more follow.
 */
static __always_inline __u32 copy_stack(__u8 *to, __u32 room, __u64 sp, struct task_struct *task)
{
	__u32 part = ITP_BPF_PAGE - (sp & (ITP_BPF_PAGE - 1));
	__u32 done = 0;

	for (int i = 0; i < room / ITP_BPF_PAGE; i++) {
		if (done > room - ITP_BPF_PAGE || copy_page(to + done, part, sp + done, task)) {
			break;
		}
		done += part;
		part = ITP_BPF_PAGE;
	}
	return done;
}

#endif
