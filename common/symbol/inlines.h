/* SPDX-License-Identifier: MIT */
/*
 * Inlined functions at addresses of a file, by its debug data.
 *
 * Code of a function that was compiled into its caller is an "instance" of it: a set of ranges
 * inside of the caller. Each instance is called from a place of its own; the place's number is the
 * instance's lowest address.
 *
 * Example: main() calls price(), which calls look_up(), and both are inlined. An address in
 * look_up()'s instance has the instances of price() and look_up(), in this order; main() is left to
 * the symbol table.
 *
 * Units of debug data are read at first need, and functions in them likewise.
 */
#ifndef ITP_SYMBOL_INLINES_H
#define ITP_SYMBOL_INLINES_H

#include "common/base/function-table.h"
#include "common/base/stack-event.h"
#include "common/symbol/debug-data.h"

struct itp_inlined {
	/* Place of the call in its caller: as the address of the caller's frame. */
	uint64_t site;
	/* Id by itp_inlines_name_func. */
	uint32_t function;
};

/* Functions inlined at an address. */
struct itp_inlined_chain {
	uint32_t count;
	/* Outermost first. */
	struct itp_inlined calls[];
};

struct itp_inlined_name {
	/* Name for the linker, or, where there is none, the name in the source. Weak. */
	const char *symbol;
	/* Written in a header of the system. */
	bool is_system;
};

/* Gives the id of an inlined function. */
typedef uint32_t (*itp_inlines_name_func)(void *data, const struct itp_inlined_name *name);

struct itp_inlines;

/* Takes `debug_data`. Addresses below `code_begin` are no code: debug data of functions left out by
 * the linker have such. `data` is weak. */
struct itp_inlines *itp_inlines_new(struct itp_debug_data *debug_data, uint64_t code_begin,
				    itp_inlines_name_func name, void *data);
void itp_inlines_free(struct itp_inlines *inlines);

/* Chain at the file's own address `vaddr`; NULL without inlined functions, and at the first address
 * of a function, where it has been called and has called nothing yet. Lives as long as
 * `inlines`. */
const struct itp_inlined_chain *itp_inlines_find(struct itp_inlines *inlines, uint64_t vaddr);

/* Gives back the memory of mapped files, until the next read there. */
void itp_inlines_forget(const struct itp_inlines *inlines);

#endif
