/* SPDX-License-Identifier: MIT */
/*
 * Paths as people think of them: all paths with the same function of the same process as culprit
 * are an entry. It costs the own latency of its culprit and of the culprit's callees, in all
 * contexts, up to the next culprit. The first frame below a process is always a culprit, so each
 * context is in exactly one entry, and the costs add up to the own latency of all threads.
 */
#ifndef ITP_RANK_ENTRY_H
#define ITP_RANK_ENTRY_H

#include "common/rank/side.h"

#define ITP_NO_LEAF UINT32_MAX

/* A path from the root to the deepest context of a workload. */
struct itp_rank_leaf {
	uint32_t node;
	/* Node of the path's culprit, ITP_CONTEXT_ROOT without any. */
	uint32_t culprit;
	/* Σ values over the path, suspect − base. */
	int64_t cost;
};

struct itp_rank_entry {
	/* Index among the leaves of the path to show: through the first variant, and from there
	 * along the branches that cost, or save, most (path.h). ITP_NO_LEAF: no path to show; the
	 * entry is empty then, and owns no node. */
	uint32_t leaf;
	/* Node of the culprit on the shown path, ITP_CONTEXT_ROOT without any. */
	uint32_t culprit;
	/* Number of paths with this culprit, not a culprit below it. */
	uint32_t path_count;
	int64_t suspect_value;
	int64_t base_value;
	struct itp_delta delta;
	/* Ticks of suspect_value. */
	struct itp_ticks ticks;
	struct itp_call_bounds suspect_calls;
	struct itp_call_bounds base_calls;
	/* struct itp_variant, most expensive first. Owned by this. */
	GArray *variants;
	/* Nodes (uint32_t) of the entry with wakers in the suspect. Owned by this. */
	GArray *woken;
	uint32_t cost_function;
	uint32_t syscall;
	struct itp_often often;
	struct itp_significance significance;
	bool is_rare;
	/* Part of its Δ blocked for threads that worked themselves. */
	int64_t passed_ns;
	/* Rank of the entry: its Δ without waiting for a CPU, unless counts_waiting is set, and
	 * without passed_ns, by which others are ranked. */
	int64_t weight;
	/* Part of a program that the base did not run, while waiting for a CPU is the cause: the
	 * program may have had it. */
	bool is_newcomer;
	/* Index of the entry that this entry waits for (effects.c), or ITP_NO_ENTRY. */
	uint32_t cause;
	/* The entry is the cause of another. */
	bool is_waited_for;
	/* struct itp_started, the dearest first: programs started by this entry, with their cost in
	 * it (started.c). Owned by this. */
	GArray *started;
};

#define ITP_NO_ENTRY UINT32_MAX

/* Element of an array of struct itp_rank_entry. */
static inline struct itp_rank_entry *itp_rank_entry_at(const GArray *entries, guint i)
{
	return &g_array_index(entries, struct itp_rank_entry, i);
}

struct itp_rank_entries {
	/* struct itp_rank_entry. Owned by this. */
	GArray *entries;
	/* Index of the entry, or ITP_NO_ENTRY, by node. Owned by this. */
	uint32_t *owner;
};

/* True if its culprits have left all their costs to others. */
static inline bool itp_rank_entry_is_empty(const struct itp_rank_entry *entry)
{
	return entry->path_count == 0 && entry->suspect_value == 0 && entry->base_value == 0;
}

/* True if the entry may be chance, or is too rare to say. Its significance must be known. */
static inline bool itp_rank_entry_is_unsure(const struct itp_rank_entry *entry)
{
	return itp_significance_is_chance(&entry->significance) || entry->is_rare;
}

/* True for a single path that stands for itself. */
static inline bool itp_rank_entry_is_path(const struct itp_rank_entry *entry)
{
	return entry->variants->len == 0 && entry->path_count > 0;
}

#endif
