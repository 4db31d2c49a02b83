/* SPDX-License-Identifier: MIT */
/*
 * See requests.h. Without recorded arguments of system calls, all reads count as of bytes sent by
 * others, and all writes as answers.
 */
#include "common/unit/requests.h"

#include <glib.h>

#include "common/base/hash.h"
#include "common/unit/owners.h"
#include "common/unit/questions.h"
#include "common/unit/returns.h"
#include "common/unit/spans.h"

#define NO_DESCRIPTOR (-1)

struct thread {
	struct itp_request_state state;
	/* Process of its open request. */
	int32_t pid;
	/* The thread has answered a client at least once. A thread that hands its reads over has no
	 * open request. */
	bool answers;
	/* Descriptor written last, without a read since; and the same at the last wait for any
	 * event. NO_DESCRIPTOR. */
	int32_t written;
	int32_t written_before_wait;
	/* Return from the latest wait for any event: since then the thread knows of its next read.
	 * INT64_MAX: it has read of a client since, and was busy with that one until it reads of
	 * another. */
	struct itp_news found;
	/* The thread has slept in its latest wait for a single descriptor, and has not read of the
	 * descriptor yet; and the time of its sleep before. */
	bool has_slept_for_one;
	int64_t slept_before_ns;
	/* The thread has slept in accept() at least once. */
	bool sleeps_in_accept;
	/* The latest answer has woken nobody: perhaps the answer is held back until more is
	 * written, as by a corked socket. */
	bool is_held_back;
	/* The answer is surely held back: the socket was corked. */
	bool is_corked;
	/* Owned by this. */
	struct itp_questions *questions;
};

static const struct itp_news no_news = { INT64_MIN, INT64_MIN };

struct itp_requests {
	/* Weak. */
	struct itp_conversations *conversations;
	struct itp_causes *causes;
	/* struct thread by tid; and the requests for which they work. Owned by this. */
	GHashTable *threads;
	struct itp_owners *owners;
	/* Owned by this. */
	struct itp_returns *returns;
	/* int64_t by node: shortest time from the begin of a write there to the wakeup of its
	 * reader. Owned by this. */
	GHashTable *ways;
};

static void free_asked_thread(gpointer data)
{
	struct thread *thread = data;

	itp_questions_free(thread->questions);
	g_free(thread);
}

struct itp_requests *itp_requests_new(struct itp_conversations *conversations,
				      struct itp_causes *causes)
{
	struct itp_requests *requests = g_new0(struct itp_requests, 1);

	requests->conversations = conversations;
	requests->causes = causes;
	requests->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_asked_thread);
	requests->owners = itp_owners_new();
	requests->returns = itp_returns_new();
	requests->ways = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return requests;
}

void itp_requests_free(struct itp_requests *requests)
{
	g_hash_table_unref(requests->threads);
	itp_owners_free(requests->owners);
	itp_returns_free(requests->returns);
	g_hash_table_unref(requests->ways);
	g_free(requests);
}

static struct itp_request_state no_state(void)
{
	return (struct itp_request_state){ .descriptor = NO_DESCRIPTOR,
					   .data_ns = INT64_MIN,
					   .hangup_ns = INT64_MIN,
					   .answered_ns = INT64_MIN,
					   .answer_since_ns = INT64_MIN,
					   .accepted_ns = INT64_MIN,
					   .asked_ns = INT64_MIN,
					   .asked = NO_DESCRIPTOR,
					   .answered = NO_DESCRIPTOR,
					   .owner = ITP_OWNER_NONE,
					   .client = ITP_OWNER_NONE };
}

static struct thread *thread_with_requests(struct itp_requests *requests, int32_t tid)
{
	struct thread *thread = g_hash_table_lookup(requests->threads, GINT_TO_POINTER(tid));

	if (!thread) {
		thread = g_new(struct thread, 1);
		*thread = (struct thread){ .state = no_state(),
					   .written = NO_DESCRIPTOR,
					   .written_before_wait = NO_DESCRIPTOR,
					   .found = no_news,
					   .slept_before_ns = INT64_MIN,
					   .questions = itp_questions_new() };
		g_hash_table_insert(requests->threads, GINT_TO_POINTER(tid), thread);
	}
	return thread;
}

static bool has_failed(const struct itp_instance *call)
{
	return call->would_block || (call->has_result && call->result < 0);
}

/* True unless the call failed or wrote no bytes, as the empty rest of a file: no answer. */
static bool says_something(const struct itp_instance *call)
{
	return !has_failed(call) && !(call->has_result && call->result == 0);
}

static void note_read(struct itp_requests *requests, struct thread *thread,
		      const struct itp_instance *call, enum itp_conversation side)
{
	const bool comes_from_others = side == ITP_CONVERSATION_SERVES ||
				       side == ITP_CONVERSATION_LISTENS || !call->words.are_known;

	if (call->has_result && call->result == 0) {
		thread->state.hangup_ns = comes_from_others ? itp_instance_end_ns(call) :
							      thread->state.hangup_ns;
		return;
	}
	if (comes_from_others) {
		thread->state.data_ns = itp_instance_end_ns(call);
	}
	thread->state.reads_clients |= side == ITP_CONVERSATION_SERVES;
	if (side == ITP_CONVERSATION_SERVES && thread->answers) {
		thread->state.place = ITP_REQUEST_OPEN;
		thread->state.descriptor = itp_instance_descriptor(call);
		thread->pid = call->pid;
		itp_owners_open(requests->owners, call->tid, thread->state.descriptor);
		itp_owners_turn(requests->owners, call->tid, thread->state.descriptor);
	}
}

static bool has_woken(const struct itp_instance *call)
{
	return call->woke_ns > 0 && call->woke_ns >= call->best_begin_ns &&
	       call->woke_ns <= itp_instance_end_ns(call);
}

/* Learns how long bytes written in the context of `call` are on their way. */
static void note_way(struct itp_requests *requests, const struct itp_instance *call)
{
	const gpointer key = GUINT_TO_POINTER(call->node);
	int64_t *way_ns = g_hash_table_lookup(requests->ways, key);

	if (!has_woken(call)) {
		return;
	}
	if (!way_ns) {
		way_ns = g_new(int64_t, 1);
		*way_ns = INT64_MAX;
		g_hash_table_insert(requests->ways, key, way_ns);
	}
	*way_ns = MIN(*way_ns, call->woke_ns - call->best_begin_ns);
}

/* Time at which a write reached its reader: a waiting one is woken then, and may take the CPU
 * before the call returns. One that does not wait has the bytes when the writer has run for as long
 * as the quickest of the same context took to wake who waited, since nobody needs to be woken;
 * where none is known, at the end, but before the writer lost its CPU. */
static int64_t arrival_of(const struct itp_requests *requests, const struct itp_instance *call,
			  const GArray *spans)
{
	const int64_t *way_ns = g_hash_table_lookup(requests->ways, GUINT_TO_POINTER(call->node));
	const int64_t latest_ns =
		itp_instance_end_ns(call) - CLAMP(call->best_use.runnable_ns, 0, call->best_ns);

	if (has_woken(call)) {
		return call->woke_ns;
	}
	return way_ns ? itp_spans_after_running(spans, call->best_begin_ns,
						itp_instance_end_ns(call), *way_ns) :
			latest_ns;
}

/* True when perhaps no byte of the write has left yet. Others of the same context that have woken
 * their reader say that none is held back there: a client that was awake waits for the end of the
 * connection then, or for nothing. */
static bool may_be_held_back(const struct itp_requests *requests, const struct itp_instance *call)
{
	return !has_woken(call) &&
	       !g_hash_table_contains(requests->ways, GUINT_TO_POINTER(call->node)) &&
	       itp_conversations_may_hold_back(requests->conversations, call);
}

/* True when the thread has read a request of the call's client, and has not answered it. */
static bool is_own_open(const struct itp_requests *requests, const struct thread *thread,
			const struct itp_instance *call)
{
	return itp_owners_is_open(requests->owners, call->tid, itp_instance_descriptor(call)) ||
	       (thread->state.place == ITP_REQUEST_OPEN &&
		thread->state.descriptor == itp_instance_descriptor(call));
}

/* True when the write to a client answers a request: an open one of the thread, or one that another
 * thread has read (`asked_ns` > 0), as a coroutine may go on in any. A process may read of one
 * descriptor and write to another of the same connection, without a read there. */
static bool is_answer(const struct itp_requests *requests, const struct thread *thread,
		      const struct itp_instance *call, int64_t asked_ns)
{
	return thread->state.place != ITP_REQUEST_OPEN || asked_ns > 0 ||
	       is_own_open(requests, thread, call) ||
	       !itp_conversations_was_read(requests->conversations, call);
}

/* Takes the end of a connection, of half of it, or of holding back: all that was held back is
 * sent, also to a client that is not asleep. */
static void note_end(struct itp_requests *requests, struct thread *thread,
		     const struct itp_instance *call, enum itp_descriptor_use use,
		     const GArray *spans)
{
	const bool is_sent = thread->is_corked &&
			     thread->state.answered == itp_instance_descriptor(call) &&
			     (use != ITP_DESCRIPTOR_SET || itp_conversations_corks(call));

	if (thread->is_held_back && (is_sent || has_woken(call))) {
		thread->state.answered_ns = arrival_of(requests, call, spans);
		itp_causes_answer(requests->causes, call->tid, call->best_begin_ns,
				  itp_instance_end_ns(call));
		thread->is_held_back = false;
	}
}

/* True when the thread has an open request of another client than the one whom the write `call`
 * answers, of its own or for another thread (`asked_ns` > 0). */
static bool has_another_open(const struct itp_requests *requests, const struct thread *thread,
			     const struct itp_instance *call, int64_t asked_ns)
{
	const int32_t descriptor = itp_instance_descriptor(call);
	const bool is_for_another_thread = asked_ns > 0 && thread->state.place == ITP_REQUEST_OPEN;

	return thread->state.descriptor != descriptor &&
	       (is_for_another_thread ||
		itp_owners_is_open(requests->owners, call->tid, descriptor));
}

/* Takes a write. `asked_ns`: time at which another thread read the answered request, or 0;
 * `learned_ns`: time at which any thread learned of it. */
static void note_write(struct itp_requests *requests, struct thread *thread,
		       const struct itp_instance *call, enum itp_conversation side,
		       int64_t asked_ns, int64_t learned_ns, const GArray *spans)
{
	const int32_t descriptor = itp_instance_descriptor(call);
	struct itp_last_answer answer;

	thread->state.has_waited_to_write |= descriptor >= 0 && says_something(call) &&
					     thread->written_before_wait == descriptor;
	thread->written = descriptor;
	note_way(requests, call);
	if (says_something(call) && side == ITP_CONVERSATION_ASKS) {
		thread->state.asked_ns = arrival_of(requests, call, spans);
		thread->state.asked = descriptor;
	}
	if (!says_something(call) || (side != ITP_CONVERSATION_SERVES && call->words.are_known) ||
	    !is_answer(requests, thread, call, asked_ns)) {
		return;
	}
	if (learned_ns > 0) {
		/* Another request than before, not more of one answer. */
		thread->state.request_ns = asked_ns;
		thread->state.learned_ns = learned_ns;
	}
	thread->state.answered_ns = arrival_of(requests, call, spans);
	if (thread->state.answered != descriptor ||
	    !itp_conversations_is_written_again(requests->conversations, call)) {
		thread->state.answer_since_ns = thread->state.answered_ns;
	}
	thread->is_corked = !has_woken(call) &&
			    itp_conversations_was_corked(requests->conversations, call);
	thread->is_held_back = thread->is_corked || may_be_held_back(requests, call);
	itp_causes_answer(requests->causes, call->tid, call->best_begin_ns,
			  itp_instance_end_ns(call));
	thread->state.answered = descriptor;
	if (descriptor >= 0) {
		answer = (struct itp_last_answer){ thread->state.answered_ns,
						   thread->state.learned_ns, call->tid };
		itp_conversations_answered(requests->conversations, call, &answer);
	}
	if (side == ITP_CONVERSATION_SERVES) {
		thread->answers = true;
		if (!has_another_open(requests, thread, call, asked_ns)) {
			thread->state.place = ITP_REQUEST_ANSWERED;
		}
		itp_owners_close(requests->owners, call->tid, descriptor);
	}
}

/* Notes since when the bytes just read were known. */
static void note_found(struct itp_requests *requests, struct thread *thread,
		       const struct itp_instance *call)
{
	const int64_t since_ns = itp_conversations_event_since(requests->conversations, call);
	const int64_t latest_ns = itp_returns_latest(requests->returns, call->pid);
	int64_t learned_ns = INT64_MIN;

	if (since_ns < INT64_MAX) {
		learned_ns = itp_returns_take(requests->returns, call->pid, call->tid, since_ns);
	} else if (call->use.blocked_ns == 0) {
		(void)itp_returns_take_own(requests->returns, call->pid, call->tid);
	}
	itp_conversations_found(requests->conversations, call, thread->found, learned_ns,
				latest_ns > since_ns ? latest_ns : INT64_MIN);
	if (thread->found.time_ns > INT64_MIN &&
	    itp_conversations_of(requests->conversations, call) == ITP_CONVERSATION_SERVES) {
		thread->found.time_ns = INT64_MAX;
	}
	if (thread->has_slept_for_one) {
		/* The first read after a sleep for one descriptor: no sleep was for other
		 * descriptors. */
		thread->found.slept_ns = thread->slept_before_ns;
		thread->has_slept_for_one = false;
	}
}

/* Notes a read of datagrams. `is_open`: an earlier one of the descriptor has no answer yet, so the
 * thread has looked for this one by itself. */
static void note_datagrams(const struct itp_requests *requests, struct thread *thread,
			   const struct itp_instance *call, bool is_open, int64_t count)
{
	itp_questions_add(thread->questions, itp_instance_descriptor(call),
			  is_open ? call->best_begin_ns :
				    itp_conversations_learned_ns(requests->conversations, call),
			  count);
}

void itp_requests_note(struct itp_requests *requests, const struct itp_instance *call,
		       enum itp_descriptor_use use, int64_t datagrams, const GArray *spans)
{
	struct thread *thread = thread_with_requests(requests, call->tid);
	enum itp_conversation side = itp_conversations_of(requests->conversations, call);
	const int64_t asked_ns = itp_conversations_asked_ns(requests->conversations, call);
	const int64_t learned_ns = itp_conversations_learned_ns(requests->conversations, call);
	const int64_t later_ns =
		itp_questions_later_ns(thread->questions, itp_instance_descriptor(call));
	/* A file's rest may be the next bytes to write. */
	const bool is_of_file = use == ITP_DESCRIPTOR_OPENS_FILE || side == ITP_CONVERSATION_FILE;

	itp_conversations_note(requests->conversations, call, use);
	if (use == ITP_DESCRIPTOR_READ && !has_failed(call)) {
		note_read(requests, thread, call,
			  itp_conversations_of(requests->conversations, call));
		thread->written = is_of_file ? thread->written : NO_DESCRIPTOR;
		if (itp_instance_descriptor(call) >= 0) {
			note_found(requests, thread, call);
			note_datagrams(requests, thread, call, learned_ns > 0, datagrams);
		}
	} else if (use == ITP_DESCRIPTOR_WRITTEN) {
		note_write(requests, thread, call,
			   itp_conversations_of(requests->conversations, call),
			   later_ns > 0 ? later_ns : asked_ns, later_ns > 0 ? later_ns : learned_ns,
			   spans);
		if (!has_failed(call)) {
			itp_questions_answer(thread->questions, itp_instance_descriptor(call));
		}
	} else if (use == ITP_DESCRIPTOR_ACCEPTS && !has_failed(call)) {
		thread->state.accepted_ns = itp_instance_end_ns(call);
	} else if (use == ITP_DESCRIPTOR_WATCHED && !has_failed(call)) {
		itp_conversations_taken_out(requests->conversations, call,
					    MIN(thread->found.time_ns, call->best_begin_ns));
	} else if (use == ITP_DESCRIPTOR_CLOSED && side == ITP_CONVERSATION_SERVES &&
		   thread->state.place == ITP_REQUEST_OPEN &&
		   thread->state.descriptor == itp_instance_descriptor(call)) {
		/* The client is gone. */
		thread->state.place = ITP_REQUEST_ANSWERED;
	}
	if ((use == ITP_DESCRIPTOR_SHUT || use == ITP_DESCRIPTOR_SET ||
	     use == ITP_DESCRIPTOR_CLOSED) &&
	    side == ITP_CONVERSATION_SERVES) {
		note_end(requests, thread, call, use, spans);
	}
	if (use != ITP_DESCRIPTOR_UNUSED && use != ITP_DESCRIPTOR_SET &&
	    use != ITP_DESCRIPTOR_WATCHED && !is_of_file) {
		thread->written_before_wait = NO_DESCRIPTOR;
	}
	if (use == ITP_DESCRIPTOR_CLOSED) {
		itp_owners_close(requests->owners, call->tid, itp_instance_descriptor(call));
	}
	itp_owners_note(requests->owners, call, use,
			itp_conversations_of(requests->conversations, call));
}

/* Open request of the call. A read of a client may begin another request: other threads may have
 * answered the one before, or nobody does. */
static int32_t owner_of(const struct itp_requests *requests, const struct itp_instance *call,
			enum itp_descriptor_use use)
{
	const enum itp_conversation side = itp_conversations_of(requests->conversations, call);

	return has_failed(call) || (use == ITP_DESCRIPTOR_READ && side == ITP_CONVERSATION_SERVES) ?
		       ITP_OWNER_NONE :
		       itp_owners_of_call(requests->owners, call, use, side);
}

int32_t itp_requests_show(struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use)
{
	const int32_t owner = owner_of(requests, call, use);

	if (itp_owners_of(requests->owners, call->tid) == ITP_OWNER_NONE) {
		itp_owners_turn(requests->owners, call->tid, owner);
	}
	return owner;
}

int32_t itp_requests_turn(struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use)
{
	const int32_t before = itp_owners_of(requests->owners, call->tid);
	const int32_t owner = owner_of(requests, call, use);

	if (owner == ITP_OWNER_NONE || owner == before) {
		return ITP_OWNER_NONE;
	}
	itp_owners_turn(requests->owners, call->tid, owner);
	return use == ITP_DESCRIPTOR_WRITTEN ? owner : ITP_OWNER_NONE;
}

int64_t itp_requests_next(const struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use)
{
	const struct itp_request_state state = itp_requests_state(requests, call->tid);
	const bool is_answer = use == ITP_DESCRIPTOR_WRITTEN && !has_failed(call) &&
			       state.place == ITP_REQUEST_ANSWERED &&
			       itp_conversations_of(requests->conversations, call) ==
				       ITP_CONVERSATION_SERVES;
	const struct thread *thread;

	if (!is_answer) {
		return 0;
	}
	if (!state.reads_clients) {
		return itp_conversations_asked_ns(requests->conversations, call);
	}
	thread = g_hash_table_lookup(requests->threads, GINT_TO_POINTER(call->tid));
	return itp_questions_later_ns(thread->questions, itp_instance_descriptor(call));
}

bool itp_requests_answers_another(const struct itp_requests *requests,
				  const struct itp_instance *call, enum itp_descriptor_use use,
				  int64_t since_ns)
{
	const struct thread *thread =
		g_hash_table_lookup(requests->threads, GINT_TO_POINTER(call->tid));

	return thread && use == ITP_DESCRIPTOR_WRITTEN && !has_failed(call) &&
	       thread->state.answered_ns > since_ns &&
	       itp_conversations_asked_ns(requests->conversations, call) > 0;
}

/* Time since which an accepted connection was known, when its thread has not slept for it: the
 * thread's own news, or an event told to another thread. News of a thread that sleeps in such calls
 * at times was for other connections. */
static int64_t accepted_since(const struct itp_requests *requests, const struct thread *thread,
			      const struct itp_instance *call, bool has_own_event)
{
	int64_t told_ns = INT64_MIN;

	if (thread->sleeps_in_accept) {
		return call->best_begin_ns;
	}
	if (!has_own_event) {
		told_ns = itp_returns_take(requests->returns, call->pid, call->tid,
					   thread->found.time_ns);
	}
	told_ns = told_ns == INT64_MIN ? thread->found.time_ns : told_ns;
	return told_ns == INT64_MIN ? call->best_begin_ns : MIN(told_ns, call->best_begin_ns);
}

/* Notes since when the accepted connection was known; the thread has run since `run_ns` if it slept
 * in the call. */
static void note_accepted(const struct itp_requests *requests, struct thread *thread,
			  const struct itp_instance *call, bool has_slept, int64_t run_ns)
{
	const bool has_own_event = itp_returns_take_own(requests->returns, call->pid, call->tid) >
				   INT64_MIN;

	thread->sleeps_in_accept |= has_slept;
	itp_conversations_accepted(
		requests->conversations, call,
		has_slept ? run_ns : accepted_since(requests, thread, call, has_own_event));
}

void itp_requests_wait(struct itp_requests *requests, const struct itp_instance *wait,
		       enum itp_descriptor_use use, int64_t run_ns, struct itp_wait_manner how)
{
	const bool has_slept = run_ns < itp_instance_end_ns(wait) || wait->use.blocked_ns > 0;
	const int32_t tid = wait->tid;
	struct thread *thread = thread_with_requests(requests, tid);
	const struct itp_news news = { run_ns,
				       has_slept && !how.is_own ? run_ns : thread->found.slept_ns };

	if (use != ITP_DESCRIPTOR_ACCEPTS && wait->has_result && (has_slept || !how.is_for_one)) {
		itp_returns_note(requests->returns, wait->pid, tid, run_ns, wait->result,
				 !thread->state.reads_clients);
	}
	if (news.slept_ns != thread->found.slept_ns) {
		thread->slept_before_ns = thread->found.slept_ns;
		thread->has_slept_for_one = how.is_for_one;
	}
	if (use == ITP_DESCRIPTOR_ACCEPTS && !has_failed(wait)) {
		note_accepted(requests, thread, wait, has_slept, run_ns);
	}
	thread->found = news;
	itp_questions_forget(thread->questions);
	thread->written_before_wait = thread->written;
	thread->state.has_waited_to_write = false;
	itp_owners_turn(requests->owners, tid, ITP_OWNER_NONE);
}

struct itp_request_state itp_requests_state(const struct itp_requests *requests, int32_t tid)
{
	const struct thread *thread = g_hash_table_lookup(requests->threads, GINT_TO_POINTER(tid));
	struct itp_request_state state = thread ? thread->state : no_state();

	state.owner = itp_owners_of(requests->owners, tid);
	if (state.place == ITP_REQUEST_OPEN &&
	    !itp_conversations_is_open(requests->conversations, thread->pid, state.descriptor)) {
		/* Another thread has answered the request. */
		state.place = ITP_REQUEST_ANSWERED;
	}
	return state;
}

void itp_requests_forget(struct itp_requests *requests, int32_t pid, int32_t tid)
{
	if (tid == pid) {
		itp_returns_forget(requests->returns, pid);
	}
	g_hash_table_remove(requests->threads, GINT_TO_POINTER(tid));
	itp_owners_forget(requests->owners, tid);
}
