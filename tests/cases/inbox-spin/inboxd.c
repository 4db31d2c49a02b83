/* SPDX-License-Identifier: MIT */
/*
 * inboxd sleep|spin: the inbox is file 3
 */
#include "inbox.h"
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static unsigned wait_for_mail(struct inbox *inbox, unsigned seen, int spin)
	__attribute__((noinline));
static unsigned wait_for_mail(struct inbox *inbox, unsigned seen, int spin)
{
	while (atomic_load(&inbox->posted) == seen)
		if (!spin)
			sem_wait(&inbox->news);
	return inbox->mail[seen % 256];
}

static unsigned file_mail(unsigned sum, unsigned mail) __attribute__((noinline));
static unsigned file_mail(unsigned sum, unsigned mail)
{
	for (int i = 0; i < 100000; i++)
		sum = (sum ^ mail) * 16777619u + (sum >> 13);
	return sum;
}

int main(int argc, char **argv)
{
	struct inbox *inbox = mmap(NULL, sizeof *inbox, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
	unsigned sum = 0, mail;
	if (argc != 2 || inbox == MAP_FAILED)
		err(1, "inbox");
	for (unsigned seen = 0;
	     (mail = wait_for_mail(inbox, seen, !strcmp(argv[1], "spin"))) != LAST; seen++)
		sum = file_mail(sum, mail);
	printf("filed: %u\n", sum);
	return 0;
}
