/* SPDX-License-Identifier: MIT */
/*
 * Functions with a frame pointer that can be the last below a function without one: its callers,
 * direct or through other functions that leave the frame pointer alone.
 *
 * A function that has saved the frame pointer uses it for something else; below it a chain would be
 * lost. Libraries are assumed to have saved it before any call of a function of their own through a
 * pointer.
 *
 * Ways through the code from a function with a frame pointer to a function above it, too: the
 * functions without a frame pointer between them.
 */
#ifndef ITP_COMPLETION_CALLERS_H
#define ITP_COMPLETION_CALLERS_H

#include "common/completion/files.h"

struct itp_code_function {
	/* Weak. */
	struct itp_code_file *file;
	/* Begin of the function. */
	uint64_t vaddr;
};

/* Call, or jump out of a function, on the way to the called function. */
struct itp_code_link {
	struct itp_code_function caller;
	struct itp_code_function callee;
	bool is_call;
	/* The caller's frame lies at the frame pointer. */
	bool is_framed;
};

struct itp_callers {
	/* Called function. */
	struct itp_code_function function;
	/* struct itp_code_function. Owned by this. */
	GArray *framed;
	/* struct itp_code_link, each once. Owned by this. */
	GArray *links;
	/* struct itp_code_file *, weak: files that know the address of the function, or of another
	 * on the way. Owned by this. */
	GPtrArray *knowing;
	/* Further callers are possible. */
	bool is_open;
};

/* The callers of `function` in a process with the memory `space`. */
struct itp_callers *itp_callers_new(struct itp_code_files *files,
				    const struct itp_address_space *space,
				    struct itp_code_function function);
void itp_callers_free(struct itp_callers *callers);

/* True when functions of `file` may call it, or another on the way, through a pointer. */
bool itp_callers_know(const struct itp_callers *callers, const struct itp_code_file *file);

/* True when `function` may be called through a pointer: its address is known to the data or the
 * code, or the address of a function that ends in a jump to it. */
bool itp_is_called_by_pointer(struct itp_code_files *files, const struct itp_address_space *space,
			      struct itp_code_function function);

/* ---- Ways ---- */

/* Most functions between two shown ones. */
#define ITP_MAX_WAY 4

/* Functions shown by a stack, nearest to the first function first. */
struct itp_way {
	guint count;
	struct itp_code_function functions[ITP_MAX_WAY];
};

/* Ways from `framed`, a caller, to the called function; the beginning of longer ways, and of
 * circular ones. Returns an array of struct itp_way, empty for too many; the caller frees it. */
GArray *itp_ways_find(const struct itp_callers *callers, struct itp_code_function framed);

/* Functions of all ways at place `at`; the caller frees the array, of struct itp_code_function.
 * NULL when a way has ended there. */
GArray *itp_ways_at(const GArray *ways, guint at);

#endif
