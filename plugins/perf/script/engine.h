/* SPDX-License-Identifier: MIT */
/*
 * The script engine without Python: samples as perf hands them to a script, into the analysis.
 *
 * A script is given stacks unwound by perf, with perf's knowledge of each frame, but without the
 * place of a file in memory; functions get their names from the files, as everywhere in introperf.
 */
#ifndef ITP_PERF_SCRIPT_ENGINE_H
#define ITP_PERF_SCRIPT_ENGINE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/elf/bytes.h"

struct itp_engine;

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

/* `texts` are as for itp_dlargs_init(). */
struct itp_engine *itp_engine_new(char *const *texts, int count, GError **error);
void itp_engine_free(struct itp_engine *engine);

/* Index of the event `name`, "SYSTEM:NAME" for a tracepoint; -1 when it is not known. */
int itp_engine_find_event(const struct itp_engine *engine, const char *name);
/* Adds an event. `attr` is its struct perf_event_attr; where perf does not tell it, the event is a
 * tracepoint like the known ones. Returns its index, or -1 on an error. */
int itp_engine_add_event(struct itp_engine *engine, const char *name, const struct itp_bytes *attr,
			 GError **error);
/* Places of the tracepoint's fields expected in `raw`. */
const struct itp_tracepoint *itp_engine_tracepoint(const struct itp_engine *engine, uint32_t event);

bool itp_engine_push(struct itp_engine *engine, const struct itp_script_sample *sample,
		     GError **error);

/* True when the next sample may be of a thread whose process only perf can tell. */
bool itp_engine_wants_pid(const struct itp_engine *engine);

/* A thread leaves the CPU, or is on one again. */
bool itp_engine_switch(struct itp_engine *engine, uint64_t time_ns, int32_t pid, int32_t tid,
		       int32_t cpu, bool is_out, bool is_preempted, GError **error);

/* Writes the result. `is_cut`: not all was read. *ret_is_whole: it is of all, neither cut nor
 * interrupted. */
bool itp_engine_finish(struct itp_engine *engine, bool is_cut, bool *ret_is_whole, GError **error);

#endif
