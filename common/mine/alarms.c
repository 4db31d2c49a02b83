/* SPDX-License-Identifier: MIT */
/*
 * See alarms.h.
 */
#include "common/mine/alarms.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/mine/intake.h"

/* A guard's first line is shorter. */
#define FIRST_LINE_BYTES 65536

struct alarms {
	const char *path;
	/* Latest line of each unit, by thread and begin: json_t * by char *. Owned by this, as are
	 * the members below. */
	GHashTable *units;
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_intake intake;
};

static const char *json_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static int64_t json_number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

bool itp_alarms_is_file(const char *path)
{
	g_autofree char *line = g_malloc0(FIRST_LINE_BYTES);
	FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "re") : NULL;
	json_t *object = NULL;
	bool is_it;

	if (file && fgets(line, FIRST_LINE_BYTES, file)) {
		object = json_loads(line, 0, NULL);
	}
	if (file) {
		fclose(file);
	}
	is_it = g_str_equal(json_text(object, "type"), "header") &&
		json_is_array(json_object_get(object, "ending"));
	json_decref(object);
	return is_it;
}

/* ---- Stacks ---- */

/* "module!name", or "syscall:name". */
static uint32_t key_function(const struct alarms *alarms, const char *key)
{
	g_auto(GStrv) parts = g_strsplit(key, "!", 2);
	const bool has_module = parts[0] && parts[1];
	const struct itp_function function = {
		.name = has_module ? parts[1] : key,
		.module = has_module ? parts[0] : "",
		.build_id = "",
		.layer = !has_module        ? ITP_LAYER_SYSCALL :
			 parts[0][0] == '[' ? ITP_LAYER_KERNEL :
					      ITP_LAYER_USER,
	};

	return itp_function_table_intern(alarms->functions, &function);
}

static uint32_t process_node(const struct alarms *alarms, const json_t *unit)
{
	const struct itp_function function = { .name = json_text(unit, "process"),
					       .module = "",
					       .build_id = "",
					       .layer = ITP_LAYER_PROCESS };

	return itp_context_tree_child(alarms->tree, ITP_CONTEXT_ROOT,
				      itp_function_table_intern(alarms->functions, &function));
}

static void add_sight(struct alarms *alarms, const json_t *unit, const json_t *sight,
		      int64_t cost_ns)
{
	const json_t *stack = json_object_get(sight, "stack");
	uint32_t node = process_node(alarms, unit);

	for (size_t i = 0; i < json_array_size(stack); i++) {
		const char *key = json_string_value(json_array_get(stack, i));

		node = itp_context_tree_child(alarms->tree, node,
					      key_function(alarms, key ? key : ""));
	}
	itp_interest_add_stack(
		&alarms->intake.interest,
		itp_context_tree_child(alarms->intake.interest.chains, ITP_CONTEXT_ROOT, node),
		!g_str_equal(json_text(sight, "state"), "running"), 1, cost_ns);
}

static void add_late_unit(struct alarms *alarms, const json_t *unit)
{
	const json_t *sights = json_object_get(unit, "stacks");
	const size_t count = json_array_size(sights);
	const int64_t taken_ns = MAX(json_number(unit, "taken_ns"), 0);
	/* A unit's usual time is nobody's fault. */
	const int64_t usual_ns = CLAMP(json_number(unit, "typical_ns"), 0, taken_ns);
	int64_t before_ns = usual_ns;

	for (size_t i = 0; i < count; i++) {
		const json_t *sight = json_array_get(sights, i);
		const int64_t after_ns =
			i + 1 == count ? taken_ns :
					 CLAMP(json_number(sight, "after_ns"), before_ns, taken_ns);

		add_sight(alarms, unit, sight, after_ns - before_ns);
		before_ns = after_ns;
	}
	itp_intake_count_symptom(&alarms->intake, taken_ns - usual_ns);
}

/* ---- Lines ---- */

/* The last summary counts. */
static void take_summary(struct alarms *alarms, const json_t *summary)
{
	const json_t *types = json_object_get(summary, "types");
	struct itp_mined_trace *trace = &alarms->intake.trace;

	trace->calls = 0;
	for (size_t i = 0; i < json_array_size(types); i++) {
		trace->calls += (uint64_t)MAX(json_number(json_array_get(types, i), "units"), 0);
	}
	trace->is_complete = json_number(summary, "lost") == 0;
}

/* Takes the line. */
static void take_line(struct alarms *alarms, json_t *line)
{
	const char *type = json_text(line, "type");

	if (g_str_equal(type, "late_so_far") || g_str_equal(type, "late_unit")) {
		g_hash_table_replace(alarms->units,
				     g_strdup_printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
						     json_number(line, "tid"),
						     json_number(line, "begin_ns")),
				     line);
		return;
	}
	if (g_str_equal(type, "summary")) {
		take_summary(alarms, line);
	}
	json_decref(line);
}

/* A killed guard may have left half a line at the end. */
static bool take_lines(struct alarms *alarms, char **lines, GError **error)
{
	for (size_t i = 0; lines[i]; i++) {
		json_error_t fault;
		json_t *line = lines[i][0] != '\0' ? json_loads(lines[i], 0, &fault) : NULL;

		if (line) {
			take_line(alarms, line);
		} else if (lines[i][0] != '\0' && lines[i + 1]) {
			g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
				    "%s: line %zu is none of a guard's: %s", alarms->path, i + 1,
				    fault.text);
			return false;
		}
	}
	return true;
}

/* Order independent of the table's. */
static void add_units(struct alarms *alarms)
{
	g_autoptr(GList) keys =
		g_list_sort(g_hash_table_get_keys(alarms->units), (GCompareFunc)strcmp);

	for (const GList *key = keys; key; key = key->next) {
		add_late_unit(alarms, g_hash_table_lookup(alarms->units, key->data));
	}
}

static void alarms_init(struct alarms *alarms, const char *path)
{
	*alarms = (struct alarms){ .path = path };
	alarms->units = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free,
					      (GDestroyNotify)json_decref);
	alarms->functions = itp_function_table_new();
	alarms->tree = itp_context_tree_new();
	itp_intake_init(&alarms->intake, alarms->tree, alarms->functions);
	alarms->intake.trace.path = (char *)path;
	alarms->intake.trace.symptom = (char *)"late unit";
	alarms->intake.trace.has_wakeups = true;
}

static void alarms_release(struct alarms *alarms)
{
	g_hash_table_unref(alarms->units);
	itp_intake_release(&alarms->intake);
	itp_context_tree_free(alarms->tree);
	itp_function_table_free(alarms->functions);
}

bool itp_mining_add_alarms(struct itp_mining *mining, bool of_base, const char *path,
			   GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct alarms alarms;
	bool done;

	if (!g_file_get_contents(path, &text, NULL, error)) {
		return false;
	}
	lines = g_strsplit(text, "\n", -1);
	alarms_init(&alarms, path);
	done = take_lines(&alarms, lines, error);
	if (done) {
		add_units(&alarms);
		itp_mining_add(mining, of_base, &alarms.intake);
	}
	alarms_release(&alarms);
	return done;
}
