/* SPDX-License-Identifier: MIT */
/*
 * See noise.h.
 */
#include "common/rank/noise.h"

#include <math.h>

#include "common/rank/chance.h"

/* Part of the larger workload's own latency that a difference is at least. */
#define DELTA_LEAST 0.01
/* What the kernel needs for page faults differs by from run to run, whatever else does. */
#define SPREAD_OF_FAULTS 0.2
/* How many degrees of freedom the assumed spread counts for. */
#define SPREAD_RUNS 12
/* Of what is said to be beyond noise, the part that is chance. */
#define FALSE_DISCOVERIES 0.002
/* Of a difference, the part that more calls explain where these are what is to be doubted. */
#define WORK_PART 0.5
/* Of the events of a workload: not to divide by 0. */
#define SEEN_LEAST 0.01

/* ---- One difference ---- */

static double squared(double x)
{
	return x * x;
}

/* What runs differ by: a sum of squares and its degrees of freedom. */
struct spread {
	double squares;
	double freedom;
};

static double part_of(const struct spread *spread)
{
	return sqrt(spread->squares / spread->freedom);
}

static struct spread assume(double part)
{
	return (struct spread){ .squares = SPREAD_RUNS * squared(part), .freedom = SPREAD_RUNS };
}

/* What measurement makes runs differ by is there once already. */
static void add_runs(struct spread *spread, const struct itp_evidence_side *side)
{
	double freedom = side->runs > 1 ? (double)(side->runs - 1) : 0;
	double measured = freedom * (double)side->runs *
			  (side->cpu_variance + side->wait_variance) / squared(side->value_ns);

	if (freedom > 0) {
		spread->squares += MAX(side->run_squares - measured, 0);
		spread->freedom += freedom;
	}
}

/* Of a run of this group, when `assumed` is that of any. */
static struct spread spread_of(const struct itp_evidence *evidence, double assumed)
{
	struct spread spread = assume(assumed);

	add_runs(&spread, &evidence->suspect);
	add_runs(&spread, &evidence->base);
	return spread;
}

/* By a part of what each takes. */
static double run_variance(const struct itp_evidence *evidence, double part, double suspect_ns,
			   double base_ns)
{
	return squared(part * suspect_ns) / (double)MAX(evidence->suspect.runs, 1) +
	       squared(part * base_ns) / (double)MAX(evidence->base.runs, 1);
}

/* What events that were lost may have had of the difference: nobody knows what the workload that
 * seems to take less did meanwhile. With L of the events lost, that may be as much as L / (1 − L)
 * of what was seen of it, and where nothing was, L of what the other took. The other may only have
 * taken more. */
static double hidden_ns(const struct itp_evidence *evidence)
{
	bool is_base = evidence->suspect.value_ns > evidence->base.value_ns;
	const struct itp_evidence_side *less = is_base ? &evidence->base : &evidence->suspect;
	double part = less->lost_part;
	double delta_ns = fabs(evidence->suspect.value_ns - evidence->base.value_ns);

	return MAX(part / MAX(1 - part, SEEN_LEAST) * less->value_ns, part * delta_ns);
}

static struct itp_significance judge(const struct itp_evidence *evidence, double assumed)
{
	const struct itp_evidence_side *suspect = &evidence->suspect;
	const struct itp_evidence_side *base = &evidence->base;
	double delta_ns = suspect->value_ns - base->value_ns;
	double cpu_variance = suspect->cpu_variance + base->cpu_variance +
			      squared(SPREAD_OF_FAULTS * suspect->fault_ns) +
			      squared(SPREAD_OF_FAULTS * base->fault_ns);
	double wait_variance =
		suspect->wait_variance + base->wait_variance + squared(evidence->cold_ns);
	double hidden_variance = squared(hidden_ns(evidence));
	double measurement = cpu_variance + wait_variance + hidden_variance;
	const struct spread spread = spread_of(evidence, assumed);
	double part = part_of(&spread);
	double mean_ns = (suspect->value_ns + base->value_ns) / 2;
	/* If both were the same: runs that differ by a part of what they take make nothing of none,
	 * and none of nothing. */
	double equal_runs = run_variance(evidence, part, mean_ns, mean_ns);
	struct itp_significance significance = {
		.effect = base->value_ns != 0 ? delta_ns / base->value_ns : INFINITY,
		.measurement_ns = sqrt(measurement),
		.runs_ns = sqrt(run_variance(evidence, part, suspect->value_ns, base->value_ns)),
		.spread = part,
		.score = itp_chance_z(delta_ns, measurement, equal_runs, spread.freedom),
		.samples = suspect->samples,
		.base_samples = base->samples,
		.waits = suspect->waits,
		.base_waits = base->waits,
		.doubt = ITP_DOUBT_ABOUT_RUNS,
	};

	significance.probability = itp_chance_p(significance.score);
	if (significance.measurement_ns > significance.runs_ns) {
		significance.doubt = wait_variance > cpu_variance ? ITP_DOUBT_ABOUT_WAITS :
								    ITP_DOUBT_ABOUT_SAMPLES;
		if (hidden_variance > cpu_variance + wait_variance) {
			significance.doubt = ITP_DOUBT_ABOUT_LOSSES;
		}
	}
	return significance;
}

/* ---- Work ---- */

/* One workload called the entry's culprit more often for certain. */
static bool is_called_otherwise(const struct itp_rank_entry *entry)
{
	uint64_t suspect;
	uint64_t base;

	return itp_calls_compare(entry->suspect_calls, entry->base_calls, &suspect, &base) &&
	       suspect != base;
}

/* What is beyond noise may still be that more was done; of what only one workload did, that is
 * told by its being new or gone. */
static void doubt_work(const struct itp_rank_entry *entry, struct itp_significance *significance)
{
	double delta_ns = (double)(entry->suspect_value - entry->base_value);

	significance->is_called_otherwise = is_called_otherwise(entry);
	if (!significance->is_noise && significance->is_called_otherwise &&
	    entry->suspect_calls.seen > 0 && entry->base_calls.seen > 0 &&
	    fabs((double)entry->delta.more_calls_ns) > WORK_PART * fabs(delta_ns)) {
		significance->doubt = ITP_DOUBT_ABOUT_WORK;
	}
}

/* ---- Many ---- */

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

static void add_member(GArray *members, uint32_t node, uint32_t group)
{
	const struct itp_member member = { .node = node, .group = group };

	g_array_append_val(members, member);
}

static GArray *members_of_entries(const struct itp_rank_state *state,
				  const struct itp_rank_entries *entries)
{
	GArray *members = g_array_new(FALSE, FALSE, sizeof(struct itp_member));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (entries->owner[node] < entries->entries->len && !state->is_idle[node]) {
			add_member(members, node, entries->owner[node]);
		}
	}
	return members;
}

/* Whether a difference could be large enough, by the size of the values, which does not tell
 * that they differ. */
static bool is_large(const struct itp_evidence *evidence, double least_ns)
{
	return MAX(evidence->suspect.value_ns, evidence->base.value_ns) >= least_ns;
}

/* Of the sum of squares of normal numbers, divided by that median, with so many degrees of freedom:
 * E. B. Wilson and M. M. Hilferty, PNAS 17 (1931). */
static double median_part(double freedom)
{
	return pow(1 - 2 / (9 * freedom), 3);
}

/* What to assume of each of the entries: what runs differ by in half of them, beside what was
 * assumed before. */
static double common_spread(const struct itp_evidence *evidence, size_t count, double least_ns,
			    double assumed)
{
	g_autoptr(GArray) variances = g_array_new(FALSE, FALSE, sizeof(double));
	struct spread common = assume(assumed);
	double freedom = 0;

	for (size_t i = 0; i < count; i++) {
		struct spread seen = { .freedom = 0 };

		add_runs(&seen, &evidence[i].suspect);
		add_runs(&seen, &evidence[i].base);
		if (is_large(&evidence[i], least_ns) && seen.freedom > 0) {
			double variance = squared(part_of(&seen)) / median_part(seen.freedom);

			g_array_append_val(variances, variance);
			freedom += seen.freedom;
		}
	}
	if (variances->len > 0) {
		common.squares +=
			itp_chance_median((double *)variances->data, variances->len) * freedom;
		common.freedom += freedom;
	}
	return part_of(&common);
}

static double discovery_limit(const struct itp_evidence *evidence,
			      const struct itp_rank_entries *entries, double least_ns)
{
	g_autofree double *p = g_new(double, entries->entries->len + 1);
	size_t count = 0;

	for (guint i = 0; i < entries->entries->len; i++) {
		if (is_large(&evidence[i], least_ns)) {
			p[count++] = g_array_index(entries->entries, struct itp_rank_entry, i)
					     .significance.probability;
		}
	}
	return itp_chance_discovery_limit(p, count, FALSE_DISCOVERIES);
}

void itp_noise_judge(const struct itp_rank_state *state, struct itp_rank_entries *entries,
		     const struct itp_runs *suspect, const struct itp_runs *base)
{
	g_autoptr(GArray) members = members_of_entries(state, entries);
	g_autofree struct itp_evidence *evidence =
		itp_evidence_new(state, members, entries->entries->len, suspect, base);
	double least_ns = DELTA_LEAST * whole_of(state);
	double assumed = common_spread(evidence, entries->entries->len, least_ns, state->spread);
	double limit;

	for (guint i = 0; i < entries->entries->len; i++) {
		g_array_index(entries->entries, struct itp_rank_entry, i).significance =
			judge(&evidence[i], assumed);
	}
	limit = discovery_limit(evidence, entries, least_ns);
	for (guint i = 0; i < entries->entries->len; i++) {
		struct itp_rank_entry *entry =
			&g_array_index(entries->entries, struct itp_rank_entry, i);
		bool is_small = fabs((double)entry->weight) < least_ns;

		entry->significance.is_noise = is_small || entry->significance.probability > limit;
		if (is_small) {
			entry->significance.doubt = ITP_DOUBT_ABOUT_SIZE;
		}
		doubt_work(entry, &entry->significance);
	}
}

/* Without others that were looked at. */
static struct itp_significance judge_alone(const struct itp_evidence *evidence, double assumed)
{
	struct itp_significance significance = judge(evidence, assumed);

	significance.is_noise = significance.probability > FALSE_DISCOVERIES;
	return significance;
}

struct itp_significance itp_noise_judge_whole(const struct itp_rank_state *state,
					      const struct itp_runs *suspect,
					      const struct itp_runs *base)
{
	g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(struct itp_member));
	g_autofree struct itp_evidence *evidence = NULL;

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node) && !state->is_idle[node]) {
			add_member(members, node, 0);
		}
	}
	evidence = itp_evidence_new(state, members, 1, suspect, base);
	/* Ticks say which context has the time, not how much there is. */
	evidence->suspect.cpu_variance = 0;
	evidence->base.cpu_variance = 0;
	return judge_alone(evidence, state->spread);
}

void itp_noise_judge_rows(const struct itp_rank_state *state, GArray *rows, const GArray *members,
			  const struct itp_runs *suspect, const struct itp_runs *base)
{
	g_autofree struct itp_evidence *evidence =
		itp_evidence_new(state, members, rows->len, suspect, base);

	for (guint i = 0; i < rows->len; i++) {
		g_array_index(rows, struct itp_ranked_row, i).significance =
			judge_alone(&evidence[i], state->spread);
	}
}
