/* SPDX-License-Identifier: MIT */
/*
 * See guard.h. Anything read can be relied on, whatever a file holds: loops, contexts and types are
 * no more than their maximum, paths end with a system call, and limits are positive. Missing
 * numbers are 0; without essential ones the file is refused.
 */
#include "common/guard/guard.h"

#include <jansson.h>
#include <string.h>

#include "common/base/input-file.h"
#include "common/guard/usual.h"

#define KEY_VERSION "guards"
/* No stack has more functions. */
#define PATH_MOST 4096

static void clear_module(gpointer data)
{
	struct itp_guard_module *module = data;

	g_free(module->name);
	g_free(module->path);
	g_free(module->build_id);
}

static void clear_context(gpointer data)
{
	g_strfreev(((struct itp_guard_context *)data)->path);
}

static void clear_type(gpointer data)
{
	struct itp_guard_type *type = data;

	g_free(type->name);
	g_clear_pointer(&type->usual, g_array_unref);
}

static void clear_loop(gpointer data)
{
	struct itp_guard_loop *loop = data;

	g_free(loop->process);
	g_free(loop->function);
	g_ptr_array_unref(loop->waits);
	g_array_unref(loop->contexts);
	g_array_unref(loop->types);
}

/* An array with zeroed elements, each cleared by `clear`. */
static GArray *array_new(guint size, GDestroyNotify clear)
{
	GArray *array = g_array_new(FALSE, TRUE, size);

	g_array_set_clear_func(array, clear);
	return array;
}

struct itp_guard_file *itp_guard_file_new(void)
{
	struct itp_guard_file *file = g_new0(struct itp_guard_file, 1);

	file->modules = array_new(sizeof(struct itp_guard_module), clear_module);
	file->loops = array_new(sizeof(struct itp_guard_loop), clear_loop);
	return file;
}

void itp_guard_file_free(struct itp_guard_file *file)
{
	if (!file) {
		return;
	}
	g_array_unref(file->modules);
	g_array_unref(file->loops);
	g_free(file);
}

struct itp_guard_loop *itp_guard_file_add_loop(struct itp_guard_file *file, const char *process,
					       const char *function)
{
	const struct itp_guard_loop loop = {
		.process = g_strdup(process),
		.function = g_strdup(function),
		.waits = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev),
		.contexts = array_new(sizeof(struct itp_guard_context), clear_context),
		.types = array_new(sizeof(struct itp_guard_type), clear_type),
	};

	g_array_append_val(file->loops, loop);
	return itp_guard_loop_at(file, file->loops->len - 1);
}

/* ---- Reading ---- */

/* A member that is a text; NULL for any other. Weak. */
static const char *text_of_member(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* A number; 0 for other values and negative numbers. */
static int64_t number_of_member(const json_t *object, const char *key)
{
	return MAX(json_integer_value(json_object_get(object, key)), 0);
}

/* NULL unless `array` lists functions, with a system call as the last. */
static char **read_path(const json_t *array)
{
	const size_t count = json_array_size(array);
	const char *last = json_string_value(json_array_get(array, count - 1));
	char **path;

	if (count == 0 || count > PATH_MOST || !last ||
	    !g_str_has_prefix(last, ITP_SYSCALL_PREFIX)) {
		return NULL;
	}
	path = g_new0(char *, count + 1);
	for (size_t i = 0; i < count; i++) {
		path[i] = g_strdup(json_string_value(json_array_get(array, i)));
		if (!path[i]) {
			g_strfreev(path);
			return NULL;
		}
	}
	return path;
}

/* Readers of parts return an error's text, or NULL. */

static const char *read_waits(const json_t *array, struct itp_guard_loop *loop)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		char **path = read_path(json_array_get(array, i));

		if (!path) {
			return "has a wait that is no path to a system call";
		}
		g_ptr_array_add(loop->waits, path);
	}
	return loop->waits->len > 0 ? NULL : "has no \"waits\"";
}

static const char *read_contexts(const json_t *array, struct itp_guard_loop *loop)
{
	if (json_array_size(array) > ITP_GUARD_MOST) {
		return "has more than " G_STRINGIFY(ITP_GUARD_MOST) " contexts";
	}
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		const struct itp_guard_context context = {
			.path = read_path(json_object_get(object, "path")),
			.is_look = json_is_true(json_object_get(object, "looks")),
		};

		if (!context.path) {
			return "has a context that is no path to a system call";
		}
		g_array_append_val(loop->contexts, context);
	}
	return NULL;
}

/* Pairs: number of a context, units that were in it. */
static const char *read_type_contexts(const json_t *array, const struct itp_guard_loop *loop,
				      struct itp_guard_type *type)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *pair = json_array_get(array, i);
		const json_t *number = json_array_get(pair, 0);
		const json_t *units = json_array_get(pair, 1);

		if (!json_is_integer(number) || json_integer_value(number) < 0 ||
		    json_integer_value(number) >= loop->contexts->len || !json_is_integer(units) ||
		    json_integer_value(units) < 0) {
			return "has a type in a context that there is not";
		}
		type->in_context[json_integer_value(number)] = (uint64_t)json_integer_value(units);
	}
	return NULL;
}

static const char *read_type(const json_t *object, struct itp_guard_loop *loop)
{
	const struct itp_guard_type type = {
		.name = g_strdup(text_of_member(object, "name")),
		.units = (uint64_t)number_of_member(object, "units"),
		.learned_units = (uint64_t)number_of_member(object, "learned_units"),
		.mean_ns = number_of_member(object, "mean_ns"),
		.deviation_ns = number_of_member(object, "deviation_ns"),
		.median_ns = number_of_member(object, "median_ns"),
		.median_deviation_ns = number_of_member(object, "median_deviation_ns"),
		.p99_ns = number_of_member(object, "p99_ns"),
		.max_ns = number_of_member(object, "max_ns"),
		.mean_limit_ns = number_of_member(object, "mean_limit_ns"),
		.median_limit_ns = number_of_member(object, "median_limit_ns"),
		.limit_ns = number_of_member(object, "limit_ns"),
		.recorded_limit_ns = number_of_member(object, "recorded_limit_ns"),
		.usual_ns = number_of_member(object, "usual_ns"),
		.usual = itp_guard_usual_new(),
	};
	const char *problem = !type.name         ? "has a type without a \"name\"" :
			      type.limit_ns == 0 ? "has a type without a \"limit_ns\"" :
						   NULL;

	g_array_append_val(loop->types, type);
	problem = problem ? problem :
			    read_type_contexts(json_object_get(object, "contexts"), loop,
					       itp_guard_type_at(loop, loop->types->len - 1));
	return problem ? problem :
			 itp_guard_usual_read(json_object_get(object, "profile"), type.usual);
}

static const char *read_types(const json_t *array, struct itp_guard_loop *loop)
{
	const char *problem = NULL;

	if (json_array_size(array) > ITP_GUARD_MOST) {
		return "has more than 64 types";
	}
	for (size_t i = 0; !problem && i < json_array_size(array); i++) {
		problem = read_type(json_array_get(array, i), loop);
	}
	return problem || loop->types->len > 0 ? problem : "has no \"types\"";
}

static const char *read_loop(const json_t *object, struct itp_guard_file *file)
{
	const char *process = text_of_member(object, "process");
	const char *function = text_of_member(object, "function");
	struct itp_guard_loop *loop;
	const char *problem;

	if (!process || !function) {
		return "has no \"process\" or no \"function\"";
	}
	loop = itp_guard_file_add_loop(file, process, function);
	problem = read_waits(json_object_get(object, "waits"), loop);
	problem = problem ? problem : read_contexts(json_object_get(object, "contexts"), loop);
	return problem ? problem : read_types(json_object_get(object, "types"), loop);
}

static const char *read_module(const json_t *object, struct itp_guard_file *file)
{
	const struct itp_guard_module module = {
		.name = g_strdup(text_of_member(object, "name")),
		.path = g_strdup(text_of_member(object, "path")),
		.build_id = g_strdup(text_of_member(object, "build_id")),
	};

	g_array_append_val(file->modules, module);
	return module.name && module.path && module.build_id ?
		       NULL :
		       "has no \"name\", \"path\" or \"build_id\"";
}

static bool refuse_file(GError **error, const char *path, const char *what)
{
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "\"%s\" %s", path, what);
	return false;
}

/* Reads each element of the list `key`; errors call an element `what`. */
static bool read_list(const json_t *root, const char *key, const char *what,
		      const char *(*read)(const json_t *object, struct itp_guard_file *file),
		      const char *path, struct itp_guard_file *file, GError **error)
{
	const json_t *list = json_object_get(root, key);

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *problem = read(json_array_get(list, i), file);

		if (problem) {
			g_autofree char *text =
				g_strdup_printf("is damaged: %s %zu %s", what, i + 1, problem);

			return refuse_file(error, path, text);
		}
	}
	return true;
}

static bool read_root(const json_t *root, const json_error_t *reason, const char *path,
		      struct itp_guard_file *file, GError **error)
{
	const json_t *version = json_object_get(root, KEY_VERSION);
	g_autofree char *text = NULL;

	if (!root) {
		text = g_strdup_printf("is no guard file: line %d: %s", reason->line, reason->text);
		return refuse_file(error, path, text);
	}
	if (!json_is_integer(version)) {
		return refuse_file(error, path,
				   "is no guard file; `perf introperf units --guards` writes one");
	}
	if (json_integer_value(version) != ITP_GUARD_VERSION) {
		text = g_strdup_printf("is a guard file of version %lld, and this program knows "
				       "version %d: write it anew with this program's `units`",
				       (long long)json_integer_value(version), ITP_GUARD_VERSION);
		return refuse_file(error, path, text);
	}
	if (json_array_size(json_object_get(root, "loops")) == 0 ||
	    json_array_size(json_object_get(root, "loops")) > ITP_GUARD_LOOPS_MOST) {
		return refuse_file(error, path, "is damaged: it has no loops, or more than 64");
	}
	return read_list(root, "modules", "module", read_module, path, file, error) &&
	       read_list(root, "loops", "loop", read_loop, path, file, error);
}

struct itp_guard_file *itp_guard_file_read(const char *text, size_t size, const char *path,
					   GError **error)
{
	struct itp_guard_file *file = itp_guard_file_new();
	json_error_t reason;
	json_t *root = json_loadb(text, size, 0, &reason);

	if (!read_root(root, &reason, path, file, error)) {
		g_clear_pointer(&file, itp_guard_file_free);
	}
	json_decref(root);
	return file;
}

struct itp_guard_file *itp_guard_file_load(const char *path, GError **error)
{
	size_t size;
	g_autofree char *text =
		itp_input_file_text(path, "guards", ITP_GUARD_BYTES_MOST, &size, error);

	return text ? itp_guard_file_read(text, size, path, error) : NULL;
}

/* ---- Writing ---- */

static void set_number(json_t *object, const char *key, int64_t value)
{
	json_object_set_new(object, key, json_integer(value));
}

static json_t *path_array(char *const *path)
{
	json_t *array = json_array();

	for (size_t i = 0; path[i]; i++) {
		json_array_append_new(array, json_string(path[i]));
	}
	return array;
}

static json_t *type_object(const struct itp_guard_loop *loop, const struct itp_guard_type *type)
{
	json_t *object = json_object();
	json_t *contexts = json_array();

	json_object_set_new(object, "name", json_string(type->name));
	set_number(object, "units", (int64_t)type->units);
	set_number(object, "learned_units", (int64_t)type->learned_units);
	set_number(object, "mean_ns", type->mean_ns);
	set_number(object, "deviation_ns", type->deviation_ns);
	set_number(object, "median_ns", type->median_ns);
	set_number(object, "median_deviation_ns", type->median_deviation_ns);
	set_number(object, "p99_ns", type->p99_ns);
	set_number(object, "max_ns", type->max_ns);
	set_number(object, "mean_limit_ns", type->mean_limit_ns);
	set_number(object, "median_limit_ns", type->median_limit_ns);
	set_number(object, "limit_ns", type->limit_ns);
	set_number(object, "recorded_limit_ns", type->recorded_limit_ns);
	set_number(object, "usual_ns", type->usual_ns);
	for (guint i = 0; i < loop->contexts->len; i++) {
		if (type->in_context[i] > 0) {
			json_array_append_new(contexts, json_pack("[II]", (json_int_t)i,
								  (json_int_t)type->in_context[i]));
		}
	}
	json_object_set_new(object, "contexts", contexts);
	if (type->usual && type->usual->len > 0) {
		json_object_set_new(object, "profile", itp_guard_usual_json(type->usual));
	}
	return object;
}

static json_t *context_object(const struct itp_guard_context *context)
{
	json_t *object = json_object();

	json_object_set_new(object, "path", path_array(context->path));
	if (context->is_look) {
		json_object_set_new(object, "looks", json_true());
	}
	return object;
}

static json_t *loop_object(const struct itp_guard_loop *loop)
{
	json_t *object = json_object();
	json_t *waits = json_array();
	json_t *contexts = json_array();
	json_t *types = json_array();

	json_object_set_new(object, "process", json_string(loop->process));
	json_object_set_new(object, "function", json_string(loop->function));
	for (guint i = 0; i < loop->waits->len; i++) {
		json_array_append_new(waits, path_array(g_ptr_array_index(loop->waits, i)));
	}
	for (guint i = 0; i < loop->contexts->len; i++) {
		json_array_append_new(contexts, context_object(itp_guard_context_at(loop, i)));
	}
	for (guint i = 0; i < loop->types->len; i++) {
		json_array_append_new(types, type_object(loop, itp_guard_type_at(loop, i)));
	}
	json_object_set_new(object, "waits", waits);
	json_object_set_new(object, "contexts", contexts);
	json_object_set_new(object, "types", types);
	return object;
}

char *itp_guard_file_text(const struct itp_guard_file *file)
{
	json_t *root = json_object();
	json_t *modules = json_array();
	json_t *loops = json_array();
	char *text;

	for (guint i = 0; i < file->modules->len; i++) {
		const struct itp_guard_module *module =
			&g_array_index(file->modules, struct itp_guard_module, i);

		json_array_append_new(modules,
				      json_pack("{ssssss}", "name", module->name, "path",
						module->path, "build_id", module->build_id));
	}
	for (guint i = 0; i < file->loops->len; i++) {
		json_array_append_new(loops, loop_object(itp_guard_loop_at(file, i)));
	}
	json_object_set_new(root, KEY_VERSION, json_integer(ITP_GUARD_VERSION));
	json_object_set_new(root, "modules", modules);
	json_object_set_new(root, "loops", loops);
	text = json_dumps(root, JSON_INDENT(1));
	json_decref(root);
	return text;
}

GString *itp_guard_file_output(const struct itp_guard_file *file, const char *path, GError **error)
{
	g_autofree char *text = itp_guard_file_text(file);
	const size_t size = strlen(text);

	if (size > ITP_GUARD_BYTES_MOST) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "%s: not written: these guards would take %zu MiB, and a file of them "
			    "may have %zu; record fewer programs at once",
			    path, size / (1024 * 1024) + 1, ITP_GUARD_BYTES_MOST / (1024 * 1024));
		return NULL;
	}
	return g_string_new_len(text, (gssize)size);
}
