/* SPDX-License-Identifier: MIT */
/*
 * See wait-ends.h.
 */
#include "common/infer/wait-ends.h"

#include "common/base/context-function.h"
#include "common/infer/meanwhile.h"
#include "common/infer/stretches.h"
#include "common/known/waiting-calls.h"

/* Bits of futex()'s second word: the operation, of which two wait, and whether only threads of the
 * same process may wake. */
#define FUTEX_COMMAND 0x7f
#define FUTEX_WAIT 0
#define FUTEX_WAIT_BITSET 9
#define FUTEX_IS_PRIVATE 0x80

/* System call in which the thread, which is blocked, waits; NULL where unknown. */
static const struct itp_function *syscall_of(const struct itp_thread_context *context,
					     const struct itp_thread *thread)
{
	const struct itp_context_tree *tree = context->rules.tree;
	uint32_t node = thread->is_parked ? itp_stretches_leaf(thread) : ITP_CONTEXT_ROOT;

	for (; node != ITP_CONTEXT_ROOT; node = itp_context_tree_get(tree, node)->parent) {
		const struct itp_function *function =
			itp_context_function(tree, context->functions, node);

		if (function->layer == ITP_LAYER_SYSCALL) {
			return function;
		}
	}
	return NULL;
}

/* True when it may wait for a thread of its own process to end. */
static bool may_join(const struct itp_thread *thread, const struct itp_function *syscall)
{
	const struct itp_syscall_words *words = &thread->syscall.words;
	const uint64_t command = words->words[1] & FUTEX_COMMAND;

	return words->are_known && g_strcmp0(itp_function_syscall(syscall), "futex") == 0 &&
	       (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) &&
	       (words->words[1] & FUTEX_IS_PRIVATE) == 0;
}

/* Child whose end has ended the thread's wait; NULL for none. */
static const struct itp_ended_thread *child_of(const struct itp_thread_context *context,
					       const struct itp_ended_threads *ended,
					       const struct itp_thread *thread)
{
	const struct itp_function *syscall = syscall_of(context, thread);

	return syscall && itp_function_awaits_child(syscall) ?
		       itp_ended_child(ended, thread->stack.pid, thread->switch_out_ns) :
		       NULL;
}

/* Likewise the thread of its own process. */
static const struct itp_ended_thread *joined_by(const struct itp_thread_context *context,
						const struct itp_ended_threads *ended,
						const struct itp_thread *thread)
{
	const struct itp_function *syscall = syscall_of(context, thread);

	return syscall && may_join(thread, syscall) ?
		       itp_ended_sibling(ended, thread->stack.pid, thread->switch_out_ns) :
		       NULL;
}

/* Thread whose end it waits for, by the words of its call: the kernel clears the word that is
 * waited for, which has been this thread's number. 0 for none. */
static int32_t awaited_thread(const struct itp_thread_context *context,
			      const struct itp_thread *thread)
{
	const struct itp_function *syscall = syscall_of(context, thread);
	const uint64_t tid = thread->syscall.words.words[2];

	return syscall && may_join(thread, syscall) && tid <= INT32_MAX ? (int32_t)tid : 0;
}

/* The wait of the thread has ended just now. Unless it goes on with the previous one, the previous
 * one was for its own end. */
static void add_ended_wait(const struct itp_thread_context *context,
			   const struct itp_thread *thread, const struct itp_stretch *told,
			   bool is_for_end)
{
	struct itp_stretch wait = *told;

	wait.kind = ITP_STRETCH_WAIT;
	/* Times as counted: for a stack that was not believed, at the previous place. */
	wait.node = itp_stretches_leaf(thread);
	wait.begin_ns = thread->switch_out_ns;
	wait.end_ns = thread->now.time_ns;
	if (!itp_meanwhile_may_wait_on(thread)) {
		itp_demand_settle(context->demand, thread->waits);
	}
	itp_demand_add(context->demand, thread->waits, &wait, is_for_end);
}

static struct itp_stretch ended_by(const struct itp_thread_context *context,
				   const struct itp_ended_thread *ender, enum itp_wait_end end)
{
	if (!ender) {
		return (struct itp_stretch){ .end = end };
	}
	return (struct itp_stretch){
		.end = ITP_WAIT_WOKEN,
		.waker_tid = ender->tid,
		.waker_node = ender->node,
		.waker_process = ender->process,
		.waker_function = itp_context_tree_get(context->rules.tree, ender->node)->function,
	};
}

/* Readers of stretches ask whether wakeups were recorded: joins tell them nothing of that. */
void itp_wait_ends_without(const struct itp_thread_context *context,
			   const struct itp_ended_threads *ended, struct itp_thread *thread,
			   enum itp_wait_end end)
{
	const struct itp_ended_thread *child = NULL;
	const struct itp_ended_thread *joined = NULL;
	struct itp_stretch wait;

	if (thread->state != ITP_THREAD_BLOCKED) {
		return;
	}
	if (end == ITP_WAIT_UNSEEN && itp_ended_any(ended, thread->switch_out_ns)) {
		child = child_of(context, ended, thread);
		joined = child ? NULL : joined_by(context, ended, thread);
	}
	wait = ended_by(context, child ? child : joined, end);
	if (end == ITP_WAIT_CUT) {
		wait.waker_tid = awaited_thread(context, thread);
	}
	add_ended_wait(context, thread, &wait, child || joined || wait.waker_tid != 0);
	itp_stretches_tell_wait(context, thread, ended_by(context, child, end));
}

/* A softirq above `waking` is the kernel's doing, not its own. */
void itp_wait_ends_woken(const struct itp_thread_context *context, struct itp_thread *woken,
			 const struct itp_thread *waking, const struct itp_waker *waker)
{
	bool is_thread = waking && waker->process == waking->image->function;
	const struct itp_stretch wait = {
		.end = ITP_WAIT_WOKEN,
		.waker_tid = is_thread ? waking->stack.tid : 0,
		.waker_node = is_thread ? itp_stretches_leaf(waking) : ITP_CONTEXT_ROOT,
		.waker_process = waker->process,
		.waker_function = waker->function,
	};

	add_ended_wait(context, woken, &wait, false);
	itp_stretches_tell_wait(context, woken, wait);
}

void itp_wait_ends_woken_by_end(const struct itp_thread_context *context,
				const struct itp_ended_threads *ended, struct itp_thread *woken,
				const struct itp_ended_thread *gone)
{
	const struct itp_stretch wait = ended_by(context, gone, ITP_WAIT_WOKEN);

	add_ended_wait(context, woken, &wait,
		       child_of(context, ended, woken) || joined_by(context, ended, woken));
	itp_stretches_tell_wait(context, woken, wait);
}
