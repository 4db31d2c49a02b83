/* SPDX-License-Identifier: MIT */
/*
 * The stacks of many traces, and what is found in them: patterns and clusters, of those that waited
 * and of those that ran.
 */
#ifndef ITP_MINE_MINING_H
#define ITP_MINE_MINING_H

#include "common/mine/clusters.h"

enum itp_mine_kind {
	ITP_MINE_WAITING,
	ITP_MINE_RUNNING,
};

#define ITP_MINE_KINDS 2

/* "waiting", "running". */
extern const char *const itp_mine_kind_names[ITP_MINE_KINDS + 1];

/* Where stacks come from. */
struct itp_mined_trace {
	/* As given. Owned by this. */
	char *path;
	/* What was looked for in it, as "call:handle>100ms"; NULL: the slowest calls of its first
	 * path. Owned by this. */
	char *symptom;
	/* How many symptoms it had, of how many calls or processes, and how long they took. */
	uint64_t symptoms;
	uint64_t calls;
	int64_t cost_ns;
	/* How many others were left out, as these waited for them (common/wait/nested.h). */
	uint64_t left_out;
	/* It tells who ended waits. Where it does not, how long its symptoms waited for others than
	 * time, which adding it finds. */
	bool has_wakeups;
	int64_t unseen_ns;
	/* Nothing is known to be missing from it. */
	bool is_complete;
};

struct itp_mining {
	/* Of all stacks. Owned by this. */
	struct itp_function_table *functions;
	/* Those of slow traces, and those of good ones, by kind. Owned by this. */
	struct itp_stack_set sets[ITP_MINE_KINDS];
	struct itp_stack_set base_sets[ITP_MINE_KINDS];
	/* struct itp_mined_trace. Owned by this. */
	GArray *traces;
	GArray *base_traces;
	/* Where the stacks of all traces that are added are counted, beside those that it has; NULL
	 * where they are not. Owned by this. */
	struct itp_stack_base *stacks;
};

void itp_mining_init(struct itp_mining *mining);
void itp_mining_release(struct itp_mining *mining);

/* All traces have come. A stack that others go on from ends in ITP_MINED_ITSELF from now on:
 * patterns that are part of longer ones do not hide what such a stack cost. */
void itp_mining_close(struct itp_mining *mining);

/* Keeps the stacks with a function of `focus`, and none of `ignore`: by id, NULL for any and none.
 */
void itp_mining_select(struct itp_mining *mining, const bool *focus, const bool *ignore);

/* The sum of the traces. */
struct itp_mined_trace itp_mining_sum(const GArray *traces);

/* A symptom that was looked for, and in how many traces, slow and good ones. */
struct itp_mined_symptom {
	/* As that of a trace. Weak. */
	const char *symptom;
	guint traces;
};

/* Each once, in the order of the traces, slow ones first: a GArray of struct itp_mined_symptom.
 * Free with g_array_unref(). */
GArray *itp_mining_symptoms(const struct itp_mining *mining);

/* How many of the slow traces have waits that nobody is known to have ended, and in *ret_first the
 * path of the first of these. Weak. */
guint itp_mining_unseen(const struct itp_mining *mining, const char **ret_first);

/* How many traces, slow and good ones, something is missing from. */
guint itp_mining_incomplete(const struct itp_mining *mining);

/* The function that stands for what the one before it did itself (layer user), which is its module.
 */
#define ITP_MINED_ITSELF "[itself]"

struct itp_mining_options {
	/* Patterns that cost less are left out: least_ns, or if that is 0, this part of what all
	 * symptoms took; if both are 0, as itp_mining_least() says. */
	double least_part;
	int64_t least_ns;
	/* As in struct itp_pattern_options. */
	enum itp_pattern_choice choice;
	uint64_t max_steps;
	uint64_t max_idle_steps;
	uint32_t max_candidates;
	struct itp_cluster_options clusters;
};

/* What patterns cost at least if nobody says, where so many symptoms, with so many different
 * stacks, took `cost_ns`: a hundredth of that; where there are many symptoms, half of what the
 * average one took, as what makes one of them slow matters however many others there are; but no
 * less than a two-hundredth of all, which can be searched for in minutes. Of very many symptoms
 * that may be three or more: where stacks are few enough to search on, no less than what two took,
 * or a three-hundredth. */
int64_t itp_mining_least(int64_t cost_ns, uint64_t symptoms, uint64_t stacks);

/* What patterns of the slow traces cost at least, by these options. */
int64_t itp_mining_limit(const struct itp_mining *mining, const struct itp_mining_options *options);

/* What is found in one kind of stacks. */
struct itp_mined {
	/* All patterns that cost so much are found. */
	int64_t least_ns;
	/* What was asked for: less, where looking for patterns of so little cost was given up. */
	int64_t asked_ns;
	struct itp_mined_patterns patterns;
	struct itp_clusters clusters;
	/* As itp_clusters_coverage(). Owned by this. */
	GArray *coverage;
	/* int64_t, by cluster: what the stacks of good traces cost that have one of its patterns,
	 * for as many traces as the slow ones are. Owned by this; NULL without good traces. */
	GArray *base_costs;
};

/* With good traces, clusters that cost more than in these come first, by how much. */
void itp_mined_init(struct itp_mined *mined, const struct itp_mining *mining,
		    enum itp_mine_kind kind, struct itp_stack_statistics *statistics,
		    const struct itp_mining_options *options);
void itp_mined_release(struct itp_mined *mined);

/* Of all stacks. Free with itp_stack_statistics_free(). */
struct itp_stack_statistics *itp_mining_statistics(const struct itp_mining *mining);

#endif
