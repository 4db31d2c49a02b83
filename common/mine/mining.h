/* SPDX-License-Identifier: MIT */
/*
 * Stacks of many traces, and the patterns and clusters found in them, of waiting stacks and of
 * running ones.
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

/* Trace with stacks. */
struct itp_mined_trace {
	/* Path as given. Owned by this. */
	char *path;
	/* Symptom looked for in it: "call:handle>100ms"; NULL: the slowest calls of its first path.
	 * Owned by this. */
	char *symptom;
	/* How many symptoms it had, of how many calls or processes, and how long they took. */
	uint64_t symptoms;
	uint64_t calls;
	int64_t cost_ns;
	/* Symptoms left out, as others waited for them (common/wait/nested.h). */
	uint64_t left_out;
	/* Wakeups tell who ended waits. Without them: time for which its symptoms waited for others
	 * than time, found while it is added. */
	bool has_wakeups;
	int64_t unseen_ns;
	/* Nothing is known to be missing from it. */
	bool is_complete;
};

struct itp_mining {
	/* Of all stacks. Owned by this. */
	struct itp_function_table *functions;
	/* Stacks of slow traces, and of good ones, by kind. Owned by this. */
	struct itp_stack_set sets[ITP_MINE_KINDS];
	struct itp_stack_set base_sets[ITP_MINE_KINDS];
	/* struct itp_mined_trace. Owned by this. */
	GArray *traces;
	GArray *base_traces;
	/* Counts of stacks over all added traces, beside older ones; NULL without counting. Owned
	 * by this. */
	struct itp_stack_base *stacks;
};

void itp_mining_init(struct itp_mining *mining);
void itp_mining_release(struct itp_mining *mining);

/* All traces have come. A stack continued in others ends in ITP_MINED_ITSELF from now on: patterns
 * inside of longer ones do not hide the cost of such a stack. */
void itp_mining_close(struct itp_mining *mining);

/* Keeps the stacks with a function of `focus`, and none of `ignore`: by id, NULL for any and none.
 */
void itp_mining_select(struct itp_mining *mining, const bool *focus, const bool *ignore);

/* The sum of the traces. */
struct itp_mined_trace itp_mining_sum(const GArray *traces);

/* Symptom looked for, and the number of its traces, slow and good ones. */
struct itp_mined_symptom {
	/* Symptom as a trace's. Weak. */
	const char *symptom;
	guint traces;
};

/* Each once, in the order of the traces, slow ones first: a GArray of struct itp_mined_symptom.
 * Free with g_array_unref(). */
GArray *itp_mining_symptoms(const struct itp_mining *mining);

/* Number of slow traces with waits of unknown end, and in *ret_first the path of the first of them.
 * Weak. */
guint itp_mining_unseen(const struct itp_mining *mining, const char **ret_first);

/* Number of traces with losses, slow and good ones. */
guint itp_mining_incomplete(const struct itp_mining *mining);

struct itp_mining_options {
	/* Least cost of a pattern: patterns.least_ns, or if 0, this part of the time of all
	 * symptoms; if both are 0, as itp_mining_least() says. */
	double least_part;
	struct itp_pattern_options patterns;
	struct itp_cluster_options clusters;
};

/* Default of a pattern's least cost, where so many symptoms, with so many different stacks, took
 * `cost_ns`: a hundredth of it; with many symptoms, half of an average one's time, as the cause of
 * a single slow symptom matters however many others there are; but no less than a two-hundredth of
 * all, which can be searched for in minutes. With very many symptoms it may be three or more of
 * them: where stacks are few enough to search on, no less than the time of two, or a
 * three-hundredth. */
int64_t itp_mining_least(int64_t cost_ns, uint64_t symptoms, uint64_t stacks);

/* Least cost of patterns of the slow traces, by these options. */
int64_t itp_mining_limit(const struct itp_mining *mining, const struct itp_mining_options *options);

/* Findings in one kind of stacks. */
struct itp_mined {
	/* Least cost down to which all patterns are found. */
	int64_t least_ns;
	/* Least cost asked for: below least_ns where the search for cheap patterns was given up. */
	int64_t asked_ns;
	struct itp_mined_patterns patterns;
	struct itp_clusters clusters;
	/* Result of itp_clusters_coverage(). Owned by this. */
	GArray *coverage;
	/* int64_t, by cluster: cost of the good traces' stacks with one of its patterns, scaled to
	 * the number of slow traces. Owned by this; NULL without good traces. */
	GArray *base_costs;
};

/* With good traces, clusters that cost more than in them come first, by the difference. */
void itp_mined_init(struct itp_mined *mined, const struct itp_mining *mining,
		    enum itp_mine_kind kind, struct itp_stack_statistics *statistics,
		    const struct itp_mining_options *options);
void itp_mined_release(struct itp_mined *mined);

/* Of all stacks. Free with itp_stack_statistics_free(). */
struct itp_stack_statistics *itp_mining_statistics(const struct itp_mining *mining);

#endif
