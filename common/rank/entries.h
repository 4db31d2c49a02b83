/* SPDX-License-Identifier: MIT */
/*
 * Paths as people think of them: all paths whose culprit is the same function of the same process
 * are one entry. Its cost is the own latency of its culprit in all contexts and of what that calls,
 * up to the next culprit. The first frame below a process always is one, so each context is in
 * exactly one entry, and the costs add up to the own latency of all threads.
 */
#ifndef ITP_RANK_ENTRIES_H
#define ITP_RANK_ENTRIES_H

#include "common/rank/side.h"

/* A path from the root to where a workload has gone no further. */
struct itp_rank_leaf {
	uint32_t node;
	/* Node of the path's culprit, ITP_CONTEXT_ROOT when there is none. */
	uint32_t culprit;
	/* Σ values over the path, suspect − base. */
	int64_t cost;
};

struct itp_rank_entry {
	/* Index among the leaves of the path that is shown: through the first variant, and from
	 * there along the branches that cost, or save, most (path.h). ITP_NO_LEAF: there is no path
	 * to show; such an entry is empty, and owns no node. */
	uint32_t leaf;
	/* Node of the culprit on that path, ITP_CONTEXT_ROOT when there is none. */
	uint32_t culprit;
	/* Of which this is the culprit, not one below it. */
	uint32_t path_count;
	int64_t suspect_value;
	int64_t base_value;
	struct itp_delta delta;
	/* Of the suspect's value. */
	struct itp_ticks ticks;
	struct itp_call_bounds suspect_calls;
	struct itp_call_bounds base_calls;
	/* struct itp_variant, most expensive first. Owned by this. */
	GArray *variants;
	/* Nodes (uint32_t) that it costs for and that have wakers in the suspect. Owned by this. */
	GArray *woken;
	uint32_t cost_function;
	uint32_t syscall;
	struct itp_significance significance;
	bool is_rare;
	/* Of its Δ, time blocked for threads that worked themselves. */
	int64_t passed_ns;
	/* The entry is ranked by this: its Δ without waiting for a CPU, unless that counts, and
	 * without what is passed on, which others are ranked by. */
	int64_t weight;
	/* Of a program that the base did not run, where waiting for a CPU is the cause: it may be
	 * who had it. */
	bool is_newcomer;
	/* Index of the entry for which this one waits (effects.c), or ITP_NO_ENTRY. */
	uint32_t cause;
	/* The entry is the cause of another one. */
	bool is_waited_for;
	/* struct itp_started, what costs most first: programs whose cost is in this entry, which
	 * started them (started.c). Owned by this. */
	GArray *started;
};

#define ITP_NO_ENTRY UINT32_MAX

struct itp_rank_entries {
	/* struct itp_rank_entry. Owned by this. */
	GArray *entries;
	/* By node: the index of the entry that it costs for, or ITP_NO_ENTRY. Owned by this. */
	uint32_t *owner;
};

/* `culprits` are those of itp_culprits_find(), `leaves` holds struct itp_rank_leaf, most expensive
 * first. Where options do not fold, and for paths without a culprit, an entry is one path. The
 * entries are not sorted, and their significance is not known. */
struct itp_rank_entries *itp_rank_entries_new(const struct itp_rank_state *state,
					      const uint32_t *culprits, const GArray *leaves);

/* Whether its culprits have left all that they cost to others. */
static inline bool itp_rank_entry_is_empty(const struct itp_rank_entry *entry)
{
	return entry->path_count == 0 && entry->suspect_value == 0 && entry->base_value == 0;
}

/* Whether it may be chance, or is too rare to say. Its significance must be known. */
static inline bool itp_rank_entry_is_unsure(const struct itp_rank_entry *entry)
{
	return itp_significance_is_chance(&entry->significance) || entry->is_rare;
}

/* Whether it is one path that stands for itself. */
static inline bool itp_rank_entry_is_path(const struct itp_rank_entry *entry)
{
	return entry->variants->len == 0 && entry->path_count > 0;
}

void itp_rank_entries_free(struct itp_rank_entries *entries);

#endif
