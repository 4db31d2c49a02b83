/* SPDX-License-Identifier: MIT */
/*
 * Which functions that keep a frame pointer can be the last one of these below a function that
 * keeps none: those that call it, themselves or by way of others that leave the frame pointer
 * alone.
 *
 * What has saved the frame pointer uses it for something else; below that a chain would be lost. Of
 * libraries it is taken for granted that they call no function of their own through a pointer
 * without having done that.
 *
 * And the ways through the code from a function that keeps a frame pointer to one that stands above
 * it: which functions without a frame pointer lie between them.
 */
#ifndef ITP_COMPLETION_CALLERS_H
#define ITP_COMPLETION_CALLERS_H

#include "common/completion/files.h"

struct itp_code_function {
	/* Weak. */
	struct itp_code_file *file;
	/* Where it begins. */
	uint64_t vaddr;
};

/* A call, or a jump out of a function, on the way from one of these to what is called. */
struct itp_code_link {
	struct itp_code_function caller;
	struct itp_code_function callee;
	bool is_call;
	/* The caller's frame lies at the frame pointer. */
	bool is_framed;
};

struct itp_callers {
	/* What is called. */
	struct itp_code_function function;
	/* struct itp_code_function. Owned by this. */
	GArray *framed;
	/* struct itp_code_link, each once. Owned by this. */
	GArray *links;
	/* struct itp_code_file *, weak: files that know the address of the function, or of one on
	 * the way. Owned by this. */
	GPtrArray *knowing;
	/* There may be others. */
	bool is_open;
};

/* The callers of `function` in a process with the memory `space`. */
struct itp_callers *itp_callers_new(struct itp_code_files *files,
				    const struct itp_address_space *space,
				    struct itp_code_function function);
void itp_callers_free(struct itp_callers *callers);

/* Whether functions of `file` may call it, or one on the way, through a pointer. */
bool itp_callers_know(const struct itp_callers *callers, const struct itp_code_file *file);

/* Whether `function` may be called through a pointer: its address is known to the data or the code,
 * or that of one which ends in a jump to it. */
bool itp_is_called_by_pointer(struct itp_code_files *files, const struct itp_address_space *space,
			      struct itp_code_function function);

/* ---- Ways ---- */

/* More functions than that do not lie between two that a stack shows. */
#define ITP_MAX_WAY 4

/* Functions that a stack shows, nearest to the first function first. */
struct itp_way {
	guint count;
	struct itp_code_function functions[ITP_MAX_WAY];
};

/* The different ways from `framed`, one of those that call, to the called function; of those that
 * are longer, or turn round, the beginning. Returns an array of struct itp_way, empty when there
 * are too many; the caller frees it. */
GArray *itp_ways_find(const struct itp_callers *callers, struct itp_code_function framed);

/* The functions that any of the ways has at place `at`; the caller frees the array, of struct
 * itp_code_function. NULL when one of the ways has ended there. */
GArray *itp_ways_at(const GArray *ways, guint at);

#endif
