/* SPDX-License-Identifier: MIT */
/*
 * Short names: canonical names without parts that every reader knows, or can look up. C++: the
 * inline namespaces and the default arguments of the standard library's templates
 * ("store(std::string const&, long)"); Rust: type arguments of generic functions and paths of the
 * standard library's types; Go: the path of a package but for its last part; Python: the
 * directories of a file ("Shop.price (shop.py)" for py::Shop.price:/srv/shop.py).
 */
#ifndef ITP_VIEW_SHORT_NAMES_H
#define ITP_VIEW_SHORT_NAMES_H

#include <glib.h>

#include "common/base/function-table.h"
#include "common/view/names.h"

struct itp_short_names;

/* Rules, and functions that would share a short name: they keep their own. NULL after an error of a
 * rule. */
struct itp_short_names *itp_short_names_new(const struct itp_names *names,
					    const struct itp_function_table *functions,
					    GError **error);
void itp_short_names_free(struct itp_short_names *names);

/* Shortens a canonical name, if no other function has the same short name. */
void itp_short_names_apply(const struct itp_short_names *names, struct itp_canonical *canonical);

#endif
