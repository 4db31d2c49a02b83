/* SPDX-License-Identifier: MIT */
/*
 * See error-model.h.
 */
#include "common/rank/error-model.h"

#include <math.h>

#include "common/rank/chance.h"

/* Assumed standard deviations between runs in the kernel's time beyond user code's, and in page
 * faults, as parts of the time. Measured on pairs of equal runs: tests/verdicts/model.md. */
#define SPREAD_OF_KERNEL 0.12
#define SPREAD_OF_FAULTS 0.06
/* Time of interrupts and of a hypervisor: whose it is, and how long, depends on where other threads
 * run, and on the host. */
#define SPREAD_OF_INTERRUPTS 1
/* Runs on a machine that others use wait for its CPUs for half as long, or twice: with a single run
 * of each workload, a difference in waiting is likely at most. */
#define SPREAD_OF_WAITING 0.5
/* Error of time that the other run spared as it may have found files in memory, as a part of it:
 * with a single run of each, such a difference is likely at most, as it is there to be seen. */
#define ERROR_OF_COLD 0.35
/* Weights of the assumption beside a kind's runs, and of a kind's runs beside a group's, in
 * runs. */
#define ASSUMED_RUNS 4
#define KIND_RUNS 12
/* Least part of a workload's events that were seen: not to divide by 0. */
#define SEEN_LEAST 0.01
/* Scores, in standard errors: the limit as unlikely as ITP_CHANCE_OF_SURE, and the distance above
 * that limit at which four of five normal numbers exceed it. */
#define SCORE_OF_SURE 3.0902
#define FOUR_OF_FIVE 0.8416
/* Least part of a difference that stands for all of it, and number of questions: about all of it,
 * about time on the CPU, and about time blocked. */
#define PART_STANDS 0.5
#define QUESTIONS 3
/* Largest difference looked at, in times of the base, beyond anybody's question; and number of
 * halvings. */
#define VISIBLE_MOST 64.0
#define HALVINGS 40

/* ---- Differences between runs ---- */

/* A sum of squares and its degrees of freedom. */
struct spread {
	double squares;
	double freedom;
};

static double variance_of(const struct spread *spread)
{
	return spread->squares / spread->freedom;
}

static struct spread assume(double variance, double runs)
{
	return (struct spread){ .squares = runs * variance, .freedom = runs };
}

static bool is_blocked(size_t kind)
{
	return kind == ITP_TIME_BLOCKED;
}

/* Variance of a run by `part`, the sum of `runs` runs, as a part of the run's squared value. */
static double measured_variance(const struct itp_evidence_part *part, size_t runs)
{
	return part->value_ns > 0 ? (double)runs * part->variance / itp_squared(part->value_ns) : 0;
}

/* Differences of runs by ticks are counted already, so they are taken off; those by waits are the
 * question. */
static void add_runs(struct spread *spread, const struct itp_evidence_side *side, size_t kind)
{
	const struct itp_evidence_part *part = &side->parts[kind];
	double freedom = side->runs > 1 ? (double)(side->runs - 1) : 0;
	double measured = is_blocked(kind) ? 0 : freedom * measured_variance(part, side->runs);

	if (freedom > 0 && part->value_ns > 0) {
		spread->squares += MAX(part->run_squares - measured, 0);
		spread->freedom += freedom;
	}
}

struct itp_spreads itp_spreads_assume(double computing)
{
	return (struct itp_spreads){
		.parts = {
			[ITP_TIME_COMPUTING] = computing,
			[ITP_TIME_KERNEL] = hypot(computing, SPREAD_OF_KERNEL),
			[ITP_TIME_FAULTS] = hypot(computing, SPREAD_OF_FAULTS),
			[ITP_TIME_INTERRUPTS] = SPREAD_OF_INTERRUPTS,
			[ITP_TIME_BLOCKED] = 0,
			[ITP_TIME_WAITING] = SPREAD_OF_WAITING,
		},
	};
}

/* Median of a sum of squares of normal numbers, divided by their number `freedom`: E. B. Wilson and
 * M. M. Hilferty, PNAS 17 (1931). */
static double median_part(double freedom)
{
	return pow(1 - 2 / (9 * freedom), 3);
}

static bool is_large(const struct itp_evidence *evidence, size_t kind, double least_ns)
{
	return MAX(evidence->suspect.parts[kind].value_ns, evidence->base.parts[kind].value_ns) >=
	       least_ns;
}

/* Standard deviation between runs in half of the groups, with the assumption as further runs. */
static double learn_kind(const struct itp_evidence *evidence, size_t count, double least_ns,
			 size_t kind, double assumed)
{
	g_autofree double *variances = g_new(double, count + 1);
	struct spread common = assume(itp_squared(assumed), ASSUMED_RUNS);
	double freedom = 0;
	size_t told = 0;

	for (size_t i = 0; i < count; i++) {
		struct spread seen = { .freedom = 0 };

		add_runs(&seen, &evidence[i].suspect, kind);
		add_runs(&seen, &evidence[i].base, kind);
		if (is_large(&evidence[i], kind, least_ns) && seen.freedom > 0) {
			variances[told++] = variance_of(&seen) / median_part(seen.freedom);
			freedom += seen.freedom;
		}
	}
	if (told > 0) {
		common.squares += itp_chance_median(variances, told) * freedom;
		common.freedom += freedom;
	}
	return sqrt(variance_of(&common));
}

struct itp_spreads itp_spreads_learn(const struct itp_evidence *evidence, size_t count,
				     double least_ns, const struct itp_spreads *assumed)
{
	struct itp_spreads spreads = *assumed;

	for (size_t kind = 0; kind < ITP_TIME_KIND_COUNT; kind++) {
		/* Each wait is by itself. */
		if (!is_blocked(kind)) {
			spreads.parts[kind] =
				learn_kind(evidence, count, least_ns, kind, assumed->parts[kind]);
		}
	}
	return spreads;
}

/* ---- A single difference ---- */

/* Parts of a difference's variance (ns²), as in error-model.h. */
struct errors {
	double ticks;
	double waits;
	/* Files that the other workload found in memory. */
	double cold;
	double losses;
	double cuts;
	double runs;
	/* Variance by runs if both values were the same: runs that differ by a part of their time
	 * make nothing of none, and none of nothing. */
	double equal_runs;
	/* Σ (variance of a kind)² / its degrees of freedom, of equal_runs. */
	double squares_by_freedom;
};

/* Spread of the group's runs. */
static struct spread spread_of(const struct itp_evidence *evidence, size_t kind, double part)
{
	struct spread spread = assume(itp_squared(part), KIND_RUNS);

	add_runs(&spread, &evidence->suspect, kind);
	add_runs(&spread, &evidence->base, kind);
	return spread;
}

/* Variance of a difference (ns²), if runs vary by the same part of their time. */
static double run_variance(const struct itp_evidence *evidence, double variance, double suspect_ns,
			   double base_ns)
{
	return variance * (itp_squared(suspect_ns) / (double)MAX(evidence->suspect.runs, 1) +
			   itp_squared(base_ns) / (double)MAX(evidence->base.runs, 1));
}

static void add_run_errors(struct errors *errors, const struct itp_evidence *evidence, size_t kind,
			   double part)
{
	const struct itp_evidence_part *suspect = &evidence->suspect.parts[kind];
	const struct itp_evidence_part *base = &evidence->base.parts[kind];
	const struct spread spread = spread_of(evidence, kind, part);
	double variance = variance_of(&spread);
	double mean_ns = (suspect->value_ns + base->value_ns) / 2;
	double equal = run_variance(evidence, variance, mean_ns, mean_ns);

	equal += base->felt_variance;
	errors->ticks += suspect->variance + base->variance;
	errors->runs += run_variance(evidence, variance, suspect->value_ns, base->value_ns) +
			base->felt_variance;
	errors->equal_runs += equal;
	errors->squares_by_freedom += itp_squared(equal) / spread.freedom;
}

/* Variance of waits (ns²). The variance measured within runs counts as KIND_RUNS runs beside the
 * runs that there are. */
static double wait_variance(const struct itp_evidence_side *side)
{
	const struct itp_evidence_part *part = &side->parts[ITP_TIME_BLOCKED];
	struct spread spread = assume(measured_variance(part, MAX(side->runs, 1)), KIND_RUNS);

	if (part->value_ns <= 0) {
		return part->variance;
	}
	add_runs(&spread, side, ITP_TIME_BLOCKED);
	return variance_of(&spread) * itp_squared(part->value_ns) / (double)MAX(side->runs, 1);
}

/* Time that lost events may hide of the difference: nobody knows the doings of the workload with
 * less time meanwhile. With a part L of its events lost, that may be L / (1 − L) of its seen time,
 * or L of the other's time if none was seen. The other workload may only have taken more. */
static double hidden_ns(const struct itp_evidence *evidence)
{
	bool is_base = evidence->suspect.value_ns > evidence->base.value_ns;
	const struct itp_evidence_side *less = is_base ? &evidence->base : &evidence->suspect;
	double part = less->lost_part;
	double delta_ns = fabs(evidence->suspect.value_ns - evidence->base.value_ns);

	return MAX(part / MAX(1 - part, SEEN_LEAST) * less->value_ns, part * delta_ns);
}

static struct errors errors_of(const struct itp_evidence *evidence,
			       const struct itp_spreads *spreads)
{
	struct errors errors = {
		.waits = wait_variance(&evidence->suspect) + wait_variance(&evidence->base),
		.cold = itp_squared(ERROR_OF_COLD * evidence->cold_ns),
		.losses = itp_squared(hidden_ns(evidence)),
		.cuts = itp_squared(evidence->unplaced_ns),
	};

	for (size_t kind = 0; kind < ITP_TIME_BLOCKED; kind++) {
		add_run_errors(&errors, evidence, kind, spreads->parts[kind]);
	}
	return errors;
}

static double measurement_of(const struct errors *errors)
{
	return errors->ticks + errors->waits + errors->cold + errors->losses + errors->cuts;
}

/* B. L. Welch, Biometrika 34 (1947), as in chance.h, for all kinds together. */
static double freedom_of(const struct errors *errors)
{
	return errors->squares_by_freedom > 0 ?
		       itp_squared(errors->equal_runs) / errors->squares_by_freedom :
		       1;
}

static enum itp_doubt_about doubt_of(const struct errors *errors)
{
	if (measurement_of(errors) <= errors->runs) {
		return ITP_DOUBT_ABOUT_RUNS;
	}
	if (errors->losses + errors->cuts > errors->ticks + errors->waits + errors->cold) {
		return errors->losses > errors->cuts ? ITP_DOUBT_ABOUT_LOSSES :
						       ITP_DOUBT_ABOUT_CUTS;
	}
	return errors->waits + errors->cold > errors->ticks ? ITP_DOUBT_ABOUT_WAITS :
							      ITP_DOUBT_ABOUT_SAMPLES;
}

/* Standard deviation between runs for readers: as if all of the value were of a single kind. */
static double common_part(const struct itp_evidence *evidence, const struct errors *errors)
{
	double alike =
		run_variance(evidence, 1, evidence->suspect.value_ns, evidence->base.value_ns);

	return alike > 0 ? sqrt(errors->runs / alike) : 0;
}

static double delta_of(const struct itp_evidence *evidence)
{
	return evidence->suspect.value_ns - evidence->base.value_ns;
}

/* Score that is QUESTIONS times as likely to be chance as `score`: the tail of a normal number
 * falls by a factor of e for each 1 / (z + 1 / z). */
static double of_questions(double score)
{
	const double z = fabs(score);

	return z > 1 ? copysign(z - log(QUESTIONS) / (z + 1 / z), score) : 0;
}

static double blocked_delta(const struct itp_evidence *evidence)
{
	return evidence->suspect.parts[ITP_TIME_BLOCKED].value_ns -
	       evidence->base.parts[ITP_TIME_BLOCKED].value_ns;
}

/* Score of most of a difference, either its time blocked or the rest, which is time on the CPU, if
 * that is surer: what leaves the one open says nothing of the other. 0 for none. */
static double part_score(const struct itp_evidence *evidence, const struct errors *errors)
{
	const double delta_ns = delta_of(evidence);
	const double blocked_ns = blocked_delta(evidence);
	const double cpu_ns = delta_ns - blocked_ns;
	const double unseen = errors->cold + errors->losses + errors->cuts;

	if (blocked_ns / delta_ns >= PART_STANDS && cpu_ns / delta_ns < PART_STANDS) {
		return of_questions(itp_chance_z(blocked_ns, errors->waits + unseen, 0, 1));
	}
	if (cpu_ns / delta_ns >= PART_STANDS && blocked_ns / delta_ns < PART_STANDS) {
		return of_questions(itp_chance_z(cpu_ns, errors->ticks + unseen, errors->equal_runs,
						 freedom_of(errors)));
	}
	return 0;
}

/* Difference in standard errors. Waiting for a CPU adds its own error to `errors` if it is
 * counted. */
static double score_of(const struct itp_evidence *evidence, const struct itp_spreads *spreads,
		       struct errors *errors)
{
	double waiting_ns = evidence->suspect.parts[ITP_TIME_WAITING].value_ns -
			    evidence->base.parts[ITP_TIME_WAITING].value_ns;
	double alone = itp_chance_z(delta_of(evidence), measurement_of(errors), errors->equal_runs,
				    freedom_of(errors));
	const double part = delta_of(evidence) != 0 ? part_score(evidence, errors) : 0;
	struct errors both = *errors;
	double with_waiting;

	add_run_errors(&both, evidence, ITP_TIME_WAITING, spreads->parts[ITP_TIME_WAITING]);
	with_waiting = itp_chance_z(delta_of(evidence) + waiting_ns, measurement_of(&both),
				    both.equal_runs, freedom_of(&both));
	alone = fabs(part) > fabs(alone) ? part : alone;
	if (fabs(with_waiting) <= fabs(alone)) {
		return alone;
	}
	*errors = both;
	return with_waiting;
}

struct itp_significance itp_error_model_apply(const struct itp_evidence *evidence,
					      const struct itp_spreads *spreads)
{
	const struct itp_evidence_side *suspect = &evidence->suspect;
	const struct itp_evidence_side *base = &evidence->base;
	struct errors errors = errors_of(evidence, spreads);
	double score = score_of(evidence, spreads, &errors);
	struct itp_significance significance = {
		.effect = base->value_ns != 0 ? delta_of(evidence) / base->value_ns : INFINITY,
		.measurement_ns = sqrt(measurement_of(&errors)),
		.runs_ns = sqrt(errors.runs),
		.spread = common_part(evidence, &errors),
		.score = score,
		.samples = suspect->samples,
		.base_samples = base->samples,
		.waits = suspect->waits,
		.base_waits = base->waits,
		.doubt = doubt_of(&errors),
	};

	significance.probability = itp_chance_p(significance.score);
	return significance;
}

enum itp_verdict itp_verdict_of(double probability, double sure, double likely)
{
	if (probability <= sure) {
		return ITP_VERDICT_SURE;
	}
	return probability <= likely ? ITP_VERDICT_LIKELY : ITP_VERDICT_CHANCE;
}

/* ---- Visible differences ---- */

/* Part of a variance that is left with `more_runs` more of each workload. */
static double part_left(const struct itp_evidence *evidence, size_t more_runs)
{
	double suspect = (double)MAX(evidence->suspect.runs, 1);
	double base = (double)MAX(evidence->base.runs, 1);
	double more = (double)more_runs;

	return (1 / (suspect + more) + 1 / (base + more)) / (1 / suspect + 1 / base);
}

/* Evidence of the base, and of a suspect like the base. The spread between the suspect's runs
 * stays. */
static struct itp_evidence alike_of(const struct itp_evidence *evidence)
{
	struct itp_evidence alike = *evidence;
	double base_runs = (double)MAX(evidence->base.runs, 1);

	for (size_t kind = 0; kind < ITP_TIME_KIND_COUNT; kind++) {
		struct itp_evidence_part *part = &alike.suspect.parts[kind];

		part->value_ns = evidence->base.parts[kind].value_ns;
		part->variance = evidence->base.parts[kind].variance * base_runs /
				 (double)MAX(evidence->suspect.runs, 1);
	}
	alike.suspect.value_ns = evidence->base.value_ns;
	alike.cold_ns = 0;
	alike.unplaced_ns = 0;
	return alike;
}

double itp_error_model_visible(const struct itp_evidence *evidence,
			       const struct itp_spreads *spreads, size_t more_runs)
{
	const struct itp_evidence alike = alike_of(evidence);
	const struct errors errors = errors_of(&alike, spreads);
	double left = part_left(evidence, more_runs);
	double measured = (errors.ticks + errors.waits) * left + errors.losses;
	double low_ns = 0;
	double high_ns = VISIBLE_MOST * evidence->base.value_ns;

	for (int i = 0; i < HALVINGS; i++) {
		double middle_ns = (low_ns + high_ns) / 2;

		if (itp_chance_z(middle_ns, measured, errors.equal_runs * left,
				 freedom_of(&errors)) < SCORE_OF_SURE + FOUR_OF_FIVE) {
			low_ns = middle_ns;
		} else {
			high_ns = middle_ns;
		}
	}
	return evidence->base.value_ns > 0 ? high_ns / evidence->base.value_ns : INFINITY;
}
