/* SPDX-License-Identifier: MIT */
/*
 * Own latency of every instance, from one stack of pending sums a thread.
 *
 * pending[d] holds what the closed instances of depth d took out of the instance of depth d − 1
 * that is still open. An instance that loss ended is not counted itself, so what was pending
 * below it goes on to its caller: the own latencies of a thread add up to its observed time.
 */
#include "common/infer/normalize.h"

#include "common/error.h"

/* What children take from their parent. */
struct share {
	int64_t latency_ns;
	struct itp_time_use use;
};

struct itp_normalizer {
	enum itp_estimate estimate;
	/* Weak. */
	struct itp_profile *profile;
	itp_node_function_func function_of;
	const void *data;
	/* tid → GArray of struct share, indexed by depth. Owned by this. */
	GHashTable *pending_by_tid;
	/* The thread of the last instance and its array: instances come in runs. Weak. */
	GArray *last_pending;
	int32_t last_tid;
};

static void free_pending(gpointer array)
{
	g_array_free(array, TRUE);
}

struct itp_normalizer *itp_normalizer_new(enum itp_estimate estimate, struct itp_profile *profile,
					  itp_node_function_func function_of, const void *data)
{
	struct itp_normalizer *normalizer = g_new0(struct itp_normalizer, 1);

	normalizer->estimate = estimate;
	normalizer->profile = profile;
	normalizer->function_of = function_of;
	normalizer->data = data;
	normalizer->pending_by_tid = g_hash_table_new_full(NULL, NULL, NULL, free_pending);
	return normalizer;
}

void itp_normalizer_free(struct itp_normalizer *normalizer)
{
	if (!normalizer) {
		return;
	}
	g_hash_table_destroy(normalizer->pending_by_tid);
	g_free(normalizer);
}

static GArray *pending_of(struct itp_normalizer *normalizer, int32_t tid)
{
	gpointer key = GINT_TO_POINTER(tid);

	if (!normalizer->last_pending || normalizer->last_tid != tid) {
		GArray *pending = g_hash_table_lookup(normalizer->pending_by_tid, key);

		if (!pending) {
			pending = g_array_new(FALSE, TRUE, sizeof(struct share));
			g_hash_table_insert(normalizer->pending_by_tid, key, pending);
		}
		normalizer->last_pending = pending;
		normalizer->last_tid = tid;
	}
	return normalizer->last_pending;
}

static void forget_thread(struct itp_normalizer *normalizer, int32_t tid)
{
	g_hash_table_remove(normalizer->pending_by_tid, GINT_TO_POINTER(tid));
	normalizer->last_pending = NULL;
}

static void add_share(struct share *share, const struct share *other)
{
	share->latency_ns += other->latency_ns;
	itp_time_use_add(&share->use, &other->use, 1);
}

/* What the instance takes, by the chosen estimate. The use of the aggressive span is not known. */
static struct share share_of(enum itp_estimate estimate, const struct itp_instance *instance)
{
	switch (estimate) {
	case ITP_ESTIMATE_AGGRESSIVE:
		return (struct share){ instance->aggressive_ns, instance->use };
	case ITP_ESTIMATE_BEST:
		return (struct share){ instance->best_ns, instance->best_use };
	case ITP_ESTIMATE_CONSERVATIVE:
		break;
	}
	return (struct share){ instance->conservative_ns, instance->use };
}

/* Counts the instance without `children`, its direct children's share. */
static void count_instance(struct itp_node_stats *stats, const struct itp_instance *instance,
			   const struct share *share, const struct share *children)
{
	/* Of calls that nothing told apart, all are in the sum. */
	itp_node_stats_add(stats, share->latency_ns, instance->conservative_ns, instance->upper_ns);
	stats->max_count += instance->max_calls;
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
		.flags = instance->flags,
		.begin_ns = normalizer->estimate == ITP_ESTIMATE_BEST ? instance->best_begin_ns :
									instance->begin_ns,
		.latency_ns = latency_ns,
		.lower_ns = instance->lower_ns,
		.upper_ns = instance->upper_ns,
	};

	if (itp_slowest_suits(normalizer->function_of(normalizer->data, instance->node))) {
		itp_slowest_add(normalizer->profile->slowest, &call);
	}
}

int itp_normalizer_push(struct itp_normalizer *normalizer, const struct itp_instance *instance)
{
	struct itp_node_stats *stats;
	struct share *caller;
	struct share *children;
	GArray *pending;

	/* One level for the thread itself and one for a system call. */
	if (instance->depth > ITP_MAX_STACK_DEPTH + 2) {
		return ITP_ERROR_LIMIT;
	}
	stats = itp_profile_node(normalizer->profile, instance->node);
	pending = pending_of(normalizer, instance->tid);
	if (pending->len < instance->depth + 2) {
		g_array_set_size(pending, instance->depth + 2);
	}
	caller = &g_array_index(pending, struct share, instance->depth);
	children = caller + 1;
	if (instance->flags & ITP_INSTANCE_LOST) {
		stats->lost_count++;
		add_share(caller, children);
	} else {
		struct share share = share_of(normalizer->estimate, instance);

		count_instance(stats, instance, &share, children);
		keep_call(normalizer, instance, share.latency_ns);
		add_share(caller, &share);
	}
	*children = (struct share){ 0 };
	if (instance->depth == 0) {
		forget_thread(normalizer, instance->tid);
	}
	return ITP_OK;
}
