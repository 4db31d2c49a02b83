/* SPDX-License-Identifier: MIT */
/*
 * Whether two types that explain units better than one are one kind of work all the same: the units
 * of the one do what those of the other do, and a little more, or more of it.
 *
 * A longer unit of one kind does at least as much of everything. So types are of two kinds when
 *   - their calls alone want two types; or
 *   - those that take more CPU time are in some context less often than the others, or have fewer
 *     ticks a unit there, or in all contexts together that have fewer ticks themselves; or
 *   - clients ask for the one in other sizes than for the other, and are answered in other sizes,
 *     with a gap between some of these or of those; or
 *   - CPU times have two modes, with fewer units between them than on either side; or
 *   - the one makes a call that the other does not, and takes 1.4 times as long for it, or 1.4
 *     times as many call paths.
 * Calls now and then cost time, and of a long unit most ticks are in another function than of a
 * short one; neither is one of these. Nor is where units read, if they are asked and answered in
 * like sizes: a server reads a request in one place when it has waited for it, and in another when
 * it comes right behind its answer to the one before.
 *
 * Kinds come in turns. Units that were replaced by others (succession.h) are of the same kind as
 * these, whatever both do, where they are asked and answered alike: a script was compiled at first,
 * and came from a cache later. Modes of CPU time that come one after the other make no kinds.
 */
#ifndef ITP_UNIT_KINDRED_H
#define ITP_UNIT_KINDRED_H

#include <stdbool.h>

#include "common/unit/features.h"

/* The class of CPU time between the two modes of a type's units, from which on these are of the
 * second; 0 where they have one mode. `counts` may be those of several types together. */
guint itp_type_valley(const struct itp_features *features, const uint64_t *counts);

/* Whether clients ask for both in like sizes. A question with numbers in it is one where these are
 * long, and where they are short: such types are merged first. */
bool itp_types_are_asked_alike(const struct itp_features *features, const uint64_t *one,
			       const uint64_t *other);

/* Of two types, by their counts, and by whether the one has succeeded the other. */
bool itp_types_are_kindred(const struct itp_features *features, const uint64_t *one,
			   const uint64_t *other, bool is_succession);

#endif
