/* SPDX-License-Identifier: MIT */
/*
 * Where in the code of some functions the time of a recording went: stack events → addresses, and
 * what was seen there.
 *
 *   costs.c   stack events → costs of addresses
 *   lines.c   addresses → lines, by the debug data of a file
 *   instructions.c  addresses → instructions, where there is no debug data
 *   page.c    both, and the text of the lines → what there is to show of one function
 *
 * A profile holds functions and no addresses, so that the recording is read for this. Time on the
 * CPU is divided as the ticks of the timer say, and is as long as all threads together were on a
 * CPU by the switches of the recording; time off the CPU belongs to the stack with which a thread
 * left it. Where a recording has no ticks or no switches, a stretch between two stacks of a thread
 * belongs half to each of them, but all of it to the earlier one while the thread is in a system
 * call. Where it has ticks alone, nobody watched such stretches: a place takes the CPU time that
 * its ticks stand for, and no other. Nothing is inferred of calls: a function that came back and
 * was called again at the same place counts as if it had stayed.
 */
#ifndef ITP_SOURCE_COSTS_H
#define ITP_SOURCE_COSTS_H

#include <glib.h>

#include "common/base/function-table.h"
#include "common/base/stack-event.h"

enum itp_source_kind {
	/* All stacks with the function, wherever it was. */
	ITP_SOURCE_TOTAL,
	/* The function was the innermost one of the program, also where the kernel was at work for
	 * it. */
	ITP_SOURCE_OWN,
	/* It had called another one, or the kernel. */
	ITP_SOURCE_CALL,
};

struct itp_source_place {
	uint32_t function;
	enum itp_source_kind kind;
	/* As in struct itp_frame. */
	uint64_t address;
	bool is_exact;
	/* Of a call. */
	uint32_t callee;
	/* Ticks of the timer with this place in their stack, and what they stand for in the unit of
	 * the timer. */
	uint64_t ticks;
	uint64_t weight;
	/* Stretches with it in the stack, of all threads together, and those of them in which the
	 * thread was off the CPU. */
	int64_t stretches_ns;
	int64_t off_ns;
	/* Place with the same address, 0 for none, or the number of it plus 1. */
	guint next;
};

struct itp_source_costs;

/* Whether the costs of a function are wanted; asked once of each. */
typedef bool (*itp_source_filter)(const struct itp_function *function, void *data);

/* Of functions of the program and its libraries that `filter` wants. All is weak and must outlive
 * the result. */
struct itp_source_costs *itp_source_costs_new(const struct itp_function_table *functions,
					      itp_source_filter filter, void *data);
void itp_source_costs_free(struct itp_source_costs *costs);

/* The next event in the order of time. */
void itp_source_costs_push(struct itp_source_costs *costs, const struct itp_stack_event *event);

/* struct itp_source_place, in the order in which they were met. Weak. */
const GArray *itp_source_costs_places(const struct itp_source_costs *costs);

/* Whether stacks show what threads did between two ticks; time off the CPU is known only then. */
bool itp_source_costs_are_watched(const struct itp_source_costs *costs);

/* CPU time for which a weight stands; 0 where the recording does not tell when threads were on a
 * CPU, nor for how long a tick stands, or has no ticks. */
int64_t itp_source_costs_cpu_ns(const struct itp_source_costs *costs, uint64_t weight);

/* How long the place was in the stacks of all threads together. */
int64_t itp_source_costs_time_ns(const struct itp_source_costs *costs,
				 const struct itp_source_place *place);

#endif
