/* SPDX-License-Identifier: MIT */
/*
 * See like-sets.h.
 */
#include "common/unit/like-sets.h"

#include <math.h>

#include "common/base/agglomeration.h"
#include "common/unit/distances.h"

/* Most sets compared with each other; each other set goes to its nearest one. */
#define COMPARED_MOST 256

/* A set of paths, as far as known, and its distance to itself. */
struct compared {
	uint32_t set;
	/* Owned by this. */
	GArray *paths;
	double own;
};

/* Sets compared with each other. */
struct comparison {
	guint count;
	/* Owned by this. */
	struct compared *all;
	struct itp_set_distances *distances;
};

static void compared_init(struct compared *compared, const struct itp_set_distances *distances,
			  uint32_t set)
{
	compared->set = set;
	compared->paths = itp_set_distances_paths(distances, set);
	compared->own = itp_set_own_distance(distances, compared->paths);
}

/* Distance of two sets, 0 for equal sets to 1. A set without known paths is like nothing else. */
static double distance_of(const struct comparison *comparison, guint i,
			  const struct compared *other)
{
	const struct compared *one = &comparison->all[i];

	if (one->set == other->set || one->paths->len == 0 || other->paths->len == 0) {
		return one->set == other->set ? 0 : 1;
	}
	return itp_set_distance(comparison->distances, i, other->paths) -
	       (one->own + other->own) / 2;
}

static guint nearest_of(const struct comparison *comparison, uint32_t set)
{
	struct compared other;
	double least = INFINITY;
	guint nearest = 0;

	compared_init(&other, comparison->distances, set);
	for (guint i = 0; i < comparison->count; i++) {
		const double distance = distance_of(comparison, i, &other);

		if (distance < least) {
			least = distance;
			nearest = i;
		}
	}
	g_array_unref(other.paths);
	return nearest;
}

static void comparison_init(struct comparison *comparison, const struct itp_like_sets *like)
{
	comparison->count = MIN(like->count, COMPARED_MOST);
	comparison->all = g_new(struct compared, comparison->count + 1);
	comparison->distances = itp_set_distances_new(like->tree, like->functions, like->loop,
						      like->paths, like->sets, comparison->count);
	for (guint i = 0; i < comparison->count; i++) {
		compared_init(&comparison->all[i], comparison->distances, like->sets[i]);
	}
}

static void comparison_release(struct comparison *comparison)
{
	for (guint i = 0; i < comparison->count; i++) {
		g_array_unref(comparison->all[i].paths);
	}
	g_free(comparison->all);
	itp_set_distances_free(comparison->distances);
}

static float *similarity_of(const struct comparison *comparison)
{
	const guint count = comparison->count;
	float *similarity = g_new0(float, (size_t)count *count + 1);

	for (guint a = 0; a < count; a++) {
		for (guint b = a + 1; b < count; b++) {
			const float alike =
				(float)(1 - distance_of(comparison, a, &comparison->all[b]));

			similarity[(size_t)a * count + b] = alike;
			similarity[(size_t)b * count + a] = alike;
		}
	}
	return similarity;
}

guint *itp_like_sets_find(const struct itp_like_sets *like, double cut)
{
	guint *first = g_new(guint, like->count + 1);
	struct comparison comparison;
	g_autofree float *similarity = NULL;

	comparison_init(&comparison, like);
	similarity = similarity_of(&comparison);
	itp_agglomerate(similarity, comparison.count, ITP_LINKAGE_AVERAGE, 1 - cut, first);
	for (guint i = comparison.count; i < like->count; i++) {
		first[i] = first[nearest_of(&comparison, like->sets[i])];
	}
	comparison_release(&comparison);
	return first;
}
