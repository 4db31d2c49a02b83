/* SPDX-License-Identifier: MIT */
/*
 * See evidence.h, and evidence-parts.h for what the parts are.
 */
#include "common/rank/evidence.h"

#include <math.h>
#include <string.h>

#include "common/known/kernel-interrupts.h"
#include "common/known/kernel-memory.h"
#include "common/rank/apart.h"
#include "common/rank/evidence-waits.h"
#include "common/rank/machine-speed.h"
#include "common/rank/unplaced.h"

/* Period (ns) of the timer that recipes record; it stands in for a timer without counted ticks. */
#define TICK_NS 1e6
/* Factor by which the kernel takes longer to get the pages of a file without them in memory, and
 * factor within which numbers of calls are alike. */
#define COLD_FACTOR 4
#define COLD_CALLS 1.2
/* Factor within which both workloads have asked a disk for as many pages, by the time for that. */
#define READ_ALIKE 2
/* Longest time (ns) of interrupts and of a hypervisor in a system call. */
#define INTERRUPTS_MOST_NS 200e3
/* Least number of waits that tell the duration of a wait. */
#define WAITS_TOLD 8
/* Part of lost events if nobody knows their number. */
#define LOST_UNTOLD 0.5

/* Sums in the making. */
struct gathering {
	const struct itp_rank_state *state;
	const GArray *members;
	size_t group_count;
	struct itp_evidence *evidence;
	/* Kinds of CPU time (enum itp_time_kind) by node; and numbers of blocks at or below a node,
	 * by workload and node. Owned by this. */
	uint8_t *cpu_kinds;
	uint64_t *blocks[2];
	/* CPU time (ns) for asking disks for pages of files, likewise. Owned by this. */
	double *disk_reads[2];
	/* Memory was short, by workload: threads had to free memory before they got any. */
	bool is_short[2];
};

/* ---- Time on the CPU ---- */

static enum itp_time_kind kernel_kind(const struct itp_function *function,
				      enum itp_time_kind callers)
{
	if (callers == ITP_TIME_INTERRUPTS || itp_kernel_admits_interrupts(function->name)) {
		return ITP_TIME_INTERRUPTS;
	}
	return callers == ITP_TIME_FAULTS || itp_kernel_memory_is_faulted_by(function->name) ?
		       ITP_TIME_FAULTS :
		       ITP_TIME_KERNEL;
}

/* Kind of CPU time by node. Free with g_free(). */
static uint8_t *find_cpu_kinds(const struct itp_rank_state *state)
{
	uint8_t *kinds = g_new0(uint8_t, state->node_count);

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_function *function = itp_rank_function(state, node);

		kinds[node] = ITP_TIME_COMPUTING;
		if (function->layer == ITP_LAYER_SYSCALL) {
			kinds[node] = ITP_TIME_KERNEL;
		} else if (function->layer == ITP_LAYER_KERNEL) {
			kinds[node] = (uint8_t)kernel_kind(
				function, (enum itp_time_kind)kinds[itp_rank_parent(state, node)]);
		}
	}
	return kinds;
}

/* Variance (ns²) of the node's CPU time: by its ticks, and for time of unknown use as if a timer
 * had sampled it. `factor` is the scale of the statistics. */
static double cpu_variance(const struct itp_profile *profile, const struct itp_node_stats *stats,
			   double factor)
{
	bool has_ticks = profile->workload.counts.timer_samples > 0;
	double unknown_ns =
		(double)(stats->own_ns - stats->own_use.runnable_ns - stats->own_use.blocked_ns);

	if (has_ticks) {
		unknown_ns -= (double)stats->own_use.cpu_ns;
	}
	return MAX(unknown_ns, 0) * TICK_NS * factor +
	       (has_ticks ? (double)stats->own_variance_us2 * ITP_NS2_PER_US2 : 0);
}

/* Part of a node's blocked time, in nanoseconds, for which the thread that it waited for waited for
 * a CPU. `factor` is the scale of the statistics; the wakers were not scaled. */
static double queued_ns(const struct itp_profile *profile, uint32_t node, double factor)
{
	int64_t blocked_ns = itp_profile_peek(profile, node)->own_use.blocked_ns;
	int64_t all_ns = itp_wakers_node_ns(profile->wakers, node, ITP_WAKER_QUEUED);

	return MIN((double)all_ns * factor, (double)blocked_ns);
}

/* Stretches in which a CPU quota held threads of the node, and their length together, before
 * scaling. */
static struct itp_waker held_by_quota(const struct itp_function_table *functions,
				      const struct itp_profile *profile, uint32_t node)
{
	guint count;
	const struct itp_waker *wakers = itp_wakers_of_node(profile->wakers, node, &count);

	for (guint i = 0; i < count; i++) {
		if (wakers[i].role == ITP_WAKER_HAD_CPU &&
		    itp_is_quota(functions, wakers[i].process)) {
			return wakers[i];
		}
	}
	return (struct itp_waker){ .count = 0 };
}

/* Calls of the kernel that the node is part of. */
static uint64_t kernel_calls(const struct itp_rank_state *state, const struct itp_profile *profile,
			     uint32_t node)
{
	uint32_t call = node;

	while (itp_rank_function(state, node)->layer == ITP_LAYER_KERNEL) {
		call = node;
		node = itp_rank_parent(state, node);
	}
	if (itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL) {
		call = node;
	}
	return itp_profile_peek(profile, call)->count;
}

/* CPU time (ns) of interrupts at the node, which has `cpu_ns`. */
static double interrupts_ns(const struct itp_rank_state *state, const struct itp_profile *profile,
			    uint32_t node, double cpu_ns)
{
	const double calls = (double)kernel_calls(state, profile, node);

	return MIN(cpu_ns, calls * INTERRUPTS_MOST_NS);
}

/* Adds own time of a node by kind, times `factor`, after `scale` of its statistics. Who is held by
 * a quota waits for nobody else, and for none of the machine's: it counts as blocked. */
static void add_values(const struct itp_rank_state *state, const struct itp_profile *profile,
		       uint32_t node, enum itp_time_kind cpu_kind, double scale, double factor,
		       double *values)
{
	const struct itp_node_stats *stats = itp_profile_peek(profile, node);
	const double runnable_ns = (double)stats->own_use.runnable_ns;
	const double blocked_ns = (double)stats->own_use.blocked_ns;
	const double queued = queued_ns(profile, node, scale);
	double cpu_ns = (double)stats->own_ns - runnable_ns - blocked_ns;
	double held = 0;

	if (runnable_ns > 0) {
		held = (double)held_by_quota(state->functions, profile, node).blocked_ns * scale;
		held = MIN(held, runnable_ns);
	}
	if (cpu_kind == ITP_TIME_INTERRUPTS) {
		const double theirs_ns = interrupts_ns(state, profile, node, cpu_ns);

		values[ITP_TIME_INTERRUPTS] += theirs_ns * factor;
		cpu_ns -= theirs_ns;
		cpu_kind = ITP_TIME_KERNEL;
	}
	values[cpu_kind] += cpu_ns * factor;
	values[ITP_TIME_BLOCKED] += (blocked_ns - queued + held) * factor;
	if (state->counts_waiting) {
		values[ITP_TIME_WAITING] += (runnable_ns - held + queued) * factor;
	}
}

/* Variance (ns²) of the time for which a quota held the node, by stretches that come by
 * themselves. */
static double held_variance(const struct itp_rank_state *state, const struct itp_profile *profile,
			    uint32_t node, double scale)
{
	const struct itp_waker held = held_by_quota(state->functions, profile, node);
	const double stretch_ns =
		held.count > 0 ? (double)held.blocked_ns * scale / (double)held.count : 0;

	return (double)held.count * pow(MIN(stretch_ns, ITP_WAIT_MOST_NS), 2);
}

/* ---- Files in memory, and on disks ---- */

static bool is_file_cache(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_KERNEL &&
	       itp_kernel_memory_is_fetched_by(function->name);
}

/* True if memory was short: then the kernel takes pages of files away that are asked for again. The
 * kernel's own threads, which free pages in time, take pages that nobody asks for. */
static bool is_memory_short(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_function *function = itp_rank_function(state, node);

		if (function->layer == ITP_LAYER_KERNEL &&
		    itp_node_stats_is_present(itp_profile_peek(profile, node)) &&
		    itp_kernel_memory_is_freed_by(function->name)) {
			return true;
		}
	}
	return false;
}

/* Function of the kernel above `node` that gets a file's pages; 0 for none. */
static uint32_t file_cache_of(const struct itp_rank_state *state, uint32_t node)
{
	while (itp_rank_is_frame(state, node) && !is_file_cache(itp_rank_function(state, node))) {
		node = itp_rank_parent(state, node);
	}
	return itp_rank_is_frame(state, node) ? node : 0;
}

/* True if both workloads made about as many calls that led to the file cache's `node`. Nobody
 * counts the calls of a function that touches a page; if it finds the page in memory, it may be too
 * short to be seen at all. */
static bool is_called_alike(const struct itp_rank_state *state, uint32_t node)
{
	const struct itp_node_stats *suspect;
	const struct itp_node_stats *base;

	while (itp_rank_function(state, node)->layer == ITP_LAYER_KERNEL) {
		node = itp_rank_parent(state, node);
	}
	suspect = itp_side_stats(&state->suspect, node);
	base = itp_side_stats(&state->base, node);
	return itp_rank_function(state, node)->layer != ITP_LAYER_SYSCALL ||
	       (double)MAX(suspect->count, base->count) <=
		       COLD_CALLS * (double)MIN(suspect->count, base->count);
}

/* Part of the longer waiting below the file cache's `node` that came from more waits, as files were
 * not in memory: all, unless the other workload shows the duration of a wait. The rest is the
 * disk's. */
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

/* CPU time (ns) in which pages of files were asked of disks, at or below each node. Owned by the
 * caller. */
static double *sum_disk_reads(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	double *sums = g_new0(double, state->node_count);

	for (uint32_t node = state->node_count; node-- > 1;) {
		const struct itp_function *function = itp_rank_function(state, node);

		if (function->layer == ITP_LAYER_KERNEL &&
		    itp_kernel_memory_is_read_by(function->name)) {
			sums[node] = (double)itp_profile_peek(profile, node)->use.cpu_ns;
		}
		sums[itp_rank_parent(state, node)] += sums[node];
	}
	return sums;
}

/* True if the faster workload has asked disks for as many pages below the file cache's `node`: it
 * did not find them in memory, but its disk was faster. */
static bool has_read_alike(const struct gathering *it, uint32_t node, bool is_base_slower)
{
	const double faster_ns = it->disk_reads[!is_base_slower][node];

	return faster_ns > 0 && READ_ALIKE * faster_ns >= it->disk_reads[is_base_slower][node];
}

/* Part of the difference at `node` by files that the other workload found in memory by chance:
 * below a function of the kernel that gets a file's pages, with many times the other's time, and
 * about as many calls. */
static double cold_part(const struct gathering *it, uint32_t node)
{
	const struct itp_rank_state *state = it->state;
	uint32_t cache = file_cache_of(state, node);
	int64_t suspect_ns = itp_side_stats(&state->suspect, cache)->total_ns;
	int64_t base_ns = itp_side_stats(&state->base, cache)->total_ns;

	if (cache == 0 || MAX(suspect_ns, base_ns) < COLD_FACTOR * MIN(suspect_ns, base_ns) ||
	    it->is_short[suspect_ns < base_ns] || !is_called_alike(state, cache) ||
	    has_read_alike(it, cache, suspect_ns < base_ns)) {
		return 0;
	}
	return part_of_more_waits(it, cache);
}

/* Blocks of threads at or below each node. Owned by the caller. */
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

static void add_side(const struct gathering *it, struct itp_evidence_side *side,
		     const struct itp_side *of, uint32_t node, double factor)
{
	const struct itp_node_stats *stats = itp_side_stats(of, node);
	enum itp_time_kind cpu_kind = (enum itp_time_kind)it->cpu_kinds[node];
	double values[ITP_TIME_KIND_COUNT] = { 0 };

	add_values(it->state, of->profile, node, cpu_kind, factor, 1, values);
	for (size_t kind = 0; kind < ITP_TIME_KIND_COUNT; kind++) {
		side->parts[kind].value_ns += values[kind];
		side->value_ns += kind == ITP_TIME_WAITING ? 0 : values[kind];
	}
	side->parts[cpu_kind].variance += cpu_variance(of->profile, stats, factor);
	side->parts[ITP_TIME_BLOCKED].variance +=
		held_variance(it->state, of->profile, node, factor);
	side->samples += stats->samples;
}

static void add_node(const struct gathering *it, struct itp_evidence *evidence, uint32_t node)
{
	const struct itp_rank_state *state = it->state;

	add_side(it, &evidence->suspect, &state->suspect, node, 1);
	add_side(it, &evidence->base, &state->base, node, state->base_factor);
	itp_evidence_add_waits(evidence, state, node);
	evidence->cold_ns += cold_part(it, node) * (double)itp_rank_own_delta(state, node);
}

/* ---- Runs ---- */

/* Cost of each group in a run, per unit of work, by kind. */
static void fill_run(const struct gathering *it, const struct itp_profile *run, double units,
		     double (*values)[ITP_TIME_KIND_COUNT])
{
	for (guint i = 0; i < it->members->len; i++) {
		const struct itp_member *member = &g_array_index(it->members, struct itp_member, i);

		add_values(it->state, run, member->node,
			   (enum itp_time_kind)it->cpu_kinds[member->node], 1, 1 / units,
			   values[member->group]);
	}
}

/* Mean of the runs until now, and sums over them: of squares of their distances from it, and of
 * products with the machine's slowness. */
struct moments {
	double mean;
	double squares;
	double slowness;
};

/* Adds a run, the `number`th (Welford, Technometrics 4, 1962). */
static void add_to_moments(struct moments *moments, double value, double slowness, double number)
{
	double difference = value - moments->mean;

	moments->mean += difference / number;
	moments->squares += difference * (value - moments->mean);
	moments->slowness += value * slowness;
}

static void tell_runs(struct itp_evidence_side *side, const struct moments *moments, size_t runs)
{
	for (size_t kind = 0; kind < ITP_TIME_KIND_COUNT; kind++) {
		double mean = moments[kind].mean;

		if (mean > 0) {
			side->parts[kind].run_squares = moments[kind].squares / (mean * mean);
			side->parts[kind].run_slowness = moments[kind].slowness / mean;
			side->runs = runs;
		}
	}
}

static void add_runs(struct gathering *it, const struct itp_runs *runs, bool of_base)
{
	const size_t groups = it->group_count + 1;
	g_autofree double(*values)[ITP_TIME_KIND_COUNT] =
		g_malloc_n(groups * ITP_TIME_KIND_COUNT, sizeof(double));
	g_autofree struct moments *moments = g_new0(struct moments, groups * ITP_TIME_KIND_COUNT);
	g_autofree double *slowness = itp_machine_speed_of_runs(&it->state->speed, runs);
	double slowness_squares = 0;

	for (size_t run = 0; run < runs->count; run++) {
		memset(values, 0, groups * sizeof(*values));
		fill_run(it, runs->profiles[run], runs->units[run], values);
		slowness_squares += slowness[run] * slowness[run];
		for (size_t i = 0; i < it->group_count * ITP_TIME_KIND_COUNT; i++) {
			add_to_moments(&moments[i],
				       values[i / ITP_TIME_KIND_COUNT][i % ITP_TIME_KIND_COUNT],
				       slowness[run], (double)run + 1);
		}
	}
	for (size_t group = 0; group < it->group_count; group++) {
		struct itp_evidence_side *side = of_base ? &it->evidence[group].base :
							   &it->evidence[group].suspect;

		side->slowness_squares = slowness_squares;
		tell_runs(side, &moments[group * ITP_TIME_KIND_COUNT], runs->count);
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

/* A tick more or less is possible in each run, however the ticks of a context fell. */
static void add_last_ticks(struct itp_evidence_side *side, double factor)
{
	bool has_run = side->samples > 0;

	for (size_t kind = 0; kind < ITP_TIME_BLOCKED; kind++) {
		has_run |= side->parts[kind].variance > 0;
	}
	if (has_run) {
		side->parts[ITP_TIME_COMPUTING].variance +=
			(double)MAX(side->runs, 1) * pow(TICK_NS * factor, 2);
	}
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
				      size_t group_count)
{
	struct gathering it = {
		.state = state,
		.members = members,
		.group_count = group_count,
		.evidence = g_new0(struct itp_evidence, group_count + 1),
		.cpu_kinds = find_cpu_kinds(state),
		.blocks = { count_blocks(state, state->suspect.profile),
			    count_blocks(state, state->base.profile) },
		.disk_reads = { sum_disk_reads(state, state->suspect.profile),
				sum_disk_reads(state, state->base.profile) },
		.is_short = { is_memory_short(state, state->suspect.profile),
			      is_memory_short(state, state->base.profile) },
	};

	for (guint i = 0; i < members->len; i++) {
		const struct itp_member *member = &g_array_index(members, struct itp_member, i);

		add_node(&it, &it.evidence[member->group], member->node);
	}
	add_runs(&it, state->suspect.runs, false);
	add_runs(&it, state->base.runs, true);
	add_losses(&it);
	itp_unplaced_find(state, members, group_count, it.evidence);
	for (size_t i = 0; i < group_count; i++) {
		add_last_ticks(&it.evidence[i].suspect, 1);
		add_last_ticks(&it.evidence[i].base, state->base_factor);
	}
	g_free(it.cpu_kinds);
	g_free(it.blocks[0]);
	g_free(it.blocks[1]);
	g_free(it.disk_reads[0]);
	g_free(it.disk_reads[1]);
	return it.evidence;
}
