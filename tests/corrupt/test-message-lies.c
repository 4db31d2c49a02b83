/* SPDX-License-Identifier: MIT */
/*
 * Records whose fields contradict each other: all are sent as messages through one graph, and read
 * again. The truth comes back, with 0 in members that no field is for; a lie is refused, and the
 * error names the field.
 */
#include <string.h>

#include "messages/coding.h"

struct sent {
	enum itp_record_type type;
	/* The field that lies, NULL for none. */
	const char *lie;
	struct itp_record record;
};

/* struct sent. */
static GArray *all;
/* How many of them were sent, and read. */
static guint sent_count;
static guint read_count;

/* ---- What is sent ---- */

static struct sent true_one(enum itp_record_type type)
{
	struct sent sent = { .type = type };

	switch (type) {
	case ITP_RECORD_FUNCTION:
		sent.record.function = (struct itp_function_record){
			.id = 7, .function = { .name = "work", .module = "m" }
		};
		break;
	case ITP_RECORD_CONTEXT:
		sent.record.context = (struct itp_context_record){ .id = 2, .parent = 1 };
		break;
	case ITP_RECORD_INSTANCE:
	case ITP_RECORD_RUNNING:
		sent.record.instance = (struct itp_instance_record){
			.function = "work",
			.instance = { .node = 1,
				      .depth = ITP_MAX_STACK_DEPTH + 2,
				      .begin_ns = 10,
				      .conservative_ns = 5,
				      .aggressive_ns = 6,
				      .lower_ns = 5,
				      .upper_ns = 7,
				      .best_begin_ns = 9,
				      .best_ns = 6 }
		};
		break;
	case ITP_RECORD_NODE:
		sent.record.node = (struct itp_node_record){
			.id = 3, .parent = 2, .stats = { .count = 2, .min_ns = 4, .max_ns = 5 }
		};
		break;
	case ITP_RECORD_SLOWEST:
		sent.record.slowest = (struct itp_slow_call){
			.node = 1, .begin_ns = 4, .latency_ns = 5, .lower_ns = 4, .upper_ns = 6
		};
		break;
	case ITP_RECORD_STRETCH:
		sent.record.stretch = (struct itp_stretch){ .begin_ns = 4, .end_ns = 4 };
		break;
	case ITP_RECORD_WAIT:
		sent.record.wait.wait = (struct itp_stretch){ .begin_ns = 4, .end_ns = 4 };
		break;
	case ITP_RECORD_UNIT:
		sent.record.unit.sum = (struct itp_unit_sum){
			.process = "p", .loop = "l", .wait = "w", .count = 1
		};
		break;
	default:
		break;
	}
	return sent;
}

static struct itp_record *add(enum itp_record_type type, const char *lie)
{
	struct sent sent = true_one(type);

	sent.lie = lie;
	g_array_append_val(all, sent);
	return &g_array_index(all, struct sent, all->len - 1).record;
}

static void add_truths(void)
{
	static const enum itp_record_type types[] = {
		ITP_RECORD_FUNCTION, ITP_RECORD_CONTEXT,   ITP_RECORD_INSTANCE,
		ITP_RECORD_RUNNING,  ITP_RECORD_NODE,      ITP_RECORD_SLOWEST,
		ITP_RECORD_LATENCY,  ITP_RECORD_STRETCH,   ITP_RECORD_SYMPTOM,
		ITP_RECORD_WAIT,     ITP_RECORD_INTEREST,  ITP_RECORD_UNIT,
		ITP_RECORD_SHARE,    ITP_RECORD_UNIT_SPAN, ITP_RECORD_UNIT_LATENCY,
		ITP_RECORD_UNPLACED,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		add(types[i], NULL);
	}
	/* Nothing was called, so no latency is the shortest. */
	add(ITP_RECORD_NODE, NULL)->node.stats = (struct itp_node_stats){ .min_ns = 9 };
	*add(ITP_RECORD_FUNCTION, NULL) =
		(struct itp_record){ .function = { .function = { .name = ITP_UNKNOWN_NAME } } };
}

static void add_lies(enum itp_record_type type)
{
	add(type, "node")->instance.instance.node = ITP_CONTEXT_ROOT;
	add(type, "depth")->instance.instance.depth++;
	add(type, "conservative_ns")->instance.instance.conservative_ns = -1;
	add(type, "conservative_ns")->instance.instance.conservative_ns = INT64_MAX;
	add(type, "aggressive_ns")->instance.instance.aggressive_ns = -1;
	add(type, "upper_ns")->instance.instance.upper_ns = 4;
	add(type, "best_ns")->instance.instance.best_ns = INT64_MIN;
	add(type, "best_ns")->instance.instance.best_begin_ns = INT64_MAX;
}

static void add_all(void)
{
	add_truths();
	add_lies(ITP_RECORD_INSTANCE);
	add_lies(ITP_RECORD_RUNNING);
	add(ITP_RECORD_FUNCTION, "id")->function.id = ITP_FUNCTION_UNKNOWN;
	add(ITP_RECORD_CONTEXT, "parent")->context.parent = 2;
	add(ITP_RECORD_CONTEXT, "parent")->context.id = 0;
	add(ITP_RECORD_NODE, "id")->node.id = ITP_CONTEXT_ROOT;
	add(ITP_RECORD_NODE, "parent")->node.parent = 3;
	add(ITP_RECORD_NODE, "max_ns")->node.stats.max_ns = 3;
	add(ITP_RECORD_SLOWEST, "latency_ns")->slowest.latency_ns = -1;
	add(ITP_RECORD_SLOWEST, "latency_ns")->slowest.begin_ns = INT64_MAX;
	add(ITP_RECORD_SLOWEST, "upper_ns")->slowest.upper_ns = 3;
	add(ITP_RECORD_LATENCY, "latency_ns")->latency.latency_ns = -1;
	add(ITP_RECORD_UNIT_LATENCY, "latency_ns")->latency.latency_ns = -1;
	add(ITP_RECORD_STRETCH, "end_ns")->stretch.end_ns = 3;
	add(ITP_RECORD_STRETCH, "end_ns")->stretch.begin_ns = INT64_MIN;
	add(ITP_RECORD_WAIT, "end_ns")->wait.wait.end_ns = 3;
	add(ITP_RECORD_SYMPTOM, "end_ns")->symptom.end_ns = -1;
	add(ITP_RECORD_INTEREST, "cost_ns")->interest.cost_ns = -1;
	add(ITP_RECORD_UNIT, "max_ns")->unit.sum.max_ns = -1;
	add(ITP_RECORD_UNIT_SPAN, "end_ns")->unit_span.end_ns = -1;
}

/* Texts that no case is about are empty. */
static void fill_texts(struct sent *sent)
{
	const struct itp_layout *layout = itp_layout_get(sent->type);

	for (size_t i = 0; i < layout->field_count; i++) {
		const struct itp_field *field = &layout->fields[i];
		char *record = (char *)&sent->record.stack;

		if (field->type == ITP_FIELD_STRING) {
			const char **text = (const char **)(void *)(record + field->offset);

			*text = *text ? *text : "";
		}
	}
}

/* ---- The source ---- */

static bt_component_class_initialize_method_status source_init(
	bt_self_component_source *self, bt_self_component_source_configuration *configuration,
	const bt_value *params, void *data)
{
	(void)configuration;
	(void)params;
	(void)data;
	bt_self_component_source_add_output_port(self, "out", NULL, NULL);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_message_iterator_class_initialize_method_status iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port)
{
	const struct itp_output_clock clock = { .has_epoch = false };
	struct itp_output *output = itp_output_new(bt_self_message_iterator_borrow_component(self),
						   (1U << ITP_RECORD_TYPE_COUNT) - 1, &clock, NULL);

	(void)configuration;
	(void)port;
	g_assert_true(itp_output_open(output, NULL));
	bt_self_message_iterator_set_data(self, output);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void iterator_finalize(bt_self_message_iterator *self)
{
	itp_output_free(bt_self_message_iterator_get_data(self));
}

/* All that goes before the first record, then one after the other, then the end. */
static uint64_t add_messages(bt_self_message_iterator *self, struct itp_output *output,
			     bt_message_array_const messages)
{
	uint64_t count = 0;

	if (sent_count == 0) {
		messages[count++] = bt_message_stream_beginning_create(self, output->stream);
		if (itp_packet_is_due(&output->packet)) {
			messages[count++] =
				itp_packet_begin(&output->packet, output->stream, self, 0);
		}
	}
	if (sent_count < all->len) {
		struct sent *sent = &g_array_index(all, struct sent, sent_count);

		fill_texts(sent);
		messages[count++] =
			itp_encode(output, self, 0, sent->type, &sent->record.stack, NULL);
	} else if (output->packet.packet) {
		messages[count++] = itp_packet_end(&output->packet, self);
	}
	if (sent_count == all->len) {
		messages[count++] = bt_message_stream_end_create(self, output->stream);
	}
	sent_count++;
	return count;
}

static bt_message_iterator_class_next_method_status iterator_next(bt_self_message_iterator *self,
								  bt_message_array_const messages,
								  uint64_t capacity,
								  uint64_t *count)
{
	(void)capacity;
	if (sent_count > all->len) {
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	}
	*count = add_messages(self, bt_self_message_iterator_get_data(self), messages);
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

static bt_component_class_source *source_class_new(void)
{
	bt_message_iterator_class *iterator = bt_message_iterator_class_create(iterator_next);
	bt_component_class_source *source;

	bt_message_iterator_class_set_initialize_method(iterator, iterator_init);
	bt_message_iterator_class_set_finalize_method(iterator, iterator_finalize);
	source = bt_component_class_source_create("lies", iterator);
	bt_message_iterator_class_put_ref(iterator);
	bt_component_class_source_set_initialize_method(source, source_init);
	return source;
}

/* ---- The sink ---- */

static void check_event(struct itp_decoder *decoder, const bt_event *event)
{
	const struct sent *sent = &g_array_index(all, struct sent, read_count);
	g_autofree char *wanted = g_strdup_printf("the value of field \"%s\" is not valid",
						  sent->lie ? sent->lie : "");
	g_autoptr(GError) error = NULL;
	struct itp_record got;
	bool is_read;

	memset(&got, 0xaa, sizeof(got));
	is_read = itp_decode(decoder, event, &got, &error);
	g_test_message("%s %s", itp_layout_get(sent->type)->event_name, wanted);
	g_assert_true(is_read == !sent->lie);
	if (!is_read) {
		g_assert_nonnull(error);
		g_assert_nonnull(strstr(error->message, wanted));
	}
	if (is_read && sent->type == ITP_RECORD_SLOWEST) {
		g_assert_cmpuint(got.slowest.run, ==, 0);
	}
	if (is_read && sent->type == ITP_RECORD_WAIT) {
		g_assert_cmpuint(got.wait.wait.ticks, ==, 0);
	}
	read_count++;
}

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *upstream,
								  void *decoder)
{
	bt_message_array_const messages;
	uint64_t count;

	if (bt_message_iterator_next(upstream, &messages, &count) !=
	    BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (bt_message_get_type(messages[i]) == BT_MESSAGE_TYPE_EVENT) {
			check_event(decoder, bt_message_event_borrow_event_const(messages[i]));
		}
		bt_message_put_ref(messages[i]);
	}
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

static void test_lies(void)
{
	bt_graph *graph = bt_graph_create(0);
	bt_component_class_source *class = source_class_new();
	struct itp_decoder *decoder = itp_decoder_new();
	const bt_component_source *source = NULL;
	const bt_component_sink *sink = NULL;

	bt_graph_add_source_component(graph, class, "lies", NULL, BT_LOGGING_LEVEL_NONE, &source);
	bt_graph_add_simple_sink_component(graph, "check", NULL, consume, NULL, decoder, &sink);
	g_assert_cmpint(bt_graph_connect_ports(
				graph,
				bt_component_source_borrow_output_port_by_index_const(source, 0),
				bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL),
			==, BT_GRAPH_CONNECT_PORTS_STATUS_OK);
	g_assert_cmpint(bt_graph_run(graph), ==, BT_GRAPH_RUN_STATUS_OK);
	g_assert_cmpuint(read_count, ==, all->len);
	bt_graph_put_ref(graph);
	bt_component_class_source_put_ref(class);
	itp_decoder_free(decoder);
}

int main(int argc, char **argv)
{
	int result;

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	all = g_array_new(FALSE, FALSE, sizeof(struct sent));
	add_all();
	g_test_add_func("/message-lies/what contradicts itself is refused", test_lies);
	result = g_test_run();
	g_array_unref(all);
	return result;
}
