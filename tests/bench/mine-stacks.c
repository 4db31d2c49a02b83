/* SPDX-License-Identifier: MIT */
/*
 * What mining many stacks takes: makes so many different ones of a program that there is not, looks
 * for the patterns that cost a share of all, and for clusters of these.
 *
 *   mine-stacks STACKS DEPTH SHARE [FUNCTIONS [SEED]]
 *
 * A stack is a walk through a call graph: each function calls up to eight others of the next
 * layers, the first ones most, some of them functions that all share. Costs differ a thousandfold.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mine/clusters.h"
#include "common/mine/patterns.h"

#define CALLEES 8
/* One function of so many is called from everywhere. */
#define SHARED_PART 20

struct program {
	uint32_t *callees;
	uint32_t function_count;
	guint depth;
	GRand *random;
};

static void make_program(struct program *program)
{
	uint32_t per_layer = program->function_count / program->depth + 1;

	program->callees = g_new(uint32_t, program->function_count * CALLEES);
	for (uint32_t f = 0; f < program->function_count; f++) {
		for (guint i = 0; i < CALLEES; i++) {
			bool is_shared = g_rand_int_range(program->random, 0, SHARED_PART) == 0;
			uint32_t callee = f + 1 +
					  (uint32_t)g_rand_int_range(program->random, 0,
								     2 * (gint32)per_layer);

			program->callees[f * CALLEES + i] =
				is_shared ? (uint32_t)g_rand_int_range(
						    program->random, 0,
						    (gint32)program->function_count) :
					    callee % program->function_count;
		}
	}
}

/* The first callees are called most. */
static uint32_t next_of(const struct program *program, uint32_t function)
{
	guint i = 0;

	while (i + 1 < CALLEES && g_rand_boolean(program->random)) {
		i++;
	}
	return program->callees[function * CALLEES + i];
}

static void add_stack(const struct program *program, struct itp_stack_set *set, uint32_t trace)
{
	guint depth = program->depth / 2 +
		      (guint)g_rand_int_range(program->random, 0, (gint32)program->depth);
	double cost_ns = 1000 * exp(7 * g_rand_double(program->random));
	uint32_t node = ITP_CONTEXT_ROOT;
	uint32_t function = 0;

	for (guint i = 0; i < depth; i++) {
		node = itp_context_tree_child(set->tree, node, function);
		function = next_of(program, function);
	}
	itp_stack_set_add(set, node, (int64_t)cost_ns, 1, trace);
}

/* Names of three words, of which some are like others. */
static struct itp_function_table *name_functions(uint32_t count)
{
	static const char *const verbs[] = { "read", "write", "find", "make", "lock", "wait" };
	static const char *const nouns[] = { "file", "table", "page", "index", "queue" };
	struct itp_function_table *functions = itp_function_table_new();

	/* The first id is that of what is not known. */
	for (uint32_t i = 1; i < count; i++) {
		g_autofree char *name = g_strdup_printf("%s_%s_%u", verbs[i % G_N_ELEMENTS(verbs)],
							nouns[i / 7 % G_N_ELEMENTS(nouns)], i);
		const struct itp_function function = { .name = name,
						       .module = i % 2 ? "main" : "libmain.so",
						       .build_id = "" };

		itp_function_table_intern(functions, &function);
	}
	return functions;
}

static double seconds_since(gint64 began_us)
{
	return (double)(g_get_monotonic_time() - began_us) / 1e6;
}

/* Returns how many there are. */
static guint cluster(const struct itp_mined_patterns *patterns, const struct itp_stack_set *set,
		     uint32_t function_count)
{
	const struct itp_cluster_options options = { .cut = 0.35 };
	struct itp_function_table *functions = name_functions(function_count);
	struct itp_stack_statistics *statistics = itp_stack_statistics_new(&set, 1, functions);
	struct itp_clusters clusters;
	guint count;

	itp_clusters_init(&clusters, patterns, set, statistics, &options);
	count = clusters.list->len;
	itp_clusters_release(&clusters);
	itp_stack_statistics_free(statistics);
	itp_function_table_free(functions);
	return count;
}

int main(int argc, char **argv)
{
	guint count = argc > 3 ? (guint)atoi(argv[1]) : 0;
	struct program program = {
		.depth = argc > 3 ? (guint)atoi(argv[2]) : 0,
		.function_count = argc > 4 ? (uint32_t)atoi(argv[4]) : 5000,
		.random = g_rand_new_with_seed(argc > 5 ? (guint32)atoi(argv[5]) : 1),
	};
	struct itp_pattern_options options = { 0 };
	struct itp_mined_patterns patterns;
	struct itp_stack_set set;
	gint64 began_us;

	if (count == 0 || program.depth < 2) {
		fprintf(stderr, "usage: mine-stacks STACKS DEPTH SHARE [FUNCTIONS [SEED]]\n");
		return 2;
	}
	make_program(&program);
	itp_stack_set_init(&set);
	for (guint i = 0; set.stacks->len < count; i++) {
		add_stack(&program, &set, i / 1000);
	}
	printf("%u stacks, %u contexts\n", set.stacks->len, itp_context_tree_size(set.tree));
	options.least_ns = MAX((int64_t)(atof(argv[3]) * (double)set.cost_ns), 1);
	began_us = g_get_monotonic_time();
	itp_mined_patterns_init(&patterns, &set, program.function_count, &options);
	printf("%u patterns of %g of the cost in %.1f s\n", patterns.list->len, atof(argv[3]),
	       seconds_since(began_us));
	began_us = g_get_monotonic_time();
	printf("%u clusters in ", cluster(&patterns, &set, program.function_count));
	printf("%.1f s\n", seconds_since(began_us));
	itp_mined_patterns_release(&patterns);
	itp_stack_set_release(&set);
	g_free(program.callees);
	g_rand_free(program.random);
	return 0;
}
