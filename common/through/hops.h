/* SPDX-License-Identifier: MIT */
/*
 * Traffic and pairs → requests, each with its hops.
 *
 * A hop is a thread's work for a request, from the bytes it takes to the last ones it answers. It
 * asks others by bytes sent meanwhile through other sides; their hops are its children. A process
 * that sends without having taken anything before, and takes an answer, is the first hop of a
 * request, as a client is.
 *
 * The hop of a thread's work is told by its last take (vPath, USENIX ATC 2009), as long as it has
 * taken nothing else since that it has not acted upon: an event loop may take from several before
 * it acts on the first. An answer's side tells the hop: a worker that took its job from a queue is
 * known by its answer, and with it everything it had asked before (BorderPatrol, EuroSys 2008).
 */
#ifndef ITP_THROUGH_HOPS_H
#define ITP_THROUGH_HOPS_H

#include "common/infer/instance.h"
#include "common/through/connections.h"

#define ITP_HOP_NONE UINT32_MAX

/* Reason why a request was not followed to its end; the first that holds. */
enum itp_hop_doubt {
	ITP_HOP_CERTAIN = 0,
	/* Events were lost meanwhile. */
	ITP_HOP_LOST,
	/* The recording ended before the answer, or the answer never came. */
	ITP_HOP_OPEN,
	/* A connection carried several requests at once. */
	ITP_HOP_SHARED,
	/* Thread had taken from several, and then asked somebody for an unknown one of them. */
	ITP_HOP_MIXED,
	/* Peer cannot be told: several sides are possible, or none was recorded. */
	ITP_HOP_UNCLEAR,
	ITP_HOP_STRANGER,
	/* Asker cannot be told, likewise: the rest of a request that ends before. */
	ITP_HOP_REST,
};

#define ITP_HOP_DOUBT_COUNT 8

struct itp_hop {
	int32_t pid;
	int32_t tid;
	/* Index of the asking hop; ITP_HOP_NONE for the first. */
	uint32_t parent;
	/* Time at which the parent began to send; `begin_ns` if unknown. */
	int64_t sent_ns;
	/* From the first bytes taken, or sent, to its answer, or to the last ones taken. */
	int64_t begin_ns;
	int64_t end_ns;
	/* Time of its waits for hops asked by it. */
	int64_t waits_ns;
	enum itp_hop_doubt doubt;
	/* Index of the first hop of its request. */
	uint32_t root;
	/* Nobody waits for it. */
	bool is_one_way;
	/* Use of its own time, as far as known; the function of the program with most of it, and
	 * its time there: node of the recall's tree, ITP_CONTEXT_ROOT where nothing tells. Set by
	 * naming.h. */
	struct itp_time_use use;
	uint32_t node;
	int64_t node_ns;
};

/* Span in which a hop waited for another, or for an unknown peer. */
struct itp_ask {
	uint32_t hop;
	int64_t begin_ns;
	int64_t end_ns;
};

struct itp_hops {
	/* struct itp_hop: each before its children, those of a request together, by begin. Owned by
	 * this, as all below. */
	GArray *list;
	/* struct itp_ask by hop, then by begin. */
	GArray *asks;
	/* guint: indices of first hops, by begin. */
	GArray *roots;
};

void itp_hops_find(struct itp_hops *hops, const struct itp_traffic *traffic,
		   const struct itp_connections *pairs);
void itp_hops_release(struct itp_hops *hops);

/* Of the request with the first hop `first`: the index behind its last one, its end, and the reason
 * why it was not followed to its end. */
guint itp_hops_behind(const struct itp_hops *hops, guint first);
int64_t itp_hops_end_ns(const struct itp_hops *hops, guint first);
enum itp_hop_doubt itp_hops_doubt(const struct itp_hops *hops, guint first);

#endif
