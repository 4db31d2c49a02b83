/* SPDX-License-Identifier: MIT */
/* See calls.h. */
#include "filters/infer/calls.h"

#include "filters/infer/call-trace.h"
#include "messages/packet.h"

struct itp_calls {
	/* Weak. */
	struct itp_filter_trace *input;
	const struct itp_function_table *functions;
	const struct itp_context_tree *tree;
	/* Trace of calls, NULL before the first. Owned by this. */
	struct itp_call_trace *trace;
};

struct itp_calls *itp_calls_new(struct itp_filter_trace *trace,
				const struct itp_function_table *functions,
				const struct itp_context_tree *tree)
{
	struct itp_calls *calls = g_new0(struct itp_calls, 1);

	calls->input = trace;
	calls->functions = functions;
	calls->tree = tree;
	return calls;
}

void itp_calls_free(struct itp_calls *calls)
{
	if (calls) {
		itp_call_trace_free(calls->trace);
		g_free(calls);
	}
}

static bool begin_trace(struct itp_calls *calls, GError **error)
{
	bt_self_message_iterator *self = itp_filter_iterator(calls->input);
	g_autofree char *name = g_strconcat(itp_filter_trace_name(calls->input), "-calls", NULL);

	calls->trace = itp_call_trace_new(bt_self_message_iterator_borrow_component(self),
					  itp_filter_trace_input(calls->input), name,
					  itp_filter_clock(calls->input), error);
	return calls->trace &&
	       itp_filter_push(calls->input, itp_call_trace_begin(calls->trace, self), error) &&
	       (!itp_packet_is_needed() ||
		itp_filter_push(calls->input,
				itp_call_trace_begin_packet(calls->trace, self,
							    itp_filter_cycles(calls->input)),
				error));
}

/* Name of the first context below the root of the tree. */
static const char *process_of_context(const struct itp_calls *calls,
				      const struct itp_context *context)
{
	while (context->parent != ITP_CONTEXT_ROOT) {
		context = itp_context_tree_get(calls->tree, context->parent);
	}
	return itp_function_table_get(calls->functions, context->function)->name;
}

static struct itp_call_event describe_call(const struct itp_calls *calls, uint32_t node)
{
	const struct itp_context *context = itp_context_tree_get(calls->tree, node);
	const struct itp_function *function =
		itp_function_table_get(calls->functions, context->function);

	return (struct itp_call_event){
		.process = process_of_context(calls, context),
		.function = context->function,
		.name = function->name,
		.module = function->module,
	};
}

bool itp_calls_enter(struct itp_calls *calls, const struct itp_call *call, GError **error)
{
	struct itp_call_event event = describe_call(calls, call->node);

	event.pid = call->pid;
	event.tid = call->tid;
	event.call_site = call->call_site;
	return (calls->trace || begin_trace(calls, error)) &&
	       itp_filter_push(calls->input,
			       itp_call_trace_entry(calls->trace, itp_filter_iterator(calls->input),
						    itp_filter_cycles(calls->input), &event),
			       error);
}

bool itp_calls_leave(struct itp_calls *calls, const struct itp_instance *instance, GError **error)
{
	struct itp_call_event event = describe_call(calls, instance->node);

	event.pid = instance->pid;
	event.tid = instance->tid;
	return instance->depth == 0 ||
	       itp_filter_push(calls->input,
			       itp_call_trace_exit(calls->trace, itp_filter_iterator(calls->input),
						   itp_filter_cycles(calls->input), &event),
			       error);
}

bool itp_calls_end(struct itp_calls *calls, GError **error)
{
	bt_self_message_iterator *self = itp_filter_iterator(calls->input);

	return !calls->trace ||
	       ((!itp_packet_is_needed() ||
		 itp_filter_push(calls->input, itp_call_trace_end_packet(calls->trace, self),
				 error)) &&
		itp_filter_push(calls->input, itp_call_trace_end(calls->trace, self), error));
}
