/* SPDX-License-Identifier: MIT */
/*
 * Draws made-up comparisons, for tests of what recordings do not have at hand:
 *
 *   tests/report/draw large|hostile|alone|runs|empty html|svg|dot|jsonl [CONTEXTS] >OUTPUT
 *
 * large: CONTEXTS (20 000) contexts of 3 000 functions, up to 60 deep, with the statistics that a
 * profile of a busy machine has. hostile: names that try to be something else. alone: one call, in
 * a process that was there for longer, and no base. runs: the same of two recordings, a day apart.
 * empty: no call at all.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/rank/rank.h"
#include "common/render/formats/formats.h"
#include "common/render/report/report.h"
#include "tests/unit/latencies.h"

#define CONTEXTS 20000
#define FUNCTIONS 3000
#define MODULES 40
#define DEPTH_MOST 60
#define ENDLESS 65536
#define US INT64_C(1000)
#define DAY_NS INT64_C(86400000000000)

struct comparison {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_profile *suspect;
	struct itp_profile *base;
	/* Another run of the suspect. */
	struct itp_profile *later;
};

static uint32_t function(struct comparison *made, const char *module, const char *name,
			 enum itp_layer layer)
{
	const struct itp_function wanted = {
		.name = name, .module = module, .build_id = "", .layer = layer
	};

	return itp_function_table_intern(made->functions, &wanted);
}

/* ---- large ---- */

/* Calls of `node` without those that it makes: most contexts have few, and what they do with their
 * time is one thing. */
static void add_calls(struct itp_profile *profile, uint32_t node, GRand *rand, int most)
{
	int count = 1 + (int)pow(most, g_rand_double(rand)) / 2;
	double magnitude = g_rand_double_range(rand, 2.5, 5);
	bool is_blocked = g_rand_int_range(rand, 0, 8) == 0;
	struct itp_node_stats *stats = itp_profile_node(profile, node);
	struct itp_time_use use = { .cpu_ns = 0 };

	for (int i = 0; i < count; i++) {
		int64_t own_ns = (int64_t)pow(10, magnitude + g_rand_double(rand));

		test_add_latency(stats, own_ns, own_ns - own_ns / 50, own_ns + own_ns / 30);
		stats->own_ns += own_ns;
		*(is_blocked ? &use.blocked_ns : &use.cpu_ns) += own_ns;
	}
	stats->use = use;
	stats->own_use = use;
	stats->max_count = stats->count;
	stats->counted_count = stats->count;
}

/* Latencies of callees become their callers'. Those have larger ids. */
static void sum_up(const struct itp_context_tree *tree, struct itp_profile *profile)
{
	for (uint32_t node = itp_context_tree_size(tree); node-- > 1;) {
		const struct itp_node_stats callee = *itp_profile_peek(profile, node);
		uint32_t caller = itp_context_tree_get(tree, node)->parent;
		struct itp_node_stats *stats = itp_profile_node(profile, caller);

		stats->total_ns += callee.total_ns;
		stats->lower_ns += callee.lower_ns;
		stats->upper_ns += callee.upper_ns;
		/* As if each call of the caller were as long. */
		stats->min_ns = stats->count > 0 ? stats->total_ns / (int64_t)stats->count : 0;
		stats->max_ns = stats->min_ns;
		itp_time_use_add(&stats->use, &callee.use, 1);
	}
}

static void make_functions(struct comparison *made, GRand *rand)
{
	for (uint32_t i = 1; i <= FUNCTIONS; i++) {
		int module = g_rand_int_range(rand, 0, MODULES);
		g_autofree char *module_name =
			module == 0 ? g_strdup("server") :
			module < 8  ? g_strdup("[kernel]") :
				      g_strdup_printf("libpart%d.so.%d", module, module % 4);
		g_autofree char *name = g_strdup_printf("part%d_handle_request_%u", module, i);

		function(made, module_name, name,
			 module > 0 && module < 8 ? ITP_LAYER_KERNEL : ITP_LAYER_USER);
	}
}

static void make_large(struct comparison *made, uint32_t contexts)
{
	GRand *rand = g_rand_new_with_seed(20);
	uint32_t process = function(made, "", "server", ITP_LAYER_PROCESS);
	uint32_t node = itp_context_tree_child(made->tree, ITP_CONTEXT_ROOT, process);

	make_functions(made, rand);
	while (itp_context_tree_size(made->tree) <= contexts) {
		const struct itp_context *context = itp_context_tree_get(made->tree, node);
		double share = g_rand_double(rand);

		if (context->depth >= DEPTH_MOST || share < 0.25) {
			/* From a caller on; never above the first one. */
			node = context->depth > 2 && share < 0.23 ? context->parent : 1;
			continue;
		}
		node = itp_context_tree_child(
			made->tree, node, 2 + (uint32_t)g_rand_int_range(rand, 0, FUNCTIONS - 2));
		add_calls(made->suspect, node, rand, share < 0.3 ? 600 : 60);
		if (share < 0.75) {
			add_calls(made->base, node, rand, 60);
		}
	}
	sum_up(made->tree, made->suspect);
	sum_up(made->tree, made->base);
	g_rand_free(rand);
}

/* ---- hostile ---- */

static void make_hostile(struct comparison *made)
{
	g_autofree char *endless = g_strnfill(ENDLESS, 'n');
	const char *const names[] = {
		"</script><script>document.title='taken'</script>",
		"<!--<script>",
		"\"];alert(1);//",
		"'\"><img src=x onerror=\"document.title='taken'\">",
		"line\r\nbreak\x1b[2J\x01",
		"bytes \xc3\x28 \xff\xfe",
		"right\xe2\x80\xaeto left",
		"\\\" shape=none, URL=\"javascript:0\" x=\"\\",
		"a&lt;b&amp;c]]>\\N\\G",
		"\xe2\x80\xa8separator\xe2\x80\xa9",
		"@data@ @page.css@",
		"__proto__",
		"",
		endless,
	};
	uint32_t process = function(made, "", "<b>pro\ncess</b>", ITP_LAYER_PROCESS);
	uint32_t node = itp_context_tree_child(made->tree, ITP_CONTEXT_ROOT, process);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *module = g_strndup(names[G_N_ELEMENTS(names) - 1 - i], 300);
		uint32_t parent = node;

		node = itp_context_tree_child(made->tree, parent,
					      function(made, module, names[i], ITP_LAYER_USER));
		test_add_latency(itp_profile_node(made->suspect, node), 9 * US, 8 * US, 9 * US);
		itp_profile_node(made->suspect, node)->own_ns = 9 * US;
		test_add_latency(itp_profile_node(made->base, node), US, US, US);
		itp_profile_node(made->base, node)->own_ns = US;
	}
	sum_up(made->tree, made->suspect);
	sum_up(made->tree, made->base);
}

/* ---- alone ---- */

static void make_alone(struct comparison *made)
{
	uint32_t process = itp_context_tree_child(made->tree, ITP_CONTEXT_ROOT,
						  function(made, "", "program", ITP_LAYER_PROCESS));
	uint32_t node = itp_context_tree_child(made->tree, process,
					       function(made, "program", "main", ITP_LAYER_USER));

	test_add_latency(itp_profile_node(made->suspect, node), 9 * US, 8 * US, 9 * US);
	itp_profile_node(made->suspect, node)->own_ns = 9 * US;
	test_add_latency(itp_profile_node(made->suspect, process), 20 * US, 20 * US, 20 * US);
	itp_profile_node(made->suspect, process)->own_ns = 11 * US;
}

/* ---- runs ---- */

/* One call, the slower the later. */
static void make_run(struct comparison *made, struct itp_profile *profile, int64_t begin_ns)
{
	uint32_t process = itp_context_tree_child(made->tree, ITP_CONTEXT_ROOT,
						  function(made, "", "program", ITP_LAYER_PROCESS));
	uint32_t node = itp_context_tree_child(made->tree, process,
					       function(made, "program", "main", ITP_LAYER_USER));
	int64_t latency_ns = 9 * US + begin_ns / DAY_NS * US;
	const struct itp_slow_call call = { .node = node,
					    .tid = 7,
					    .begin_ns = begin_ns + 5 * US,
					    .latency_ns = latency_ns,
					    .lower_ns = latency_ns,
					    .upper_ns = latency_ns };

	test_add_latency(itp_profile_node(profile, node), latency_ns, latency_ns, latency_ns);
	itp_profile_node(profile, node)->own_ns = latency_ns;
	itp_slowest_add(profile->slowest, &call);
	profile->workload.clock = (struct itp_clock){ .has_epoch = true, .offset_ns = begin_ns };
	profile->workload.counts.begin_ns = begin_ns;
	profile->workload.counts.end_ns = begin_ns + 50 * US;
}

/* ---- Output ---- */

static void draw(const struct comparison *made, const char *kind, const char *format,
		 GString *output)
{
	const struct itp_profile *suspects[] = { made->suspect, made->later };
	const struct itp_profile *bases[] = { made->base };
	const double units[] = { 1, 1 };
	bool has_runs = strcmp(kind, "runs") == 0;
	bool has_base = !has_runs && strcmp(kind, "alone") != 0;
	const struct itp_runs suspect = { .profiles = suspects,
					  .count = has_runs ? 2 : 1,
					  .units = units };
	const struct itp_runs base = { .profiles = bases, .count = 1, .units = units };
	const struct itp_ranking_options options = { .top = 30, .folds = true };
	const struct itp_render_options jsonl = { .format = ITP_FORMAT_JSONL };
	struct itp_ranking *ranking = itp_ranking_new(&options, made->functions, made->tree,
						      &suspect, has_base ? &base : NULL);

	if (strcmp(format, "jsonl") == 0) {
		itp_render_ranking(ranking, &jsonl, output);
	}
	for (int i = 0; itp_report_format_names[i]; i++) {
		if (strcmp(format, itp_report_format_names[i]) == 0) {
			const struct itp_report_options looks = {
				.format = (enum itp_report_format)i
			};

			itp_render_report(ranking, &looks, output);
		}
	}
	itp_ranking_free(ranking);
}

int main(int argc, char **argv)
{
	struct comparison made = {
		.functions = itp_function_table_new(),
		.tree = itp_context_tree_new(),
		.suspect = itp_profile_new("<i>slow</i> \"new\"\n\xff.data"),
		.base = itp_profile_new("<i>good</i> 'old'\n.data"),
		.later = itp_profile_new("later.data"),
	};
	g_autoptr(GString) output = g_string_new(NULL);

	if (argc != 3 && argc != 4) {
		fprintf(stderr,
			"usage: %s large|hostile|alone|runs|empty html|svg|dot|jsonl [CONTEXTS]\n",
			argv[0]);
		return 2;
	}
	made.suspect->workload.complete = true;
	made.base->workload.complete = true;
	if (strcmp(argv[1], "large") == 0) {
		make_large(&made,
			   argc > 3 ? (uint32_t)g_ascii_strtoull(argv[3], NULL, 10) : CONTEXTS);
	} else if (strcmp(argv[1], "hostile") == 0) {
		make_hostile(&made);
	} else if (strcmp(argv[1], "alone") == 0) {
		make_alone(&made);
	} else if (strcmp(argv[1], "runs") == 0) {
		make_run(&made, made.suspect, 0);
		make_run(&made, made.later, DAY_NS);
	}
	draw(&made, argv[1], argv[2], output);
	itp_profile_free(made.suspect);
	itp_profile_free(made.base);
	itp_profile_free(made.later);
	itp_context_tree_free(made.tree);
	itp_function_table_free(made.functions);
	return output->len > 0 && fwrite(output->str, output->len, 1, stdout) == 1 ? 0 : 1;
}
