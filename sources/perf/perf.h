/* SPDX-License-Identifier: MIT */
/*
 * Component class source.introperf.perf: recordings of perf as traces of stack events.
 *
 *   source.c    the component, its parameters, and the support of files
 *   iterator.c  its message iterators
 *   trace.c     the trace of a recording
 *
 * Reading and symbols are left to common/perf-data, and the files to common/engine.
 */
