/* SPDX-License-Identifier: MIT */
/*
 * Stacks of many traces → patterns that explain their time, and clusters of these.
 *
 *   mining.c          all of it, for slow traces and good ones
 *     intake.c          a trace on its way in: its symptoms, and the stacks behind them
 *     alarms.c          late units told by guards, as a trace
 *   stack-set.c       stacks of all traces, equal ones merged
 *     forest.c          the set as a tree in an array
 *     window.c          functions in a part of a stack
 *   patterns.c        costly patterns
 *     search.c          growing them: promise.c, inserting.c, prospects.c, endings.c, places.c and
 *                       own-stacks.c share search-parts.h
 *     counting.c        stacks that count for each pattern found, exactly
 *   clusters.c        patterns of a common cause
 *     similarity.c      similarity of two patterns, as in the paper
 *     names.c           words of a function's name
 *     stack-base.c      counts of functions in stacks, kept in a file
 *     innermost.c       similarity by the innermost function of a program
 *   signatures.c      patterns of known causes, kept in a file
 *     matching.c        stacks that have them
 *   functions.c       functions as mining tells them apart
 */
