/* SPDX-License-Identifier: MIT */
/*
 * See waiting-calls.h.
 */
#include "common/known/waiting-calls.h"

/* Rules for system calls that wait: the first with a fitting function counts. A rule for any
 * function bears the class of the call. */
static const struct {
	const char *syscall;
	struct itp_idle_rule idle;
	enum itp_wait_class class;
} waits[] = {
	/* Go. */
	{ "futex", .idle = { "runtime.stopm*", ITP_IDLE_TO_AN_END } },
	{ "futex", .idle = { "runtime.templateThread*", ITP_IDLE_TO_AN_END } },
	{ "futex", .idle = { "runtime.sysmon*", ITP_IDLE_TO_AN_END } },
	{ "nanosleep", .idle = { "runtime.sysmon*", ITP_IDLE_TO_AN_END } },
	{ "epoll_pwait", .idle = { "runtime.netpoll*", ITP_IDLE_TO_AN_END } },
	/* Calls with no other use than to wait for any event. */
	{ "accept", .idle = { NULL, ITP_IDLE_ALWAYS }, .class = ITP_WAIT_CLASS_EVENT },
	{ "accept4", .idle = { NULL, ITP_IDLE_ALWAYS }, .class = ITP_WAIT_CLASS_EVENT },
	{ "epoll_pwait", .idle = { NULL, ITP_IDLE_ALWAYS }, .class = ITP_WAIT_CLASS_EVENT },
	{ "epoll_pwait2", .idle = { NULL, ITP_IDLE_ALWAYS }, .class = ITP_WAIT_CLASS_EVENT },
	{ "epoll_wait", .idle = { NULL, ITP_IDLE_ALWAYS }, .class = ITP_WAIT_CLASS_EVENT },
	{ "io_getevents", .idle = { NULL, ITP_IDLE_ALWAYS }, .class = ITP_WAIT_CLASS_EVENT },
	{ "io_pgetevents", .idle = { NULL, ITP_IDLE_ALWAYS }, .class = ITP_WAIT_CLASS_EVENT },
	{ "rt_sigtimedwait", .idle = { NULL, ITP_IDLE_ALWAYS }, .class = ITP_WAIT_CLASS_EVENT },
	/* Signals, mostly of the end of a child. */
	{ "rt_sigsuspend", .idle = { NULL, ITP_IDLE_TO_AN_END }, .class = ITP_WAIT_CLASS_EVENT },
	{ "pause", .idle = { NULL, ITP_IDLE_TO_AN_END }, .class = ITP_WAIT_CLASS_EVENT },
	/* Ends of children: no events, as their time is the caller's (a shell's commands). */
	{ "wait4", .idle = { NULL, ITP_IDLE_TO_AN_END } },
	{ "waitid", .idle = { NULL, ITP_IDLE_TO_AN_END } },
	/* MySQL and MariaDB: a connection waits for the next command. */
	{ "poll", .idle = { "vio_io_wait", ITP_IDLE_ALWAYS } },
	/* Apache: the first process sleeps between two looks at the others. */
	{ "select", .idle = { "ap_wait_or_timeout", ITP_IDLE_ALWAYS } },
	{ "pselect6", .idle = { "ap_wait_or_timeout", ITP_IDLE_ALWAYS } },
	{ "poll", .idle = { NULL, ITP_IDLE_IN_WORK_LOOP }, .class = ITP_WAIT_CLASS_EVENT },
	{ "ppoll", .idle = { NULL, ITP_IDLE_IN_WORK_LOOP }, .class = ITP_WAIT_CLASS_EVENT },
	{ "select", .idle = { NULL, ITP_IDLE_IN_WORK_LOOP }, .class = ITP_WAIT_CLASS_EVENT },
	{ "pselect6", .idle = { NULL, ITP_IDLE_IN_WORK_LOOP }, .class = ITP_WAIT_CLASS_EVENT },
	{ "io_uring_enter", .idle = { NULL, ITP_IDLE_IN_WORK_LOOP },
	  .class = ITP_WAIT_CLASS_EVENT },
	{ "futex", .idle = { "pthread_join", ITP_IDLE_TO_AN_END } },
	{ "futex", .idle = { "__pthread_clockjoin_ex", ITP_IDLE_TO_AN_END } },
	{ "futex", .idle = { "pthread_cond_wait*", ITP_IDLE_MOST_OF_THE_TIME } },
	{ "futex", .idle = { "pthread_cond_timedwait*", ITP_IDLE_MOST_OF_THE_TIME } },
	{ "futex", .idle = { "pthread_cond_clockwait*", ITP_IDLE_MOST_OF_THE_TIME } },
	/* GLib, which makes the system call itself. */
	{ "futex", .idle = { "g_cond_wait*", ITP_IDLE_MOST_OF_THE_TIME } },
	{ "futex", .idle = { "sem_wait*", ITP_IDLE_MOST_OF_THE_TIME } },
	{ "futex", .idle = { "sem_timedwait*", ITP_IDLE_MOST_OF_THE_TIME } },
	{ "futex", .idle = { "sem_clockwait*", ITP_IDLE_MOST_OF_THE_TIME } },
	/* Jump at the end of glibc's sem_wait() and the like. */
	{ "futex", .idle = { "__new_sem_wait_slow*", ITP_IDLE_MOST_OF_THE_TIME } },
	/* Rust, which makes the system call itself, as the rest may do. */
	{ "futex", .idle = { "*::Condvar::wait*", ITP_IDLE_MOST_OF_THE_TIME } },
	{ "futex", .idle = { "std::thread::park*", ITP_IDLE_MOST_OF_THE_TIME } },
	{ "futex", .idle = { "pthread_mutex_*lock*", ITP_IDLE_NEVER } },
	{ "futex", .idle = { "pthread_rwlock_*lock*", ITP_IDLE_NEVER } },
	{ "futex", .idle = { "__lll_lock_wait*", ITP_IDLE_NEVER } },
	{ "futex", .idle = { "*::Mutex*::lock*", ITP_IDLE_NEVER } },
	{ "futex", .idle = { NULL, ITP_IDLE_MOST_OF_A_THREAD }, .class = ITP_WAIT_CLASS_SIGNAL },
	{ "recvfrom", .idle = { NULL, ITP_IDLE_MOST_OF_THE_TIME }, .class = ITP_WAIT_CLASS_DATA },
	{ "recvmmsg", .idle = { NULL, ITP_IDLE_MOST_OF_THE_TIME }, .class = ITP_WAIT_CLASS_DATA },
	{ "recvmsg", .idle = { NULL, ITP_IDLE_MOST_OF_THE_TIME }, .class = ITP_WAIT_CLASS_DATA },
	{ "msgrcv", .idle = { NULL, ITP_IDLE_MOST_OF_THE_TIME }, .class = ITP_WAIT_CLASS_DATA },
	{ "mq_timedreceive", .idle = { NULL, ITP_IDLE_MOST_OF_THE_TIME },
	  .class = ITP_WAIT_CLASS_DATA },
	{ "semtimedop", .idle = { NULL, ITP_IDLE_MOST_OF_THE_TIME },
	  .class = ITP_WAIT_CLASS_SIGNAL },
	{ "read", .idle = { NULL, ITP_IDLE_MOST_OF_A_LIFE }, .class = ITP_WAIT_CLASS_DATA },
	{ "readv", .idle = { NULL, ITP_IDLE_MOST_OF_A_LIFE }, .class = ITP_WAIT_CLASS_DATA },
	{ "nanosleep", .idle = { NULL, ITP_IDLE_BESIDE_WORK } },
	{ "clock_nanosleep", .idle = { NULL, ITP_IDLE_BESIDE_WORK } },
};

/* System calls that wait for the disk in any case. */
static const char *const disk_calls[] = {
	"fdatasync", "fsync", "msync", "sync", "sync_file_range", "syncfs", NULL,
};

const struct itp_idle_rule *itp_idle_rule_next(const char *syscall, size_t *at)
{
	while (*at < G_N_ELEMENTS(waits)) {
		const size_t i = (*at)++;

		if (g_str_equal(waits[i].syscall, syscall)) {
			return &waits[i].idle;
		}
	}
	return NULL;
}

enum itp_wait_class itp_wait_class_by_name(const char *syscall)
{
	for (size_t i = 0; i < G_N_ELEMENTS(waits); i++) {
		if (waits[i].class != ITP_WAIT_CLASS_NONE &&
		    g_str_equal(waits[i].syscall, syscall)) {
			return waits[i].class;
		}
	}
	return ITP_WAIT_CLASS_NONE;
}

bool itp_function_awaits_any_event(const struct itp_function *function)
{
	const char *call = itp_function_syscall(function);
	const struct itp_idle_rule *rule;
	size_t at = 0;

	while (call && (rule = itp_idle_rule_next(call, &at)) != NULL) {
		if (rule->proof == ITP_IDLE_ALWAYS && !rule->through) {
			return true;
		}
	}
	return false;
}

bool itp_function_is_sleep(const struct itp_function *function)
{
	const char *call = itp_function_syscall(function);

	return g_strcmp0(call, "nanosleep") == 0 || g_strcmp0(call, "clock_nanosleep") == 0;
}

bool itp_function_awaits_child(const struct itp_function *function)
{
	const char *call = itp_function_syscall(function);

	return g_strcmp0(call, "wait4") == 0 || g_strcmp0(call, "waitid") == 0 ||
	       g_strcmp0(call, "waitpid") == 0;
}

bool itp_syscall_awaits_disk(const char *syscall)
{
	return g_strv_contains(disk_calls, syscall);
}
