/* SPDX-License-Identifier: MIT */
/*
 * Numbers of the perf.data format that no system header has: record types of the perf tool itself,
 * unknown to the kernel, and of later kernels than the headers'.
 */
#ifndef ITP_PERF_DATA_RECORD_TYPES_H
#define ITP_PERF_DATA_RECORD_TYPES_H

#include <linux/perf_event.h>
#include <stdint.h>

enum itp_record_type {
	/* User parts of stacks, recorded later than their samples. */
	ITP_RECORD_CALLCHAIN_DEFERRED = 22,
	/* From here on records are the tool's own, without a trailer. */
	ITP_RECORD_TOOL_FIRST = 64,
	ITP_RECORD_ATTR = 64,
	ITP_RECORD_TRACING_DATA = 66,
	ITP_RECORD_BUILD_ID = 67,
	ITP_RECORD_FINISHED_ROUND = 68,
	ITP_RECORD_ID_INDEX = 69,
	ITP_RECORD_AUXTRACE = 71,
	ITP_RECORD_AUXTRACE_ERROR = 72,
	ITP_RECORD_FEATURE = 80,
	ITP_RECORD_COMPRESSED = 81,
	ITP_RECORD_FINISHED_INIT = 82,
	ITP_RECORD_COMPRESSED2 = 83,
	/* Facts about BPF programs, and about the scheduler: numbers that explain no stack. */
	ITP_RECORD_BPF_METADATA = 84,
	ITP_RECORD_SCHEDSTAT_CPU = 85,
	ITP_RECORD_SCHEDSTAT_DOMAIN = 86,
	ITP_RECORD_UNKNOWN_FIRST = 87,
	/* Above the types of all tools, by a margin. */
	ITP_RECORD_TYPE_LIMIT = 128,
};

/* Bits of perf.data's header. */
enum itp_feature {
	ITP_FEATURE_TRACING_DATA = 1,
	ITP_FEATURE_BUILD_ID = 2,
	ITP_FEATURE_HOSTNAME = 3,
	ITP_FEATURE_OS_RELEASE = 4,
	ITP_FEATURE_VERSION = 5,
	ITP_FEATURE_ARCH = 6,
	ITP_FEATURE_COMMAND_LINE = 11,
	ITP_FEATURE_EVENTS = 12,
	ITP_FEATURE_DIRECTORY_FORMAT = 24,
	ITP_FEATURE_CLOCK_DATA = 29,
	/* introperf's own (speeds.h): the last feature with room in the header. */
	ITP_FEATURE_SPEEDS = 255,
};

#endif
