/* SPDX-License-Identifier: MIT */
/*
 * What late units of a type took longer than usual, in all, and in which contexts: what a person
 * who is woken by a guard wants to know first.
 *
 * What the stack of a late unit shows is taken to have gone on since the one before, and the last
 * one until the unit ended. From what was seen so in a context the time is taken that as many units
 * usually spend there: the median of the training, and of that the part which the training's
 * profile gives to the context (usual.h). What is left is excess. Contexts explain it that are as
 * deep as possible, do not overlap, and have much of it.
 */
#ifndef ITP_GUARD_EXCESS_H
#define ITP_GUARD_EXCESS_H

#include "common/guard/guard.h"

/* So many contexts are told of a type at most, each of which has this part of the excess. */
#define ITP_GUARD_REASONS_MOST 3
#define ITP_GUARD_REASON_LEAST 0.05

/* Where a late unit was at a moment. `stack` is weak. */
struct itp_guard_seen {
	/* Since it began. */
	int64_t after_ns;
	bool is_running;
	/* uint32_t: functions, root first. */
	const GArray *stack;
};

/* A context that explains a part of the excess. */
struct itp_guard_reason {
	/* uint32_t: functions from the loop's on, without the kernel's. Owned by this. */
	GArray *path;
	int64_t excess_ns;
	/* Of the excess of the type's units that were seen. */
	double part;
	/* Late units that were seen there; how long they were in all, and which part of that they
	 * ran. */
	uint64_t units;
	int64_t seen_ns;
	double running;
	/* How long a unit usually is there; -1: nobody knows. */
	int64_t usual_ns;
};

/* The late units of a type. */
struct itp_guard_excess_of_type {
	guint loop;
	guint type;
	uint64_t units;
	/* How long they took in all, and how much of that is excess. */
	int64_t taken_ns;
	int64_t excess_ns;
	/* Those of which there was a stack, and their excess, which the reasons explain. */
	uint64_t seen_units;
	int64_t seen_excess_ns;
	/* struct itp_guard_reason, the one that explains most first. Owned by this. */
	GArray *reasons;
};

struct itp_guard_excess;

/* Both are weak; the stacks' functions are those of `functions`. */
struct itp_guard_excess *itp_guard_excess_new(const struct itp_guard_file *file,
					      const struct itp_function_table *functions);
void itp_guard_excess_free(struct itp_guard_excess *excess);

/* How long a unit of the type usually takes; 0 where that is not known. */
int64_t itp_guard_typical_ns(const struct itp_guard_type *type);

/* A late unit has ended; of what it was seen to do the first comes first. */
void itp_guard_excess_add(struct itp_guard_excess *excess, guint loop, guint type, int64_t taken_ns,
			  const struct itp_guard_seen *seen, guint count);

/* struct itp_guard_excess_of_type of all types with late units, that with most excess first. Free
 * with g_array_unref(). */
GArray *itp_guard_excess_explain(const struct itp_guard_excess *excess);

#endif
