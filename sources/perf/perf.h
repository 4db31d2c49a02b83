/* SPDX-License-Identifier: MIT */
/*
 * Component class source.introperf.perf: recordings of perf as traces of stack events.
 *
 *   source.c    the component, its parameters, and the support of files
 *   iterator.c  its message iterators
 *   inputs.c    the recordings, their traces and their common clock; also for hosts without a graph
 *   warnings.c  warnings about missing names
 *
 * Reading and symbols are left to common/perf-data.
 */
