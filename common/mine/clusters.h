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

/* Order of clusters, the greatest first. */
enum itp_cluster_order {
	ITP_CLUSTERS_BY_TOTAL = 0,
	ITP_CLUSTERS_BY_TRACES,
	ITP_CLUSTERS_BY_EVENTS,
	ITP_CLUSTERS_BY_AVERAGE,
};

/* Measure of similarity between patterns. */
enum itp_similarity_choice {
	/* By their functions, and by the function of a program to which they lead (innermost.h). */
	ITP_SIMILARITY_INNERMOST = 0,
	/* By their functions, as in the paper. */
	ITP_SIMILARITY_PAPER,
};

/* Most patterns compared with each other; of more, the cheapest stay alone. */
#define ITP_MAX_CLUSTERED 3000

struct itp_cluster_options {
	enum itp_similarity_choice similarity;
	enum itp_linkage linkage;
	/* Least similarity inside of a cluster, 0 to 1. */
	double cut;
	enum itp_cluster_order order;
};

struct itp_cluster {
	/* guint: indices of its patterns, ascending, so that the dearest comes first. Owned by
	 * this. */
	GArray *patterns;
	/* uint32_t: ids of the functions shared by all of them, in order. Owned by this. */
	GArray *common;
	/* Sums over the stacks of its patterns, each once. */
	int64_t cost_ns;
	uint64_t events;
	uint32_t traces;
};

struct itp_clusters {
	/* struct itp_cluster, in the order asked for, then by first pattern. Owned by this. */
	GArray *list;
};

void itp_clusters_init(struct itp_clusters *clusters, const struct itp_mined_patterns *patterns,
		       const struct itp_stack_set *set, struct itp_stack_statistics *statistics,
		       const struct itp_cluster_options *options);
void itp_clusters_release(struct itp_clusters *clusters);

/* Ranges of the stacks that count for its patterns: as itp_patterns_ranges(). */
GArray *itp_cluster_ranges(const struct itp_cluster *cluster,
			   const struct itp_mined_patterns *patterns);

/* Cost (ns) of the stacks that count for the first clusters: element i is for the first i + 1. A
 * GArray of int64_t. Free with g_array_unref(). */
GArray *itp_clusters_coverage(const struct itp_clusters *clusters,
			      const struct itp_mined_patterns *patterns,
			      const struct itp_stack_set *set);

#endif
