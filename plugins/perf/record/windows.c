/* SPDX-License-Identifier: MIT */
/*
 * See windows.h.
 */
#include "plugins/perf/record/windows.h"

#include <math.h>

/* Rates are those of about the last second: a server's load changes in seconds. An excess is saved
 * within the next one. */
#define MEMORY_NS 1e9
/* Weight of the latest window in a window's price, which changes as fast. */
#define PRICE_PART 0.25

/* Most part of a program taken, as it is measured by ticks: something is always left. */
#define TAKEN_MOST 0.9

struct itp_recorder_windows {
	double budget;
	/* Owned by this. */
	GRand *random;
	/* The slots at hand: how many, which of them is watched, and when they begin. */
	uint32_t slots;
	uint32_t lot;
	int64_t begin_ns;
	bool is_open;
	bool was_open;
	/* Of the last step, and of the last opening. */
	int64_t step_ns;
	struct itp_recorder_spent before;
	int64_t opened_ns;
	double opened_calls_ns;
	double opened_target_ns;
	/* CPU time of the programs in all windows before the one at hand. */
	double target_ns;
	/* In a nanosecond: CPU time of the programs, of what is always watched, and of system calls
	 * while they are; negative while not known. */
	double target;
	double others;
	double price;
};

struct itp_recorder_windows *itp_recorder_windows_new(double budget, GRand *random, int64_t now_ns)
{
	struct itp_recorder_windows *windows = g_new0(struct itp_recorder_windows, 1);

	windows->budget = budget;
	windows->random = random;
	windows->slots = 1;
	windows->begin_ns = now_ns;
	windows->step_ns = now_ns;
	windows->target = -1;
	windows->others = -1;
	windows->price = -1;
	return windows;
}

void itp_recorder_windows_free(struct itp_recorder_windows *windows)
{
	if (windows) {
		g_rand_free(windows->random);
		g_free(windows);
	}
}

static double all_calls_ns(const struct itp_recorder_spent *spent)
{
	return spent->calls_ns + spent->own_calls_ns;
}

static double all_others_ns(const struct itp_recorder_spent *spent)
{
	return spent->others_ns + spent->own_others_ns;
}

static double cost_ns(const struct itp_recorder_spent *spent)
{
	return all_calls_ns(spent) + all_others_ns(spent);
}

/* CPU time without the recording's addition. */
static double own_ns(const struct itp_recorder_spent *spent)
{
	return MAX(spent->target_ns - spent->calls_ns - spent->others_ns, 0);
}

double itp_recorder_spent_part(const struct itp_recorder_spent *spent)
{
	return own_ns(spent) > 0 ? cost_ns(spent) / own_ns(spent) : 0;
}

/* ---- Cost ---- */

static void learn(double *rate, double found, double part)
{
	*rate = *rate < 0 ? found : *rate + (found - *rate) * part;
}

static void learn_rates(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	const double length_ns = (double)(now_ns - windows->step_ns);

	if (length_ns > 0) {
		const double part = MIN(length_ns / MEMORY_NS, 1);

		learn(&windows->target, (own_ns(spent) - own_ns(&windows->before)) / length_ns,
		      part);
		learn(&windows->others,
		      (all_others_ns(spent) - all_others_ns(&windows->before)) / length_ns, part);
	}
	windows->step_ns = now_ns;
	windows->before = *spent;
}

static void learn_price(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	const double length_ns = (double)(now_ns - windows->opened_ns);

	if (length_ns > 0) {
		learn(&windows->price, (all_calls_ns(spent) - windows->opened_calls_ns) / length_ns,
		      PRICE_PART);
	}
}

/* Keeps the budget from now on, with an earlier excess paid back. */
static uint32_t choose_slots(const struct itp_recorder_windows *windows,
			     const struct itp_recorder_spent *spent)
{
	const double debt_ns = MAX(cost_ns(spent) - windows->budget * own_ns(spent), 0);
	const double left = windows->budget * MAX(windows->target, 0) - MAX(windows->others, 0) -
			    debt_ns / MEMORY_NS;

	if (windows->price <= 0) {
		return 1;
	}
	return left * ITP_RECORDER_MOST_SLOTS <= windows->price ?
		       ITP_RECORDER_MOST_SLOTS :
		       MAX((uint32_t)ceil(windows->price / left), 1);
}

double itp_recorder_windows_taken(const struct itp_recorder_windows *windows,
				  const struct itp_recorder_spent *spent)
{
	const double target_ns =
		windows->target_ns +
		(windows->is_open ? spent->target_ns - windows->opened_target_ns : 0);

	return target_ns > 0 ? CLAMP(spent->calls_ns / target_ns, 0, TAKEN_MOST) : 0;
}

/* ---- Slots ---- */

static int64_t end_of_slots(const struct itp_recorder_windows *windows)
{
	return windows->begin_ns + windows->slots * ITP_RECORDER_SLOT_NS;
}

static void begin_slots(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	windows->slots = choose_slots(windows, spent);
	windows->lot = (uint32_t)g_rand_int_range(windows->random, 0, (gint32)windows->slots);
	windows->begin_ns = now_ns;
	windows->was_open = false;
}

static void open_window(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	windows->is_open = true;
	windows->was_open = true;
	windows->opened_ns = now_ns;
	windows->opened_calls_ns = all_calls_ns(spent);
	windows->opened_target_ns = spent->target_ns;
}

static int64_t due_ns(const struct itp_recorder_windows *windows)
{
	if (windows->is_open) {
		return windows->opened_ns + ITP_RECORDER_SLOT_NS;
	}
	return windows->was_open ? end_of_slots(windows) :
				   windows->begin_ns + windows->lot * ITP_RECORDER_SLOT_NS;
}

int64_t itp_recorder_windows_delay(struct itp_recorder_windows *windows, int64_t now_ns)
{
	windows->opened_ns = now_ns;
	return due_ns(windows);
}

/* A window with a late begin lasts as long as any. */
struct itp_recorder_window itp_recorder_windows_step(struct itp_recorder_windows *windows,
						     int64_t now_ns,
						     const struct itp_recorder_spent *spent)
{
	learn_rates(windows, now_ns, spent);
	if (windows->is_open && now_ns >= due_ns(windows)) {
		learn_price(windows, now_ns, spent);
		windows->target_ns += spent->target_ns - windows->opened_target_ns;
		windows->is_open = false;
	}
	if (windows->was_open && !windows->is_open && now_ns >= end_of_slots(windows)) {
		begin_slots(windows, now_ns, spent);
	}
	if (!windows->was_open && now_ns >= due_ns(windows)) {
		open_window(windows, now_ns, spent);
	}
	return (struct itp_recorder_window){
		.is_open = windows->is_open,
		.one_in = windows->slots,
		.due_ns = due_ns(windows),
	};
}
