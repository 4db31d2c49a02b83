/* SPDX-License-Identifier: MIT */
/*
 * --overhead: from the target to the recipe. Measures what events cost here (calibration.h), counts
 * those of the target (rates.h), chooses (overhead.h), and says what and why.
 */
#ifndef ITP_PERF_COMMAND_BUDGET_H
#define ITP_PERF_COMMAND_BUDGET_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/command/held.h"
#include "plugins/perf/command/overhead.h"
#include "plugins/perf/command/target.h"

/* A program that is to be recorded by itself is started: `held` is then to be ended by the caller,
 * in any case, its pid being 0 otherwise; and `target` names its processes. */
bool itp_budget_choose(const struct itp_overhead_wishes *wishes, struct itp_target *target,
		       struct itp_held *held, struct itp_recipe *ret_recipe, GError **error);

/* Replaces an error whose reason is that a program which was started so is no longer there. */
void itp_budget_explain_end(const struct itp_target *target, GError **error);

#endif
