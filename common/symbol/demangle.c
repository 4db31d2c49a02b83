/* SPDX-License-Identifier: MIT */
/*
 * Through libiberty, which knows C++ and both manglings of Rust, and which perf uses too.
 *
 * A few hundred bytes can expand to more text than there is memory for, and libiberty goes on to
 * the end whatever its caller thinks of it. So its output is counted, and the way out of it is a
 * long jump. In the functions used here it holds nothing then that would be lost.
 */
#include "common/symbol/demangle.h"

#include "common/base/memory.h"

#include <glib.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#define OPTIONS (DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP)

struct output {
	/* Owned by this. */
	GString *text;
	jmp_buf too_long;
};

static void append(const char *part, size_t length, void *data)
{
	struct output *output = data;

	if (length > ITP_MAX_DEMANGLED_BYTES - output->text->len) {
		longjmp(output->too_long, 1);
	}
	g_string_append_len(output->text, part, (gssize)length);
}

static bool demangle(const char *name, struct output *output)
{
	if (setjmp(output->too_long) != 0) {
		return false;
	}
	/* Rust's older mangling is valid C++, only less readable then. */
	if (rust_demangle_callback(name, OPTIONS, append, output)) {
		return true;
	}
	g_string_truncate(output->text, 0);
	return cplus_demangle_v3_callback(name, OPTIONS, append, output);
}

char *itp_demangle(const char *name)
{
	struct output output;
	bool done;

	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') ||
	    strlen(name) > ITP_MAX_MANGLED_BYTES) {
		return NULL;
	}
	output.text = g_string_new(NULL);
	itp_memory_begin();
	done = demangle(name, &output);
	itp_memory_end();
	return g_string_free(output.text, !done);
}
