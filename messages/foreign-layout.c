/* SPDX-License-Identifier: MIT */
/* See foreign-layout.h. */
#include "messages/foreign-layout.h"

#include <string.h>

struct argument {
	const char *name;
	enum itp_foreign_type type;
};

struct shape {
	/* Name of an event class; with "*" at its end, a prefix. */
	const char *name;
	enum itp_foreign_role role;
	struct argument arguments[ITP_FOREIGN_MAX_ARGUMENTS];
};

#define NUMBER(name)                     \
	{                                \
		name, ITP_FOREIGN_NUMBER \
	}
#define TEXT(name)                     \
	{                              \
		name, ITP_FOREIGN_TEXT \
	}
#define NUMBERS(name)                     \
	{                                 \
		name, ITP_FOREIGN_NUMBERS \
	}
#define IMAGE                                                  \
	{                                                      \
		NUMBER("baddr"), NUMBER("memsz"), TEXT("path") \
	}
#define BUILD_ID                                     \
	{                                            \
		NUMBER("baddr"), NUMBERS("build_id") \
	}
#define DEBUG_LINK                                               \
	{                                                        \
		NUMBER("baddr"), TEXT("filename"), NUMBER("crc") \
	}
#define PERF_MAP                                                 \
	{                                                        \
		NUMBER("pid"), NUMBER("start"), TEXT("filename") \
	}

static const struct shape shapes[] = {
	{ "cpu-clock*", ITP_FOREIGN_CLOCK_TICK, { NUMBER("perf_period") } },
	{ "task-clock*", ITP_FOREIGN_CLOCK_TICK, { NUMBER("perf_period") } },
	{ "cycles*", ITP_FOREIGN_TICK, { NUMBER("perf_period") } },
	{ "cpu-cycles*", ITP_FOREIGN_TICK, { NUMBER("perf_period") } },
	{ "cpu-clock*", ITP_FOREIGN_EVEN_TICK, { { NULL } } },
	{ "task-clock*", ITP_FOREIGN_EVEN_TICK, { { NULL } } },
	{ "timer_hrtimer_expire_entry", ITP_FOREIGN_EVEN_TICK, { { NULL } } },
	{ "raw_syscalls:sys_enter", ITP_FOREIGN_SYSCALL_ENTER, { NUMBER("id") } },
	{ "raw_syscalls:sys_exit", ITP_FOREIGN_SYSCALL_EXIT, { NUMBER("id"), NUMBER("ret") } },
	{ "sched:sched_switch",
	  ITP_FOREIGN_SWITCH,
	  { NUMBER("prev_state"), NUMBER("next_pid"), TEXT("next_comm") } },
	{ "sched:sched_wakeup", ITP_FOREIGN_WAKEUP, { NUMBER("pid") } },
	{ "sched:sched_wakeup_new", ITP_FOREIGN_WAKEUP, { NUMBER("pid") } },
	{ "sched:sched_waking", ITP_FOREIGN_WAKEUP, { NUMBER("pid") } },
	{ "perf_mmap", ITP_FOREIGN_MAP, PERF_MAP },
	{ "perf_mmap2", ITP_FOREIGN_MAP, PERF_MAP },
	{ "perf_comm", ITP_FOREIGN_COMM, { NUMBER("pid"), NUMBER("tid"), TEXT("comm") } },
	{ "perf_fork",
	  ITP_FOREIGN_FORK,
	  { NUMBER("pid"), NUMBER("tid"), NUMBER("ppid"), NUMBER("ptid") } },
	{ "perf_exit", ITP_FOREIGN_EXIT, { NUMBER("tid") } },
	{ "syscall_entry_*", ITP_FOREIGN_NAMED_SYSCALL_ENTER, { { NULL } } },
	{ "syscall_exit_*", ITP_FOREIGN_NAMED_SYSCALL_EXIT, { NUMBER("ret") } },
	{ "compat_syscall_entry_*", ITP_FOREIGN_NAMED_SYSCALL_ENTER, { { NULL } } },
	{ "compat_syscall_exit_*", ITP_FOREIGN_NAMED_SYSCALL_EXIT, { NUMBER("ret") } },
	{ "sched_switch",
	  ITP_FOREIGN_SWITCH,
	  { NUMBER("prev_state"), NUMBER("next_tid"), TEXT("next_comm") } },
	{ "sched_wakeup", ITP_FOREIGN_WAKEUP, { NUMBER("tid") } },
	{ "sched_wakeup_new", ITP_FOREIGN_WAKEUP, { NUMBER("tid") } },
	{ "sched_waking", ITP_FOREIGN_WAKEUP, { NUMBER("tid") } },
	{ "sched_process_fork",
	  ITP_FOREIGN_FORK,
	  { NUMBER("child_pid"), NUMBER("child_tid"), NUMBER("parent_pid"),
	    NUMBER("parent_tid") } },
	{ "sched_process_exec", ITP_FOREIGN_EXEC, { NUMBER("tid") } },
	{ "sched_process_exit", ITP_FOREIGN_EXIT, { NUMBER("tid") } },
	{ "lttng_ust_cyg_profile:func_entry", ITP_FOREIGN_FUNCTION_ENTRY, { NUMBER("addr") } },
	{ "lttng_ust_cyg_profile:func_exit", ITP_FOREIGN_FUNCTION_EXIT, { NUMBER("addr") } },
	{ "lttng_ust_cyg_profile_fast:func_entry", ITP_FOREIGN_FUNCTION_ENTRY, { NUMBER("addr") } },
	{ "lttng_ust_cyg_profile_fast:func_exit", ITP_FOREIGN_ANY_FUNCTION_EXIT, { { NULL } } },
	{ "lttng_ust_statedump:bin_info", ITP_FOREIGN_IMAGE, IMAGE },
	{ "lttng_ust_lib:load", ITP_FOREIGN_IMAGE, IMAGE },
	{ "lttng_ust_dl:dlopen", ITP_FOREIGN_IMAGE, IMAGE },
	{ "lttng_ust_dl:dlmopen", ITP_FOREIGN_IMAGE, IMAGE },
	{ "lttng_ust_statedump:build_id", ITP_FOREIGN_BUILD_ID, BUILD_ID },
	{ "lttng_ust_lib:build_id", ITP_FOREIGN_BUILD_ID, BUILD_ID },
	{ "lttng_ust_dl:build_id", ITP_FOREIGN_BUILD_ID, BUILD_ID },
	{ "lttng_ust_statedump:debug_link", ITP_FOREIGN_DEBUG_LINK, DEBUG_LINK },
	{ "lttng_ust_lib:debug_link", ITP_FOREIGN_DEBUG_LINK, DEBUG_LINK },
	{ "lttng_ust_dl:debug_link", ITP_FOREIGN_DEBUG_LINK, DEBUG_LINK },
	{ "lttng_ust_lib:unload", ITP_FOREIGN_UNLOAD, { NUMBER("baddr") } },
};

static size_t prefix_length(const struct shape *shape)
{
	size_t length = strlen(shape->name);

	return shape->name[length - 1] == '*' ? length - 1 : 0;
}

static bool is_shape_named(const struct shape *shape, const char *name)
{
	size_t length = prefix_length(shape);

	return length > 0 ? strncmp(name, shape->name, length) == 0 :
			    g_str_equal(name, shape->name);
}

static bool find_arguments(const struct shape *shape, const bt_event_class *event_class,
			   struct itp_foreign_layout *layout)
{
	bool has_all = true;

	for (size_t i = 0; i < ITP_FOREIGN_MAX_ARGUMENTS && shape->arguments[i].name; i++) {
		layout->arguments[i] = itp_foreign_payload_field(
			event_class, shape->arguments[i].name, shape->arguments[i].type);
		has_all = has_all && layout->arguments[i].is_there;
	}
	return has_all;
}

/* Timers, useless without a stack. */
static bool is_tick(enum itp_foreign_role role)
{
	return role == ITP_FOREIGN_CLOCK_TICK || role == ITP_FOREIGN_TICK ||
	       role == ITP_FOREIGN_EVEN_TICK;
}

static void find_role(const bt_event_class *event_class, struct itp_foreign_layout *layout)
{
	const char *name = bt_event_class_get_name(event_class);

	layout->role = itp_foreign_layout_has_stack(layout) ? ITP_FOREIGN_SAMPLE :
							      ITP_FOREIGN_OTHER;
	for (size_t i = 0; name && i < G_N_ELEMENTS(shapes); i++) {
		if (is_shape_named(&shapes[i], name) &&
		    (layout->role == ITP_FOREIGN_SAMPLE || !is_tick(shapes[i].role)) &&
		    find_arguments(&shapes[i], event_class, layout)) {
			layout->role = shapes[i].role;
			layout->call = prefix_length(&shapes[i]) > 0 ?
					       name + prefix_length(&shapes[i]) :
					       NULL;
			return;
		}
	}
}

static struct itp_foreign_field choose_field(struct itp_foreign_field first,
					     struct itp_foreign_field second)
{
	return first.is_there ? first : second;
}

static struct itp_foreign_field context_number(const bt_event_class *event_class, const char *name)
{
	return itp_foreign_context_field(event_class, name, ITP_FOREIGN_NUMBER);
}

struct itp_foreign_layout itp_foreign_layout_of(const bt_event_class *event_class)
{
	struct itp_foreign_field perf_tid =
		itp_foreign_payload_field(event_class, "perf_tid", ITP_FOREIGN_NUMBER);
	struct itp_foreign_field tid = context_number(event_class, "tid");
	struct itp_foreign_field perf_pid =
		itp_foreign_payload_field(event_class, "perf_pid", ITP_FOREIGN_NUMBER);
	struct itp_foreign_layout layout = {
		.tid = choose_field(choose_field(perf_tid, tid),
				    context_number(event_class, "vtid")),
		.comm = itp_foreign_context_field(event_class, "procname", ITP_FOREIGN_TEXT),
		.common_pid =
			itp_foreign_payload_field(event_class, "common_pid", ITP_FOREIGN_NUMBER),
		.chain = itp_foreign_payload_field(event_class, "perf_callchain",
						   ITP_FOREIGN_NUMBERS),
		.kernel_stack = itp_foreign_context_field(event_class, "callstack_kernel",
							  ITP_FOREIGN_NUMBERS),
		.user_stack = itp_foreign_context_field(event_class, "callstack_user",
							ITP_FOREIGN_NUMBERS),
		.has_same_ids = perf_tid.is_there || tid.is_there,
	};

	/* Both numbers of a thread must be of the same namespace. */
	layout.pid = choose_field(
		perf_pid, context_number(event_class, layout.has_same_ids ? "pid" : "vpid"));
	find_role(event_class, &layout);
	return layout;
}

bool itp_foreign_layout_has_stack(const struct itp_foreign_layout *layout)
{
	return layout->chain.is_there || layout->kernel_stack.is_there ||
	       layout->user_stack.is_there;
}

static bool shows_calls(const bt_event_class *event_class)
{
	struct itp_foreign_layout layout = itp_foreign_layout_of(event_class);

	return itp_foreign_layout_has_stack(&layout) || layout.role == ITP_FOREIGN_FUNCTION_ENTRY;
}

static bool stream_class_shows_calls(const bt_stream_class *stream_class)
{
	bool found = false;

	for (uint64_t i = 0; !found && i < bt_stream_class_get_event_class_count(stream_class);
	     i++) {
		found = shows_calls(
			bt_stream_class_borrow_event_class_by_index_const(stream_class, i));
	}
	return found;
}

bool itp_foreign_has_stacks(const bt_stream *stream)
{
	const bt_trace_class *trace_class =
		bt_trace_borrow_class_const(bt_stream_borrow_trace_const(stream));
	bool found = false;

	for (uint64_t i = 0; !found && i < bt_trace_class_get_stream_class_count(trace_class);
	     i++) {
		found = stream_class_shows_calls(
			bt_trace_class_borrow_stream_class_by_index_const(trace_class, i));
	}
	return found;
}

static bool has_wakeups(const bt_stream_class *stream_class)
{
	for (uint64_t i = 0; i < bt_stream_class_get_event_class_count(stream_class); i++) {
		const bt_event_class *event_class =
			bt_stream_class_borrow_event_class_by_index_const(stream_class, i);

		if (itp_foreign_layout_of(event_class).role == ITP_FOREIGN_WAKEUP) {
			return true;
		}
	}
	return false;
}

bool itp_foreign_has_wakeups(const bt_trace *trace)
{
	const bt_trace_class *trace_class = bt_trace_borrow_class_const(trace);

	for (uint64_t i = 0; i < bt_trace_class_get_stream_class_count(trace_class); i++) {
		if (has_wakeups(
			    bt_trace_class_borrow_stream_class_by_index_const(trace_class, i))) {
			return true;
		}
	}
	return false;
}
