/* SPDX-License-Identifier: MIT */
/*
 * Error model: standard errors of differences, and the verdicts on them. doc/verdicts.md derives
 * it. evidence.h collects the evidence on the two values; verdict.c chooses the values to judge.
 *
 * A difference Δ of two sums of runs has a variance that is the sum of
 *
 *   ticks    by the number of ticks, which leaves the time on the CPU open: known
 *   waits    by the variation of waits, as evidence.h found; several runs replace it by their own
 *   runs     by the variation of CPU time from run to run, a part of the value for each kind of
 *            time. It is assumed for a single run of each workload, and learned from several,
 *            first for the kind and then for the group itself (as by G. K. Smyth, Statistical
 *            Applications in Genetics and Molecular Biology 3, 2004); and by what is not known of
 *            the machine's slowness, as the group feels it (felt.h)
 *   losses   by lost events, of which nobody knows
 *   cuts     by stacks that were cut, so that time of functions elsewhere lies below unknown
 * callers
 *
 * Waiting for a CPU is judged apart, as it depends on the rest of the machine: it makes a
 * difference by itself, or none, and makes no other difference less sure.
 *
 * An example: a function took 300 ms in the base and 450 ms in the suspect, by as many ticks of a
 * millisecond. Ticks make √(300 + 450) = 27 ms; runs that differ by 4 % of 375 ms, 15 ms each, make
 * 21 ms; √(27² + 21²) = 35 ms. So Δ = 150 ms is 4.3 standard errors: sure.
 */
#ifndef ITP_RANK_ERROR_MODEL_H
#define ITP_RANK_ERROR_MODEL_H

#include "common/rank/evidence-parts.h"

/* Parts of all sure and of all likely differences that are chance, if the model is right. */
#define ITP_CHANCE_OF_SURE 0.002
#define ITP_CHANCE_OF_LIKELY 0.05

/* Standard deviation of a run by kind of time, as a part of its time of the kind. */
struct itp_spreads {
	double parts[ITP_TIME_KIND_COUNT];
};

/* Spreads assumed for a single run of each workload: `computing` of its CPU time in user code
 * (spread.c), and in the kernel the kernel's own besides. */
struct itp_spreads itp_spreads_assume(double computing);

/* Spreads that `count` groups show for each kind, beside those `assumed`. Groups with less than
 * `least_ns` in both workloads tell nothing. */
struct itp_spreads itp_spreads_learn(const struct itp_evidence *evidence, size_t count,
				     double least_ns, const struct itp_spreads *assumed);

/* All of a difference's significance but its verdict, which needs the other differences. It is
 * judged without waiting for a CPU, or with it if Δ is less likely to be chance then. */
struct itp_significance itp_error_model_apply(const struct itp_evidence *evidence,
					      const struct itp_spreads *spreads);

/* Verdict on a difference that is as unlikely as `probability`, by the limits `sure` and
 * `likely`. */
enum itp_verdict itp_verdict_of(double probability, double sure, double likely);

/* Least slow-down of the suspect, as a part of the base, that is found to be sure in four of five
 * cases, with `more_runs` more of each workload. INFINITY if the base has no time. */
double itp_error_model_visible(const struct itp_evidence *evidence,
			       const struct itp_spreads *spreads, size_t more_runs);

#endif
