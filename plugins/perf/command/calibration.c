/* SPDX-License-Identifier: MIT */
/*
 * See calibration.h. perf itself takes a second to start and would hide what is measured here; so
 * this opens the same events. Time is that of this thread, in user mode and in the kernel.
 *
 * An event takes more than its own instructions: it also takes from the caches what the program has
 * there, and in a virtual machine the interrupt of a timer leaves the machine. Both are seen only
 * in a program that uses its caches, so ticks interrupt one that walks through half of the second
 * level. (Programs that compress lose as much by a tick; a walk through all of that level loses
 * several times as much.)
 */
#include "plugins/perf/command/calibration.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "plugins/perf/command/event-ring.h"

#define MAX_CALLS 2048
#define FRAMES 16
/* Of a sample without its stack. */
#define SAMPLE_BYTES 512
#define ROUNDS 9
/* Until all of the ring was used once. */
#define WARM_UP_ROUNDS 3
/* More than any copy. */
#define STACK_BYTES 65536
/* The walk is through by then. */
#define TICK_PERIOD_NS 200000
/* A few milliseconds. */
#define STEPS 1000000
#define LINE_BYTES 64
/* Of an event by frame pointers: two records, each a small part of one. */
#define SWITCH_SHARE 0.2
/* Where the second level of the caches does not tell its size. */
#define USUAL_LEVEL2_BYTES (1024 * 1024)

/* Two sizes of a copy tell what is fixed and what a byte costs. */
enum kind {
	CALL,
	TICK,
	TICK_SMALL_COPY,
	TICK_LARGE_COPY,
};

#define KINDS 4

/* Faster than a recording has them, to see them in so short a time. */
#define TICK(bytes)                                                          \
	{                                                                    \
		.name = "cpu-clock", .type = PERF_TYPE_SOFTWARE,             \
		.config = PERF_COUNT_SW_CPU_CLOCK, .period = TICK_PERIOD_NS, \
		.stack_bytes = (bytes),                                      \
	}

/* The tracepoint's number is found when it is opened. */
static const struct itp_event events[KINDS] = {
	[CALL] = { .name = "raw_syscalls:sys_enter", .type = PERF_TYPE_TRACEPOINT, .period = 1 },
	[TICK] = TICK(0),
	[TICK_SMALL_COPY] = TICK(4096),
	[TICK_LARGE_COPY] = TICK(32768),
};

/* A line of the cache, in a ring of all of them in random order. */
struct line {
	struct line *next;
	char rest[LINE_BYTES - sizeof(struct line *)];
};

struct calibration {
	struct itp_event_ring rings[KINDS];
	size_t line_count;
	/* Owned. */
	struct line *lines;
};

static size_t count_lines(void)
{
	long level2_bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);

	return (size_t)(level2_bytes > 0 ? level2_bytes : USUAL_LEVEL2_BYTES) / 2 / LINE_BYTES;
}

/* By Sattolo's algorithm: one ring, which no prefetcher foresees. */
static void link_lines(struct line *lines, size_t count)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	g_autofree guint32 *order = g_new(guint32, count);

	for (size_t i = 0; i < count; i++) {
		order[i] = (guint32)i;
	}
	for (size_t i = count - 1; i > 0; i--) {
		size_t other = (size_t)g_rand_int_range(random, 0, (gint32)i);
		guint32 moved = order[i];

		order[i] = order[other];
		order[other] = moved;
	}
	for (size_t i = 0; i < count; i++) {
		lines[order[i]].next = &lines[order[(i + 1) % count]];
	}
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

/* As call_deeply() for a program that computes instead of making system calls. */
static G_GNUC_NO_INLINE void walk_deeply(unsigned int frames, const struct line *line, size_t steps)
{
	void *volatile frame = __builtin_frame_address(0);
	const struct line *volatile last;

	if (frames > 0) {
		walk_deeply(frames - 1, line, steps);
	}
	for (size_t i = 0; frames == 0 && i < steps; i++) {
		line = line->next;
	}
	last = line;
	(void)last;
	(void)frame;
}

static double thread_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static guint count_calls(void)
{
	return (guint)MIN(itp_event_ring_capacity() / 2 / SAMPLE_BYTES, MAX_CALLS);
}

/* The time of the work that events of this kind come in. */
static double time_work(const struct calibration *calibration, enum kind kind)
{
	/* What copies are made of. */
	volatile char stack[STACK_BYTES];
	double begin_ns;

	memset((char *)stack, 1, sizeof stack);
	/* What was written out before is no longer to be in the caches. */
	walk_deeply(0, calibration->lines, 2 * calibration->line_count);
	begin_ns = thread_time_ns();
	if (kind == CALL) {
		call_deeply(FRAMES, count_calls());
	} else {
		walk_deeply(FRAMES, calibration->lines, STEPS);
	}
	return thread_time_ns() - begin_ns;
}

/* What an event adds to the time in which it comes, with writing it out; negative after an
 * error. */
static double measure(const struct calibration *calibration, enum kind kind)
{
	const struct itp_event_ring *ring = &calibration->rings[kind];
	double bare_ns = time_work(calibration, kind);
	double recorded_ns;
	double drain_ns;
	double count;

	itp_event_ring_enable(ring);
	recorded_ns = time_work(calibration, kind);
	itp_event_ring_disable(ring);
	drain_ns = thread_time_ns();
	if (!itp_event_ring_drain(ring)) {
		return -1;
	}
	drain_ns = thread_time_ns() - drain_ns;
	count = kind == CALL ? count_calls() : recorded_ns / TICK_PERIOD_NS;
	return MAX(recorded_ns + drain_ns - bare_ns, 0) / count;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

/* Medians of all kinds, which take turns. */
static bool measure_all(const struct calibration *calibration, double *ret_ns)
{
	double costs_ns[KINDS][ROUNDS];

	for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
		for (int kind = 0; kind < KINDS; kind++) {
			double cost_ns = measure(calibration, (enum kind)kind);

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

/* A tick is its interrupt and an event. What others compute makes a walk take more or less; a copy
 * may then seem to cost nothing, and takes no less than an event without one, of which there are
 * many. */
static void conclude(const double *kind_ns, struct itp_event_costs *ret_costs)
{
	unsigned int small_bytes = events[TICK_SMALL_COPY].stack_bytes;
	unsigned int large_bytes = events[TICK_LARGE_COPY].stack_bytes;
	double interrupt_ns = MAX(kind_ns[TICK] - kind_ns[CALL], 0);
	double more_ns = MAX(kind_ns[TICK_LARGE_COPY] - kind_ns[TICK_SMALL_COPY], 0);
	double byte_ns = more_ns / (large_bytes - small_bytes);
	double copy_ns = kind_ns[TICK_SMALL_COPY] - interrupt_ns - small_bytes * byte_ns;

	*ret_costs = (struct itp_event_costs){
		.frame_pointers_ns = kind_ns[CALL],
		.copy_ns = MAX(copy_ns, kind_ns[CALL]),
		.copy_byte_ns = byte_ns,
		.tick_ns = interrupt_ns,
		.switch_ns = SWITCH_SHARE * kind_ns[CALL],
	};
}

static bool open_ring(struct itp_event_ring *ring, enum kind kind, GError **error)
{
	struct itp_event event = events[kind];

	if (event.type == PERF_TYPE_TRACEPOINT) {
		event.config = itp_event_ring_tracepoint("raw_syscalls/sys_enter");
	}
	return itp_event_ring_init(ring, &event, error);
}

bool itp_calibration_run(struct itp_event_costs *ret_costs, GError **error)
{
	struct calibration calibration = { .line_count = count_lines() };
	double kind_ns[KINDS];
	bool done = true;
	int opened = 0;

	calibration.lines = g_new(struct line, calibration.line_count);
	link_lines(calibration.lines, calibration.line_count);
	while (done && opened < KINDS) {
		done = open_ring(&calibration.rings[opened], (enum kind)opened, error);
		opened++;
	}
	if (done) {
		done = measure_all(&calibration, kind_ns) ||
		       itp_event_ring_fail(error, g_get_tmp_dir());
	}
	while (opened-- > 0) {
		itp_event_ring_release(&calibration.rings[opened]);
	}
	g_free(calibration.lines);
	if (done) {
		conclude(kind_ns, ret_costs);
	}
	return done;
}
