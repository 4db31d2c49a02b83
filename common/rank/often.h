/* SPDX-License-Identifier: MIT */
/*
 * The system call that an entry makes more often: "write 325 172 times, 318 before" says more than
 * how long a function worked in the kernel. System calls are counted exactly where all are watched.
 */
#ifndef ITP_RANK_OFTEN_H
#define ITP_RANK_OFTEN_H

#include "common/rank/side.h"

/* Least number of further system calls, and of further starts of a program (started.c), worth
 * telling, and their least ratio: a smaller one may come from the amount of work. */
#define ITP_MORE_LEAST 4
#define ITP_MORE_FACTOR 2

struct itp_often_sums;

/* Sums by entry and system call. */
struct itp_often_sums *itp_often_sums_new(const struct itp_rank_state *state);
void itp_often_sums_free(struct itp_often_sums *sums);

/* Adds a node of the entry `entry`, at or below the function `syscall`. There must be a base. */
void itp_often_sums_add(struct itp_often_sums *sums, uint32_t entry, uint32_t syscall,
			uint32_t node);

/* The system call of each of `count` entries that costs most more, of those that are known to be
 * made more often, by a factor that no amount of work explains; syscall is ITP_FUNCTION_UNKNOWN for
 * none. Free with g_free(). */
struct itp_often *itp_often_find(const struct itp_often_sums *sums, uint32_t count);

#endif
