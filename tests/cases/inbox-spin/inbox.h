/* SPDX-License-Identifier: MIT */
/*
 * Inbox in memory that inboxd and its writers share.
 */
#include <semaphore.h>
#include <stdatomic.h>

// Shared by the batch and the daemon.
struct inbox {
	atomic_uint posted;
	sem_t news;
	unsigned mail[256];
};

enum {
	LAST = 0xffffffff
};
