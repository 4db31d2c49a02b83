/* SPDX-License-Identifier: MIT */
/*
 * Cost of programs in the kernel that are attached to all system calls.
 */
#ifndef ITP_PERF_BPF_PRICE_H
#define ITP_PERF_BPF_PRICE_H

/* CPU time of this thread, and of this process, in nanoseconds. */
double itp_bpf_cpu_time_ns(void);
double itp_bpf_process_time_ns(void);

/* Nanoseconds that a system call that does nothing takes now: 104 without any tracer. */
double itp_bpf_call_ns(void);

/* Factor by which a system call costs more in the midst of other work than in a loop: a request of
 * nginx took 2.3 µs more for 8.5 calls, a loop 181 ns more for each. */
#define ITP_BPF_COLD 1.5

#endif
