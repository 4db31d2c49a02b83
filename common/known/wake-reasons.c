/* SPDX-License-Identifier: MIT */
/*
 * See wake-reasons.h.
 */
#include "common/known/wake-reasons.h"

#include <glib.h>

#include "common/base/function-table.h"
#include "common/base/patterns.h"

const char *const itp_wake_reason_names[ITP_WAKE_REASON_COUNT] = {
	[ITP_WAKE_TIMER] = ITP_TIMER_NAME,
	[ITP_WAKE_DISK] = ITP_REASON_PREFIX "disk",
	[ITP_WAKE_NETWORK] = ITP_REASON_PREFIX "network",
	[ITP_WAKE_TERMINAL] = ITP_REASON_PREFIX "terminal",
	[ITP_WAKE_RCU] = ITP_REASON_PREFIX "rcu",
	[ITP_WAKE_OTHER_CPU] = ITP_REASON_PREFIX "other-cpu",
	[ITP_WAKE_INTERRUPT] = ITP_REASON_PREFIX "interrupt",
	[ITP_WAKE_THREAD] = ITP_REASON_PREFIX "thread",
};

struct pattern {
	/* Shell pattern of the name of a kernel function. */
	const char *name;
	enum itp_wake_reason reason;
};

/* The first match counts; of a stack's functions the innermost with a reason. */
static const struct pattern patterns[] = {
	{ "hrtimer_*", ITP_WAKE_TIMER },
	{ "__hrtimer_*", ITP_WAKE_TIMER },
	{ "call_timer_fn*", ITP_WAKE_TIMER },
	{ "__run_timer*", ITP_WAKE_TIMER },
	{ "run_timer_*", ITP_WAKE_TIMER },
	{ "process_timeout", ITP_WAKE_TIMER },
	{ "it_real_fn", ITP_WAKE_TIMER },
	{ "posix_timer_*", ITP_WAKE_TIMER },
	{ "timerfd_*", ITP_WAKE_TIMER },
	{ "alarmtimer_*", ITP_WAKE_TIMER },
	{ "blk_*", ITP_WAKE_DISK },
	{ "__blk_*", ITP_WAKE_DISK },
	{ "blkdev_*", ITP_WAKE_DISK },
	{ "bio_*", ITP_WAKE_DISK },
	{ "submit_bio*", ITP_WAKE_DISK },
	{ "end_bio_*", ITP_WAKE_DISK },
	{ "end_buffer_*", ITP_WAKE_DISK },
	{ "folio_end_*", ITP_WAKE_DISK },
	{ "end_page_writeback", ITP_WAKE_DISK },
	{ "iomap_*", ITP_WAKE_DISK },
	{ "ext4_*", ITP_WAKE_DISK },
	{ "xfs_*", ITP_WAKE_DISK },
	{ "btrfs_*", ITP_WAKE_DISK },
	{ "f2fs_*", ITP_WAKE_DISK },
	{ "jbd2_*", ITP_WAKE_DISK },
	{ "kjournald2", ITP_WAKE_DISK },
	{ "wb_workfn", ITP_WAKE_DISK },
	{ "nvme_*", ITP_WAKE_DISK },
	{ "scsi_*", ITP_WAKE_DISK },
	{ "ata_*", ITP_WAKE_DISK },
	{ "virtblk_*", ITP_WAKE_DISK },
	{ "md_*", ITP_WAKE_DISK },
	{ "dm_*", ITP_WAKE_DISK },
	{ "net_rx_action", ITP_WAKE_NETWORK },
	{ "net_tx_action", ITP_WAKE_NETWORK },
	{ "napi_*", ITP_WAKE_NETWORK },
	{ "__napi_*", ITP_WAKE_NETWORK },
	{ "netif_*", ITP_WAKE_NETWORK },
	{ "__netif_*", ITP_WAKE_NETWORK },
	{ "process_backlog", ITP_WAKE_NETWORK },
	{ "ip_rcv*", ITP_WAKE_NETWORK },
	{ "ipv6_rcv*", ITP_WAKE_NETWORK },
	{ "tcp_*", ITP_WAKE_NETWORK },
	{ "__tcp_*", ITP_WAKE_NETWORK },
	{ "udp_*", ITP_WAKE_NETWORK },
	{ "__udp_*", ITP_WAKE_NETWORK },
	{ "sock_*", ITP_WAKE_NETWORK },
	{ "tty_*", ITP_WAKE_TERMINAL },
	{ "n_tty_*", ITP_WAKE_TERMINAL },
	{ "flush_to_ldisc", ITP_WAKE_TERMINAL },
	{ "rcu_*", ITP_WAKE_RCU },
	{ "sched_ttwu_pending", ITP_WAKE_OTHER_CPU },
};

enum itp_wake_reason itp_wake_reason_of(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
		if (itp_pattern_matches(patterns[i].name, name)) {
			return patterns[i].reason;
		}
	}
	return ITP_WAKE_NONE;
}
