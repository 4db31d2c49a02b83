/* SPDX-License-Identifier: MIT */
/*
 * Errors of the core, as numbers.
 *
 * Every core function that can fail returns 0 or a negative value of these; the core never prints,
 * logs or exits. Hosts (Babeltrace plugin, perf) say what they were doing to the input and add
 * itp_error_text(), a person's explanation and remedy.
 */
#ifndef ITP_BASE_ERROR_H
#define ITP_BASE_ERROR_H

enum itp_error {
	ITP_OK = 0,
	/* Allocation of a size from the input failed. */
	ITP_ERROR_MEMORY = -1,
	/* The operating system refused; errno tells why. */
	ITP_ERROR_IO = -2,
	ITP_ERROR_IS_DIRECTORY = -3,
	ITP_ERROR_EMPTY_FILE = -4,
	/* Not a perf.data file at all. */
	ITP_ERROR_NOT_PERF_DATA = -5,
	ITP_ERROR_BIG_ENDIAN = -6,
	/* No event of the recording carries a call chain. */
	ITP_ERROR_NO_CALLCHAINS = -9,
	/* Samples without a time or a thread id: nothing can be inferred. */
	ITP_ERROR_NO_TIME = -11,
	ITP_ERROR_NO_TID = -12,
	/* File ends before the end that its header names. */
	ITP_ERROR_TRUNCATED = -13,
	/* Sizes, offsets or counts in the input contradict each other. */
	ITP_ERROR_CORRUPT = -14,
	/* The input exceeds a stated limit of the core. */
	ITP_ERROR_LIMIT = -15,
	/* Event older than another already handled. */
	ITP_ERROR_TIME_ORDER = -16,
	/* Event names a function or a context not introduced before. */
	ITP_ERROR_UNKNOWN_ID = -17,
	/* File inside a recording's directory was named instead of the directory. */
	ITP_ERROR_PART = -18,
	/* Not the uncompressed image of a kernel, nor a copy of its memory. */
	ITP_ERROR_NOT_KERNEL = -19,
	/* Image of another kernel than the recorded, for certain or perhaps. */
	ITP_ERROR_OTHER_KERNEL = -20,
	/* Recording still being made holds no more yet. */
	ITP_ERROR_AGAIN = -21,
	/* No room for a temporary copy of the input; errno tells why. */
	ITP_ERROR_COPY = -22,
	/* File was made shorter while it was read. */
	ITP_ERROR_CHANGED = -23,
	/* File of code was made shorter while it was read; a warning of the symbolizer names the
	 * file. */
	ITP_ERROR_CODE_CHANGED = -24,
	/* Files of a recording's directory: one is missing; or is not the recording's, or no
	 * regular file. */
	ITP_ERROR_PART_MISSING = -25,
	ITP_ERROR_PART_EXTRA = -26,
	ITP_ERROR_PART_NOT_REGULAR = -27,
	/* Event names a function as its system call, or as the process that gets the CPU, and the
	 * function stands for neither. */
	ITP_ERROR_CALLEE = -28,
	/* Two files of the recording begin with the same records. */
	ITP_ERROR_PART_TWICE = -29,
	/* Recording of perf before 2.6.35, with another header. */
	ITP_ERROR_OLD_PERF = -30,
};

/* Sentence for a person, without a full stop: the trouble and, where there is any, the remedy.
 * Static storage; never NULL. */
const char *itp_error_text(enum itp_error error);

#endif
