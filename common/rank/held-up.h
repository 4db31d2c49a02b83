/* SPDX-License-Identifier: MIT */
/*
 * Functions by the time for which waits and runs in them hold up others
 * (common/wait/redistribution.h), and the wait-for graph of the threads.
 *
 * Waits of the host's history are looked at in the contexts of the view, with the names, patterns
 * and pairs of all rankings; a context left out by a pattern has no row, and is still part of the
 * chains. Waits that the ranking takes for idle (idle.h) are waits for work.
 */
#ifndef ITP_RANK_HELD_UP_H
#define ITP_RANK_HELD_UP_H

#include "common/rank/side.h"
#include "common/wait/knots.h"
#include "common/wait/redistribution.h"

/* A function with held-up threads, or a name of threads that held up others. */
struct itp_held_share {
	/* Owned by this. */
	char *name;
	/* Number of threads with the name; 0 for a function. */
	uint32_t threads;
	int64_t held_ns;
};

struct itp_held_row {
	uint32_t rank;
	uint32_t function;
	/* See struct itp_held_place; the base's are scaled to the suspect's amount of work. */
	int64_t held_ns;
	int64_t base_held_ns;
	int64_t passed_ns;
	int64_t base_passed_ns;
	int64_t wait_ns;
	int64_t base_wait_ns;
	uint32_t held_threads;
	uint32_t base_held_threads;
	/* Parts of the suspect's held_ns, by enum itp_held_how. */
	int64_t how_ns[ITP_HELD_HOW_COUNT];
	/* struct itp_held_share of the suspect, the largest first: reasons of waits for the kernel,
	 * names of the threads there, and functions of the held-up threads. Owned by this. */
	GArray *reasons;
	GArray *holders;
	GArray *held_in;
};

/* See struct itp_wait_vertex. */
struct itp_held_vertex {
	enum itp_vertex_kind kind;
	/* Owned by this; process may be "". */
	char *process;
	char *name;
	uint32_t threads;
	uint32_t knot;
	int64_t held_ns;
	/* Function in which its threads held up others longest; for a vertex of the kernel, the
	 * function with the longest waits for it; ITP_FUNCTION_UNKNOWN for none. */
	uint32_t face;
};

struct itp_held_up {
	/* struct itp_held_row: the largest itp_held_row_ranked_ns() first, then the largest
	 * difference of held_ns, then of wait_ns. Owned by this, as all below. */
	GArray *rows;
	/* Number of rows before they were cut to options->top. */
	uint64_t row_count;
	/* Time for which threads were held up, each instant of a thread once. */
	int64_t held_ns;
	int64_t base_held_ns;
	/* struct itp_held_vertex, struct itp_wait_for and struct itp_wait_knot of the suspect's
	 * first recording. */
	GArray *vertices;
	GArray *edges;
	GArray *knots;
	/* Number of recordings without any wakeup, which tell nothing of held-up threads. */
	uint32_t without_wakeups;
};

/* Ranking of runs whose hosts have kept the threads' doings. Free with itp_held_up_free(). */
struct itp_held_up *itp_held_up_new(const struct itp_rank_state *state);
void itp_held_up_free(struct itp_held_up *held_up);

/* Time for which the suspect's function, or the base's, held up others by itself: without the time
 * in which it only waited for a thread further on. */
static inline int64_t itp_held_row_own_ns(const struct itp_held_row *row)
{
	return row->held_ns - row->passed_ns;
}

static inline int64_t itp_held_row_base_own_ns(const struct itp_held_row *row)
{
	return row->base_held_ns - row->base_passed_ns;
}

/* Difference that orders the rows: a function that only passes requests on comes behind the
 * function that works on them. */
static inline int64_t itp_held_row_ranked_ns(const struct itp_held_row *row)
{
	return itp_held_row_own_ns(row) - itp_held_row_base_own_ns(row);
}

/* Kind of most of the suspect's itp_held_row_own_ns(); ITP_HELD_WAITED for a function that only
 * passed on its own waits. */
enum itp_held_how itp_held_row_how(const struct itp_held_row *row);

#endif
