/* SPDX-License-Identifier: MIT */
/*
 * Reasons for which the kernel wakes threads, by the names of its functions: a timer, a disk, the
 * network. Looks for such functions on the stack of a wakeup are left to common/infer/wake-stack.h.
 */
#ifndef ITP_KNOWN_WAKE_REASONS_H
#define ITP_KNOWN_WAKE_REASONS_H

enum itp_wake_reason {
	/* Nobody has asked yet. */
	ITP_WAKE_NOT_KNOWN_YET = 0,
	/* The function tells nothing. */
	ITP_WAKE_NONE,
	ITP_WAKE_TIMER,
	ITP_WAKE_DISK,
	ITP_WAKE_NETWORK,
	ITP_WAKE_TERMINAL,
	ITP_WAKE_RCU,
	/* Another CPU asked this one to do it, and its thread is not on this stack. */
	ITP_WAKE_OTHER_CPU,
	/* Interrupt, or a kernel thread, without any of the reasons above. */
	ITP_WAKE_INTERRUPT,
	ITP_WAKE_THREAD,
};

#define ITP_WAKE_REASON_COUNT (ITP_WAKE_THREAD + 1)

/* Names as results spell them, by number: "kernel:timer"; NULL for the first two. */
extern const char *const itp_wake_reason_names[ITP_WAKE_REASON_COUNT];

/* Reason told by a kernel's function, ITP_WAKE_NONE for most. */
enum itp_wake_reason itp_wake_reason_of(const char *name);

#endif
