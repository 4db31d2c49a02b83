/* SPDX-License-Identifier: MIT */
/*
 * See comparison.h.
 */
#include "tests/unit/comparison.h"

#include "tests/unit/support.h"

void comparison_set_up(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	*comparison = (struct comparison){ .functions = itp_function_table_new(),
					   .tree = itp_context_tree_new() };
	for (size_t i = 0; i < TEST_RUNS; i++) {
		comparison->suspect[i] = itp_profile_new("suspect");
		comparison->base[i] = itp_profile_new("base");
		comparison->suspect_units[i] = 1;
		comparison->base_units[i] = 1;
		/* Without a variance, times on the CPU are exact. */
		comparison->suspect[i]->workload.counts.timer_samples = 1;
		comparison->base[i]->workload.counts.timer_samples = 1;
	}
}

void comparison_tear_down(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	for (size_t i = 0; i < TEST_RUNS; i++) {
		itp_profile_free(comparison->suspect[i]);
		itp_profile_free(comparison->base[i]);
	}
	itp_context_tree_free(comparison->tree);
	itp_function_table_free(comparison->functions);
}

/* A word that ends with a colon before the stack is the process. */
uint32_t comparison_node_id(struct comparison *comparison, const char *stack)
{
	const char *colon = strstr(stack, ": ");
	g_autofree char *name = colon ? g_strndup(stack, (gsize)(colon - stack)) : g_strdup("p");
	const struct itp_function process = {
		.name = name, .module = "", .build_id = "", .layer = ITP_LAYER_PROCESS
	};
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	uint32_t node =
		itp_context_tree_child(comparison->tree, ITP_CONTEXT_ROOT,
				       itp_function_table_intern(comparison->functions, &process));

	test_frames(comparison->functions, colon ? colon + strlen(": ") : stack, frames);
	for (guint i = 0; i < frames->len; i++) {
		node = itp_context_tree_child(comparison->tree, node,
					      g_array_index(frames, struct itp_frame, i).function);
	}
	return node;
}

struct itp_node_stats *comparison_node(struct comparison *comparison, struct itp_profile *profile,
				       const char *stack)
{
	return itp_profile_node(profile, comparison_node_id(comparison, stack));
}

/* All of them were counted. */
static void set_count(struct itp_node_stats *stats, uint64_t count)
{
	stats->count = count;
	stats->max_count = count;
	stats->counted_count = count;
}

struct itp_node_stats *comparison_set(struct comparison *comparison, struct itp_profile *profile,
				      const char *stack, uint64_t count, int64_t own_ns)
{
	uint32_t node = comparison_node_id(comparison, stack);
	struct itp_node_stats *stats;

	for (uint32_t above = node; above != ITP_CONTEXT_ROOT;
	     above = itp_context_tree_get(comparison->tree, above)->parent) {
		stats = itp_profile_node(profile, above);
		stats->total_ns += own_ns;
		stats->use.cpu_ns += own_ns;
		set_count(stats, MAX(stats->count, 1));
		stats->square_sum_low =
			(uint64_t)(stats->total_ns * stats->total_ns) / stats->count;
	}
	stats = itp_profile_node(profile, node);
	set_count(stats, count);
	stats->own_ns = own_ns;
	stats->own_use.cpu_ns = own_ns;
	stats->square_sum_low = (uint64_t)(stats->total_ns * stats->total_ns) / MAX(count, 1);
	return stats;
}

void comparison_block(struct comparison *comparison, struct itp_profile *profile, const char *stack,
		      uint64_t count, int64_t own_ns)
{
	struct itp_node_stats *stats = comparison_set(comparison, profile, stack, count, own_ns);

	stats->own_use = (struct itp_time_use){ .blocked_ns = own_ns };
	for (uint32_t above = comparison_node_id(comparison, stack); above != ITP_CONTEXT_ROOT;
	     above = itp_context_tree_get(comparison->tree, above)->parent) {
		itp_profile_node(profile, above)->use.cpu_ns -= own_ns;
		itp_profile_node(profile, above)->use.blocked_ns += own_ns;
	}
}

/* Those that hold anything, at least the first. */
static size_t count_runs(struct itp_profile *const *runs)
{
	size_t count = 1;

	while (count < TEST_RUNS && !itp_profile_is_empty(runs[count])) {
		count++;
	}
	return count;
}

void comparison_wait_for_cpu(struct comparison *comparison, struct itp_profile *profile,
			     const char *stack, int64_t waited_ns, const char *taker)
{
	const struct itp_function process = {
		.name = taker, .module = "", .build_id = "", .layer = ITP_LAYER_PROCESS
	};
	const uint32_t node = comparison_node_id(comparison, stack);
	const struct itp_waker waker = {
		.node = node,
		.role = ITP_WAKER_HAD_CPU,
		.process = itp_function_table_intern(comparison->functions, &process),
		.count = 1,
		.blocked_ns = waited_ns,
	};
	struct itp_node_stats *stats = itp_profile_node(profile, node);

	stats->own_ns += waited_ns;
	stats->total_ns += waited_ns;
	stats->own_use.runnable_ns += waited_ns;
	itp_wakers_add(profile->wakers, &waker);
}

struct itp_ranking *comparison_rank(const struct comparison *comparison,
				    const struct itp_ranking_options *options, bool with_base)
{
	const struct itp_runs suspect = {
		.profiles = (const struct itp_profile *const *)comparison->suspect,
		.count = count_runs(comparison->suspect),
		.units = comparison->suspect_units,
	};
	const struct itp_runs base = {
		.profiles = (const struct itp_profile *const *)comparison->base,
		.count = count_runs(comparison->base),
		.units = comparison->base_units,
	};

	return itp_ranking_new(options, comparison->functions, comparison->tree, &suspect,
			       with_base ? &base : NULL);
}

const struct itp_ranked_path *comparison_path(const struct itp_ranking *ranking, guint i)
{
	g_assert_cmpuint(i, <, ranking->paths->len);
	return &g_array_index(ranking->paths, struct itp_ranked_path, i);
}

static const char *name_of(const struct itp_ranking *ranking, const struct itp_ranked_frame *frame)
{
	return itp_function_table_get(ranking->functions, frame->function)->name;
}

const char *comparison_culprit(const struct itp_ranking *ranking, guint i)
{
	const struct itp_ranked_path *path = comparison_path(ranking, i);

	return path->culprit < 0 ? "-" : name_of(ranking, &path->frames[path->culprit]);
}

const char *comparison_leaf(const struct itp_ranking *ranking, guint i)
{
	const struct itp_ranked_path *path = comparison_path(ranking, i);

	return name_of(ranking, &path->frames[path->frame_count - 1]);
}
