/* SPDX-License-Identifier: MIT */
/*
 * Common parts of record.bpf.c, which runs in the kernel, and the recorder: the contents of its
 * maps, and the records of its ring.
 */
#ifndef ITP_PERF_RECORD_RECORD_BPF_H
#define ITP_PERF_RECORD_RECORD_BPF_H

#include "common/unwind/step.h"
#include "plugins/perf/bpf/registers.h"

/* ---- Maps ---- */

/* Image: executable mappings of a process. A fork shares it until either maps more, so that an
 * image is named by the state of the address space, by numbers that are never used twice; the last
 * ones of these are kept. */
#define ITP_RECORD_IMAGES 512
#define ITP_RECORD_MAPPING_BITS 10
#define ITP_RECORD_MAPPINGS (1 << ITP_RECORD_MAPPING_BITS)
/* Image of a process with unknown mappings. */
#define ITP_RECORD_NO_IMAGE 0

/* Rows and their index, of all files together: 32 MiB and 4 MiB. */
#define ITP_RECORD_ROWS (4u << 20)
#define ITP_RECORD_INDEX (1u << 20)
#define ITP_RECORD_STEPS 8192

struct itp_record_mapping {
	uint64_t begin;
	uint64_t end;
	/* Difference between an address and its place in the table. */
	uint64_t base;
	/* In the map of indexes: the first, and the number behind it; 0 for code whose stacks have
	 * to be copied. */
	uint32_t index;
	uint32_t buckets;
};

/* Sorted, without overlaps. */
struct itp_record_image {
	uint32_t number;
	uint32_t count;
	struct itp_record_mapping mappings[ITP_RECORD_MAPPINGS];
};

/* Of a process: the image, and the number of programs begun (exec) at that time. */
struct itp_record_of_process {
	uint32_t image;
	uint32_t execs;
};

/* ---- Records ---- */

enum itp_record_kind {
	/* A system call begins; ends; both, with nothing between. */
	ITP_RECORD_ENTER,
	ITP_RECORD_EXIT,
	ITP_RECORD_CALL,
	/* A thread leaves a CPU; is on one; wakes another; and a tick of the timer. */
	ITP_RECORD_SWITCH,
	ITP_RECORD_IN,
	ITP_RECORD_WAKING,
	ITP_RECORD_TICK,
	/* Stack for others to refer to by its number: walked in the kernel; or a copy to be walked
	 * in user space. Stacks come before the records that refer to them. */
	ITP_RECORD_STACK,
	ITP_RECORD_COPY,
};

#define ITP_RECORD_COMM 16
#define ITP_RECORD_WORDS 6

struct itp_record_head {
	uint32_t kind;
	uint32_t cpu;
	uint64_t time_ns;
	int32_t pid;
	int32_t tid;
	/* Number of its stack in user mode; 0 for none. */
	uint64_t stack;
};

/* Numbers of stacks count up in each room of each CPU: above so many bits, which tell the room. */
#define ITP_RECORD_LANE_BITS 14
/* Last stacks of each room known to user space. */
#define ITP_RECORD_REMEMBERED 65536

struct itp_record_call {
	struct itp_record_head head;
	int64_t number;
	uint64_t words[ITP_RECORD_WORDS];
	/* Of ITP_RECORD_CALL. */
	uint64_t exit_ns;
	int64_t result;
};

struct itp_record_exit {
	struct itp_record_head head;
	int64_t number;
	int64_t result;
};

/* In the kernel: leaf first. */
#define ITP_RECORD_KERNEL_FRAMES 64

/* SWITCH, WAKING, TICK: only the counted frames of the kernel are there. */
struct itp_record_event {
	struct itp_record_head head;
	/* Of a switch: the next thread; of a wakeup: the woken one. */
	int32_t other_tid;
	int32_t other_priority;
	char other_comm[ITP_RECORD_COMM];
	char comm[ITP_RECORD_COMM];
	int32_t priority;
	/* Of a switch, as in the kernel's tracepoint; of a wakeup the CPU. */
	uint32_t state;
	uint32_t unused;
	uint32_t kernel_count;
	/* Number of the thread's system call, unless already told; else -1. */
	int64_t call;
	/* Place of a tick; 0 for others. */
	uint64_t ip;
	uint64_t kernel[ITP_RECORD_KERNEL_FRAMES];
};

#define ITP_RECORD_FRAMES 256

struct itp_record_stack {
	struct itp_record_head head;
	uint64_t count;
	/* Leaf first. */
	uint64_t frames[ITP_RECORD_FRAMES];
};

/* A map of CPUs has room for 32 KiB. */
#define ITP_RECORD_COPY_BYTES (24 * 1024)

struct itp_record_copy {
	struct itp_record_head head;
	/* Why: an itp_record_reason. */
	uint32_t reason;
	uint32_t stack_bytes;
	uint64_t registers[ITP_BPF_REGISTERS];
	uint8_t stack[ITP_RECORD_COPY_BYTES];
};

/* End of a walk in the kernel. */
enum itp_record_reason {
	ITP_RECORD_ROOT,
	/* Mappings of the process are still unknown; nothing is mapped there. */
	ITP_RECORD_IMAGE_UNKNOWN,
	ITP_RECORD_UNMAPPED,
	/* No table; no step; a step from an unknown register. */
	ITP_RECORD_NO_TABLE,
	ITP_RECORD_NO_STEP,
	ITP_RECORD_NO_FRAME_POINTER,
	/* Absent memory; a stack that goes down; too many frames for the room. */
	ITP_RECORD_NO_MEMORY,
	ITP_RECORD_NOT_GROWING,
	ITP_RECORD_DEEP,
	ITP_RECORD_REASONS,
};

/* Of a CPU: runs of a kind of programs, and their time in the timed ones, which are few. */
struct itp_record_runs {
	uint64_t runs;
	uint64_t timed_runs;
	uint64_t timed_ns;
};

enum itp_record_cost {
	/* Programs at the begin and the end of system calls, of whomever; all others. */
	ITP_RECORD_COST_CALLS,
	ITP_RECORD_COST_OTHERS,
	ITP_RECORD_COSTS,
};

/* Totals of a CPU. */
struct itp_record_totals {
	struct itp_record_runs runs[ITP_RECORD_COSTS];
	/* Ticks that found a recorded thread. */
	uint64_t ticks;
	/* Records without room. */
	uint64_t lost;
	/* Stacks asked for; remembered; walked; and copied, by reason. */
	uint64_t stacks;
	uint64_t remembered;
	uint64_t walked;
	uint64_t copied[ITP_RECORD_REASONS];
};

#endif
