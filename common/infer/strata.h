/* SPDX-License-Identifier: MIT */
/*
 * Owners of the CPU time between two stacks: continuity.h's division of each such gap, corrected by
 * the ticks of a timer (post-stratified sampling: Cochran, Sampling Techniques, section 5A.9).
 *
 * Events of the program - system calls, switches to wait - say exactly how much CPU time lies
 * between two of them, and not whose it was: functions called and returned in between are on no
 * stack. Ticks tell the owner, and not the amount. Gaps are summed by kind: the context and the
 * event before, the context and the event behind. Ticks inside the gaps of a kind divide their sum.
 * Kinds too short for their own ticks are divided together, below a common context. The division of
 * continuity.h counts as a fraction of a tick, and alone without ticks; habits of the functions
 * elsewhere do so as well (habits.h).
 *
 * A log collects a gap of a thread; a tick in it is no end of it, since kinds must not depend on
 * ticks, nor on others' wish for the CPU. No time moves between a system call and its outside.
 * Memory grows with the number of kinds, up to a limit: further ones are told by context alone.
 */
#ifndef ITP_INFER_STRATA_H
#define ITP_INFER_STRATA_H

#include <stdbool.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/demand.h"

/* Begin or end of a gap. */
enum itp_gap_edge {
	/* The thread was there, or is gone. */
	ITP_GAP_EDGE_OTHER = 0,
	ITP_GAP_EDGE_ENTER,
	ITP_GAP_EDGE_EXIT,
	/* The thread waits. */
	ITP_GAP_EDGE_SWITCH,
	/* No end of the gap, which goes on: another thread gets the CPU, or a tick, both at any
	 * time. */
	ITP_GAP_EDGE_PREEMPTION,
	ITP_GAP_EDGE_TICK,
};

struct itp_gap_part {
	uint32_t node;
	int64_t cpu_ns;
};

struct itp_gap_tick {
	uint32_t node;
	/* Weight of a tick, relative to the first one's. */
	double weight;
};

/* Gap at hand: its begin, the known owners of its time, and the ticks. */
struct itp_gap_log {
	uint32_t before;
	enum itp_gap_edge edge;
	/* Owners, with room for one more. Owned by this. */
	struct itp_gap_part *given;
	guint given_count;
	guint given_room;
	/* struct itp_gap_tick. Owned by this. */
	GArray *ticks;
	/* Kind of its last look-up, and the context of it likely to be asked for next; 0 = none. */
	uint32_t kind;
	uint32_t next_context;
};

void itp_gap_log_init(struct itp_gap_log *log);
void itp_gap_log_release(struct itp_gap_log *log);

/* Forgets everything collected; the next gap begins at `node`. */
void itp_gap_log_begin(struct itp_gap_log *log, uint32_t node, enum itp_gap_edge edge);
void itp_gap_log_give(struct itp_gap_log *log, uint32_t node, int64_t cpu_ns);

/* Correction of a context's own CPU time as told by instances, and its certainty: ticks that found
 * the context innermost, and the variance from their number. And the part of its own blocked time
 * that was somebody's loss (demand.h), which is no correction. */
struct itp_share {
	uint32_t node;
	/* The node itself, or for the recorder's node its surrounding context. */
	uint32_t within;
	int64_t cpu_ns;
	uint64_t samples;
	uint64_t variance_us2;
	struct itp_node_demand demand;
};

typedef void (*itp_share_func)(const struct itp_share *share, void *data);

struct itp_strata;

/* `functions` and `tree` are weak and must outlive the result. */
struct itp_strata *itp_strata_new(struct itp_function_table *functions,
				  struct itp_context_tree *tree);
void itp_strata_free(struct itp_strata *strata);

/* Stand-in for the recorder at work at `node`: ticks found it there. Its time is then told as a
 * single context's for a whole process. */
uint32_t itp_strata_recorder(struct itp_strata *strata, uint32_t node);

/* A tick, of a weight in the timer's unit, found `node` innermost. Where there are only ticks for
 * long, the collected ones are summed and the gap goes on. */
void itp_strata_tick(struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		     double weight);

/* Ends the gap of `log` at `node`, and begins the next one there. */
void itp_strata_end_gap(struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
			enum itp_gap_edge edge);

/* True when ticks have told anything of the gap of `log` if it ends at `node`. */
bool itp_strata_learnt(const struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		       enum itp_gap_edge edge);
/* Relative part of such gaps taken by the context and its unseen callees, if ticks have told
 * anything; continuity.h gave `prior`. */
double itp_strata_part(const struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		       double prior);

/* Divides what was collected since the last time; the corrections of all contexts add up to 0. */
void itp_strata_tell(struct itp_strata *strata, itp_share_func tell, void *data);

#endif
