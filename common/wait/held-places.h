/* SPDX-License-Identifier: MIT */
/*
 * Result of a redistribution (redistribution.h): places that held up others, and the wait-for
 * graph.
 */
#ifndef ITP_WAIT_HELD_PLACES_H
#define ITP_WAIT_HELD_PLACES_H

#include "common/wait/history.h"

/* Purpose of a wait. */
enum itp_wait_purpose {
	ITP_WAIT_FOR_ANYTHING = 0,
	ITP_WAIT_FOR_WORK,
	ITP_WAIT_FOR_AN_END,
};

/* Place of contexts without any; and ticks added by stacks (redistribution.h). */
#define ITP_PLACE_NONE 0

#define ITP_HELD_TICKS_MORE 4

struct itp_held_place {
	uint32_t place;
	/* Time for which threads waited there themselves, for anything. */
	int64_t wait_ns;
	/* Time for which others were held up, all together, and the number of these threads. */
	int64_t held_ns;
	/* Part of held_ns in which the place itself only waited for another thread: a proxy's read
	 * of its backend's answer. The backend has it as well. */
	int64_t passed_ns;
	uint32_t held_threads;
};

/* Time for which the place was the end of others' chains: it ran, or waited for the kernel, for
 * time to pass, or for a thread of which nothing is known. */
static inline int64_t itp_held_place_own_ns(const struct itp_held_place *place)
{
	return place->held_ns - place->passed_ns;
}

/* Doing of a thread that held up others. */
enum itp_held_how {
	/* Ran, or waited for a CPU. */
	ITP_HELD_RAN = 0,
	ITP_HELD_READY,
	/* Waited: for a thread, for the kernel, for time to pass, for an unknown end. */
	ITP_HELD_WAITED,
	ITP_HELD_KERNEL,
	ITP_HELD_SLEPT,
	ITP_HELD_UNSEEN,
	/* Nothing is known. */
	ITP_HELD_UNKNOWN,
};

#define ITP_HELD_HOW_COUNT (ITP_HELD_UNKNOWN + 1)

/* Part of the held_ns of a place; all parts sum to it. */
struct itp_held_part {
	uint32_t place;
	/* Vertex of the thread at the place. */
	uint32_t vertex;
	enum itp_held_how how;
	/* Reason of ITP_HELD_KERNEL: `kernel:CAUSE`, a function of the recall. */
	uint32_t reason;
	/* Place of the waits held up. */
	uint32_t waiting_in;
	int64_t held_ns;
};

enum itp_vertex_kind {
	ITP_VERTEX_THREADS = 0,
	/* A device, or whatever else in the kernel ends waits. */
	ITP_VERTEX_KERNEL,
	/* The passing of time. */
	ITP_VERTEX_TIME,
	/* Threads of a process that ended waits, without any recorded stack. */
	ITP_VERTEX_STRANGERS,
};

struct itp_wait_vertex {
	enum itp_vertex_kind kind;
	/* Nodes of ITP_VERTEX_THREADS: the process' and that of the first function with a name, in
	 * the recall's tree; ITP_CONTEXT_ROOT without any. */
	uint32_t process_node;
	uint32_t root_node;
	/* Function of other kinds, in the recall, as in a stretch's waker_process. */
	uint32_t function;
	/* Number of threads, and the time for which they were seen, all together; 1, and the length
	 * of the recording, for other kinds. */
	uint32_t threads;
	int64_t alive_ns;
	/* Time for which it held up other threads. */
	int64_t held_ns;
	/* 1 for the first of the knots, 0 for none. */
	uint32_t knot;
};

/* Edge: waits of all threads of a vertex together. */
struct itp_wait_for {
	/* Vertices: the waiting, and the waited for. */
	uint32_t from;
	uint32_t to;
	int64_t wait_ns;
};

struct itp_redistribution {
	/* Time for which threads were held up by others, each instant of a thread once. */
	int64_t held_ns;
	/* struct itp_held_place, by the largest itp_held_place_own_ns(), then by the largest
	 * held_ns, then by the largest wait_ns. Owned by this, as all below. */
	GArray *places;
	/* struct itp_held_part, by place, the largest first. */
	GArray *parts;
	/* struct itp_wait_vertex */
	GArray *vertices;
	/* struct itp_wait_for, the largest first. */
	GArray *edges;
	/* struct itp_wait_knot (knots.h), the largest held_ns first. */
	GArray *knots;
};

#endif
