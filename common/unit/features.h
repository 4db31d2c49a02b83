/* SPDX-License-Identifier: MIT */
/*
 * Facts about the units of one loop, as counts, and the probability of the counts under types.
 *
 * A type has for each calling context the probability that its units are in the context when they
 * are in the caller's; for CPU time the distribution over classes; for a tick the probability of
 * each context; and for bytes sent and got by clients the probability of each size. Within a type
 * these do not depend on each other: units with dependent ones are of several types. Sizes tell
 * kinds apart only if they have modes (modes.h): however wide, a spread without a gap tells
 * nothing. The counts are sufficient: two groups taken for one type have the sum of both.
 *
 * A call is in one context with a client, and in another below with a server: some functions read
 * and write for both.
 *
 * Some calls are in no context, as their stacks were cut short. An answer of a unit in no known
 * context was made in an unknown context, rather than in none.
 *
 * The score is the logarithm of the probability of the counts under all possible types, with the
 * usual priors: Jeffreys' for contexts (Krichevsky and Trofimov, 1981), ticks and sizes, and a
 * Pólya tree for CPU time (Lavine, 1992), with classes the more alike, the nearer they are. A tick
 * missing in a unit counts nothing, and an occasional call without companions makes no type.
 */
#ifndef ITP_UNIT_FEATURES_H
#define ITP_UNIT_FEATURES_H

#include "common/unit/features-input.h"

struct itp_features;

/* `input` is copied. */
struct itp_features *itp_features_new(const struct itp_features_input *input);
void itp_features_free(struct itp_features *features);

/* Number of counts, each a uint64_t. The first counts units. */
guint itp_features_length(const struct itp_features *features);

/* Adds the counts of the group `numbers[i]` to `counts`. */
void itp_features_add(const struct itp_features *features, guint i, uint64_t *counts);

/* Score of a type with the sum of both counts; `more` may be NULL. It includes the number of the
 * type's units, but for the summand of itp_features_of_types(). */
double itp_features_score(const struct itp_features *features, const uint64_t *counts,
			  const uint64_t *more);

/* Score of the units' number and calls alone; without contexts that read unless `with_reads`. */
double itp_features_score_of_calls(const struct itp_features *features, const uint64_t *counts,
				   const uint64_t *more, bool with_reads);

/* Score of the answers' sizes, without the part of the number of units. */
double itp_features_score_of_answers(const struct itp_features *features, const uint64_t *counts,
				     const uint64_t *more);

/* Summand of the scores of `types` types together. */
double itp_features_of_types(const struct itp_features *features, guint types);

enum itp_size {
	ITP_SIZE_ASKED,
	ITP_SIZE_ANSWERED,
};

/* Part, from 0 to 1, of the units of two types with a size that the other type lacks; `by_modes`: a
 * mode of sizes. Example: 58 bytes, and 57 in a tenth of the units: 0.9, and 0 by modes when both
 * are in one mode. */
double itp_features_apart(const struct itp_features *features, const uint64_t *one,
			  const uint64_t *other, enum itp_size size, bool by_modes);

/* Mean number of call paths of a unit. */
double itp_features_paths(const struct itp_features *features, const uint64_t *counts);

/* Parts of `counts`, weak: number of units in each context by calls; and number of ticks that went
 * to each context from its caller's, unless calls show the unit there. */
const uint64_t *itp_features_calls(const struct itp_features *features, const uint64_t *counts,
				   guint *ret_count);
const uint64_t *itp_features_ticks(const struct itp_features *features, const uint64_t *counts,
				   guint *ret_count);
/* True when context `i` of calls reads. */
bool itp_features_reads(const struct itp_features *features, guint i);

/* Number of units with a known asked size. */
uint64_t itp_features_heard(const struct itp_features *features, const uint64_t *counts);

/* Number of units known to be in context `i` of calls, or known not to be. */
uint64_t itp_features_known(const struct itp_features *features, const uint64_t *counts, guint i);

/* Parts of `counts`, weak: number of ticks in each context itself, also where calls show the unit;
 * and number of units in each of the ITP_CPU_CLASSES. */
const uint64_t *itp_features_own_ticks(const struct itp_features *features, const uint64_t *counts,
				       guint *ret_count);
const uint64_t *itp_features_classes(const struct itp_features *features, const uint64_t *counts);

#endif
