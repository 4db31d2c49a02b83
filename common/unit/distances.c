/* SPDX-License-Identifier: MIT */
/*
 * See distances.h.
 */
#include "common/unit/distances.h"

#include <stdbool.h>

#include "common/base/hash.h"
#include "common/unit/gates.h"

struct itp_set_distances {
	const struct itp_path_sets *sets;
	/* Number of a path + 1, by its node. Owned by this. */
	GHashTable *numbers;
	guint path_count;
	/* Distances of paths, path_count × path_count. Owned by this. */
	float *between;
	/* By set and path: mean distance of the set's paths to the path. Owned by this. */
	double *to_sets;
};

/* Functions of a path below `loop`, its last one included: a GArray of uint32_t. */
static GArray *functions_of(const struct itp_context_tree *tree, uint32_t loop, uint32_t path)
{
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const guint above = itp_context_tree_get(tree, loop)->depth;

	itp_context_tree_path(tree, path, functions);
	g_array_remove_range(functions, 0, MIN(above, functions->len));
	return functions;
}

static guint common_length(const GArray *a, const GArray *b)
{
	g_autofree guint *lengths = g_new0(guint, b->len + 1);

	for (guint i = 0; i < a->len; i++) {
		guint diagonal = 0;

		for (guint k = 0; k < b->len; k++) {
			const guint above = lengths[k + 1];
			const bool is_same = g_array_index(a, uint32_t, i) ==
					     g_array_index(b, uint32_t, k);

			lengths[k + 1] = is_same ? diagonal + 1 : MAX(above, lengths[k]);
			diagonal = above;
		}
	}
	return lengths[b->len];
}

static float path_distance(const GArray *a, const GArray *b)
{
	const guint longer = MAX(a->len, b->len);

	return longer == 0 ? 0 : (float)(longer - common_length(a, b)) / (float)longer;
}

static void number_paths(struct itp_set_distances *distances, uint32_t id, GArray *paths)
{
	size_t count;
	const uint32_t *nodes = itp_path_sets_get(distances->sets, id, &count);

	for (size_t i = 0; i < count && paths->len < ITP_MAX_COMPARED_PATHS; i++) {
		if (!g_hash_table_contains(distances->numbers, GUINT_TO_POINTER(nodes[i]))) {
			g_array_append_val(paths, nodes[i]);
			g_hash_table_insert(distances->numbers, GUINT_TO_POINTER(nodes[i]),
					    GUINT_TO_POINTER(paths->len));
		}
	}
}

/* `all` has the functions of each path. */
static void compare_paths(struct itp_set_distances *distances, const GPtrArray *all)
{
	const guint count = all->len;

	distances->path_count = count;
	distances->between = g_new0(float, (size_t)count *count + 1);
	for (guint a = 0; a < count; a++) {
		for (guint b = 0; b < a; b++) {
			const float distance =
				path_distance(g_ptr_array_index(all, a), g_ptr_array_index(all, b));

			distances->between[(size_t)a * count + b] = distance;
			distances->between[(size_t)b * count + a] = distance;
		}
	}
}

GArray *itp_set_distances_paths(const struct itp_set_distances *distances, uint32_t id)
{
	GArray *known = g_array_new(FALSE, FALSE, sizeof(guint));
	size_t count;
	const uint32_t *nodes = itp_path_sets_get(distances->sets, id, &count);

	for (size_t i = 0; i < count; i++) {
		guint number = GPOINTER_TO_UINT(
			g_hash_table_lookup(distances->numbers, GUINT_TO_POINTER(nodes[i])));

		if (number > 0) {
			number--;
			g_array_append_val(known, number);
		}
	}
	return known;
}

static double mean_to(const struct itp_set_distances *distances, guint path, const GArray *paths)
{
	const float *row = distances->between + (size_t)path * distances->path_count;
	double sum = 0;

	for (guint i = 0; i < paths->len; i++) {
		sum += (double)row[g_array_index(paths, guint, i)];
	}
	return paths->len > 0 ? sum / paths->len : 0;
}

struct itp_set_distances *itp_set_distances_new(const struct itp_context_tree *tree,
						const struct itp_function_table *functions,
						uint32_t loop, const struct itp_path_sets *sets,
						const uint32_t *ids, guint count)
{
	struct itp_set_distances *distances = g_new0(struct itp_set_distances, 1);
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	g_autoptr(GArray) paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	distances->sets = sets;
	distances->numbers = g_hash_table_new(itp_hash_number, NULL);
	for (guint i = 0; i < count; i++) {
		number_paths(distances, ids[i], paths);
	}
	for (guint i = 0; i < paths->len; i++) {
		g_ptr_array_add(all, functions_of(tree, loop, g_array_index(paths, uint32_t, i)));
	}
	itp_gates_remove(functions, all);
	compare_paths(distances, all);
	distances->to_sets = g_new0(double, (size_t)count * paths->len + 1);
	for (guint i = 0; i < count; i++) {
		g_autoptr(GArray) own = itp_set_distances_paths(distances, ids[i]);

		for (guint path = 0; path < paths->len; path++) {
			distances->to_sets[(size_t)i * paths->len + path] =
				mean_to(distances, path, own);
		}
	}
	return distances;
}

void itp_set_distances_free(struct itp_set_distances *distances)
{
	g_hash_table_unref(distances->numbers);
	g_free(distances->between);
	g_free(distances->to_sets);
	g_free(distances);
}

double itp_set_distance(const struct itp_set_distances *distances, guint i, const GArray *paths)
{
	const double *to_set = distances->to_sets + (size_t)i * distances->path_count;
	double sum = 0;

	for (guint k = 0; k < paths->len; k++) {
		sum += to_set[g_array_index(paths, guint, k)];
	}
	return paths->len > 0 ? sum / paths->len : 0;
}

double itp_set_own_distance(const struct itp_set_distances *distances, const GArray *paths)
{
	double sum = 0;

	for (guint k = 0; k < paths->len; k++) {
		sum += mean_to(distances, g_array_index(paths, guint, k), paths);
	}
	return paths->len > 0 ? sum / paths->len : 0;
}
