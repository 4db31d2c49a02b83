/* SPDX-License-Identifier: MIT */
/*
 * Makers of recordings: perf as a child, or programs in the kernel that note acts and stacks of the
 * target, which this process writes as a perf.data file, as perf would have recorded it. The
 * command line and the verdict on a recording are left to plugins/perf/command.
 *
 *   record-options.c options of a recording, and the recipe that follows
 *     like.c           --like
 *     probes.c         --count
 *     overhead.c       --overhead of recordings by perf, chosen before: costs.c, rates.c
 *   target.c       the target; descendants.c: its existing children
 *   held.c         a command that waits to be let go
 *   claim.c        the claim of the file
 *   recipe.c       arguments of perf record
 *     perf-run.c     perf as a child
 *     speed-meter.c  the speed of the machine meanwhile
 *   live-recorder.c a recorder as a child whose records are read
 *     live-bpf.c     programs in the kernel as such a child
 *   bpf-run.c      --bpf, by recording.c; bpf-run-missing.c: for builds without it
 *
 *   recording.c    a recording by programs in the kernel, from begin to end
 *   record.bpf.c   programs in the kernel, at system calls, switches, wakeups and ticks
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
 *   samples.c      what these programs note → samples of a perf.data file
 *     formats.c      events and layouts of samples
 *   output.c       the perf.data file
 */
