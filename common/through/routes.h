/* SPDX-License-Identifier: MIT */
/*
 * Routes: requests through the same processes, each asked by the same one, and the time of each
 * process. Numbers of asks between two do not count.
 */
#ifndef ITP_THROUGH_ROUTES_H
#define ITP_THROUGH_ROUTES_H

#include "common/through/naming.h"

struct itp_route_step {
	/* Weak: of the traffic. */
	const char *process;
	/* Index of the asking step; ITP_HOP_NONE for the first. */
	uint32_t parent;
	/* Number of its hops in all requests, and their time, their waits for others, and their
	 * waits to be taken. */
	uint64_t count;
	int64_t total_ns;
	int64_t waits_ns;
	int64_t own_ns;
	int64_t queued_ns;
	struct itp_time_use use;
	/* Members of struct itp_hop. */
	uint32_t node;
	int64_t node_ns;
};

struct itp_route {
	/* "nginx → uwsgi → postgres". Owned by this, as below. */
	char *key;
	/* struct itp_route_step, each behind its asking step. */
	GArray *steps;
	/* int64_t: times of its requests, sorted. */
	GArray *taken_ns;
	int64_t total_ns;
	/* The step with most own time. */
	guint slowest;
};

/* Routes of the requests followed to their end: a GArray of struct itp_route, the one with most
 * requests first, then by key. Free with g_array_unref(). */
GArray *itp_routes_find(const struct itp_hops *hops, const struct itp_traffic *traffic,
			const struct itp_recall *recall);

/* Time not exceeded by the `part` (0 to 1) of a route's requests. */
int64_t itp_route_quantile_ns(const struct itp_route *route, double part);

#endif
