/* SPDX-License-Identifier: MIT */
/*
 * Scores of types: logarithms of the probability of counts under all possible types, as features.h
 * derives them. Counting is left to features.c.
 */
#include "common/unit/features.h"

#include <math.h>

#include "common/unit/features-parts.h"

/* A single piece of evidence is worth just the cost of telling each unit's type, and makes no type.
 * When question and answer disagree, the question's mode decides: it counts twice, and types
 * without other differences are merged later (kindred.h). */
#define ASKED_WEIGHT 2

/* log Γ(halves / 2) */
static double gamma_of(const struct itp_features *features, uint64_t halves)
{
	return halves < features->gamma_count ? features->gammas[halves] :
						lgamma((double)halves / 2);
}

/* Log-probability of two counts that are any parts of their sum, by a beta distribution with
 * `weight` on either side, in halves: Jeffreys' has 1. */
static double score_of_parts(const struct itp_features *features, uint64_t one, uint64_t other,
			     uint64_t weight)
{
	return gamma_of(features, 2 * one + weight) + gamma_of(features, 2 * other + weight) -
	       gamma_of(features, 2 * (one + other) + 2 * weight) - 2 * gamma_of(features, weight) +
	       gamma_of(features, 2 * weight);
}

static double score_of_calls(const struct itp_features *features, const uint64_t *counts,
			     bool with_reads)
{
	double score = 0;

	for (guint i = 1; i < features->calls.above->len; i++) {
		const guint caller = itp_feature_above(&features->calls, i);
		const uint64_t above = caller == 0 ? itp_features_known(features, counts, i) :
						     counts[caller];

		if (above > 0 && (with_reads || !features->reads[i])) {
			score += score_of_parts(features, counts[i], above - counts[i], 1);
		}
	}
	return score;
}

/* Ticks in a context are divided among its callees and itself. */
static double score_of_ticks(const struct itp_features *features, const uint64_t *counts)
{
	const guint contexts = features->ticks.above->len;
	const uint64_t *gone = counts + features->ticks_at;
	const uint64_t *stayed = counts + features->selves_at;
	const double of_none = gamma_of(features, 1);
	g_autofree uint64_t *divided = g_new0(uint64_t, contexts);
	double score = 0;

	for (guint i = 0; i < contexts; i++) {
		if (stayed[i] > 0) {
			divided[i] += stayed[i];
			score += gamma_of(features, 2 * stayed[i] + 1) - of_none;
		}
		if (i > 0 && gone[i] > 0) {
			divided[itp_feature_above(&features->ticks, i)] += gone[i];
			score += gamma_of(features, 2 * gone[i] + 1) - of_none;
		}
	}
	for (guint i = 0; i < contexts; i++) {
		if (divided[i] > 0) {
			score += gamma_of(features, features->parts[i]) -
				 gamma_of(features, 2 * divided[i] + features->parts[i]);
		}
	}
	return score;
}

/* Sums of a tree: its leaves, the classes moved by `shift`, and each node above. */
static void sum_classes(const uint64_t *classes, guint shift, uint64_t *ret_sums)
{
	for (guint i = 0; i < ITP_CPU_CLASSES; i++) {
		ret_sums[ITP_CPU_CLASSES + (i + shift) % ITP_CPU_CLASSES] = classes[i];
	}
	for (guint i = ITP_CPU_CLASSES - 1; i > 0; i--) {
		ret_sums[i] = ret_sums[2 * i] + ret_sums[2 * i + 1];
	}
}

/* A Pólya tree: each half of the classes is divided into halves again, when units are in both.
 * Weights grow as the square of the level, as they must unless the distribution is a step
 * function. */
static double score_of_tree(const struct itp_features *features, const uint64_t *counts,
			    guint shift)
{
	uint64_t own[2 * ITP_CPU_CLASSES];
	uint64_t all[2 * ITP_CPU_CLASSES];
	uint64_t levels[2 * ITP_CPU_CLASSES] = { 0, 1 };
	double score = 0;

	sum_classes(counts + features->classes_at, shift, own);
	sum_classes(features->all + features->classes_at, shift, all);
	for (guint i = 1; i < ITP_CPU_CLASSES; i++) {
		const bool is_divided = all[2 * i] > 0 && all[2 * i + 1] > 0;

		levels[2 * i] = levels[2 * i + 1] = levels[i] + is_divided;
		if (is_divided && own[i] > 0) {
			score += score_of_parts(features, own[2 * i], own[2 * i + 1],
						2 * levels[i] * levels[i]);
		}
	}
	return score;
}

/* Two classes divided by the middle of a tree are as near to each other as any two. The score is
 * the mean of trees shifted against the classes (Hanson and Johnson, 2002). */
static double score_of_classes(const struct itp_features *features, const uint64_t *counts)
{
	static const guint shifts[] = { 0, 3, 6, 11 };
	double score = 0;

	for (guint i = 0; i < G_N_ELEMENTS(shifts); i++) {
		score += score_of_tree(features, counts, shifts[i]) / G_N_ELEMENTS(shifts);
	}
	return score;
}

/* Score of units divided into parts, each with Jeffreys' prior: score_of_whole() once, and
 * score_of_part() for each part. */
static double score_of_whole(const struct itp_features *features, uint64_t units, guint parts)
{
	return gamma_of(features, parts) - gamma_of(features, 2 * units + parts);
}

static double score_of_part(const struct itp_features *features, uint64_t units)
{
	return gamma_of(features, 2 * units + 1) - gamma_of(features, 1);
}

/* Units are divided among the modes of sizes, and units of a mode among its sizes: the score of
 * both, with modes counted `weight` times. */
static double score_of_sizes(const struct itp_features *features,
			     const struct itp_feature_sizes *sizes, const uint64_t *counts,
			     double weight)
{
	uint64_t all = 0;
	guint modes = 0;
	double score = 0;
	double score_of_modes = 0;

	for (guint i = 0; i < sizes->count; modes++) {
		const guint first = i;
		uint64_t units = 0;

		for (; i < sizes->count && sizes->modes[i] == sizes->modes[first]; i++) {
			units += counts[sizes->at + i];
			score += score_of_part(features, counts[sizes->at + i]);
		}
		score += score_of_whole(features, units, i - first);
		score_of_modes += score_of_part(features, units);
		all += units;
	}
	score_of_modes += modes > 0 ? score_of_whole(features, all, modes) : 0;
	return score + weight * score_of_modes;
}

static double score_of_units(const struct itp_features *features, const uint64_t *counts)
{
	return gamma_of(features, 2 * counts[0] + 1) - gamma_of(features, 1);
}

/* Sum of both, of which `more` may be NULL; free *ret_own with g_free(). */
static const uint64_t *sum_of(const struct itp_features *features, const uint64_t *counts,
			      const uint64_t *more, uint64_t **ret_own)
{
	*ret_own = NULL;
	if (!more) {
		return counts;
	}
	*ret_own = g_new(uint64_t, features->length);
	for (guint i = 0; i < features->length; i++) {
		(*ret_own)[i] = counts[i] + more[i];
	}
	return *ret_own;
}

double itp_features_score_of_calls(const struct itp_features *features, const uint64_t *counts,
				   const uint64_t *more, bool with_reads)
{
	g_autofree uint64_t *own = NULL;
	const uint64_t *sum = sum_of(features, counts, more, &own);

	return score_of_units(features, sum) + score_of_calls(features, sum, with_reads);
}

double itp_features_score_of_answers(const struct itp_features *features, const uint64_t *counts,
				     const uint64_t *more)
{
	g_autofree uint64_t *own = NULL;

	return score_of_sizes(features, &features->answered, sum_of(features, counts, more, &own),
			      1);
}

double itp_features_score(const struct itp_features *features, const uint64_t *counts,
			  const uint64_t *more)
{
	g_autofree uint64_t *own = NULL;
	const uint64_t *sum = sum_of(features, counts, more, &own);

	return score_of_units(features, sum) + score_of_calls(features, sum, true) +
	       score_of_ticks(features, sum) + score_of_classes(features, sum) +
	       score_of_sizes(features, &features->asked, sum, ASKED_WEIGHT) +
	       score_of_sizes(features, &features->answered, sum, 1);
}

double itp_features_of_types(const struct itp_features *features, guint types)
{
	return gamma_of(features, types) - gamma_of(features, 2 * features->all[0] + types);
}
