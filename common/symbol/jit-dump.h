/* SPDX-License-Identifier: MIT */
/*
 * Functions made by a process while it ran, from its file for `perf inject --jit`: jit-PID.dump,
 * whose mapping in the recording tells its path.
 *
 * Functions come and go: code is put in place of other code, and moved. A dump is therefore
 * read along with the recording, and answers for the time of the last read.
 */
#ifndef ITP_SYMBOL_JIT_DUMP_H
#define ITP_SYMBOL_JIT_DUMP_H

#include "common/base/function-table.h"

#include <stdbool.h>

struct itp_cfi_row;
struct itp_jit_dump;

struct itp_jit_dump_options {
	/* Root of the path; may be NULL. Weak. */
	const char *root;
	/* Times of the recording are CLOCK_MONOTONIC, which dumps use; else all of the dump counts
	 * at any time. */
	bool has_times;
	/* Show names as in the source. */
	bool demangle;
};

/* True when a mapped file of this path is a dump. */
bool itp_jit_dump_is_path(const char *path);

/* Dump at `path`; NULL when the file is missing, not this user's or root's, not regular, too large,
 * or no dump of this byte order. `functions` is weak and must outlive the result. */
struct itp_jit_dump *itp_jit_dump_new(const char *path, const struct itp_jit_dump_options *options,
				      struct itp_function_table *functions);
void itp_jit_dump_free(struct itp_jit_dump *dump);

/* Reads on, up to the last record written until `time_ns`. Times go forward. */
void itp_jit_dump_advance(struct itp_jit_dump *dump, uint64_t time_ns);

/* True when the file has become shorter since it was opened. */
bool itp_jit_dump_is_changed(const struct itp_jit_dump *dump);

/* Changes whenever functions do. */
uint32_t itp_jit_dump_generation(const struct itp_jit_dump *dump);

/* Id of the function at `address` now; false when the dump knows none. */
bool itp_jit_dump_find(struct itp_jit_dump *dump, uint64_t address, uint32_t *ret_function);

/* The unwind rules of the code at `address` now, where its maker's name tells them (jit-map.h);
 * NULL where it does not. Static storage. */
const struct itp_cfi_row *itp_jit_dump_row(struct itp_jit_dump *dump, uint64_t address);

#endif
