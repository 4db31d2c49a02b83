/* SPDX-License-Identifier: MIT */
/*
 * --overhead: which recipe stays below a share of CPU time.
 *
 * The overhead of a recording is the CPU time that it takes, in its target and in perf itself, as
 * part of the CPU time that the target uses; of the whole machine, as part of what all CPUs have.
 *
 *   measure  what an event costs on this machine (costs.h), and how many the target makes in a
 *            second of CPU time (rates.h)
 *   predict  the overhead of a recipe: each of its events times its cost
 *   choose   the most telling recipe that is below the limit
 *   say      what was chosen, and why
 */
#ifndef ITP_PERF_COMMAND_OVERHEAD_H
#define ITP_PERF_COMMAND_OVERHEAD_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/command/costs.h"
#include "plugins/perf/command/held.h"
#include "plugins/perf/command/rates.h"
#include "plugins/perf/command/recipe.h"
#include "plugins/perf/command/target.h"

/* What the user has said about the recipe. Numbers are not negative. */
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
	/* What was chosen is not said. */
	bool is_quiet;
	/* Some code of the target keeps no frame pointers. */
	bool is_frameless;
};

/* "5%" or "5" as 0.05. */
bool itp_overhead_parse(const char *text, double *ret_limit, GError **error);

/* What the events of a recipe take of a second of CPU time, as a share: 0.05 for 5 %. Of the
 * recipe, preset, timer and stack matter, here and below. */
double itp_overhead_of(const struct itp_recipe *recipe, const struct itp_event_rates *rates,
		       const struct itp_event_costs *costs);

/* The most telling recipe below the limit. False when there is none: *ret_recipe is then the
 * cheapest that the wishes leave. Its output is NULL. */
bool itp_overhead_choose(const struct itp_overhead_wishes *wishes,
			 const struct itp_event_rates *rates, const struct itp_event_costs *costs,
			 struct itp_recipe *ret_recipe);

/* All of it. A program that is to be recorded by itself is started: `held`, whose pid is 0 before,
 * is then to be ended by the caller, in any case; and `target` names its processes. */
bool itp_overhead_run(const struct itp_overhead_wishes *wishes, struct itp_target *target,
		      struct itp_held *held, struct itp_recipe *ret_recipe, GError **error);

/* Replaces an error whose reason is that a program which was started so is no longer there. */
void itp_overhead_explain_end(const struct itp_target *target, GError **error);

#endif
