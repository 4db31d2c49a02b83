/* SPDX-License-Identifier: MIT */
/*
 * By how much runs of a workload are assumed to differ, as the machine makes likely.
 *
 * A workload that waits for CPUs shares them and their caches with others, and lasts longer by that
 * or not. One in which most functions take longer, whatever they do, ran on a slower machine, or on
 * one at a slower moment; memory lay otherwise, or another compiler built it: none of them is to
 * blame. What the culprit of the largest difference calls differs since it does: a collector of
 * garbage, the kernel that clears its pages. So what lies below that culprit tells nothing of the
 * others.
 */
#include "common/rank/steps.h"

#include <math.h>
#include <stdlib.h>

#include "common/rank/chance.h"

/* What is assumed of runs on a machine of their own, how much more for each part of the time on the
 * CPU and waiting for one that is waiting for others, and the most. Measured by tests/verdicts/run.
 */
#define SPREAD_LEAST 0.04
#define SPREAD_OF_WAITING 0.3
#define SPREAD_MOST 0.15
#define NS2_PER_US2 1e6
/* Ticks of a function in each workload, and functions, that tell. */
#define TICKS_ENOUGH 10
#define FUNCTIONS_ENOUGH 3
/* Median of the square of a normal number; and the standard error of the median of n such squares,
 * in parts of that median and of 1/√n: 1 / (2 f √n) with f the density of χ² there. */
#define MEDIAN_SQUARE 0.4549
#define MEDIAN_ERROR 2.33
/* What most functions are assumed to differ by where too few tell; measured by tests/verdicts/run.
 */
#define SHIFT_UNKNOWN 0.06

/* ---- What most functions differ by ---- */

/* Of one function in one workload. */
struct amount {
	double cpu_ns;
	double variance;
	uint64_t samples;
};

/* The function to which the contexts below `culprit` are put down. */
static uint32_t blamed_of(const struct itp_rank_state *state, uint32_t culprit)
{
	return culprit == ITP_CONTEXT_ROOT ? ITP_FUNCTION_UNKNOWN :
					     itp_rank_function_id(state, culprit);
}

/* Below whose culprits the largest difference lies. */
static uint32_t most_blamed(const struct itp_rank_state *state, const uint32_t *culprits)
{
	uint32_t size = itp_function_table_size(state->functions);
	g_autofree int64_t *delta_ns = g_new0(int64_t, size);
	uint32_t most = ITP_FUNCTION_UNKNOWN;

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (!state->is_idle[node]) {
			delta_ns[blamed_of(state, culprits[node])] +=
				itp_rank_own_delta(state, node);
		}
	}
	delta_ns[ITP_FUNCTION_UNKNOWN] = 0;
	for (uint32_t function = 0; function < size; function++) {
		most = llabs(delta_ns[function]) > llabs(delta_ns[most]) ? function : most;
	}
	return most;
}

/* By function, without what lies below culprits of function `left_out`; free with g_free(). */
static struct amount *amounts_of(const struct itp_rank_state *state, const uint32_t *culprits,
				 uint32_t left_out, const struct itp_profile *profile)
{
	struct amount *amounts = g_new0(struct amount, itp_function_table_size(state->functions));

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		struct amount *amount = &amounts[itp_rank_function_id(state, node)];

		if (itp_rank_is_frame(state, node) && !state->is_idle[node] &&
		    (culprits[node] == ITP_CONTEXT_ROOT ||
		     blamed_of(state, culprits[node]) != left_out)) {
			amount->cpu_ns += (double)stats->own_use.cpu_ns;
			amount->variance += (double)stats->own_variance_us2 * NS2_PER_US2;
			amount->samples += stats->samples;
		}
	}
	return amounts;
}

/* Of the relative difference of two amounts: the variance that the number of ticks explains, and
 * what is left of its own, if it is like those of most functions. */
struct excess {
	double ticks;
	double rest;
};

static struct excess excess_of(const struct amount *suspect, const struct amount *base)
{
	double mean_ns = (suspect->cpu_ns + base->cpu_ns) / 2;
	double difference = (suspect->cpu_ns - base->cpu_ns) / mean_ns;
	double ticks = (suspect->variance + base->variance) / (mean_ns * mean_ns);

	return (struct excess){ .ticks = ticks,
				.rest = difference * difference / MEDIAN_SQUARE - ticks };
}

/* Few ticks make any two functions differ: more than what is usual is believed only as far as they
 * do not explain it. */
static double believe(double rest, double error)
{
	const double usual = 2 * SHIFT_UNKNOWN * SHIFT_UNKNOWN;

	return rest <= usual ? MAX(rest, 0) : MAX(rest - error, usual);
}

/* The standard deviation of a run that explains what the median function's CPU time differs by,
 * beside what the number of its ticks does. 0 when that explains it all, or when there are no
 * ticks; what is usual when too few functions have enough. */
static double shift_of(const struct itp_rank_state *state, const uint32_t *culprits)
{
	uint32_t left_out = most_blamed(state, culprits);
	g_autofree struct amount *suspect =
		amounts_of(state, culprits, left_out, state->suspect.profile);
	g_autofree struct amount *base = amounts_of(state, culprits, left_out, state->base.profile);
	uint32_t size = itp_function_table_size(state->functions);
	g_autofree double *ticks = g_new(double, size);
	g_autofree double *rests = g_new(double, size);
	size_t count = 0;
	double error;

	if (state->suspect.profile->workload.counts.timer_samples == 0 ||
	    state->base.profile->workload.counts.timer_samples == 0) {
		return 0;
	}
	for (uint32_t function = 0; function < size; function++) {
		if (suspect[function].samples >= TICKS_ENOUGH &&
		    base[function].samples >= TICKS_ENOUGH && suspect[function].cpu_ns > 0 &&
		    base[function].cpu_ns > 0) {
			const struct excess excess = excess_of(&suspect[function], &base[function]);

			ticks[count] = excess.ticks;
			rests[count++] = excess.rest;
		}
	}
	if (count < FUNCTIONS_ENOUGH) {
		return SHIFT_UNKNOWN;
	}
	error = MEDIAN_ERROR * itp_chance_median(ticks, count) / sqrt((double)count);
	return sqrt(believe(itp_chance_median(rests, count), error) / 2);
}

/* ---- Waiting for CPUs ---- */

/* How long who waits for a CPU in `node` had to since other threads of its program had it. What a
 * program's own threads take from each other they do so each time. */
static int64_t taken_by_itself_ns(const struct itp_rank_state *state,
				  const struct itp_profile *profile, uint32_t node)
{
	uint32_t process = itp_rank_program(state, node);
	int64_t sum_ns = 0;
	guint count;
	const struct itp_waker *takers = itp_wakers_of_node(profile->wakers, node, &count);

	for (guint i = 0; i < count; i++) {
		if (takers[i].role == ITP_WAKER_HAD_CPU && takers[i].process == process) {
			sum_ns += takers[i].blocked_ns;
		}
	}
	return sum_ns;
}

/* Part of the time in which a workload could have run that it waited for a CPU which others had. */
static double waiting_part(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	double cpu_ns = 0;
	double runnable_ns = 0;

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_time_use *use = &itp_profile_peek(profile, node)->own_use;

		if (itp_rank_is_frame(state, node)) {
			cpu_ns += (double)use->cpu_ns;
			runnable_ns += (double)MAX(
				use->runnable_ns - taken_by_itself_ns(state, profile, node), 0);
		}
	}
	return runnable_ns > 0 ? runnable_ns / (cpu_ns + runnable_ns) : 0;
}

double itp_spread_assumed(const struct itp_rank_state *state, const uint32_t *culprits)
{
	double waiting = 0;

	if (state->options->spread >= 0) {
		return state->options->spread;
	}
	/* A busy machine makes everything vary; where that is the cause, it is no doubt about it.
	 */
	if (!state->counts_waiting) {
		waiting = MAX(waiting_part(state, state->suspect.profile),
			      waiting_part(state, state->base.profile));
	}
	return MIN(SPREAD_LEAST + SPREAD_OF_WAITING * waiting + shift_of(state, culprits),
		   SPREAD_MOST);
}
