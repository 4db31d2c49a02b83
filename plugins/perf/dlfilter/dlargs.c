/* SPDX-License-Identifier: MIT */
/*
 * See dlargs.h.
 */
#include "plugins/perf/dlfilter/dlargs.h"

#include <string.h>

#include "common/base/failure.h"

#define DEFAULT_NAME "perf script"

/* Of no component. */
static const struct itp_param own_params[] = {
	{ "name", ITP_PARAM_STRING, offsetof(struct itp_dlargs, name), NULL },
	{ "base", ITP_PARAM_STRINGS, offsetof(struct itp_dlargs, base), NULL },
	{ "save", ITP_PARAM_STRING, offsetof(struct itp_dlargs, save), NULL },
};

static const struct itp_param_table own_table = { own_params, G_N_ELEMENTS(own_params) };

static bool has_name(const struct itp_param_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++) {
		if (strcmp(table->params[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* Tables of parameters: ours, then those of the components. */
static const struct itp_param_table *table_of(size_t place)
{
	return place == 0 ? &own_table : itp_stage_param_table((enum itp_stage)(place - 1));
}

static char *list_names(void)
{
	GString *list = g_string_new(NULL);

	for (size_t place = 0; place <= ITP_STAGE_COUNT; place++) {
		const struct itp_param_table *table = table_of(place);

		for (size_t i = 0; i < table->count; i++) {
			const char *name = table->params[i].name;

			if (place == 0 || !has_name(&own_table, name)) {
				g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "",
						       name);
			}
		}
	}
	return g_string_free(list, FALSE);
}

/* A number, a boolean, or a text, which may be in quotes. */
static bt_value *parse_value(const char *text)
{
	size_t length = strlen(text);
	g_autofree char *inside = NULL;
	guint64 number;

	if (strcmp(text, "yes") == 0 || strcmp(text, "true") == 0) {
		return bt_value_bool_create_init(BT_TRUE);
	}
	if (strcmp(text, "no") == 0 || strcmp(text, "false") == 0) {
		return bt_value_bool_create_init(BT_FALSE);
	}
	if (g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL)) {
		return bt_value_integer_unsigned_create_init(number);
	}
	if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
		inside = g_strndup(text + 1, length - 2);
		return bt_value_string_create_init(inside);
	}
	return bt_value_string_create_init(text);
}

/* A second value makes an array. */
static void insert(bt_value *map, const char *name, const bt_value *value)
{
	bt_value *present = bt_value_map_borrow_entry_value(map, name);
	bt_value *array;

	if (!present) {
		bt_value_map_insert_entry(map, name, (bt_value *)value);
		return;
	}
	if (bt_value_is_array(present)) {
		bt_value_array_append_element(present, (bt_value *)value);
		return;
	}
	array = bt_value_array_create();
	bt_value_array_append_element(array, present);
	bt_value_array_append_element(array, (bt_value *)value);
	bt_value_map_insert_entry(map, name, array);
	bt_value_put_ref(array);
}

/* Map for parameter `name`; NULL when it is nobody's. */
static bt_value *find_map(const char *name, bt_value *own, bt_value *const *values)
{
	for (size_t place = 0; place <= ITP_STAGE_COUNT; place++) {
		if (has_name(table_of(place), name)) {
			return place == 0 ? own : values[place - 1];
		}
	}
	return NULL;
}

static bool sort_in(const char *text, bt_value *own, bt_value *const *values, GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
	g_autofree char *known = NULL;
	bt_value *map = find_map(name, own, values);
	bt_value *value;

	if (!map) {
		known = list_names();
		itp_failure_set(error, "unknown parameter \"%s\"; known are %s", name, known);
		return false;
	}
	if (!equals) {
		itp_failure_set(error, "parameter \"%s\": has no value; write %s=…", name, name);
		return false;
	}
	value = parse_value(equals + 1);
	insert(map, name, value);
	bt_value_put_ref(value);
	return true;
}

/* Tells the sink its inputs that are the base. */
static bool add_bases(struct itp_dlargs *dlargs, GError **error)
{
	bt_value *names = NULL;
	bool done = true;

	if (dlargs->base) {
		bt_value_map_insert_empty_array_entry(dlargs->values[ITP_STAGE_RANK], "base",
						      &names);
	}
	for (guint i = 0; names && done && i < dlargs->base->len; i++) {
		const char *path = g_ptr_array_index(dlargs->base, i);

		bt_value_array_append_string_element(names, path);
		done = itp_inputs_add(&dlargs->inputs, path, error);
	}
	if (!done) {
		g_prefix_error(error, "parameter \"base\": ");
	}
	return done;
}

bool itp_dlargs_init(struct itp_dlargs *dlargs, char *const *texts, int count, GError **error)
{
	bt_value *own = bt_value_map_create();
	bool done = true;

	*dlargs = (struct itp_dlargs){ .name = NULL };
	itp_inputs_init(&dlargs->inputs);
	for (size_t i = 0; i < ITP_STAGE_COUNT; i++) {
		dlargs->values[i] = bt_value_map_create();
	}
	for (int i = 0; done && i < count; i++) {
		done = sort_in(texts[i], own, dlargs->values, error);
	}
	done = done && itp_params_read(&own_table, own, dlargs, error) &&
	       add_bases(dlargs, error) &&
	       itp_host_params_init(&dlargs->params, dlargs->values, error);
	bt_value_put_ref(own);
	if (!dlargs->name) {
		dlargs->name = g_strdup(DEFAULT_NAME);
	}
	return done;
}

void itp_dlargs_release(struct itp_dlargs *dlargs)
{
	itp_params_release(&own_table, dlargs);
	itp_host_params_release(&dlargs->params);
	itp_inputs_release(&dlargs->inputs);
	for (size_t i = 0; i < ITP_STAGE_COUNT; i++) {
		BT_VALUE_PUT_REF_AND_RESET(dlargs->values[i]);
	}
}
