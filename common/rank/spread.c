/* SPDX-License-Identifier: MIT */
/*
 * Spread of runs: their standard deviation in time on the CPU, assumed as the machine makes likely.
 *
 * A workload in which most functions take longer, whatever they do, ran on a slower machine, or at
 * a slower moment; memory lay otherwise, or another compiler built it: none of the functions is to
 * blame. Callees of the culprit with the largest difference in time on the CPU differ because of
 * it: a collector of garbage, the kernel that clears its pages. Contexts below this culprit thus
 * tell nothing of the others. This culprit is chosen by time on the CPU, as waits are longest in
 * the threads that wait for it, and tell nothing of it.
 *
 * Waits for CPUs do not count: a function takes no more time on the CPU by waiting for it.
 */
#include "common/rank/steps.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/order.h"
#include "common/rank/chance.h"
#include "common/rank/felt.h"

/* Spread assumed of any two runs, and the most. Measured by tests/verdicts/run. */
#define SPREAD_LEAST 0.04
#define SPREAD_MOST 0.15
/* Least ticks of a function in each workload, and least number of such functions. */
#define TICKS_ENOUGH 10
#define FUNCTIONS_ENOUGH 3
/* Median of the square of a normal number; and the standard error of the median of n such squares,
 * in parts of that median and of 1/√n: 1 / (2 f √n) with f the density of χ² at the median. */
#define MEDIAN_SQUARE 0.4549
#define MEDIAN_ERROR 2.33
/* Standard errors that prove that most functions differ by more than their ticks explain. */
#define ERRORS_OF_PROOF 2

/* ---- Differences of most functions ---- */

/* CPU time of a function in a workload, and its variance (ns²). */
struct amount {
	double cpu_ns;
	double variance;
	uint64_t samples;
};

/* Function that is blamed for the contexts below `culprit`. */
static uint32_t blamed_of(const struct itp_rank_state *state, uint32_t culprit)
{
	return culprit == ITP_CONTEXT_ROOT ? ITP_FUNCTION_UNKNOWN :
					     itp_rank_function_id(state, culprit);
}

/* Time on the CPU (ns) of `node` beyond the base's. */
static int64_t cpu_delta(const struct itp_rank_state *state, uint32_t node)
{
	return itp_profile_peek(state->suspect.profile, node)->own_use.cpu_ns -
	       itp_profile_peek(state->base.profile, node)->own_use.cpu_ns;
}

/* Function whose culprits have the largest difference below them. */
static uint32_t most_blamed(const struct itp_rank_state *state, const uint32_t *culprits)
{
	uint32_t size = itp_function_table_size(state->functions);
	g_autofree int64_t *delta_ns = g_new0(int64_t, size);
	uint32_t most = ITP_FUNCTION_UNKNOWN;

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (!itp_rank_is_apart(state, node)) {
			delta_ns[blamed_of(state, culprits[node])] += cpu_delta(state, node);
		}
	}
	delta_ns[ITP_FUNCTION_UNKNOWN] = 0;
	for (uint32_t function = 0; function < size; function++) {
		most = llabs(delta_ns[function]) > llabs(delta_ns[most]) ? function : most;
	}
	return most;
}

/* Amounts by function, without contexts below culprits of function `left_out`; free with
 * g_free(). */
static struct amount *amounts_of(const struct itp_rank_state *state, const uint32_t *culprits,
				 uint32_t left_out, const struct itp_profile *profile)
{
	struct amount *amounts = g_new0(struct amount, itp_function_table_size(state->functions));

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		struct amount *amount = &amounts[itp_rank_function_id(state, node)];

		if (itp_rank_is_ranked(state, node) &&
		    (culprits[node] == ITP_CONTEXT_ROOT ||
		     blamed_of(state, culprits[node]) != left_out)) {
			amount->cpu_ns += (double)stats->own_use.cpu_ns;
			amount->variance += (double)stats->own_variance_us2 * ITP_NS2_PER_US2;
			amount->samples += stats->samples;
		}
	}
	return amounts;
}

/* Relative difference of two amounts: variance by the number of ticks, and the rest of a function
 * that is like most. */
struct excess {
	double ticks;
	double rest;
};

/* Excess beside the machine's measured slowness. */
static struct excess excess_of(const struct amount *suspect, const struct amount *base,
			       const struct itp_felt *felt)
{
	double base_ns = base->cpu_ns * felt->factor;
	double mean_ns = (suspect->cpu_ns + base_ns) / 2;
	double difference = (suspect->cpu_ns - base_ns) / mean_ns;
	double ticks = (suspect->variance + base->variance * felt->factor * felt->factor) /
		       (mean_ns * mean_ns);

	return (struct excess){ .ticks = ticks,
				.rest = difference * difference / MEDIAN_SQUARE - ticks -
					felt->variance };
}

static int compare_excesses(const void *a, const void *b)
{
	const struct excess *left = a;
	const struct excess *right = b;

	return ITP_ORDER(left->rest, right->rest);
}

/* Few ticks make any two functions differ: a rest within their error is not believed. */
static double believe(double rest, double error)
{
	return MAX(rest - ERRORS_OF_PROOF * error, 0);
}

/* Standard deviation of a run that explains the difference of the median function's CPU time,
 * beside its ticks. 0 if ticks explain it all, and if too few functions have enough ticks to
 * tell. */
static double shift_of(const struct itp_rank_state *state, const uint32_t *culprits)
{
	const struct itp_felt felt = itp_felt_assumed(&state->speed);
	uint32_t left_out = most_blamed(state, culprits);
	g_autofree struct amount *suspect =
		amounts_of(state, culprits, left_out, state->suspect.profile);
	g_autofree struct amount *base = amounts_of(state, culprits, left_out, state->base.profile);
	uint32_t size = itp_function_table_size(state->functions);
	g_autofree double *ticks = g_new(double, size);
	g_autofree struct excess *excesses = g_new(struct excess, size);
	const struct excess *middle;
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
			excesses[count] = excess_of(&suspect[function], &base[function], &felt);
			ticks[count] = excesses[count].ticks;
			count++;
		}
	}
	if (count < FUNCTIONS_ENOUGH) {
		return 0;
	}
	qsort(excesses, count, sizeof(*excesses), compare_excesses);
	middle = &excesses[(count - 1) / 2];
	/* The middle function may have few ticks. */
	error = MEDIAN_ERROR * MAX(itp_chance_median(ticks, count), middle->ticks) /
		sqrt((double)count);
	return sqrt(believe(middle->rest, error) / 2);
}

double itp_spread_assumed(const struct itp_rank_state *state, const uint32_t *culprits)
{
	if (state->options->spread >= 0) {
		return state->options->spread;
	}
	return MIN(hypot(SPREAD_LEAST, shift_of(state, culprits)), SPREAD_MOST);
}
