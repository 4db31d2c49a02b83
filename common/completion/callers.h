/* SPDX-License-Identifier: MIT */
/*
 * Which functions that keep a frame pointer can be the last one of these below a function that
 * keeps none: those that call it, themselves or by way of others that leave the frame pointer
 * alone.
 *
 * What has saved the frame pointer uses it for something else; below that a chain would be lost. Of
 * libraries it is taken for granted that they call no function of their own through a pointer
 * without having done that.
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

struct itp_callers {
	/* What is called. */
	struct itp_code_function function;
	/* struct itp_code_function. Owned by this. */
	GArray *framed;
	/* How one comes from these to it. Owned by this. */
	GArray *links;
	/* struct itp_code_file *, weak: files that know the address of the function, or of one on
	 * the way. Owned by this. */
	GPtrArray *knowing;
	/* There may be others. */
	bool is_open;
};

/* Those of `function` in a process with the memory `space`. */
struct itp_callers *itp_callers_new(struct itp_code_files *files,
				    const struct itp_address_space *space,
				    struct itp_code_function function);
void itp_callers_free(struct itp_callers *callers);

/* Whether functions of `file` may call it, or one on the way, through a pointer. */
bool itp_callers_know(const struct itp_callers *callers, const struct itp_code_file *file);

/* Appends to *way, of struct itp_code_function, the functions without a frame pointer that must lie
 * between `framed` and the called function; those nearest to `framed` that are certain, if not all
 * are. */
void itp_callers_way(const struct itp_callers *callers, struct itp_code_function framed,
		     GArray *way);

/* Whether `function` may be called through a pointer: its address is known to the data or the code,
 * or that of one which ends in a jump to it. */
bool itp_is_called_by_pointer(struct itp_code_files *files, const struct itp_address_space *space,
			      struct itp_code_function function);

#endif
