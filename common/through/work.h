/* SPDX-License-Identifier: MIT */
/*
 * What is known of hops, threads and sides while traffic is gone through in the order of time.
 * hops.c goes through it, workers.c knows for whom threads work, turns.c in which order they act,
 * jobs.c which work came through a broker, gather.c makes requests of it.
 */
#ifndef ITP_THROUGH_WORK_H
#define ITP_THROUGH_WORK_H

#include "common/through/brokers.h"
#include "common/through/hops.h"

/* What a thread has taken and not acted upon yet. */
struct itp_pending {
	uint32_t hop;
	/* It is what somebody answered that the hop had asked, not what it begins with. */
	bool is_answer;
};

struct itp_work_hop {
	struct itp_hop hop;
	/* The hop that this one turned out to be; ITP_HOP_NONE: it is one itself. */
	uint32_t same_as;
	/* When its thread turned to something else before it was answered; 0: it did not. */
	int64_t left_ns;
	/* The message that it took first; 0: none. */
	uint32_t message;
	/* It took nothing before it asked; it has connected only, and asked nothing yet. */
	bool is_client;
	bool is_connecting;
	bool is_answered;
	/* It is what another thread of the process does for its parent. */
	bool is_part;
	/* Its side has no way back: it ends when its thread has done with it. */
	bool is_one_way;
	/* It is what a thread does that has been given a job by a broker. */
	bool is_job;
	/* It asks, or is asked, for a job: no request. And a job was given by its answer, which the
	 * hop `handed_by` has brought; ITP_HOP_NONE: it is not known. */
	bool is_wait;
	bool is_handed;
	uint32_t handed_by;
	/* Of a job of which it is not known who has brought it: the broker's hop that gave it;
	 * ITP_HOP_NONE. Of the first hop of a request: it has brought one. */
	uint32_t given_by;
	bool has_brought;
	/* Of a client: the hop for which its thread was woken, where no other one can be meant. */
	uint32_t woken_for;
	/* struct itp_pending: of a client, for which of several it asked, as far as is known; NULL
	 * where there are none. Owned by the work. */
	GArray *mixed;
	/* Of those the one that it is for if the process acts in the order in which it takes; and
	 * whether that is the first one of its turn: what the others are for follows. */
	uint32_t in_order;
	bool is_first;
	/* In which turn of its thread it was last known for whom something was asked whose answer
	 * it passed on. */
	uint64_t explained_turn;
	/* How many hops it asked. */
	guint children;
};

/* A thread. */
struct itp_worker {
	/* What it works for, by what it took last; ITP_HOP_NONE. */
	uint32_t current;
	/* What it answered last. */
	uint32_t last;
	/* struct itp_pending. Owned by the work, as below. */
	GArray *pending;
	/* uint32_t: clients that its asking made since it answered last. */
	GArray *loose;
	/* It was woken by one that worked for that, and when. */
	uint32_t woken_for;
	int64_t woken_ns;
	/* uint32_t: clients that its asking for one of several made in this turn. */
	GArray *asked;
	/* How often it has waited for any event, and when it did so last. */
	uint64_t turn;
	int64_t turn_ns;
	/* It closes a connection before it passes on what came through it. */
	bool closes_first;
	/* When it had answered what it did before. */
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
	/* The side through which what goes out here comes back, of two pipes; itself otherwise. */
	uint32_t same_as;
	/* No bytes come back. */
	bool is_one_way;
	/* Of one that answers: its last hop. */
	uint32_t open;
	/* Of one that asks: for which hop it did last, whether something came back since, and the
	 * index of its ask. */
	uint32_t asker;
	bool is_answered;
	guint ask;
	/* How many bytes that had, at first; and one that was answered by a job. */
	int64_t ask_bytes;
	int64_t job_bytes;
	/* For whom it was connected. */
	uint32_t owner;
	/* struct itp_segment: what is on the way to it, from `first` on; NULL where nothing was.
	 * Owned by the work. */
	GArray *segments;
	guint first;
};

/* Who has jobs done by a broker. */
struct itp_bringers {
	/* Names of processes of which requests have brought a job each. The names are weak. Owned
	 * by the work. */
	GHashTable *names;
	/* A request has brought several. */
	bool has_several;
};

/* Whether a process asks in the order in which it has taken: in how many turns that is known, and
 * how often it is not so. */
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
	/* uint32_t: clients that asked for one of several, as long as it is not known for which.
	 */
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

/* The hop that `hop` turned out to be; ITP_HOP_NONE stays. */
uint32_t itp_work_resolve(const struct itp_work *work, uint32_t hop);

/* A new hop of the move's thread. */
uint32_t itp_work_add_hop(struct itp_work *work, const struct itp_move *move, int64_t begin_ns,
			  uint32_t parent);

void itp_work_doubt(const struct itp_work *work, uint32_t hop, enum itp_hop_doubt doubt);

struct itp_worker *itp_work_worker(struct itp_work *work, int32_t tid);

/* It has taken something for `hop`, which may be an answer, or has acted for it. */
void itp_worker_take(struct itp_worker *worker, uint32_t hop, bool is_answer);
void itp_worker_act(const struct itp_work *work, struct itp_worker *worker, uint32_t hop);

/* The hop of thread `tid` in the work of its process on `hop`: that itself, one that it is part of,
 * or a new one from `begin_ns` on. */
uint32_t itp_work_hop_in(struct itp_work *work, uint32_t hop, const struct itp_move *move,
			 int64_t begin_ns);

/* Whether the thread works for one that is there, or for one of several. */
bool itp_worker_is_known(const struct itp_work *work, struct itp_worker *worker);

/* For whom the thread asks with this move: a hop that is there, or a client. */
uint32_t itp_worker_asks_for(struct itp_work *work, struct itp_worker *worker,
			     const struct itp_move *move);

/* Likewise, through a side that was connected before for `owner`, as far as was known then. */
uint32_t itp_worker_asks_as(struct itp_work *work, struct itp_worker *worker, uint32_t owner,
			    const struct itp_move *move);

/* The thread answers `hop`: what it had asked for nobody knows whom was for that. Returns the hop
 * of the thread itself in it. */
uint32_t itp_worker_answers(struct itp_work *work, struct itp_worker *worker, uint32_t hop,
			    const struct itp_move *move);

/* The thread closes a connection through which `hop` asked. */
void itp_worker_closes(struct itp_work *work, struct itp_worker *worker, uint32_t hop);

/* The client asked for `hop`, which has acted by that. */
void itp_worker_resolve(const struct itp_work *work, uint32_t client, uint32_t hop);

/* The thread has waited for any event. */
void itp_turn_end(struct itp_work *work, struct itp_worker *worker, const struct itp_move *move);

/* Notes whether it was in order that the client asked for `hop`. */
void itp_turn_note(const struct itp_work *work, uint32_t client, uint32_t hop);

/* There is no more traffic: clients of which nothing but the order tells for whom they asked. */
void itp_turns_conclude(struct itp_work *work);

/* `hop`, which was asked through the side `asker`, gives that one what `cause` has brought to the
 * same process. */
void itp_job_hand(struct itp_work *work, struct itp_work_side *asker, uint32_t hop, uint32_t cause);

/* The thread takes an answer, of which `first` is on the way, NULL where nothing is: whether that
 * is a job, for which it works now. */
bool itp_job_take(struct itp_work *work, const struct itp_move *move, struct itp_work_side *side,
		  const struct itp_segment *first);

/* Whether the thread asks for another job, with as many bytes as for others: it has done with the
 * one that it had. */
bool itp_job_ends(const struct itp_work *work, struct itp_worker *worker,
		  const struct itp_work_side *side, int64_t bytes);

/* There is no more traffic: jobs that lay in a broker when they were asked for. */
void itp_jobs_conclude(struct itp_work *work);

/* The move's thread was woken by another one of its process, which worked for `hop`. */
void itp_worker_wakes(struct itp_work *work, uint32_t hop, const struct itp_move *move);

/* The same as hops, in their order. */
void itp_work_gather(struct itp_work *work, struct itp_hops *hops);

#endif
