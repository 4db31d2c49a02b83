/* SPDX-License-Identifier: MIT */
/*
 * Hops of requests, as hops.h finds them, and their asks.
 */
#ifndef ITP_THROUGH_HOP_H
#define ITP_THROUGH_HOP_H

#include "common/infer/instance.h"
#include "common/through/pairs.h"

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

#endif
