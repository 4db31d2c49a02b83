/* SPDX-License-Identifier: MIT */
/*
 * Open frames of one thread: matching, closing, opening.
 *
 * Invariant: after an accepted stack the open frames are just that stack's, so "last seen" is
 * one instant for all of them and a stack event costs only the frames that change.
 */
#include "common/infer/continuity.h"

/* Set on a frame whose begin was recorded; becomes ITP_INSTANCE_EXACT if its end is too. */
#define BEGIN_EXACT (1u << 31)

void itp_open_stack_init(struct itp_open_stack *stack, int32_t pid, int32_t tid)
{
	*stack = (struct itp_open_stack){ .pid = pid, .tid = tid };
	stack->frames = g_array_new(FALSE, FALSE, sizeof(struct itp_open_frame));
}

void itp_open_stack_release(struct itp_open_stack *stack)
{
	g_array_free(stack->frames, TRUE);
	stack->frames = NULL;
}

void itp_open_stack_begin(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  uint32_t function, const struct itp_moment *now, bool begin_unknown)
{
	const struct itp_open_frame root = {
		.frame = { .address = 0, .function = function },
		.node = itp_context_tree_child(rules->tree, ITP_CONTEXT_ROOT, function),
		.flags = begin_unknown ? ITP_INSTANCE_BEGIN_UNKNOWN : 0,
		.absent_ns = now->time_ns,
		.begin = *now,
	};

	g_array_set_size(stack->frames, 0);
	g_array_append_val(stack->frames, root);
	stack->seen = *now;
	stack->heard = *now;
	stack->begin_unknown = begin_unknown;
}

/* Whether open frame `d` goes on as `frame`, given that its caller goes on as `caller`. */
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
	uint32_t n = 0;

	/* Of the first one's caller nothing is known. */
	if (limit == 0 || itp_open_stack_frame(stack, depth)->frame.function != frame[0].function) {
		return 0;
	}
	for (n = 1; n < limit; n++) {
		if (!continues(stack, rules, depth + n, &frame[n - 1], &frame[n])) {
			break;
		}
	}
	return n;
}

uint32_t itp_open_stack_prefix(const struct itp_open_stack *stack,
			       const struct itp_continuity_rules *rules, const GArray *frames)
{
	return run_length(stack, rules, frames, 0, 0);
}

static bool can_stay(const struct itp_open_stack *stack, const struct itp_flow *flow, uint32_t d,
		     const struct itp_frame *now)
{
	const struct itp_frame *before = &itp_open_stack_frame(stack, d)->frame;
	const struct itp_flow_step step = {
		.function = now->function,
		.from = before->address,
		.to = now->address,
		.from_is_exact = before->is_exact,
		.to_is_exact = now->is_exact,
	};

	return flow->can_stay(flow->data, &step);
}

uint32_t itp_open_stack_stayed(const struct itp_open_stack *stack,
			       const struct itp_continuity_rules *rules, const GArray *frames,
			       uint32_t keep, uint32_t floor)
{
	if (rules->continuity != ITP_CONTINUITY_CONTROL_FLOW || !rules->flow.can_stay) {
		return keep;
	}
	while (keep > floor && !can_stay(stack, &rules->flow, keep - 1,
					 &g_array_index(frames, struct itp_frame, keep - 1))) {
		keep--;
	}
	return keep;
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

static void emit(const struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		 uint32_t depth, const struct itp_moment *last_seen, const struct itp_moment *gone,
		 uint32_t flags)
{
	const struct itp_open_frame *open = itp_open_stack_frame(stack, depth);
	struct itp_instance instance = {
		.node = open->node,
		.pid = stack->pid,
		.tid = stack->tid,
		.depth = depth,
		.begin_ns = open->begin.time_ns,
		.conservative_ns = last_seen->time_ns - open->begin.time_ns,
		.aggressive_ns = gone->time_ns - open->begin.time_ns,
		.lower_ns = last_seen->time_ns - open->begin.time_ns,
		.upper_ns = gone->time_ns - open->absent_ns,
		.use = last_seen->use,
		.flags = (open->flags | flags) & ~BEGIN_EXACT,
	};

	itp_time_use_add(&instance.use, &open->begin.use, -1);
	rules->on_instance(&instance, rules->data);
}

void itp_open_stack_close(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  uint32_t depth, const struct itp_moment *now, uint32_t flags)
{
	while (stack->frames->len > depth) {
		uint32_t last = stack->frames->len - 1;

		emit(stack, rules, last, last == 0 ? &stack->heard : &stack->seen, now, flags);
		g_array_set_size(stack->frames, last);
	}
}

static void open_frame(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		       const struct itp_frame *frame, const struct itp_moment *now)
{
	const struct itp_open_frame *caller = itp_open_stack_frame(stack, stack->frames->len - 1);
	const struct itp_open_frame open = {
		.frame = *frame,
		.node = itp_context_tree_child(rules->tree, caller->node, frame->function),
		.flags = stack->begin_unknown ? ITP_INSTANCE_BEGIN_UNKNOWN : 0,
		.absent_ns = stack->begin_unknown ? now->time_ns : stack->seen.time_ns,
		.begin = *now,
	};

	g_array_append_val(stack->frames, open);
}

void itp_open_stack_replace(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			    const GArray *frames, uint32_t keep, const struct itp_moment *now)
{
	itp_open_stack_close(stack, rules, keep, now, 0);
	for (uint32_t d = 1; d < keep; d++) {
		itp_open_stack_frame(stack, d)->frame = g_array_index(frames, struct itp_frame, d);
	}
	for (uint32_t d = keep; d < frames->len; d++) {
		open_frame(stack, rules, &g_array_index(frames, struct itp_frame, d), now);
	}
	stack->seen = *now;
	stack->begin_unknown = false;
}

void itp_open_stack_enter(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  const struct itp_frame *frame, const struct itp_moment *now)
{
	open_frame(stack, rules, frame, now);
	itp_open_stack_begin_exactly(stack, stack->frames->len - 1);
	stack->seen = *now;
}

void itp_open_stack_begin_exactly(struct itp_open_stack *stack, uint32_t depth)
{
	struct itp_open_frame *open = itp_open_stack_frame(stack, depth);

	open->flags = BEGIN_EXACT;
	open->absent_ns = open->begin.time_ns;
}

void itp_open_stack_end_exactly(struct itp_open_stack *stack,
				const struct itp_continuity_rules *rules, uint32_t depth,
				const struct itp_moment *now)
{
	uint32_t exact =
		itp_open_stack_frame(stack, depth)->flags & BEGIN_EXACT ? ITP_INSTANCE_EXACT : 0;

	itp_open_stack_close(stack, rules, depth + 1, now, 0);
	emit(stack, rules, depth, now, now, exact);
	g_array_set_size(stack->frames, depth);
	stack->seen = *now;
}
