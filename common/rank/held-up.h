/* SPDX-License-Identifier: MIT */
/*
 * Functions by what waits and runs in them hold up (common/wait/redistribution.h), and the wait-for
 * graph of the threads.
 *
 * A wait of the host's history is looked at in the contexts of the view, so that names, patterns
 * and pairs are those of all rankings; what a pattern leaves out is no row, and still part of the
 * chains. What the ranking takes for waiting for work (idle.h) counts as that.
 */
#ifndef ITP_RANK_HELD_UP_H
#define ITP_RANK_HELD_UP_H

#include "common/rank/side.h"
#include "common/wait/knots.h"
#include "common/wait/redistribution.h"

/* A function in which threads were held up, or the name of threads that held up others. */
struct itp_held_share {
	/* Owned by this. */
	char *name;
	/* How many threads have that name; 0 for a function. */
	uint32_t threads;
	int64_t held_ns;
};

struct itp_held_row {
	uint32_t rank;
	uint32_t function;
	/* As in struct itp_held_place; the base's in the amount of work that the suspect did. */
	int64_t held_ns;
	int64_t base_held_ns;
	int64_t passed_ns;
	int64_t base_passed_ns;
	int64_t wait_ns;
	int64_t base_wait_ns;
	uint32_t held_threads;
	uint32_t base_held_threads;
	/* Of the suspect's held_ns, by enum itp_held_how. */
	int64_t how_ns[ITP_HELD_HOW_COUNT];
	/* struct itp_held_share of the suspect, the largest first: for what of the kernel it
	 * waited, which threads were there, and where others were held up. Owned by this. */
	GArray *reasons;
	GArray *holders;
	GArray *held_in;
};

/* As in struct itp_wait_vertex. */
struct itp_held_vertex {
	enum itp_vertex_kind kind;
	/* Owned by this; process may be "". */
	char *process;
	char *name;
	uint32_t threads;
	uint32_t knot;
	int64_t held_ns;
	/* The function in which its threads held up others longest, or of one of the kernel's in
	 * which threads waited for it; ITP_FUNCTION_UNKNOWN for none. */
	uint32_t face;
};

struct itp_held_up {
	/* struct itp_held_row: the largest itp_held_row_ranked_ns() first, then the largest
	 * difference of held_ns, then of wait_ns. Owned by this, as all below. */
	GArray *rows;
	/* How many there were. */
	uint64_t row_count;
	/* How long threads were held up, each instant of one once. */
	int64_t held_ns;
	int64_t base_held_ns;
	/* Of the first recording of the suspect: struct itp_held_vertex, struct itp_wait_for and
	 * struct itp_wait_knot. */
	GArray *vertices;
	GArray *edges;
	GArray *knots;
	/* Recordings in which no wakeup was seen, which tell nothing of this. */
	uint32_t without_wakeups;
};

/* Whether the host has kept what threads did in all runs, without which there is nothing to tell.
 */
bool itp_held_up_is_known(const struct itp_runs *runs);

/* Of runs of which it is known; `base` may be NULL. Free with itp_held_up_free(). */
struct itp_held_up *itp_held_up_new(const struct itp_rank_state *state,
				    const struct itp_runs *suspect, const struct itp_runs *base);
void itp_held_up_free(struct itp_held_up *held_up);

/* How long the suspect's function, or the base's, held up others by itself: without the time in
 * which it only waited for a thread further on. */
static inline int64_t itp_held_row_own_ns(const struct itp_held_row *row)
{
	return row->held_ns - row->passed_ns;
}

static inline int64_t itp_held_row_base_own_ns(const struct itp_held_row *row)
{
	return row->base_held_ns - row->base_passed_ns;
}

/* The difference that orders the rows: a function that only passes requests on comes behind the
 * function that works on them. */
static inline int64_t itp_held_row_ranked_ns(const struct itp_held_row *row)
{
	return itp_held_row_own_ns(row) - itp_held_row_base_own_ns(row);
}

/* How most of the suspect's itp_held_row_own_ns() came about; ITP_HELD_WAITED where the function
 * only passed on what it waited for. */
enum itp_held_how itp_held_row_how(const struct itp_held_row *row);

#endif
