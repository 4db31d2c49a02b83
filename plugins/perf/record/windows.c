/* SPDX-License-Identifier: MIT */
/*
 * See windows.h.
 */
#include "plugins/perf/record/windows.h"

#include <math.h>

/* Memory of rates, in nanoseconds: about the last second, as a server's load changes in seconds.
 * Overspending is saved within the next second. */
#define MEMORY_NS 1e9

/* Highest part of the programs' CPU time told as taken: measured by ticks, and some is always left.
 */
#define TAKEN_MOST 0.9

struct itp_recorder_windows {
	double budget;
	/* Owned by this. */
	GRand *random;
	/* Present slots: their number, the watched slot, and their begin on CLOCK_MONOTONIC. */
	uint32_t slots;
	uint32_t lot;
	int64_t begin_ns;
	/* Length of a window: a slot, or more while windows follow each other. */
	int64_t length_ns;
	/* Window is open; or was opened in the present slots. */
	bool is_open;
	bool was_open;
	/* Time and spending of the last step, and of the last opening. */
	int64_t step_ns;
	struct itp_recorder_spent before;
	int64_t opened_ns;
	double opened_calls_ns;
	double opened_target_ns;
	/* CPU time of the programs in all closed windows. */
	double target_ns;
	/* Rates, in nanoseconds of CPU time a nanosecond: of the programs, of events always
	 * watched, and of system calls in windows; negative while unknown. */
	double target;
	double others;
	double price;
	/* Part of `others`: the recorder's process outside windows. In windows, only the excess
	 * over `own` is due to system calls. */
	double own;
	/* CPU time to begin and to end a window; and of all edges until the last window's begin. */
	double edges;
	double began_edges_ns;
	/* Times at which price and edges were learnt last. */
	int64_t priced_ns;
	int64_t edges_learnt_ns;
};

struct itp_recorder_windows *itp_recorder_windows_new(double budget, GRand *random, int64_t now_ns)
{
	struct itp_recorder_windows *windows = g_new0(struct itp_recorder_windows, 1);

	windows->budget = budget;
	windows->random = random;
	windows->slots = 1;
	windows->begin_ns = now_ns;
	windows->length_ns = ITP_RECORDER_SLOT_NS;
	windows->step_ns = now_ns;
	windows->priced_ns = now_ns;
	windows->edges_learnt_ns = now_ns;
	windows->target = -1;
	windows->others = -1;
	windows->price = -1;
	windows->edges = -1;
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
	return spent->others_ns + spent->own_learning_ns + spent->own_others_ns;
}

static double cost_ns(const struct itp_recorder_spent *spent)
{
	return all_calls_ns(spent) + spent->own_edges_ns + all_others_ns(spent);
}

/* CPU time of the programs without the part added by recording. */
static double own_ns(const struct itp_recorder_spent *spent)
{
	return MAX(spent->target_ns - spent->calls_ns - spent->others_ns, 0);
}

double itp_recorder_spent_part(const struct itp_recorder_spent *spent)
{
	return own_ns(spent) > 0 ? cost_ns(spent) / own_ns(spent) : 0;
}

/* ---- Cost ---- */

/* Moves a rate towards `found`, measured from *since_ns until now; *since_ns becomes now. */
static void learn(double *rate, double found, int64_t *since_ns, int64_t now_ns)
{
	const double part = MIN((double)(now_ns - *since_ns) / MEMORY_NS, 1);

	*rate = *rate < 0 ? found : *rate + (found - *rate) * part;
	*since_ns = now_ns;
}

/* Learns rates since the last step: system calls were watched all the time, or not at all. */
static void learn_rates(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	const struct itp_recorder_spent *before = &windows->before;
	const double length_ns = (double)(now_ns - windows->step_ns);
	int64_t since_ns = windows->step_ns;
	double others_ns = all_others_ns(spent) - all_others_ns(before);

	if (length_ns > 0) {
		if (windows->is_open) {
			others_ns += windows->own * length_ns;
		} else {
			learn(&windows->own,
			      (spent->own_others_ns - before->own_others_ns) / length_ns, &since_ns,
			      now_ns);
			since_ns = windows->step_ns;
		}
		learn(&windows->target, (own_ns(spent) - own_ns(before)) / length_ns, &since_ns,
		      now_ns);
		learn(&windows->others, others_ns / length_ns, &windows->step_ns, now_ns);
	}
	windows->step_ns = now_ns;
	windows->before = *spent;
}

/* Nanoseconds of a window until now. A drawn one ends when due, however late anybody looks. */
static double open_ns(const struct itp_recorder_windows *windows, int64_t now_ns)
{
	const int64_t length_ns = now_ns - windows->opened_ns;

	return (double)(windows->slots == 1 ? length_ns : MIN(length_ns, windows->length_ns));
}

/* CPU time of the programs in a window until now. */
static double open_target_ns(const struct itp_recorder_windows *windows, int64_t now_ns,
			     const struct itp_recorder_spent *spent)
{
	const double length_ns = (double)(now_ns - windows->opened_ns);

	return (spent->target_ns - windows->opened_target_ns) *
	       (length_ns > 0 ? open_ns(windows, now_ns) / length_ns : 1);
}

static void learn_price(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	const double length_ns = open_ns(windows, now_ns);
	const double calls_ns = all_calls_ns(spent) - windows->opened_calls_ns;

	if (length_ns > 0) {
		learn(&windows->price, MAX(calls_ns / length_ns - windows->own, 0),
		      &windows->priced_ns, now_ns);
	}
}

/* N that holds the budget from now on, and pays for overspending. */
static uint32_t choose_slots(const struct itp_recorder_windows *windows,
			     const struct itp_recorder_spent *spent)
{
	const double debt_ns = MAX(cost_ns(spent) - windows->budget * own_ns(spent), 0);
	const double left = windows->budget * MAX(windows->target, 0) - MAX(windows->others, 0) -
			    debt_ns / MEMORY_NS;
	const double window = windows->price + MAX(windows->edges, 0) / ITP_RECORDER_SLOT_NS;

	if (windows->price <= MAX(left, 0)) {
		return 1;
	}
	return left * ITP_RECORDER_MOST_SLOTS <= window ? ITP_RECORDER_MOST_SLOTS :
							  (uint32_t)ceil(window / left);
}

double itp_recorder_windows_taken(const struct itp_recorder_windows *windows,
				  const struct itp_recorder_spent *spent)
{
	const double target_ns =
		windows->target_ns +
		(windows->is_open ? open_target_ns(windows, windows->step_ns, spent) : 0);

	return target_ns > 0 ? CLAMP(spent->calls_ns / target_ns, 0, TAKEN_MOST) : 0;
}

/* ---- Slots ---- */

static int64_t end_of_slots(const struct itp_recorder_windows *windows)
{
	return windows->begin_ns +
	       (windows->slots == 1 ? windows->length_ns : windows->slots * ITP_RECORDER_SLOT_NS);
}

static void begin_slots(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	const bool was_all = windows->slots == 1;

	windows->slots = choose_slots(windows, spent);
	windows->length_ns = was_all && windows->slots == 1 ?
				     MIN(2 * windows->length_ns, ITP_RECORDER_LONGEST_NS) :
				     ITP_RECORDER_SLOT_NS;
	windows->lot = (uint32_t)g_rand_int_range(windows->random, 0, (gint32)windows->slots);
	windows->begin_ns = now_ns;
	windows->was_open = false;
}

static void open_window(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent, bool goes_on)
{
	if (!goes_on && spent->own_edges_ns > 0) {
		learn(&windows->edges, spent->own_edges_ns - windows->began_edges_ns,
		      &windows->edges_learnt_ns, now_ns);
		windows->began_edges_ns = spent->own_edges_ns;
	}
	windows->is_open = true;
	windows->was_open = true;
	windows->opened_ns = now_ns;
	windows->opened_calls_ns = all_calls_ns(spent);
	windows->opened_target_ns = spent->target_ns;
}

static int64_t due_ns(const struct itp_recorder_windows *windows)
{
	if (windows->is_open) {
		return windows->opened_ns + windows->length_ns;
	}
	return windows->was_open ? end_of_slots(windows) :
				   windows->begin_ns + windows->lot * ITP_RECORDER_SLOT_NS;
}

int64_t itp_recorder_windows_delay(struct itp_recorder_windows *windows, int64_t now_ns)
{
	windows->opened_ns = now_ns;
	return due_ns(windows);
}

/* A window begun late lasts as long as any. */
struct itp_recorder_window itp_recorder_windows_step(struct itp_recorder_windows *windows,
						     int64_t now_ns,
						     const struct itp_recorder_spent *spent)
{
	const bool was_open = windows->is_open;

	learn_rates(windows, now_ns, spent);
	if (windows->is_open && now_ns >= due_ns(windows)) {
		learn_price(windows, now_ns, spent);
		windows->target_ns += open_target_ns(windows, now_ns, spent);
		windows->is_open = false;
	}
	if (windows->was_open && !windows->is_open && now_ns >= end_of_slots(windows)) {
		begin_slots(windows, now_ns, spent);
	}
	if (!windows->was_open && now_ns >= due_ns(windows)) {
		open_window(windows, now_ns, spent, was_open);
	}
	return (struct itp_recorder_window){
		.is_open = windows->is_open,
		.one_in = windows->slots,
		.due_ns = due_ns(windows),
	};
}
