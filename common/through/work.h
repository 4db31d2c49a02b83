/* SPDX-License-Identifier: MIT */
/*
 * Hops, threads and sides as known while traffic is gone through in the order of time. hops.c goes
 * through it, workers.c finds the hop of a thread's work, turns.c the order of its acts, jobs.c
 * work through brokers, gather.c makes requests of it.
 */
#ifndef ITP_THROUGH_WORK_H
#define ITP_THROUGH_WORK_H

#include "common/through/brokers.h"
#include "common/through/hop.h"

/* Bytes taken by a thread and not acted upon yet. */
struct itp_pending {
	uint32_t hop;
	/* Bytes are an answer to an ask of the hop, not its begin. */
	bool is_answer;
};

struct itp_work_hop {
	struct itp_hop hop;
	/* Hop into which it was merged; ITP_HOP_NONE: not merged. */
	uint32_t same_as;
	/* Time at which its thread turned to another hop before the answer; 0: never. */
	int64_t left_ns;
	/* First message taken; 0: none. */
	uint32_t message;
	/* Client: took nothing before its ask; and a client that has only connected so far. */
	bool is_client;
	bool is_connecting;
	bool is_answered;
	/* Work of another thread of the process for its parent. */
	bool is_part;
	/* Side without a way back: the hop ends when its thread has done with it. */
	bool is_one_way;
	/* Work of a thread on a job given by a broker. */
	bool is_job;
	/* Ask for a job, by either end: no request. And a hop whose answer gave a job, brought by
	 * the hop `handed_by`; ITP_HOP_NONE: unknown. */
	bool is_wait;
	bool is_handed;
	uint32_t handed_by;
	/* Of a job of unknown origin: the broker's hop that gave it; ITP_HOP_NONE. Of the first hop
	 * of a request: a bringer of a job. */
	uint32_t given_by;
	bool has_brought;
	/* Of a client: hop for which its thread was woken, without other possible ones. */
	uint32_t woken_for;
	/* struct itp_pending: of a client, the hops among which its own is; NULL for none. Owned by
	 * the work. */
	GArray *mixed;
	/* Hop among them if the process acts in the order of its takes; and whether it is the first
	 * one of its turn, from which the others follow. */
	uint32_t in_order;
	bool is_first;
	/* Last turn of its thread in which the hop was known for an ask with a forwarded answer. */
	uint64_t explained_turn;
	/* Number of hops asked by it. */
	guint children;
};

/* A thread. */
struct itp_worker {
	/* Hop of its work, by its last take; ITP_HOP_NONE. */
	uint32_t current;
	/* Hop of its last answer. */
	uint32_t last;
	/* struct itp_pending. Owned by the work, as below. */
	GArray *pending;
	/* uint32_t: clients made by its asks since its last answer. */
	GArray *loose;
	/* Hop of the waking thread, and the time. */
	uint32_t woken_for;
	int64_t woken_ns;
	/* uint32_t: clients made by its asks for one of several in the present turn. */
	GArray *asked;
	/* Number of its waits for any event, and the time of the last one. */
	uint64_t turn;
	int64_t turn_ns;
	/* Thread closes a connection before it passes on the answer. */
	bool closes_first;
	/* End of its previous work, by the answer. */
	int64_t free_ns;
};

/* Bytes on their way. */
struct itp_segment {
	uint32_t hop;
	uint32_t message;
	int64_t bytes;
	int64_t begin_ns;
};

enum itp_side_role {
	ITP_ROLE_UNKNOWN,
	ITP_ROLE_ASKS,
	ITP_ROLE_ANSWERS,
};

struct itp_work_side {
	enum itp_side_role role;
	/* Side through which answers to bytes sent here come back, of two pipes; itself
	 * otherwise. */
	uint32_t same_as;
	/* No bytes come back. */
	bool is_one_way;
	/* Of an answering side: its last hop. */
	uint32_t open;
	/* Of an asking side: the hop of its last ask, whether an answer came since, and the index
	 * of its ask. */
	uint32_t asker;
	bool is_answered;
	guint ask;
	/* Bytes of the ask, at first; and of an ask answered by a job. */
	int64_t ask_bytes;
	int64_t job_bytes;
	/* Hop for which it was connected. */
	uint32_t owner;
	/* struct itp_segment: bytes on the way to it, from `first` on; NULL without any. Owned by
	 * the work. */
	GArray *segments;
	guint first;
};

/* Processes that bring a broker jobs. */
struct itp_bringers {
	/* Names of processes of which requests have brought a job each. The names are weak. Owned
	 * by the work. */
	GHashTable *names;
	/* A request has brought several. */
	bool has_several;
};

/* Habit of a process to ask in the order of its takes: number of turns with and against it. */
struct itp_habit {
	guint in_order;
	guint out_of_order;
};

struct itp_work {
	/* Weak. */
	const struct itp_traffic *traffic;
	const struct itp_connections *pairs;
	const struct itp_brokers *brokers;
	/* struct itp_work_hop, struct itp_ask, and by side struct itp_work_side. Owned by this. */
	GArray *hops;
	GArray *asks;
	GArray *sides;
	/* uint32_t: clients with several possible hops. */
	GArray *mixed;
	/* struct itp_worker by tid. Owned by this. */
	GHashTable *workers;
	/* struct itp_habit and struct itp_bringers by process. Owned by this. */
	GHashTable *habits;
	GHashTable *bringers;
	/* Messages until now. */
	uint32_t messages;
};

void itp_work_init(struct itp_work *work, const struct itp_traffic *traffic,
		   const struct itp_connections *pairs, const struct itp_brokers *brokers);
void itp_work_release(struct itp_work *work);

static inline struct itp_work_hop *itp_work_hop(const struct itp_work *work, uint32_t hop)
{
	return &g_array_index(work->hops, struct itp_work_hop, hop);
}

static inline struct itp_work_side *itp_work_side(const struct itp_work *work, uint32_t side)
{
	struct itp_work_side *found = &g_array_index(work->sides, struct itp_work_side, side);

	return &g_array_index(work->sides, struct itp_work_side, found->same_as);
}

/* Hop that `hop` turned out to be; ITP_HOP_NONE stays. */
uint32_t itp_work_resolve(const struct itp_work *work, uint32_t hop);

/* A new hop of the move's thread. */
uint32_t itp_work_add_hop(struct itp_work *work, const struct itp_move *move, int64_t begin_ns,
			  uint32_t parent);

void itp_work_doubt(const struct itp_work *work, uint32_t hop, enum itp_hop_doubt doubt);

struct itp_worker *itp_work_worker(struct itp_work *work, int32_t tid);

/* Takes bytes for `hop`, perhaps an answer; or acts for it. */
void itp_worker_take(struct itp_worker *worker, uint32_t hop, bool is_answer);
void itp_worker_act(const struct itp_work *work, struct itp_worker *worker, uint32_t hop);

/* True when the thread works for an existing hop, or for one of several. */
bool itp_worker_is_known(const struct itp_work *work, struct itp_worker *worker);

/* Hop for which the thread asks with this move: an existing hop, or a client. */
uint32_t itp_worker_asks_for(struct itp_work *work, struct itp_worker *worker,
			     const struct itp_move *move);

/* Likewise, through a side that was connected before for `owner`, as far as was known then. */
uint32_t itp_worker_asks_as(struct itp_work *work, struct itp_worker *worker, uint32_t owner,
			    const struct itp_move *move);

/* The thread answers `hop`: its asks for unknown hops were for `hop`. Returns the hop of the thread
 * itself in it. */
uint32_t itp_worker_answers(struct itp_work *work, struct itp_worker *worker, uint32_t hop,
			    const struct itp_move *move);

/* The thread closes a connection through which `hop` asked. */
void itp_worker_closes(struct itp_work *work, struct itp_worker *worker, uint32_t hop);

/* The thread has waited for any event. */
void itp_turn_end(struct itp_work *work, struct itp_worker *worker, const struct itp_move *move);

/* Notes whether the client's ask for `hop` was in order. */
void itp_turn_note(const struct itp_work *work, uint32_t client, uint32_t hop);

/* Hop for which the client asked, as nothing but its process' habit tells; ITP_HOP_NONE. */
uint32_t itp_turn_tells(const struct itp_work *work, uint32_t client);
/* Resolves clients whose hop is told by nothing but the order, at the end of the traffic. */
void itp_workers_conclude(struct itp_work *work);

/* `hop`, asked through the side `asker`, gives it the bytes brought by `cause` to the same
 * process. */
void itp_job_hand(struct itp_work *work, struct itp_work_side *asker, uint32_t hop, uint32_t cause);

/* Takes an answer, whose first bytes on the way are `first`, NULL for none: true for a job, on
 * which the thread works now. */
bool itp_job_take(struct itp_work *work, const struct itp_move *move, struct itp_work_side *side,
		  const struct itp_segment *first);

/* True when the thread asks for another job, with as many bytes as for others: it has done with the
 * last one. */
bool itp_job_ends(const struct itp_work *work, struct itp_worker *worker,
		  const struct itp_work_side *side, int64_t bytes);

/* Finds the origin of jobs that lay in a broker when asked for, at the end of the traffic. */
void itp_jobs_conclude(struct itp_work *work);

/* The move's thread was woken by another of its process, at work for `hop`. */
void itp_worker_wakes(struct itp_work *work, uint32_t hop, const struct itp_move *move);

/* Copies the work as hops, in their order. */
void itp_work_gather(struct itp_work *work, struct itp_hops *hops);

#endif
