/* SPDX-License-Identifier: MIT */
/*
 * Where the stacks of a Go program begin.
 *
 * A goroutine has a stack of its own, and each thread another one, on which the runtime schedules,
 * collects garbage and calls C. A few functions of the runtime go from one to the other: what they
 * call stands on a stack that holds no caller, only what happens to lie there. The rules of the
 * file do not tell; names do. The rules themselves are cfi.c's.
 */
#ifndef ITP_SYMBOL_GO_STACKS_H
#define ITP_SYMBOL_GO_STACKS_H

#include "common/symbol/symbol-table.h"
#include "common/unwind/cfi.h"

/* Tells `cfi`, the rules of `image`, which functions of `table` begin a stack. None do in files
 * that the Go linker has not made. */
void itp_go_stacks_mark(struct itp_cfi *cfi, const struct itp_elf_image *image,
			const struct itp_symbol_table *table);

#endif
