/* SPDX-License-Identifier: MIT */
/*
 * Modules and programs of two workloads, and their functions, build ids and files. Pairs of them
 * are found in pairs.c.
 */
#ifndef ITP_VIEW_PAIR_PARTS_H
#define ITP_VIEW_PAIR_PARTS_H

#include "common/view/pair-input.h"

/* A module, or a program. */
struct itp_part {
	/* Weak, of the function table. */
	const char *name;
	/* Bits of enum itp_pair_side. */
	uint8_t sides;
	/* Name without version, hash and mark of a copy. Owned by this. */
	char *stem;
	/* Sets of const char *, weak: names of the functions that were seen, but for functions of
	 * every program, and for a program its libraries' functions. Owned by this. */
	GHashTable *functions;
	/* Set of a module's build ids (const char *, weak). Owned by this. */
	GHashTable *build_ids;
	/* Files of a program: struct itp_part * of its modules, libraries excepted → number of
	 * contexts. Owned by this. */
	GHashTable *files;
	/* Partner in the other workload. Weak, NULL without a partner. */
	struct itp_part *other;
};

struct itp_parts;

/* Members of `input` must outlive the result. */
struct itp_parts *itp_parts_new(const struct itp_pair_input *input);
void itp_parts_free(struct itp_parts *parts);

/* Part with the name `name`; NULL for none. */
struct itp_part *itp_parts_find(const struct itp_parts *parts, enum itp_pair_kind kind,
				const char *name);

/* Parts (struct itp_part *) that only one workload has, and without a partner, the most functions
 * first; at most 512 of a kind. */
GPtrArray *itp_parts_lone(const struct itp_parts *parts, enum itp_pair_kind kind);

/* File that a program mostly runs; NULL if it is not known. */
struct itp_part *itp_part_file(const struct itp_part *program);

/* Number of elements that two sets share. */
guint itp_parts_in_common(GHashTable *a, GHashTable *b);

/* ---- Names without the additions of a program's or module's builds and copies ---- */

/* Expression that matches an addition at the end. Free with g_regex_unref(). */
GRegex *itp_stem_additions(void);

/* Stem of a name: `job-1.7`, `job_2.0rc1`, `job.old`, `job14` and `job-4f2a91c` are `job`,
 * `libjob-2.so.1.4` is `libjob.so`. A name without any other part stays. The caller frees it with
 * g_free(). */
char *itp_stem(const GRegex *additions, const char *name);

#endif
