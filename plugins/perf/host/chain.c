/* SPDX-License-Identifier: MIT */
/*
 * See chain.h.
 */
#include "plugins/perf/host/chain.h"

#include "common/base/failure.h"
#include "filters/infer/infer.h"
#include "sinks/rank/rank.h"

/* Parameters of `infer`: its own, and the source's for stacks of other tracers. NULL after an
 * error. */
static bt_value *infer_params(bt_value *const *values, GError **error)
{
	static const char *const shared[] = { "fill", "inline", "symfs", "kallsyms" };
	bt_value *params = NULL;
	bool done = bt_value_copy(values[ITP_STAGE_INFER], &params) == BT_VALUE_COPY_STATUS_OK;

	for (size_t i = 0; done && i < G_N_ELEMENTS(shared); i++) {
		const bt_value *value =
			bt_value_map_borrow_entry_value_const(values[ITP_STAGE_SOURCE], shared[i]);

		done = !value || bt_value_map_insert_entry(params, shared[i], (bt_value *)value) ==
					 BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
	}
	if (!done) {
		BT_VALUE_PUT_REF_AND_RESET(params);
		itp_failure_set_memory(error);
	}
	return params;
}

/* Adds a filter behind the end, unless it is the first, and makes it the end. `missing_text` says
 * that its input does not arrive; NULL where it always does. */
static bool add_filter(struct itp_graph *graph, const bt_component_class_filter *class,
		       const char *name, guint number, const bt_value *params,
		       const char *missing_text, struct itp_chain *chain, GError **error)
{
	g_autofree char *full_name = g_strdup_printf("%s %u", name, number);
	const bt_component_filter *filter =
		itp_graph_add_filter(graph, class, full_name, params, (void *)missing_text, error);
	bool done = filter &&
		    (!chain->end || itp_graph_connect_filters(graph, chain->end, filter, error));

	chain->end = filter;
	return done;
}

static bool add_infer(struct itp_graph *graph, bt_value *const *values, guint number,
		      struct itp_chain *chain, GError **error)
{
	bt_component_class_filter *class = itp_infer_class_new();
	bt_value *params = infer_params(values, error);
	bool done = params &&
		    add_filter(graph, class, "infer", number, params,
			       ITP_INFER_MISSING_TEXT("be a recording of perf, or"), chain, error);

	bt_value_put_ref(params);
	bt_component_class_filter_put_ref(class);
	return done;
}

/* True when the latency of each call is wanted: by the user, or for a close look at a path. */
static bool are_wanted(bt_value *const *values)
{
	const bt_value *latencies =
		bt_value_map_borrow_entry_value_const(values[ITP_STAGE_NORMALIZE], "latencies");

	return latencies && bt_value_is_bool(latencies) ?
		       bt_value_bool_get(latencies) :
		       bt_value_map_has_entry(values[ITP_STAGE_RANK], "path");
}

/* Parameters of `normalize`: its own, and those for a close look at a path. NULL after an error. */
static bt_value *normalize_params(bt_value *const *values, GError **error)
{
	bt_value *params = NULL;
	bool done = bt_value_copy(values[ITP_STAGE_NORMALIZE], &params) == BT_VALUE_COPY_STATUS_OK;

	if (done && !bt_value_map_has_entry(params, "latencies") && are_wanted(values)) {
		done = bt_value_map_insert_bool_entry(params, "latencies", BT_TRUE) ==
		       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
	}
	if (!done) {
		BT_VALUE_PUT_REF_AND_RESET(params);
		itp_failure_set_memory(error);
	}
	return params;
}

static bool add_normalize(struct itp_graph *graph, bt_value *const *values, guint number,
			  struct itp_chain *chain, GError **error)
{
	bt_component_class_filter *class = itp_normalize_class_new();
	bt_value *params = normalize_params(values, error);
	bool done = params && add_filter(graph, class, "normalize", number, params,
					 ITP_FAILURE_NO_CALLS_TEXT, chain, error);

	bt_value_put_ref(params);
	bt_component_class_filter_put_ref(class);
	return done;
}

static bool add_unit(struct itp_graph *graph, guint number, const bt_value *params,
		     struct itp_chain *chain, GError **error)
{
	bt_component_class_filter *class = itp_unit_class_new();
	bool done = add_filter(graph, class, "unit", number, params, ITP_FAILURE_NO_CALLS_TEXT,
			       chain, error);

	bt_component_class_filter_put_ref(class);
	return done;
}

/* Adds filters that sum the part inside of units. */
static bool add_within(struct itp_graph *graph, bt_value *const *values, guint number,
		       struct itp_chain *chain, GError **error)
{
	bt_value *params = bt_value_map_create();
	const char *in = itp_rank_in(values[ITP_STAGE_RANK]);
	const bool keeps_latencies = are_wanted(values);
	bool done = params &&
		    bt_value_map_insert_string_entry(params, "in", in) ==
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
		    bt_value_map_insert_bool_entry(params, "latencies", keeps_latencies) ==
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;

	if (!done) {
		itp_failure_set_memory(error);
	}
	done = done && add_unit(graph, number, params, chain, error);
	bt_value_put_ref(params);
	return done;
}

/* Adds filters that sum, with units where work is counted by them. */
static bool add_summing(struct itp_graph *graph, bt_value *const *values, guint number,
			struct itp_chain *chain, GError **error)
{
	const bt_value *params = values[ITP_STAGE_RANK];

	if (itp_rank_in(params)) {
		return add_within(graph, values, number, chain, error);
	}
	return (!itp_rank_is_per_unit(params) || add_unit(graph, number, NULL, chain, error)) &&
	       add_normalize(graph, values, number, chain, error);
}

bool itp_chain_add(struct itp_graph *graph, bt_value *const *values, guint number, bool is_summed,
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

bool itp_chain_add_units(struct itp_graph *graph, bt_value *const *values, guint number,
			 struct itp_chain *ret_chain, GError **error)
{
	bt_value *params = bt_value_map_create();
	bool done = params && bt_value_map_insert_bool_entry(params, "each", BT_TRUE) ==
				      BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;

	if (!done) {
		itp_failure_set_memory(error);
	}
	done = done && itp_chain_add(graph, values, number, false, ret_chain, error) &&
	       add_unit(graph, number, params, ret_chain, error);
	bt_value_put_ref(params);
	return done;
}

bool itp_chain_add_wait(struct itp_graph *graph, bt_value *const *values, const bt_value *wait,
			guint number, struct itp_chain *ret_chain, GError **error)
{
	bt_component_class_filter *class = itp_wait_class_new();
	bool done = itp_chain_add(graph, values, number, false, ret_chain, error) &&
		    add_filter(graph, class, "wait", number, wait, NULL, ret_chain, error);

	bt_component_class_filter_put_ref(class);
	return done;
}
