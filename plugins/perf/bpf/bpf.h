/* SPDX-License-Identifier: MIT */
/*
 * Common parts of hosts with programs in the kernel: guard and record.
 *
 *   price.c    CPU time, and the cost of a system call while programs are attached
 *   refusal.c  sentences about a kernel that refuses programs
 *
 * copying.h and registers.h are included by the programs themselves: registers in user mode, and
 * bytes of stacks. Loading and attaching are left to each host.
 */
