/* SPDX-License-Identifier: MIT */
/* Where units of a type usually spend their time, and what late ones took longer than that: by
 * hand, and random units. */
#include "common/guard/excess.h"

#include <string.h>

#include "common/guard/usual.h"

#define ROUNDS 200

/* Types of one loop, m!serve, and their late units. */
struct scene {
	struct itp_guard_file *file;
	struct itp_function_table *functions;
	struct itp_guard_excess *excess;
};

/* "NAME" of module m, "syscall:NAME", or "k:NAME" of the kernel. */
static uint32_t function_of(const struct scene *scene, const char *name)
{
	const bool is_call = g_str_has_prefix(name, ITP_SYSCALL_PREFIX);
	const bool is_kernel = g_str_has_prefix(name, "k:");
	const struct itp_function function = { .name = is_kernel ? name + 2 : name,
					       .module = is_call ? "" : "m",
					       .build_id = "",
					       .layer = is_call   ? ITP_LAYER_SYSCALL :
							is_kernel ? ITP_LAYER_KERNEL :
								    ITP_LAYER_USER };

	return itp_function_table_intern(scene->functions, &function);
}

static void add_type(struct scene *scene, const char *name, int64_t median_ns)
{
	const struct itp_guard_type type = { .name = g_strdup(name),
					     .units = 100,
					     .median_ns = median_ns,
					     .limit_ns = 2 * median_ns,
					     .usual = itp_guard_usual_new() };

	g_array_append_val(itp_guard_loop_at(scene->file, 0)->types, type);
}

static void add_usual(struct scene *scene, guint type, guint parent, const char *function,
		      double part)
{
	const struct itp_guard_usual usual = { parent, g_strdup(function), part };

	g_array_append_val(itp_guard_type_at(itp_guard_loop_at(scene->file, 0), type)->usual,
			   usual);
}

static void scene_init(struct scene *scene)
{
	*scene = (struct scene){ .file = itp_guard_file_new(),
				 .functions = itp_function_table_new() };
	itp_guard_file_add_loop(scene->file, "p", "m!serve");
	scene->excess = itp_guard_excess_new(scene->file, scene->functions);
}

static void scene_release(struct scene *scene)
{
	itp_guard_excess_free(scene->excess);
	itp_guard_file_free(scene->file);
	itp_function_table_free(scene->functions);
}

static GArray *stack_of(const struct scene *scene, const char *functions)
{
	g_auto(GStrv) names = g_strsplit(functions, " ", -1);
	GArray *stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; names[i]; i++) {
		const uint32_t id = function_of(scene, names[i]);

		g_array_append_val(stack, id);
	}
	return stack;
}

/* A late unit that was seen twice; without a second stack once, and without both never. */
static void late(struct scene *scene, guint type, int64_t taken_ns, int64_t first_ns,
		 const char *first, const char *second)
{
	const char *const texts[] = { first, second };
	struct itp_guard_seen seen[2] = { 0 };
	guint count = 0;

	for (; count < 2 && texts[count]; count++) {
		seen[count] = (struct itp_guard_seen){ count == 0 ? first_ns : taken_ns - 1,
						       !strstr(texts[count], "syscall:"),
						       stack_of(scene, texts[count]) };
	}
	itp_guard_excess_add(scene->excess, 0, type, taken_ns, seen, count);
	while (count > 0) {
		g_array_unref((GArray *)seen[--count].stack);
	}
}

/* Of each type "NAME UNITS EXCESS SEEN-UNITS SEEN-EXCESS", and below it of each reason "PERCENT
 * EXCESS UNITS running PERCENT usual NS: PATH". */
static void assert_told(const struct scene *scene, const char *wanted)
{
	g_autoptr(GArray) all = itp_guard_excess_explain(scene->excess);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct itp_guard_excess_of_type *told =
			&g_array_index(all, struct itp_guard_excess_of_type, i);

		g_string_append_printf(
			text, "%s %d %d %d %d\n",
			itp_guard_type_at(itp_guard_loop_at(scene->file, 0), told->type)->name,
			(int)told->units, (int)told->excess_ns, (int)told->seen_units,
			(int)told->seen_excess_ns);
		for (guint k = 0; k < told->reasons->len; k++) {
			const struct itp_guard_reason *reason =
				&g_array_index(told->reasons, struct itp_guard_reason, k);

			g_string_append_printf(
				text, "  %.0f %d %d running %.0f usual %d:", 100 * reason->part,
				(int)reason->excess_ns, (int)reason->units, 100 * reason->running,
				(int)reason->usual_ns);
			for (guint n = 0; n < reason->path->len; n++) {
				const uint32_t id = g_array_index(reason->path, uint32_t, n);

				g_string_append_printf(
					text, " %s",
					itp_function_table_get(scene->functions, id)->name);
			}
			g_string_append_c(text, '\n');
		}
	}
	g_assert_cmpstr(text->str, ==, wanted);
}

/* ---- What late units took longer ---- */

/* Two units take 11000 instead of 1000: until 2000 both parsed, which usually takes half of the
 * time, then they were in fsync below commit, which usually takes a tenth. 18000 there are 17800
 * more than usual; of 20000 no more than 2200 are left for parsing, though it took 3000 more. */
static void test_usual_time_is_no_excess(void)
{
	struct scene scene;

	scene_init(&scene);
	add_type(&scene, "commit", 1000);
	add_usual(&scene, 0, 0, "m!parse", 0.5);
	add_usual(&scene, 0, 0, "m!commit", 0.3);
	add_usual(&scene, 0, 2, "m!fsync", 0.1);
	add_usual(&scene, 0, 3, "syscall:fsync", 0.1);
	for (int i = 0; i < 2; i++) {
		late(&scene, 0, 11000, 2000, "main serve parse",
		     "main serve commit fsync syscall:fsync k:vfs_fsync k:schedule");
	}
	assert_told(&scene, "commit 2 20000 2 20000\n"
			    "  89 17800 2 running 0 usual 100: serve commit fsync syscall:fsync\n"
			    "  11 2200 2 running 100 usual 500: serve parse\n");
	scene_release(&scene);
}

/* Without a profile the time of a usual unit is taken from that until the first stack. */
static void test_no_profile(void)
{
	struct scene scene;

	scene_init(&scene);
	add_type(&scene, "a", 1000);
	late(&scene, 0, 5000, 2000, "main serve work", NULL);
	assert_told(&scene, "a 1 4000 1 4000\n"
			    "  100 4000 1 running 100 usual -1: serve work\n");
	scene_release(&scene);
}

/* What is told is as deep as most of it goes: a caller, where what it calls has little of it each,
 * or it has much of its own; each of two branches that have half of it. */
static void test_how_deep(void)
{
	struct scene scene;

	scene_init(&scene);
	add_type(&scene, "many", 0);
	add_type(&scene, "own", 0);
	add_type(&scene, "branches", 0);
	for (int i = 0; i < 15; i++) {
		g_autofree char *stack = g_strdup_printf("serve call keys step%d", i);

		late(&scene, 0, 400, 400, stack, NULL);
	}
	late(&scene, 1, 500, 240, "serve call keys next", "serve call keys");
	late(&scene, 2, 400, 400, "serve call left deep deeper", NULL);
	late(&scene, 2, 360, 360, "serve call right", NULL);
	late(&scene, 2, 20, 20, "serve call", NULL);
	assert_told(&scene, "many 15 6000 15 6000\n"
			    "  100 6000 15 running 100 usual -1: serve call keys\n"
			    "branches 3 780 3 780\n"
			    "  51 400 1 running 100 usual -1: serve call left deep deeper\n"
			    "  46 360 1 running 100 usual -1: serve call right\n"
			    "own 1 500 1 500\n"
			    "  100 500 1 running 100 usual -1: serve call keys\n");
	scene_release(&scene);
}

static void spend(struct scene *scene, guint type, int64_t taken_ns, const char *stack)
{
	late(scene, type, taken_ns, taken_ns, stack, NULL);
}

/* Of four functions three are told; and one with a twentieth is. */
static void test_how_many(void)
{
	struct scene scene;

	scene_init(&scene);
	add_type(&scene, "many", 0);
	add_type(&scene, "small", 0);
	spend(&scene, 0, 4000, "serve a");
	spend(&scene, 0, 3000, "serve b");
	spend(&scene, 0, 2400, "serve c");
	spend(&scene, 0, 600, "serve d");
	spend(&scene, 1, 940, "serve a");
	spend(&scene, 1, 60, "serve b");
	assert_told(&scene, "many 4 10000 4 10000\n"
			    "  40 4000 1 running 100 usual -1: serve a\n"
			    "  30 3000 1 running 100 usual -1: serve b\n"
			    "  24 2400 1 running 100 usual -1: serve c\n"
			    "small 2 1000 2 1000\n"
			    "  94 940 1 running 100 usual -1: serve a\n"
			    "  6 60 1 running 100 usual -1: serve b\n");
	scene_release(&scene);
}

/* Callees have four fifths of the excess of a function: the worst one 30 %, or 20. */
static void test_a_quarter_is_told_below(void)
{
	struct scene scene;

	scene_init(&scene);
	add_type(&scene, "deep", 0);
	add_type(&scene, "flat", 0);
	spend(&scene, 0, 6000, "serve x a");
	spend(&scene, 0, 5000, "serve x b");
	spend(&scene, 0, 5000, "serve x c");
	spend(&scene, 0, 4000, "serve x");
	spend(&scene, 1, 200, "serve x a");
	spend(&scene, 1, 200, "serve x b");
	spend(&scene, 1, 200, "serve x c");
	spend(&scene, 1, 200, "serve x d");
	spend(&scene, 1, 200, "serve x");
	assert_told(&scene, "deep 4 20000 4 20000\n"
			    "  30 6000 1 running 100 usual -1: serve x a\n"
			    "  70 14000 4 running 100 usual -1: serve x\n"
			    "flat 5 1000 5 1000\n"
			    "  100 1000 5 running 100 usual -1: serve x\n");
	scene_release(&scene);
}

/* Units of which there was no stack are late as well, but explain nothing; a stack without the loop
 * does not either. */
static void test_what_was_not_seen(void)
{
	struct scene scene;

	scene_init(&scene);
	add_type(&scene, "a", 100);
	late(&scene, 0, 1100, 0, NULL, NULL);
	late(&scene, 0, 2100, 100, "start broken", "serve work");
	late(&scene, 0, 600, 0, NULL, NULL);
	assert_told(&scene, "a 3 3500 1 2000\n"
			    "  100 2000 1 running 100 usual -1: serve work\n");
	scene_release(&scene);
	scene_init(&scene);
	add_type(&scene, "a", 100);
	late(&scene, 0, 1100, 500, "start broken", NULL);
	assert_told(&scene, "a 1 1000 1 1000\n");
	scene_release(&scene);
}

static guint random_type(void)
{
	return (guint)g_test_rand_int_range(0, 4);
}

static char *random_stack(void)
{
	GString *stack = g_string_new("main serve");

	for (int depth = g_test_rand_int_range(0, 8); depth > 0; depth--) {
		g_string_append_printf(stack, " f%d", g_test_rand_int_range(0, 3));
	}
	return g_string_free(stack, FALSE);
}

/* Whatever is seen: reasons explain no more than there is, and begin with the loop. */
static void check_told(const struct scene *scene, const struct itp_guard_excess_of_type *told)
{
	int64_t sum_ns = 0;

	g_assert_cmpint(told->seen_excess_ns, >=, 0);
	g_assert_cmpint(told->excess_ns, >=, 0);
	g_assert_cmpuint(told->reasons->len, <=, ITP_GUARD_REASONS_MOST);
	for (guint i = 0; i < told->reasons->len; i++) {
		const struct itp_guard_reason *reason =
			&g_array_index(told->reasons, struct itp_guard_reason, i);

		sum_ns += reason->excess_ns;
		g_assert_cmpint(reason->excess_ns, >, 0);
		g_assert_cmpuint(reason->units, >, 0);
		g_assert_cmpuint(reason->units, <=, told->seen_units);
		g_assert_cmpuint(g_array_index(reason->path, uint32_t, 0), ==,
				 function_of(scene, "serve"));
		for (guint k = 0; k < i; k++) {
			const struct itp_guard_reason *other =
				&g_array_index(told->reasons, struct itp_guard_reason, k);

			g_assert_false(reason->path->len == other->path->len &&
				       memcmp(reason->path->data, other->path->data,
					      reason->path->len * sizeof(uint32_t)) == 0);
		}
	}
	g_assert_cmpint(sum_ns, <=, told->seen_excess_ns);
}

static void test_random_units(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		g_autoptr(GArray) all = NULL;
		struct scene scene;

		scene_init(&scene);
		for (guint type = 0; type < 4; type++) {
			g_autofree char *name = g_strdup_printf("t%u", type);

			add_type(&scene, name, g_test_rand_int_range(0, 1000));
			add_usual(&scene, type, 0, "m!f0", g_test_rand_double());
			add_usual(&scene, type, 1, "m!f1", g_test_rand_double());
		}
		for (int i = g_test_rand_int_range(0, 100); i > 0; i--) {
			const int64_t taken_ns = g_test_rand_int_range(1, 5000);
			g_autofree char *first = random_stack();
			g_autofree char *second = random_stack();

			late(&scene, random_type(), taken_ns,
			     g_test_rand_int_range(0, (gint32)taken_ns + 100),
			     g_test_rand_int_range(0, 4) > 0 ? first : NULL,
			     g_test_rand_int_range(0, 2) > 0 ? second : NULL);
		}
		all = itp_guard_excess_explain(scene.excess);
		for (guint i = 0; i < all->len; i++) {
			check_told(&scene, &g_array_index(all, struct itp_guard_excess_of_type, i));
		}
		scene_release(&scene);
	}
}

/* ---- What is usual ---- */

static uint32_t node_of(const struct scene *scene, struct itp_context_tree *tree, const char *path)
{
	g_autoptr(GArray) stack = stack_of(scene, path);
	uint32_t node = ITP_CONTEXT_ROOT;

	for (guint i = 0; i < stack->len; i++) {
		node = itp_context_tree_child(tree, node, g_array_index(stack, uint32_t, i));
	}
	return node;
}

/* A context, "PATH", and how long calls in it took. */
struct taken {
	const char *path;
	int64_t total_ns;
};

/* What is usual in units of m!serve that took so long. Free with g_array_unref(). */
static GArray *train(const struct taken *contexts, size_t count)
{
	struct itp_context_tree *tree = itp_context_tree_new();
	struct itp_profile *profile = itp_profile_new("");
	GArray *usual = itp_guard_usual_new();
	struct itp_guard_usual_source source = { .profile = profile,
						 .tree = tree,
						 .loop = "m!serve" };
	struct scene scene;

	scene_init(&scene);
	source.functions = scene.functions;
	for (size_t i = 0; i < count; i++) {
		itp_profile_node(profile, node_of(&scene, tree, contexts[i].path))->total_ns =
			contexts[i].total_ns;
	}
	itp_guard_usual_train(usual, &source);
	itp_profile_free(profile);
	itp_context_tree_free(tree);
	scene_release(&scene);
	return usual;
}

/* The loop's function has two callers; what the kernel does is its system call's; and what takes
 * less than a thousandth is left out, with what it has called. */
static void test_training(void)
{
	static const struct taken contexts[] = {
		{ "p main", 9000 },
		{ "p main serve", 9000 },
		{ "p main serve commit", 4000 },
		{ "p main serve commit syscall:fsync", 3000 },
		{ "p main serve commit syscall:fsync k:schedule", 2900 },
		{ "p main serve seldom", 12 },
		{ "p main serve rare", 9 },
		{ "p child", 1000 },
		{ "p child serve", 1000 },
		{ "p child serve commit", 500 },
	};
	static const char *const commit[] = { "m!commit" };
	static const char *const fsync[] = { "m!commit", "syscall:fsync" };
	static const char *const more[] = { "m!commit", "libc!fsync", "syscall:fsync" };
	static const char *const seldom[] = { "m!seldom" };
	static const char *const rare[] = { "m!rare" };
	g_autoptr(GArray) usual = train(contexts, G_N_ELEMENTS(contexts));

	g_assert_cmpuint(usual->len, ==, 3);
	g_assert_cmpfloat(itp_guard_usual_part(usual, (char *const *)commit, 1), ==, 0.45);
	g_assert_cmpfloat(itp_guard_usual_part(usual, (char *const *)fsync, 2), ==, 0.3);
	g_assert_cmpfloat(itp_guard_usual_part(usual, (char *const *)more, 3), ==, 0.3);
	g_assert_cmpfloat(itp_guard_usual_part(usual, (char *const *)seldom, 1), ==, 0.0012);
	g_assert_cmpfloat(itp_guard_usual_part(usual, (char *const *)rare, 1), ==, 0);
	g_assert_cmpfloat(itp_guard_usual_part(usual, NULL, 0), ==, 1);
	g_assert_cmpfloat(itp_guard_usual_part(NULL, (char *const *)commit, 1), ==, 0);
}

/* No more than there is room for, those with most time. */
static void test_room(void)
{
	struct taken contexts[101] = { { "p serve", 10000 } };
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) usual = NULL;

	for (int i = 0; i < 100; i++) {
		char *path = g_strdup_printf("p serve f%d", i);

		g_ptr_array_add(paths, path);
		contexts[i + 1] = (struct taken){ .path = path, .total_ns = 20 + i };
	}
	usual = train(contexts, G_N_ELEMENTS(contexts));
	g_assert_cmpuint(usual->len, ==, ITP_GUARD_USUAL_MOST);
	g_assert_cmpstr(g_array_index(usual, struct itp_guard_usual, 0).function, ==, "m!f99");
	g_assert_cmpstr(
		g_array_index(usual, struct itp_guard_usual, ITP_GUARD_USUAL_MOST - 1).function, ==,
		"m!f36");
}

static void assert_read(const char *text, const char *wanted)
{
	g_autoptr(GArray) usual = itp_guard_usual_new();
	json_t *array = json_loads(text, JSON_DECODE_ANY, NULL);

	g_assert_cmpstr(itp_guard_usual_read(array, usual), ==, wanted);
	json_decref(array);
}

/* A file may lack it, as those of before do; what is there must be what it says. */
static void test_reading(void)
{
	static const char damaged[] = "has a profile with a context that is none";
	g_autoptr(GArray) usual = itp_guard_usual_new();
	json_t *array = json_loads("[[0, \"m!f\", 0.5], [1, \"m!g\", 0.25]]", 0, NULL);
	json_t *again;

	g_assert_null(itp_guard_usual_read(NULL, usual));
	g_assert_null(itp_guard_usual_read(array, usual));
	again = itp_guard_usual_json(usual);
	g_assert_true(json_equal(array, again));
	json_decref(array);
	json_decref(again);
	assert_read("[[1, \"m!f\", 0.5]]", damaged);
	assert_read("[[-1, \"m!f\", 0.5]]", damaged);
	assert_read("[[0, \"m!f\", 1.5]]", damaged);
	assert_read("[[0, \"m!f\"]]", damaged);
	assert_read("[[0, 1, 0.5]]", damaged);
	assert_read("[1]", damaged);
	assert_read("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
		    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
		    "has a profile of more than 64 contexts");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/what is usual is no excess", test_usual_time_is_no_excess);
	g_test_add_func("/without a profile a usual unit comes first", test_no_profile);
	g_test_add_func("/reasons are as deep as most of it goes", test_how_deep);
	g_test_add_func("/reasons are three at most", test_how_many);
	g_test_add_func("/a callee with a quarter of it is told", test_a_quarter_is_told_below);
	g_test_add_func("/what was not seen explains nothing", test_what_was_not_seen);
	g_test_add_func("/random units: no more is explained than there is", test_random_units);
	g_test_add_func("/a profile of units tells what is usual", test_training);
	g_test_add_func("/a profile has no more than there is room for", test_room);
	g_test_add_func("/a file's profile is what it says, or refused", test_reading);
	return g_test_run();
}
