/* SPDX-License-Identifier: MIT */
/*
 * Guards over running processes (PerfGuard, section 4.5).
 *
 *   guarding.c       all of it, from the first process to the last
 *   processes.c      maps of processes, and the functions of their stacks; a process of another
 *                    build than the guards are for is refused, also behind an exec
 *   kernel.c         the programs in the kernel: loading, limits, records
 *     attaching.c      their places: system calls, forks, execs, ends, a timer
 *     guard.bpf.c      the programs in the kernel
 *       guard-state.h    their maps
 *       guard-units.h    units of threads, and their types
 *       guard-late.h     units beyond their limit
 *       guard-bpf.h      data shared with user space
 *   windows.c        times in which system calls are watched
 *     unseen.c         time until a unit of a rare slow kind is seen
 *   answers.c        answers to the kernel about places
 *   alarms.c         units that are late
 *     wakers.c         wakers of late units
 *   recorder.c       a recording of the late units after the first
 *   shifts.c         types that have become slow as a whole
 *   lines.c          lines about all of these
 *     reasons.c        lines about the excess of late units
 *     printer.c        the way of lines to standard output
 *
 * Knowledge of guards, and conclusions from it, are left to common/guard.
 */
