/* SPDX-License-Identifier: MIT */
/*
 * A program to record: two threads that compute, sleep and write in known functions, then a child
 * that becomes another program. Built with frame pointers and without inlining.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile long sink;

static void work_compute(long rounds)
{
	for (long i = 0; i < rounds; i++) {
		sink += i * i;
	}
}

static void work_write(int fd)
{
	char block[64] = "";

	if (write(fd, block, sizeof(block)) != sizeof(block)) {
		exit(1);
	}
	sink++;
}

static void work_sleep(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	nanosleep(&pause, NULL);
	sink++;
}

static void work_request(int fd, int number)
{
	work_write(fd);
	if (number % 4 == 0) {
		work_sleep();
	}
	work_compute(200000);
	sink++;
}

static void *work_thread(void *data)
{
	for (int i = 0; i < 50; i++) {
		work_request(*(int *)data, i);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_WRONLY);
	pthread_t thread;

	if (argc > 1) {
		work_write(fd);
		return 0;
	}
	if (pthread_create(&thread, NULL, work_thread, &fd) != 0) {
		return 1;
	}
	work_thread(&fd);
	pthread_join(thread, NULL);
	if (fork() == 0) {
		execl("/proc/self/exe", argv[0], "again", (char *)NULL);
		_exit(1);
	}
	wait(NULL);
	return 0;
}
