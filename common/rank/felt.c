/* SPDX-License-Identifier: MIT */
/*
 * See felt.h.
 */
#include "common/rank/felt.h"

#include <math.h>

#include "common/rank/chance.h"

/* Power of the machine's slowness that time on the CPU has, and its standard deviation. Measured on
 * pairs of equal runs (tests/verdicts/model.md). */
#define FELT 0.75
#define FELT_DEVIATION 0.6
/* Standard deviations of the power beyond which it is not believed. */
#define FELT_WITHIN 2
/* Least variance of a run, as a part of its square: not to divide by 0. */
#define VARIANCE_LEAST 1e-6

/* Power, and its variance. */
struct power {
	double mean;
	double variance;
};

/* Variance of the factor, as a part of its square: by the power, and by the error of the ratio. */
static double variance_of(const struct itp_machine_speed *speed, const struct power *power)
{
	return power->variance * itp_squared(log(speed->ratio)) +
	       itp_squared(power->mean * speed->ratio_error / speed->ratio);
}

struct itp_felt itp_felt_assumed(const struct itp_machine_speed *speed)
{
	const struct power power = { .mean = FELT, .variance = itp_squared(FELT_DEVIATION) };

	return (struct itp_felt){ .factor = pow(speed->ratio, FELT),
				  .variance = variance_of(speed, &power) };
}

/* Sums of the regression of runs' time by the machine's slowness, each weighted by how well it is
 * known. */
struct regression {
	double squares;
	double products;
};

static void add_side(struct regression *regression, const struct itp_evidence_side *side,
		     size_t kind, double spread)
{
	const struct itp_evidence_part *part = &side->parts[kind];
	double variance = itp_squared(spread);

	if (part->value_ns > 0) {
		variance +=
			(double)MAX(side->runs, 1) * part->variance / itp_squared(part->value_ns);
		regression->squares += side->slowness_squares / MAX(variance, VARIANCE_LEAST);
		regression->products += part->run_slowness / MAX(variance, VARIANCE_LEAST);
	}
}

static struct power power_of(const struct itp_evidence *evidence, size_t kind, double spread)
{
	struct regression sums = { .squares = 1 / itp_squared(FELT_DEVIATION),
				   .products = FELT / itp_squared(FELT_DEVIATION) };

	add_side(&sums, &evidence->suspect, kind, spread);
	add_side(&sums, &evidence->base, kind, spread);
	return (struct power){
		.mean = CLAMP(sums.products / sums.squares, 0, FELT + FELT_WITHIN * FELT_DEVIATION),
		.variance = 1 / sums.squares,
	};
}

static double freedom_of(const struct itp_evidence_side *side)
{
	return side->runs > 1 ? (double)(side->runs - 1) : 0;
}

/* Takes out of the distances of runs what the machine explains. `more` makes up for the part of a
 * distance that the power has taken to be known. */
static void level_runs(struct itp_evidence_side *side, size_t kind, const struct power *power,
		       double more)
{
	struct itp_evidence_part *part = &side->parts[kind];

	part->run_squares += itp_squared(power->mean) * side->slowness_squares -
			     2 * power->mean * part->run_slowness;
	part->run_squares = MAX(part->run_squares, 0) * more;
}

static void level_all_runs(struct itp_evidence *evidence, size_t kind, const struct power *power)
{
	double freedom = freedom_of(&evidence->suspect) + freedom_of(&evidence->base);
	double known = 1 - power->variance / itp_squared(FELT_DEVIATION);

	if (freedom > 1) {
		level_runs(&evidence->suspect, kind, power, freedom / (freedom - known));
		level_runs(&evidence->base, kind, power, freedom / (freedom - known));
	}
}

static void level_kind(struct itp_evidence *evidence, size_t kind,
		       const struct itp_machine_speed *speed, double spread)
{
	struct itp_evidence_part *part = &evidence->base.parts[kind];
	const struct power power = power_of(evidence, kind, spread);
	double factor = pow(speed->ratio, power.mean);

	level_all_runs(evidence, kind, &power);
	evidence->base.value_ns += part->value_ns * (factor - 1);
	part->value_ns *= factor;
	part->variance *= itp_squared(factor);
	part->felt_variance = itp_squared(part->value_ns) * variance_of(speed, &power);
}

void itp_felt_level(struct itp_evidence *evidence, size_t count,
		    const struct itp_machine_speed *speed, const struct itp_spreads *spreads)
{
	for (size_t i = 0; i < count && speed->is_known; i++) {
		for (size_t kind = 0; kind < ITP_TIME_BLOCKED; kind++) {
			level_kind(&evidence[i], kind, speed, spreads->parts[kind]);
		}
	}
}
