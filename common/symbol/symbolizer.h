/* SPDX-License-Identifier: MIT */
/*
 * From an address in a process image or in the kernel to a function id.
 *
 * A repeated look-up costs a probe of a small table, in which processes that share their mappings
 * share their entries.
 */
#ifndef ITP_SYMBOL_SYMBOLIZER_H
#define ITP_SYMBOL_SYMBOLIZER_H

#include "common/base/function-table.h"
#include "common/symbol/address-space.h"
#include "common/symbol/inlines.h"
#include "common/symbol/kernel-programs.h"
#include "common/symbol/kernel.h"
#include "common/symbol/module.h"

/* Instead of a function id: nothing is mapped at the address. */
#define ITP_FUNCTION_UNMAPPED UINT32_MAX

struct itp_symbolizer;

struct itp_symbolizer_options {
	/* All weak, and may be NULL. */
	const char *symfs;
	const char *kallsyms;
	const char *os_release;
	const char *hostname;
	/* Time by which the recording had ended, in seconds since 1970; 0: it goes on. */
	int64_t recorded_s;
	/* Servers asked for missing files. Must outlive the symbolizer. */
	struct itp_debuginfod *debuginfod;
	/* Show the names of C++ and Rust functions as in the source. */
	bool demangle;
	/* Tell inlined functions. */
	bool inlines;
	/* The recording's times are CLOCK_MONOTONIC. */
	bool is_monotonic;
};

/* `functions` is weak and must outlive the result. */
struct itp_symbolizer *itp_symbolizer_new(const struct itp_symbolizer_options *options,
					  struct itp_function_table *functions);
void itp_symbolizer_free(struct itp_symbolizer *symbolizer);

/* The recording knows the build id of the file at `path`, wherever it is mapped from now on. */
void itp_symbolizer_set_build_id(struct itp_symbolizer *symbolizer, const char *path,
				 const char *build_id);

/* Kernel of the recording, to be told what the recording says. Owned by the symbolizer. */
struct itp_kernel *itp_symbolizer_kernel(struct itp_symbolizer *symbolizer);

/* Programs loaded into the kernel until now. Owned by the symbolizer. */
struct itp_kernel_programs *itp_symbolizer_programs(struct itp_symbolizer *symbolizer);

/* Known extent of a file in memory. */
enum itp_map_extent {
	/* From `offset` of the file on, `length` bytes are at `start`. */
	ITP_MAP_RANGE = 0,
	/* Code begins at `start`; the file itself tells the rest. */
	ITP_MAP_CODE,
	/* The whole file as the loader lays it out, over `length` bytes from `start` on. */
	ITP_MAP_IMAGE,
};

/* The file at `path`, as recorded, whether it is mapped or not. Owned by the symbolizer. */
struct itp_module *itp_symbolizer_module(struct itp_symbolizer *symbolizer, const char *path);

/* A file, or a part of it, in memory. */
struct itp_map_request {
	enum itp_map_extent extent;
	uint64_t start;
	uint64_t length;
	uint64_t offset;
	/* Path as recorded, "" for memory of unknown content. Weak. */
	const char *path;
	/* Build id, NULL when the mapping does not tell. Weak. */
	const char *build_id;
	/* Debug link of a file without a build id; NULL when the mapping does not tell. Weak. */
	const struct itp_debug_link *debug_link;
	/* Inode of the file on the recorded machine; 0 when the mapping does not tell. */
	uint64_t inode;
	/* Process of the memory. */
	int32_t pid;
	/* Writes to the memory stay the process's own; false where unknown. */
	bool is_private;
	/* Byte code, as in struct itp_mapping. */
	bool is_byte_code;
};

/* Maps memory with code into *space, which may be replaced by a private copy. */
void itp_symbolizer_map(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
			const struct itp_map_request *request);

/* Unmaps what was mapped with ITP_MAP_IMAGE at `start`. */
void itp_symbolizer_unmap(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
			  uint64_t start);

/* Time of the following events, by which the process may have made other code. Times go forward. */
void itp_symbolizer_advance(struct itp_symbolizer *symbolizer, struct itp_address_space *space,
			    uint64_t time_ns);

/* Id of the function at `address`, or ITP_FUNCTION_UNMAPPED. In an empty address space everything
 * is ITP_FUNCTION_UNKNOWN. *ret_slide is what to subtract for the file's own address, as in its
 * symbol table; 0 for memory that is no file. */
uint32_t itp_symbolizer_user(struct itp_symbolizer *symbolizer, struct itp_address_space *space,
			     uint64_t address, uint64_t *ret_slide);
/* Functions inlined at `address`, which itp_symbolizer_user() was asked about just now; NULL
 * without any. Lives as long as the symbolizer. */
const struct itp_inlined_chain *itp_symbolizer_inlined(struct itp_symbolizer *symbolizer,
						       const struct itp_address_space *space,
						       uint64_t address);

uint32_t itp_symbolizer_kernel_function(struct itp_symbolizer *symbolizer, uint64_t address,
					uint64_t *ret_slide);

/* True when `caller` can have called `callee`. Functions that go to another stack, as
 * runtime.systemstack of Go, have callers of their own language alone. */
bool itp_symbolizer_may_call(const struct itp_symbolizer *symbolizer, uint32_t caller,
			     uint32_t callee);

/* True when the frame below one of `function` was interrupted where it is. */
bool itp_symbolizer_is_interruption(const struct itp_symbolizer *symbolizer, uint32_t function);

/* Warns of missing symbols needed until now: the kernel first, then modules by path, each once. */
void itp_symbolizer_warnings(const struct itp_symbolizer *symbolizer,
			     itp_symbol_warning_function function, void *data);

/* True when a warning says that a file changed while it was read. */
bool itp_symbolizer_has_changes(const struct itp_symbolizer *symbolizer);

#endif
