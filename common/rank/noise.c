/* SPDX-License-Identifier: MIT */
/*
 * Variances of the entries, in the amount of work that the suspect did.
 */
#include "common/rank/noise.h"

#include <math.h>
#include <stdlib.h>

#include "common/rank/scale.h"

#define SCORE_LEAST 3.0
/* Part of the larger workload's own latency. */
#define DELTA_LEAST 0.01
/* Of any two runs: the relative difference that they have at least, and at most unless the load was
 * another; and what is taken for it when there are too few entries to tell. */
#define LEAST 0.05
#define MOST 0.20
#define DEFAULT 0.10
/* How many entries tell, each of at least such a part of the whole. */
#define ENTRIES_LEAST 4
#define ENTRY_LEAST 0.005
/* The lower quartile of |x| for a standard normal x. */
#define NORMAL_QUARTILE 0.3186

static double squares_of(const struct itp_node_stats *stats)
{
	return (double)stats->square_sum_high * 0x1p64 + (double)stats->square_sum_low;
}

/* Of the calls of the culprit in one context, of whose latency `own_ns` is the entry's. `factor` is
 * that by which the statistics were scaled. */
static double within_run(const struct itp_node_stats *stats, int64_t own_ns, double factor)
{
	double part = stats->total_ns > 0 ? (double)own_ns / (double)stats->total_ns : 0;
	double count = (double)stats->count;
	double mean = count > 0 ? (double)stats->total_ns / count : 0;
	double spread = MAX(squares_of(stats) - mean * (double)stats->total_ns, 0);
	double blocked =
		stats->total_ns > 0 ? (double)stats->use.blocked_ns / (double)stats->total_ns : 0;

	if (count > 1) {
		spread *= count / (count - 1);
	}
	return (factor * spread + factor * factor * mean * mean +
		factor * squares_of(stats) * blocked * blocked) *
	       part * part;
}

static void add_within_runs(const struct itp_rank_state *state, double base_factor,
			    const struct itp_rank_entry *entry, double *variance)
{
	for (guint i = 0; i < entry->variants->len; i++) {
		const struct itp_variant *variant =
			&g_array_index(entry->variants, struct itp_variant, i);

		*variance += within_run(itp_profile_peek(state->suspect.profile, variant->node),
					variant->suspect_ns, 1);
		*variance += within_run(itp_profile_peek(state->base.profile, variant->node),
					variant->base_ns, base_factor);
	}
}

/* What each entry costs in one run, per unit. */
static void fill_run(const struct itp_rank_state *state, const struct itp_rank_entries *entries,
		     const struct itp_profile *run, double units, double *ret_values)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (entries->owner[node] < entries->entries->len && !state->is_idle[node]) {
			ret_values[entries->owner[node]] +=
				(double)itp_profile_peek(run, node)->own_ns / units;
		}
	}
}

/* Adds the variance of the mean of the runs, in `units` of work, to `variances`. */
static void add_between_runs(const struct itp_rank_state *state,
			     const struct itp_rank_entries *entries, const struct itp_runs *runs,
			     double units, double *variances)
{
	guint count = entries->entries->len;
	g_autofree double *values = NULL;

	if (runs->count < 2) {
		return;
	}
	values = g_new0(double, runs->count *count);
	for (size_t run = 0; run < runs->count; run++) {
		fill_run(state, entries, runs->profiles[run], runs->units[run],
			 values + run * count);
	}
	for (guint i = 0; i < count; i++) {
		double mean = 0;
		double squares = 0;

		for (size_t run = 0; run < runs->count; run++) {
			mean += values[run * count + i] / (double)runs->count;
		}
		for (size_t run = 0; run < runs->count; run++) {
			squares += pow(values[run * count + i] - mean, 2);
		}
		variances[i] +=
			squares / (double)(runs->count - 1) / (double)runs->count * units * units;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static double half_sum(const struct itp_rank_entry *entry)
{
	return ((double)entry->suspect_value + (double)entry->base_value) / 2;
}

static double difference(const struct itp_rank_entry *entry)
{
	return (double)itp_rank_entry_weight(entry);
}

/* By how much the two workloads differ where nothing has changed, relative to the mean. */
static double difference_of_workloads(const struct itp_rank_entries *entries, double whole_ns)
{
	g_autofree double *differences = g_new(double, entries->entries->len + 1);
	size_t count = 0;

	for (guint i = 0; i < entries->entries->len; i++) {
		const struct itp_rank_entry *entry =
			&g_array_index(entries->entries, struct itp_rank_entry, i);

		if (half_sum(entry) >= ENTRY_LEAST * whole_ns) {
			differences[count++] = fabs(difference(entry)) / half_sum(entry);
		}
	}
	if (count < ENTRIES_LEAST) {
		return DEFAULT;
	}
	qsort(differences, count, sizeof(differences[0]), compare_doubles);
	return CLAMP(differences[count / 4] / NORMAL_QUARTILE, LEAST, MOST);
}

static double whole_of(const struct itp_rank_state *state)
{
	double suspect_ns = 0;
	double base_ns = 0;

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node)) {
			suspect_ns += (double)state->suspect.value[node];
			base_ns += (double)state->base.value[node];
		}
	}
	return MAX(suspect_ns, base_ns);
}

static struct itp_significance judge(const struct itp_rank_entry *entry, double variance,
				     double whole_ns)
{
	double delta = difference(entry);
	struct itp_significance significance = {
		.effect = entry->base_value != 0 ? delta / (double)entry->base_value : INFINITY,
		.score = variance > 0 ? delta / sqrt(variance) : 0,
	};

	significance.is_noise = fabs(significance.score) < SCORE_LEAST ||
				fabs(delta) < DELTA_LEAST * whole_ns;
	return significance;
}

void itp_noise_judge(const struct itp_rank_state *state, struct itp_rank_entries *entries,
		     const struct itp_runs *suspect, const struct itp_runs *base)
{
	double units = itp_runs_units(suspect);
	double whole_ns = whole_of(state);
	double workloads = difference_of_workloads(entries, whole_ns);
	g_autofree double *variances = g_new0(double, entries->entries->len + 1);

	add_between_runs(state, entries, suspect, units, variances);
	add_between_runs(state, entries, base, units, variances);
	for (guint i = 0; i < entries->entries->len; i++) {
		struct itp_rank_entry *entry =
			&g_array_index(entries->entries, struct itp_rank_entry, i);

		add_within_runs(state, units / itp_runs_units(base), entry, &variances[i]);
		variances[i] += pow(workloads * half_sum(entry), 2);
		entry->significance = judge(entry, variances[i], whole_ns);
	}
}
