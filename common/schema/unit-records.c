/* SPDX-License-Identifier: MIT */
/*
 * See unit-records.h.
 */
#include "common/schema/unit-records.h"

/* ---- Out ---- */

static bool send_latencies(const struct itp_unit_sums *sums, guint number,
			   itp_profile_record_func send, void *data, GError **error)
{
	struct itp_latency latency;

	for (guint i = 0; itp_latencies_get(itp_unit_sums_latencies(sums), number, i, &latency);
	     i++) {
		if (!send(data, ITP_RECORD_UNIT_LATENCY, &latency, error)) {
			return false;
		}
	}
	return true;
}

static bool send_slowest(const struct itp_unit_sums *sums, guint number,
			 itp_profile_record_func send, void *data, GError **error)
{
	size_t count;
	const struct itp_slow_call *units =
		itp_slowest_of_node(itp_unit_sums_slowest(sums), number, &count);

	for (size_t i = 0; i < count; i++) {
		const struct itp_unit_span_record record = {
			.unit = number,
			.pid = units[i].pid,
			.tid = units[i].tid,
			.begin_ns = units[i].begin_ns,
			.end_ns = units[i].begin_ns + units[i].latency_ns,
		};

		if (!send(data, ITP_RECORD_UNIT_SPAN, &record, error)) {
			return false;
		}
	}
	return true;
}

bool itp_unit_records_send(const struct itp_unit_sums *sums, bool has_slowest,
			   itp_profile_record_func send, void *data, GError **error)
{
	const struct itp_unit_sum *sum;
	bool done = true;

	for (guint i = 0; done && (sum = itp_unit_sums_get(sums, i)); i++) {
		const struct itp_unit_record record = { .id = i, .sum = *sum };

		done = send(data, ITP_RECORD_UNIT, &record, error) &&
		       send_latencies(sums, i, send, data, error) &&
		       (!has_slowest || send_slowest(sums, i, send, data, error));
	}
	return done;
}

/* ---- In ---- */

static bool take_latency(struct itp_unit_sums *sums, const struct itp_id_map *ids,
			 const struct itp_latency *latency, GError **error)
{
	uint32_t number;

	if (!itp_id_map_get(ids, latency->node, &number, error)) {
		return false;
	}
	itp_latencies_add(itp_unit_sums_latencies(sums), number, latency->latency_ns,
			  latency->calls);
	return true;
}

static bool take_span(struct itp_unit_sums *sums, const struct itp_id_map *ids,
		      const struct itp_unit_span_record *span, GError **error)
{
	const int64_t latency_ns = span->end_ns - span->begin_ns;
	struct itp_slow_call call = { .pid = span->pid,
				      .tid = span->tid,
				      .begin_ns = span->begin_ns,
				      .latency_ns = latency_ns,
				      .lower_ns = latency_ns,
				      .upper_ns = latency_ns };

	if (!itp_id_map_get(ids, span->unit, &call.node, error)) {
		return false;
	}
	itp_slowest_add(itp_unit_sums_slowest(sums), &call);
	return true;
}

bool itp_unit_records_take(struct itp_unit_sums *sums, struct itp_id_map *ids,
			   const struct itp_record *record, GError **error)
{
	switch (record->type) {
	case ITP_RECORD_UNIT:
		itp_id_map_put(ids, record->unit.id, itp_unit_sums_add(sums, &record->unit.sum));
		return true;
	case ITP_RECORD_UNIT_LATENCY:
		return take_latency(sums, ids, &record->latency, error);
	case ITP_RECORD_UNIT_SPAN:
		return take_span(sums, ids, &record->unit_span, error);
	default:
		return true;
	}
}
