/* SPDX-License-Identifier: MIT */
/*
 * What is known of a group of contexts in two workloads: its time by kind, and what its ticks, its
 * waits and its runs say of how far off each may be. What follows from these is error-model.h's.
 *
 * Time in which a thread waits for a CPU is kept apart: others are to blame for it, and it makes
 * nothing less sure of what the thread did on the CPU. How long it was is known exactly.
 *
 *   ticks   Time on the CPU is as well known as the number of ticks allows (own_variance_us2).
 * Where a recording has none that were counted, and for time of which the use is not known, it is
 * as if a timer had sampled it every millisecond. waits   Time spent blocked is measured exactly,
 * but each wait is up to others. Where both workloads wait in a context, how long its waits last
 * varies as it was seen to, and one more or less may be made. Where only one does, each of its
 * waits is an event that might not have been. A wait that is longer than all in the other workload
 * is chance for ITP_WAIT_MOST_NS of it and no more, so that a single one of three seconds is not
 * taken for noise. And which files are in memory is chance: what one workload spent on as many
 *           reads as the other made of files that were. But where both had to wait for the disk,
 *           only that one did so more often is, and not that each wait was longer.
 *   runs    What a run has more or less of the kind than others of its workload, as a part of their
 *           mean.
 */
#ifndef ITP_RANK_EVIDENCE_H
#define ITP_RANK_EVIDENCE_H

#include "common/rank/side.h"

/* What disks, networks and the kernel make a wait last now and then, without anyone's fault. */
#define ITP_WAIT_MOST_NS 50e6

/* Kinds of time, by what makes runs of one workload differ in them. */
enum itp_time_kind {
	/* On the CPU, in the program's own code and in libraries. Of it, what waits for memory is
	 * not told apart. */
	ITP_TIME_COMPUTING = 0,
	/* On the CPU, in the kernel. */
	ITP_TIME_KERNEL = 1,
	/* On the CPU, in the kernel for a page fault: the state of memory decides how long. */
	ITP_TIME_FAULTS = 2,
	/* Blocked, until others ended it. */
	ITP_TIME_BLOCKED = 3,
	/* Waiting for a CPU, where that is the cause itself (contention.c). */
	ITP_TIME_WAITING = 4,
};

#define ITP_TIME_KIND_COUNT 5

/* Of one kind. */
struct itp_evidence_part {
	double value_ns;
	/* Of the value (ns²): what the number of ticks leaves open, or of blocked time what waits
	 * vary by. */
	double variance;
	/* Σ (run / mean of the runs − 1)². */
	double run_squares;
};

/* Of one workload, the base in the amount of work that the suspect did. */
struct itp_evidence_side {
	/* Without waiting for a CPU. */
	double value_ns;
	struct itp_evidence_part parts[ITP_TIME_KIND_COUNT];
	uint64_t samples;
	uint64_t waits;
	/* How many runs; 0 where the group was in none. */
	size_t runs;
	/* The part of the workload that was lost: nobody knows what it did there. */
	double lost_part;
};

struct itp_evidence {
	struct itp_evidence_side suspect;
	struct itp_evidence_side base;
	/* Of the difference, what one of them spent on files that the other found in memory. */
	double cold_ns;
};

/* A node that is part of a group; it may be part of several. */
struct itp_member {
	uint32_t node;
	uint32_t group;
};

/* One for each of `group_count` groups, of which `members` has struct itp_member. `suspect` and
 * `base` are the runs whose sums the sides of `state` are. Free with g_free(). */
struct itp_evidence *itp_evidence_new(const struct itp_rank_state *state, const GArray *members,
				      size_t group_count, const struct itp_runs *suspect,
				      const struct itp_runs *base);

/* That part of a workload: of its events, half where nobody knows how many were lost, or of its
 * time what threads did from a loss until they were seen again, if that is more. */
double itp_evidence_lost_part(const struct itp_rank_state *state,
			      const struct itp_profile *profile);

#endif
