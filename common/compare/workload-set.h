/* SPDX-License-Identifier: MIT */
/*
 * Workloads to be compared: a profile for each input.
 *
 * All profiles annotate one context tree over one function table. A view of them makes functions of
 * different builds equal.
 */
#ifndef ITP_COMPARE_WORKLOAD_SET_H
#define ITP_COMPARE_WORKLOAD_SET_H

#include <glib.h>
#include <stdbool.h>

#include "common/infer/profile-source.h"
#include "common/view/view.h"

/* Fact of an input, such as its "hostname". Owned by its array. */
struct itp_set_fact {
	char *name;
	char *text;
};

/* An input. */
struct itp_set_workload {
	/* Path of the input, as given; NULL when the input does not say. Owned by this. */
	char *input_path;
	/* Absolute paths (char *) of a saved profile's files, sorted at the end; may be empty. */
	GPtrArray *file_paths;
	/* Facts that the input tells of itself: struct itp_set_fact. Owned by this. */
	GArray *facts;
	/* Profile of the input; its name is the workload's. Owned by this. */
	struct itp_profile *profile;
	/* Profile of all that is not yet part of `profile`: messages since the last description of
	 * the workload, or the period that has ended last. Owned by this. */
	struct itp_profile *latest;
	/* Number of the latest period, or of all periods; 0 without periods. */
	uint64_t periods;
	/* Begin of the first period, in nanoseconds. */
	int64_t begin_ns;
	/* `profile` is a period's, in a view. */
	bool is_period;
	/* A context has come; and a description. */
	bool has_nodes;
	bool is_described;
	/* Parts of the input are missing. */
	bool has_loss;
};

struct itp_workload_set;

struct itp_workload_set *itp_workload_set_new(void);
void itp_workload_set_free(struct itp_workload_set *set);

/* New, empty workload. `architecture` may be NULL. Weak. */
struct itp_set_workload *itp_workload_set_add(struct itp_workload_set *set, const char *name,
					      const struct itp_clock *clock,
					      const char *architecture);

/* Adds a fact, behind the earlier ones. */
void itp_set_workload_add_fact(struct itp_set_workload *workload, const char *name,
			       const char *text);

/* Id of `function`, and node below `parent` for it, shared by all profiles. */
uint32_t itp_workload_set_function(struct itp_workload_set *set,
				   const struct itp_function *function);
uint32_t itp_workload_set_node(struct itp_workload_set *set, uint32_t parent, uint32_t function);

/* Adds to the statistics of `node`. Callers add wakers, latencies and slowest calls to `latest`
 * themselves. */
void itp_set_workload_add_stats(struct itp_set_workload *workload, uint32_t node,
				const struct itp_node_stats *stats);

/* Ends a profile: all messages until now were of the workload `description`, or of its period with
 * the number `period`, 0 without periods. */
void itp_set_workload_describe(struct itp_set_workload *workload,
			       const struct itp_workload *description, uint64_t period);

/* Adds all of `source` to `workload`, a member of `set`: its numbers and its description. A period
 * is still to be ended. */
void itp_workload_set_add_source(struct itp_workload_set *set, struct itp_set_workload *workload,
				 const struct itp_profile_source *source);

/* Name of a workload with stacks but no times at all (infer/kept.h); NULL without any. Weak. */
const char *itp_workload_set_untimed(const struct itp_workload_set *set);

/* Adds the latest period to the profile. */
void itp_set_workload_end_period(struct itp_set_workload *workload);

/* Ends all inputs. */
void itp_workload_set_finish(struct itp_workload_set *set);

/* Workloads with nodes (const struct itp_set_workload *), in an order that does not depend on their
 * arrival. */
GPtrArray *itp_workload_set_list(const struct itp_workload_set *set);

/* View of all workloads; `bases` (const struct itp_set_workload *) are the good ones. It shows
 * their profiles, but the latest one of `period`, if that is not NULL. Nothing can be added to it.
 * Without a period it is the last view, even if it fails: the profiles' contents go into it. NULL
 * on failure. */
struct itp_workload_set *itp_workload_set_view(const struct itp_workload_set *set,
					       const struct itp_set_workload *period,
					       const GPtrArray *bases,
					       const struct itp_view_options *options,
					       GError **error);

/* struct itp_pair and struct itp_renaming: functions that are the same in the bases and in the
 * others. NULL if nothing was compared. */
const GArray *itp_workload_set_pairs(const struct itp_workload_set *set);
const GArray *itp_workload_set_renamings(const struct itp_workload_set *set);

const struct itp_function_table *itp_workload_set_functions(const struct itp_workload_set *set);
const struct itp_context_tree *itp_workload_set_tree(const struct itp_workload_set *set);

#endif
