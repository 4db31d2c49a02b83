/* SPDX-License-Identifier: MIT */
/*
 * A Babeltrace sink for the accuracy bench: event messages as columns of numbers.
 *
 * sink.accuracy.columns writes into the directory `path`, which must be there, for every event
 * class EVENT (without what stands before the colon):
 *
 *   EVENT.columns   names of the columns, one a line; the first is `time`
 *   EVENT.i64       the values, row by row, 64 bits each
 *   EVENT.NAME.u64  the elements of all arrays NAME, one behind the other; the column NAME holds
 *                   how many belong to the row
 *   strings         one a line; columns of strings hold line numbers, from 0
 *   origin          nanoseconds from the clock's origin to its 0, if the origin is 1970's start
 *
 * Times are what the clock shows. The members are whatever the messages have, so the bench sees
 * those that are added later.
 */
#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct table {
	FILE *rows;
	/* FILE *, NULL for members that are no arrays. Owned by this. */
	GPtrArray *elements;
};

struct columns {
	/* Owned by this, all of them. */
	char *path;
	bt_message_iterator *upstream;
	/* bt_event_class * (alive as long as the graph) → struct table. */
	GHashTable *tables;
	/* Text → line number. */
	GHashTable *strings;
	FILE *string_file;
	bool has_failed;
};

static struct columns *columns_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

static void close_file(void *file)
{
	if (file) {
		fclose(file);
	}
}

static void free_table(void *data)
{
	struct table *table = data;

	close_file(table->rows);
	g_ptr_array_unref(table->elements);
	g_free(table);
}

static FILE *create(struct columns *columns, const char *name)
{
	g_autofree char *path = g_build_filename(columns->path, name, NULL);
	FILE *file = fopen(path, "wb");

	columns->has_failed = columns->has_failed || !file;
	return file;
}

static void write_value(struct columns *columns, FILE *file, int64_t value)
{
	if (fwrite(&value, sizeof(value), 1, file) != 1) {
		columns->has_failed = true;
	}
}

/* Where zero is, if the clock says so. */
static void write_origin(struct columns *columns, const bt_event_class *event_class)
{
	const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(
		bt_event_class_borrow_stream_class_const(event_class));
	FILE *file = create(columns, "origin");
	int64_t seconds = 0;
	uint64_t cycles = 0;

	if (!file) {
		return;
	}
	if (bt_clock_class_origin_is_unix_epoch(clock)) {
		bt_clock_class_get_offset(clock, &seconds, &cycles);
	}
	fprintf(file, "%" G_GINT64_FORMAT "\n", seconds * 1000000000 + (int64_t)cycles);
	fclose(file);
}

static struct table *add_table(struct columns *columns, const bt_event_class *event_class)
{
	const bt_field_class *payload =
		bt_event_class_borrow_payload_field_class_const(event_class);
	const char *full_name = bt_event_class_get_name(event_class);
	const char *colon = strrchr(full_name, ':');
	const char *name = colon ? colon + 1 : full_name;
	g_autofree char *rows_name = g_strconcat(name, ".i64", NULL);
	g_autofree char *names_name = g_strconcat(name, ".columns", NULL);
	struct table *table = g_new0(struct table, 1);
	FILE *names = create(columns, names_name);

	table->rows = create(columns, rows_name);
	table->elements = g_ptr_array_new_with_free_func(close_file);
	g_hash_table_insert(columns->tables, (void *)event_class, table);
	if (!names) {
		return table;
	}
	fprintf(names, "time\n");
	for (uint64_t i = 0; i < bt_field_class_structure_get_member_count(payload); i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(payload, i);
		const char *member_name = bt_field_class_structure_member_get_name(member);
		g_autofree char *array_name = g_strconcat(name, ".", member_name, ".u64", NULL);
		bool is_array = bt_field_class_type_is(
			bt_field_class_get_type(
				bt_field_class_structure_member_borrow_field_class_const(member)),
			BT_FIELD_CLASS_TYPE_ARRAY);

		fprintf(names, "%s\n", member_name);
		g_ptr_array_add(table->elements, is_array ? create(columns, array_name) : NULL);
	}
	fclose(names);
	write_origin(columns, event_class);
	return table;
}

static int64_t string_number(struct columns *columns, const char *text)
{
	gpointer number;

	if (!g_hash_table_lookup_extended(columns->strings, text, NULL, &number)) {
		number = GSIZE_TO_POINTER(g_hash_table_size(columns->strings));
		g_hash_table_insert(columns->strings, g_strdup(text), number);
		fprintf(columns->string_file, "%s\n", text);
	}
	return (int64_t)GPOINTER_TO_SIZE(number);
}

static int64_t write_elements(struct columns *columns, FILE *file, const bt_field *array)
{
	uint64_t length = bt_field_array_get_length(array);

	for (uint64_t i = 0; i < length; i++) {
		write_value(columns, file,
			    (int64_t)bt_field_integer_unsigned_get_value(
				    bt_field_array_borrow_element_field_by_index_const(array, i)));
	}
	return (int64_t)length;
}

static int64_t value_of(struct columns *columns, const bt_field *field, FILE *elements)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
		return (int64_t)bt_field_integer_unsigned_get_value(field);
	}
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
		return bt_field_integer_signed_get_value(field);
	}
	if (type == BT_FIELD_CLASS_TYPE_STRING) {
		return string_number(columns, bt_field_string_get_value(field));
	}
	if (type == BT_FIELD_CLASS_TYPE_BOOL) {
		return bt_field_bool_get_value(field);
	}
	return elements ? write_elements(columns, elements, field) : 0;
}

static void write_event(struct columns *columns, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_event_class *event_class = bt_event_borrow_class_const(event);
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	struct table *table = g_hash_table_lookup(columns->tables, event_class);

	if (!bt_event_class_get_name(event_class) || !payload) {
		return;
	}
	if (!table) {
		table = add_table(columns, event_class);
	}
	if (columns->has_failed) {
		return;
	}
	write_value(columns, table->rows,
		    (int64_t)bt_clock_snapshot_get_value(
			    bt_message_event_borrow_default_clock_snapshot_const(message)));
	for (guint i = 0; i < table->elements->len; i++) {
		write_value(
			columns, table->rows,
			value_of(columns,
				 bt_field_structure_borrow_member_field_by_index_const(payload, i),
				 g_ptr_array_index(table->elements, i)));
	}
}

static void columns_free(struct columns *columns)
{
	bt_message_iterator_put_ref(columns->upstream);
	g_hash_table_unref(columns->tables);
	g_hash_table_unref(columns->strings);
	close_file(columns->string_file);
	g_free(columns->path);
	g_free(columns);
}

static bt_component_class_initialize_method_status columns_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	const bt_value *path = bt_value_map_borrow_entry_value_const(params, "path");
	struct columns *columns;

	(void)configuration;
	(void)data;
	if (!path || !bt_value_is_string(path) ||
	    bt_self_component_sink_add_input_port(self, "in", NULL, NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	columns = g_new0(struct columns, 1);
	columns->path = g_strdup(bt_value_string_get(path));
	columns->tables = g_hash_table_new_full(NULL, NULL, NULL, free_table);
	columns->strings = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	columns->string_file = create(columns, "strings");
	if (!columns->string_file) {
		columns_free(columns);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), columns);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void columns_finalize(bt_self_component_sink *self)
{
	columns_free(columns_of(self));
}

static bt_component_class_sink_graph_is_configured_method_status columns_graph_is_configured(
	bt_self_component_sink *self)
{
	return bt_message_iterator_create_from_sink_component(
		       self, bt_self_component_sink_borrow_input_port_by_index(self, 0),
		       &columns_of(self)->upstream) ==
			       BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK ?
		       BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK :
		       BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
}

static bt_component_class_sink_consume_method_status columns_consume(bt_self_component_sink *self)
{
	struct columns *columns = columns_of(self);
	bt_message_array_const messages;
	bt_message_iterator_next_status status;
	uint64_t count;

	status = bt_message_iterator_next(columns->upstream, &messages, &count);
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		/* Both enumerations have the same values for what can be said here. */
		return (bt_component_class_sink_consume_method_status)status;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (bt_message_get_type(messages[i]) == BT_MESSAGE_TYPE_EVENT) {
			write_event(columns, messages[i]);
		}
		bt_message_put_ref(messages[i]);
	}
	return columns->has_failed ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR :
				     BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
}

BT_PLUGIN_MODULE();
BT_PLUGIN(accuracy);
BT_PLUGIN_DESCRIPTION("For the accuracy bench of introperf");
BT_PLUGIN_LICENSE("MIT");

BT_PLUGIN_SINK_COMPONENT_CLASS(columns, columns_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(columns, "Write event messages as columns of numbers");
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(columns, columns_init);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(columns, columns_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(columns, columns_graph_is_configured);
