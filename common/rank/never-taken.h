/* SPDX-License-Identifier: MIT */
/*
 * Paths that only one of two workloads has ever taken: what takes no chance to tell.
 *
 * Programs do not take another branch by noise. A path of the program's own code that ends in a
 * system call shows each time that it is taken, as each system call is recorded with its stack. So
 * where one workload has such a path and the other, of which no event was lost, never had it, the
 * program did something else, however few its waits are: a retry, a look-up, a log line that is
 * written to the disk. An example: request() calls look_up_name(), which the base never did, and
 * sleeps there for 2 × 150 ms.
 *
 * A path is known by its own functions and not by its whole context, as a stack that was cut would
 * be another context: it is new when the other workload has one of these functions nowhere, or when
 * it has never made the system call from the last of them, called by the one before.
 *
 * Not among them are system calls that are made when chance has it: for a lock that somebody holds,
 * for memory that has run out, and to wait until somebody else has written or read; functions that
 * only ticks show, whose number is judged by error-model.h; and code that a virtual machine makes,
 * of which it is chance when it has a function of its own.
 */
#ifndef ITP_RANK_NEVER_TAKEN_H
#define ITP_RANK_NEVER_TAKEN_H

#include "common/rank/side.h"

/* By node: it is in a system call at the end of a path that the other workload has never taken.
 * There must be a base. Free with g_free(). */
bool *itp_never_taken_find(const struct itp_rank_state *state);

/* By node: only one workload has been there, and nobody knows whether the other has, as the way to
 * it goes through code that is in no file and has no name: what a virtual machine made lies at
 * another address in each run. Free with g_free(). */
bool *itp_never_told_find(const struct itp_rank_state *state);

#endif
