/* SPDX-License-Identifier: MIT */
/*
 * See formats.h.
 */
#include "plugins/perf/record/formats.h"

#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/perf/record/sideband.h"

#define NS_PER_S 1000000000

/* Begin of a trace of trace-cmd, version 0.6. */
#define PREAMBLE "\027\010\104tracing"
#define TRACE_VERSION "0.6"

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* Layout of a trace's pages and of their events. A recording has none, but readers want the layout.
 */
#define PAGE_HEADER                                                 \
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"  \
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n" \
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"  \
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n"
#define EVENT_HEADER                  \
	"\ttype_len    :    5 bits\n" \
	"\ttime_delta  :   27 bits\n" \
	"\tarray       :   32 bits\n"

/* Fields of a wakeup: sched_waking, and sched_wakeup_new for new threads. */
#define WAKING_FIELDS                                                                  \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                     \
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"                         \
	"\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"                          \
	"\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\n"                  \
	"print fmt: \"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, " \
	"REC->prio, REC->target_cpu\n"

static const struct {
	const char *system;
	const char *name;
	const char *fields;
} events[ITP_RECORDER_EVENTS] = {
	[ITP_RECORDER_EVENT_SIDEBAND] = { NULL, "dummy:u", NULL },
	[ITP_RECORDER_EVENT_ENTER] = {
		"raw_syscalls", "sys_enter",
		"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\n"
		"print fmt: \"NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)\", REC->id, REC->args[0], "
		"REC->args[1], REC->args[2], REC->args[3], REC->args[4], REC->args[5]\n",
	},
	[ITP_RECORDER_EVENT_EXIT] = {
		"raw_syscalls", "sys_exit",
		"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\n"
		"print fmt: \"NR %ld = %ld\", REC->id, REC->ret\n",
	},
	[ITP_RECORDER_EVENT_SWITCH] = {
		"sched", "sched_switch",
		"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
		"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
		"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
		"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
		"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"%s:%d [%d] %lx ==> %s:%d [%d]\", REC->prev_comm, REC->prev_pid, "
		"REC->prev_prio, REC->prev_state, REC->next_comm, REC->next_pid, REC->next_prio\n",
	},
	[ITP_RECORDER_EVENT_WAKING] = { "sched", "sched_waking", WAKING_FIELDS },
	[ITP_RECORDER_EVENT_WAKING_NEW] = { "sched", "sched_wakeup_new", WAKING_FIELDS },
	[ITP_RECORDER_EVENT_FAULT] = { NULL, "page-faults", NULL },
	[ITP_RECORDER_EVENT_TICK] = { NULL, "cpu-clock", NULL },
	[ITP_RECORDER_EVENT_WINDOW] = {
		"introperf", "window",
		"\tfield:long one_in;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield:long taken_ppm;\toffset:16;\tsize:8;\tsigned:1;\n\n"
		"print fmt: \"one_in=%ld taken_ppm=%ld\", REC->one_in, REC->taken_ppm\n",
	},
	[ITP_RECORDER_EVENT_IN_CALL] = {
		"introperf", "in_call",
		"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n\n"
		"print fmt: \"NR %ld\", REC->id\n",
	},
	[ITP_RECORDER_EVENT_HAD_CPU] = {
		"introperf", "had_cpu",
		"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"comm=%s pid=%d\", REC->comm, REC->pid\n",
	},
	[ITP_RECORDER_EVENT_GROUP] = { NULL, "cgroup-switches", NULL },
};

/* Events of the kernel that are no tracepoints. */
static const struct {
	enum itp_recorder_event event;
	uint64_t config;
} counted[] = {
	{ ITP_RECORDER_EVENT_FAULT, PERF_COUNT_SW_PAGE_FAULTS },
	{ ITP_RECORDER_EVENT_TICK, PERF_COUNT_SW_CPU_CLOCK },
	{ ITP_RECORDER_EVENT_GROUP, PERF_COUNT_SW_CGROUP_SWITCHES },
};

/* Events with a stack. */
static const enum itp_recorder_event with_stacks[] = {
	ITP_RECORDER_EVENT_ENTER,      ITP_RECORDER_EVENT_SWITCH, ITP_RECORDER_EVENT_WAKING,
	ITP_RECORDER_EVENT_WAKING_NEW, ITP_RECORDER_EVENT_FAULT,  ITP_RECORDER_EVENT_TICK,
};

static const char *const systems[] = { "raw_syscalls", "sched", "introperf" };

G_STATIC_ASSERT(sizeof(struct itp_recorder_enter) == 64);
G_STATIC_ASSERT(sizeof(struct itp_recorder_exit) == 24);
G_STATIC_ASSERT(offsetof(struct itp_recorder_switch, next_comm) == 40);
G_STATIC_ASSERT(sizeof(struct itp_recorder_switch) == 64);
G_STATIC_ASSERT(sizeof(struct itp_recorder_waking) == 40);
G_STATIC_ASSERT(sizeof(struct itp_recorder_window_fields) == 24);
G_STATIC_ASSERT(sizeof(struct itp_recorder_in_call) == 16);
G_STATIC_ASSERT(sizeof(struct itp_recorder_had_cpu) == 32);

const char *itp_recorder_event_name(enum itp_recorder_event event)
{
	switch (event) {
	case ITP_RECORDER_EVENT_ENTER:
		return "raw_syscalls:sys_enter";
	case ITP_RECORDER_EVENT_EXIT:
		return "raw_syscalls:sys_exit";
	case ITP_RECORDER_EVENT_SWITCH:
		return "sched:sched_switch";
	case ITP_RECORDER_EVENT_WAKING:
		return "sched:sched_waking";
	case ITP_RECORDER_EVENT_WAKING_NEW:
		return "sched:sched_wakeup_new";
	case ITP_RECORDER_EVENT_WINDOW:
		return "introperf:window";
	case ITP_RECORDER_EVENT_IN_CALL:
		return "introperf:in_call";
	case ITP_RECORDER_EVENT_HAD_CPU:
		return "introperf:had_cpu";
	default:
		return events[event].name;
	}
}

/* `config`, the number of a tracepoint in the recording, is also `common.type` in its fields. */
struct perf_event_attr itp_recorder_event_attr(enum itp_recorder_event event, guint hertz)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = event,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	for (guint i = 0; i < G_N_ELEMENTS(with_stacks); i++) {
		if (event == with_stacks[i]) {
			attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
			/* The user's part was unwound by the recorder, not by the kernel along
			 * frame pointers. */
			attr.exclude_callchain_user = 1;
		}
	}
	for (guint i = 0; i < G_N_ELEMENTS(counted); i++) {
		if (event == counted[i].event) {
			attr.type = PERF_TYPE_SOFTWARE;
			attr.config = counted[i].config;
			attr.sample_type &= ~(uint64_t)PERF_SAMPLE_RAW;
		}
	}
	if (event == ITP_RECORDER_EVENT_SWITCH) {
		attr.context_switch = 1;
	}
	if (event == ITP_RECORDER_EVENT_TICK) {
		attr.sample_period = NS_PER_S / hertz;
	}
	if (event == ITP_RECORDER_EVENT_GROUP) {
		attr.sample_type |= PERF_SAMPLE_CGROUP;
	}
	return attr;
}

/* ---- Tracing data ---- */

static void add_bytes(GByteArray *data, const void *bytes, size_t size)
{
	g_byte_array_append(data, bytes, (guint)size);
}

static void add_u32(GByteArray *data, uint32_t number)
{
	add_bytes(data, &number, sizeof(number));
}

/* Adds a name with its NUL. */
static void add_name(GByteArray *data, const char *name)
{
	add_bytes(data, name, strlen(name) + 1);
}

static void add_text(GByteArray *data, const char *text)
{
	const uint64_t size = strlen(text);

	add_bytes(data, &size, sizeof(size));
	add_bytes(data, text, size);
}

static bool is_of(enum itp_recorder_event event, const char *system)
{
	return g_strcmp0(events[event].system, system) == 0;
}

static void add_system(GByteArray *data, const char *system)
{
	uint32_t count = 0;

	for (guint i = 0; i < ITP_RECORDER_EVENTS; i++) {
		count += is_of(i, system);
	}
	add_name(data, system);
	add_u32(data, count);
	for (guint i = 0; i < ITP_RECORDER_EVENTS; i++) {
		if (is_of(i, system)) {
			g_autofree char *text = g_strdup_printf("name: %s\nID: %u\n" COMMON "%s",
								events[i].name, i,
								events[i].fields);

			add_text(data, text);
		}
	}
}

GByteArray *itp_recorder_tracing_data(void)
{
	const uint8_t layout[] = { 0, sizeof(long) };
	GByteArray *data = g_byte_array_new();

	add_bytes(data, PREAMBLE, strlen(PREAMBLE));
	add_name(data, TRACE_VERSION);
	add_bytes(data, layout, sizeof(layout));
	add_u32(data, (uint32_t)sysconf(_SC_PAGESIZE));
	add_name(data, "header_page");
	add_text(data, PAGE_HEADER);
	add_name(data, "header_event");
	add_text(data, EVENT_HEADER);
	/* Number of ftrace's events. */
	add_u32(data, 0);
	add_u32(data, G_N_ELEMENTS(systems));
	for (guint i = 0; i < G_N_ELEMENTS(systems); i++) {
		add_system(data, systems[i]);
	}
	/* Symbols, formats of printk(), and names of threads: none. */
	add_u32(data, 0);
	add_u32(data, 0);
	add_text(data, "");
	return data;
}
