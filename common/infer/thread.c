/* SPDX-License-Identifier: MIT */
/*
 * An event's facts about a thread.
 */
#include "common/infer/thread.h"

#include <errno.h>

#include "common/infer/broken.h"
#include "common/infer/match.h"

void itp_thread_init(struct itp_thread *thread, int32_t pid, int32_t tid)
{
	*thread = (struct itp_thread){ .wakeup_ns = -1,
				       .edge_ns = -1,
				       .unsettled = { .begin_ns = -1 } };
	thread->activity = itp_activity_new(0);
	itp_open_stack_init(&thread->stack, pid, tid);
}

void itp_thread_release(struct itp_thread *thread)
{
	itp_open_stack_release(&thread->stack);
	itp_wakers_free(thread->unplaced);
	itp_activity_free(thread->activity);
}

static void forget_doings(struct itp_thread *thread)
{
	itp_activity_forget(thread->activity, thread->now.time_ns);
	thread->shown = itp_doing_unknown;
	thread->unsettled.begin_ns = -1;
}

void itp_thread_begin(struct itp_thread *thread, const struct itp_thread_context *context,
		      struct itp_image *image, int64_t time_ns, bool begin_unknown)
{
	thread->now.time_ns = time_ns;
	forget_doings(thread);
	thread->image = image;
	thread->syscall = (struct itp_syscall_state){ .function = ITP_FUNCTION_UNKNOWN };
	thread->root_function = ITP_FUNCTION_UNKNOWN;
	thread->root_trust = 0;
	thread->lasting_frames = UINT32_MAX;
	thread->misses_callers = false;
	thread->is_astray = false;
	thread->is_deep = false;
	thread->is_in_kernel = true;
	thread->is_parked = false;
	thread->program_ns = time_ns;
	itp_open_stack_begin(&thread->stack, &context->rules, image->function, &thread->now,
			     begin_unknown);
}

uint32_t itp_thread_making(const struct itp_thread *thread)
{
	uint32_t leaf = thread->stack.frames->len - 1;

	return thread->syscall.function != ITP_FUNCTION_UNKNOWN ?
		       itp_open_stack_frame(&thread->stack, leaf)->node :
		       ITP_CONTEXT_ROOT;
}

void itp_thread_advance(struct itp_thread *thread, int64_t time_ns)
{
	int64_t span_ns = time_ns - thread->now.time_ns;

	switch (thread->state) {
	case ITP_THREAD_RUNNING:
		thread->now.use.cpu_ns += span_ns;
		break;
	case ITP_THREAD_BLOCKED:
		thread->now.use.blocked_ns += span_ns;
		break;
	case ITP_THREAD_RUNNABLE:
		thread->now.use.runnable_ns += span_ns;
		break;
	case ITP_THREAD_MADE:
	case ITP_THREAD_STATE_UNKNOWN:
		break;
	}
	thread->now.time_ns = time_ns;
	thread->stack.heard = thread->now;
}

void itp_thread_pass(struct itp_thread *thread, const struct itp_continuity_rules *rules,
		     int64_t time_ns)
{
	struct itp_moment heard = thread->now;

	itp_thread_advance(thread, time_ns);
	if (thread->is_parked && rules->continuity != ITP_CONTINUITY_FUNCTION) {
		itp_open_stack_resume(&thread->stack, &thread->now);
	} else {
		thread->stack.heard = heard;
	}
}

/* The waiting function is the open frame at `depth`. */
static void place_wakers(struct itp_thread *thread, const struct itp_thread_context *context,
			 uint32_t depth)
{
	if (thread->unplaced) {
		itp_wakers_place(context->wakers, thread->unplaced,
				 itp_open_stack_frame(&thread->stack, depth)->node);
	}
}

static bool is_tick(const struct itp_stack_event *event)
{
	return event->kind == ITP_EVENT_SAMPLE && event->argument > 0;
}

static enum itp_gap_edge edge_of(const struct itp_stack_event *event)
{
	switch (event->kind) {
	case ITP_EVENT_SYSCALL_ENTER:
		return ITP_GAP_EDGE_ENTER;
	case ITP_EVENT_SYSCALL_EXIT:
		return ITP_GAP_EDGE_EXIT;
	case ITP_EVENT_SWITCH_OUT:
		return event->argument == 0 ? ITP_GAP_EDGE_PREEMPTION : ITP_GAP_EDGE_SWITCH;
	default:
		return is_tick(event) ? ITP_GAP_EDGE_TICK : ITP_GAP_EDGE_OTHER;
	}
}

/* Makes the frames at hand the open stack; a frame at `fresh` or above cannot continue, a frame
 * below `floor` does if it is equal. */
static void accept(struct itp_thread *thread, const struct itp_thread_context *context,
		   const struct itp_stack_event *event, uint32_t fresh, uint32_t floor)
{
	uint32_t first_new = itp_context_tree_size(context->rules.tree);
	uint32_t keep = itp_open_stack_prefix(&thread->stack, &context->rules, context->frames);
	struct itp_transition transition = {
		/* Maker of a system call, and the call itself; a call alone. */
		.prompt = fresh < context->frames->len ?
				  context->frames->len - fresh + (event->kind != ITP_EVENT_CALL) :
				  0,
		.edge = edge_of(event),
	};

	transition.keep = itp_open_stack_stayed(&thread->stack, &context->rules, context->frames,
						MIN(keep, fresh), floor);
	transition.sure = itp_open_stack_sure(&thread->stack, &context->rules, context->frames,
					      transition.keep, floor);
	if (event->complete) {
		thread->lasting_frames = thread->root_trust <= 1 ?
						 UINT32_MAX :
						 MIN(thread->lasting_frames, transition.keep - 1);
	}
	thread->is_astray = false;
	place_wakers(thread, context, transition.keep - 1);
	itp_open_stack_replace(&thread->stack, &context->rules, context->frames, &transition,
			       &thread->now);
	itp_broken_learn_below(thread, context, first_new);
}

/* The paper: every stack counts, as it was recorded. */
static bool observe_raw(struct itp_thread *thread, struct itp_thread_context *context,
			const struct itp_stack_event *event)
{
	for (size_t i = 0; i < event->frame_count; i++) {
		if (!event->frames[i].is_filled) {
			g_array_append_val(context->frames, event->frames[i]);
		}
	}
	if (event->frame_count == 0) {
		return false;
	}
	if (!event->complete) {
		itp_broken_count(&context->counts, event);
	}
	accept(thread, context, event, UINT32_MAX, 1);
	return true;
}

static int64_t wake_of(const struct itp_stack_event *exit)
{
	return exit->since_wake_ns > 0 ? exit->time_ns - exit->since_wake_ns : 0;
}

/* The thread's system call, of which the event is the exit, is in no stack. */
static void tell_unplaced(const struct itp_thread *thread, const struct itp_thread_context *context,
			  const struct itp_stack_event *exit)
{
	const int64_t enter_ns = thread->syscall.enter_ns > 0 ? thread->syscall.enter_ns :
								exit->time_ns;
	const struct itp_instance call = { .node = ITP_CONTEXT_ROOT,
					   .pid = thread->stack.pid,
					   .tid = thread->stack.tid,
					   .begin_ns = exit->time_ns,
					   .best_begin_ns = enter_ns,
					   .best_ns = exit->time_ns - enter_ns,
					   .would_block = exit->argument == -EAGAIN,
					   .words = thread->syscall.words,
					   .result = exit->argument,
					   .has_result = true,
					   .woke_ns = wake_of(exit) };

	if (context->on_unplaced) {
		context->on_unplaced(&call, thread->syscall.function, context->rules.data);
	}
}

/* Ends the thread's system call, whose exit the event is. */
static void leave_syscall(struct itp_thread *thread, const struct itp_thread_context *context,
			  const struct itp_stack_event *event)
{
	const int64_t result = event->argument;

	if (thread->syscall.function != ITP_FUNCTION_UNKNOWN) {
		uint32_t depth = itp_open_stack_find(&thread->stack, thread->syscall.function);

		if (depth > 0) {
			struct itp_open_frame *call = itp_open_stack_frame(&thread->stack, depth);

			call->would_block = result == -EAGAIN;
			call->words = thread->syscall.words;
			call->result = result;
			call->has_result = true;
			call->woke_ns = wake_of(event);
			itp_open_stack_end_exactly(&thread->stack, &context->rules, depth,
						   &thread->now);
		} else {
			tell_unplaced(thread, context, event);
		}
	}
	thread->syscall = (struct itp_syscall_state){ .function = ITP_FUNCTION_UNKNOWN };
}

/* Of a system call's exit: results after which the kernel carries out the call again, unless a
 * signal handler prevents it: ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND and
 * ERESTART_RESTARTBLOCK. */
static bool is_repeated(const struct itp_stack_event *event)
{
	return event->argument <= -512 && event->argument >= -516;
}

/* Stack at hand, as far as it is the thread's. */
struct view {
	struct itp_boundary_stack shape;
	/* Frames above the user's. */
	uint32_t kernel_count;
	/* The thread has been in the kernel since the last accepted stack. */
	bool is_same_call;
	/* Innermost frame is a system call that begins with this event. */
	bool begins_call;
};

/* From one system call to the next hardly any code of the program may have run. */
static void learn_quiet_time(struct itp_open_stack *stack, int64_t gap_ns)
{
	if (stack->quiet_ns == 0 || gap_ns < stack->quiet_ns) {
		stack->quiet_ns = gap_ns;
	}
}

/* True for a stack from the edge of a system call, where the last one has returned: taken on the
 * way out of it, or on the way into the next. */
static bool is_of_either_call(const struct itp_thread *thread,
			      const struct itp_thread_context *context, const struct view *view,
			      uint32_t leaf)
{
	return view->shape.edge == ITP_EDGE_UNCLEAR && leaf < thread->stack.frames->len &&
	       itp_open_stack_frame(&thread->stack, leaf)->has_come_back &&
	       itp_open_stack_frame(&thread->stack, leaf)->frame.address ==
		       g_array_index(context->frames, struct itp_frame, leaf).address &&
	       itp_open_stack_prefix(&thread->stack, &context->rules, context->frames) > leaf;
}

/* Notes the doings of the innermost user frame of an accepted stack at the edge of the kernel. */
static void note_edge(struct itp_open_frame *leaf, const struct itp_stack_event *event,
		      const struct view *view)
{
	if (event->kind == ITP_EVENT_SYSCALL_EXIT) {
		leaf->may_enter = is_repeated(event);
		leaf->has_come_back = true;
	} else if (view->shape.edge == ITP_EDGE_ENTERING) {
		leaf->may_enter = true;
	}
}

/* The node of the open frame at `depth`. */
static uint32_t node_at(const struct itp_thread *thread, uint32_t depth)
{
	return itp_open_stack_frame(&thread->stack, depth)->node;
}

/* Notes a timer's event: it found `node` innermost, or the recorder at work there. */
static void note_tick(struct itp_thread *thread, const struct itp_thread_context *context,
		      const struct itp_stack_event *event, uint32_t node, bool is_recorder)
{
	if (!is_tick(event)) {
		return;
	}
	if (is_recorder) {
		node = itp_strata_recorder(context->rules.strata, node);
	} else {
		itp_gap_learn(context->rules.gap,
			      itp_context_tree_get(context->rules.tree, node)->function);
	}
	itp_strata_tick(context->rules.strata, &thread->stack.log, node,
			(double)MIN(event->argument, ITP_TICK_MOST));
}

/* Depth of the open frame that is taken to have called a stack that fits nowhere: the caller of the
 * last innermost function, as far as is known. Open frames whose callers are unknown themselves
 * tell nothing, as those of C in a program of Go, which lie on another stack. */
static uint32_t depth_of_stray(const struct itp_thread *thread,
			       const struct itp_thread_context *context)
{
	const uint32_t leaf = thread->stack.frames->len - 1;
	const uint32_t unknown = itp_open_stack_find(
		&thread->stack, itp_boundary_unknown_callers(context->boundary));

	return unknown > 0 ? unknown : leaf - (thread->stack.is_after_sample && leaf > 0);
}

/* Notes a tick whose stack fits nowhere. It tells the thread's functions, if not their callers. */
static void note_stray_tick(struct itp_thread *thread, const struct itp_thread_context *context,
			    const struct itp_stack_event *event, bool is_recorder)
{
	uint32_t depth;
	uint32_t node;

	if (!is_tick(event)) {
		return;
	}
	depth = depth_of_stray(thread, context);
	node = node_at(thread, depth);
	if (depth + context->frames->len <= ITP_MAX_STACK_DEPTH) {
		uint32_t caller = ITP_CONTEXT_ROOT;

		for (guint i = 1; i < context->frames->len && node != caller; i++) {
			caller = node;
			node = itp_continuity_callee(
				&context->rules, caller,
				g_array_index(context->frames, struct itp_frame, i).function);
		}
	}
	note_tick(thread, context, event, node, is_recorder);
}

/* Accepts the frames at hand if possible. */
static bool believe(struct itp_thread *thread, struct itp_thread_context *context,
		    const struct itp_stack_event *event, const struct view *view)
{
	bool is_enter = event->kind == ITP_EVENT_SYSCALL_ENTER;
	bool is_exit = event->kind == ITP_EVENT_SYSCALL_EXIT;
	bool is_next_call = is_enter && thread->stack.is_after_call;
	int64_t gap_ns = event->time_ns - thread->stack.seen.time_ns;
	uint32_t fresh = UINT32_MAX;
	uint32_t leaf;

	if (!itp_broken_repair(thread, context, event, view->shape.user_count)) {
		note_stray_tick(thread, context, event, view->shape.is_recorder);
		return false;
	}
	if (event->filled_count > 0) {
		itp_broken_reveal_choices(thread, context);
	}
	itp_broken_reveal_caller(thread, context, context->frames->len - 1 - view->kernel_count);
	leaf = context->frames->len - 1 - view->kernel_count;
	if (!is_enter && !is_exit && is_of_either_call(thread, context, view, leaf)) {
		note_tick(thread, context, event, node_at(thread, leaf), view->shape.is_recorder);
		return false;
	}
	if (view->begins_call || event->kind == ITP_EVENT_CALL) {
		fresh = context->frames->len - 1;
	}
	accept(thread, context, event, fresh, view->is_same_call ? leaf + 1 : 1);
	if (is_next_call) {
		learn_quiet_time(&thread->stack, gap_ns);
	}
	note_tick(thread, context, event, node_at(thread, thread->stack.frames->len - 1),
		  view->shape.is_recorder);
	thread->stack.is_after_call = is_exit;
	note_edge(itp_open_stack_frame(&thread->stack, leaf), event, view);
	if (fresh != UINT32_MAX) {
		itp_open_stack_begin_exactly(&thread->stack, &context->rules, fresh);
	}
	if (view->begins_call) {
		itp_open_stack_show_calls(&thread->stack, &context->rules, leaf);
	}
	return true;
}

/* A system call is being carried out, or has just been, at `leaf`, which is at `depth`. */
static bool is_behind_call(const struct itp_thread *thread, const struct itp_stack_event *event,
			   const struct view *view, const struct itp_frame *leaf, guint depth)
{
	switch (event->kind) {
	case ITP_EVENT_SYSCALL_ENTER:
		return true;
	case ITP_EVENT_SYSCALL_EXIT:
		/* Code interrupted by a signal goes on at its place: the end of a handler is a
		 * system call that comes back to somewhere else. */
		return thread->stack.frames->len == depth + 1 &&
		       itp_open_stack_frame(&thread->stack, depth)->frame.address == leaf->address;
	default:
		return view->is_same_call || view->shape.edge == ITP_EDGE_ENTERING;
	}
}

/* Place of the thread in user mode, now or after the system call's return. */
static void look_at_leaf(const struct itp_thread *thread, const struct itp_thread_context *context,
			 const struct itp_stack_event *event, const struct view *view)
{
	const struct itp_flow *flow = &context->rules.flow;
	guint depth = (guint)view->shape.user_count;
	struct itp_frame *leaf = &g_array_index(context->frames, struct itp_frame, depth);
	struct itp_frame *code = &g_array_index(context->frames, struct itp_frame,
						itp_frames_around_inlined(context->frames, depth));

	leaf->is_exact = !is_behind_call(thread, event, view, leaf, depth);
	code->hides_caller = flow->is_frameless && event->found_by == ITP_FOUND_BY_RECORDER &&
			     flow->is_frameless(flow->data, code->function, leaf->address);
}

/* Cuts at the edge of a system call: all kernel frames are the tracer's. Behind the user's frames
 * is the call that begins, if known. Returns true with such a call. */
static bool cut_at_edge(GArray *frames, const struct itp_boundary_stack *shape,
			const struct itp_syscall_state *begun)
{
	const struct itp_frame call = { .function = begun->function };
	const bool has_call = begun->function != ITP_FUNCTION_UNKNOWN;

	itp_frames_cut(frames, (guint)shape->user_count + 1);
	if (has_call) {
		g_array_append_val(frames, call);
	}
	return has_call;
}

/* Brings the frames of an event into the shape that counts, and the thread's system call up to
 * date. */
static void look_at_frames(struct itp_thread *thread, struct itp_thread_context *context,
			   const struct itp_stack_event *event, struct view *ret_view)
{
	bool is_enter = event->kind == ITP_EVENT_SYSCALL_ENTER;
	bool is_exit = event->kind == ITP_EVENT_SYSCALL_EXIT;
	uint32_t before = thread->syscall.function;
	struct itp_boundary_stack *shape = &ret_view->shape;

	ret_view->is_same_call = false;
	ret_view->begins_call = false;
	if (is_exit) {
		ret_view->is_same_call = thread->syscall.function == ITP_FUNCTION_UNKNOWN ||
					 thread->syscall.function == event->callee;
		leave_syscall(thread, context, event);
	} else if (is_enter) {
		thread->syscall = (struct itp_syscall_state){ .function = event->callee,
							      .words = event->words,
							      .enter_ns = event->time_ns };
	}
	itp_boundary_apply(context->boundary, event, &thread->syscall, context->frames, shape);
	context->counts.interrupted_stacks += shape->interrupted;
	if (is_enter) {
		thread->syscall.shows_kernel = shape->has_kernel;
	} else if (!is_exit) {
		ret_view->is_same_call =
			thread->syscall.function != ITP_FUNCTION_UNKNOWN &&
			(before == ITP_FUNCTION_UNKNOWN || before == thread->syscall.function);
	}
	if (is_exit) {
		thread->syscall.function = ITP_FUNCTION_UNKNOWN;
	}
	if (is_enter || is_exit) {
		ret_view->begins_call = cut_at_edge(context->frames, shape, &thread->syscall);
	}
	ret_view->kernel_count = context->frames->len - 1 - (uint32_t)shape->user_count;
	if (shape->user_count > 0) {
		look_at_leaf(thread, context, event, ret_view);
	}
}

/* perf writes some events twice when threads that share its events take turns. */
static bool is_repetition(struct itp_thread *thread, const struct itp_stack_event *event)
{
	if (event->kind != ITP_EVENT_SYSCALL_ENTER && event->kind != ITP_EVENT_SYSCALL_EXIT) {
		return false;
	}
	if (thread->edge_ns == event->time_ns && thread->edge_kind == event->kind) {
		return true;
	}
	thread->edge_ns = event->time_ns;
	thread->edge_kind = event->kind;
	return false;
}

/* A call is counted, whether its stack can be believed or not. */
static void count_call(struct itp_thread *thread, const struct itp_thread_context *context,
		       const struct itp_stack_event *event)
{
	if (event->frame_count > 0) {
		itp_open_stack_count(&thread->stack, &context->rules,
				     &event->frames[event->frame_count - 1], &thread->now);
	}
}

static bool observe_by_rules(struct itp_thread *thread, struct itp_thread_context *context,
			     const struct itp_stack_event *event)
{
	struct itp_stack_event room;
	struct view view;
	bool believed;

	if (thread->is_parked) {
		itp_open_stack_stay(&thread->stack, &thread->now);
	}
	if (is_repetition(thread, event)) {
		return false;
	}
	if (event->kind == ITP_EVENT_CALL && event->frame_count <= 1 && !event->complete) {
		count_call(thread, context, event);
		return false;
	}
	event = itp_same_call_stack(thread, context, event, &room);
	look_at_frames(thread, context, event, &view);
	view.is_same_call &= thread->is_in_kernel;
	believed = believe(thread, context, event, &view);
	if (!believed && event->kind == ITP_EVENT_CALL) {
		count_call(thread, context, event);
	}
	if (event->kind == ITP_EVENT_SYSCALL_ENTER || event->kind == ITP_EVENT_SYSCALL_EXIT) {
		thread->is_in_kernel = false;
	}
	if (believed) {
		thread->is_in_kernel = thread->syscall.function != ITP_FUNCTION_UNKNOWN;
	}
	return believed;
}

static void set_state(struct itp_thread *thread, const struct itp_thread_context *context,
		      const struct itp_stack_event *event)
{
	if (event->kind == ITP_EVENT_SWITCH_OUT) {
		/* A wakeup at this very instant may have been handled first. */
		bool is_blocked = event->argument != 0 && thread->wakeup_ns != event->time_ns;

		thread->switch_out_ns = event->time_ns;
		thread->state = is_blocked ? ITP_THREAD_BLOCKED : ITP_THREAD_RUNNABLE;
	} else if (context->first_switch_ns < event->time_ns) {
		thread->state = ITP_THREAD_RUNNING;
	} else if (thread->state == ITP_THREAD_MADE) {
		/* Without switch events nobody knows whether the thread goes on running. */
		thread->state = ITP_THREAD_STATE_UNKNOWN;
	}
}

void itp_thread_observe(struct itp_thread *thread, struct itp_thread_context *context,
			const struct itp_stack_event *event)
{
	const struct itp_frame root = { .address = 0, .function = thread->image->function };
	bool believed;

	itp_frames_cut(context->frames, 0);
	g_array_append_val(context->frames, root);
	if (context->rules.continuity == ITP_CONTINUITY_FUNCTION) {
		believed = observe_raw(thread, context, event);
	} else {
		believed = observe_by_rules(thread, context, event);
	}
	thread->is_parked = believed && event->kind == ITP_EVENT_SWITCH_OUT;
	context->counts.unfollowed_stacks += believed &&
					     !itp_open_stack_is_followed(&thread->stack);
	set_state(thread, context, event);
}

void itp_thread_switch_in(struct itp_thread *thread, const struct itp_thread_context *context)
{
	/* A thread off the CPU still stands where it was. */
	if (thread->is_parked && context->rules.continuity != ITP_CONTINUITY_FUNCTION) {
		itp_open_stack_resume(&thread->stack, &thread->now);
	}
	if (thread->state == ITP_THREAD_MADE) {
		thread->now.use.runnable_ns += thread->now.time_ns - thread->switch_out_ns;
	}
	thread->is_parked = false;
	thread->state = ITP_THREAD_RUNNING;
}

bool itp_thread_wake(struct itp_thread *thread)
{
	bool was_blocked = thread->state == ITP_THREAD_BLOCKED;

	thread->wakeup_ns = thread->now.time_ns;
	if (was_blocked) {
		thread->state = ITP_THREAD_RUNNABLE;
	}
	/* Of events at an instant the wakeup may have been handled first. */
	return was_blocked && thread->wakeup_ns > thread->switch_out_ns;
}

void itp_thread_add_waker(struct itp_thread *thread, const struct itp_thread_context *context,
			  struct itp_waker *waker)
{
	uint32_t leaf = thread->stack.frames->len - 1;

	if (thread->is_parked) {
		waker->node = itp_open_stack_frame(&thread->stack, leaf)->node;
		itp_wakers_add_bounded(context->wakers, waker);
		return;
	}
	waker->node = ITP_CONTEXT_ROOT;
	if (!thread->unplaced) {
		thread->unplaced = itp_wakers_new();
	}
	itp_wakers_add_bounded(thread->unplaced, waker);
}

/* Square of a time (ns), in µs². */
static uint64_t square_us2(int64_t ns)
{
	const uint64_t us = (uint64_t)(ns / 1000);

	return us * us;
}

void itp_thread_count_waker(struct itp_thread *thread, const struct itp_thread_context *context,
			    struct itp_waker *waker)
{
	waker->role = ITP_WAKER_WOKE;
	waker->count = 1;
	waker->blocked_ns = thread->wakeup_ns - thread->switch_out_ns;
	waker->square_us2 = square_us2(waker->blocked_ns);
	itp_thread_add_waker(thread, context, waker);
}

int64_t itp_thread_waits_since(const struct itp_thread *thread)
{
	return thread->state == ITP_THREAD_RUNNABLE || thread->state == ITP_THREAD_MADE ?
		       MAX(thread->switch_out_ns, thread->wakeup_ns) :
		       -1;
}

/* An exact trace goes on behind a loss: the thread is somewhere that was entered meanwhile. */
static void end_loss(struct itp_thread *thread, const struct itp_thread_context *context)
{
	const struct itp_frame frames[] = {
		itp_open_stack_frame(&thread->stack, 0)->frame,
		{ .function = itp_boundary_unknown_callers(context->boundary), .is_assumed = true },
	};
	const struct itp_transition transition = { .sure = 1,
						   .keep = 1,
						   .edge = ITP_GAP_EDGE_OTHER };

	if (thread->stack.frames->len != G_N_ELEMENTS(frames) ||
	    itp_open_stack_frame(&thread->stack, 1)->frame.function !=
		    itp_boundary_lost(context->boundary)) {
		return;
	}
	itp_frames_cut(context->frames, 0);
	g_array_append_vals(context->frames, frames, G_N_ELEMENTS(frames));
	itp_open_stack_replace(&thread->stack, &context->rules, context->frames, &transition,
			       &thread->now);
}

void itp_thread_enter(struct itp_thread *thread, struct itp_thread_context *context,
		      const struct itp_frame *frame)
{
	/* Exits that were never recorded must not make the stack grow for ever. */
	if (thread->stack.frames->len > ITP_MAX_STACK_DEPTH) {
		thread->too_deep++;
		return;
	}
	end_loss(thread, context);
	itp_open_stack_enter(&thread->stack, &context->rules, frame, &thread->now);
	context->counts.unfollowed_stacks += !itp_open_stack_is_followed(&thread->stack);
}

void itp_thread_leave(struct itp_thread *thread, const struct itp_thread_context *context,
		      const struct itp_frame *frame)
{
	if (thread->too_deep > 0) {
		thread->too_deep--;
		return;
	}
	for (uint32_t depth = thread->stack.frames->len - 1; depth > 0; depth--) {
		if (!frame || itp_open_stack_frame(&thread->stack, depth)->frame.function ==
				      frame->function) {
			itp_open_stack_end_exactly(&thread->stack, &context->rules, depth,
						   &thread->now);
			return;
		}
	}
	end_loss(thread, context);
}

void itp_thread_be_in_call(struct itp_thread *thread, uint32_t function)
{
	if (thread->syscall.function == function && thread->syscall.enter_ns != 0) {
		/* Nothing new: its begin was seen. */
		return;
	}
	thread->syscall = (struct itp_syscall_state){ .function = function,
						      .shows_kernel = true,
						      .is_for_next = true };
	/* The last stack may have been in another call. */
	thread->is_in_kernel = false;
}

void itp_thread_leave_unseen(struct itp_thread *thread)
{
	thread->syscall = (struct itp_syscall_state){ .function = ITP_FUNCTION_UNKNOWN };
}

void itp_thread_lose(struct itp_thread *thread, const struct itp_thread_context *context)
{
	place_wakers(thread, context, 0);
	itp_open_stack_lose(&thread->stack, &context->rules, itp_boundary_lost(context->boundary),
			    &thread->now);
	thread->syscall = (struct itp_syscall_state){ .function = ITP_FUNCTION_UNKNOWN };
	thread->state = ITP_THREAD_STATE_UNKNOWN;
	thread->is_in_kernel = true;
	thread->is_parked = false;
	forget_doings(thread);
}

static void close_all(struct itp_thread *thread, const struct itp_thread_context *context,
		      uint32_t flags)
{
	place_wakers(thread, context, 0);
	itp_open_stack_close(&thread->stack, &context->rules, 0, &thread->now, flags);
}

/* Doings of a process before it ran another program are its maker's. */
static void count_program(const struct itp_thread *thread, const struct itp_thread_context *context)
{
	const struct itp_waker started = {
		.node = thread->started_by,
		.role = ITP_WAKER_STARTED,
		.process = thread->image->function,
		.count = 1,
		.blocked_ns = thread->now.time_ns - thread->program_ns,
	};

	if (thread->started_by != ITP_CONTEXT_ROOT) {
		itp_wakers_add_bounded(context->wakers, &started);
	}
}

void itp_thread_exec(struct itp_thread *thread, const struct itp_thread_context *context,
		     struct itp_image *image, int64_t time_ns)
{
	if (thread->has_other_program) {
		count_program(thread, context);
	}
	close_all(thread, context, 0);
	thread->has_other_program = true;
	itp_thread_begin(thread, context, image, time_ns, false);
}

void itp_thread_end(struct itp_thread *thread, const struct itp_thread_context *context,
		    uint32_t flags)
{
	count_program(thread, context);
	close_all(thread, context, flags);
}
