/* SPDX-License-Identifier: MIT */
/*
 * Recording without perf, by programs in the kernel.
 *
 *   recording.c    all of it, from begin to end
 *   record.bpf.c   the programs in the kernel: record-state.h, record-walk.h,
 *                  record-memory.h, record-interpreted.h
 *   kernel.c       loading and attaching them
 *   images.c       mappings of processes, for them
 *   sideband.c     the kernel's records of threads and mappings
 *     existing.c     records of threads and mappings from before
 *     build-ids.c    build ids of mapped files
 *     followed.c     recorded processes, by these records
 *     kernel-text.c  the range of the kernel's code
 *   windows.c      times at which system calls are watched, for a budget
 *     spending.c     the cost until now
 *   stacks.c       stacks by their numbers
 *   interpreters.c known versions of CPython, and where they keep frames
 *   interpreted.c  addresses and names of interpreted functions
 *   samples.c      records of the programs → samples
 *     formats.c      events and layouts of samples
 *   output.c       the perf.data file
 */
