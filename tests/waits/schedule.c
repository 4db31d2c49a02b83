/* SPDX-License-Identifier: MIT */
/*
 * Waits whose causes are known, as they are made here: need() waits for what one of eight functions
 * of another thread or process holds, which computes meanwhile, sleeps, or waits in turn for one
 * that does.
 *
 *   schedule SEED WAITS
 *
 * prints a line for each wait: when it began and ended (CLOCK_MONOTONIC, ns), how it was made, the
 * function at the end of the chain, and from when until when that one was called: on a busy machine
 * a wait may last for other reasons, as who is woken, or would let go, is kept from a CPU. What
 * another one is asked to do before its holder comes to wait for that does not count either.
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HOLDERS 8
#define WORKERS 2

enum means {
	MEANS_MUTEX,
	MEANS_CONDITION,
	MEANS_SEMAPHORE,
	MEANS_PIPE,
	MEANS_PROCESS,
	MEANS_COUNT,
};

enum work {
	WORK_COMPUTES,
	WORK_SLEEPS,
	/* For another thread, which computes. */
	WORK_WAITS,
	WORK_COUNT,
};

/* One wait, and who holds what is waited for. */
struct job {
	enum means means;
	enum work work;
	int holder;
	/* The one that a holder waits for. */
	int other;
	long us;
};

static struct shared {
	/* Of the process that holds. */
	sem_t asked;
	sem_t answered;
	struct job job;
	/* When the last function was called, and when it returned, that did not wait for another.
	 */
	long called_ns;
	long returned_ns;
	/* Since when the one that asked for that has waited. */
	long awaited_ns;
} * shared;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;
static int pipe_ends[2];
static sem_t semaphore;
static sem_t begun;
static volatile unsigned long sink;

struct worker {
	sem_t asked;
	sem_t answered;
	struct job job;
};

static struct worker workers[WORKERS];
static pid_t process;

static long now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem) != 0) {
	}
}

/* By the thread's own time, as the machine may be busy. In its caller, whose time it is. */
__attribute__((always_inline)) static inline void compute(long us)
{
	long until = now_ns(CLOCK_THREAD_CPUTIME_ID) + us * 1000;

	do {
		/* A millisecond: looking at the clock while that is recorded takes its time.
		 */
		for (unsigned long i = 0; i < 600000; i++) {
			sink += i * i;
		}
	} while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until);
}

__attribute__((always_inline)) static inline void work(const struct job *job)
{
	switch (job->work) {
	case WORK_COMPUTES:
		compute(job->us);
		break;
	case WORK_SLEEPS:
		nanosleep(&(struct timespec){ .tv_nsec = job->us * 1000 }, NULL);
		break;
	default:
		workers[1].job =
			(struct job){ .work = WORK_COMPUTES, .holder = job->other, .us = job->us };
		sem_post(&workers[1].asked);
		shared->awaited_ns = now_ns(CLOCK_MONOTONIC);
		wait_for(&workers[1].answered);
		break;
	}
}

#define HOLDER(number)                                                             \
	__attribute__((noinline)) static void hold_##number(const struct job *job) \
	{                                                                          \
		work(job);                                                         \
		sink += number;                                                    \
	}

HOLDER(0)
HOLDER(1)
HOLDER(2)
HOLDER(3)
HOLDER(4)
HOLDER(5)
HOLDER(6)
HOLDER(7)

static void (*const holders[HOLDERS])(const struct job *job) = {
	hold_0, hold_1, hold_2, hold_3, hold_4, hold_5, hold_6, hold_7,
};

static void run_holder(const struct job *job)
{
	long called_ns = now_ns(CLOCK_MONOTONIC);

	holders[job->holder](job);
	if (job->work != WORK_WAITS) {
		shared->called_ns = called_ns;
		shared->returned_ns = now_ns(CLOCK_MONOTONIC);
	}
}

/* Says that it holds, and lets go when its work is done. */
static void hold(const struct job *job)
{
	char byte = 0;

	if (job->means == MEANS_MUTEX) {
		pthread_mutex_lock(&mutex);
	}
	sem_post(&begun);
	run_holder(job);
	switch (job->means) {
	case MEANS_MUTEX:
		pthread_mutex_unlock(&mutex);
		break;
	case MEANS_CONDITION:
		pthread_mutex_lock(&guard);
		is_ready = 1;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&guard);
		break;
	case MEANS_PIPE:
		if (write(pipe_ends[1], &byte, 1) != 1) {
			abort();
		}
		break;
	default:
		sem_post(&semaphore);
		break;
	}
}

static void *serve(void *data)
{
	struct worker *worker = data;

	for (;;) {
		wait_for(&worker->asked);
		hold(&worker->job);
		sem_post(&worker->answered);
	}
	return NULL;
}

/* Works for a holder that waits. */
static void *help(void *data)
{
	struct worker *worker = data;

	for (;;) {
		wait_for(&worker->asked);
		run_holder(&worker->job);
		sem_post(&worker->answered);
	}
	return NULL;
}

static void run_process(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, help, &workers[1]);
	for (;;) {
		wait_for(&shared->asked);
		run_holder(&shared->job);
		sem_post(&shared->answered);
	}
}

__attribute__((noinline)) static void need(enum means means)
{
	char byte;

	switch (means) {
	case MEANS_MUTEX:
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		break;
	case MEANS_CONDITION:
		pthread_mutex_lock(&guard);
		while (!is_ready) {
			pthread_cond_wait(&condition, &guard);
		}
		is_ready = 0;
		pthread_mutex_unlock(&guard);
		break;
	case MEANS_PIPE:
		if (read(pipe_ends[0], &byte, 1) != 1) {
			abort();
		}
		break;
	case MEANS_PROCESS:
		wait_for(&shared->answered);
		break;
	default:
		wait_for(&semaphore);
		break;
	}
	sink++;
}

static void ask(const struct job *job)
{
	if (job->means == MEANS_PROCESS) {
		shared->job = *job;
		sem_post(&shared->asked);
		return;
	}
	workers[0].job = *job;
	sem_post(&workers[0].asked);
	wait_for(&begun);
}

static void run(const struct job *job)
{
	static const char *const means[] = { "mutex", "condition", "semaphore", "pipe", "process" };
	static const char *const works[] = { "computes", "sleeps", "waits" };
	long begin;
	long end;

	shared->awaited_ns = 0;
	ask(job);
	begin = now_ns(CLOCK_MONOTONIC);
	need(job->means);
	end = now_ns(CLOCK_MONOTONIC);
	if (job->means != MEANS_PROCESS) {
		wait_for(&workers[0].answered);
	}
	printf("%ld %ld %s %s hold_%d %ld %ld\n", begin, end, means[job->means], works[job->work],
	       job->work == WORK_WAITS ? job->other : job->holder,
	       MAX(shared->called_ns, shared->awaited_ns), shared->returned_ns);
}

static void prepare(void)
{
	pthread_t thread;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED || pipe(pipe_ends) != 0) {
		abort();
	}
	sem_init(&shared->asked, 1, 0);
	sem_init(&shared->answered, 1, 0);
	sem_init(&semaphore, 0, 0);
	sem_init(&begun, 0, 0);
	for (int i = 0; i < WORKERS; i++) {
		sem_init(&workers[i].asked, 0, 0);
		sem_init(&workers[i].answered, 0, 0);
	}
	process = fork();
	if (process == 0) {
		run_process();
	}
	pthread_create(&thread, NULL, serve, &workers[0]);
	pthread_create(&thread, NULL, help, &workers[1]);
}

int main(int argc, char **argv)
{
	int waits = argc > 2 ? atoi(argv[2]) : 0;

	srandom(argc > 1 ? (unsigned int)atoi(argv[1]) : 0);
	prepare();
	for (int i = 0; i < waits; i++) {
		struct job job = { .means = random() % MEANS_COUNT,
				   .work = random() % WORK_COUNT,
				   .holder = (int)(random() % HOLDERS),
				   .other = (int)(random() % HOLDERS),
				   .us = 1500 + random() % 3000 };

		run(&job);
	}
	fflush(stdout);
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
	return 0;
}
