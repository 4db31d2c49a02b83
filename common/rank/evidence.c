/* SPDX-License-Identifier: MIT */
/*
 * See evidence.h.
 */
#include "common/rank/evidence.h"

#include <math.h>
#include <string.h>

#include "common/rank/apart.h"
#include "common/rank/detail.h"
#include "common/rank/scale.h"

/* Of the timer that stands in for one whose ticks were not counted. */
#define TICK_NS 1e6
#define NS2_PER_US2 1e6
/* What makes waits long, a busy disk, does so to several: as if only one of so many told. */
#define WAITS_TOGETHER 16
/* What of the kernel gets the pages of files, and by which factor it takes longer where they are
 * not in memory; by which the numbers of calls may differ. */
#define FILE_CACHE_PREFIX "filemap_"
#define COLD_FACTOR 4
#define COLD_CALLS 1.2
/* How many waits show how long one takes. */
#define WAITS_TOLD 8
/* Of the events, where nobody knows how many were lost. */
#define LOST_UNTOLD 0.5

/* While the sums are made. */
struct gathering {
	const struct itp_rank_state *state;
	const GArray *members;
	size_t group_count;
	struct itp_evidence *evidence;
	/* By function that is a system call: how often suspect and base have made it. Owned by
	 * this. */
	uint64_t *syscalls[2];
	/* By node: how often they were blocked there or below. Owned by this. */
	uint64_t *blocks[2];
	/* Threads of it had to free memory before they got any. */
	bool is_short[2];
};

/* ---- Time on the CPU ---- */

/* What is not known to be anything else. `factor` is that by which the statistics were scaled. */
static void add_cpu(struct itp_evidence_side *side, const struct itp_profile *profile,
		    const struct itp_node_stats *stats, double factor)
{
	bool has_ticks = profile->workload.counts.timer_samples > 0;
	double sampled_ns =
		(double)(stats->own_ns - stats->own_use.runnable_ns - stats->own_use.blocked_ns);

	if (has_ticks) {
		sampled_ns -= (double)stats->own_use.cpu_ns;
		side->cpu_variance += (double)stats->own_variance_us2 * NS2_PER_US2;
	}
	side->cpu_variance += MAX(sampled_ns, 0) * TICK_NS * factor;
	side->samples += stats->samples;
}

/* Whether the kernel handles a page fault there. */
static bool is_in_fault(const struct itp_rank_state *state, uint32_t node)
{
	static const char *const handlers[] = { "asm_exc_page_fault", "exc_page_fault",
						"do_mem_abort", NULL };

	while (itp_rank_function(state, node)->layer == ITP_LAYER_KERNEL) {
		if (g_strv_contains(handlers, itp_rank_function(state, node)->name)) {
			return true;
		}
		node = itp_rank_parent(state, node);
	}
	return false;
}

/* ---- Time blocked ---- */

/* What of a node's time is spent blocked in itself. */
static double blocked_part(const struct itp_node_stats *stats)
{
	return stats->own_use.blocked_ns > 0 && stats->total_ns > 0 ?
		       MIN((double)stats->own_use.blocked_ns / (double)stats->total_ns, 1) :
		       0;
}

static double mean_wait_ns(const struct itp_node_stats *stats)
{
	return stats->count > 0 ? (double)stats->total_ns / (double)stats->count : 0;
}

/* Σ squares, where a call counts for no more than `limit_ns`. */
static double limited_squares(const struct itp_node_stats *stats, double limit_ns)
{
	double squares = 0;

	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		double end_ns = i + 1 < ITP_HISTOGRAM_BUCKETS ? (double)itp_bucket_begin_ns(i + 1) :
								(double)stats->max_ns;

		squares += (double)stats->histogram[i] * pow(MIN(end_ns, limit_ns), 2);
	}
	return squares;
}

/* Before they were scaled, which leaves at least one: by the histogram, where there is one. */
static double calls_of(const struct itp_node_stats *stats, double factor)
{
	uint64_t recorded = itp_node_stats_recorded(stats);

	return recorded > 0 ? (double)recorded : (double)stats->count / factor;
}

/* By function; owned by the caller. */
static uint64_t *count_syscalls(const struct itp_rank_state *state,
				const struct itp_profile *profile)
{
	uint64_t *counts = g_new0(uint64_t, itp_function_table_size(state->functions));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL) {
			counts[itp_rank_function_id(state, node)] +=
				itp_profile_peek(profile, node)->count;
		}
	}
	return counts;
}

/* The system call that a node is in, ITP_FUNCTION_UNKNOWN for none. */
static uint32_t syscall_of(const struct itp_rank_state *state, uint32_t node)
{
	while (node != 0 && itp_rank_function(state, node)->layer != ITP_LAYER_SYSCALL) {
		node = itp_rank_parent(state, node);
	}
	return itp_rank_function_id(state, node);
}

/* How many of the waits of side `of` tell as much as one would alone. Where the other workload has
 * never made the system call that they are in, it is its calls that make the difference, whatever
 * makes them long. */
static double waits_together(const struct gathering *it, uint32_t node, size_t of)
{
	const struct itp_profile *other = of == 0 ? it->state->base.profile :
						    it->state->suspect.profile;
	uint32_t function = syscall_of(it->state, node);

	return it->syscalls[of][function] >= WAITS_TOGETHER &&
			       it->syscalls[1 - of][function] == 0 &&
			       other->workload.counts.losses == 0 ?
		       1 :
		       WAITS_TOGETHER;
}

/* Of the sum of calls that last as these do, if each told by itself. */
static double length_variance(const struct itp_node_stats *stats, double limit_ns, double factor)
{
	double calls = calls_of(stats, factor);
	double squares = (double)stats->square_sum_high * 0x1p64 + (double)stats->square_sum_low;
	double total = (double)stats->total_ns;
	double variance = 0;

	if (calls > 1) {
		variance = MAX(squares * factor - total * total / calls, 0) * calls / (calls - 1);
	}
	if ((double)stats->max_ns > limit_ns) {
		variance = MIN(variance, limited_squares(stats, limit_ns) * factor * factor);
	}
	return variance;
}

/* Of how many waits there are, as far as the two workloads show that this varies. */
static double number_variance(const struct itp_node_stats *suspect,
			      const struct itp_node_stats *base)
{
	double more = (double)suspect->count - (double)base->count;
	double all = (double)suspect->count + (double)base->count;
	double part = MAX(blocked_part(suspect), blocked_part(base));
	double mean = MAX(mean_wait_ns(suspect), mean_wait_ns(base)) * part;

	return CLAMP(more * more, 1, MAX(all, 1)) * pow(MIN(mean, ITP_WAIT_MOST_NS), 2);
}

static void add_wait(struct itp_evidence_side *side, const struct itp_node_stats *stats,
		     const struct itp_node_stats *other, double factor, double together)
{
	double part = blocked_part(stats);
	double limit_ns = MAX(ITP_WAIT_MOST_NS, (double)other->max_ns);

	if (part > 0) {
		side->waits += stats->count;
		side->wait_variance +=
			length_variance(stats, limit_ns, factor) * together * part * part;
	}
}

/* ---- Files that are in memory, and those that are not ---- */

static bool is_file_cache(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_KERNEL &&
	       g_str_has_prefix(function->name, FILE_CACHE_PREFIX);
}

/* Whether memory was short: then the kernel takes pages of files away that are asked for again.
 * What frees pages in time, in threads of the kernel's own, takes those that nobody asks for. */
static bool is_memory_short(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	static const char *const reclaims[] = { "try_to_free_pages", "try_to_free_mem_cgroup_pages",
						NULL };

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_function *function = itp_rank_function(state, node);

		if (function->layer == ITP_LAYER_KERNEL &&
		    itp_node_stats_is_present(itp_profile_peek(profile, node)) &&
		    g_strv_contains(reclaims, function->name)) {
			return true;
		}
	}
	return false;
}

/* The part of the kernel that gets a file's pages in which `node` is; 0 for none. */
static uint32_t file_cache_of(const struct itp_rank_state *state, uint32_t node)
{
	while (itp_rank_is_frame(state, node) && !is_file_cache(itp_rank_function(state, node))) {
		node = itp_rank_parent(state, node);
	}
	return itp_rank_is_frame(state, node) ? node : 0;
}

/* Whether both workloads read about as often by what called the file cache's `node`. */
static bool is_called_alike(const struct itp_rank_state *state, uint32_t node)
{
	const struct itp_node_stats *suspect;
	const struct itp_node_stats *base;

	while (itp_rank_function(state, node)->layer == ITP_LAYER_KERNEL) {
		node = itp_rank_parent(state, node);
	}
	suspect = itp_side_stats(&state->suspect, node);
	base = itp_side_stats(&state->base, node);
	if (itp_rank_function(state, node)->layer != ITP_LAYER_SYSCALL) {
		/* How often a function was called in which a page faults is not known as well. */
		return suspect->count > 0 && base->count > 0;
	}
	return (double)MAX(suspect->count, base->count) <=
	       COLD_CALLS * (double)MIN(suspect->count, base->count);
}

/* Of what one workload waited longer below the file cache's `node`, the part by which it waited
 * more often, as files were not in memory: all, unless the other shows how long one wait takes. The
 * rest is the disk's. */
static double part_of_more_waits(const struct gathering *it, uint32_t node)
{
	double blocked_ns[] = {
		(double)itp_profile_peek(it->state->suspect.profile, node)->use.blocked_ns,
		(double)itp_profile_peek(it->state->base.profile, node)->use.blocked_ns,
	};
	size_t longer = blocked_ns[0] < blocked_ns[1];
	double waits = (double)it->blocks[1 - longer][node];
	double more_waits = (double)it->blocks[longer][node] - waits;
	double delta_ns = blocked_ns[longer] - blocked_ns[1 - longer];

	if (waits < WAITS_TOLD || delta_ns == 0) {
		return 1;
	}
	return CLAMP(more_waits * blocked_ns[1 - longer] / waits / delta_ns, 0, 1);
}

/* Of what `node` costs more, the part that one workload spent on files which the other found in
 * memory by chance: below a part of the kernel that gets a file's pages, in which it spent many
 * times as long as the other, which made about as many calls. */
static double cold_part(const struct gathering *it, uint32_t node)
{
	const struct itp_rank_state *state = it->state;
	uint32_t cache = file_cache_of(state, node);
	int64_t suspect_ns = itp_side_stats(&state->suspect, cache)->total_ns;
	int64_t base_ns = itp_side_stats(&state->base, cache)->total_ns;

	if (cache == 0 || MAX(suspect_ns, base_ns) < COLD_FACTOR * MIN(suspect_ns, base_ns) ||
	    it->is_short[suspect_ns < base_ns] || !is_called_alike(state, cache)) {
		return 0;
	}
	return part_of_more_waits(it, cache);
}

/* By node: how often threads were blocked there or below. Owned by the caller. */
static uint64_t *count_blocks(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	uint64_t *blocks = g_new0(uint64_t, state->node_count);

	for (uint32_t node = state->node_count; node-- > 1;) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);

		if (stats->own_use.blocked_ns > 0) {
			blocks[node] += stats->count;
		}
		blocks[itp_rank_parent(state, node)] += blocks[node];
	}
	return blocks;
}

static void add_node(const struct gathering *it, struct itp_evidence *evidence, uint32_t node,
		     double base_factor)
{
	const struct itp_rank_state *state = it->state;
	const struct itp_node_stats *suspect = itp_side_stats(&state->suspect, node);
	const struct itp_node_stats *base = itp_side_stats(&state->base, node);

	evidence->suspect.value_ns += (double)itp_rank_counted_ns(state, suspect);
	evidence->base.value_ns += (double)itp_rank_counted_ns(state, base);
	add_cpu(&evidence->suspect, state->suspect.profile, suspect, 1);
	add_cpu(&evidence->base, state->base.profile, base, base_factor);
	if (is_in_fault(state, node)) {
		evidence->suspect.fault_ns += (double)suspect->own_use.cpu_ns;
		evidence->base.fault_ns += (double)base->own_use.cpu_ns;
	}
	if (blocked_part(suspect) > 0 || blocked_part(base) > 0) {
		add_wait(&evidence->suspect, suspect, base, 1, waits_together(it, node, 0));
		add_wait(&evidence->base, base, suspect, base_factor, waits_together(it, node, 1));
		evidence->suspect.wait_variance += number_variance(suspect, base);
	}
	evidence->cold_ns += cold_part(it, node) * (double)itp_rank_own_delta(state, node);
}

/* ---- Runs ---- */

/* What each group costs in one run, per unit. */
static void fill_run(const struct gathering *it, const struct itp_profile *run, double units,
		     double *values)
{
	for (guint i = 0; i < it->members->len; i++) {
		const struct itp_member *member = &g_array_index(it->members, struct itp_member, i);

		const struct itp_node_stats *stats = itp_profile_peek(run, member->node);

		values[member->group] += (double)itp_rank_counted_ns(it->state, stats) / units;
	}
}

/* Of the runs until now: their mean, and the sum of squares of what they differ from it by. */
struct moments {
	double mean;
	double squares;
};

/* One more run, the `number`th (Welford, Technometrics 4, 1962). */
static void add_to_moments(struct moments *moments, double value, double number)
{
	double difference = value - moments->mean;

	moments->mean += difference / number;
	moments->squares += difference * (value - moments->mean);
}

static void add_runs(struct gathering *it, const struct itp_runs *runs, bool of_base)
{
	g_autofree double *values = g_new(double, it->group_count + 1);
	g_autofree struct moments *moments = g_new0(struct moments, it->group_count + 1);

	for (size_t run = 0; run < runs->count; run++) {
		memset(values, 0, it->group_count * sizeof(*values));
		fill_run(it, runs->profiles[run], runs->units[run], values);
		for (size_t group = 0; group < it->group_count; group++) {
			add_to_moments(&moments[group], values[group], (double)run + 1);
		}
	}
	for (size_t group = 0; group < it->group_count; group++) {
		struct itp_evidence *evidence = &it->evidence[group];
		struct itp_evidence_side *side = of_base ? &evidence->base : &evidence->suspect;
		double mean = moments[group].mean;

		side->run_squares = mean > 0 ? moments[group].squares / (mean * mean) : 0;
		side->runs = mean > 0 ? runs->count : 0;
	}
}

double itp_evidence_lost_part(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	const struct itp_infer_counts *counts = &profile->workload.counts;
	double all = (double)(counts->events + counts->lost_events);
	double lost_ns = (double)itp_apart_sum(state, profile).lost_ns;
	double all_ns = lost_ns + (double)itp_rank_own_ns(state, profile);
	double events = all > 0 ? (double)counts->lost_events / all : 0;

	if (counts->losses > 0 && counts->lost_events == 0) {
		events = LOST_UNTOLD;
	}
	return MAX(events, all_ns > 0 ? lost_ns / all_ns : 0);
}

static void add_losses(struct gathering *it)
{
	const struct itp_rank_state *state = it->state;
	double suspect = itp_evidence_lost_part(state, state->suspect.profile);
	double base = state->base.profile ? itp_evidence_lost_part(state, state->base.profile) : 0;

	for (size_t i = 0; i < it->group_count; i++) {
		it->evidence[i].suspect.lost_part = suspect;
		it->evidence[i].base.lost_part = base;
	}
}

struct itp_evidence *itp_evidence_new(const struct itp_rank_state *state, const GArray *members,
				      size_t group_count, const struct itp_runs *suspect,
				      const struct itp_runs *base)
{
	struct gathering it = {
		.state = state,
		.members = members,
		.group_count = group_count,
		.evidence = g_new0(struct itp_evidence, group_count + 1),
		.syscalls = { count_syscalls(state, state->suspect.profile),
			      count_syscalls(state, state->base.profile) },
		.blocks = { count_blocks(state, state->suspect.profile),
			    count_blocks(state, state->base.profile) },
		.is_short = { is_memory_short(state, state->suspect.profile),
			      is_memory_short(state, state->base.profile) },
	};
	double base_factor = itp_runs_units(suspect) / itp_runs_units(base);

	for (guint i = 0; i < members->len; i++) {
		const struct itp_member *member = &g_array_index(members, struct itp_member, i);

		add_node(&it, &it.evidence[member->group], member->node, base_factor);
	}
	add_runs(&it, suspect, false);
	add_runs(&it, base, true);
	add_losses(&it);
	g_free(it.syscalls[0]);
	g_free(it.syscalls[1]);
	g_free(it.blocks[0]);
	g_free(it.blocks[1]);
	return it.evidence;
}
