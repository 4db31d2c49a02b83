/* SPDX-License-Identifier: MIT */
/*
 * See perf-source.h: the component, its parameters and the question whether a file is ours.
 * Its message iterators are in perf-iterator.c.
 */
#include "plugins/babeltrace/perf-source.h"

#include <errno.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/symbol/debuginfod.h"
#include "plugins/babeltrace/failure.h"
#include "plugins/babeltrace/params.h"
#include "plugins/babeltrace/perf-input.h"

/* Of a file that begins like a perf.data file; a better reader may outbid this. */
#define SUPPORT_WEIGHT 0.75
/* Of what only has the name of one: if nobody else wants it, our error says best what is wrong. */
#define SUPPORT_WEIGHT_OF_NAME 0.01

struct perf_source {
	/* Parameters; owned by this. */
	GPtrArray *paths;
	char *symfs;
	char *kallsyms;
	char *kernel;
	/* Index into `demangle_choices`. */
	unsigned int demangle;
	/* Index into `clock_choices`. */
	unsigned int clock;
	bool asks_debuginfod;
	/* NULL unless asked for. Owned by this. */
	struct itp_debuginfod *debuginfod;
	/* struct itp_perf_input *, in the order of `paths`; owned by this. */
	GPtrArray *inputs;
};

#define DEMANGLE_FULL 0

static const char *const demangle_choices[] = { "full", "none", NULL };

enum clock_choice {
	/* Times of day if all inputs tell them: Babeltrace refuses to mix both kinds. */
	CLOCK_AUTO,
	CLOCK_RECORDING,
	CLOCK_WALL,
};

static const char *const clock_choices[] = {
	[CLOCK_AUTO] = "auto",
	[CLOCK_RECORDING] = "recording",
	[CLOCK_WALL] = "wall",
	NULL,
};

static const struct itp_param source_params[] = {
	{ "inputs", ITP_PARAM_STRINGS, offsetof(struct perf_source, paths), NULL },
	{ "symfs", ITP_PARAM_STRING, offsetof(struct perf_source, symfs), NULL },
	{ "kallsyms", ITP_PARAM_STRING, offsetof(struct perf_source, kallsyms), NULL },
	{ "kernel", ITP_PARAM_STRING, offsetof(struct perf_source, kernel), NULL },
	{ "demangle", ITP_PARAM_CHOICE, offsetof(struct perf_source, demangle), demangle_choices },
	{ "debuginfod", ITP_PARAM_BOOL, offsetof(struct perf_source, asks_debuginfod), NULL },
	{ "clock", ITP_PARAM_CHOICE, offsetof(struct perf_source, clock), clock_choices },
};

static const struct itp_param_table source_table = { source_params, G_N_ELEMENTS(source_params) };

static void source_free(struct perf_source *source)
{
	g_ptr_array_unref(source->inputs);
	itp_debuginfod_free(source->debuginfod);
	itp_params_release(&source_table, source);
	g_free(source);
}

/* Port names are unique in a component, so the name is the path and, from the second of equal
 * paths on, a number. */
static bool add_port(bt_self_component_source *self, struct perf_source *source, guint index,
		     GError **error)
{
	struct itp_perf_input *input = g_ptr_array_index(source->inputs, index);
	g_autofree char *name = g_strdup(input->path);

	if (bt_self_component_source_borrow_output_port_by_name(self, name)) {
		g_free(name);
		name = g_strdup_printf("%s#%u", input->path, index + 1);
	}
	if (bt_self_component_source_add_output_port(self, name, input, NULL) !=
	    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		itp_failure_set_memory(error);
		return false;
	}
	return true;
}

static bool check_file(const char *name, const char *path, GError **error)
{
	bool is_fine = !path || g_access(path, R_OK) == 0;

	if (!is_fine) {
		itp_failure_set(error, "parameter \"%s\": %s: %s", name, path, g_strerror(errno));
	}
	return is_fine;
}

/* Without the files that were asked for there would be results, but with other names. */
static bool check_symbol_params(const struct perf_source *source, GError **error)
{
	if (source->symfs && !g_file_test(source->symfs, G_FILE_TEST_IS_DIR)) {
		itp_failure_set(error, "parameter \"symfs\": %s: no such directory", source->symfs);
		return false;
	}
	return check_file("kallsyms", source->kallsyms, error) &&
	       check_file("kernel", source->kernel, error);
}

static bool open_debuginfod(struct perf_source *source, GError **error)
{
	g_autofree char *reason = NULL;

	if (source->asks_debuginfod) {
		source->debuginfod = itp_debuginfod_new(&reason);
	}
	if (reason) {
		itp_failure_set(error, "parameter \"debuginfod\": %s", reason);
	}
	return !reason;
}

/* What was read from it once is gone. */
static bool check_standard_input(const struct perf_source *source, GError **error)
{
	guint count = 0;

	for (guint i = 0; source->paths && i < source->paths->len; i++) {
		count += g_str_equal(g_ptr_array_index(source->paths, i), ITP_PERF_STANDARD_INPUT);
	}
	if (count > 1) {
		itp_failure_set(error,
				"parameter \"inputs\": \"%s\" is there %u times; standard "
				"input can be read once",
				ITP_PERF_STANDARD_INPUT, count);
	}
	return count <= 1;
}

static bool are_same_file(const char *path, const char *other)
{
	GStatBuf status;
	GStatBuf other_status;

	return g_stat(path, &status) == 0 && g_stat(other, &other_status) == 0 &&
	       status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;
}

/* A recording compared with itself tells nothing, and its events would all be there twice. */
static bool check_repeated(const struct perf_source *source, GError **error)
{
	for (guint i = 0; source->paths && i < source->paths->len; i++) {
		const char *path = g_ptr_array_index(source->paths, i);

		for (guint k = 0; k < i; k++) {
			const char *other = g_ptr_array_index(source->paths, k);

			if (are_same_file(path, other)) {
				itp_failure_set(error,
						"parameter \"inputs\": %s and %s are the same "
						"recording; name each once",
						other, path);
				return false;
			}
		}
	}
	return true;
}

static bool open_inputs(struct perf_source *source, GError **error)
{
	const struct itp_perf_options options = { .symfs = source->symfs,
						  .kallsyms = source->kallsyms,
						  .kernel = source->kernel,
						  .debuginfod = source->debuginfod,
						  .demangle = source->demangle == DEMANGLE_FULL };
	guint i;

	if (!source->paths) {
		itp_failure_set(error,
				"parameter \"inputs\" is missing: the perf.data file to read");
		return false;
	}
	for (i = 0; i < source->paths->len; i++) {
		struct itp_perf_input *input =
			itp_perf_input_new(g_ptr_array_index(source->paths, i), &options, error);

		if (!input) {
			return false;
		}
		g_ptr_array_add(source->inputs, input);
	}
	return true;
}

/* Whether the times of all inputs become times of day. */
static bool choose_clock(const struct perf_source *source, bool *ret_is_wall, GError **error)
{
	*ret_is_wall = source->clock != CLOCK_RECORDING;
	for (guint i = 0; *ret_is_wall && i < source->inputs->len; i++) {
		const struct itp_perf_input *input = g_ptr_array_index(source->inputs, i);

		*ret_is_wall = itp_perf_input_has_epoch(input);
		if (!*ret_is_wall && source->clock == CLOCK_WALL) {
			itp_failure_set(error,
					"%s: parameter \"clock\": the recording does not tell the "
					"time of day; record with `perf record -k CLOCK_MONOTONIC`",
					input->path);
			return false;
		}
	}
	return true;
}

static bool add_inputs(bt_self_component_source *self, struct perf_source *source, GError **error)
{
	bool is_wall;
	bool done = open_inputs(source, error) && choose_clock(source, &is_wall, error);

	for (guint i = 0; done && i < source->inputs->len; i++) {
		struct itp_perf_input *input = g_ptr_array_index(source->inputs, i);

		done = itp_perf_input_publish(input,
					      bt_self_component_source_as_self_component(self),
					      is_wall, error) &&
		       add_port(self, source, i, error);
	}
	return done;
}

bt_component_class_initialize_method_status itp_perf_source_init(
	bt_self_component_source *self_source,
	bt_self_component_source_configuration *configuration, const bt_value *params, void *data)
{
	bt_self_component *self = bt_self_component_source_as_self_component(self_source);
	struct perf_source *source = g_new0(struct perf_source, 1);
	GError *error = NULL;

	(void)configuration;
	(void)data;
	source->inputs = g_ptr_array_new_with_free_func((GDestroyNotify)itp_perf_input_free);
	if (!itp_params_read(&source_table, params, source, &error) ||
	    !check_symbol_params(source, &error) || !check_standard_input(source, &error) ||
	    !check_repeated(source, &error) || !open_debuginfod(source, &error) ||
	    !add_inputs(self_source, source, &error)) {
		itp_failure_from_component(self, error);
		source_free(source);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(self, source);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void itp_perf_source_finalize(bt_self_component_source *self)
{
	source_free(bt_self_component_get_data(bt_self_component_source_as_self_component(self)));
}

static const char *text_entry(const bt_value *map, const char *name)
{
	const bt_value *value = NULL;

	if (map && bt_value_is_map(map)) {
		value = bt_value_map_borrow_entry_value_const(map, name);
	}
	return value && bt_value_is_string(value) ? bt_value_string_get(value) : NULL;
}

/* perf's own name and the ending that people give their recordings. */
static bool has_name_of_recording(const char *input)
{
	g_autofree char *name = g_path_get_basename(input);

	return g_str_has_prefix(name, "perf.data") || g_str_has_suffix(name, ".data");
}

/* All files that we are given go to one component, which can choose a clock that fits them all. */
static bt_value *support_info(double weight)
{
	bt_value *info = bt_value_map_create();

	if (!info ||
	    bt_value_map_insert_real_entry(info, "weight", weight) !=
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
	    bt_value_map_insert_string_entry(info, "group", "introperf") !=
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK) {
		BT_VALUE_PUT_REF_AND_RESET(info);
	}
	return info;
}

/* `type` is "file", "directory" or, asked first for every input, "string". */
static double support_weight(const char *type, const char *input)
{
	if (!type || !input) {
		return 0.0;
	}
	if (!g_str_equal(type, "string") && itp_perf_reader_probe(input)) {
		return SUPPORT_WEIGHT;
	}
	if (g_str_equal(type, "string") && g_file_test(input, G_FILE_TEST_EXISTS)) {
		return 0.0;
	}
	return has_name_of_recording(input) ? SUPPORT_WEIGHT_OF_NAME : 0.0;
}

bt_component_class_query_method_status itp_perf_source_query(bt_self_component_class_source *self,
							     bt_private_query_executor *executor,
							     const char *object,
							     const bt_value *params, void *data,
							     const bt_value **ret_result)
{
	(void)self;
	(void)executor;
	(void)data;
	if (g_strcmp0(object, "babeltrace.support-info") != 0) {
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
	}
	*ret_result = support_info(
		support_weight(text_entry(params, "type"), text_entry(params, "input")));
	return *ret_result ? BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK :
			     BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
}
