/* SPDX-License-Identifier: MIT */
/*
 * What the perf.data reader makes of small recordings that are written here, record by record.
 */
#include "tests/perf/usual.h"

#include <glib/gstdio.h>
#include <string.h>

static const guint64 no_chain[] = { 0 };

static void test_fork_exec_thread(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 chain[] = { USER, APP + 0x10, 0 };
	const guint64 other[] = { USER, APP + 0x800010, 0 };

	recording_tick(recording, &(struct recording_stamp){ 10, 10, 100 }, chain);
	recording_fork(recording, &(struct recording_stamp){ 10, 10, 110 }, 10, 11);
	recording_tick(recording, &(struct recording_stamp){ 10, 11, 120 }, chain);
	recording_fork(recording, &(struct recording_stamp){ 10, 11, 130 }, 20, 20);
	recording_tick(recording, &(struct recording_stamp){ 20, 20, 140 }, chain);
	recording_comm(recording, &(struct recording_stamp){ 20, 20, 150 }, "child", TRUE);
	recording_mmap(recording, &(struct recording_stamp){ 20, 20, 160 }, APP + 0x800000, 0x1000,
		       "/nowhere/child");
	recording_tick(recording, &(struct recording_stamp){ 20, 20, 170 }, other);
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 180 }, other);
	recording_exit(recording, &(struct recording_stamp){ 20, 20, 190 });
	recording_tick(recording, &(struct recording_stamp){ 20, 20, 200 }, other);
	recording_fork(recording, &(struct recording_stamp){ 10, 10, 210 }, 20, 20);
	recording_tick(recording, &(struct recording_stamp){ 20, 20, 220 }, chain);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 app+0x1010\n"
				 "START 10/11 app 110 10\n"
				 "SAMPLE 10/11 app 120 1 app+0x1010\n"
				 "START 20/20 app 130 11\n"
				 "SAMPLE 20/20 app 140 1 app+0x1010\n"
				 "EXEC 20/20 child 150 0\n"
				 "SAMPLE 20/20 child 170 1 child+0x1010\n"
				 "SAMPLE 10/10 app 180 1 ?\n"
				 "END 20/20 child 190 0\n"
				 "START 20/20 app 210 10\n"
				 "SAMPLE 20/20 app 220 1 app+0x1010\n"
				 "end 0\n");
}

static void test_mapping_of_thread(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 chain[] = { USER, 0x900010, 0 };

	recording_fork(recording, &(struct recording_stamp){ 10, 10, 100 }, 10, 11);
	recording_mmap(recording, &(struct recording_stamp){ 10, 11, 110 }, 0x900000, 0x1000,
		       "/nowhere/plugin.so");
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 120 }, chain);
	assert_events(recording, "START 10/11 app 100 10\n"
				 "START 10/10 app 120 -1\n"
				 "SAMPLE 10/10 app 120 1 plugin.so+0x1010\n"
				 "end 0\n");
}

/* Which of its threads does something first is chance. */
static void test_process_name(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	recording_comm(recording, &(struct recording_stamp){ 10, 11, 0 }, "worker", FALSE);
	recording_syscall(recording, &(struct recording_stamp){ 10, 11, 100 }, FALSE, 39, no_chain);
	recording_fork(recording, &(struct recording_stamp){ 10, 11, 110 }, 10, 12);
	recording_fork(recording, &(struct recording_stamp){ 10, 11, 120 }, 20, 20);
	assert_events(recording, "START 10/11 app 100 -1\n"
				 "ENTER 10/11 worker 100 39 syscall:getpid ?\n"
				 "START 10/12 app 110 11\n"
				 "START 20/20 worker 120 11\n"
				 "end 0\n");
}

static void test_equal_times(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	for (gint32 i = 0; i < 3; i++) {
		recording_syscall(recording, &(struct recording_stamp){ 10, 10, 100 }, FALSE, i,
				  no_chain);
	}
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "ENTER 10/10 app 100 0 syscall:read ?\n"
				 "ENTER 10/10 app 100 1 syscall:write ?\n"
				 "ENTER 10/10 app 100 2 syscall:open ?\n"
				 "end 0\n");
}

static void test_rounds(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	/* Two buffers a round, and the second round goes back behind the first one's end. */
	syscall_at(recording, 2001);
	syscall_at(recording, 2004);
	syscall_at(recording, 2002);
	recording_round(recording);
	syscall_at(recording, 2005);
	syscall_at(recording, 2003);
	syscall_at(recording, 2006);
	recording_round(recording);
	/* Late: the rounds before promise that nothing older than 2004 comes. */
	syscall_at(recording, 2000);
	recording_round(recording);
	syscall_at(recording, 2007);
	assert_events(recording, "START 10/10 app 2000 -1\n"
				 "ENTER 10/10 app 2000 2000 syscall:2000 ?\n"
				 "ENTER 10/10 app 2001 2001 syscall:2001 ?\n"
				 "ENTER 10/10 app 2002 2002 syscall:2002 ?\n"
				 "ENTER 10/10 app 2003 2003 syscall:2003 ?\n"
				 "ENTER 10/10 app 2004 2004 syscall:2004 ?\n"
				 "ENTER 10/10 app 2005 2005 syscall:2005 ?\n"
				 "LATE -1/-1  2005 1\n"
				 "ENTER 10/10 app 2006 2006 syscall:2006 ?\n"
				 "ENTER 10/10 app 2007 2007 syscall:2007 ?\n"
				 "end 0\n");
}

static void test_many_runs(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	g_autoptr(GString) expected = g_string_new("START 10/10 app 2000 -1\n");

	/* 7 is prime to 1000: all times once, in hundreds of short runs. */
	for (guint64 i = 0; i < 1000; i++) {
		syscall_at(recording, 2000 + i * 7 % 1000);
		g_string_append_printf(expected, "ENTER 10/10 app %u %u syscall:%u ?\n",
				       2000 + (guint)i, 2000 + (guint)i, 2000 + (guint)i);
	}
	g_string_append(expected, "end 0\n");
	assert_events(recording, expected->str);
}

static void test_loss(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 counted[] = { 12, 0, 0, 0, 0 };

	syscall_at(recording, 1);
	recording_lost(recording, &(struct recording_stamp){ 10, 10, 2 }, 7);
	/* perf counts at the end, without a time: the 7 and 5 more. */
	recording_raw(recording, PERF_RECORD_LOST_SAMPLES, 0, counted, sizeof(counted));
	syscall_at(recording, 3);
	assert_events(recording, "START 10/10 app 1 -1\n"
				 "ENTER 10/10 app 1 1 syscall:write ?\n"
				 "LOSS -1/-1  2 7\n"
				 "ENTER 10/10 app 3 3 syscall:close ?\n"
				 "LOSS -1/-1  3 5\n"
				 "end 0\n");
}

static void test_switches(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 chain[] = { KERNEL, KERNEL_CODE + 1, USER, APP + 0x10, 0 };
	const guint64 idle_chain[] = { KERNEL, KERNEL_CODE + 1, 0 };

	recording_fork(recording, &(struct recording_stamp){ 10, 10, 100 }, 10, 11);
	recording_switch_sample(recording, &(struct recording_stamp){ 10, 10, 110 }, 1, 11, chain);
	/* Preempted: a bit above the states. */
	recording_switch_sample(recording, &(struct recording_stamp){ 10, 11, 120 }, 0x100, 10,
				chain);
	recording_wakeup(recording, &(struct recording_stamp){ 10, 10, 130 }, 11, "app", chain);
	/* The idle thread has no events of its own, but its stack shows why it woke another; nobody
	 * knows thread 99 before it. */
	recording_switch_sample(recording, &(struct recording_stamp){ 0, 0, 140 }, 0, 99,
				idle_chain);
	recording_wakeup(recording, &(struct recording_stamp){ 0, 0, 150 }, 11, "app", idle_chain);
	assert_events(recording, "START 10/11 app 100 10\n"
				 "START 10/10 app 110 -1\n"
				 "OUT 10/10 app 110 1 app+0x1010>[kernel]+0xffffffff81000000\n"
				 "IN 10/11 app 110 0\n"
				 "OUT 10/11 app 120 0 app+0x1010>[kernel]+0xffffffff81000000\n"
				 "IN 10/10 app 120 0\n"
				 "WAKEUP 10/11 app 130 10 app+0x1010>[kernel]+0xffffffff81000000\n"
				 "START 99/99 next 140 -1\n"
				 "IN 99/99 next 140 0\n"
				 "WAKEUP 10/11 app 150 0 [kernel]+0xffffffff81000000\n"
				 "end 0\n");
}

/* The kernel may wake its thread for what interrupts have left to do, before or instead of a reader
 * of what the system call writes: that is no news for anybody. */
static void test_who_is_woken_in_a_call(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const struct recording_stamp begin = { 10, 10, 100 };

	recording_syscall(recording, &begin, FALSE, 1, no_chain);
	recording_wakeup(recording, &(struct recording_stamp){ 10, 10, 110 }, 22, "ksoftirqd/1",
			 no_chain);
	recording_wakeup(recording, &(struct recording_stamp){ 10, 10, 120 }, 30, "reader",
			 no_chain);
	recording_wakeup(recording, &(struct recording_stamp){ 10, 10, 125 }, 31, "reader",
			 no_chain);
	recording_syscall(recording, &(struct recording_stamp){ 10, 10, 150 }, TRUE, 1, no_chain);
	recording_syscall(recording, &(struct recording_stamp){ 10, 10, 200 }, FALSE, 1, no_chain);
	recording_wakeup(recording, &(struct recording_stamp){ 10, 10, 210 }, 22, "ksoftirqd/1",
			 no_chain);
	recording_syscall(recording, &(struct recording_stamp){ 10, 10, 250 }, TRUE, 1, no_chain);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "ENTER 10/10 app 100 1 syscall:write ?\n"
				 "EXIT 10/10 app 150 0 syscall:write since wake 30 ?\n"
				 "ENTER 10/10 app 200 1 syscall:write ?\n"
				 "EXIT 10/10 app 250 0 syscall:write ?\n"
				 "end 0\n");
}

#define ZOMBIE 0x20
#define DEAD 0x10

/* The kernel unmaps the memory of a process behind PERF_RECORD_EXIT, perhaps with a pause. */
static void add_leaving(struct recording *recording)
{
	const guint64 chain[] = { KERNEL, KERNEL_CODE, USER, APP + 0x10, 0 };
	const guint64 out_chain[] = { KERNEL, KERNEL_CODE + 1, USER, APP + 0x10, 0 };

	recording_tick(recording, &(struct recording_stamp){ 10, 10, 110 }, chain);
	recording_exit(recording, &(struct recording_stamp){ 10, 10, 120 });
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 130 }, chain);
	recording_switch_sample(recording, &(struct recording_stamp){ 10, 10, 140 }, 0x100, 0,
				out_chain);
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 150 }, chain);
}

#define IN_APP " app+0x1010>[kernel]+0xffffffff81000000\n"
#define LEAVING                                                         \
	"START 10/10 app 110 -1\n"                                      \
	"SAMPLE 10/10 app 110 1" IN_APP "SAMPLE 10/10 app 130 1" IN_APP \
	"OUT 10/10 app 140 0" IN_APP "SAMPLE 10/10 app 150 1" IN_APP

static void test_last_switch(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 chain[] = { KERNEL, KERNEL_CODE + 1, USER, APP + 0x10, 0 };

	recording_disinherit(recording);
	add_leaving(recording);
	recording_switch_sample(recording, &(struct recording_stamp){ 10, 10, 160 }, ZOMBIE, 0,
				chain);
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 170 }, chain);
	assert_events(recording,
		      LEAVING "OUT 10/10 app 160 32" IN_APP "END 10/10 app 160 0\nend 0\n");
}

/* The stamp of a thread that nobody waits for has no numbers any more. */
static void test_last_switch_of_machine(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 idle_chain[] = { KERNEL, KERNEL_CODE, 0 };
	const struct {
		guint32 type;
		gint32 pid;
		gint64 state;
		char comm[16];
		gint32 next;
	} fields = { RECORDING_SWITCH, 10, DEAD, "swapper", 0 };

	recording_switch_sample(recording, &(struct recording_stamp){ 0, 0, 100 }, 0, 0,
				idle_chain);
	add_leaving(recording);
	recording_sample(recording, 2, &(struct recording_stamp){ -1, -1, 160 }, idle_chain,
			 &fields, sizeof(fields));
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 170 }, idle_chain);
	assert_events(recording, LEAVING "END 10/10 app 160 0\nend 0\n");
}

static void test_namespace(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const struct {
		guint32 type;
		gint32 pid;
		char comm[16];
		gint32 woken;
	} fields = { 0, 5010, "app", 10 };

	/* The fields tell the numbers of another pid namespace, in which 10 is somebody else. */
	recording_sample(recording, 3, &(struct recording_stamp){ 10, 10, 100 }, no_chain, &fields,
			 sizeof(fields));
	assert_events(recording, "end 0\n");
}

static void test_switch_records(void)
{
	g_autoptr(recording_auto) recording = recording_new();
	const guint64 chain[] = { USER, APP, 0 };

	recording_add_attr(recording, PERF_TYPE_SOFTWARE, 0, RECORDING_SAMPLE_TYPE);
	recording_switch(recording, &(struct recording_stamp){ 10, 10, 100 }, 0);
	recording_sample(recording, 0, &(struct recording_stamp){ 10, 10, 110 }, chain, NULL, 0);
	recording_switch(recording, &(struct recording_stamp){ 10, 10, 120 }, 1 << 13);
	recording_switch(recording, &(struct recording_stamp){ 10, 10, 130 }, 3 << 13);
	assert_events(recording, "START 10/10 :10 100 -1\n"
				 "IN 10/10 :10 100 0\n"
				 "SAMPLE 10/10 :10 110 1 [unknown]\n"
				 "OUT 10/10 :10 120 1 ?\n"
				 "OUT 10/10 :10 130 0 ?\n"
				 "end 0\n");
}

static void test_markers(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	/* The guest's part belongs to nobody here. */
	const guint64 chain[] = { (guint64)-2048,   0x77, KERNEL,     KERNEL_CODE + 8,
				  KERNEL_CODE + 16, USER, APP + 0x10, APP + 0x20,
				  APP + 0x30,       0 };

	recording_tick(recording, &(struct recording_stamp){ 10, 10, 100 }, chain);
	recording_syscall(recording, &(struct recording_stamp){ 10, 10, 110 }, TRUE, 0, chain);
	/* A return address counts as its call, which lies before it. The leaf is exact, but in
	 * tracepoints it is a return address as well. */
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 app+0x102f>app+0x101f>app+0x1010>"
				 "[kernel]+0xffffffff8100000f>[kernel]+0xffffffff81000008\n"
				 "EXIT 10/10 app 110 0 syscall:read app+0x102f>app+0x101f>"
				 "app+0x1010>[kernel]+0xffffffff8100000f>"
				 "[kernel]+0xffffffff81000007\n"
				 "end 0\n");
}

/* At the first instruction of a function an interrupt hits that function, not the one before. */
static void test_interrupted(void)
{
	static const char kallsyms[] = "ffffffff81000000 T before\n"
				       "ffffffff81000010 T hit\n"
				       "ffffffff81000020 T asm_sysvec_apic_timer_interrupt\n"
				       "ffffffff81000030 T handler\n";
	g_autoptr(recording_auto) recording = usual_recording();
	g_autofree char *path = recording_write_bytes(kallsyms, strlen(kallsyms));
	const struct itp_perf_options options = { .kallsyms = path };
	const guint64 chain[] = { KERNEL,
				  KERNEL_CODE + 0x38,
				  KERNEL_CODE + 0x28,
				  KERNEL_CODE + 0x10,
				  KERNEL_CODE + 0x10,
				  0 };
	g_autofree char *text = NULL;

	recording_tick(recording, &(struct recording_stamp){ 2, 2, 100 }, chain);
	text = events_text(recording_write(recording), &options);
	g_assert_cmpstr(text, ==,
			"START 2/2 :2 100 -1\n"
			"SAMPLE 2/2 :2 100 1 before>hit>asm_sysvec_apic_timer_interrupt>handler\n"
			"end 0\n");
	g_unlink(path);
}

static void test_garbage(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 unmapped[] = { USER, APP + 0x10, 0x7fff0000, APP + 0x20, 0 };
	/* Where a register for frame pointers holds other things, anything is a caller. */
	const guint64 kernel_below[] = { USER, APP + 0x10, KERNEL_CODE, APP + 0x20, 0 };
	const guint64 marker_below[] = { USER, APP + 0x10, (guint64)-1, APP + 0x20, 0 };
	const guint64 kernel_only[] = { KERNEL, KERNEL_CODE, 0 };

	recording_tick(recording, &(struct recording_stamp){ 10, 10, 100 }, unmapped);
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 102 }, kernel_below);
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 104 }, marker_below);
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 110 }, kernel_only);
	/* A kernel thread: nothing mapped, no user code ever. */
	recording_tick(recording, &(struct recording_stamp){ 2, 2, 120 }, kernel_only);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 ?app+0x1010\n"
				 "SAMPLE 10/10 app 102 1 ?app+0x1010\n"
				 "SAMPLE 10/10 app 104 1 ?app+0x1010\n"
				 "SAMPLE 10/10 app 110 1 ?[kernel]+0xffffffff81000000\n"
				 "START 2/2 :2 120 -1\n"
				 "SAMPLE 2/2 :2 120 1 [kernel]+0xffffffff81000000\n"
				 "end 0\n");
}

/* The number of frames of the only sample, negative when the stack is incomplete. */
static gssize sample_depth(struct recording *recording)
{
	const struct itp_perf_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error;
	struct itp_perf_reader *reader =
		itp_perf_reader_new(recording_write(recording), &options, functions, &error);
	struct itp_stack_event event;
	gssize depth = 0;

	while (itp_perf_reader_next(reader, &event) == 1) {
		if (event.kind == ITP_EVENT_SAMPLE) {
			depth = (gssize)event.frame_count * (event.complete ? 1 : -1);
			/* In the file, where the mapping begins at 0x1000. */
			g_assert_cmphex(event.frames[event.frame_count - 1].address, ==, 0x1001);
		}
	}
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
	return depth;
}

static gssize depth_of_chain(guint64 length)
{
	g_autoptr(recording_auto) recording = usual_recording();
	g_autofree guint64 *chain = g_new0(guint64, length + 2);

	chain[0] = USER;
	for (guint64 i = 1; i <= length; i++) {
		chain[i] = APP + i;
	}
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 100 }, chain);
	return sample_depth(recording);
}

static void test_depth(void)
{
	g_assert_cmpint(depth_of_chain(126), ==, 126);
	g_assert_cmpint(depth_of_chain(127), ==, -127);
	g_assert_cmpint(depth_of_chain(200), ==, 200);
	g_assert_cmpint(depth_of_chain(ITP_MAX_STACK_DEPTH), ==, ITP_MAX_STACK_DEPTH);
	g_assert_cmpint(depth_of_chain(ITP_MAX_STACK_DEPTH + 1), ==, -ITP_MAX_STACK_DEPTH);
}

static void test_zero_address(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const struct {
		guint64 id, ip;
		gint32 pid, tid;
		guint64 time, count, chain[3];
	} body = { RECORDING_ID(4), 0, 10, 10, 100, 3, { USER, APP + 0x10, 0 } };

	recording_raw(recording, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &body, sizeof(body));
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 ?app+0x1010\n"
				 "end 0\n");
}

/* The kernel was asked for its own part alone: whoever wrote the recording has unwound the rest. */
static void test_unwound(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 chain[] = { USER, APP + 0x10, 0 };
	const struct itp_perf_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_stack_event event = { .kind = ITP_EVENT_LOSS };
	struct itp_perf_reader *reader;
	enum itp_error error;

	for (guint i = 0; i < recording->attrs->len; i++) {
		g_array_index(recording->attrs, struct perf_event_attr, i).exclude_callchain_user =
			1;
	}
	recording_tick(recording, &(struct recording_stamp){ 10, 10, 100 }, chain);
	reader = itp_perf_reader_new(recording_write(recording), &options, functions, &error);
	g_assert_nonnull(reader);
	g_assert_cmpstr(itp_perf_reader_description(reader)->call_graph, ==, "dwarf");
	while (event.kind != ITP_EVENT_SAMPLE && itp_perf_reader_next(reader, &event) == 1) {
	}
	g_assert_cmpint(event.kind, ==, ITP_EVENT_SAMPLE);
	g_assert_cmpint(event.found_by, ==, ITP_FOUND_BY_RULE);
	g_assert_true(event.complete);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
}

static void test_unknown_id(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 body[] = { 999, 0, 0, 100, 0 };

	recording_raw(recording, PERF_RECORD_SAMPLE, 0, body, sizeof(body));
	syscall_at(recording, 1);
	assert_events(recording, "START 10/10 app 1 -1\n"
				 "ENTER 10/10 app 1 1 syscall:write ?\n"
				 "end 0\n");
}

static void test_description(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const struct itp_perf_options options = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_perf_reader *reader;
	enum itp_error error;

	recording_add_string(recording, 3, "machine");
	recording_add_string(recording, 4, "1.2.3");
	recording_add_string(recording, 6, "aarch64");
	reader = itp_perf_reader_new(recording_write(recording), &options, functions, &error);
	g_assert_nonnull(reader);
	g_assert_cmpstr(itp_perf_reader_description(reader)->hostname, ==, "machine");
	g_assert_cmpstr(itp_perf_reader_description(reader)->os_release, ==, "1.2.3");
	g_assert_cmpstr(itp_perf_reader_description(reader)->arch, ==, "aarch64");
	g_assert_null(itp_perf_reader_description(reader)->command_line);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
}

static void test_other_architecture(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	recording_add_string(recording, 6, "aarch64");
	syscall_at(recording, 64);
	assert_events(recording, "START 10/10 app 64 -1\n"
				 "ENTER 10/10 app 64 64 syscall:write ?\n"
				 "end 0\n");
}

static void test_not_perf_data(void)
{
	const guint64 pipe[] = { GUINT64_FROM_LE(0x32454c4946524550), 16 };
	const guint64 swapped[] = { GUINT64_FROM_BE(0x32454c4946524550), 104 };
	g_autofree char *directory = events_text("/", NULL);
	g_autofree char *missing = events_text("/nowhere/perf.data", NULL);

	assert_file_error("", 0, ITP_ERROR_EMPTY_FILE);
	assert_file_error("#!/bin/sh\n", 10, ITP_ERROR_NOT_PERF_DATA);
	assert_file_error("PERF", 4, ITP_ERROR_NOT_PERF_DATA);
	assert_file_error("PERFFILE\x68\0\0\0\0\0\0\0", 16, ITP_ERROR_OLD_PERF);
	assert_file_error(pipe, sizeof(pipe), ITP_ERROR_TRUNCATED);
	assert_file_error(swapped, sizeof(swapped), ITP_ERROR_BIG_ENDIAN);
	assert_file_error("PERFILE2", 8, ITP_ERROR_TRUNCATED);
	g_assert_cmpstr(directory, ==, "end -3\n");
	g_assert_cmpstr(missing, ==, "end -2\n");
}

static void assert_attr_error(guint64 sample_type, enum itp_error expected)
{
	g_autoptr(recording_auto) recording = recording_new();

	recording_add_attr(recording, PERF_TYPE_SOFTWARE, 0, sample_type);
	assert_error(recording, expected);
}

static void test_attributes(void)
{
	assert_attr_error(RECORDING_SAMPLE_TYPE & ~PERF_SAMPLE_CALLCHAIN, ITP_ERROR_NO_CALLCHAINS);
	assert_attr_error(RECORDING_SAMPLE_TYPE & ~PERF_SAMPLE_TIME, ITP_ERROR_NO_TIME);
	assert_attr_error(RECORDING_SAMPLE_TYPE & ~PERF_SAMPLE_TID, ITP_ERROR_NO_TID);
}

/* Records that cross the pieces, and rounds inside and outside. */
static struct recording *long_recording(void)
{
	struct recording *recording = usual_recording();

	for (guint64 time = 1; time <= 200; time++) {
		syscall_at(recording, time ^ 1);
		if (time % 16 == 0) {
			recording_round(recording);
		}
	}
	return recording;
}

static void assert_same_compressed(guint32 type, gsize piece)
{
	g_autoptr(recording_auto) plain = long_recording();
	g_autoptr(recording_auto) packed = long_recording();
	g_autofree char *expected = events_text(recording_write(plain), NULL);
	g_autofree char *got = NULL;

	recording_compress(packed, type, piece);
	got = events_text(recording_write(packed), NULL);
	g_assert_true(g_str_has_suffix(expected, "end 0\n"));
	g_assert_cmpstr(got, ==, expected);
}

static void test_compressed(void)
{
	const gsize pieces[] = { 7, 8, 100, 4096, 1000000 };

	for (gsize i = 0; i < G_N_ELEMENTS(pieces); i++) {
		assert_same_compressed(RECORDING_COMPRESSED, pieces[i]);
		assert_same_compressed(RECORDING_COMPRESSED2, pieces[i]);
	}
}

static void test_bad_compression(void)
{
	g_autoptr(recording_auto) noise = usual_recording();
	g_autoptr(recording_auto) lying = usual_recording();
	const guint64 too_long[] = { 9, 0 };

	recording_raw(noise, RECORDING_COMPRESSED, 0, "12345678", 8);
	assert_events(noise, "LOSS -1/-1  0 -2\nend -14\n");
	recording_raw(lying, RECORDING_COMPRESSED2, 0, too_long, sizeof(too_long));
	assert_events(lying, "LOSS -1/-1  0 -2\nend -14\n");
}

static void assert_same_in_pipe(struct recording *recording)
{
	g_autofree char *expected = events_text(recording_write(recording), NULL);
	g_autoptr(GByteArray) image = recording_pipe_image(recording);
	g_autofree char *path = recording_write_bytes(image->data, image->len);
	g_autofree char *got = events_text(path, NULL);

	g_unlink(path);
	g_assert_true(g_str_has_suffix(expected, "end 0\n"));
	g_assert_cmpstr(got, ==, expected);
}

static void test_pipe(void)
{
	g_autoptr(recording_auto) recording = long_recording();

	/* The number of a system call then tells that features are read. */
	recording_add_string(recording, 6, "aarch64");
	assert_same_in_pipe(recording);
	recording_compress(recording, RECORDING_COMPRESSED2, 4096);
	assert_same_in_pipe(recording);
}

/* The last record's end is missing. */
static void test_compressed_rest(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	syscall_at(recording, 1);
	syscall_at(recording, 2);
	g_byte_array_set_size(recording->data, recording->data->len - 8);
	recording_compress(recording, RECORDING_COMPRESSED, 4096);
	assert_events(recording, "START 10/10 app 1 -1\n"
				 "ENTER 10/10 app 1 1 syscall:write ?\n"
				 "LOSS -1/-1  1 -2\n"
				 "end -14\n");
}

/* What has no room in the last compressed record, which is full, perf 6.1 does not write. */
static void test_compressed_end(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	guint32 noise[15000];

	syscall_at(recording, 1);
	for (int i = 0; i < 2; i++) {
		for (size_t k = 0; k < G_N_ELEMENTS(noise); k++) {
			noise[k] = g_rand_int(random);
		}
		recording_raw(recording, PERF_RECORD_ITRACE_START, 0, noise, sizeof noise);
	}
	recording_compress_begin(recording);
	assert_events(recording, "START 10/10 app 1 -1\n"
				 "ENTER 10/10 app 1 1 syscall:write ?\n"
				 "LOSS -1/-1  1 -2\n"
				 "end 0\n");
}

/* Records that all must wait for the end of the round, in few bytes. */
static void test_bomb(void)
{
	g_autoptr(recording_auto) recording = recording_new();
	g_autoptr(recording_auto) unit = usual_recording();
	g_autofree guint64 *padding = g_new0(guint64, 8000);
	g_autofree char *text = NULL;

	recording_add_usual(recording);
	g_byte_array_set_size(unit->data, 0);
	padding[0] = RECORDING_ID(0);
	padding[1] = 10;
	padding[7996] = UINT64_C(10) << 32 | 10;
	padding[7997] = 5;
	padding[7999] = RECORDING_ID(0);
	recording_raw(unit, PERF_RECORD_LOST, 0, padding, 8000 * sizeof(padding[0]));
	for (gsize i = 0; i < 9000; i++) {
		g_byte_array_append(recording->data, unit->data->data, unit->data->len);
	}
	recording_compress(recording, RECORDING_COMPRESSED, 4 * 1024 * 1024);
	g_assert_cmpuint(recording->data->len, <, 1024 * 1024);
	text = events_text(recording_write(recording), NULL);
	g_assert_true(g_str_has_suffix(text, "LOSS -1/-1  5 -2\nend -15\n"));
}

static void test_corrupt_record(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 nothing = 0;

	syscall_at(recording, 1);
	g_byte_array_append(recording->data, (const guint8 *)&nothing, sizeof(nothing));
	syscall_at(recording, 2);
	assert_events(recording, "START 10/10 app 1 -1\n"
				 "ENTER 10/10 app 1 1 syscall:write ?\n"
				 "LOSS -1/-1  1 -2\n"
				 "end -14\n");
}

static void test_lying_chain(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 body[] = { RECORDING_ID(4), 0, 0, 100, UINT64_MAX / 8, 0 };

	recording_raw(recording, PERF_RECORD_SAMPLE, 0, body, sizeof(body));
	assert_events(recording, "LOSS -1/-1  100 -2\nend -14\n");
}

/* The events of a recording of one system call whose feature sections were never written, and
 * whose file lacks `cut` bytes at its end, or the size of its data. */
static char *events_of_unfinished(gsize cut, gboolean has_size)
{
	g_autoptr(recording_auto) recording = usual_recording();
	g_autoptr(GByteArray) image = NULL;
	g_autofree char *path = NULL;
	char *text;

	syscall_at(recording, 1);
	g_byte_array_free(recording->features[1], TRUE);
	recording->features[1] = NULL;
	image = recording_image(recording);
	if (!has_size) {
		memset(image->data + 48, 0, sizeof(guint64));
	}
	path = recording_write_bytes(image->data, image->len - cut);
	text = events_text(path, NULL);
	g_unlink(path);
	return text;
}

static void test_truncated(void)
{
	g_autofree char *text = events_of_unfinished(1, TRUE);

	g_assert_cmpstr(text, ==, "LOSS -1/-1  0 -2\nend -13\n");
}

static void test_unfinished(void)
{
	/* Killed: records, but nobody came back to write their size and the features. */
	g_autofree char *text = events_of_unfinished(0, FALSE);

	/* Without the formats a system call is just a stack. */
	g_assert_cmpstr(text, ==,
			"START 10/10 app 1 -1\n"
			"SAMPLE 10/10 app 1 0 ?\n"
			"LOSS -1/-1  1 -2\n"
			"end -13\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/perf-reader/attributes samples to processes, images and threads",
			test_fork_exec_thread);
	g_test_add_func("/perf-reader/a mapping counts for all threads of its process",
			test_mapping_of_thread);
	g_test_add_func("/perf-reader/equal times keep the order of the file", test_equal_times);
	g_test_add_func("/perf-reader/rounds come in the order of time", test_rounds);
	g_test_add_func("/perf-reader/many short runs come in the order of time", test_many_runs);
	g_test_add_func("/perf-reader/losses are told once", test_loss);
	g_test_add_func("/perf-reader/switches and wakeups name the right threads", test_switches);
	g_test_add_func("/perf-reader/who is woken in a call", test_who_is_woken_in_a_call);
	g_test_add_func("/perf-reader/thread numbers of another namespace are not used",
			test_namespace);
	g_test_add_func("/perf-reader/switch records do without a tracepoint", test_switch_records);
	g_test_add_func("/perf-reader/a thread ends with its last switch", test_last_switch);
	g_test_add_func("/perf-reader/so does each of the machine", test_last_switch_of_machine);
	g_test_add_func("/perf-reader/markers tell user from kernel and return addresses",
			test_markers);
	g_test_add_func("/perf-reader/an interrupt hits the function that it stands in",
			test_interrupted);
	g_test_add_func("/perf-reader/numbers that are no code are cut off", test_garbage);
	g_test_add_func("/perf-reader/stacks cut by depth are incomplete", test_depth);
	g_test_add_func("/perf-reader/a zero at the root is dropped", test_zero_address);
	g_test_add_func("/perf-reader/stacks that the recorder has unwound are known",
			test_unwound);
	g_test_add_func("/perf-reader/records of unknown events are skipped", test_unknown_id);
	g_test_add_func("/perf-reader/a recording describes itself", test_description);
	g_test_add_func("/perf-reader/system calls follow the architecture",
			test_other_architecture);
	g_test_add_func("/perf-reader/what is no perf.data is told apart", test_not_perf_data);
	g_test_add_func("/perf-reader/missing fields are told", test_attributes);
	g_test_add_func("/perf-reader/compressed records read as plain ones", test_compressed);
	g_test_add_func("/perf-reader/the layout of pipes reads as a file", test_pipe);
	g_test_add_func("/perf-reader/bad compression is told", test_bad_compression);
	g_test_add_func("/perf-reader/a compressed stream that stops in a record is told",
			test_compressed_rest);
	g_test_add_func("/perf-reader/one that perf did not end is told, and no error",
			test_compressed_end);
	g_test_add_func("/perf-reader/what unpacks to far more than it should is refused",
			test_bomb);
	g_test_add_func("/perf-reader/a record without a size ends the reading",
			test_corrupt_record);
	g_test_add_func("/perf-reader/a chain longer than its record ends the reading",
			test_lying_chain);
	g_test_add_func("/perf-reader/a process has the name of its first thread",
			test_process_name);
	g_test_add_func("/perf-reader/a cut file is truncated", test_truncated);
	g_test_add_func("/perf-reader/a killed recording is read and truncated", test_unfinished);
	return g_test_run();
}
