/* SPDX-License-Identifier: MIT */
/*
 * The kernel's structures, state of each thread, and maps, for record.bpf.c.
 *
 * Kernel structures are declared as far as needed; the loader finds their members in the running
 * kernel.
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

/* Context of a timer's program: registers at the tick. */
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

struct thread_struct {
	unsigned long fsbase;
} KNOWN;

struct task_struct {
	int pid;
	int tgid;
	int prio;
	int exit_state;
	unsigned int __state;
	unsigned long nvcsw;
	unsigned long nivcsw;
	char comm[16];
	struct mm_struct *mm;
	struct signal_struct *signal;
	struct thread_struct thread;
} KNOWN;

struct thread {
	/* Value of the global `version` at the last look-up of `image`. */
	__u64 version;
	__u32 image;
	/* System call, as seen in the window of this number: its stack; the thread is in the call;
	 * no record has told its begin yet. */
	__u64 window;
	__u64 stack;
	bool is_in_call;
	/* Changed by take_untold() where a tick may come in between. */
	__u32 is_untold;
	__u64 enter_ns;
	__s64 number;
	/* Stack of a thread that ends or begins another program, found while it still had its
	 * memory; else 0. */
	__u64 last_stack;
	/* Time of the present event. */
	__u64 now_ns;
	/* Address of the thread's state in the interpreter, 0 for none; image with the interpreter;
	 * and number of stacks since without a state. */
	__u64 interpreted;
	__u32 interpreted_image;
	__u32 interpreted_misses;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

/* Number of begun programs (exec) by recorded process. The kernel makes a bucket for each entry
 * that there may be, which is the longest part of making the maps. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1 << 17);
	__type(key, __u32);
	__type(value, __u32);
} processes SEC(".maps");

/* Image by process, as far as user space knows. */
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
	__uint(max_entries, ITP_RECORD_RING_LEAST_BYTES);
} records SEC(".maps");

/* Copies of stacks. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, ITP_RECORD_COPY_RING_BYTES);
} copy_records SEC(".maps");

/* Part of a thread's stack, beginning at `address`. */
#define WINDOW_WORDS 256
#define WINDOW_BYTES (WINDOW_WORDS * 8)

struct window {
	__u64 address;
	__u64 bytes;
	__u64 words[WINDOW_WORDS];
};

/* Present frame of a walk along a stack. */
struct frame {
	__u64 ip;
	__u64 sp;
	__u64 bp;
	/* Stack pointer of the first frame. */
	__u64 first_sp;
	/* Address from which bp was read; 0: bp is the thread's register. */
	__u64 bp_place;
	/* Index of the mapping found last; and reason for the end of the walk. */
	__u32 mapping;
	__u32 end;
	bool is_bp_known;
	/* The last step was by bp alone. */
	bool is_by_bp;
	/* True when the thread was at ip; else ip is a return address. */
	bool is_exact;
	bool is_leaf;
};

/* Walked stack, and words of the stack on which the walk depended. */
#define MEMORY_WORDS 64
#define MEMORY_WAYS 4
#define MEMORY_SET_BITS 8

struct memory {
	__u64 number;
	__u64 ip;
	__u64 bp;
	__u32 sp_in_page;
	__u32 image;
	/* Number of words; more than MEMORY_WORDS: the stack cannot be remembered. */
	__u32 count;
	/* The walk depended on bp. */
	__u32 has_bp;
	/* Highest of `places`. */
	__u32 last;
	/* Bit of each word that is an address of the stack: its value, and that of bp unless 0, is
	 * relative to the stack pointer. */
	__u64 relative;
	/* Places in words above the stack pointer, and their values. */
	__u16 places[MEMORY_WORDS];
	__u64 values[MEMORY_WORDS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, MEMORY_WAYS << MEMORY_SET_BITS);
	__type(key, __u32);
	__type(value, struct memory);
} memories SEC(".maps");

/* Interpreted stacks told before, of each CPU. */
#define INTERPRETED_SET_BITS 9

struct interpreted_memory {
	__u32 image;
	__u32 unused;
	struct itp_record_interpreted told;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1 << INTERPRETED_SET_BITS);
	__type(key, __u32);
	__type(value, struct interpreted_memory);
} interpreted_memories SEC(".maps");

/* Code told to user space, with address of its name and its line: memory of code may become other
 * code's. */
struct code_key {
	__u64 code;
	__u64 pid;
};

struct code_value {
	__u64 name;
	__u64 line;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1 << 14);
	__type(key, struct code_key);
	__type(value, struct code_value);
} told_code SEC(".maps");

struct room {
	struct memory memory;
	struct frame frame;
	/* Number of stacks told from this room, and of copies. */
	__u64 stacks;
	__u64 copies;
	/* A stack is being found here: an interrupt meanwhile needs the other room. */
	__u32 is_busy;
	/* Time of the latest measurement of the machine's speed, and its result. */
	__u64 measured_ns;
	__u64 computed;
	struct window window;
	struct itp_record_stack stack;
	struct itp_record_event event;
	/* Memory with interpreted frames; their functions; and the present code. */
	struct window frame_window;
	struct itp_record_interpreted interpreted;
	struct itp_record_code code;
};

/* Rooms of a CPU: a program may run in an interrupt of another program, but no third in both. */
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

/* Waiting thread being told: its stack and its wait; and number of such stacks. */
struct waiting {
	__u64 stacks;
	struct itp_record_copy copy;
	struct itp_record_event event;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct waiting);
} waiting_threads SEC(".maps");

/* Number of changes of processes: after each, threads look up their image again. */
volatile __u64 version = 1;
/* Number of begins and ends of windows in which system calls are watched. The state of a thread's
 * call holds in its own window alone: nobody sees the call end behind. */
volatile __u64 window = 1;
/* The recording ends: waiting threads are told without a stack. */
volatile bool is_ending = false;
/* Time at which the window ends, if user space does not end it in time; 0 for never. */
volatile __u64 until_ns = 0;
/* All processes but the recorder's own, and who reads it meanwhile, are recorded. */
const volatile bool is_machine = false;
const volatile __u32 recorder_pid = 0;
/* Reader of a stream, or the recorder again. */
const volatile __u32 reader_pid = 0;
/* Process recorded from its next exec on; 0 for none. */
const volatile __u32 waiting_pid = 0;

/* Some image has an interpreter. */
volatile bool has_interpreters = false;

/* Code at which interrupts of devices and timers come into the kernel; 0 when unknown. */
const volatile __u64 interrupts_begin = 0;
const volatile __u64 interrupts_end = 0;

static __always_inline struct itp_record_totals *all_totals(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&totals, &zero);
}

/* Most runs from a timed run to the next: timing costs as much as a short run. The number is drawn:
 * begins and ends of system calls alternate, and every sixteenth run would always be of one kind.
 */
#define TIMED_RUNS 32

/* Time of the begin of a run to be timed; else 0. */
static __always_inline __u64 begin_run(enum itp_record_cost cost)
{
	struct itp_record_totals *sums = all_totals();
	struct itp_record_runs *runs = sums ? &sums->runs[cost] : NULL;

	if (!runs || runs->begun++ < runs->next_timed) {
		return 0;
	}
	runs->next_timed = runs->begun + bpf_get_prandom_u32() % TIMED_RUNS;
	return bpf_ktime_get_ns();
}

/* Counts a run, now that it is known whose it was, and adds the time of a timed one, less the time
 * needed to ask for the time, which other runs do not need. */
static __always_inline void end_run(enum itp_record_cost cost, bool is_recorded, __u64 begin_ns)
{
	const __u64 end_ns = begin_ns ? bpf_ktime_get_ns() : 0;
	struct itp_record_totals *sums = all_totals();
	struct itp_record_runs *runs;
	const __u64 run_ns = end_ns - begin_ns;
	__u64 ask_ns;

	if (!sums) {
		return;
	}
	runs = is_recorded ? &sums->runs[cost] : &sums->runs[cost + 1];
	runs->runs++;
	if (begin_ns) {
		ask_ns = bpf_ktime_get_ns() - end_ns;
		runs->timed_runs++;
		/* An interrupt may have come between. */
		runs->timed_ns += run_ns > ask_ns ? run_ns - ask_ns : 0;
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
