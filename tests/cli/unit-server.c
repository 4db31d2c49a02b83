/* SPDX-License-Identifier: MIT */
/*
 * server [REQUESTS [ROUNDS]]
 *
 * A server that gets so many requests, 200, from another process. Every fourth a worker thread has
 * to do for it, which computes so many rounds, 200 000; the others it answers itself. And a file is
 * read again and again, for which nobody waits.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

static int requests = 200;
static unsigned long rounds = 200000;
static int sockets[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t start;
static int jobs;
static int is_over;
static volatile unsigned long sink;

__attribute__((noinline)) static void must(int holds)
{
	if (!holds) {
		abort();
	}
}

__attribute__((noinline)) static void compute(void)
{
	for (unsigned long i = 0; i < rounds; i++) {
		sink += i * i;
	}
}

/* Returns with the lock, which the wait for the next job gives back: none is handed over before, so
 * that each is by a wakeup, however busy the machine is. */
__attribute__((noinline)) static void do_job(void)
{
	char byte = 'b';

	compute();
	pthread_mutex_lock(&lock);
	must(write(sockets[1], &byte, 1) == 1);
	sink++;
}

/* Called with the lock. */
__attribute__((noinline)) static int take_job(void)
{
	int has_job;

	while (jobs == 0 && !is_over) {
		pthread_cond_wait(&changed, &lock);
	}
	has_job = jobs > 0;
	jobs -= has_job;
	pthread_mutex_unlock(&lock);
	return has_job;
}

__attribute__((noinline)) static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_barrier_wait(&start);
	while (take_job()) {
		do_job();
	}
	return unused;
}

__attribute__((noinline)) static void hand_over(int last)
{
	pthread_mutex_lock(&lock);
	jobs += !last;
	is_over = last;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	sink++;
}

__attribute__((noinline)) static void answer(void)
{
	char byte = 'a';

	must(write(sockets[1], &byte, 1) == 1);
	sink++;
}

__attribute__((noinline)) static int handle(void)
{
	char byte;

	if (read(sockets[1], &byte, 1) != 1) {
		return 0;
	}
	if (byte == 'b') {
		hand_over(0);
	} else {
		answer();
	}
	return 1;
}

__attribute__((noinline)) static void wait_for_event(int events)
{
	struct epoll_event event;

	must(epoll_wait(events, &event, 1, -1) == 1);
	sink++;
}

__attribute__((noinline)) static void serve(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int events = epoll_create1(0);
	pthread_t thread;

	must(epoll_ctl(events, EPOLL_CTL_ADD, sockets[1], &event) == 0);
	pthread_barrier_init(&start, NULL, 2);
	pthread_create(&thread, NULL, work, NULL);
	pthread_barrier_wait(&start);
	do {
		wait_for_event(events);
	} while (handle());
	hand_over(1);
	pthread_join(thread, NULL);
}

__attribute__((noinline)) static void ask_all(void)
{
	const struct timespec pause = { 0, 1000000 };
	char byte;

	for (int i = 0; i < requests; i++) {
		byte = i % 4 == 3 ? 'b' : 'a';
		must(write(sockets[0], &byte, 1) == 1 && read(sockets[0], &byte, 1) == 1);
		nanosleep(&pause, NULL);
	}
}

__attribute__((noinline)) static void read_file(void)
{
	int file = open("/proc/self/exe", O_RDONLY);
	char block[100];

	for (int i = 0; i < 20; i++) {
		must(read(file, block, sizeof(block)) > 0);
	}
	close(file);
}

int main(int argc, char **argv)
{
	requests = argc > 1 ? atoi(argv[1]) : requests;
	rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : rounds;
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	read_file();
	if (fork() == 0) {
		close(sockets[1]);
		ask_all();
		_exit(0);
	}
	close(sockets[0]);
	serve();
	return 0;
}
