/* SPDX-License-Identifier: MIT */
/*
 * See calibration.h. perf itself takes a second to start and would hide what is measured here; so
 * this opens the same tracepoint with the same kinds of stacks, and empties the ring buffer into a
 * file. A tick of a timer is one more kind, as its interrupt costs several times as much as an
 * event in a virtual machine. Time is that of this thread, in user mode and in the kernel.
 */
#include "plugins/perf/command/calibration.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define TRACEPOINT_ID_FILE "events/raw_syscalls/sys_enter/id"
/* More than caches hold, as the ring of a recording is. */
#define RING_PAGES 4096
#define MAX_CALLS 2048
#define FRAMES 16
/* Of a sample without its stack. */
#define SAMPLE_BYTES 512
#define ROUNDS 9
/* Until all of the ring was used once. */
#define WARM_UP_ROUNDS 3
/* More than any copy. */
#define STACK_BYTES 65536
/* Faster than a recording has it, to see it in so short a time. */
#define TICK_PERIOD_NS 200000
/* A few milliseconds. */
#define SPINS 10000000

/* Two sizes of a copy tell what is fixed and what a byte costs. */
enum kind {
	FRAME_POINTERS,
	SMALL_COPY,
	LARGE_COPY,
	/* Of a timer, by frame pointers. */
	TICK,
};

#define KINDS 4

static const unsigned int stack_sizes[KINDS] = {
	[FRAME_POINTERS] = 0,
	[SMALL_COPY] = 4096,
	[LARGE_COPY] = 32768,
	[TICK] = 0,
};

/* One kind of stack, being measured. */
struct recorder {
	int event;
	/* Temporary, already unlinked. */
	int file;
	struct perf_event_mmap_page *ring;
	size_t ring_bytes;
};

static bool fail(GError **error, const char *what)
{
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
		    "--overhead: the cost of an event cannot be measured: %s: %s", what,
		    g_strerror(errno));
	return false;
}

/* 0 when tracepoints cannot be read. */
static guint64 tracepoint_id(void)
{
	static const char *const mounts[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	guint64 id = 0;

	for (size_t i = 0; id == 0 && i < G_N_ELEMENTS(mounts); i++) {
		g_autofree char *path = g_build_filename(mounts[i], TRACEPOINT_ID_FILE, NULL);
		g_autofree char *text = NULL;

		if (g_file_get_contents(path, &text, NULL, NULL)) {
			id = g_ascii_strtoull(text, NULL, 10);
		}
	}
	return id;
}

/* As perf record asks for it. */
static int open_event(enum kind kind)
{
	unsigned int stack_bytes = stack_sizes[kind];
	struct perf_event_attr attr = {
		.type = kind == TICK ? PERF_TYPE_SOFTWARE : PERF_TYPE_TRACEPOINT,
		.size = sizeof attr,
		.config = kind == TICK ? PERF_COUNT_SW_CPU_CLOCK : tracepoint_id(),
		.sample_period = kind == TICK ? TICK_PERIOD_NS : 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW |
			       PERF_SAMPLE_CALLCHAIN,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	if (stack_bytes > 0) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = 1;
		attr.sample_stack_user = stack_bytes;
		attr.exclude_callchain_user = 1;
	}
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int open_file(void)
{
	g_autofree char *name = NULL;
	int file = g_file_open_tmp(NULL, &name, NULL);

	if (name) {
		g_unlink(name);
	}
	return file;
}

static void recorder_release(struct recorder *recorder)
{
	if (recorder->ring) {
		munmap(recorder->ring, recorder->ring_bytes);
	}
	if (recorder->event >= 0) {
		close(recorder->event);
	}
	if (recorder->file >= 0) {
		close(recorder->file);
	}
}

static bool recorder_init(struct recorder *recorder, enum kind kind, GError **error)
{
	void *ring;

	*recorder = (struct recorder){
		.event = open_event(kind),
		.file = -1,
		.ring_bytes = (RING_PAGES + 1) * (size_t)sysconf(_SC_PAGESIZE),
	};
	if (recorder->event < 0) {
		return fail(error, "raw_syscalls:sys_enter");
	}
	recorder->file = open_file();
	if (recorder->file < 0) {
		return fail(error, g_get_tmp_dir());
	}
	ring = mmap(NULL, recorder->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, recorder->event,
		    0);
	if (ring == MAP_FAILED) {
		return fail(error, "its buffer");
	}
	recorder->ring = ring;
	return true;
}

/* Writes out what is in the ring, which never has more than fits; over what was written before, as
 * memory that the machine has to find first costs many times as much on some, and differs. */
static bool drain(const struct recorder *recorder)
{
	const char *data = (const char *)recorder->ring + recorder->ring->data_offset;
	guint64 size = recorder->ring->data_size;
	guint64 head = __atomic_load_n(&recorder->ring->data_head, __ATOMIC_ACQUIRE);
	guint64 tail = recorder->ring->data_tail;
	bool done = lseek(recorder->file, 0, SEEK_SET) == 0;

	while (done && tail < head) {
		guint64 at = tail % size;
		ssize_t written = write(recorder->file, data + at, MIN(head - tail, size - at));

		done = written > 0;
		tail += done ? (guint64)written : 0;
	}
	__atomic_store_n(&recorder->ring->data_tail, head, __ATOMIC_RELEASE);
	return done;
}

/* System calls that do nothing, below as many frames as a program has. */
static G_GNUC_NO_INLINE void call_deeply(unsigned int frames, guint count)
{
	/* Makes the compiler keep a frame pointer. */
	void *volatile frame = __builtin_frame_address(0);

	if (frames > 0) {
		call_deeply(frames - 1, count);
	}
	for (guint i = 0; frames == 0 && i < count; i++) {
		(void)syscall(SYS_getppid);
	}
	/* Not the last thing that it does is to call. */
	(void)frame;
}

static gint64 thread_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * G_GINT64_CONSTANT(1000000000) + now.tv_nsec;
}

/* Of a call; with a recorder, also of recording it and writing it out. -1 when that failed. */
static double time_calls(const struct recorder *recorder, guint count)
{
	/* What copies are made of. */
	volatile char stack[STACK_BYTES];
	bool done = true;
	gint64 begin_ns;

	memset((char *)stack, 1, sizeof stack);
	begin_ns = thread_time_ns();
	call_deeply(FRAMES, count);
	if (recorder) {
		done = drain(recorder);
	}
	return done ? (double)(thread_time_ns() - begin_ns) / count : -1;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

/* What an event with such a stack adds to a call; negative after an error. */
static double measure(const struct recorder *recorder, unsigned int stack_bytes)
{
	guint fitting =
		RING_PAGES * (guint)sysconf(_SC_PAGESIZE) / 2 / (SAMPLE_BYTES + stack_bytes);
	guint count = MIN(fitting, MAX_CALLS);
	double bare_ns = time_calls(NULL, count);
	double recorded_ns;

	ioctl(recorder->event, PERF_EVENT_IOC_ENABLE, 0);
	recorded_ns = time_calls(recorder, count);
	ioctl(recorder->event, PERF_EVENT_IOC_DISABLE, 0);
	return recorded_ns < 0 ? recorded_ns : MAX(recorded_ns - bare_ns, 0);
}

/* Computes for a while. Returns its time (ns). */
static double time_spinning(void)
{
	gint64 begin_ns = thread_time_ns();

	for (volatile guint i = 0; i < SPINS; i++) {
	}
	return (double)(thread_time_ns() - begin_ns);
}

/* What a tick adds to the time in which it comes; negative after an error. */
static double measure_tick(const struct recorder *recorder)
{
	double bare_ns = time_spinning();
	double recorded_ns;

	ioctl(recorder->event, PERF_EVENT_IOC_ENABLE, 0);
	recorded_ns = time_spinning();
	ioctl(recorder->event, PERF_EVENT_IOC_DISABLE, 0);
	return drain(recorder) ? MAX(recorded_ns - bare_ns, 0) / (recorded_ns / TICK_PERIOD_NS) :
				 -1;
}

/* Medians of all kinds, which take turns. */
static bool measure_all(const struct recorder *recorders, double *ret_ns)
{
	double costs_ns[KINDS][ROUNDS];

	for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
		for (int kind = 0; kind < KINDS; kind++) {
			double cost_ns = kind == TICK ?
						 measure_tick(&recorders[kind]) :
						 measure(&recorders[kind], stack_sizes[kind]);

			if (cost_ns < 0) {
				return false;
			}
			costs_ns[kind][MAX(round, 0)] = cost_ns;
		}
	}
	for (int kind = 0; kind < KINDS; kind++) {
		qsort(costs_ns[kind], ROUNDS, sizeof costs_ns[kind][0], compare_doubles);
		ret_ns[kind] = costs_ns[kind][ROUNDS / 2];
	}
	return true;
}

static void conclude(const double *kind_ns, struct itp_event_costs *ret_costs)
{
	double more_ns = MAX(kind_ns[LARGE_COPY] - kind_ns[SMALL_COPY], 0);
	double byte_ns = more_ns / (stack_sizes[LARGE_COPY] - stack_sizes[SMALL_COPY]);

	*ret_costs = (struct itp_event_costs){
		.frame_pointers_ns = kind_ns[FRAME_POINTERS],
		.copy_ns = MAX(kind_ns[SMALL_COPY] - stack_sizes[SMALL_COPY] * byte_ns, 0),
		.copy_byte_ns = byte_ns,
		.tick_ns = MAX(kind_ns[TICK] - kind_ns[FRAME_POINTERS], 0),
	};
}

bool itp_calibration_run(struct itp_event_costs *ret_costs, GError **error)
{
	struct recorder recorders[KINDS];
	double kind_ns[KINDS];
	bool done = true;
	int opened = 0;

	while (done && opened < KINDS) {
		done = recorder_init(&recorders[opened], (enum kind)opened, error);
		opened++;
	}
	if (done) {
		done = measure_all(recorders, kind_ns) || fail(error, g_get_tmp_dir());
	}
	while (opened-- > 0) {
		recorder_release(&recorders[opened]);
	}
	if (done) {
		conclude(kind_ns, ret_costs);
	}
	return done;
}
