/* SPDX-License-Identifier: MIT */
/*
 * Habits of functions, and the parts of a gap made from them.
 */
#include "common/infer/gap.h"

struct habit {
	/* Ticks that found it innermost, and gaps in which it was innermost. */
	uint32_t samples;
	uint32_t gaps;
};

struct itp_gap {
	/* struct habit by function. Owned by this. */
	GArray *habits;
	struct itp_moment from;
	struct itp_moment to;
	bool is_by_timer;
	/* Relative length of each part, with room for one more. Owned by this. */
	double *parts;
	guint part_count;
	guint room;
	/* Sums of all parts, and of the parts before the next change. */
	double whole;
	double passed;
	guint next;
};

struct itp_gap *itp_gap_new(void)
{
	struct itp_gap *gap = g_new0(struct itp_gap, 1);

	gap->habits = g_array_new(FALSE, TRUE, sizeof(struct habit));
	gap->room = 64;
	gap->parts = g_new(double, gap->room);
	return gap;
}

void itp_gap_free(struct itp_gap *gap)
{
	if (!gap) {
		return;
	}
	g_array_free(gap->habits, TRUE);
	g_free(gap->parts);
	g_free(gap);
}

static struct habit *habit_of(struct itp_gap *gap, uint32_t function)
{
	if (function >= gap->habits->len) {
		g_array_set_size(gap->habits, function + 1);
	}
	return &g_array_index(gap->habits, struct habit, function);
}

void itp_gap_learn(struct itp_gap *gap, uint32_t function)
{
	habit_of(gap, function)->samples++;
}

void itp_gap_begin(struct itp_gap *gap, const struct itp_moment *from, const struct itp_moment *to,
		   bool by_timer)
{
	gap->from = *from;
	gap->to = *to;
	gap->is_by_timer = by_timer;
	gap->part_count = 0;
	gap->whole = 0;
	gap->passed = 0;
	gap->next = 0;
}

void itp_gap_add_part(struct itp_gap *gap, double part)
{
	gap->parts[gap->part_count++] = part;
	gap->whole += part;
	if (gap->part_count == gap->room) {
		gap->room *= 2;
		gap->parts = g_renew(double, gap->parts, gap->room);
	}
}

void itp_gap_add(struct itp_gap *gap, uint32_t function)
{
	struct habit *habit;

	if (!gap->is_by_timer) {
		itp_gap_add_part(gap, 1);
		return;
	}
	habit = habit_of(gap, function);
	/* Nothing is ever certain: as if each had been seen once more in one gap more. */
	itp_gap_add_part(gap, ((double)habit->samples + 1) / ((double)habit->gaps + 1));
	habit->gaps++;
}

/* Passed part of `whole`. */
static int64_t passed_of(double part, int64_t whole_ns)
{
	return (int64_t)(part * (double)whole_ns);
}

struct itp_moment itp_gap_next(struct itp_gap *gap)
{
	struct itp_moment change = gap->from;
	struct itp_time_use use = gap->to.use;
	struct itp_time_use passed;
	int64_t unknown_ns;
	double part;

	gap->passed += gap->parts[gap->next++];
	part = gap->whole > 0 ? MIN(gap->passed / gap->whole, 1) : 1;
	itp_time_use_add(&use, &gap->from.use, -1);
	unknown_ns =
		gap->to.time_ns - gap->from.time_ns - use.cpu_ns - use.blocked_ns - use.runnable_ns;
	passed.cpu_ns = passed_of(part, use.cpu_ns);
	passed.blocked_ns = passed_of(part, use.blocked_ns);
	passed.runnable_ns = passed_of(part, use.runnable_ns);
	itp_time_use_add(&change.use, &passed, 1);
	/* However it is rounded, no use of a span is longer than the span. */
	change.time_ns += passed.cpu_ns + passed.blocked_ns + passed.runnable_ns +
			  passed_of(part, unknown_ns);
	return change;
}
