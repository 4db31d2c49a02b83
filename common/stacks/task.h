/* SPDX-License-Identifier: MIT */
/*
 * Threads and processes of a recording while they live.
 *
 * A thread belongs to a process, and processes own address spaces, which a fork shares. What is
 * known about a thread stays for a while after its end, because its last switch off the CPU is
 * recorded behind it; a new thread of the same number takes its place.
 */
#ifndef ITP_STACKS_TASK_H
#define ITP_STACKS_TASK_H

#include "common/symbol/address-space.h"
#include "common/symbol/symbolizer.h"

#include <glib.h>

struct itp_process {
	int32_t pid;
	/* That of its first thread, whose number it has; NULL as long as nobody told. Weak: kept as
	 * long as the tasks. */
	const char *name;
	/* Of its threads, and of who works on it. */
	unsigned int references;
	/* Owned by this (a reference). */
	struct itp_address_space *space;
	/* It is known to run user code; kernel threads do not. */
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
	/* The core was told of this thread, and of its end. */
	bool is_announced;
	bool is_ended;
};

struct itp_tasks;

struct itp_tasks *itp_tasks_new(void);
void itp_tasks_free(struct itp_tasks *tasks);

/* NULL when the thread is not known. Tasks are valid until the next call that makes or ends one. */
struct itp_task *itp_tasks_find(struct itp_tasks *tasks, int32_t tid);

/* Finds or makes the thread. A known one of another process is moved there. */
struct itp_task *itp_tasks_get(struct itp_tasks *tasks, int32_t pid, int32_t tid);
/* The same when the process is not known: it is `tid` until an event tells better. */
struct itp_task *itp_tasks_guess(struct itp_tasks *tasks, int32_t tid);

/* Finds or makes the process `pid`, for which a reference is given. */
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
void itp_tasks_end(struct itp_tasks *tasks, struct itp_task *task);
/* After a loss a new thread may have taken the number of an ended one without notice. */
void itp_tasks_forget_ended(struct itp_tasks *tasks);

/* `comm` need not be valid text. */
void itp_tasks_rename(struct itp_tasks *tasks, struct itp_task *task, const char *comm);

#endif
