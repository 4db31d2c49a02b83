/* SPDX-License-Identifier: MIT */
/*
 * See locks.h.
 */
#include "common/known/locks.h"

#include "common/base/patterns.h"

/* Kernel functions in which threads wait for a lock of the kernel's, such as a directory's. */
static const char *const lock_waits[] = { "rwsem_down_*", "__mutex_lock*", NULL };

/* Functions of C libraries that take a lock. */
static const char *const lock_functions[] = { "*pthread_mutex_*lock*", "*pthread_rwlock_*lock*",
					      "*lll_lock_wait*", NULL };

/* Functions above a futex that want a lock, or give it to a waiting thread. */
static const char *const locks[] = {
	"pthread_mutex_*",  "pthread_rwlock_*",  "__lll_lock_wait*",
	"*::Mutex*::lock*", "__pthread_mutex_*", NULL,
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

bool itp_lock_is_taken_by(const char *function)
{
	return itp_patterns_match(lock_functions, function);
}

bool itp_lock_is_used_by(const char *function)
{
	return itp_patterns_match(locks, function);
}

bool itp_lock_is_no_event(const char *function)
{
	return itp_patterns_match(no_event, function);
}
