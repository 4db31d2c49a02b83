/* SPDX-License-Identifier: MIT */
/*
 * Stack events → moves through sides of connections, with their times, and the threads woken by
 * them.
 *
 * All of it is kept until the end of the recording: some 60 bytes for each system call that moved
 * bytes through a possible socket or pipe, and for each wakeup made by such a call.
 */
#ifndef ITP_THROUGH_TRAFFIC_H
#define ITP_THROUGH_TRAFFIC_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"
#include "common/base/stack-event.h"
#include "common/through/descriptors.h"

/* Most moves kept, 2 GB of them; requests behind them are not followed. */
#define ITP_MOVES_MOST (1u << 25)

/* Least number of sights that make a process' constant behaviour a habit: a choice among two ways
 * would come so often in a row in less than one of a hundred cases. */
#define ITP_HABIT_LEAST 7

enum itp_move_kind {
	/* Bytes went out, or came in; 0 bytes came in when the other side is closed. */
	ITP_MOVE_SENT,
	ITP_MOVE_TOOK,
	/* Nothing was there to be taken, or to be accepted. */
	ITP_MOVE_LOOKED,
	/* The side was connected, or came from a listening one (`other`). */
	ITP_MOVE_CONNECTED,
	ITP_MOVE_ACCEPTED,
	/* Nobody has the side any more. */
	ITP_MOVE_CLOSED,
	/* The thread waited for events of descriptors; `bytes` is of how many there were some. */
	ITP_MOVE_WAITED,
	/* Woke the thread `other_tid`, through its own side `side` if by a side's call; `other` is
	 * the side for which the thread waited, if its call tells. */
	ITP_MOVE_WOKE,
	/* Events were lost: of all threads. */
	ITP_MOVE_LOST,
};

struct itp_move {
	/* Of the call. */
	int64_t begin_ns;
	int64_t end_ns;
	int64_t bytes;
	int32_t pid;
	int32_t tid;
	int32_t other_tid;
	uint32_t side;
	uint32_t other;
	enum itp_move_kind kind : 8;
	/* Of a take: fewer bytes than asked for, as no more were there. */
	bool is_short;
	/* Of a wait: it is for a single descriptor; it tells the first event first; the thread has
	 * left the CPU meanwhile. */
	bool is_of_one;
	bool is_ordered;
	bool has_slept;
	/* Of a wakeup: it ended a futex's wait; or the waker was connecting its side. */
	bool is_signal;
	bool is_of_connect;
	/* The bytes are not known: the call moves several messages. */
	bool is_unsized;
};

enum itp_side_kind {
	/* Side older than its first use. */
	ITP_SIDE_UNKNOWN,
	ITP_SIDE_SOCKET,
	ITP_SIDE_CONNECTED,
	ITP_SIDE_ACCEPTED,
	ITP_SIDE_LISTENING,
	/* No bytes of requests go through. */
	ITP_SIDE_FILE,
};

struct itp_side {
	enum itp_side_kind kind;
	/* Only a socket's calls were made on it. */
	bool is_socket;
	/* Its peer may see an end before `closed_ns`: a direction was closed before the rest, or
	 * all by the end of the process, which is told behind ("kill": up to 100 µs). */
	bool may_end_sooner;
	/* Process of its first use. */
	int32_t pid;
	int64_t opened_ns;
	/* Time of its close, INT64_MAX: not seen. */
	int64_t closed_ns;
	/* Of a connected or accepted side: time in which it entered the queue of a listening side,
	 * or left it; and of an accepted side the listening one. */
	int64_t queue_begin_ns;
	int64_t queue_end_ns;
	uint32_t listener;
	/* Of a connected side: a local one (AF_UNIX); and the CPU of the call, -1 on several or
	 * where unknown. */
	bool is_local;
	int32_t cpu;
	/* guint: indices of moves, SENT and TOOK. NULL without any. Owned by this. */
	GArray *sends;
	GArray *takes;
};

struct itp_traffic {
	/* struct itp_move, in the order of the calls' ends, and by number struct itp_side. Owned by
	 * this. */
	GArray *moves;
	GArray *sides;
	/* Name of the process by pid. The names are those of `names`. Owned by this, as all below.
	 */
	GHashTable *processes;
	/* Process by thread. */
	GHashTable *owners;
	GHashTable *names;
	struct itp_descriptors *descriptors;
	/* struct call by tid: the thread's present call. */
	GHashTable *threads;
	/* struct itp_call_kind by function of a system call. */
	GArray *deeds;
	/* int64_t: when events were lost, at the latest, and after which time; and when the last
	 * event came by CPU. */
	GArray *losses;
	GArray *loss_begins;
	GArray *last_ns;
	/* Weak. */
	const struct itp_function_table *functions;
	struct itp_boundary *boundary;
	int64_t begin_ns;
	int64_t end_ns;
	/* How many system calls told of their arguments, and of how many wakeups. */
	uint64_t calls;
	uint64_t wakeups;
	/* Moves not kept. */
	uint64_t dropped;
};

/* `functions` is weak. */
void itp_traffic_init(struct itp_traffic *traffic, struct itp_function_table *functions);
void itp_traffic_release(struct itp_traffic *traffic);

/* Takes the next event, in the order of time. */
void itp_traffic_add(struct itp_traffic *traffic, const struct itp_stack_event *event);

/* The name of a process; never NULL. Weak. */
const char *itp_traffic_process(const struct itp_traffic *traffic, int32_t pid);

static inline const struct itp_move *itp_traffic_move(const struct itp_traffic *traffic, guint i)
{
	return &g_array_index(traffic->moves, struct itp_move, i);
}

static inline struct itp_side *itp_traffic_side(const struct itp_traffic *traffic, uint32_t side)
{
	return &g_array_index(traffic->sides, struct itp_side, side);
}

#endif
