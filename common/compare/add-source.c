/* SPDX-License-Identifier: MIT */
/*
 * A profile in memory becomes part of a workload, as one does that comes in messages
 * (sinks/profiles/arrivals.c): functions and contexts get the ids that all workloads share.
 */
#include "common/compare/workload-set.h"

struct adding {
	/* Weak. */
	struct itp_workload_set *set;
	struct itp_set_workload *workload;
	const struct itp_profile_source *source;
	/* Ids in the set by those of the source: of nodes, and of functions, ITP_FUNCTION_UNKNOWN
	 * where they are not known yet. Owned by this. */
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

/* Where the contexts of what threads did have gone; those in which nothing ended are their callers.
 */
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
	itp_set_workload_describe(workload, &source->profile->workload, source->period);
	tell_recall(&adding);
}
