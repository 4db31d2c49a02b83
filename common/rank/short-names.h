/* SPDX-License-Identifier: MIT */
/*
 * Short names: canonical ones without what every reader knows, or can look up. Of C++, the inline
 * namespaces and the default arguments of the standard library's templates
 * ("store(std::string const&, long)"); of Rust, what a generic function is made for and the paths
 * of the standard library's types; of Go, the path of a package but for its last part.
 */
#ifndef ITP_RANK_SHORT_NAMES_H
#define ITP_RANK_SHORT_NAMES_H

#include <glib.h>

#include "common/base/function-table.h"
#include "common/rank/names.h"

struct itp_short_names;

/* The rules, and the functions of which one name would be short for several: they keep theirs.
 * NULL after an error of a rule. */
struct itp_short_names *itp_short_names_new(const struct itp_names *names,
					    const struct itp_function_table *functions,
					    GError **error);
void itp_short_names_free(struct itp_short_names *names);

/* Replaces the name of a canonical one that can be shorter. */
void itp_short_names_apply(const struct itp_short_names *names, struct itp_canonical *canonical);

#endif
