/* SPDX-License-Identifier: MIT */
/*
 * Inferred calls as LTTng-UST would have recorded them: a trace of its own beside the instances,
 * for programs that draw function entries and exits.
 *
 * Trace Compass makes its flame chart from events called lttng_ust_cyg_profile:func_entry and
 * func_exit with the contexts vtid and procname, in a trace of the domain "ust" by "lttng-ust". It
 * knows a function by its address; since files lie at equal addresses, that is here a number of the
 * function's own. Its name is a field more.
 */
#ifndef ITP_FILTERS_INFER_CALL_TRACE_H
#define ITP_FILTERS_INFER_CALL_TRACE_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdint.h>

struct itp_call_event {
	/* Name of the context's tree. Weak. */
	const char *process;
	int32_t pid;
	int32_t tid;
	uint32_t function;
	/* Weak. */
	const char *name;
	const char *module;
	/* Place where the caller goes on; entries only. */
	uint64_t call_site;
};

struct itp_call_trace;

/* The trace has the environment of `input`, its clock is `clock`. NULL with `error` set when it
 * cannot be made. */
struct itp_call_trace *itp_call_trace_new(bt_self_component *self, const bt_trace *input,
					  const char *name, bt_clock_class *clock, GError **error);
void itp_call_trace_free(struct itp_call_trace *call_trace);

/* Messages of its stream. NULL when memory runs out. */
bt_message *itp_call_trace_begin(const struct itp_call_trace *call_trace,
				 bt_self_message_iterator *self);
bt_message *itp_call_trace_begin_packet(struct itp_call_trace *call_trace,
					bt_self_message_iterator *self, uint64_t cycles);
bt_message *itp_call_trace_entry(struct itp_call_trace *call_trace, bt_self_message_iterator *self,
				 uint64_t cycles, const struct itp_call_event *event);
bt_message *itp_call_trace_exit(struct itp_call_trace *call_trace, bt_self_message_iterator *self,
				uint64_t cycles, const struct itp_call_event *event);
bt_message *itp_call_trace_end_packet(struct itp_call_trace *call_trace,
				      bt_self_message_iterator *self);
bt_message *itp_call_trace_end(const struct itp_call_trace *call_trace,
			       bt_self_message_iterator *self);

#endif
