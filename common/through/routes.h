/* SPDX-License-Identifier: MIT */
/*
 * Routes: requests that went through the same processes, one asked by the other, and what each of
 * them took of it. How often one asked another one does not count.
 */
#ifndef ITP_THROUGH_ROUTES_H
#define ITP_THROUGH_ROUTES_H

#include "common/through/naming.h"

struct itp_route_step {
	/* Weak: of the traffic. */
	const char *process;
	/* Index of the step that asked it; ITP_HOP_NONE for the first. */
	uint32_t parent;
	/* Hops of it in all requests, and what they took, waited for others, and waited to be
	 * taken. */
	uint64_t count;
	int64_t total_ns;
	int64_t waits_ns;
	int64_t own_ns;
	int64_t queued_ns;
	struct itp_time_use use;
	/* As in struct itp_hop. */
	uint32_t node;
	int64_t node_ns;
};

struct itp_route {
	/* "nginx → uwsgi → postgres". Owned by this, as below. */
	char *key;
	/* struct itp_route_step, each behind the one that asked it. */
	GArray *steps;
	/* int64_t: what its requests took, sorted. */
	GArray *taken_ns;
	int64_t total_ns;
	/* The step with most own time. */
	guint slowest;
};

/* Of the requests that were followed to their end: a GArray of struct itp_route, the one with most
 * requests first, then by key. Free with g_array_unref(). */
GArray *itp_routes_find(const struct itp_hops *hops, const struct itp_traffic *traffic,
			const struct itp_recall *recall);

/* Of these, the one of which `part` (0 to 1) took no longer. */
int64_t itp_route_quantile_ns(const struct itp_route *route, double part);

#endif
