/* SPDX-License-Identifier: MIT */
/*
 * What is known of the units of one loop, as counts, and how well a type explains them.
 *
 * A type says of each calling context how likely its units are in there when they are in that of
 * the caller; of CPU time, how it spreads over classes; of a tick, in which context it finds a
 * unit; and of what clients send and get, how likely each size is. Within a type these do not
 * depend on each other: units of which one tells another are of several types. Sizes are those of
 * kinds, in so far as they have modes (modes.h): however they spread, they tell nothing where there
 * is no gap. The counts are all that is needed, so those of two groups are added when these are
 * taken for one type.
 *
 * Some calls are in no context, as their stacks were cut short. Where a unit has answered and none
 * of its contexts has, it is not known in which it did, rather than known that it was in none.
 *
 * The score is the logarithm of how likely the counts are under all types that there might be,
 * with what is usual for "nothing is known": Jeffreys' prior for contexts (Krichevsky and
 * Trofimov, 1981), likewise where ticks are and for sizes, and a Pólya tree for CPU time (Lavine,
 * 1992), by which classes are the more alike, the nearer they are. So a tick that a unit does not
 * have counts nothing, and an occasional call that goes with nothing else makes no type.
 */
#ifndef ITP_UNIT_FEATURES_H
#define ITP_UNIT_FEATURES_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/unit/groups.h"

/* What is looked at. All weak. */
struct itp_features_input {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	const struct itp_path_sets *paths;
	const struct itp_unit_groups *groups;
	/* Numbers of the groups of a loop. */
	const guint *numbers;
	guint count;
};

struct itp_features;

/* `input` is copied. */
struct itp_features *itp_features_new(const struct itp_features_input *input);
void itp_features_free(struct itp_features *features);

/* How many counts there are: uint64_t. The first is that of units. */
guint itp_features_length(const struct itp_features *features);

/* Adds those of number `i` of the groups to `counts`. */
void itp_features_add(const struct itp_features *features, guint i, uint64_t *counts);

/* The score of a type whose counts are the sum of the two; `more` may be NULL. It contains what
 * tells how many units the type has, but for itp_features_of_types(). */
double itp_features_score(const struct itp_features *features, const uint64_t *counts,
			  const uint64_t *more);

/* Likewise of units and their calls alone, or of those but for contexts that read. */
double itp_features_score_of_calls(const struct itp_features *features, const uint64_t *counts,
				   const uint64_t *more, bool with_reads);

/* Likewise of what was answered, without that of units. */
double itp_features_score_of_answers(const struct itp_features *features, const uint64_t *counts,
				     const uint64_t *more);

/* What is to be added to the scores of so many types. */
double itp_features_of_types(const struct itp_features *features, guint types);

enum itp_size {
	ITP_SIZE_ASKED,
	ITP_SIZE_ANSWERED,
};

/* Part of the units of two types that are of a size that the other's are not of, from 0 to 1: of
 * the same size, or of the same mode of sizes. Example: 58 bytes, and 57 in a tenth of the units:
 * 0.9, where modes are one 0. */
double itp_features_apart(const struct itp_features *features, const uint64_t *one,
			  const uint64_t *other, enum itp_size size, bool by_modes);

/* How many call paths units take on average. */
double itp_features_paths(const struct itp_features *features, const uint64_t *counts);

/* Of `counts`: how many units were in each context, by their calls; how many ticks went to each
 * context from that of its caller, where calls had not shown that they were there; and how many
 * units are of each of the ITP_CPU_CLASSES. Weak. */
const uint64_t *itp_features_calls(const struct itp_features *features, const uint64_t *counts,
				   guint *ret_count);
const uint64_t *itp_features_ticks(const struct itp_features *features, const uint64_t *counts,
				   guint *ret_count);
/* Whether context `i` of calls reads. */
bool itp_features_reads(const struct itp_features *features, guint i);

/* Of how many units the asked size is known. */
uint64_t itp_features_heard(const struct itp_features *features, const uint64_t *counts);

/* Of how many units it is known whether they were in context `i` of calls. */
uint64_t itp_features_known(const struct itp_features *features, const uint64_t *counts, guint i);

/* Likewise how many ticks were in each context itself, whether calls had shown it or not. Weak. */
const uint64_t *itp_features_own_ticks(const struct itp_features *features, const uint64_t *counts,
				       guint *ret_count);
const uint64_t *itp_features_classes(const struct itp_features *features, const uint64_t *counts);

#endif
