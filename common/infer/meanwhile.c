/* SPDX-License-Identifier: MIT */
/*
 * See meanwhile.h. Functions of C libraries, in which many wait and wake, tell nothing.
 */
#include "common/infer/meanwhile.h"

#include "common/infer/stretches.h"
#include "common/infer/thread.h"

/* Thread that waited, and its waker, or NULL. All weak. */
struct waiting {
	struct itp_wake_stack *wake_stack;
	const struct itp_thread_context *context;
	struct itp_thread *thread;
	const struct itp_thread *waking;
	/* From the begin of the wait until the wakeup. */
	int64_t begin_ns;
};

static uint32_t function_of_node(const struct itp_context_tree *tree, uint32_t node)
{
	return itp_context_tree_get(tree, node)->function;
}

size_t itp_meanwhile_shared(const struct itp_thread *thread, const struct itp_stack_event *event)
{
	const GArray *open = thread->stack.frames;
	size_t depth = 0;

	while (depth < event->frame_count && depth + 1 < open->len &&
	       event->frames[depth].function ==
		       g_array_index(open, struct itp_open_frame, depth + 1).frame.function) {
		depth++;
	}
	return depth;
}

/* User's function within `depth` frames of `event`, whose stack `thread` has now, unless it was not
 * believed. */
static struct itp_doing doing_at(struct itp_wake_stack *wake_stack,
				 const struct itp_context_tree *tree,
				 const struct itp_thread *thread,
				 const struct itp_stack_event *event, size_t depth)
{
	size_t user_depth = itp_wake_stack_user(wake_stack, event, depth);
	const GArray *open = thread->stack.frames;
	struct itp_doing doing = itp_doing_unknown;

	if (user_depth == 0) {
		return doing;
	}
	doing.process = thread->image->function;
	doing.function = event->frames[user_depth - 1].function;
	doing.keeper = doing.function;
	doing.keeper_process = doing.process;
	if (user_depth < open->len) {
		uint32_t node = g_array_index(open, struct itp_open_frame, user_depth).node;

		doing.node = function_of_node(tree, node) == doing.function ? node :
									      ITP_CONTEXT_ROOT;
	}
	return doing;
}

static bool is_between_waits(const struct itp_thread *thread)
{
	return thread->unsettled.begin_ns >= 0;
}

bool itp_meanwhile_may_wait_on(const struct itp_thread *thread)
{
	return is_between_waits(thread);
}

/* True when the thread, whose wait ended for nothing, may wait on: `event`, which it has observed,
 * shows it in the same function, and in no other system call, except one that tells the time. */
static bool may_wait_on(const struct itp_thread *thread, const struct itp_boundary *boundary,
			const struct itp_stack_event *event)
{
	const struct itp_unsettled_wait *wait = &thread->unsettled;

	return wait->doing.node == thread->shown.node &&
	       wait->doing.function == thread->shown.function &&
	       (event->kind != ITP_EVENT_SYSCALL_ENTER || event->callee == wait->syscall ||
		itp_boundary_tells_time(boundary, event->callee));
}

/* The end of the wait was everything the thread waited for. */
static void settle_wait(struct itp_thread *thread)
{
	if (is_between_waits(thread)) {
		itp_activity_add(thread->activity, thread->unsettled.end_ns,
				 &thread->unsettled.doing);
		thread->unsettled.begin_ns = -1;
	}
}

void itp_meanwhile_note(struct itp_wake_stack *wake_stack, const struct itp_thread_context *context,
			struct itp_thread *thread, const struct itp_stack_event *event,
			size_t shared)
{
	const struct itp_context_tree *tree = context->rules.tree;
	struct itp_doing doing = itp_doing_unknown;

	if (event->frame_count == 0) {
		/* The thread returns from its system call. */
		doing = event->kind == ITP_EVENT_SYSCALL_EXIT ? thread->shown : doing;
	} else {
		thread->shown = doing_at(wake_stack, tree, thread, event, event->frame_count);
		/* A timer shows the thread's place meanwhile. */
		if (event->kind != ITP_EVENT_SAMPLE && shared < event->frame_count) {
			doing = doing_at(wake_stack, tree, thread, event, shared);
		}
		doing = doing.process != ITP_FUNCTION_UNKNOWN ? doing : thread->shown;
	}
	if (is_between_waits(thread) && may_wait_on(thread, context->boundary, event)) {
		return;
	}
	settle_wait(thread);
	if (doing.process != ITP_FUNCTION_UNKNOWN) {
		itp_activity_add(thread->activity, event->time_ns, &doing);
	}
}

/* Until `time_ns` the thread waited for a CPU, if its begin is known. */
static void note_queue(struct itp_thread *thread, int64_t time_ns)
{
	const struct itp_doing queued = { .process = thread->image->function,
					  .function = ITP_FUNCTION_UNKNOWN,
					  .keeper = ITP_FUNCTION_UNKNOWN,
					  .keeper_process = thread->image->function,
					  .is_queued = true };
	int64_t since_ns = itp_thread_waits_since(thread);

	itp_activity_add(thread->activity, since_ns < 0 ? time_ns : since_ns, &itp_doing_unknown);
	itp_activity_add(thread->activity, time_ns, &queued);
}

void itp_meanwhile_go_on(struct itp_thread *thread, int64_t time_ns)
{
	if (thread->state != ITP_THREAD_BLOCKED) {
		if (!is_between_waits(thread)) {
			note_queue(thread, time_ns);
		}
		return;
	}
	/* Nobody was seen to end the wait, as when time does so on an idle CPU. */
	if (!is_between_waits(thread)) {
		thread->unsettled = (struct itp_unsettled_wait){
			.begin_ns = thread->switch_out_ns,
			.syscall = thread->syscall.function,
			.doing = thread->shown,
		};
	}
	thread->unsettled.end_ns = time_ns;
}

/* Innermost function of the waker both in the context `node` and now; ITP_FUNCTION_UNKNOWN where no
 * such function tells anything. */
static uint32_t lasting_function(const struct waiting *waiting, uint32_t node)
{
	const struct itp_context_tree *tree = waiting->context->rules.tree;
	const GArray *open = waiting->waking->stack.frames;
	uint32_t at = node;

	for (uint32_t depth = itp_context_tree_get(tree, at)->depth; depth > 1; depth--) {
		if (depth <= open->len &&
		    g_array_index(open, struct itp_open_frame, depth - 1).node == at &&
		    !itp_wake_stack_passes_on(waiting->wake_stack, function_of_node(tree, at))) {
			return function_of_node(tree, at);
		}
		at = itp_context_tree_get(tree, at)->parent;
	}
	return ITP_FUNCTION_UNKNOWN;
}

/* True where the waker waited meanwhile in the function in which the woken thread did: both were in
 * a queue, as for a lock, and whoever kept the one waiting did so to the other. */
static bool was_in_queue_too(const struct waiting *waiting, const struct itp_doing *doing)
{
	const uint32_t place = function_of_node(waiting->context->rules.tree, doing->node);

	return doing->function != place && place == waiting->thread->shown.function;
}

/* Sets the function of the waker for which `doing` was done, be it by others that it waited for.
 * Left alone where none is known. */
static void find_keeper(const struct waiting *waiting, struct itp_doing *doing)
{
	uint32_t keeper;

	if (doing->node == ITP_CONTEXT_ROOT || was_in_queue_too(waiting, doing)) {
		return;
	}
	keeper = lasting_function(waiting, doing->node);
	if (keeper != ITP_FUNCTION_UNKNOWN) {
		doing->keeper = keeper;
		doing->keeper_process = waiting->waking->image->function;
	}
}

static void count(const struct waiting *waiting, enum itp_waker_role role, uint32_t process,
		  uint32_t function, int64_t ns)
{
	struct itp_waker waker = {
		.role = role, .process = process, .function = function, .count = 1, .blocked_ns = ns
	};

	itp_thread_add_waker(waiting->thread, waiting->context, &waker);
}

/* Remembers the wait, for other threads waiting for its thread. */
static void remember(const struct waiting *waiting, int64_t begin_ns, int64_t end_ns,
		     const struct itp_doing *doing)
{
	itp_activity_add(waiting->thread->activity, begin_ns, &itp_doing_unknown);
	itp_activity_add(waiting->thread->activity, end_ns, doing);
}

static void count_doing(const struct waiting *waiting, const struct itp_doing *doing, int64_t ns)
{
	count(waiting, ITP_WAKER_RAN, doing->process, doing->function, ns);
	count(waiting, ITP_WAKER_KEPT, doing->keeper_process, doing->keeper, ns);
}

static void count_stretch(int64_t end_ns, int64_t ns, const struct itp_doing *doing, void *data)
{
	const struct waiting *waiting = data;
	struct itp_doing waited_for = *doing;

	if (doing->is_queued) {
		count(waiting, ITP_WAKER_QUEUED, doing->process, ITP_FUNCTION_UNKNOWN, ns);
		remember(waiting, end_ns - ns, end_ns, doing);
		return;
	}
	find_keeper(waiting, &waited_for);
	waited_for.node = waiting->thread->shown.node;
	count_doing(waiting, &waited_for, ns);
	remember(waiting, end_ns - ns, end_ns, &waited_for);
}

/* A thread that waits for the kernel keeps others waiting by the waiting function. */
static void count_stranger(const struct waiting *waiting, const struct itp_waker *waker)
{
	const struct itp_doing doing = { .process = waker->process,
					 .function = waker->function,
					 .node = waiting->thread->shown.node,
					 .keeper = waker->function,
					 .keeper_process = waker->process };
	struct itp_thread *woken = waiting->thread;
	bool is_kernel = itp_wake_stack_is_reason(waiting->wake_stack, waker->process);

	count_doing(waiting, &doing, woken->wakeup_ns - waiting->begin_ns);
	remember(waiting, waiting->begin_ns, woken->wakeup_ns, is_kernel ? &woken->shown : &doing);
}

/* Begin of the wait just ended: shared with the previous wait, if the thread waited on. Counts for
 * the previous one are taken back. */
static int64_t begin_of_wait(const struct itp_thread_context *context,
			     const struct itp_thread *woken)
{
	struct itp_waker counted = woken->unsettled.counted;

	if (!is_between_waits(woken)) {
		return woken->switch_out_ns;
	}
	if (counted.count > 0) {
		itp_wakers_remove(context->wakers, &counted);
		counted.role = ITP_WAKER_KEPT;
		itp_wakers_remove(context->wakers, &counted);
	}
	return woken->unsettled.begin_ns;
}

/* The aim of the wait, which its end does not tell, is known once the thread waits on, or does
 * not. */
static void count_unsettled(const struct waiting *waiting, const struct itp_waker *waker)
{
	struct itp_thread *woken = waiting->thread;
	int64_t ns = woken->wakeup_ns - waiting->begin_ns;

	count(waiting, ITP_WAKER_RAN, waker->process, waker->function, ns);
	count(waiting, ITP_WAKER_KEPT, waker->process, waker->function, ns);
	woken->unsettled = (struct itp_unsettled_wait){
		.begin_ns = waiting->begin_ns,
		.end_ns = woken->wakeup_ns,
		.syscall = woken->syscall.function,
		.doing = woken->shown,
		.counted = { .node = itp_stretches_leaf(woken),
			     .role = ITP_WAKER_RAN,
			     .process = waker->process,
			     .function = waker->function,
			     .count = 1,
			     .blocked_ns = ns },
	};
}

/* True when the wakeup tells the aim of the wait: time does not, nor a waker that waits itself, and
 * has only looked whether it must wait on. */
static bool settles(const struct waiting *waiting, const struct itp_waker *waker)
{
	return !waiting->thread->is_parked ||
	       (!itp_wake_stack_is_timer(waiting->wake_stack, waker->process) &&
		!(waiting->waking && is_between_waits(waiting->waking)));
}

void itp_meanwhile_count(struct itp_wake_stack *wake_stack,
			 const struct itp_thread_context *context, struct itp_thread *woken,
			 const struct itp_thread *waking, const struct itp_waker *waker)
{
	struct waiting waiting = {
		.wake_stack = wake_stack,
		.context = context,
		.thread = woken,
		.waking = waking && waker->process == waking->image->function ? waking : NULL,
		.begin_ns = begin_of_wait(context, woken),
	};

	woken->unsettled.begin_ns = -1;
	if (!settles(&waiting, waker)) {
		count_unsettled(&waiting, waker);
	} else if (!waiting.waking || waking == woken) {
		count_stranger(&waiting, waker);
	} else {
		itp_activity_each(waking->activity, waiting.begin_ns, woken->wakeup_ns,
				  count_stretch, &waiting);
		itp_activity_add(woken->activity, woken->wakeup_ns, &itp_doing_unknown);
	}
}
