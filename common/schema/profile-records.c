/* SPDX-License-Identifier: MIT */
/*
 * See profile-records.h.
 */
#include "common/schema/profile-records.h"

#include "common/base/context-tree.h"
#include "common/base/hash.h"

/* Nodes sent between two looks at the demand of downstream. */
#define NODES_PER_STEP 64

struct itp_profile_records {
	struct itp_profile_source source;
	/* Functions already downstream. Owned by this. */
	GHashTable *sent_functions;
	/* By node: whether the node, or a node below, has anything to tell. Owned by this. */
	bool *is_used;
	uint32_t next_node;
	/* Arguments of the current call; weak. */
	itp_profile_record_func send;
	void *data;
};

struct itp_profile_records *itp_profile_records_new(const struct itp_profile_source *source)
{
	struct itp_profile_records *records = g_new0(struct itp_profile_records, 1);

	records->source = *source;
	records->sent_functions = g_hash_table_new(itp_hash_number, NULL);
	records->is_used = itp_profile_source_used(source);
	records->next_node = ITP_CONTEXT_ROOT + 1;
	return records;
}

void itp_profile_records_free(struct itp_profile_records *records)
{
	if (records) {
		g_hash_table_unref(records->sent_functions);
		g_free(records->is_used);
		g_free(records);
	}
}

static bool send_function(struct itp_profile_records *records, uint32_t id, GError **error)
{
	const struct itp_function_record record = {
		.id = id,
		.function = itp_profile_source_function(&records->source, id),
	};

	return !g_hash_table_add(records->sent_functions, GUINT_TO_POINTER(id)) ||
	       records->send(records->data, ITP_RECORD_FUNCTION, &record, error);
}

static bool send_wakers(struct itp_profile_records *records, uint32_t node, GError **error)
{
	guint count;
	const struct itp_waker *wakers =
		itp_wakers_of_node(records->source.profile->wakers, node, &count);

	for (guint i = 0; i < count; i++) {
		if (!send_function(records, wakers[i].process, error) ||
		    !send_function(records, wakers[i].function, error) ||
		    !records->send(records->data, ITP_RECORD_WAKER, &wakers[i], error)) {
			return false;
		}
	}
	return true;
}

static bool send_slowest(struct itp_profile_records *records, uint32_t node, GError **error)
{
	size_t count;
	const struct itp_slow_call *calls =
		itp_slowest_of_node(records->source.profile->slowest, node, &count);

	for (size_t i = 0; i < count; i++) {
		if (!records->send(records->data, ITP_RECORD_SLOWEST, &calls[i], error)) {
			return false;
		}
	}
	return true;
}

static bool send_latencies(struct itp_profile_records *records, uint32_t node, GError **error)
{
	const struct itp_latencies *latencies = records->source.profile->latencies;
	struct itp_latency latency;

	for (guint i = 0; itp_latencies_get(latencies, node, i, &latency); i++) {
		if (!records->send(records->data, ITP_RECORD_LATENCY, &latency, error)) {
			return false;
		}
	}
	return true;
}

static bool send_node(struct itp_profile_records *records, uint32_t id, GError **error)
{
	struct itp_node_record record = {
		.id = id,
		.stats = *itp_profile_peek(records->source.profile, id),
	};

	records->source.get_context(records->source.contexts, id, &record.parent, &record.function);
	return send_function(records, record.function, error) &&
	       records->send(records->data, ITP_RECORD_NODE, &record, error) &&
	       send_wakers(records, id, error) && send_slowest(records, id, error) &&
	       send_latencies(records, id, error);
}

static bool send_workload(struct itp_profile_records *records, GError **error)
{
	const struct itp_workload *workload = &records->source.profile->workload;
	const struct itp_workload_record record = {
		.name = workload->name,
		.options = workload->options,
		.complete = workload->complete,
		.period = records->source.period,
		.counts = workload->counts,
	};

	return records->send(records->data, ITP_RECORD_WORKLOAD, &record, error);
}

bool itp_profile_records_send(struct itp_profile_records *records, itp_profile_record_func send,
			      void *data, bool *ret_more, GError **error)
{
	uint32_t size = records->source.node_count;
	uint32_t stop = MIN(size, records->next_node + NODES_PER_STEP);

	records->send = send;
	records->data = data;
	for (; records->next_node < stop; records->next_node++) {
		if (records->is_used[records->next_node] &&
		    !send_node(records, records->next_node, error)) {
			return false;
		}
	}
	*ret_more = records->next_node < size;
	return *ret_more ||
	       (itp_unit_records_send(records->source.profile->units, true, send, data, error) &&
		send_workload(records, error));
}
