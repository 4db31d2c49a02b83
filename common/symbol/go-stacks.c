/* SPDX-License-Identifier: MIT */
/*
 * The functions of Go's runtime that change or begin stacks, all written in assembler.
 */
#include "common/symbol/go-stacks.h"

#include "common/elf/section.h"

#include <string.h>

/* In all that the Go linker has made since Go 1.13, stripped or not. */
#define GO_SECTION ".go.buildinfo"
/* Of the calling convention; assembler functions have it since Go 1.17. */
#define CONVENTION ".abi0"

static const char *const beginnings[] = {
	/* The first of a goroutine, which is to look as if it had called that. */
	"runtime.goexit",
	/* The first of a thread, and of the program. */
	"runtime.mstart",
	"runtime.rt0_go",
	/* From the goroutine's stack to the thread's; mcall and morestack do not come back. */
	"runtime.mcall",
	"runtime.morestack",
	"runtime.systemstack",
	/* To the thread's stack as well, to call C, and the vdso. */
	"runtime.asmcgocall",
	"runtime.nanotime1",
	"runtime.walltime",
	"time.now",
};

static bool is_beginning(const struct itp_symbol *symbol)
{
	size_t length = symbol->name_length;
	size_t suffix = strlen(CONVENTION);

	if (length > suffix && memcmp(symbol->name + length - suffix, CONVENTION, suffix) == 0) {
		length -= suffix;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
		if (strlen(beginnings[i]) == length &&
		    memcmp(symbol->name, beginnings[i], length) == 0) {
			return true;
		}
	}
	return false;
}

void itp_go_stacks_mark(struct itp_cfi *cfi, const struct itp_elf_image *image,
			const struct itp_symbol_table *table)
{
	if (itp_elf_section(image, GO_SECTION).size == 0) {
		return;
	}
	for (guint i = 0; i < table->symbols->len; i++) {
		const struct itp_symbol *symbol =
			&g_array_index(table->symbols, struct itp_symbol, i);

		if (is_beginning(symbol)) {
			itp_cfi_begin_stack(cfi, symbol->start, symbol->end);
		}
	}
}
