/* SPDX-License-Identifier: MIT */
/* Two types that are one kind of work, or two, just on both sides of each limit. */
#include "common/unit/kindred.h"

#define CONTEXTS 5

/* Two groups of units of a loop. */
struct scene {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_path_sets *paths;
	struct itp_unit_groups *groups;
	uint32_t loop;
	/* Contexts right below the loop. */
	uint32_t contexts[CONTEXTS];
};

static uint32_t function_of(struct scene *scene, const char *name)
{
	const struct itp_function function = {
		.name = name, .module = "", .build_id = "", .layer = ITP_LAYER_USER
	};

	return itp_function_table_intern(scene->functions, &function);
}

static void set_up(struct scene *scene, gconstpointer data)
{
	static const char *const names[CONTEXTS] = { "a", "b", "c", "d", "e" };

	(void)data;
	*scene = (struct scene){ .functions = itp_function_table_new(),
				 .tree = itp_context_tree_new(),
				 .paths = itp_path_sets_new(),
				 .groups = itp_unit_groups_new() };
	scene->loop =
		itp_context_tree_child(scene->tree, ITP_CONTEXT_ROOT, function_of(scene, "loop"));
	for (guint i = 0; i < CONTEXTS; i++) {
		scene->contexts[i] = itp_context_tree_child(scene->tree, scene->loop,
							    function_of(scene, names[i]));
	}
}

static void tear_down(struct scene *scene, gconstpointer data)
{
	(void)data;
	itp_unit_groups_free(scene->groups);
	itp_path_sets_free(scene->paths);
	itp_context_tree_free(scene->tree);
	itp_function_table_free(scene->functions);
}

/* A group of units. */
struct kind {
	guint units;
	/* Number of contexts in which all of them make a call. */
	guint calls;
	/* Ticks of each in the first context. */
	guint ticks;
	int64_t cpu_ns;
};

static void add_group(struct scene *scene, const struct kind *kind)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct itp_unit unit = { .loop = scene->loop, .wait = scene->loop, .end_ns = 10 };

	g_array_append_vals(nodes, scene->contexts, kind->calls);
	for (guint i = 0; i < kind->ticks; i++) {
		g_array_append_val(ticks, scene->contexts[CONTEXTS - 1]);
	}
	unit.paths = itp_path_sets_intern(scene->paths, nodes);
	unit.ticks = ticks;
	unit.use.cpu_ns = kind->cpu_ns;
	for (guint i = 0; i < kind->units; i++) {
		itp_unit_groups_add(scene->groups, &unit);
	}
}

/* Counts of groups `first` up to `end`. Free with g_free(). */
static uint64_t *counts_of(const struct itp_features *features, guint first, guint end)
{
	uint64_t *counts = g_new0(uint64_t, itp_features_length(features));

	for (guint i = first; i < end; i++) {
		itp_features_add(features, i, counts);
	}
	return counts;
}

/* Whether the type of the first kinds, up to a kind without units, and that of the others are one.
 * Begins anew. */
static bool are_kindred(struct scene *scene, const struct kind *kinds, guint count)
{
	static const guint numbers[] = { 0, 1, 2, 3 };
	struct itp_features_input input = { .tree = scene->tree,
					    .functions = scene->functions,
					    .paths = scene->paths,
					    .groups = scene->groups,
					    .numbers = numbers };
	struct itp_features *features;
	g_autofree uint64_t *one = NULL;
	g_autofree uint64_t *other = NULL;
	guint first_of_other = 0;
	bool are_one;

	for (guint i = 0; i < count; i++) {
		if (kinds[i].units == 0) {
			first_of_other = itp_unit_groups_count(scene->groups);
		} else {
			add_group(scene, &kinds[i]);
		}
	}
	input.count = itp_unit_groups_count(scene->groups);
	features = itp_features_new(&input);
	one = counts_of(features, 0, first_of_other);
	other = counts_of(features, first_of_other, input.count);
	are_one = itp_types_are_kindred(features, one, other, false);
	itp_features_free(features);
	tear_down(scene, NULL);
	set_up(scene, NULL);
	return are_one;
}

#define ARE_KINDRED(scene, ...)                                  \
	are_kindred(scene, (const struct kind[]){ __VA_ARGS__ }, \
		    G_N_ELEMENTS(((const struct kind[]){ __VA_ARGS__ })))

/* A call that the others do not make: the fourth one, or the third. */
static void test_many_more_calls_make_two_kinds(struct scene *scene, gconstpointer data)
{
	const struct kind two = { 3, 2, 0, 1000 };
	const struct kind three = { 3, 3, 0, 1000 };
	const struct kind four = { 3, 4, 0, 1000 };
	const struct kind others = { 0 };

	(void)data;
	g_assert_true(ARE_KINDRED(scene, three, others, four));
	g_assert_false(ARE_KINDRED(scene, two, others, three));
}

/* A further call, with half as much more CPU time, or twice as much: one half octave, or two. */
static void test_much_more_time_makes_two_kinds(struct scene *scene, gconstpointer data)
{
	const struct kind short_units = { 3, 4, 0, 1024 };
	const struct kind longer = { 3, 5, 0, 1500 };
	const struct kind longest = { 3, 5, 0, 2048 };
	const struct kind others = { 0 };

	(void)data;
	g_assert_true(ARE_KINDRED(scene, short_units, others, longer));
	g_assert_false(ARE_KINDRED(scene, short_units, others, longest));
}

/* Five ticks of twenty units, which are missed by twenty longer ones, are evidence of 5 ln 2
 * = 3.47, and six of 4.16: in two contexts chance gives ln(2 / 0.05) = 3.69 once in twenty times.
 */
static void test_fewer_ticks_make_two_kinds(struct scene *scene, gconstpointer data)
{
	const struct kind with_tick[] = { { 5, 1, 1, 1000 }, { 6, 1, 1, 1000 } };
	const struct kind without[] = { { 15, 1, 0, 1000 }, { 14, 1, 0, 1000 } };
	const struct kind longer = { 20, 1, 0, 1400 };
	const struct kind others = { 0 };

	(void)data;
	g_assert_true(ARE_KINDRED(scene, with_tick[0], without[0], others, longer));
	g_assert_false(ARE_KINDRED(scene, with_tick[1], without[1], others, longer));
}

static void add(const char *name, void (*test)(struct scene *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/kindred/", name, NULL);

	g_test_add(path, struct scene, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("many more calls make two kinds", test_many_more_calls_make_two_kinds);
	add("much more time makes two kinds", test_much_more_time_makes_two_kinds);
	add("fewer ticks make two kinds", test_fewer_ticks_make_two_kinds);
	return g_test_run();
}
