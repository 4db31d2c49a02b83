/* SPDX-License-Identifier: MIT */
/*
 * See kernel-waits.h.
 */
#include "common/known/kernel-waits.h"

#include "common/base/patterns.h"

/* Shell patterns of functions in which threads of the kernel wait. */
static const char *const thread_waits[] = {
	"schedule",
	"__schedule",
	"schedule_timeout*",
	"schedule_hrtimeout*",
	"schedule_preempt_disabled",
	NULL,
};

/* Shell patterns of the kernel's functions that every waiting thread is in, whatever it waits for,
 * or that take the CPU from a thread that ran long enough. */
static const char *const any_waits[] = {
	"schedule",
	"__schedule",
	"schedule_timeout*",
	"schedule_hrtimeout*",
	"schedule_preempt_disabled",
	"io_schedule*",
	"preempt_schedule*",
	"__cond_resched",
	"finish_task_switch*",
	"irqentry_exit_to_user_mode*",
	"exit_to_user_mode_*",
	"syscall_exit_to_user_mode*",
	NULL,
};

/* Scheduler's functions: alone on a stack, they leave its cause unknown. */
static const char *const scheduler[] = { "schedule*", "__schedule*", NULL };

/* Scheduler's functions in which every wait of the kernel ends. */
static const char *const last_waits[] = { "__schedule",          "schedule",
					  "schedule_timeout*",   "io_schedule*",
					  "schedule_hrtimeout*", NULL };

/* Begin of the names of functions that wait for a disk. */
#define DISK_WAIT "io_schedule"

/* End of the name of functions that read from a pipe: newer kernels have a separate one for pipes
 * without a name, anon_pipe_read, seen in 6.18. */
#define PIPE_READ "pipe_read"

static const char *const data_waits[] = {
	"*pipe_read*",      "sock_read*",       "*sock_recvmsg*",      "unix_stream_read*",
	"unix_dgram_recv*", "tcp_recvmsg*",     "udp_recvmsg*",        "eventfd_*",
	"signalfd_*",       "n_tty_read*",      "tty_read*",           "inotify_read*",
	"timerfd_read*",    "netlink_recvmsg*", "vsock_*recvmsg*",     "__skb_wait_for*",
	"sk_wait_data*",    "do_msgrcv*",       "do_mq_timedreceive*", NULL,
};

bool itp_kernel_wait_is_threads(const char *name)
{
	return itp_patterns_match(thread_waits, name);
}

bool itp_kernel_wait_is_any(const char *name)
{
	return itp_patterns_match(any_waits, name);
}

bool itp_kernel_wait_is_schedulers(const char *name)
{
	return itp_patterns_match(scheduler, name);
}

bool itp_kernel_wait_is_last(const char *name)
{
	return itp_patterns_match(last_waits, name);
}

bool itp_kernel_wait_is_for_disk(const char *name)
{
	return g_str_has_prefix(name, DISK_WAIT);
}

bool itp_kernel_wait_is_for_pipe(const char *name)
{
	return g_str_has_suffix(name, PIPE_READ);
}

bool itp_kernel_wait_is_for_data(const char *name)
{
	return itp_patterns_match(data_waits, name);
}
