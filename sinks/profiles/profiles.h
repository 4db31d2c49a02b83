/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the sinks that rank workloads.
 *
 *   component.c  a job of ranking as a component of Babeltrace
 *     arrivals.c   profiles from messages, one for each trace
 *     upstream.c   files of the input
 *
 * The job itself, from workloads to a result, is left to common/engine.
 */
