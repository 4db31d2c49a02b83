/* SPDX-License-Identifier: MIT */
/*
 * Evidence on a group of contexts in two workloads: its time by kind, and the error of each kind by
 * ticks, waits and runs. Conclusions are left to error-model.h.
 *
 * Time in which a thread waits for a CPU is kept apart: others are to blame for it, and it makes
 * nothing less sure of the thread's work on the CPU. Its length is known exactly.
 *
 * Ticks: time on the CPU is as well known as the number of ticks allows (own_variance_us2). Without
 * counted ticks in a recording, and for time of unknown use, the error is that of a timer with a
 * tick every millisecond.
 *
 * Waits: time spent blocked is measured exactly, but each wait is up to others. If both workloads
 * wait in a context, durations of its waits vary as seen, and a wait more or less may be made. If
 * only a single workload does, each of its waits is an event that might not have been. A wait
 * longer than all in the other workload is chance for ITP_WAIT_MOST_NS of it and no more, so that a
 * single wait of three seconds is not taken for noise. And it is chance which files are in memory:
 * the time that a workload spent on as many reads as the other made of files in memory. But if both
 * had to wait for the disk, only the larger number of waits is chance, and not their longer
 * durations.
 *
 * Runs: the distance of a run's time of a kind from the mean of its workload's runs, as a part of
 * that mean. What the machine's slowness explains is left to felt.h.
 */
#ifndef ITP_RANK_EVIDENCE_PARTS_H
#define ITP_RANK_EVIDENCE_PARTS_H

#include "common/rank/side.h"

/* Longest duration of a wait that disks, networks and the kernel cause now and then by chance. */
#define ITP_WAIT_MOST_NS 50e6

/* Kinds of time, by the causes for which runs of a workload differ in them. */
enum itp_time_kind {
	/* CPU time in the program's own code and in libraries. Waits for memory are not told
	 * apart. */
	ITP_TIME_COMPUTING = 0,
	/* CPU time in the kernel. */
	ITP_TIME_KERNEL = 1,
	/* CPU time in the kernel for a page fault: its duration depends on the state of memory. */
	ITP_TIME_FAULTS = 2,
	/* CPU time of interrupts, which end up with whoever has the CPU, and of a hypervisor that
	 * is told of a device or another CPU: up to a fixed time for each system call. */
	ITP_TIME_INTERRUPTS = 3,
	/* Blocked, until others ended the wait. */
	ITP_TIME_BLOCKED = 4,
	/* Waiting for a CPU, if this is the cause itself (contention.c). */
	ITP_TIME_WAITING = 5,
};

#define ITP_TIME_KIND_COUNT 6

/* Time of a kind. */
struct itp_evidence_part {
	double value_ns;
	/* Variance of the value (ns²), by the number of ticks, or for blocked time by its waits. */
	double variance;
	/* Σ (run / mean of the runs − 1)²; and Σ of that distance times the machine's slowness in
	 * the run (machine-speed.h). */
	double run_squares;
	double run_slowness;
	/* Variance of the value by what is not known of its slowness (felt.h), ns². */
	double felt_variance;
};

/* Evidence on a workload; the base's is scaled to the suspect's amount of work. */
struct itp_evidence_side {
	/* Sum of all kinds but ITP_TIME_WAITING. */
	double value_ns;
	struct itp_evidence_part parts[ITP_TIME_KIND_COUNT];
	uint64_t samples;
	uint64_t waits;
	/* Number of runs; 0 for a group in none of them. */
	size_t runs;
	/* Σ (slowness of the machine in the run)². */
	double slowness_squares;
	/* Lost part of the workload: nobody knows its doings there. */
	double lost_part;
};

struct itp_evidence {
	struct itp_evidence_side suspect;
	struct itp_evidence_side base;
	/* Part of the difference spent on files that the other workload found in memory. */
	double cold_ns;
	/* Part of the difference that may be no more than stacks that were cut (unplaced.h). */
	double unplaced_ns;
};

/* A node that is part of a group; it may be part of several. */
struct itp_member {
	uint32_t node;
	uint32_t group;
};

#endif
