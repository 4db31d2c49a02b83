/* SPDX-License-Identifier: MIT */
/*
 * See source.h: the component, its parameters and the question whether a file is ours.
 * Its message iterators are in iterator.c.
 */
#include "sources/perf/source.h"

#include "common/base/failure.h"
#include "common/engine/symbol-params.h"
#include "messages/failure.h"
#include "messages/param-maps.h"
#include "sources/perf/trace.h"

/* Weight of a file with the first bytes of a perf.data file; a better reader may outbid it. */
#define SUPPORT_WEIGHT 0.75
/* Weight of a file with only the name of a recording: if nobody else takes it, our error explains
 * best. */
#define SUPPORT_WEIGHT_OF_NAME 0.01

struct perf_source {
	/* Parameters; owned by this. */
	GPtrArray *paths;
	struct itp_symbol_params symbols;
	enum itp_perf_clock clock;
	/* Standard input is read while being written. */
	bool is_live;
	struct itp_perf_inputs inputs;
	/* struct itp_perf_trace *, as `inputs`. Owned by this. */
	GPtrArray *traces;
	/* NULL without. Weak, and only used during the component's making. */
	const struct itp_perf_source_host *host;
};

static const struct itp_param source_params[] = {
	{ "inputs", ITP_PARAM_STRINGS, offsetof(struct perf_source, paths), NULL },
	ITP_SYMBOL_PARAMS(struct perf_source, symbols),
	{ "processes", ITP_PARAM_CHOICE, offsetof(struct perf_source, symbols.processes),
	  itp_processes_names },
	{ "clock", ITP_PARAM_CHOICE, offsetof(struct perf_source, clock), itp_perf_clock_names },
	{ "live", ITP_PARAM_BOOL, offsetof(struct perf_source, is_live), NULL },
};

static const struct itp_param_table source_table = { source_params, G_N_ELEMENTS(source_params) };

static void source_free(struct perf_source *source)
{
	g_clear_pointer(&source->traces, g_ptr_array_unref);
	itp_perf_inputs_release(&source->inputs);
	itp_symbol_params_release(&source->symbols);
	itp_params_release(&source_table, source);
	g_free(source);
}

/* Adds an output port. Port names are unique in a component, so the name is the path and, from the
 * second of equal paths on, a number. */
static bool add_port(bt_self_component_source *self, struct perf_source *source, guint index,
		     GError **error)
{
	struct itp_perf_trace *trace = g_ptr_array_index(source->traces, index);
	const char *path = trace->input->path;
	g_autofree char *name = g_strdup(path);

	if (bt_self_component_source_borrow_output_port_by_name(self, name)) {
		g_free(name);
		name = g_strdup_printf("%s#%u", path, index + 1);
	}
	if (bt_self_component_source_add_output_port(self, name, trace, NULL) !=
	    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		itp_failure_set_memory(error);
		return false;
	}
	return true;
}

static bool check_live(const struct perf_source *source, GError **error)
{
	bool is_fine = !source->is_live ||
		       (source->paths && source->paths->len == 1 &&
			g_str_equal(g_ptr_array_index(source->paths, 0), ITP_PERF_STANDARD_INPUT));

	if (!is_fine) {
		itp_failure_set(error, "parameter \"live\": only standard input, \"-\", can be "
				       "read while it is written, and nothing beside it");
	}
	return is_fine;
}

static bool open_inputs(struct perf_source *source, GError **error)
{
	struct itp_perf_options options;

	if (!source->paths) {
		itp_failure_set(error,
				"parameter \"inputs\" is missing: the perf.data file to read");
		return false;
	}
	if (!check_live(source, error) || !itp_symbol_params_prepare(&source->symbols, error)) {
		return false;
	}
	options = itp_symbol_params_options(&source->symbols);
	options.grows = source->is_live;
	return itp_perf_inputs_init(&source->inputs, source->paths, &options, source->clock, error);
}

static bool add_inputs(bt_self_component_source *self, struct perf_source *source, GError **error)
{
	bt_self_component *component = bt_self_component_source_as_self_component(self);
	bool done = open_inputs(source, error);

	source->traces = g_ptr_array_new_with_free_func((GDestroyNotify)itp_perf_trace_free);
	for (guint i = 0; done && i < source->inputs.list->len; i++) {
		struct itp_perf_trace *trace =
			itp_perf_trace_new(g_ptr_array_index(source->inputs.list, i), component,
					   source->inputs.is_wall, error);

		if (!trace) {
			return false;
		}
		trace->tell = source->host ? source->host->tell : NULL;
		g_ptr_array_add(source->traces, trace);
		done = add_port(self, source, i, error);
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
	source->host = data;
	source->symbols.inlines = true;
	if (!itp_map_read(&source_table, params, source, &error) ||
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

/* perf's own name, and the usual ending of renamed recordings. */
static bool has_name_of_recording(const char *input)
{
	g_autofree char *name = g_path_get_basename(input);

	return g_str_has_prefix(name, "perf.data") || g_str_has_suffix(name, ".data");
}

/* All given files go to one component, which can choose a clock that fits them all. */
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
