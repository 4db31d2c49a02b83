/* SPDX-License-Identifier: MIT */
/*
 * Which recipe stays below a share of CPU time (--overhead).
 *
 * The overhead of a recording is the CPU time that it takes, in its target and in perf itself, as
 * part of the CPU time that the target uses; of the whole machine, as part of what all CPUs have.
 * It is the number of events in a second of CPU time (rates.h), times what an event costs on this
 * machine with such a stack (calibration.h).
 */
#ifndef ITP_PERF_COMMAND_OVERHEAD_H
#define ITP_PERF_COMMAND_OVERHEAD_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/command/recipe.h"

/* Events in a second of CPU time. */
struct itp_event_rates {
	double syscalls;
	double switches;
	double wakeups;
	/* Wakeups of new threads. */
	double starts;
	double page_faults;
};

/* CPU time that one event takes (ns). */
struct itp_event_costs {
	/* With a stack by frame pointers. */
	double frame_pointers_ns;
	/* With a copy: its fixed part, and that of each byte. */
	double copy_ns;
	double copy_byte_ns;
	/* What a tick of the timer takes besides: its interrupt. */
	double tick_ns;
	/* A switch to another thread and back, which every recipe records without a stack. */
	double switch_ns;
};

/* What the user has said about the recipe. */
struct itp_overhead_wishes {
	/* Less than 1. */
	double limit;
	/* Only this preset, when `has_preset`. */
	bool has_preset;
	enum itp_preset preset;
	/* Only this timer; 0 for any. */
	unsigned int frequency_hz;
	bool wants_fp;
	bool wants_dwarf;
	/* Only this size of a copy; 0 for any. */
	unsigned int stack_bytes;
	/* Some code of the target keeps no frame pointers. */
	bool is_frameless;
};

/* The events of a recipe in a second of CPU time. Of the recipe, preset, timer and stack matter,
 * here and below. */
double itp_overhead_events(const struct itp_recipe *recipe, const struct itp_event_rates *rates);

/* What they take of it, as a share: 0.05 for 5 %. */
double itp_overhead_of(const struct itp_recipe *recipe, const struct itp_event_rates *rates,
		       const struct itp_event_costs *costs);

/* The most telling recipe below the limit. False when there is none: *ret_recipe is then the
 * cheapest that the wishes leave. Its output is NULL. */
bool itp_overhead_choose(const struct itp_overhead_wishes *wishes,
			 const struct itp_event_rates *rates, const struct itp_event_costs *costs,
			 struct itp_recipe *ret_recipe);

/* "5%" or "5" as 0.05. */
bool itp_overhead_parse(const char *text, double *ret_limit, GError **error);

#endif
