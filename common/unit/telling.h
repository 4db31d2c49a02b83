/* SPDX-License-Identifier: MIT */
/*
 * Which contexts tell a type of units from the other types of its loop: most of its units were in
 * there, and none of another type's, or few.
 *
 * A system call shows all contexts that it was made in. A tick shows those that it found, and says
 * little by not being there: so where a type's contexts are shown by ticks, others must have had
 * enough of them elsewhere.
 */
#ifndef ITP_UNIT_TELLING_H
#define ITP_UNIT_TELLING_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/context-tree.h"
#include "common/unit/groups.h"
#include "common/unit/types.h"

/* So many are told of a type; in this part of its units each must be, or in this part of its ticks,
 * as a good part of all are in system calls that each type makes. */
#define ITP_TELLING_MOST 3
#define ITP_TELLING_PART 0.5
#define ITP_TELLING_TICK_PART 0.2
/* Of what no context alone tells: in this part of its units each must be. */
#define ITP_TELLING_TOGETHER 0.9
/* Of a context that others were in as well, this part at most may be theirs: units in which two
 * things come together. */
#define ITP_TELLING_OTHERS 0.1
/* So many ticks of other types must have been likely to be in a context that only ticks show: five
 * miss it by chance once in exp(5), that is 148 cases. */
#define ITP_TELLING_TICKS 5

/* What shows of some units in which contexts they were. */
struct itp_shown;

/* Of units of the loop's node. `tree` and `paths` are weak. */
struct itp_shown *itp_shown_new(const struct itp_context_tree *tree,
				const struct itp_path_sets *paths, uint32_t loop);
void itp_shown_free(struct itp_shown *shown);

void itp_shown_add(struct itp_shown *shown, const struct itp_unit_groups *groups, guint group);

/* What the call trees of units of `own`, a part of `all`, are. */
void itp_shown_measure(const struct itp_shown *own, const struct itp_shown *all,
		       struct itp_unit_trees *ret_trees);

/* Adds the contexts that tell units of `own` from the rest of `all` to `ret_telling` (uint32_t):
 * the outermost on each path, those in which most units were first. Where there are none, those in
 * which other units were, too, but few; or else those that its units make together. Returns which
 * of these they are. */
enum itp_telling itp_shown_find_telling(const struct itp_shown *own, const struct itp_shown *all,
					GArray *ret_telling);

#endif
