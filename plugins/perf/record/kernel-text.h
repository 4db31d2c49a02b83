/* SPDX-License-Identifier: MIT */
/*
 * Ranges of the running kernel's code: all of it; the functions through which it gets to a program
 * of ours, no part of the recorded stack; and the entries of interrupts.
 */
#ifndef ITP_PERF_RECORD_KERNEL_TEXT_H
#define ITP_PERF_RECORD_KERNEL_TEXT_H

#include <glib.h>
#include <stdint.h>

struct itp_recorder_range {
	uint64_t begin;
	uint64_t end;
};

struct itp_recorder_kernel_text {
	/* 0 when the kernel does not show it. */
	uint64_t begin;
	uint64_t end;
	/* Entries of interrupts by devices and timers, asm_sysvec_apic_timer_interrupt for one,
	 * which lie one behind the other. 0 when unknown. */
	struct itp_recorder_range interrupts;
	/* Functions that lead to our programs, struct itp_recorder_range. Owned by this. */
	GArray *tracing;
};

/* Of the lines of a kallsyms file. */
void itp_recorder_kernel_text_init(struct itp_recorder_kernel_text *text, const char *path);
void itp_recorder_kernel_text_release(struct itp_recorder_kernel_text *text);

/* How many of the frames, return addresses from the leaf on, lie before the function that had the
 * tracepoint. */
guint itp_recorder_kernel_text_skip(const struct itp_recorder_kernel_text *text,
				    const uint64_t *frames, guint count);

#endif
