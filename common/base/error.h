/* SPDX-License-Identifier: MIT */
/*
 * What can go wrong in the core, as numbers.
 *
 * Every core function that can fail returns 0 or one of these negative values; the core never
 * prints, logs or exits. The hosts (Babeltrace plugin, perf) say what they were doing to which
 * input and add itp_error_text(), which tells a person what is wrong and what to do.
 */
#ifndef ITP_BASE_ERROR_H
#define ITP_BASE_ERROR_H

enum itp_error {
	ITP_OK = 0,
	/* An allocation whose size comes from the input failed. */
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
	/* Samples carry no time or no thread id, without which nothing can be inferred. */
	ITP_ERROR_NO_TIME = -11,
	ITP_ERROR_NO_TID = -12,
	/* The file ends before its header says that it does. */
	ITP_ERROR_TRUNCATED = -13,
	/* Sizes, offsets or counts in the input contradict each other. */
	ITP_ERROR_CORRUPT = -14,
	/* The input exceeds a stated limit of the core. */
	ITP_ERROR_LIMIT = -15,
	/* An event is older than one that was already handled. */
	ITP_ERROR_TIME_ORDER = -16,
	/* An event names a function or a context that was not introduced before. */
	ITP_ERROR_UNKNOWN_ID = -17,
	/* One of the files of a recording that is a directory was named, and not the directory. */
	ITP_ERROR_PART = -18,
	/* Not the uncompressed image of a kernel, nor a copy of its memory. */
	ITP_ERROR_NOT_KERNEL = -19,
	/* An image that is another kernel's than the recorded one, or may be. */
	ITP_ERROR_OTHER_KERNEL = -20,
	/* A recording that is still being made holds no more yet. */
	ITP_ERROR_AGAIN = -21,
	/* There is no room for a temporary copy of what is read; errno tells why. */
	ITP_ERROR_COPY = -22,
	/* The file was made shorter while it was read. */
	ITP_ERROR_CHANGED = -23,
	/* The same of a file that the recording names; a warning of the symbolizer says which. */
	ITP_ERROR_CODE_CHANGED = -24,
	/* Files of a recording that is a directory: one is not there, is not the recording's, or is
	 * no regular file. */
	ITP_ERROR_PART_MISSING = -25,
	ITP_ERROR_PART_EXTRA = -26,
	ITP_ERROR_PART_NOT_REGULAR = -27,
	/* An event names a function as its system call, or as the process that gets the CPU, and
	 * the function stands for no such thing. */
	ITP_ERROR_CALLEE = -28,
	/* Two of these files begin with the same records. */
	ITP_ERROR_PART_TWICE = -29,
	/* A recording of perf before 2.6.35, whose header is another one. */
	ITP_ERROR_OLD_PERF = -30,
};

/* One sentence for a person, without a full stop: what is wrong and, where there is something
 * that one can do about it, what. Static storage; never NULL. */
const char *itp_error_text(enum itp_error error);

#endif
