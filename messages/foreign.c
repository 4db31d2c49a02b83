/* SPDX-License-Identifier: MIT */
/* See foreign.h. */
#include "messages/foreign.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/base/failure.h"
#include "common/engine/symbol-params.h"
#include "messages/foreign-names.h"
#include "messages/foreign-stack.h"

#define ADD_CONTEXT_KERNEL "lttng add-context --kernel --type=tid --type=pid --type=procname"
#define ADD_CONTEXT_USER "lttng add-context --userspace --type=vtid --type=vpid --type=procname"

struct itp_foreign {
	itp_foreign_func *handle;
	/* Weak. */
	void *data;
	const char *name;
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_syscall_names *syscalls;
	struct itp_foreign_memory memory;
	/* Process of threads unknown to the core. Owned by this (a reference). */
	struct itp_process *nobody;
	/* const bt_event_class * -> struct itp_foreign_layout *; owned by this. */
	GHashTable *layouts;
	/* Stack of the event being handled. */
	struct itp_foreign_stack stack;
	/* How much of the table was handed out. */
	uint32_t sent_functions;
	/* Thread of the event pushed last. */
	int32_t tid;
	/* CPU of the event pushed last, -1 when unknown. */
	int32_t cpu;
	/* All threads of the machine are recorded. */
	bool is_system_wide;
	/* The tracepoints' arguments count threads in another way than the events do. */
	bool has_other_ids;
};

bool itp_foreign_options_check(const struct itp_foreign_options *options, GError **error)
{
	struct itp_foreign_maps *maps;

	if (options->symfs && !g_file_test(options->symfs, G_FILE_TEST_IS_DIR)) {
		itp_failure_set(error, "parameter \"symfs\": %s: no such directory",
				options->symfs);
		return false;
	}
	if (options->kallsyms && g_access(options->kallsyms, R_OK) != 0) {
		itp_failure_set(error, "parameter \"kallsyms\": %s: %s", options->kallsyms,
				g_strerror(errno));
		return false;
	}
	maps = itp_foreign_maps_new(options->maps, error);
	itp_foreign_maps_free(maps);
	return maps != NULL;
}

/* A text of the environment; NULL without it. Weak. */
static const char *environment(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value) : NULL;
}

static void free_layout(void *data)
{
	g_free(data);
}

struct itp_foreign *itp_foreign_new(const struct itp_foreign_options *options,
				    const bt_trace *trace, const char *name,
				    itp_foreign_func *handle, void *data)
{
	struct itp_foreign *foreign = g_new0(struct itp_foreign, 1);
	const char *lttng_release = environment(trace, "kernel_release");
	const struct itp_symbolizer_options symbolizer_options = {
		.symfs = options->symfs,
		.kallsyms = options->kallsyms,
		.os_release = lttng_release ? lttng_release : environment(trace, "release"),
		.demangle = true,
		.inlines = options->inlines,
	};

	foreign->handle = handle;
	foreign->data = data;
	foreign->name = name;
	foreign->functions = itp_function_table_new();
	foreign->syscalls =
		itp_syscall_names_new(environment(trace, "machine"), foreign->functions);
	itp_foreign_memory_init(&foreign->memory, &symbolizer_options, options->maps,
				foreign->functions, options->fill == ITP_FILL_FROM_CODE);
	foreign->nobody = itp_tasks_process(foreign->memory.tasks, 0);
	foreign->layouts = g_hash_table_new_full(NULL, NULL, NULL, free_layout);
	itp_foreign_stack_init(&foreign->stack);
	/* Every table has the unknown function. */
	foreign->sent_functions = ITP_FUNCTION_UNKNOWN + 1;
	return foreign;
}

void itp_foreign_free(struct itp_foreign *foreign)
{
	if (!foreign) {
		return;
	}
	itp_foreign_stack_release(&foreign->stack);
	g_hash_table_unref(foreign->layouts);
	itp_tasks_process_unref(foreign->memory.tasks, foreign->nobody);
	itp_foreign_memory_release(&foreign->memory);
	itp_syscall_names_free(foreign->syscalls);
	itp_function_table_free(foreign->functions);
	g_free(foreign);
}

/* The classes live as long as the trace does. */
static const struct itp_foreign_layout *layout_of(struct itp_foreign *foreign,
						  const bt_event_class *event_class)
{
	struct itp_foreign_layout *layout = g_hash_table_lookup(foreign->layouts, event_class);

	if (!layout) {
		layout = g_new(struct itp_foreign_layout, 1);
		*layout = itp_foreign_layout_of(event_class);
		g_hash_table_insert(foreign->layouts, (void *)event_class, layout);
	}
	return layout;
}

/* The number of the thread, 0 for an idle thread, -1 without a thread. */
static int32_t tid_of(const bt_event *event, const struct itp_foreign_layout *layout)
{
	int64_t tid = layout->tid.is_there ? itp_foreign_number(event, &layout->tid) : -1;

	return tid >= 0 && tid <= INT32_MAX ? (int32_t)tid : -1;
}

/* The task of the event; NULL for an idle thread, and without a thread. */
static struct itp_task *task_of(struct itp_foreign *foreign, const bt_event *event,
				const struct itp_foreign_layout *layout)
{
	int32_t tid = tid_of(event, layout);
	int64_t pid = layout->pid.is_there ? itp_foreign_number(event, &layout->pid) : -1;
	struct itp_task *task;
	const char *comm;

	if (tid <= 0) {
		return NULL;
	}
	task = pid >= 0 && pid <= INT32_MAX ?
		       itp_tasks_get(foreign->memory.tasks, (int32_t)pid, tid) :
		       itp_tasks_guess(foreign->memory.tasks, tid);
	comm = layout->comm.is_there ? itp_foreign_text(event, &layout->comm) : "";
	if (comm[0] != '\0' && !g_str_equal(comm, task->comm)) {
		itp_tasks_rename(foreign->memory.tasks, task, comm);
	}
	return task;
}

/* Resolves the event's stack, taken in `process`. */
static void resolve_stack(struct itp_foreign *foreign, const bt_event *event,
			  const struct itp_foreign_layout *layout, struct itp_process *process)
{
	itp_foreign_stack_resolve(&foreign->stack, &foreign->memory, event, layout, process);
}

static struct itp_stack_event *add_task_event(struct itp_foreign *foreign, enum itp_event_kind kind,
					      struct itp_task *task)
{
	return itp_event_queue_add(&foreign->memory.queue, kind, foreign->memory.time_ns, task,
				   foreign->cpu);
}

/* Learns whether arguments count threads otherwise. A thread about to leave its CPU for good has no
 * number any more, but its event still names the next thread. */
static void note_ids(struct itp_foreign *foreign, const bt_event *event,
		     const struct itp_foreign_layout *layout)
{
	if (layout->common_pid.is_there && foreign->tid > 0) {
		foreign->has_other_ids = itp_foreign_number(event, &layout->common_pid) !=
					 foreign->tid;
	}
}

/* Remembers threads that ask for another program: the name alone does not tell. */
static void note_exec(struct itp_foreign *foreign, struct itp_task *task, int64_t number,
		      bool is_enter, int64_t result)
{
	GHashTable *execs = foreign->memory.execs;

	if (is_enter && (number == itp_syscall_names_number(foreign->syscalls, "execve") ||
			 number == itp_syscall_names_number(foreign->syscalls, "execveat"))) {
		g_hash_table_add(execs, GINT_TO_POINTER(task->tid));
	} else if (g_hash_table_size(execs) > 0 &&
		   g_hash_table_contains(execs, GINT_TO_POINTER(task->tid))) {
		g_hash_table_remove(execs, GINT_TO_POINTER(task->tid));
		if (!is_enter && result == 0) {
			itp_foreign_memory_exec(&foreign->memory, task);
		}
	}
}

static void add_syscall(struct itp_foreign *foreign, const bt_event *event,
			const struct itp_foreign_layout *layout, struct itp_task *task)
{
	bool is_enter = layout->role == ITP_FOREIGN_SYSCALL_ENTER ||
			layout->role == ITP_FOREIGN_NAMED_SYSCALL_ENTER;
	size_t arguments = layout->call ? 0 : 1;
	int64_t number = layout->call ? itp_syscall_names_number(foreign->syscalls, layout->call) :
					itp_foreign_number(event, &layout->arguments[0]);
	int64_t result = is_enter ? 0 : itp_foreign_number(event, &layout->arguments[arguments]);
	struct itp_stack_event *added;

	note_exec(foreign, task, number, is_enter, result);
	resolve_stack(foreign, event, layout, task->process);
	added = add_task_event(foreign, is_enter ? ITP_EVENT_SYSCALL_ENTER : ITP_EVENT_SYSCALL_EXIT,
			       task);
	if (added) {
		added->argument = is_enter ? number : result;
		added->callee = number < 0 && layout->call ?
					itp_function_table_intern_syscall(foreign->functions,
									  layout->call) :
					itp_syscall_names_function(foreign->syscalls, number);
		itp_callchain_show(&foreign->stack.chain, added);
	}
}

/* The thread named by an argument; NULL if not recorded. */
static struct itp_task *other_task(struct itp_foreign *foreign, const bt_event *event,
				   const struct itp_foreign_layout *layout, size_t index)
{
	int64_t tid = itp_foreign_number(event, &layout->arguments[index]);
	struct itp_task *task;

	if (tid <= 0 || tid > INT32_MAX || !layout->has_same_ids || foreign->has_other_ids) {
		return NULL;
	}
	task = itp_tasks_find(foreign->memory.tasks, (int32_t)tid);
	return task || !foreign->is_system_wide ?
		       task :
		       itp_tasks_guess(foreign->memory.tasks, (int32_t)tid);
}

/* Next thread on the CPU, as the root of a process, if nothing else of it is recorded. */
static uint32_t stranger(struct itp_foreign *foreign, const bt_event *event,
			 const struct itp_foreign_layout *layout)
{
	int64_t tid = itp_foreign_number(event, &layout->arguments[1]);
	const char *comm = itp_foreign_text(event, &layout->arguments[2]);

	if (tid <= 0 || tid > INT32_MAX || !*comm || foreign->is_system_wide ||
	    !layout->has_same_ids || foreign->has_other_ids ||
	    itp_tasks_find(foreign->memory.tasks, (int32_t)tid)) {
		return ITP_FUNCTION_UNKNOWN;
	}
	return itp_function_table_intern_stand_in(foreign->functions, comm, ITP_LAYER_PROCESS);
}

/* Ends the thread that leaves its CPU for good. That of a thread that nobody waits for may have no
 * number by then but in the event itself. */
static void end_dead(struct itp_foreign *foreign, const bt_event *event,
		     const struct itp_foreign_layout *layout, struct itp_task *task)
{
	int64_t tid;

	if (!task && layout->common_pid.is_there && !foreign->has_other_ids) {
		tid = itp_foreign_number(event, &layout->common_pid);
		task = tid > 0 && tid <= INT32_MAX ?
			       itp_tasks_find(foreign->memory.tasks, (int32_t)tid) :
			       NULL;
	}
	if (task) {
		itp_event_queue_end(&foreign->memory.queue, foreign->memory.time_ns, task);
	}
}

static void add_switch(struct itp_foreign *foreign, const bt_event *event,
		       const struct itp_foreign_layout *layout, struct itp_task *task)
{
	struct itp_stack_event *added = NULL;
	struct itp_task *next;
	const char *comm;

	if (task) {
		resolve_stack(foreign, event, layout, task->process);
		added = add_task_event(foreign, ITP_EVENT_SWITCH_OUT, task);
	}
	if (added) {
		added->argument = itp_foreign_number(event, &layout->arguments[0]) &
				  ITP_BLOCKED_STATES;
		added->callee = stranger(foreign, event, layout);
		itp_callchain_show(&foreign->stack.chain, added);
	}
	if (itp_foreign_number(event, &layout->arguments[0]) & ITP_DEAD_STATES) {
		end_dead(foreign, event, layout, task);
	}
	next = other_task(foreign, event, layout, 1);
	if (next) {
		comm = itp_foreign_text(event, &layout->arguments[2]);
		if (next->is_guess && !g_str_equal(comm, next->comm)) {
			itp_tasks_rename(foreign->memory.tasks, next, comm);
		}
		add_task_event(foreign, ITP_EVENT_SWITCH_IN, next);
	}
}

static void add_wakeup(struct itp_foreign *foreign, const bt_event *event,
		       const struct itp_foreign_layout *layout, struct itp_task *task)
{
	int32_t waker = tid_of(event, layout);
	struct itp_task *woken = other_task(foreign, event, layout, 0);
	struct itp_stack_event *added;

	if (!woken) {
		return;
	}
	/* A thread that is leaving wakes others behind the unmapping of its memory. */
	if (task) {
		itp_event_queue_end(&foreign->memory.queue, foreign->memory.time_ns, task);
	}
	resolve_stack(foreign, event, layout, task ? task->process : foreign->nobody);
	added = add_task_event(foreign, ITP_EVENT_WAKEUP, woken);
	if (added) {
		added->argument = waker;
		itp_callchain_show(&foreign->stack.chain, added);
	}
}

static void add_sample(struct itp_foreign *foreign, const bt_event *event,
		       const struct itp_foreign_layout *layout, struct itp_task *task)
{
	struct itp_stack_event *added;

	resolve_stack(foreign, event, layout, task->process);
	added = add_task_event(foreign, ITP_EVENT_SAMPLE, task);
	if (added && (layout->role == ITP_FOREIGN_TICK || layout->role == ITP_FOREIGN_CLOCK_TICK)) {
		added->argument =
			CLAMP(itp_foreign_number(event, &layout->arguments[0]), 1, ITP_TICK_MOST);
		added->tick_ns = layout->role == ITP_FOREIGN_CLOCK_TICK ? added->argument : 0;
	} else if (added && layout->role == ITP_FOREIGN_EVEN_TICK) {
		added->argument = 1;
	}
	itp_callchain_show(&foreign->stack.chain, added);
}

static void add_function_event(struct itp_foreign *foreign, const bt_event *event,
			       const struct itp_foreign_layout *layout, struct itp_task *task)
{
	bool is_entry = layout->role == ITP_FOREIGN_FUNCTION_ENTRY;
	struct itp_stack_event *added = add_task_event(
		foreign, is_entry ? ITP_EVENT_FUNCTION_ENTRY : ITP_EVENT_FUNCTION_EXIT, task);
	struct itp_frame *frame = &foreign->stack.chain.room[0];

	if (!added || layout->role == ITP_FOREIGN_ANY_FUNCTION_EXIT) {
		return;
	}
	*frame = (struct itp_frame){ .is_exact = true };
	frame->function = itp_foreign_memory_function(
		&foreign->memory, task->process,
		(uint64_t)itp_foreign_number(event, &layout->arguments[0]), &frame->address);
	added->frames = frame;
	added->frame_count = 1;
}

static void push_foreign_event(struct itp_foreign *foreign, const bt_event *event,
			       const struct itp_foreign_layout *layout)
{
	struct itp_task *task = task_of(foreign, event, layout);

	if (task) {
		itp_foreign_memory_note_step(&foreign->memory, task);
	}
	switch (layout->role) {
	case ITP_FOREIGN_SAMPLE:
	case ITP_FOREIGN_CLOCK_TICK:
	case ITP_FOREIGN_TICK:
	case ITP_FOREIGN_EVEN_TICK:
		if (task) {
			add_sample(foreign, event, layout, task);
		}
		break;
	case ITP_FOREIGN_SYSCALL_ENTER:
	case ITP_FOREIGN_SYSCALL_EXIT:
	case ITP_FOREIGN_NAMED_SYSCALL_ENTER:
	case ITP_FOREIGN_NAMED_SYSCALL_EXIT:
		if (task) {
			add_syscall(foreign, event, layout, task);
		}
		break;
	case ITP_FOREIGN_SWITCH:
		foreign->memory.has_last_switches = foreign->is_system_wide;
		add_switch(foreign, event, layout, task);
		break;
	case ITP_FOREIGN_WAKEUP:
		add_wakeup(foreign, event, layout, task);
		break;
	case ITP_FOREIGN_FUNCTION_ENTRY:
	case ITP_FOREIGN_FUNCTION_EXIT:
	case ITP_FOREIGN_ANY_FUNCTION_EXIT:
		if (task) {
			add_function_event(foreign, event, layout, task);
		}
		break;
	default:
		itp_foreign_memory_push(&foreign->memory, event, layout, task);
		break;
	}
}

static bool send_functions(struct itp_foreign *foreign, GError **error)
{
	uint32_t size = itp_function_table_size(foreign->functions);
	bool done = true;

	for (; done && foreign->sent_functions < size; foreign->sent_functions++) {
		const struct itp_record record = {
			.type = ITP_RECORD_FUNCTION,
			.function = { .id = foreign->sent_functions,
				      .function = *itp_function_table_get(
					      foreign->functions, foreign->sent_functions) },
		};

		done = foreign->handle(foreign->data, &record, error);
	}
	return done;
}

static bool send(struct itp_foreign *foreign, GError **error)
{
	bool done;

	if (!foreign->handle) {
		return true;
	}
	done = send_functions(foreign, error);
	for (size_t i = 0; done && i < foreign->memory.queue.length; i++) {
		const struct itp_record record = { .type = ITP_RECORD_STACK,
						   .stack = foreign->memory.queue.events[i] };

		done = foreign->handle(foreign->data, &record, error);
	}
	return done;
}

bool itp_foreign_push(struct itp_foreign *foreign, const bt_event *event, int64_t time_ns,
		      bool *ret_is_input, GError **error)
{
	const bt_event_class *event_class = bt_event_borrow_class_const(event);
	const struct itp_foreign_layout *layout = layout_of(foreign, event_class);
	bool is_exact = layout->role >= ITP_FOREIGN_FUNCTION_ENTRY &&
			layout->role <= ITP_FOREIGN_ANY_FUNCTION_EXIT;

	*ret_is_input = itp_foreign_layout_has_stack(layout) || is_exact;
	if (*ret_is_input && !layout->tid.is_there) {
		itp_failure_set(error,
				"%s: event \"%s\" does not tell its thread (tid); record with "
				"`%s`",
				foreign->name, bt_event_class_get_name(event_class),
				is_exact ? ADD_CONTEXT_USER : ADD_CONTEXT_KERNEL);
		return false;
	}
	foreign->tid = tid_of(event, layout);
	foreign->cpu = itp_foreign_cpu(event);
	/* The idle threads are recorded only with all others. */
	foreign->is_system_wide |= foreign->tid == 0;
	note_ids(foreign, event, layout);
	foreign->memory.time_ns = time_ns;
	itp_event_queue_clear(&foreign->memory.queue);
	push_foreign_event(foreign, event, layout);
	return send(foreign, error);
}

const struct itp_function *itp_foreign_symbol(struct itp_foreign *foreign, uint64_t address,
					      bool is_return)
{
	return itp_foreign_names_find(&foreign->memory, foreign->functions, foreign->tid, address,
				      is_return);
}

void itp_foreign_warn(const struct itp_foreign *foreign, const char *component)
{
	itp_foreign_names_warn(&foreign->memory, component, foreign->name);
}
