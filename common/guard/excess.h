/* SPDX-License-Identifier: MIT */
/*
 * Excess of late units of a type, the time beyond the usual: in all, and by context. A person woken
 * by a guard wants to know it first.
 *
 * The stack of a late unit is taken to have gone on since the stack before, and the last stack
 * until the unit's end. The usual time of a context is the training's median of the type times the
 * part of the context in the training's profile (usual.h). The time seen there, less the usual time
 * of all units with a stack, is its excess. Contexts explain the excess if they are deep, do not
 * overlap, and have much of it.
 */
#ifndef ITP_GUARD_EXCESS_H
#define ITP_GUARD_EXCESS_H

#include "common/guard/guard.h"

/* Reasons told of a type, at most, and the part of the excess that each has at least. */
#define ITP_GUARD_REASONS_MOST 3
#define ITP_GUARD_REASON_LEAST 0.05

/* A late unit at a moment. `stack` is weak. */
struct itp_guard_seen {
	/* Since the unit's begin. */
	int64_t after_ns;
	bool is_running;
	/* uint32_t: functions, root first. */
	const GArray *stack;
};

/* A context with a part of the excess. */
struct itp_guard_reason {
	/* uint32_t: functions from the loop's on, without the kernel's. Owned by this. */
	GArray *path;
	int64_t excess_ns;
	/* Part of the excess of the type's units with a stack. */
	double part;
	/* Late units seen in the context; their time in it, and the part of the time in which they
	 * ran. */
	uint64_t units;
	int64_t seen_ns;
	double running;
	/* Usual time of a unit in the context; -1 when unknown. */
	int64_t usual_ns;
};

/* The late units of a type. */
struct itp_guard_excess_of_type {
	guint loop;
	guint type;
	uint64_t units;
	/* Time of all of them, and its excess. */
	int64_t taken_ns;
	int64_t excess_ns;
	/* Units with a stack, and their excess, explained by the reasons. */
	uint64_t seen_units;
	int64_t seen_excess_ns;
	/* struct itp_guard_reason, the largest excess first. Owned by this. */
	GArray *reasons;
};

struct itp_guard_excess;

/* Both are weak; functions of stacks are in `functions`. */
struct itp_guard_excess *itp_guard_excess_new(const struct itp_guard_file *file,
					      const struct itp_function_table *functions);
void itp_guard_excess_free(struct itp_guard_excess *excess);

/* Usual time of a unit of the type, in nanoseconds; 0 when unknown. */
int64_t itp_guard_typical_ns(const struct itp_guard_type *type);

/* Takes a late unit at its end, with its sightings in the order of time. */
void itp_guard_excess_add(struct itp_guard_excess *excess, guint loop, guint type, int64_t taken_ns,
			  const struct itp_guard_seen *seen, guint count);

/* struct itp_guard_excess_of_type of all types with late units, the largest excess first. Free with
 * g_array_unref(). */
GArray *itp_guard_excess_explain(const struct itp_guard_excess *excess);

#endif
