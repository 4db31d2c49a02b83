/* SPDX-License-Identifier: MIT */
/* See call-trace.h. */
#include "filters/infer/call-trace.h"

#include "common/base/failure.h"
#include "messages/coding.h"

#define NUMBER_BITS 32
#define ADDRESS_BITS 64

struct itp_call_trace {
	/* Owned by this (a reference each). */
	bt_trace *trace;
	bt_stream *stream;
	struct itp_packet packet;
	/* Weak: the trace's. */
	bt_event_class *entry;
	bt_event_class *exit;
};

/* Members by index. */
enum context_member {
	CONTEXT_VPID,
	CONTEXT_VTID,
	CONTEXT_PROCNAME
};
enum payload_member {
	PAYLOAD_ADDR,
	PAYLOAD_NAME,
	PAYLOAD_MODULE,
	PAYLOAD_CALL_SITE
};

/* Takes `field_class`. */
static bool append_member(bt_field_class *structure, const char *name, bt_field_class *field_class)
{
	bool done = field_class &&
		    bt_field_class_structure_append_member(structure, name, field_class) ==
			    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;

	bt_field_class_put_ref(field_class);
	return done;
}

static bt_field_class *create_number(bt_trace_class *trace_class)
{
	bt_field_class *number = bt_field_class_integer_signed_create(trace_class);

	if (number) {
		bt_field_class_integer_set_field_value_range(number, NUMBER_BITS);
	}
	return number;
}

static bt_field_class *create_address(bt_trace_class *trace_class)
{
	bt_field_class *address = bt_field_class_integer_unsigned_create(trace_class);

	if (address) {
		bt_field_class_integer_set_field_value_range(address, ADDRESS_BITS);
		bt_field_class_integer_set_preferred_display_base(
			address, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
	}
	return address;
}

static bool set_context(bt_trace_class *trace_class, bt_stream_class *stream_class)
{
	bt_field_class *context = bt_field_class_structure_create(trace_class);
	bool done = context && append_member(context, "vpid", create_number(trace_class)) &&
		    append_member(context, "vtid", create_number(trace_class)) &&
		    append_member(context, "procname", bt_field_class_string_create(trace_class)) &&
		    bt_stream_class_set_event_common_context_field_class(stream_class, context) ==
			    BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;

	bt_field_class_put_ref(context);
	return done;
}

/* NULL when memory runs out; else weak, the stream class's. Callers are known only at an entry. */
static bt_event_class *add_class(bt_trace_class *trace_class, bt_stream_class *stream_class,
				 const char *name, bool is_entry)
{
	bt_event_class *event_class = bt_event_class_create(stream_class);
	bt_field_class *payload = bt_field_class_structure_create(trace_class);
	bool done =
		event_class && payload &&
		append_member(payload, "addr", create_address(trace_class)) &&
		append_member(payload, "name", bt_field_class_string_create(trace_class)) &&
		append_member(payload, "module", bt_field_class_string_create(trace_class)) &&
		(!is_entry || append_member(payload, "call_site", create_address(trace_class))) &&
		bt_event_class_set_name(event_class, name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
		bt_event_class_set_payload_field_class(event_class, payload) ==
			BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;

	bt_field_class_put_ref(payload);
	bt_event_class_put_ref(event_class);
	return done ? event_class : NULL;
}

static bool set_environment(bt_trace *trace, const bt_trace *input, const char *name,
			    GError **error)
{
	if (!itp_environment_copy(trace, input, error)) {
		return false;
	}
	if (bt_trace_set_environment_entry_string(trace, "introperf_input", name) !=
		    BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK ||
	    bt_trace_set_environment_entry_string(trace, "domain", "ust") !=
		    BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK ||
	    bt_trace_set_environment_entry_string(trace, "tracer_name", "lttng-ust") !=
		    BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK ||
	    bt_trace_set_environment_entry_integer(trace, "tracer_major", 2) !=
		    BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK ||
	    bt_trace_set_environment_entry_integer(trace, "tracer_minor", 13) !=
		    BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK) {
		itp_failure_set_memory(error);
		return false;
	}
	return true;
}

static bool make_trace(struct itp_call_trace *call_trace, bt_self_component *self, const char *name,
		       bt_clock_class *clock)
{
	bt_trace_class *trace_class = bt_trace_class_create(self);
	bt_stream_class *stream_class = trace_class ? bt_stream_class_create(trace_class) : NULL;
	bool done = stream_class &&
		    bt_stream_class_set_default_clock_class(stream_class, clock) ==
			    BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK &&
		    set_context(trace_class, stream_class);

	if (done) {
		if (itp_packet_is_needed()) {
			itp_packet_prepare(&call_trace->packet, stream_class);
		}
		call_trace->entry = add_class(trace_class, stream_class,
					      "lttng_ust_cyg_profile:func_entry", true);
		call_trace->exit = add_class(trace_class, stream_class,
					     "lttng_ust_cyg_profile:func_exit", false);
		call_trace->trace = bt_trace_create(trace_class);
	}
	done = call_trace->entry && call_trace->exit && call_trace->trace &&
	       bt_trace_set_name(call_trace->trace, name) == BT_TRACE_SET_NAME_STATUS_OK;
	bt_stream_class_put_ref(stream_class);
	bt_trace_class_put_ref(trace_class);
	return done;
}

struct itp_call_trace *itp_call_trace_new(bt_self_component *self, const bt_trace *input,
					  const char *name, bt_clock_class *clock, GError **error)
{
	struct itp_call_trace *call_trace = g_new0(struct itp_call_trace, 1);
	bool done = make_trace(call_trace, self, name, clock);

	if (done && set_environment(call_trace->trace, input, name, error)) {
		call_trace->stream =
			bt_stream_create(bt_trace_class_borrow_stream_class_by_index(
						 bt_trace_borrow_class(call_trace->trace), 0),
					 call_trace->trace);
	}
	if (!call_trace->stream) {
		if (error && !*error) {
			itp_failure_set_memory(error);
		}
		itp_call_trace_free(call_trace);
		return NULL;
	}
	return call_trace;
}

void itp_call_trace_free(struct itp_call_trace *call_trace)
{
	if (!call_trace) {
		return;
	}
	itp_packet_release(&call_trace->packet);
	bt_stream_put_ref(call_trace->stream);
	bt_trace_put_ref(call_trace->trace);
	g_free(call_trace);
}

bt_message *itp_call_trace_begin(const struct itp_call_trace *call_trace,
				 bt_self_message_iterator *self)
{
	return bt_message_stream_beginning_create(self, call_trace->stream);
}

bt_message *itp_call_trace_begin_packet(struct itp_call_trace *call_trace,
					bt_self_message_iterator *self, uint64_t cycles)
{
	return itp_packet_begin(&call_trace->packet, call_trace->stream, self, cycles);
}

bt_message *itp_call_trace_end_packet(struct itp_call_trace *call_trace,
				      bt_self_message_iterator *self)
{
	return itp_packet_end(&call_trace->packet, self);
}

bt_message *itp_call_trace_end(const struct itp_call_trace *call_trace,
			       bt_self_message_iterator *self)
{
	return bt_message_stream_end_create(self, call_trace->stream);
}

static bool set_text(bt_field *structure, uint64_t index, const char *text)
{
	return bt_field_string_set_value(
		       bt_field_structure_borrow_member_field_by_index(structure, index), text) ==
	       BT_FIELD_STRING_SET_VALUE_STATUS_OK;
}

static void set_number(bt_field *structure, uint64_t index, int64_t number)
{
	bt_field_integer_signed_set_value(
		bt_field_structure_borrow_member_field_by_index(structure, index), number);
}

static void set_address(bt_field *structure, uint64_t index, uint64_t address)
{
	bt_field_integer_unsigned_set_value(
		bt_field_structure_borrow_member_field_by_index(structure, index), address);
}

static bool fill_event(bt_event *event, const struct itp_call_event *from)
{
	bt_field *context = bt_event_borrow_common_context_field(event);
	bt_field *payload = bt_event_borrow_payload_field(event);

	set_number(context, CONTEXT_VPID, from->pid);
	set_number(context, CONTEXT_VTID, from->tid);
	set_address(payload, PAYLOAD_ADDR, from->function);
	return set_text(context, CONTEXT_PROCNAME, from->process) &&
	       set_text(payload, PAYLOAD_NAME, from->name) &&
	       set_text(payload, PAYLOAD_MODULE, from->module);
}

static bt_message *create(struct itp_call_trace *call_trace, bt_self_message_iterator *self,
			  const bt_event_class *event_class, uint64_t cycles,
			  const struct itp_call_event *event)
{
	bt_message *message = itp_packet_event(&call_trace->packet, call_trace->stream, event_class,
					       self, cycles);

	if (message && !fill_event(bt_message_event_borrow_event(message), event)) {
		BT_MESSAGE_PUT_REF_AND_RESET(message);
	}
	return message;
}

bt_message *itp_call_trace_entry(struct itp_call_trace *call_trace, bt_self_message_iterator *self,
				 uint64_t cycles, const struct itp_call_event *event)
{
	bt_message *message = create(call_trace, self, call_trace->entry, cycles, event);

	if (message) {
		set_address(bt_event_borrow_payload_field(bt_message_event_borrow_event(message)),
			    PAYLOAD_CALL_SITE, event->call_site);
	}
	return message;
}

bt_message *itp_call_trace_exit(struct itp_call_trace *call_trace, bt_self_message_iterator *self,
				uint64_t cycles, const struct itp_call_event *event)
{
	return create(call_trace, self, call_trace->exit, cycles, event);
}
