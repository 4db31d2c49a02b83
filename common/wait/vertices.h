/* SPDX-License-Identifier: MIT */
/*
 * Vertices of the wait-for graph, by thread. Threads are alike when they have the same process and
 * the same first function with a name; of several, the longest one counts.
 */
#ifndef ITP_WAIT_VERTICES_H
#define ITP_WAIT_VERTICES_H

#include "common/wait/held-places.h"

struct itp_vertices {
	/* Weak. */
	const struct itp_recall *recall;
	/* struct itp_wait_vertex. Weak. */
	GArray *all;
	/* Index + 1 by the key of a vertex. Owned by this. */
	GHashTable *known;
	/* Outermost function with a name at or above a node (its node), by node. Owned by this. */
	uint32_t *roots;
	/* Length of the recording, in nanoseconds. */
	int64_t span_ns;
};

/* Begins without vertices. `all` is the caller's, and gets all that are added. */
void itp_vertices_init(struct itp_vertices *vertices, const struct itp_recall *recall, GArray *all,
		       int64_t span_ns);
void itp_vertices_release(struct itp_vertices *vertices);

/* Index of the thread's vertex; each thread is asked for once. */
uint32_t itp_vertices_of_thread(struct itp_vertices *vertices, const struct itp_life *life);

/* Index of a vertex other than a recorded thread; `function` as in struct itp_wait_vertex. */
uint32_t itp_vertices_of_other(struct itp_vertices *vertices, enum itp_vertex_kind kind,
			       uint32_t function);

#endif
