/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the sinks that rank workloads.
 *
 *   sink.c       parameters, workloads and the result
 *   component.c  a sink as a component of Babeltrace
 *     arrivals.c   profiles from messages, one for each trace
 *     upstream.c   files of the input
 *   view.c       parameters for the view of contexts
 *   write.c      files and standard output for results
 *     place.c      the place of a file, by a path that others may change
 */
