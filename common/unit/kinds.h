/* SPDX-License-Identifier: MIT */
/*
 * Division of groups of units into types, and the number of types, by the data.
 *
 * The types are the likeliest for the facts about units (features.h). Many types are unlikely by
 * themselves: of each more must be learned. Two types need evidence of one kind that tells evidence
 * of another: two call paths that never meet in one unit; ticks in one function in units of 3 ms,
 * and in another in units of 0.1 ms; questions of 22 bytes with answers of 8, and of 9 with answers
 * of 27. Durations alone make no types, however wide their spread, unless they have two modes; nor
 * do calls or sizes without companions.
 *
 * Groups are merged as long as a merge makes the types likelier, the pair with the largest gain
 * first (Bayesian hierarchical clustering: Heller and Ghahramani, 2005; the integrated likelihood
 * of a latent class model: Biernacki, Celeux and Govaert, 2010); then single groups go where they
 * fit better. Units without a tick go to the type made likeliest by their CPU time and the numbers
 * of units. At last types with two modes of CPU time are divided, and types of one kind of work
 * merged (kindred.h). Nothing is drawn by lot.
 */
#ifndef ITP_UNIT_KINDS_H
#define ITP_UNIT_KINDS_H

#include "common/unit/features.h"

/* By group of the input: the first group of its type. Free with g_free(). */
guint *itp_kinds_find(const struct itp_features_input *input);

#endif
