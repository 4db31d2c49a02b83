/* SPDX-License-Identifier: MIT */
/*
 * Critical paths of several symptoms as one chain: the symptoms' thread, the threads that it mostly
 * waited for, the threads that those waited for, and on to the end.
 *
 * A step names the innermost function with most of its time (a third is enough below a function
 * with all of it), else the function with the largest part. The next step is about the waits in it.
 */
#ifndef ITP_WAIT_CHAIN_H
#define ITP_WAIT_CHAIN_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/instance.h"
#include "common/wait/critical-path.h"

struct itp_unit_log;

/* A history, and the meaning of its contexts. All weak. */
struct itp_recall {
	const struct itp_history *history;
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* All units of work, and by type (guint) its number in the profile's units; NULL where
	 * nobody looked for units. */
	const struct itp_unit_log *units;
	const GArray *unit_numbers;
};

/* End of the larger part of a step's waiting. */
enum itp_chain_end {
	/* The step waited for less than a fifth of its time. */
	ITP_CHAIN_END_RAN,
	/* Threads ended it: the next step tells of them. */
	ITP_CHAIN_END_FOLLOWED,
	/* The kernel ended it, for `reason`. */
	ITP_CHAIN_END_KERNEL,
	/* Time ended it: a sleep. */
	ITP_CHAIN_END_TIME,
	/* Somebody ended it of whom the recording has nothing. */
	ITP_CHAIN_END_UNSEEN,
};

/* Functions belong to the table; NULL where nothing is known. */
struct itp_chain_step {
	/* Root of the step's process, and the function. */
	const struct itp_function *process;
	const struct itp_function *function;
	/* Nearest caller of the function that can be named. */
	const struct itp_function *caller;
	/* Thread of all of its time; 0 for several. */
	int32_t tid;
	/* Time for which the step held up the symptoms, and the part of it in the function. */
	int64_t span_ns;
	int64_t inside_ns;
	/* Use of inside_ns. */
	struct itp_time_use use;
	/* Place of most of the blocked time: a system call, or a function without any. */
	const struct itp_function *blocked_in;
	enum itp_chain_end end;
	/* Part of the blocked time with the end `end`. */
	int64_t end_ns;
	/* `kernel:CAUSE`. */
	const struct itp_function *reason;
};

/* Chain of `symptoms` (struct itp_symptom): a GArray of struct itp_chain_step, empty when nothing
 * is known of any of them. Free with g_array_unref(). */
GArray *itp_chain(const struct itp_recall *recall, const GArray *symptoms);

#endif
