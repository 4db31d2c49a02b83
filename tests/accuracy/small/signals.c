/* SPDX-License-Identifier: MIT */
/*
 * A signal handler, now and then, on top of whatever runs: compute, a sleep, a system call.
 */
#include <signal.h>
#include <sys/time.h>

#include "work.h"

static void note(void)
{
	work_compute(20000);
	work_write();
}

static void on_alarm(int number)
{
	(void)number;
	work_compute(30000);
	note();
}

static void step(int n)
{
	work_compute(200000);
	if (n % 4 == 0) {
		work_sleep(400000);
	}
	work_write();
	work_compute(100000);
}

static void run(int steps)
{
	for (int n = 0; n < steps; n++) {
		step(n);
	}
}

int main(int argc, char **argv)
{
	const struct itimerval every = { .it_interval = { .tv_usec = 2700 },
					 .it_value = { .tv_usec = 2700 } };
	const struct itimerval never = { .it_value = { .tv_usec = 0 } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };

	(void)argc;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	run(6000 * work_times(argv));
	setitimer(ITIMER_REAL, &never, NULL);
	return 0;
}
