/* SPDX-License-Identifier: MIT */
/*
 * The wait graph of a symptom (StackMine, Figure 2): its thread's stretches within the span, and
 * for each wait among them the stretches of the thread that ended it which ended within the wait,
 * and so on.
 *
 * Unlike the critical path, in which a stretch counts for as long as it held the symptom up, each
 * counts whole, once: it is what may have to do with the symptom.
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
	/* struct itp_stretch, in the order in which they were found. Owned by this. */
	GArray *vertices;
	/* struct itp_wait_edge. Owned by this. */
	GArray *edges;
	/* There are more than were asked for. */
	bool is_cut;
};

/* At most `most` vertices, and as many edges; 0: any number. Free with itp_wait_graph_free(). */
struct itp_wait_graph *itp_wait_graph_new(const struct itp_history *history,
					  const struct itp_symptom *symptom, guint most);
void itp_wait_graph_free(struct itp_wait_graph *graph);

#endif
