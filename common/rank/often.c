/* SPDX-License-Identifier: MIT */
/*
 * See often.h.
 */
#include "common/rank/often.h"

#include "common/base/hash.h"
#include "common/base/watched.h"

/* Sums of a system call in an entry. */
struct call {
	int64_t delta_ns;
	struct itp_call_bounds suspect;
	struct itp_call_bounds base;
};

struct itp_often_sums {
	/* Weak. */
	const struct itp_rank_state *state;
	/* Pair of entry and system call → struct call. Owned by this. */
	GHashTable *calls;
};

struct itp_often_sums *itp_often_sums_new(const struct itp_rank_state *state)
{
	struct itp_often_sums *sums = g_new0(struct itp_often_sums, 1);

	sums->state = state;
	sums->calls = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return sums;
}

void itp_often_sums_free(struct itp_often_sums *sums)
{
	g_hash_table_unref(sums->calls);
	g_free(sums);
}

/* True if a system call that was not seen was not made. */
static bool counts_all(const struct itp_profile *profile)
{
	const struct itp_infer_counts *counts = &profile->workload.counts;

	return (counts->watched & ITP_WATCHED_CALLS) && counts->rests_ns == 0 &&
	       counts->losses == 0;
}

static struct itp_call_bounds calls_of(const struct itp_rank_state *state,
				       const struct itp_side *side, uint32_t node)
{
	if (side->profile && !side->is_present[node] && counts_all(side->profile)) {
		return (struct itp_call_bounds){ .seen = 0 };
	}
	return itp_side_calls(state, side, node);
}

void itp_often_sums_add(struct itp_often_sums *sums, uint32_t entry, uint32_t syscall,
			uint32_t node)
{
	const struct itp_rank_state *state = sums->state;
	struct call *call = itp_value_at(sums->calls, itp_pair(entry, syscall), sizeof(*call));

	call->delta_ns += itp_rank_own_delta(state, node);
	if (itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL) {
		call->suspect =
			itp_call_bounds_sum(call->suspect, calls_of(state, &state->suspect, node));
		call->base = itp_call_bounds_sum(call->base, calls_of(state, &state->base, node));
	}
}

static bool is_often(const struct call *call)
{
	return itp_call_bounds_are_close(call->suspect) && itp_call_bounds_are_close(call->base) &&
	       call->suspect.seen >= call->base.seen + ITP_MORE_LEAST &&
	       (double)call->suspect.seen >= ITP_MORE_FACTOR * (double)call->base.seen;
}

struct itp_often *itp_often_find(const struct itp_often_sums *sums, uint32_t count)
{
	struct itp_often *often = g_new0(struct itp_often, count + 1);
	GHashTableIter iter;
	gpointer key;
	gpointer value;

	g_hash_table_iter_init(&iter, sums->calls);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		struct itp_often *most = &often[itp_pair_high(key)];
		const struct call *call = value;
		const uint32_t syscall = itp_pair_low(key);

		if (is_often(call) &&
		    (call->delta_ns > most->delta_ns ||
		     (call->delta_ns == most->delta_ns && call->delta_ns > 0 &&
		      itp_function_compare(sums->state->functions, syscall, most->syscall) < 0))) {
			*most = (struct itp_often){ .syscall = syscall,
						    .count = call->suspect.seen,
						    .base_count = call->base.seen,
						    .delta_ns = call->delta_ns };
		}
	}
	return often;
}
