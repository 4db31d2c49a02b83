/* SPDX-License-Identifier: MIT */
/*
 * See overhead.h. The first candidate below the limit is chosen. A smaller limit can only lead
 * further down the list, and to one that costs less: all before it are above even the larger one,
 * and what was chosen for that is above the smaller one.
 */
#include "plugins/perf/command/overhead.h"

#include <string.h>

#define NS_PER_S 1e9
#define PERCENT 100.0
/* The most telling first: a system call tells more than a tick. Where code keeps no frame pointers,
 * copies tell more than both: without them, what calls such code is missing from all stacks. */
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

static double event_ns(const struct itp_recipe *recipe, const struct itp_event_costs *costs)
{
	return recipe->stack_bytes == 0 ?
		       costs->frame_pointers_ns :
		       costs->copy_ns + costs->copy_byte_ns * recipe->stack_bytes;
}

static double events_with_stacks(const struct itp_recipe *recipe,
				 const struct itp_event_rates *rates)
{
	double count = recipe->frequency_hz;

	if (recipe->preset >= ITP_PRESET_LIGHT) {
		count += rates->switches;
	}
	if (recipe->preset >= ITP_PRESET_USUAL) {
		count += rates->wakeups + rates->syscalls;
	}
	if (recipe->preset >= ITP_PRESET_FULL) {
		count += rates->starts + rates->page_faults;
	}
	return count;
}

/* The ends of system calls. */
static double events_without_stacks(const struct itp_recipe *recipe,
				    const struct itp_event_rates *rates)
{
	return recipe->preset >= ITP_PRESET_USUAL ? rates->syscalls : 0;
}

double itp_overhead_events(const struct itp_recipe *recipe, const struct itp_event_rates *rates)
{
	return events_with_stacks(recipe, rates) + events_without_stacks(recipe, rates);
}

/* An event without a stack costs no more than one by frame pointers. */
double itp_overhead_of(const struct itp_recipe *recipe, const struct itp_event_rates *rates,
		       const struct itp_event_costs *costs)
{
	return (events_with_stacks(recipe, rates) * event_ns(recipe, costs) +
		events_without_stacks(recipe, rates) * costs->frame_pointers_ns +
		recipe->frequency_hz * costs->tick_ns + rates->switches * costs->switch_ns) /
	       NS_PER_S;
}

/* Whether copies are made of each stack or of none. */
static bool has_stack_kind(const struct itp_recipe *recipe,
			   const struct itp_overhead_wishes *wishes)
{
	bool is_copy = recipe->stack_bytes > 0;

	if (wishes->wants_fp || wishes->wants_dwarf) {
		return is_copy == wishes->wants_dwarf;
	}
	return !is_copy || wishes->is_frameless;
}

/* Fits a candidate to what is fixed. False when they do not go together. */
static bool adapt(struct itp_recipe *recipe, const struct itp_overhead_wishes *wishes)
{
	if ((wishes->has_preset && recipe->preset != wishes->preset) ||
	    !has_stack_kind(recipe, wishes)) {
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
	double cheapest = G_MAXDOUBLE;

	for (size_t i = 0; i < G_N_ELEMENTS(candidates); i++) {
		struct itp_recipe recipe = candidates[i];
		double overhead;

		if (!adapt(&recipe, wishes)) {
			continue;
		}
		overhead = itp_overhead_of(&recipe, rates, costs);
		if (overhead < cheapest) {
			cheapest = overhead;
			*ret_recipe = recipe;
		}
		if (overhead < wishes->limit) {
			*ret_recipe = recipe;
			return true;
		}
	}
	return false;
}

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
