/* SPDX-License-Identifier: MIT */
/*
 * Two hash tables, threads by tid and processes by pid. A process dies with its last thread.
 */
#include "common/stacks/task.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/stacks/container.h"

/* How many ended threads are remembered. */
#define MAX_ENDED 256

struct itp_tasks {
	/* struct itp_task by tid. Owned by this. */
	GHashTable *tasks;
	/* struct itp_process by pid. Weak: owned by their threads. */
	GHashTable *processes;
	/* Names of threads and containers. Owned by this. */
	GHashTable *names;
	/* Names of containers by number of their control group, and of processes in none; NULL
	 * unless events bear these names. Weak: in `names`. */
	GHashTable *containers;
	const char *no_container;
	/* Tids of ended threads, oldest first; tids alive again do not count. */
	GQueue ended;
	/* Thread found last; weak, NULL after a removal. */
	struct itp_task *last;
};

struct itp_tasks *itp_tasks_new(void)
{
	struct itp_tasks *tasks = g_new0(struct itp_tasks, 1);

	tasks->tasks = g_hash_table_new(itp_hash_number, NULL);
	tasks->processes = g_hash_table_new(itp_hash_number, NULL);
	tasks->names = itp_texts_new();
	g_queue_init(&tasks->ended);
	return tasks;
}

static void free_task(struct itp_tasks *tasks, struct itp_task *task)
{
	itp_tasks_process_unref(tasks, task->process);
	g_free(task);
}

void itp_tasks_free(struct itp_tasks *tasks)
{
	GHashTableIter iter;
	gpointer task;

	if (!tasks) {
		return;
	}
	g_hash_table_iter_init(&iter, tasks->tasks);
	while (g_hash_table_iter_next(&iter, NULL, &task)) {
		free_task(tasks, task);
	}
	g_hash_table_destroy(tasks->tasks);
	g_hash_table_destroy(tasks->processes);
	g_clear_pointer(&tasks->containers, g_hash_table_unref);
	g_hash_table_unref(tasks->names);
	g_queue_clear(&tasks->ended);
	g_free(tasks);
}

struct itp_process *itp_tasks_process(struct itp_tasks *tasks, int32_t pid)
{
	struct itp_process *process = g_hash_table_lookup(tasks->processes, GINT_TO_POINTER(pid));

	if (!process) {
		process = g_new0(struct itp_process, 1);
		process->pid = pid;
		process->space = itp_address_space_new();
		process->container = tasks->no_container;
		g_hash_table_insert(tasks->processes, GINT_TO_POINTER(pid), process);
	}
	process->references++;
	return process;
}

static void forget_replaced(struct itp_process *process)
{
	if (process->replaced) {
		itp_address_space_unref(process->replaced);
		process->replaced = NULL;
	}
}

void itp_tasks_process_unref(struct itp_tasks *tasks, struct itp_process *process)
{
	if (--process->references == 0) {
		g_hash_table_remove(tasks->processes, GINT_TO_POINTER(process->pid));
		itp_address_space_unref(process->space);
		forget_replaced(process);
		g_free(process);
	}
}

struct itp_task *itp_tasks_find(struct itp_tasks *tasks, int32_t tid)
{
	if (!tasks->last || tasks->last->tid != tid) {
		tasks->last = g_hash_table_lookup(tasks->tasks, GINT_TO_POINTER(tid));
	}
	return tasks->last;
}

/* Chance decides which thread of a process is seen first. */
static void name_process(const struct itp_task *task)
{
	if (task->tid == task->process->pid) {
		task->process->name = task->comm;
	}
}

static void remove_task(struct itp_tasks *tasks, struct itp_task *task)
{
	tasks->last = NULL;
	g_hash_table_remove(tasks->tasks, GINT_TO_POINTER(task->tid));
	free_task(tasks, task);
}

static struct itp_task *make_task(struct itp_tasks *tasks, int32_t pid, int32_t tid)
{
	struct itp_task *task = g_new0(struct itp_task, 1);
	char name[16];

	/* Name of a nameless thread as perf writes it: ":4711". */
	g_snprintf(name, sizeof(name), ":%d", tid);
	task->tid = tid;
	task->process = itp_tasks_process(tasks, pid);
	task->comm = itp_texts_intern(tasks->names, name);
	g_hash_table_insert(tasks->tasks, GINT_TO_POINTER(tid), task);
	tasks->last = task;
	return task;
}

struct itp_task *itp_tasks_get(struct itp_tasks *tasks, int32_t pid, int32_t tid)
{
	struct itp_task *task = itp_tasks_find(tasks, tid);
	struct itp_process *previous;

	if (!task) {
		return make_task(tasks, pid, tid);
	}
	task->is_guess = false;
	if (task->process->pid != pid) {
		previous = task->process;
		task->process = itp_tasks_process(tasks, pid);
		itp_tasks_process_unref(tasks, previous);
	}
	return task;
}

struct itp_task *itp_tasks_guess(struct itp_tasks *tasks, int32_t tid)
{
	struct itp_task *task = itp_tasks_find(tasks, tid);

	if (!task) {
		task = make_task(tasks, tid, tid);
		task->is_guess = true;
	}
	return task;
}

void itp_tasks_map(struct itp_tasks *tasks, int32_t pid, struct itp_symbolizer *symbolizer,
		   const struct itp_map_request *request)
{
	struct itp_process *process = itp_tasks_process(tasks, pid);

	/* A process lives as long as its threads; a new process has none yet. */
	if (process->references == 1) {
		itp_tasks_get(tasks, pid, pid);
	}
	itp_symbolizer_map(symbolizer, &process->space, request);
	process->is_user = true;
	itp_tasks_process_unref(tasks, process);
}

struct itp_task *itp_tasks_fork(struct itp_tasks *tasks, int32_t pid, int32_t tid,
				int32_t parent_pid, int32_t parent_tid)
{
	struct itp_process *parent_process = itp_tasks_process(tasks, parent_pid);
	struct itp_task *old = itp_tasks_find(tasks, tid);
	const struct itp_task *parent;
	struct itp_task *task;

	if (old) {
		remove_task(tasks, old);
	}
	task = make_task(tasks, pid, tid);
	parent = g_hash_table_lookup(tasks->tasks, GINT_TO_POINTER(parent_tid));
	if (parent) {
		task->comm = parent->comm;
		name_process(task);
	}
	if (pid != parent_pid) {
		itp_address_space_unref(task->process->space);
		task->process->space = itp_address_space_ref(parent_process->space);
		task->process->is_user = parent_process->is_user;
		task->process->container = parent_process->container;
	}
	itp_tasks_process_unref(tasks, parent_process);
	return task;
}

void itp_task_exec(struct itp_task *task)
{
	forget_replaced(task->process);
	task->process->replaced = task->process->space;
	task->process->space = itp_address_space_new();
	task->process->is_user = true;
}

struct itp_address_space *itp_process_space(struct itp_process *process, uint64_t address)
{
	if (!process->replaced) {
		return process->space;
	}
	if (itp_address_space_find(process->space, address)) {
		forget_replaced(process);
		return process->space;
	}
	return itp_address_space_find(process->replaced, address) ? process->replaced :
								    process->space;
}

static void forget_oldest_ended(struct itp_tasks *tasks)
{
	int32_t tid = GPOINTER_TO_INT(g_queue_pop_head(&tasks->ended));
	struct itp_task *oldest = itp_tasks_find(tasks, tid);

	if (oldest && oldest->is_ended) {
		remove_task(tasks, oldest);
	}
}

void itp_tasks_end(struct itp_tasks *tasks, struct itp_task *task)
{
	task->is_ended = true;
	g_queue_push_tail(&tasks->ended, GINT_TO_POINTER(task->tid));
	if (tasks->ended.length > MAX_ENDED) {
		forget_oldest_ended(tasks);
	}
}

void itp_tasks_forget_ended(struct itp_tasks *tasks)
{
	while (!g_queue_is_empty(&tasks->ended)) {
		forget_oldest_ended(tasks);
	}
}

void itp_tasks_rename(struct itp_tasks *tasks, struct itp_task *task, const char *comm)
{
	g_autofree char *valid = g_utf8_make_valid(comm, -1);

	task->comm = itp_texts_intern(tasks->names, valid);
	name_process(task);
}

/* ---- Containers ---- */

void itp_tasks_name_containers(struct itp_tasks *tasks)
{
	tasks->containers = g_hash_table_new(itp_hash_number, NULL);
	tasks->no_container = itp_texts_intern(tasks->names, ITP_NO_CONTAINER);
}

void itp_tasks_tell_group(struct itp_tasks *tasks, uint64_t number, const char *path)
{
	if (tasks->containers) {
		g_autofree char *valid = g_utf8_make_valid(path, -1);
		g_autofree char *name = itp_container_name(valid);

		g_hash_table_insert(tasks->containers, GSIZE_TO_POINTER((gsize)number),
				    (gpointer)itp_texts_intern(tasks->names, name));
	}
}

void itp_tasks_enter_group(struct itp_tasks *tasks, struct itp_task *task, uint64_t number)
{
	const char *name =
		tasks->containers ?
			g_hash_table_lookup(tasks->containers, GSIZE_TO_POINTER((gsize)number)) :
			NULL;

	task->process->container = name ? name : tasks->no_container;
}

/* ---- The events of a record ---- */

void itp_event_queue_clear(struct itp_event_queue *queue)
{
	queue->length = 0;
}

static struct itp_stack_event *append_event(struct itp_event_queue *queue, int64_t time_ns)
{
	struct itp_stack_event *event = &queue->events[queue->length++];

	*event = (struct itp_stack_event){
		.time_ns = time_ns,
		.pid = -1,
		.tid = -1,
		.cpu = -1,
		.comm = "",
		.callee = ITP_FUNCTION_UNKNOWN,
		.complete = true,
		.end = ITP_STACK_END_ROOT,
	};
	return event;
}

static struct itp_stack_event *append_for(struct itp_event_queue *queue, enum itp_event_kind kind,
					  int64_t time_ns, const struct itp_task *task, int32_t cpu)
{
	struct itp_stack_event *event = append_event(queue, time_ns);

	event->kind = kind;
	event->pid = task->process->pid;
	event->tid = task->tid;
	event->comm = task->process->container ? task->process->container : task->comm;
	event->cpu = cpu;
	return event;
}

void itp_event_queue_start(struct itp_event_queue *queue, int64_t time_ns,
			   const struct itp_task *task, int64_t creator)
{
	struct itp_stack_event *event = append_for(queue, ITP_EVENT_START, time_ns, task, -1);

	event->argument = creator;
	if (task->process->name && !task->process->container) {
		event->comm = task->process->name;
	}
}

struct itp_stack_event *itp_event_queue_add(struct itp_event_queue *queue, enum itp_event_kind kind,
					    int64_t time_ns, struct itp_task *task, int32_t cpu)
{
	if (task->is_ended && !task->is_leaving) {
		return NULL;
	}
	if (!task->is_announced) {
		task->is_announced = true;
		itp_event_queue_start(queue, time_ns, task, ITP_START_UNKNOWN);
	}
	return append_for(queue, kind, time_ns, task, cpu);
}

void itp_event_queue_end(struct itp_event_queue *queue, int64_t time_ns, struct itp_task *task)
{
	if (task->is_leaving) {
		itp_event_queue_add(queue, ITP_EVENT_END, time_ns, task, -1);
		task->is_leaving = false;
	}
}

void itp_event_queue_add_count(struct itp_event_queue *queue, enum itp_event_kind kind,
			       int64_t time_ns, int64_t count)
{
	struct itp_stack_event *event = append_event(queue, time_ns);

	event->kind = kind;
	event->argument = count;
}

void itp_event_queue_add_speed(struct itp_event_queue *queue, int64_t time_ns, uint32_t meter,
			       uint64_t computed_ns)
{
	struct itp_stack_event *event = append_event(queue, time_ns);

	event->kind = ITP_EVENT_SPEED;
	event->argument = meter;
	event->words = (struct itp_syscall_words){ .are_known = true, .words = { computed_ns } };
}
