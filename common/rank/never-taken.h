/* SPDX-License-Identifier: MIT */
/*
 * Paths that only one of two workloads has ever taken: they tell a difference without statistics.
 *
 * Programs do not take another branch by noise. A path of the program's own code that ends in a
 * system call shows each time that it is taken, as each system call is recorded with its stack. If
 * a workload has such a path and the other, without a lost event, never had it, the program did
 * something else, however few its waits are: a retry, a look-up, a log line written to the disk. An
 * example: request() calls look_up_name(), which the base never did, and sleeps there for 2 × 150
 * ms.
 *
 * A path is known by its own functions and not by its whole context, as a cut stack would be
 * another context. It is new if the other workload lacks one of its functions altogether, or has
 * never made the system call from the last of them, called by the last but one.
 *
 * System calls made by chance are left out: for a lock that somebody holds, for memory that has run
 * out, and to wait until somebody else has written or read. So are functions that only ticks show,
 * as error-model.h judges their number, and code made by a virtual machine, which gets a function
 * of its own by chance.
 */
#ifndef ITP_RANK_NEVER_TAKEN_H
#define ITP_RANK_NEVER_TAKEN_H

#include "common/rank/side.h"

/* Paths never taken, by node: true in a system call at the end of a path that the other workload
 * has never taken. There must be a base. Free with g_free(). */
bool *itp_never_taken_find(const struct itp_rank_state *state);

#endif
