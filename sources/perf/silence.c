/* SPDX-License-Identifier: MIT */
/*
 * See silence.h.
 */
#include "sources/perf/silence.h"

#define NS_PER_US 1000
/* perf may hold back events that long. */
#define DELAY_NS 500000000

bool itp_perf_silence_pass(struct itp_perf_silence *silence, struct itp_perf_reader *reader,
			   int64_t *ret_time_ns)
{
	const int64_t now_ns = g_get_monotonic_time() * NS_PER_US;

	if (silence->since_ns == 0) {
		silence->since_ns = now_ns;
	}
	if (now_ns - MAX(silence->since_ns, silence->told_ns) < 2 * DELAY_NS ||
	    !itp_perf_reader_pass(reader, now_ns - DELAY_NS)) {
		return false;
	}
	silence->told_ns = now_ns - DELAY_NS;
	*ret_time_ns = silence->told_ns;
	return true;
}
