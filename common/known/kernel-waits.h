/* SPDX-License-Identifier: MIT */
/*
 * Kernel functions in which threads wait, or give the CPU away: of the scheduler, for a disk, for
 * data.
 *
 * Asked by common/infer (wait-places.h), common/rank (idle.c, flat.c) and common/render/mining.
 * Names are of kernel functions; whether a function is one is left to those who ask.
 */
#ifndef ITP_KNOWN_KERNEL_WAITS_H
#define ITP_KNOWN_KERNEL_WAITS_H

#include <stdbool.h>

/* True for a function of the scheduler in which threads wait, whatever for: __schedule. Alone on a
 * stack it leaves the cause of a wait unknown. */
bool itp_kernel_wait_is_schedulers(const char *name);

/* True for a function that takes the CPU from a thread that ran long enough: __cond_resched. */
bool itp_kernel_takes_cpu(const char *name);

/* True for a function that waits for a disk. */
bool itp_kernel_wait_is_for_disk(const char *name);

/* True for a function that reads from a pipe. */
bool itp_kernel_wait_is_for_pipe(const char *name);

/* True for a function that waits for data to be sent by somebody, and not for a disk. */
bool itp_kernel_wait_is_for_data(const char *name);

#endif
