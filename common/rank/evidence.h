/* SPDX-License-Identifier: MIT */
/*
 * What is known of a group of contexts in two workloads: their time, and by how much it may be off.
 *
 * Time in which a thread waits for a CPU is left out everywhere, as others are to blame for it, but
 * where it is the cause itself (contention.c); how long it was is known exactly. Two
 * errors are told apart, because more ticks make the one smaller and more runs the other:
 *
 *   measurement   Time on the CPU is as well known as the number of ticks allows
 *                 (own_variance_us2). Where a recording has none that were counted, and for time
 *                 of which the use is not known, it is as if a timer had sampled it every
 *                 millisecond. Time spent blocked is measured exactly,
 *                 but how long one wait lasts is up to others: waits of a context vary as they were
 *                 seen to, and one more or less may be made. A wait that is longer than all in the
 *                 other workload is chance for ITP_WAIT_MOST_NS of it and no more, so that a single
 *                 one of three seconds is not taken for noise. And which files are in memory is
 *                 chance: what one workload spent on as many reads as the other made of files that
 *                 were. But where both had to wait for the disk, only that one did so more often
 *                 is, and not that each wait was longer.
 *   runs          What a run has more or less of the group than others of its workload, as a part
 *                 of their mean.
 *
 * Which of them makes a difference a real one is noise.h's.
 */
#ifndef ITP_RANK_EVIDENCE_H
#define ITP_RANK_EVIDENCE_H

#include "common/rank/side.h"

/* What disks, networks and the kernel make a wait last now and then, without anyone's fault. */
#define ITP_WAIT_MOST_NS 50e6

/* Of one workload, the base in the amount of work that the suspect did. */
struct itp_evidence_side {
	double value_ns;
	/* Of the value: the errors of its time on the CPU, and of the time that it was blocked. */
	double cpu_variance;
	double wait_variance;
	/* What of it the kernel needed for page faults: the state of memory decides how long. */
	double fault_ns;
	uint64_t samples;
	uint64_t waits;
	/* Σ (run / mean of the runs − 1)², and of how many runs; the latter 0 where the group was
	 * in none. */
	double run_squares;
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
