/* SPDX-License-Identifier: MIT */
/*
 * Traces written down as text, for the tests of common/infer.
 *
 * A stack is "main@1 work@2 k:schedule": functions root first, each with an address if that
 * matters, kernel functions behind "k:", system calls as "syscall:read", functions of a library as
 * "libz.so!inflate", or "/libz.so!inflate" if the library comes with the system, what was put in as
 * "+work", one without a name as "program+0x10". A run feeds such stacks to the core as one
 * recording and keeps all that comes out.
 */
#ifndef ITP_TESTS_UNIT_SUPPORT_H
#define ITP_TESTS_UNIT_SUPPORT_H

#include "common/infer/infer.h"
#include "common/infer/normalize.h"

struct test_run {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_infer *infer;
	struct itp_profile *profile;
	struct itp_normalizer *normalizer;
	/* struct itp_instance, in the order in which they closed. */
	GArray *instances;
	/* struct itp_stretch, in the order in which they ended. */
	GArray *stretches;
	/* struct itp_instance: system calls that are in no context. */
	GArray *unplaced;
};

/* The kernel's frames at the beginning of a system call, as a part of a stack. */
#define TEST_ENTRY "k:entry_SYSCALL_64_after_hwframe k:do_syscall_64 "

/* The functions and the tree may be NULL for new ones, or those of another run to share. */
void test_run_init(struct test_run *run, enum itp_continuity continuity, enum itp_estimate estimate,
		   const struct test_run *share);
/* The code of the functions is a model: addresses grow along the way, and only a function whose
 * name begins with "loop" can go back. `data` is the run. */
bool test_can_stay(void *data, const struct itp_flow_step *step);
/* And none is left out on the way, but in those whose name begins with "maybe". */
bool test_may_avoid(void *data, const struct itp_flow_step *step);
/* A function calls what it called, unless its name begins with "pointing". */
bool test_always_calls(void *data, const struct itp_frame *caller, const struct itp_frame *callee);
/* Functions whose name begins with "jumping" may. */
bool test_may_jump_away(void *data, const struct itp_frame *frame, const struct itp_frame *other);
/* Functions whose name begins with "libc_" are. */
bool test_is_frameless(void *data, uint32_t function, uint64_t address);

/* Begins anew, with somebody who knows the code. */
void test_run_set_flow(struct test_run *run, const struct itp_flow *flow);
/* Begins anew, with no more than so many contexts. */
void test_run_set_limit(struct test_run *run, enum itp_continuity continuity,
			uint32_t max_contexts);
/* Corrects the profile by what ticks say of the time since the last time. */
void test_tell_shares(struct test_run *run);
/* Leaves the functions and the tree to the run that they were made for. */
void test_run_release(struct test_run *run, const struct test_run *share);

/* Id of a function written as in a stack, without its address. "sigreturn" is a signal frame. */
uint32_t test_function(struct itp_function_table *functions, const char *name);

/* Frames of a stack into `ret_frames`, a GArray of struct itp_frame. */
void test_frames(struct itp_function_table *functions, const char *stack, GArray *ret_frames);

/* Pushes an event of thread `tid` of process `tid` named "p"; returns the core's answer. */
int test_push(struct test_run *run, enum itp_event_kind kind, int64_t time_ns, int32_t tid,
	      const char *stack);
/* The same with an argument; a system call has its number as argument and as name. */
int test_push_argument(struct test_run *run, enum itp_event_kind kind, int64_t time_ns, int32_t tid,
		       const char *stack, int64_t argument);
/* A tick of a timer, which stands for `tick_ns`; 0 when it does not tell. */
int test_push_tick(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		   int64_t tick_ns);
/* A switch on a CPU of a thread that can go on, in the process `comm`. */
int test_push_switch(struct test_run *run, enum itp_event_kind kind, int64_t time_ns, int32_t cpu,
		     int32_t tid, const char *comm, const char *stack);
/* The enter event of a system call whose first word is `descriptor`. */
int test_push_enter(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		    int64_t number, uint64_t descriptor);
/* The end of the system call `number`, with what it returned. */
int test_push_exit(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		   int64_t number, int64_t result);
/* The stack at the call's begin does not reach the thread's first function. */
int test_push_short_enter(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
			  int64_t number, uint64_t descriptor);

/* One in which the thread has woken another, so long ago. */
int test_push_waking_exit(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
			  int64_t number, int64_t since_wake_ns);
/* The same with a stack that is known to miss its root. */
int test_push_incomplete(struct test_run *run, enum itp_event_kind kind, int64_t time_ns,
			 int32_t tid, const char *stack, int64_t argument);

/* "p main work" of a node. The caller frees it. */
char *test_path(const struct test_run *run, uint32_t node);

/* All instances, one a line: "PATH begin conservative aggressive", ordered as they closed. */
char *test_instances(const struct test_run *run);

/* Ends the recording, and compares all instances. */
void test_assert_instances(struct test_run *run, const char *wanted);

/* The first instance with this path that closed; the program ends when there is none. */
const struct itp_instance *test_instance(const struct test_run *run, const char *path);

/* Statistics of the node with this path; all zero when there is none. */
const struct itp_node_stats *test_stats(const struct test_run *run, const char *path);

/* A test, named by a sentence, on a run of its own; `continuity` is that of the run. */
struct test_on_run {
	const char *sentence;
	void (*check)(struct test_run *run, gconstpointer continuity);
};

/* Adds tests with the conservative estimate to those of `module`. */
void test_add_on_runs(const char *module, enum itp_continuity continuity,
		      const struct test_on_run *tests, size_t count);

#endif
