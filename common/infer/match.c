/* SPDX-License-Identifier: MIT */
/*
 * See match.h.
 */
#include "common/infer/match.h"

/* ---- Inlined functions: frames with one code ---- */

static const struct itp_frame *frame_at(const GArray *frames, uint32_t d)
{
	return &g_array_index(frames, struct itp_frame, d);
}

static const struct itp_frame *open_at(const struct itp_open_stack *stack, uint32_t d)
{
	return &itp_open_stack_frame(stack, d)->frame;
}

/* True when open frame `d` is of a function inlined into its caller. */
static bool is_inlined(const struct itp_open_stack *stack, uint32_t d)
{
	return d > 0 && itp_frame_calls_inlined(open_at(stack, d - 1));
}

/* Depth of the innermost of the functions inlined into that of open frame `d`; or `d`. */
static uint32_t innermost_inlined(const struct itp_open_stack *stack, uint32_t d)
{
	while (d + 1 < stack->frames->len && itp_frame_calls_inlined(open_at(stack, d))) {
		d++;
	}
	return d;
}

struct itp_frame itp_open_stack_code(const struct itp_open_stack *stack, uint32_t depth)
{
	struct itp_frame code = *open_at(stack, innermost_inlined(stack, depth));

	while (is_inlined(stack, depth)) {
		depth--;
	}
	code.function = open_at(stack, depth)->function;
	code.hides_caller = open_at(stack, depth)->hides_caller;
	return code;
}

/* As itp_open_stack_code(), of the frames at hand. */
static struct itp_frame code_of(const GArray *frames, uint32_t d)
{
	uint32_t last = d;
	struct itp_frame code;

	while (last + 1 < frames->len && itp_frame_calls_inlined(frame_at(frames, last))) {
		last++;
	}
	code = *frame_at(frames, last);
	d = itp_frames_around_inlined(frames, d);
	code.function = frame_at(frames, d)->function;
	code.hides_caller = frame_at(frames, d)->hides_caller;
	return code;
}

/* ---- Frames that go on ---- */

/* True when open frame `d` goes on as `frame`, given that its caller goes on as `caller`. */
static bool continues(const struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		      uint32_t d, const struct itp_frame *caller, const struct itp_frame *frame)
{
	if (itp_open_stack_frame(stack, d)->frame.function != frame->function) {
		return false;
	}
	return rules->continuity == ITP_CONTINUITY_FUNCTION || d == 0 ||
	       itp_open_stack_frame(stack, d - 1)->frame.address == caller->address;
}

/* Number of frames that continue when frames[first + i] is laid over open frame depth + i. */
static uint32_t run_length(const struct itp_open_stack *stack,
			   const struct itp_continuity_rules *rules, const GArray *frames,
			   uint32_t first, uint32_t depth)
{
	const struct itp_frame *frame = &g_array_index(frames, struct itp_frame, first);
	uint32_t limit = MIN(frames->len - first, stack->frames->len - depth);
	uint32_t n = 1;

	/* Of the first one's caller nothing is known. */
	if (limit == 0 || itp_open_stack_frame(stack, depth)->frame.function != frame[0].function) {
		return 0;
	}
	while (n < limit && continues(stack, rules, depth + n, &frame[n - 1], &frame[n])) {
		n++;
	}
	return n;
}

uint32_t itp_open_stack_prefix(const struct itp_open_stack *stack,
			       const struct itp_continuity_rules *rules, const GArray *frames)
{
	return run_length(stack, rules, frames, 0, 0);
}

static bool can_stay(const struct itp_open_stack *stack, const struct itp_flow *flow,
		     const GArray *frames, uint32_t d)
{
	const struct itp_open_frame *open =
		itp_open_stack_frame(stack, innermost_inlined(stack, d));
	const struct itp_frame before = itp_open_stack_code(stack, d);
	const struct itp_frame now = code_of(frames, d);
	const struct itp_flow_step step = {
		.function = now.function,
		.from = before.address,
		.to = now.address,
		.from_is_exact = before.is_exact,
		.to_is_exact = now.is_exact,
	};

	/* The kernel repeats the call; or a sample was taken on the way into the kernel, with the
	 * address already behind the system call. On the way out the address is equal, but the call
	 * has been made. */
	if (before.address == now.address &&
	    (open->may_enter || (before.is_exact && !open->has_come_back))) {
		return true;
	}
	return flow->can_stay(flow->data, &step);
}

static bool hides_caller(const struct itp_open_stack *stack, const GArray *frames, uint32_t d)
{
	return (d < stack->frames->len && itp_open_stack_frame(stack, d)->frame.hides_caller) ||
	       (d < frames->len && g_array_index(frames, struct itp_frame, d).hides_caller);
}

/* True when the call in which frame `d` waits may be the same although another function is above
 * it: the previous one ended in a jump to it. */
static bool may_be_same_call(const struct itp_open_stack *stack, const struct itp_flow *flow,
			     const GArray *frames, uint32_t d)
{
	struct itp_frame before;
	struct itp_frame now;

	if (d + 1 >= stack->frames->len || d + 1 >= frames->len ||
	    itp_open_stack_frame(stack, d)->frame.address !=
		    g_array_index(frames, struct itp_frame, d).address) {
		return false;
	}
	before = itp_open_stack_code(stack, d + 1);
	now = code_of(frames, d + 1);
	return before.function != now.function && flow->may_jump_away(flow->data, &before, &now);
}

/* True when old and new place of frame `d` are known, and its callee. A frame that waits in an
 * equal call for a callee not shown may wait for the same as before. */
static bool is_place_known(const struct itp_open_stack *stack, const GArray *frames, uint32_t d)
{
	const struct itp_open_frame *open = itp_open_stack_frame(stack, d);
	const struct itp_frame *now = &g_array_index(frames, struct itp_frame, d);

	return !now->is_assumed && (open->frame.address != now->address ||
				    (!open->hides_callee && !hides_caller(stack, frames, d + 1)));
}

static bool has_returned(const struct itp_open_stack *stack, const struct itp_flow *flow,
			 const GArray *frames, uint32_t d)
{
	return is_place_known(stack, frames, d) && !can_stay(stack, flow, frames, d) &&
	       !may_be_same_call(stack, flow, frames, d);
}

uint32_t itp_open_stack_stayed(const struct itp_open_stack *stack,
			       const struct itp_continuity_rules *rules, const GArray *frames,
			       uint32_t keep, uint32_t floor)
{
	if (rules->continuity != ITP_CONTINUITY_CONTROL_FLOW || !rules->flow.can_stay) {
		return keep;
	}
	while (keep > floor && has_returned(stack, &rules->flow, frames, keep - 1)) {
		keep--;
	}
	return keep;
}

/* True when the function of open frame `d`, which waits in an equal call, can have returned from it
 * and made it again. Into an inlined function code can only come back on its way around. */
static bool may_call_again(const struct itp_open_stack *stack,
			   const struct itp_continuity_rules *rules, uint32_t d)
{
	const struct itp_frame code = itp_open_stack_code(stack, d);
	const bool is_exact = itp_frame_calls_inlined(open_at(stack, d)) && code.is_exact;
	const struct itp_flow_step step = {
		.function = code.function,
		.from = code.address,
		.to = code.address,
		.from_is_exact = is_exact,
		.to_is_exact = is_exact,
	};

	return rules->continuity != ITP_CONTINUITY_CONTROL_FLOW || !rules->flow.can_stay ||
	       rules->flow.can_stay(rules->flow.data, &step);
}

/* True when every call at open frame `d`'s old place leads to the system call of the last stack,
 * and thus to an event. Of an inlined function's calls that is not known. */
static bool always_shows(const struct itp_open_stack *stack,
			 const struct itp_continuity_rules *rules, uint32_t d)
{
	if (itp_frame_calls_inlined(open_at(stack, d))) {
		return false;
	}
	for (d++; d < stack->frames->len; d = innermost_inlined(stack, d) + 1) {
		const struct itp_frame code = itp_open_stack_code(stack, d);
		const struct itp_flow_step step = { .function = code.function,
						    .from = code.address };

		if (code.hides_caller || code.is_assumed ||
		    rules->flow.may_avoid(rules->flow.data, &step)) {
			return false;
		}
	}
	return true;
}

/* True when each call of open frame `d`'s function makes a system call, given that calls above do,
 * up to the frame at `leaf`, which has just made one. */
static bool cannot_do_without(const struct itp_open_stack *stack, const struct itp_flow *flow,
			      uint32_t d, uint32_t leaf)
{
	const struct itp_open_frame *open = itp_open_stack_frame(stack, d);
	const uint32_t last = innermost_inlined(stack, d);
	const struct itp_frame code = itp_open_stack_code(stack, d);
	const struct itp_flow_step step = { .function = code.function, .from = code.address };

	if (open->frame.is_assumed) {
		return false;
	}
	if (open->shows) {
		return true;
	}
	if (last < leaf) {
		const struct itp_frame callee = itp_open_stack_code(stack, last + 1);

		if (!flow->always_calls(flow->data, &code, &callee)) {
			return false;
		}
	}
	return !flow->may_avoid(flow->data, &step);
}

void itp_open_stack_show_calls(struct itp_open_stack *stack,
			       const struct itp_continuity_rules *rules, uint32_t leaf)
{
	const struct itp_flow *flow = &rules->flow;

	if (rules->continuity != ITP_CONTINUITY_CONTROL_FLOW || !flow->always_calls) {
		return;
	}
	for (uint32_t d = leaf; d > 0; d--) {
		struct itp_open_frame *open = itp_open_stack_frame(stack, d);

		if (is_inlined(stack, d)) {
			continue;
		}
		if (!cannot_do_without(stack, flow, d, leaf)) {
			return;
		}
		open->shows = true;
		if (open->frame.hides_caller) {
			return;
		}
	}
}

/* True when open frame `d` came to its new place without having returned, since another call of the
 * function would have passed the system call again in which it was. */
static bool has_gone_on(const struct itp_open_stack *stack,
			const struct itp_continuity_rules *rules, const GArray *frames, uint32_t d)
{
	const struct itp_frame before = itp_open_stack_code(stack, d);
	const struct itp_frame now = code_of(frames, d);
	const struct itp_flow_step step = {
		.function = now.function,
		.from = before.address,
		.to = now.address,
		.to_is_exact = now.is_exact,
	};

	return stack->is_after_call && rules->flow.may_avoid &&
	       rules->continuity == ITP_CONTINUITY_CONTROL_FLOW && !now.is_assumed &&
	       !is_inlined(stack, d) && before.address != now.address &&
	       !rules->flow.may_avoid(rules->flow.data, &step) && always_shows(stack, rules, d);
}

uint32_t itp_open_stack_sure(const struct itp_open_stack *stack,
			     const struct itp_continuity_rules *rules, const GArray *frames,
			     uint32_t keep, uint32_t floor)
{
	/* A thread's first function is called once, and so is the kernel's function called by a
	 * certain frame. */
	uint32_t sure = floor + 1;

	while (sure < keep && !hides_caller(stack, frames, sure) &&
	       !may_call_again(stack, rules, sure - 1)) {
		sure++;
	}
	if (sure < keep && has_gone_on(stack, rules, frames, keep - 1)) {
		sure = keep;
	}
	return MIN(sure, keep);
}

uint32_t itp_open_stack_fit(const struct itp_open_stack *stack,
			    const struct itp_continuity_rules *rules, const GArray *frames)
{
	uint32_t best_depth = 0;
	uint32_t best_length = 0;

	if (frames->len < 2) {
		return 0;
	}
	for (uint32_t depth = 1; depth < stack->frames->len; depth++) {
		uint32_t length = run_length(stack, rules, frames, 1, depth);

		/* Of equal fits in a recursion the innermost needs the fewest frames to end. */
		if (length > 0 && length >= best_length) {
			best_length = length;
			best_depth = depth;
		}
	}
	return best_depth;
}
