/* SPDX-License-Identifier: MIT */
/*
 * Time of a recording in the code of some functions: stack events → addresses with their costs.
 * Lines of addresses are left to lines.h.
 *
 * A profile holds functions without addresses: costs are read from the recording. Time on the CPU
 * is divided by the ticks of the timer, and sums up to the time of all threads on a CPU, as
 * switches tell; blocked time belongs to the stack with which a thread left the CPU; waiting for a
 * CPU, which says nothing about the code, is kept apart. Without ticks,
 * or without switches, a stretch between two stacks of a thread belongs half to each of them, but
 * all of it to the earlier one while the thread is in a system call. With ticks alone, nobody
 * watched stretches: a place takes only the CPU time of its ticks. Calls are not inferred: a
 * function that came back and was called again at the same place counts as if it had stayed.
 */
#ifndef ITP_SOURCE_COSTS_H
#define ITP_SOURCE_COSTS_H

#include <glib.h>

#include "common/base/function-table.h"
#include "common/base/stack-event.h"

enum itp_source_kind {
	/* All stacks with the function, at any depth. */
	ITP_SOURCE_TOTAL,
	/* The function was the program's innermost one, perhaps with the kernel at work for it. */
	ITP_SOURCE_OWN,
	/* The function had called another one, or the kernel. */
	ITP_SOURCE_CALL,
};

struct itp_source_place {
	uint32_t function;
	enum itp_source_kind kind;
	/* Members of struct itp_frame. */
	uint64_t address;
	bool is_exact;
	/* Function called, of a call. */
	uint32_t callee;
	/* Ticks of the timer with this place in their stack, and the sum of their weights, in the
	 * timer's unit. */
	uint64_t ticks;
	uint64_t weight;
	/* Time of stretches with the place in the stack, of all threads together, and the part off
	 * the CPU; waiting for a CPU is in neither. */
	int64_t stretches_ns;
	int64_t off_ns;
	int64_t waiting_ns;
	/* Next place with the same address: its number plus 1; 0 for none. */
	guint next;
};

struct itp_source_costs;

/* True when the costs of a function are wanted; asked once for each function. */
typedef bool (*itp_source_filter)(const struct itp_function *function, void *data);

/* Costs of functions of the program and its libraries wanted by `filter`. All arguments are weak
 * and must outlive the result. */
struct itp_source_costs *itp_source_costs_new(const struct itp_function_table *functions,
					      itp_source_filter filter, void *data);
void itp_source_costs_free(struct itp_source_costs *costs);

/* Takes the next event, in the order of time. */
void itp_source_costs_push(struct itp_source_costs *costs, const struct itp_stack_event *event);

/* struct itp_source_place, in the order of their first stack. Weak. */
const GArray *itp_source_costs_places(const struct itp_source_costs *costs);

/* True when stacks show threads between two ticks; otherwise time off the CPU is unknown. */
bool itp_source_costs_are_watched(const struct itp_source_costs *costs);

/* CPU time for which a weight stands; 0 without ticks, or when neither the times of threads on a
 * CPU nor the length of a tick is recorded. */
int64_t itp_source_costs_cpu_ns(const struct itp_source_costs *costs, uint64_t weight);

/* True when it is known for how much CPU time a tick stands. */
bool itp_source_costs_have_times(const struct itp_source_costs *costs);

/* Time of the place in the stacks of all threads together, without waiting for a CPU. */
int64_t itp_source_costs_time_ns(const struct itp_source_costs *costs,
				 const struct itp_source_place *place);

#endif
