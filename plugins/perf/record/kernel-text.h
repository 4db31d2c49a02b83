/* SPDX-License-Identifier: MIT */
/*
 * Ranges of the running kernel's code: the whole; functions between a tracepoint and a program of
 * the recorder, no part of the recorded stack; and entries of interrupts.
 */
#ifndef ITP_PERF_RECORD_KERNEL_TEXT_H
#define ITP_PERF_RECORD_KERNEL_TEXT_H

#include <glib.h>
#include <stdint.h>

/* Addresses, half open. */
struct itp_recorder_range {
	uint64_t begin;
	uint64_t end;
};

struct itp_recorder_kernel_text {
	/* Whole code, from _text to _etext; 0 when the kernel hides its addresses. */
	uint64_t begin;
	uint64_t end;
	/* Entries of interrupts by devices and timers, which lie side by side:
	 * asm_sysvec_apic_timer_interrupt. 0 when unknown. */
	struct itp_recorder_range interrupts;
	/* struct itp_recorder_range: functions between tracepoints and the recorder's programs.
	 * Owned by this. */
	GArray *tracing;
};

/* Reads the ranges from the kallsyms file `path`; without a file, all are 0 or empty. */
void itp_recorder_kernel_text_init(struct itp_recorder_kernel_text *text, const char *path);
void itp_recorder_kernel_text_release(struct itp_recorder_kernel_text *text);

/* Number of `frames` in front of the function with the tracepoint. Frames are return addresses,
 * leaf first. */
guint itp_recorder_kernel_text_skip(const struct itp_recorder_kernel_text *text,
				    const uint64_t *frames, guint count);

#endif
