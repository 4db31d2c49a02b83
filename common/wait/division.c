/* SPDX-License-Identifier: MIT */
/*
 * See division.h.
 */
#include "common/wait/division.h"

#include "common/base/hash.h"
#include "common/base/sums.h"

/* Weights in ticks of a span: of the whole recording's ticks, and, within these, of the lengths of
 * stretches. */
#define RECORDING_TICKS 2.0
#define LENGTH_TICKS 0.5

struct division {
	GArray *links;
	guint first;
	uint32_t depth;
	const struct itp_history *history;
	/* Lengths of running stretches by node, in nanoseconds. Owned by this. */
	GHashTable *lengths;
	/* Sums over the links that ran outside of system calls: lengths, ticks here, and ticks
	 * anywhere in their contexts. */
	int64_t all_ns;
	double ticks;
	double recording_ticks;
};

/* The link, if the thread ran in it; NULL otherwise. */
static struct itp_link *run_at(const struct division *division, guint i)
{
	struct itp_link *link = &g_array_index(division->links, struct itp_link, i);

	return link->depth == division->depth && link->stretch.kind == ITP_STRETCH_RUN ? link :
											 NULL;
}

static int64_t length_of(const struct itp_link *link)
{
	return link->stretch.end_ns - link->stretch.begin_ns;
}

static void add_run(struct division *division, const struct itp_link *link)
{
	uint32_t node = link->stretch.node;

	if (itp_sums_get(division->lengths, GUINT_TO_POINTER(node)) == 0) {
		division->recording_ticks += (double)itp_history_ticks(division->history, node);
	}
	itp_sums_add(division->lengths, GUINT_TO_POINTER(node), length_of(link));
	division->all_ns += length_of(link);
	division->ticks += link->stretch.ticks;
}

/* Weight of a link; the weights of all links sum to 1. */
static double weight_of(const struct division *division, const struct itp_link *link)
{
	double length = (double)length_of(link);
	double of_node = length / (double)itp_sums_get(division->lengths,
						       GUINT_TO_POINTER(link->stretch.node));
	double ticks = (double)itp_history_ticks(division->history, link->stretch.node) * of_node;
	double recording = (ticks + LENGTH_TICKS * length / (double)division->all_ns) /
			   (division->recording_ticks + LENGTH_TICKS);

	return (link->stretch.ticks + RECORDING_TICKS * recording) /
	       (division->ticks + RECORDING_TICKS);
}

/* Parts given of a time so far. Rounding errors go to the next part. */
struct giving {
	int64_t all_ns;
	double weight;
	int64_t given_ns;
};

static int64_t give(struct giving *giving, double weight)
{
	int64_t before_ns = giving->given_ns;

	giving->weight += weight;
	giving->given_ns =
		MIN((int64_t)((double)giving->all_ns * giving->weight + 0.5), giving->all_ns);
	return giving->given_ns - before_ns;
}

static void divide_run(const struct division *division)
{
	struct giving giving = { .all_ns = division->all_ns };

	for (guint i = division->first; i < division->links->len; i++) {
		struct itp_link *link = run_at(division, i);

		if (link && !link->stretch.is_in_call) {
			link->cost_ns = give(&giving, weight_of(division, link));
		}
	}
}

/* Divides the time of link `kept` among the running links from `begin` up to `end`. */
static void divide_kept(const struct division *division, guint kept, guint begin, guint end)
{
	struct itp_link *ready = &g_array_index(division->links, struct itp_link, kept);
	struct giving giving = { .all_ns = ready->cost_ns };
	int64_t run_ns = 0;

	for (guint i = begin; i < end; i++) {
		run_ns += i == kept ? 0 : run_at(division, i)->cost_ns;
	}
	for (guint i = begin; i < end && run_ns > 0; i++) {
		struct itp_link *link = run_at(division, i);

		if (i != kept) {
			link->kept_ns += give(&giving, (double)link->cost_ns / (double)run_ns);
		}
	}
	ready->cost_ns -= giving.given_ns;
}

static void divide_all_kept(const struct division *division)
{
	for (guint i = division->first; i < division->links->len; i++) {
		struct itp_link *link = &g_array_index(division->links, struct itp_link, i);
		guint begin = i;
		guint end = i + 1;

		if (link->depth != division->depth || !link->is_kept) {
			continue;
		}
		while (begin > division->first && run_at(division, begin - 1)) {
			begin--;
		}
		while (end < division->links->len && run_at(division, end)) {
			end++;
		}
		divide_kept(division, i, begin, end);
	}
}

void itp_divide_runs(GArray *links, guint first, uint32_t depth, const struct itp_history *history)
{
	struct division division = { .links = links,
				     .first = first,
				     .depth = depth,
				     .history = history,
				     .lengths = g_hash_table_new(itp_hash_number, NULL) };

	for (guint i = first; i < links->len; i++) {
		const struct itp_link *link = run_at(&division, i);

		if (link && !link->stretch.is_in_call) {
			add_run(&division, link);
		}
	}
	divide_run(&division);
	divide_all_kept(&division);
	for (guint i = first; i < links->len; i++) {
		struct itp_link *link = run_at(&division, i);

		if (link) {
			link->cost_ns += link->kept_ns;
		}
	}
	g_hash_table_unref(division.lengths);
}
