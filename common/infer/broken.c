/* SPDX-License-Identifier: MIT */
/*
 * Judgement of roots, and completion of broken stacks with open frames. In a system call, the open
 * frames are of the call only if its enter was believed, and reach the thread's root only if they
 * begin with a function known as a root.
 */
#include "common/infer/broken.h"

#include "common/infer/match.h"

/* Broken stacks in a row after which the open frames end, however good the stacks before. */
#define MAX_ROOT_TRUST 4096

/* True for code that the program has made itself, as a compiler at run time: no thread begins
 * there. */
static bool is_made_code(const struct itp_thread_context *context, uint32_t function)
{
	return itp_function_is_nameless_code(itp_function_table_get(context->functions, function));
}

/* True when the root of the stack shows that frames are missing before it: another stack of the
 * process has the root function called by another, or a thread that has shown more shows a single
 * user frame, or code that the program has made, in a thread that has begun elsewhere. (Functions
 * seen at this very instant do not count: events of other threads at the same time must not
 * matter.) */
static bool has_false_root(const struct itp_thread *thread,
			   const struct itp_thread_context *context, uint32_t root,
			   size_t user_count)
{
	gpointer seen_below;

	if (root == thread->root_function || thread->root_trust == 0) {
		return false;
	}
	if ((thread->is_deep && user_count <= 1) || is_made_code(context, root)) {
		return true;
	}
	return g_hash_table_lookup_extended(thread->image->below, GUINT_TO_POINTER(root), NULL,
					    &seen_below) &&
	       (int64_t)GPOINTER_TO_SIZE(seen_below) < thread->now.time_ns;
}

/* Puts the open frame at `depth`, which the stack does not show, into the frames at hand. */
static void assume(const struct itp_thread *thread, const struct itp_thread_context *context,
		   uint32_t depth)
{
	struct itp_frame frame = itp_open_stack_frame(&thread->stack, depth)->frame;

	frame.is_assumed = true;
	g_array_insert_val(context->frames, depth, frame);
}

/* Completes a broken stack with the open frames below it; false when it fits nowhere. */
static bool repair(const struct itp_thread *thread, const struct itp_thread_context *context)
{
	uint32_t depth = itp_open_stack_fit(&thread->stack, &context->rules, context->frames);

	/* Repairs build on earlier repairs: their depth is limited. */
	if (depth + context->frames->len > ITP_MAX_STACK_DEPTH) {
		return false;
	}
	for (uint32_t d = 1; d < depth; d++) {
		assume(thread, context, d);
	}
	return depth > 0;
}

/* assume(), with the functions inlined into the open frame's. */
static void assume_with_inlined(const struct itp_thread *thread,
				const struct itp_thread_context *context, uint32_t depth)
{
	assume(thread, context, depth);
	while (itp_frame_calls_inlined(&itp_open_stack_frame(&thread->stack, depth)->frame) &&
	       depth + 1 < thread->stack.frames->len &&
	       context->frames->len <= ITP_MAX_STACK_DEPTH) {
		assume(thread, context, ++depth);
	}
}

void itp_broken_reveal_caller(const struct itp_thread *thread,
			      const struct itp_thread_context *context, uint32_t innermost)
{
	const uint32_t leaf = itp_frames_around_inlined(context->frames, innermost);
	const struct itp_frame *frames = (const struct itp_frame *)(void *)context->frames->data;
	const struct itp_frame *open;

	if (!frames[leaf].hides_caller || frames[leaf - 1].is_filled ||
	    leaf >= thread->stack.frames->len || context->frames->len > ITP_MAX_STACK_DEPTH) {
		return;
	}
	open = &itp_open_stack_frame(&thread->stack, leaf)->frame;
	if (!open->hides_caller && itp_boundary_is_user(context->boundary, open->function) &&
	    itp_open_stack_frame(&thread->stack, leaf - 1)->frame.address ==
		    frames[leaf - 1].address &&
	    itp_open_stack_prefix(&thread->stack, &context->rules, context->frames) == leaf) {
		assume_with_inlined(thread, context, leaf);
	}
}

/* The call that the open frame at `depth` was made by has not returned, as far as is known. */
static bool reveal_choice(const struct itp_thread *thread, const struct itp_thread_context *context,
			  uint32_t depth)
{
	const struct itp_frame *caller;
	const struct itp_frame *open;
	struct itp_frame *frame;

	if (depth >= context->frames->len || depth >= thread->stack.frames->len) {
		return false;
	}
	caller = &g_array_index(context->frames, struct itp_frame, depth - 1);
	frame = &g_array_index(context->frames, struct itp_frame, depth);
	open = &itp_open_stack_frame(&thread->stack, depth)->frame;
	if (!frame->is_filled ||
	    itp_open_stack_frame(&thread->stack, depth - 1)->frame.address != caller->address ||
	    !itp_function_may_be(itp_function_table_get(context->functions, frame->function),
				 itp_function_table_get(context->functions, open->function))) {
		return false;
	}
	*frame = *open;
	frame->address = itp_open_stack_code(&thread->stack, depth).address;
	frame->is_assumed = true;
	return true;
}

void itp_broken_reveal_choices(const struct itp_thread *thread,
			       const struct itp_thread_context *context)
{
	while (reveal_choice(
		thread, context,
		itp_open_stack_prefix(&thread->stack, &context->rules, context->frames))) {
	}
}

static void learn_caller(const struct itp_image *image, uint32_t function, uint32_t caller)
{
	gpointer key = GUINT_TO_POINTER(function);
	gpointer known;

	if (!g_hash_table_lookup_extended(image->callers, key, NULL, &known)) {
		g_hash_table_insert(image->callers, key, GUINT_TO_POINTER(caller));
	} else if (GPOINTER_TO_UINT(known) != caller) {
		g_hash_table_insert(image->callers, key, GUINT_TO_POINTER(ITP_CALLED_BY_SEVERAL));
	}
}

void itp_broken_learn_below(const struct itp_thread *thread,
			    const struct itp_thread_context *context, uint32_t first_new)
{
	const struct itp_context_tree *tree = context->rules.tree;
	const uint32_t unknown = itp_boundary_unknown_callers(context->boundary);

	for (uint32_t node = first_new; node < itp_context_tree_size(tree); node++) {
		const struct itp_context *new = itp_context_tree_get(tree, node);
		gpointer key = GUINT_TO_POINTER(new->function);
		uint32_t caller = itp_context_tree_get(tree, new->parent)->function;

		if (new->depth <= 2 || caller == unknown) {
			continue;
		}
		if (!g_hash_table_contains(thread->image->below, key)) {
			g_hash_table_insert(thread->image->below, key,
					    GSIZE_TO_POINTER((gsize)thread->now.time_ns));
		}
		learn_caller(thread->image, new->function, caller);
	}
}

void itp_broken_count(struct itp_infer_counts *counts, const struct itp_stack_event *event)
{
	counts->broken_stacks++;
	counts->deep_stacks += event->end == ITP_STACK_END_DEPTH;
	counts->deep_chains += event->end == ITP_STACK_END_DEPTH &&
			       event->found_by == ITP_FOUND_BY_RECORDER;
	counts->unwind_failures += event->end == ITP_STACK_END_UNWIND;
	counts->short_copies += event->end == ITP_STACK_END_SHORT_COPY;
}

/* A complete stack has `root`. */
static void trust_root(struct itp_thread *thread, uint32_t root, size_t user_count)
{
	if (root != thread->root_function) {
		thread->root_function = root;
		thread->root_trust = 0;
		thread->is_deep = false;
	}
	thread->root_trust = MIN(thread->root_trust + 1, MAX_ROOT_TRUST);
	thread->is_deep = thread->is_deep || user_count > 1;
}

/* Puts the `depth` outermost of the open frames below the frames at hand, and a stand-in for those
 * that are missing in between. */
static void mark_missing(struct itp_thread *thread, const struct itp_thread_context *context,
			 uint32_t depth, uint32_t stand_in)
{
	const struct itp_frame frame = { .function = stand_in, .is_assumed = true };

	if (depth + context->frames->len > ITP_MAX_STACK_DEPTH) {
		return;
	}
	for (uint32_t d = 1; d <= depth; d++) {
		assume(thread, context, d);
	}
	g_array_insert_val(context->frames, depth + 1, frame);
	thread->misses_callers = true;
}

static void mark_unknown_callers(struct itp_thread *thread,
				 const struct itp_thread_context *context, uint32_t depth)
{
	mark_missing(thread, context, depth, itp_boundary_unknown_callers(context->boundary));
}

/* Number of open frames below a broken stack that begins in made code: the program has entered such
 * code there, however many frames in it are missing. 0: none. */
static uint32_t callers_of_made(const struct itp_thread *thread,
				const struct itp_thread_context *context)
{
	const uint32_t open_count = thread->stack.frames->len;
	uint32_t depth = 1;

	if (!is_made_code(context, g_array_index(context->frames, struct itp_frame, 1).function)) {
		return 0;
	}
	while (depth < open_count &&
	       !is_made_code(context,
			     itp_open_stack_frame(&thread->stack, depth)->frame.function)) {
		depth++;
	}
	return depth < open_count ? depth - 1 : 0;
}

/* A thread begins to wait, nobody knows for how long, and its stack shows where, if not who called
 * that: a lone frame does, as sleep() leaves it, which uses the frame pointer for something else.
 */
static bool begins_to_wait(const struct itp_stack_event *event, size_t user_count)
{
	return event->kind == ITP_EVENT_SWITCH_OUT && event->argument != 0 && user_count > 0;
}

/* True when time passes a second time in a stack that fits nowhere, and none has fitted since the
 * thread came back from a system call: it is not at the call's place any more. */
static bool has_gone_astray(const struct itp_thread *thread, const struct itp_stack_event *event,
			    size_t user_count)
{
	return thread->is_astray && event->kind == ITP_EVENT_SAMPLE && user_count > 0;
}

/* How many of the open frames are there whatever else is: those that have been there all along. The
 * dynamic loader's are not: it starts the program when they have returned. */
static uint32_t sure_frames(const struct itp_thread *thread,
			    const struct itp_thread_context *context)
{
	if (thread->lasting_frames == UINT32_MAX ||
	    itp_function_is_of_loader(
		    itp_function_table_get(context->functions, thread->root_function))) {
		return 0;
	}
	return MIN(thread->lasting_frames, thread->stack.frames->len - 1);
}

/* The recorder's limit has cut the stack in a function that others call as well, as in a deep
 * recursion: what is open may have returned, and have been called by another since. */
static bool has_doubtful_callers(const struct itp_thread *thread,
				 const struct itp_thread_context *context,
				 const struct itp_stack_event *event)
{
	const uint32_t root = g_array_index(context->frames, struct itp_frame, 1).function;

	return event->end == ITP_STACK_END_DEPTH && event->found_by == ITP_FOUND_BY_RECORDER &&
	       GPOINTER_TO_UINT(g_hash_table_lookup(
		       thread->image->callers, GUINT_TO_POINTER(root))) == ITP_CALLED_BY_SEVERAL;
}

/* True when a broken stack is accepted, repaired or not. A stack that fits nowhere is skipped,
 * unless such stacks are the rule, as in programs without frame pointers, or the open frames would
 * have to answer for a wait, or for work elsewhere. */
static bool accepts_broken(struct itp_thread *thread, const struct itp_thread_context *context,
			   const struct itp_stack_event *event, size_t user_count)
{
	uint32_t made_callers;

	if (has_doubtful_callers(thread, context, event)) {
		mark_unknown_callers(thread, context, 0);
		return true;
	}
	if (repair(thread, context)) {
		return true;
	}
	if (thread->root_trust == 0) {
		if (user_count > 0) {
			mark_unknown_callers(thread, context, 0);
		}
		return true;
	}
	made_callers = callers_of_made(thread, context);
	if (made_callers > 0) {
		mark_missing(thread, context, made_callers,
			     itp_boundary_made_code(context->boundary));
		return true;
	}
	thread->root_trust--;
	if (begins_to_wait(event, user_count) || has_gone_astray(thread, event, user_count)) {
		mark_unknown_callers(thread, context, sure_frames(thread, context));
		return true;
	}
	if (thread->stack.is_after_call) {
		/* The maker of the last call has returned since, whatever frames are missing: such
		 * functions call nothing else, and it is not among the frames shown. */
		itp_open_stack_close(&thread->stack, &context->rules, thread->stack.frames->len - 1,
				     &thread->now, 0);
		thread->is_astray = event->kind == ITP_EVENT_SAMPLE;
	}
	return false;
}

/* How many of the program's frames are there without functions inlined into the root's. */
static size_t count_shown(const GArray *frames, size_t user_count)
{
	guint root = 1;

	while (root < user_count &&
	       itp_frame_calls_inlined(&g_array_index(frames, struct itp_frame, root))) {
		root++;
	}
	return user_count > 0 ? user_count - (root - 1) : 0;
}

bool itp_broken_repair(struct itp_thread *thread, struct itp_thread_context *context,
		       const struct itp_stack_event *event, size_t frame_count)
{
	const size_t user_count = count_shown(context->frames, frame_count);
	uint32_t root;

	if (context->frames->len == 1) {
		if (event->frame_count > 0 && !event->complete) {
			itp_broken_count(&context->counts, event);
		}
		return false;
	}
	root = g_array_index(context->frames, struct itp_frame, 1).function;
	if (event->complete && itp_boundary_leaves_stack(context->boundary, root)) {
		/* The stack is whole, but its callers are on another. */
		mark_unknown_callers(thread, context, 0);
		return true;
	}
	if (event->complete && (itp_boundary_begins_stack(context->boundary, root) ||
				!has_false_root(thread, context, root, user_count))) {
		trust_root(thread, root, user_count);
		thread->misses_callers = false;
		return true;
	}
	itp_broken_count(&context->counts, event);
	return accepts_broken(thread, context, event, user_count);
}

/* ---- Stacks out of the same system call ---- */

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
	return itp_open_stack_find(&thread->stack, thread->syscall.function);
}

static bool reaches_root(const struct itp_thread *thread)
{
	return thread->root_trust > 0 &&
	       itp_open_stack_frame(&thread->stack, 1)->frame.function == thread->root_function;
}

/* True when the event shows as many frames as are open, as nearly all do: sooner known than their
 * number. */
static bool shows_all(const struct itp_thread *thread, const struct itp_stack_event *event,
		      size_t open_count)
{
	return event->frame_count >= open_count &&
	       itp_open_stack_frame(&thread->stack, (uint32_t)open_count)->frame.address ==
		       event->frames[open_count - 1].address;
}

/* Number of the program's frames, which come first. */
static size_t count_user(struct itp_boundary *boundary, const struct itp_stack_event *event)
{
	size_t count = 0;

	while (count < event->frame_count &&
	       itp_boundary_is_user(boundary, event->frames[count].function)) {
		count++;
	}
	return count;
}

/* True when the event shows less of the program than the `open_count` open frames, and nothing
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
		/* Inserted frames are as complete as when they were seen. */
		return room;
	}
	room->complete = true;
	room->end = ITP_STACK_END_ROOT;
	room->found_by = leaf->hides_caller ? ITP_FOUND_BY_RECORDER : ITP_FOUND_BY_RULE;
	return room;
}
