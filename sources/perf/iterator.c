/* SPDX-License-Identifier: MIT */
/*
 * Message iterators of source.introperf.perf: a pass over a file.
 *
 * The sequence is: stream beginning, packet beginning; before each stack event its functions, if
 * new; packet end, stream end; and only then the error, if any, that ended the reading, so that
 * components downstream get everything readable. After seeking, functions are announced, too.
 */

#include "common/base/failure.h"
#include "messages/failure.h"
#include "sources/perf/source.h"
#include "sources/perf/trace.h"
#include "terminal/terminal.h"

enum stage {
	STAGE_BEGINNING,
	STAGE_EVENTS,
	STAGE_END,
	STAGE_DONE,
};

struct perf_iterator {
	/* Weak. */
	bt_self_message_iterator *self;
	/* Weak: owned by the component. */
	struct itp_perf_trace *trace;
	/* Owned by this. */
	struct itp_perf_session *session;
	enum stage stage;
	/* The next event to send, once its functions are. Lives in the reader. */
	struct itp_stack_event event;
	bool has_event;
	/* No event yet. */
	bool is_waiting;
	uint32_t sent_functions;
	/* Messages may be dropped on their way, since someone has made us go back. */
	bool has_sought;
	/* Error that ended the reading; 0 = the end of the file. */
	int failure;
	/* Silence of a growing recording. */
	struct itp_perf_silence silence;
};

bt_message_iterator_class_initialize_method_status itp_perf_iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port)
{
	struct perf_iterator *iterator = g_new0(struct perf_iterator, 1);
	GError *error = NULL;

	iterator->self = self;
	iterator->trace = bt_self_component_port_get_data(
		bt_self_component_port_output_as_self_component_port(port));
	iterator->session = g_steal_pointer(&iterator->trace->input->opened);
	if (!iterator->session) {
		iterator->session = itp_perf_session_new(iterator->trace->input, &error);
	}
	if (!iterator->session) {
		g_free(iterator);
		itp_failure_from_iterator(self, error);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_message_iterator_configuration_set_can_seek_forward(configuration, BT_TRUE);
	bt_self_message_iterator_set_data(self, iterator);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void itp_perf_iterator_finalize(bt_self_message_iterator *self)
{
	struct perf_iterator *iterator = bt_self_message_iterator_get_data(self);

	itp_perf_session_free(iterator->session);
	g_free(iterator);
}

static const bt_message *function_message(struct perf_iterator *iterator, uint64_t time_ns,
					  GError **error)
{
	const struct itp_function_record record = {
		.id = iterator->sent_functions,
		.function = *itp_function_table_get(iterator->session->functions,
						    iterator->sent_functions),
	};

	iterator->sent_functions++;
	if (iterator->has_sought && record.id >= iterator->trace->announced_functions) {
		iterator->trace->announced_functions = record.id + 1;
		if (!itp_output_announce(iterator->trace->output, &record, error)) {
			return NULL;
		}
	}
	return itp_encode(iterator->trace->output, iterator->self, time_ns, ITP_RECORD_FUNCTION,
			  &record, error);
}

static const bt_message *made(const bt_message *message, GError **error)
{
	if (!message) {
		itp_failure_set_memory(error);
	}
	return message;
}

static const bt_message *event_message(struct perf_iterator *iterator, GError **error)
{
	uint64_t time_ns = (uint64_t)iterator->event.time_ns;
	struct itp_output *output = iterator->trace->output;

	if (itp_packet_is_due(&output->packet)) {
		return made(
			itp_packet_begin(&output->packet, output->stream, iterator->self, time_ns),
			error);
	}
	if (iterator->sent_functions < itp_function_table_size(iterator->session->functions)) {
		return function_message(iterator, time_ns, error);
	}
	iterator->has_event = false;
	return itp_encode(output, iterator->self, time_ns, ITP_RECORD_STACK, &iterator->event,
			  error);
}

/* Babeltrace's own log is not open to plugins, and messages have no place for warnings. */
static void print(const char *text, void *data)
{
	(void)data;
	itp_terminal_say("source.introperf.perf: %s", text);
}

/* Fetches the next event; at the end of the file, goes to the next stage. */
static void fetch_event(struct perf_iterator *iterator)
{
	int result = itp_perf_reader_next(iterator->session->reader, &iterator->event);

	iterator->has_event = result > 0;
	iterator->is_waiting = result == ITP_ERROR_AGAIN;
	if (!iterator->has_event && !iterator->is_waiting) {
		iterator->failure = result;
		iterator->stage = STAGE_END;
		/* Not again after seeking. */
		if (!iterator->trace->has_warned) {
			iterator->trace->has_warned = true;
			itp_missing_names_tell(
				iterator->session->reader, iterator->trace->input,
				iterator->trace->tell ? iterator->trace->tell : print, NULL);
		}
	}
}

/* A message of inactivity, if the silence has lasted for some time; else NULL, as with `error`
 * set. */
static const bt_message *silence_message(struct perf_iterator *iterator, GError **error)
{
	const bt_message *message;
	int64_t time_ns;

	if (!itp_perf_silence_pass(&iterator->silence, iterator->session->reader, &time_ns)) {
		return NULL;
	}
	message = bt_message_message_iterator_inactivity_create(
		iterator->self,
		bt_stream_class_borrow_default_clock_class_const(
			bt_stream_borrow_class_const(iterator->trace->output->stream)),
		(uint64_t)time_ns);
	if (!message) {
		itp_failure_set_memory(error);
	}
	return message;
}

/* NULL when no message is ready, or with `error` set when memory runs out. Not to be called when
 * done. */
static const bt_message *next_message(struct perf_iterator *iterator, GError **error)
{
	const bt_stream *stream = iterator->trace->output->stream;
	struct itp_packet *packet = &iterator->trace->output->packet;
	const bt_message *message;

	if (iterator->stage == STAGE_EVENTS && !iterator->has_event) {
		fetch_event(iterator);
	}
	if (iterator->stage == STAGE_EVENTS && iterator->is_waiting) {
		return silence_message(iterator, error);
	}
	if (iterator->stage == STAGE_EVENTS) {
		iterator->silence.since_ns = 0;
		return event_message(iterator, error);
	}
	if (packet->packet) {
		return made(itp_packet_end(packet, iterator->self), error);
	}
	message = iterator->stage == STAGE_BEGINNING ?
			  bt_message_stream_beginning_create(iterator->self, stream) :
			  bt_message_stream_end_create(iterator->self, stream);
	iterator->stage = iterator->stage == STAGE_BEGINNING ? STAGE_EVENTS : STAGE_DONE;
	return made(message, error);
}

static bt_message_iterator_class_next_method_status end_status(struct perf_iterator *iterator)
{
	g_autoptr(GError) failure = NULL;
	GError *told = NULL;

	if (iterator->failure == 0) {
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	}
	failure = itp_perf_session_failure(iterator->session, iterator->trace->input,
					   iterator->failure);
	itp_failure_set(&told, "%s; what was read until there counts as incomplete",
			failure->message);
	itp_failure_from_iterator(iterator->self, told);
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

bt_message_iterator_class_next_method_status itp_perf_iterator_next(bt_self_message_iterator *self,
								    bt_message_array_const messages,
								    uint64_t capacity,
								    uint64_t *count)
{
	struct perf_iterator *iterator = bt_self_message_iterator_get_data(self);
	GError *error = NULL;

	*count = 0;
	while (*count < capacity && iterator->stage != STAGE_DONE) {
		messages[*count] = next_message(iterator, &error);
		if (!messages[*count] && !error) {
			return *count > 0 ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK :
					    BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
		}
		if (!messages[*count]) {
			while (*count > 0) {
				bt_message_put_ref(messages[--*count]);
			}
			itp_failure_from_iterator(self, error);
			return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR;
		}
		++*count;
	}
	return *count > 0 ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK : end_status(iterator);
}

bt_message_iterator_class_seek_beginning_method_status itp_perf_iterator_seek_beginning(
	bt_self_message_iterator *self)
{
	struct perf_iterator *iterator = bt_self_message_iterator_get_data(self);
	GError *error = NULL;
	struct itp_perf_session *session = itp_perf_session_new(iterator->trace->input, &error);

	if (!session) {
		itp_failure_from_iterator(self, error);
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_ERROR;
	}
	itp_perf_session_free(iterator->session);
	itp_packet_release(&iterator->trace->output->packet);
	*iterator = (struct perf_iterator){
		.self = self, .trace = iterator->trace, .session = session, .has_sought = true
	};
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}

bt_message_iterator_class_can_seek_beginning_method_status itp_perf_iterator_can_seek_beginning(
	bt_self_message_iterator *self, bt_bool *can_seek)
{
	const struct perf_iterator *iterator = bt_self_message_iterator_get_data(self);

	*can_seek = !iterator->trace->input->options.grows;
	return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
}
