/* SPDX-License-Identifier: MIT */
/*
 * Sentences for the core's error numbers.
 *
 * Each names the remedy where a person has one. Hosts add the input's name and what was being done.
 */
#include "common/base/error.h"

#include <glib.h>
#include <stdint.h>

/* By the number of the error without its sign. */
static const char *const texts[] = {
	[ITP_OK] = "no error",
	[-ITP_ERROR_MEMORY] = "not enough memory for what the input asks for",
	[-ITP_ERROR_IO] = "the file cannot be read",
	[-ITP_ERROR_IS_DIRECTORY] = "this is a directory, not a perf.data file",
	[-ITP_ERROR_EMPTY_FILE] = "the file is empty; nothing was recorded into it",
	[-ITP_ERROR_NOT_PERF_DATA] = "this is not a perf.data file",
	[-ITP_ERROR_BIG_ENDIAN] = "recorded on a big-endian machine, which is not supported",
	[-ITP_ERROR_NO_CALLCHAINS] =
		"no call chains recorded; record with `perf record --call-graph fp`",
	[-ITP_ERROR_NO_TIME] = "samples carry no time; record with `perf record --timestamp`",
	[-ITP_ERROR_NO_TID] =
		"samples carry no thread ids (sample type TID); record with `perf record`",
	[-ITP_ERROR_TRUNCATED] =
		"the file is truncated; what it still holds was read, record again "
		"for the rest",
	[-ITP_ERROR_CORRUPT] = "the file contradicts itself; it is damaged",
	[-ITP_ERROR_LIMIT] = "the input exceeds a limit of this program",
	[-ITP_ERROR_TIME_ORDER] = "an event is older than its predecessor",
	[-ITP_ERROR_UNKNOWN_ID] =
		"an event names a function or a context that was not introduced before",
	[-ITP_ERROR_PART] =
		"this is one file of a recording that is a directory; name the directory",
	[-ITP_ERROR_NOT_KERNEL] =
		"this is not an uncompressed kernel image (vmlinux), nor a copy of "
		"/proc/kcore",
	[-ITP_ERROR_OTHER_KERNEL] =
		"the kernel image is not the recorded kernel's: its build id is another one, "
		"or the recording or the image tells none",
	[-ITP_ERROR_AGAIN] = "there is nothing to be read yet",
	[-ITP_ERROR_COPY] =
		"it cannot be copied to a temporary file; the environment variable TMPDIR "
		"may name a directory with more room",
	[-ITP_ERROR_CHANGED] =
		"the file changed while it was read; read it again when nothing writes to "
		"it any more, or a copy of it",
	[-ITP_ERROR_CODE_CHANGED] =
		"a file with functions that were recorded changed while it was read, which a "
		"warning names; read the recording again when nothing writes to that file "
		"any more",
	[-ITP_ERROR_PART_MISSING] =
		"this file of the recording is missing; copy the directory again as a whole",
	[-ITP_ERROR_PART_EXTRA] =
		"this file does not belong to the recording in its directory; move it elsewhere",
	[-ITP_ERROR_PART_NOT_REGULAR] =
		"the files of a recording's directory must be regular files, and this is none",
	[-ITP_ERROR_CALLEE] =
		"an event's callee is no system call (of a switch: no process); the trace is "
		"damaged, record it again",
	[-ITP_ERROR_OLD_PERF] =
		"this is a recording of perf before 2.6.35, which is not read; record with a newer "
		"one",
	[-ITP_ERROR_PART_TWICE] =
		"this file holds what another one of the recording's directory holds; copy "
		"the directory again as a whole",
};

const char *itp_error_text(enum itp_error error)
{
	const size_t number = error <= 0 ? -(size_t)error : SIZE_MAX;

	return number < G_N_ELEMENTS(texts) && texts[number] ? texts[number] : "unknown error";
}
