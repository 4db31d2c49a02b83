/* SPDX-License-Identifier: MIT */
/*
 * Top-down latency normalisation (paper, section 3.4.1, Algorithm 3, first half).
 *
 * Takes function instances, children before parents, and sums them into a profile. Because every
 * child is seen before its parent, own latency is exact for each instance: what is left of it
 * without its direct children. Memory is one stack of pending sums a thread, and the slowest calls
 * of each context (slowest.h).
 *
 * Sums may be taken period by period: an instance's time is then counted in the periods in which it
 * passes, and the call itself in the period of its end. The profiles of all periods merge to the
 * profile of the whole.
 */
#ifndef ITP_INFER_NORMALIZE_H
#define ITP_INFER_NORMALIZE_H

#include "common/infer/infer-options.h"
#include "common/infer/instance.h"
#include "common/infer/profile.h"
#include "common/infer/strata.h"

struct itp_normalizer;

/* Contexts behind nodes; `data` goes to both functions, weak. */
struct itp_node_lookup {
	/* Valid until the next call. */
	const struct itp_function *(*function_of)(const void *data, uint32_t node);
	/* Parent of a node that is not the root; smaller than the node. */
	uint32_t (*parent_of)(const void *data, uint32_t node);
	const void *data;
};

/* `profile` is weak and must outlive the result. */
struct itp_normalizer *itp_normalizer_new(enum itp_estimate estimate, struct itp_profile *profile,
					  const struct itp_node_lookup *lookup);
/* From now on the profile gets the latency of each call (latencies.h). */
void itp_normalizer_keep_latencies(struct itp_normalizer *normalizer);
void itp_normalizer_free(struct itp_normalizer *normalizer);

/* Returns ITP_ERROR_LIMIT when the instance is deeper than ITP_MAX_STACK_DEPTH allows. */
int itp_normalizer_push(struct itp_normalizer *normalizer, const struct itp_instance *instance);

/* Time of an instance that goes on, until now. To be called for all open instances, before the end
 * of a period and thread by thread, innermost first. */
int itp_normalizer_push_open(struct itp_normalizer *normalizer,
			     const struct itp_instance *instance);

/* How own CPU time is to be corrected, and how well it is known. Corrections of several nodes add
 * up to 0 and take effect together, when the profile is concluded; they are for best estimates. */
void itp_normalizer_push_share(struct itp_normalizer *normalizer, const struct itp_share *share);
void itp_normalizer_conclude(struct itp_normalizer *normalizer);

/* Goes on with another profile; the caller keeps the last. */
void itp_normalizer_set_profile(struct itp_normalizer *normalizer, struct itp_profile *profile);

#endif
