/* SPDX-License-Identifier: MIT */
/*
 * See interests.h. Ids of functions and contexts belong to their trace.
 */
#include "sinks/mine/interests.h"

#include <string.h>

#include "common/compare/compare.h"
#include "common/render/mining/mining.h"
#include "messages/id-map.h"
#include "messages/schema.h"

/* An interest on its way. */
struct arrival {
	/* Trace, owned by this, so that its address stays taken. */
	const bt_trace *trace;
	/* Identity, for `base`. Weak: of the set. */
	struct itp_set_workload *identity;
	/* All owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_id_map *function_ids;
	struct itp_id_map *context_ids;
	struct itp_interest interest;
	/* struct itp_symptom. Owned by this. */
	GArray *symptoms;
	/* Without a path. Its symptom is owned by this. */
	struct itp_mined_trace mined;
	/* The record of the search has come. */
	bool is_told;
};

struct itp_interest_arrivals {
	/* struct arrival *, in the order of arrival. Owned by this. */
	GPtrArray *list;
	/* Identities of the arrivals. Owned by this. */
	struct itp_workload_set *identities;
	struct itp_decoder *decoder;
};

static void arrival_free(gpointer data)
{
	struct arrival *arrival = data;

	g_array_unref(arrival->symptoms);
	g_free(arrival->mined.symptom);
	itp_interest_release(&arrival->interest);
	itp_id_map_free(arrival->context_ids);
	itp_id_map_free(arrival->function_ids);
	itp_context_tree_free(arrival->tree);
	itp_function_table_free(arrival->functions);
	bt_trace_put_ref(arrival->trace);
	g_free(arrival);
}

struct itp_interest_arrivals *itp_interest_arrivals_new(void)
{
	struct itp_interest_arrivals *arrivals = g_new0(struct itp_interest_arrivals, 1);

	arrivals->list = g_ptr_array_new_with_free_func(arrival_free);
	arrivals->identities = itp_workload_set_new();
	arrivals->decoder = itp_decoder_new();
	return arrivals;
}

void itp_interest_arrivals_free(struct itp_interest_arrivals *arrivals)
{
	if (arrivals) {
		g_ptr_array_unref(arrivals->list);
		itp_workload_set_free(arrivals->identities);
		itp_decoder_free(arrivals->decoder);
		g_free(arrivals);
	}
}

static struct itp_set_workload *identify(struct itp_workload_set *identities, const bt_trace *trace)
{
	const bt_value *input =
		bt_trace_borrow_environment_entry_value_by_name_const(trace, "introperf_input");
	const char *name = bt_trace_get_name(trace);
	const struct itp_clock no_clock = { .has_epoch = false };
	struct itp_set_workload *identity =
		itp_workload_set_add(identities, name ? name : "unnamed", &no_clock, NULL);

	if (input && bt_value_is_string(input)) {
		identity->input_path = g_strdup(bt_value_string_get(input));
	}
	return identity;
}

static struct arrival *arrival_new(struct itp_interest_arrivals *arrivals, const bt_trace *trace)
{
	struct arrival *arrival = g_new0(struct arrival, 1);

	arrival->trace = trace;
	bt_trace_get_ref(trace);
	arrival->identity = identify(arrivals->identities, trace);
	arrival->functions = itp_function_table_new();
	arrival->tree = itp_context_tree_new();
	arrival->function_ids = itp_id_map_new("function");
	arrival->context_ids = itp_id_map_new("context");
	itp_id_map_put(arrival->function_ids, ITP_FUNCTION_UNKNOWN, ITP_FUNCTION_UNKNOWN);
	itp_id_map_put(arrival->context_ids, ITP_CONTEXT_ROOT, ITP_CONTEXT_ROOT);
	itp_interest_init(&arrival->interest);
	arrival->symptoms = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	g_ptr_array_add(arrivals->list, arrival);
	return arrival;
}

/* Arrival of `stream`, made when new. Weak. */
static struct arrival *find_arrival(struct itp_interest_arrivals *arrivals, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);

	for (guint i = arrivals->list->len; i-- > 0;) {
		struct arrival *arrival = g_ptr_array_index(arrivals->list, i);

		if (arrival->trace == trace) {
			return arrival;
		}
	}
	return arrival_new(arrivals, trace);
}

/* source.ctf.fs names a stream by the absolute path of its file. */
static void note_stream(struct itp_interest_arrivals *arrivals, const bt_stream *stream)
{
	struct arrival *arrival = find_arrival(arrivals, stream);
	const char *name = bt_stream_get_name(stream);

	if (name && g_path_is_absolute(name)) {
		g_ptr_array_add(arrival->identity->file_paths, g_strdup(name));
	}
}

static void add_function(struct arrival *arrival, const struct itp_function_record *record)
{
	itp_id_map_put(arrival->function_ids, record->id,
		       itp_function_table_intern(arrival->functions, &record->function));
}

static bool add_context(struct arrival *arrival, const struct itp_context_record *record,
			GError **error)
{
	uint32_t function;
	uint32_t parent;

	if (!itp_id_map_get(arrival->function_ids, record->function, &function, error) ||
	    !itp_id_map_get(arrival->context_ids, record->parent, &parent, error)) {
		return false;
	}
	itp_id_map_put(arrival->context_ids, record->id,
		       itp_context_tree_child(arrival->tree, parent, function));
	return true;
}

static bool add_stack(struct arrival *arrival, const struct itp_interest_record *record,
		      GError **error)
{
	uint32_t chain = ITP_CONTEXT_ROOT;

	for (size_t i = 0; i < record->context_count; i++) {
		uint32_t node;

		if (!itp_id_map_get(arrival->context_ids, record->contexts[i], &node, error)) {
			return false;
		}
		chain = itp_context_tree_child(arrival->interest.chains, chain, node);
	}
	itp_interest_add_stack(&arrival->interest, chain, record->is_wait, record->count,
			       record->cost_ns);
	return true;
}

static void add_symptom(struct arrival *arrival, const struct itp_symptom_record *record)
{
	const struct itp_symptom symptom = { .tid = record->tid,
					     .begin_ns = record->begin_ns,
					     .end_ns = record->end_ns };

	g_array_append_val(arrival->symptoms, symptom);
	arrival->mined.symptoms++;
	arrival->mined.cost_ns += record->end_ns - record->begin_ns;
}

static void add_search(struct arrival *arrival, const struct itp_search_record *record)
{
	arrival->mined.calls = record->calls;
	arrival->mined.left_out = record->left_out;
	arrival->mined.has_wakeups = record->has_wakeups;
	arrival->mined.is_complete = record->complete;
	arrival->is_told = true;
	g_free(arrival->mined.symptom);
	arrival->mined.symptom = record->symptom[0] != '\0' ? g_strdup(record->symptom) : NULL;
}

static bool add_event(struct itp_interest_arrivals *arrivals, const bt_event *event, GError **error)
{
	struct arrival *arrival = find_arrival(arrivals, bt_event_borrow_stream_const(event));
	struct itp_record record;

	if (!itp_decode(arrivals->decoder, event, &record, error)) {
		return false;
	}
	switch (record.type) {
	case ITP_RECORD_FUNCTION:
		add_function(arrival, &record.function);
		return true;
	case ITP_RECORD_CONTEXT:
		return add_context(arrival, &record.context, error);
	case ITP_RECORD_SYMPTOM:
		add_symptom(arrival, &record.symptom);
		return true;
	case ITP_RECORD_INTEREST:
		return add_stack(arrival, &record.interest, error);
	case ITP_RECORD_SEARCH:
		add_search(arrival, &record.search);
		return true;
	default:
		return true;
	}
}

bool itp_interest_arrivals_add(struct itp_interest_arrivals *arrivals, const bt_message *message,
			       GError **error)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		note_stream(arrivals, bt_message_stream_beginning_borrow_stream_const(message));
		return true;
	case BT_MESSAGE_TYPE_EVENT:
		return add_event(arrivals, bt_message_event_borrow_event_const(message), error);
	default:
		return true;
	}
}

/* Identities with an interest, as traces with other contents do not count. */
static GPtrArray *told_identities(const struct itp_interest_arrivals *arrivals)
{
	GPtrArray *identities = g_ptr_array_new();

	for (guint i = 0; i < arrivals->list->len; i++) {
		const struct arrival *arrival = g_ptr_array_index(arrivals->list, i);

		if (arrival->is_told) {
			g_ptr_array_add(identities, arrival->identity);
		}
	}
	return identities;
}

/* Path of the interest, or else of its recording. */
static char *path_of(const struct arrival *arrival)
{
	const struct itp_set_workload *identity = arrival->identity;

	if (identity->file_paths->len > 0) {
		return g_path_get_dirname(g_ptr_array_index(identity->file_paths, 0));
	}
	return g_strdup(identity->input_path ? identity->input_path :
					       identity->profile->workload.name);
}

/* Chains behind the symptoms are not in the messages. */
static void tell_symptoms(const struct arrival *arrival, const char *path, GString *each)
{
	for (guint i = 0; each && i < arrival->symptoms->len; i++) {
		itp_render_mining_symptom(
			path, &g_array_index(arrival->symptoms, struct itp_symptom, i), NULL, each);
	}
}

static void take(const struct arrival *arrival, struct itp_mining *mining, bool is_good,
		 const char *path, GString *each)
{
	g_autofree char *own_path = path_of(arrival);
	const struct itp_mined_interest interest = { .interest = &arrival->interest,
						     .tree = arrival->tree,
						     .functions = arrival->functions };
	struct itp_mined_trace trace = arrival->mined;

	trace.path = path ? (char *)path : own_path;
	itp_mining_add(mining, is_good, &trace, &interest);
	tell_symptoms(arrival, trace.path, each);
}

bool itp_interest_arrivals_take(struct itp_interest_arrivals *arrivals, struct itp_mining *mining,
				const GPtrArray *base, bool of_base, const char *path,
				GString *each, GError **error)
{
	g_autoptr(GPtrArray) identities = told_identities(arrivals);
	g_autoptr(GHashTable) good = g_hash_table_new(NULL, NULL);

	if (base && !itp_base_find(identities, base, good, error)) {
		return false;
	}
	for (guint i = 0; i < arrivals->list->len; i++) {
		const struct arrival *arrival = g_ptr_array_index(arrivals->list, i);

		if (arrival->is_told) {
			take(arrival, mining,
			     of_base || g_hash_table_contains(good, arrival->identity), path, each);
		}
	}
	g_ptr_array_set_size(arrivals->list, 0);
	return true;
}
