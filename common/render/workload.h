/* SPDX-License-Identifier: MIT */
/*
 * Renderers' words about a workload: its name and the completeness of its input.
 */
#ifndef ITP_RENDER_WORKLOAD_H
#define ITP_RENDER_WORKLOAD_H

#include "common/rank/ranking.h"

/* Names of both sides of a comparison. Clean labels, owned by this. */
struct itp_workload_labels {
	/* Names in sentences: "good.data" and "slow.data", or "base" and "suspect" when both have
	 * the same name. base is NULL without one. */
	char *suspect;
	char *base;
	/* Short forms, as heads of columns: "good", "slow". */
	char *suspect_head;
	char *base_head;
};

void itp_workload_labels_init(struct itp_workload_labels *labels,
			      const struct itp_ranking *ranking);
void itp_workload_labels_release(struct itp_workload_labels *labels);

/* True when the input was read to its end, nothing is known to be missing from it, and it shows the
 * doings of threads between two stacks. */
bool itp_workload_is_complete(const struct itp_workload *workload);

/* True when all inputs of a ranking are complete; `incomplete` as in itp_render_options. */
bool itp_ranking_is_complete(const struct itp_ranking *ranking, bool incomplete);

/* True when all inputs of a ranking were read whole, whatever they show. */
bool itp_ranking_is_read_whole(const struct itp_ranking *ranking, bool incomplete);

/* True when a time before or behind was left out on purpose. */
bool itp_workload_is_part(const struct itp_workload *workload);

/* "complete", "incomplete: 12 events lost, cut short", or "only ticks"; and whether it is a part.
 */
char *itp_workload_completeness(const struct itp_workload *workload);

/* Why stacks are broken and what helps, as a sentence that begins with their share: "3.1 % of
 * NAME's stacks are broken: …". They get lost in the code of `machine`, which may be NULL. NULL
 * when it hardly matters. */
char *itp_workload_broken(const struct itp_workload *workload, const struct itp_machine *machine,
			  const char *name);

/* How many stacks were completed from the code; NULL without any. */
char *itp_workload_completed(const struct itp_workload *workload, const char *name);

/* How many stacks were not followed to their end; NULL without any. */
char *itp_workload_unfollowed(const struct itp_workload *workload, const char *name);

/* Number of calls of functions without a name; NULL when it hardly matters. */
char *itp_workload_unnamed(const struct itp_call_counts *calls, const char *name);

/* Option by which the code of a virtual machine gets names; NULL where it has names. */
char *itp_workload_mute(const struct itp_call_counts *calls, const char *name);

/* Notes: the recorder's share of the CPU time; time behind losses; no clue to the owner of CPU time
 * between two stacks. NULL when it hardly matters. */
char *itp_workload_recorder(const struct itp_apart *apart, const char *name);
char *itp_workload_lost(const struct itp_apart *apart, const char *name);
/* Notes on late records, "250 records of slow.data came late, …", and on those at a wrong time;
 * NULL without any. */
char *itp_workload_late(const struct itp_workload *workload, const char *name);
char *itp_workload_misplaced(const struct itp_workload *workload, const char *name);
char *itp_workload_ticks(const struct itp_workload *workload, const struct itp_apart *apart,
			 const char *name);

/* True when ticks tell how well its own CPU times are known: there are some, and the times are of
 * the estimate divided by them. */
bool itp_workload_has_ticks(const struct itp_workload *workload);

/* Value of a workload's option; NULL when not recorded. */
char *itp_workload_option(const struct itp_workload *workload, const char *name);

#endif
