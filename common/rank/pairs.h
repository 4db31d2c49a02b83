/* SPDX-License-Identifier: MIT */
/*
 * Programs and modules that are one in two workloads, under two names: `job-1.7` and `job-1.8`,
 * `app.old` and `app`, a plug-in that was renamed.
 *
 * Only what one workload alone has is paired, one to one, by the first of these that finds it:
 *
 * - what the user says;
 * - the build id, of modules;
 * - the name without version, hash or a mark such as "old", if no other has that name, and if they
 *   have functions in common;
 * - the functions that were seen, if most of them have the same names.
 *
 * A program is a process by its name. Two of them are one only if most of what they run is, by
 * then, the same file. Without names of functions nothing is known, and nothing is paired.
 */
#ifndef ITP_RANK_PAIRS_H
#define ITP_RANK_PAIRS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

enum itp_pair_kind {
	ITP_PAIR_MODULE = 0,
	ITP_PAIR_PROGRAM = 1,
};

#define ITP_PAIR_KIND_COUNT 2

enum itp_pair_reason {
	ITP_PAIR_BY_USER = 0,
	ITP_PAIR_BY_BUILD_ID = 1,
	ITP_PAIR_BY_NAME = 2,
	ITP_PAIR_BY_FUNCTIONS = 3,
};

/* As results spell them, by number. */
extern const char *const itp_pair_kind_names[];
extern const char *const itp_pair_reason_names[];

struct itp_pair {
	enum itp_pair_kind kind;
	enum itp_pair_reason reason;
	/* Both owned by this. */
	char *base;
	char *suspect;
};

/* What users say: "BASE=SUSPECT", in any order, for two that are one; and "none" for no others. */
struct itp_pair_rules {
	/* const char *, NULL = none. Weak. */
	const GPtrArray *named;
};

#define ITP_PAIR_NONE "none"

/* Whether "none" is one of the rules: those are all that there is. */
bool itp_pair_rules_are_all(const struct itp_pair_rules *rules);

/* Bits: which workloads have a context. */
enum itp_pair_side {
	ITP_PAIR_BASE = 1 << 0,
	ITP_PAIR_SUSPECT = 1 << 1,
};

struct itp_pair_input {
	const struct itp_context_tree *tree;
	/* As recorded, for the build ids. */
	const struct itp_function_table *recorded;
	/* What they are called in both workloads, and the number in it by that in `recorded`, for
	 * all functions of the tree. */
	const struct itp_function_table *functions;
	const uint32_t *renamed;
	/* By node, bits of enum itp_pair_side. */
	const uint8_t *sides;
	/* They were recorded on two kinds of machines: code tells nothing of code there, and only
	 * what a rule names is a pair. */
	bool is_other_machine;
};

/* struct itp_pair, programs first. Fails when a rule is none, or names what is not there. Free with
 * g_array_unref(). */
GArray *itp_pairs_find(const struct itp_pair_rules *rules, const struct itp_pair_input *input,
		       GError **error);

/* The name that both have, which is that in the suspect; `name` if it is in no pair. */
const char *itp_pairs_name(const GArray *pairs, enum itp_pair_kind kind, const char *name);

#endif
