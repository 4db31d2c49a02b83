/* SPDX-License-Identifier: MIT */
/*
 * See stretches.h.
 */
#include "common/infer/stretches.h"

static uint32_t node_at(const struct itp_thread *thread, size_t depth)
{
	return itp_open_stack_frame(&thread->stack, (uint32_t)depth)->node;
}

uint32_t itp_stretches_leaf(const struct itp_thread *thread)
{
	return node_at(thread, thread->stack.frames->len - 1);
}

static enum itp_stretch_kind kind_of_state(const struct itp_thread_context *context,
					   enum itp_thread_state state)
{
	switch (state) {
	case ITP_THREAD_RUNNING:
		return ITP_STRETCH_RUN;
	case ITP_THREAD_RUNNABLE:
		return ITP_STRETCH_READY;
	case ITP_THREAD_BLOCKED:
		return ITP_STRETCH_WAIT;
	case ITP_THREAD_MADE:
		return context->first_switch_ns < INT64_MAX ? ITP_STRETCH_READY :
							      ITP_STRETCH_UNKNOWN;
	case ITP_THREAD_STATE_UNKNOWN:
		break;
	}
	return ITP_STRETCH_UNKNOWN;
}

static bool is_in_call(const struct itp_thread *thread)
{
	return thread->syscall.function != ITP_FUNCTION_UNKNOWN && !thread->syscall.is_by_stack;
}

static void tell_stretch(const struct itp_thread_context *context, struct itp_thread *thread,
			 struct itp_stretch stretch)
{
	stretch.pid = thread->stack.pid;
	stretch.tid = thread->stack.tid;
	stretch.begin_ns = thread->told_ns;
	stretch.end_ns = thread->now.time_ns;
	thread->told_ns = thread->now.time_ns;
	if (context->on_stretch &&
	    (stretch.kind == ITP_STRETCH_WAIT || stretch.begin_ns < stretch.end_ns)) {
		context->on_stretch(&stretch, context->rules.data);
	}
}

void itp_stretches_tell_leaf(const struct itp_thread_context *context, struct itp_thread *thread)
{
	if (thread->state != ITP_THREAD_BLOCKED) {
		tell_stretch(context, thread,
			     (struct itp_stretch){ .kind = kind_of_state(context, thread->state),
						   .node = itp_stretches_leaf(thread),
						   .is_in_call = is_in_call(thread) });
	}
}

struct itp_stretch itp_stretches_until(const struct itp_thread_context *context,
				       const struct itp_thread *thread,
				       const struct itp_stack_event *event)
{
	return (struct itp_stretch){
		.kind = kind_of_state(context, thread->state),
		.node = event->frame_count == 0 ? itp_stretches_leaf(thread) : ITP_CONTEXT_ROOT,
		.is_in_call = is_in_call(thread),
	};
}

/* Innermost call that was there before `time_ns`. */
static uint32_t lasting_node(const struct itp_thread *thread, int64_t time_ns)
{
	size_t depth = thread->stack.frames->len - 1;

	while (depth > 0 &&
	       itp_open_stack_frame(&thread->stack, (uint32_t)depth)->begin.time_ns >= time_ns) {
		depth--;
	}
	return node_at(thread, depth);
}

void itp_stretches_tell_shown(const struct itp_thread_context *context, struct itp_thread *thread,
			      const struct itp_stack_event *event, struct itp_stretch stretch)
{
	if (stretch.kind == ITP_STRETCH_WAIT) {
		return;
	}
	if (event->kind == ITP_EVENT_SAMPLE) {
		/* A timer shows the thread's place meanwhile. */
		stretch.node = itp_stretches_leaf(thread);
		stretch.ticks = event->argument > 0;
	} else if (event->frame_count > 0) {
		stretch.node = lasting_node(thread, thread->now.time_ns);
	}
	tell_stretch(context, thread, stretch);
}

void itp_stretches_tell_wait(const struct itp_thread_context *context, struct itp_thread *thread,
			     struct itp_stretch wait)
{
	wait.kind = ITP_STRETCH_WAIT;
	wait.node = thread->is_parked ? itp_stretches_leaf(thread) : ITP_CONTEXT_ROOT;
	tell_stretch(context, thread, wait);
}

void itp_stretches_skip(struct itp_thread *thread)
{
	thread->told_ns = thread->now.time_ns;
}
