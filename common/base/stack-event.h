/* SPDX-License-Identifier: MIT */
/*
 * The input of the core: one thread, one instant, one stack.
 *
 * Every host and every reader hands its records to the core in this form; nothing in the core
 * knows where they come from.
 */
#ifndef ITP_BASE_STACK_EVENT_H
#define ITP_BASE_STACK_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are part of the message contract (`kind` of introperf:stack): only append. */
enum itp_event_kind {
	/* The thread enters the kernel; `argument` is the number of the system call. */
	ITP_EVENT_SYSCALL_ENTER = 0,
	/* The thread leaves the kernel; `argument` is what the call returned. */
	ITP_EVENT_SYSCALL_EXIT = 1,
	/* The thread leaves the CPU; `argument` is its new state: 0 = still runnable (preempted),
	 * anything else = blocked. */
	ITP_EVENT_SWITCH_OUT = 2,
	/* The thread is on a CPU again. No stack. */
	ITP_EVENT_SWITCH_IN = 3,
	/* The thread was blocked and may run again; `argument` is the tid of the waker, whose
	 * stack this is. */
	ITP_EVENT_WAKEUP = 4,
	/* Anything else that shows a stack. `argument` is for how much CPU time a tick of a timer
	 * stands, in the timer's unit, and 0 for other events: a page fault, another tracepoint. */
	ITP_EVENT_SAMPLE = 5,
	/* An exact function trace: frames[0] is the function that was entered or left. An exit
	 * without a frame is that of the innermost function. */
	ITP_EVENT_FUNCTION_ENTRY = 6,
	ITP_EVENT_FUNCTION_EXIT = 7,
	/* Events are missing before this instant; `argument` is how many, ITP_LOSS_UNKNOWN when
	 * nobody knows, ITP_LOSS_CUT when the input ends here before its time. All threads are
	 * affected; pid and tid are -1. No stack. */
	ITP_EVENT_LOSS = 8,
	/* The life of a thread. No stack. START: `argument` is the tid of the creator, or
	 * ITP_START_UNKNOWN for a thread that was there before the recording, and comm is the name
	 * of its process, where that is known; EXEC: comm is the new name. */
	ITP_EVENT_START = 9,
	ITP_EVENT_EXEC = 10,
	ITP_EVENT_END = 11,
	/* The function of the innermost frame has just been called; each call of that function
	 * makes such an event. */
	ITP_EVENT_CALL = 12,
	/* Records came later than others of later times; `argument` is how many. LATE: they stand
	 * where their times belong; MISPLACED: they have the time of what came before them. Nothing
	 * happened in the program. pid and tid are -1. No stack. */
	ITP_EVENT_LATE = 13,
	ITP_EVENT_MISPLACED = 14,
	/* Whether system calls are watched from here on: `argument` is N where they are, in a
	 * window that was drawn by lot so that each instant is in one with the chance of 1 in N.
	 * Where they are not, until the next such event, it is 0 or negative: which part of the
	 * programs' CPU time it took to watch in the windows until now, in millionths; example:
	 * -400000 for 40 %. Without any such event, they always are. pid and tid are -1. No stack.
	 */
	ITP_EVENT_WINDOW = 15,
	/* The thread's next event is in the system call `callee`, of which no event told the begin;
	 * `argument` is its number. No stack. */
	ITP_EVENT_IN_CALL = 16,
	/* How fast the machine was at some time until now: words[0] is the time (ns) of a fixed
	 * computation; `argument` tells its code, as other code takes other times. Nothing happened
	 * in the program. pid and tid are -1. No stack. */
	ITP_EVENT_SPEED = 17,
};

#define ITP_EVENT_KIND_COUNT 18

/* No call stands for more. */
#define ITP_WINDOW_MOST (INT64_C(1) << 20)
/* Less than all was taken. */
#define ITP_WINDOW_PART INT64_C(1000000)
#define ITP_WINDOW_TAKEN_MOST INT64_C(950000)

/* For no more than that a tick stands, so that it cannot outweigh all others of a recording. */
#define ITP_TICK_MOST (INT64_C(1) << 40)

#define ITP_LOSS_UNKNOWN INT64_C(-1)
#define ITP_LOSS_CUT INT64_C(-2)
#define ITP_START_UNKNOWN INT64_C(-1)

/* No stack that the core is given is deeper; readers cut at the root and mark it incomplete. */
#define ITP_MAX_STACK_DEPTH 1024

/* How a stack ends at its root, as far as the reader knows. Numbers as above. */
enum itp_stack_end {
	/* Frames are missing, or may be, for a reason that nobody told. */
	ITP_STACK_END_UNKNOWN = 0,
	/* The thread's first function. */
	ITP_STACK_END_ROOT = 1,
	/* The stack goes on, but no more of it was recorded, or fits. */
	ITP_STACK_END_DEPTH = 2,
	/* What was recorded does not say where the last frame was called from. */
	ITP_STACK_END_UNWIND = 3,
	/* The stack goes on, but the copy of it ends before the size that was asked for: at a page
	 * that is not in memory. */
	ITP_STACK_END_SHORT_COPY = 4,
};

#define ITP_STACK_END_COUNT 5

/* How the frames of a stack were found; of several ways the weakest. Numbers as above. */
enum itp_found_by {
	/* Not by the reader: the recording has them, or there are none. */
	ITP_FOUND_BY_RECORDER = 0,
	/* Unwound by a rule for the code that a frame is in, or by one that has to be computed. */
	ITP_FOUND_BY_RULE = 1,
	ITP_FOUND_BY_EXPRESSION = 2,
	/* There was no rule: by a frame pointer that led to code, or by a call. */
	ITP_FOUND_BY_FRAME_POINTER = 3,
};

#define ITP_FOUND_BY_COUNT 4

struct itp_frame {
	/* Where execution resumes: the return address, or the instruction pointer of the leaf. In
	 * the addresses of the module's file, as in its symbol table, where there is such a file.
	 */
	uint64_t address;
	/* Id in the function table that goes with the event. */
	uint32_t function;
	/* The thread stands at the address, rather than in the call before it. */
	bool is_exact;
	/* What called it may be missing: the frame pointer on which the stack was built was not its
	 * own. */
	bool hides_caller;
	/* Not shown by the stack, but what the stack must stand on; the address is an earlier one.
	 */
	bool is_assumed;
	/* Not recorded, but put in since the code of the frame below called it. Where it goes on is
	 * not known: the address is 0. */
	bool is_filled;
};

/* The words that a program handed to a system call: the first of its arguments, in their order. The
 * first word of a call that works on a descriptor is the descriptor's number: 3 in read(3, …). */
#define ITP_SYSCALL_WORDS 3

struct itp_syscall_words {
	uint64_t words[ITP_SYSCALL_WORDS];
	/* False where the recording does not tell the words. */
	bool are_known;
};

struct itp_stack_event {
	enum itp_event_kind kind;
	/* Nanoseconds on the recording's clock. */
	int64_t time_ns;
	int32_t pid;
	int32_t tid;
	/* -1 when not recorded. */
	int32_t cpu;
	/* Name of the thread. Never NULL. Weak: lives as long as the event. */
	const char *comm;
	int64_t argument;
	/* SAMPLE: for how many nanoseconds of CPU time a tick stands; 0 where the timer does not
	 * tell, as one does that counts cycles. */
	int64_t tick_ns;
	/* System calls, and IN_CALL: id of the function `syscall:NAME`. Switches: that of the
	 * process which gets the CPU, named after its thread, if it has no events of its own.
	 * Otherwise ITP_FUNCTION_UNKNOWN. */
	uint32_t callee;
	/* SYSCALL_ENTER: the words handed to the system call. SPEED: see there. Not known for other
	 * kinds. */
	struct itp_syscall_words words;
	/* SYSCALL_EXIT: how long ago the thread has first woken another one during the call, be
	 * that one recorded or not; 0: it has not. */
	int64_t since_wake_ns;
	/* Root first; user frames before kernel frames. Weak: lives as long as the event. */
	const struct itp_frame *frames;
	size_t frame_count;
	/* How many of the frames are `is_filled`. */
	uint32_t filled_count;
	/* False when the reader knows that frames at the root are missing. */
	bool complete;
	/* More about that, for those who want to know what to do about it. */
	enum itp_stack_end end;
	enum itp_found_by found_by;
};

#endif
