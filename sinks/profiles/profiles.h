/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the sinks that rank workloads.
 *
 *   sink.c       parameters, workloads and the result
 *   component.c  a sink as a component of Babeltrace
 *     arrivals.c   profiles from messages, one for each trace
 *     upstream.c   files of the input
 *   view.c       parameters for the view of contexts
 */
