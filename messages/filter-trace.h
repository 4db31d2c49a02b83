/* SPDX-License-Identifier: MIT */
/*
 * An input trace inside a filter: its state, its output trace and its clock.
 *
 * Private to filter-router.c, which owns the traces.
 */
#ifndef ITP_MESSAGES_FILTER_TRACE_H
#define ITP_MESSAGES_FILTER_TRACE_H

#include "messages/filter-ops.h"

struct itp_filter_trace {
	const struct itp_filter_ops *ops;
	/* Weak: the iterator in charge, and its queue of const bt_message *. */
	bt_self_message_iterator *self;
	GQueue *queue;
	/* Owned by this. */
	const bt_trace *input;
	struct itp_output *output;
	char *name;
	/* Owned by this, freed with ops->free(). */
	void *state;
	/* Streams of the input, begun and not ended. */
	unsigned int open_streams;
	/* A stream began or ended at a chosen time, not at its own in the input. */
	bool is_trimmed;
	/* The message being handled: on its clock, and in nanoseconds from the clock's origin. */
	uint64_t cycles;
	int64_t time_ns;
};

/* Begins the output for the trace of `stream`, with a clock like the stream's. */
struct itp_filter_trace *itp_filter_trace_new(const struct itp_filter_ops *ops, const void *params,
					      bt_self_message_iterator *self, GQueue *queue,
					      const bt_stream *stream, GError **error);
void itp_filter_trace_free(struct itp_filter_trace *trace);

/* Checks that each stream has a clock, and all the same clock. */
bool itp_filter_trace_check_clock(const struct itp_filter_trace *trace, const bt_stream *stream,
				  GError **error);

bool itp_filter_trace_set_time(struct itp_filter_trace *trace, const bt_clock_snapshot *snapshot,
			       GError **error);

/* Nothing has happened until `time_ns`. */
bool itp_filter_trace_pass(struct itp_filter_trace *trace, int64_t time_ns, GError **error);

/* Takes the next step of the end; the last ends the output stream. */
bool itp_filter_trace_end(struct itp_filter_trace *trace, enum itp_filter_ending ending,
			  bool *ret_more, GError **error);

#endif
