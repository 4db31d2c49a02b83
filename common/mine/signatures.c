/* SPDX-License-Identifier: MIT */
/*
 * See signatures.h.
 */
#include "common/mine/signatures.h"

#include <jansson.h>
#include <string.h>

#include "common/base/input-file.h"
#include "common/base/order.h"
#include "common/mine/functions.h"

#define KEY_VERSION "signatures"
#define KEY_LIST "list"

/* Share of the cost of a signature's stacks from which on a function is listed as seen: far below
 * the least cost of patterns, so that a function just below it then is not new when just above
 * now. */
#define SEEN_PART 0.001

static void clear_signature(gpointer data)
{
	struct itp_signature *signature = data;

	g_free(signature->name);
	g_ptr_array_unref(signature->patterns);
	g_strfreev(signature->seen);
}

/* ---- Reading ---- */

/* Functions of an array; NULL when it is no array of strings. */
static char **read_functions(const json_t *array)
{
	GPtrArray *functions = g_ptr_array_new();
	bool is_good = json_is_array(array);

	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *function = json_string_value(json_array_get(array, i));

		is_good &= function != NULL;
		g_ptr_array_add(functions, g_strdup(function ? function : ""));
	}
	g_ptr_array_add(functions, NULL);
	if (!is_good) {
		g_strfreev((char **)g_ptr_array_free(functions, FALSE));
		return NULL;
	}
	return (char **)g_ptr_array_free(functions, FALSE);
}

/* Pattern; NULL also when empty. */
static char **read_pattern(const json_t *array)
{
	return json_array_size(array) > 0 ? read_functions(array) : NULL;
}

/* Complaint about the signature, or NULL. */
static const char *read_signature(const json_t *object, struct itp_signature *signature)
{
	const char *name = json_string_value(json_object_get(object, "name"));
	const char *kind = json_string_value(json_object_get(object, "kind"));
	const json_t *patterns = json_object_get(object, "patterns");
	const json_t *seen = json_object_get(object, "seen");

	signature->name = g_strdup(name);
	signature->kind = g_strcmp0(kind, itp_mine_kind_names[ITP_MINE_RUNNING]) == 0 ?
				  ITP_MINE_RUNNING :
				  ITP_MINE_WAITING;
	if (!name) {
		return "has no \"name\"";
	}
	if (!kind || !g_strv_contains(itp_mine_kind_names, kind)) {
		return "has a \"kind\" that is neither \"waiting\" nor \"running\"";
	}
	signature->seen = read_functions(seen);
	if (seen && !signature->seen) {
		return "has a \"seen\" that is no list of functions";
	}
	for (size_t i = 0; i < json_array_size(patterns); i++) {
		char **pattern = read_pattern(json_array_get(patterns, i));

		if (!pattern) {
			return "has a pattern that is no list of functions";
		}
		g_ptr_array_add(signature->patterns, pattern);
	}
	return signature->patterns->len > 0 ? NULL : "has no \"patterns\"";
}

static bool read_list(const json_t *list, const char *path, GArray *signatures, GError **error)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct itp_signature signature = {
			.patterns = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev),
		};
		const char *problem = read_signature(json_array_get(list, i), &signature);

		g_array_append_val(signatures, signature);
		if (problem) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				    "\"%s\": signature %zu %s", path, i + 1, problem);
			return false;
		}
	}
	return true;
}

static bool read_root(const json_t *root, const json_error_t *reason, const char *path,
		      GArray *signatures, GError **error)
{
	if (!root) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "\"%s\" is no JSON: line %d: %s", path, reason->line, reason->text);
		return false;
	}
	if (json_integer_value(json_object_get(root, KEY_VERSION)) != ITP_SIGNATURES_VERSION ||
	    !json_is_array(json_object_get(root, KEY_LIST))) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "\"%s\" holds no signatures of version %d", path,
			    ITP_SIGNATURES_VERSION);
		return false;
	}
	return read_list(json_object_get(root, KEY_LIST), path, signatures, error);
}

GArray *itp_signatures_read(const char *text, size_t size, const char *path, GError **error)
{
	GArray *signatures = g_array_new(FALSE, FALSE, sizeof(struct itp_signature));
	json_error_t reason;
	json_t *root = json_loadb(text, size, 0, &reason);

	g_array_set_clear_func(signatures, clear_signature);
	if (!read_root(root, &reason, path, signatures, error)) {
		g_clear_pointer(&signatures, g_array_unref);
	}
	json_decref(root);
	return signatures;
}

GArray *itp_signatures_load(const char *path, GError **error)
{
	size_t size;
	g_autofree char *text =
		itp_input_file_text(path, "signatures", ITP_SIGNATURES_BYTES_MOST, &size, error);

	return text ? itp_signatures_read(text, size, path, error) : NULL;
}

/* ---- Writing ---- */

static json_t *pattern_array(const struct itp_mining *mining, const struct itp_pattern *pattern)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < pattern->length; i++) {
		const struct itp_function *function =
			itp_function_table_get(mining->functions, pattern->functions[i]);
		g_autofree char *key = itp_mined_key(function);

		/* A stack's continuation from a function depends on the traces that are mined
		 * together. */
		if (!itp_mined_is_itself(function)) {
			json_array_append_new(array, json_string(key));
		}
	}
	return array;
}

/* Name of a cluster, "rebuild_index › fsync": the program's innermost function, and its system call
 * or the last function below. */
static json_t *cluster_name(const struct itp_mining *mining, const struct itp_cluster *cluster)
{
	const char *own = NULL;
	const char *end = NULL;
	bool is_syscall = false;
	g_autofree char *name = NULL;
	g_autofree char *valid = NULL;

	for (guint i = 0; i < cluster->common->len; i++) {
		const struct itp_function *function = itp_function_table_get(
			mining->functions, g_array_index(cluster->common, uint32_t, i));

		if (itp_mined_is_itself(function)) {
			continue;
		}
		if (itp_mined_is_own(function)) {
			own = function->name;
			end = NULL;
			is_syscall = false;
		} else if (itp_function_syscall(function)) {
			end = itp_function_syscall(function);
			is_syscall = true;
		} else if (!is_syscall) {
			end = function->name;
		}
	}
	name = own && end ? g_strdup_printf("%s \u203a %s", own, end) :
			    g_strdup(own ? own :
				     end ? end :
					   "nothing in common");
	valid = g_utf8_make_valid(name, -1);
	return json_string(valid);
}

/* `last` is by function its last stack, + 1, as a stack may have it twice. */
static void add_stack_functions(const struct itp_stack_set *set, uint32_t i, GArray *path,
				uint32_t *last, int64_t *costs)
{
	const struct itp_stack *stack = &g_array_index(set->stacks, struct itp_stack, i);

	itp_context_tree_path(set->tree, stack->node, path);
	for (guint k = 0; k < path->len; k++) {
		uint32_t function = g_array_index(path, uint32_t, k);

		costs[function] += last[function] == i + 1 ? 0 : stack->cost_ns;
		last[function] = i + 1;
	}
}

/* Cost of each function in the cluster's stacks, by id. To be freed. */
static int64_t *costs_in(const struct itp_mining *mining, const struct itp_mined *mined,
			 const struct itp_cluster *cluster, const struct itp_stack_set *set)
{
	const struct itp_forest *forest = &mined->patterns.forest;
	const uint32_t function_count = itp_function_table_size(mining->functions);
	g_autoptr(GArray) ranges = itp_cluster_ranges(cluster, &mined->patterns);
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree uint32_t *last = g_new0(uint32_t, function_count);
	int64_t *costs = g_new0(int64_t, function_count);

	for (guint i = 0; i < ranges->len; i++) {
		struct itp_node_range range = g_array_index(ranges, struct itp_node_range, i);

		for (uint32_t k = forest->first[range.begin]; k < forest->first[range.end]; k++) {
			add_stack_functions(set, forest->stacks[k], path, last, costs);
		}
	}
	return costs;
}

static json_t *string_array(char *const *texts, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		json_array_append_new(array, json_string(texts[i]));
	}
	return array;
}

/* Functions that tell something, with SEEN_PART of the cluster's cost. */
static json_t *seen_array(const struct itp_mining *mining, const struct itp_mined *mined,
			  enum itp_mine_kind kind, const struct itp_cluster *cluster)
{
	g_autofree int64_t *costs = costs_in(mining, mined, cluster, &mining->sets[kind]);
	g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);

	for (uint32_t id = 0; id < itp_function_table_size(mining->functions); id++) {
		const struct itp_function *function = itp_function_table_get(mining->functions, id);

		if (costs[id] > 0 && (double)costs[id] >= SEEN_PART * (double)cluster->cost_ns &&
		    itp_mined_tells(function)) {
			g_ptr_array_add(keys, itp_mined_key(function));
		}
	}
	g_ptr_array_sort(keys, itp_order_of_texts);
	return string_array((char *const *)keys->pdata, keys->len);
}

static json_t *cluster_object(const struct itp_mining *mining, const struct itp_mined *mined,
			      enum itp_mine_kind kind, const struct itp_cluster *cluster)
{
	json_t *object = json_object();
	json_t *patterns = json_array();

	for (guint i = 0; i < cluster->patterns->len; i++) {
		const struct itp_pattern *pattern =
			&g_array_index(mined->patterns.list, struct itp_pattern,
				       g_array_index(cluster->patterns, guint, i));

		json_array_append_new(patterns, pattern_array(mining, pattern));
	}
	json_object_set_new(object, "name", cluster_name(mining, cluster));
	json_object_set_new(object, "kind", json_string(itp_mine_kind_names[kind]));
	json_object_set_new(object, "patterns", patterns);
	json_object_set_new(object, "seen", seen_array(mining, mined, kind, cluster));
	return object;
}

static json_t *known_object(const struct itp_signature *signature)
{
	json_t *object = json_object();
	json_t *patterns = json_array();

	for (guint i = 0; i < signature->patterns->len; i++) {
		char **functions = g_ptr_array_index(signature->patterns, i);

		json_array_append_new(patterns, string_array(functions, g_strv_length(functions)));
	}
	json_object_set_new(object, "name", json_string(signature->name));
	json_object_set_new(object, "kind", json_string(itp_mine_kind_names[signature->kind]));
	json_object_set_new(object, "patterns", patterns);
	if (signature->seen) {
		json_object_set_new(object, "seen",
				    string_array(signature->seen, g_strv_length(signature->seen)));
	}
	return object;
}

char *itp_signatures_text(const struct itp_mining *mining, const struct itp_mined *mined,
			  guint count, const GArray *known)
{
	json_t *root = json_object();
	json_t *list = json_array();
	char *text;

	for (guint i = 0; known && i < known->len; i++) {
		json_array_append_new(list,
				      known_object(&g_array_index(known, struct itp_signature, i)));
	}
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		const GArray *clusters = mined[kind].clusters.list;

		for (guint i = 0; i < clusters->len && (count == 0 || i < count); i++) {
			json_array_append_new(
				list,
				cluster_object(mining, &mined[kind], (enum itp_mine_kind)kind,
					       &g_array_index(clusters, struct itp_cluster, i)));
		}
	}
	json_object_set_new(root, KEY_VERSION, json_integer(ITP_SIGNATURES_VERSION));
	json_object_set_new(root, KEY_LIST, list);
	text = json_dumps(root, JSON_INDENT(1));
	json_decref(root);
	return text;
}
