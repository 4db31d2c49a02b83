/* SPDX-License-Identifier: MIT */
/*
 * See trace.h.
 */
#include "sources/perf/trace.h"

void itp_perf_trace_free(struct itp_perf_trace *trace)
{
	if (!trace) {
		return;
	}
	itp_output_free(trace->output);
	g_free(trace);
}

struct itp_perf_trace *itp_perf_trace_new(struct itp_perf_input *input, bt_self_component *self,
					  bool is_wall, GError **error)
{
	const struct itp_clock times = itp_perf_input_clock(input, is_wall);
	const struct itp_output_clock clock = itp_output_clock_of(&times);
	struct itp_perf_trace *trace = g_new0(struct itp_perf_trace, 1);
	g_autofree char *name = itp_perf_input_name(input);
	struct itp_output_facts facts = { .error = error };

	trace->input = input;
	trace->output = itp_output_new(self, 1U << ITP_RECORD_STACK | 1U << ITP_RECORD_FUNCTION,
				       &clock, error);
	facts.output = trace->output;
	if (!trace->output || !itp_perf_input_tell_facts(input, itp_output_take_fact, &facts) ||
	    !itp_output_set_name(trace->output, name, error) ||
	    !itp_output_open(trace->output, error)) {
		g_clear_pointer(&trace, itp_perf_trace_free);
	}
	return trace;
}
