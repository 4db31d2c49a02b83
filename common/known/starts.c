/* SPDX-License-Identifier: MIT */
/*
 * See starts.h.
 */
#include "common/known/starts.h"

#include <string.h>

#include "common/base/function-table.h"
#include "common/base/patterns.h"

#define ENTRY "_start"

/* Begin of the names of the first functions of the kernel's own threads. */
#define KERNEL_ROOT "ret_from_fork"
#define KERNEL_THREAD "kthread"

/* Callers of main(), also as parts of a static program. */
static const char *const start_functions[] = {
	"_start",
	"__libc_start_main*",
	"__libc_start_call_main",
	"start_thread",
	"clone",
	"clone3",
	"__clone",
	"__clone3",
	NULL,
};

/* Shell patterns of the C library's first functions in threads made by a program. */
static const char *const thread_beginnings[] = { "*clone*", "start_thread", NULL };

/* Functions of every program. */
static const char *const everywhere[] = {
	"main", "_start", "_init", "_fini", "__libc_csu_init", ITP_UNKNOWN_CALLERS_NAME, NULL,
};

/* Functions, and shell patterns of modules, that start every program or thread. */
static const char *const root_functions[] = {
	"_start", "_dl_start_user", "ret_from_fork", "ret_from_fork_asm", NULL,
};
static const char *const root_modules[] = {
	"libc.so.*", "libc-*.so", "libpthread*.so*", "libc.musl-*", "ld-musl-*", NULL,
};

/* Functions of Go's runtime that change or begin stacks, all written in assembler. */
static const char *const go_beginnings[] = {
	/* First function of a goroutine: it poses as the caller. */
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
	NULL,
};

bool itp_start_is_entry(const char *name)
{
	return strcmp(name, ENTRY) == 0;
}

bool itp_start_calls_main(const char *name)
{
	return itp_patterns_match(start_functions, name);
}

bool itp_start_is_of_thread(const char *name)
{
	return itp_patterns_match(thread_beginnings, name);
}

bool itp_start_is_everywhere(const char *name)
{
	return g_strv_contains(everywhere, name);
}

bool itp_start_is_next_to_root(const char *name, const char *module)
{
	return itp_patterns_match(root_modules, module) || g_strv_contains(root_functions, name);
}

bool itp_start_is_of_kernel(const char *name)
{
	return g_str_has_prefix(name, KERNEL_ROOT);
}

bool itp_start_is_kthread(const char *name)
{
	return strcmp(name, KERNEL_THREAD) == 0;
}

bool itp_start_is_of_go_stack(const char *name)
{
	return g_strv_contains(go_beginnings, name);
}
