/* SPDX-License-Identifier: MIT */
/*
 * Options of the inference, and the counts that it keeps.
 */
#ifndef ITP_INFER_INFER_OPTIONS_H
#define ITP_INFER_INFER_OPTIONS_H

#include <glib.h>

#include "common/base/flow.h"
#include "common/base/stack-event.h"
#include "common/infer/instance.h"
#include "common/infer/speed-sums.h"
#include "common/infer/stretch.h"

enum itp_continuity {
	/* Exactly the paper: raw frames, a frame continues while the functions below it do. */
	ITP_CONTINUITY_FUNCTION = 0,
	/* A frame continues while its caller also waits at the same call instruction; boundary,
	 * broken-stack and loss rules hold. */
	ITP_CONTINUITY_CALL_SITE = 1,
	/* In addition, a frame continues only if its code allows control to come from its old place
	 * to the new one without returning in between. */
	ITP_CONTINUITY_CONTROL_FLOW = 2,
};

/* Threads in a common tree of contexts. */
enum itp_group_by {
	ITP_GROUP_BY_PROCESS = 0,
	ITP_GROUP_BY_PID = 1,
	ITP_GROUP_BY_TID = 2,
	ITP_GROUP_BY_ALL = 3,
	ITP_GROUP_BY_CONTAINER = 4,
};

/* Called during itp_infer_push() and itp_infer_finish(). Look up nodes of `tree` and functions
 * of the table that are new since the last call before using the instance. */
typedef void (*itp_instance_func)(const struct itp_instance *instance, void *data);

/* Called during itp_infer_push(), for each call in the order of their begins. At the end, innermost
 * first, instances are handed out. */
typedef void (*itp_call_func)(const struct itp_call *call, void *data);

/* Contexts followed in a recording. All data kept of one, from here to the ranking, take about a
 * kilobyte; a compiler's 8 000 stacks have 3 400. */
#define ITP_MAX_CONTEXTS (1u << 20)

struct itp_infer_options {
	enum itp_continuity continuity;
	enum itp_group_by group_by;
	/* 0: ITP_MAX_CONTEXTS. Contexts of whole processes, and of their losses, are always
	 * followed. */
	uint32_t max_contexts;
	/* NULL without interest. Gets the data of the instances' function. */
	itp_call_func on_call;
	/* NULL without interest in stretches. Gets the same data. */
	itp_stretch_func on_stretch;
	/* NULL without interest in system calls that are in no context. */
	itp_unplaced_func on_unplaced;
	/* For ITP_CONTINUITY_CONTROL_FLOW. */
	struct itp_flow flow;
};

/* Estimate of latencies that normalization takes. */
enum itp_estimate {
	ITP_ESTIMATE_CONSERVATIVE = 0,
	ITP_ESTIMATE_AGGRESSIVE = 1,
	ITP_ESTIMATE_BEST = 2,
};

/* Counts of the events seen, and of missing ones. */
struct itp_infer_counts {
	/* Time of the first and the last event; 0 without any. */
	int64_t begin_ns;
	int64_t end_ns;
	uint64_t threads;
	uint64_t events;
	/* Events with a stack, and those of them whose stack did not reach the root. */
	uint64_t stacks;
	uint64_t broken_stacks;
	/* Of the broken stacks: those deeper than their recorded part, and of these the ones that
	 * were no copies; those whose recorded part does not tell the next caller; and those whose
	 * copy ends at a page that was not in memory. The reason of the rest is unknown. */
	uint64_t deep_stacks;
	uint64_t deep_chains;
	uint64_t unwind_failures;
	uint64_t short_copies;
	/* Stacks with functions in no context, since there were too many contexts: their time is
	 * their callers'. */
	uint64_t unfollowed_stacks;
	/* Stacks recorded without some of their functions, which were inserted from the code, and
	 * the number of these. */
	uint64_t completed_stacks;
	uint64_t filled_frames;
	/* Stacks by how their frames were found. */
	uint64_t found_by[ITP_FOUND_BY_COUNT];
	/* Stacks with an interrupt on top of the thread. */
	uint64_t interrupted_stacks;
	/* Ticks of a timer that found a thread on the CPU, and for how much CPU time they stand
	 * together. */
	uint64_t timer_samples;
	int64_t tick_ns;
	/* Watched kinds of events: enum itp_watched. */
	uint32_t watched;
	/* Time for which all threads that have ended were blocked together, as switches tell, even
	 * those without stacks. */
	int64_t blocked_ns;
	/* Where system calls are watched in windows alone: how long these were together, and all
	 * that lies between them. */
	int64_t windows_ns;
	int64_t rests_ns;
	/* Part of the former by which being watched slowed the programs. */
	int64_t slowed_ns;
	/* Part of windows_ns drawn by lot, and not watched for certain, and in how many windows. */
	int64_t drawn_ns;
	uint64_t drawn_windows;
	struct itp_speed_sums speeds;
	/* Units of work: requests that were answered, and the recorded command. Without any, or
	 * where wakeups are not watched, nobody knows whose loss a wait is. */
	uint64_t units;
	/* Units that are such a command. */
	uint64_t commands;
	/* Loss events, and the number of lost events as far as known. */
	uint64_t losses;
	uint64_t lost_events;
	/* Records behind others of later times, which is no loss; and those of them that could not
	 * be put in order. */
	uint64_t late_records;
	uint64_t misplaced_records;
	/* The input ended before its time. */
	bool cut;
};

#endif
