/* SPDX-License-Identifier: MIT */
/*
 * For LD_PRELOAD: the N-th allocation of one library fails, once.
 *
 *   ITP_FAIL_LIBRARY   how the name of the library's file begins, or of the program's
 *   ITP_FAIL_AT        N, from 1 on; none fails without it
 *   ITP_FAIL_COUNT     a file that is told at the end how many there were
 *
 * What GLib's own functions allocate is not counted, as the program ends when that fails.
 */
#define _GNU_SOURCE /* dladdr() */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of glibc. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static unsigned long allocation_count;

static bool is_library(const void *caller)
{
	const char *library = getenv("ITP_FAIL_LIBRARY");
	const char *name;
	Dl_info info;

	if (!library || dladdr(caller, &info) == 0 || !info.dli_fname) {
		return false;
	}
	name = strrchr(info.dli_fname, '/');
	name = name ? name + 1 : info.dli_fname;
	return strncmp(name, library, strlen(library)) == 0;
}

static bool fails(const void *caller)
{
	const char *at;

	if (!is_library(caller)) {
		return false;
	}
	allocation_count++;
	at = getenv("ITP_FAIL_AT");
	if (!at || strtoul(at, NULL, 10) != allocation_count) {
		return false;
	}
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

__attribute__((destructor)) static void tell_count(void)
{
	const char *path = getenv("ITP_FAIL_COUNT");
	int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;

	if (file >= 0) {
		dprintf(file, "%lu\n", allocation_count);
		close(file);
	}
}
