/* SPDX-License-Identifier: MIT */
/*
 * See workloads.h. Ids of functions and nodes belong to their trace; equal contexts of several
 * traces meet in one node of the shared tree.
 */
#include "sinks/profiles/workloads.h"

#include "messages/failure.h"
#include "messages/id-map.h"
#include "messages/schema.h"

/* A trace while it is read. */
struct input {
	/* Owned by this, so that the address stays taken. */
	const bt_trace *trace;
	struct itp_rank_workload workload;
	/* NULL behind the last message. Owned by this. */
	struct itp_id_map *function_ids;
	struct itp_id_map *node_ids;
	bool has_nodes;
	bool has_workload;
	/* Messages of it are missing. */
	bool has_loss;
};

struct itp_rank_workloads {
	/* struct input *, owned by this. */
	GPtrArray *inputs;
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_decoder *decoder;
	/* Of a view. */
	GArray *pairs;
	GArray *renamings;
};

static void input_free(struct input *input)
{
	g_free(input->workload.input_path);
	g_ptr_array_unref(input->workload.file_paths);
	itp_profile_free(input->workload.profile);
	itp_profile_free(input->workload.latest);
	itp_id_map_free(input->function_ids);
	itp_id_map_free(input->node_ids);
	bt_trace_put_ref(input->trace);
	g_free(input);
}

struct itp_rank_workloads *itp_rank_workloads_new(void)
{
	struct itp_rank_workloads *workloads = g_new0(struct itp_rank_workloads, 1);

	workloads->inputs = g_ptr_array_new_with_free_func((GDestroyNotify)input_free);
	workloads->functions = itp_function_table_new();
	workloads->tree = itp_context_tree_new();
	workloads->decoder = itp_decoder_new();
	return workloads;
}

void itp_rank_workloads_free(struct itp_rank_workloads *workloads)
{
	if (!workloads) {
		return;
	}
	g_ptr_array_unref(workloads->inputs);
	itp_context_tree_free(workloads->tree);
	itp_function_table_free(workloads->functions);
	itp_decoder_free(workloads->decoder);
	g_clear_pointer(&workloads->pairs, g_array_unref);
	g_clear_pointer(&workloads->renamings, g_array_unref);
	g_free(workloads);
}

/* Of the environment of `trace`; NULL where that has no such text. */
static char *text_entry(const bt_trace *trace, const char *name)
{
	const bt_value *text = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return text && bt_value_is_string(text) ? g_strdup(bt_value_string_get(text)) : NULL;
}

static struct itp_clock clock_of(const bt_stream *stream)
{
	const bt_clock_class *given = bt_stream_class_borrow_default_clock_class_const(
		bt_stream_borrow_class_const(stream));
	struct itp_clock clock = { .has_epoch = false };
	int64_t zero_ns;

	if (given && bt_clock_class_cycles_to_ns_from_origin(given, 0, &zero_ns) ==
			     BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK) {
		clock.has_epoch = bt_clock_class_origin_is_unix_epoch(given);
		clock.offset_ns = zero_ns;
	}
	return clock;
}

/* As recordings of perf tell it, or traces that perf made of them. */
static char *architecture_of(const bt_trace *trace)
{
	char *architecture = text_entry(trace, "architecture");

	return architecture ? architecture : text_entry(trace, "machine");
}

/* For the next profile of the workload. */
static struct itp_profile *latest_new(const struct itp_workload *whole)
{
	struct itp_profile *latest = itp_profile_new(whole->name);

	latest->workload.clock = whole->clock;
	latest->workload.architecture = g_strdup(whole->architecture);
	return latest;
}

static struct input *input_new(const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	struct input *input = g_new0(struct input, 1);
	const char *name = bt_trace_get_name(trace);

	input->trace = trace;
	bt_trace_get_ref(trace);
	input->workload.input_path = text_entry(trace, "introperf_input");
	input->workload.file_paths = g_ptr_array_new_with_free_func(g_free);
	input->workload.profile = itp_profile_new(name ? name : "unnamed");
	input->workload.profile->workload.clock = clock_of(stream);
	input->workload.profile->workload.architecture = architecture_of(trace);
	input->workload.latest = latest_new(&input->workload.profile->workload);
	input->function_ids = itp_id_map_new("function");
	input->node_ids = itp_id_map_new("node");
	itp_id_map_put(input->node_ids, ITP_CONTEXT_ROOT, ITP_CONTEXT_ROOT);
	return input;
}

/* The input that `stream` belongs to, made when it is new. Weak. */
static struct input *find_input(struct itp_rank_workloads *workloads, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	struct input *input;
	guint i;

	for (i = 0; i < workloads->inputs->len; i++) {
		input = g_ptr_array_index(workloads->inputs, i);
		if (input->trace == trace) {
			return input;
		}
	}
	input = input_new(stream);
	g_ptr_array_add(workloads->inputs, input);
	return input;
}

/* source.ctf.fs names a stream by the absolute path of its file. */
static void note_stream(struct itp_rank_workloads *workloads, const bt_stream *stream)
{
	struct input *input = find_input(workloads, stream);
	const char *name = bt_stream_get_name(stream);

	if (name && g_path_is_absolute(name)) {
		g_ptr_array_add(input->workload.file_paths, g_strdup(name));
	}
}

static void add_function(struct itp_rank_workloads *workloads, struct input *input,
			 const struct itp_function_record *record)
{
	itp_id_map_put(input->function_ids, record->id,
		       itp_function_table_intern(workloads->functions, &record->function));
}

static bool add_node(struct itp_rank_workloads *workloads, struct input *input,
		     const struct itp_node_record *record, GError **error)
{
	uint32_t function;
	uint32_t parent;
	uint32_t node;

	if (!itp_id_map_get(input->function_ids, record->function, &function, error) ||
	    !itp_id_map_get(input->node_ids, record->parent, &parent, error)) {
		return false;
	}
	node = itp_context_tree_child(workloads->tree, parent, function);
	itp_id_map_put(input->node_ids, record->id, node);
	itp_node_stats_merge(itp_profile_node(input->workload.latest, node), &record->stats);
	input->has_nodes = true;
	return true;
}

static bool add_waker(struct input *input, const struct itp_waker *record, GError **error)
{
	struct itp_waker waker = *record;

	if (!itp_id_map_get(input->node_ids, record->node, &waker.node, error) ||
	    !itp_id_map_get(input->function_ids, record->process, &waker.process, error) ||
	    !itp_id_map_get(input->function_ids, record->function, &waker.function, error)) {
		return false;
	}
	itp_wakers_add(input->workload.latest->wakers, &waker);
	return true;
}

static bool add_slowest(struct input *input, const struct itp_slow_call *record, GError **error)
{
	struct itp_slow_call call = *record;

	if (!itp_id_map_get(input->node_ids, record->node, &call.node, error)) {
		return false;
	}
	itp_slowest_add(input->workload.latest->slowest, &call);
	return true;
}

/* Adds the latest profile to that of the workload. A trace holds several when it has periods, or
 * when a saved profile and its copy are read as one trace. */
static void take_latest(struct itp_rank_workload *workload)
{
	struct itp_workload *whole = &workload->profile->workload;
	const uint64_t threads =
		MAX(whole->counts.threads, workload->latest->workload.counts.threads);

	if (workload->profile->nodes->len == 0) {
		itp_profile_swap(workload->profile, workload->latest);
	}
	itp_profile_merge(workload->profile, workload->latest);
	if (workload->periods > 0) {
		whole->counts.threads = threads;
	}
	itp_profile_free(workload->latest);
	workload->latest = latest_new(whole);
}

void itp_rank_workload_end_period(struct itp_rank_workload *workload)
{
	take_latest(workload);
}

static void add_workload(struct input *input, const struct itp_workload_record *record)
{
	struct itp_rank_workload *workload = &input->workload;

	itp_workload_assign(&workload->latest->workload, record);
	workload->periods = MAX(workload->periods, record->period);
	if (!input->has_workload) {
		input->has_workload = true;
		workload->begin_ns = record->counts.begin_ns;
		itp_workload_assign(&workload->profile->workload, record);
		workload->profile->workload.counts = (struct itp_infer_counts){ 0 };
		workload->profile->workload.complete = true;
	}
	if (record->period == 0) {
		take_latest(workload);
	}
}

static bool add_event(struct itp_rank_workloads *workloads, const bt_event *event,
		      struct itp_rank_workload **ret_period, GError **error)
{
	struct input *input = find_input(workloads, bt_event_borrow_stream_const(event));
	struct itp_record record;

	if (!itp_decode(workloads->decoder, event, &record, error)) {
		return false;
	}
	switch (record.type) {
	case ITP_RECORD_FUNCTION:
		add_function(workloads, input, &record.function);
		return true;
	case ITP_RECORD_NODE:
		return add_node(workloads, input, &record.node, error);
	case ITP_RECORD_WAKER:
		/* Before there is a profile they are not meant for this. */
		return !input->has_nodes || add_waker(input, &record.waker, error);
	case ITP_RECORD_SLOWEST:
		return add_slowest(input, &record.slowest, error);
	case ITP_RECORD_WORKLOAD:
		add_workload(input, &record.workload);
		*ret_period = record.workload.period > 0 ? &input->workload : NULL;
		return true;
	default:
		return true;
	}
}

bool itp_rank_workloads_add(struct itp_rank_workloads *workloads, const bt_message *message,
			    struct itp_rank_workload **ret_period, GError **error)
{
	*ret_period = NULL;
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		note_stream(workloads, bt_message_stream_beginning_borrow_stream_const(message));
		return true;
	case BT_MESSAGE_TYPE_EVENT:
		return add_event(workloads, bt_message_event_borrow_event_const(message),
				 ret_period, error);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		find_input(workloads, bt_message_discarded_events_borrow_stream_const(message))
			->has_loss = true;
		return true;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		find_input(workloads, bt_message_discarded_packets_borrow_stream_const(message))
			->has_loss = true;
		return true;
	default:
		return true;
	}
}

static int compare_paths(const void *a, const void *b)
{
	return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

static const char *first_path(const struct itp_rank_workload *workload)
{
	return workload->file_paths->len > 0 ? g_ptr_array_index(workload->file_paths, 0) : NULL;
}

/* By name, then by where it came from; inputs that agree in all of this are alike. */
static int compare_workloads(const void *a, const void *b)
{
	const struct itp_rank_workload *left = *(const struct itp_rank_workload *const *)a;
	const struct itp_rank_workload *right = *(const struct itp_rank_workload *const *)b;
	int order = g_strcmp0(left->profile->workload.name, right->profile->workload.name);

	if (order == 0) {
		order = g_strcmp0(left->input_path, right->input_path);
	}
	return order != 0 ? order : g_strcmp0(first_path(left), first_path(right));
}

void itp_rank_workloads_finish(struct itp_rank_workloads *workloads)
{
	for (guint i = 0; i < workloads->inputs->len; i++) {
		struct input *input = g_ptr_array_index(workloads->inputs, i);
		struct itp_workload *workload = &input->workload.profile->workload;

		if (input->workload.latest->nodes->len > 0) {
			take_latest(&input->workload);
		}
		workload->complete = workload->complete && input->has_workload && !input->has_loss;
		g_clear_pointer(&input->function_ids, itp_id_map_free);
		g_clear_pointer(&input->node_ids, itp_id_map_free);
		g_ptr_array_sort(input->workload.file_paths, compare_paths);
	}
}

GPtrArray *itp_rank_workloads_list(const struct itp_rank_workloads *workloads)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < workloads->inputs->len; i++) {
		struct input *input = g_ptr_array_index(workloads->inputs, i);

		if (input->has_nodes) {
			g_ptr_array_add(list, &input->workload);
		}
	}
	g_ptr_array_sort(list, compare_workloads);
	return list;
}

/* Copy of the input with another profile, which it takes. */
static struct input *input_copy(const struct input *input, struct itp_profile *profile)
{
	struct input *copy = g_new0(struct input, 1);

	copy->workload = (struct itp_rank_workload){
		.input_path = g_strdup(input->workload.input_path),
		.file_paths = g_ptr_array_ref(input->workload.file_paths),
		.profile = profile,
		.periods = input->workload.periods,
	};
	copy->has_nodes = input->has_nodes;
	return copy;
}

/* Takes what the view holds. */
static struct itp_rank_workloads *workloads_from_view(const struct itp_rank_workloads *workloads,
						      const struct itp_rank_workload *period,
						      struct itp_view *view)
{
	struct itp_rank_workloads *viewed = g_new0(struct itp_rank_workloads, 1);

	viewed->inputs = g_ptr_array_new_with_free_func((GDestroyNotify)input_free);
	for (guint i = 0; i < workloads->inputs->len; i++) {
		struct itp_profile *profile =
			g_steal_pointer(&g_ptr_array_index(view->profiles, i));

		const struct input *input = g_ptr_array_index(workloads->inputs, i);
		struct input *copy = input_copy(input, profile);

		copy->workload.is_period = &input->workload == period;
		g_ptr_array_add(viewed->inputs, copy);
	}
	viewed->functions = g_steal_pointer(&view->functions);
	viewed->tree = g_steal_pointer(&view->tree);
	viewed->pairs = g_steal_pointer(&view->pairs);
	viewed->renamings = g_steal_pointer(&view->renamings);
	return viewed;
}

struct itp_rank_workloads *itp_rank_workloads_view(const struct itp_rank_workloads *workloads,
						   const struct itp_rank_workload *period,
						   const GPtrArray *bases,
						   const struct itp_view_options *options,
						   GError **error)
{
	g_autoptr(GPtrArray) profiles = g_ptr_array_new();
	g_autofree bool *is_base = g_new0(bool, workloads->inputs->len);
	struct itp_view_input input = { .functions = workloads->functions,
					.tree = workloads->tree,
					.profiles = profiles,
					.is_base = bases->len > 0 ? is_base : NULL,
					.takes = !period };
	struct itp_rank_workloads *viewed = NULL;
	struct itp_view *view;

	for (guint i = 0; i < workloads->inputs->len; i++) {
		struct input *each = g_ptr_array_index(workloads->inputs, i);
		bool is_period = &each->workload == period;

		is_base[i] = g_ptr_array_find((GPtrArray *)bases, &each->workload, NULL);
		g_ptr_array_add(profiles,
				is_period ? each->workload.latest : each->workload.profile);
	}
	view = itp_view_new(options, &input, error);
	if (view) {
		viewed = workloads_from_view(workloads, period, view);
	}
	itp_view_free(view);
	return viewed;
}

const GArray *itp_rank_workloads_pairs(const struct itp_rank_workloads *workloads)
{
	return workloads->pairs;
}

const GArray *itp_rank_workloads_renamings(const struct itp_rank_workloads *workloads)
{
	return workloads->renamings;
}

const struct itp_function_table *itp_rank_workloads_functions(
	const struct itp_rank_workloads *workloads)
{
	return workloads->functions;
}

const struct itp_context_tree *itp_rank_workloads_tree(const struct itp_rank_workloads *workloads)
{
	return workloads->tree;
}
