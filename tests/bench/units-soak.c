/* SPDX-License-Identifier: MIT */
/*
 * What finding very many units takes: a server that there is not answers so many requests of some
 * kinds, on some threads, in calls that are handed out as the inference does.
 *
 *   units-soak UNITS [KINDS [THREADS]]
 *
 * Prints, ten times on the way, how many units were found, how long that took, and how much memory
 * is in use: which must not grow.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/unit/finder.h"
#include "common/unit/types.h"

#define CALLS 8

struct server {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_unit_finder *finder;
	struct itp_unit_types *types;
	uint64_t found;
};

static void on_unit(const struct itp_unit *unit, void *data)
{
	struct server *server = data;

	itp_unit_types_add(server->types, unit);
	server->found++;
}

static uint32_t child(struct server *server, uint32_t parent, const char *name, int number,
		      enum itp_layer layer)
{
	g_autofree char *full = number < 0 ? g_strdup(name) : g_strdup_printf("%s%d", name, number);
	const struct itp_function function = {
		.name = full, .module = "m", .build_id = "", .layer = layer
	};

	return itp_context_tree_child(server->tree, parent,
				      itp_function_table_intern(server->functions, &function));
}

static void call(struct server *server, uint32_t node, int32_t tid, int64_t begin_ns,
		 int64_t end_ns)
{
	const struct itp_instance instance = {
		.node = node,
		.pid = 1,
		.tid = tid,
		.depth = itp_context_tree_get(server->tree, node)->depth - 1,
		.best_begin_ns = begin_ns,
		.best_ns = end_ns - begin_ns,
	};

	itp_unit_finder_add(server->finder, &instance);
}

static void answer(struct server *server, uint32_t loop, uint32_t wait, int kind, int32_t tid,
		   int64_t at_ns)
{
	call(server, wait, tid, at_ns, at_ns + 10);
	call(server, itp_context_tree_get(server->tree, wait)->parent, tid, at_ns, at_ns + 11);
	for (int i = 0; i < CALLS; i++) {
		/* Half of the calls are those of all kinds. */
		const uint32_t outer = child(server, loop, i % 2 == 0 ? "common" : "own",
					     i % 2 == 0 ? i : kind * CALLS + i, ITP_LAYER_USER);
		const uint32_t inner =
			child(server, outer, ITP_SYSCALL_PREFIX "write", -1, ITP_LAYER_SYSCALL);

		call(server, inner, tid, at_ns + 12 + i, at_ns + 13 + i);
		call(server, outer, tid, at_ns + 12 + i, at_ns + 13 + i);
	}
}

static long resident_kb(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (file) {
		if (fscanf(file, "%*d %ld", &pages) != 1) {
			pages = 0;
		}
		fclose(file);
	}
	return pages * 4;
}

static void report(const struct server *server, int64_t begin_us)
{
	printf("%10" PRIu64 " units, %5.1f s, %ld kB\n", server->found,
	       (double)(g_get_monotonic_time() - begin_us) / 1e6, resident_kb());
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const uint64_t units = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
	const int kinds = argc > 2 ? atoi(argv[2]) : 20;
	const int threads = argc > 3 ? atoi(argv[3]) : 4;
	const int64_t begin_us = g_get_monotonic_time();
	struct server server = { .functions = itp_function_table_new(),
				 .tree = itp_context_tree_new() };
	uint32_t loop;
	uint32_t wait;

	if (units == 0 || kinds < 1 || threads < 1) {
		fputs("usage: units-soak UNITS [KINDS [THREADS]]\n", stderr);
		return 1;
	}
	server.finder = itp_unit_finder_new(server.tree, server.functions, on_unit, &server);
	server.types = itp_unit_types_new(itp_unit_finder_tree(server.finder), server.functions,
					  itp_unit_finder_paths(server.finder));
	loop = child(&server, ITP_CONTEXT_ROOT, "process", -1, ITP_LAYER_PROCESS);
	loop = child(&server, loop, "serve", -1, ITP_LAYER_USER);
	wait = child(&server, loop, "wait", -1, ITP_LAYER_USER);
	wait = child(&server, wait, ITP_SYSCALL_PREFIX "epoll_wait", -1, ITP_LAYER_SYSCALL);
	for (uint64_t i = 0; i < units; i++) {
		answer(&server, loop, wait, (int)(i * 7 % (uint64_t)kinds),
		       1 + (int32_t)(i % (uint64_t)threads), (int64_t)i * 100);
		if ((i + 1) % (units / 10 + 1) == 0) {
			report(&server, begin_us);
		}
	}
	itp_unit_finder_finish(server.finder);
	report(&server, begin_us);
	printf("%u types\n", itp_unit_types_find(server.types, ITP_UNIT_CUT)->len);
	itp_unit_types_free(server.types);
	itp_unit_finder_free(server.finder);
	itp_context_tree_free(server.tree);
	itp_function_table_free(server.functions);
	return 0;
}
