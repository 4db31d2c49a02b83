/* SPDX-License-Identifier: MIT */
/*
 * Pairs: programs and modules with different names in two workloads that are the same: `job-1.7`
 * and `job-1.8`, `app.old` and `app`, a renamed plug-in.
 *
 * Only parts that one workload alone has are paired, one to one, by the first rule that finds a
 * partner:
 *
 *   - the user's;
 *   - the build id, for modules;
 *   - the name without version, hash or a mark such as "old", if no other has the same, and if they
 *     have functions in common;
 *   - the functions that were seen, if most of them have the same names.
 *
 * A program is a process by its name. Two programs are paired only if they mostly run the same
 * file, pairs of modules considered. Without names of functions nothing is known, and nothing is
 * paired.
 */
#ifndef ITP_VIEW_PAIRS_H
#define ITP_VIEW_PAIRS_H

#include <glib.h>

#include "common/view/pair-input.h"

enum itp_pair_reason {
	ITP_PAIR_BY_USER = 0,
	ITP_PAIR_BY_BUILD_ID = 1,
	ITP_PAIR_BY_NAME = 2,
	ITP_PAIR_BY_FUNCTIONS = 3,
};

/* Names as results spell them, by number. */
extern const char *const itp_pair_kind_names[];
extern const char *const itp_pair_reason_names[];

struct itp_pair {
	enum itp_pair_kind kind;
	enum itp_pair_reason reason;
	/* Both owned by this. */
	char *base;
	char *suspect;
};

/* Rules of users: "BASE=SUSPECT", in any order, for two names of a pair; and "none" for no
 * others. */
struct itp_pair_rules {
	/* const char *, NULL = none. Weak. */
	const GPtrArray *named;
};

#define ITP_PAIR_NONE "none"

/* True if "none" is one of the rules: no other pairs are looked for then. */
bool itp_pair_rules_are_all(const struct itp_pair_rules *rules);

/* Pairs (struct itp_pair), programs first. Fails for a bad rule, or a rule with an unknown name.
 * Free with g_array_unref(). */
GArray *itp_pairs_find(const struct itp_pair_rules *rules, const struct itp_pair_input *input,
		       GError **error);

/* Common name of a pair, the suspect's; `name` without a pair. */
const char *itp_pairs_name(const GArray *pairs, enum itp_pair_kind kind, const char *name);

#endif
