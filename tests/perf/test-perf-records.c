/* SPDX-License-Identifier: MIT */
/*
 * Every kind of record and every field of samples that perf writes: what is used is right, and
 * what is not used does not get in its way.
 */
#include "tests/perf/usual.h"

#include <sys/mman.h>

#define BASE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)

/* Process and thread 10, as a field. */
#define THREAD (UINT64_C(10) << 32 | 10)

/* The chain of all samples here: its number of entries and the entries. */
#define CHAIN 2, USER, APP + 0x10
#define FRAME "app+0x1010"

/* Names that are newer than some headers. */
#define FORMAT_LOST (1U << 4)
#define BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define BRANCH_COUNTERS (UINT64_C(1) << 19)
#define MISC_LOST_SAMPLES_BPF (1 << 15)

#define SAMPLE(recording, ...)                                                            \
	do {                                                                              \
		const guint64 body[] = { __VA_ARGS__ };                                   \
		recording_raw(recording, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body, \
			      sizeof(body));                                              \
	} while (0)

/* The mapped program, and one event with this sample type; `ret_attr` may be changed. */
static struct recording *recording_of(guint64 sample_type, struct perf_event_attr **ret_attr)
{
	struct recording *recording = recording_new();
	const struct recording_stamp before = { .pid = 10, .tid = 10 };

	recording_add_attr(recording, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, sample_type);
	recording_comm(recording, &before, "app", FALSE);
	recording_mmap(recording, &before, APP, 0x1000, "/nowhere/app");
	*ret_attr = &g_array_index(recording->attrs, struct perf_event_attr, 0);
	return recording;
}

static void assert_one_sample(struct recording *recording)
{
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 " FRAME "\n"
				 "end 0\n");
}

static void assert_corrupt(struct recording *recording)
{
	assert_events(recording, "LOSS -1/-1  100 -2\nend -14\n");
}

static void test_sample_types(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 all = PERF_SAMPLE_IDENTIFIER | BASE | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	const guint64 few = PERF_SAMPLE_IDENTIFIER | BASE;
	guint wide = recording_add_attr(recording, PERF_TYPE_SOFTWARE, 0, all);
	guint small = recording_add_attr(recording, PERF_TYPE_HARDWARE, 0, few);

	SAMPLE(recording, RECORDING_ID(small), 1, THREAD, 100, CHAIN);
	SAMPLE(recording, RECORDING_ID(wide), 1, THREAD, 110, 2, 3, 4, 5, 6, CHAIN);
	syscall_at(recording, 120);
	SAMPLE(recording, RECORDING_ID(small), 1, THREAD, 130, CHAIN);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 " FRAME "\n"
				 "SAMPLE 10/10 app 110 6 " FRAME "\n"
				 "ENTER 10/10 app 120 120 syscall:getresgid ?\n"
				 "SAMPLE 10/10 app 130 1 " FRAME "\n"
				 "end 0\n");
}

/* Two events whose id is in PERF_SAMPLE_ID, as perf writes it when it needs no identifier. */
static void test_plain_id(void)
{
	struct perf_event_attr *first;
	g_autoptr(recording_auto) recording =
		recording_of(BASE | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID, &first);

	g_byte_array_set_size(recording->data, 0);
	recording_add_attr(recording, PERF_TYPE_SOFTWARE, 1,
			   BASE | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_CPU);
	SAMPLE(recording, 1, THREAD, 110, 2, RECORDING_ID(1), 3, CHAIN);
	SAMPLE(recording, 1, THREAD, 120, 2, RECORDING_ID(0), CHAIN);
	assert_events(recording, "START 10/10 :10 110 -1\n"
				 "SAMPLE 10/10 :10 110 1 [unknown]\n"
				 "SAMPLE 10/10 :10 120 1 [unknown]\n"
				 "end 0\n");
}

static void add_comm(struct recording *recording, const guint64 *trailer, gsize size)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	const guint64 thread = THREAD;

	g_byte_array_append(body, (const guint8 *)&thread, sizeof(thread));
	g_byte_array_append(body, (const guint8 *)"renamed\0", 8);
	g_byte_array_append(body, (const guint8 *)trailer, (guint)size);
	recording_raw(recording, PERF_RECORD_COMM, 0, body->data, body->len);
}

static void test_trailers(void)
{
	struct perf_event_attr *attr;
	const guint64 type = BASE | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID |
			     PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
	g_autoptr(recording_auto) recording = recording_of(type, &attr);
	const guint64 trailer[] = { THREAD, 110, RECORDING_ID(0), 1, 2, RECORDING_ID(0) };

	g_byte_array_set_size(recording->data, 0);
	/* Before its time in the file. */
	add_comm(recording, trailer, sizeof(trailer));
	SAMPLE(recording, RECORDING_ID(0), 1, THREAD, 100, RECORDING_ID(0), 1, 2, 0);
	SAMPLE(recording, RECORDING_ID(0), 1, THREAD, 120, RECORDING_ID(0), 1, 2, 0);
	assert_events(recording, "START 10/10 :10 100 -1\n"
				 "SAMPLE 10/10 :10 100 1\n"
				 "SAMPLE 10/10 renamed 120 1\n"
				 "end 0\n");
}

static void test_no_trailers(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(BASE, &attr);

	attr->sample_id_all = 0;
	g_byte_array_set_size(recording->data, 0);
	add_comm(recording, NULL, 0);
	SAMPLE(recording, 1, THREAD, 100, 0);
	assert_events(recording, "START 10/10 renamed 100 -1\n"
				 "SAMPLE 10/10 renamed 100 1\n"
				 "end 0\n");
}

static void test_endless_name(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(BASE, &attr);
	const guint64 program[] = { APP, UINT64_C(1) << 32 | 0x100, UINT64_MAX };

	attr->sample_id_all = 0;
	g_byte_array_set_size(recording->data, 0);
	recording_raw(recording, PERF_RECORD_KSYMBOL, 0, program, sizeof(program));
	assert_events(recording, "LOSS -1/-1  0 -2\nend -14\n");
}

static void test_read(void)
{
	const guint64 times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(BASE | PERF_SAMPLE_READ, &attr);

	attr->read_format = times | PERF_FORMAT_ID | FORMAT_LOST;
	SAMPLE(recording, 1, THREAD, 100, /* value, times, id, lost */ 9, 8, 7, 6, 5, CHAIN);
	assert_one_sample(recording);
}

static void test_read_group(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(BASE | PERF_SAMPLE_READ, &attr);

	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_ID |
			    FORMAT_LOST;
	SAMPLE(recording, 1, THREAD, 100, /* number, time */ 2, 9, /* value, id, lost */ 1, 2, 3, 4,
	       5, 6, CHAIN);
	SAMPLE(recording, 1, THREAD, 110, /* nobody */ 0, 9, CHAIN);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 " FRAME "\n"
				 "SAMPLE 10/10 app 110 1 " FRAME "\n"
				 "end 0\n");
}

static void test_lying_group(void)
{
	const guint64 numbers[] = { 2, UINT64_MAX, UINT64_MAX / 24 + 1 };

	for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
		struct perf_event_attr *attr;
		g_autoptr(recording_auto) recording = recording_of(BASE | PERF_SAMPLE_READ, &attr);

		attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | FORMAT_LOST;
		SAMPLE(recording, 1, THREAD, 100, numbers[i], 1, 2, 3, 4);
		assert_corrupt(recording);
	}
}

/* What follows the branches would be read from a wrong place. */
#define BRANCHES (BASE | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define AFTER_BRANCHES \
	PERF_SAMPLE_REGS_ABI_NONE, /* room */ 16, UINT64_MAX, UINT64_MAX, /* used */ 16

static struct recording *recording_of_branches(guint64 branch_sample_type)
{
	struct perf_event_attr *attr;
	struct recording *recording = recording_of(BRANCHES, &attr);

	attr->branch_sample_type = branch_sample_type;
	/* Three registers, if there were any. */
	attr->sample_regs_user = 7;
	return recording;
}

static void test_branches(void)
{
	g_autoptr(recording_auto) recording = recording_of_branches(0);

	SAMPLE(recording, 1, THREAD, 100, CHAIN, /* number */ 2, /* from, to, flags */ 1, 2, 3, 4,
	       5, 6, AFTER_BRANCHES);
	assert_one_sample(recording);
}

static void test_branch_index(void)
{
	g_autoptr(recording_auto) recording = recording_of_branches(BRANCH_HW_INDEX);

	SAMPLE(recording, 1, THREAD, 100, CHAIN, /* number, index */ 1, UINT64_MAX, 1, 2, 3,
	       AFTER_BRANCHES);
	assert_one_sample(recording);
}

static void test_branch_counters(void)
{
	g_autoptr(recording_auto) recording =
		recording_of_branches(BRANCH_HW_INDEX | BRANCH_COUNTERS);

	SAMPLE(recording, 1, THREAD, 100, CHAIN, /* number, index */ 2, 0, 1, 2, 3, 4, 5, 6,
	       /* counters */ 7, 8, AFTER_BRANCHES);
	assert_one_sample(recording);
}

/* The kernel writes the leaf of the user's part, the CPU has the rest: calls from where to where.
 */
static void test_call_stack(void)
{
	g_autoptr(recording_auto) recording =
		recording_of_branches(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK);

	SAMPLE(recording, 1, THREAD, 100, /* chain */ 4, KERNEL, 0xffffffff81000000, USER,
	       APP + 0x10, /* number */ 2, APP + 0x20, APP + 0x10, 0, APP + 0x30, APP + 0x20, 0,
	       AFTER_BRANCHES);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 ?app+0x1030>app+0x1020>app+0x1010>"
				 "[kernel]+0xffffffff81000000\n"
				 "end 0\n");
}

/* Calls of the user's are none of the kernel's, whose chain has no user's part. */
static void test_call_stack_without_user_part(void)
{
	g_autoptr(recording_auto) recording =
		recording_of_branches(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK);

	SAMPLE(recording, 1, THREAD, 100, /* chain */ 2, KERNEL, 0xffffffff81000000, /* number */ 1,
	       APP + 0x20, APP + 0x10, 0, AFTER_BRANCHES);
	SAMPLE(recording, APP + 0x10, THREAD, 200, /* chain */ 0, /* number */ 1, APP + 0x20,
	       APP + 0x10, 0, AFTER_BRANCHES);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 ?app+0x1021>[kernel]+0xffffffff81000000\n"
				 "SAMPLE 10/10 app 200 1 ?app+0x1020>app+0x1010\n"
				 "end 0\n");
}

/* In user code such a sample has its address alone. */
static void test_kernel_chains(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(BASE, &attr);

	attr->exclude_callchain_user = 1;
	SAMPLE(recording, APP + 0x10, THREAD, 100, /* chain */ 0);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 ?" FRAME "\n"
				 "end 0\n");
}

/* Linux 3.10 to 3.15 wrote no protection and no flags before the path. */
static void test_old_mappings(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(BASE, &attr);
	const struct {
		guint64 thread, start, length, offset, place[3];
		char path[16];
		guint64 trailer[2];
	} mapping = { THREAD, APP, 0x1000, 0x1000, { 0 }, "/nowhere/app", { THREAD, 0 } };

	g_byte_array_set_size(recording->data, 0);
	recording_raw(recording, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, &mapping,
		      sizeof(mapping));
	SAMPLE(recording, 1, THREAD, 100, CHAIN);
	assert_events(recording, "START 10/10 :10 100 -1\n"
				 "SAMPLE 10/10 :10 100 1 " FRAME "\n"
				 "end 0\n");
}

#define CACHE UINT64_C(0x10000000)

/* Maps 0x1000 bytes at CACHE, which nobody may execute. */
static void add_cache(struct recording *recording, guint16 misc)
{
	const struct {
		guint64 thread, start, length, offset, place[3];
		guint32 protection, flags;
		char path[16];
		guint64 trailer[2];
	} mapping = { THREAD, CACHE, 0x1000, 0, { 0 }, PROT_READ, 2, "app-cache", { THREAD, 0 } };

	recording_raw(recording, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | misc, &mapping,
		      sizeof(mapping));
}

/* The kernel calls memory data that is not to be executed. A recorder that knows byte code does
 * not: such a frame is one between others, and what led a chain astray is none. */
static void test_byte_code(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(BASE, &attr);

	add_cache(recording, 0);
	SAMPLE(recording, 1, THREAD, 100, 4, USER, APP + 0x10, CACHE + 0x21, APP + 0x31);
	SAMPLE(recording, 1, THREAD, 200, 4, USER, APP + 0x10, APP + 0x31, CACHE + 0x21);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 app+0x1030>app-cache+0x20>app+0x1010\n"
				 "SAMPLE 10/10 app 200 1 ?app+0x1030>app+0x1010\n"
				 "end 0\n");
}

static void test_data(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(BASE, &attr);

	add_cache(recording, PERF_RECORD_MISC_MMAP_DATA);
	SAMPLE(recording, 1, THREAD, 100, 4, USER, APP + 0x10, CACHE + 0x21, APP + 0x31);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 ?app+0x1010\n"
				 "end 0\n");
}

static void test_lying_branches(void)
{
	const guint64 numbers[] = { 3, UINT64_MAX, UINT64_MAX / 24 + 1 };

	for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
		g_autoptr(recording_auto) recording = recording_of_branches(0);

		/* Without branches the rest would make sense. */
		SAMPLE(recording, 1, THREAD, 100, CHAIN, numbers[i], 1, 0, 0, 0, 0, 0, 0, 0);
		assert_corrupt(recording);
	}
}

#define DWARF (BASE | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* Tells a control group, before the recording's time. */
static void add_group(struct recording *recording, guint64 number, const char *path)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	const guint64 trailer[] = { THREAD, 0, RECORDING_ID(0) };

	g_byte_array_append(body, (const guint8 *)&number, sizeof(number));
	g_byte_array_append(body, (const guint8 *)path, (guint)strlen(path));
	g_byte_array_append(body, (const guint8 *)"\0\0\0\0\0\0\0",
			    (guint)(sizeof(number) - strlen(path) % sizeof(number)));
	g_byte_array_append(body, (const guint8 *)trailer, sizeof(trailer));
	recording_raw(recording, PERF_RECORD_CGROUP, 0, body->data, body->len);
}

/* Samples of a thread in group 7, then 8, then one that nobody has told: behind all fields that
 * there may be in front. */
static struct recording *recording_of_groups(void)
{
	struct perf_event_attr *attr;
	struct recording *recording = recording_of(
		PERF_SAMPLE_IDENTIFIER | DWARF | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
			PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR |
			PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE,
		&attr);

	attr->sample_regs_user = 1;
	attr->sample_regs_intr = 3;
	add_group(recording, 7, "/lxc/web");
	add_group(recording, 8, "/system.slice/cron.service");
	for (guint64 i = 0; i < 3; i++) {
		SAMPLE(recording, RECORDING_ID(0), 1, THREAD, 100 + i, CHAIN,
		       /* registers */ PERF_SAMPLE_REGS_ABI_NONE, /* room of the stack */ 0,
		       /* weight, source, transaction */ 1, 2, 3,
		       /* registers */ PERF_SAMPLE_REGS_ABI_64, 4, 5,
		       /* address */ 6, /* group */ 7 + i, /* page */ 4096);
	}
	return recording;
}

static void test_groups(void)
{
	g_autoptr(recording_auto) recording = recording_of_groups();
	const struct itp_perf_options options = { .names_containers = true };
	g_autofree char *text = NULL;

	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 " FRAME "\n"
				 "SAMPLE 10/10 app 101 1 " FRAME "\n"
				 "SAMPLE 10/10 app 102 1 " FRAME "\n"
				 "end 0\n");
	text = events_text(recording_write(recording), &options);
	g_assert_cmpstr(text, ==,
			"START 10/10 web 100 -1\n"
			"SAMPLE 10/10 web 100 1 " FRAME "\n"
			"SAMPLE 10/10 cron.service 101 1 " FRAME "\n"
			"SAMPLE 10/10 [no container] 102 1 " FRAME "\n"
			"end 0\n");
}

static void test_lying_groups(void)
{
	const guint64 trailer[] = { 7, THREAD, 0, RECORDING_ID(0) };
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording =
		recording_of(PERF_SAMPLE_IDENTIFIER | BASE | PERF_SAMPLE_CGROUP, &attr);
	g_autoptr(recording_auto) nameless = recording_of(PERF_SAMPLE_IDENTIFIER | BASE, &attr);

	/* A sample that ends before its group, and a group without a path. */
	SAMPLE(recording, RECORDING_ID(0), 1, THREAD, 100, CHAIN);
	assert_corrupt(recording);
	recording_raw(nameless, PERF_RECORD_CGROUP, 0, trailer, sizeof(trailer));
	assert_events(nameless, "LOSS -1/-1  0 -2\nend -14\n");
}

static void test_other_abis(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(DWARF, &attr);

	attr->sample_regs_user = 3;
	/* A thread without user mode, and one of 32 bits, which is not unwound. */
	SAMPLE(recording, 1, THREAD, 100, CHAIN, PERF_SAMPLE_REGS_ABI_NONE, 0);
	SAMPLE(recording, 1, THREAD, 110, CHAIN, PERF_SAMPLE_REGS_ABI_32, 1, 2, /* room */ 8, 3,
	       /* used */ 8);
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "SAMPLE 10/10 app 100 1 " FRAME "\n"
				 "SAMPLE 10/10 app 110 1 " FRAME "\n"
				 "end 0\n");
}

static void test_lying_stack(void)
{
	const struct {
		guint64 room;
		guint64 used;
	} stacks[] = {
		/* More than there is in the record. */
		{ 40, 8 },
		{ UINT64_MAX, 8 },
		{ UINT64_MAX - 7, 8 },
		/* More than there was room for. */
		{ 16, 17 },
		{ 16, UINT64_MAX },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(stacks); i++) {
		struct perf_event_attr *attr;
		g_autoptr(recording_auto) recording = recording_of(DWARF, &attr);

		attr->sample_regs_user = 1;
		SAMPLE(recording, 1, THREAD, 100, CHAIN, PERF_SAMPLE_REGS_ABI_64, 1, stacks[i].room,
		       2, 3, stacks[i].used);
		assert_corrupt(recording);
	}
}

static void test_lying_registers(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording = recording_of(DWARF, &attr);

	attr->sample_regs_user = UINT64_MAX;
	SAMPLE(recording, 1, THREAD, 100, CHAIN, PERF_SAMPLE_REGS_ABI_64, 1, 2, 3);
	assert_corrupt(recording);
}

/* A record of the kernel with nothing but 7 numbers and a trailer. */
static void add_record(struct recording *recording, guint32 type, guint16 misc, guint64 first,
		       guint64 second)
{
	const guint64 body[] = { first, second, 0, 0, 0, 0, 0, THREAD, 100, 0, RECORDING_ID(0) };

	recording_raw(recording, type, misc, body, sizeof(body));
}

static void test_unused_records(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint32 types[] = { PERF_RECORD_READ,       PERF_RECORD_THROTTLE,
				  PERF_RECORD_NAMESPACES, PERF_RECORD_BPF_EVENT,
				  PERF_RECORD_CGROUP,     PERF_RECORD_TEXT_POKE };
	/* Of the tool: event update, id index, time conversion, end of the first records; since
	 * perf 6.17 and later, of BPF programs, and of the scheduler. */
	const guint32 own_types[] = { 78, 69, 79, 82, 84, 85, 86 };
	const guint64 nothing[4] = { 0 };

	for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
		add_record(recording, types[i], 0, 1, 2);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(own_types); i++) {
		recording_raw(recording, own_types[i], 0, nothing, sizeof(nothing));
	}
	syscall_at(recording, 110);
	assert_events(recording, "START 10/10 app 110 -1\n"
				 "ENTER 10/10 app 110 110 syscall:getppid ?\n"
				 "end 0\n");
	g_assert_cmpuint(counts_of(recording).skipped_records, ==, 0);
}

static void test_skipped_records(void)
{
	g_autoptr(recording_auto) recording = usual_recording();
	const guint64 trace[] = { 16, 0, 0, 0, 0 };
	/* AUX, start of a trace, id of the hardware; one that no kernel has yet. */
	const guint32 types[] = { 11, 12, 21, 40 };
	const guint32 own_types[] = { 72, 120, 70000 };

	for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
		add_record(recording, types[i], 0, 1, 2);
	}
	/* A trace's 16 bytes follow its record; as records they would end the reading. */
	recording_raw(recording, 71, 0, trace, sizeof(trace));
	g_byte_array_append(recording->data, (const guint8 *)(trace + 1), 16);
	for (gsize i = 0; i < G_N_ELEMENTS(own_types); i++) {
		recording_raw(recording, own_types[i], 0, trace, sizeof(trace));
	}
	syscall_at(recording, 110);
	assert_events(recording, "START 10/10 app 110 -1\n"
				 "ENTER 10/10 app 110 110 syscall:getppid ?\n"
				 "end 0\n");
	g_assert_cmpuint(counts_of(recording).skipped_records, ==, 8);
}

static void test_throttle(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	/* A timer that ticks less often loses nothing. */
	add_record(recording, PERF_RECORD_UNTHROTTLE, 0, 100, RECORDING_ID(4));
	assert_events(recording, "end 0\n");
	add_record(recording, PERF_RECORD_UNTHROTTLE, 0, 100, RECORDING_ID(2));
	assert_events(recording, "LOSS -1/-1  100 -1\nend 0\n");
}

static void test_lost_samples(void)
{
	g_autoptr(recording_auto) recording = usual_recording();

	add_record(recording, PERF_RECORD_LOST_SAMPLES, 0, 3, 0);
	/* Dropped on demand of a filter. */
	add_record(recording, PERF_RECORD_LOST_SAMPLES, MISC_LOST_SAMPLES_BPF, 4, 0);
	/* The event's id comes first. */
	add_record(recording, PERF_RECORD_LOST, 0, RECORDING_ID(1), 5);
	assert_events(recording, "LOSS -1/-1  100 3\nLOSS -1/-1  100 5\nend 0\n");
}

static void test_cpu_wide_switches(void)
{
	struct perf_event_attr *attr;
	g_autoptr(recording_auto) recording =
		recording_of(BASE | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER, &attr);
	/* Who comes next, or was before; then the trailer. */
	const guint64 other = UINT64_C(20) << 32 | 20;
	const guint64 in[] = { other, THREAD, 100, 0, RECORDING_ID(0) };
	const guint64 out[] = { other, THREAD, 110, 0, RECORDING_ID(0) };

	recording_raw(recording, PERF_RECORD_SWITCH_CPU_WIDE, 0, in, sizeof(in));
	recording_raw(recording, PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT, out,
		      sizeof(out));
	assert_events(recording, "START 10/10 app 100 -1\n"
				 "IN 10/10 app 100 0\n"
				 "OUT 10/10 app 110 1 ?\n"
				 "end 0\n");
}

static void test_big_endian(void)
{
	const guint64 magic = GUINT64_FROM_BE(0x32454c4946524550);
	const guint64 file[13] = { magic, GUINT64_TO_BE(104) };
	const guint64 pipe[2] = { magic, GUINT64_TO_BE(16) };

	assert_file_error(file, sizeof(file), ITP_ERROR_BIG_ENDIAN);
	assert_file_error(pipe, sizeof(pipe), ITP_ERROR_BIG_ENDIAN);
	assert_file_error(pipe, 8, ITP_ERROR_BIG_ENDIAN);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/perf-records/events of different sample types in one file",
			test_sample_types);
	g_test_add_func("/perf-records/events told apart by their plain id", test_plain_id);
	g_test_add_func("/perf-records/trailers with every field", test_trailers);
	g_test_add_func("/perf-records/records without trailers count from their place on",
			test_no_trailers);
	g_test_add_func(
		"/perf-records/the name of a kernel's function without an end ends the reading",
		test_endless_name);
	g_test_add_func("/perf-records/the value read of one event", test_read);
	g_test_add_func("/perf-records/the values read of a group, and of an empty one",
			test_read_group);
	g_test_add_func("/perf-records/a group larger than its record ends the reading",
			test_lying_group);
	g_test_add_func("/perf-records/branch stacks are ignored", test_branches);
	g_test_add_func("/perf-records/branch stacks with an index are ignored", test_branch_index);
	g_test_add_func("/perf-records/branch stacks with counters are ignored",
			test_branch_counters);
	g_test_add_func("/perf-records/a call stack of branches is the user's part",
			test_call_stack);
	g_test_add_func("/perf-records/a call stack of branches is none of the kernel's",
			test_call_stack_without_user_part);
	g_test_add_func("/perf-records/user code without a chain has its address",
			test_kernel_chains);
	g_test_add_func("/perf-records/mappings without protection", test_old_mappings);
	g_test_add_func("/perf-records/byte code is between other frames, or nowhere",
			test_byte_code);
	g_test_add_func("/perf-records/what is mapped as data is no frame", test_data);
	g_test_add_func("/perf-records/a branch stack larger than its record ends the reading",
			test_lying_branches);
	g_test_add_func("/perf-records/registers of no or another kind", test_other_abis);
	g_test_add_func("/perf-records/a stack copy shorter than claimed ends the reading",
			test_lying_stack);
	g_test_add_func("/perf-records/fewer registers than claimed end the reading",
			test_lying_registers);
	g_test_add_func(
		"/perf-records/namespaces and others that tell nothing here are passed over",
		test_unused_records);
	g_test_add_func("/perf-records/aux and unknown records are skipped and counted",
			test_skipped_records);
	g_test_add_func("/perf-records/a throttled tracepoint loses events, a timer does not",
			test_throttle);
	g_test_add_func("/perf-records/control groups", test_groups);
	g_test_add_func("/perf-records/damaged control groups", test_lying_groups);
	g_test_add_func("/perf-records/lost and lost samples are losses", test_lost_samples);
	g_test_add_func("/perf-records/switches of a whole machine", test_cpu_wide_switches);
	g_test_add_func("/perf-records/big-endian files and pipes are refused", test_big_endian);
	return g_test_run();
}
