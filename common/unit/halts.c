/* SPDX-License-Identifier: MIT */
/*
 * See halts.h. A call is handed out behind all its callees: the calls that have ended since a wait,
 * and their depth, tell the functions that have stayed.
 */
#include "common/unit/halts.h"

#include <string.h>

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/unit/call-contexts.h"
#include "common/unit/past.h"
#include "common/unit/path-sets.h"

/* A system call in no context. */
struct unplaced {
	struct itp_instance call;
	enum itp_descriptor_use use;
	bool is_of_messages;
	bool is_for_events;
	bool is_poll;
};

struct thread {
	/* 0: not known yet. */
	int32_t pid;
	/* True after the first wait. */
	bool has_waited;
	uint32_t left_depth;
	bool is_unsure;
	/* The kernel was seen waiting for data in the present system call; or doing anything. */
	bool is_for_data;
	bool is_in_kernel;
	/* Owned by this. */
	struct itp_past past;
	/* Members of struct itp_halt. The array is owned by this. */
	GArray *paths;
	struct itp_talk talk;
	/* The thread has read of a client on a descriptor of answers, and has not answered
	 * since. */
	bool has_question;
	/* Descriptor of the thread's latest note to its own process, not read by the thread since;
	 * −1. */
	int32_t noted;
	/* Number of paths at the last answer. */
	guint answered_paths;
	/* The latest system call is an execve() that did not return. */
	bool is_executing;
	/* Thread that ended the latest wait, and the time. */
	int32_t signaller;
	int64_t signal_ns;
	/* struct unplaced, until the calls before them are told. Owned by this. */
	GArray *unplaced;
	/* int64_t by node: time of the last return from a wait there. Owned by this. */
	GHashTable *returns;
};

#define NS_PER_MS INT64_C(1000000)
/* Most messages of a call, by the kernel (UIO_MAXIOV). */
#define MESSAGES_MOST 1024

struct itp_halts {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	itp_halt_func on_halt;
	void *data;
	/* struct thread by tid. Owned by this. */
	GHashTable *threads;
	/* Owned by this. */
	struct itp_call_contexts *contexts;
	/* Facts about descriptors, wakeups, requests and new threads. Owned by this. */
	struct itp_conversations *conversations;
	struct itp_causes *causes;
	struct itp_requests *requests;
	struct itp_births *births;
	uint64_t wakeups;
	/* A system call has told its arguments. */
	bool has_words;
};

static void free_halting_thread(gpointer data)
{
	struct thread *thread = data;

	itp_past_release(&thread->past);
	g_array_unref(thread->paths);
	g_array_unref(thread->unplaced);
	g_hash_table_unref(thread->returns);
	g_free(thread);
}

struct itp_halts *itp_halts_new(const struct itp_context_tree *tree,
				const struct itp_function_table *functions, itp_halt_func on_halt,
				void *data)
{
	struct itp_halts *halts = g_new0(struct itp_halts, 1);

	halts->tree = tree;
	halts->functions = functions;
	halts->on_halt = on_halt;
	halts->data = data;
	halts->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_halting_thread);
	halts->contexts = itp_call_contexts_new(tree, functions);
	halts->conversations = itp_conversations_new();
	halts->causes = itp_causes_new();
	halts->requests = itp_requests_new(halts->conversations, halts->causes);
	halts->births = itp_births_new();
	return halts;
}

void itp_halts_free(struct itp_halts *halts)
{
	g_hash_table_unref(halts->threads);
	itp_call_contexts_free(halts->contexts);
	itp_births_free(halts->births);
	itp_requests_free(halts->requests);
	itp_causes_free(halts->causes);
	itp_conversations_free(halts->conversations);
	g_free(halts);
}

static struct thread *thread_with_halts(struct itp_halts *halts, int32_t tid)
{
	struct thread *thread = g_hash_table_lookup(halts->threads, GINT_TO_POINTER(tid));

	if (!thread) {
		thread = g_new0(struct thread, 1);
		thread->noted = -1;
		itp_past_init(&thread->past);
		thread->paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		thread->unplaced = g_array_new(FALSE, FALSE, sizeof(struct unplaced));
		thread->returns = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
		g_hash_table_insert(halts->threads, GINT_TO_POINTER(tid), thread);
	}
	return thread;
}

/* ---- Contexts ---- */

/* True when the wait proves that its context waits: the thread has left the CPU blocked, and for
 * data the kernel's functions, if recorded, are ones that wait for data. */
static bool is_proof(const struct thread *thread, enum itp_wait_class class,
		     const struct itp_instance *wait)
{
	return wait->use.blocked_ns > 0 &&
	       (class != ITP_WAIT_CLASS_DATA || thread->is_for_data || !thread->is_in_kernel);
}

/* Class of the ended system call's wait; for a call that only looks (*ret_only_looks), the class of
 * data or none. */
static enum itp_wait_class class_of(struct itp_halts *halts, const struct thread *thread,
				    const struct itp_instance *wait, bool *ret_only_looks)
{
	struct itp_call_context *context = itp_call_contexts_at(halts->contexts, wait->node);
	const enum itp_wait_class class = context->class;

	context->is_proven |= is_proof(thread, class, wait);
	if (class == ITP_WAIT_CLASS_DATA && wait->would_block && wait->use.blocked_ns == 0) {
		context->is_look = true;
	}
	*ret_only_looks = !context->is_proven || context->is_look;
	return *ret_only_looks && class != ITP_WAIT_CLASS_DATA ? ITP_WAIT_CLASS_NONE : class;
}

/* ---- Calls ---- */

/* Depth in the tree, where the thread itself is a node. */
static uint32_t depth_of_instance(const struct itp_instance *instance)
{
	return instance->depth + 1;
}

static void leave_call(struct thread *thread, const struct itp_instance *call)
{
	thread->left_depth = MIN(thread->left_depth, depth_of_instance(call));
}

/* Innermost function outside of the kernel, such as a system call, at or above `node`. */
static uint32_t program_node(const struct itp_halts *halts, uint32_t node)
{
	while (node != ITP_CONTEXT_ROOT &&
	       itp_context_function(halts->tree, halts->functions, node)->layer ==
		       ITP_LAYER_KERNEL) {
		node = itp_context_tree_get(halts->tree, node)->parent;
	}
	return node;
}

void itp_halts_add_stretch(struct itp_halts *halts, const struct itp_stretch *stretch)
{
	struct thread *thread = thread_with_halts(halts, stretch->tid);

	/* A stretch without a context: its stack was not believed. */
	thread->is_unsure |= stretch->node == ITP_CONTEXT_ROOT;
	if (stretch->kind == ITP_STRETCH_WAIT) {
		thread->signaller = stretch->waker_tid;
		thread->signal_ns = stretch->end_ns;
		halts->wakeups += stretch->end == ITP_WAIT_WOKEN;
		itp_causes_wake(halts->causes, stretch->tid, stretch->waker_tid, stretch->end_ns);
	}
	itp_past_add(&thread->past, stretch,
		     stretch->ticks > 0 ? program_node(halts, stretch->node) : ITP_CONTEXT_ROOT);
}

/* Forgets all until a wait that lasts from `begin_ns` to `end_ns`. */
static void forget_past(struct thread *thread, int64_t begin_ns, int64_t end_ns)
{
	itp_past_forget(&thread->past, begin_ns, end_ns);
	thread->left_depth = UINT32_MAX;
	thread->is_unsure = false;
	g_array_set_size(thread->paths, 0);
	thread->answered_paths = 0;
}

static enum itp_halt_outcome outcome_of(const struct itp_instance *wait,
					const struct itp_call_context *context)
{
	if (!wait->has_result || context->is_for_signals) {
		return ITP_HALT_UNKNOWN;
	}
	if (itp_wait_is_interruption(wait->result)) {
		return ITP_HALT_INTERRUPTED;
	}
	/* A signalled futex returns 0, and descriptors are 0 and more. */
	return wait->result > 0 || (wait->result == 0 && (context->class == ITP_WAIT_CLASS_SIGNAL ||
							  context->use == ITP_DESCRIPTOR_ACCEPTS)) ?
		       ITP_HALT_SOMETHING :
		       ITP_HALT_NOTHING;
}

/* Origin of the end of a wait that blocked until `end_ns`. */
static enum itp_halt_cause cause_of(const struct itp_halts *halts, const struct thread *thread,
				    const struct itp_instance *wait, int64_t end_ns)
{
	const int64_t *before = g_hash_table_lookup(thread->returns, GUINT_TO_POINTER(wait->node));

	if (halts->wakeups == 0 || wait->use.blocked_ns == 0) {
		return ITP_CAUSE_UNKNOWN;
	}
	return itp_causes_is_own(halts->causes, wait->tid, before ? *before : INT64_MIN, end_ns) ?
		       ITP_CAUSE_OWN :
		       ITP_CAUSE_OTHERS;
}

static void note_return(struct thread *thread, uint32_t node, int64_t end_ns)
{
	int64_t *before = g_hash_table_lookup(thread->returns, GUINT_TO_POINTER(node));

	if (!before) {
		before = g_new(int64_t, 1);
		g_hash_table_insert(thread->returns, GUINT_TO_POINTER(node), before);
	}
	*before = end_ns;
}

/* Sets the uses of time since the wait before: until `end_ns`, the last answer, the last
 * question. */
static void add_uses(const struct thread *thread, struct itp_halt *halt, int64_t end_ns)
{
	const struct itp_past *past = &thread->past;

	itp_past_sum(past, end_ns, &halt->before_use, &halt->use);
	itp_spans_sum(past->spans, past->since_ns, halt->request.answered_ns, &halt->answered_use);
	itp_spans_sum(past->spans, past->since_ns, halt->request.asked_ns, &halt->asked_use);
}

/* The last stretch is told when the wait has ended: all time without a CPU is known then. */
static struct itp_time_use run_use_of(const struct thread *thread, int64_t run_ns, int64_t end_ns)
{
	struct itp_time_use use = { 0, 0, 0 };

	itp_spans_sum(thread->past.spans, run_ns, end_ns, &use);
	use.cpu_ns = end_ns - run_ns - use.runnable_ns;
	return use;
}

static int64_t due_of(const struct itp_instance *wait, const struct itp_call_context *context)
{
	const int32_t timeout_ms = context->timeout_word > 0 && wait->words.are_known ?
					   (int32_t)wait->words.words[context->timeout_word] :
					   -1;

	return timeout_ms < 0 ? INT64_MAX : wait->best_begin_ns + (int64_t)timeout_ms * NS_PER_MS;
}

/* True when the call reads the thread's own latest note. */
static bool reads_own_note(const struct thread *thread, const struct itp_instance *call,
			   enum itp_descriptor_use use)
{
	return use == ITP_DESCRIPTOR_READ && thread->noted >= 0 &&
	       thread->noted == itp_instance_descriptor(call) && call->has_result &&
	       call->result > 0;
}

/* Takes a call, perhaps the write of a note to the own process, or the read of a note. */
static void take_note(const struct itp_halts *halts, struct thread *thread,
		      const struct itp_instance *call, enum itp_descriptor_use use)
{
	if (reads_own_note(thread, call, use)) {
		thread->noted = -1;
	} else if (use == ITP_DESCRIPTOR_WRITTEN &&
		   itp_conversations_of(halts->conversations, call) == ITP_CONVERSATION_LISTENS) {
		thread->noted = itp_instance_descriptor(call);
	}
}

static void add_halt(struct itp_halts *halts, struct thread *thread,
		     const struct itp_instance *wait, enum itp_wait_class class, bool only_looks,
		     const struct itp_request_state *request)
{
	const int64_t end_ns = itp_instance_end_ns(wait);
	const bool was_ended = thread->signal_ns > wait->best_begin_ns &&
			       thread->signal_ns <= end_ns;
	const struct itp_call_context *context = itp_call_contexts_at(halts->contexts, wait->node);
	struct itp_time_use own = { 0, 0, 0 };
	struct itp_halt halt = {
		.pid = wait->pid,
		.tid = wait->tid,
		.node = wait->node,
		.class = class,
		.only_looks = only_looks,
		.would_block = wait->would_block,
		.reads_own_note = reads_own_note(thread, wait, context->use),
		.finds_one = wait->has_result && wait->result == 1,
		.accepts = context->use == ITP_DESCRIPTOR_ACCEPTS,
		.outcome = outcome_of(wait, context),
		.cause = cause_of(halts, thread, wait, end_ns),
		.side = class == ITP_WAIT_CLASS_DATA ?
				itp_conversations_of(halts->conversations, wait) :
				ITP_CONVERSATION_UNKNOWN,
		.descriptor = itp_instance_descriptor(wait),
		.answer = itp_conversations_last_answer(halts->conversations, wait),
		.request = *request,
		.begin_ns = wait->best_begin_ns,
		.end_ns = end_ns,
		.due_ns = due_of(wait, context),
		.signaller = was_ended ? thread->signaller : 0,
		.signal_ns = thread->signal_ns,
		.left_depth = thread->has_waited ? thread->left_depth : 0,
		.is_unsure = thread->has_waited && thread->is_unsure,
		.talk = thread->talk,
		.paths = thread->paths,
		.ticks = thread->past.ticks,
	};

	itp_past_remove_ticks(&thread->past, wait->node);
	add_uses(thread, &halt, halt.begin_ns);
	itp_spans_sum(thread->past.spans, halt.begin_ns, end_ns, &own);
	halt.blocked_ns = own.blocked_ns;
	halt.run_ns = itp_spans_run_since(thread->past.spans, halt.begin_ns, end_ns);
	halt.run_use = run_use_of(thread, halt.run_ns, end_ns);
	halts->on_halt(&halt, halts->data);
	note_return(thread, wait->node, end_ns);
	forget_past(thread, halt.begin_ns, end_ns);
	thread->has_waited = true;
	thread->left_depth = depth_of_instance(wait);
}

/* True when a thread of the same process has ended the latest wait of `call`, between its begin and
 * `end_ns`. */
static bool is_woken_by_own(const struct itp_halts *halts, const struct thread *thread,
			    const struct itp_instance *call, int64_t end_ns)
{
	const struct thread *signaller =
		g_hash_table_lookup(halts->threads, GINT_TO_POINTER(thread->signaller));

	return signaller && signaller->pid == call->pid &&
	       thread->signal_ns > call->best_begin_ns && thread->signal_ns <= end_ns;
}

static void note_wait(struct itp_halts *halts, const struct thread *thread,
		      const struct itp_instance *call, enum itp_descriptor_use use, bool is_poll,
		      int64_t end_ns)
{
	const struct itp_wait_manner how = {
		.is_own = is_woken_by_own(halts, thread, call, end_ns),
		.is_for_one = is_poll && call->words.are_known && call->words.words[1] == 1,
	};

	itp_requests_wait(halts->requests, call, use,
			  itp_spans_run_since(thread->past.spans, call->best_begin_ns, end_ns),
			  how);
}

/* Halt at a read of a client with a stack not believed. It begins with the call, or at the thread's
 * return to a CPU from a wait in it. */
static void add_unplaced_halt(struct itp_halts *halts, struct thread *thread,
			      const struct itp_instance *call,
			      const struct itp_request_state *request)
{
	const int64_t end_ns = call->begin_ns;
	const int64_t run_ns = itp_spans_run_since(thread->past.spans, call->best_begin_ns, end_ns);
	struct itp_halt halt = {
		.pid = call->pid,
		.tid = call->tid,
		.node = ITP_CONTEXT_ROOT,
		.class = ITP_WAIT_CLASS_DATA,
		.is_unplaced = true,
		.would_block = call->would_block,
		.outcome = call->result > 0 ? ITP_HALT_SOMETHING : ITP_HALT_NOTHING,
		.side = ITP_CONVERSATION_SERVES,
		.descriptor = itp_instance_descriptor(call),
		.answer = itp_conversations_last_answer(halts->conversations, call),
		.request = *request,
		.begin_ns = run_ns < end_ns ? run_ns : call->best_begin_ns,
		.end_ns = end_ns,
		.run_ns = end_ns,
		.left_depth = thread->left_depth,
		.is_unsure = thread->is_unsure,
		.talk = thread->talk,
		.paths = thread->paths,
		.ticks = thread->past.ticks,
	};

	add_uses(thread, &halt, halt.begin_ns);
	halts->on_halt(&halt, halts->data);
	forget_past(thread, halt.begin_ns, halt.end_ns);
}

/* Halt between two calls: the thread leaves one request at `at_ns`, behind `path_count` of its
 * calls; later ones are for the next request, named by `halt`. */
static void add_halt_between(struct itp_halts *halts, struct thread *thread,
			     const struct itp_instance *call, struct itp_halt *halt, int64_t at_ns,
			     guint path_count)
{
	g_autoptr(GArray) later = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const uint32_t left_depth = thread->left_depth;

	halt->pid = call->pid;
	halt->tid = call->tid;
	halt->node = ITP_CONTEXT_ROOT;
	halt->outcome = ITP_HALT_SOMETHING;
	halt->begin_ns = halt->end_ns = halt->run_ns = at_ns;
	halt->left_depth = left_depth;
	halt->is_unsure = thread->is_unsure;
	halt->paths = thread->paths;
	halt->ticks = thread->past.ticks;
	g_array_append_vals(later, &g_array_index(thread->paths, uint32_t, path_count),
			    thread->paths->len - path_count);
	g_array_set_size(thread->paths, path_count);
	add_uses(thread, halt, at_ns);
	halts->on_halt(halt, halts->data);
	forget_past(thread, at_ns, at_ns);
	g_array_append_vals(thread->paths, later->data, later->len);
	thread->left_depth = left_depth;
}

/* Halt between two answers: the thread is about to answer another request, and need not have waited
 * for it. */
static void add_next_halt(struct itp_halts *halts, struct thread *thread,
			  const struct itp_instance *call, int64_t next_ns)
{
	struct itp_halt halt = {
		.next_ns = next_ns,
		.descriptor = -1,
		.request = itp_requests_state(halts->requests, call->tid),
		.talk = thread->talk,
	};

	add_halt_between(halts, thread, call, &halt,
			 MAX(halt.request.answered_ns, thread->past.since_ns),
			 thread->answered_paths);
}

/* Halt at a turn to another open request, or to one read by another thread (`client` is −1): at the
 * answer to the one before, or, without an answer, at this call. */
static void add_turn_halt(struct itp_halts *halts, struct thread *thread,
			  const struct itp_instance *call, int32_t client,
			  const struct itp_request_state *before)
{
	const bool is_answered = before->answered == before->owner &&
				 before->answered_ns > thread->past.since_ns;
	struct itp_halt halt = {
		.is_turn = true,
		.descriptor = -1,
		.request = *before,
		.talk = thread->talk,
	};

	halt.request.client = client;

	add_halt_between(halts, thread, call, &halt,
			 is_answered ? before->answered_ns : call->best_begin_ns,
			 is_answered ? thread->answered_paths : thread->paths->len);
}

/* Takes the next call that tells of requests, with at most one answer. `datagrams` is that of
 * itp_requests_note(). */
static void note_one_answer(struct itp_halts *halts, struct thread *thread,
			    const struct itp_instance *call, enum itp_descriptor_use use,
			    int64_t datagrams)
{
	const struct itp_request_state before = itp_requests_state(halts->requests, call->tid);
	const int64_t next_ns = itp_requests_next(halts->requests, call, use);
	const int32_t client = itp_requests_turn(halts->requests, call, use);

	if (thread->has_waited && next_ns > 0) {
		add_next_halt(halts, thread, call, next_ns);
	} else if (thread->has_waited && client >= 0) {
		add_turn_halt(halts, thread, call, client, &before);
	} else if (thread->has_waited && itp_requests_answers_another(halts->requests, call, use,
								      thread->past.since_ns)) {
		add_turn_halt(halts, thread, call, client, &before);
	}
	itp_requests_note(halts->requests, call, use, datagrams, thread->past.spans);
}

/* Takes the next call that tells of requests, perhaps a call with several answers: each takes the
 * same part of the time for which the thread ran, as if it were a call of its own. */
static void note_request(struct itp_halts *halts, struct thread *thread,
			 const struct itp_instance *call, enum itp_descriptor_use use,
			 bool is_of_messages)
{
	const int64_t messages =
		is_of_messages && call->has_result ? MIN(call->result, MESSAGES_MOST) : 0;
	const int64_t end_ns = itp_instance_end_ns(call);
	struct itp_time_use use_of_call = { 0, 0, 0 };
	struct itp_instance part = *call;
	int64_t part_ns;

	if (use != ITP_DESCRIPTOR_WRITTEN || messages <= 1) {
		note_one_answer(halts, thread, call, use, messages);
		return;
	}
	itp_spans_sum(thread->past.spans, call->best_begin_ns, end_ns, &use_of_call);
	part_ns = (call->best_ns - use_of_call.runnable_ns - use_of_call.blocked_ns) / messages;
	part.best_use.runnable_ns = 0;
	part.result = 1;
	for (int64_t i = 0; i < messages; i++) {
		part.best_ns = itp_spans_after_running(thread->past.spans, part.best_begin_ns,
						       end_ns, part_ns) -
			       part.best_begin_ns;
		if (i > 0 || part.woke_ns > itp_instance_end_ns(&part)) {
			/* Only the first wakeup of a call is told, and where a later part begins is
			 * a guess. */
			part.woke_ns = 0;
		}
		note_one_answer(halts, thread, &part, use, 0);
		part.best_begin_ns = itp_instance_end_ns(&part);
	}
}

/* Takes a call that has made a thread or a process. */
static void note_birth(struct itp_halts *halts, const struct itp_instance *call,
		       enum itp_descriptor_use use)
{
	if (use == ITP_DESCRIPTOR_INHERITED && call->has_result && call->result > 0) {
		itp_births_note(halts->births, (int32_t)call->result, call->tid,
				call->best_begin_ns);
	}
}

static void note_one_unplaced(struct itp_halts *halts, struct thread *thread,
			      const struct unplaced *unplaced)
{
	const struct itp_instance *call = &unplaced->call;
	const int32_t client = itp_requests_show(halts->requests, call, unplaced->use);
	struct itp_request_state before;

	before = itp_requests_state(halts->requests, call->tid);
	before.client = client;
	note_request(halts, thread, call, unplaced->use, unplaced->is_of_messages);
	note_birth(halts, call, unplaced->use);
	if (unplaced->is_for_events) {
		note_wait(halts, thread, call, unplaced->use, unplaced->is_poll, call->begin_ns);
	}
	take_note(halts, thread, call, unplaced->use);
	if (unplaced->use == ITP_DESCRIPTOR_WRITTEN) {
		thread->answered_paths = thread->paths->len;
	}
	if (thread->has_waited && unplaced->use == ITP_DESCRIPTOR_READ &&
	    call->begin_ns >= thread->past.since_ns &&
	    itp_conversations_of(halts->conversations, call) == ITP_CONVERSATION_SERVES) {
		add_unplaced_halt(halts, thread, call, &before);
	}
}

static void add_path(const struct itp_halts *halts, struct thread *thread,
		     const struct itp_instance *call)
{
	const bool asks = itp_conversations_of(halts->conversations, call) == ITP_CONVERSATION_ASKS;
	const uint32_t path = call->node | (asks ? ITP_PATH_ASKS : 0);

	itp_path_set_add(thread->paths, &path, 1);
}

/* Counts bytes for clients. The sender of bytes not answered on their descriptor may be a client,
 * too, unless the thread has a client's open question: then the bytes may be the output of a
 * program begun by the thread. */
static void add_talk(const struct itp_halts *halts, struct thread *thread,
		     const struct itp_instance *call, enum itp_descriptor_use use)
{
	const enum itp_conversation side = itp_conversations_of(halts->conversations, call);
	const int32_t descriptor = itp_instance_descriptor(call);

	if (!call->has_result || call->result <= 0) {
		return;
	}
	if (use == ITP_DESCRIPTOR_READ && side == ITP_CONVERSATION_SERVES) {
		itp_talk_add(&thread->talk, descriptor, (uint64_t)call->result, 0);
		thread->has_question = true;
	} else if (use == ITP_DESCRIPTOR_READ && side == ITP_CONVERSATION_LISTENS &&
		   !thread->has_question) {
		itp_talk_add(&thread->talk, descriptor, (uint64_t)call->result, 0);
	} else if (use == ITP_DESCRIPTOR_WRITTEN && side == ITP_CONVERSATION_SERVES) {
		itp_talk_add(&thread->talk, descriptor, 0, (uint64_t)call->result);
		thread->has_question = false;
	}
}

/* Takes the unplaced calls that had returned at `time_ns`. */
static void note_unplaced(struct itp_halts *halts, struct thread *thread, int64_t time_ns)
{
	guint count = 0;

	while (count < thread->unplaced->len) {
		struct unplaced unplaced = g_array_index(thread->unplaced, struct unplaced, count);

		if (unplaced.call.begin_ns > time_ns) {
			break;
		}
		unplaced.use = itp_conversations_resolve(halts->conversations, &unplaced.call,
							 unplaced.use);
		note_one_unplaced(halts, thread, &unplaced);
		if (!unplaced.is_of_messages) {
			add_talk(halts, thread, &unplaced.call, unplaced.use);
		}
		count++;
	}
	if (count > 0) {
		g_array_remove_range(thread->unplaced, 0, count);
	}
}

/* Ends the thread's course: later calls have nothing to do with earlier ones. */
static void cut(struct itp_halts *halts, struct thread *thread, const struct itp_instance *instance)
{
	const bool is_end = instance->depth == 0 && !(instance->flags & ITP_INSTANCE_LOST);
	const bool is_unknown = instance->flags & ITP_INSTANCE_END_UNKNOWN;
	struct itp_birth birth;
	struct itp_halt halt;

	note_unplaced(halts, thread, itp_instance_end_ns(instance));
	halt = (struct itp_halt){
		.pid = instance->pid,
		.tid = instance->tid,
		.node = ITP_CONTEXT_ROOT,
		.is_recording_end = is_end && is_unknown,
		.is_thread_end = is_end && !is_unknown,
		.process = is_end ? instance->node : ITP_CONTEXT_ROOT,
		.request = itp_requests_state(halts->requests, instance->tid),
		.begin_ns = itp_instance_end_ns(instance),
		.end_ns = itp_instance_end_ns(instance),
		.paths = thread->paths,
		.ticks = thread->past.ticks,
	};

	if (thread->has_waited ||
	    (halt.is_thread_end && itp_births_has(halts->births, instance->tid))) {
		add_uses(thread, &halt, halt.end_ns);
		halts->on_halt(&halt, halts->data);
	} else {
		(void)itp_births_take(halts->births, instance->tid, &birth);
	}
	forget_past(thread, halt.end_ns, halt.end_ns);
	thread->has_waited = false;
}

void itp_halts_add_unplaced(struct itp_halts *halts, const struct itp_instance *call,
			    uint32_t function)
{
	const char *name = itp_function_table_get(halts->functions, function)->name +
			   strlen(ITP_SYSCALL_PREFIX);
	const struct itp_call_context context = itp_call_context_by_name(name);
	const struct unplaced unplaced = {
		.call = *call,
		.use = context.use,
		.is_of_messages = context.is_of_messages,
		.is_for_events = context.class == ITP_WAIT_CLASS_EVENT,
		.is_poll = context.is_poll,
	};

	struct thread *thread = thread_with_halts(halts, call->tid);

	if (unplaced.use != ITP_DESCRIPTOR_UNUSED || unplaced.is_for_events) {
		g_array_append_val(thread->unplaced, unplaced);
	}
	if (unplaced.use == ITP_DESCRIPTOR_INHERITED || unplaced.use == ITP_DESCRIPTOR_CONTROLLED) {
		/* The child's calls, and those on the copy, come before the maker's next one. */
		note_unplaced(halts, thread, call->begin_ns);
	}
}

static void add_syscall(struct itp_halts *halts, struct thread *thread,
			const struct itp_instance *told)
{
	const struct itp_call_context context = *itp_call_contexts_at(halts->contexts, told->node);
	struct itp_instance resolved = *told;
	const struct itp_instance *call = &resolved;
	enum itp_descriptor_use use;
	struct itp_request_state before;
	bool only_looks;
	enum itp_wait_class class = class_of(halts, thread, call, &only_looks);
	int32_t client;

	halts->has_words |= call->words.are_known;
	note_unplaced(halts, thread, call->best_begin_ns);
	use = itp_conversations_resolve(halts->conversations, &resolved, context.use);
	thread->is_executing = use == ITP_DESCRIPTOR_EXECUTES && !call->has_result;
	client = itp_requests_show(halts->requests, call, use);
	before = itp_requests_state(halts->requests, call->tid);
	before.client = client;
	note_request(halts, thread, call, use, context.is_of_messages);
	note_birth(halts, call, use);
	if (class == ITP_WAIT_CLASS_EVENT) {
		note_wait(halts, thread, call, use, context.is_poll, itp_instance_end_ns(call));
	}
	if (class != ITP_WAIT_CLASS_NONE) {
		add_halt(halts, thread, call, class, only_looks, &before);
	} else {
		add_path(halts, thread, call);
		leave_call(thread, call);
	}
	if (!context.is_of_messages) {
		add_talk(halts, thread, call, use);
	}
	take_note(halts, thread, call, use);
	if (use == ITP_DESCRIPTOR_WRITTEN) {
		thread->answered_paths = thread->paths->len;
	}
	thread->is_for_data = false;
	thread->is_in_kernel = false;
}

static void add_left_call(struct thread *thread, const struct itp_function *function,
			  const struct itp_instance *call)
{
	if (function->layer == ITP_LAYER_KERNEL) {
		thread->is_in_kernel = true;
		thread->is_for_data |= itp_wait_is_for_data(function);
	}
	thread->is_unsure |= g_str_equal(function->name, ITP_UNKNOWN_CALLERS_NAME);
	leave_call(thread, call);
}

/* True when the thread's calls have ended as it runs another program, with the same descriptors. */
static bool goes_on_elsewhere(const struct thread *thread, const struct itp_instance *instance)
{
	return instance->depth == 0 && thread->is_executing &&
	       !(instance->flags & (ITP_INSTANCE_END_UNKNOWN | ITP_INSTANCE_LOST));
}

void itp_halts_add(struct itp_halts *halts, const struct itp_instance *instance)
{
	struct thread *thread = thread_with_halts(halts, instance->tid);
	const struct itp_function *function =
		itp_context_function(halts->tree, halts->functions, instance->node);

	thread->pid = instance->pid;
	if (goes_on_elsewhere(thread, instance)) {
		leave_call(thread, instance);
		return;
	}
	if (instance->depth == 0 || (instance->flags & ITP_INSTANCE_LOST)) {
		cut(halts, thread, instance);
	} else if (function->layer == ITP_LAYER_SYSCALL) {
		add_syscall(halts, thread, instance);
	} else {
		add_left_call(thread, function, instance);
	}
	if (instance->depth == 0) {
		itp_requests_forget(halts->requests, instance->pid, instance->tid);
		itp_causes_forget(halts->causes, instance->tid);
		if (instance->tid == instance->pid) {
			itp_conversations_forget(halts->conversations, instance->pid);
		}
		g_hash_table_remove(halts->threads, GINT_TO_POINTER(instance->tid));
	}
}

struct itp_births *itp_halts_births(const struct itp_halts *halts)
{
	return halts->births;
}

bool itp_halts_have_proof(const struct itp_halts *halts)
{
	return halts->wakeups > 0 || halts->has_words;
}
