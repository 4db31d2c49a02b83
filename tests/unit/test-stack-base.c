/* SPDX-License-Identifier: MIT */
/*
 * The database of stacks: what it counts, by hand; that traces unite in any order; its file, and
 * one that is damaged.
 */
#include <string.h>

#include "common/mine/clusters.h"
#include "tests/unit/stacks-scene.h"

/* A trace of one stack of names, that a thread was in `count` times. */
static void add_trace(struct itp_stack_base *base, const char *stack, uint64_t count,
		      int64_t cost_ns)
{
	g_auto(GStrv) names = g_strsplit(stack, " ", -1);
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct stacks_scene scene;
	struct itp_stack_counts *counts;

	stacks_scene_init(&scene);
	for (guint i = 0; names[i]; i++) {
		uint32_t id = stacks_scene_intern(&scene, names[i]);

		g_array_append_val(path, id);
	}
	counts = itp_stack_counts_new(scene.functions);
	itp_stack_counts_add(counts, path, count, cost_ns);
	itp_stack_base_add(base, counts);
	itp_stack_counts_free(counts);
	stacks_scene_release(&scene);
}

static void read_text(struct itp_stack_base *base, const char *text)
{
	GError *error = NULL;

	g_assert_true(itp_stack_base_read(base, text, strlen(text), "all.stacks", &error));
	g_assert_no_error(error);
}

/* The text of what texts unite to, in this order. */
static char *united(const char *first, const char *second)
{
	struct itp_stack_base *base = itp_stack_base_new();
	char *text;

	read_text(base, first);
	read_text(base, second);
	text = itp_stack_base_text(base);
	itp_stack_base_free(base);
	return text;
}

static char *text_of(const char *stack, uint64_t count)
{
	struct itp_stack_base *base = itp_stack_base_new();
	char *text;

	add_trace(base, stack, count, 1000);
	text = itp_stack_base_text(base);
	itp_stack_base_free(base);
	return text;
}

static void test_order(void)
{
	g_autofree char *a = text_of("main open sort", 3);
	g_autofree char *b = text_of("main close sort", 4);
	g_autofree char *c = text_of("main sort sort", 5);
	g_autofree char *ab = united(a, b);
	g_autofree char *ba = united(b, a);
	g_autofree char *bc = united(b, c);
	g_autofree char *left = united(ab, c);
	g_autofree char *right = united(a, bc);
	g_autofree char *again = united(left, ab);

	g_assert_cmpstr(ab, ==, ba);
	g_assert_cmpstr(left, ==, right);
	g_assert_cmpstr(left, !=, ab);
	g_assert_cmpstr(again, ==, left);
}

/* A trace that comes again counts once; one that differs in its time alone is another. */
static void test_traces(void)
{
	struct itp_stack_base *base = itp_stack_base_new();

	add_trace(base, "main open", 3, 1000);
	add_trace(base, "main open", 3, 1000);
	g_assert_cmpuint(itp_stack_base_size(base), ==, 1);
	add_trace(base, "main open", 3, 1001);
	g_assert_cmpuint(itp_stack_base_size(base), ==, 2);
	itp_stack_base_free(base);
}

static void assert_similarity(struct stacks_scene *scene, double wanted)
{
	const struct itp_pattern left = stacks_scene_pattern(scene, "App Read Parse");
	const struct itp_pattern right = stacks_scene_pattern(scene, "App Write Parse");

	g_assert_cmpfloat_with_epsilon(itp_similarity(scene->statistics, &left, &right), wanted,
				       1e-9);
	g_free(left.functions);
	g_free(right.functions);
}

/* By cost, App is in 10 of 10, Parse in 3, Read in 2 and Write in 1: App weighs 0, Parse 0.7, and
 * Read and Write, which stand in for each other, (0.8 + 0.9) / 2.
 *
 * By count, Parse is in 9 of 10, Read in 8 and Write in 1: 0.1, and (0.2 + 0.9) / 2. With a trace
 * of before, of 10 more stacks that have none of these, App weighs 0.5, Parse 0.55, and the others
 * (0.6 + 0.95) / 2. */
static void test_counts(void)
{
	struct itp_stack_base *base = itp_stack_base_new();
	struct stacks_scene scene;

	stacks_scene_init(&scene);
	stacks_scene_add(&scene, "App Read Parse", 2, 0);
	stacks_scene_add(&scene, "App Write Parse", 1, 0);
	stacks_scene_add(&scene, "App Scan", 7, 0);
	stacks_scene_close(&scene);
	assert_similarity(&scene, 0.7 / (0.7 + (0.8 + 0.9) / 2));
	add_trace(base, "App Read Parse", 8, 2);
	add_trace(base, "App Write Parse", 1, 1);
	add_trace(base, "App Scan", 1, 7);
	itp_stack_statistics_count(scene.statistics, base);
	assert_similarity(&scene, 0.1 / (0.1 + (0.2 + 0.9) / 2));
	itp_stack_statistics_free(scene.statistics);
	stacks_scene_close(&scene);
	add_trace(base, "Other Start", 10, 9);
	itp_stack_statistics_count(scene.statistics, base);
	assert_similarity(&scene, (0.5 + 0.55) / (0.5 + 0.55 + (0.6 + 0.95) / 2));
	stacks_scene_release(&scene);
	itp_stack_base_free(base);
}

/* A function that calls itself is in a stack once, and called each time. */
static void test_recursion(void)
{
	g_autofree char *text = text_of("walk walk walk leaf", 2);

	g_assert_nonnull(strstr(text, "\"stacks\":2"));
	g_assert_nonnull(strstr(text, "\"in\":[0,2,1,2]"));
	g_assert_nonnull(strstr(text, "\"calls\":[1,0,2,1,1,4]"));
}

static void assert_refused(const char *text, const char *wanted)
{
	struct itp_stack_base *base = itp_stack_base_new();
	g_autoptr(GError) error = NULL;

	g_assert_false(itp_stack_base_read(base, text, strlen(text), "all.stacks", &error));
	g_assert_nonnull(strstr(error->message, "\"all.stacks\""));
	g_assert_nonnull(strstr(error->message, wanted));
	itp_stack_base_free(base);
}

static void test_damage(void)
{
	g_autofree char *text = text_of("main open sort", 3);
	g_autofree char *half = g_strndup(text, strlen(text) / 2);
	g_autoptr(GString) changed = g_string_new(text);

	assert_refused("", "is no JSON");
	assert_refused(half, "is no JSON");
	assert_refused("{}", "holds no database of stacks");
	assert_refused("{\"stacks\":2,\"functions\":[],\"traces\":[]}",
		       "holds no database of stacks");
	assert_refused("{\"stacks\":1,\"functions\":[7],\"traces\":[]}", "\"functions\"");
	g_string_replace(changed, "\"stacks\":3", "\"stacks\":4", 0);
	assert_refused(changed->str, "trace 1 is not as it was written");
	g_string_assign(changed, text);
	g_string_replace(changed, "open", "opem", 0);
	assert_refused(changed->str, "trace 1 is not as it was written");
	g_string_assign(changed, text);
	g_string_replace(changed, "\"in\":[0", "\"in\":[9", 0);
	assert_refused(changed->str, "trace 1 is not as it was written");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/stack-base/databases unite in any order", test_order);
	g_test_add_func("/stack-base/a trace that comes again counts once", test_traces);
	g_test_add_func("/stack-base/the paper counts stacks, also those of before", test_counts);
	g_test_add_func("/stack-base/a function that calls itself", test_recursion);
	g_test_add_func("/stack-base/damage is found", test_damage);
	return g_test_run();
}
