/* SPDX-License-Identifier: MIT */
/*
 * Threads and processes of a recording while they live.
 *
 * A thread belongs to a process, and processes own address spaces, shared by a fork. Facts about a
 * thread stay for a while after its end, because its last switch off the CPU is recorded behind it;
 * a new thread of the same number takes its place.
 *
 * A record means a few stack events, all at its time: a switch takes a thread off the CPU and puts
 * another on it, and a thread unknown to the core begins before its first event.
 */
#ifndef ITP_STACKS_TASK_H
#define ITP_STACKS_TASK_H

#include "common/base/stack-event.h"
#include "common/symbol/address-space.h"
#include "common/symbol/symbolizer.h"

#include <glib.h>

struct itp_process {
	int32_t pid;
	/* Name of the first thread, whose number is the process'; NULL until told. Weak: kept as
	 * long as the tasks. */
	const char *name;
	/* Name of its container, if events bear that; else NULL. Weak, likewise. */
	const char *container;
	/* References of its threads, and of code at work on it. */
	unsigned int references;
	/* Owned by this (a reference). */
	struct itp_address_space *space;
	/* Space of the program that a new one has replaced, until the new one's first stack; NULL
	 * without any. Owned by this (a reference). */
	struct itp_address_space *replaced;
	/* Thread is known to run user code; kernel threads do not. */
	bool is_user;
};

struct itp_task {
	int32_t tid;
	/* Never NULL. Weak: kept as long as the tasks. */
	const char *comm;
	/* Owned by this (a reference). */
	struct itp_process *process;
	/* The process is only a guess, made from the thread's number. */
	bool is_guess;
	/* Core was told of the thread's begin. */
	bool is_announced;
	/* The recording has told its end; the core is still to be told. */
	bool is_ended;
	bool is_leaving;
	/* Time of the first wakeup of another thread in the present system call; 0: none. */
	int64_t woke_ns;
};

struct itp_tasks;

struct itp_tasks *itp_tasks_new(void);
void itp_tasks_free(struct itp_tasks *tasks);

/* Thread `tid`, NULL when unknown. Tasks are valid until the next call that makes or ends a
 * task. */
struct itp_task *itp_tasks_find(struct itp_tasks *tasks, int32_t tid);

/* Finds or makes the thread. A known thread of another process is moved. */
struct itp_task *itp_tasks_get(struct itp_tasks *tasks, int32_t pid, int32_t tid);
/* Finds or makes a thread of unknown process: `tid`, until an event tells better. */
struct itp_task *itp_tasks_guess(struct itp_tasks *tasks, int32_t tid);

/* Finds or makes the process `pid`, and gives a reference to it. */
struct itp_process *itp_tasks_process(struct itp_tasks *tasks, int32_t pid);
void itp_tasks_process_unref(struct itp_tasks *tasks, struct itp_process *process);

/* Process `pid`, which runs user code, has mapped something. */
void itp_tasks_map(struct itp_tasks *tasks, int32_t pid, struct itp_symbolizer *symbolizer,
		   const struct itp_map_request *request);

/* A new thread `tid` of process `pid`, made by `parent_tid` of `parent_pid`. */
struct itp_task *itp_tasks_fork(struct itp_tasks *tasks, int32_t pid, int32_t tid,
				int32_t parent_pid, int32_t parent_tid);
/* The process of `task` begins a new program: nothing is mapped. */
void itp_task_exec(struct itp_task *task);
/* Space of a stack that was taken at `address` of the process: of the program that runs, or, while
 * execve() still makes it, of the one that called execve(). Weak. */
struct itp_address_space *itp_process_space(struct itp_process *process, uint64_t address);
void itp_tasks_end(struct itp_tasks *tasks, struct itp_task *task);
/* After a loss a new thread may have taken the number of an ended one without notice. */
void itp_tasks_forget_ended(struct itp_tasks *tasks);

/* `comm` need not be valid text. */
void itp_tasks_rename(struct itp_tasks *tasks, struct itp_task *task, const char *comm);

/* ---- Containers ---- */

/* From now on events bear the names of containers, in place of threads' names. To be called before
 * all others. */
void itp_tasks_name_containers(struct itp_tasks *tasks);
/* The control group of this number has this path, which need not be valid text. */
void itp_tasks_tell_group(struct itp_tasks *tasks, uint64_t number, const char *path);
/* The process of the thread is in the control group of this number. */
void itp_tasks_enter_group(struct itp_tasks *tasks, struct itp_task *task, uint64_t number);

/* ---- The events of a record ---- */

/* Most events of a record: START, SWITCH_OUT, START, SWITCH_IN, LATE, MISPLACED. */
#define ITP_EVENT_QUEUE_LENGTH 6

/* States of a thread off the CPU as sched_switch reports them. A higher bit says that it could have
 * gone on running; its place depends on the kernel's version. */
#define ITP_BLOCKED_STATES 0xff
/* States of a thread that has ended: EXIT_DEAD and EXIT_ZOMBIE. */
#define ITP_DEAD_STATES 0x30

struct itp_event_queue {
	struct itp_stack_event events[ITP_EVENT_QUEUE_LENGTH];
	size_t length;
};

/* Empties the queue for the events of another record. */
void itp_event_queue_clear(struct itp_event_queue *queue);

/* Appends the begin of a thread, made by the thread `creator` or ITP_START_UNKNOWN. */
void itp_event_queue_start(struct itp_event_queue *queue, int64_t time_ns,
			   const struct itp_task *task, int64_t creator);

/* Appends an event of `kind` for the thread, which the core is told of first if need be. NULL
 * for a thread of whose end the core was told. Valid until the next call. */
struct itp_stack_event *itp_event_queue_add(struct itp_event_queue *queue, enum itp_event_kind kind,
					    int64_t time_ns, struct itp_task *task, int32_t cpu);

/* Appends the end of the thread, if its recording has told it and the core does not know it yet. */
void itp_event_queue_end(struct itp_event_queue *queue, int64_t time_ns, struct itp_task *task);

/* Appends an event of a kind that is about no thread but a number of events or records, as
 * ITP_EVENT_LOSS is. */
void itp_event_queue_add_count(struct itp_event_queue *queue, enum itp_event_kind kind,
			       int64_t time_ns, int64_t count);

/* Appends an ITP_EVENT_SPEED. */
void itp_event_queue_add_speed(struct itp_event_queue *queue, int64_t time_ns, uint32_t meter,
			       uint64_t computed_ns);

#endif
