/* SPDX-License-Identifier: MIT */
/*
 * The error model: by how much a difference may be off, and what to call it then. doc/verdicts.md
 * derives it. What is known of the two values is evidence.h's; which values are judged,
 * verdict.c's.
 *
 * A difference Δ of two sums of runs has a variance that is the sum of
 *
 *   ticks    what the number of ticks leaves open of time on the CPU: known
 *   waits    what waits vary by, as evidence.h found; several runs replace it, one by one, by what
 *            they show
 *   runs     by what time on the CPU varies from run to run: a part of the value for each kind of
 *            time. It is assumed where there is one run of each, and learned where there are
 *            several, first for the kind and then for the group itself (as by G. K. Smyth,
 *            Statistical Applications in Genetics and Molecular Biology 3, 2004)
 *   losses   what was lost, and nobody knows of
 *
 * Waiting for a CPU is judged apart, as it depends on what else the machine does: it makes a
 * difference by itself, or none, and makes no other one less sure.
 *
 * An example: a function took 300 ms in the base and 450 ms in the suspect, by as many ticks of a
 * millisecond. Ticks make √(300 + 450) = 27 ms; runs that differ by 4 % of 375 ms, 15 ms each, make
 * 21 ms; √(27² + 21²) = 35 ms. So Δ = 150 ms is 4.3 standard errors: sure.
 */
#ifndef ITP_RANK_ERROR_MODEL_H
#define ITP_RANK_ERROR_MODEL_H

#include "common/rank/evidence.h"

/* Of what is called so, the part that chance makes, if the model is right. */
#define ITP_CHANCE_OF_SURE 0.002
#define ITP_CHANCE_OF_LIKELY 0.05

/* By kind of time: the standard deviation of a run, as a part of what it takes of the kind. */
struct itp_spreads {
	double parts[ITP_TIME_KIND_COUNT];
};

/* What is assumed of runs where there is one of each: `computing` of time on the CPU in user code
 * (spread.c), and of the kernel's what it has by itself. */
struct itp_spreads itp_spreads_assume(double computing);

/* What runs show of each kind in `count` groups, beside what is `assumed`. Groups that have less
 * than `least_ns` in both workloads tell nothing. */
struct itp_spreads itp_spreads_learn(const struct itp_evidence *evidence, size_t count,
				     double least_ns, const struct itp_spreads *assumed);

/* All of it but the verdict: that needs the others that are looked at. Of time without waiting for
 * a CPU, or with it where Δ is less likely to be chance then. */
struct itp_significance itp_error_model_apply(const struct itp_evidence *evidence,
					      const struct itp_spreads *spreads);

/* The verdict of one difference that is as unlikely as `probability`, by the limits for what is
 * sure and what is likely. */
enum itp_verdict itp_verdict_of(double probability, double sure, double likely);

/* By how much the suspect must be slower, as a part of the base, so that this is found to be sure
 * in four of five cases; with so many more runs of each workload than there are. INFINITY where
 * the base has none of it. */
double itp_error_model_visible(const struct itp_evidence *evidence,
			       const struct itp_spreads *spreads, size_t more_runs);

#endif
