/* SPDX-License-Identifier: MIT */
/*
 * Requests that threads have open: read from a descriptor that serves, and not answered yet.
 *
 * A thread that waits while it has one open waits for something that the request needs; after the
 * answer it waits for the next one. So a worker's wait for its queue is told from its wait for a
 * database, although both are made in one loop.
 */
#ifndef ITP_UNIT_REQUESTS_H
#define ITP_UNIT_REQUESTS_H

#include "common/unit/causes.h"
#include "common/unit/conversations.h"

enum itp_request_place {
	/* No request was seen. */
	ITP_REQUEST_UNKNOWN = 0,
	ITP_REQUEST_OPEN,
	ITP_REQUEST_ANSWERED,
};

/* What a thread has done with requests until now. */
struct itp_request_state {
	enum itp_request_place place;
	/* Of the request that is open, where it was read from; −1. */
	int32_t descriptor;
	/* When something was read of what others have sent, and when was told that no more comes;
	 * when a client was answered. INT64_MIN: never. */
	int64_t data_ns;
	int64_t hangup_ns;
	int64_t answered_ns;
	/* When another thread has read the request that was answered last; 0: it has itself. */
	int64_t request_ns;
	/* Likewise when the process has, whichever thread that was; 0: nothing was read of it. */
	int64_t learned_ns;
	/* The descriptor of the client who was answered last, −1; and that of the open request for
	 * which the thread works, as owners.h tells. */
	int32_t answered;
	int32_t owner;
	/* As itp_requests_show() tells it of the next system call. */
	int32_t client;
	/* When it has accepted a connection; and whether it reads what clients send, rather than to
	 * hand connections over. */
	int64_t accepted_ns;
	bool reads_clients;
	/* When something was written to who was asked by the process, latest, and to which
	 * descriptor; INT64_MIN and −1: never. */
	int64_t asked_ns;
	int32_t asked;
	/* The wait before was for room in a descriptor that was written before and after it, with
	 * nothing in between but what was read of files. */
	bool has_waited_to_write;
};

struct itp_requests;

/* `conversations` and `causes` are weak; they learn from the calls as well. */
struct itp_requests *itp_requests_new(struct itp_conversations *conversations,
				      struct itp_causes *causes);
void itp_requests_free(struct itp_requests *requests);

/* When the request was read that the system call, which is not noted yet, answers: another one than
 * the thread has answered before. 0: none. A worker that writes only, and that others hand to what
 * they have read, need not have waited for it. */
int64_t itp_requests_next(const struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use);

/* The descriptor of the client for whose open request the system call is made, which is not noted
 * yet; −1: that is not known, or the request is a new one. It shows for whom the thread works since
 * it has waited for any event, too. */
int32_t itp_requests_show(struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use);

/* The descriptor of the client for whose open request the system call, which is not noted yet,
 * writes, when the thread has worked for another one; −1: it has not. */
int32_t itp_requests_turn(struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use);

/* Whether the system call, which is not noted yet, answers what another thread has read, and its
 * own thread has answered something else since `since_ns`. */
bool itp_requests_answers_another(const struct itp_requests *requests,
				  const struct itp_instance *call, enum itp_descriptor_use use,
				  int64_t since_ns);

/* Takes the next system call of a thread. */
void itp_requests_note(struct itp_requests *requests, const struct itp_instance *call,
		       enum itp_descriptor_use use);

/* How a thread has waited: a thread of its process has woken it; it has waited for one descriptor
 * alone, as by poll() of one. */
struct itp_wait_manner {
	bool is_own;
	bool is_for_one;
};

/* The thread has waited for any event, and runs again since then. */
void itp_requests_wait(struct itp_requests *requests, const struct itp_instance *wait,
		       enum itp_descriptor_use use, int64_t run_ns, struct itp_wait_manner how);

struct itp_request_state itp_requests_state(const struct itp_requests *requests, int32_t tid);

/* The thread has ended. */
void itp_requests_forget(struct itp_requests *requests, int32_t tid);

#endif
