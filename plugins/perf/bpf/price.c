/* SPDX-License-Identifier: MIT */
/*
 * See price.h.
 */
#include "plugins/perf/bpf/price.h"

#include <glib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The price is the smallest of some, each of so many calls. */
#define PRICE_ROUNDS 5
#define PRICE_CALLS 400

static double clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double itp_bpf_cpu_time_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

double itp_bpf_process_time_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

double itp_bpf_call_ns(void)
{
	double least_ns = G_MAXDOUBLE;

	for (int i = 0; i < PRICE_ROUNDS; i++) {
		const double begin_ns = itp_bpf_cpu_time_ns();

		for (int k = 0; k < PRICE_CALLS; k++) {
			syscall(SYS_getppid);
		}
		least_ns = MIN(least_ns, itp_bpf_cpu_time_ns() - begin_ns);
	}
	return least_ns / PRICE_CALLS;
}
