/* SPDX-License-Identifier: MIT */
/*
 * The modules and the programs of two workloads, and what is known of each. Which of them are one
 * is found in pairs.c.
 */
#ifndef ITP_RANK_PAIR_PARTS_H
#define ITP_RANK_PAIR_PARTS_H

#include "common/rank/pairs.h"

/* A module, or a program. */
struct itp_part {
	/* Weak, of the function table. */
	const char *name;
	/* Bits of enum itp_pair_side. */
	uint8_t sides;
	/* The name without what differs between builds and copies. Owned by this. */
	char *stem;
	/* Sets of const char *, weak: names of the functions that were seen, but for those that
	 * every program has, and of a program those of its libraries. Owned by this. */
	GHashTable *functions;
	/* Set of a module's build ids (const char *, weak). Owned by this. */
	GHashTable *build_ids;
	/* Of a program: struct itp_part * of the modules that are no libraries → number of
	 * contexts. Owned by this. */
	GHashTable *files;
	/* What it is in the other workload. Weak, NULL as long as there is none. */
	struct itp_part *other;
};

struct itp_parts;

/* Members of `input` must outlive the result. */
struct itp_parts *itp_parts_new(const struct itp_pair_input *input);
void itp_parts_free(struct itp_parts *parts);

/* NULL for none. */
struct itp_part *itp_parts_find(const struct itp_parts *parts, enum itp_pair_kind kind,
				const char *name);

/* The struct itp_part * that one workload alone has and that are in no pair, those with the most
 * functions first, and of very many only these. */
GPtrArray *itp_parts_lone(const struct itp_parts *parts, enum itp_pair_kind kind);

/* The file that a program mostly runs; NULL if it is not known. */
struct itp_part *itp_part_file(const struct itp_part *program);

/* How many elements two sets of one kind share. */
guint itp_parts_in_common(GHashTable *a, GHashTable *b);

/* ---- Names without what differs between the builds and copies of a program or module ---- */

/* What is taken off. Free with g_regex_unref(). */
GRegex *itp_stem_additions(void);

/* `job-1.7`, `job_2.0rc1`, `job.old`, `job14` and `job-4f2a91c` are `job`, `libjob-2.so.1.4` is
 * `libjob.so`. A name of which nothing would be left stays. The caller frees it with g_free(). */
char *itp_stem(const GRegex *additions, const char *name);

#endif
