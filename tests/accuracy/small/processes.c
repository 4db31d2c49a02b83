/* SPDX-License-Identifier: MIT */
/*
 * fork, vfork and exec: children that go on in copies of the parent's calls, children that become
 * this program again with another task, and a parent that waits for them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "work.h"

#define TASK "task"

static void unit(int n)
{
	work_compute(100000 + n % 3 * 100000);
	work_write();
}

static void child_task(void)
{
	for (int n = 0; n < 40; n++) {
		unit(n);
	}
}

static void wait_for(pid_t pid)
{
	waitpid(pid, NULL, 0);
}

static void with_fork(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		child_task();
		exit(0);
	}
	unit(1);
	wait_for(pid);
}

static void with_exec(char *program)
{
	char task[] = TASK;
	char *arguments[] = { program, task, NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		execv(program, arguments);
		_exit(4);
	}
	unit(2);
	wait_for(pid);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], TASK) == 0) {
		child_task();
		return 0;
	}
	for (int n = 0; n < 150 * work_times(argv); n++) {
		with_fork();
		with_exec(argv[0]);
	}
	return 0;
}
