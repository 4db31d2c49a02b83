/* SPDX-License-Identifier: MIT */
/*
 * Tables by name: of system calls, of functions of kernels, C libraries and runtimes, of modules
 * and of processes. A question is a name, its answer what stands in the table.
 *
 *   waiting-calls.c     system calls that wait, and idle threads of runtimes in them
 *   descriptor-calls.c  effects of system calls on descriptors
 *   syscalls.c          system calls by what else they are for
 *   kernel-roles.c      kernel functions at the edges of stacks: entries, interrupts, tracers
 *   wake-reasons.c      kernel functions that tell why a thread was woken
 *   kernel-waits.c      kernel functions in which threads wait: the scheduler, disks, data
 *   kernel-interrupts.c kernel functions that let interrupts in
 *   kernel-memory.c     kernel functions that free memory, or read pages
 *   locks.c             functions that take locks
 *   starts.c            functions with which programs and threads begin
 *   returns.c           functions that return twice, or never
 *   modules.c           modules by owner: the program, its libraries, the system, a runtime
 *   recorders.c         processes that record
 *
 * Conclusions from an answer are left to those who ask: nothing here knows a profile, or a stack.
 * Names differ between versions, so that most are patterns, or the begin or the end of a name; a
 * table without versions was written before anybody noted them.
 */
