/* SPDX-License-Identifier: MIT */
/*
 * See component.h.
 */
#include "sinks/profiles/component.h"

#include <poll.h>

#include "common/base/failure.h"
#include "common/engine/write.h"
#include "messages/failure.h"
#include "messages/refusal.h"
#include "sinks/profiles/upstream.h"

#define INPUT_PORT "in"
/* Time between two looks for more, in milliseconds. */
#define WAIT_MS 50

typedef bt_component_class_initialize_method_status init_status;
typedef bt_component_class_sink_consume_method_status consume_status;

#define CONSUME_OK BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
#define CONSUME_END BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END
#define CONSUME_ERROR BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR

static void free_with_job(struct itp_rank_sink *sink)
{
	sink->job->free(sink->job);
	g_free(sink);
}

struct itp_rank_sink *itp_rank_sink_of_job(struct itp_rank_job *job)
{
	struct itp_rank_sink *sink = NULL;

	if (job) {
		sink = g_new0(struct itp_rank_sink, 1);
		sink->job = job;
		sink->output = job->output;
		sink->free = free_with_job;
	}
	return sink;
}

static struct itp_rank_sink *sink_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

bt_component_class_sink_graph_is_configured_method_status itp_rank_sink_graph_is_configured(
	bt_self_component_sink *self)
{
	bt_self_component_port_input *port =
		bt_self_component_sink_borrow_input_port_by_name(self, INPUT_PORT);
	g_autoptr(GPtrArray) inputs = itp_upstream_inputs(self);
	struct itp_rank_sink *sink = sink_of(self);
	GError *error = NULL;

	if (!itp_check_connected(port, &error) || !itp_write_check(sink->output, inputs, &error)) {
		itp_failure_from_component(bt_self_component_sink_as_self_component(self), error);
		return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	}
	sink->arrivals = sink->job ? itp_arrivals_new(sink->job->workloads) : NULL;
	sink->is_done = false;
	return bt_message_iterator_create_from_sink_component(self, port,
							      &sink->upstream.iterator) ==
			       BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK ?
		       BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK :
		       BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
}

static void free_unless_hosted(struct itp_rank_sink *sink)
{
	if (!sink->is_hosted) {
		sink->free(sink);
	}
}

init_status itp_rank_sink_init(bt_self_component_sink *self_sink, struct itp_rank_sink *sink,
			       GError *error)
{
	bt_self_component *self = bt_self_component_sink_as_self_component(self_sink);

	if (sink && bt_self_component_sink_add_input_port(self_sink, INPUT_PORT, NULL, NULL) !=
			    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		itp_failure_set_memory(&error);
		free_unless_hosted(sink);
	}
	if (error) {
		itp_failure_from_component(self, error);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(self, sink);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void free_alone(struct itp_rank_sink *sink)
{
	g_free(sink);
}

static bool leave_to_host(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	(void)sink;
	(void)ending;
	(void)error;
	return true;
}

init_status itp_rank_sink_init_of_job(bt_self_component_sink *self,
				      bt_self_component_sink_configuration *configuration,
				      const bt_value *params, void *data)
{
	struct itp_rank_sink *sink = itp_rank_sink_of_job(data);

	(void)configuration;
	(void)params;
	sink->free = free_alone;
	sink->finish = leave_to_host;
	return itp_rank_sink_init(self, sink, NULL);
}

init_status itp_rank_sink_init_hosted(bt_self_component_sink *self,
				      bt_self_component_sink_configuration *configuration,
				      const bt_value *params, void *data)
{
	struct itp_rank_sink *sink = data;

	(void)configuration;
	(void)params;
	sink->is_hosted = true;
	return itp_rank_sink_init(self, sink, NULL);
}

/* Makes the result of all arrivals, unless the host is still to add to it. */
static bool finish(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	GError *reason = NULL;
	bool done = true;

	sink->is_done = true;
	g_clear_pointer(&sink->arrivals, itp_arrivals_free);
	if (!sink->is_hosted) {
		done = sink->finish ? sink->finish(sink, ending, &reason) :
				      itp_rank_job_finish(sink->job, ending, &reason);
	}
	if (g_error_matches(reason, itp_failure_quark(), ITP_FAILURE_NO_CALLS)) {
		g_clear_error(&reason);
		itp_failure_set(&reason, "no introperf:node events arrived; put "
					 "filter.introperf.normalize before this sink");
	}
	if (reason) {
		g_propagate_error(error, reason);
	}
	return done;
}

void itp_rank_sink_finalize(bt_self_component_sink *self)
{
	struct itp_rank_sink *sink = sink_of(self);

	if (!sink->is_done) {
		/* The run has failed already; when not even a part can be shown, that stands. */
		(void)finish(sink, ITP_RANK_FAILED, NULL);
	}
	itp_upstream_release(&sink->upstream);
	g_clear_pointer(&sink->arrivals, itp_arrivals_free);
	free_unless_hosted(sink);
}

static consume_status fail_component(bt_self_component_sink *self, GError *error)
{
	sink_of(self)->is_done = true;
	itp_failure_from_component(bt_self_component_sink_as_self_component(self), error);
	return CONSUME_ERROR;
}

bool itp_rank_sink_add(struct itp_rank_sink *sink, const bt_message *message, GError **error)
{
	struct itp_set_workload *period;

	return itp_arrivals_add(sink->arrivals, message, &period, error) &&
	       (!period || itp_rank_job_end_period(sink->job, period, error));
}

/* Refuses to overwrite a file of a new stream. */
static bool check_stream(const struct itp_rank_sink *sink, const bt_message *message,
			 GError **error)
{
	g_autoptr(GPtrArray) inputs = NULL;

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_STREAM_BEGINNING) {
		return true;
	}
	inputs = itp_stream_inputs(bt_message_stream_beginning_borrow_stream_const(message));
	return inputs->len == 0 || itp_write_check(sink->output, inputs, error);
}

static consume_status consume_batch(bt_self_component_sink *self, bt_message_array_const messages,
				    uint64_t count)
{
	struct itp_rank_sink *sink = sink_of(self);
	GError *error = NULL;

	for (uint64_t i = 0; i < count; i++) {
		if (!error && check_stream(sink, messages[i], &error)) {
			(void)(sink->add ? sink->add(sink, messages[i], &error) :
					   itp_rank_sink_add(sink, messages[i], &error));
		}
		bt_message_put_ref(messages[i]);
	}
	return error ? fail_component(self, error) : CONSUME_OK;
}

/* Result at the end of the input, perhaps because of an interrupt. */
static consume_status end_input(bt_self_component_sink *self, bool interrupted)
{
	struct itp_rank_sink *sink = sink_of(self);
	GError *error = NULL;

	if (sink->is_done) {
		return CONSUME_END;
	}
	if (!finish(sink, interrupted ? ITP_RANK_INTERRUPTED : ITP_RANK_ENDED, &error)) {
		return fail_component(self, error);
	}
	/* The host is still to see the interrupt, unnoticed at the end. */
	return interrupted ? CONSUME_OK : CONSUME_END;
}

/* Waits while there is nothing. Waiting is done here and not left to the host, in which an
 * interrupt would end the graph before the result is out. */
static consume_status wait_for_more(bt_self_component_sink *self, bool interrupted)
{
	/* Filters end when they see the interrupt; others would wait for ever. */
	if (interrupted) {
		return end_input(self, true);
	}
	(void)poll(NULL, 0, WAIT_MS);
	return CONSUME_OK;
}

static consume_status consume_next(bt_self_component_sink *self, bool interrupted)
{
	bt_message_array_const messages;
	uint64_t count;

	switch (itp_upstream_next(&sink_of(self)->upstream, &messages, &count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return consume_batch(self, messages, count);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return wait_for_more(self, interrupted);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return end_input(self, bt_self_component_sink_is_interrupted(self));
	default:
		itp_refusal_tell(bt_self_component_sink_as_self_component(self));
		return CONSUME_ERROR;
	}
}

consume_status itp_rank_sink_consume(bt_self_component_sink *self)
{
	struct itp_rank_sink *sink = sink_of(self);
	consume_status status;

	if (sink->job && sink->job->refresh) {
		sink->job->refresh(sink->job);
	}
	do {
		status = consume_next(self, bt_self_component_sink_is_interrupted(self));
	} while (status == CONSUME_OK && !sink->is_done &&
		 bt_self_component_sink_is_interrupted(self));
	return status;
}
