/* SPDX-License-Identifier: MIT */
/*
 * Ranking of profiles, of a workload or of two: functions that explain its time, or the difference
 * between them (paper, section 3.4.2, Algorithm 3, second half, and more).
 *
 * A ranking is made step by step. Time that is ranked nowhere is set apart; two workloads are made
 * comparable; each context is put down to a culprit, a function that a person should open first;
 * the costs of a culprit are an entry, for which others may be to blame; differences of entries get
 * a verdict; entries are put in order.
 *
 *   rank.c            the steps, one after the other
 *   ranking.c         the result, and names of its numbers
 *
 *   side.c            a workload: values of nodes and paths, bounds of its calls
 *
 *   set apart
 *     apart.c           the recorder's time, and time of which nothing is known
 *     unwanted.c        waiting that is nobody's loss, taken out
 *     idle.c            idle waits guessed by system calls, if recordings do not tell
 *     idle-proofs.c     proofs of idle waits, by the doings of their threads
 *     idle-waits.c      waits for work, told beside the result
 *   compare
 *     scale.c           two workloads made comparable: units of work, runs, moved subtrees
 *     lasting.c         work beside the command, compared by its share of the recordings
 *     machine-speed.c   slowness of the machine, by a fixed computation
 *     amount.c          ratio of the work of both, if users did not name a unit
 *     doubts.c          comparisons that make little sense
 *   culprit
 *     culprit.c         frames that a person should open first
 *     candidates.c      functions that can be culprits, and their costs
 *     gathered.c        functions that cost much only in many contexts together
 *     trunk.c           the last function before a difference branches
 *   blame
 *     entries.c         paths with the same culprit as an entry
 *     contention.c      waiting for a CPU: takers of the CPU, and the delayed work
 *     started.c         programs that an entry started more often
 *     effects.c         entries that wait for another entry's cost
 *     often.c           the system call that an entry makes more often
 *   verdict
 *     verdict.c         sure, likely or chance, for each difference
 *     evidence.c        times by kind, and their errors by ticks, waits and runs
 *     evidence-waits.c  errors of blocked time
 *     unplaced.c        differences by stacks that were cut
 *     felt.c            the machine's slowness, as a context feels it, taken out
 *     error-model.c     standard errors of differences
 *     chance.c          statistics in plain numbers
 *     spread.c          differences between runs, assumed by those of most functions
 *     never-taken.c     paths that only one workload has ever taken: no chance
 *   order
 *     order.c           order of the entries, and choice of those kept
 *     path.c            the path of an entry, frame by frame
 *     flat.c            rows by function or by module instead of paths
 *     held-up.c         rows by the time for which waits and runs hold up others
 *
 *   waited-out.c      waits that last as long as a timer of TCP, for programs that show a ranking
 *   detail.c          calls of a path from nearby, for programs that show it
 *
 * Profiles are made by common/infer, given common names by common/view, and chosen and divided into
 * sides by common/compare. The result is plain data (ranking.h); common/render shows it.
 */
#ifndef ITP_RANK_RANK_H
#define ITP_RANK_RANK_H

#include "common/rank/ranking.h"

/* Ranks the runs. `functions` and `tree` are weak and must outlive the result, `suspect` and `base`
 * (may be NULL) only the call. Free with itp_ranking_free(). */
struct itp_ranking *itp_ranking_new(const struct itp_ranking_options *options,
				    const struct itp_function_table *functions,
				    const struct itp_context_tree *tree,
				    const struct itp_runs *suspect, const struct itp_runs *base);
void itp_ranking_free(struct itp_ranking *ranking);

#endif
