/* SPDX-License-Identifier: MIT */
/*
 * Units added up as they come, in groups without any difference that could tell types apart: loop,
 * sets of call paths, contexts of ticks, class of CPU time, and classes of bytes sent and got by
 * clients. All numbers of a type follow from its groups, for any division into types.
 *
 * Memory is bounded: with many groups, a unit of no existing group is grouped without its sizes,
 * then without its ticks, then without its CPU time.
 */
#ifndef ITP_UNIT_GROUPS_H
#define ITP_UNIT_GROUPS_H

#include "common/infer/latencies.h"
#include "common/infer/slowest.h"
#include "common/unit/path-sets.h"
#include "common/unit/signals.h"
#include "common/unit/succession.h"
#include "common/unit/unit.h"

/* Classes of CPU time are half an octave wide; the first has units with a time of 0. */
#define ITP_CPU_CLASS_NONE 0
#define ITP_CPU_CLASSES 128

/* Most groups with sizes, with ticks, and with a class of CPU time. */
#define ITP_GROUPS_WITH_SIZES (1u << 11)
#define ITP_GROUPS_WITH_TICKS (1u << 12)
#define ITP_GROUPS_WITH_CLASS (1u << 14)

/* Most ticks of a unit in one context that count: another says little, and long units would all be
 * groups of their own. */
#define ITP_TICKS_OF_CONTEXT 4

/* A group of units. Its number is its node in the latencies. */
struct itp_unit_group {
	uint32_t loop;
	uint32_t wait;
	/* Ids of the sets of its call paths, as units have them, and of the set of its ticks' marks
	 * (itp_unit_groups_ticks()). */
	uint32_t paths;
	uint32_t asking_paths;
	uint32_t ticks;
	guint cpu_class;
	/* Classes of bytes sent and got by clients (sizes.h); ITP_SIZE_UNKNOWN. */
	guint asked_class;
	guint answered_class;
	uint64_t count;
	uint64_t looked_for;
	bool is_of_coroutine;
	int64_t total_ns;
	double square_sum;
	int64_t min_ns;
	int64_t max_ns;
	/* Times at which its units came. */
	struct itp_moments moments;
	struct itp_time_use use;
	/* Sums over units of latency times time spent on a CPU, blocked and runnable, in ns². */
	double cpu_products;
	double blocked_products;
	double runnable_products;
	/* Sums over units. */
	struct itp_talk talk;
	/* Sum of the squares of latencies without waits for a CPU, in ns². */
	double work_square_sum;
};

struct itp_unit_groups;

struct itp_unit_groups *itp_unit_groups_new(void);
void itp_unit_groups_free(struct itp_unit_groups *groups);

/* Adds a unit to its group, and returns the group's number. */
guint itp_unit_groups_add(struct itp_unit_groups *groups, const struct itp_unit *unit);

guint itp_unit_groups_count(const struct itp_unit_groups *groups);
/* Weak; valid until a unit is added. */
const struct itp_unit_group *itp_unit_groups_at(const struct itp_unit_groups *groups, guint group);

/* Marks of the ticks of each unit of a group, ascending. Weak. */
const uint32_t *itp_unit_groups_ticks(const struct itp_unit_groups *groups, guint group,
				      size_t *ret_count);

/* Context of a tick. */
static inline uint32_t itp_tick_node(uint32_t mark)
{
	return mark / ITP_TICKS_OF_CONTEXT;
}

/* Latencies of units, slowest units, and signallers, by group. Weak. */
const struct itp_latencies *itp_unit_groups_latencies(const struct itp_unit_groups *groups);
const struct itp_slowest *itp_unit_groups_slowest(const struct itp_unit_groups *groups);
const struct itp_unit_signals *itp_unit_groups_signals(const struct itp_unit_groups *groups);

#endif
