/* SPDX-License-Identifier: MIT */
/*
 * See sink.h.
 */
#include "sinks/profiles/sink.h"

#include <poll.h>

#include "common/compare/compare.h"
#include "messages/failure.h"
#include "sinks/profiles/upstream.h"
#include "sinks/profiles/write.h"

#define INPUT_PORT "in"
/* Between two looks whether there is more. */
#define WAIT_MS 50

typedef bt_component_class_sink_consume_method_status consume_status;

#define CONSUME_OK BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
#define CONSUME_END BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END
#define CONSUME_ERROR BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR

const char *const itp_rank_idle_names[] = {
	[ITP_RANK_IDLE_APART] = "apart",
	[ITP_RANK_IDLE_RANKED] = "ranked",
	NULL,
};

static const char *const *patterns_of(GPtrArray *strings)
{
	if (!strings) {
		return NULL;
	}
	g_ptr_array_add(strings, NULL);
	return (const char *const *)(void *)strings->pdata;
}

bool itp_rank_sink_open(struct itp_rank_sink *sink, bt_self_component_sink *self, GError **error)
{
	struct itp_per_unit per;

	sink->module_kinds = (struct itp_module_kinds){
		.own = patterns_of(sink->own_modules),
		.runtime = patterns_of(sink->runtime_modules),
	};
	if (!itp_per_parse(sink->per, &per, error) ||
	    !itp_spread_parse(sink->spread, &sink->assumed_spread, error) ||
	    !(sink->view_options = itp_rank_view_options_new(&sink->view, error)) ||
	    (sink->output && !itp_write_check(sink->output, NULL, error))) {
		return false;
	}
	if (bt_self_component_sink_add_input_port(self, INPUT_PORT, NULL, NULL) !=
	    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		itp_failure_set_memory(error);
		return false;
	}
	sink->workloads = itp_workload_set_new();
	sink->arrivals = itp_arrivals_new(sink->workloads);
	return true;
}

void itp_rank_sink_release(struct itp_rank_sink *sink)
{
	bt_message_iterator_put_ref(sink->upstream);
	itp_arrivals_free(sink->arrivals);
	itp_workload_set_free(sink->workloads);
	itp_rank_view_options_free(sink->view_options);
}

struct itp_ranking *itp_rank_sink_rank(const struct itp_rank_sink *sink,
				       struct itp_ranking_options options,
				       const struct itp_sides *sides, GError **error)
{
	struct itp_per_unit per;

	options.ranks_idle = sink->idle == ITP_RANK_IDLE_RANKED;
	options.min_count = sink->min_count;
	options.spread = sink->assumed_spread;
	options.per = sink->per;
	options.modules = &sink->module_kinds;
	return itp_per_parse(sink->per, &per, error) &&
			       itp_module_kinds_check(&sink->module_kinds,
						      itp_workload_set_functions(sides->workloads),
						      error) ?
		       itp_compare(&options, &per, sides->workloads, sides->suspects, sides->bases,
				   error) :
		       NULL;
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
	GError *error = NULL;

	if (!itp_check_connected(port, &error) ||
	    !itp_write_check(sink_of(self)->output, inputs, &error)) {
		itp_failure_from_component(bt_self_component_sink_as_self_component(self), error);
		return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	}
	return bt_message_iterator_create_from_sink_component(self, port,
							      &sink_of(self)->upstream) ==
			       BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK ?
		       BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK :
		       BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
}

bool itp_rank_sink_finish(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	g_autoptr(GPtrArray) workloads = NULL;
	struct itp_sides sides;
	bool done;

	g_clear_pointer(&sink->arrivals, itp_arrivals_free);
	itp_workload_set_finish(sink->workloads);
	workloads = itp_workload_set_list(sink->workloads);
	if (workloads->len == 0 && ending == ITP_RANK_INTERRUPTED) {
		return true;
	}
	if (workloads->len == 0) {
		itp_failure_set(error, "no introperf:node events arrived; put "
				       "filter.introperf.normalize before this sink");
		return false;
	}
	done = itp_sides_init(&sides, sink->workloads, NULL, sink->view_options, sink->base, error);
	g_clear_pointer(&sink->workloads, itp_workload_set_free);
	done = done && sink->show_result(sink, &sides, ending, error);
	itp_sides_release(&sides);
	return done;
}

/* Makes the result of all that has arrived. */
static bool finish(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	sink->is_done = true;
	return sink->finish ? sink->finish(sink, ending, error) :
			      itp_rank_sink_finish(sink, ending, error);
}

void itp_rank_sink_finalize(bt_self_component_sink *self)
{
	struct itp_rank_sink *sink = sink_of(self);

	if (!sink->is_done) {
		/* The run has failed already; when not even a part can be shown, that stands. */
		(void)finish(sink, ITP_RANK_FAILED, NULL);
	}
	sink->free(sink);
}

static consume_status fail(bt_self_component_sink *self, GError *error)
{
	sink_of(self)->is_done = true;
	itp_failure_from_component(bt_self_component_sink_as_self_component(self), error);
	return CONSUME_ERROR;
}

bool itp_rank_sink_add(struct itp_rank_sink *sink, const bt_message *message, GError **error)
{
	struct itp_set_workload *period;

	if (!itp_arrivals_add(sink->arrivals, message, &period, error)) {
		return false;
	}
	if (period && sink->show_period && !sink->show_period(sink, period, error)) {
		return false;
	}
	if (period) {
		itp_set_workload_end_period(period);
	}
	return true;
}

static consume_status consume_batch(bt_self_component_sink *self, bt_message_array_const messages,
				    uint64_t count)
{
	struct itp_rank_sink *sink = sink_of(self);
	GError *error = NULL;

	for (uint64_t i = 0; i < count; i++) {
		if (!error) {
			(void)(sink->add ? sink->add(sink, messages[i], &error) :
					   itp_rank_sink_add(sink, messages[i], &error));
		}
		bt_message_put_ref(messages[i]);
	}
	return error ? fail(self, error) : CONSUME_OK;
}

/* The result at the end of the input, which an interrupt may have caused. */
static consume_status end_input(bt_self_component_sink *self, bool interrupted)
{
	struct itp_rank_sink *sink = sink_of(self);
	GError *error = NULL;

	if (sink->is_done) {
		return CONSUME_END;
	}
	if (!finish(sink, interrupted ? ITP_RANK_INTERRUPTED : ITP_RANK_ENDED, &error)) {
		return fail(self, error);
	}
	/* The host is still to see the interrupt, which it does not at the end. */
	return interrupted ? CONSUME_OK : CONSUME_END;
}

/* There is nothing yet. The waiting is done here and not left to the host, in which an interrupt
 * would end the graph before the result is out. */
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

	switch (bt_message_iterator_next(sink_of(self)->upstream, &messages, &count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return consume_batch(self, messages, count);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return wait_for_more(self, interrupted);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return end_input(self, bt_self_component_sink_is_interrupted(self));
	default:
		return CONSUME_ERROR;
	}
}

consume_status itp_rank_sink_consume(bt_self_component_sink *self)
{
	struct itp_rank_sink *sink = sink_of(self);
	consume_status status;

	if (sink->refresh) {
		sink->refresh(sink);
	}
	do {
		status = consume_next(self, bt_self_component_sink_is_interrupted(self));
	} while (status == CONSUME_OK && !sink->is_done &&
		 bt_self_component_sink_is_interrupted(self));
	return status;
}
