/* SPDX-License-Identifier: MIT */
/*
 * See kindred.h.
 */
#include "common/unit/kindred.h"

#include <math.h>

#include "common/unit/modes.h"

/* Chance of a seeming difference in one context or more, of two equal types. */
#define CHANCE 0.05

/* Least difference, as a part of the units, that counts as most of them. */
#define MOST 0.8
/* A half octave: units with 1.4 times the CPU time, as with 1.4 times the call paths, are much
 * more. The costliest types of PerfGuard differ by less than a third or so within themselves
 * (section 7). */
#define CLASSES_APART 1
#define PATHS_APART M_SQRT2
/* Two octaves: by CPU time alone units are of two kinds when one kind takes about four times as
 * long. Equal work takes up to 2.2 times as long while other programs have the caches. */
#define MODES_APART 4

/* True when calls alone would not tell the two types apart. */
static bool are_one_by_calls(const struct itp_features *features, const uint64_t *one,
			     const uint64_t *other, bool with_reads)
{
	const double gain = itp_features_score_of_calls(features, one, other, with_reads) -
			    itp_features_score_of_calls(features, one, NULL, with_reads) -
			    itp_features_score_of_calls(features, other, NULL, with_reads);

	return gain + itp_features_of_types(features, 1) - itp_features_of_types(features, 2) >= 0;
}

static double mean_class(const struct itp_features *features, const uint64_t *counts)
{
	const uint64_t *classes = itp_features_classes(features, counts);
	double sum = 0;

	for (guint i = 0; i < ITP_CPU_CLASSES; i++) {
		sum += (double)i * (double)classes[i];
	}
	return sum / (double)MAX(counts[0], 1);
}

static double part_of_likelihood(uint64_t ticks, double expected)
{
	return ticks > 0 ? (double)ticks * log((double)ticks / expected) : 0;
}

/* Logarithm of the likelihood ratio of two Poisson distributions: own numbers of ticks a unit for
 * both, over one number for all. */
static double evidence_of(uint64_t one, uint64_t one_units, uint64_t other, uint64_t other_units)
{
	const double all = (double)(one + other) / (double)(one_units + other_units);

	return part_of_likelihood(one, all * (double)one_units) +
	       part_of_likelihood(other, all * (double)other_units);
}

/* Evidence that the longer units are in a context less often; 0 when they are not. */
static double evidence_of_fewer(uint64_t of_shorter, uint64_t shorter, uint64_t of_longer,
				uint64_t longer)
{
	return (double)of_shorter * (double)longer > (double)of_longer * (double)shorter ?
		       evidence_of(of_shorter, shorter, of_longer, longer) :
		       0;
}

/* True when calls of the longer units are in some context less often, as far as known. */
static bool call_fewer(const struct itp_features *features, const uint64_t *shorter,
		       const uint64_t *longer, bool with_reads)
{
	guint contexts;
	const uint64_t *of_shorter = itp_features_calls(features, shorter, &contexts);
	const uint64_t *of_longer = itp_features_calls(features, longer, &contexts);

	for (guint i = 1; i < contexts; i++) {
		if ((with_reads || !itp_features_reads(features, i)) &&
		    evidence_of_fewer(of_shorter[i], itp_features_known(features, shorter, i),
				      of_longer[i], itp_features_known(features, longer, i)) >
			    log(contexts / CHANCE)) {
			return true;
		}
	}
	return false;
}

/* True when ticks of the longer units are in some context less often. */
static bool have_fewer_ticks(const struct itp_features *features, const uint64_t *shorter,
			     const uint64_t *longer)
{
	guint contexts;
	const uint64_t *of_shorter = itp_features_ticks(features, shorter, &contexts);
	const uint64_t *of_longer = itp_features_ticks(features, longer, &contexts);

	for (guint i = 0; i < contexts; i++) {
		if (evidence_of_fewer(of_shorter[i], shorter[0], of_longer[i], longer[0]) >
		    log(contexts / CHANCE)) {
			return true;
		}
	}
	return false;
}

/* Logarithm of an upper bound of the chance that equal units seem to do less in `contexts`
 * contexts, with as much evidence in all: in each the evidence is by chance either 0 or half a
 * chi-square of one degree of freedom (Chernoff's bound). */
static double chance_of(double evidence, guint contexts)
{
	double least = 0;

	for (double t = 0.05; t < 1; t += 0.05) {
		least = MIN(least, contexts * log((1 + 1 / sqrt(1 - t)) / 2) - t * evidence);
	}
	return least;
}

/* True when the longer units have fewer own ticks in all contexts together, which do not overlap:
 * two contexts of little evidence are as good as one of more. */
static bool have_fewer_own_ticks(const struct itp_features *features, const uint64_t *shorter,
				 const uint64_t *longer)
{
	double evidence = 0;
	guint used = 0;
	guint contexts;
	const uint64_t *of_shorter = itp_features_own_ticks(features, shorter, &contexts);
	const uint64_t *of_longer = itp_features_own_ticks(features, longer, &contexts);

	for (guint i = 0; i < contexts; i++) {
		used += of_shorter[i] + of_longer[i] > 0;
		evidence += evidence_of_fewer(of_shorter[i], shorter[0], of_longer[i], longer[0]);
	}
	return chance_of(evidence, used) < log(CHANCE);
}

/* True when the longer units do less of something. */
static bool do_less(const struct itp_features *features, const uint64_t *shorter,
		    const uint64_t *longer, bool with_reads)
{
	return call_fewer(features, shorter, longer, with_reads) ||
	       have_fewer_ticks(features, shorter, longer) ||
	       have_fewer_own_ticks(features, shorter, longer);
}

guint itp_type_valley(const struct itp_features *features, const uint64_t *counts)
{
	return itp_modes_valley(itp_features_classes(features, counts), ITP_CPU_CLASSES,
				MODES_APART);
}

static bool has_two_modes(const struct itp_features *features, const uint64_t *one,
			  const uint64_t *other)
{
	const uint64_t *some = itp_features_classes(features, one);
	const uint64_t *others = itp_features_classes(features, other);
	uint64_t both[ITP_CPU_CLASSES];

	for (guint i = 0; i < ITP_CPU_CLASSES; i++) {
		both[i] = some[i] + others[i];
	}
	return itp_modes_valley(both, ITP_CPU_CLASSES, MODES_APART) > 0;
}

/* True when most units of the one are in a context with seldom a unit of the other. */
static bool have_other_calls(const struct itp_features *features, const uint64_t *one,
			     const uint64_t *other, bool with_reads)
{
	guint contexts;
	const uint64_t *some = itp_features_calls(features, one, &contexts);
	const uint64_t *others = itp_features_calls(features, other, &contexts);

	for (guint i = 1; i < contexts; i++) {
		const double known = (double)itp_features_known(features, one, i);
		const double known_others = (double)itp_features_known(features, other, i);

		if ((with_reads || !itp_features_reads(features, i)) && known > 0 &&
		    known_others > 0 &&
		    fabs((double)some[i] / known - (double)others[i] / known_others) > MOST) {
			return true;
		}
	}
	return false;
}

/* True when sizes of answers are likelier to be each type's own than the same. */
static bool are_answered_otherwise(const struct itp_features *features, const uint64_t *one,
				   const uint64_t *other)
{
	return itp_features_score_of_answers(features, one, NULL) +
		       itp_features_score_of_answers(features, other, NULL) >
	       itp_features_score_of_answers(features, one, other);
}

/* True when most units of the one have sizes, or modes of sizes, seldom among the other's. */
static bool are_apart(const struct itp_features *features, const uint64_t *one,
		      const uint64_t *other, enum itp_size size, bool by_modes)
{
	return itp_features_apart(features, one, other, size, by_modes) > MOST;
}

/* True when clients ask for the two in different sizes, and get answers in different sizes. For
 * some units there is a gap between the sizes: numbers are longer in both now and then, but by
 * little. */
static bool are_other_talks(const struct itp_features *features, const uint64_t *one,
			    const uint64_t *other)
{
	return are_apart(features, one, other, ITP_SIZE_ASKED, false) &&
	       are_answered_otherwise(features, one, other) &&
	       MAX(itp_features_apart(features, one, other, ITP_SIZE_ASKED, true),
		   itp_features_apart(features, one, other, ITP_SIZE_ANSWERED, true)) > 1 - MOST;
}

/* True when the one takes much more CPU time, or makes many more calls. */
static bool is_much_more(const struct itp_features *features, const uint64_t *one,
			 const uint64_t *other)
{
	const double classes = fabs(mean_class(features, one) - mean_class(features, other));
	const double paths = itp_features_paths(features, one);
	const double other_paths = itp_features_paths(features, other);

	return classes > CLASSES_APART ||
	       MAX(paths, other_paths) > PATHS_APART * MIN(paths, other_paths);
}

/* True when CPU times have two modes, unless one type succeeds the other; or when the one is much
 * more, and has other calls. */
static bool differ_in_size(const struct itp_features *features, const uint64_t *one,
			   const uint64_t *other, bool with_reads, bool is_succession)
{
	return (!is_succession && has_two_modes(features, one, other)) ||
	       (is_much_more(features, one, other) &&
		have_other_calls(features, one, other, with_reads));
}

bool itp_types_are_asked_alike(const struct itp_features *features, const uint64_t *one,
			       const uint64_t *other)
{
	return !are_apart(features, one, other, ITP_SIZE_ASKED, true);
}

/* True when clients ask both alike, and get like answers, by sizes. The units have then read the
 * same bytes, in a context chosen by chance, as a request comes before the thread's wait for it or
 * behind. */
static bool are_talks_alike(const struct itp_features *features, const uint64_t *one,
			    const uint64_t *other)
{
	return itp_features_heard(features, one) == one[0] &&
	       itp_features_heard(features, other) == other[0] &&
	       itp_types_are_asked_alike(features, one, other) &&
	       !are_answered_otherwise(features, one, other);
}

bool itp_types_are_kindred(const struct itp_features *features, const uint64_t *one,
			   const uint64_t *other, bool is_succession)
{
	const bool is_shorter = mean_class(features, one) <= mean_class(features, other);
	const bool is_talk_alike = are_talks_alike(features, one, other);
	const bool with_reads = !is_talk_alike;

	if (is_succession && is_talk_alike) {
		return true;
	}
	return are_one_by_calls(features, one, other, with_reads) &&
	       !do_less(features, is_shorter ? one : other, is_shorter ? other : one, with_reads) &&
	       !are_other_talks(features, one, other) &&
	       !differ_in_size(features, one, other, with_reads, is_succession);
}
