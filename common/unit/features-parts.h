/* SPDX-License-Identifier: MIT */
/*
 * Parts of the facts about a loop's units, shared by features.c, which counts, and scores.c.
 */
#ifndef ITP_UNIT_FEATURES_PARTS_H
#define ITP_UNIT_FEATURES_PARTS_H

#include "common/unit/features-input.h"
#include "common/unit/sizes.h"

/* Contexts below a loop, by numbers from 1 on; 0 is the loop itself. */
struct itp_feature_contexts {
	/* Number by node, and by number its caller's number. Owned by this. */
	GHashTable *numbers;
	GArray *above;
	/* Number by node of a call that speaks with a server, as if the call's context called the
	 * server; only for a context with other units, too. Owned by this. */
	GHashTable *asking;
};

/* Sizes told apart, by numbers: number of each class of sizes, mode of each number, and index of
 * the first count. */
struct itp_feature_sizes {
	guint numbers[ITP_SIZE_CLASSES];
	guint modes[ITP_SIZE_CLASSES];
	guint count;
	guint at;
};

struct itp_features {
	struct itp_features_input input;
	uint32_t loop;
	struct itp_feature_contexts calls;
	struct itp_feature_contexts ticks;
	struct itp_feature_sizes asked;
	struct itp_feature_sizes answered;
	/* Indices of the first counts: of `ticks`, of ticks in a context itself, of the same in all
	 * contexts, of classes, and so on; and the number of counts. */
	guint ticks_at;
	guint selves_at;
	guint own_at;
	guint classes_at;
	guint heard_at;
	guint unseen_at;
	guint paths_at;
	guint length;
	/* By context of calls: units write there; or read there, and call nothing else. Owned by
	 * this. */
	bool *writes;
	bool *reads;
	/* By context of ticks: number of its ticks' parts, callees and itself. Owned by this. */
	guint *parts;
	/* Counts of all units. Owned by this, as is `gammas`. */
	uint64_t *all;
	double *gammas;
	guint gamma_count;
};

/* Number of the caller's context. */
static inline guint itp_feature_above(const struct itp_feature_contexts *contexts, guint number)
{
	return g_array_index(contexts->above, guint, number);
}

#endif
