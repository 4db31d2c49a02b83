/* SPDX-License-Identifier: MIT */
/*
 * See costs.h. perf itself takes a second to start and would hide the costs; therefore the same
 * events as perf record's are opened here, and their ring buffers emptied into a file. Time is this
 * thread's, in user mode and in the kernel.
 *
 * An event takes more than its own instructions: it also takes the program's data from the caches,
 * and in a virtual machine the interrupt of a timer leaves the machine. Both are seen only in a
 * program that uses its caches, so ticks interrupt a walk through half of the second level.
 * (Programs that compress lose as much by a tick; a walk through the whole level loses several
 * times as much.)
 */
#include "plugins/perf/record/costs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/base/temp-file.h"
#include "common/rank/chance.h"

/* More than caches hold, as the ring of a recording is. */
#define RING_PAGES 4096
#define CALL_ID "/events/raw_syscalls/sys_enter/id"
#define CALLS 2048
#define FRAMES 16
#define ROUNDS 9
/* Not measured, as memory is still to be found. */
#define WARM_UP_ROUNDS 3
/* More than any copy. */
#define STACK_BYTES 65536
/* Faster than a recording has ticks, to see some in so short a time. A walk is through by then. */
#define TICK_PERIOD_NS 200000
/* A few milliseconds. */
#define STEPS 1000000
#define LINE_BYTES 64
/* Cost of a switch as a share of an event by frame pointers: two records, each a small part of
 * it. */
#define SWITCH_SHARE 0.2
/* Size of the caches' second level, where it does not tell. */
#define USUAL_LEVEL2_BYTES (1024 * 1024)
/* Sizes of copies from which the fixed part and a byte's cost follow. */
#define SMALL_BYTES 4096
#define LARGE_BYTES 32768

enum kind {
	CALL,
	TICK,
	TICK_SMALL_COPY,
	TICK_LARGE_COPY,
	KINDS,
};

/* Event of this thread, with the ring of its samples, and a temporary file for them, already
 * unlinked. */
struct ring {
	/* All owned by this. */
	int event;
	int file;
	struct perf_event_mmap_page *pages;
};

/* A line of the cache, in a ring of all of them in random order. */
struct line {
	struct line *next;
	char rest[LINE_BYTES - sizeof(struct line *)];
};

struct calibration {
	struct ring rings[KINDS];
	size_t line_count;
	/* Owned by this. */
	struct line *lines;
	/* Line reached by the last walk. */
	const struct line *reached;
};

/* Sets an error about a failed part of the measurement, with errno. Returns false. */
static bool fail(GError **error, const char *what)
{
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
		    "--overhead: the cost of an event cannot be measured: %s: %s", what,
		    g_strerror(errno));
	return false;
}

/* The kernel's number for the begin of a system call; 0 when it cannot be read. */
static guint64 call_id(void)
{
	g_autofree char *text = NULL;

	if (g_file_get_contents("/sys/kernel/tracing" CALL_ID, &text, NULL, NULL) ||
	    g_file_get_contents("/sys/kernel/debug/tracing" CALL_ID, &text, NULL, NULL)) {
		return g_ascii_strtoull(text, NULL, 10);
	}
	return 0;
}

/* Disabled. Returns its descriptor, or -1 with errno. */
static int open_event(enum kind kind)
{
	static const unsigned int stack_bytes[KINDS] = {
		[TICK_SMALL_COPY] = SMALL_BYTES,
		[TICK_LARGE_COPY] = LARGE_BYTES,
	};
	struct perf_event_attr attr = {
		.type = kind == CALL ? PERF_TYPE_TRACEPOINT : PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = kind == CALL ? call_id() : PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = kind == CALL ? 1 : TICK_PERIOD_NS,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW |
			       PERF_SAMPLE_CALLCHAIN,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	if (stack_bytes[kind] > 0) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = 1;
		attr.sample_stack_user = stack_bytes[kind];
		attr.exclude_callchain_user = 1;
	}
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Bytes of a ring with the page that describes it. */
static size_t ring_bytes(void)
{
	return (RING_PAGES + 1) * (size_t)sysconf(_SC_PAGESIZE);
}

static bool open_ring(struct ring *ring, enum kind kind, GError **error)
{
	void *pages;

	*ring = (struct ring){ .event = open_event(kind), .file = -1 };
	if (ring->event < 0) {
		return fail(error, kind == CALL ? "raw_syscalls:sys_enter" : "cpu-clock");
	}
	ring->file = itp_temp_file_open(g_get_tmp_dir());
	if (ring->file < 0) {
		return fail(error, g_get_tmp_dir());
	}
	pages = mmap(NULL, ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, ring->event, 0);
	if (pages == MAP_FAILED) {
		return fail(error, "its buffer");
	}
	ring->pages = pages;
	return true;
}

static void close_ring(struct ring *ring)
{
	if (ring->pages) {
		munmap(ring->pages, ring_bytes());
	}
	if (ring->event >= 0) {
		close(ring->event);
	}
	if (ring->file >= 0) {
		close(ring->file);
	}
}

/* Links the lines to a ring that no prefetcher foresees: each comes behind any of the earlier
 * ones. */
static void link_lines(struct calibration *calibration)
{
	long level2_bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
	size_t half_bytes = (size_t)(level2_bytes > 0 ? level2_bytes : USUAL_LEVEL2_BYTES) / 2;
	size_t count = half_bytes / sizeof(struct line);
	struct line *lines = g_new(struct line, count);
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	lines[0].next = lines;
	for (size_t i = 1; i < count; i++) {
		struct line *before = &lines[g_rand_int_range(random, 0, (gint32)i)];

		lines[i].next = before->next;
		before->next = &lines[i];
	}
	calibration->line_count = count;
	calibration->lines = lines;
	calibration->reached = lines;
}

/* Work below so many frames: system calls that do nothing, and steps from a line of the ring to the
 * next. Returns the line reached, to be used, or nothing would be walked. */
static G_GNUC_NO_INLINE const struct line *work(unsigned int frames, size_t calls, size_t steps,
						const struct line *line)
{
	/* Makes the compiler keep a frame pointer. */
	void *volatile frame = __builtin_frame_address(0);

	if (frames > 0) {
		line = work(frames - 1, calls, steps, line);
	} else {
		for (size_t i = 0; i < calls; i++) {
			(void)syscall(SYS_getppid);
		}
		for (size_t i = 0; i < steps; i++) {
			line = line->next;
		}
	}
	/* No tail call: something is left to do. */
	(void)frame;
	return line;
}

static double thread_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Time of the work interrupted by events of this kind, with as many frames as a program has. */
static double time_work(struct calibration *calibration, enum kind kind)
{
	/* Content of copies. Written although nobody here reads it. */
	volatile char stack[STACK_BYTES];
	double begin_ns;

	for (size_t i = 0; i < sizeof stack; i++) {
		stack[i] = 1;
	}
	/* Earlier output is to leave the caches. */
	calibration->reached = work(0, 0, 2 * calibration->line_count, calibration->reached);
	begin_ns = thread_time_ns();
	calibration->reached = work(FRAMES, kind == CALL ? CALLS : 0, kind == CALL ? 0 : STEPS,
				    calibration->reached);
	return thread_time_ns() - begin_ns;
}

/* Writes out a ring, as perf record does, over earlier output: new memory costs many times as much
 * on some machines, and differs. */
static bool drain(const struct ring *ring)
{
	struct perf_event_mmap_page *pages = ring->pages;
	const char *data = (const char *)pages + pages->data_offset;
	guint64 head = __atomic_load_n(&pages->data_head, __ATOMIC_ACQUIRE);
	guint64 at = pages->data_tail % pages->data_size;
	guint64 all = head - pages->data_tail;
	guint64 to_end = MIN(all, pages->data_size - at);
	bool done = itp_temp_file_write(ring->file, data + at, to_end, 0) == 0 &&
		    itp_temp_file_write(ring->file, data, all - to_end, to_end) == 0;

	__atomic_store_n(&pages->data_tail, head, __ATOMIC_RELEASE);
	return done;
}

/* Time added by an event, with its writing, in nanoseconds; negative after an error. */
static double measure(struct calibration *calibration, enum kind kind)
{
	const struct ring *ring = &calibration->rings[kind];
	double bare_ns = time_work(calibration, kind);
	double recorded_ns;
	double drain_ns;

	ioctl(ring->event, PERF_EVENT_IOC_ENABLE, 0);
	recorded_ns = time_work(calibration, kind);
	ioctl(ring->event, PERF_EVENT_IOC_DISABLE, 0);
	drain_ns = thread_time_ns();
	if (!drain(ring)) {
		return -1;
	}
	drain_ns = thread_time_ns() - drain_ns;
	return MAX(recorded_ns + drain_ns - bare_ns, 0) /
	       (kind == CALL ? CALLS : recorded_ns / TICK_PERIOD_NS);
}

/* Medians of all kinds, which take turns. */
static bool measure_all(struct calibration *calibration, double *ret_ns, GError **error)
{
	double costs_ns[KINDS][ROUNDS];

	for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
		for (int kind = 0; kind < KINDS; kind++) {
			double cost_ns = measure(calibration, (enum kind)kind);

			if (cost_ns < 0) {
				return fail(error, g_get_tmp_dir());
			}
			costs_ns[kind][MAX(round, 0)] = cost_ns;
		}
	}
	for (int kind = 0; kind < KINDS; kind++) {
		ret_ns[kind] = itp_chance_median(costs_ns[kind], ROUNDS);
	}
	return true;
}

/* A tick is its interrupt and an event. Work of others makes a walk take more or less; a copy may
 * then seem to cost nothing, and takes no less than an event without one, of which there are
 * many. */
static void conclude(const double *kind_ns, struct itp_event_costs *ret_costs)
{
	double interrupt_ns = MAX(kind_ns[TICK] - kind_ns[CALL], 0);
	double more_ns = MAX(kind_ns[TICK_LARGE_COPY] - kind_ns[TICK_SMALL_COPY], 0);
	double byte_ns = more_ns / (LARGE_BYTES - SMALL_BYTES);
	double copy_ns = kind_ns[TICK_SMALL_COPY] - interrupt_ns - SMALL_BYTES * byte_ns;

	*ret_costs = (struct itp_event_costs){
		.frame_pointers_ns = kind_ns[CALL],
		.copy_ns = MAX(copy_ns, kind_ns[CALL]),
		.copy_byte_ns = byte_ns,
		.tick_ns = interrupt_ns,
		.switch_ns = SWITCH_SHARE * kind_ns[CALL],
	};
}

bool itp_event_costs_measure(struct itp_event_costs *ret_costs, GError **error)
{
	struct calibration calibration;
	double kind_ns[KINDS];
	bool done = true;
	int opened = 0;

	link_lines(&calibration);
	while (done && opened < KINDS) {
		done = open_ring(&calibration.rings[opened], (enum kind)opened, error);
		opened++;
	}
	done = done && measure_all(&calibration, kind_ns, error);
	if (done) {
		conclude(kind_ns, ret_costs);
	}
	while (opened-- > 0) {
		close_ring(&calibration.rings[opened]);
	}
	g_free(calibration.lines);
	return done;
}
