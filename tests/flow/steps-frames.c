/* SPDX-License-Identifier: MIT */
/*
 * Frames and points; see the header.
 */
#include "tests/flow/steps-frames.h"

#include <string.h>

/* Of places that a frame called from, the most recent ones. */
#define MAX_SITES 8

/* A place in a function where a call of it was. */
struct point {
	/* NULL when there is none. Weak. */
	const struct step_module *module;
	struct itp_flow_point at;
};

/* A call that has ended, by the place that it was made from. */
struct ended {
	uint64_t site;
	uint64_t function;
	struct point first;
	struct point last;
};

struct frame {
	/* The call is over when the stack pointer is above this. */
	uint64_t slot;
	uint64_t site;
	/* Where its function begins, in memory. */
	uint64_t function;
	/* The last step. */
	struct point now;
	/* Somebody else's code, which took frames off the stack and has yet to jump into the
	 * function: that of exceptions, or longjmp(). */
	bool is_away;
	/* Calls and system calls that it made. */
	struct point first;
	struct point last;
	struct ended ended[MAX_SITES];
	uint32_t ended_count;
};

struct step_frames {
	/* struct frame. Owned by this. */
	GArray *stack;
	/* Weak. */
	FILE *complaints;
	struct step_counts counts;
};

struct step_frames *step_frames_new(FILE *complaints)
{
	struct step_frames *frames = g_new0(struct step_frames, 1);
	struct frame root = { .slot = UINT64_MAX };

	frames->stack = g_array_new(FALSE, FALSE, sizeof(struct frame));
	frames->complaints = complaints;
	g_array_append_val(frames->stack, root);
	return frames;
}

void step_frames_free(struct step_frames *frames)
{
	g_array_unref(frames->stack);
	g_free(frames);
}

struct step_counts step_frames_counts(const struct step_frames *frames)
{
	return frames->counts;
}

static struct frame *top(const struct step_frames *frames)
{
	return &g_array_index(frames->stack, struct frame, frames->stack->len - 1);
}

static bool is_stub(const struct step_module *module, uint64_t address)
{
	return module && address - module->bias >= module->stubs_start &&
	       address - module->bias < module->stubs_end;
}

/* Nowhere in a linkage table, which leads from one function to another. */
static struct point point_of(const struct step_module *module, uint64_t address,
			     bool is_behind_call)
{
	if (is_stub(module, address)) {
		module = NULL;
	}
	return (struct point){ .module = module && module->flow ? module : NULL,
			       .at = { .vaddr = module ? address - module->bias : 0,
				       .is_behind_call = is_behind_call } };
}

static bool ask(const struct point *from, const struct point *to, enum itp_flow_answer *ret_answer)
{
	if (!from->module || from->module != to->module) {
		return false;
	}
	*ret_answer = itp_control_flow_ask(from->module->flow, from->at, to->at);
	return true;
}

/* Both points were met in one call. */
static void check(struct step_frames *frames, const struct point *from, const struct point *to)
{
	enum itp_flow_answer answer;
	struct itp_elf_function function;

	if (!ask(from, to, &answer)) {
		return;
	}
	frames->counts.answers[answer]++;
	if (answer != ITP_FLOW_NEVER) {
		return;
	}
	function = itp_elf_symbols_find(from->module->symbols, from->at.vaddr);
	fprintf(frames->complaints,
		"wrong: %s %.*s+0x%" G_GINT64_MODIFIER "x: %s0x%" G_GINT64_MODIFIER
		"x to %s0x%" G_GINT64_MODIFIER "x\n",
		from->module->path, (int)function.name_length, function.name ? function.name : "",
		from->at.vaddr - function.start, from->at.is_behind_call ? "behind " : "",
		from->at.vaddr, to->at.is_behind_call ? "behind " : "", to->at.vaddr);
}

static uint64_t function_of(const struct step_module *module, uint64_t address, bool *ret_is_cold)
{
	struct itp_elf_function function;

	*ret_is_cold = false;
	if (!module || !module->symbols) {
		return address;
	}
	function = itp_elf_symbols_find(module->symbols, address - module->bias);
	*ret_is_cold = function.name && g_strstr_len(function.name, function.name_length, ".cold");
	return function.start + module->bias;
}

/* A suspension. */
static void suspend(struct step_frames *frames, const struct step *step)
{
	struct frame *frame = top(frames);
	struct point point = point_of(step->from_module, step->next, true);

	check(frames, &frame->now, &point);
	frame->now = point;
	frame->last = point;
	if (!frame->first.module) {
		frame->first = point;
	}
}

static struct ended *find_ended(struct frame *frame, uint64_t site)
{
	uint32_t count = MIN(frame->ended_count, MAX_SITES);

	for (uint32_t i = 0; i < count; i++) {
		if (frame->ended[i].site == site) {
			return &frame->ended[i];
		}
	}
	return NULL;
}

/* Compares a call that has ended with the one before it from the same place. */
static void end_call(struct step_frames *frames)
{
	struct frame frame = *top(frames);
	struct frame *caller;
	struct ended *before;
	enum itp_flow_answer answer;

	g_array_set_size(frames->stack, frames->stack->len - 1);
	caller = top(frames);
	if (!frame.first.module) {
		return;
	}
	before = find_ended(caller, frame.site);
	if (before && before->function == frame.function) {
		if (ask(&before->last, &frame.first, &answer)) {
			frames->counts.last_to_first[answer]++;
		}
		if (ask(&before->first, &frame.first, &answer)) {
			frames->counts.first_to_first[answer]++;
		}
	}
	if (!before) {
		before = &caller->ended[caller->ended_count++ % MAX_SITES];
	}
	*before = (struct ended){ .site = frame.site,
				  .function = frame.function,
				  .first = frame.first,
				  .last = frame.last };
}

static void begin_call(struct step_frames *frames, const struct step *step, uint64_t slot)
{
	struct frame frame = { .slot = slot, .site = step->next };
	bool is_cold;

	frame.function = function_of(step->to_module, step->to, &is_cold);
	frame.now = point_of(step->to_module, step->to, false);
	g_array_append_val(frames->stack, frame);
	frames->counts.calls++;
}

/* A tail call: another function has the frame now. */
static void replace_function(struct frame *frame, uint64_t function)
{
	frame->function = function;
	frame->now.module = NULL;
	frame->first.module = NULL;
	frame->last.module = NULL;
}

/* Takes off what is over. True if a call came back, or was left. */
static bool end_calls(struct step_frames *frames, const struct step *step)
{
	struct frame *frame;
	bool has_ended = false;
	bool is_cold;

	while (top(frames)->slot < step->stack_pointer) {
		end_call(frames);
		has_ended = true;
	}
	frame = top(frames);
	if (has_ended || frame->is_away) {
		frame->is_away = frame->function != 0 &&
				 function_of(step->to_module, step->to, &is_cold) !=
					 frame->function &&
				 !is_cold;
	}
	return has_ended;
}

void step_frames_step(struct step_frames *frames, const struct step *step)
{
	struct frame *frame;
	struct point point;
	uint64_t function;
	bool has_ended;
	bool is_cold;

	frames->counts.steps++;
	if (step->is_signal) {
		begin_call(frames, step, step->old_stack_pointer - 1);
		return;
	}
	if (step->is_system_call && !top(frames)->is_away) {
		suspend(frames, step);
	}
	if (step->is_call && step->stack_pointer == step->old_stack_pointer - 8) {
		suspend(frames, step);
		begin_call(frames, step, step->stack_pointer);
		return;
	}
	has_ended = end_calls(frames, step);
	frame = top(frames);
	if (frame->is_away) {
		return;
	}
	point = point_of(step->to_module, step->to, false);
	if (step->is_return && !has_ended) {
		/* From a call that was made before the first step. */
		replace_function(frame, function_of(step->to_module, step->to, &is_cold));
	} else if (!has_ended) {
		function = function_of(step->to_module, step->to, &is_cold);
		if (function == step->to && function != frame->function && !is_cold) {
			replace_function(frame, function);
		}
	}
	check(frames, &frame->now, &point);
	frame->now = point;
}
