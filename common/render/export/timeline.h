/* SPDX-License-Identifier: MIT */
/*
 * When each call of each thread was: function instances in, as they end; their begins and ends out,
 * thread by thread, in the order of time and nested.
 *
 * The calls are kept in temporary files, so memory grows with the number of threads only.
 */
#ifndef ITP_RENDER_EXPORT_TIMELINE_H
#define ITP_RENDER_EXPORT_TIMELINE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/function-table.h"
#include "common/infer/instance.h"

/* Function instance by the best estimate, as far as a timeline shows it. */
struct itp_timeline_call {
	uint32_t function;
	uint32_t depth;
	/* enum itp_instance_flag */
	uint32_t flags;
	uint32_t max_calls;
	int64_t begin_ns;
	int64_t end_ns;
	/* Bounds of its latency. */
	int64_t lower_ns;
	int64_t upper_ns;
	struct itp_time_use use;
};

struct itp_timeline_event {
	/* Call; for an end without `begin_ns`. */
	struct itp_timeline_call call;
	int64_t time_ns;
	bool is_begin;
};

struct itp_timeline_options {
	/* For the temporary files. Weak. */
	const char *directory;
	/* Window of the timeline; calls that reach further are cut. */
	int64_t begin_ns;
	int64_t end_ns;
};

struct itp_timeline_thread {
	int32_t pid;
	int32_t tid;
	/* Row of the thread's units of work, before the row of its calls. */
	bool has_units;
	/* Root function of its contexts, its process. */
	uint32_t process;
	/* Name of the thread, as "worker 3"; NULL where that is not known. Weak. */
	const char *name;
	uint64_t call_count;
};

struct itp_timeline;

/* NULL with errno when there is no room for the files. */
struct itp_timeline *itp_timeline_new(const struct itp_timeline_options *options);
void itp_timeline_free(struct itp_timeline *timeline);

/* Adds a call of `function`, after all its callees. ITP_ERROR_LIMIT when too deep; ITP_ERROR_IO
 * with errno. */
int itp_timeline_add(struct itp_timeline *timeline, uint32_t function,
		     const struct itp_instance *instance);

/* Adds a unit of work, those of a thread in the order of time; `function` stands for its type.
 * Returns as itp_timeline_add() does. */
int itp_timeline_add_unit(struct itp_timeline *timeline, uint32_t function, int32_t pid,
			  int32_t tid, int64_t begin_ns, int64_t end_ns);

/* After the last call. */
void itp_timeline_finish(struct itp_timeline *timeline);

/* Of a finished timeline: threads by pid and tid, their units first, and the time from the first
 * begin to the last end. Both are 0 when there is no call. */
guint itp_timeline_thread_count(const struct itp_timeline *timeline);
const struct itp_timeline_thread *itp_timeline_thread(const struct itp_timeline *timeline,
						      guint index);
int64_t itp_timeline_begin_ns(const struct itp_timeline *timeline);
int64_t itp_timeline_end_ns(const struct itp_timeline *timeline);

/* tid of a row; units have their own, above those of all threads. */
int32_t itp_timeline_row(const struct itp_timeline_thread *thread);

/* Begins to read a thread of a finished timeline, as often as one likes. ITP_ERROR_IO with errno.
 */
int itp_timeline_open(struct itp_timeline *timeline, guint index);
/* 1: `ret_event` is set; 0: there is no more; ITP_ERROR_IO with errno. */
int itp_timeline_next(struct itp_timeline *timeline, struct itp_timeline_event *ret_event);

#endif
