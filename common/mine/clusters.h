/* SPDX-License-Identifier: MIT */
/*
 * Patterns of one cause (StackMine, section VI): hierarchical clustering by similarity. The paper
 * leaves linkage and cut open; both are parameters. By default, clusters are compared on average
 * and cut at 0.35, as doc/mining.md measures: below, several causes come together; above, the ways
 * to one cause fall apart.
 */
#ifndef ITP_MINE_CLUSTERS_H
#define ITP_MINE_CLUSTERS_H

#include "common/base/agglomeration.h"
#include "common/mine/similarity.h"

/* What clusters are ordered by, the greatest first. */
enum itp_cluster_order {
	ITP_CLUSTERS_BY_TOTAL = 0,
	ITP_CLUSTERS_BY_TRACES,
	ITP_CLUSTERS_BY_EVENTS,
	ITP_CLUSTERS_BY_AVERAGE,
};

/* What says how alike patterns are. */
enum itp_similarity_choice {
	/* Their functions, and to which function of a program they lead (innermost.h). */
	ITP_SIMILARITY_INNERMOST = 0,
	/* As in the paper: their functions. */
	ITP_SIMILARITY_PAPER,
};

/* So many patterns are compared one with the other; of more, those that cost least stay alone. */
#define ITP_MAX_CLUSTERED 3000

struct itp_cluster_options {
	enum itp_similarity_choice similarity;
	enum itp_linkage linkage;
	/* Clusters that are less alike stay apart; 0 to 1. */
	double cut;
	enum itp_cluster_order order;
};

struct itp_cluster {
	/* guint: indices of its patterns, ascending, so that the dearest comes first. Owned by
	 * this. */
	GArray *patterns;
	/* uint32_t: ids of the functions that all of them share, in order. Owned by this. */
	GArray *common;
	/* Of the stacks that count for one of its patterns, each once. */
	int64_t cost_ns;
	uint64_t events;
	uint32_t traces;
};

struct itp_clusters {
	/* struct itp_cluster, in the order that was asked for, then by their first pattern. Owned
	 * by this. */
	GArray *list;
};

void itp_clusters_init(struct itp_clusters *clusters, const struct itp_mined_patterns *patterns,
		       const struct itp_stack_set *set, struct itp_stack_statistics *statistics,
		       const struct itp_cluster_options *options);
void itp_clusters_release(struct itp_clusters *clusters);

/* Where the stacks end that count for one of its patterns: as itp_patterns_ranges(). */
GArray *itp_cluster_ranges(const struct itp_cluster *cluster,
			   const struct itp_mined_patterns *patterns);

/* What the stacks cost (ns) that count for one of the first clusters: element i is of the first
 * i + 1. A GArray of int64_t. Free with g_array_unref(). */
GArray *itp_clusters_coverage(const struct itp_clusters *clusters,
			      const struct itp_mined_patterns *patterns,
			      const struct itp_stack_set *set);

#endif
