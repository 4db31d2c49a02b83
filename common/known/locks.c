/* SPDX-License-Identifier: MIT */
/*
 * See locks.h.
 */
#include "common/known/locks.h"

#include "common/base/patterns.h"

/* Kernel functions in which threads wait for a lock of the kernel's, such as a directory's. */
static const char *const lock_waits[] = { "rwsem_down_*", "__mutex_lock*", NULL };

/* Functions of C libraries and of Rust that take a lock, or give it to a waiting thread. */
static const char *const locks[] = {
	"*pthread_mutex_*", "*pthread_rwlock_*", "*lll_lock_wait*", "*::Mutex*::lock*", NULL,
};

/* Further functions without an event: they want an end, or wake somebody. */
static const char *const no_event[] = {
	"*pthread_join*", "*clockjoin*", "pthread_cond_signal*", "pthread_cond_broad*", "sem_post*",
	"__nptl_*",       NULL,
};

bool itp_lock_is_kernels(const char *function)
{
	return itp_patterns_match(lock_waits, function);
}

bool itp_lock_is_used_by(const char *function)
{
	return itp_patterns_match(locks, function);
}

bool itp_lock_is_no_event(const char *function)
{
	return itp_patterns_match(no_event, function);
}
