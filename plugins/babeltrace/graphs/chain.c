/* SPDX-License-Identifier: MIT */
/*
 * See chain.h.
 */
#include "plugins/babeltrace/graphs/chain.h"

#include "common/base/failure.h"
#include "common/engine/ranking-params.h"
#include "filters/infer/infer.h"

/* Parameters of `infer`: its own, and the source's for stacks of other tracers. Free with
 * g_hash_table_unref(). */
static GHashTable *infer_params(GHashTable *const *values)
{
	static const char *const shared[] = { "fill", "inline", "symfs", "kallsyms" };
	GHashTable *params = itp_values_copy(values[ITP_STAGE_INFER]);

	for (size_t i = 0; i < G_N_ELEMENTS(shared); i++) {
		GVariant *value = g_hash_table_lookup(values[ITP_STAGE_SOURCE], shared[i]);

		if (value) {
			itp_values_set(params, shared[i], value);
		}
	}
	return params;
}

/* Adds a filter behind the end, unless it is the first, and makes it the end. `missing_text` says
 * that its input does not arrive; NULL where it always does. */
static bool add_filter(struct itp_graph *graph, const bt_component_class_filter *class,
		       const char *name, guint number, GHashTable *params, const char *missing_text,
		       struct itp_chain *chain, GError **error)
{
	g_autofree char *full_name = g_strdup_printf("%s %u", name, number);
	const bt_component_filter *filter =
		itp_graph_add_filter(graph, class, full_name, params, (void *)missing_text, error);
	bool done = filter &&
		    (!chain->end || itp_graph_connect_filters(graph, chain->end, filter, error));

	chain->end = filter;
	return done;
}

static bool add_infer(struct itp_graph *graph, GHashTable *const *values, guint number,
		      struct itp_chain *chain, GError **error)
{
	bt_component_class_filter *class = itp_infer_class_new();
	g_autoptr(GHashTable) params = infer_params(values);
	bool done = add_filter(graph, class, "infer", number, params,
			       ITP_INFER_MISSING_TEXT("be a recording of perf, or"), chain, error);

	bt_component_class_filter_put_ref(class);
	return done;
}

/* True when the latency of each call is wanted: by the user, or for a close look at a path. */
static bool are_wanted(GHashTable *const *values)
{
	GVariant *latencies = g_hash_table_lookup(values[ITP_STAGE_NORMALIZE], "latencies");

	return latencies && g_variant_is_of_type(latencies, G_VARIANT_TYPE_BOOLEAN) ?
		       g_variant_get_boolean(latencies) :
		       itp_values_has(values[ITP_STAGE_RANK], "path");
}

/* Adds `normalize` with its parameters, and those for a close look at a path. */
static bool add_normalize(struct itp_graph *graph, GHashTable *const *values, guint number,
			  struct itp_chain *chain, GError **error)
{
	bt_component_class_filter *class = itp_normalize_class_new();
	g_autoptr(GHashTable) params = itp_values_copy(values[ITP_STAGE_NORMALIZE]);
	bool done;

	if (!itp_values_has(params, "latencies") && are_wanted(values)) {
		itp_values_set_bool(params, "latencies", true);
	}
	done = add_filter(graph, class, "normalize", number, params, ITP_FAILURE_NO_CALLS_TEXT,
			  chain, error);
	bt_component_class_filter_put_ref(class);
	return done;
}

static bool add_unit(struct itp_graph *graph, guint number, GHashTable *params,
		     struct itp_chain *chain, GError **error)
{
	bt_component_class_filter *class = itp_unit_class_new();
	bool done = add_filter(graph, class, "unit", number, params, ITP_FAILURE_NO_CALLS_TEXT,
			       chain, error);

	bt_component_class_filter_put_ref(class);
	return done;
}

/* Adds filters that sum the part inside of units. */
static bool add_within(struct itp_graph *graph, GHashTable *const *values, guint number,
		       struct itp_chain *chain, GError **error)
{
	g_autoptr(GHashTable) params = itp_values_new();

	itp_values_set_text(params, "in", itp_rank_in(values[ITP_STAGE_RANK]));
	itp_values_set_bool(params, "latencies", are_wanted(values));
	return add_unit(graph, number, params, chain, error);
}

/* Adds filters that sum, with units where work is counted by them. */
static bool add_summing(struct itp_graph *graph, GHashTable *const *values, guint number,
			struct itp_chain *chain, GError **error)
{
	GHashTable *params = values[ITP_STAGE_RANK];

	if (itp_rank_in(params)) {
		return add_within(graph, values, number, chain, error);
	}
	return (!itp_rank_is_per_unit(params) || add_unit(graph, number, NULL, chain, error)) &&
	       add_normalize(graph, values, number, chain, error);
}

bool itp_chain_add(struct itp_graph *graph, GHashTable *const *values, guint number, bool is_summed,
		   struct itp_chain *ret_chain, GError **error)
{
	const bt_component_class_filter *muxer = itp_graph_muxer(graph, error);

	*ret_chain = (struct itp_chain){ .muxer = NULL };
	if (!muxer || !add_filter(graph, muxer, "muxer", number, NULL, NULL, ret_chain, error)) {
		return false;
	}
	ret_chain->muxer = ret_chain->end;
	return add_infer(graph, values, number, ret_chain, error) &&
	       (!is_summed || add_summing(graph, values, number, ret_chain, error));
}

bool itp_chain_add_units(struct itp_graph *graph, GHashTable *const *values, guint number,
			 struct itp_chain *ret_chain, GError **error)
{
	g_autoptr(GHashTable) params = itp_values_new();

	itp_values_set_bool(params, "each", true);
	return itp_chain_add(graph, values, number, false, ret_chain, error) &&
	       add_unit(graph, number, params, ret_chain, error);
}

bool itp_chain_add_wait(struct itp_graph *graph, GHashTable *const *values, GHashTable *wait,
			guint number, struct itp_chain *ret_chain, GError **error)
{
	bt_component_class_filter *class = itp_wait_class_new();
	bool done = itp_chain_add(graph, values, number, false, ret_chain, error) &&
		    add_filter(graph, class, "wait", number, wait, NULL, ret_chain, error);

	bt_component_class_filter_put_ref(class);
	return done;
}
