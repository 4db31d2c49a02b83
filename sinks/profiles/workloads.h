/* SPDX-License-Identifier: MIT */
/*
 * The workloads that arrive at sink.introperf.rank: one profile for each input trace.
 *
 * All profiles annotate one context tree over one function table. A view of them makes functions
 * of different builds equal.
 */
#ifndef ITP_SINKS_PROFILES_WORKLOADS_H
#define ITP_SINKS_PROFILES_WORKLOADS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "common/infer/profile.h"
#include "common/rank/view.h"

/* One input trace. */
struct itp_rank_workload {
	/* The path that it was read from, as given; NULL when the trace does not say. */
	char *input_path;
	/* Absolute paths of the files of a saved profile, sorted; may be empty. */
	GPtrArray *file_paths;
	/* Owned by this. Its name is the workload's. */
	struct itp_profile *profile;
	/* What is not yet part of it: what came since the last workload record, or the period that
	 * this has ended. Owned by this. */
	struct itp_profile *latest;
	/* The number of that period, or how many there were; 0 without periods. */
	uint64_t periods;
	/* When the first of them began. */
	int64_t begin_ns;
	/* In a view: `profile` is that of a period. */
	bool is_period;
};

struct itp_rank_workloads;

struct itp_rank_workloads *itp_rank_workloads_new(void);
void itp_rank_workloads_free(struct itp_rank_workloads *workloads);

/* Takes what is of use from `message`. When that ends a period, *ret_period is its workload, weak,
 * and NULL otherwise. */
bool itp_rank_workloads_add(struct itp_rank_workloads *workloads, const bt_message *message,
			    struct itp_rank_workload **ret_period, GError **error);

/* The latest period becomes part of the profile. */
void itp_rank_workload_end_period(struct itp_rank_workload *workload);

/* Ends the input. */
void itp_rank_workloads_finish(struct itp_rank_workloads *workloads);

/* The const struct itp_rank_workload * with nodes, in an order that does not depend on that of
 * their arrival. */
GPtrArray *itp_rank_workloads_list(const struct itp_rank_workloads *workloads);

/* A view of all, of which `bases` (const struct itp_rank_workload *) are those that behave: of
 * their profiles, but that of `period`, if it is not NULL, is its latest. It can take no messages.
 * Without a period it is the last that is asked for, also when it fails: what the profiles hold
 * goes into it. NULL when it fails. */
struct itp_rank_workloads *itp_rank_workloads_view(const struct itp_rank_workloads *workloads,
						   const struct itp_rank_workload *period,
						   const GPtrArray *bases,
						   const struct itp_view_options *options,
						   GError **error);

/* struct itp_pair and struct itp_renaming: what is one in the bases and the others. NULL where
 * nothing was compared. */
const GArray *itp_rank_workloads_pairs(const struct itp_rank_workloads *workloads);
const GArray *itp_rank_workloads_renamings(const struct itp_rank_workloads *workloads);

const struct itp_function_table *itp_rank_workloads_functions(
	const struct itp_rank_workloads *workloads);
const struct itp_context_tree *itp_rank_workloads_tree(const struct itp_rank_workloads *workloads);

#endif
