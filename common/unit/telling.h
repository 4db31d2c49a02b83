/* SPDX-License-Identifier: MIT */
/*
 * Contexts that tell a type of units from the other types of its loop: most of its units were
 * there, and none of another type's, or few.
 *
 * A system call shows all contexts above it. A tick shows its contexts, and its absence says
 * little: for contexts shown by ticks, other types must have had enough ticks elsewhere.
 */
#ifndef ITP_UNIT_TELLING_H
#define ITP_UNIT_TELLING_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/context-tree.h"
#include "common/unit/groups.h"
#include "common/unit/type.h"

/* Most contexts told of a type; least part of its units in each; or least part of its ticks, lower
 * as a good part of all ticks is in system calls made by every type. */
#define ITP_TELLING_MOST 3
#define ITP_TELLING_PART 0.5
#define ITP_TELLING_TICK_PART 0.2
/* Least part of its units in each of the contexts that tell a type only together. */
#define ITP_TELLING_TOGETHER 0.9
/* Most units of other types in a context, as a part: units in which two kinds meet. */
#define ITP_TELLING_OTHERS 0.1
/* Least number of ticks of other types expected in a context shown only by ticks: five miss it by
 * chance once in exp(5), or 148, cases. */
#define ITP_TELLING_TICKS 5

/* Contexts of some units, as calls and ticks show them. */
struct itp_shown;

/* Starts with no units of the loop's node. `tree` and `paths` are weak. */
struct itp_shown *itp_shown_new(const struct itp_context_tree *tree,
				const struct itp_path_sets *paths, uint32_t loop);
void itp_shown_free(struct itp_shown *shown);

void itp_shown_add(struct itp_shown *shown, const struct itp_unit_groups *groups, guint group);

/* Call trees of the units of `own`, a part of `all`. */
void itp_shown_measure(const struct itp_shown *own, const struct itp_shown *all,
		       struct itp_unit_trees *ret_trees);

/* Adds the contexts that tell units of `own` from the rest of `all` to `ret_telling` (uint32_t):
 * the outermost on each path, contexts with most units first. Without any, contexts with few other
 * units; or else contexts that its units reach together. Returns the kind of the contexts. */
enum itp_telling itp_shown_find_telling(const struct itp_shown *own, const struct itp_shown *all,
					GArray *ret_telling);

#endif
