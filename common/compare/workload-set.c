/* SPDX-License-Identifier: MIT */
/*
 * See workload-set.h. Equal contexts of several inputs meet in the same node of the shared tree. A
 * profile in memory becomes part of a workload as a profile in messages does
 * (common/profile-file/intake.c): functions and contexts get the ids that all workloads share.
 */
#include "common/compare/workload-set.h"

#include "common/base/order.h"
#include "common/infer/kept.h"

struct itp_workload_set {
	/* struct itp_set_workload *, owned by this. */
	GPtrArray *workloads;
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	/* Found by a view. */
	GArray *pairs;
	GArray *renamings;
};

static void clear_fact(gpointer data)
{
	struct itp_set_fact *fact = data;

	g_free(fact->name);
	g_free(fact->text);
}

static void workload_free(struct itp_set_workload *workload)
{
	g_free(workload->input_path);
	g_ptr_array_unref(workload->file_paths);
	g_array_unref(workload->facts);
	itp_profile_free(workload->profile);
	itp_profile_free(workload->latest);
	g_free(workload);
}

struct itp_workload_set *itp_workload_set_new(void)
{
	struct itp_workload_set *set = g_new0(struct itp_workload_set, 1);

	set->workloads = g_ptr_array_new_with_free_func((GDestroyNotify)workload_free);
	set->functions = itp_function_table_new();
	set->tree = itp_context_tree_new();
	return set;
}

void itp_workload_set_free(struct itp_workload_set *set)
{
	if (!set) {
		return;
	}
	g_ptr_array_unref(set->workloads);
	itp_context_tree_free(set->tree);
	itp_function_table_free(set->functions);
	g_clear_pointer(&set->pairs, g_array_unref);
	g_clear_pointer(&set->renamings, g_array_unref);
	g_free(set);
}

/* Empty profile for the next messages of the workload. */
static struct itp_profile *latest_new(const struct itp_workload *whole)
{
	struct itp_profile *latest = itp_profile_new(whole->name);

	latest->workload.clock = whole->clock;
	latest->workload.architecture = g_strdup(whole->architecture);
	return latest;
}

struct itp_set_workload *itp_workload_set_add(struct itp_workload_set *set, const char *name,
					      const struct itp_clock *clock,
					      const char *architecture)
{
	struct itp_set_workload *workload = g_new0(struct itp_set_workload, 1);

	workload->file_paths = g_ptr_array_new_with_free_func(g_free);
	workload->facts = g_array_new(FALSE, FALSE, sizeof(struct itp_set_fact));
	g_array_set_clear_func(workload->facts, clear_fact);
	workload->profile = itp_profile_new(name);
	workload->profile->workload.clock = *clock;
	workload->profile->workload.architecture = g_strdup(architecture);
	workload->latest = latest_new(&workload->profile->workload);
	g_ptr_array_add(set->workloads, workload);
	return workload;
}

void itp_set_workload_add_fact(struct itp_set_workload *workload, const char *name,
			       const char *text)
{
	const struct itp_set_fact fact = { .name = g_strdup(name), .text = g_strdup(text) };

	g_array_append_val(workload->facts, fact);
}

uint32_t itp_workload_set_function(struct itp_workload_set *set,
				   const struct itp_function *function)
{
	return itp_function_table_intern(set->functions, function);
}

uint32_t itp_workload_set_node(struct itp_workload_set *set, uint32_t parent, uint32_t function)
{
	return itp_context_tree_child(set->tree, parent, function);
}

void itp_set_workload_add_stats(struct itp_set_workload *workload, uint32_t node,
				const struct itp_node_stats *stats)
{
	itp_node_stats_merge(itp_profile_node(workload->latest, node), stats);
	workload->has_nodes = true;
}

/* Adds the latest profile to that of the workload. A trace holds several profiles when it has
 * periods, or when a saved profile and its copy are read as the same trace. */
static void take_latest(struct itp_set_workload *workload)
{
	struct itp_workload *whole = &workload->profile->workload;
	const uint64_t threads =
		MAX(whole->counts.threads, workload->latest->workload.counts.threads);
	const uint32_t watched = whole->counts.watched | workload->latest->workload.counts.watched;

	if (itp_profile_is_empty(workload->profile)) {
		itp_profile_swap(workload->profile, workload->latest);
	}
	itp_profile_merge(workload->profile, workload->latest);
	if (workload->periods > 0) {
		whole->counts.threads = threads;
		/* All periods are of a single recording: each shows more of the events that it
		 * watches. */
		whole->counts.watched = watched;
	}
	itp_profile_free(workload->latest);
	workload->latest = latest_new(whole);
}

void itp_set_workload_end_period(struct itp_set_workload *workload)
{
	take_latest(workload);
}

void itp_set_workload_describe(struct itp_set_workload *workload,
			       const struct itp_workload *description, uint64_t period)
{
	itp_workload_describe(&workload->latest->workload, description);
	workload->periods = MAX(workload->periods, period);
	if (!workload->is_described) {
		workload->is_described = true;
		workload->begin_ns = description->counts.begin_ns;
		itp_workload_describe(&workload->profile->workload, description);
		workload->profile->workload.counts = (struct itp_infer_counts){ 0 };
		workload->profile->workload.complete = true;
	}
	if (period == 0) {
		take_latest(workload);
	}
}

const char *itp_workload_set_untimed(const struct itp_workload_set *set)
{
	for (guint i = 0; i < set->workloads->len; i++) {
		const struct itp_set_workload *each = g_ptr_array_index(set->workloads, i);
		const struct itp_workload *workload = &each->profile->workload;

		if (each->is_described && workload->counts.stacks > 0 && !each->has_nodes &&
		    !itp_workload_has_latencies(workload)) {
			return workload->name;
		}
	}
	return NULL;
}

static const char *first_path(const struct itp_set_workload *workload)
{
	return workload->file_paths->len > 0 ? g_ptr_array_index(workload->file_paths, 0) : NULL;
}

/* Order by name, then by input path, then by first file; inputs that agree in all of them are
 * alike. */
static int compare_workloads(const void *a, const void *b)
{
	const struct itp_set_workload *left = *(const struct itp_set_workload *const *)a;
	const struct itp_set_workload *right = *(const struct itp_set_workload *const *)b;
	int order = g_strcmp0(left->profile->workload.name, right->profile->workload.name);

	order = order ?: g_strcmp0(left->input_path, right->input_path);
	return order ?: g_strcmp0(first_path(left), first_path(right));
}

void itp_workload_set_finish(struct itp_workload_set *set)
{
	for (guint i = 0; i < set->workloads->len; i++) {
		struct itp_set_workload *workload = g_ptr_array_index(set->workloads, i);
		struct itp_workload *whole = &workload->profile->workload;

		if (!itp_profile_is_empty(workload->latest)) {
			take_latest(workload);
		}
		whole->complete = whole->complete && workload->is_described && !workload->has_loss;
		g_ptr_array_sort(workload->file_paths, itp_order_of_texts);
	}
}

GPtrArray *itp_workload_set_list(const struct itp_workload_set *set)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < set->workloads->len; i++) {
		struct itp_set_workload *workload = g_ptr_array_index(set->workloads, i);

		if (workload->has_nodes) {
			g_ptr_array_add(list, workload);
		}
	}
	g_ptr_array_sort(list, compare_workloads);
	return list;
}

/* Copy of the workload with `profile`, owned by the copy. */
static struct itp_set_workload *workload_copy(const struct itp_set_workload *workload,
					      struct itp_profile *profile)
{
	struct itp_set_workload *copy = g_new0(struct itp_set_workload, 1);

	*copy = (struct itp_set_workload){
		.input_path = g_strdup(workload->input_path),
		.file_paths = g_ptr_array_ref(workload->file_paths),
		.facts = g_array_ref(workload->facts),
		.profile = profile,
		.periods = workload->periods,
		.has_nodes = workload->has_nodes,
	};
	return copy;
}

/* Makes all profiles of the same kind, so that they can be compared. */
static void level(const struct itp_workload_set *set)
{
	g_autoptr(GPtrArray) profiles = g_ptr_array_new();

	for (guint i = 0; i < set->workloads->len; i++) {
		const struct itp_set_workload *workload = g_ptr_array_index(set->workloads, i);

		g_ptr_array_add(profiles, workload->profile);
	}
	itp_profiles_level((struct itp_profile *const *)profiles->pdata, profiles->len);
}

/* Takes the contents of the view. */
static struct itp_workload_set *set_from_view(const struct itp_workload_set *set,
					      const struct itp_set_workload *period,
					      struct itp_view *view)
{
	struct itp_workload_set *viewed = g_new0(struct itp_workload_set, 1);

	viewed->workloads = g_ptr_array_new_with_free_func((GDestroyNotify)workload_free);
	for (guint i = 0; i < set->workloads->len; i++) {
		const struct itp_set_workload *workload = g_ptr_array_index(set->workloads, i);
		struct itp_set_workload *copy = workload_copy(
			workload, g_steal_pointer(&g_ptr_array_index(view->profiles, i)));

		copy->is_period = workload == period;
		g_ptr_array_add(viewed->workloads, copy);
	}
	viewed->functions = g_steal_pointer(&view->functions);
	viewed->tree = g_steal_pointer(&view->tree);
	viewed->pairs = g_steal_pointer(&view->pairs);
	viewed->renamings = g_steal_pointer(&view->renamings);
	level(viewed);
	return viewed;
}

struct itp_workload_set *itp_workload_set_view(const struct itp_workload_set *set,
					       const struct itp_set_workload *period,
					       const GPtrArray *bases,
					       const struct itp_view_options *options,
					       GError **error)
{
	g_autoptr(GPtrArray) profiles = g_ptr_array_new();
	g_autofree bool *is_base = g_new0(bool, set->workloads->len);
	struct itp_view_input input = { .functions = set->functions,
					.tree = set->tree,
					.profiles = profiles,
					.is_base = bases->len > 0 ? is_base : NULL,
					.takes = !period };
	struct itp_workload_set *viewed = NULL;
	struct itp_view *view;

	for (guint i = 0; i < set->workloads->len; i++) {
		struct itp_set_workload *each = g_ptr_array_index(set->workloads, i);

		is_base[i] = g_ptr_array_find((GPtrArray *)bases, each, NULL);
		g_ptr_array_add(profiles, each == period ? each->latest : each->profile);
	}
	view = itp_view_new(options, &input, error);
	if (view) {
		viewed = set_from_view(set, period, view);
	}
	itp_view_free(view);
	return viewed;
}

const GArray *itp_workload_set_pairs(const struct itp_workload_set *set)
{
	return set->pairs;
}

const GArray *itp_workload_set_renamings(const struct itp_workload_set *set)
{
	return set->renamings;
}

const struct itp_function_table *itp_workload_set_functions(const struct itp_workload_set *set)
{
	return set->functions;
}

const struct itp_context_tree *itp_workload_set_tree(const struct itp_workload_set *set)
{
	return set->tree;
}

/* ---- Profiles in memory ---- */

struct adding {
	/* Weak. */
	struct itp_workload_set *set;
	struct itp_set_workload *workload;
	const struct itp_profile_source *source;
	/* Ids in the set by those of the source: of nodes, and of functions (ITP_FUNCTION_UNKNOWN:
	 * not known yet). Owned by this. */
	uint32_t *nodes;
	uint32_t *functions;
};

static uint32_t map_function(struct adding *adding, uint32_t id)
{
	const struct itp_function function = itp_profile_source_function(adding->source, id);

	if (adding->functions[id] == ITP_FUNCTION_UNKNOWN) {
		adding->functions[id] = itp_workload_set_function(adding->set, &function);
	}
	return adding->functions[id];
}

static void add_wakers(struct adding *adding, uint32_t node)
{
	guint count;
	const struct itp_waker *wakers =
		itp_wakers_of_node(adding->source->profile->wakers, node, &count);

	for (guint i = 0; i < count; i++) {
		struct itp_waker waker = wakers[i];

		waker.node = adding->nodes[node];
		waker.process = map_function(adding, wakers[i].process);
		waker.function = map_function(adding, wakers[i].function);
		itp_wakers_add(adding->workload->latest->wakers, &waker);
	}
}

static void add_slowest(struct adding *adding, uint32_t node)
{
	size_t count;
	const struct itp_slow_call *calls =
		itp_slowest_of_node(adding->source->profile->slowest, node, &count);

	for (size_t i = 0; i < count; i++) {
		struct itp_slow_call call = calls[i];

		call.node = adding->nodes[node];
		itp_slowest_add(adding->workload->latest->slowest, &call);
	}
}

static void add_node(struct adding *adding, uint32_t node)
{
	const struct itp_profile_source *source = adding->source;
	uint32_t parent;
	uint32_t function;

	source->get_context(source->contexts, node, &parent, &function);
	adding->nodes[node] = itp_workload_set_node(adding->set, adding->nodes[parent],
						    map_function(adding, function));
	itp_set_workload_add_stats(adding->workload, adding->nodes[node],
				   itp_profile_peek(source->profile, node));
	add_wakers(adding, node);
	add_slowest(adding, node);
	itp_latencies_add_node(adding->workload->latest->latencies, adding->nodes[node],
			       source->profile->latencies, node);
}

/* Tells the workload the new nodes of recalled contexts; contexts without an ended call have the
 * node of their callers. */
static void tell_recall(const struct adding *adding)
{
	const struct itp_profile_source *source = adding->source;
	struct itp_workload *workload = &adding->workload->profile->workload;
	GArray *nodes;

	if (!source->profile->workload.recall) {
		return;
	}
	nodes = g_array_sized_new(FALSE, TRUE, sizeof(uint32_t), source->node_count);
	g_array_append_vals(nodes, adding->nodes, source->node_count);
	for (uint32_t node = ITP_CONTEXT_ROOT + 1; node < source->node_count; node++) {
		uint32_t parent;
		uint32_t function;

		source->get_context(source->contexts, node, &parent, &function);
		if (adding->nodes[node] == ITP_CONTEXT_ROOT) {
			g_array_index(nodes, uint32_t, node) =
				g_array_index(nodes, uint32_t, parent);
		}
	}
	g_clear_pointer(&workload->recall_nodes, g_array_unref);
	workload->recall_nodes = nodes;
}

void itp_workload_set_add_source(struct itp_workload_set *set, struct itp_set_workload *workload,
				 const struct itp_profile_source *source)
{
	g_autofree bool *is_used = itp_profile_source_used(source);
	g_autofree uint32_t *nodes = g_new0(uint32_t, source->node_count);
	g_autofree uint32_t *functions =
		g_new0(uint32_t, itp_function_table_size(source->functions));
	struct adding adding = { .set = set,
				 .workload = workload,
				 .source = source,
				 .nodes = nodes,
				 .functions = functions };

	nodes[ITP_CONTEXT_ROOT] = ITP_CONTEXT_ROOT;
	for (uint32_t node = ITP_CONTEXT_ROOT + 1; node < source->node_count; node++) {
		if (is_used[node]) {
			add_node(&adding, node);
		}
	}
	itp_unit_sums_merge(workload->latest->units, source->profile->units);
	itp_set_workload_describe(workload, &source->profile->workload, source->period);
	tell_recall(&adding);
}
