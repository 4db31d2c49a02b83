/* SPDX-License-Identifier: MIT */
/*
 * Proofs that a system call waits for work, by facts about its thread: use of its time, and the
 * functions below which the thread works. The facts are gathered by idle.c.
 */
#ifndef ITP_RANK_IDLE_PROOFS_H
#define ITP_RANK_IDLE_PROOFS_H

#include "common/known/modules.h"
#include "common/known/waiting-calls.h"
#include "common/rank/side.h"

/* A system call that may wait for work. */
struct itp_idle_call {
	uint32_t node;
	/* Function that wants to wait: the nearest above the system call outside of runtimes; and
	 * the outermost of the program's own on the stack. */
	uint32_t waiter;
	uint32_t root;
	/* Node that lasts as long as the thread: root, or the thread's first function if all are in
	 * runtimes. */
	uint32_t life;
	enum itp_idle_proof proof;
};

/* State of a search for idle waits. */
struct itp_idle_search {
	/* Weak, as all profiles. */
	const struct itp_rank_state *state;
	/* suspect, base. The base may be NULL. */
	const struct itp_profile *profiles[2];
	/* struct itp_idle_call. Owned by this. */
	GArray *waits;
	/* Times by node, itself and all below: on the CPU in both workloads; and in waits of the
	 * suspect that time ended. Owned by this. */
	int64_t *cpu_ns;
	int64_t *timed_ns;
	/* Time of pooled waits, by root, in the suspect and in the base. Owned by this. */
	int64_t *waiting_ns[2];
	/* Nodes that wait for a disk, or call such a function inside their system call, by node.
	 * Owned by this. */
	bool *waits_for_disk;
	/* Nodes that read from a pipe, or call a function that does inside their system call, by
	 * node. Owned by this. */
	bool *reads_pipe;
};

static inline const struct itp_node_stats *itp_idle_stats(const struct itp_idle_search *search,
							  size_t side, uint32_t node)
{
	return itp_profile_peek(search->profiles[side], node);
}

static inline bool itp_idle_is_runtime(const struct itp_rank_state *state, uint32_t node)
{
	enum itp_module_kind kind = itp_rank_kind(state, node);

	return kind == ITP_MODULE_RUNTIME || kind == ITP_MODULE_INTERPRETER;
}

/* True for a wait that counts with others: as shallow as a pool's, or most of a life. */
bool itp_idle_is_pooled(const struct itp_idle_search *search, const struct itp_idle_call *wait);

/* True if a function not far above the wait goes on and on, and calls other functions with most of
 * the thread's work. A function that serves a request does not wait often, and a caller of several
 * such functions has its work on the way to the wait. */
bool itp_idle_is_in_work_loop(const struct itp_idle_search *search,
			      const struct itp_idle_call *wait);

/* True if the facts prove what the rule of the call asks for (wait->proof). */
bool itp_idle_is_proved(const struct itp_idle_search *search, const struct itp_idle_call *wait);

#endif
