/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical clustering: of the groups that there are, the two that are most alike become one,
 * until none are as alike as the cut.
 */
#ifndef ITP_BASE_AGGLOMERATION_H
#define ITP_BASE_AGGLOMERATION_H

#include <glib.h>

/* How alike two groups are: as their most alike members, as their least alike ones, or as all
 * pairs on average. */
enum itp_linkage {
	ITP_LINKAGE_AVERAGE = 0,
	ITP_LINKAGE_SINGLE,
	ITP_LINKAGE_COMPLETE,
};

/* `similarity` has for each of `count` members how alike it is to each, symmetric, and is used up.
 * Groups that are less alike than `cut` stay apart. By member: the first one of its group. */
void itp_agglomerate(float *similarity, guint count, enum itp_linkage linkage, double cut,
		     guint *ret_first);

#endif
