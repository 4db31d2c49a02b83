/* SPDX-License-Identifier: MIT */
/*
 * Ranking of the time of a workload, or of the difference between two: differential context ranking
 * (paper, section 3.4.2, Algorithm 3, second half), and all that people need beyond it.
 *
 * All profiles annotate one context tree, in which equal functions have equal ids (common/view).
 * The result is plain data for common/render; nothing here knows about output formats. rank.h lists
 * the files of the steps.
 *
 * method=paper is Algorithm 3 to the letter: of all steps only side.c and culprit.c.
 */
#ifndef ITP_RANK_RANKING_H
#define ITP_RANK_RANKING_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/profile.h"
#include "common/known/modules.h"

#include <stdlib.h>

/* Values of nodes, of which the cost of a path is made: taken from nodes in side.c and flat.c,
 * asked for in common/engine/ranking-params.c; their words and units are in common/render (text,
 * records).
 */
enum itp_metric {
	ITP_METRIC_OWN = 0,
	ITP_METRIC_TOTAL = 1,
	/* Number of calls, not a time. */
	ITP_METRIC_COUNT = 2,
	/* Own latency of a call. */
	ITP_METRIC_EACH = 3,
};

enum itp_method {
	/* Sums over all calls. The base is subtracted node by node: a path new to the suspect has
	 * the base's values of its callers taken out. */
	ITP_METHOD_TOTALS = 0,
	/* Algorithm 3 to the letter: means per call, own mean = mean − Σ children's means, and the
	 * base is subtracted only if it took the very same path. */
	ITP_METHOD_PAPER = 1,
};

/* Objects of a ranking. */
enum itp_rank_by {
	ITP_RANK_BY_PATH = 0,
	ITP_RANK_BY_FUNCTION = 1,
	ITP_RANK_BY_MODULE = 2,
	/* Functions, by the time for which waits and runs in them hold up others. */
	ITP_RANK_BY_WAIT = 3,
	/* Processes, or threads, as the contexts of the recording are grouped. */
	ITP_RANK_BY_PROCESS = 4,
};

/* Names as parameters and results spell them, by number; ends with NULL. */
extern const char *const itp_metric_names[];
extern const char *const itp_method_names[];
extern const char *const itp_rank_by_names[];

/* Value of itp_ranking_options.spread: by the machine's part in the runs (spread.c). */
#define ITP_SPREAD_AUTO (-1.0)

struct itp_ranking_options {
	enum itp_metric metric;
	enum itp_method method;
	enum itp_rank_by by;
	/* Most paths, functions or modules that are kept; 0 = all. */
	size_t top;
	/* Paths with the same culprit are an entry. Only with METRIC_OWN and METHOD_TOTALS. */
	bool folds;
	/* Waiting for work is ranked like everything else. */
	bool ranks_idle;
	/* Fewest calls of a culprit, in both workloads together: entries with fewer go last. */
	uint64_t min_count;
	/* Least cost, or saving, of entries that are kept, as a part of all that is ranked of the
	 * suspect. */
	double least_share;
	/* Standard deviation that runs of a workload are assumed to have (spread.c), or
	 * ITP_SPREAD_AUTO. */
	double spread;
	/* Unit of work, as users spell it; NULL = "run". Weak. */
	const char *per;
	/* Weak; NULL = the built-in lists. */
	const struct itp_module_kinds *modules;
};

/* Recordings of a workload. */
struct itp_runs {
	/* const struct itp_profile *, at least one. Weak. */
	const struct itp_profile *const *profiles;
	size_t count;
	/* Work of each run, in a unit that all runs share: 1 for a run, its seconds, its requests.
	 * All > 0. Weak. */
	const double *units;
};

/* A run of several, for facts that are no sums. */
struct itp_recording {
	/* Owned by this. */
	char *name;
	struct itp_clock clock;
	/* See struct itp_infer_counts. */
	int64_t begin_ns;
	int64_t end_ns;
	/* See struct itp_workload. Weak. */
	const struct itp_recall *recall;
};

/* A frame of a ranked path. Times are ns; base_… is 0 without a base. */
struct itp_ranked_frame {
	uint32_t node;
	uint32_t function;
	/* Values in the metric; the path's cost is the sum of `value - base_value`. */
	int64_t value;
	int64_t base_value;
	/* Statistics of the two workloads for this node. Weak; base is NULL without a base. */
	const struct itp_node_stats *suspect;
	const struct itp_node_stats *base;
	/* 1 = the largest share of the path's cost. */
	uint32_t rank;
};

/* Reasons of a cost: parts of a Δ of own latency, which add up to it (ns). */
struct itp_delta {
	/* Δcount × base mean, and count × Δmean. A node that the base never called counts as called
	 * more often. */
	int64_t more_calls_ns;
	int64_t slower_calls_ns;
	/* Part that is neither, as nobody knows the number of calls. */
	int64_t unsplit_ns;
	/* Δ by use of time; the use of the rest is not known. */
	struct itp_time_use use;
};

/* A program that an entry has started. */
struct itp_started {
	/* Function of its process root. */
	uint32_t process;
	/* Number of starts, by anybody; the base's is scaled to the suspect's amount of work. */
	uint64_t count;
	uint64_t base_count;
	/* Part of the entry's cost in the program. */
	int64_t cost;
};

/* Error of a sum of own CPU time, by the ticks of all contexts in it. */
struct itp_ticks {
	uint64_t samples;
	/* Variance in µs², an upper limit: too much in a context may be too little in another
	 * within the sum. */
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
	/* Node of the culprit in this context. */
	uint32_t node;
	/* Time at and below it. */
	int64_t suspect_ns;
	int64_t base_ns;
};

enum itp_novelty {
	ITP_NOVELTY_NONE = 0,
	/* Base never was in the path's context. */
	ITP_NOVELTY_NEW = 1,
	/* Only base was in the path's context. */
	ITP_NOVELTY_VANISHED = 2,
	/* Base had the culprit, or a caller of it, below another function. */
	ITP_NOVELTY_MOVED = 3,
};

extern const char *const itp_novelty_names[];

/* Part of a difference that is to be doubted most. */
enum itp_doubt_about {
	ITP_DOUBT_ABOUT_NOTHING = 0,
	/* Measurement: too few ticks of the timer, or waits that differ in length and number. */
	ITP_DOUBT_ABOUT_SAMPLES = 1,
	ITP_DOUBT_ABOUT_WAITS = 2,
	/* Runs of a workload differ as much. */
	ITP_DOUBT_ABOUT_RUNS = 3,
	/* Amount of work: most of the difference is more calls, or fewer. */
	ITP_DOUBT_ABOUT_WORK = 4,
	/* Too small a part of the whole. */
	ITP_DOUBT_ABOUT_SIZE = 5,
	/* Events that were lost may have told of as much. */
	ITP_DOUBT_ABOUT_LOSSES = 6,
	/* Stacks that were cut: as much more lies elsewhere below unknown callers, or there less.
	 */
	ITP_DOUBT_ABOUT_CUTS = 7,
};

/* Names as results spell them, by number. */
extern const char *const itp_doubt_about_names[];

/* Verdict on a difference (verdict.h). */
enum itp_verdict {
	/* Verdict not asked for. */
	ITP_VERDICT_NONE = 0,
	/* Two runs of the same work may well differ by it. */
	ITP_VERDICT_CHANCE = 1,
	/* Worth a look. */
	ITP_VERDICT_LIKELY = 2,
	ITP_VERDICT_SURE = 3,
};

/* Names as results spell them, by number. */
extern const char *const itp_verdict_names[];

/* Significance of a difference (verdict.h), without the time waiting for a CPU. All 0 if it is not
 * judged: without a base, with another method or metric. */
struct itp_significance {
	/* Δ / base; INFINITY when base is 0. */
	double effect;
	/* Δ in standard deviations of a normal distribution, and the probability that chance alone
	 * makes it as large. */
	double score;
	double probability;
	/* Standard errors of Δ. */
	double measurement_ns;
	double runs_ns;
	/* Standard deviation of a run, as a part of its value; runs_ns follows from it. */
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

/* A system call made more often than in the base; ITP_FUNCTION_UNKNOWN for none, and without a
 * base. */
struct itp_often {
	uint32_t syscall;
	uint64_t count;
	uint64_t base_count;
	/* Difference of the time in it (ns). */
	int64_t delta_ns;
};

struct itp_ranked_path {
	/* 1 = the most expensive. */
	uint32_t rank;
	/* Values of an entry: own latency of its culprit and the culprit's callees, in all
	 * contexts. Values of a path that stands for itself: Σ over its frames. ns, or calls with
	 * ITP_METRIC_COUNT. cost = suspect − base. */
	int64_t cost;
	int64_t suspect_value;
	int64_t base_value;
	/* Value that orders the list: `cost` without waiting for a CPU, and without time passed on
	 * to threads that worked themselves. */
	int64_t ranked_value;
	/* Cost of the frames of the path alone. */
	int64_t path_cost;
	struct itp_delta delta;
	/* Ticks of suspect_value. */
	struct itp_ticks ticks;
	/* Function of the process root. */
	uint32_t process;
	/* Frames of the entry's path, along the branches that cost (or save) most, root first,
	 * without the process root. Owned by this. */
	struct itp_ranked_frame *frames;
	uint32_t frame_count;
	/* Index of the frame that a person should open first, -1 without any. */
	int32_t culprit;
	/* Index of the frame in which more calls begin (path.c), -1 without any. */
	int32_t origin;
	/* Contexts of the culprit, most expensive first; the first is the path's. Owned by this;
	 * empty without folding. */
	struct itp_variant *variants;
	uint32_t variant_count;
	/* Number of paths from root to leaf in the entry. */
	uint32_t path_count;
	/* Calls of the culprit that were seen, in all contexts; and the number of calls that may be
	 * missing, ITP_CALLS_UNKNOWN without a limit. */
	uint64_t suspect_calls;
	uint64_t base_calls;
	uint64_t suspect_unseen;
	uint64_t base_unseen;
	enum itp_novelty novelty;
	/* Node of the moved context in the base; ITP_CONTEXT_ROOT otherwise. */
	uint32_t moved_from;
	struct itp_significance significance;
	/* Rank of the entry that it waits for, 0 for none (effects.c). */
	uint32_t waits_for;
	/* Others wait for this entry. */
	bool is_waited_for;
	/* Called less often than min_count. */
	bool is_rare;
	/* Wakers of the suspect by role (struct itp_waker, longest first, `node` says nothing):
	 * threads that ended its blocked time, code that ran until then, and threads that had the
	 * CPU while it waited for a CPU. Missing wakers were not recorded. Owned by this. */
	GArray *waited_for[ITP_WAKER_ROLE_COUNT];
	/* struct itp_started, the dearest first: programs that it started more often, for which
	 * their cost is in its own (started.c). Owned by this. */
	GArray *started;
	/* Function of the module with most of the cost, and function `syscall:NAME` with most of
	 * the blocked time; ITP_FUNCTION_UNKNOWN without any. */
	uint32_t cost_function;
	uint32_t syscall;
	/* System call made more often below its culprit, with most of the time (often.c). */
	struct itp_often often;
};

/* A function or a module, in all its contexts (flat.c). */
struct itp_ranked_row {
	uint32_t rank;
	/* Function; with by=module some function of the module, for module and layer. */
	uint32_t function;
	/* Program with most of its own latency, in both workloads, and number of programs with any
	 * of it. */
	uint32_t process;
	uint32_t process_count;
	int64_t own_ns;
	int64_t base_own_ns;
	/* Calls outside of other calls of it. */
	int64_t total_ns;
	int64_t base_total_ns;
	uint64_t count;
	uint64_t base_count;
	/* Calls that may be missing, as in a path. */
	uint64_t unseen;
	uint64_t base_unseen;
	/* Value that orders the list: suspect − base, in the metric. */
	int64_t ranked_value;
	struct itp_time_use use;
	struct itp_time_use base_use;
	struct itp_ticks ticks;
	struct itp_ticks base_ticks;
	/* Total latencies without waiting for a CPU, and the verdict on their difference. */
	int64_t judged_ns;
	int64_t base_judged_ns;
	struct itp_significance significance;
};

/* Waiting for work (idle.h): in a system call made by a function of a process; or in all threads of
 * the kernel, with all three ITP_FUNCTION_UNKNOWN. */
struct itp_idle_wait {
	uint32_t process;
	uint32_t function;
	uint32_t syscall;
	int64_t suspect_ns;
	int64_t base_ns;
};

/* No place in an array of them. */
#define ITP_NO_WAIT G_MAXUINT

/* Reasons for which a comparison makes little sense; bits. */
enum itp_doubt {
	ITP_DOUBT_BASE_EMPTY = 1 << 0,
	ITP_DOUBT_SUSPECT_EMPTY = 1 << 1,
	/* Most of the suspect's time is in processes with names unknown to the base. */
	ITP_DOUBT_OTHER_PROGRAMS = 1 << 2,
	/* The processes have the same names, and nothing else in common. */
	ITP_DOUBT_NO_COMMON_CONTEXT = 1 << 3,
	/* A workload ran ten times as long, and nothing was said about the work of both (`per`). */
	ITP_DOUBT_LENGTH = 1 << 4,
	/* A workload lost so many events that smaller costs may not have been seen. */
	ITP_DOUBT_LOSSES = 1 << 5,
	/* A workload seems to have done more (amount.c), and nothing was said about it. */
	ITP_DOUBT_AMOUNT = 1 << 6,
	/* The two were recorded on two kinds of machines. */
	ITP_DOUBT_ARCHITECTURES = 1 << 7,
	/* One took most of its time longer in a wait that counts as waiting for work
	 * (`doubted_wait`), and is in no row. */
	ITP_DOUBT_IDLE = 1 << 8,
};

#define ITP_DOUBT_COUNT 9

/* Names as results spell them, by number of the bit. */
extern const char *const itp_doubt_names[];

/* Parts of a profile without names. */
struct itp_call_counts {
	/* Calls below the process roots, also those ended by a loss of events. Ticks if calls are
	 * not known. */
	uint64_t calls;
	/* Calls of functions without a name. */
	uint64_t unnamed;
	/* Calls of code that a virtual machine made or interprets. */
	struct itp_machine_code made;
};

/* Context with nearly all of the difference below it (trunk.c). */
struct itp_trunk {
	/* Function, ITP_FUNCTION_UNKNOWN without any; and the process root's. */
	uint32_t function;
	uint32_t process;
	/* Difference at and below it. */
	int64_t delta_ns;
};

/* Times apart in a workload, in its own amount of work. */
struct itp_apart {
	/* All CPU time, the recorder's included. */
	int64_t cpu_ns;
	int64_t recorder_ns;
	/* Time of threads of which nothing is known, because events were lost. */
	int64_t lost_ns;
};

/* Suspect's time for a fixed computation, as a part of the base's (machine-speed.h): 1.06 if the
 * machine was 6 % slower. */
struct itp_machine_speed {
	/* All runs of both have measured it, by the same code; else the ratios are 1. */
	bool is_known;
	double ratio;
	/* Standard error of the ratio by the variation of measurements. */
	double ratio_error;
};

struct itp_held_up;

/* Divisor of a difference: a path with more than a 2nd of it blocked is a wait. */
#define ITP_WAIT_PART 2

/* Number of further runs of each workload for visible_with_more. */
#define ITP_MORE_RUNS 3

struct itp_ranking {
	struct itp_ranking_options options;
	/* struct itp_ranked_path, in the order of order.c. Empty unless paths are ranked. Owned
	 * by this. */
	GArray *paths;
	/* struct itp_ranked_row. Owned by this. */
	GArray *rows;
	/* Ranking with by=wait; else NULL. Owned by this. */
	struct itp_held_up *held_up;
	/* Number of all entries (or rows) and of all paths. Kept are, if options.least_share
	 * allows, the `top` first entries, entries that wait for one of them, and the largest
	 * saving of a suspect that got faster. */
	uint64_t entry_count;
	uint64_t path_count;
	/* Number of entries that are not chance, and of sure entries. */
	uint64_t significant_count;
	uint64_t sure_count;
	/* Standard deviation that runs were assumed to have in time on the CPU, and the machine's
	 * slowness. */
	double spread;
	struct itp_machine_speed speed;
	/* Significance of the own latency of all threads together. */
	struct itp_significance whole;
	/* Least slow-down of the whole, as a part of the base, that would be found in four of five
	 * cases: with these runs, and with ITP_MORE_RUNS more of each workload. */
	double visible;
	double visible_with_more;
	struct itp_trunk trunk;
	/* struct itp_idle_wait, longest first. In none of the other numbers. Owned by this. */
	GArray *idle;
	/* Place in `idle` of the wait that is doubted (ITP_DOUBT_IDLE). */
	guint doubted_wait;
	/* Time for which threads waited for a CPU, idle contexts excepted, and the suspect's takers
	 * of the CPU (struct itp_waker, longest first). Owned by this. */
	int64_t suspect_runnable_ns;
	int64_t base_runnable_ns;
	/* Others' use of the CPU made the suspect slow: entries are ranked with their waiting for
	 * one (contention.c). */
	bool counts_waiting;
	GArray *takers;
	/* Σ own latency over all nodes below the process roots (ns). */
	int64_t suspect_own_ns;
	int64_t base_own_ns;
	struct itp_apart suspect_apart;
	struct itp_apart base_apart;
	struct itp_call_counts suspect_calls;
	struct itp_call_counts base_calls;
	/* Work of each workload, in the unit of itp_runs; base numbers are scaled to
	 * suspect_units. */
	double suspect_units;
	double base_units;
	/* Loop or type of the units that count the work; NULL for other measures. Owned by this. */
	char *unit;
	size_t suspect_runs;
	size_t base_runs;
	/* Recordings of suspect_runs and base_runs; NULL for a single run, as its profile tells the
	 * same. Owned by this. */
	struct itp_recording *suspect_recordings;
	struct itp_recording *base_recordings;
	/* enum itp_doubt. */
	uint32_t doubts;
	/* Ratio of the suspect's work to the base's by all appearance (amount.c), and a function
	 * whose calls tell it; ITP_FUNCTION_UNKNOWN: none does. */
	double amount;
	uint32_t amount_function;
	/* Ranking of the same, divided by what counts the work where amounts are doubted; and that,
	 * as the parameter `per` (common/compare). NULL without such a doubt, and where nothing
	 * counts it. Owned by this. */
	struct itp_ranking *by_work;
	char *work;
	/* All runs together. Owned by this. base is NULL when a workload was ranked alone. */
	struct itp_profile *suspect;
	struct itp_profile *base;
	/* Nodes in no row (enum itp_apart_kind, apart.h), by node. Owned by this; NULL for none. */
	uint8_t *apart;
	/* Idle waits exist, and were guessed (idle.h), as recordings do not tell whose loss waits
	 * are. */
	bool guesses_idle;
	/* Weak. */
	const struct itp_function_table *functions;
	const struct itp_context_tree *tree;
	/* struct itp_pair and struct itp_renaming of the profiles' view, or NULL. Weak. */
	const GArray *pairs;
	const GArray *renamings;
};

/* Recording of a slow call of the suspect, or of the base. Members of *ret_recording are weak. */
void itp_ranking_recording(const struct itp_ranking *ranking, bool of_base, uint32_t run,
			   struct itp_recording *ret_recording);

/* Recordings of several runs; NULL for a single run. Free with itp_recording_list_free(). */
struct itp_recording *itp_recording_list_new(const struct itp_runs *runs);
void itp_recording_list_free(struct itp_recording *recordings, size_t count);

/* ---- Meaning of a result, for programs that show it ---- */

/* Own latency of a path, with all paths in its entry, beyond the base's (ns). */
static inline int64_t itp_path_own_delta_ns(const struct itp_ranked_path *path)
{
	return path->delta.more_calls_ns + path->delta.slower_calls_ns + path->delta.unsplit_ns;
}

/* True if it may be chance, or is too rare to say. */
static inline bool itp_path_is_unsure(const struct itp_ranked_path *path)
{
	return itp_significance_is_chance(&path->significance) || path->is_rare;
}

/* True if most of its Δ is waiting for others. */
static inline bool itp_path_is_wait(const struct itp_ranked_path *path)
{
	return ITP_WAIT_PART * llabs(path->delta.use.blocked_ns) >
	       llabs(itp_path_own_delta_ns(path));
}

/* True for a node in no row. */
static inline bool itp_ranking_is_apart(const struct itp_ranking *ranking, uint32_t node)
{
	return ranking->apart && ranking->apart[node] != 0;
}

/* True if times are latencies; else they are CPU time, and nothing is known of calls and waits
 * (infer/kept.h). */
static inline bool itp_ranking_has_latencies(const struct itp_ranking *ranking)
{
	return itp_workload_has_latencies(&ranking->suspect->workload);
}

/* True if `taker` of the CPU is a control group's quota: it kept the CPU from the waiting thread,
 * and nobody had it. */
static inline bool itp_is_quota(const struct itp_function_table *functions, uint32_t taker)
{
	return taker != ITP_FUNCTION_UNKNOWN &&
	       strcmp(itp_function_table_get(functions, taker)->name, ITP_QUOTA_NAME) == 0;
}

static inline bool itp_ranking_is_quota(const struct itp_ranking *ranking,
					const struct itp_waker *taker)
{
	return itp_is_quota(ranking->functions, taker->process);
}

/* True if chance is judged at all (verdict.h). */
static inline bool itp_ranking_is_judged(const struct itp_ranking *ranking)
{
	return ranking->base != NULL && ranking->options.by == ITP_RANK_BY_PATH &&
	       ranking->options.folds && ranking->options.metric == ITP_METRIC_OWN &&
	       ranking->options.method == ITP_METHOD_TOTALS;
}

#endif
