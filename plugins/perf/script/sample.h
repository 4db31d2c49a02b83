/* SPDX-License-Identifier: MIT */
/*
 * Sample as perf hands it to a script.
 */
#ifndef ITP_PERF_SCRIPT_SAMPLE_H
#define ITP_PERF_SCRIPT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/elf/bytes.h"

/* perf's knowledge of a frame. All pointers are weak and may be NULL. */
struct itp_script_frame {
	const char *path;
	const char *symbol;
	/* Begin of the symbol in the file (for the kernel, in memory), and the frame's distance
	 * behind it; only where `has_place`. */
	uint64_t symbol_start;
	uint64_t symbol_offset;
	bool has_place;
};

/* Known mapping around the instruction pointer of a sample. Weak, may be NULL. */
struct itp_script_map {
	const char *path;
	/* In hexadecimal. */
	const char *build_id;
	uint64_t start;
	uint64_t end;
	/* Offset of `start` in the file; only where `has_offset`. */
	uint64_t offset;
	bool has_offset;
	/* Function there, and its begin, as in a frame; NULL where not told. */
	const char *symbol;
	uint64_t symbol_start;
};

/* Value in place of a pid: perf was not asked for it. */
#define ITP_SCRIPT_PID_UNTOLD (-1)

struct itp_script_sample {
	/* Index of the event. */
	uint32_t event;
	uint64_t time_ns;
	int32_t pid;
	int32_t tid;
	/* The fields of the tracepoint have another thread id: a namespace's. */
	bool is_renumbered;
	int32_t cpu;
	/* Weak, may be NULL. */
	const char *comm;
	/* Fields of a tracepoint. */
	struct itp_bytes raw;
	/* Leaf first, the kernel's before the user's. Weak. */
	const uint64_t *chain;
	size_t chain_length;
	struct itp_script_map map;
	/* Tells of the frame at chain[i]. */
	void (*describe)(void *data, size_t i, struct itp_script_frame *ret_frame);
	void *data;
};

#endif
