/* SPDX-License-Identifier: MIT */
/*
 * Guards: usual behaviour of a running program's units, to hold them against (PerfGuard, sections
 * 4.3 to 4.5).
 *
 *   guard.h      contents of a guard file
 *   file.c       the file, as JSON
 *   keys.c       names of functions in the file
 *   training.c   types of units → contents of a file
 *     usual.c      usual places of a type's time
 *   learning.c   counts of a guard → limits
 *   shift.c      types that have become slow as a whole
 *   excess.c     late units → time beyond the usual, and its places
 *   matching.c   a stack → the wait or the context of a loop
 *   probes.c     system calls to be watched so that types differ
 *   inference.h  contexts of a unit → its type, and its limit
 *   attention.c  part of the time in which a program can be watched
 *
 * Functions are named by module and name, so a file holds for one build at any address. Watching a
 * process, and holding its units against the limits, are left to the host
 * (plugins/perf/guard/guard.bpf.c).
 */
#ifndef ITP_GUARD_GUARD_H
#define ITP_GUARD_GUARD_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"
#include "common/guard/inference.h"

#define ITP_GUARD_VERSION 1
#define ITP_GUARD_LOOPS_MOST 64
/* Largest file, in bytes. JSON in memory takes up to 45 times as much: 360 MB, and 2 s. A loop with
 * the maximum of types, contexts and profiles takes 540 kB if names have 20 letters, a usual loop
 * some kB: fifteen full loops fit, or 64 that are a quarter full. */
#define ITP_GUARD_BYTES_MOST ((size_t)8 * 1024 * 1024)

/* Units below which nothing is known to be usual: types of fewer get the limit of the loop's other
 * types, and loops of fewer are left out. */
#define ITP_GUARD_UNITS_LEAST 10

struct itp_guard_module {
	/* All owned by this; `path` and `build_id` are "" when unknown. */
	char *name;
	char *path;
	char *build_id;
};

/* Place of a system call in a unit. */
struct itp_guard_context {
	/* Keys of the functions below the loop's, such as "nginx!ngx_writev", the system call last;
	 * ends with NULL. Owned by this. */
	char **path;
	/* The call may take the event that the loop's wait would wait for, and ends a unit, too. */
	bool is_look;
};

struct itp_guard_type {
	/* Owned by this. */
	char *name;
	/* Number of recorded units, counted in contexts; and of learned units, from which the times
	 * come, 0 before learning. */
	uint64_t units;
	uint64_t learned_units;
	int64_t mean_ns;
	int64_t deviation_ns;
	int64_t median_ns;
	int64_t median_deviation_ns;
	int64_t p99_ns;
	int64_t max_ns;
	int64_t mean_limit_ns;
	int64_t median_limit_ns;
	/* The limit in force; and the limit by recorded units, which are slower, 0 when unknown. */
	int64_t limit_ns;
	int64_t recorded_limit_ns;
	/* Time that nine in ten units take at most; stands in for a type that has not learned while
	 * others of the loop have (learning.h); 0 if none has. */
	int64_t usual_ns;
	/* Number of its units in each context of the loop. */
	uint64_t in_context[ITP_GUARD_MOST];
	/* See usual.h; NULL or empty when unknown. Owned by this. */
	GArray *usual;
};

struct itp_guard_loop {
	/* Names of the process and of the loop's function. Owned by this. */
	char *process;
	char *function;
	/* char **, each as a context's path. Owned by this. */
	GPtrArray *waits;
	/* struct itp_guard_context and struct itp_guard_type, ITP_GUARD_MOST of each at most. Owned
	 * by this. */
	GArray *contexts;
	GArray *types;
};

struct itp_guard_file {
	/* struct itp_guard_module, by name; struct itp_guard_loop. Owned by this. */
	GArray *modules;
	GArray *loops;
};

struct itp_guard_file *itp_guard_file_new(void);
void itp_guard_file_free(struct itp_guard_file *file);

static inline struct itp_guard_loop *itp_guard_loop_at(const struct itp_guard_file *file, guint i)
{
	return &g_array_index(file->loops, struct itp_guard_loop, i);
}

static inline struct itp_guard_type *itp_guard_type_at(const struct itp_guard_loop *loop, guint i)
{
	return &g_array_index(loop->types, struct itp_guard_type, i);
}

static inline struct itp_guard_context *itp_guard_context_at(const struct itp_guard_loop *loop,
							     guint i)
{
	return &g_array_index(loop->contexts, struct itp_guard_context, i);
}

/* Adds an empty loop, valid until the next is added. */
struct itp_guard_loop *itp_guard_file_add_loop(struct itp_guard_file *file, const char *process,
					       const char *function);

/* "nginx!ngx_writev"; a system call has no module. Owned by the caller. */
char *itp_guard_function_key(const struct itp_function *function);

/* Index of the loop's function in a stack, uint32_t from the root; the stack's length without
 * it. */
guint itp_guard_loop_in(const struct itp_guard_loop *loop,
			const struct itp_function_table *functions, const GArray *stack);

/* The name of the system call at the end of a path. Weak. */
const char *itp_guard_path_call(char *const *path);

/* Reads the file at `path`; NULL with an error as itp_guard_file_read(). */
struct itp_guard_file *itp_guard_file_load(const char *path, GError **error);

/* Reads a text; `path` is for errors. NULL with an error that names the fault. */
struct itp_guard_file *itp_guard_file_read(const char *text, size_t size, const char *path,
					   GError **error);

/* Text of a file, for itp_guard_file_read(). Free with g_free(). */
char *itp_guard_file_text(const struct itp_guard_file *file);

/* Text to be written to `path`, named in errors. NULL with an error for more than
 * ITP_GUARD_BYTES_MOST, as itp_guard_file_load() would refuse the file. Free with
 * g_string_free(). */
GString *itp_guard_file_output(const struct itp_guard_file *file, const char *path, GError **error);

#endif
