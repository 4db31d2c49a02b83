/* SPDX-License-Identifier: MIT */
/*
 * The programs perf-introperf and introperf-guard: commands, one in each file, and their options.
 * Recordings are left to plugins/perf/record.
 *
 *   main.c             the choice of the command
 *   program.c          begin, end and complaints of both programs
 *   words.c            words of a command line
 *   report.c           report and diff; --fail-above is common/engine/limit.c
 *     page-source.c      source lines for its page; page-requests.c: requests for it
 *     browse.c           --tui; browse-missing.c: for builds without it
 *   export.c           export
 *   annotate.c         annotate
 *     source-reading.c   the second reading of a recording
 *   mine.c             mine; mine-options.c: its arguments
 *   units.c            units; through.c: units --through
 *   top.c              top
 *   record.c           record
 *     awaited.c          --wait-for
 *     quality.c          the quality of the recording
 *   guard-start.c      guard: turns into introperf-guard; guard-missing.c: for builds without it
 *     guard-main.c       the program introperf-guard
 *     guard.c            guard
 *   options.c          options that are parameters of components
 *     familiar.c         options known to users of perf
 *     reading.c          the user's view while recordings are read
 */
