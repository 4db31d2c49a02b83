/* SPDX-License-Identifier: MIT */
/*
 * What guard.bpf.c, which runs in the kernel, and the guard share: the contents of its maps, and
 * the records of its ring.
 */
#ifndef ITP_PERF_GUARD_GUARD_BPF_H
#define ITP_PERF_GUARD_GUARD_BPF_H

#include "common/guard/inference.h"
#include "plugins/perf/bpf/registers.h"

/* Numbers of system calls are below. */
#define ITP_GUARD_CALLS 1024

/* What a system call may be, by its number: the wait of a loop, or in one of its contexts. */
enum itp_guard_call {
	ITP_GUARD_CALL_WAITS = 1 << 0,
	ITP_GUARD_CALL_TELLS = 1 << 1,
	/* It waits for signals; or for events of any kind, as poll(). */
	ITP_GUARD_CALL_FOR_SIGNALS = 1 << 2,
	ITP_GUARD_CALL_FOR_EVENTS = 1 << 3,
};

/* Answers, beside the numbers of loops and contexts. A context that looks for events has the bit
 * too. */
#define ITP_GUARD_LOOKS (1u << 8)
#define ITP_GUARD_ASKED (1u << 30)
#define ITP_GUARD_NEITHER (1u << 31)
/* It is not known yet; also where there is no answer. */
#define ITP_GUARD_AGAIN (ITP_GUARD_ASKED | ITP_GUARD_NEITHER)

#define ITP_GUARD_LOOPS 64

struct itp_guard_loop_shapes {
	uint32_t type_count;
	/* Number of its first type among those of all loops. */
	uint32_t first_type;
	/* It has contexts that look for events, which also end a unit that has done something. */
	uint32_t has_looks;
	uint32_t unused;
	struct itp_guard_shape types[ITP_GUARD_MOST];
};

/* Of a process from one exec to the next, and its forks: an image. One that is none of the guards'
 * may begin another program. */
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

/* Of a type, on one CPU. */
struct itp_guard_counts {
	uint64_t units;
	uint64_t total_ns;
	/* How long they waited for a CPU, which is no part of the other times. */
	uint64_t cpu_wait_ns;
	uint64_t max_ns;
	uint64_t late;
	uint32_t buckets[ITP_GUARD_BUCKETS];
};

/* Of all. */
struct itp_guard_totals {
	/* Units in which a context was not known yet, or that were in contexts that no type has
	 * together. */
	uint64_t learning;
	uint64_t questions;
	/* Records that found no room. */
	uint64_t lost;
	/* System calls of anybody, and how often one of a guarded thread was looked at. */
	uint64_t calls;
	uint64_t hits;
	/* Of some of these: how many, and what they took. */
	uint64_t timed_hits;
	uint64_t timed_ns;
	/* How often the timer found a guarded thread. */
	uint64_t ticks;
	/* How often a look around found a unit that lasts. */
	uint64_t lasting;
};

enum itp_guard_kind {
	/* A place that is not known: what is it? */
	ITP_GUARD_QUESTION,
	/* A unit that is over a limit, while it runs; while it does not; and after a system call in
	 * which it did not. */
	ITP_GUARD_RUNNING,
	ITP_GUARD_STANDING,
	ITP_GUARD_RETURNED,
	/* One that has ended too late. */
	ITP_GUARD_ENDED,
	/* A thread has made one run again that is awaited: `other_pid` is its thread. */
	ITP_GUARD_WOKEN,
	ITP_GUARD_EXEC,
	ITP_GUARD_EXIT,
	ITP_GUARD_FORK,
};

/* What a unit is, or was. */
struct itp_guard_moment {
	uint64_t time_ns;
	uint64_t begin_ns;
	/* How long it has taken, and has waited for a CPU besides. */
	uint64_t taken_ns;
	uint64_t cpu_wait_ns;
	uint64_t seen;
	uint32_t loop;
	uint32_t type;
	uint32_t image;
	uint16_t is_in_unit;
	/* It has begun earlier than that, when nobody watched. */
	uint16_t is_partial;
};

struct itp_guard_record {
	uint32_t kind;
	int32_t pid;
	int32_t tid;
	/* The number of its system call; -1 for none. */
	int32_t call;
	/* Of an exec: of the process before; of a fork: of the parent; of a wakeup: of the thread
	 * that was woken. */
	int32_t other_pid;
	/* As in task_struct; 0 runs. */
	uint32_t state;
	struct itp_guard_moment moment;
	/* Of a question: the stack pointer at the loop's wait, and whether the call may be a loop's
	 * wait. */
	uint64_t wait_sp;
	uint64_t may_wait;
	char comm[16];
};

/* The first part ends with a page, behind which eight more fit. */
#define ITP_GUARD_STACK_BYTES (9 * ITP_BPF_PAGE)
#define ITP_GUARD_KERNEL_FRAMES 64

/* A record of a question, of a late unit that has not ended, or of a wakeup. */
struct itp_guard_snapshot {
	struct itp_guard_record record;
	uint64_t registers[ITP_BPF_REGISTERS];
	uint64_t kernel[ITP_GUARD_KERNEL_FRAMES];
	uint32_t kernel_count;
	uint32_t stack_bytes;
	uint8_t stack[ITP_GUARD_STACK_BYTES];
};

#endif
