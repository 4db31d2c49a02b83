/* SPDX-License-Identifier: MIT */
/*
 * See same-call.h. The frames that are open are those of the call only if its enter was believed,
 * and reach the thread's root only if they begin with the function that does so for certain.
 */
#include "common/infer/same-call.h"

/* Depth of the open frame of the thread's system call, if that is the event's too; else 0. */
static uint32_t depth_of_call(const struct itp_thread *thread, const struct itp_boundary *boundary,
			      const struct itp_stack_event *event)
{
	const uint32_t call = thread->syscall.function;

	if (!thread->is_in_kernel || call == ITP_FUNCTION_UNKNOWN ||
	    event->kind == ITP_EVENT_SYSCALL_ENTER ||
	    (event->kind == ITP_EVENT_SYSCALL_EXIT &&
	     (event->callee != call || !itp_boundary_comes_back(boundary, call)))) {
		return 0;
	}
	return itp_thread_syscall_depth(thread);
}

static bool reaches_root(const struct itp_thread *thread)
{
	return thread->root_trust > 0 &&
	       itp_open_stack_frame(&thread->stack, 1)->frame.function == thread->root_function;
}

/* As nearly all do: the event shows as many frames as are open. Tells that sooner than it can tell
 * how many there are. */
static bool shows_all(const struct itp_thread *thread, const struct itp_stack_event *event,
		      size_t open_count)
{
	return event->frame_count >= open_count &&
	       itp_open_stack_frame(&thread->stack, (uint32_t)open_count)->frame.address ==
		       event->frames[open_count - 1].address;
}

/* Frames of the program, which come first. */
static size_t count_user(struct itp_boundary *boundary, const struct itp_stack_event *event)
{
	size_t count = 0;

	while (count < event->frame_count &&
	       itp_boundary_is_user(boundary, event->frames[count].function)) {
		count++;
	}
	return count;
}

/* The event shows less of the program than the `open_count` frames that are open, and nothing
 * else: it stands at the same place. Without the kernel's frames only the exit tells that the
 * thread has been in the call until now. */
static bool shows_less(const struct itp_thread *thread, struct itp_boundary *boundary,
		       const struct itp_stack_event *event, size_t user_count, size_t open_count)
{
	if (event->frame_count == 0) {
		return event->kind == ITP_EVENT_SYSCALL_EXIT;
	}
	if (user_count == event->frame_count ?
		    event->kind != ITP_EVENT_SYSCALL_EXIT :
		    itp_boundary_is_interrupt(boundary, event->frames[user_count].function)) {
		return false;
	}
	return user_count > 0 && user_count < open_count &&
	       itp_open_stack_frame(&thread->stack, (uint32_t)open_count)->frame.address ==
		       event->frames[user_count - 1].address;
}

static void put_frames(const struct itp_thread *thread, GArray *frames, uint32_t open_count,
		       const struct itp_stack_event *event, size_t user_count)
{
	g_array_set_size(frames, 0);
	for (uint32_t depth = 1; depth <= open_count; depth++) {
		g_array_append_val(frames, itp_open_stack_frame(&thread->stack, depth)->frame);
	}
	if (event->frame_count > user_count) {
		g_array_append_vals(frames, event->frames + user_count,
				    (guint)(event->frame_count - user_count));
	}
}

const struct itp_stack_event *itp_same_call_stack(const struct itp_thread *thread,
						  struct itp_thread_context *context,
						  const struct itp_stack_event *event,
						  struct itp_stack_event *room)
{
	uint32_t depth = depth_of_call(thread, context->boundary, event);
	uint32_t open_count = depth > 0 ? depth - 1 : 0;
	const struct itp_frame *leaf;
	size_t user_count;

	if (open_count == 0 || shows_all(thread, event, open_count) || !reaches_root(thread)) {
		return event;
	}
	user_count = count_user(context->boundary, event);
	if (!shows_less(thread, context->boundary, event, user_count, open_count) ||
	    open_count + event->frame_count - user_count > ITP_MAX_STACK_DEPTH) {
		return event;
	}
	put_frames(thread, context->lent_frames, open_count, event, user_count);
	leaf = &itp_open_stack_frame(&thread->stack, open_count)->frame;
	*room = *event;
	room->frames = (const struct itp_frame *)(void *)context->lent_frames->data;
	room->frame_count = context->lent_frames->len;
	if (thread->misses_callers && event->frame_count > 0) {
		/* What is put in is what was known before, and no more complete. */
		return room;
	}
	room->complete = true;
	room->end = ITP_STACK_END_ROOT;
	room->found_by = leaf->hides_caller ? ITP_FOUND_BY_RECORDER : ITP_FOUND_BY_RULE;
	return room;
}
