/* SPDX-License-Identifier: MIT */
/*
 * See profiles-filter.h.
 */
#include "plugins/babeltrace/graphs/profiles-filter.h"

#include <string.h>

#include "common/base/failure.h"
#include "messages/failure.h"
#include "messages/mip.h"
#include "messages/schema.h"
#include "common/record/profile-records.h"

#define OUTPUT_PORT "out"

typedef bt_message_iterator_class_next_method_status next_status;

#define NEXT_OK BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
#define NEXT_END BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END
#define NEXT_ERROR BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR

enum stage {
	STAGE_UPSTREAM,
	STAGE_BEGINNING,
	STAGE_RECORDS,
	STAGE_END,
	STAGE_DONE,
};

struct profiles_iterator {
	/* Weak. */
	bt_self_message_iterator *self;
	const struct itp_profiles_input *input;
	/* bt_message_iterator *, those before `next_upstream` are at their end. Owned by this. */
	GPtrArray *upstream;
	guint next_upstream;
	/* Of the profile `next_profile`, but for the first and the last stage. */
	enum stage stage;
	guint next_profile;
	/* Owned by this; NULL between profiles. */
	struct itp_output *output;
	struct itp_profile_records *records;
	/* const bt_message *: made and not yet asked for. Owned by this. */
	GQueue made;
};

static bool add_ports(bt_self_component_filter *self, const struct itp_profiles_input *input)
{
	for (uint64_t i = 0; i < input->upstream_count; i++) {
		g_autofree char *name = g_strdup_printf("in%" G_GUINT64_FORMAT, i);

		if (bt_self_component_filter_add_input_port(self, name, NULL, NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
			return false;
		}
	}
	return bt_self_component_filter_add_output_port(self, OUTPUT_PORT, NULL, NULL) ==
	       BT_SELF_COMPONENT_ADD_PORT_STATUS_OK;
}

static bt_component_class_initialize_method_status filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data)
{
	bt_self_component *component = bt_self_component_filter_as_self_component(self);
	GError *error = NULL;

	(void)configuration;
	(void)params;
	if (!add_ports(self, data)) {
		itp_failure_set_memory(&error);
		itp_failure_from_component(component, error);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(component, data);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void free_iterator(struct profiles_iterator *iterator)
{
	while (!g_queue_is_empty(&iterator->made)) {
		bt_message_put_ref(g_queue_pop_head(&iterator->made));
	}
	itp_profile_records_free(iterator->records);
	itp_output_free(iterator->output);
	g_ptr_array_unref(iterator->upstream);
	g_free(iterator);
}

static bt_message_iterator_class_initialize_method_status iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	bt_self_component_filter *filter = (bt_self_component_filter *)component;
	struct profiles_iterator *iterator = g_new0(struct profiles_iterator, 1);

	(void)configuration;
	(void)port;
	iterator->self = self;
	iterator->input = bt_self_component_get_data(component);
	iterator->upstream =
		g_ptr_array_new_with_free_func((GDestroyNotify)bt_message_iterator_put_ref);
	g_queue_init(&iterator->made);
	for (uint64_t i = 0; i < iterator->input->upstream_count; i++) {
		bt_message_iterator *upstream;

		if (bt_message_iterator_create_from_message_iterator(
			    self, bt_self_component_filter_borrow_input_port_by_index(filter, i),
			    &upstream) !=
		    BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK) {
			free_iterator(iterator);
			return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
		}
		g_ptr_array_add(iterator->upstream, upstream);
	}
	bt_self_message_iterator_set_data(self, iterator);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void iterator_finalize(bt_self_message_iterator *self)
{
	free_iterator(bt_self_message_iterator_get_data(self));
}

/* Passes on messages of the next input; END when all of them are through. */
static next_status next_upstream(struct profiles_iterator *iterator,
				 bt_message_array_const messages, uint64_t *ret_count)
{
	while (iterator->next_upstream < iterator->upstream->len) {
		bt_message_array_const given;
		bt_message_iterator_next_status status = bt_message_iterator_next(
			g_ptr_array_index(iterator->upstream, iterator->next_upstream), &given,
			ret_count);

		if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
			/* No array of libbabeltrace2 is longer than another. */
			memcpy(messages, given, *ret_count * sizeof(*given));
			return NEXT_OK;
		}
		if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
			return (next_status)status;
		}
		iterator->next_upstream++;
	}
	return NEXT_END;
}

static const struct itp_memory_profile *current_profile(const struct profiles_iterator *iterator)
{
	return &g_array_index(iterator->input->profiles, struct itp_memory_profile,
			      iterator->next_profile);
}

/* Time of the last event, as for all messages at the end of a stream. */
static uint64_t cycles_of(const struct itp_memory_profile *profile)
{
	return (uint64_t)(profile->source.profile->workload.counts.end_ns -
			  profile->clock.offset_ns);
}

static bool send_record(void *data, enum itp_record_type type, const void *record, GError **error)
{
	struct profiles_iterator *iterator = data;
	const bt_message *message = itp_encode(iterator->output, iterator->self,
					       cycles_of(current_profile(iterator)), type, record,
					       error);

	if (message) {
		g_queue_push_tail(&iterator->made, (gpointer)message);
	}
	return message != NULL;
}

/* Makes the trace of the next profile. */
static bool open_output(struct profiles_iterator *iterator, GError **error)
{
	const struct itp_memory_profile *profile = current_profile(iterator);
	const struct itp_output_clock clock = itp_output_clock_of(&profile->clock);
	struct itp_output_facts facts = { .error = error };

	iterator->output = itp_output_new_with_packet(
		bt_self_message_iterator_borrow_component(iterator->self), ITP_PROFILE_RECORD_TYPES,
		&clock, error);
	iterator->records = itp_profile_records_new(&profile->source);
	facts.output = iterator->output;
	return iterator->output &&
	       profile->tell_facts(profile->data, itp_output_take_fact, &facts) &&
	       itp_output_set_name(iterator->output, profile->name, error) &&
	       itp_output_open(iterator->output, error);
}

static bool push_made(struct profiles_iterator *iterator, const bt_message *message, GError **error)
{
	if (!message) {
		itp_failure_set_memory(error);
		return false;
	}
	g_queue_push_tail(&iterator->made, (gpointer)message);
	return true;
}

static bool make_beginning(struct profiles_iterator *iterator, GError **error)
{
	if (iterator->next_profile == iterator->input->profiles->len) {
		iterator->stage = STAGE_DONE;
		return true;
	}
	iterator->stage = STAGE_RECORDS;
	return open_output(iterator, error) &&
	       push_made(
		       iterator,
		       bt_message_stream_beginning_create(iterator->self, iterator->output->stream),
		       error) &&
	       push_made(iterator,
			 itp_packet_begin(&iterator->output->packet, iterator->output->stream,
					  iterator->self, cycles_of(current_profile(iterator))),
			 error);
}

static bool make_records(struct profiles_iterator *iterator, GError **error)
{
	bool more = true;

	if (!itp_profile_records_send(iterator->records, send_record, iterator, &more, error)) {
		return false;
	}
	iterator->stage = more ? STAGE_RECORDS : STAGE_END;
	return true;
}

static bool make_end(struct profiles_iterator *iterator, GError **error)
{
	const struct itp_memory_profile *profile = current_profile(iterator);
	bool done =
		push_made(iterator, itp_packet_end(&iterator->output->packet, iterator->self),
			  error) &&
		push_made(iterator,
			  bt_message_stream_end_create(iterator->self, iterator->output->stream),
			  error);

	g_clear_pointer(&iterator->records, itp_profile_records_free);
	g_clear_pointer(&iterator->output, itp_output_free);
	profile->forget(profile->data);
	iterator->next_profile++;
	iterator->stage = STAGE_BEGINNING;
	return done;
}

/* Makes at least one message, unless all are made. */
static bool make_messages(struct profiles_iterator *iterator, GError **error)
{
	switch (iterator->stage) {
	case STAGE_BEGINNING:
		return make_beginning(iterator, error);
	case STAGE_RECORDS:
		return make_records(iterator, error);
	case STAGE_END:
		return make_end(iterator, error);
	default:
		return true;
	}
}

static next_status fail(struct profiles_iterator *iterator, GError *error)
{
	itp_failure_from_iterator(iterator->self, error);
	return NEXT_ERROR;
}

static next_status iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
				 uint64_t capacity, uint64_t *ret_count)
{
	struct profiles_iterator *iterator = bt_self_message_iterator_get_data(self);
	GError *error = NULL;

	if (iterator->stage == STAGE_UPSTREAM) {
		next_status status = next_upstream(iterator, messages, ret_count);

		if (status != NEXT_END) {
			return status;
		}
		iterator->stage = STAGE_BEGINNING;
	}
	while (g_queue_is_empty(&iterator->made) && iterator->stage != STAGE_DONE) {
		if (!make_messages(iterator, &error)) {
			return fail(iterator, error);
		}
	}
	for (*ret_count = 0; *ret_count < capacity && !g_queue_is_empty(&iterator->made);
	     ++*ret_count) {
		messages[*ret_count] = g_queue_pop_head(&iterator->made);
	}
	return *ret_count > 0 ? NEXT_OK : NEXT_END;
}

bt_component_class_filter *itp_profiles_filter_class_new(void)
{
	bt_message_iterator_class *iterator = bt_message_iterator_class_create(iterator_next);
	bt_component_class_filter *filter;

	bt_message_iterator_class_set_initialize_method(iterator, iterator_init);
	bt_message_iterator_class_set_finalize_method(iterator, iterator_finalize);
	filter = bt_component_class_filter_create("profiles", iterator);
	bt_message_iterator_class_put_ref(iterator);
	bt_component_class_filter_set_initialize_method(filter, filter_init);
	bt_component_class_filter_set_get_supported_mip_versions_method(filter,
									itp_filter_mip_versions);
	return filter;
}
