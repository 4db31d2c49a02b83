/* SPDX-License-Identifier: MIT */
/*
 * Kernel functions that let waiting interrupts in, or leave to a hypervisor: their own time is
 * theirs.
 */
#ifndef ITP_KNOWN_KERNEL_INTERRUPTS_H
#define ITP_KNOWN_KERNEL_INTERRUPTS_H

#include <stdbool.h>

bool itp_kernel_admits_interrupts(const char *name);

#endif
