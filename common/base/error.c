/* SPDX-License-Identifier: MIT */
/*
 * The sentences that go with the core's error numbers.
 *
 * They name the remedy where a person has one. Which input it was, and what was being done to
 * it, is for the host to say.
 */
#include "common/base/error.h"

const char *itp_error_text(enum itp_error error)
{
	switch (error) {
	case ITP_OK:
		return "no error";
	case ITP_ERROR_MEMORY:
		return "not enough memory for what the input asks for";
	case ITP_ERROR_IO:
		return "the file cannot be read";
	case ITP_ERROR_IS_DIRECTORY:
		return "this is a directory, not a perf.data file";
	case ITP_ERROR_EMPTY_FILE:
		return "the file is empty; nothing was recorded into it";
	case ITP_ERROR_NOT_PERF_DATA:
		return "this is not a perf.data file";
	case ITP_ERROR_BIG_ENDIAN:
		return "recorded on a big-endian machine, which is not supported";
	case ITP_ERROR_NO_CALLCHAINS:
		return "no call chains recorded; record with `perf record --call-graph fp`";
	case ITP_ERROR_NO_TIME:
		return "samples carry no time; record with `perf record --timestamp`";
	case ITP_ERROR_NO_TID:
		return "samples carry no thread ids (sample type TID); record with `perf record`";
	case ITP_ERROR_TRUNCATED:
		return "the file is truncated; what it still holds was read, record again "
		       "for the rest";
	case ITP_ERROR_CORRUPT:
		return "the file contradicts itself; it is damaged";
	case ITP_ERROR_LIMIT:
		return "the input exceeds a limit of this program";
	case ITP_ERROR_TIME_ORDER:
		return "an event is older than its predecessor";
	case ITP_ERROR_UNKNOWN_ID:
		return "an event names a function or a context that was not introduced before";
	case ITP_ERROR_PART:
		return "this is one file of a recording that is a directory; name the directory";
	case ITP_ERROR_NOT_KERNEL:
		return "this is not an uncompressed kernel image (vmlinux), nor a copy of "
		       "/proc/kcore";
	case ITP_ERROR_OTHER_KERNEL:
		return "the kernel image is not the recorded kernel's: its build id is another one, "
		       "or the recording or the image tells none";
	case ITP_ERROR_AGAIN:
		return "there is nothing to be read yet";
	case ITP_ERROR_COPY:
		return "it cannot be copied to a temporary file; the environment variable TMPDIR "
		       "may name a directory with more room";
	case ITP_ERROR_CHANGED:
		return "the file changed while it was read; read it again when nothing writes to "
		       "it any more, or a copy of it";
	case ITP_ERROR_CODE_CHANGED:
		return "a file with functions that were recorded changed while it was read, which a "
		       "warning names; read the recording again when nothing writes to that file "
		       "any more";
	case ITP_ERROR_PART_MISSING:
		return "this file of the recording is missing; copy the directory again as a whole";
	case ITP_ERROR_PART_EXTRA:
		return "this file does not belong to the recording in its directory; move it elsewhere";
	case ITP_ERROR_PART_NOT_REGULAR:
		return "the files of a recording's directory must be regular files, and this is none";
	case ITP_ERROR_CALLEE:
		return "an event's callee is no system call (of a switch: no process); the trace is "
		       "damaged, record it again";
	case ITP_ERROR_PART_TWICE:
		return "this file holds what another one of the recording's directory holds; copy "
		       "the directory again as a whole";
	}
	return "unknown error";
}
