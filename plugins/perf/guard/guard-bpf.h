/* SPDX-License-Identifier: MIT */
/*
 * Data shared by the guard and guard.bpf.c in the kernel: contents of maps, and records of the
 * ring.
 */
#ifndef ITP_PERF_GUARD_GUARD_BPF_H
#define ITP_PERF_GUARD_GUARD_BPF_H

#include "common/guard/inference.h"
#include "plugins/perf/bpf/registers.h"

/* Numbers of system calls are below. */
#define ITP_GUARD_CALLS 1024

/* Uses of a system call, by its number: the wait of a loop, a context of a loop. */
enum itp_guard_call {
	ITP_GUARD_CALL_WAITS = 1 << 0,
	ITP_GUARD_CALL_TELLS = 1 << 1,
	/* Waits for signals; waits for events of any kind, as poll() does. */
	ITP_GUARD_CALL_FOR_SIGNALS = 1 << 2,
	ITP_GUARD_CALL_FOR_EVENTS = 1 << 3,
};

/* Answers, beside numbers of loops and contexts. Contexts that look for events have the bit
 * ITP_GUARD_LOOKS as well. */
#define ITP_GUARD_LOOKS (1u << 8)
#define ITP_GUARD_ASKED (1u << 30)
#define ITP_GUARD_NEITHER (1u << 31)
/* Not known yet; also stands for a missing answer. */
#define ITP_GUARD_AGAIN (ITP_GUARD_ASKED | ITP_GUARD_NEITHER)

#define ITP_GUARD_LOOPS 64

struct itp_guard_loop_shapes {
	uint32_t type_count;
	/* Number of the loop's first type among the types of all loops. */
	uint32_t first_type;
	/* The loop has contexts that look for events; they also end a unit with some work done. */
	uint32_t has_looks;
	uint32_t unused;
	struct itp_guard_shape types[ITP_GUARD_MOST];
};

/* Images: a process from one exec to the next, and its forks. ITP_GUARD_NO_IMAGE is none of the
 * guards', but may exec another program. */
#define ITP_GUARD_NO_IMAGE UINT32_MAX

struct itp_guard_wait_key {
	uint32_t image;
	uint32_t call;
	uint64_t ip;
	uint64_t sp;
};

struct itp_guard_context_key {
	uint32_t image;
	uint16_t loop;
	uint16_t call;
	uint64_t ip;
	/* How deep the stack is below the loop's wait. */
	int64_t depth;
};

/* Counts of a type on a CPU. */
struct itp_guard_counts {
	uint64_t units;
	uint64_t total_ns;
	/* Waits for a CPU, not part of the other times. */
	uint64_t cpu_wait_ns;
	uint64_t max_ns;
	uint64_t late;
	uint32_t buckets[ITP_GUARD_BUCKETS];
};

/* Counts of all types. */
struct itp_guard_totals {
	/* Units with a context not known yet, or with contexts that no type has together. */
	uint64_t learning;
	uint64_t questions;
	/* Records without room. */
	uint64_t lost;
	/* System calls of anybody, and looks at calls of guarded threads. */
	uint64_t calls;
	uint64_t hits;
	/* Timed looks: their number, and their time. */
	uint64_t timed_hits;
	uint64_t timed_ns;
	/* How often the timer found a guarded thread. */
	uint64_t ticks;
	/* Sightings of lasting units in a look around. */
	uint64_t lasting;
};

enum itp_guard_kind {
	/* An unknown place, to be answered. */
	ITP_GUARD_QUESTION,
	/* A unit over a limit: running; standing; after a system call in which it stood. */
	ITP_GUARD_RUNNING,
	ITP_GUARD_STANDING,
	ITP_GUARD_RETURNED,
	/* A unit that has ended late. */
	ITP_GUARD_ENDED,
	/* A thread has woken an awaited thread, `other_pid`. */
	ITP_GUARD_WOKEN,
	ITP_GUARD_EXEC,
	ITP_GUARD_EXIT,
	ITP_GUARD_FORK,
};

/* A unit, present or past. */
struct itp_guard_moment {
	uint64_t time_ns;
	uint64_t begin_ns;
	/* Time taken so far, and waits for a CPU besides. */
	uint64_t taken_ns;
	uint64_t cpu_wait_ns;
	uint64_t seen;
	uint32_t loop;
	uint32_t type;
	uint32_t image;
	uint16_t is_in_unit;
	/* The unit has begun before begin_ns, unwatched. */
	uint16_t is_partial;
};

struct itp_guard_record {
	uint32_t kind;
	int32_t pid;
	int32_t tid;
	/* The number of its system call; -1 for none. */
	int32_t call;
	/* Exec: the process before; fork: the parent; wakeup: the woken thread. */
	int32_t other_pid;
	/* State as in task_struct; 0 when running. */
	uint32_t state;
	struct itp_guard_moment moment;
	/* Question: stack pointer at the loop's wait, and whether the call may be a loop's wait. */
	uint64_t wait_sp;
	uint64_t may_wait;
	char comm[16];
};

/* Nine pages: the first part ends with a page, and eight more fit behind it. */
#define ITP_GUARD_STACK_BYTES (9 * ITP_BPF_PAGE)
#define ITP_GUARD_KERNEL_FRAMES 64

/* Record of a question, of an unfinished late unit, or of a wakeup. */
struct itp_guard_snapshot {
	struct itp_guard_record record;
	uint64_t registers[ITP_BPF_REGISTERS];
	uint64_t kernel[ITP_GUARD_KERNEL_FRAMES];
	uint32_t kernel_count;
	uint32_t stack_bytes;
	uint8_t stack[ITP_GUARD_STACK_BYTES];
};

#endif
