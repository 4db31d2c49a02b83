/* SPDX-License-Identifier: MIT */
/*
 * Who is which vertex of the wait-for graph. Threads are alike when their process and the first of
 * their functions that has a name are the same, those in which they were longest.
 */
#ifndef ITP_WAIT_VERTICES_H
#define ITP_WAIT_VERTICES_H

#include "common/wait/redistribution.h"

struct itp_vertices {
	/* Weak. */
	const struct itp_recall *recall;
	/* struct itp_wait_vertex. */
	GArray *all;
	/* Index + 1 by what makes a vertex one. Owned by this. */
	GHashTable *known;
	/* By node of the tree: that of the first function with a name above it. Owned by this. */
	uint32_t *roots;
	/* How long the recording is. */
	int64_t span_ns;
};

/* `all` is the caller's, and gets them. */
void itp_vertices_init(struct itp_vertices *vertices, const struct itp_recall *recall, GArray *all,
		       int64_t span_ns);
void itp_vertices_release(struct itp_vertices *vertices);

/* Index of the vertex that a thread is part of; each thread is asked for once. */
uint32_t itp_vertices_of_thread(struct itp_vertices *vertices, const struct itp_life *life);

/* Of what is not a thread that was recorded; `function` as in struct itp_wait_vertex. */
uint32_t itp_vertices_of_other(struct itp_vertices *vertices, enum itp_vertex_kind kind,
			       uint32_t function);

#endif
