/* SPDX-License-Identifier: MIT */
/*
 * Numbers of struct itp_node_stats by name: their only list, from which merging, messages and the
 * formats are made. The histogram, which is no single number, is not among them. normalize.c and
 * gap.c fill them in; common/rank/scale.c scales them, each by name.
 */
#ifndef ITP_INFER_NODE_FIELDS_H
#define ITP_INFER_NODE_FIELDS_H

#include <stdbool.h>

#include "common/infer/node-stats.h"

/* X(name, member, type, merging), in the order of messages. Types are UNSIGNED and SIGNED, of 64
 * bits. What is merged by SUM is added; what is MIXED depends on other numbers. */
#define ITP_NODE_FIELDS(X)                                   \
	X(count, count, UNSIGNED, SUM)                       \
	X(total_ns, total_ns, SIGNED, SUM)                   \
	X(own_ns, own_ns, SIGNED, SUM)                       \
	X(lower_ns, lower_ns, SIGNED, SUM)                   \
	X(upper_ns, upper_ns, SIGNED, SUM)                   \
	X(min_ns, min_ns, SIGNED, MIXED)                     \
	X(max_ns, max_ns, SIGNED, MIXED)                     \
	X(square_sum_high, square_sum_high, UNSIGNED, MIXED) \
	X(square_sum_low, square_sum_low, UNSIGNED, MIXED)   \
	X(cpu_ns, use.cpu_ns, SIGNED, SUM)                   \
	X(blocked_ns, use.blocked_ns, SIGNED, SUM)           \
	X(runnable_ns, use.runnable_ns, SIGNED, SUM)         \
	X(own_cpu_ns, own_use.cpu_ns, SIGNED, SUM)           \
	X(own_blocked_ns, own_use.blocked_ns, SIGNED, SUM)   \
	X(own_runnable_ns, own_use.runnable_ns, SIGNED, SUM) \
	X(lost_count, lost_count, UNSIGNED, SUM)
/* Fields that came later to messages, behind the histogram. */
#define ITP_NODE_LATER_FIELDS(X)                             \
	X(max_count, max_count, UNSIGNED, SUM)               \
	X(samples, samples, UNSIGNED, SUM)                   \
	X(own_variance_us2, own_variance_us2, UNSIGNED, SUM) \
	X(counted_count, counted_count, UNSIGNED, SUM)       \
	X(part_count, part_count, UNSIGNED, SUM)             \
	X(shown_count, shown_count, UNSIGNED, SUM)           \
	X(count_variance, count_variance, UNSIGNED, SUM)     \
	X(wanted_ns, demand.wanted_ns, SIGNED, SUM)          \
	X(life_ns, demand.life_ns, SIGNED, SUM)              \
	X(passed_ns, demand.passed_ns, SIGNED, SUM)

#define ITP_NODE_FIELD_ID(name, member, type, merging) ITP_NODE_##name,

/* ITP_NODE_count and so on. */
enum itp_node_field {
	ITP_NODE_FIELDS(ITP_NODE_FIELD_ID)
	ITP_NODE_LATER_FIELDS(ITP_NODE_FIELD_ID) ITP_NODE_FIELD_COUNT
};

/* Name as in messages and in all formats. */
const char *itp_node_field_name(enum itp_node_field field);

/* True when `value` below is to be read as an int64_t. */
bool itp_node_field_is_signed(enum itp_node_field field);

/* Number as shown: the shortest latency is 0 without a call. */
uint64_t itp_node_field_value(const struct itp_node_stats *stats, enum itp_node_field field);

/* Adds the sums of `other`. */
void itp_node_fields_add(struct itp_node_stats *stats, const struct itp_node_stats *other);

#endif
