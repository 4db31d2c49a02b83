/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into perf: the thread ITP_ENDED ends behind the first event that is opened for it.
 *
 * perf asks the kernel through syscall(), whose answer for all further events is that there is no
 * such thread.
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGUMENTS 6

static int is_of_ended(long number, const long *arguments)
{
	const char *ended = getenv("ITP_ENDED");

	return number == SYS_perf_event_open && ended && arguments[1] == atol(ended);
}

long syscall(long number, ...)
{
	static int opened;
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long a[ARGUMENTS];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < ARGUMENTS; i++) {
		a[i] = va_arg(list, long);
	}
	va_end(list);
	if (is_of_ended(number, a) && opened++ > 0) {
		errno = ESRCH;
		return -1;
	}
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
