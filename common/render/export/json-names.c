/* SPDX-License-Identifier: MIT */
/* See json-names.h. */
#include "common/render/export/json-names.h"

#include <inttypes.h>

#include "common/base/hash.h"
#include "common/base/labels.h"
#include "common/render/json.h"

struct itp_json_names {
	const struct itp_function_table *functions;
	/* By function, NULL until asked for. Owned by this. */
	char **functions_json;
	/* Names without arguments. */
	char **plain_json;
	/* By module's name, both owned by this. */
	GHashTable *modules_json;
};

struct itp_json_names *itp_json_names_new(const struct itp_function_table *functions)
{
	struct itp_json_names *names = g_new0(struct itp_json_names, 1);

	names->functions = functions;
	names->functions_json = g_new0(char *, itp_function_table_size(functions));
	names->plain_json = g_new0(char *, itp_function_table_size(functions));
	names->modules_json = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, g_free);
	return names;
}

void itp_json_names_free(struct itp_json_names *names)
{
	for (uint32_t i = 0; i < itp_function_table_size(names->functions); i++) {
		g_free(names->functions_json[i]);
		g_free(names->plain_json[i]);
	}
	g_free(names->functions_json);
	g_free(names->plain_json);
	g_hash_table_unref(names->modules_json);
	g_free(names);
}

char *itp_json_quote(const char *text)
{
	json_t *value = itp_json_text(text);
	char *quoted = itp_json_dump(value, JSON_ENCODE_ANY);

	json_decref(value);
	return quoted;
}

const char *itp_json_names_function(struct itp_json_names *names, uint32_t function)
{
	if (!names->functions_json[function]) {
		g_autofree char *name =
			itp_function_shown_name(itp_function_table_get(names->functions, function));

		names->functions_json[function] = itp_json_quote(name);
	}
	return names->functions_json[function];
}

const char *itp_json_names_plain(struct itp_json_names *names, uint32_t function)
{
	if (!names->plain_json[function]) {
		g_autofree char *plain = itp_label_without_arguments(
			itp_function_table_get(names->functions, function)->name);

		names->plain_json[function] = itp_json_quote(plain);
	}
	return names->plain_json[function];
}

const char *itp_json_names_module(struct itp_json_names *names, uint32_t function)
{
	const char *module = itp_function_table_get(names->functions, function)->module;
	char *json = g_hash_table_lookup(names->modules_json, module);

	if (!json) {
		json = itp_json_quote(module);
		g_hash_table_insert(names->modules_json, g_strdup(module), json);
	}
	return json;
}

void itp_json_names_write_call(struct itp_json_names *names, const struct itp_timeline_call *call,
			       FILE *stream)
{
	fprintf(stream,
		"\"module\":%s,\"lower_ns\":%" PRId64 ",\"upper_ns\":%" PRId64
		",\"cpu_ns\":%" PRId64 ",\"blocked_ns\":%" PRId64 ",\"runnable_ns\":%" PRId64
		",\"max_calls\":%" PRIu32,
		itp_json_names_module(names, call->function), call->lower_ns, call->upper_ns,
		call->use.cpu_ns, call->use.blocked_ns, call->use.runnable_ns, call->max_calls);
}
