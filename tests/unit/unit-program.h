/* SPDX-License-Identifier: MIT */
/*
 * A program whose calls are written down, its units and their types, for the tests of common/unit.
 */
#ifndef ITP_TESTS_UNIT_UNIT_PROGRAM_H
#define ITP_TESTS_UNIT_UNIT_PROGRAM_H

#include "common/unit/finder.h"
#include "common/unit/profiles.h"
#include "common/unit/types.h"
#include "common/unit/within.h"

struct program {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_unit_finder *finder;
	struct itp_unit_types *types;
	struct itp_unit_profiles *profiles;
	/* Of the test, or NULL. */
	struct itp_within *within;
	/* struct itp_unit, and its group (guint). */
	GArray *units;
	GArray *groups;
	/* The thread of the calls, and how its waits are told to be. */
	int32_t tid;
	uint32_t flags;
	/* What its system calls wanted was not there. */
	bool would_block;
	int32_t pid;
	/* First word of the next system call, −1 where words are not recorded; and its result. */
	int32_t descriptor;
	int64_t result;
	bool has_result;
	/* Second and third word of it. */
	uint64_t second_word;
	uint64_t third_word;
	/* Who ends its waits; 0: nobody who is known. */
	int32_t waker;
	/* When its next system call wakes another thread; 0: it wakes none. */
	int64_t woke_ns;
};

void program_init(struct program *program);
void program_release(struct program *program);

/* A function is of the kernel as "k:NAME", nameless code of a compiler at run time as "j:ADDRESS",
 * and unknown callers are "?". */
uint32_t function_of(const struct program *program, const char *name);

/* Of "process main serve", the process first. */
uint32_t node_of(const struct program *program, const char *path, uint32_t *ret_depth);

/* A call has ended, in which the thread was blocked for so long. */
void call(struct program *program, const char *path, int64_t begin_ns, int64_t end_ns,
	  int64_t blocked_ns);

/* A system call on a descriptor has ended, in which the thread was blocked for so long. */
void call_on(struct program *program, const char *path, int64_t begin_ns, int64_t end_ns,
	     int64_t blocked_ns, int32_t descriptor, int64_t result);

/* "LOOP WAIT BEGIN END", a line for each unit, after the last call. */
void assert_units(struct program *program, const char *wanted);

/* The wait of the program's thread was ended by another one; 0: by who is not known. */
void wait_until_signalled(struct program *program, int64_t begin_ns, int64_t end_ns,
			  int32_t signaller);

/* The function of `path` makes this system call, "read", and returns. Where it blocks, the thread
 * program->waker ends that. */
void make(struct program *program, const char *path, const char *syscall, int64_t begin_ns,
	  int64_t end_ns, int64_t blocked_ns, int32_t descriptor, int64_t result);

/* Likewise, of a system call whose stack was not believed. */
void make_unplaced(struct program *program, int32_t descriptor, const char *syscall,
		   int64_t begin_ns, int64_t end_ns);

/* A test, named by a sentence, of a program without calls at first. */
struct test_on_program {
	const char *sentence;
	void (*test)(struct program *program);
};

void program_add_tests(const struct test_on_program *tests, size_t count);

/* The thread has run between these, and a tick at the end found it there. */
void tick(struct program *program, const char *path, int64_t begin_ns, int64_t end_ns);

/* The name of a context of units. Weak. */
const char *node_name(const struct program *program, uint32_t node);

void stretch(struct program *program, enum itp_stretch_kind kind, int64_t begin_ns, int64_t end_ns);

#endif
