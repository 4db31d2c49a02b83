/* SPDX-License-Identifier: MIT */
/*
 * For record.bpf.c: the kernel's structures, what is known of each thread, and the maps.
 *
 * Kernel structures are declared as far as they are needed; the loader finds their members in the
 * running kernel.
 */
#ifndef ITP_PERF_RECORD_RECORD_STATE_H
#define ITP_PERF_RECORD_RECORD_STATE_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "plugins/perf/bpf/copying.h"
#include "plugins/perf/record/record-bpf.h"

/* First argument of a timer's program: registers of the interrupted place. */
struct tick_context {
	unsigned long general[16];
	unsigned long ip;
	unsigned long cs;
};

struct mm_struct;

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
} KNOWN;

struct task_struct {
	int pid;
	int tgid;
	int prio;
	int exit_state;
	unsigned int __state;
	char comm[16];
	struct mm_struct *mm;
	struct signal_struct *signal;
} KNOWN;

struct thread {
	/* Version, a count of changes, at which the process' image was known. */
	__u64 version;
	__u32 image;
	/* System call, as seen in the window of this number: its stack, and whether nothing was
	 * told of it yet. */
	__u64 window;
	__u64 stack;
	bool is_in_call;
	bool is_untold;
	__u64 enter_ns;
	__s64 number;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

/* Recorded processes → number of programs begun. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1 << 20);
	__type(key, __u32);
	__type(value, __u32);
} processes SEC(".maps");

/* Processes → their mappings, as far as user space knows. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1 << 16);
	__type(key, __u32);
	__type(value, struct itp_record_of_process);
} spaces SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ITP_RECORD_IMAGES);
	__type(key, __u32);
	__type(value, struct itp_record_image);
} images SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ITP_RECORD_ROWS);
	__type(key, __u32);
	__type(value, struct itp_step_row);
} rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ITP_RECORD_INDEX);
	__type(key, __u32);
	__type(value, __u32);
} row_index SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ITP_RECORD_STEPS);
	__type(key, __u32);
	__type(value, struct itp_step);
} steps SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct itp_record_totals);
} totals SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 << 20);
} records SEC(".maps");

/* Part of a thread's stack, beginning at `address`. */
#define WINDOW_WORDS 128
#define WINDOW_BYTES (WINDOW_WORDS * 8)

struct window {
	__u64 address;
	__u64 bytes;
	__u64 words[WINDOW_WORDS];
};

/* Of a walk along a stack. */
struct frame {
	__u64 ip;
	__u64 sp;
	__u64 bp;
	/* Of the first frame. */
	__u64 first_sp;
	/* Place from which bp was read; 0 where it is still the first frame's. */
	__u64 bp_place;
	/* Mapping found last. */
	__u32 mapping;
	__u32 end;
	bool is_bp_known;
	/* The thread stood at ip; else it will return there. */
	bool is_exact;
	bool is_leaf;
};

/* Walked stack, and the words of it on which the walk depended. */
#define MEMORY_WORDS 64
#define MEMORY_WAYS 4
#define MEMORY_SET_BITS 8

struct memory {
	__u64 number;
	__u64 ip;
	__u64 bp;
	__u32 sp_in_page;
	__u32 image;
	/* Number of words; one beyond the room cannot be remembered. */
	__u32 count;
	/* The walk depended on bp. */
	__u32 has_bp;
	/* In words above the stack pointer. */
	__u16 places[MEMORY_WORDS];
	__u64 values[MEMORY_WORDS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, MEMORY_WAYS << MEMORY_SET_BITS);
	__type(key, __u32);
	__type(value, struct memory);
} memories SEC(".maps");

struct room {
	struct memory memory;
	struct frame frame;
	/* How many stacks were told from here. */
	__u64 stacks;
	/* A stack is being found here; an interrupt meanwhile needs another room. */
	__u32 is_busy;
	struct window window;
	struct itp_record_stack stack;
	struct itp_record_event event;
};

/* An interrupt may come while another program runs, but none in a third. */
enum {
	OF_THREADS,
	OF_INTERRUPTS,
	ROOMS
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ROOMS);
	__type(key, __u32);
	__type(value, struct room);
} rooms SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ROOMS);
	__type(key, __u32);
	__type(value, struct itp_record_copy);
} copies SEC(".maps");

/* Count of changes in the knowledge of processes; copies in threads are looked up again. */
volatile __u64 version = 1;
/* Count of begins and ends of windows in which system calls are watched. A thread's call is known
 * in its window alone: nobody sees the call end behind it. */
volatile __u64 window = 1;
/* When the window ends, if user space does not end it in time; 0 for never. */
volatile __u64 until_ns = 0;
/* All processes but the recorder's own are recorded. */
const volatile bool is_machine = false;
const volatile __u32 recorder_pid = 0;
/* Process recorded once it has begun the program that it waits to be; 0 for none. */
const volatile __u32 waiting_pid = 0;

static __always_inline struct itp_record_totals *all_totals(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&totals, &zero);
}

/* Runs of which one is timed, at the cost of a short run. */
#define TIMED_RUNS 16

/* Begin of the run, if timed; else 0. */
static __always_inline __u64 begin_run(enum itp_record_cost cost)
{
	struct itp_record_totals *sums = all_totals();

	return sums && sums->runs[cost].runs++ % TIMED_RUNS == 0 ? bpf_ktime_get_ns() : 0;
}

/* Time without that of asking for it once, which the run does not do when untimed. */
static __always_inline void end_run(enum itp_record_cost cost, __u64 begin_ns)
{
	struct itp_record_totals *sums = begin_ns ? all_totals() : NULL;
	const __u64 end_ns = begin_ns ? bpf_ktime_get_ns() : 0;
	__u64 ask_ns;

	if (sums) {
		ask_ns = bpf_ktime_get_ns() - end_ns;
		sums->runs[cost].timed_runs++;
		sums->runs[cost].timed_ns += end_ns - begin_ns - ask_ns;
	}
}

static __always_inline void note_lost(void)
{
	struct itp_record_totals *sums = all_totals();

	if (sums) {
		sums->lost++;
	}
}

#endif
