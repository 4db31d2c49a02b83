/* SPDX-License-Identifier: MIT */
/*
 * The critical paths of several symptoms as one chain: the thread itself, those that it mostly
 * waited for, those that these waited for, and so on to the end.
 *
 * A step names the innermost function in which most of its time was (a third will do below one that
 * had all of it), or else the one with most. What is in its waits is what the next step is about.
 */
#ifndef ITP_WAIT_CHAIN_H
#define ITP_WAIT_CHAIN_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/instance.h"
#include "common/wait/critical-path.h"

struct itp_unit_log;

/* A history with what its contexts mean. All weak. */
struct itp_recall {
	const struct itp_history *history;
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* All units of work, and by type (guint) the number of that in the profile's units; NULL
	 * where nobody looked for units. */
	const struct itp_unit_log *units;
	const GArray *unit_numbers;
};

/* How a step's waiting ended, for the larger part. */
enum itp_chain_end {
	/* It did not wait for a fifth of its time. */
	ITP_CHAIN_END_RAN,
	/* By threads, of which the next step tells. */
	ITP_CHAIN_END_FOLLOWED,
	/* By the kernel, for `reason`. */
	ITP_CHAIN_END_KERNEL,
	/* By time: it slept. */
	ITP_CHAIN_END_TIME,
	/* By somebody of whom the recording has nothing. */
	ITP_CHAIN_END_UNSEEN,
};

/* Functions are the table's, and NULL where nothing is known. */
struct itp_chain_step {
	/* The root of its process, and the function. */
	const struct itp_function *process;
	const struct itp_function *function;
	/* The nearest of its callers that can be named. */
	const struct itp_function *caller;
	/* The one thread whose time it is; 0 of several. */
	int32_t tid;
	/* How long the symptoms were held up by this step, and how long in the function. */
	int64_t span_ns;
	int64_t inside_ns;
	/* Of the latter. */
	struct itp_time_use use;
	/* Where most of the blocked time was: a system call, or a function where there is none. */
	const struct itp_function *blocked_in;
	enum itp_chain_end end;
	/* The part of the blocked time that ended so. */
	int64_t end_ns;
	/* `kernel:CAUSE`. */
	const struct itp_function *reason;
};

/* `symptoms` are struct itp_symptom. A GArray of struct itp_chain_step, empty when nothing is known
 * of any of them. Free with g_array_unref(). */
GArray *itp_chain(const struct itp_recall *recall, const GArray *symptoms);

#endif
