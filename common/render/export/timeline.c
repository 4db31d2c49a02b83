/* SPDX-License-Identifier: MIT */
/*
 * See timeline.h.
 *
 * Each thread's calls, in the order of their ends, are a list of blocks, of which only the last is
 * in memory. Read backwards, a caller comes before its callees, so a stack of open calls tells all
 * begins and ends from the last to the first. They go into another file from its end to its
 * beginning, and are read from there forwards. In memory there are the open calls and a buffer.
 */
#include "common/render/export/timeline.h"

#include <string.h>
#include <unistd.h>

#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/base/stack-event.h"
#include "common/base/temp-file.h"

#define BLOCK_CALLS 56
/* The kernel's tids are below 2^22. */
#define UNITS_ROW (1 << 30)

/* Calls of a thread. Zeroed at first. */
struct call_list {
	uint64_t count;
	/* Block before the open one, 1 + its index; 0 = there is none. */
	uint64_t last_block;
	/* Calls of the open block, NULL before the first. Owned by this. */
	struct itp_timeline_call *open;
	uint32_t open_count;
};

struct call_store {
	int fd;
	uint64_t block_count;
};

/* Reader of a list backwards. The list must not grow meanwhile. */
struct call_reader {
	/* Weak. */
	const struct call_store *store;
	/* The block at hand, and how many of its calls are left. */
	struct itp_timeline_call calls[BLOCK_CALLS];
	uint32_t left;
	uint64_t next_block;
};

/* In the file. */
struct block {
	/* Number as in call_list.last_block. */
	uint64_t before;
	struct itp_timeline_call calls[BLOCK_CALLS];
};

#define BUFFER_EVENTS 256

struct event_order {
	int fd;
	/* Of the thread at hand. */
	uint64_t event_count;
	uint64_t position;
	/* From here to the end of the buffer while the file is filled; from `position` when read.
	 */
	uint32_t buffer_begin;
	uint32_t buffer_end;
	struct itp_timeline_event buffer[BUFFER_EVENTS];
	/* struct itp_timeline_call. Owned by this. */
	GArray *open;
	/* Time of the last told event, the latest possible for earlier ones. */
	int64_t limit_ns;
};

#define EVENT_BYTES sizeof(struct itp_timeline_event)

struct thread {
	struct itp_timeline_thread info;
	/* Owned by this. */
	char *name;
	struct call_list calls;
};

struct itp_timeline {
	struct itp_timeline_options options;
	struct call_store store;
	struct event_order order;
	/* struct thread *, owned by this; and by pid and tid. */
	GPtrArray *threads;
	GHashTable *by_id;
	/* Thread with its events in `order`. Weak. */
	const struct thread *ordered;
	int64_t begin_ns;
	int64_t end_ns;
};

/* ---- Calls as they come ---- */

/* Puts the open block, which is full, into the file. */
static int store_block(struct call_list *list, struct call_store *store)
{
	struct block block = { .before = list->last_block };
	int code;

	memcpy(block.calls, list->open, sizeof(block.calls));
	code = itp_temp_file_write(store->fd, &block, sizeof(block),
				   store->block_count * sizeof(block));
	if (code == ITP_OK) {
		store->block_count++;
		list->last_block = store->block_count;
		list->open_count = 0;
	}
	return code;
}

static int append_call(struct call_list *list, struct call_store *store,
		       const struct itp_timeline_call *call)
{
	if (!list->open) {
		list->open = g_new(struct itp_timeline_call, BLOCK_CALLS);
	}
	if (list->open_count == BLOCK_CALLS) {
		int code = store_block(list, store);

		if (code < 0) {
			return code;
		}
	}
	list->open[list->open_count] = *call;
	list->open_count++;
	list->count++;
	return ITP_OK;
}

static void reader_init(struct call_reader *reader, const struct call_store *store,
			const struct call_list *list)
{
	reader->store = store;
	reader->left = list->open_count;
	reader->next_block = list->last_block;
	if (list->open_count > 0) {
		memcpy(reader->calls, list->open, list->open_count * sizeof(list->open[0]));
	}
}

static int read_block(struct call_reader *reader)
{
	struct block block;
	int code = itp_temp_file_read(reader->store->fd, &block, sizeof(block),
				      (reader->next_block - 1) * sizeof(block));

	if (code == ITP_OK) {
		reader->next_block = block.before;
		reader->left = BLOCK_CALLS;
		memcpy(reader->calls, block.calls, sizeof(block.calls));
	}
	return code;
}

/* 1: `ret_call` is set; 0: there is no more; ITP_ERROR_IO with errno. */
static int next_call(struct call_reader *reader, struct itp_timeline_call *ret_call)
{
	if (reader->left == 0) {
		int code = reader->next_block > 0 ? read_block(reader) : ITP_OK;

		if (code < 0 || reader->left == 0) {
			return code;
		}
	}
	reader->left--;
	*ret_call = reader->calls[reader->left];
	return 1;
}

/* ---- Begins and ends of a thread ---- */

/* `position` is the begin of the events in the file. */
static int flush(struct event_order *order)
{
	uint32_t count = BUFFER_EVENTS - order->buffer_begin;

	order->position -= count;
	order->buffer_begin = BUFFER_EVENTS;
	return itp_temp_file_write(order->fd, order->buffer + (BUFFER_EVENTS - count),
				   count * EVENT_BYTES, order->position * EVENT_BYTES);
}

/* Puts an event before all others. */
static int prepend(struct event_order *order, const struct itp_timeline_call *call, bool is_begin)
{
	int code = order->buffer_begin == 0 ? flush(order) : ITP_OK;

	if (code == ITP_OK) {
		order->buffer_begin--;
		order->buffer[order->buffer_begin] = (struct itp_timeline_event){
			.call = *call,
			.time_ns = is_begin ? call->begin_ns : call->end_ns,
			.is_begin = is_begin,
		};
	}
	return code;
}

/* Tells the begins of all open calls that are at least `depth` deep. */
static int close_calls(struct event_order *order, uint32_t depth)
{
	GArray *open = order->open;
	int code = ITP_OK;

	while (code == ITP_OK && open->len > 0) {
		struct itp_timeline_call *call =
			&g_array_index(open, struct itp_timeline_call, open->len - 1);

		if (call->depth < depth) {
			break;
		}
		call->begin_ns = MIN(call->begin_ns, order->limit_ns);
		order->limit_ns = call->begin_ns;
		code = prepend(order, call, true);
		g_array_set_size(open, open->len - 1);
	}
	return code;
}

static int order_call(struct event_order *order, struct itp_timeline_call *call)
{
	int code = close_calls(order, call->depth);

	call->end_ns = MIN(call->end_ns, order->limit_ns);
	order->limit_ns = call->end_ns;
	g_array_append_vals(order->open, call, 1);
	return code == ITP_OK ? prepend(order, call, false) : code;
}

/* Orders the calls of a list. A call that does not lie inside its caller is cut. */
static int order_calls(struct event_order *order, const struct call_store *store,
		       const struct call_list *list)
{
	struct call_reader reader;
	struct itp_timeline_call call;
	int code;

	order->event_count = 2 * list->count;
	order->position = order->event_count;
	order->buffer_begin = BUFFER_EVENTS;
	order->limit_ns = INT64_MAX;
	g_array_set_size(order->open, 0);
	reader_init(&reader, store, list);
	while ((code = next_call(&reader, &call)) > 0) {
		code = order_call(order, &call);
		if (code < 0) {
			return code;
		}
	}
	if (code == ITP_OK) {
		code = close_calls(order, 0);
	}
	return code == ITP_OK ? flush(order) : code;
}

/* ---- All threads ---- */

static void free_timeline_thread(void *data)
{
	struct thread *thread = data;

	g_free(thread->calls.open);
	g_free(thread->name);
	g_free(thread);
}

static void close_file(int fd)
{
	if (fd >= 0) {
		close(fd);
	}
}

struct itp_timeline *itp_timeline_new(const struct itp_timeline_options *options)
{
	struct itp_timeline *timeline = g_new0(struct itp_timeline, 1);

	timeline->options = *options;
	timeline->begin_ns = INT64_MAX;
	timeline->end_ns = INT64_MIN;
	timeline->threads = g_ptr_array_new_with_free_func(free_timeline_thread);
	timeline->by_id = g_hash_table_new(itp_hash_number, NULL);
	timeline->order.open = g_array_new(FALSE, FALSE, sizeof(struct itp_timeline_call));
	timeline->store.fd = itp_temp_file_open(options->directory);
	timeline->order.fd = timeline->store.fd < 0 ? timeline->store.fd :
						      itp_temp_file_open(options->directory);
	if (timeline->order.fd < 0) {
		g_clear_pointer(&timeline, itp_timeline_free);
	}
	return timeline;
}

void itp_timeline_free(struct itp_timeline *timeline)
{
	if (!timeline) {
		return;
	}
	close_file(timeline->store.fd);
	close_file(timeline->order.fd);
	g_array_unref(timeline->order.open);
	g_hash_table_unref(timeline->by_id);
	g_ptr_array_unref(timeline->threads);
	g_free(timeline);
}

/* True when any part of it lies in the window. */
static bool is_shown(const struct itp_timeline_options *options,
		     const struct itp_timeline_call *call)
{
	return call->begin_ns <= call->end_ns && call->begin_ns < options->end_ns &&
	       (call->begin_ns >= options->begin_ns || call->end_ns > options->begin_ns);
}

int32_t itp_timeline_row(const struct itp_timeline_thread *thread)
{
	return thread->has_units ? thread->tid | UNITS_ROW : thread->tid;
}

static struct thread *find_timeline_thread(struct itp_timeline *timeline,
					   const struct itp_timeline_thread *wanted)
{
	gpointer id = itp_pair((uint32_t)wanted->pid, (uint32_t)itp_timeline_row(wanted));
	struct thread *thread = g_hash_table_lookup(timeline->by_id, id);

	if (!thread) {
		thread = g_new0(struct thread, 1);
		thread->info = *wanted;
		thread->info.name = NULL;
		g_ptr_array_add(timeline->threads, thread);
		g_hash_table_insert(timeline->by_id, id, thread);
	}
	return thread;
}

/* An exec may change the name: the last one counts. */
static void rename_thread(struct thread *thread, const char *name)
{
	if (name && *name) {
		g_free(thread->name);
		thread->name = g_strdup(name);
		thread->info.name = thread->name;
	}
}

static int add_thread_call(struct itp_timeline *timeline, const struct itp_timeline_thread *wanted,
			   struct itp_timeline_call call)
{
	struct thread *thread;

	if (!is_shown(&timeline->options, &call)) {
		return ITP_OK;
	}
	call.begin_ns = MAX(call.begin_ns, timeline->options.begin_ns);
	call.end_ns = MIN(call.end_ns, timeline->options.end_ns);
	thread = find_timeline_thread(timeline, wanted);
	if (call.depth == 0) {
		thread->info.process = call.function;
		rename_thread(thread, wanted->name);
	}
	timeline->begin_ns = MIN(timeline->begin_ns, call.begin_ns);
	timeline->end_ns = MAX(timeline->end_ns, call.end_ns);
	thread->info.call_count++;
	return append_call(&thread->calls, &timeline->store, &call);
}

int itp_timeline_add(struct itp_timeline *timeline, uint32_t function,
		     const struct itp_instance *instance)
{
	const struct itp_timeline_thread thread = { .pid = instance->pid,
						    .tid = instance->tid,
						    .name = instance->thread_name };
	const struct itp_timeline_call call = {
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

	/* Levels for the thread itself and for a system call come on top. */
	return instance->depth > ITP_MAX_STACK_DEPTH + 2 ? ITP_ERROR_LIMIT :
							   add_thread_call(timeline, &thread, call);
}

int itp_timeline_add_unit(struct itp_timeline *timeline, uint32_t function, int32_t pid,
			  int32_t tid, int64_t begin_ns, int64_t end_ns)
{
	const struct itp_timeline_thread thread = { .pid = pid, .tid = tid, .has_units = true };
	const struct itp_timeline_call call = { .function = function,
						.begin_ns = begin_ns,
						.end_ns = end_ns,
						.lower_ns = end_ns - begin_ns,
						.upper_ns = end_ns - begin_ns,
						.max_calls = 1 };

	return add_thread_call(timeline, &thread, call);
}

static int compare_threads(const void *a, const void *b)
{
	const struct itp_timeline_thread *left = &(*(const struct thread *const *)a)->info;
	const struct itp_timeline_thread *right = &(*(const struct thread *const *)b)->info;

	if (left->pid != right->pid) {
		return left->pid < right->pid ? -1 : 1;
	}
	if (left->tid != right->tid) {
		return left->tid < right->tid ? -1 : 1;
	}
	return (int)right->has_units - (int)left->has_units;
}

/* Units are shown beside calls; with both, a row names its thread. */
static void name_unit_rows(const struct itp_timeline *timeline)
{
	for (guint i = 0; i + 1 < timeline->threads->len; i++) {
		struct itp_timeline_thread *units =
			&((struct thread *)g_ptr_array_index(timeline->threads, i))->info;
		const struct itp_timeline_thread *calls = itp_timeline_thread(timeline, i + 1);

		if (units->has_units && units->pid == calls->pid && units->tid == calls->tid) {
			units->process = calls->process;
		}
	}
}

void itp_timeline_finish(struct itp_timeline *timeline)
{
	g_ptr_array_sort(timeline->threads, compare_threads);
	name_unit_rows(timeline);
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
		code = order_calls(&timeline->order, &timeline->store, &thread->calls);
	}
	if (code == ITP_OK) {
		timeline->ordered = thread;
		timeline->order.position = 0;
		timeline->order.buffer_begin = 0;
		timeline->order.buffer_end = 0;
	}
	return code;
}

int itp_timeline_next(struct itp_timeline *timeline, struct itp_timeline_event *ret_event)
{
	struct event_order *order = &timeline->order;

	if (order->position == order->event_count) {
		return 0;
	}
	if (order->buffer_begin == order->buffer_end) {
		uint64_t left = order->event_count - order->position;
		uint32_t count = (uint32_t)MIN(left, BUFFER_EVENTS);
		int code = itp_temp_file_read(order->fd, order->buffer, count * EVENT_BYTES,
					      order->position * EVENT_BYTES);

		if (code < 0) {
			return code;
		}
		order->buffer_begin = 0;
		order->buffer_end = count;
	}
	*ret_event = order->buffer[order->buffer_begin];
	order->buffer_begin++;
	order->position++;
	return 1;
}
