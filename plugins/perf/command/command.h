/* SPDX-License-Identifier: MIT */
/*
 * The programs perf-introperf and introperf-guard: commands, one in each file, and their options.
 *
 *   main.c             the choice of the command
 *   program.c          begin, end and complaints of both programs
 *   words.c            words of a command line
 *   report.c           report and diff
 *     page-source.c      source lines for its page; page-requests.c: requests for it
 *     browse.c           --tui; browse-missing.c: for builds without it
 *   export.c           export
 *   annotate.c         annotate
 *     source-reading.c   the second reading of a recording
 *   mine.c             mine; mine-options.c: its arguments
 *     interests.c        recordings → mined stacks
 *   units.c            units; through.c: units --through
 *   top.c              top
 *     live.c             a growing recording, period by period
 *     live-recorder.c    a recorder as a child whose records are read
 *       live-bpf.c         programs in the kernel as such a child
 *   record.c           record
 *     record-options.c   its options, and the recipe that follows
 *     recipe.c           arguments of perf record
 *     like.c             --like
 *     overhead.c         --overhead of recordings by perf, chosen before: costs.c, rates.c
 *     probes.c           --count
 *     record-bpf.c       --bpf; record-bpf-missing.c: for builds without it
 *     target.c           the target; descendants.c: its existing children; awaited.c: --wait-for
 *     held.c             a command that waits to be let go
 *     claim.c            the claim of the file
 *     perf-run.c         perf as a child
 *     speed-meter.c      the speed of the machine
 *     quality.c          the quality of the recording
 *   guard-start.c      guard: turns into introperf-guard; guard-missing.c: for builds without it
 *     guard-main.c       the program introperf-guard
 *     guard.c            guard
 *   options.c          options that are parameters of components
 *     familiar.c         options known to users of perf
 *     reading.c          the user's view while recordings are read
 */
