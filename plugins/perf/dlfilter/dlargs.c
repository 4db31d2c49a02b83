/* SPDX-License-Identifier: MIT */
/*
 * See dlargs.h.
 */
#include "plugins/perf/dlfilter/dlargs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/symbol/debuginfod.h"
#include "plugins/babeltrace/failure.h"
#include "sinks/rank/rank.h"

#define DEFAULT_NAME "perf script"
#define DEMANGLE_FULL 0

static const char *const demangle_choices[] = { "full", "none", NULL };

static const struct itp_param host_params[] = {
	{ "symfs", ITP_PARAM_STRING, offsetof(struct itp_dlargs, symfs), NULL },
	{ "kallsyms", ITP_PARAM_STRING, offsetof(struct itp_dlargs, kallsyms), NULL },
	{ "kernel", ITP_PARAM_STRING, offsetof(struct itp_dlargs, kernel), NULL },
	{ "demangle", ITP_PARAM_CHOICE, offsetof(struct itp_dlargs, demangle), demangle_choices },
	{ "debuginfod", ITP_PARAM_BOOL, offsetof(struct itp_dlargs, asks_debuginfod), NULL },
	{ "name", ITP_PARAM_STRING, offsetof(struct itp_dlargs, name), NULL },
	{ "base", ITP_PARAM_STRINGS, offsetof(struct itp_dlargs, base), NULL },
};

static const struct itp_param_table host_table = { host_params, G_N_ELEMENTS(host_params) };

/* Whose parameter a name is. Those of several go to the first. */
static const struct itp_param_table *const tables[] = { &host_table, &itp_infer_param_table,
							&itp_normalize_param_table,
							&itp_rank_param_table };

#define TABLE_COUNT G_N_ELEMENTS(tables)
#define RANK_TABLE (TABLE_COUNT - 1)

static bool has_name(const struct itp_param_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++) {
		if (strcmp(table->params[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

static char *list_names(void)
{
	GString *list = g_string_new(NULL);

	for (size_t i = 0; i < TABLE_COUNT; i++) {
		for (size_t k = 0; k < tables[i]->count; k++) {
			const char *name = tables[i]->params[k].name;

			/* Only the first table's is read. */
			if (i == 0 || !has_name(&host_table, name)) {
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

/* Puts `text` into the map of whose parameter it is. */
static bool sort_in(const char *text, bt_value *const *maps, GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
	g_autofree char *known = NULL;

	for (size_t i = 0; i < TABLE_COUNT; i++) {
		if (has_name(tables[i], name)) {
			bt_value *value = equals ? parse_value(equals + 1) : NULL;

			if (!value) {
				itp_failure_set(error, "parameter \"%s\": has no value; write %s=…",
						name, name);
				return false;
			}
			insert(maps[i], name, value);
			bt_value_put_ref(value);
			return true;
		}
	}
	known = list_names();
	itp_failure_set(error, "unknown parameter \"%s\"; known are %s", name, known);
	return false;
}

static bool check_files(const struct itp_dlargs *dlargs, GError **error)
{
	const struct {
		const char *name;
		const char *path;
	} files[] = { { "symfs", dlargs->symfs },
		      { "kallsyms", dlargs->kallsyms },
		      { "kernel", dlargs->kernel } };

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		if (files[i].path && g_access(files[i].path, R_OK) != 0) {
			itp_failure_set(error, "parameter \"%s\": %s: %s", files[i].name,
					files[i].path, g_strerror(errno));
			return false;
		}
	}
	return true;
}

static bool open_debuginfod(struct itp_dlargs *dlargs, GError **error)
{
	g_autofree char *reason = NULL;

	if (dlargs->asks_debuginfod) {
		dlargs->debuginfod = itp_debuginfod_new(&reason);
	}
	if (reason) {
		itp_failure_set(error, "parameter \"debuginfod\": %s", reason);
	}
	return !reason;
}

bool itp_dlargs_read(struct itp_dlargs *dlargs, char *const *texts, int count, GError **error)
{
	void *const targets[TABLE_COUNT] = { dlargs, &dlargs->infer, &dlargs->normalize };
	bt_value *maps[TABLE_COUNT];
	bool done = true;

	*dlargs = (struct itp_dlargs){ .infer = itp_infer_defaults,
				       .normalize = itp_normalize_defaults };
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		maps[i] = bt_value_map_create();
	}
	for (int i = 0; done && i < count; i++) {
		done = sort_in(texts[i], maps, error);
	}
	for (size_t i = 0; done && i < RANK_TABLE; i++) {
		done = itp_params_read(tables[i], maps[i], targets[i], error);
	}
	dlargs->rank = maps[RANK_TABLE];
	for (size_t i = 0; i < RANK_TABLE; i++) {
		bt_value_put_ref(maps[i]);
	}
	if (!dlargs->name) {
		dlargs->name = g_strdup(DEFAULT_NAME);
	}
	return done && check_files(dlargs, error) && open_debuginfod(dlargs, error);
}

void itp_dlargs_release(struct itp_dlargs *dlargs)
{
	itp_params_release(&host_table, dlargs);
	itp_debuginfod_free(dlargs->debuginfod);
	bt_value_put_ref(dlargs->rank);
}

struct itp_perf_options itp_dlargs_perf_options(const struct itp_dlargs *dlargs)
{
	return (struct itp_perf_options){ .symfs = dlargs->symfs,
					  .kallsyms = dlargs->kallsyms,
					  .kernel = dlargs->kernel,
					  .debuginfod = dlargs->debuginfod,
					  .demangle = dlargs->demangle == DEMANGLE_FULL };
}
