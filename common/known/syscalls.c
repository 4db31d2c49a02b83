/* SPDX-License-Identifier: MIT */
/*
 * See syscalls.h.
 */
#include "common/known/syscalls.h"

#include <glib.h>

bool itp_syscall_is_by_chance(const char *syscall)
{
	static const char *const calls[] = {
		"futex",    "sched_yield", "rt_sigreturn", "poll",         "ppoll",        "select",
		"pselect6", "epoll_wait",  "epoll_pwait",  "epoll_pwait2", "io_getevents", "mmap",
		"munmap",   "mremap",      "mprotect",     "madvise",      "brk",          NULL,
	};

	return g_strv_contains(calls, syscall);
}

bool itp_syscall_is_for_heap(const char *syscall)
{
	static const char *const calls[] = { "brk",    "madvise", "mmap", "mprotect",
					     "mremap", "munmap",  NULL };

	return g_strv_contains(calls, syscall);
}

bool itp_syscall_ends_handler(const char *syscall)
{
	static const char *const calls[] = { "rt_sigreturn", "sigreturn", NULL };

	return g_strv_contains(calls, syscall);
}

bool itp_syscall_tells_time(const char *syscall)
{
	static const char *const calls[] = { "clock_gettime", "gettimeofday", "time", NULL };

	return g_strv_contains(calls, syscall);
}

bool itp_syscall_ends_thread(const char *syscall)
{
	static const char *const calls[] = { "exit", "exit_group", NULL };

	return g_strv_contains(calls, syscall);
}

bool itp_syscall_makes_thread(const char *syscall)
{
	static const char *const calls[] = { "clone", "clone3", "fork", "vfork", NULL };

	return g_strv_contains(calls, syscall);
}

bool itp_syscall_starts_program(const char *syscall)
{
	static const char *const calls[] = { "execve", "execveat", NULL };

	return g_strv_contains(calls, syscall);
}

bool itp_syscall_maps_code(const char *syscall)
{
	/* brk() is not among them: no code lies in its room. */
	static const char *const calls[] = {
		"mmap",
		"mmap2",
		"munmap",
		"mremap",
		"mprotect",
		"pkey_mprotect",
		"remap_file_pages",
		"shmat",
		"shmdt",
		"arch_prctl",
		NULL,
	};

	return g_strv_contains(calls, syscall);
}
