/* SPDX-License-Identifier: MIT */
/*
 * A workload on the tree: values of nodes and paths, presence in contexts, and bounds of calls and
 * of differences between them.
 *
 * A count is known between two limits (struct itp_call_bounds). A workload is said to call more
 * often than the other only if their limits leave no doubt, and then by as little as they allow.
 * Otherwise a difference in time is not split at all.
 */
#ifndef ITP_RANK_SIDE_H
#define ITP_RANK_SIDE_H

#include "common/rank/ranking.h"

/* Values of a workload by node. */
struct itp_side {
	/* Runs, and all of them together, the base's scaled to the suspect's amount of work. NULL:
	 * there is no workload, and everything is zero. Weak. */
	const struct itp_runs *runs;
	struct itp_profile *profile;
	/* Value in the metric; 0 for idle time. Owned by this. */
	int64_t *value;
	/* Sum of `value` from the process root's child to the node. Owned by this. */
	int64_t *path_value;
	/* The workload has been in the context; and went no further from it, or only to wait for
	 * work. Owned by this. */
	bool *is_present;
	bool *is_leaf;
	/* Telling (enum itp_telling) of the workload's recordings, by function. Owned by this. */
	uint8_t *telling;
};

/* State shared by the steps of a ranking. */
struct itp_rank_state {
	const struct itp_ranking_options *options;
	const struct itp_function_table *functions;
	const struct itp_context_tree *tree;
	uint32_t node_count;
	/* Kinds of modules (enum itp_module_kind) by function. Owned by this. */
	uint8_t *kinds;
	/* Kinds of time apart (enum itp_apart_kind, apart.h) by node: nodes in no row. Owned by
	 * this, until the ranking takes it. */
	uint8_t *apart;
	/* Unwanted time by node (unwanted.h): blocked time of suspect and base that was nobody's
	 * loss, at the system call, and whether it is most of the call's. NULL where waiting for
	 * work is ranked. Owned by this. */
	int64_t *unwanted_ns[2];
	bool *waits_for_work;
	/* Both are guesses (idle.h). */
	bool guesses_idle;
	struct itp_side suspect;
	struct itp_side base;
	/* Factor of the base's statistics; 1 without a base. */
	double base_factor;
	/* Waiting for a CPU counts like any other time (contention.c). */
	bool counts_waiting;
	/* Standard deviation that runs are assumed to have (spread.c); and the machine's
	 * slowness. */
	double spread;
	struct itp_machine_speed speed;
};

/* Fills the values of a side whose profile is known. state->apart must be known. */
void itp_side_init(struct itp_side *side, const struct itp_rank_state *state);
void itp_side_release(struct itp_side *side);

static inline bool itp_rank_is_paper(const struct itp_rank_state *state)
{
	return state->options->method == ITP_METHOD_PAPER;
}

static inline bool itp_rank_folds(const struct itp_rank_state *state)
{
	return state->options->folds && state->options->metric == ITP_METRIC_OWN &&
	       !itp_rank_is_paper(state);
}

static inline bool itp_rank_is_apart(const struct itp_rank_state *state, uint32_t node)
{
	return state->apart[node] != 0;
}

/* True unless `node` is the root of the tree or of a process. */
static inline bool itp_rank_is_frame(const struct itp_rank_state *state, uint32_t node)
{
	return itp_context_tree_get(state->tree, node)->depth > 1;
}

/* True for a frame whose time is ranked. */
static inline bool itp_rank_is_ranked(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_is_frame(state, node) && !itp_rank_is_apart(state, node);
}

static inline uint32_t itp_rank_parent(const struct itp_rank_state *state, uint32_t node)
{
	return itp_context_tree_get(state->tree, node)->parent;
}

static inline uint32_t itp_rank_function_id(const struct itp_rank_state *state, uint32_t node)
{
	return itp_context_tree_get(state->tree, node)->function;
}

static inline const struct itp_function *itp_rank_function(const struct itp_rank_state *state,
							   uint32_t node)
{
	return itp_function_table_get(state->functions, itp_rank_function_id(state, node));
}

static inline enum itp_module_kind itp_rank_kind(const struct itp_rank_state *state, uint32_t node)
{
	return (enum itp_module_kind)state->kinds[itp_rank_function_id(state, node)];
}

/* Process root above `node`, and its function, which stands for the program. */
uint32_t itp_rank_process(const struct itp_rank_state *state, uint32_t node);
static inline uint32_t itp_rank_program(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_function_id(state, itp_rank_process(state, node));
}

/* Statistics of `node`; all zero without a workload. */
static inline const struct itp_node_stats *itp_side_stats(const struct itp_side *side,
							  uint32_t node)
{
	static const struct itp_node_stats none;

	return side->profile ? itp_profile_peek(side->profile, node) : &none;
}

/* Σ own latency of `profile`, which may be NULL, without idle contexts. */
int64_t itp_rank_own_ns(const struct itp_rank_state *state, const struct itp_profile *profile);

/* Order of the paths to two nodes by the names of their functions, root first: results do not
 * depend on node ids. */
int itp_rank_compare_paths(const struct itp_rank_state *state, uint32_t a, uint32_t b);

/* Own latency of `stats` that counts: without waiting for a CPU, unless this is the cause. */
static inline int64_t itp_rank_counted_ns(const struct itp_rank_state *state,
					  const struct itp_node_stats *stats)
{
	return stats->own_ns - (state->counts_waiting ? 0 : stats->own_use.runnable_ns);
}

/* Counted latency of `node` beyond the base's; 0 for an idle node. */
static inline int64_t itp_rank_own_delta(const struct itp_rank_state *state, uint32_t node)
{
	if (itp_rank_is_apart(state, node)) {
		return 0;
	}
	return itp_rank_counted_ns(state, itp_side_stats(&state->suspect, node)) -
	       itp_rank_counted_ns(state, itp_side_stats(&state->base, node));
}

/* a / b, rounded to the nearest; b > 0. */
static inline int64_t itp_divide(__int128 a, uint64_t b)
{
	__int128 half = (__int128)(b / 2);

	return (int64_t)((a >= 0 ? a + half : a - half) / (__int128)b);
}

/* ---- Calls ---- */

/* Knowledge of a function's calls in a recording, from all callers. */
enum itp_telling {
	/* Any may go unseen. */
	ITP_TELLING_NOTHING = 0,
	/* Each shows, if the stacks are not broken. */
	ITP_TELLING_SHOWN = 1,
	/* Each is counted. */
	ITP_TELLING_COUNTED = 2,
};

/* Telling of each function (enum itp_telling), by function. Free with g_free(). */
uint8_t *itp_calls_telling(const struct itp_profile *profile,
			   const struct itp_function_table *functions,
			   const struct itp_context_tree *tree);

/* Calls behind `stats` of `profile`; `telling` of its function. Time without any call, in a
 * function whose calls show, is no call. */
struct itp_call_bounds itp_calls_of(const struct itp_profile *profile,
				    const struct itp_node_stats *stats, uint8_t telling);

/* Calls of `node` in a workload, none without a workload. */
struct itp_call_bounds itp_side_calls(const struct itp_rank_state *state,
				      const struct itp_side *side, uint32_t node);

/* Splits Δ = n₁m₁ − n₀m₀ into (n₁ − n₀)·m₀ and n₁·(m₁ − m₀), as far as n₁ and n₀ are known, and
 * adds the parts to `delta`. */
void itp_calls_split(struct itp_delta *delta, int64_t suspect_ns, int64_t base_ns,
		     struct itp_call_bounds suspect, struct itp_call_bounds base);

/* Numbers of calls that differ for certain: `ret_suspect` and `ret_base` are the closest ends of
 * the bounds. False when it is not known which is larger. */
bool itp_calls_compare(struct itp_call_bounds suspect, struct itp_call_bounds base,
		       uint64_t *ret_suspect, uint64_t *ret_base);

/* Calls that are possible beyond those seen, as results hold them. */
static inline uint64_t itp_calls_unseen(struct itp_call_bounds bounds)
{
	return bounds.possible == ITP_CALLS_UNKNOWN ? ITP_CALLS_UNKNOWN :
						      bounds.possible - bounds.seen;
}

static inline struct itp_call_bounds itp_calls_bounds(uint64_t seen, uint64_t unseen)
{
	return (struct itp_call_bounds){ .seen = seen,
					 .possible = unseen == ITP_CALLS_UNKNOWN ?
							     ITP_CALLS_UNKNOWN :
							     seen + unseen };
}

#endif
