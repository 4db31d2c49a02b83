/* SPDX-License-Identifier: MIT */
/*
 * Guards: what a running program's units are held against (PerfGuard, sections 4.3 to 4.5).
 *
 *   guard.h      what a guard file says
 *   file.c       the file, as JSON
 *   training.c   types of units → what it says
 *   usual.c      where units of a type usually spend their time
 *   learning.c   what a guard has counted → limits
 *   shift.c      types that have become slow as a whole
 *   excess.c     late units → what they took longer than usual, and where
 *   matching.c   a stack → which loop's wait, or which context of a loop it is
 *   probes.c     which system calls are to be watched so that types differ
 *   inference.h  contexts that a unit was in → its type, and how long it may take
 *
 * Functions are named by module and name, so that a file holds for the same build wherever it is
 * mapped. How a process is watched is left to the host.
 */
#ifndef ITP_GUARD_GUARD_H
#define ITP_GUARD_GUARD_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"
#include "common/guard/inference.h"

#define ITP_GUARD_VERSION 1
#define ITP_GUARD_LOOPS_MOST 64
/* Of a file. What is read of JSON takes up to 45 times as much memory: 360 MB, and 2 s. A loop with
 * as many types, contexts and functions in profiles as there may be takes 540 kB where names have
 * 20 letters, and a usual one some kB: fifteen full ones fit, or 64 that are a quarter full. */
#define ITP_GUARD_BYTES_MOST ((size_t)8 * 1024 * 1024)

/* Of fewer units nobody knows what is usual: types of fewer are late when the loop's other ones
 * would be, and loops of fewer are no guards'. */
#define ITP_GUARD_UNITS_LEAST 10

struct itp_guard_module {
	/* All owned by this; `path` and `build_id` are "" where they are not known. */
	char *name;
	char *path;
	char *build_id;
};

/* Where a system call is made in a unit. */
struct itp_guard_context {
	/* Functions below the loop's, the system call last; ends with NULL. Owned by this. */
	char **path;
	/* It may have what the loop's wait would wait for: it ends a unit, too. */
	bool is_look;
};

struct itp_guard_type {
	/* Owned by this. */
	char *name;
	/* Those that were recorded, of which contexts are known; and those from which it has
	 * learned, of which times are, 0 where it has not. */
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
	/* The one that counts; and what it was by units that were recorded, which takes time
	 * itself, 0 where that is not known. */
	int64_t limit_ns;
	int64_t recorded_limit_ns;
	/* Nine in ten units take that at most, or what stands for it where the type has not learned
	 * and others of the loop have (learning.h); 0 where none has. */
	int64_t usual_ns;
	/* How many of its units were in each context of the loop. */
	uint64_t in_context[ITP_GUARD_MOST];
	/* As in usual.h; NULL or empty where it is not known. Owned by this. */
	GArray *usual;
};

struct itp_guard_loop {
	/* Names of the process and of the function whose loop it is. Owned by this. */
	char *process;
	char *function;
	/* char **, each as a context's path. Owned by this. */
	GPtrArray *waits;
	/* struct itp_guard_context and struct itp_guard_type, ITP_GUARD_MOST at most. Owned by
	 * this. */
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

/* Adds a loop without anything in it. Valid until the next one. */
struct itp_guard_loop *itp_guard_file_add_loop(struct itp_guard_file *file, const char *process,
					       const char *function);

/* "nginx!ngx_writev"; a system call has no module. Owned by the caller. */
char *itp_guard_function_key(const struct itp_function *function);

/* Where in a stack, uint32_t from the root, the loop's function is; its length where it is not. */
guint itp_guard_loop_in(const struct itp_guard_loop *loop,
			const struct itp_function_table *functions, const GArray *stack);

/* The name of the system call at the end of a path. Weak. */
const char *itp_guard_path_call(char *const *path);

/* Reads the file at `path`. As below. */
struct itp_guard_file *itp_guard_file_load(const char *path, GError **error);

/* Reads a text; `path` is for errors. NULL with an error that says what is wrong with it. */
struct itp_guard_file *itp_guard_file_read(const char *text, size_t size, const char *path,
					   GError **error);

/* The file that says the same. Free with g_free(). */
char *itp_guard_file_text(const struct itp_guard_file *file);

/* The text to be written to `path`, which errors name. NULL with an error where the text has more
 * than ITP_GUARD_BYTES_MOST, so that itp_guard_file_load() would refuse it. Free with
 * g_string_free(). */
GString *itp_guard_file_output(const struct itp_guard_file *file, const char *path, GError **error);

#endif
