/* SPDX-License-Identifier: MIT */
/*
 * See foreign-memory.h.
 *
 * perf's conversion tells the address of a file's code, but neither its length nor its part of the
 * file; and a thread's new name, but not whether it comes from an exec. The name comes from an exec
 * inside of the exec's system call, or if the process maps its program at once.
 */
#include "messages/foreign-memory.h"

#include "common/base/hash.h"
#include "common/elf/section.h"
#include "common/known/recorders.h"
#include "common/symbol/symbol-files.h"

#define KERNEL_MAP "[kernel.kallsyms]"

/* A file mapped as a whole by a process. */
struct image {
	uint64_t start;
	uint64_t length;
	/* Owned by this. */
	char *path;
	bool has_build_id;
};

static void free_image(void *data)
{
	struct image *image = data;

	g_free(image->path);
	g_free(image);
}

void itp_foreign_memory_init(struct itp_foreign_memory *memory,
			     const struct itp_symbolizer_options *options, const GPtrArray *maps,
			     struct itp_function_table *functions, bool fills)
{
	memory->symbolizer = itp_symbolizer_new(options, functions);
	memory->completion = fills ? itp_completion_new(functions) : NULL;
	memory->tasks = itp_tasks_new();
	/* The files were checked before; a file gone since is missing. */
	memory->maps = itp_foreign_maps_new(maps, NULL);
	if (!memory->maps) {
		memory->maps = itp_foreign_maps_new(NULL, NULL);
	}
	memory->execs = g_hash_table_new(itp_hash_number, NULL);
	memory->renamed = g_hash_table_new(itp_hash_number, NULL);
	memory->images = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_image);
}

void itp_foreign_memory_release(struct itp_foreign_memory *memory)
{
	g_hash_table_unref(memory->images);
	g_hash_table_unref(memory->renamed);
	g_hash_table_unref(memory->execs);
	itp_foreign_maps_free(memory->maps);
	itp_tasks_free(memory->tasks);
	itp_completion_free(memory->completion);
	itp_symbolizer_free(memory->symbolizer);
}

/* Makes a part of a process's memory, or all of it, memory with unknown contents. */
static void map_unknown(struct itp_foreign_memory *memory, struct itp_process *process,
			uint64_t start, uint64_t length)
{
	const struct itp_map_request request = {
		.start = start,
		.length = length,
		.offset = start,
		.path = "",
		.pid = process->pid,
	};

	itp_symbolizer_map(memory->symbolizer, &process->space, &request);
}

void itp_foreign_memory_prepare(struct itp_foreign_memory *memory, struct itp_process *process)
{
	if (itp_address_space_is_empty(process->space) &&
	    !itp_foreign_maps_apply(memory->maps, process->pid, memory->symbolizer,
				    &process->space) &&
	    !memory->tells_mappings) {
		memory->unmapped_processes++;
		map_unknown(memory, process, 0, (uint64_t)INT64_MAX);
	}
}

uint32_t itp_foreign_memory_function(struct itp_foreign_memory *memory, struct itp_process *process,
				     uint64_t address, uint64_t *ret_address)
{
	uint64_t slide;
	uint32_t function;

	if (itp_address_space_is_empty(process->space)) {
		itp_foreign_maps_apply(memory->maps, process->pid, memory->symbolizer,
				       &process->space);
	}
	function = itp_symbolizer_user(memory->symbolizer, process->space, address, &slide);
	if (function == ITP_FUNCTION_UNMAPPED || function == ITP_FUNCTION_UNKNOWN) {
		memory->unmapped_functions++;
		map_unknown(memory, process, address, 1);
		function = itp_symbolizer_user(memory->symbolizer, process->space, address, &slide);
	}
	*ret_address = address - slide;
	return function;
}

/* The argument as the number of a thread or a process; -1 if out of range. */
static int32_t id_argument(const bt_event *event, const struct itp_foreign_layout *layout,
			   size_t index)
{
	int64_t id = itp_foreign_number(event, &layout->arguments[index]);

	return id >= 0 && id <= INT32_MAX ? (int32_t)id : -1;
}

void itp_foreign_memory_note_step(struct itp_foreign_memory *memory, const struct itp_task *task)
{
	if (g_hash_table_size(memory->renamed) > 0) {
		g_hash_table_remove(memory->renamed, GINT_TO_POINTER(task->tid));
	}
}

void itp_foreign_memory_exec(struct itp_foreign_memory *memory, struct itp_task *task)
{
	g_hash_table_remove(memory->execs, GINT_TO_POINTER(task->tid));
	g_hash_table_remove(memory->renamed, GINT_TO_POINTER(task->tid));
	itp_task_exec(task);
	itp_event_queue_add(&memory->queue, ITP_EVENT_EXEC, memory->time_ns, task, -1);
}

static void map_code(struct itp_foreign_memory *memory, const bt_event *event,
		     const struct itp_foreign_layout *layout)
{
	int32_t pid = id_argument(event, layout, 0);
	const struct itp_map_request request = {
		.extent = ITP_MAP_CODE,
		.start = (uint64_t)itp_foreign_number(event, &layout->arguments[1]),
		.path = itp_foreign_text(event, &layout->arguments[2]),
		.pid = pid,
	};

	memory->tells_mappings = true;
	if (g_str_has_prefix(request.path, KERNEL_MAP)) {
		itp_kernel_set_text(itp_symbolizer_kernel(memory->symbolizer), request.start, 0);
	} else if (pid > 0) {
		if (g_hash_table_contains(memory->renamed, GINT_TO_POINTER(pid))) {
			itp_foreign_memory_exec(memory, itp_tasks_get(memory->tasks, pid, pid));
		}
		itp_tasks_map(memory->tasks, pid, memory->symbolizer, &request);
	}
}

/* True when an event tells of the past: perf gives it time 0. */
static bool is_made_up(const struct itp_foreign_memory *memory)
{
	return memory->time_ns == 0;
}

static void name_task(struct itp_foreign_memory *memory, const bt_event *event,
		      const struct itp_foreign_layout *layout)
{
	int32_t pid = id_argument(event, layout, 0);
	int32_t tid = id_argument(event, layout, 1);
	struct itp_task *task;
	bool is_exec;

	if (pid < 0 || tid <= 0) {
		return;
	}
	task = itp_tasks_get(memory->tasks, pid, tid);
	is_exec = !is_made_up(memory) &&
		  (g_hash_table_contains(memory->execs, GINT_TO_POINTER(tid)) ||
		   g_str_equal(task->comm, ITP_PERF_CHILD_NAME));
	itp_tasks_rename(memory->tasks, task, itp_foreign_text(event, &layout->arguments[2]));
	if (is_exec) {
		itp_foreign_memory_exec(memory, task);
	} else if (!is_made_up(memory) && tid == pid) {
		g_hash_table_add(memory->renamed, GINT_TO_POINTER(tid));
	}
}

static void fork_task(struct itp_foreign_memory *memory, const bt_event *event,
		      const struct itp_foreign_layout *layout)
{
	int32_t pid = id_argument(event, layout, 0);
	int32_t tid = id_argument(event, layout, 1);
	int32_t parent_pid = id_argument(event, layout, 2);
	int32_t parent_tid = id_argument(event, layout, 3);
	struct itp_task *task;

	if (pid <= 0 || tid <= 0) {
		return;
	}
	task = itp_tasks_fork(memory->tasks, pid, tid, parent_pid, parent_tid);
	if (!is_made_up(memory)) {
		task->is_announced = true;
		itp_event_queue_start(&memory->queue, memory->time_ns, task, parent_tid);
	}
}

static void end_task(struct itp_foreign_memory *memory, int32_t tid)
{
	struct itp_task *task = itp_tasks_find(memory->tasks, tid);

	if (task && !task->is_ended) {
		task->is_leaving = task->is_announced;
		if (!memory->has_last_switches) {
			itp_event_queue_end(&memory->queue, memory->time_ns, task);
		}
		itp_tasks_end(memory->tasks, task);
	}
}

/* Maps a file; either of its two identities may be NULL. */
static void map_image(struct itp_foreign_memory *memory, int32_t pid, const struct image *image,
		      const char *build_id, const struct itp_debug_link *debug_link)
{
	const struct itp_map_request request = {
		.extent = ITP_MAP_IMAGE,
		.start = image->start,
		.length = image->length,
		.path = image->path,
		.build_id = build_id,
		.debug_link = debug_link,
		.pid = pid,
	};

	itp_tasks_map(memory->tasks, pid, memory->symbolizer, &request);
}

static void note_image(struct itp_foreign_memory *memory, const bt_event *event,
		       const struct itp_foreign_layout *layout, int32_t pid)
{
	struct image *image = g_new(struct image, 1);

	*image = (struct image){
		.start = (uint64_t)itp_foreign_number(event, &layout->arguments[0]),
		.length = (uint64_t)itp_foreign_number(event, &layout->arguments[1]),
		.path = g_strdup(itp_foreign_text(event, &layout->arguments[2])),
	};
	g_hash_table_insert(memory->images, GINT_TO_POINTER(pid), image);
	map_image(memory, pid, image, NULL, NULL);
}

/* The image that the event is about; NULL if another than the last. */
static struct image *image_of(const struct itp_foreign_memory *memory, const bt_event *event,
			      const struct itp_foreign_layout *layout, int32_t pid)
{
	struct image *image = g_hash_table_lookup(memory->images, GINT_TO_POINTER(pid));
	uint64_t start = (uint64_t)itp_foreign_number(event, &layout->arguments[0]);

	return image && image->start == start ? image : NULL;
}

static void note_build_id(struct itp_foreign_memory *memory, const bt_event *event,
			  const struct itp_foreign_layout *layout, int32_t pid)
{
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autofree char *text = NULL;
	struct image *image = image_of(memory, event, layout, pid);

	if (!image) {
		return;
	}
	itp_foreign_numbers(event, &layout->arguments[1], numbers);
	for (guint i = 0; i < numbers->len; i++) {
		guint8 byte = (guint8)g_array_index(numbers, uint64_t, i);

		g_byte_array_append(bytes, &byte, 1);
	}
	text = itp_build_id_text(bytes->data, bytes->len);
	map_image(memory, pid, image, text, NULL);
	image->has_build_id = text[0] != '\0';
}

static void note_debug_link(struct itp_foreign_memory *memory, const bt_event *event,
			    const struct itp_foreign_layout *layout, int32_t pid)
{
	const struct image *image = image_of(memory, event, layout, pid);
	const struct itp_debug_link debug_link = {
		.name = itp_foreign_text(event, &layout->arguments[1]),
		.checksum = (uint32_t)itp_foreign_number(event, &layout->arguments[2]),
	};

	/* A build id tells more. */
	if (image && !image->has_build_id) {
		map_image(memory, pid, image, NULL, &debug_link);
	}
}

static void unload(struct itp_foreign_memory *memory, const bt_event *event,
		   const struct itp_foreign_layout *layout, struct itp_process *process)
{
	uint64_t start = (uint64_t)itp_foreign_number(event, &layout->arguments[0]);

	g_hash_table_remove(memory->images, GINT_TO_POINTER(process->pid));
	if (start != 0) {
		itp_symbolizer_unmap(memory->symbolizer, &process->space, start);
	}
}

static void push_image(struct itp_foreign_memory *memory, const bt_event *event,
		       const struct itp_foreign_layout *layout, struct itp_process *process)
{
	switch (layout->role) {
	case ITP_FOREIGN_IMAGE:
		note_image(memory, event, layout, process->pid);
		break;
	case ITP_FOREIGN_BUILD_ID:
		note_build_id(memory, event, layout, process->pid);
		break;
	case ITP_FOREIGN_DEBUG_LINK:
		note_debug_link(memory, event, layout, process->pid);
		break;
	case ITP_FOREIGN_UNLOAD:
		unload(memory, event, layout, process);
		break;
	default:
		break;
	}
}

void itp_foreign_memory_push(struct itp_foreign_memory *memory, const bt_event *event,
			     const struct itp_foreign_layout *layout, struct itp_task *task)
{
	switch (layout->role) {
	case ITP_FOREIGN_MAP:
		map_code(memory, event, layout);
		break;
	case ITP_FOREIGN_COMM:
		name_task(memory, event, layout);
		break;
	case ITP_FOREIGN_FORK:
		fork_task(memory, event, layout);
		break;
	case ITP_FOREIGN_EXEC:
		if (task) {
			itp_foreign_memory_exec(memory, task);
		}
		break;
	case ITP_FOREIGN_EXIT:
		end_task(memory, id_argument(event, layout, 0));
		break;
	default:
		if (task) {
			push_image(memory, event, layout, task->process);
		}
		break;
	}
}
