/* SPDX-License-Identifier: MIT */
/*
 * See symbolize.h. Each message from upstream becomes a message for downstream, in the same order.
 * Each input trace has an output trace and an adapter of its own.
 */
#include "filters/symbolize/symbolize.h"

#include <linux/perf_event.h>

#include "common/base/failure.h"
#include "common/schema/id-map.h"
#include "common/stacks/callchain.h"
#include "filters/symbolize/trace-copy.h"
#include "messages/clock.h"
#include "messages/failure.h"
#include "messages/filter.h"
#include "messages/foreign.h"
#include "messages/message.h"
#include "messages/param-maps.h"
#include "messages/refusal.h"
#include "messages/upstream.h"

#define INPUT_PORT "in"
#define OUTPUT_PORT "out"
#define COMPONENT "filter.introperf.symbolize"
#define UNKNOWN "[unknown]"

typedef bt_message_iterator_class_next_method_status next_status;

#define NEXT_ERROR BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR
#define NEXT_END BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END

struct symbolized_trace {
	/* Owned by this. */
	struct itp_trace_copy *copy;
	struct itp_foreign *foreign;
	/* Functions of our own stacks, and their ids by those of the trace. */
	struct itp_function_table *functions;
	struct itp_id_map *function_ids;
	char *name;
	/* Text of an address without a function. */
	char number[sizeof("0x0123456789abcdef")];
};

struct symbolize_iterator {
	/* Weak. */
	bt_self_message_iterator *self;
	const struct itp_foreign_options *options;
	/* Owned by this. */
	struct itp_upstream upstream;
	struct itp_decoder *decoder;
	/* struct symbolized_trace *, in the order of their beginning. Owned by this. */
	GPtrArray *traces;
	/* Error for downstream behind the messages before it; with an error on the thread nobody
	 * could make others meanwhile. Owned by this. */
	const bt_error *error;
};

static const struct itp_param params_known[] = {
	{ "symfs", ITP_PARAM_STRING, offsetof(struct itp_foreign_options, symfs), NULL },
	{ "kallsyms", ITP_PARAM_STRING, offsetof(struct itp_foreign_options, kallsyms), NULL },
	{ "maps", ITP_PARAM_STRINGS, offsetof(struct itp_foreign_options, maps), NULL },
};

static const struct itp_param_table param_table = { params_known, G_N_ELEMENTS(params_known) };

static bool add_ports(bt_self_component_filter *self)
{
	return bt_self_component_filter_add_input_port(self, INPUT_PORT, NULL, NULL) ==
		       BT_SELF_COMPONENT_ADD_PORT_STATUS_OK &&
	       bt_self_component_filter_add_output_port(self, OUTPUT_PORT, NULL, NULL) ==
		       BT_SELF_COMPONENT_ADD_PORT_STATUS_OK;
}

bt_component_class_initialize_method_status itp_symbolize_init(
	bt_self_component_filter *self_filter,
	bt_self_component_filter_configuration *configuration, const bt_value *params, void *data)
{
	bt_self_component *self = bt_self_component_filter_as_self_component(self_filter);
	struct itp_foreign_options *options = g_new0(struct itp_foreign_options, 1);
	GError *error = NULL;

	(void)configuration;
	(void)data;
	bt_self_component_set_data(self, options);
	if (itp_map_read(&param_table, params, options, &error) &&
	    itp_foreign_options_check(options, &error) && !add_ports(self_filter)) {
		itp_failure_set_memory(&error);
	}
	if (error) {
		itp_failure_from_component(self, error);
		itp_symbolize_finalize(self_filter);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void itp_symbolize_finalize(bt_self_component_filter *self)
{
	struct itp_foreign_options *options =
		bt_self_component_get_data(bt_self_component_filter_as_self_component(self));

	itp_params_release(&param_table, options);
	g_free(options);
}

static void forget_error(struct symbolize_iterator *iterator)
{
	if (iterator->error) {
		bt_error_release(iterator->error);
		iterator->error = NULL;
	}
}

static void free_trace(void *data)
{
	struct symbolized_trace *trace = data;

	itp_foreign_free(trace->foreign);
	itp_id_map_free(trace->function_ids);
	itp_function_table_free(trace->functions);
	itp_trace_copy_free(trace->copy);
	g_free(trace->name);
	g_free(trace);
}

bt_message_iterator_class_initialize_method_status itp_symbolize_iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	bt_self_component_port_input *input = bt_self_component_filter_borrow_input_port_by_name(
		(bt_self_component_filter *)component, INPUT_PORT);
	struct symbolize_iterator *iterator = g_new0(struct symbolize_iterator, 1);
	GError *error = NULL;

	(void)port;
	iterator->self = self;
	iterator->options = bt_self_component_get_data(component);
	iterator->decoder = itp_decoder_new();
	iterator->traces = g_ptr_array_new_with_free_func(free_trace);
	bt_self_message_iterator_set_data(self, iterator);
	if (!itp_check_connected(input, &error)) {
		itp_failure_from_iterator(self, error);
		itp_symbolize_iterator_finalize(self);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	if (bt_message_iterator_create_from_message_iterator(self, input,
							     &iterator->upstream.iterator) !=
	    BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK) {
		itp_symbolize_iterator_finalize(self);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_message_iterator_configuration_set_can_seek_forward(
		configuration, bt_message_iterator_can_seek_forward(iterator->upstream.iterator));
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void itp_symbolize_iterator_finalize(bt_self_message_iterator *self)
{
	struct symbolize_iterator *iterator = bt_self_message_iterator_get_data(self);

	forget_error(iterator);
	g_ptr_array_unref(iterator->traces);
	itp_decoder_free(iterator->decoder);
	itp_upstream_release(&iterator->upstream);
	g_free(iterator);
}

static struct symbolized_trace *add_trace(struct symbolize_iterator *iterator,
					  const bt_stream *stream, GError **error)
{
	const bt_trace *input = bt_stream_borrow_trace_const(stream);
	struct itp_trace_copy *copy = itp_trace_copy_new(
		bt_self_message_iterator_borrow_component(iterator->self), input, error);
	struct symbolized_trace *trace;

	if (!copy) {
		return NULL;
	}
	trace = g_new0(struct symbolized_trace, 1);
	trace->copy = copy;
	trace->name = itp_filter_name_of(stream);
	trace->foreign = itp_foreign_new(iterator->options, input, trace->name, NULL, NULL);
	trace->functions = itp_function_table_new();
	trace->function_ids = itp_id_map_new("function");
	g_ptr_array_add(iterator->traces, trace);
	return trace;
}

static struct symbolized_trace *trace_of(struct symbolize_iterator *iterator,
					 const bt_stream *stream, GError **error)
{
	for (guint i = 0; i < iterator->traces->len; i++) {
		struct symbolized_trace *trace = g_ptr_array_index(iterator->traces, i);

		if (trace->copy->input == bt_stream_borrow_trace_const(stream)) {
			return trace;
		}
	}
	return add_trace(iterator, stream, error);
}

/* Name of a number behind a marker. No name is empty: Babeltrace 2.0 reads empty texts wrongly from
 * CTF. */
static struct itp_symbol name_marker(uint64_t marker)
{
	struct itp_symbol symbol = { .function = "[marker]", .module = UNKNOWN };

	if (marker == (uint64_t)PERF_CONTEXT_KERNEL) {
		symbol.module = "[kernel]";
	} else if (marker == (uint64_t)PERF_CONTEXT_USER) {
		symbol.module = "[user]";
	}
	return symbol;
}

static struct itp_symbol symbol_of(const struct itp_function *function)
{
	const char *module = function->module[0] != '\0' ? function->module : UNKNOWN;

	return (struct itp_symbol){ .function = function->name, .module = module };
}

static struct itp_symbol name_id(const struct symbolized_trace *trace, uint64_t id)
{
	uint32_t known;

	if (id > UINT32_MAX || !itp_id_map_get(trace->function_ids, (uint32_t)id, &known, NULL)) {
		known = ITP_FUNCTION_UNKNOWN;
	}
	return symbol_of(itp_function_table_get(trace->functions, known));
}

static struct itp_symbol name_address(void *data, enum itp_symbol_place place, uint64_t address,
				      bool is_return)
{
	struct symbolized_trace *trace = data;
	const struct itp_function *function;

	if (place == ITP_SYMBOL_PLACE_STACK) {
		return name_id(trace, address);
	}
	if (address >= ITP_CHAIN_FIRST_MARKER) {
		return name_marker(address);
	}
	function = itp_foreign_symbol(trace->foreign, address, is_return);
	if (function) {
		return symbol_of(function);
	}
	g_snprintf(trace->number, sizeof(trace->number), "0x%" G_GINT64_MODIFIER "x", address);
	return (struct itp_symbol){ .function = trace->number, .module = UNKNOWN };
}

/* Remembers the function introduced by an event of our own. */
static bool introduce(struct symbolize_iterator *iterator, const struct symbolized_trace *trace,
		      const bt_event *event, bool *ret_is_own, GError **error)
{
	struct itp_record record;

	if (!itp_decode(iterator->decoder, event, &record, error)) {
		g_prefix_error(error, "%s: ", trace->name);
		return false;
	}
	*ret_is_own = record.type != ITP_RECORD_FOREIGN;
	if (record.type == ITP_RECORD_FUNCTION) {
		itp_id_map_put(
			trace->function_ids, record.function.id,
			itp_function_table_intern(trace->functions, &record.function.function));
	}
	return true;
}

/* Learns processes and mappings from an event. */
static bool follow_event(struct symbolize_iterator *iterator, const struct symbolized_trace *trace,
			 const bt_message *message, GError **error)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	int64_t time_ns = 0;
	bool is_input;
	bool is_own;

	if (!introduce(iterator, trace, event, &is_own, error)) {
		return false;
	}
	if (is_own) {
		return true;
	}
	if (bt_stream_class_borrow_default_clock_class_const(
		    bt_stream_borrow_class_const(bt_event_borrow_stream_const(event)))) {
		/* Time; the previous one counts where it does not fit. */
		(void)itp_clock_snapshot_ns(
			bt_message_event_borrow_default_clock_snapshot_const(message), &time_ns);
	}
	return itp_foreign_push(trace->foreign, event, time_ns, &is_input, error);
}

/* Takes `message`; NULL with `error` set when it cannot be copied. */
static const bt_message *symbolize(struct symbolize_iterator *iterator, const bt_message *message,
				   GError **error)
{
	const bt_stream *stream = itp_message_stream(message);
	struct symbolized_trace *trace;
	const bt_message *copy = NULL;

	if (!stream) {
		return message;
	}
	trace = trace_of(iterator, stream, error);
	if (trace && (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT ||
		      follow_event(iterator, trace, message, error))) {
		copy = itp_message_copy(trace->copy, iterator->self, message, name_address, trace,
					error);
	}
	bt_message_put_ref(message);
	return copy;
}

/* Messages before a failure are handed on. */
static next_status symbolize_all(struct symbolize_iterator *iterator, bt_message_array_const inputs,
				 uint64_t input_count, bt_message_array_const messages,
				 uint64_t *ret_count)
{
	GError *error = NULL;
	uint64_t done = 0;
	uint64_t taken = 0;

	while (taken < input_count && !error) {
		messages[done] = symbolize(iterator, inputs[taken++], &error);
		done += messages[done] != NULL;
	}
	for (; taken < input_count; taken++) {
		bt_message_put_ref(inputs[taken]);
	}
	if (error) {
		itp_failure_from_iterator(iterator->self, error);
	}
	if (done == 0) {
		return NEXT_ERROR;
	}
	iterator->error = bt_current_thread_take_error();
	*ret_count = done;
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

static void warn_all(const struct symbolize_iterator *iterator)
{
	for (guint i = 0; i < iterator->traces->len; i++) {
		const struct symbolized_trace *trace = g_ptr_array_index(iterator->traces, i);

		itp_foreign_warn(trace->foreign, COMPONENT);
	}
}

/* Upstream never gives more messages at once than downstream asks for. */
next_status itp_symbolize_iterator_next(bt_self_message_iterator *self,
					bt_message_array_const messages, uint64_t capacity,
					uint64_t *count)
{
	struct symbolize_iterator *iterator = bt_self_message_iterator_get_data(self);
	bt_message_array_const inputs;
	uint64_t input_count;

	(void)capacity;
	if (iterator->error) {
		BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(iterator->error);
		return NEXT_ERROR;
	}
	switch (itp_upstream_next(&iterator->upstream, &inputs, &input_count)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return symbolize_all(iterator, inputs, input_count, messages, count);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		warn_all(iterator);
		return NEXT_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR;
	default:
		itp_refusal_tell_from_iterator(self);
		return NEXT_ERROR;
	}
}

/* Forgets processes, which have to be learned again; traces stay the same. */
static void forget_processes(struct symbolize_iterator *iterator)
{
	for (guint i = 0; i < iterator->traces->len; i++) {
		struct symbolized_trace *trace = g_ptr_array_index(iterator->traces, i);

		itp_foreign_free(trace->foreign);
		trace->foreign = itp_foreign_new(iterator->options, trace->copy->input, trace->name,
						 NULL, NULL);
		g_hash_table_remove_all(trace->copy->packets);
	}
	forget_error(iterator);
	itp_upstream_forget(&iterator->upstream);
}

bt_message_iterator_class_seek_beginning_method_status itp_symbolize_iterator_seek_beginning(
	bt_self_message_iterator *self)
{
	struct symbolize_iterator *iterator = bt_self_message_iterator_get_data(self);

	forget_processes(iterator);
	return (bt_message_iterator_class_seek_beginning_method_status)
		bt_message_iterator_seek_beginning(iterator->upstream.iterator);
}

bt_message_iterator_class_can_seek_beginning_method_status
itp_symbolize_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek)
{
	struct symbolize_iterator *iterator = bt_self_message_iterator_get_data(self);

	return (bt_message_iterator_class_can_seek_beginning_method_status)
		bt_message_iterator_can_seek_beginning(iterator->upstream.iterator, can_seek);
}
