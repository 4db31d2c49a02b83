/* SPDX-License-Identifier: MIT */
/*
 * Contents of the maps and records of the ring, shared by record.bpf.c in the kernel and the
 * recorder in user space.
 */
#ifndef ITP_PERF_RECORD_RECORD_BPF_H
#define ITP_PERF_RECORD_RECORD_BPF_H

#include "common/unwind/step.h"
#include "plugins/perf/bpf/registers.h"

/* ---- Maps ---- */

/* Images kept: the latest. An image is the executable mappings of a process. A fork shares its
 * parent's image until either maps more: images are named by the state of the address space, with
 * numbers never used twice. */
#define ITP_RECORD_IMAGES 512
#define ITP_RECORD_MAPPING_BITS 10
#define ITP_RECORD_MAPPINGS (1 << ITP_RECORD_MAPPING_BITS)
/* Number of no image: mappings of the process are unknown. */
#define ITP_RECORD_NO_IMAGE 0

/* Room for rows and their index, of all files together: 32 MiB and 4 MiB; and for steps. */
#define ITP_RECORD_ROWS (4u << 20)
#define ITP_RECORD_INDEX (1u << 20)
#define ITP_RECORD_STEPS 8192

/* Bytes of the ring of records, for each CPU, and least and most of all: powers of two. The larger
 * a ring, the longer records go to pages that were never written: a virtual machine may map each at
 * its first use, which makes the end of a system call three times as dear (tar: 570 ns until 64 MiB
 * are filled, 220 ns behind). Copies of stacks have a larger ring: thousands come at once as a
 * large program begins. */
#define ITP_RECORD_RING_CPU_BYTES (4u << 20)
#define ITP_RECORD_RING_LEAST_BYTES (16u << 20)
#define ITP_RECORD_RING_MOST_BYTES (64u << 20)
#define ITP_RECORD_COPY_RING_BYTES (64u << 20)

struct itp_record_mapping {
	uint64_t begin;
	uint64_t end;
	/* Difference between an address and its place in the table. */
	uint64_t base;
	/* Place in the map of indexes, and number of buckets from there on; 0 for code of which no
	 * table is known: stacks through it are copied. ITP_RECORD_MADE_CODE for memory without a
	 * file, which never has a table: frame pointers lead through it. */
	uint32_t index;
	uint32_t buckets;
};

#define ITP_RECORD_MADE_CODE UINT32_MAX

/* State of a thread that lost its CPU and could go on: none of the kernel's bits, which are up to
 * 0x8000. */
#define ITP_RECORD_PREEMPTED 0x80000000u

/* Interpreter of a process (CPython), and places of the frames of interpreted functions: addresses
 * in the process, then offsets of members in the interpreter's structures, in bytes. `runtime` is 0
 * in a process without any. */
struct itp_record_interpreter {
	/* Global state; code of the interpreting loop. */
	uint64_t runtime;
	uint64_t loop_begin;
	uint64_t loop_end;
	/* Global state → first interpreter → next interpreter, first thread → next thread. */
	uint16_t first_interpreter;
	uint16_t next_interpreter;
	uint16_t first_thread;
	uint16_t next_thread;
	/* Thread → pthread_self(); frame on top, or a structure that has the frame at
	 * `holder_frame`, unless the latter is ITP_RECORD_NO_HOLDER. */
	uint16_t thread_identity;
	uint16_t thread_frame;
	uint16_t holder_frame;
	/* Frame → code, caller, byte with its owner, byte set if machine code has called the
	 * function; all in the first ITP_RECORD_INTERPRETED_BYTES. */
	uint16_t frame_code;
	uint16_t frame_caller;
	uint16_t frame_owner;
	uint16_t frame_is_entry;
	/* Lowest owner of a frame without a function, right below a frame called by machine code; 0
	 * for versions without such frames: `frame_is_entry` tells. */
	uint16_t entry_owner;
	/* Code → name, file, first line. */
	uint16_t code_name;
	uint16_t code_file;
	uint16_t code_line;
	/* Text → number of characters, state, bytes of ASCII and of others. */
	uint16_t text_length;
	uint16_t text_state;
	uint16_t text_ascii;
	uint16_t text_other;
	uint16_t unused;
};

#define ITP_RECORD_NO_HOLDER UINT16_MAX

/* Bytes read of an interpreted frame. */
#define ITP_RECORD_INTERPRETED_BYTES 128

/* Mappings of an image are sorted by address, without overlaps. */
struct itp_record_image {
	uint32_t number;
	uint32_t count;
	struct itp_record_interpreter interpreter;
	struct itp_record_mapping mappings[ITP_RECORD_MAPPINGS];
};

/* Image of a process, valid as long as the process has begun (exec) as many programs as `execs`. */
struct itp_record_of_process {
	uint32_t image;
	uint32_t execs;
};

/* ---- Records ---- */

enum itp_record_kind {
	/* System call: its begin; its end; both, with no event between. */
	ITP_RECORD_ENTER,
	ITP_RECORD_EXIT,
	ITP_RECORD_CALL,
	/* Act of a thread: leaves a CPU; gets a CPU; wakes another thread; wakes a new thread;
	 * finds no page for a read or write; is found by a tick of the timer. */
	ITP_RECORD_SWITCH,
	ITP_RECORD_IN,
	ITP_RECORD_WAKING,
	ITP_RECORD_WAKING_NEW,
	ITP_RECORD_FAULT,
	ITP_RECORD_TICK,
	/* Stack, to which later records refer by its number: walked in the kernel; or copied, to be
	 * walked in user space. */
	ITP_RECORD_STACK,
	ITP_RECORD_COPY,
	/* Interpreted functions on top of such a stack, with a number of their own; and name, file
	 * and line of an interpreted function, before the first stack with it. */
	ITP_RECORD_INTERPRETED,
	ITP_RECORD_CODE,
	/* Thread that waits as the recording begins, as at a switch; and one that waits as it ends.
	 */
	ITP_RECORD_WAITS,
	ITP_RECORD_STILL_WAITS,
};

#define ITP_RECORD_COMM 16
#define ITP_RECORD_WORDS 6

struct itp_record_head {
	uint32_t kind;
	uint32_t cpu;
	uint64_t time_ns;
	int32_t pid;
	int32_t tid;
	/* Number of the thread's stack in user mode; 0 for none. */
	uint64_t stack;
};

/* Low bits of a stack's number: its lane. The bits above count up in each lane. A room of a CPU has
 * a lane of walked stacks, and one of copied stacks, with ITP_RECORD_COPY_LANE: they come in
 * another ring, perhaps later than records that refer to them. */
#define ITP_RECORD_LANE_BITS 14
#define ITP_RECORD_COPY_LANE 1
/* Latest stacks of each room remembered by user space. */
#define ITP_RECORD_REMEMBERED 65536

struct itp_record_call {
	struct itp_record_head head;
	int64_t number;
	uint64_t words[ITP_RECORD_WORDS];
	/* Time of the end, and result, of ITP_RECORD_CALL alone. */
	uint64_t exit_ns;
	int64_t result;
};

struct itp_record_exit {
	struct itp_record_head head;
	int64_t number;
	int64_t result;
};

/* ITP_RECORD_IN. */
struct itp_record_in {
	struct itp_record_head head;
	/* Thread that had the CPU before: 0 for the idle thread, -1 for a recorded thread. */
	int32_t before_tid;
	uint32_t unused;
	char before_comm[ITP_RECORD_COMM];
};

/* Most frames of a stack in the kernel, leaf first. */
#define ITP_RECORD_KERNEL_FRAMES 64

/* Event of a switch, wakeup, fault or tick, or a waiting thread. The record ends behind the first
 * `kernel_count` frames. */
struct itp_record_event {
	struct itp_record_head head;
	/* Other thread: next on the CPU, or woken. */
	int32_t other_tid;
	int32_t other_priority;
	char other_comm[ITP_RECORD_COMM];
	char comm[ITP_RECORD_COMM];
	int32_t priority;
	/* State at a switch, by the kernel's bits, or ITP_RECORD_PREEMPTED; number of the CPU at a
	 * wakeup. */
	uint32_t state;
	/* Time of a fixed computation at a tick; 0 where none was made (record-speed.h). */
	uint32_t computed_ns;
	uint32_t kernel_count;
	/* Number of the thread's system call, if its begin was not seen; else negative. */
	int64_t call;
	/* Address of the instruction at a tick or fault; 0 for other events. */
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

/* Most interpreted functions of a stack. */
#define ITP_RECORD_INTERPRETED_FRAMES 256
/* Bit set in the code of a frame called by machine code: code is aligned to 16 bytes. */
#define ITP_RECORD_IS_ENTRY 1

struct itp_record_interpreted {
	struct itp_record_head head;
	/* Number of the stack in machine code; and addresses of the interpreting loop's code. */
	uint64_t machine_stack;
	uint64_t loop_begin;
	uint64_t loop_end;
	uint64_t count;
	/* Addresses of code, leaf first, with ITP_RECORD_IS_ENTRY. */
	uint64_t frames[ITP_RECORD_INTERPRETED_FRAMES];
};

#define ITP_RECORD_TEXT_BYTES 192

/* Text of an interpreter, cut to ITP_RECORD_TEXT_BYTES: a name at its end, a path at its begin. */
struct itp_record_text {
	uint32_t bytes;
	/* Bytes of a character: 1 (Latin 1), 2 or 4 (parts of Unicode). */
	uint32_t width;
	uint8_t text[ITP_RECORD_TEXT_BYTES];
};

struct itp_record_code {
	struct itp_record_head head;
	uint64_t code;
	uint64_t line;
	struct itp_record_text name;
	struct itp_record_text file;
};

/* Most bytes of a copied stack; a map of CPUs has room for 32 KiB. */
#define ITP_RECORD_COPY_BYTES (24 * 1024)

struct itp_record_copy {
	struct itp_record_head head;
	/* Reason of the copy: enum itp_record_reason. */
	uint32_t reason;
	uint32_t stack_bytes;
	uint64_t registers[ITP_BPF_REGISTERS];
	uint8_t stack[ITP_RECORD_COPY_BYTES];
};

/* Reason why a walk in the kernel ends. */
enum itp_record_reason {
	ITP_RECORD_ROOT,
	/* No image of the process known yet; nothing mapped at the address. */
	ITP_RECORD_IMAGE_UNKNOWN,
	ITP_RECORD_UNMAPPED,
	/* No table; no step; a step from an unknown frame pointer. */
	ITP_RECORD_NO_TABLE,
	ITP_RECORD_NO_STEP,
	ITP_RECORD_NO_FRAME_POINTER,
	/* Missing memory; a stack going down; more than ITP_RECORD_FRAMES frames. */
	ITP_RECORD_NO_MEMORY,
	ITP_RECORD_NOT_GROWING,
	ITP_RECORD_DEEP,
	ITP_RECORD_REASONS,
};

/* Runs of the programs of a kind on a CPU; number and nanoseconds of the few timed runs; and how
 * many have begun, with the number at which the next one is timed. */
struct itp_record_runs {
	uint64_t runs;
	uint64_t begun;
	uint64_t next_timed;
	uint64_t timed_runs;
	uint64_t timed_ns;
};

enum itp_record_cost {
	/* Programs at the begin and the end of system calls; all other programs. Behind each those
	 * runs of it that concern no recorded thread: they are at the cost of other programs. */
	ITP_RECORD_COST_CALLS,
	ITP_RECORD_COST_CALLS_OF_STRANGERS,
	ITP_RECORD_COST_OTHERS,
	ITP_RECORD_COST_OTHERS_OF_STRANGERS,
	ITP_RECORD_COSTS,
};

/* Sums of a CPU. */
struct itp_record_totals {
	struct itp_record_runs runs[ITP_RECORD_COSTS];
	/* Ticks in recorded threads. */
	uint64_t ticks;
	/* Records lost for lack of room. */
	uint64_t lost;
	/* Stacks asked for; remembered; walked; and copied, by reason. */
	uint64_t stacks;
	uint64_t remembered;
	uint64_t walked;
	uint64_t copied[ITP_RECORD_REASONS];
	/* Kernel's parts of stacks at switches and wakeups; and those remembered. */
	uint64_t kernel_stacks;
	uint64_t kernel_remembered;
};

#endif
