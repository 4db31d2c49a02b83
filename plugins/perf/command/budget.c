/* SPDX-License-Identifier: MIT */
/*
 * See budget.h.
 */
#include "plugins/perf/command/budget.h"

#include "common/render/units.h"
#include "plugins/perf/command/calibration.h"
#include "plugins/perf/command/rates.h"
#include "terminal/terminal.h"

#define NS_PER_S 1e9
/* Programs differ in what they lose by an event, and their second second from their first: what is
 * chosen is to stay below the limit all the same. */
#define HEADROOM 0.8
/* A server makes ten times as many switches in one half second as in another. */
#define RUNNING_COUNTS 4

void itp_budget_explain_end(const struct itp_target *target, GError **error)
{
	g_clear_error(error);
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
		    "--overhead: %s ended before it could be recorded, as its first half second is "
		    "only counted; choose --light, --full or neither",
		    target->command[0]);
}

static bool count_command(struct itp_target *target, struct itp_held *held,
			  struct itp_event_rates *ret_rates, GError **error)
{
	g_autofree char *pid = NULL;
	g_autofree char *release = NULL;
	bool is_counted;

	if (!itp_held_start(held, target->command, error)) {
		return false;
	}
	pid = g_strdup_printf("%d", held->pid);
	release = itp_held_release_command(held);
	/* Once, as this is not recorded. */
	is_counted = itp_event_rates_count(pid, release, 1, ret_rates, error);
	itp_held_close(held);
	target->started = itp_held_pids(held);
	if (!target->started) {
		itp_budget_explain_end(target, error);
	}
	return is_counted && target->started;
}

static bool count(struct itp_target *target, struct itp_held *held,
		  struct itp_event_rates *ret_rates, GError **error)
{
	return target->pids || target->is_machine ?
		       itp_event_rates_count(target->pids, "", RUNNING_COUNTS, ret_rates, error) :
		       count_command(target, held, ret_rates, error);
}

/* "system calls, 8192 bytes of each stack, 997 ticks a second" */
static char *recipe_words(const struct itp_recipe *recipe)
{
	static const char *const events[] = {
		[ITP_PRESET_TIMER] = "only the timer",
		[ITP_PRESET_LIGHT] = "no system calls (--light)",
		[ITP_PRESET_USUAL] = "system calls",
		[ITP_PRESET_FULL] = "system calls and page faults (--full)",
	};
	g_autofree char *stacks =
		recipe->stack_bytes > 0 ?
			g_strdup_printf("%u bytes of each stack", recipe->stack_bytes) :
			g_strdup("stacks by frame pointers");

	return g_strdup_printf("%s, %s, %u ticks a second", events[recipe->preset], stacks,
			       recipe->frequency_hz);
}

static void say(const struct itp_recipe *recipe, const struct itp_overhead_wishes *wishes,
		const struct itp_event_rates *rates, const struct itp_event_costs *costs,
		const struct itp_held *held)
{
	g_autofree char *words = recipe_words(recipe);
	double share = itp_overhead_of(recipe, rates, costs);
	double events = itp_overhead_events(recipe, rates);
	g_autofree char *overhead = itp_units_share(share, 1);
	g_autofree char *limit = itp_units_share(wishes->limit, 1);
	g_autofree char *count = itp_units_count((guint64)events);
	g_autofree char *each = itp_units_time((int64_t)(share / events * NS_PER_S));

	itp_terminal_say("  (about %s, below %s: %s; %s events in a second of CPU time at %s%s)",
			 overhead, limit, words, count, each,
			 held->pid > 0 ? "; the first half second was counted, not recorded" : "");
}

bool itp_budget_choose(const struct itp_overhead_wishes *wishes, struct itp_target *target,
		       struct itp_held *held, struct itp_recipe *ret_recipe, GError **error)
{
	struct itp_overhead_wishes careful = *wishes;
	struct itp_event_costs costs;
	struct itp_event_rates rates;
	g_autofree char *words = NULL;
	g_autofree char *lowest = NULL;

	careful.limit *= HEADROOM;
	*held = (struct itp_held){ .pid = 0 };
	if (!itp_calibration_run(&costs, error) || !count(target, held, &rates, error)) {
		return false;
	}
	if (itp_overhead_choose(&careful, &rates, &costs, ret_recipe)) {
		say(ret_recipe, wishes, &rates, &costs, held);
		return true;
	}
	words = recipe_words(ret_recipe);
	lowest = itp_units_share(itp_overhead_of(ret_recipe, &rates, &costs), 1);
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
		    "--overhead: the lowest that can be reached is about %s, give or take a "
		    "fifth: %s",
		    lowest, words);
	return false;
}
