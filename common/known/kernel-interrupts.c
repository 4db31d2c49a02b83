/* SPDX-License-Identifier: MIT */
/*
 * See kernel-interrupts.h.
 */
#include "common/known/kernel-interrupts.h"

#include "common/base/patterns.h"

/* Linux 6.1 to 6.18: where soft interrupts are allowed again, which receive for a whole machine;
 * where a thread that woke another one, or was switched to, allows interrupts again; and where
 * virtio tells the host of a request. */
static const char *const doors[] = {
	"__local_bh_enable_ip", "_raw_spin_unlock_bh", "_raw_spin_unlock_irq*",
	"finish_task_switch*",  "iowrite16",           NULL
};

bool itp_kernel_admits_interrupts(const char *name)
{
	return itp_patterns_match(doors, name);
}
