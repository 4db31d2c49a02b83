/* SPDX-License-Identifier: MIT */
/*
 * What explains the time of a workload, or the difference between two: differential context
 * ranking (paper, section 3.4.2, Algorithm 3, second half) and what people need beyond it.
 *
 *   ranking.c     the steps in order; the order of the entries, and which are kept
 *   side.c        one workload: values of the nodes and of the paths, how often they were called
 *   scale.c       two workloads made comparable: length, load, what only another function calls now
 *   lasting.c     processes beside, of which only the share of a recording is compared
 *   doubts.c      comparisons that make little sense; amount.c: whether both did as much
 *   unwanted.c    waiting that is nobody's loss; idle.c: a guess at it, where nothing tells
 *   apart.c       what is told beside: idleness, and what the recorder did and missed
 *   contention.c  waiting for a CPU, who had it, and what was delayed
 *   culprit.c     the frames to open first, of those that candidates.c finds: in one context, or by
 *                 gathered.c in many; trunk.c: the last one before a difference branches;
 *                 modules.c: whose code a module is
 *   entries.c     paths with the same culprit are one entry
 *   started.c     programs that an entry started more often; effects.c: waits for another entry
 *   verdict.c     sure, likely or chance: of evidence.c, by error-model.c and the statistics of
 *                 chance.c, beside what runs are assumed to differ by, which is found by spread.c;
 *                 never-taken.c: paths that are no chance as only one workload has ever taken them
 *   path.c        the path that stands for an entry, frame by frame
 *   flat.c        by function and by module instead of by path
 *   held-up.c     by what holds up others
 *   waited-out.c  waits that last as long as a timer of TCP
 *   detail.c      one path from nearby; only for those who show it
 *   view.c        the profiles to rank, from those that were recorded: view-names.c by names.c,
 *                 patterns.c, pairs.c (of pair-parts.c) and renamed.c
 *
 * All profiles annotate one context tree, in which equal functions have equal ids (view.h). The
 * result is plain data for common/render; nothing here knows about output formats.
 *
 * method=paper is Algorithm 3 to the letter: none of the above but side.c and culprit.c.
 */
#ifndef ITP_RANK_RANKING_H
#define ITP_RANK_RANKING_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/profile.h"
#include "common/rank/modules.h"

#include <stdlib.h>

/* The value of a node that a path's cost is made of. */
enum itp_metric {
	ITP_METRIC_OWN = 0,
	ITP_METRIC_TOTAL = 1,
	/* Number of calls, not a time. */
	ITP_METRIC_COUNT = 2,
	/* Own latency of one call. */
	ITP_METRIC_EACH = 3,
};

enum itp_method {
	/* Sums over all calls; base is subtracted node by node, so a path that base never took
	 * still has the share of its callers that base has too taken out. */
	ITP_METHOD_TOTALS = 0,
	/* Algorithm 3 to the letter: means per call, own mean = mean − Σ children's means, base
	 * subtracted only where it took the very same path. */
	ITP_METHOD_PAPER = 1,
};

/* What is ranked. */
enum itp_rank_by {
	ITP_RANK_BY_PATH = 0,
	ITP_RANK_BY_FUNCTION = 1,
	ITP_RANK_BY_MODULE = 2,
	/* Functions, by what waits and runs in them hold up. */
	ITP_RANK_BY_WAIT = 3,
};

/* As parameters and results spell them, by number; ends with NULL. */
extern const char *const itp_metric_names[];
extern const char *const itp_method_names[];
extern const char *const itp_rank_by_names[];

/* Of itp_ranking_options.spread: by what the machine made of the runs (spread.c). */
#define ITP_SPREAD_AUTO (-1.0)

struct itp_ranking_options {
	enum itp_metric metric;
	enum itp_method method;
	enum itp_rank_by by;
	/* How many paths, functions or modules are kept; 0 = all. */
	size_t top;
	/* Paths with the same culprit are one entry. Only with METRIC_OWN and METHOD_TOTALS. */
	bool folds;
	/* Waiting for work is ranked like everything else. */
	bool ranks_idle;
	/* Entries whose culprit was called less often, in both workloads together, go last. */
	uint64_t min_count;
	/* Entries that cost, or save, less than this part of all that is ranked of the suspect are
	 * not kept. */
	double least_share;
	/* By how much runs of one workload are assumed to differ (spread.c), or ITP_SPREAD_AUTO. */
	double spread;
	/* What a unit of work is, as users spell it; NULL = "run". Weak. */
	const char *per;
	/* Weak; NULL = the built-in lists. */
	const struct itp_module_kinds *modules;
};

/* The recordings of one workload. */
struct itp_runs {
	/* const struct itp_profile *, weak, at least one. */
	const struct itp_profile *const *profiles;
	size_t count;
	/* How much work each did, in a unit that all runs share: 1 for a run, its seconds, its
	 * requests. All > 0. Weak. */
	const double *units;
};

/* One of several runs, for what is not a sum. */
struct itp_recording {
	/* Owned by this. */
	char *name;
	struct itp_clock clock;
	/* As in struct itp_infer_counts. */
	int64_t begin_ns;
	int64_t end_ns;
	/* As in struct itp_workload. Weak. */
	const struct itp_recall *recall;
};

/* One frame of a ranked path. Times are ns; base_… is 0 without a base. */
struct itp_ranked_frame {
	uint32_t node;
	uint32_t function;
	/* The metric's values, of which `value - base_value` enters the path's cost. */
	int64_t value;
	int64_t base_value;
	/* Weak: the statistics of the two workloads for this node. base is NULL without one. */
	const struct itp_node_stats *suspect;
	const struct itp_node_stats *base;
	/* 1 = the largest share of the path's cost. */
	uint32_t rank;
};

/* Why it costs more: parts of a Δ of own latency, which add up to it (ns). */
struct itp_delta {
	/* Δcount × base mean, and count × Δmean. A node that the base never called counts as called
	 * more often. */
	int64_t more_calls_ns;
	int64_t slower_calls_ns;
	/* What is neither, because nobody knows how often it was called. */
	int64_t unsplit_ns;
	/* Δ by use of time; what is left of it is not known. */
	struct itp_time_use use;
};

/* A program that an entry has started. */
struct itp_started {
	/* Function of its process root. */
	uint32_t process;
	/* How often, by anybody; the base in the amount of work that the suspect did. */
	uint64_t count;
	uint64_t base_count;
	/* What of the entry's cost is in the program. */
	int64_t cost;
};

/* How well a sum of own CPU time is known: what ticks say of all contexts in it. */
struct itp_ticks {
	uint64_t samples;
	/* An upper limit: what is too much of one context may be too little of another in the sum.
	 */
	uint64_t variance_us2;
};

static inline void itp_ticks_add(struct itp_ticks *ticks, const struct itp_node_stats *stats)
{
	ticks->samples += stats->samples;
	ticks->variance_us2 += stats->own_variance_us2;
}

static inline struct itp_ticks itp_node_stats_ticks(const struct itp_node_stats *stats)
{
	return (struct itp_ticks){ stats->samples, stats->own_variance_us2 };
}

/* A context of an entry's culprit. */
struct itp_variant {
	/* The culprit in this context. */
	uint32_t node;
	/* What lies at and below it. */
	int64_t suspect_ns;
	int64_t base_ns;
};

enum itp_novelty {
	ITP_NOVELTY_NONE = 0,
	/* Base never was in the path's context. */
	ITP_NOVELTY_NEW = 1,
	/* Only base was. */
	ITP_NOVELTY_VANISHED = 2,
	/* Base had the culprit, or a caller of it, below another function. */
	ITP_NOVELTY_MOVED = 3,
};

extern const char *const itp_novelty_names[];

/* What of a difference is to be doubted most. */
enum itp_doubt_about {
	ITP_DOUBT_ABOUT_NOTHING = 0,
	/* Measurement: too few ticks of the timer, or waits that differ in length and number. */
	ITP_DOUBT_ABOUT_SAMPLES = 1,
	ITP_DOUBT_ABOUT_WAITS = 2,
	/* Runs of one workload differ as much. */
	ITP_DOUBT_ABOUT_RUNS = 3,
	/* The two did not do the same: most of it is that there were more, or fewer, calls. */
	ITP_DOUBT_ABOUT_WORK = 4,
	/* Too small a part of the whole. */
	ITP_DOUBT_ABOUT_SIZE = 5,
	/* Events that were lost may have told of as much. */
	ITP_DOUBT_ABOUT_LOSSES = 6,
};

/* As results spell them, by number. */
extern const char *const itp_doubt_about_names[];

/* What a difference is called (verdict.h). */
enum itp_verdict {
	/* Nobody asked. */
	ITP_VERDICT_NONE = 0,
	/* Two runs of the same may well differ by it. */
	ITP_VERDICT_CHANCE = 1,
	/* One would look. */
	ITP_VERDICT_LIKELY = 2,
	ITP_VERDICT_SURE = 3,
};

/* As results spell them, by number. */
extern const char *const itp_verdict_names[];

/* How sure a difference is (verdict.h), without the time in which it waits for a CPU. All 0 where
 * that is not asked: without a base, with another method or metric. */
struct itp_significance {
	/* Δ / base; INFINITY when base is 0. */
	double effect;
	/* How many standard deviations of a normal distribution Δ is off, and how likely chance
	 * alone makes it as large. */
	double score;
	double probability;
	/* Standard errors of Δ. */
	double measurement_ns;
	double runs_ns;
	/* Standard deviation of a run, as a part of its value, which runs_ns is of. */
	double spread;
	/* Ticks and waits behind the values. */
	uint64_t samples;
	uint64_t base_samples;
	uint64_t waits;
	uint64_t base_waits;
	/* The culprit cannot have been called as often in both. */
	bool is_called_otherwise;
	/* Most of it is on paths that the other workload has never taken (never-taken.h). */
	bool is_never_taken;
	enum itp_doubt_about doubt;
	enum itp_verdict verdict;
};

static inline bool itp_significance_is_chance(const struct itp_significance *significance)
{
	return significance->verdict == ITP_VERDICT_CHANCE;
}

struct itp_ranked_path {
	/* 1 = the most expensive. */
	uint32_t rank;
	/* Of the entry: what its culprit costs, with all that it calls, in all its contexts. Of a
	 * path that stands for itself: Σ of the values over its frames. ns, or calls with
	 * ITP_METRIC_COUNT. cost = suspect − base. */
	int64_t cost;
	int64_t suspect_value;
	int64_t base_value;
	/* What the order of the list is by: `cost` without waiting for a CPU, and without what is
	 * passed on to threads that worked themselves. */
	int64_t ranked_value;
	/* Of the frames of the path alone. */
	int64_t path_cost;
	struct itp_delta delta;
	/* Of the suspect's value. */
	struct itp_ticks ticks;
	/* Function of the process root. */
	uint32_t process;
	/* Of the path of the entry that costs (or saves) most, root first, without the process
	 * root. Owned by this. */
	struct itp_ranked_frame *frames;
	uint32_t frame_count;
	/* Index of the frame that a person should open first, -1 when there is none. */
	int32_t culprit;
	/* Index of the frame where more calls begin (path.c), -1 when there is none. */
	int32_t origin;
	/* Contexts of the culprit, most expensive first; the first one is the path's. Owned by
	 * this; empty without folding. */
	struct itp_variant *variants;
	uint32_t variant_count;
	/* Paths from root to leaf that are in the entry. */
	uint32_t path_count;
	/* Calls of the culprit, in all contexts, that were seen; and how many more there may be,
	 * ITP_CALLS_UNKNOWN when there is no limit. */
	uint64_t suspect_calls;
	uint64_t base_calls;
	uint64_t suspect_unseen;
	uint64_t base_unseen;
	enum itp_novelty novelty;
	/* Node where base had what has moved; ITP_CONTEXT_ROOT otherwise. */
	uint32_t moved_from;
	struct itp_significance significance;
	/* Rank of the entry for which it waits, 0 for none (effects.c). */
	uint32_t waits_for;
	/* Others wait for this one. */
	bool is_waited_for;
	/* Called less often than min_count. */
	bool is_rare;
	/* By role, for whom it waited in the suspect (struct itp_waker, longest first, `node` says
	 * nothing): who ended the time that it was blocked, what ran until then, and who had the
	 * CPU while it waited for one. What is missing was not recorded. Owned by this. */
	GArray *waited_for[ITP_WAKER_ROLE_COUNT];
	/* struct itp_started, what costs most first: programs that it started more often, which is
	 * why their cost is in its (started.c). Owned by this. */
	GArray *started;
	/* Function in whose module most of the cost sits, and function `syscall:NAME` in which most
	 * of it is spent blocked; ITP_FUNCTION_UNKNOWN when there is none. */
	uint32_t cost_function;
	uint32_t syscall;
};

/* A function or a module, in all its contexts (flat.c). */
struct itp_ranked_row {
	uint32_t rank;
	/* With by=module one of its functions, for module and layer. */
	uint32_t function;
	/* The program in which most of its own latency lies, of both workloads, and in how many it
	 * is. */
	uint32_t process;
	uint32_t process_count;
	int64_t own_ns;
	int64_t base_own_ns;
	/* Calls of it that are not below another one. */
	int64_t total_ns;
	int64_t base_total_ns;
	uint64_t count;
	uint64_t base_count;
	/* How many more calls there may be, as in a path. */
	uint64_t unseen;
	uint64_t base_unseen;
	/* What the order of the list is by: suspect − base, in the metric. */
	int64_t ranked_value;
	struct itp_time_use use;
	struct itp_time_use base_use;
	struct itp_ticks ticks;
	struct itp_ticks base_ticks;
	/* The total latencies without waiting for a CPU, and the verdict on their difference. */
	int64_t judged_ns;
	int64_t base_judged_ns;
	struct itp_significance significance;
};

/* Waiting for work (idle.h): a system call made by a function of a process; or that of all threads
 * of the kernel, of which all three are ITP_FUNCTION_UNKNOWN. */
struct itp_idle_wait {
	uint32_t process;
	uint32_t function;
	uint32_t syscall;
	int64_t suspect_ns;
	int64_t base_ns;
};

/* Why a comparison makes little sense; bits. */
enum itp_doubt {
	ITP_DOUBT_BASE_EMPTY = 1 << 0,
	ITP_DOUBT_SUSPECT_EMPTY = 1 << 1,
	/* Most of the suspect's time is in processes of names that the base does not have. */
	ITP_DOUBT_OTHER_PROGRAMS = 1 << 2,
	/* The processes have the same names, and nothing else in common. */
	ITP_DOUBT_NO_COMMON_CONTEXT = 1 << 3,
	/* One ran ten times as long, and nothing was said about the work that they did (`per`). */
	ITP_DOUBT_LENGTH = 1 << 4,
	/* Of one at least, so many events were lost that what costs less may not have been seen. */
	ITP_DOUBT_LOSSES = 1 << 5,
	/* One seems to have done more (doubts.c), and nothing was said about it. */
	ITP_DOUBT_AMOUNT = 1 << 6,
	/* The two were recorded on two kinds of machines. */
	ITP_DOUBT_ARCHITECTURES = 1 << 7,
};

#define ITP_DOUBT_COUNT 8

/* As results spell them, by number of the bit. */
extern const char *const itp_doubt_names[];

/* How much of a profile is without names. */
struct itp_call_counts {
	/* Below the process roots; those that loss ended count too. Where calls are not known,
	 * ticks instead. */
	uint64_t calls;
	/* Of all calls, those of functions without a name. */
	uint64_t unnamed;
	/* Of all calls, those of code that a virtual machine made or interprets. */
	struct itp_machine_code made;
};

/* The context below which nearly all of the difference lies (culprit.c). */
struct itp_trunk {
	/* Its function, ITP_FUNCTION_UNKNOWN when there is none; and the process root's. */
	uint32_t function;
	uint32_t process;
	/* With all below it. */
	int64_t delta_ns;
};

/* Of a workload, in its own amount of work. */
struct itp_apart {
	/* All CPU time, that of the recorder included. */
	int64_t cpu_ns;
	int64_t recorder_ns;
	/* Time of threads of which nothing is known, because events were lost. */
	int64_t lost_ns;
};

/* The suspect's time for a fixed computation, as a part of the base's (machine-speed.h): 1.06
 * where the machine was 6 % slower. */
struct itp_machine_speed {
	/* All runs of both have measured it, by the same code; else the ratio is 1. */
	bool is_known;
	double ratio;
	/* Of the ratio as a part of itself, by how much measurements differ. */
	double variance;
};

struct itp_held_up;

/* How many more runs of each workload visible_with_more is for. */
#define ITP_MORE_RUNS 3

struct itp_ranking {
	struct itp_ranking_options options;
	/* struct itp_ranked_path, in the order of ranking.c. Empty unless paths are ranked. Owned
	 * by this. */
	GArray *paths;
	/* struct itp_ranked_row. Owned by this. */
	GArray *rows;
	/* What is ranked by=wait; else NULL. Owned by this. */
	struct itp_held_up *held_up;
	/* How many entries (or rows) and paths there were. The kept ones are the first; up to a
	 * third of `top` are the largest savings, whatever comes before these. */
	uint64_t entry_count;
	uint64_t path_count;
	/* Entries that are not chance, and those of them that are sure. */
	uint64_t significant_count;
	uint64_t sure_count;
	/* By how much runs were assumed to differ in time on the CPU, and by which part the machine
	 * was slower. */
	double spread;
	struct itp_machine_speed speed;
	/* Of the own latency of all threads together. */
	struct itp_significance whole;
	/* By how much the whole must be slower, as a part of the base, to be found in four of five
	 * cases: with these runs, and with ITP_MORE_RUNS more of each workload. */
	double visible;
	double visible_with_more;
	struct itp_trunk trunk;
	/* struct itp_idle_wait, longest first. In none of the other numbers. Owned by this. */
	GArray *idle;
	/* How long threads waited for a CPU, in what is not idle, and who had it in the suspect
	 * (struct itp_waker, longest first). Owned by this. */
	int64_t suspect_runnable_ns;
	int64_t base_runnable_ns;
	GArray *takers;
	/* Σ own latency over all nodes below the process roots (ns). */
	int64_t suspect_own_ns;
	int64_t base_own_ns;
	struct itp_apart suspect_apart;
	struct itp_apart base_apart;
	struct itp_call_counts suspect_calls;
	struct itp_call_counts base_calls;
	/* How much work each workload did, in the unit of itp_runs; base numbers are scaled to
	 * suspect_units. */
	double suspect_units;
	double base_units;
	/* Of which loop or type the units are, where work is counted by these; else NULL. Owned by
	 * this. */
	char *unit;
	size_t suspect_runs;
	size_t base_runs;
	/* As many; NULL for a single run, of which the profile tells the same. Owned by this. */
	struct itp_recording *suspect_recordings;
	struct itp_recording *base_recordings;
	/* enum itp_doubt. */
	uint32_t doubts;
	/* How many times as much as the base the suspect seems to have done (amount.c), and a
	 * function whose calls tell it; ITP_FUNCTION_UNKNOWN: none does. */
	double amount;
	uint32_t amount_function;
	/* All runs together. Owned by this. base is NULL when one workload was ranked alone. */
	struct itp_profile *suspect;
	struct itp_profile *base;
	/* By node: a wait for work, or below one. Owned by this; NULL for none. */
	bool *is_idle;
	/* There are idle waits, and they were guessed (idle.h), as recordings do not tell whose
	 * loss waits are. */
	bool guesses_idle;
	/* Weak. */
	const struct itp_function_table *functions;
	const struct itp_context_tree *tree;
	/* struct itp_pair and struct itp_renaming of the view that the profiles are of, or NULL.
	 * Weak.
	 */
	const GArray *pairs;
	const GArray *renamings;
};

/* `functions` and `tree` are weak and must outlive the result, `suspect` and `base` (may be NULL)
 * only the call. */
struct itp_ranking *itp_ranking_new(const struct itp_ranking_options *options,
				    const struct itp_function_table *functions,
				    const struct itp_context_tree *tree,
				    const struct itp_runs *suspect, const struct itp_runs *base);
void itp_ranking_free(struct itp_ranking *ranking);

/* The recording of a slow call of the suspect, or of the base. Members of *ret_recording are weak.
 */
void itp_ranking_recording(const struct itp_ranking *ranking, bool of_base, uint32_t run,
			   struct itp_recording *ret_recording);

/* ---- What a result means, for those who show it ---- */

/* Own latency that a path, with all that its entry folds, has more than the base (ns). */
static inline int64_t itp_path_own_delta_ns(const struct itp_ranked_path *path)
{
	return path->delta.more_calls_ns + path->delta.slower_calls_ns + path->delta.unsplit_ns;
}

/* Whether it may be chance, or is too rare to say. */
static inline bool itp_path_is_unsure(const struct itp_ranked_path *path)
{
	return itp_significance_is_chance(&path->significance) || path->is_rare;
}

/* Whether most of its Δ is waiting for others. */
static inline bool itp_path_is_wait(const struct itp_ranked_path *path)
{
	return 2 * llabs(path->delta.use.blocked_ns) > llabs(itp_path_own_delta_ns(path));
}

/* Whether times are latencies; else they are CPU time, and there is nothing of calls and waits
 * (infer/kept.h). */
static inline bool itp_ranking_has_latencies(const struct itp_ranking *ranking)
{
	return itp_workload_has_latencies(&ranking->suspect->workload);
}

/* Whether a control group's quota kept the CPU from who waited, and nobody had it. */
static inline bool itp_ranking_is_quota(const struct itp_ranking *ranking,
					const struct itp_waker *taker)
{
	return strcmp(itp_function_table_get(ranking->functions, taker->process)->name,
		      ITP_QUOTA_NAME) == 0;
}

/* Whether chance is judged at all (verdict.h). */
static inline bool itp_ranking_is_judged(const struct itp_ranking *ranking)
{
	return ranking->base != NULL && ranking->options.by == ITP_RANK_BY_PATH &&
	       ranking->options.folds && ranking->options.metric == ITP_METRIC_OWN &&
	       ranking->options.method == ITP_METHOD_TOTALS;
}

#endif
