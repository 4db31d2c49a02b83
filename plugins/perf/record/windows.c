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

/* Spending that the budget holds: as a part of the programs' CPU time, in the programs alone; and
 * with the recorder's own process. */
enum scope {
	IN_PROGRAMS,
	IN_ALL,
	SCOPES
};

/* Least CPU time to which the budget applies, as a part of one CPU. */
static const double least_use[SCOPES] = {
	[IN_PROGRAMS] = ITP_RECORDER_LEAST_USE,
	[IN_ALL] = 1,
};

struct itp_recorder_windows {
	double budget;
	/* Begin of the recording on CLOCK_MONOTONIC. */
	int64_t start_ns;
	/* Owned by this. */
	GRand *random;
	/* Present slots: their number, the watched slot, their length in nanoseconds, and their
	 * begin on CLOCK_MONOTONIC. */
	uint32_t slots;
	uint32_t lot;
	int64_t slot_ns;
	int64_t begin_ns;
	/* Length of a window: a slot, or more while windows follow each other. */
	int64_t length_ns;
	/* Window is open; or was opened in the present slots. */
	bool is_open;
	bool was_open;
	/* A window was opened ever. Until then the recorder only prepares, busy all the time: that
	 * is no rate. */
	bool has_begun;
	/* Time and spending of the last step, and of the last opening. */
	int64_t step_ns;
	struct itp_recorder_spent before;
	int64_t opened_ns;
	double opened_calls_ns[SCOPES];
	double opened_target_ns;
	/* CPU time of the programs in all closed windows. */
	double target_ns;
	/* Rates, in nanoseconds of CPU time a nanosecond: of the programs, of events always
	 * watched, and of system calls in windows; negative while unknown. */
	double target;
	double others[SCOPES];
	double price[SCOPES];
	/* Part of others[IN_ALL]: the recorder's process outside windows. In windows, only the
	 * excess over `own` is due to system calls. */
	double own;
	/* CPU time to begin and to end a window; and of all edges until the last window's begin. */
	double edges;
	double began_edges_ns;
	/* Number of windows from which the price was learnt. */
	guint priced;
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
	windows->slot_ns = ITP_RECORDER_SLOT_NS;
	windows->start_ns = now_ns;
	windows->begin_ns = now_ns;
	windows->length_ns = ITP_RECORDER_SLOT_NS;
	windows->step_ns = now_ns;
	windows->priced_ns = now_ns;
	windows->edges_learnt_ns = now_ns;
	windows->target = -1;
	windows->edges = -1;
	for (guint i = 0; i < SCOPES; i++) {
		windows->others[i] = -1;
		windows->price[i] = -1;
	}
	return windows;
}

void itp_recorder_windows_free(struct itp_recorder_windows *windows)
{
	if (windows) {
		g_rand_free(windows->random);
		g_free(windows);
	}
}

static double calls_ns(const struct itp_recorder_spent *spent, enum scope scope)
{
	return spent->calls_ns +
	       (scope == IN_ALL ? spent->stranger_calls_ns + spent->own_calls_ns : 0);
}

static double others_ns(const struct itp_recorder_spent *spent, enum scope scope)
{
	return spent->others_ns +
	       (scope == IN_ALL ? spent->stranger_others_ns + spent->own_others_ns : 0);
}

/* Cost to be held below the budget. Learning of new code is left out: it comes once, and to watch
 * less saves nothing of it. */
static double running_cost_ns(const struct itp_recorder_spent *spent, enum scope scope)
{
	return calls_ns(spent, scope) + others_ns(spent, scope) +
	       (scope == IN_ALL ? spent->own_edges_ns : 0);
}

static double cost_ns(const struct itp_recorder_spent *spent)
{
	return running_cost_ns(spent, IN_ALL) + spent->own_learning_ns;
}

/* CPU time of the programs without the part added by recording. */
static double own_ns(const struct itp_recorder_spent *spent)
{
	return MAX(spent->target_ns - spent->calls_ns - spent->others_ns, 0);
}

/* CPU time to which the budget applies, in a recording of `length_ns`. */
static double base_ns(const struct itp_recorder_spent *spent, enum scope scope, int64_t length_ns)
{
	return MAX(own_ns(spent), least_use[scope] * (double)length_ns);
}

struct itp_recorder_spent_part itp_recorder_spent_part(const struct itp_recorder_spent *spent,
						       int64_t length_ns)
{
	const double of_ns = base_ns(spent, IN_ALL, length_ns);

	return (struct itp_recorder_spent_part){
		.part = of_ns > 0 ? cost_ns(spent) / of_ns : 0,
		.is_of_cpu = own_ns(spent) < of_ns,
	};
}

/* ---- Cost ---- */

/* Part of what is remembered of a rate that a measurement since `since_ns` replaces: rates are
 * means of the last second, or of all time before there is one. */
static double replaced_part(const struct itp_recorder_windows *windows, int64_t since_ns,
			    int64_t now_ns)
{
	const double memory_ns = MIN((double)(now_ns - windows->start_ns), MEMORY_NS);

	return memory_ns > 0 ? MIN((double)(now_ns - since_ns) / memory_ns, 1) : 1;
}

/* Moves a rate towards `found`; sets one that is unknown. */
static void move(double *rate, double found, double part)
{
	*rate = *rate < 0 ? found : *rate + (found - *rate) * part;
}

/* Learns rates since the last step: system calls were watched all the time, or not at all. */
static void learn_rates(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	const struct itp_recorder_spent *before = &windows->before;
	const double length_ns = (double)(now_ns - windows->step_ns);
	const double part = replaced_part(windows, windows->step_ns, now_ns);

	if (windows->has_begun && length_ns > 0) {
		if (!windows->is_open) {
			move(&windows->own,
			     (spent->own_others_ns - before->own_others_ns) / length_ns, part);
		}
		move(&windows->target, (own_ns(spent) - own_ns(before)) / length_ns, part);
		for (guint i = 0; i < SCOPES; i++) {
			const double own = windows->is_open && i == IN_ALL ? windows->own : 0;

			move(&windows->others[i],
			     (others_ns(spent, i) - others_ns(before, i)) / length_ns + own, part);
		}
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

/* The price is the mean of the first windows, but for the very first, which is dearer than others,
 * as each of its stacks is new. */
static void learn_price(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	const double length_ns = open_ns(windows, now_ns);
	double part;

	if (length_ns <= 0) {
		return;
	}
	windows->priced++;
	part = MAX(replaced_part(windows, windows->priced_ns, now_ns),
		   1.0 / MAX(windows->priced - 1, 1));
	for (guint i = 0; i < SCOPES; i++) {
		const double spent_ns = calls_ns(spent, i) - windows->opened_calls_ns[i];
		const double own = i == IN_ALL ? windows->own : 0;

		move(&windows->price[i], MAX(spent_ns / length_ns - own, 0), part);
	}
	windows->priced_ns = now_ns;
}

/* Highest N: 4, 16 and then 64, as the price is hardly known at first, and is learnt in windows. */
static uint32_t most_slots(const struct itp_recorder_windows *windows)
{
	uint32_t most = 1;

	for (guint i = 0; i < windows->priced && most < ITP_RECORDER_MOST_SLOTS; i++) {
		most *= 4;
	}
	return most;
}

/* N that holds the budget from now on, and pays for overspending. */
static uint32_t slots_for(const struct itp_recorder_windows *windows, enum scope scope,
			  int64_t now_ns, const struct itp_recorder_spent *spent)
{
	const double allowed_ns =
		windows->budget * base_ns(spent, scope, now_ns - windows->start_ns);
	const double debt_ns = MAX(running_cost_ns(spent, scope) - allowed_ns, 0);
	const double left = windows->budget * MAX(windows->target, least_use[scope]) -
			    MAX(windows->others[scope], 0) - debt_ns / MEMORY_NS;
	const double edges = scope == IN_ALL ? MAX(windows->edges, 0) : 0;
	const double window = windows->price[scope] + edges / (double)windows->slot_ns;
	const uint32_t most = most_slots(windows);

	if (windows->price[scope] <= MAX(left, 0)) {
		return 1;
	}
	return left * most <= window ? most : (uint32_t)ceil(window / left);
}

static uint32_t choose_slots(const struct itp_recorder_windows *windows, int64_t now_ns,
			     const struct itp_recorder_spent *spent)
{
	return MAX(slots_for(windows, IN_PROGRAMS, now_ns, spent),
		   slots_for(windows, IN_ALL, now_ns, spent));
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
	       (windows->slots == 1 ? windows->length_ns : windows->slots * windows->slot_ns);
}

/* Of what windows cost, edges are to take about half at most: then at least half as much is watched
 * as if there were none. Slots no longer than that are many, and tell of more different times; and
 * where the budget allows none at all, the few that there are all the same become shorter. */
static void fit_slot(struct itp_recorder_windows *windows)
{
	const double watched_ns = windows->price[IN_ALL] * (double)windows->slot_ns;
	const bool is_dear = windows->slots >= most_slots(windows);

	if (is_dear || 4 * windows->edges < watched_ns) {
		windows->slot_ns = MAX(windows->slot_ns / 2, ITP_RECORDER_SLOT_NS);
	} else if (windows->edges > watched_ns) {
		windows->slot_ns = MIN(2 * windows->slot_ns, ITP_RECORDER_LONGEST_NS);
	}
}

static void begin_slots(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent)
{
	const bool was_all = windows->slots == 1;

	fit_slot(windows);
	windows->slots = choose_slots(windows, now_ns, spent);
	windows->length_ns = was_all && windows->slots == 1 ?
				     MIN(2 * windows->length_ns, ITP_RECORDER_LONGEST_NS) :
				     windows->slot_ns;
	windows->lot = (uint32_t)g_rand_int_range(windows->random, 0, (gint32)windows->slots);
	windows->begin_ns = now_ns;
	windows->was_open = false;
}

static void open_window(struct itp_recorder_windows *windows, int64_t now_ns,
			const struct itp_recorder_spent *spent, bool goes_on)
{
	if (!goes_on && spent->own_edges_ns > 0) {
		move(&windows->edges, spent->own_edges_ns - windows->began_edges_ns,
		     replaced_part(windows, windows->edges_learnt_ns, now_ns));
		windows->edges_learnt_ns = now_ns;
		windows->began_edges_ns = spent->own_edges_ns;
	}
	windows->is_open = true;
	windows->was_open = true;
	windows->has_begun = true;
	windows->opened_ns = now_ns;
	for (guint i = 0; i < SCOPES; i++) {
		windows->opened_calls_ns[i] = calls_ns(spent, i);
	}
	windows->opened_target_ns = spent->target_ns;
}

static int64_t due_ns(const struct itp_recorder_windows *windows)
{
	if (windows->is_open) {
		return windows->opened_ns + windows->length_ns;
	}
	return windows->was_open ? end_of_slots(windows) :
				   windows->begin_ns + windows->lot * windows->slot_ns;
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
