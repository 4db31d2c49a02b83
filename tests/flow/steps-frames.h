/* SPDX-License-Identifier: MIT */
/*
 * The calls of a program that is carried out instruction by instruction, and what control flow says
 * about each step of each call.
 *
 * Frames are told by the stack pointer alone, as calls and returns move it; nothing here depends on
 * what is under test.
 */
#ifndef ITP_TESTS_FLOW_STEPS_FRAMES_H
#define ITP_TESTS_FLOW_STEPS_FRAMES_H

#include "common/control-flow/control-flow.h"

#include <stdio.h>

struct step_module {
	/* Where it lies in memory: addresses minus this are its own. */
	uint64_t bias;
	uint64_t start;
	uint64_t end;
	/* NULL for what is no file. Owned by the list of modules. */
	struct itp_elf_symbols *symbols;
	struct itp_control_flow *flow;
	/* Of its procedure linkage table, its own addresses. */
	uint64_t stubs_start;
	uint64_t stubs_end;
	/* Owned by this. */
	char *path;
};

struct step_counts {
	uint64_t steps;
	uint64_t calls;
	/* Of consecutive points in one call. */
	uint64_t answers[ITP_FLOW_UNKNOWN + 1];
	/* Between two calls of a function from the same place of the same call of its caller: from
	 * the last suspension of one to the first of the next, and from first to first. */
	uint64_t last_to_first[ITP_FLOW_UNKNOWN + 1];
	uint64_t first_to_first[ITP_FLOW_UNKNOWN + 1];
};

struct step_frames;

struct step_frames *step_frames_new(FILE *complaints);
void step_frames_free(struct step_frames *frames);

/* The instruction at `from` was carried out, and control is at `to`. Both weak and may be NULL. */
struct step {
	const struct step_module *from_module;
	const struct step_module *to_module;
	uint64_t from;
	uint64_t to;
	/* Behind the instruction at `from`. */
	uint64_t next;
	uint64_t old_stack_pointer;
	uint64_t stack_pointer;
	bool is_call;
	bool is_return;
	bool is_system_call;
	/* A signal's handler was entered. */
	bool is_signal;
};

void step_frames_step(struct step_frames *frames, const struct step *step);

struct step_counts step_frames_counts(const struct step_frames *frames);

#endif
