/* SPDX-License-Identifier: MIT */
/*
 * Common ground of the core: functions, contexts and stack events; errors; and tools beside GLib.
 *
 *   function-table.c  functions, by number
 *   context-tree.c    calling contexts, by number
 *   watched.c         kinds of events that a recording watches
 *   error.c           errors of the core, with a sentence for each
 *   failure.c         errors with a sentence for the user
 *   labels.c          names and sentences in columns of a terminal
 *   duration.c        times as users write them: "100ms"
 *   input-file.c      files named by an input, opened with care
 *   temp-file.c       files without a name, for data too large for memory
 *   hash.c            hashes whose values no input can make equal
 *   sums.c            sums by key
 *   agglomeration.c   hierarchical clustering
 *   student.c         Student's t against the normal distribution
 *
 * Stack events (stack-event.h) and questions about code (flow.h) are headers alone. Nothing here
 * knows the origin of events.
 */
