/* SPDX-License-Identifier: MIT */
/*
 * Signatures: patterns of known causes under a name, kept in a file that people can read and edit,
 * and looked for in later traces.
 *
 *   { "signatures": 1,
 *     "list": [ { "name": "index rebuilt under the table's lock", "kind": "waiting",
 *                 "patterns": [ [ "shop!handle", "shop!rebuild_index" ] ],
 *                 "seen": [ "shop!handle", "shop!main", "shop!rebuild_index" ] } ] }
 *
 * A stack has a pattern if it has these functions in this order, whatever else is between them, and
 * no longer pattern of the file around it. It counts for the first signature with a pattern in it.
 * A function is MODULE!NAME, of any build.
 *
 * A short pattern is in many stacks, also in those of causes still unknown. A saved signature
 * therefore lists as "seen" the programs' functions and the system calls of its stacks. Where
 * others are in its stacks now, at the least cost of a pattern, these stacks are not explained.
 * Only functions behind the first of the programs' functions in the pattern count, as a known cause
 * may come in another program. Other functions of the system do not: they differ from machine to
 * machine. A signature without such a list explains all.
 */
#ifndef ITP_MINE_SIGNATURES_H
#define ITP_MINE_SIGNATURES_H

#include "common/mine/mining.h"

/* Changes when a reader would have to. */
#define ITP_SIGNATURES_VERSION 1
/* Of a file: room for ten thousand signatures of 800 bytes. What is read of JSON takes up to 45
 * times as much memory. */
#define ITP_SIGNATURES_BYTES_MOST ((size_t)8 * 1024 * 1024)

struct itp_signature {
	/* Owned by this. */
	char *name;
	enum itp_mine_kind kind;
	/* char ** of functions. Owned by this. */
	GPtrArray *patterns;
	/* Functions of its stacks when it was saved; NULL: it explains all. Owned by this. */
	char **seen;
};

/* Reads `text` into a GArray of struct itp_signature; `path` is the file's name in errors. NULL on
 * an error. Free with g_array_unref(). */
GArray *itp_signatures_read(const char *text, size_t size, const char *path, GError **error);
/* Reads the file at `path`, as above. */
GArray *itp_signatures_load(const char *path, GError **error);

/* The first `count` clusters of each kind (0: all), by `mined` (an array by kind), as the text of a
 * file, behind those of `known`, which may be NULL. Names are made of a cluster's last functions.
 */
char *itp_signatures_text(const struct itp_mining *mining, const struct itp_mined *mined,
			  guint count, const GArray *known);

/* Stacks explained by a signature. */
struct itp_signature_match {
	/* Sums over stacks with a pattern of it, and none of an earlier signature. */
	int64_t cost_ns;
	uint64_t events;
	uint32_t traces;
	/* By trace: its part of the cost. Owned by this. */
	int64_t *trace_costs;
};

/* Searches the signatures in the slow traces, and takes the stacks of each out of the mined ones:
 * the rest is still unknown. A function not seen by a signature is new where it costs least_ns. A
 * GArray of struct itp_signature_match, as `signatures`. Free with g_array_unref(). To be called
 * behind itp_mining_close(). */
GArray *itp_signatures_match(const GArray *signatures, struct itp_mining *mining, int64_t least_ns);

#endif
