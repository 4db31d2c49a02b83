/* SPDX-License-Identifier: MIT */
/*
 * See filter.h: the component, and message iterators that pull from upstream.
 *
 * An iterator handles upstream messages until its queue holds as much as downstream asked for.
 * Errors and the end come after the messages still in the queue, so no finished message gets lost;
 * traces left open by upstream are ended as cut.
 *
 * An interrupt ends the traces, too, so that a sink that goes on pulling until the end gets a
 * result from everything read by then. The first of our filters in a row ends by the interrupt;
 * filters behind it go on until its end reaches them.
 */
#include "messages/filter.h"

#include "common/base/failure.h"
#include "messages/failure.h"
#include "messages/filter-router.h"
#include "messages/param-maps.h"
#include "messages/refusal.h"
#include "messages/upstream.h"

#define EMPTY_TEXT                                                                               \
	"there are no events: if --begin and --end choose a part of the input, it is empty, or " \
	"lies elsewhere"

#define INPUT_PORT "in"
#define OUTPUT_PORT "out"

typedef bt_message_iterator_class_next_method_status next_status;

#define NEXT_OK BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
#define NEXT_END BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END
#define NEXT_AGAIN BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN
#define NEXT_ERROR BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR

struct filter {
	const struct itp_filter_ops *ops;
	/* Structure with ops->params_bytes. Owned by this. */
	void *params;
	/* Weak. */
	const char *missing_text;
};

struct filter_iterator {
	/* Weak. */
	bt_self_message_iterator *self;
	const char *missing_text;
	/* Owned by this. */
	struct itp_upstream upstream;
	/* `upstream` is a filter of ours, too, which ends by itself at an interrupt. */
	bool is_follower;
	struct itp_filter_router router;
	/* The current batch of upstream; messages from `position` on are owned by this. */
	bt_message_array_const batch;
	uint64_t batch_count;
	uint64_t position;
	/* Upstream has given its last message, with the status and error below. Owned by this. */
	bool is_closing;
	bool is_interrupted;
	next_status upstream_status;
	const bt_error *upstream_error;
	/* Status for downstream when the queue is empty. Owned by this. */
	next_status status;
	const bt_error *error;
};

bt_component_class_initialize_method_status itp_filter_init(bt_self_component_filter *self_filter,
							    const struct itp_filter_ops *ops,
							    const bt_value *params,
							    const char *missing_text)
{
	bt_self_component *self = bt_self_component_filter_as_self_component(self_filter);
	struct filter *filter = g_new0(struct filter, 1);
	GError *error = NULL;

	filter->ops = ops;
	filter->missing_text = missing_text ? missing_text : ops->missing_text;
	filter->params = g_memdup2(ops->params_default, ops->params_bytes);
	bt_self_component_set_data(self, filter);
	if (itp_map_read(ops->params, params, filter->params, &error) &&
	    (!ops->check_params || ops->check_params(filter->params, &error)) &&
	    (bt_self_component_filter_add_input_port(self_filter, INPUT_PORT, NULL, NULL) !=
		     BT_SELF_COMPONENT_ADD_PORT_STATUS_OK ||
	     bt_self_component_filter_add_output_port(self_filter, OUTPUT_PORT, NULL, NULL) !=
		     BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)) {
		itp_failure_set_memory(&error);
	}
	if (error) {
		itp_failure_from_component(self, error);
		itp_filter_finalize(self_filter);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void itp_filter_finalize(bt_self_component_filter *self)
{
	struct filter *filter =
		bt_self_component_get_data(bt_self_component_filter_as_self_component(self));

	itp_params_release(filter->ops->params, filter->params);
	g_free(filter->params);
	g_free(filter);
}

/* Forgets everything from upstream. */
static void clear_iterator(struct filter_iterator *iterator)
{
	for (; iterator->position < iterator->batch_count; iterator->position++) {
		bt_message_put_ref(iterator->batch[iterator->position]);
	}
	itp_filter_router_clear(&iterator->router);
	itp_upstream_forget(&iterator->upstream);
	iterator->is_closing = false;
	iterator->is_interrupted = false;
	iterator->status = NEXT_OK;
	if (iterator->upstream_error) {
		bt_error_release(iterator->upstream_error);
		iterator->upstream_error = NULL;
	}
	if (iterator->error) {
		bt_error_release(iterator->error);
		iterator->error = NULL;
	}
}

void itp_filter_iterator_finalize(bt_self_message_iterator *self)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self);

	clear_iterator(iterator);
	itp_filter_router_release(&iterator->router);
	itp_upstream_release(&iterator->upstream);
	g_free(iterator);
}

/* True when a component is a filter of this plugin; all of them have iterators of this file. */
static bool is_ours(const bt_component *component)
{
	const bt_component_class *component_class = bt_component_borrow_class_const(component);
	const char *name = bt_component_class_get_name(component_class);

	return bt_component_class_is_filter(component_class) &&
	       (g_str_equal(name, "infer") || g_str_equal(name, "normalize") ||
		g_str_equal(name, "wait"));
}

bool itp_filter_feeds(const struct itp_filter_trace *trace, const char *class_name)
{
	const bt_component_filter *self =
		(const bt_component_filter *)bt_self_component_as_component(
			bt_self_message_iterator_borrow_component(itp_filter_iterator(trace)));
	const bt_port *output = bt_port_output_as_port_const(
		bt_component_filter_borrow_output_port_by_name_const(self, OUTPUT_PORT));
	const bt_port *input =
		bt_port_input_as_port_const(bt_connection_borrow_downstream_port_const(
			bt_port_borrow_connection_const(output)));
	const bt_component *component = bt_port_borrow_component_const(input);

	return g_str_equal(bt_component_class_get_name(bt_component_borrow_class_const(component)),
			   class_name);
}

bt_message_iterator_class_initialize_method_status itp_filter_iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	bt_self_component_port_input *input = bt_self_component_filter_borrow_input_port_by_name(
		(bt_self_component_filter *)component, INPUT_PORT);
	const struct filter *filter = bt_self_component_get_data(component);
	struct filter_iterator *iterator = g_new0(struct filter_iterator, 1);
	GError *error = NULL;

	(void)port;
	iterator->self = self;
	iterator->missing_text = filter->missing_text;
	itp_filter_router_init(&iterator->router, filter->ops, filter->params, self);
	bt_self_message_iterator_set_data(self, iterator);
	if (!itp_check_connected(input, &error)) {
		itp_failure_from_iterator(self, error);
		itp_filter_iterator_finalize(self);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	if (bt_message_iterator_create_from_message_iterator(self, input,
							     &iterator->upstream.iterator) !=
	    BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK) {
		itp_filter_iterator_finalize(self);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	iterator->is_follower =
		is_ours(bt_message_iterator_borrow_component(iterator->upstream.iterator));
	bt_self_message_iterator_configuration_set_can_seek_forward(
		configuration, bt_message_iterator_can_seek_forward(iterator->upstream.iterator));
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static next_status fail_iterator(struct filter_iterator *iterator, GError *error)
{
	itp_failure_from_iterator(iterator->self, error);
	return NEXT_ERROR;
}

static next_status handle_next(struct filter_iterator *iterator)
{
	const bt_message *message = iterator->batch[iterator->position++];
	GError *error = NULL;

	return itp_filter_router_handle(&iterator->router, message, &error) ?
		       NEXT_OK :
		       fail_iterator(iterator, error);
}

static next_status end_next(struct filter_iterator *iterator)
{
	GError *error = NULL;

	return itp_filter_router_end(&iterator->router, &error) ? NEXT_OK :
								  fail_iterator(iterator, error);
}

static void close_upstream(struct filter_iterator *iterator, next_status status)
{
	/* No batch, whatever upstream says. */
	iterator->batch_count = 0;
	iterator->is_closing = true;
	iterator->upstream_status = status;
	if (status != NEXT_END) {
		iterator->upstream_error = bt_current_thread_take_error();
	}
}

static bool is_interrupted(const struct filter_iterator *iterator)
{
	return bt_self_message_iterator_is_interrupted(iterator->self);
}

static next_status fetch(struct filter_iterator *iterator)
{
	if (!iterator->is_follower && is_interrupted(iterator)) {
		iterator->is_interrupted = true;
		close_upstream(iterator, NEXT_END);
		return NEXT_OK;
	}
	iterator->position = 0;
	iterator->batch_count = 0;
	switch (itp_upstream_next(&iterator->upstream, &iterator->batch, &iterator->batch_count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return NEXT_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		close_upstream(iterator, NEXT_END);
		break;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		close_upstream(iterator, BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR);
		break;
	default:
		close_upstream(iterator, NEXT_ERROR);
	}
	return NEXT_OK;
}

/* After the last message of upstream: ends traces left open, then passes on upstream's status. */
static next_status close_next(struct filter_iterator *iterator)
{
	struct itp_filter_router *router = &iterator->router;
	GError *error = NULL;

	if (router->traces->len > 0) {
		router->ending = g_ptr_array_index(router->traces, 0);
		router->how = iterator->is_interrupted ? ITP_FILTER_INTERRUPTED : ITP_FILTER_CUT;
		return NEXT_OK;
	}
	if (iterator->upstream_status == NEXT_END && router->input_events == 0 &&
	    router->passed_streams == 0 && !is_interrupted(iterator)) {
		itp_failure_set(&error, "%s",
				router->events == 0 ? EMPTY_TEXT : iterator->missing_text);
		return fail_iterator(iterator, error);
	}
	if (iterator->upstream_error) {
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(iterator->upstream_error);
		itp_refusal_tell_from_iterator(iterator->self);
	}
	return iterator->upstream_status;
}

/* Makes a step, with or without a message for the queue. */
static next_status advance(struct filter_iterator *iterator)
{
	if (iterator->router.ending) {
		return end_next(iterator);
	}
	if (iterator->position < iterator->batch_count) {
		return handle_next(iterator);
	}
	return iterator->is_closing ? close_next(iterator) : fetch(iterator);
}

/* The status due with an empty queue. */
static next_status deliver_status(struct filter_iterator *iterator)
{
	next_status status = iterator->status;

	if (status == NEXT_AGAIN) {
		iterator->status = NEXT_OK;
	}
	if (iterator->error) {
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(iterator->error);
	}
	return status;
}

bt_message_iterator_class_next_method_status itp_filter_iterator_next(
	bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity,
	uint64_t *count)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self);
	GQueue *queue = &iterator->router.queue;

	while (queue->length < capacity && iterator->status == NEXT_OK) {
		iterator->status = advance(iterator);
		if (iterator->status < 0) {
			iterator->error = bt_current_thread_take_error();
		}
	}
	for (*count = 0; *count < capacity && queue->length > 0; ++*count) {
		messages[*count] = g_queue_pop_head(queue);
	}
	return *count > 0 ? NEXT_OK : deliver_status(iterator);
}

bt_message_iterator_class_seek_beginning_method_status itp_filter_iterator_seek_beginning(
	bt_self_message_iterator *self)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self);

	clear_iterator(iterator);
	switch (bt_message_iterator_seek_beginning(iterator->upstream.iterator)) {
	case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK:
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_AGAIN:
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_AGAIN;
	default:
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_ERROR;
	}
}

bt_message_iterator_class_can_seek_beginning_method_status itp_filter_iterator_can_seek_beginning(
	bt_self_message_iterator *self, bt_bool *can_seek)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self);

	return bt_message_iterator_can_seek_beginning(iterator->upstream.iterator, can_seek) ==
			       BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK ?
		       BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK :
		       BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_ERROR;
}
