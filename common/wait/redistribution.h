/* SPDX-License-Identifier: MIT */
/*
 * What holds up others, over the whole lives of all threads: a long wait may hold up nobody.
 *
 * At each instant a thread that waits has a chain: the thread that will end its wait, the one that
 * will end that one's, if it waits as well, and so on, to one that does not wait, that waits for
 * the kernel, or of which nothing is known then. That is the critical path of its whole life
 * (critical-path.h), instant by instant, of any depth. A chain ends before a thread would be on it
 * a second time: clocks that disagree may say so.
 *
 * Each place in which a thread of the chain is, other than the waiting one, holds that one up, and
 * gets the instant, once for each thread that is held up, however many threads of the chain are
 * there. This is wPerf's cascaded redistribution (OSDI 2018): a wait of A for B counts for the edge
 * A → B, and what of it B waited for C counts for B → C as well, and so on. There the sums are of
 * edges between threads, here also of places. A place has two parts of its time: as the last one of
 * a chain, and before the last, where it only passed on what it waited for itself. Places are
 * ordered by the first part. A proxy that waits for three backends in turn, 20 ns each, so comes
 * behind each of them, though it is on all three chains.
 *
 * What a thread ran while it held up others is divided among the places in which it ran, as a
 * timer's ticks say, which are few in short waits: so by those of all waits in one place, and as if
 * ITP_HELD_TICKS_MORE more had found it where its stacks did. The sum stays the same.
 *
 * Waits for work are not held up by those that have none to give: an instant of one counts only
 * where nobody on its chain waits for work, too. One for another's end does not count at all. Both
 * are parts of the chains of others all the same.
 *
 * The wait-for graph has a vertex for all threads of a process that begin with the same function,
 * and one for each reason for which the kernel ends waits. Edges hold the instants of all chains
 * that take them. Its knots are found by knots.h.
 *
 * Sums are exact, and of the same history always the same. Memory grows with the number of
 * threads, and of places that hold up one another, not with the length of the recording.
 */
#ifndef ITP_WAIT_REDISTRIBUTION_H
#define ITP_WAIT_REDISTRIBUTION_H

#include "common/wait/chain.h"

/* What a wait is for. */
enum itp_wait_purpose {
	ITP_WAIT_FOR_ANYTHING = 0,
	ITP_WAIT_FOR_WORK,
	ITP_WAIT_FOR_AN_END,
};

/* Of a context of which nothing is told. */
#define ITP_PLACE_NONE 0

#define ITP_HELD_TICKS_MORE 4

/* By node of the recall's tree, both. Weak. */
struct itp_redistribution_input {
	const struct itp_recall *recall;
	/* Nodes with the same number are one place. */
	const uint32_t *places;
	/* enum itp_wait_purpose; NULL: for anything, all of them. */
	const uint8_t *purposes;
};

struct itp_held_place {
	uint32_t place;
	/* How long threads waited there themselves, for whatever. */
	int64_t wait_ns;
	/* How long others were held up, all together, and how many these were. */
	int64_t held_ns;
	/* The part of held_ns in which the place itself only waited for another thread: a proxy's
	 * read of its backend's answer. The backend has it as well. */
	int64_t passed_ns;
	uint32_t held_threads;
};

/* For how long the place was the end of the chains of others: it ran, or waited for the kernel, for
 * time to pass, or for a thread of which nothing is known. */
static inline int64_t itp_held_place_own_ns(const struct itp_held_place *place)
{
	return place->held_ns - place->passed_ns;
}

/* What a thread did that held up others. */
enum itp_held_how {
	/* It ran, or waited for a CPU. */
	ITP_HELD_RAN = 0,
	ITP_HELD_READY,
	/* It waited: for a thread, for the kernel, for time to pass, for nobody knows whom. */
	ITP_HELD_WAITED,
	ITP_HELD_KERNEL,
	ITP_HELD_SLEPT,
	ITP_HELD_UNSEEN,
	/* Nothing tells. */
	ITP_HELD_UNKNOWN,
};

#define ITP_HELD_HOW_COUNT (ITP_HELD_UNKNOWN + 1)

/* A part of the held_ns of a place; they sum to it. */
struct itp_held_part {
	uint32_t place;
	/* Vertex of the thread that was there. */
	uint32_t vertex;
	enum itp_held_how how;
	/* With ITP_HELD_KERNEL: `kernel:CAUSE`, a function of the recall. */
	uint32_t reason;
	/* Where those waited that it held up. */
	uint32_t waiting_in;
	int64_t held_ns;
};

enum itp_vertex_kind {
	ITP_VERTEX_THREADS = 0,
	/* A device, or whatever else in the kernel ends waits. */
	ITP_VERTEX_KERNEL,
	/* The passing of time. */
	ITP_VERTEX_TIME,
	/* Threads of a process that ended waits, and of which nothing was recorded. */
	ITP_VERTEX_STRANGERS,
};

struct itp_wait_vertex {
	enum itp_vertex_kind kind;
	/* Of threads: nodes of their process and of their first function that has a name, in the
	 * recall's tree; ITP_CONTEXT_ROOT where there is none. */
	uint32_t process_node;
	uint32_t root_node;
	/* Of others: function of the recall, as in a stretch's waker_process. */
	uint32_t function;
	/* How many threads, and how long they were seen, all together; 1, and the length of the
	 * recording, of others. */
	uint32_t threads;
	int64_t alive_ns;
	/* How long it held up other threads. */
	int64_t held_ns;
	/* 1 for the first of the knots, 0 for none. */
	uint32_t knot;
};

/* Of all threads of a vertex together. */
struct itp_wait_for {
	/* Vertices: who waits, and for whom. */
	uint32_t from;
	uint32_t to;
	int64_t wait_ns;
};

struct itp_redistribution {
	/* How long threads were held up by others, each instant of a thread once. */
	int64_t held_ns;
	/* struct itp_held_place: the largest time held up by the place alone first, which is
	 * itp_held_place_own_ns(), then the largest held_ns, then the largest wait_ns. Owned by
	 * this, as all below. */
	GArray *places;
	/* struct itp_held_part, by place, the largest first. */
	GArray *parts;
	/* struct itp_wait_vertex */
	GArray *vertices;
	/* struct itp_wait_for, the largest first. */
	GArray *edges;
	/* struct itp_wait_knot (knots.h), the one that holds up most first. */
	GArray *knots;
};

/* Free with itp_redistribution_free(). */
struct itp_redistribution *itp_redistribution_new(const struct itp_redistribution_input *input);
void itp_redistribution_free(struct itp_redistribution *redistribution);

#endif
