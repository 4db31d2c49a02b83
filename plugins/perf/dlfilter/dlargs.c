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

static bool has_param(const struct itp_param_table *table, const char *name)
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

			if (place == 0 || !has_param(&own_table, name)) {
				g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "",
						       name);
			}
		}
	}
	return g_string_free(list, FALSE);
}

/* A number, a boolean, or a text, which may be in quotes. */
static GVariant *parse_value(const char *text)
{
	size_t length = strlen(text);
	g_autofree char *inside = NULL;
	guint64 number;

	if (strcmp(text, "yes") == 0 || strcmp(text, "true") == 0) {
		return g_variant_new_boolean(TRUE);
	}
	if (strcmp(text, "no") == 0 || strcmp(text, "false") == 0) {
		return g_variant_new_boolean(FALSE);
	}
	if (g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL)) {
		return g_variant_new_uint64(number);
	}
	if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
		inside = g_strndup(text + 1, length - 2);
	}
	return g_variant_new_bytestring(inside ? inside : text);
}

/* Sets a value, of which a second one makes an array of anything. */
static void insert(GHashTable *values, const char *name, GVariant *value)
{
	GVariant *present = g_hash_table_lookup(values, name);
	GVariantBuilder array;

	if (!present) {
		itp_values_set(values, name, value);
		return;
	}
	g_variant_builder_init(&array, G_VARIANT_TYPE("av"));
	if (g_variant_is_of_type(present, G_VARIANT_TYPE("av"))) {
		for (size_t i = 0; i < g_variant_n_children(present); i++) {
			g_autoptr(GVariant) element = g_variant_get_child_value(present, i);

			g_variant_builder_add_value(&array, element);
		}
	} else {
		g_variant_builder_add(&array, "v", present);
	}
	g_variant_builder_add(&array, "v", value);
	itp_values_set(values, name, g_variant_builder_end(&array));
}

/* Map for parameter `name`; NULL when it is nobody's. */
static GHashTable *find_map(const char *name, GHashTable *own, GHashTable *const *values)
{
	for (size_t place = 0; place <= ITP_STAGE_COUNT; place++) {
		if (has_param(table_of(place), name)) {
			return place == 0 ? own : values[place - 1];
		}
	}
	return NULL;
}

static bool sort_in(const char *text, GHashTable *own, GHashTable *const *values, GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
	g_autofree char *known = NULL;
	GHashTable *map = find_map(name, own, values);

	if (!map) {
		known = list_names();
		itp_failure_set(error, "unknown parameter \"%s\"; known are %s", name, known);
		return false;
	}
	if (!equals) {
		itp_failure_set(error, "parameter \"%s\": has no value; write %s=…", name, name);
		return false;
	}
	insert(map, name, parse_value(equals + 1));
	return true;
}

/* Tells the sink its inputs that are the base. */
static bool add_bases(struct itp_dlargs *dlargs, GError **error)
{
	bool done = true;

	for (guint i = 0; dlargs->base && done && i < dlargs->base->len; i++) {
		const char *path = g_ptr_array_index(dlargs->base, i);

		itp_values_append(dlargs->values[ITP_STAGE_RANK], "base", path);
		done = itp_inputs_add(&dlargs->inputs, path, error);
	}
	if (!done) {
		g_prefix_error(error, "parameter \"base\": ");
	}
	return done;
}

bool itp_dlargs_init(struct itp_dlargs *dlargs, char *const *texts, int count, GError **error)
{
	g_autoptr(GHashTable) own = itp_values_new();
	bool done = true;

	*dlargs = (struct itp_dlargs){ .name = NULL };
	itp_inputs_init(&dlargs->inputs);
	for (size_t i = 0; i < ITP_STAGE_COUNT; i++) {
		dlargs->values[i] = itp_values_new();
	}
	for (int i = 0; done && i < count; i++) {
		done = sort_in(texts[i], own, dlargs->values, error);
	}
	done = done && itp_params_read(&own_table, own, dlargs, error) &&
	       add_bases(dlargs, error) &&
	       itp_reading_params_init(&dlargs->params, dlargs->values, error);
	if (!dlargs->name) {
		dlargs->name = g_strdup(DEFAULT_NAME);
	}
	return done;
}

void itp_dlargs_release(struct itp_dlargs *dlargs)
{
	itp_params_release(&own_table, dlargs);
	itp_reading_params_release(&dlargs->params);
	itp_inputs_release(&dlargs->inputs);
	for (size_t i = 0; i < ITP_STAGE_COUNT; i++) {
		g_clear_pointer(&dlargs->values[i], g_hash_table_unref);
	}
}
