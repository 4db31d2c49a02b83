/* SPDX-License-Identifier: MIT */
/*
 * Traffic and pairs → requests, each with its hops.
 *
 * A hop is what one thread does for a request, from the bytes that it takes to the last ones that
 * it answers. It asks others by what it sends meanwhile through other sides; their hops are its
 * children. A process that sends without having taken anything before, and takes an answer, is the
 * first hop of a request, as a client is.
 *
 * For whom a thread works tells what it took last (vPath, USENIX ATC 2009), as long as it has taken
 * nothing else since that it has not acted upon: an event loop may take from several before it acts
 * on the first. When it answers, the side tells for whom: so a worker that took its job from a
 * queue is known by its answer, and with it what it had asked before (BorderPatrol, EuroSys 2008).
 */
#ifndef ITP_THROUGH_HOPS_H
#define ITP_THROUGH_HOPS_H

#include "common/infer/instance.h"
#include "common/through/connections.h"

#define ITP_HOP_NONE UINT32_MAX

/* Why a request was not followed to its end; the first that holds. */
enum itp_hop_doubt {
	ITP_HOP_CERTAIN = 0,
	/* Events were lost meanwhile. */
	ITP_HOP_LOST,
	/* The recording ended before the answer, or the answer never came. */
	ITP_HOP_OPEN,
	/* One connection carried several requests at once. */
	ITP_HOP_SHARED,
	/* Its thread had taken from several, and then asked somebody: for which of them is not
	 * known. */
	ITP_HOP_MIXED,
	/* Whom it asked cannot be told: the other side could be one of several, or was not
	 * recorded. */
	ITP_HOP_UNCLEAR,
	ITP_HOP_STRANGER,
	/* Who asked it cannot be told, likewise: it is the rest of a request that ends before. */
	ITP_HOP_REST,
};

#define ITP_HOP_DOUBT_COUNT 8

struct itp_hop {
	int32_t pid;
	int32_t tid;
	/* Index of the hop that asked; ITP_HOP_NONE for the first. */
	uint32_t parent;
	/* When that one began to send; `begin_ns` where it is not known. */
	int64_t sent_ns;
	/* From the bytes that it took, or sent, first, to its answer, or the last one that it took.
	 */
	int64_t begin_ns;
	int64_t end_ns;
	/* How long it waited for those that it asked. */
	int64_t waits_ns;
	enum itp_hop_doubt doubt;
	/* Index of the first hop of its request. */
	uint32_t root;
	/* Nobody waits for it. */
	bool is_one_way;
	/* How it spent its own time, as far as that is known; the function of the program in which
	 * it was for most of it, and for how long: node of the recall's tree, ITP_CONTEXT_ROOT
	 * where nothing tells. Set by naming.h. */
	struct itp_time_use use;
	uint32_t node;
	int64_t node_ns;
};

/* A span in which a hop waited for another one, or for somebody who is not known. */
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

/* Of the request whose first hop is `first`: the index behind its last one, when it ended, and why
 * it was not followed to its end. */
guint itp_hops_behind(const struct itp_hops *hops, guint first);
int64_t itp_hops_end_ns(const struct itp_hops *hops, guint first);
enum itp_hop_doubt itp_hops_doubt(const struct itp_hops *hops, guint first);

#endif
