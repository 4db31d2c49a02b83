/* SPDX-License-Identifier: MIT */
/*
 * What record.bpf.c, which runs in the kernel, and the recorder share: the contents of its maps,
 * and the records of its ring.
 */
#ifndef ITP_PERF_RECORD_RECORD_BPF_H
#define ITP_PERF_RECORD_RECORD_BPF_H

#include "common/unwind/step.h"
#include "plugins/perf/bpf/registers.h"

/* ---- Maps ---- */

/* Image: what a process has mapped to execute. A fork has the same one until either maps more, so
 * that an image is named by the state of the address space, by numbers that are never used twice;
 * the last ones of these are kept. */
#define ITP_RECORD_IMAGES 512
#define ITP_RECORD_MAPPING_BITS 10
#define ITP_RECORD_MAPPINGS (1 << ITP_RECORD_MAPPING_BITS)
/* Number of no image: what a process has mapped is not known. */
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
	/* In the map of indexes: the first, and how many there are behind it; 0 of code whose
	 * stacks have to be copied. */
	uint32_t index;
	uint32_t buckets;
};

/* Interpreter of a process (CPython), and where it keeps the frames of the functions that it
 * interprets: addresses in the process, then offsets of members in its structures. `runtime` is 0
 * in a process without one. */
struct itp_record_interpreter {
	/* Global state; code of the loop that interprets. */
	uint64_t runtime;
	uint64_t loop_begin;
	uint64_t loop_end;
	/* Global state → first interpreter → next one, first thread → next one. */
	uint16_t first_interpreter;
	uint16_t next_interpreter;
	uint16_t first_thread;
	uint16_t next_thread;
	/* Thread → pthread_self(); its frame on top, or, unless `holder_frame` is
	 * ITP_RECORD_NO_HOLDER, a structure with that. */
	uint16_t thread_identity;
	uint16_t thread_frame;
	uint16_t holder_frame;
	/* Frame → code, caller, byte with its owner, byte that says whether machine code has called
	 * it; all in the first ITP_RECORD_INTERPRETED_BYTES. */
	uint16_t frame_code;
	uint16_t frame_caller;
	uint16_t frame_owner;
	uint16_t frame_is_entry;
	/* Owner, and higher ones, of a frame without a function, right below one that machine code
	 * has called; 0 where no frame is such, and `frame_is_entry` tells. */
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

#define ITP_RECORD_INTERPRETED_BYTES 128

/* Sorted, without overlaps. */
struct itp_record_image {
	uint32_t number;
	uint32_t count;
	struct itp_record_interpreter interpreter;
	struct itp_record_mapping mappings[ITP_RECORD_MAPPINGS];
};

/* Image of a process, and how many programs the process had begun (exec) when it had that one. */
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
	/* A thread leaves a CPU; is on one; wakes another; wakes a new one; finds no page where it
	 * reads or writes; and a tick of the timer. */
	ITP_RECORD_SWITCH,
	ITP_RECORD_IN,
	ITP_RECORD_WAKING,
	ITP_RECORD_WAKING_NEW,
	ITP_RECORD_FAULT,
	ITP_RECORD_TICK,
	/* A stack that others refer to, by its number: walked in the kernel; or what has to be
	 * walked in user space. They come before those who refer to them. */
	ITP_RECORD_STACK,
	ITP_RECORD_COPY,
	/* Interpreted functions on top of one of these stacks, which make another one; and what
	 * such a function is, before the first stack with it. */
	ITP_RECORD_INTERPRETED,
	ITP_RECORD_CODE,
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
/* Number of the last ones of each room that user space knows. */
#define ITP_RECORD_REMEMBERED 65536

struct itp_record_call {
	struct itp_record_head head;
	int64_t number;
	uint64_t words[ITP_RECORD_WORDS];
	/* End and result, of ITP_RECORD_CALL alone. */
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
	/* The CPU's thread until then; 0 for the idle one, -1 for one that is recorded. */
	int32_t before_tid;
	uint32_t unused;
	char before_comm[ITP_RECORD_COMM];
};

/* In the kernel: leaf first. */
#define ITP_RECORD_KERNEL_FRAMES 64

/* SWITCH, WAKING, FAULT, TICK: of their kernel's frames only so many are there as are counted. */
struct itp_record_event {
	struct itp_record_head head;
	/* Other thread: the next one of a switch, the woken one of a wakeup. */
	int32_t other_tid;
	int32_t other_priority;
	char other_comm[ITP_RECORD_COMM];
	char comm[ITP_RECORD_COMM];
	int32_t priority;
	/* State of a switch, as the kernel's tracepoint tells it; CPU of a wakeup. */
	uint32_t state;
	uint32_t unused;
	uint32_t kernel_count;
	/* The number of the system call that the thread is in, where none was told of it; else -1.
	 */
	int64_t call;
	/* Instruction at which a tick or a fault was; 0 for others. */
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
/* Set in the code of a frame that machine code has called; code is aligned to more. */
#define ITP_RECORD_IS_ENTRY 1

struct itp_record_interpreted {
	struct itp_record_head head;
	/* Number of the stack in machine code, and where in it the loop is that interprets. */
	uint64_t machine_stack;
	uint64_t loop_begin;
	uint64_t loop_end;
	uint64_t count;
	/* Addresses of code, leaf first, with ITP_RECORD_IS_ENTRY. */
	uint64_t frames[ITP_RECORD_INTERPRETED_FRAMES];
};

#define ITP_RECORD_TEXT_BYTES 192

/* Text of an interpreter: the first characters of a name, the last ones of a path. */
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

/* Reason why a walk in the kernel ends. */
enum itp_record_reason {
	ITP_RECORD_ROOT,
	/* No image is known of the process yet; nothing is mapped there. */
	ITP_RECORD_IMAGE_UNKNOWN,
	ITP_RECORD_UNMAPPED,
	/* No table; no step; a step from what is not known. */
	ITP_RECORD_NO_TABLE,
	ITP_RECORD_NO_STEP,
	ITP_RECORD_NO_FRAME_POINTER,
	/* Memory that is not there; a stack that goes down; more frames than there is room for. */
	ITP_RECORD_NO_MEMORY,
	ITP_RECORD_NOT_GROWING,
	ITP_RECORD_DEEP,
	ITP_RECORD_REASONS,
};

/* Runs of the programs of a kind on one CPU, and how long those took that were timed, which few
 * are. */
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

/* Sums of one CPU. */
struct itp_record_totals {
	struct itp_record_runs runs[ITP_RECORD_COSTS];
	/* Ticks that found a recorded thread. */
	uint64_t ticks;
	/* Records that found no room. */
	uint64_t lost;
	/* Stacks that were asked for; were remembered; were walked; and were copied, by reason. */
	uint64_t stacks;
	uint64_t remembered;
	uint64_t walked;
	uint64_t copied[ITP_RECORD_REASONS];
};

#endif
