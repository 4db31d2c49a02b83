/* SPDX-License-Identifier: MIT */
/*
 * System calls that wait: for an event, for data, for another thread, for time, for an end.
 *
 * One table answers two questions: may a wait be idle, so that it is nobody's loss
 * (common/rank/idle.h), and may a loop wait there for its next event (common/unit/waits.h). Proofs,
 * and looks at the callers of a wait, are left to these two. A call for a lock (futex) has a row
 * here, and one in descriptor-calls.c.
 */
#ifndef ITP_KNOWN_WAITING_CALLS_H
#define ITP_KNOWN_WAITING_CALLS_H

#include "common/base/function-table.h"

/* clang-format off */
/* Proofs that a wait is idle, besides the name of its system call; any of those of a rule is
 * enough:
 *
 *   work loop       not far above the wait is a function below which the thread does most of its
 *                   work
 *   most time       waits of the threads that begin with the same function take most of their time
 *   between jobs    the waiting function is the first of a thread, or called by the first, and
 *                   calls all else in the thread: a worker
 *   most of a life  a single wait, not for a disk, lasts most of a thread's life while other
 *                   threads of the process work: the thread is there to hear of an end or of a
 *                   signal, or the pool is larger than the work
 *   pipe            waits for a pipe take most of the time: the writer is ranked itself
 *   beside work     waits come again and again, and take most of the time of a thread that hardly
 *                   does anything else, while others of its process work and nobody waits for it
 *   command         other processes work, and nobody wants this process: the command that tells
 *                   the recorder how long to record */
/* clang-format on */
enum itp_idle_proof {
	/* None can be: a wait for a lock is a wait for somebody. */
	ITP_IDLE_NEVER,
	/* Needs none: the call has no other use (epoll_wait), or the function has none. */
	ITP_IDLE_ALWAYS,
	/* Needs none, even for a call that only one run has: it waits for another's end, whose time
	 * is ranked itself; or a runtime has nothing to run on the thread. */
	ITP_IDLE_TO_AN_END,
	/* Work loop, or most time. */
	ITP_IDLE_IN_WORK_LOOP,
	/* Most time, or between jobs. */
	ITP_IDLE_MOST_OF_THE_TIME,
	/* Most of a life, or pipe. */
	ITP_IDLE_MOST_OF_A_LIFE,
	/* Most of a life, also of a thread on whose stack is no function of the program but the
	 * first of its process: nobody knows its purpose, but it waits only once. Or command, if
	 * time ended most of the wait: nobody else was to end it. */
	ITP_IDLE_MOST_OF_A_THREAD,
	/* Beside work, or command. */
	ITP_IDLE_BESIDE_WORK,
};

/* Wait of an event-processing loop. The likelier the wait is the loop's own, the greater. */
enum itp_wait_class {
	ITP_WAIT_CLASS_NONE = 0,
	/* Wait for the signal of another thread: a worker for a job. */
	ITP_WAIT_CLASS_SIGNAL,
	/* Wait for data of one known side. */
	ITP_WAIT_CLASS_DATA,
	/* Wait for any event. */
	ITP_WAIT_CLASS_EVENT,
};

struct itp_idle_rule {
	/* Function of the program that wants to wait, or its caller, or a callee for the wait, as a
	 * shell pattern; NULL: any. */
	const char *through;
	enum itp_idle_proof proof;
};

/* Next rule for idle waits in `syscall`, a name without its prefix, and NULL behind the last. The
 * first rule with a fitting function counts. *at is the place in the table, 0 at first. */
const struct itp_idle_rule *itp_idle_rule_next(const char *syscall, size_t *at);

/* Class by the name of the system call alone, without its prefix; ITP_WAIT_CLASS_SIGNAL for a call
 * that may as well take a lock. */
enum itp_wait_class itp_wait_class_by_name(const char *syscall);

/* True when a system call waits for any event and has no other use: epoll_wait. */
bool itp_function_awaits_any_event(const struct itp_function *function);

/* True when a system call waits for nothing but time: nanosleep. */
bool itp_function_is_sleep(const struct itp_function *function);

/* True when a system call waits for a process of the caller's making to end: wait4. */
bool itp_function_awaits_child(const struct itp_function *function);

/* True when `syscall`, a name without its prefix, waits for the disk in any case: fsync. */
bool itp_syscall_awaits_disk(const char *syscall);

#endif
