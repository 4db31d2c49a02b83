/* SPDX-License-Identifier: MIT */
/*
 * Range of the running kernel's code, and the functions through which it gets to a program of ours:
 * no part of the recorded stack.
 */
#ifndef ITP_PERF_RECORD_KERNEL_TEXT_H
#define ITP_PERF_RECORD_KERNEL_TEXT_H

#include <glib.h>
#include <stdint.h>

struct itp_recorder_kernel_text {
	/* 0 when the kernel does not show it. */
	uint64_t begin;
	uint64_t end;
	/* Functions that lead to our programs, struct itp_recorder_range. Owned by this. */
	GArray *tracing;
};

struct itp_recorder_range {
	uint64_t begin;
	uint64_t end;
};

/* Of the lines of a kallsyms file. */
void itp_recorder_kernel_text_init(struct itp_recorder_kernel_text *text, const char *path);
void itp_recorder_kernel_text_release(struct itp_recorder_kernel_text *text);

/* How many of the frames, return addresses from the leaf on, lie before the function that had the
 * tracepoint. */
guint itp_recorder_kernel_text_skip(const struct itp_recorder_kernel_text *text,
				    const uint64_t *frames, guint count);

#endif
