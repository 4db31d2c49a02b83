/* SPDX-License-Identifier: MIT */
/*
 * See intake.h.
 */
#include "common/profile-file/intake.h"

#include "common/schema/unit-records.h"

struct itp_intake {
	/* Weak. */
	struct itp_workload_set *set;
	struct itp_set_workload *workload;
	/* Owned by this. */
	struct itp_id_map *function_ids;
	struct itp_id_map *node_ids;
	struct itp_id_map *unit_ids;
};

struct itp_intake *itp_intake_new(struct itp_workload_set *set, struct itp_set_workload *workload)
{
	struct itp_intake *intake = g_new0(struct itp_intake, 1);

	intake->set = set;
	intake->workload = workload;
	intake->function_ids = itp_id_map_new("function");
	intake->node_ids = itp_id_map_new("node");
	intake->unit_ids = itp_id_map_new("unit");
	itp_id_map_put(intake->node_ids, ITP_CONTEXT_ROOT, ITP_CONTEXT_ROOT);
	return intake;
}

void itp_intake_free(struct itp_intake *intake)
{
	if (!intake) {
		return;
	}
	itp_id_map_free(intake->function_ids);
	itp_id_map_free(intake->node_ids);
	itp_id_map_free(intake->unit_ids);
	g_free(intake);
}

static void take_function(struct itp_intake *intake, const struct itp_function_record *record)
{
	itp_id_map_put(intake->function_ids, record->id,
		       itp_workload_set_function(intake->set, &record->function));
}

static bool take_node(struct itp_intake *intake, const struct itp_node_record *record,
		      GError **error)
{
	uint32_t function;
	uint32_t parent;
	uint32_t node;

	if (!itp_id_map_get(intake->function_ids, record->function, &function, error) ||
	    !itp_id_map_get(intake->node_ids, record->parent, &parent, error)) {
		return false;
	}
	node = itp_workload_set_node(intake->set, parent, function);
	itp_id_map_put(intake->node_ids, record->id, node);
	itp_set_workload_add_stats(intake->workload, node, &record->stats);
	return true;
}

static bool take_waker(struct itp_intake *intake, const struct itp_waker *record, GError **error)
{
	struct itp_waker waker = *record;

	if (!itp_id_map_get(intake->node_ids, record->node, &waker.node, error) ||
	    !itp_id_map_get(intake->function_ids, record->process, &waker.process, error) ||
	    !itp_id_map_get(intake->function_ids, record->function, &waker.function, error)) {
		return false;
	}
	itp_wakers_add(intake->workload->latest->wakers, &waker);
	return true;
}

static bool take_slowest(struct itp_intake *intake, const struct itp_slow_call *record,
			 GError **error)
{
	struct itp_slow_call call = *record;

	if (!itp_id_map_get(intake->node_ids, record->node, &call.node, error)) {
		return false;
	}
	itp_slowest_add(intake->workload->latest->slowest, &call);
	return true;
}

static bool take_latency(struct itp_intake *intake, const struct itp_latency *record,
			 GError **error)
{
	uint32_t node;

	if (!itp_id_map_get(intake->node_ids, record->node, &node, error)) {
		return false;
	}
	itp_latencies_add(intake->workload->latest->latencies, node, record->latency_ns,
			  record->calls);
	return true;
}

static void describe(struct itp_set_workload *workload, const struct itp_workload_record *record)
{
	const struct itp_workload description = itp_workload_of_record(record);

	itp_set_workload_describe(workload, &description, record->period);
}

bool itp_intake_take(struct itp_intake *intake, const struct itp_record *record, GError **error)
{
	switch (record->type) {
	case ITP_RECORD_FUNCTION:
		take_function(intake, &record->function);
		return true;
	case ITP_RECORD_NODE:
		return take_node(intake, &record->node, error);
	case ITP_RECORD_WAKER:
		/* Wakers before a profile are somebody else's. */
		return !intake->workload->has_nodes || take_waker(intake, &record->waker, error);
	case ITP_RECORD_SLOWEST:
		return take_slowest(intake, &record->slowest, error);
	case ITP_RECORD_LATENCY:
		return take_latency(intake, &record->latency, error);
	case ITP_RECORD_WORKLOAD:
		describe(intake->workload, &record->workload);
		return true;
	default:
		return itp_unit_records_take(intake->workload->latest->units, intake->unit_ids,
					     record, error);
	}
}
