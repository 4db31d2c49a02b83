/* SPDX-License-Identifier: MIT */
/*
 * Open frames of a thread: closing, opening. match.c finds out which of them go on.
 *
 * Between two stacks some frames returned, innermost first, and others were called, outermost
 * first. Times are left to gap.h, so that spans nest like the calls.
 *
 * Invariant: after an accepted stack the open frames are exactly its frames. They share the instant
 * "last seen", and a stack event costs only the frames that change.
 */
#include "common/infer/continuity.h"

#include <string.h>

/* Set on a frame whose begin was recorded; becomes ITP_INSTANCE_EXACT if its end is too. */
#define BEGIN_EXACT (1u << 31)

void itp_open_stack_init(struct itp_open_stack *stack, int32_t pid, int32_t tid)
{
	*stack = (struct itp_open_stack){ .pid = pid, .tid = tid, .name = g_strdup("") };
	stack->frames = g_array_new(FALSE, FALSE, sizeof(struct itp_open_frame));
	itp_gap_log_init(&stack->log);
}

void itp_open_stack_release(struct itp_open_stack *stack)
{
	g_array_free(stack->frames, TRUE);
	stack->frames = NULL;
	g_free(stack->name);
	itp_gap_log_release(&stack->log);
}

void itp_open_stack_set_name(struct itp_open_stack *stack, const char *name)
{
	if (*name && strcmp(stack->name, name) != 0) {
		g_free(stack->name);
		stack->name = g_strdup(name);
	}
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
		.max_calls = 1,
		.run_begin_ns = now->time_ns,
		.shortest_run_ns = INT64_MAX,
		.best_begin = *now,
	};

	g_array_set_size(stack->frames, 0);
	g_array_append_val(stack->frames, root);
	stack->seen = *now;
	stack->heard = *now;
	stack->settled = *now;
	itp_gap_log_begin(&stack->log, root.node, ITP_GAP_EDGE_OTHER);
	stack->begin_unknown = begin_unknown;
	stack->is_after_call = false;
}

/* When the program went on after the last stack. */
static struct itp_moment after_tracer(const struct itp_open_stack *stack,
				      const struct itp_moment *to)
{
	struct itp_moment from = stack->seen;
	struct itp_time_use use = to->use;
	int64_t quiet_ns;

	if (stack->settled.time_ns > from.time_ns) {
		return stack->settled;
	}
	itp_time_use_add(&use, &from.use, -1);
	quiet_ns =
		MIN(stack->quiet_ns, to->time_ns - from.time_ns - use.blocked_ns - use.runnable_ns);
	from.time_ns += quiet_ns;
	from.use.cpu_ns += MIN(quiet_ns, use.cpu_ns);
	return from;
}

static bool is_followed(const struct itp_open_stack *stack, uint32_t depth)
{
	return depth == 0 || itp_open_stack_frame(stack, depth)->node !=
				     itp_open_stack_frame(stack, depth - 1)->node;
}

uint32_t itp_open_stack_find(const struct itp_open_stack *stack, uint32_t function)
{
	uint32_t depth = stack->frames->len - 1;

	while (depth > 0 && itp_open_stack_frame(stack, depth)->frame.function != function) {
		depth--;
	}
	return depth;
}

bool itp_open_stack_is_followed(const struct itp_open_stack *stack)
{
	return is_followed(stack, stack->frames->len - 1);
}

uint32_t itp_continuity_callee(const struct itp_continuity_rules *rules, uint32_t caller,
			       uint32_t function)
{
	uint32_t node;

	if (G_LIKELY(itp_context_tree_size(rules->tree) < rules->max_contexts)) {
		return itp_context_tree_child(rules->tree, caller, function);
	}
	node = itp_context_tree_find(rules->tree, caller, function);
	return node == ITP_CONTEXT_ROOT ? caller : node;
}

/* Finds the nodes of the frames at hand from `keep` on, below open frame `keep` - 1. Returns the
 * innermost frame's node. */
static uint32_t find_nodes(const struct itp_open_stack *stack,
			   const struct itp_continuity_rules *rules, const GArray *frames,
			   uint32_t keep)
{
	uint32_t node = itp_open_stack_frame(stack, keep - 1)->node;
	bool is_left = !is_followed(stack, keep - 1);

	if (rules->nodes->len < frames->len) {
		g_array_set_size(rules->nodes, frames->len);
	}
	for (uint32_t d = keep; d < frames->len; d++) {
		uint32_t caller = node;

		if (!is_left) {
			node = itp_continuity_callee(
				rules, caller, g_array_index(frames, struct itp_frame, d).function);
			is_left = node == caller;
		}
		g_array_index(rules->nodes, uint32_t, d) = node;
	}
	return node;
}

/* In the next part of the gap, `function` was innermost at `node`. */
static void add_gap_part(const struct itp_continuity_rules *rules, struct itp_gap_log *learnt,
			 uint32_t node, uint32_t function, bool is_instant)
{
	if (learnt) {
		itp_gap_add_part(rules->gap,
				 itp_strata_part(rules->strata, learnt, node, is_instant ? 0 : 1));
	} else if (is_instant) {
		itp_gap_add_part(rules->gap, 0);
	} else {
		itp_gap_add(rules->gap, function);
	}
}

static void add_returns(const struct itp_open_stack *stack,
			const struct itp_continuity_rules *rules, struct itp_gap_log *learnt,
			uint32_t keep)
{
	for (uint32_t d = stack->frames->len; d-- > keep;) {
		const struct itp_open_frame *open = itp_open_stack_frame(stack, d);

		add_gap_part(rules, learnt, open->node, open->frame.function,
			     d + 1 == stack->frames->len && stack->is_after_call);
	}
}

/* The log of a gap without a tick, if ticks have said something of such gaps; otherwise NULL. */
static struct itp_gap_log *find_learnt(struct itp_open_stack *stack,
				       const struct itp_continuity_rules *rules, uint32_t after,
				       enum itp_gap_edge edge, const struct itp_moment *to)
{
	if (edge == ITP_GAP_EDGE_TICK || stack->is_after_sample ||
	    to->time_ns == stack->settled.time_ns ||
	    !itp_strata_learnt(rules->strata, &stack->log, after, edge)) {
		return NULL;
	}
	return &stack->log;
}

/* Begins the gap between the last stack of `stack` and `to`: open frames from `keep` on return in
 * it; then `frames`, at rules->nodes, the innermost at `after`, are called, the last `prompt` of
 * them right at the end. Without ticks in the gap, ticks of similar gaps are used. */
static void begin_gap(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		      const GArray *frames, uint32_t after, const struct itp_transition *transition,
		      const struct itp_moment *to)
{
	const struct itp_open_frame *kept = itp_open_stack_frame(stack, transition->keep - 1);
	const struct itp_moment from = after_tracer(stack, to);
	struct itp_gap_log *learnt = find_learnt(stack, rules, after, transition->edge, to);

	itp_gap_begin(rules->gap, &from, to,
		      stack->is_after_sample && transition->edge == ITP_GAP_EDGE_TICK);
	add_returns(stack, rules, learnt, transition->keep);
	/* After a loss nothing is known of anybody until the next stack. */
	add_gap_part(rules, learnt, kept->node, kept->frame.function,
		     stack->begin_unknown && stack->frames->len > 1);
	for (uint32_t d = transition->keep; d < frames->len; d++) {
		add_gap_part(rules, learnt, g_array_index(rules->nodes, uint32_t, d),
			     g_array_index(frames, struct itp_frame, d).function,
			     d + transition->prompt >= frames->len);
	}
}

/* The innermost open frame was innermost until `until`. */
static void settle_leaf(struct itp_open_stack *stack, const struct itp_moment *until)
{
	uint32_t leaf = stack->frames->len - 1;

	itp_gap_log_give(&stack->log, itp_open_stack_frame(stack, leaf)->node,
			 until->use.cpu_ns - stack->settled.use.cpu_ns);
	stack->settled = *until;
}

void itp_open_stack_end_gap(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			    enum itp_gap_edge edge)
{
	uint32_t leaf = stack->frames->len - 1;

	if (edge != ITP_GAP_EDGE_TICK && edge != ITP_GAP_EDGE_PREEMPTION) {
		itp_strata_end_gap(rules->strata, &stack->log,
				   itp_open_stack_frame(stack, leaf)->node, edge);
	}
}

static bool is_counted(const struct itp_continuity_rules *rules, uint32_t function)
{
	return function < rules->counted->len && g_array_index(rules->counted, bool, function);
}

void itp_continuity_tell_calls(const struct itp_continuity_rules *rules, uint32_t function)
{
	if (function >= rules->counted->len) {
		g_array_set_size(rules->counted, function + 1);
	}
	g_array_index(rules->counted, bool, function) = true;
}

/* Flags about the number of calls beside open frame `open`. */
static uint32_t count_flags(const struct itp_continuity_rules *rules,
			    const struct itp_open_frame *open)
{
	if (open->flags & ITP_INSTANCE_COUNTED) {
		return 0;
	}
	if (is_counted(rules, open->frame.function)) {
		return ITP_INSTANCE_PART;
	}
	return open->shows ? ITP_INSTANCE_SHOWS : 0;
}

static void emit(const struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		 uint32_t depth, const struct itp_moment *last_seen, const struct itp_moment *end,
		 const struct itp_moment *gone, uint32_t flags)
{
	const struct itp_open_frame *open = itp_open_stack_frame(stack, depth);
	struct itp_instance instance = {
		.node = open->node,
		.pid = stack->pid,
		.tid = stack->tid,
		.depth = depth,
		.thread_name = depth == 0 ? stack->name : "",
		.begin_ns = open->begin.time_ns,
		.conservative_ns = last_seen->time_ns - open->begin.time_ns,
		.aggressive_ns = gone->time_ns - open->begin.time_ns,
		.lower_ns = MIN(open->shortest_run_ns, last_seen->time_ns - open->run_begin_ns),
		.upper_ns = gone->time_ns - open->absent_ns,
		.use = last_seen->use,
		.max_calls = open->max_calls,
		.window = open->window,
		.unseen_calls = open->unseen_calls,
		.would_block = open->would_block,
		.words = open->words,
		.result = open->result,
		.has_result = open->has_result,
		.woke_ns = open->woke_ns,
		.flags = (open->flags | flags | count_flags(rules, open)) & ~BEGIN_EXACT,
		.best_begin_ns = open->best_begin.time_ns,
		.best_ns = end->time_ns - open->best_begin.time_ns,
		.best_use = end->use,
	};

	if (!is_followed(stack, depth)) {
		return;
	}
	itp_time_use_add(&instance.use, &open->begin.use, -1);
	itp_time_use_add(&instance.best_use, &open->best_begin.use, -1);
	rules->on_instance(&instance, rules->data);
}

static void close_frames(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			 uint32_t depth, const struct itp_moment *now, uint32_t flags)
{
	while (stack->frames->len > MAX(depth, 1)) {
		struct itp_moment end = itp_gap_next(rules->gap);
		uint32_t last = stack->frames->len - 1;

		settle_leaf(stack, &end);
		emit(stack, rules, last, &stack->seen, &end, now, flags);
		g_array_set_size(stack->frames, last);
	}
	if (depth == 0) {
		settle_leaf(stack, &stack->heard);
		itp_open_stack_end_gap(stack, rules, ITP_GAP_EDGE_OTHER);
		emit(stack, rules, 0, &stack->heard, &stack->heard, now, flags);
		g_array_set_size(stack->frames, 0);
	}
}

/* The gap until `to`, in which the open frames from `keep` on return and nothing more is known. */
static void begin_returns(const struct itp_open_stack *stack,
			  const struct itp_continuity_rules *rules, uint32_t keep,
			  const struct itp_moment *to)
{
	const struct itp_open_frame *kept = itp_open_stack_frame(stack, keep - 1);
	const struct itp_moment from = after_tracer(stack, to);

	itp_gap_begin(rules->gap, &from, to, false);
	add_returns(stack, rules, NULL, keep);
	add_gap_part(rules, NULL, kept->node, kept->frame.function, false);
}

void itp_open_stack_close(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  uint32_t depth, const struct itp_moment *now, uint32_t flags)
{
	bool hides_callee = depth > 0 && depth < stack->frames->len &&
			    itp_open_stack_frame(stack, depth)->frame.hides_caller;

	/* Nothing is known of the thread after its last sign of life. */
	begin_returns(stack, rules, MAX(depth, 1), &stack->heard);
	close_frames(stack, rules, depth, now, flags);
	if (hides_callee) {
		itp_open_stack_frame(stack, depth - 1)->hides_callee = true;
	}
	stack->is_after_call = false;
}

/* Tells the opening of the innermost frame. */
static void tell_call(const struct itp_open_stack *stack, const struct itp_continuity_rules *rules)
{
	uint32_t depth = stack->frames->len - 1;
	const struct itp_open_frame *open = itp_open_stack_frame(stack, depth);
	const struct itp_call call = {
		.node = open->node,
		.pid = stack->pid,
		.tid = stack->tid,
		.depth = depth,
		.time_ns = open->begin.time_ns,
		.call_site = itp_open_stack_frame(stack, depth - 1)->frame.address,
	};

	rules->on_call(&call, rules->data);
}

/* Finds the window of a call. A call older than the watching is of no window, and stands for itself
 * alone. In windows events tell each call of a function once known to tell, so that others of its
 * calls began in none. */
static void find_window(struct itp_open_frame *open, const struct itp_continuity_rules *rules)
{
	const struct itp_window *window = &rules->window;

	if (open->flags & ITP_INSTANCE_BEGIN_UNKNOWN || window->number == 0) {
		return;
	}
	open->unseen_calls = is_counted(rules, open->frame.function) &&
					     !(open->flags & ITP_INSTANCE_COUNTED) ?
				     -1 :
				     itp_window_unseen(window, open->best_begin.time_ns);
	open->window = open->unseen_calls > 0 ? window->number : 0;
}

static void open_frame(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		       const struct itp_frame *frame, uint32_t node,
		       const struct itp_moment *best_begin, const struct itp_moment *now)
{
	struct itp_open_frame open = {
		.frame = *frame,
		.node = node,
		.flags = (stack->begin_unknown ? ITP_INSTANCE_BEGIN_UNKNOWN : 0) |
			 (frame->is_filled ? ITP_INSTANCE_FILLED : 0),
		.absent_ns = stack->begin_unknown ? now->time_ns : stack->seen.time_ns,
		.begin = *now,
		.max_calls = 1,
		.run_begin_ns = now->time_ns,
		.shortest_run_ns = INT64_MAX,
		.best_begin = *best_begin,
	};

	settle_leaf(stack, best_begin);
	find_window(&open, rules);
	g_array_append_val(stack->frames, open);
	if (rules->on_call && itp_open_stack_is_followed(stack)) {
		tell_call(stack, rules);
	}
}

/* The function may be in another call from now on. */
static void begin_run(struct itp_open_frame *open, int64_t seen_ns, int64_t now_ns)
{
	open->shortest_run_ns = MIN(open->shortest_run_ns, seen_ns - open->run_begin_ns);
	open->run_begin_ns = now_ns;
	open->max_calls++;
}

/* Moves the kept open frames to the places in `frames`. */
static void move_kept_frames(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			     const GArray *frames, const struct itp_transition *transition,
			     int64_t now_ns)
{
	for (uint32_t d = 1; d < transition->keep; d++) {
		struct itp_open_frame *open = itp_open_stack_frame(stack, d);
		const struct itp_frame *frame = &g_array_index(frames, struct itp_frame, d);

		open->has_come_back &= open->frame.address == frame->address;
		open->frame = *frame;
		open->flags &= frame->is_filled ? UINT32_MAX : ~(uint32_t)ITP_INSTANCE_FILLED;
		open->hides_callee = false;
		if (d >= transition->sure && !is_counted(rules, frame->function)) {
			begin_run(open, stack->seen.time_ns, now_ns);
		}
	}
}

void itp_open_stack_replace(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			    const GArray *frames, const struct itp_transition *transition,
			    const struct itp_moment *now)
{
	uint32_t keep = transition->keep;
	uint32_t after = find_nodes(stack, rules, frames, keep);

	begin_gap(stack, rules, frames, after, transition, now);
	close_frames(stack, rules, keep, now, 0);
	move_kept_frames(stack, rules, frames, transition, now->time_ns);
	for (uint32_t d = keep; d < frames->len; d++) {
		struct itp_moment begin = stack->begin_unknown ? *now : itp_gap_next(rules->gap);

		open_frame(stack, rules, &g_array_index(frames, struct itp_frame, d),
			   g_array_index(rules->nodes, uint32_t, d), &begin, now);
	}
	settle_leaf(stack, now);
	itp_open_stack_end_gap(stack, rules, transition->edge);
	stack->seen = *now;
	stack->begin_unknown = false;
	stack->is_after_call = false;
	stack->is_after_sample = transition->edge == ITP_GAP_EDGE_TICK;
}

/* Opens `frame` above the innermost one at `now`. */
static void open_above(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		       const struct itp_frame *frame, const struct itp_moment *now)
{
	uint32_t leaf = stack->frames->len - 1;
	uint32_t node = itp_open_stack_frame(stack, leaf)->node;

	if (itp_open_stack_is_followed(stack)) {
		node = itp_continuity_callee(rules, node, frame->function);
	}
	open_frame(stack, rules, frame, node, now, now);
}

void itp_open_stack_lose(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			 uint32_t function, const struct itp_moment *now)
{
	const struct itp_frame frame = { .function = function };
	uint32_t node =
		itp_context_tree_child(rules->tree, itp_open_stack_frame(stack, 0)->node, function);

	itp_open_stack_close(stack, rules, 1, now, ITP_INSTANCE_END_UNKNOWN | ITP_INSTANCE_LOST);
	settle_leaf(stack, now);
	itp_open_stack_end_gap(stack, rules, ITP_GAP_EDGE_OTHER);
	open_frame(stack, rules, &frame, node, now, now);
	stack->seen = *now;
	stack->begin_unknown = true;
}

void itp_open_stack_enter(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  const struct itp_frame *frame, const struct itp_moment *now)
{
	uint32_t depth = stack->frames->len;

	open_above(stack, rules, frame, now);
	/* From the event on, time is the call's. */
	itp_gap_log_begin(&stack->log, itp_open_stack_frame(stack, depth)->node,
			  ITP_GAP_EDGE_OTHER);
	itp_open_stack_begin_exactly(stack, rules, depth);
	itp_open_stack_frame(stack, depth)->is_entered = true;
	stack->seen = *now;
}

void itp_open_stack_begin_exactly(struct itp_open_stack *stack,
				  const struct itp_continuity_rules *rules, uint32_t depth)
{
	struct itp_open_frame *open = itp_open_stack_frame(stack, depth);

	itp_continuity_tell_calls(rules, open->frame.function);
	open->flags = BEGIN_EXACT | ITP_INSTANCE_COUNTED;
	open->absent_ns = open->begin.time_ns;
	open->best_begin = open->begin;
	find_window(open, rules);
}

void itp_open_stack_end_exactly(struct itp_open_stack *stack,
				const struct itp_continuity_rules *rules, uint32_t depth,
				const struct itp_moment *now)
{
	const struct itp_open_frame *open = itp_open_stack_frame(stack, depth);
	uint32_t exact = open->flags & BEGIN_EXACT ? ITP_INSTANCE_EXACT : 0;

	itp_open_stack_close(stack, rules, depth + 1, now, 0);
	settle_leaf(stack, now);
	emit(stack, rules, depth, now, now, now, exact);
	itp_open_stack_end_gap(stack, rules, ITP_GAP_EDGE_EXIT);
	g_array_set_size(stack->frames, depth);
	itp_gap_log_begin(&stack->log, itp_open_stack_frame(stack, depth - 1)->node,
			  ITP_GAP_EDGE_EXIT);
	stack->seen = *now;
}

void itp_open_stack_resume(struct itp_open_stack *stack, const struct itp_moment *now)
{
	settle_leaf(stack, now);
	stack->seen = *now;
}

void itp_open_stack_stay(struct itp_open_stack *stack, const struct itp_moment *now)
{
	settle_leaf(stack, now);
}

void itp_open_stack_count(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
			  const struct itp_frame *frame, const struct itp_moment *now)
{
	uint32_t depth = stack->frames->len;

	open_above(stack, rules, frame, now);
	itp_open_stack_begin_exactly(stack, rules, depth);
	emit(stack, rules, depth, now, now, now, ITP_INSTANCE_END_UNKNOWN);
	g_array_set_size(stack->frames, depth);
}

void itp_open_stack_show(const struct itp_open_stack *stack,
			 const struct itp_continuity_rules *rules, const struct itp_moment *now)
{
	const struct itp_moment *seen = &stack->seen;

	for (uint32_t d = stack->frames->len; d-- > 0;) {
		if (itp_open_stack_frame(stack, d)->is_entered) {
			seen = now;
		}
		emit(stack, rules, d, seen, seen, now, ITP_INSTANCE_END_UNKNOWN);
	}
}
