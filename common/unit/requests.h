/* SPDX-License-Identifier: MIT */
/*
 * Open requests of threads: read from a descriptor that serves, and not answered yet.
 *
 * A thread that waits with an open request waits for a need of the request; behind the answer, for
 * the next request. By this difference a worker's wait for its queue is told from its wait for a
 * database, although both are in one loop.
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

/* Requests of a thread until now. */
struct itp_request_state {
	enum itp_request_place place;
	/* Descriptor from which the open request was read; −1. */
	int32_t descriptor;
	/* Times of the last read of bytes sent by others, of the last hang-up, and of the last
	 * answer to a client. INT64_MIN: never. */
	int64_t data_ns;
	int64_t hangup_ns;
	int64_t answered_ns;
	/* Time of the first write of the last answer: later ones have gone to the same client,
	 * without a read of the client in between. */
	int64_t answer_since_ns;
	/* Time at which another thread read the request answered last; 0: the thread itself did. */
	int64_t request_ns;
	/* Time at which any thread of the process learned of the request; 0: no read was seen. */
	int64_t learned_ns;
	/* Descriptor of the client answered last, −1; and of the open request for which the thread
	 * works (owners.h). */
	int32_t answered;
	int32_t owner;
	/* Result of itp_requests_show() for the next system call. */
	int32_t client;
	/* Time at which the thread last accepted a connection; and whether it reads of clients,
	 * rather than hands connections over. */
	int64_t accepted_ns;
	bool reads_clients;
	/* Time and descriptor of the last write to a server asked by the process; INT64_MIN and −1:
	 * never. */
	int64_t asked_ns;
	int32_t asked;
	/* The wait before was for room in a descriptor written before and after the wait, with
	 * nothing in between but reads of files. */
	bool has_waited_to_write;
};

struct itp_requests;

/* `conversations` and `causes` are weak; both learn from the calls as well. */
struct itp_requests *itp_requests_new(struct itp_conversations *conversations,
				      struct itp_causes *causes);
void itp_requests_free(struct itp_requests *requests);

/* Time of the read of the request answered by the system call `call`, not noted yet, when the
 * thread's previous answer was to another request; 0: none. A worker that only writes, for threads
 * that read, need not have waited for the request; nor has a thread that has read several datagrams
 * at once. */
int64_t itp_requests_next(const struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use);

/* Descriptor of the client for whose open request `call`, not noted yet, is made; −1: unknown, or a
 * new request. Also tells the thread's request since its last wait for any event. */
int32_t itp_requests_show(struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use);

/* Descriptor of the client for whose open request `call`, not noted yet, writes, when the thread
 * has worked for another one; −1: it has not. */
int32_t itp_requests_turn(struct itp_requests *requests, const struct itp_instance *call,
			  enum itp_descriptor_use use);

/* True when `call`, not noted yet, answers a request read by another thread, and the own thread has
 * answered another request since `since_ns`. */
bool itp_requests_answers_another(const struct itp_requests *requests,
				  const struct itp_instance *call, enum itp_descriptor_use use,
				  int64_t since_ns);

/* Takes the next system call of a thread. `datagrams`: number of those read, as by
 * recvmmsg(); 0 for other calls. `spans` tell what the thread did in the call. */
void itp_requests_note(struct itp_requests *requests, const struct itp_instance *call,
		       enum itp_descriptor_use use, int64_t datagrams, const GArray *spans);

/* Manner of a wait: ended by a thread of the own process; for a single descriptor, as by poll() of
 * one. */
struct itp_wait_manner {
	bool is_own;
	bool is_for_one;
};

/* The thread has waited for any event, and runs again since `run_ns`. */
void itp_requests_wait(struct itp_requests *requests, const struct itp_instance *wait,
		       enum itp_descriptor_use use, int64_t run_ns, struct itp_wait_manner how);

struct itp_request_state itp_requests_state(const struct itp_requests *requests, int32_t tid);

/* The thread has ended, and with its first thread the process. */
void itp_requests_forget(struct itp_requests *requests, int32_t pid, int32_t tid);

#endif
