/* SPDX-License-Identifier: MIT */
/*
 * Units added up as they come, in groups that differ in nothing that could tell their types apart:
 * the loop, the set of call paths, the contexts in which ticks found them, the class of their CPU
 * time, and those of what their clients sent and got. So all numbers of a type follow from its
 * groups, whichever these will be.
 *
 * Memory is bounded: when there are many groups, units that belong to none of them are grouped
 * without what clients sent and got, then without their ticks, then without their CPU time.
 */
#ifndef ITP_UNIT_GROUPS_H
#define ITP_UNIT_GROUPS_H

#include "common/infer/latencies.h"
#include "common/infer/slowest.h"
#include "common/unit/path-sets.h"
#include "common/unit/signals.h"
#include "common/unit/succession.h"
#include "common/unit/unit.h"

/* Two classes of CPU time are half an octave apart; this is that of units whose time is 0. */
#define ITP_CPU_CLASS_NONE 0
#define ITP_CPU_CLASSES 128

/* So many groups know their sizes, so many their ticks, and so many their CPU time. */
#define ITP_GROUPS_WITH_SIZES (1u << 11)
#define ITP_GROUPS_WITH_TICKS (1u << 12)
#define ITP_GROUPS_WITH_CLASS (1u << 14)

/* So many ticks of a unit in one context count: one more says little, and long units would all be
 * groups of their own. */
#define ITP_TICKS_OF_CONTEXT 4

/* The node of a group's latencies is its number. */
struct itp_unit_group {
	uint32_t loop;
	uint32_t wait;
	/* Ids of the set of its call paths, as units have it, and of that of the marks of its
	 * ticks (itp_unit_groups_ticks()). */
	uint32_t paths;
	uint32_t ticks;
	guint cpu_class;
	/* Of what clients sent and got (sizes.h), ITP_SIZE_UNKNOWN. */
	guint asked_class;
	guint answered_class;
	uint64_t count;
	uint64_t looked_for;
	bool is_of_coroutine;
	int64_t total_ns;
	double square_sum;
	int64_t min_ns;
	int64_t max_ns;
	/* When its units came. */
	struct itp_moments moments;
	struct itp_time_use use;
	/* Sums over its units of the product of how long a unit took, in nanoseconds, and how much
	 * of that it spent so. */
	double cpu_products;
	double blocked_products;
	double runnable_products;
	/* Sums over its units. */
	struct itp_talk talk;
	/* Of the squares of what they took, without what they waited for a CPU. */
	double work_square_sum;
};

struct itp_unit_groups;

struct itp_unit_groups *itp_unit_groups_new(void);
void itp_unit_groups_free(struct itp_unit_groups *groups);

/* The number of the unit's group, to which it is added. */
guint itp_unit_groups_add(struct itp_unit_groups *groups, const struct itp_unit *unit);

guint itp_unit_groups_count(const struct itp_unit_groups *groups);
/* Weak; valid until a unit is added. */
const struct itp_unit_group *itp_unit_groups_at(const struct itp_unit_groups *groups, guint group);

/* The ticks of each unit of a group, as marks, ascending. Weak. */
const uint32_t *itp_unit_groups_ticks(const struct itp_unit_groups *groups, guint group,
				      size_t *ret_count);

/* The context of a tick. */
static inline uint32_t itp_tick_node(uint32_t mark)
{
	return mark / ITP_TICKS_OF_CONTEXT;
}

/* How long units took, the slowest ones, and who began them, by group. Weak. */
const struct itp_latencies *itp_unit_groups_latencies(const struct itp_unit_groups *groups);
const struct itp_slowest *itp_unit_groups_slowest(const struct itp_unit_groups *groups);
const struct itp_unit_signals *itp_unit_groups_signals(const struct itp_unit_groups *groups);

#endif
