/* SPDX-License-Identifier: MIT */
/*
 * Kernel functions in which threads wait, or give the CPU away: of the scheduler, for a disk, for
 * data.
 *
 * Several rooms ask for the scheduler, each with a list of its own: the lists stand beside each
 * other here. Names are of kernel functions; whether a function is one is left to those who ask.
 */
#ifndef ITP_KNOWN_KERNEL_WAITS_H
#define ITP_KNOWN_KERNEL_WAITS_H

#include <stdbool.h>

/* True for a function in which threads of the kernel wait (common/rank/idle.h). */
bool itp_kernel_wait_is_threads(const char *name);

/* True for a function that every waiting thread is in, whatever it waits for, or that takes the CPU
 * from a thread that ran long enough (common/rank/flat.c). */
bool itp_kernel_wait_is_any(const char *name);

/* True for a function of the scheduler: alone on a stack, these leave its cause unknown
 * (common/infer/wait-places.h). */
bool itp_kernel_wait_is_schedulers(const char *name);

/* True for a function of the scheduler in which every wait of the kernel ends, as mining shows it
 * (common/render/mining). */
bool itp_kernel_wait_is_last(const char *name);

/* True for a function that waits for a disk. */
bool itp_kernel_wait_is_for_disk(const char *name);

/* True for a function that reads from a pipe. */
bool itp_kernel_wait_is_for_pipe(const char *name);

/* True for a function that waits for data to be sent by somebody, and not for a disk. */
bool itp_kernel_wait_is_for_data(const char *name);

#endif
