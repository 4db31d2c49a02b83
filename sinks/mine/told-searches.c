/* SPDX-License-Identifier: MIT */
/*
 * See told-searches.h. Ids of functions and contexts belong to their trace.
 */
#include "sinks/mine/told-searches.h"

#include <string.h>

#include "common/compare/compare.h"
#include "common/mine/intake.h"
#include "common/render/mining/mining.h"
#include "common/schema/id-map.h"
#include "messages/coding.h"
#include "sinks/profiles/arrivals.h"

/* A search on its way. */
struct search {
	/* Trace, owned by this, so that its address stays taken. */
	const bt_trace *trace;
	/* Identity, for `base`. Weak: of the set. */
	struct itp_set_workload *identity;
	/* All owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_id_map *function_ids;
	struct itp_id_map *context_ids;
	/* Without a path. The trace's symptom is owned by this, too. */
	struct itp_intake intake;
	/* struct itp_symptom. Owned by this. */
	GArray *symptoms;
	/* The record of the search has come. */
	bool is_told;
};

struct itp_told_searches {
	/* struct search *, in the order of arrival. Owned by this. */
	GPtrArray *list;
	/* Identities of the searches. Owned by this. */
	struct itp_workload_set *identities;
	struct itp_decoder *decoder;
};

static void search_free(gpointer data)
{
	struct search *search = data;

	g_array_unref(search->symptoms);
	g_free(search->intake.trace.symptom);
	itp_intake_release(&search->intake);
	itp_id_map_free(search->context_ids);
	itp_id_map_free(search->function_ids);
	itp_context_tree_free(search->tree);
	itp_function_table_free(search->functions);
	bt_trace_put_ref(search->trace);
	g_free(search);
}

struct itp_told_searches *itp_told_searches_new(void)
{
	struct itp_told_searches *searches = g_new0(struct itp_told_searches, 1);

	searches->list = g_ptr_array_new_with_free_func(search_free);
	searches->identities = itp_workload_set_new();
	searches->decoder = itp_decoder_new();
	return searches;
}

void itp_told_searches_free(struct itp_told_searches *searches)
{
	if (searches) {
		g_ptr_array_unref(searches->list);
		itp_workload_set_free(searches->identities);
		itp_decoder_free(searches->decoder);
		g_free(searches);
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

static struct search *search_new(struct itp_told_searches *searches, const bt_trace *trace)
{
	struct search *search = g_new0(struct search, 1);

	search->trace = trace;
	bt_trace_get_ref(trace);
	search->identity = identify(searches->identities, trace);
	search->functions = itp_function_table_new();
	search->tree = itp_context_tree_new();
	search->function_ids = itp_id_map_new("function");
	search->context_ids = itp_id_map_new("context");
	itp_id_map_put(search->function_ids, ITP_FUNCTION_UNKNOWN, ITP_FUNCTION_UNKNOWN);
	itp_id_map_put(search->context_ids, ITP_CONTEXT_ROOT, ITP_CONTEXT_ROOT);
	itp_intake_init(&search->intake, search->tree, search->functions);
	search->symptoms = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	g_ptr_array_add(searches->list, search);
	return search;
}

/* Search of `stream`, made when new. Weak. */
static struct search *find_search(struct itp_told_searches *searches, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);

	for (guint i = searches->list->len; i-- > 0;) {
		struct search *search = g_ptr_array_index(searches->list, i);

		if (search->trace == trace) {
			return search;
		}
	}
	return search_new(searches, trace);
}

static void add_told_function(struct search *search, const struct itp_function_record *record)
{
	itp_id_map_put(search->function_ids, record->id,
		       itp_function_table_intern(search->functions, &record->function));
}

static bool add_told_context(struct search *search, const struct itp_context_record *record,
			     GError **error)
{
	uint32_t function;
	uint32_t parent;

	if (!itp_id_map_get(search->function_ids, record->function, &function, error) ||
	    !itp_id_map_get(search->context_ids, record->parent, &parent, error)) {
		return false;
	}
	itp_id_map_put(search->context_ids, record->id,
		       itp_context_tree_child(search->tree, parent, function));
	return true;
}

static bool add_told_stack(struct search *search, const struct itp_interest_record *record,
			   GError **error)
{
	uint32_t chain = ITP_CONTEXT_ROOT;

	for (size_t i = 0; i < record->context_count; i++) {
		uint32_t node;

		if (!itp_id_map_get(search->context_ids, record->contexts[i], &node, error)) {
			return false;
		}
		chain = itp_context_tree_child(search->intake.interest.chains, chain, node);
	}
	itp_interest_add_stack(&search->intake.interest, chain, record->is_wait, record->count,
			       record->cost_ns);
	return true;
}

static void add_symptom(struct search *search, const struct itp_symptom_record *record)
{
	const struct itp_symptom symptom = { .tid = record->tid,
					     .begin_ns = record->begin_ns,
					     .end_ns = record->end_ns };

	g_array_append_val(search->symptoms, symptom);
	itp_intake_count_symptom(&search->intake, record->end_ns - record->begin_ns);
}

static void end_search(struct search *search, const struct itp_search_record *record)
{
	struct itp_mined_trace *trace = &search->intake.trace;

	trace->calls = record->calls;
	trace->left_out = record->left_out;
	trace->has_wakeups = record->has_wakeups;
	trace->is_complete = record->complete;
	g_free(trace->symptom);
	trace->symptom = record->symptom[0] != '\0' ? g_strdup(record->symptom) : NULL;
	search->is_told = true;
}

static bool add_event(struct itp_told_searches *searches, const bt_event *event, GError **error)
{
	struct search *search = find_search(searches, bt_event_borrow_stream_const(event));
	struct itp_record record;

	if (!itp_decode(searches->decoder, event, &record, error)) {
		return false;
	}
	switch (record.type) {
	case ITP_RECORD_FUNCTION:
		add_told_function(search, &record.function);
		return true;
	case ITP_RECORD_CONTEXT:
		return add_told_context(search, &record.context, error);
	case ITP_RECORD_SYMPTOM:
		add_symptom(search, &record.symptom);
		return true;
	case ITP_RECORD_INTEREST:
		return add_told_stack(search, &record.interest, error);
	case ITP_RECORD_SEARCH:
		end_search(search, &record.search);
		return true;
	default:
		return true;
	}
}

bool itp_told_searches_add(struct itp_told_searches *searches, const bt_message *message,
			   GError **error)
{
	const bt_stream *stream;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		stream = bt_message_stream_beginning_borrow_stream_const(message);
		itp_stream_note_file(stream, find_search(searches, stream)->identity->file_paths);
		return true;
	case BT_MESSAGE_TYPE_EVENT:
		return add_event(searches, bt_message_event_borrow_event_const(message), error);
	default:
		return true;
	}
}

/* Identities with an interest, as traces with other contents do not count. */
static GPtrArray *told_identities(const struct itp_told_searches *searches)
{
	GPtrArray *identities = g_ptr_array_new();

	for (guint i = 0; i < searches->list->len; i++) {
		const struct search *search = g_ptr_array_index(searches->list, i);

		if (search->is_told) {
			g_ptr_array_add(identities, search->identity);
		}
	}
	return identities;
}

/* Path of what was saved, or else of its recording. */
static char *search_path(const struct search *search)
{
	const struct itp_set_workload *identity = search->identity;

	if (identity->file_paths->len > 0) {
		return g_path_get_dirname(g_ptr_array_index(identity->file_paths, 0));
	}
	return g_strdup(identity->input_path ? identity->input_path :
					       identity->profile->workload.name);
}

/* Chains behind the symptoms are not in the messages. */
static void take_search(struct search *search, struct itp_mining_job *job, bool is_good,
			const char *path)
{
	g_autofree char *own_path = path ? NULL : search_path(search);

	path = path ? path : own_path;
	search->intake.trace.path = (char *)path;
	itp_mining_add(&job->mining, is_good, &search->intake);
	for (guint i = 0; job->each && i < search->symptoms->len; i++) {
		itp_render_mining_symptom(path,
					  &g_array_index(search->symptoms, struct itp_symptom, i),
					  NULL, job->each);
	}
}

bool itp_told_searches_take(struct itp_told_searches *searches, struct itp_mining_job *job,
			    const char *path, bool of_base, GError **error)
{
	g_autoptr(GPtrArray) identities = told_identities(searches);
	g_autoptr(GHashTable) good = g_hash_table_new(NULL, NULL);

	if (job->base && !itp_base_find(identities, job->base, good, error)) {
		return false;
	}
	for (guint i = 0; i < searches->list->len; i++) {
		struct search *search = g_ptr_array_index(searches->list, i);

		if (search->is_told) {
			take_search(search, job,
				    of_base || g_hash_table_contains(good, search->identity), path);
		}
	}
	g_ptr_array_set_size(searches->list, 0);
	return true;
}
