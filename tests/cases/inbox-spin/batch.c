/* SPDX-License-Identifier: MIT */
/*
 * batch INBOXD sleep|spin
 */
#define _GNU_SOURCE
#include "inbox.h"
#include <err.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct inbox *inbox;
static pthread_mutex_t post_lock = PTHREAD_MUTEX_INITIALIZER;

static void post(unsigned mail)
{
	pthread_mutex_lock(&post_lock);
	unsigned place = atomic_load(&inbox->posted);
	inbox->mail[place % 256] = mail;
	atomic_store(&inbox->posted, place + 1);
	sem_post(&inbox->news);
	pthread_mutex_unlock(&post_lock);
}

static unsigned price_lot(unsigned lot) __attribute__((noinline));
static unsigned price_lot(unsigned lot)
{
	uint64_t state = lot + 1;
	for (int i = 0; i < 20000000; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
	}
	return (unsigned)state & 0x7fffffff;
}

static void *desk(void *first)
{
	unsigned lot = (uintptr_t)first;
	for (int i = 0; i < 25; i++, lot += 2)
		post(price_lot(lot));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t desks[2];
	if (argc != 3)
		return 2;
	int memory = memfd_create("inbox", 0);
	if (memory < 0 || ftruncate(memory, sizeof *inbox))
		err(1, "memory");
	inbox = mmap(NULL, sizeof *inbox, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	sem_init(&inbox->news, 1, 0);
	pid_t child = fork();
	if (child == 0) {
		if (memory != 3)
			dup2(memory, 3);
		execl(argv[1], "inboxd", argv[2], (char *)NULL);
		err(1, "%s", argv[1]);
	}
	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&desks[i], NULL, desk, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(desks[i], NULL);
	post(LAST);
	waitpid(child, NULL, 0);
	return 0;
}
