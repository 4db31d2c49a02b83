/* SPDX-License-Identifier: MIT */
/*
 * See requests.h. Where the words of system calls were not recorded, all that is read is taken for
 * what others have sent, and all that is written for an answer.
 */
#include "common/unit/requests.h"

#include <glib.h>

#include "common/base/hash.h"

#define NO_DESCRIPTOR (-1)

struct thread {
	struct itp_request_state state;
	/* The descriptor that was written last, with nothing read since; and that which was when
	 * the thread waited for any event. NO_DESCRIPTOR. */
	int32_t written;
	int32_t written_before_wait;
};

struct itp_requests {
	/* Weak. */
	struct itp_descriptors *descriptors;
	struct itp_causes *causes;
	/* struct thread by tid. Owned by this. */
	GHashTable *threads;
};

struct itp_requests *itp_requests_new(struct itp_descriptors *descriptors,
				      struct itp_causes *causes)
{
	struct itp_requests *requests = g_new0(struct itp_requests, 1);

	requests->descriptors = descriptors;
	requests->causes = causes;
	requests->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return requests;
}

void itp_requests_free(struct itp_requests *requests)
{
	g_hash_table_unref(requests->threads);
	g_free(requests);
}

static struct thread *thread_of(struct itp_requests *requests, int32_t tid)
{
	struct thread *thread = g_hash_table_lookup(requests->threads, GINT_TO_POINTER(tid));

	if (!thread) {
		thread = g_new(struct thread, 1);
		*thread = (struct thread){ .state = { .data_ns = INT64_MIN,
						      .hangup_ns = INT64_MIN,
						      .answered_ns = INT64_MIN },
					   .written = NO_DESCRIPTOR,
					   .written_before_wait = NO_DESCRIPTOR };
		g_hash_table_insert(requests->threads, GINT_TO_POINTER(tid), thread);
	}
	return thread;
}

static int64_t end_of(const struct itp_instance *call)
{
	return call->best_begin_ns + call->best_ns;
}

static bool has_failed(const struct itp_instance *call)
{
	return call->would_block || (call->has_result && call->result < 0);
}

static void note_read(struct thread *thread, const struct itp_instance *call,
		      enum itp_descriptor_side side)
{
	const bool comes_from_others = side == ITP_SIDE_SERVES || side == ITP_SIDE_LISTENS ||
				       !call->words.are_known;

	if (call->has_result && call->result == 0) {
		thread->state.hangup_ns = comes_from_others ? end_of(call) :
							      thread->state.hangup_ns;
		return;
	}
	if (comes_from_others) {
		thread->state.data_ns = end_of(call);
	}
	if (side == ITP_SIDE_SERVES) {
		thread->state.place = ITP_REQUEST_OPEN;
	}
}

static void note_write(struct itp_requests *requests, struct thread *thread,
		       const struct itp_instance *call, enum itp_descriptor_side side)
{
	const int32_t descriptor = itp_instance_descriptor(call);

	thread->state.has_waited_to_write |= descriptor >= 0 &&
					     thread->written_before_wait == descriptor;
	thread->written = descriptor;
	if (has_failed(call) || (side != ITP_SIDE_SERVES && call->words.are_known)) {
		return;
	}
	thread->state.answered_ns = end_of(call);
	itp_causes_answer(requests->causes, call->tid, call->best_begin_ns, end_of(call));
	if (side == ITP_SIDE_SERVES) {
		thread->state.place = ITP_REQUEST_ANSWERED;
	}
}

void itp_requests_note(struct itp_requests *requests, const struct itp_instance *call,
		       enum itp_descriptor_use use)
{
	struct thread *thread = thread_of(requests, call->tid);
	enum itp_descriptor_side side = itp_descriptors_side(requests->descriptors, call);

	itp_descriptors_note(requests->descriptors, call, use);
	if (use == ITP_DESCRIPTOR_READ && !has_failed(call)) {
		note_read(thread, call, itp_descriptors_side(requests->descriptors, call));
		thread->written = NO_DESCRIPTOR;
	} else if (use == ITP_DESCRIPTOR_WRITTEN) {
		note_write(requests, thread, call,
			   itp_descriptors_side(requests->descriptors, call));
	} else if (use == ITP_DESCRIPTOR_CLOSED && side == ITP_SIDE_SERVES &&
		   thread->state.place == ITP_REQUEST_OPEN) {
		/* Its client is gone. */
		thread->state.place = ITP_REQUEST_ANSWERED;
	}
	if (use != ITP_DESCRIPTOR_UNUSED) {
		thread->written_before_wait = NO_DESCRIPTOR;
	}
}

void itp_requests_wait(struct itp_requests *requests, int32_t tid)
{
	struct thread *thread = thread_of(requests, tid);

	thread->written_before_wait = thread->written;
	thread->state.has_waited_to_write = false;
}

struct itp_request_state itp_requests_state(const struct itp_requests *requests, int32_t tid)
{
	const struct thread *thread = g_hash_table_lookup(requests->threads, GINT_TO_POINTER(tid));

	return thread ? thread->state :
			(struct itp_request_state){ .data_ns = INT64_MIN,
						    .hangup_ns = INT64_MIN,
						    .answered_ns = INT64_MIN };
}

void itp_requests_forget(struct itp_requests *requests, int32_t tid)
{
	g_hash_table_remove(requests->threads, GINT_TO_POINTER(tid));
}
