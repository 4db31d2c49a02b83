/* SPDX-License-Identifier: MIT */
/*
 * Wait graph of a symptom (StackMine, Figure 2): its thread's stretches within the span, and for
 * each wait among them the stretches of its waker that ended within the wait, and on.
 *
 * Each stretch counts whole, once, as it may have to do with the symptom. In a critical path
 * (critical-path.h) it counts for as long as it held the symptom up.
 */
#ifndef ITP_WAIT_GRAPH_H
#define ITP_WAIT_GRAPH_H

#include "common/wait/critical-path.h"

struct itp_wait_edge {
	/* Indices of vertices: the wait, and a stretch of its waker. */
	guint wait;
	guint meanwhile;
};

struct itp_wait_graph {
	/* struct itp_stretch, in the order of the search. Owned by this. */
	GArray *vertices;
	/* struct itp_wait_edge. Owned by this. */
	GArray *edges;
	/* More vertices or edges exist than asked for. */
	bool is_cut;
};

/* Graph with at most `most` vertices, and as many edges; 0: any number. Free with
 * itp_wait_graph_free(). */
struct itp_wait_graph *itp_wait_graph_new(const struct itp_history *history,
					  const struct itp_symptom *symptom, guint most);
void itp_wait_graph_free(struct itp_wait_graph *graph);

#endif
