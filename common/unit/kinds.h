/* SPDX-License-Identifier: MIT */
/*
 * Which groups of units are of one type, and how many types there are, as the data have it.
 *
 * Types are those under which what is known of the units is likeliest (features.h), where many
 * types are unlikely by themselves: of each more must be learned. So there are two types where
 * one kind of evidence tells another: units of two call paths that never meet in one unit; ticks
 * in one function in units of 3 ms, and in another in those of 0.1 ms; questions of 22 bytes, which
 * are answered in 8, and of 9, which are answered in 27. Durations alone make no types, however
 * they spread, unless they have two modes; nor do calls or sizes that go with nothing else.
 *
 * Groups are merged as long as that makes it likelier, the two first that gain most (Bayesian
 * hierarchical clustering: Heller and Ghahramani, 2005; the integrated likelihood of a latent
 * class model: Biernacki, Celeux and Govaert, 2010); then single ones go where they fit better.
 * Units without a tick so go to the type that their CPU time and the numbers of units make
 * likeliest. At last types of
 * two modes of CPU time are divided, and those merged that are one kind of work (kindred.h).
 * Nothing is drawn by lot.
 */
#ifndef ITP_UNIT_KINDS_H
#define ITP_UNIT_KINDS_H

#include "common/unit/features.h"

/* By group of the input: the first one of its type. Free with g_free(). */
guint *itp_kinds_find(const struct itp_features_input *input);

#endif
