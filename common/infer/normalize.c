/* SPDX-License-Identifier: MIT */
/*
 * Own latency of every instance, from a stack of pending sums for each thread.
 *
 * The pending sum at depth d is the time taken by closed instances of depth d out of the instance
 * of depth d − 1 that is still open. An instance ended by loss counts with its time, but not as a
 * call: the own latencies of a thread add up to its observed time, whatever was lost.
 *
 * With periods, every pending number or sum is the growth over the periods told before.
 */
#include "common/infer/normalize.h"

#include "common/base/error.h"
#include "common/base/hash.h"

/* Time taken by children from their parent. */
struct share {
	int64_t latency_ns;
	/* Bounds of it, belonging to nobody else. */
	int64_t lower_ns;
	int64_t upper_ns;
	struct itp_time_use use;
};

/* Depth of a thread. */
struct level {
	struct share pending;
	/* Part of the open instance with this begin in the profiles of earlier periods. */
	int64_t begin_ns;
	uint32_t node;
	struct share told;
};

/* Windows of a node: the last window in which it was called, the number of calls that its calls
 * stand for, and the number of the window before. */
struct in_window {
	uint32_t window;
	uint64_t calls;
	uint64_t calls_before;
};

struct itp_normalizer {
	enum itp_estimate estimate;
	/* Weak. */
	struct itp_profile *profile;
	struct itp_node_lookup lookup;
	bool keeps_latencies;
	/* struct in_window by node. Owned by this. */
	GArray *in_windows;
	/* int64_t by node: corrections of own CPU time not yet in effect. Owned by this. */
	GArray *corrections_ns;
	/* tid → GArray of struct level, indexed by depth. Owned by this. */
	GHashTable *levels_by_tid;
	/* The thread of the last instance and its array: instances come in runs. Weak. */
	GArray *last_levels;
	int32_t last_tid;
};

static void free_levels(gpointer array)
{
	g_array_free(array, TRUE);
}

struct itp_normalizer *itp_normalizer_new(enum itp_estimate estimate, struct itp_profile *profile,
					  const struct itp_node_lookup *lookup)
{
	struct itp_normalizer *normalizer = g_new0(struct itp_normalizer, 1);

	normalizer->estimate = estimate;
	normalizer->profile = profile;
	normalizer->lookup = *lookup;
	normalizer->in_windows = g_array_new(FALSE, TRUE, sizeof(struct in_window));
	normalizer->corrections_ns = g_array_new(FALSE, TRUE, sizeof(int64_t));
	normalizer->levels_by_tid = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_levels);
	return normalizer;
}

void itp_normalizer_keep_latencies(struct itp_normalizer *normalizer)
{
	normalizer->keeps_latencies = true;
}

void itp_normalizer_free(struct itp_normalizer *normalizer)
{
	if (!normalizer) {
		return;
	}
	g_hash_table_destroy(normalizer->levels_by_tid);
	g_array_free(normalizer->in_windows, TRUE);
	g_array_free(normalizer->corrections_ns, TRUE);
	g_free(normalizer);
}

static GArray *levels_of(struct itp_normalizer *normalizer, int32_t tid)
{
	gpointer key = GINT_TO_POINTER(tid);

	if (!normalizer->last_levels || normalizer->last_tid != tid) {
		GArray *levels = g_hash_table_lookup(normalizer->levels_by_tid, key);

		if (!levels) {
			levels = g_array_new(FALSE, TRUE, sizeof(struct level));
			g_hash_table_insert(normalizer->levels_by_tid, key, levels);
		}
		normalizer->last_levels = levels;
		normalizer->last_tid = tid;
	}
	return normalizer->last_levels;
}

static void forget_thread(struct itp_normalizer *normalizer, int32_t tid)
{
	g_hash_table_remove(normalizer->levels_by_tid, GINT_TO_POINTER(tid));
	normalizer->last_levels = NULL;
}

static void add_share(struct share *share, const struct share *other, int64_t sign)
{
	share->latency_ns += sign * other->latency_ns;
	share->lower_ns += sign * other->lower_ns;
	share->upper_ns += sign * other->upper_ns;
	itp_time_use_add(&share->use, &other->use, sign);
}

/* Time of the instance by the chosen estimate. The use of the aggressive span is unknown. Of calls
 * that nothing told apart, all are in the bounds. */
static struct share share_of_instance(enum itp_estimate estimate,
				      const struct itp_instance *instance)
{
	struct share share = { .latency_ns = instance->conservative_ns,
			       .lower_ns = instance->conservative_ns,
			       .upper_ns = instance->upper_ns,
			       .use = instance->use };

	if (estimate == ITP_ESTIMATE_AGGRESSIVE) {
		share.latency_ns = instance->aggressive_ns;
	} else if (estimate == ITP_ESTIMATE_BEST) {
		share.latency_ns = instance->best_ns;
		share.use = instance->best_use;
	}
	return share;
}

/* The window's sums begin. */
static void begin_window(struct in_window *in_window, uint32_t window)
{
	const bool is_next = window == in_window->window + 1;

	*in_window = (struct in_window){
		.window = window,
		.calls_before = is_next ? in_window->calls : 0,
	};
}

/* Growth of the variance of a node's number of calls by one call. The variance is half the sum of
 * squared differences from each window to the next of the calls stood for, with nothing before the
 * first and behind the last. Example: 30, 30 and 50 calls have the differences 30, 0, 20 and -50,
 * and the variance 1900. A call of a window before the last one is taken as a window of its own. */
static uint64_t more_variance(struct itp_normalizer *normalizer,
			      const struct itp_instance *instance)
{
	const uint64_t n = (uint64_t)instance->unseen_calls + 1;
	struct in_window *in_window;
	uint64_t more;

	if (instance->node >= normalizer->in_windows->len) {
		g_array_set_size(normalizer->in_windows, instance->node + 1);
	}
	in_window = &g_array_index(normalizer->in_windows, struct in_window, instance->node);
	if (instance->window < in_window->window) {
		return n * n;
	}
	if (instance->window > in_window->window) {
		begin_window(in_window, instance->window);
	}
	/* May be negative: numbers without a sign add up alike. */
	more = n * (2 * in_window->calls + n - in_window->calls_before);
	in_window->calls += n;
	return more;
}

/* How many calls the instance stands for. The first one of a context was a call, whether anybody
 * watched or not. */
static uint32_t calls_of_instance(const struct itp_node_stats *stats,
				  const struct itp_instance *instance)
{
	const int64_t calls = (int64_t)instance->unseen_calls + 1;

	return (uint32_t)MAX(calls, stats->count == 0 ? 1 : 0);
}

/* Counts the calls of an instance, whose time and bounds are added apart. */
static void count_calls(struct itp_node_stats *stats, const struct itp_instance *instance,
			int64_t latency_ns, uint32_t calls)
{
	itp_node_stats_count(stats, latency_ns, calls);
	stats->max_count += (uint64_t)instance->max_calls + calls - 1;
	stats->counted_count += (instance->flags & ITP_INSTANCE_COUNTED) != 0 ? calls : 0;
	stats->shown_count += (instance->flags & ITP_INSTANCE_SHOWS) != 0 ? calls : 0;
	/* A call that began before is counted, but not among those that events could tell. */
	stats->part_count += (instance->flags & ITP_INSTANCE_PART) != 0 ||
					     ((instance->flags & ITP_INSTANCE_BEGIN_UNKNOWN) != 0 &&
					      (instance->flags & ITP_INSTANCE_SHOWS) == 0) ?
				     calls :
				     0;
}

/* Adds the time of an instance without its direct children's. */
static void add_instance_time(struct itp_node_stats *stats, const struct share *share,
			      const struct share *children)
{
	stats->total_ns += share->latency_ns;
	stats->lower_ns += share->lower_ns;
	stats->upper_ns += share->upper_ns;
	stats->own_ns += share->latency_ns - children->latency_ns;
	itp_time_use_add(&stats->use, &share->use, 1);
	itp_time_use_add(&stats->own_use, &share->use, 1);
	itp_time_use_add(&stats->own_use, &children->use, -1);
}

static void keep_call(const struct itp_normalizer *normalizer, const struct itp_instance *instance,
		      int64_t latency_ns)
{
	const struct itp_slow_call call = {
		.node = instance->node,
		.pid = instance->pid,
		.tid = instance->tid,
		.flags = instance->flags & ~ITP_INSTANCE_COUNT_FLAGS,
		.begin_ns = normalizer->estimate == ITP_ESTIMATE_BEST ? instance->best_begin_ns :
									instance->begin_ns,
		.latency_ns = latency_ns,
		.lower_ns = instance->lower_ns,
		.upper_ns = instance->upper_ns,
	};

	if (itp_slowest_suits(
		    normalizer->lookup.function_of(normalizer->lookup.data, instance->node))) {
		itp_slowest_add(normalizer->profile->slowest, &call);
	}
}

/* Level of the instance, in front of the level of its callees. NULL when it is too deep. */
static struct level *level_of(struct itp_normalizer *normalizer,
			      const struct itp_instance *instance)
{
	GArray *levels;

	/* Levels for the thread itself and for a system call come on top. */
	if (instance->depth > ITP_MAX_STACK_DEPTH + 2) {
		return NULL;
	}
	levels = levels_of(normalizer, instance->tid);
	if (levels->len < instance->depth + 2) {
		g_array_set_size(levels, instance->depth + 2);
	}
	return &g_array_index(levels, struct level, instance->depth);
}

/* Adds the instance's time beyond the part told before. */
static void push_share(struct itp_node_stats *stats, const struct itp_instance *instance,
		       const struct share *share, struct level *level)
{
	struct share more = *share;

	if (level->node == instance->node && level->begin_ns == instance->begin_ns) {
		add_share(&more, &level->told, -1);
	}
	add_instance_time(stats, &more, &level[1].pending);
	add_share(&level->pending, &more, 1);
}

static void push_call(struct itp_normalizer *normalizer, struct itp_node_stats *stats,
		      const struct itp_instance *instance, int64_t latency_ns)
{
	const uint32_t calls = calls_of_instance(stats, instance);

	keep_call(normalizer, instance, latency_ns);
	if (calls == 0) {
		return;
	}
	if (instance->unseen_calls > 0) {
		stats->count_variance += more_variance(normalizer, instance);
	}
	count_calls(stats, instance, latency_ns, calls);
	if (normalizer->keeps_latencies) {
		itp_latencies_add(normalizer->profile->latencies, instance->node, latency_ns,
				  calls);
	}
}

int itp_normalizer_push(struct itp_normalizer *normalizer, const struct itp_instance *instance)
{
	struct level *level = level_of(normalizer, instance);
	struct itp_node_stats *stats;
	struct share share;

	if (!level) {
		return ITP_ERROR_LIMIT;
	}
	stats = itp_profile_node(normalizer->profile, instance->node);
	share = share_of_instance(normalizer->estimate, instance);
	if (instance->flags & ITP_INSTANCE_LOST) {
		stats->lost_count++;
	} else {
		push_call(normalizer, stats, instance, share.latency_ns);
	}
	push_share(stats, instance, &share, level);
	level[1].pending = (struct share){ 0 };
	level->node = ITP_CONTEXT_ROOT;
	if (instance->depth == 0) {
		forget_thread(normalizer, instance->tid);
	}
	return ITP_OK;
}

int itp_normalizer_push_open(struct itp_normalizer *normalizer, const struct itp_instance *instance)
{
	struct level *level = level_of(normalizer, instance);
	struct share share = share_of_instance(normalizer->estimate, instance);

	if (!level) {
		return ITP_ERROR_LIMIT;
	}
	push_share(itp_profile_node(normalizer->profile, instance->node), instance, &share, level);
	level[1].pending = (struct share){ 0 };
	level->node = instance->node;
	level->begin_ns = instance->begin_ns;
	level->told = share;
	return ITP_OK;
}

void itp_normalizer_push_share(struct itp_normalizer *normalizer, const struct itp_share *share)
{
	struct itp_node_stats *stats = itp_profile_node(normalizer->profile, share->node);
	GArray *corrections_ns = normalizer->corrections_ns;

	stats->samples += share->samples;
	stats->own_variance_us2 += share->variance_us2;
	stats->demand.wanted_ns += share->demand.wanted_ns;
	stats->demand.life_ns += share->demand.life_ns;
	stats->demand.passed_ns += share->demand.passed_ns;
	if (normalizer->estimate != ITP_ESTIMATE_BEST) {
		return;
	}
	if (share->node >= corrections_ns->len) {
		g_array_set_size(corrections_ns, share->node + 1);
	}
	g_array_index(corrections_ns, int64_t, share->node) += share->cpu_ns;
	stats->own_ns += share->cpu_ns;
	stats->own_use.cpu_ns += share->cpu_ns;
}

/* Time of calls that no stack shows is in no bound yet. */
static void correct_total(struct itp_node_stats *stats, int64_t correction_ns)
{
	stats->total_ns += correction_ns;
	stats->use.cpu_ns += correction_ns;
	stats->lower_ns = MIN(stats->lower_ns, stats->total_ns);
	stats->upper_ns = MAX(stats->upper_ns, stats->total_ns);
}

void itp_normalizer_conclude(struct itp_normalizer *normalizer)
{
	GArray *corrections_ns = normalizer->corrections_ns;

	for (uint32_t node = corrections_ns->len; node-- > ITP_CONTEXT_ROOT + 1;) {
		int64_t correction_ns = g_array_index(corrections_ns, int64_t, node);
		uint32_t parent = normalizer->lookup.parent_of(normalizer->lookup.data, node);

		if (correction_ns != 0) {
			g_array_index(corrections_ns, int64_t, parent) += correction_ns;
			correct_total(itp_profile_node(normalizer->profile, node), correction_ns);
		}
	}
	g_array_set_size(corrections_ns, 0);
}

void itp_normalizer_set_profile(struct itp_normalizer *normalizer, struct itp_profile *profile)
{
	normalizer->profile = profile;
}
