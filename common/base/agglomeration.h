/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical clustering: the two most alike groups are merged, until none are as alike as the
 * cut.
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

/* Clusters `count` members. `similarity` is their symmetric matrix, and is used up; groups less
 * alike than `cut` stay apart. By member: the first member of its group. */
void itp_agglomerate(float *similarity, guint count, enum itp_linkage linkage, double cut,
		     guint *ret_first);

#endif
