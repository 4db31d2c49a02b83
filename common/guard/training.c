/* SPDX-License-Identifier: MIT */
/*
 * See training.h.
 */
#include "common/guard/training.h"

#include <string.h>

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/guard/probes.h"
#include "common/guard/usual.h"
#include "common/unit/types.h"
#include "common/unit/waits.h"

const char *const itp_guard_limit_names[] = { "mean", "median", "longest", NULL };

/* A context of a loop, and its use to separate types. */
struct candidate {
	uint32_t node;
	/* Part of a type's units in the context: the largest of all types, less the smallest. */
	double difference;
	uint64_t units;
};

/* Types of a loop: const struct itp_unit_type *. */
struct loop_types {
	const struct itp_guard_training *training;
	GPtrArray *list;
	uint32_t node;
};

static const struct itp_unit_type *type_at(const struct loop_types *types, guint i)
{
	return g_ptr_array_index(types->list, i);
}

/* ---- Names ---- */

static const struct itp_function *function_at_node(const struct itp_guard_training *training,
						   uint32_t node)
{
	return itp_context_function(training->tree, training->functions, node);
}

/* Adds the module of a function, with a file. */
static void add_module(struct itp_guard_file *file, const struct itp_function *function)
{
	struct itp_guard_module module;

	if (function->layer != ITP_LAYER_USER || function->module[0] == '\0' ||
	    itp_function_is_in_no_file(function)) {
		return;
	}
	for (guint i = 0; i < file->modules->len; i++) {
		const struct itp_guard_module *known =
			&g_array_index(file->modules, struct itp_guard_module, i);

		if (g_str_equal(known->name, function->module) &&
		    g_str_equal(known->build_id, function->build_id)) {
			return;
		}
	}
	module = (struct itp_guard_module){
		.name = g_utf8_make_valid(function->module, -1),
		.path = g_utf8_make_valid(function->file ? function->file : "", -1),
		.build_id = g_strdup(function->build_id),
	};
	g_array_append_val(file->modules, module);
}

/* Functions from below the loop to `node`; adds their modules. Free with g_strfreev(). */
static char **path_below_loop(struct itp_guard_file *file, const struct loop_types *types,
			      uint32_t node)
{
	const struct itp_context_tree *tree = types->training->tree;
	GPtrArray *path = g_ptr_array_new();

	for (; node != types->node; node = itp_context_tree_get(tree, node)->parent) {
		const struct itp_function *function = function_at_node(types->training, node);

		add_module(file, function);
		g_ptr_array_insert(path, 0, itp_guard_function_key(function));
	}
	g_ptr_array_add(path, NULL);
	return (char **)g_ptr_array_free(path, FALSE);
}

static void append_name(const struct loop_types *types, GString *name, uint32_t node)
{
	const struct itp_function *function = function_at_node(types->training, node);
	const char *call = itp_function_syscall(function);

	g_string_append_printf(name, "%s%s", name->len > 0 ? ", " : "",
			       call ? call : function->name);
}

/* Calls of only this type's units, or "others"; "all" for a loop's only type. Owned by the
 * caller. */
static char *name_of_type(const struct loop_types *types, const struct itp_unit_type *type)
{
	g_autoptr(GString) name = g_string_new(NULL);

	for (guint i = 0; i < type->telling->len; i++) {
		append_name(types, name, g_array_index(type->telling, uint32_t, i));
	}
	if (name->len == 0) {
		g_string_append(name, types->list->len > 1 ? "others" : "all");
	}
	return g_utf8_make_valid(name->str, -1);
}

/* ---- Contexts ---- */

static uint64_t units_in(const struct itp_unit_type *type, uint32_t node)
{
	for (guint i = 0; i < type->paths->len; i++) {
		const struct itp_unit_path *path =
			&g_array_index(type->paths, struct itp_unit_path, i);

		if (path->node == node) {
			return path->units;
		}
	}
	return 0;
}

static struct candidate candidate_of(const struct loop_types *types, uint32_t node)
{
	struct candidate candidate = { .node = node };
	double smallest = 1;
	double largest = 0;

	for (guint i = 0; i < types->list->len; i++) {
		const struct itp_unit_type *type = type_at(types, i);
		const uint64_t units = units_in(type, node);
		const double part = (double)units / (double)type->count;

		candidate.units += units;
		smallest = MIN(smallest, part);
		largest = MAX(largest, part);
	}
	candidate.difference = largest - smallest;
	return candidate;
}

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
	const struct candidate *left = a;
	const struct candidate *right = b;

	if (left->difference != right->difference) {
		return left->difference < right->difference ? 1 : -1;
	}
	return left->units != right->units ?
		       (left->units < right->units) - (left->units > right->units) :
		       (left->node > right->node) - (left->node < right->node);
}

/* struct candidate, the best first. Free with g_array_unref(). */
static GArray *candidates_of(const struct loop_types *types)
{
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	g_autoptr(GHashTable) known = g_hash_table_new(itp_hash_number, NULL);

	for (guint i = 0; i < types->list->len; i++) {
		const struct itp_unit_type *type = type_at(types, i);

		for (guint k = 0; k < type->paths->len; k++) {
			const uint32_t node =
				g_array_index(type->paths, struct itp_unit_path, k).node;

			if (g_hash_table_add(known, GUINT_TO_POINTER(node))) {
				const struct candidate candidate = candidate_of(types, node);

				g_array_append_val(candidates, candidate);
			}
		}
	}
	g_array_sort(candidates, compare_candidates);
	return candidates;
}

/* True when units of the loop have begun without a wait; looks for events then end and begin
 * them. */
static bool are_looked_for(const struct loop_types *types)
{
	for (guint i = 0; i < types->list->len; i++) {
		if (type_at(types, i)->looked_for > 0) {
			return true;
		}
	}
	return false;
}

/* uint32_t: contexts that look for more from a client, behind an answer; NULL for none. Weak. */
static const GArray *reads_of(const struct loop_types *types)
{
	const struct itp_unit_finder *finder = types->training->finder;

	return finder ? itp_unit_finder_reads(finder, types->node) : NULL;
}

/* uint32_t: waits with which units have begun; NULL for none. Weak. */
static const GArray *waits_of(const struct loop_types *types)
{
	const struct itp_unit_finder *finder = types->training->finder;

	return finder ? itp_unit_finder_waits(finder, types->node) : NULL;
}

static bool has_node(const GArray *nodes, uint32_t node)
{
	for (guint i = 0; nodes && i < nodes->len; i++) {
		if (g_array_index(nodes, uint32_t, i) == node) {
			return true;
		}
	}
	return false;
}

static bool is_look(const struct loop_types *types, uint32_t node)
{
	const struct itp_context_tree *tree = types->training->tree;
	const enum itp_wait_class class = itp_wait_class_of(tree, types->training->functions, node);

	return has_node(reads_of(types), node) ||
	       (are_looked_for(types) &&
		itp_wait_looks_for_events(tree, types->node, type_at(types, 0)->wait, node, class));
}

/* Adds reads in which no unit was, as they end units: no type has the context. */
static void add_reads(GArray *candidates, const struct loop_types *types)
{
	const GArray *reads = reads_of(types);

	for (guint i = 0; reads && i < reads->len; i++) {
		const uint32_t node = g_array_index(reads, uint32_t, i);
		const struct candidate read = candidate_of(types, node);

		if (read.units == 0 && !has_node(waits_of(types), node)) {
			g_array_prepend_val(candidates, read);
		}
	}
}

static void add_contexts(struct itp_guard_file *file, struct itp_guard_loop *loop,
			 const struct loop_types *types, const GArray *candidates)
{
	for (guint i = 0; i < candidates->len && i < ITP_GUARD_MOST; i++) {
		const uint32_t node = g_array_index(candidates, struct candidate, i).node;
		const struct itp_guard_context context = { path_below_loop(file, types, node),
							   is_look(types, node) };

		g_array_append_val(loop->contexts, context);
	}
}

/* ---- Types ---- */

static int64_t limit_of(const struct itp_unit_type *type, enum itp_guard_limit limit)
{
	switch (limit) {
	case ITP_GUARD_LIMIT_MEAN:
		return type->mean_limit_ns;
	case ITP_GUARD_LIMIT_MEDIAN:
		return type->median_limit_ns;
	default:
		return MAX(type->mean_limit_ns, type->max_ns);
	}
}

/* The largest limit of types with `least` units or more; 0 for none. */
static int64_t largest_limit(const struct loop_types *types, uint64_t least)
{
	int64_t limit_ns = 0;

	for (guint i = 0; i < types->list->len; i++) {
		if (type_at(types, i)->count >= least) {
			limit_ns =
				MAX(limit_ns, limit_of(type_at(types, i), types->training->limit));
		}
	}
	return limit_ns;
}

/* Limit of types with too few units: the largest of other types, or of all if all have too few. */
static int64_t limit_of_few(const struct loop_types *types)
{
	const int64_t limit_ns = largest_limit(types, ITP_GUARD_UNITS_LEAST);

	return MAX(limit_ns > 0 ? limit_ns : largest_limit(types, 0), 1);
}

/* Places of the time of the type's units. Owned by the caller. */
static GArray *usual_of(const struct itp_guard_loop *loop, const struct loop_types *types,
			const struct itp_unit_type *type)
{
	const struct itp_guard_training *training = types->training;
	const guint place =
		(guint)(type - (const struct itp_unit_type *)(const void *)training->types->data);
	GArray *usual = itp_guard_usual_new();
	struct itp_profile *profile;

	if (!training->profiles) {
		return usual;
	}
	profile = itp_profile_new("");
	for (guint group = 0; group < itp_unit_types_groups(training->all); group++) {
		if (itp_unit_types_of_group(training->all, group) == place) {
			itp_unit_profiles_merge(training->profiles, group, profile);
		}
	}
	itp_guard_usual_train(usual, &(struct itp_guard_usual_source){ profile, training->calls,
								       training->functions,
								       loop->function });
	itp_profile_free(profile);
	return usual;
}

static void add_guard_type(struct itp_guard_loop *loop, const struct loop_types *types,
			   const struct itp_unit_type *from, const GArray *candidates)
{
	struct itp_guard_type type = {
		.name = name_of_type(types, from),
		.units = from->count,
		.mean_ns = (int64_t)from->mean_ns,
		.deviation_ns = (int64_t)from->deviation_ns,
		.median_ns = from->median_ns,
		.median_deviation_ns = from->median_deviation_ns,
		.p99_ns = from->p99_ns,
		.max_ns = from->max_ns,
		.mean_limit_ns = from->mean_limit_ns,
		.median_limit_ns = from->median_limit_ns,
		.limit_ns = from->count < ITP_GUARD_UNITS_LEAST ?
				    limit_of_few(types) :
				    MAX(limit_of(from, types->training->limit), 1),
		.usual = usual_of(loop, types, from),
	};

	type.recorded_limit_ns = type.limit_ns;

	for (guint i = 0; i < loop->contexts->len; i++) {
		type.in_context[i] =
			units_in(from, g_array_index(candidates, struct candidate, i).node);
	}
	g_array_append_val(loop->types, type);
}

static void add_loop_wait(struct itp_guard_file *file, struct itp_guard_loop *loop,
			  const struct loop_types *types, uint32_t node)
{
	char **path = path_below_loop(file, types, node);

	for (guint i = 0; i < loop->waits->len; i++) {
		if (g_strv_equal(g_ptr_array_index(loop->waits, i), (const char *const *)path)) {
			g_strfreev(path);
			return;
		}
	}
	g_ptr_array_add(loop->waits, path);
}

/* Adds waits beside the single wait of each type, as units may have begun with others. */
static void add_other_waits(struct itp_guard_file *file, struct itp_guard_loop *loop,
			    const struct loop_types *types)
{
	const GArray *waits = waits_of(types);

	for (guint i = 0; waits && i < waits->len; i++) {
		add_loop_wait(file, loop, types, g_array_index(waits, uint32_t, i));
	}
}

/* ---- Loops ---- */

static uint32_t process_above(const struct itp_guard_training *training, uint32_t node)
{
	while (itp_context_tree_get(training->tree, node)->parent != ITP_CONTEXT_ROOT) {
		node = itp_context_tree_get(training->tree, node)->parent;
	}
	return node;
}

static bool has_loop(const struct itp_guard_file *file, const char *process, const char *function)
{
	for (guint i = 0; i < file->loops->len; i++) {
		const struct itp_guard_loop *loop = itp_guard_loop_at(file, i);

		if (g_str_equal(loop->process, process) && g_str_equal(loop->function, function)) {
			return true;
		}
	}
	return false;
}

/* Loops of coroutines, and of threads that run coroutines: they have no function. */
static bool is_of_coroutines(const struct loop_types *types)
{
	return type_at(types, 0)->is_of_coroutine ||
	       itp_context_tree_get(types->training->tree, types->node)->parent == ITP_CONTEXT_ROOT;
}

static uint64_t units_of_loop(const struct loop_types *types)
{
	uint64_t units = 0;

	for (guint i = 0; i < types->list->len; i++) {
		units += type_at(types, i)->count;
	}
	return units;
}

static void add_loop(struct itp_guard_file *file, const struct loop_types *types,
		     struct itp_guard_left_out *left_out)
{
	const struct itp_function *own = function_at_node(types->training, types->node);
	g_autofree char *function = itp_guard_function_key(own);
	g_autofree char *process = g_utf8_make_valid(
		function_at_node(types->training, process_above(types->training, types->node))
			->name,
		-1);
	g_autoptr(GArray) candidates = candidates_of(types);
	const guint kept = MIN(types->list->len, ITP_GUARD_MOST);
	struct itp_guard_loop *loop;

	add_reads(candidates, types);
	if (has_loop(file, process, function)) {
		return;
	}
	if (is_of_coroutines(types)) {
		left_out->coroutine_loops++;
		return;
	}
	if (units_of_loop(types) < ITP_GUARD_UNITS_LEAST) {
		left_out->rare_loops++;
		return;
	}
	if (file->loops->len == ITP_GUARD_LOOPS_MOST) {
		left_out->loops++;
		return;
	}
	loop = itp_guard_file_add_loop(file, process, function);
	add_module(file, own);
	add_contexts(file, loop, types, candidates);
	for (guint i = 0; i < types->list->len; i++) {
		add_loop_wait(file, loop, types, type_at(types, i)->wait);
	}
	add_other_waits(file, loop, types);
	for (guint i = 0; i < kept; i++) {
		add_guard_type(loop, types, type_at(types, i), candidates);
	}
	left_out->types += types->list->len - kept;
	left_out->contexts += candidates->len - loop->contexts->len;
}

/* Types with the loop of type `i`; empty if an earlier type has the loop, too. */
static struct loop_types types_of_loop(const struct itp_guard_training *training, guint i)
{
	struct loop_types types = { training, g_ptr_array_new(),
				    g_array_index(training->types, struct itp_unit_type, i).loop };

	for (guint k = 0; k < training->types->len; k++) {
		const struct itp_unit_type *type =
			&g_array_index(training->types, struct itp_unit_type, k);

		if (type->loop == types.node && k < i) {
			g_ptr_array_set_size(types.list, 0);
			return types;
		}
		if (type->loop == types.node) {
			g_ptr_array_add(types.list, (gpointer)type);
		}
	}
	return types;
}

void itp_guard_file_train(struct itp_guard_file *file, const struct itp_guard_training *training,
			  struct itp_guard_left_out *left_out)
{
	for (guint i = 0; i < training->types->len; i++) {
		struct loop_types types = types_of_loop(training, i);

		if (types.list->len > 0) {
			add_loop(file, &types, left_out);
		}
		g_ptr_array_unref(types.list);
	}
}

/* Counts points of the types of the file's only loop. */
static void count_points(const struct itp_guard_file *file, const struct loop_types *types,
			 guint *ret_points)
{
	const struct itp_unit_type *all =
		(const struct itp_unit_type *)(const void *)types->training->types->data;
	const struct itp_guard_loop *loop = itp_guard_loop_at(file, 0);
	struct itp_guard_probes probes;
	uint64_t seen;

	itp_guard_probes_init(&probes, file);
	seen = itp_guard_probes_seen(&probes, loop);
	for (guint i = 0; i < loop->types->len; i++) {
		ret_points[type_at(types, i) - all] = itp_guard_count_bits(
			itp_guard_shape_of(itp_guard_type_at(loop, i), seen).possible);
	}
	itp_guard_probes_release(&probes);
}

void itp_guard_count_points(const struct itp_guard_training *training, guint *ret_points)
{
	memset(ret_points, 0, sizeof(*ret_points) * training->types->len);
	for (guint i = 0; i < training->types->len; i++) {
		struct loop_types types = types_of_loop(training, i);
		struct itp_guard_file *file = itp_guard_file_new();
		struct itp_guard_left_out left_out = { 0 };

		if (types.list->len > 0) {
			add_loop(file, &types, &left_out);
		}
		if (file->loops->len > 0) {
			count_points(file, &types, ret_points);
		}
		itp_guard_file_free(file);
		g_ptr_array_unref(types.list);
	}
}
