/* SPDX-License-Identifier: MIT */
/*
 * The workloads that are compared: one profile for each input.
 *
 *   workload-set.c  what the inputs hold, and a view of them
 *   compare.c       a view, divided into those that behave and those under suspicion; both sides by
 *                   how much work each run did
 *   unit-work.c     work counted by units
 *   first-path.c    which calls are slow where nobody says it
 *
 * All profiles annotate one context tree over one function table. A view of them makes functions
 * of different builds equal. How the inputs are read is left to the hosts, what explains the time
 * to common/rank.
 */
#ifndef ITP_COMPARE_WORKLOAD_SET_H
#define ITP_COMPARE_WORKLOAD_SET_H

#include <glib.h>
#include <stdbool.h>

#include "common/infer/profile-source.h"
#include "common/rank/view.h"

/* One input. */
struct itp_set_workload {
	/* The path that it was read from, as given; NULL when the input does not say. Owned by
	 * this.
	 */
	char *input_path;
	/* Absolute paths (char *) of the files of a saved profile, sorted at the end; may be empty.
	 */
	GPtrArray *file_paths;
	/* Owned by this. Its name is the workload's. */
	struct itp_profile *profile;
	/* What is not yet part of it: what came since it was last told what workload this is, or
	 * the period that this has ended. Owned by this. */
	struct itp_profile *latest;
	/* The number of that period, or how many there were; 0 without periods. */
	uint64_t periods;
	/* When the first of them began. */
	int64_t begin_ns;
	/* In a view: `profile` is that of a period. */
	bool is_period;
	/* Some context came of it; and what workload it is. */
	bool has_nodes;
	bool is_described;
	/* Something of it is missing. */
	bool has_loss;
};

struct itp_workload_set;

struct itp_workload_set *itp_workload_set_new(void);
void itp_workload_set_free(struct itp_workload_set *set);

/* A new, empty workload. `architecture` may be NULL. Weak. */
struct itp_set_workload *itp_workload_set_add(struct itp_workload_set *set, const char *name,
					      const struct itp_clock *clock,
					      const char *architecture);

/* The id of `function`, and the node below `parent` for it, in what all profiles share. */
uint32_t itp_workload_set_function(struct itp_workload_set *set,
				   const struct itp_function *function);
uint32_t itp_workload_set_node(struct itp_workload_set *set, uint32_t parent, uint32_t function);

/* Adds to what is known of `node`. Wakers, latencies and slowest calls are added to `latest` by its
 * users. */
void itp_set_workload_add_stats(struct itp_set_workload *workload, uint32_t node,
				const struct itp_node_stats *stats);

/* What came is all of the workload `description`, or of its period with the number `period`, 0
 * without periods. */
void itp_set_workload_describe(struct itp_set_workload *workload,
			       const struct itp_workload *description, uint64_t period);

/* All of this at once: what `source` holds and what workload it is comes to `workload`, of `set`. A
 * period is still to be ended. */
void itp_workload_set_add_source(struct itp_workload_set *set, struct itp_set_workload *workload,
				 const struct itp_profile_source *source);

/* The name of a workload with stacks, of which none tells of time (infer/kept.h); NULL without.
 * Weak. */
const char *itp_workload_set_untimed(const struct itp_workload_set *set);

/* The latest period becomes part of the profile. */
void itp_set_workload_end_period(struct itp_set_workload *workload);

/* Ends all inputs. */
void itp_workload_set_finish(struct itp_workload_set *set);

/* The const struct itp_set_workload * with nodes, in an order that does not depend on that of
 * their arrival. */
GPtrArray *itp_workload_set_list(const struct itp_workload_set *set);

/* A view of all, of which `bases` (const struct itp_set_workload *) are those that behave: of
 * their profiles, but that of `period`, if it is not NULL, is its latest. Nothing can be added to
 * it. Without a period it is the last that is asked for, also when it fails: what the profiles hold
 * goes into it. NULL when it fails. */
struct itp_workload_set *itp_workload_set_view(const struct itp_workload_set *set,
					       const struct itp_set_workload *period,
					       const GPtrArray *bases,
					       const struct itp_view_options *options,
					       GError **error);

/* struct itp_pair and struct itp_renaming: what is one in the bases and the others. NULL where
 * nothing was compared. */
const GArray *itp_workload_set_pairs(const struct itp_workload_set *set);
const GArray *itp_workload_set_renamings(const struct itp_workload_set *set);

const struct itp_function_table *itp_workload_set_functions(const struct itp_workload_set *set);
const struct itp_context_tree *itp_workload_set_tree(const struct itp_workload_set *set);

#endif
