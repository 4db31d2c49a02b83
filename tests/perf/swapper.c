/* SPDX-License-Identifier: MIT */
/*
 * A program to record: loads one library after the other at the same address, calls each, and at
 * last maps the first one's code over the second one's with MAP_FIXED.
 *
 *   swapper LIBRARY LIBRARY
 *
 * Both must have a function `work`, which calls what it is given. Exits with 3 when the dynamic
 * linker chose different addresses, which makes the recording useless.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void work_function(void (*callee)(void));

/* A system call, so that there is a stack to record. */
static void call_kernel(void)
{
	struct stat status;

	if (stat("/", &status) != 0) {
		exit(1);
	}
}

static work_function *load(const char *path, void **ret_library)
{
	void *symbol;

	*ret_library = dlopen(path, RTLD_NOW);
	symbol = *ret_library ? dlsym(*ret_library, "work") : NULL;
	if (!symbol) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return (work_function *)(uintptr_t)symbol;
}

/* Where the segment with `code` begins does not matter: one page of it is enough. */
static void overlay(const char *path, work_function *code)
{
	uintptr_t page = (uintptr_t)code & ~(uintptr_t)4095;
	Dl_info info;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || !dladdr((void *)(uintptr_t)code, &info) ||
	    mmap((void *)page, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd,
		 (off_t)(page - (uintptr_t)info.dli_fbase)) == MAP_FAILED) {
		exit(1);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	work_function *first;
	work_function *second;
	void *library;

	if (argc != 3) {
		return 2;
	}
	first = load(argv[1], &library);
	first(call_kernel);
	dlclose(library);
	second = load(argv[2], &library);
	if (first != second) {
		return 3;
	}
	second(call_kernel);
	overlay(argv[1], second);
	second(call_kernel);
	return 0;
}
