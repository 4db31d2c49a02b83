/* SPDX-License-Identifier: MIT */
/*
 * See signatures.h.
 */
#include "common/mine/signatures.h"

#include <jansson.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/mine/counting.h"

#define KEY_VERSION "signatures"
#define KEY_LIST "list"

static void clear_signature(gpointer data)
{
	struct itp_signature *signature = data;

	g_free(signature->name);
	g_ptr_array_unref(signature->patterns);
}

static void free_pattern(gpointer pattern)
{
	g_strfreev(pattern);
}

/* ---- Reading ---- */

/* NULL when it is no array of strings with something in it. */
static char **read_pattern(const json_t *array)
{
	GPtrArray *functions = g_ptr_array_new();
	bool is_good = json_array_size(array) > 0;

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

/* What is wrong with it, or NULL. */
static const char *read_signature(const json_t *object, struct itp_signature *signature)
{
	const char *name = json_string_value(json_object_get(object, "name"));
	const char *kind = json_string_value(json_object_get(object, "kind"));
	const json_t *patterns = json_object_get(object, "patterns");

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
			.patterns = g_ptr_array_new_with_free_func(free_pattern),
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

/* ---- Writing ---- */

/* As a file has it. To be freed. */
static char *key_of(const struct itp_function *function)
{
	g_autofree char *key = g_strdup_printf("%s!%s", function->module, function->name);

	return g_utf8_make_valid(key, -1);
}

/* Whether a stack goes on from a function depends on the traces that are mined together. */
static bool is_itself(const struct itp_function *function)
{
	return strcmp(function->name, ITP_MINED_ITSELF) == 0;
}

static json_t *pattern_array(const struct itp_mining *mining, const struct itp_pattern *pattern)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < pattern->length; i++) {
		const struct itp_function *function =
			itp_function_table_get(mining->functions, pattern->functions[i]);
		g_autofree char *key = key_of(function);

		if (!is_itself(function)) {
			json_array_append_new(array, json_string(key));
		}
	}
	return array;
}

/* Of the program's own functions: not of its system's libraries, and no stand-in. */
static bool is_own(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_USER && function->module[0] != '\0' &&
	       !function->is_system;
}

/* "rebuild_index › fsync": the innermost function of the program, and the system call or the last
 * function that it led to. */
static json_t *name_of(const struct itp_mining *mining, const struct itp_cluster *cluster)
{
	const char *own = NULL;
	const char *end = NULL;
	bool is_syscall = false;
	g_autofree char *name = NULL;
	g_autofree char *valid = NULL;

	for (guint i = 0; i < cluster->common->len; i++) {
		const struct itp_function *function = itp_function_table_get(
			mining->functions, g_array_index(cluster->common, uint32_t, i));

		if (is_itself(function)) {
			continue;
		}
		if (is_own(function)) {
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
	json_object_set_new(object, "name", name_of(mining, cluster));
	json_object_set_new(object, "kind", json_string(itp_mine_kind_names[kind]));
	json_object_set_new(object, "patterns", patterns);
	return object;
}

static json_t *known_object(const struct itp_signature *signature)
{
	json_t *object = json_object();
	json_t *patterns = json_array();

	for (guint i = 0; i < signature->patterns->len; i++) {
		char **functions = g_ptr_array_index(signature->patterns, i);
		json_t *array = json_array();

		for (; *functions; functions++) {
			json_array_append_new(array, json_string(*functions));
		}
		json_array_append_new(patterns, array);
	}
	json_object_set_new(object, "name", json_string(signature->name));
	json_object_set_new(object, "kind", json_string(itp_mine_kind_names[signature->kind]));
	json_object_set_new(object, "patterns", patterns);
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

/* ---- Looking for them ---- */

struct matching {
	struct itp_mining *mining;
	/* Id of each function by its key; of several, the first. Owned by this. */
	GHashTable *ids;
	/* By kind: all stacks; and by stack: which signature has it, + 1. Owned by this. */
	struct itp_forest forests[ITP_MINE_KINDS];
	guint *owners[ITP_MINE_KINDS];
};

static void matching_init(struct matching *matching, struct itp_mining *mining)
{
	const struct itp_function_table *functions = mining->functions;

	matching->mining = mining;
	matching->ids = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);
	for (uint32_t id = itp_function_table_size(functions); id-- > 1;) {
		g_hash_table_replace(matching->ids, key_of(itp_function_table_get(functions, id)),
				     GUINT_TO_POINTER(id));
	}
	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		const struct itp_stack_set *set = &mining->sets[kind];

		itp_forest_init(&matching->forests[kind], set, NULL);
		matching->owners[kind] = g_new0(guint, set->stacks->len + 1);
	}
}

static void matching_release(struct matching *matching)
{
	g_hash_table_unref(matching->ids);
	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_forest_release(&matching->forests[kind]);
		g_free(matching->owners[kind]);
	}
}

static void free_ids(gpointer data)
{
	struct itp_pattern *pattern = data;

	itp_pattern_clear(pattern);
	g_free(pattern);
}

/* Those patterns of the signature whose functions there are: struct itp_pattern; none if it is of
 * another kind. */
static GPtrArray *patterns_of(const struct matching *matching,
			      const struct itp_signature *signature, enum itp_mine_kind kind)
{
	GPtrArray *patterns = g_ptr_array_new_with_free_func(free_ids);

	for (guint i = 0; signature->kind == kind && i < signature->patterns->len; i++) {
		char **functions = g_ptr_array_index(signature->patterns, i);
		struct itp_pattern *pattern = g_new0(struct itp_pattern, 1);
		bool is_there = true;

		pattern->functions = g_new0(uint32_t, g_strv_length(functions) + 1);
		for (; functions[pattern->length]; pattern->length++) {
			uint32_t id = GPOINTER_TO_UINT(
				g_hash_table_lookup(matching->ids, functions[pattern->length]));

			pattern->functions[pattern->length] = id;
			is_there &= id != ITP_FUNCTION_UNKNOWN;
		}
		if (is_there) {
			itp_pattern_find(pattern, &matching->forests[kind]);
			g_ptr_array_add(patterns, pattern);
		} else {
			free_ids(pattern);
		}
	}
	return patterns;
}

/* The stacks that count for one of the patterns, and that no signature before it has, are its own.
 */
static void own_stacks(const struct itp_forest *forest, const GPtrArray *patterns, guint owner,
		       guint *owners)
{
	g_autoptr(GArray) ranges = itp_patterns_ranges(patterns);

	for (guint i = 0; i < ranges->len; i++) {
		const struct itp_node_range *range =
			&g_array_index(ranges, struct itp_node_range, i);

		for (uint32_t k = forest->first[range->begin]; k < forest->first[range->end]; k++) {
			guint *of = &owners[forest->stacks[k]];

			*of = *of == 0 ? owner : *of;
		}
	}
}

static void find_owners(struct matching *matching, enum itp_mine_kind kind,
			const GArray *signatures)
{
	const struct itp_forest *forest = &matching->forests[kind];
	g_autoptr(GPtrArray) lists =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (guint i = 0; i < signatures->len; i++) {
		const struct itp_signature *signature =
			&g_array_index(signatures, struct itp_signature, i);
		GPtrArray *patterns = patterns_of(matching, signature, kind);

		g_ptr_array_add(lists, patterns);
		g_ptr_array_extend(all, patterns, NULL, NULL);
	}
	itp_patterns_count(all, forest);
	for (guint i = 0; i < lists->len; i++) {
		own_stacks(forest, g_ptr_array_index(lists, i), i + 1, matching->owners[kind]);
	}
}

/* Moves what its stacks cost from what is mined to the match. */
static void take_stacks(struct matching *matching, enum itp_mine_kind kind, GArray *matches)
{
	struct itp_stack_set *set = &matching->mining->sets[kind];
	const guint *owners = matching->owners[kind];

	for (guint i = 0; i < set->traces->len; i++) {
		const struct itp_stack_trace *in =
			&g_array_index(set->traces, struct itp_stack_trace, i);

		if (owners[in->stack] > 0) {
			g_array_index(matches, struct itp_signature_match, owners[in->stack] - 1)
				.trace_costs[in->trace] += in->cost_ns;
		}
	}
	for (guint i = 0; i < set->stacks->len; i++) {
		struct itp_stack *stack = &g_array_index(set->stacks, struct itp_stack, i);

		if (owners[i] > 0) {
			struct itp_signature_match *match =
				&g_array_index(matches, struct itp_signature_match, owners[i] - 1);

			match->cost_ns += stack->cost_ns;
			match->events += stack->events;
			itp_stack_set_forget(set, i);
		}
	}
}

static void clear_match(gpointer data)
{
	g_free(((struct itp_signature_match *)data)->trace_costs);
}

GArray *itp_signatures_match(const GArray *signatures, struct itp_mining *mining)
{
	GArray *matches = g_array_new(FALSE, TRUE, sizeof(struct itp_signature_match));
	struct matching matching;

	g_array_set_clear_func(matches, clear_match);
	matching_init(&matching, mining);
	for (guint i = 0; i < signatures->len; i++) {
		const struct itp_signature_match match = {
			.trace_costs = g_new0(int64_t, mining->traces->len + 1),
		};

		g_array_append_val(matches, match);
	}
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		find_owners(&matching, (enum itp_mine_kind)kind, signatures);
		take_stacks(&matching, (enum itp_mine_kind)kind, matches);
	}
	matching_release(&matching);
	for (guint i = 0; i < matches->len; i++) {
		struct itp_signature_match *match =
			&g_array_index(matches, struct itp_signature_match, i);

		for (guint k = 0; k < mining->traces->len; k++) {
			match->traces += match->trace_costs[k] > 0;
		}
	}
	return matches;
}
