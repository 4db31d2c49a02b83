/* SPDX-License-Identifier: MIT */
/* See timeline.h. */
#include "common/render/export/timeline.h"

#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/base/stack-event.h"

struct thread {
	struct itp_timeline_thread info;
	struct itp_call_list calls;
};

struct itp_timeline {
	struct itp_timeline_options options;
	struct itp_call_store store;
	struct itp_event_order order;
	/* struct thread *, owned by this; and the same by pid and tid. */
	GPtrArray *threads;
	GHashTable *by_id;
	/* The thread whose events are in `order`. Weak. */
	const struct thread *ordered;
	int64_t begin_ns;
	int64_t end_ns;
};

static void free_thread(void *data)
{
	struct thread *thread = data;

	itp_call_list_release(&thread->calls);
	g_free(thread);
}

struct itp_timeline *itp_timeline_new(const struct itp_timeline_options *options)
{
	struct itp_timeline *timeline = g_new0(struct itp_timeline, 1);

	timeline->options = *options;
	timeline->begin_ns = INT64_MAX;
	timeline->end_ns = INT64_MIN;
	timeline->threads = g_ptr_array_new_with_free_func(free_thread);
	timeline->by_id = g_hash_table_new(itp_hash_number, NULL);
	if (itp_call_store_init(&timeline->store, options->directory) < 0 ||
	    itp_event_order_init(&timeline->order, options->directory) < 0) {
		g_clear_pointer(&timeline, itp_timeline_free);
	}
	return timeline;
}

void itp_timeline_free(struct itp_timeline *timeline)
{
	if (!timeline) {
		return;
	}
	itp_call_store_release(&timeline->store);
	if (timeline->order.open) {
		itp_event_order_release(&timeline->order);
	}
	g_hash_table_unref(timeline->by_id);
	g_ptr_array_unref(timeline->threads);
	g_free(timeline);
}

/* Whether it lies in the window at all. */
static bool is_shown(const struct itp_timeline_options *options,
		     const struct itp_timeline_call *call)
{
	return call->begin_ns <= call->end_ns && call->begin_ns < options->end_ns &&
	       (call->begin_ns >= options->begin_ns || call->end_ns > options->begin_ns);
}

static struct thread *find_thread(struct itp_timeline *timeline,
				  const struct itp_instance *instance)
{
	gpointer id = itp_pair((uint32_t)instance->pid, (uint32_t)instance->tid);
	struct thread *thread = g_hash_table_lookup(timeline->by_id, id);

	if (!thread) {
		thread = g_new0(struct thread, 1);
		thread->info.pid = instance->pid;
		thread->info.tid = instance->tid;
		g_ptr_array_add(timeline->threads, thread);
		g_hash_table_insert(timeline->by_id, id, thread);
	}
	return thread;
}

int itp_timeline_add(struct itp_timeline *timeline, uint32_t function,
		     const struct itp_instance *instance)
{
	struct itp_timeline_call call = {
		.function = function,
		.depth = instance->depth,
		.flags = instance->flags,
		.max_calls = instance->max_calls,
		.begin_ns = instance->best_begin_ns,
		.end_ns = instance->best_begin_ns + instance->best_ns,
		.lower_ns = instance->lower_ns,
		.upper_ns = instance->upper_ns,
		.use = instance->best_use,
	};
	struct thread *thread;

	/* One level for the thread itself and one for a system call. */
	if (instance->depth > ITP_MAX_STACK_DEPTH + 2) {
		return ITP_ERROR_LIMIT;
	}
	if (!is_shown(&timeline->options, &call)) {
		return ITP_OK;
	}
	call.begin_ns = MAX(call.begin_ns, timeline->options.begin_ns);
	call.end_ns = MIN(call.end_ns, timeline->options.end_ns);
	thread = find_thread(timeline, instance);
	if (instance->depth == 0) {
		thread->info.process = function;
	}
	timeline->begin_ns = MIN(timeline->begin_ns, call.begin_ns);
	timeline->end_ns = MAX(timeline->end_ns, call.end_ns);
	thread->info.call_count++;
	return itp_call_list_append(&thread->calls, &timeline->store, &call);
}

static int compare_threads(const void *a, const void *b)
{
	const struct itp_timeline_thread *left = &(*(const struct thread *const *)a)->info;
	const struct itp_timeline_thread *right = &(*(const struct thread *const *)b)->info;

	if (left->pid != right->pid) {
		return left->pid < right->pid ? -1 : 1;
	}
	return (left->tid > right->tid) - (left->tid < right->tid);
}

void itp_timeline_finish(struct itp_timeline *timeline)
{
	g_ptr_array_sort(timeline->threads, compare_threads);
	if (timeline->threads->len == 0) {
		timeline->begin_ns = 0;
		timeline->end_ns = 0;
	}
}

guint itp_timeline_thread_count(const struct itp_timeline *timeline)
{
	return timeline->threads->len;
}

const struct itp_timeline_thread *itp_timeline_thread(const struct itp_timeline *timeline,
						      guint index)
{
	return &((const struct thread *)g_ptr_array_index(timeline->threads, index))->info;
}

int64_t itp_timeline_begin_ns(const struct itp_timeline *timeline)
{
	return timeline->begin_ns;
}

int64_t itp_timeline_end_ns(const struct itp_timeline *timeline)
{
	return timeline->end_ns;
}

int itp_timeline_open(struct itp_timeline *timeline, guint index)
{
	const struct thread *thread = g_ptr_array_index(timeline->threads, index);
	int code = ITP_OK;

	if (timeline->ordered != thread) {
		timeline->ordered = NULL;
		code = itp_event_order_fill(&timeline->order, &timeline->store, &thread->calls);
	}
	if (code == ITP_OK) {
		timeline->ordered = thread;
		itp_event_order_rewind(&timeline->order);
	}
	return code;
}

int itp_timeline_next(struct itp_timeline *timeline, struct itp_timeline_event *ret_event)
{
	return itp_event_order_next(&timeline->order, ret_event);
}
