/* SPDX-License-Identifier: MIT */
/*
 * A server whose requests have kinds of known cost: each line is the name of a kind, and is
 * answered by a line. One thread reads the requests of all connections. Without workers it serves
 * them itself; with some it puts them in a queue, from which a worker takes them.
 *
 *     pool PORT WORKERS [TIMES [LOG]]
 *
 * What computes takes TIMES as long; to LOG goes a line with the process and each request as it
 * came. A connection has one request at a time, so that it needs no lock.
 */
#define _GNU_SOURCE

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define JOBS_MAX 1024
#define LINE_MAX_BYTES 64
#define NAP_NS 2000000
#define WORK_NS 2000000

struct job {
	int connection;
	char line[LINE_MAX_BYTES];
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	struct job jobs[JOBS_MAX];
	size_t taken, put;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER };

static volatile uint32_t sink;

static int64_t thread_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* How often a function runs that shall take WORK_NS, measured once at the start. */
static unsigned search_rounds, sort_rounds;

__attribute__((noinline)) static void search_once(void)
{
	for (uint32_t i = 0; i < 2000; i++) {
		sink = sink * 31 + (i ^ (sink >> 7));
	}
}

__attribute__((noinline)) static void sort_once(void)
{
	uint32_t values[64];

	for (uint32_t i = 0; i < 64; i++) {
		values[i] = (i * 2654435761u) >> 8;
	}
	for (size_t i = 1; i < 64; i++) {
		for (size_t j = i; j > 0 && values[j - 1] > values[j]; j--) {
			uint32_t kept = values[j];

			values[j] = values[j - 1];
			values[j - 1] = kept;
		}
	}
	sink += values[17];
}

__attribute__((noinline)) static void search(void)
{
	for (unsigned i = 0; i < search_rounds; i++) {
		search_once();
	}
}

__attribute__((noinline)) static void sort(void)
{
	for (unsigned i = 0; i < sort_rounds; i++) {
		sort_once();
	}
}

static unsigned rounds_for(void (*function)(void))
{
	int64_t begin_ns = thread_cpu_ns();

	for (int i = 0; i < 1000; i++) {
		function();
	}
	return (unsigned)(WORK_NS * INT64_C(1000) / (thread_cpu_ns() - begin_ns)) + 1;
}

__attribute__((noinline)) static void read_file(void)
{
	char bytes[4096];
	int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

	while (read(file, bytes, sizeof(bytes)) > 0) {
		sink++;
	}
	close(file);
}

__attribute__((noinline)) static void list_folder(void)
{
	DIR *folder = opendir("/etc");

	while (folder && readdir(folder)) {
		sink++;
	}
	if (folder) {
		closedir(folder);
	}
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
}

/* Holds the lock while it waits, as for a disk: the others wait for the lock. */
__attribute__((noinline)) static void update_shared(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	nap();
	pthread_mutex_unlock(&lock);
}

static int log_file = -1;

static void write_log(const struct job *job)
{
	char line[LINE_MAX_BYTES + 16];
	int length = snprintf(line, sizeof(line), "%d %s\n", getpid(), job->line);

	if (log_file >= 0 && write(log_file, line, (size_t)length) != length) {
		perror("pool: cannot log");
	}
}

static void serve(const struct job *job)
{
	write_log(job);
	if (strncmp(job->line, "search", 6) == 0) {
		search();
	} else if (strncmp(job->line, "sort", 4) == 0) {
		sort();
	} else if (strncmp(job->line, "file", 4) == 0) {
		read_file();
	} else if (strncmp(job->line, "folder", 6) == 0) {
		list_folder();
	} else if (strncmp(job->line, "update", 6) == 0) {
		update_shared();
	} else if (strncmp(job->line, "nap", 3) == 0) {
		nap();
	}
	if (write(job->connection, "done\n", 5) < 0) {
		perror("write");
	}
}

static void *work(void *unused)
{
	(void)unused;
	for (;;) {
		struct job job;

		pthread_mutex_lock(&queue.lock);
		while (queue.taken == queue.put) {
			pthread_cond_wait(&queue.filled, &queue.lock);
		}
		job = queue.jobs[queue.taken++ % JOBS_MAX];
		pthread_mutex_unlock(&queue.lock);
		serve(&job);
	}
	return NULL;
}

static void enqueue(const struct job *job)
{
	pthread_mutex_lock(&queue.lock);
	queue.jobs[queue.put++ % JOBS_MAX] = *job;
	pthread_cond_signal(&queue.filled);
	pthread_mutex_unlock(&queue.lock);
}

static void read_request(int connection, int workers)
{
	struct job job = { .connection = connection };

	if (read(connection, job.line, sizeof(job.line) - 1) <= 0) {
		close(connection);
		return;
	}
	job.line[strcspn(job.line, "\r\n")] = '\0';
	if (workers > 0) {
		enqueue(&job);
	} else {
		serve(&job);
	}
}

static int listen_on(uint16_t port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 64)) {
		perror("pool: cannot listen");
		exit(1);
	}
	return listener;
}

static void watch(int poller, int descriptor)
{
	epoll_ctl(poller, EPOLL_CTL_ADD, descriptor,
		  &(struct epoll_event){ .events = EPOLLIN, .data.fd = descriptor });
}

static void read_arguments(int argc, char **argv)
{
	unsigned times = argc > 3 ? (unsigned)atoi(argv[3]) : 1;

	if (argc < 3) {
		fprintf(stderr, "Usage: %s PORT WORKERS [TIMES [LOG]]\n", argv[0]);
		exit(1);
	}
	search_rounds = times * rounds_for(search_once);
	sort_rounds = times * rounds_for(sort_once);
	if (argc > 4) {
		log_file = open(argv[4], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	}
}

int main(int argc, char **argv)
{
	int workers = argc > 2 ? atoi(argv[2]) : 0, poller = epoll_create1(0), listener;

	read_arguments(argc, argv);
	listener = listen_on((uint16_t)atoi(argv[1]));
	watch(poller, listener);
	for (int i = 0; i < workers; i++) {
		pthread_create(&(pthread_t){ 0 }, NULL, work, NULL);
	}
	for (;;) {
		struct epoll_event event;

		if (epoll_wait(poller, &event, 1, -1) != 1) {
			continue;
		}
		if (event.data.fd == listener) {
			watch(poller, accept(listener, NULL, NULL));
		} else {
			read_request(event.data.fd, workers);
		}
	}
}
