/* SPDX-License-Identifier: MIT */
/*
 * See kernel-waits.h.
 */
#include "common/known/kernel-waits.h"

#include "common/base/patterns.h"

/* Shell patterns of the scheduler's functions in which threads wait. */
static const char *const scheduler[] = {
	"schedule",
	"__schedule",
	"schedule_timeout*",
	"schedule_hrtimeout*",
	"schedule_preempt_disabled",
	"io_schedule*",
	NULL,
};

/* Shell patterns of functions that take the CPU from a thread that ran long enough. */
static const char *const preemption[] = {
	"preempt_schedule*",
	"__cond_resched",
	"finish_task_switch*",
	"irqentry_exit_to_user_mode*",
	"exit_to_user_mode_*",
	"syscall_exit_to_user_mode*",
	NULL,
};

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

bool itp_kernel_wait_is_schedulers(const char *name)
{
	return itp_patterns_match(scheduler, name);
}

bool itp_kernel_takes_cpu(const char *name)
{
	return itp_patterns_match(preemption, name);
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
