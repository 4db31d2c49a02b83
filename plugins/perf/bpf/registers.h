/* SPDX-License-Identifier: MIT */
/*
 * Registers of a thread in user mode and pages of its stack, as programs in the kernel copy them
 * (copying.h) and user space reads them.
 */
#ifndef ITP_PERF_BPF_REGISTERS_H
#define ITP_PERF_BPF_REGISTERS_H

#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
/* As perf numbers them: ax to ip, r8 to r15. */
#define ITP_BPF_REGISTERS 17
#define ITP_BPF_REGISTER_MASK UINT64_C(0xff01ff)
#else
/* x0 to x30, sp, pc. */
#define ITP_BPF_REGISTERS 33
#define ITP_BPF_REGISTER_MASK UINT64_C(0x1ffffffff)
#endif

#define ITP_BPF_PAGE 4096

#endif
