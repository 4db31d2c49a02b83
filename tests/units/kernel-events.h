/* SPDX-License-Identifier: MIT */
/*
 * Events of the whole machine, as kernel-events.bpf.c notes them in the kernel and kernel-events.c
 * writes them to a file, one struct after another. kernel.py reads them.
 */
#ifndef ITP_TESTS_UNITS_KERNEL_EVENTS_H
#define ITP_TESTS_UNITS_KERNEL_EVENTS_H

#define KERNEL_CALLS 512

/* Roles of system calls, as bits. */
enum kernel_role {
	/* accept4 */
	KERNEL_ACCEPT = 1 << 0,
	/* epoll_wait */
	KERNEL_SET = 1 << 1,
	/* poll, and the two above */
	KERNEL_WAIT = 1 << 2,
	/* recvfrom */
	KERNEL_READ = 1 << 3,
	/* writev, for programs with a screen */
	KERNEL_WRITE = 1 << 4,
	/* epoll_ctl(), when a descriptor is taken out of a set; `b` is the descriptor */
	KERNEL_DROP = 1 << 5,
};

enum kernel_kind {
	/* The thread wakes the thread `a`. */
	KERNEL_WAKES,
	/* The thread comes to a CPU; the thread leaves the CPU to sleep. */
	KERNEL_RUNS,
	KERNEL_SLEEPS,
	/* The thread enters a system call of the role `a`, with the first argument `b`; the thread
	 * returns with the result `b`. */
	KERNEL_ENTERS,
	KERNEL_RETURNS,
	/* A connection from the client's port `a` is established. */
	KERNEL_CONNECTS,
	/* The server reads of the client's port `a`; a datagram, of its own socket `b`: 0. */
	KERNEL_READS,
	/* Bytes have come to the server's socket from the client's port `a`. */
	KERNEL_ASKED,
	/* Bytes have come to the client's socket, port `a`; a datagram: 0. */
	KERNEL_ANSWERED,
	/* The owner of the socket `b` is told of bytes. */
	KERNEL_TELLS,
};

struct kernel_event {
	/* Of CLOCK_MONOTONIC. */
	unsigned long long time_ns;
	long long b;
	unsigned int pid;
	unsigned int tid;
	unsigned int kind;
	unsigned int a;
};

#endif
