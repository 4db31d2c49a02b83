/* SPDX-License-Identifier: MIT */
/* Edges that are heavy enough for a knot. */
#include <glib.h>

#include "common/wait/knots.h"

/* Number of vertices in the knot of two, of 1000 ns each, which wait for each other: the second one
 * for so long. */
static guint knot_of(int64_t wait_ns)
{
	const struct itp_wait_vertex vertex = { .threads = 1, .alive_ns = 1000 };
	const struct itp_wait_for edges[] = { { 0, 1, 500 }, { 1, 0, wait_ns } };
	struct itp_redistribution graph = {
		.vertices = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_vertex)),
		.edges = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_for)),
		.knots = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_knot)),
	};
	guint vertices;

	g_array_append_val(graph.vertices, vertex);
	g_array_append_val(graph.vertices, vertex);
	g_array_append_vals(graph.edges, edges, G_N_ELEMENTS(edges));
	itp_knots_find(&graph);
	g_assert_cmpuint(graph.knots->len, ==, 1);
	vertices = g_array_index(graph.knots, struct itp_wait_knot, 0).vertices;
	g_array_unref(graph.vertices);
	g_array_unref(graph.edges);
	g_array_unref(graph.knots);
	return vertices;
}

static void test_a_hundredth_is_heavy(void)
{
	g_assert_cmpuint(knot_of(12), ==, 2);
	g_assert_cmpuint(knot_of(8), ==, 1);
}

/* Vertices in the knot of a pool's threads, which wait for each other, and for the main thread
 * where that held them up for so much of 1000 ns. */
static guint pool_with_main(int64_t held_ns)
{
	const struct itp_wait_vertex vertices[] = {
		{ .threads = 4, .alive_ns = 1000, .held_ns = 900 },
		{ .threads = 4, .alive_ns = 1000, .held_ns = 100 - held_ns },
		{ .threads = 1, .alive_ns = 1000, .held_ns = held_ns },
	};
	const struct itp_wait_for edges[] = { { 0, 1, 300 }, { 1, 0, 400 }, { 1, 2, 20 } };
	struct itp_redistribution graph = {
		.held_ns = 1000,
		.vertices = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_vertex)),
		.edges = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_for)),
		.knots = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_knot)),
	};
	guint found;

	g_array_append_vals(graph.vertices, vertices, G_N_ELEMENTS(vertices));
	g_array_append_vals(graph.edges, edges, G_N_ELEMENTS(edges));
	itp_knots_find(&graph);
	g_assert_cmpuint(graph.knots->len, ==, 1);
	found = g_array_index(graph.knots, struct itp_wait_knot, 0).vertices;
	g_array_unref(graph.vertices);
	g_array_unref(graph.edges);
	g_array_unref(graph.knots);
	return found;
}

static void test_who_hardly_holds_up_anybody(void)
{
	g_assert_cmpuint(pool_with_main(12), ==, 1);
	g_assert_cmpuint(pool_with_main(8), ==, 2);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/knots/a hundredth is heavy", test_a_hundredth_is_heavy);
	g_test_add_func("/knots/who hardly holds up anybody is in none",
			test_who_hardly_holds_up_anybody);
	return g_test_run();
}
