/* SPDX-License-Identifier: MIT */
/*
 * See shift.h.
 */
#include "common/rank/shift.h"

#include <math.h>

#include "common/rank/chance.h"

#define NS2_PER_US2 1e6
/* Ticks of a function in each workload, and functions, that tell. */
#define TICKS_ENOUGH 10
#define FUNCTIONS_ENOUGH 3
/* Median of the square of a normal number. */
#define MEDIAN_SQUARE 0.4549

/* Of one function in one workload. */
struct amount {
	double cpu_ns;
	double variance;
	uint64_t samples;
};

/* By function; free with g_free(). */
static struct amount *amounts_of(const struct itp_rank_state *state,
				 const struct itp_profile *profile)
{
	struct amount *amounts = g_new0(struct amount, itp_function_table_size(state->functions));

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		struct amount *amount = &amounts[itp_context_tree_get(state->tree, node)->function];

		if (itp_rank_is_frame(state, node) && !state->is_idle[node]) {
			amount->cpu_ns += (double)stats->own_use.cpu_ns;
			amount->variance += (double)stats->own_variance_us2 * NS2_PER_US2;
			amount->samples += stats->samples;
		}
	}
	return amounts;
}

/* Variance of the relative difference of two amounts, if it is like those of most functions. */
static double excess_of(const struct amount *suspect, const struct amount *base)
{
	double mean_ns = (suspect->cpu_ns + base->cpu_ns) / 2;
	double difference = (suspect->cpu_ns - base->cpu_ns) / mean_ns;

	return difference * difference / MEDIAN_SQUARE -
	       (suspect->variance + base->variance) / (mean_ns * mean_ns);
}

double itp_shift_of(const struct itp_rank_state *state)
{
	g_autofree struct amount *suspect = amounts_of(state, state->suspect.profile);
	g_autofree struct amount *base = amounts_of(state, state->base.profile);
	g_autoptr(GArray) excesses = g_array_new(FALSE, FALSE, sizeof(double));
	uint32_t size = itp_function_table_size(state->functions);
	double median;

	if (state->suspect.profile->workload.counts.timer_samples == 0 ||
	    state->base.profile->workload.counts.timer_samples == 0) {
		return 0;
	}
	for (uint32_t function = 0; function < size; function++) {
		if (suspect[function].samples >= TICKS_ENOUGH &&
		    base[function].samples >= TICKS_ENOUGH && suspect[function].cpu_ns > 0 &&
		    base[function].cpu_ns > 0) {
			double excess = excess_of(&suspect[function], &base[function]);

			g_array_append_val(excesses, excess);
		}
	}
	if (excesses->len < FUNCTIONS_ENOUGH) {
		return NAN;
	}
	median = itp_chance_median((double *)excesses->data, excesses->len);
	return sqrt(MAX(median, 0) / 2);
}
