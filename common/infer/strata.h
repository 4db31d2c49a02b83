/* SPDX-License-Identifier: MIT */
/*
 * Whose the CPU time between two stacks was: what continuity.h says of each such gap, corrected by
 * the ticks of a timer (post-stratified sampling: Cochran, Sampling Techniques, section 5A.9).
 *
 * Events of the program - system calls, switches to wait - say exactly how much CPU time lies
 * between two of them, and not whose it was: functions that were called and have returned in
 * between are on no stack. Ticks say whose it was, and not how much. So gaps are summed by kind:
 * the context and the event before, the context and the event behind. The ticks inside the gaps of
 * a kind divide their sum. Where a kind is too short for its own ticks to tell, kinds that lie
 * below one context are divided together. What continuity.h gave counts as a fraction of a tick,
 * and alone where there are no ticks; so does what the same functions do elsewhere (habits.h).
 *
 * A log collects one gap of one thread; a tick in it is no end of it, since kinds must not depend
 * on whether there was a tick, nor on whether others wanted the CPU. No time moves between a system
 * call and what is outside of it. Memory grows with the number of kinds, up to a limit: what
 * exceeds it is told by context alone.
 */
#ifndef ITP_INFER_STRATA_H
#define ITP_INFER_STRATA_H

#include <stdbool.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/demand.h"

/* What a gap begins or ends with. */
enum itp_gap_edge {
	/* The thread was there, or is gone. */
	ITP_GAP_EDGE_OTHER = 0,
	ITP_GAP_EDGE_ENTER,
	ITP_GAP_EDGE_EXIT,
	/* The thread waits. */
	ITP_GAP_EDGE_SWITCH,
	/* None, after which the gap goes on: these come at any time. Another thread gets the CPU,
	 * or a tick. */
	ITP_GAP_EDGE_PREEMPTION,
	ITP_GAP_EDGE_TICK,
};

struct itp_gap_part {
	uint32_t node;
	int64_t cpu_ns;
};

struct itp_gap_tick {
	uint32_t node;
	/* For how long it stands: as many times as long as the first one. */
	double weight;
};

/* A gap at hand: where it began, whose its time was as far as that is known, and the ticks. */
struct itp_gap_log {
	uint32_t before;
	enum itp_gap_edge edge;
	/* Room for one more than there are. Owned by this. */
	struct itp_gap_part *given;
	guint given_count;
	guint given_room;
	/* struct itp_gap_tick. Owned by this. */
	GArray *ticks;
	/* The kind that it was last looked up as, and which of its contexts is likely to be asked
	 * for next; 0 = none. */
	uint32_t kind;
	uint32_t next_context;
};

void itp_gap_log_init(struct itp_gap_log *log);
void itp_gap_log_release(struct itp_gap_log *log);

/* Forgets what was collected; the next gap begins at `node`. */
void itp_gap_log_begin(struct itp_gap_log *log, uint32_t node, enum itp_gap_edge edge);
void itp_gap_log_give(struct itp_gap_log *log, uint32_t node, int64_t cpu_ns);

/* By how much own CPU time of a context differs from what the instances say, and how well it is
 * known: ticks that found it innermost, and the variance that comes of their number. And what of
 * its own blocked time was somebody's loss (demand.h), which is no correction. */
struct itp_share {
	uint32_t node;
	/* The node, but for the recorder's: the context that it lay in. */
	uint32_t within;
	int64_t cpu_ns;
	uint64_t samples;
	uint64_t variance_us2;
	/* Of `samples`, as blocks of the run show it (tick-blocks.h). */
	uint64_t uneven_ticks2;
	struct itp_node_demand demand;
};

typedef void (*itp_share_func)(const struct itp_share *share, void *data);

struct itp_strata;

/* `functions` and `tree` are weak and must outlive the result. */
struct itp_strata *itp_strata_new(struct itp_function_table *functions,
				  struct itp_context_tree *tree);
void itp_strata_free(struct itp_strata *strata);

/* What stands for the recorder at work at `node`: ticks found it there. Its time is then told as
 * that of one context for all of a process. */
uint32_t itp_strata_recorder(struct itp_strata *strata, uint32_t node);

/* A tick, which stands for so much in the timer's unit, found `node` innermost. Where there is
 * nothing but ticks for long, what was collected is summed and the gap goes on. */
void itp_strata_tick(struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		     double weight);

/* Ends the gap of `log` at `node`, and begins the next one there. */
void itp_strata_end_gap(struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
			enum itp_gap_edge edge);

/* What ticks have said of the gap of `log` if it ends at `node`; false when that is nothing. */
bool itp_strata_learnt(const struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		       enum itp_gap_edge edge);
/* If it is something: how large a part of such gaps, relative to others, the context takes and what
 * it calls unseen, of which continuity.h said `prior`. */
double itp_strata_part(const struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		       double prior);

/* Divides what was collected since the last time; the corrections of all contexts add up to 0. */
void itp_strata_tell(struct itp_strata *strata, itp_share_func tell, void *data);

#endif
