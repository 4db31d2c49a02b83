/* SPDX-License-Identifier: MIT */
/*
 * See agglomeration.h. How alike a new group is to each other follows from how alike both of its
 * parts were (Lance and Williams, 1967).
 */
#include "common/base/agglomeration.h"

#include <stdbool.h>

struct merging {
	guint count;
	/* count × count, of groups by the first of their members. Weak. */
	float *similarity;
	/* First member of each member's group, by member; and the group's size, 0 unless the member
	 * is its first. Both owned by this. */
	guint *first;
	guint *size;
	/* Most alike group of those behind, by group. */
	guint *nearest;
};

static float *similarity_at(const struct merging *merging, guint a, guint b)
{
	return &merging->similarity[(size_t)a * merging->count + b];
}

static void find_nearest(struct merging *merging, guint a)
{
	merging->nearest[a] = a;
	for (guint b = a + 1; b < merging->count; b++) {
		if (merging->size[b] > 0 &&
		    (merging->nearest[a] == a ||
		     *similarity_at(merging, a, b) >
			     *similarity_at(merging, a, merging->nearest[a]))) {
			merging->nearest[a] = b;
		}
	}
}

static float join_similarity(const struct merging *merging, enum itp_linkage linkage, guint a,
			     guint b, guint other)
{
	const float to_a = *similarity_at(merging, a, other);
	const float to_b = *similarity_at(merging, b, other);
	const float size_a = (float)merging->size[a];
	const float size_b = (float)merging->size[b];

	switch (linkage) {
	case ITP_LINKAGE_SINGLE:
		return MAX(to_a, to_b);
	case ITP_LINKAGE_COMPLETE:
		return MIN(to_a, to_b);
	case ITP_LINKAGE_AVERAGE:
		break;
	}
	return (size_a * to_a + size_b * to_b) / (size_a + size_b);
}

/* Of group `i`, when `a` and `b` have become `a`. */
static void renew_nearest(struct merging *merging, guint i, guint a, guint b)
{
	guint nearest = merging->nearest[i];

	if (i == a || nearest == a || nearest == b) {
		find_nearest(merging, i);
	} else if (i < a) {
		float to_a = *similarity_at(merging, i, a);
		float to_nearest = *similarity_at(merging, i, nearest);

		if (to_a > to_nearest || (to_a == to_nearest && a < nearest)) {
			merging->nearest[i] = a;
		}
	}
}

/* Merges group `b` into `a`, with `a` < `b`. */
static void join(struct merging *merging, enum itp_linkage linkage, guint a, guint b)
{
	for (guint other = 0; other < merging->count; other++) {
		if (merging->size[other] > 0 && other != a && other != b) {
			float similarity = join_similarity(merging, linkage, a, b, other);

			*similarity_at(merging, a, other) = similarity;
			*similarity_at(merging, other, a) = similarity;
		}
	}
	merging->size[a] += merging->size[b];
	merging->size[b] = 0;
	for (guint i = 0; i < merging->count; i++) {
		merging->first[i] = merging->first[i] == b ? a : merging->first[i];
	}
	for (guint i = 0; i < b; i++) {
		if (merging->size[i] > 0) {
			renew_nearest(merging, i, a, b);
		}
	}
}

/* The most alike pair of groups, the first of equals; false when none is above the cut. */
static bool find_pair(const struct merging *merging, double cut, guint *ret_a)
{
	float most = -1;

	for (guint a = 0; a < merging->count; a++) {
		if (merging->size[a] > 0 && merging->nearest[a] != a &&
		    *similarity_at(merging, a, merging->nearest[a]) > most) {
			most = *similarity_at(merging, a, merging->nearest[a]);
			*ret_a = a;
		}
	}
	return most >= (float)cut;
}

void itp_agglomerate(float *similarity, guint count, enum itp_linkage linkage, double cut,
		     guint *ret_first)
{
	struct merging merging = {
		.count = count,
		.similarity = similarity,
		.first = ret_first,
		.size = g_new(guint, count + 1),
		.nearest = g_new(guint, count + 1),
	};
	guint a = 0;

	for (guint i = 0; i < count; i++) {
		merging.first[i] = i;
		merging.size[i] = 1;
	}
	for (guint i = 0; i < count; i++) {
		find_nearest(&merging, i);
	}
	while (find_pair(&merging, cut, &a)) {
		join(&merging, linkage, a, merging.nearest[a]);
	}
	g_free(merging.size);
	g_free(merging.nearest);
}
