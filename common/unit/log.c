/* SPDX-License-Identifier: MIT */
/*
 * See log.h.
 */
#include "common/unit/log.h"

#include "common/base/error.h"

struct itp_unit_log {
	/* Weak. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	int64_t longer_ns;
	/* All owned by this; `found` by the types. */
	struct itp_unit_finder *finder;
	struct itp_unit_types *types;
	/* NULL when profiles are not kept; and the first error of them. */
	struct itp_unit_profiles *profiles;
	int failure;
	/* struct itp_logged_unit; their types are groups until the end. */
	GArray *units;
	const GArray *found;
};

static void on_unit(const struct itp_unit *unit, void *data)
{
	struct itp_unit_log *log = data;
	const struct itp_logged_unit logged = { .pid = unit->pid,
						.tid = unit->tid,
						.type = itp_unit_types_add(log->types, unit),
						.begin_ns = unit->begin_ns,
						.end_ns = unit->end_ns };

	if (log->profiles && log->failure == ITP_OK) {
		log->failure = itp_unit_profiles_add_unit(log->profiles, unit, logged.type);
	}
	if (unit->end_ns - unit->begin_ns > log->longer_ns) {
		g_array_append_val(log->units, logged);
	}
}

struct itp_unit_log *itp_unit_log_new(const struct itp_context_tree *tree,
				      const struct itp_function_table *functions, int64_t longer_ns)
{
	struct itp_unit_log *log = g_new0(struct itp_unit_log, 1);

	log->tree = tree;
	log->functions = functions;
	log->longer_ns = longer_ns;
	log->finder = itp_unit_finder_new(tree, functions, on_unit, log);
	log->types = itp_unit_types_new(itp_unit_finder_tree(log->finder), functions,
					itp_unit_finder_paths(log->finder));
	log->units = g_array_new(FALSE, FALSE, sizeof(struct itp_logged_unit));
	return log;
}

void itp_unit_log_free(struct itp_unit_log *log)
{
	if (log) {
		itp_unit_profiles_free(log->profiles);
		g_array_unref(log->units);
		itp_unit_types_free(log->types);
		itp_unit_finder_free(log->finder);
		g_free(log);
	}
}

void itp_unit_log_keep_profiles(struct itp_unit_log *log)
{
	log->profiles = itp_unit_profiles_new(log->tree, log->functions, false);
	itp_unit_finder_keep_turns(log->finder);
}

const struct itp_unit_profiles *itp_unit_log_profiles(const struct itp_unit_log *log)
{
	return log->failure == ITP_OK ? log->profiles : NULL;
}

void itp_unit_log_add(struct itp_unit_log *log, const struct itp_instance *instance)
{
	if (log->profiles) {
		itp_unit_profiles_add(log->profiles, instance);
	}
	itp_unit_finder_add(log->finder, instance);
}

void itp_unit_log_add_unplaced(struct itp_unit_log *log, const struct itp_instance *call,
			       uint32_t function)
{
	itp_unit_finder_add_unplaced(log->finder, call, function);
}

void itp_unit_log_add_stretch(struct itp_unit_log *log, const struct itp_stretch *stretch)
{
	if (log->profiles) {
		itp_unit_profiles_add_stretch(log->profiles, stretch);
	}
	itp_unit_finder_add_stretch(log->finder, stretch);
}

void itp_unit_log_watch(struct itp_unit_log *log, bool is_watched, int64_t time_ns)
{
	itp_unit_finder_watch(log->finder, is_watched, time_ns);
}

void itp_unit_log_finish(struct itp_unit_log *log, double cut)
{
	itp_unit_finder_finish(log->finder);
	if (log->profiles && log->failure == ITP_OK) {
		log->failure = itp_unit_profiles_finish(log->profiles);
	}
	log->found = itp_unit_types_find(log->types, cut);
	for (guint i = 0; i < log->units->len; i++) {
		struct itp_logged_unit *unit =
			&g_array_index(log->units, struct itp_logged_unit, i);

		unit->type = itp_unit_types_of_group(log->types, unit->type);
	}
}

const struct itp_unit_finder *itp_unit_log_finder(const struct itp_unit_log *log)
{
	return log->finder;
}

const GArray *itp_unit_log_units(const struct itp_unit_log *log)
{
	return log->units;
}

struct itp_unit_types *itp_unit_log_types(const struct itp_unit_log *log)
{
	return log->types;
}

static bool is_node_named(const struct itp_unit_log *log, uint32_t node, const char *name)
{
	const struct itp_context *context =
		itp_context_tree_get(itp_unit_types_tree(log->types), node);

	return itp_name_is_meant(itp_function_table_get(log->functions, context->function)->name,
				 name);
}

static bool is_meant(const struct itp_unit_log *log, const struct itp_unit_type *type,
		     const char *name)
{
	bool found = !name || is_node_named(log, type->loop, name);

	for (guint i = 0; !found && i < type->telling->len; i++) {
		found = is_node_named(log, g_array_index(type->telling, uint32_t, i), name);
	}
	return found;
}

static gint compare_by_type(gconstpointer a, gconstpointer b)
{
	const struct itp_logged_unit *left = a;
	const struct itp_logged_unit *right = b;
	const int64_t left_ns = left->end_ns - left->begin_ns;
	const int64_t right_ns = right->end_ns - right->begin_ns;

	return left->type != right->type ? (left->type > right->type) - (left->type < right->type) :
					   (left_ns < right_ns) - (left_ns > right_ns);
}

/* Adds the longest units of the type with units from `begin` on in `sorted`; returns the begin of
 * the next type's units. */
static guint add_longest(GArray *longest, const GArray *sorted, guint begin, uint64_t most)
{
	const guint type = g_array_index(sorted, struct itp_logged_unit, begin).type;
	guint end = begin;

	while (end < sorted->len &&
	       g_array_index(sorted, struct itp_logged_unit, end).type == type) {
		if (end - begin < most) {
			g_array_append_val(longest,
					   g_array_index(sorted, struct itp_logged_unit, end));
		}
		end++;
	}
	return end;
}

GArray *itp_unit_log_longest(const struct itp_unit_log *log, const char *name, guint part,
			     uint64_t *ret_count)
{
	g_autoptr(GArray) sorted = g_array_copy(log->units);
	GArray *longest = g_array_new(FALSE, FALSE, sizeof(struct itp_logged_unit));
	g_autofree uint64_t *most = g_new0(uint64_t, log->found->len + 1);
	guint at = 0;

	*ret_count = 0;
	for (guint i = 0; i < log->found->len; i++) {
		const struct itp_unit_type *type =
			&g_array_index(log->found, struct itp_unit_type, i);

		if (is_meant(log, type, name)) {
			*ret_count += type->count;
			most[i] = part == 0 ? type->count : (type->count + part - 1) / part;
		}
	}
	g_array_sort(sorted, compare_by_type);
	while (at < sorted->len) {
		at = add_longest(longest, sorted, at,
				 most[g_array_index(sorted, struct itp_logged_unit, at).type]);
	}
	return longest;
}
