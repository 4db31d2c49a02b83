/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program, this makes what seldom happens happen every time: with ITP_END_AT in
 * the environment SIGTERM arrives when that function is called ("fsync", or "mkdir" below another
 * directory that is not there yet under its name), with ITP_INTERRUPT_AT, such as "2 slow.data",
 * SIGINT arrives when a file whose path ends so is opened for the second time, and with
 * ITP_NO_TMPFILE the file system has no files without a name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void arrive_at(const char *function)
{
	const char *wanted = getenv("ITP_END_AT");

	if (wanted && strcmp(wanted, function) == 0) {
		raise(SIGTERM);
	}
}

static void interrupt_at(const char *path)
{
	static unsigned long count;
	const char *wanted = getenv("ITP_INTERRUPT_AT");
	size_t length = strlen(path);
	unsigned long number;
	char *end;

	if (!wanted) {
		return;
	}
	number = strtoul(wanted, &end, 10);
	end += strspn(end, " ");
	if (length >= strlen(end) && strcmp(path + length - strlen(end), end) == 0 &&
	    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) == number) {
		kill(getpid(), SIGINT);
	}
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	interrupt_at(path);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *);

	*(void **)&next = dlsym(RTLD_NEXT, "fopen");
	interrupt_at(path);
	return next(path, mode);
}

int fsync(int fd)
{
	arrive_at("fsync");
	return (int)syscall(SYS_fsync, fd);
}

int mkdir(const char *path, mode_t mode)
{
	if (strstr(path, "/good.data")) {
		arrive_at("mkdir");
	}
	return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if ((flags & O_TMPFILE) == O_TMPFILE && getenv("ITP_NO_TMPFILE")) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return (int)syscall(SYS_openat, directory, path, flags, mode);
}
