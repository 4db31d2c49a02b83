/* SPDX-License-Identifier: MIT */
/*
 * Test whether two types that explain units better than one are still one kind of work: units of
 * the one do the work of the other, and a little more, or more of all.
 *
 * A longer unit of one kind does at least as much of everything. Types are of two kinds when
 *   - their calls alone want two types; or
 *   - the units with more CPU time are in some context less often than the others, or have fewer
 *     ticks a unit there, or in all contexts together that have fewer ticks themselves; or
 *   - clients ask for the two in different sizes, and get answers in different sizes, with a gap
 *     between some sizes of questions or of answers; or
 *   - CPU times have two modes, with fewer units between them than on either side; or
 *   - the one makes a call foreign to the other, and takes 1.4 times as long for it, or 1.4 times
 *     as many call paths.
 * Occasional calls cost time, and most ticks of a long unit are in another function than those of a
 * short one; neither makes two kinds. Nor does the place of reads, if questions and answers have
 * like sizes: a server reads a request in one place behind a wait, and in another right behind its
 * answer to the request before.
 *
 * Kinds come in turns. Units replaced by others (succession.h), with like sizes of questions and
 * answers, are of one kind with them, whatever both do: a script was compiled at first, and came
 * from a cache later. Modes of CPU time, one after the other, make no kinds.
 */
#ifndef ITP_UNIT_KINDRED_H
#define ITP_UNIT_KINDRED_H

#include <stdbool.h>

#include "common/unit/features.h"

/* Class of CPU time between the two modes of a type's units, the first of the second mode; 0 for
 * one mode. `counts` may be the sum of several types. */
guint itp_type_valley(const struct itp_features *features, const uint64_t *counts);

/* True when clients ask for both in like sizes. A question with numbers is one for long numbers and
 * for short ones: types asked alike are merged first. */
bool itp_types_are_asked_alike(const struct itp_features *features, const uint64_t *one,
			       const uint64_t *other);

/* True when the two types, by their counts, are one kind of work; `is_succession`: the one has
 * succeeded the other. */
bool itp_types_are_kindred(const struct itp_features *features, const uint64_t *one,
			   const uint64_t *other, bool is_succession);

#endif
