/* SPDX-License-Identifier: MIT */
/*
 * --overhead: choice of a recipe below a share of CPU time.
 *
 * The overhead of a recording is its CPU time, in its target and in perf itself, as a share of the
 * target's CPU time; for the whole machine, as a share of all CPUs' time.
 *
 *   measure  what an event costs on this machine (costs.h), and how many the target makes in a
 *            second of CPU time (rates.h)
 *   predict  the overhead of a recipe: each of its events times its cost
 *   choose   the most telling recipe that is below the limit
 *   say      what was chosen, and why
 */
#ifndef ITP_PERF_RECORD_OVERHEAD_H
#define ITP_PERF_RECORD_OVERHEAD_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/record/costs.h"
#include "plugins/perf/record/held.h"
#include "plugins/perf/record/rates.h"
#include "plugins/perf/record/recipe.h"
#include "plugins/perf/record/target.h"

/* Wishes of the user about the recipe. Numbers are not negative. */
struct itp_overhead_wishes {
	/* Less than 1; only for a choice. */
	double limit;
	/* Only this preset, when `has_preset`. */
	bool has_preset;
	enum itp_preset preset;
	/* Only this timer; 0 for any. */
	int frequency_hz;
	gboolean wants_fp;
	gboolean wants_dwarf;
	/* Only this size of a copy; 0 for any. */
	int stack_bytes;
	/* The choice is not reported. */
	bool is_quiet;
	/* Some code of the target keeps no frame pointers. */
	bool is_frameless;
};

/* Share from "5%" or "5": 0.05. */
bool itp_overhead_parse(const char *text, double *ret_limit, GError **error);

/* Share of CPU time taken by a recipe's events: 0.05 for 5 %. Preset, timer and stack of the recipe
 * matter, here and below. */
double itp_overhead_of(const struct itp_recipe *recipe, const struct itp_event_rates *rates,
		       const struct itp_event_costs *costs);

/* Most telling recipe below the limit. False without any: *ret_recipe is then the cheapest left by
 * the wishes. Its output is NULL. */
bool itp_overhead_choose(const struct itp_overhead_wishes *wishes,
			 const struct itp_event_rates *rates, const struct itp_event_costs *costs,
			 struct itp_recipe *ret_recipe);

/* Does all of it. A program to be recorded by itself is started: `held`, whose pid is 0 before, is
 * then to be ended by the caller, in any case; and `target` names its processes. */
bool itp_overhead_run(const struct itp_overhead_wishes *wishes, struct itp_target *target,
		      struct itp_held *held, struct itp_recipe *ret_recipe, GError **error);

/* Replaces an error whose reason is that a program started here is no longer there. */
void itp_overhead_explain_end(const struct itp_target *target, GError **error);

#endif
