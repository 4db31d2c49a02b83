/* SPDX-License-Identifier: MIT */
/*
 * Recording without perf: programs in the kernel note acts and stacks of the target, and this
 * process writes them as a perf.data file, as perf would have recorded it. Options and reports of
 * the command are left to plugins/perf/command.
 *
 *   recording.c    a recording, from begin to end
 *   record.bpf.c   programs in the kernel
 *     record-state.h        their maps, and the state of threads
 *     record-speed.h        speed of the machine at ticks, by computation.h
 *     record-threads.h      which threads are recorded
 *     record-waiting.h      threads that wait as the recording begins, and as it ends
 *     record-walk.h         stacks in user mode, by steps made of unwind tables
 *     record-memory.h       the same stacks as before, recalled
 *     record-kernel-stack.h stacks in the kernel, followed or recalled
 *     record-interpreted.h  frames of interpreted functions
 *     record-bpf.h          maps and records shared with user space
 *   kernel.c       loading and attaching these programs
 *   images.c       mappings, and step tables (common/unwind/step-table.c), for these programs
 *   sideband.c     the kernel's records of threads and mappings
 *     existing.c     records of threads and mappings from before
 *     build-ids.c    build ids of mapped files
 *     groups.c       control groups of recorded processes
 *     followed.c     recorded processes, by these records
 *     kernel-text.c  ranges of the kernel's code
 *   windows.c      the budget: windows in which system calls are watched
 *     spending.c     CPU time spent until now
 *   stacks.c       stacks by number
 *   interpreters.c CPython in a process, and places of its frames
 *   interpreted.c  addresses and names of interpreted functions
 *   samples.c      records of the programs → samples
 *     formats.c      events and layouts of samples
 *   output.c       the perf.data file
 */
