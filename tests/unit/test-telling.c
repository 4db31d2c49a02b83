/* SPDX-License-Identifier: MIT */
/* Contexts that tell a type of units, just on both sides of each limit. */
#include "common/unit/features.h"
#include "common/unit/telling.h"

#define CONTEXTS 5

/* Units of a loop, of which those that were added first are of the type. */
struct scene {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_path_sets *paths;
	struct itp_unit_groups *groups;
	uint32_t loop;
	/* Contexts right below the loop. */
	uint32_t contexts[CONTEXTS];
	/* Groups of the type; later ones are of others. */
	guint own_groups;
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

static void begin_anew(struct scene *scene)
{
	tear_down(scene, NULL);
	set_up(scene, NULL);
}

/* Adds units with calls in `calls` of the contexts from number `first` on, and with `ticks` ticks
 * in the context of number `first`. All units of a scene differ in what they call. */
static void add(struct scene *scene, guint count, guint first, guint calls, guint ticks)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) ticked = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct itp_unit unit = { .loop = scene->loop, .wait = scene->loop, .end_ns = 10 };

	g_array_append_vals(nodes, &scene->contexts[first], calls);
	unit.paths = itp_path_sets_intern(scene->paths, nodes);
	for (guint i = 0; i < ticks; i++) {
		g_array_append_val(ticked, scene->contexts[first]);
	}
	unit.ticks = ticked;
	for (guint i = 0; i < count; i++) {
		itp_unit_groups_add(scene->groups, &unit);
	}
}

/* Units until now are the type's, units from now on are others'. */
static void go_on_with_others(struct scene *scene)
{
	scene->own_groups = itp_unit_groups_count(scene->groups);
}

static enum itp_telling telling_of(const struct scene *scene, guint *ret_count)
{
	struct itp_shown *own = itp_shown_new(scene->tree, scene->paths, scene->loop);
	struct itp_shown *all = itp_shown_new(scene->tree, scene->paths, scene->loop);
	g_autoptr(GArray) telling = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	enum itp_telling kind;

	for (guint i = 0; i < itp_unit_groups_count(scene->groups); i++) {
		itp_shown_add(all, scene->groups, i);
		if (i < scene->own_groups) {
			itp_shown_add(own, scene->groups, i);
		}
	}
	kind = itp_shown_find_telling(own, all, telling);
	*ret_count = telling->len;
	itp_shown_free(own);
	itp_shown_free(all);
	return kind;
}

static void assert_telling(struct scene *scene, enum itp_telling kind, guint count)
{
	guint found;

	g_assert_cmpint(telling_of(scene, &found), ==, kind);
	g_assert_cmpuint(found, ==, count);
	begin_anew(scene);
}

static void test_half_of_the_units_tell(struct scene *scene, gconstpointer data)
{
	(void)data;
	add(scene, 60, 0, 1, 0);
	add(scene, 40, 1, 0, 0);
	go_on_with_others(scene);
	add(scene, 100, 2, 1, 0);
	assert_telling(scene, ITP_TELLING_ONLY, 1);
	add(scene, 40, 0, 1, 0);
	add(scene, 60, 1, 0, 0);
	go_on_with_others(scene);
	add(scene, 100, 2, 1, 0);
	assert_telling(scene, ITP_TELLING_ALTOGETHER, 0);
}

/* Each unit has one tick, also those of others, all elsewhere. */
static void test_a_fifth_of_the_ticks_tells(struct scene *scene, gconstpointer data)
{
	(void)data;
	add(scene, 25, 0, 0, 1);
	add(scene, 75, 1, 0, 1);
	go_on_with_others(scene);
	add(scene, 100, 1, 2, 1);
	assert_telling(scene, ITP_TELLING_ONLY, 1);
	add(scene, 15, 0, 0, 1);
	add(scene, 85, 1, 0, 1);
	go_on_with_others(scene);
	add(scene, 100, 1, 2, 1);
	assert_telling(scene, ITP_TELLING_ALTOGETHER, 0);
}

/* All ticks of the type are there: of so many of others as many were expected. */
static void test_five_ticks_of_others_are_expected(struct scene *scene, gconstpointer data)
{
	(void)data;
	add(scene, 50, 0, 0, 1);
	go_on_with_others(scene);
	add(scene, 6, 1, 0, 1);
	assert_telling(scene, ITP_TELLING_ONLY, 1);
	add(scene, 50, 0, 0, 1);
	go_on_with_others(scene);
	add(scene, 4, 1, 0, 1);
	assert_telling(scene, ITP_TELLING_ALTOGETHER, 0);
}

/* A context with a few units of others, which are many. */
static void test_a_tenth_may_be_of_others(struct scene *scene, gconstpointer data)
{
	(void)data;
	add(scene, 100, 0, 1, 0);
	go_on_with_others(scene);
	add(scene, 8, 0, 2, 0);
	add(scene, 192, 2, 1, 0);
	assert_telling(scene, ITP_TELLING_MOSTLY, 1);
	add(scene, 100, 0, 1, 0);
	go_on_with_others(scene);
	add(scene, 14, 0, 2, 0);
	add(scene, 186, 2, 1, 0);
	assert_telling(scene, ITP_TELLING_ALTOGETHER, 1);
}

/* A context with some units of others, too. */
static void test_nearly_all_tell_together(struct scene *scene, gconstpointer data)
{
	(void)data;
	add(scene, 95, 0, 1, 0);
	add(scene, 5, 1, 0, 0);
	go_on_with_others(scene);
	add(scene, 40, 0, 2, 0);
	add(scene, 160, 2, 1, 0);
	assert_telling(scene, ITP_TELLING_ALTOGETHER, 1);
	add(scene, 80, 0, 1, 0);
	add(scene, 20, 1, 0, 0);
	go_on_with_others(scene);
	add(scene, 15, 0, 2, 0);
	add(scene, 185, 2, 1, 0);
	assert_telling(scene, ITP_TELLING_ALTOGETHER, 0);
}

static void test_three_contexts_are_told(struct scene *scene, gconstpointer data)
{
	(void)data;
	add(scene, 100, 0, 4, 0);
	go_on_with_others(scene);
	add(scene, 100, 4, 1, 0);
	assert_telling(scene, ITP_TELLING_ONLY, 3);
}

static void test_four_ticks_of_a_unit_count(struct scene *scene, gconstpointer data)
{
	size_t ticks;

	(void)data;
	add(scene, 1, 0, 1, 9);
	itp_unit_groups_ticks(scene->groups, 0, &ticks);
	g_assert_cmpuint(ticks, ==, 4);
}

/* Number of contexts by ticks, of which there are so many in one below the loop. */
static guint contexts_of_ticks(struct scene *scene, guint units)
{
	static const guint numbers[] = { 0 };
	const struct itp_features_input input = { .tree = scene->tree,
						  .functions = scene->functions,
						  .paths = scene->paths,
						  .groups = scene->groups,
						  .numbers = numbers,
						  .count = G_N_ELEMENTS(numbers) };
	struct itp_features *features;
	g_autofree uint64_t *counts = NULL;
	guint contexts;

	add(scene, units, 0, 0, 1);
	features = itp_features_new(&input);
	counts = g_new0(uint64_t, itp_features_length(features));
	itp_features_add(features, 0, counts);
	itp_features_ticks(features, counts, &contexts);
	itp_features_free(features);
	begin_anew(scene);
	return contexts;
}

static void test_five_ticks_show_a_context(struct scene *scene, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(contexts_of_ticks(scene, 6), ==, 2);
	g_assert_cmpuint(contexts_of_ticks(scene, 4), ==, 1);
}

static void add_test(const char *name, void (*test)(struct scene *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/telling/", name, NULL);

	g_test_add(path, struct scene, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add_test("half of the units tell", test_half_of_the_units_tell);
	add_test("a fifth of the ticks tells", test_a_fifth_of_the_ticks_tells);
	add_test("five ticks of others are expected", test_five_ticks_of_others_are_expected);
	add_test("a tenth may be of others", test_a_tenth_may_be_of_others);
	add_test("nearly all tell together", test_nearly_all_tell_together);
	add_test("three contexts are told", test_three_contexts_are_told);
	add_test("four ticks of a unit count", test_four_ticks_of_a_unit_count);
	add_test("five ticks show a context", test_five_ticks_show_a_context);
	return g_test_run();
}
