/* SPDX-License-Identifier: MIT */
/*
 * See overhead.h. The first candidate below the limit is chosen. A smaller limit can only lead
 * further down the list, and to a cheaper one: all before are above even the larger limit, and the
 * larger limit's choice is above the smaller limit.
 */
#include "plugins/perf/record/overhead.h"

#include <string.h>

#include "common/render/units.h"
#include "terminal/terminal.h"

#define NS_PER_S 1e9
#define PERCENT 100.0
/* Share of the limit that a prediction may fill: programs differ in their loss by an event, and
 * their second second from their first, and the choice is to stay below the limit all the same. */
#define HEADROOM 0.8

/* Candidates, the most telling first: a system call tells more than a tick. Where code keeps no
 * frame pointers, copies tell more than both: without them, callers of such code are missing from
 * all stacks. */
static const struct itp_recipe candidates[] = {
	{ .preset = ITP_PRESET_FULL, .frequency_hz = 3989, .stack_bytes = 16384 },
	{ .preset = ITP_PRESET_USUAL, .frequency_hz = 997, .stack_bytes = 16384 },
	{ .preset = ITP_PRESET_USUAL, .frequency_hz = 499, .stack_bytes = 16384 },
	{ .preset = ITP_PRESET_USUAL, .frequency_hz = 499, .stack_bytes = 8192 },
	{ .preset = ITP_PRESET_USUAL, .frequency_hz = 199, .stack_bytes = 8192 },
	{ .preset = ITP_PRESET_LIGHT, .frequency_hz = 997, .stack_bytes = 16384 },
	{ .preset = ITP_PRESET_LIGHT, .frequency_hz = 499, .stack_bytes = 16384 },
	{ .preset = ITP_PRESET_LIGHT, .frequency_hz = 499, .stack_bytes = 8192 },
	{ .preset = ITP_PRESET_LIGHT, .frequency_hz = 199, .stack_bytes = 8192 },
	{ .preset = ITP_PRESET_LIGHT, .frequency_hz = 199, .stack_bytes = 4096 },
	{ .preset = ITP_PRESET_TIMER, .frequency_hz = 499, .stack_bytes = 16384 },
	{ .preset = ITP_PRESET_TIMER, .frequency_hz = 199, .stack_bytes = 16384 },
	{ .preset = ITP_PRESET_TIMER, .frequency_hz = 97, .stack_bytes = 8192 },
	{ .preset = ITP_PRESET_FULL, .frequency_hz = 3989 },
	{ .preset = ITP_PRESET_USUAL, .frequency_hz = 997 },
	{ .preset = ITP_PRESET_USUAL, .frequency_hz = 499 },
	{ .preset = ITP_PRESET_USUAL, .frequency_hz = 199 },
	{ .preset = ITP_PRESET_LIGHT, .frequency_hz = 997 },
	{ .preset = ITP_PRESET_LIGHT, .frequency_hz = 499 },
	{ .preset = ITP_PRESET_LIGHT, .frequency_hz = 199 },
	{ .preset = ITP_PRESET_TIMER, .frequency_hz = 499 },
	{ .preset = ITP_PRESET_TIMER, .frequency_hz = 199 },
	{ .preset = ITP_PRESET_TIMER, .frequency_hz = 97 },
};

bool itp_overhead_parse(const char *text, double *ret_limit, GError **error)
{
	char *end = NULL;
	double percent = g_ascii_strtod(text, &end);

	if (end == text || (end[0] != '\0' && strcmp(end, "%") != 0) || !(percent > 0) ||
	    percent >= PERCENT) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--overhead: \"%s\" is no share of CPU time such as 5%%", text);
		return false;
	}
	*ret_limit = percent / PERCENT;
	return true;
}

/* The share, and the events in a second of CPU time. One without a stack, as the end of a system
 * call is, costs no more than one by frame pointers. */
static double predict(const struct itp_recipe *recipe, const struct itp_event_rates *rates,
		      const struct itp_event_costs *costs, double *ret_events)
{
	double stack_ns = recipe->stack_bytes == 0 ?
				  costs->frame_pointers_ns :
				  costs->copy_ns + costs->copy_byte_ns * recipe->stack_bytes;
	double stacks = recipe->frequency_hz;
	double ends = 0;

	if (recipe->preset >= ITP_PRESET_LIGHT) {
		stacks += rates->switches;
	}
	if (recipe->preset >= ITP_PRESET_USUAL) {
		stacks += rates->wakeups + rates->syscalls;
		ends = rates->syscalls;
	}
	if (recipe->preset >= ITP_PRESET_FULL) {
		stacks += rates->starts + rates->page_faults;
	}
	*ret_events = stacks + ends;
	return (stacks * stack_ns + ends * costs->frame_pointers_ns +
		recipe->frequency_hz * costs->tick_ns + rates->switches * costs->switch_ns) /
	       NS_PER_S;
}

double itp_overhead_of(const struct itp_recipe *recipe, const struct itp_event_rates *rates,
		       const struct itp_event_costs *costs)
{
	double events;

	return predict(recipe, rates, costs, &events);
}

/* Adapts a candidate to fixed wishes. False when they contradict. */
static bool adapt(struct itp_recipe *recipe, const struct itp_overhead_wishes *wishes)
{
	bool may_copy = wishes->wants_dwarf || (wishes->is_frameless && !wishes->wants_fp);

	if ((wishes->has_preset && recipe->preset != wishes->preset) ||
	    (recipe->stack_bytes > 0 ? !may_copy : wishes->wants_dwarf)) {
		return false;
	}
	if (wishes->frequency_hz > 0) {
		recipe->frequency_hz = wishes->frequency_hz;
	}
	if (wishes->stack_bytes > 0 && recipe->stack_bytes > 0) {
		recipe->stack_bytes = wishes->stack_bytes;
	}
	return true;
}

bool itp_overhead_choose(const struct itp_overhead_wishes *wishes,
			 const struct itp_event_rates *rates, const struct itp_event_costs *costs,
			 struct itp_recipe *ret_recipe)
{
	double lowest = G_MAXDOUBLE;

	for (size_t i = 0; i < G_N_ELEMENTS(candidates) && lowest >= wishes->limit; i++) {
		struct itp_recipe recipe = candidates[i];
		double overhead;

		if (!adapt(&recipe, wishes)) {
			continue;
		}
		overhead = itp_overhead_of(&recipe, rates, costs);
		if (overhead < lowest) {
			lowest = overhead;
			*ret_recipe = recipe;
		}
	}
	return lowest < wishes->limit;
}

void itp_overhead_explain_end(const struct itp_target *target, GError **error)
{
	g_clear_error(error);
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
		    "--overhead: %s ended before it could be recorded, as its first half second is "
		    "only counted; choose --light, --full or neither",
		    target->command[0]);
}

/* Counts the target's events; a program is started for it, and its processes found. */
static bool count_events(struct itp_target *target, struct itp_held *held,
			 struct itp_event_rates *ret_rates, GError **error)
{
	g_autofree char *pid = NULL;
	g_autofree char *release = NULL;
	bool is_counted;

	if (target->pids || target->is_machine) {
		return itp_event_rates_count(target->pids, NULL, ret_rates, error);
	}
	if (!itp_held_start(held, target->command, error)) {
		return false;
	}
	pid = g_strdup_printf("%d", held->pid);
	release = itp_held_release_command(held);
	is_counted = itp_event_rates_count(pid, release, ret_rates, error);
	itp_held_close(held);
	target->started = itp_held_pids(held);
	if (!target->started) {
		itp_overhead_explain_end(target, error);
	}
	return is_counted && target->started;
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
		const struct itp_target *target)
{
	double events;
	double share = predict(recipe, rates, costs, &events);
	g_autofree char *words = recipe_words(recipe);
	g_autofree char *overhead = itp_units_share(share, 1);
	g_autofree char *limit = itp_units_share(wishes->limit, 1);
	g_autofree char *count = itp_units_count((guint64)events);
	g_autofree char *each = itp_units_time((int64_t)(share / events * NS_PER_S));

	itp_terminal_say("  (about %s, below %s: %s; %s events in a second of CPU time at %s%s)",
			 overhead, limit, words, count, each,
			 target->started ? "; the first half second was counted, not recorded" :
					   "");
}

static bool fail(const struct itp_recipe *lowest, const struct itp_event_rates *rates,
		 const struct itp_event_costs *costs, GError **error)
{
	g_autofree char *words = recipe_words(lowest);
	g_autofree char *overhead = itp_units_share(itp_overhead_of(lowest, rates, costs), 1);

	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
		    "--overhead: the lowest that can be reached is about %s, give or take a "
		    "fifth: %s",
		    overhead, words);
	return false;
}

bool itp_overhead_run(const struct itp_overhead_wishes *wishes, struct itp_target *target,
		      struct itp_held *held, struct itp_recipe *ret_recipe, GError **error)
{
	struct itp_overhead_wishes careful = *wishes;
	struct itp_event_costs costs;
	struct itp_event_rates rates;

	careful.limit *= HEADROOM;
	if (!itp_event_costs_measure(&costs, error) || !count_events(target, held, &rates, error)) {
		return false;
	}
	if (!itp_overhead_choose(&careful, &rates, &costs, ret_recipe)) {
		return fail(ret_recipe, &rates, &costs, error);
	}
	if (!wishes->is_quiet) {
		say(ret_recipe, wishes, &rates, &costs, target);
	}
	return true;
}
