/* SPDX-License-Identifier: MIT */
/*
 * See profiles.h. A unit is summed when the thread's next unit is told: only then all calls across
 * its end have surely ended.
 */
#include "common/unit/profiles.h"

#include "common/base/context-function.h"
#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/infer/normalize.h"
#include "common/unit/spans.h"

/* Most calls kept, half a gigabyte; and most nodes of all profiles. */
#define CALLS_KEPT (1u << 21)
#define NODES_KEPT (1u << 20)
/* Most past calls in front of the others. */
#define CALLS_PAST 1024

struct thread {
	/* struct itp_instance, in the order of their ends; those below `first` are past. Owned by
	 * this. */
	GArray *calls;
	guint first;
	/* Time before which some calls were forgotten. */
	int64_t since_ns;
	/* struct itp_span. Owned by this. */
	GArray *spans;
	/* Unit told, and not summed yet. */
	bool has_unit;
	struct itp_unit unit;
	guint group;
	/* struct itp_unit_piece, of the unit. Owned by this. */
	GArray *pieces;
};

struct itp_unit_profiles {
	/* Weak. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* struct thread by tid, and in the order of their first call. Owned by this. */
	GHashTable *threads;
	GPtrArray *list;
	guint calls;
	/* struct itp_profile by group; NULL: none. Owned by this. */
	GPtrArray *by_group;
	guint nodes;
	struct itp_profile *none;
	struct itp_normalizer *normalizer;
	uint64_t left_out;
};

static void free_profiled_thread(gpointer data)
{
	struct thread *thread = data;

	g_array_unref(thread->calls);
	g_array_unref(thread->spans);
	g_array_unref(thread->pieces);
	g_free(thread);
}

static void free_profile(gpointer profile)
{
	itp_profile_free(profile);
}

static const struct itp_function *profiled_function(const void *data, uint32_t node)
{
	const struct itp_unit_profiles *profiles = data;

	return itp_context_function(profiles->tree, profiles->functions, node);
}

static uint32_t profiled_parent(const void *data, uint32_t node)
{
	const struct itp_unit_profiles *profiles = data;

	return itp_context_tree_get(profiles->tree, node)->parent;
}

struct itp_unit_profiles *itp_unit_profiles_new(const struct itp_context_tree *tree,
						const struct itp_function_table *functions,
						bool keeps_latencies)
{
	struct itp_unit_profiles *profiles = g_new0(struct itp_unit_profiles, 1);
	const struct itp_node_lookup lookup = { .function_of = profiled_function,
						.parent_of = profiled_parent,
						.data = profiles };

	profiles->tree = tree;
	profiles->functions = functions;
	profiles->threads = g_hash_table_new(itp_hash_number, NULL);
	profiles->list = g_ptr_array_new_with_free_func(free_profiled_thread);
	profiles->by_group = g_ptr_array_new_with_free_func(free_profile);
	profiles->none = itp_profile_new("");
	profiles->normalizer = itp_normalizer_new(ITP_ESTIMATE_BEST, profiles->none, &lookup);
	if (keeps_latencies) {
		itp_normalizer_keep_latencies(profiles->normalizer);
	}
	return profiles;
}

void itp_unit_profiles_free(struct itp_unit_profiles *profiles)
{
	if (profiles) {
		itp_normalizer_free(profiles->normalizer);
		itp_profile_free(profiles->none);
		g_ptr_array_unref(profiles->by_group);
		g_ptr_array_unref(profiles->list);
		g_hash_table_unref(profiles->threads);
		g_free(profiles);
	}
}

/* ---- Calls kept ---- */

static struct thread *thread_with_profile(struct itp_unit_profiles *profiles, int32_t tid)
{
	struct thread *thread = g_hash_table_lookup(profiles->threads, GINT_TO_POINTER(tid));

	if (!thread) {
		thread = g_new0(struct thread, 1);
		thread->calls = g_array_new(FALSE, FALSE, sizeof(struct itp_instance));
		thread->spans = g_array_new(FALSE, FALSE, sizeof(struct itp_span));
		thread->pieces = g_array_new(FALSE, FALSE, sizeof(struct itp_unit_piece));
		thread->since_ns = INT64_MIN;
		g_ptr_array_add(profiles->list, thread);
		g_hash_table_insert(profiles->threads, GINT_TO_POINTER(tid), thread);
	}
	return thread;
}

static const struct itp_instance *call_at(const struct thread *thread, guint i)
{
	return &g_array_index(thread->calls, struct itp_instance, i);
}

static void forget_calls(struct itp_unit_profiles *profiles, struct thread *thread, guint count)
{
	profiles->calls -= count;
	g_array_remove_range(thread->calls, 0, count);
	thread->first -= MIN(thread->first, count);
}

/* Forgets the calls of the thread with most of them, likely a thread without units. */
static void forget_most(struct itp_unit_profiles *profiles)
{
	struct thread *most = g_ptr_array_index(profiles->list, 0);

	for (guint i = 1; i < profiles->list->len; i++) {
		struct thread *thread = g_ptr_array_index(profiles->list, i);

		most = thread->calls->len > most->calls->len ? thread : most;
	}
	most->since_ns = itp_instance_end_ns(call_at(most, most->calls->len - 1));
	itp_spans_forget(most->spans, most->since_ns);
	forget_calls(profiles, most, most->calls->len);
}

void itp_unit_profiles_add(struct itp_unit_profiles *profiles, const struct itp_instance *call)
{
	struct thread *thread = thread_with_profile(profiles, call->tid);

	g_array_append_vals(thread->calls, call, 1);
	if (++profiles->calls == CALLS_KEPT) {
		forget_most(profiles);
	}
}

void itp_unit_profiles_add_stretch(struct itp_unit_profiles *profiles,
				   const struct itp_stretch *stretch)
{
	itp_spans_add(thread_with_profile(profiles, stretch->tid)->spans, stretch);
}

/* Passes over calls that had ended at the begin of the next unit. */
static void pass_over_calls(struct itp_unit_profiles *profiles, struct thread *thread,
			    int64_t time_ns)
{
	while (thread->first < thread->calls->len &&
	       itp_instance_end_ns(call_at(thread, thread->first)) <= time_ns) {
		thread->first++;
	}
	if (thread->first >= CALLS_PAST && 2 * thread->first >= thread->calls->len) {
		forget_calls(profiles, thread, thread->first);
		itp_spans_forget(thread->spans, time_ns);
	}
}

/* ---- Units ---- */

/* NULL: there would be too many nodes. */
static struct itp_profile *profile_of(struct itp_unit_profiles *profiles, guint group)
{
	GPtrArray *by_group = profiles->by_group;

	if (group >= by_group->len) {
		g_ptr_array_set_size(by_group, (gint)group + 1);
	}
	if (!by_group->pdata[group] && profiles->nodes < NODES_KEPT) {
		by_group->pdata[group] = itp_profile_new("");
	}
	return by_group->pdata[group];
}

static int push_part(struct itp_unit_profiles *profiles, struct itp_profile *profile,
		     const struct itp_instance *part, bool goes_on)
{
	profiles->nodes += itp_node_table_find(profile->nodes, part->node) == NULL;
	return goes_on ? itp_normalizer_push_open(profiles->normalizer, part) :
			 itp_normalizer_push(profiles->normalizer, part);
}

static struct itp_instance part_between(const struct itp_instance *call, int64_t begin_ns,
					int64_t end_ns, const struct itp_time_use *use)
{
	struct itp_instance part = *call;

	part.begin_ns = part.best_begin_ns = begin_ns;
	part.best_ns = part.conservative_ns = part.aggressive_ns = end_ns - begin_ns;
	part.lower_ns = part.upper_ns = end_ns - begin_ns;
	part.use = part.best_use = *use;
	return part;
}

/* Part of a call inside of a unit's piece; the two overlap. */
static struct itp_instance part_inside(const struct thread *thread, const struct itp_instance *call,
				       const struct itp_unit_piece *piece)
{
	const int64_t begin_ns = MAX(call->best_begin_ns, piece->begin_ns);
	const int64_t end_ns = MIN(itp_instance_end_ns(call), piece->end_ns);
	struct itp_time_use use = { 0, 0, 0 };

	if (begin_ns == call->best_begin_ns && end_ns == itp_instance_end_ns(call)) {
		return *call;
	}
	itp_spans_sum(thread->spans, begin_ns, end_ns, &use);
	return part_between(call, begin_ns, end_ns, &use);
}

/* Depth of a node, as instances count it. */
static uint32_t instance_depth(const struct itp_unit_profiles *profiles, uint32_t node)
{
	return itp_context_tree_get(profiles->tree, node)->depth - 1;
}

static int sum_piece_calls(struct itp_unit_profiles *profiles, const struct thread *thread,
			   struct itp_profile *profile, const struct itp_unit_piece *piece)
{
	const uint32_t depth = instance_depth(profiles, thread->unit.at);
	bool is_over = false;
	int error = ITP_OK;

	for (guint i = thread->first; error == ITP_OK && !is_over && i < thread->calls->len; i++) {
		const struct itp_instance *call = call_at(thread, i);
		const bool goes_on = itp_instance_end_ns(call) > piece->end_ns;

		if (call->depth > depth && itp_instance_end_ns(call) > piece->begin_ns &&
		    call->best_begin_ns < piece->end_ns) {
			const struct itp_instance part = part_inside(thread, call, piece);

			error = push_part(profiles, profile, &part, goes_on);
		}
		/* A callee of the loop ends behind the piece: all calls below it were told
		 * before. */
		is_over = goes_on && call->depth <= depth + 1;
	}
	return error;
}

/* Sums the calls in the unit's pieces, without its thread's work for other units. */
static int sum_pieces(struct itp_unit_profiles *profiles, const struct thread *thread,
		      struct itp_profile *profile)
{
	int error = ITP_OK;

	for (guint i = 0; error == ITP_OK && i < thread->pieces->len; i++) {
		struct itp_unit_piece piece =
			g_array_index(thread->pieces, struct itp_unit_piece, i);

		piece.begin_ns = MAX(piece.begin_ns, thread->unit.begin_ns);
		piece.end_ns = MIN(piece.end_ns, thread->unit.end_ns);
		if (piece.begin_ns < piece.end_ns) {
			error = sum_piece_calls(profiles, thread, profile, &piece);
		}
	}
	return error;
}

/* Sums the loop's function, and all callers of it. */
static int sum_loop(struct itp_unit_profiles *profiles, const struct thread *thread,
		    struct itp_profile *profile)
{
	const struct itp_unit *unit = &thread->unit;
	/* A single call for each unit. */
	const struct itp_instance call = {
		.pid = unit->pid, .tid = unit->tid, .max_calls = 1, .flags = ITP_INSTANCE_COUNTED
	};
	struct itp_instance whole = part_between(&call, unit->begin_ns, unit->end_ns, &unit->use);
	int error = ITP_OK;

	for (uint32_t node = unit->at; error == ITP_OK && node != ITP_CONTEXT_ROOT;
	     node = profiled_parent(profiles, node)) {
		whole.node = node;
		whole.depth = instance_depth(profiles, node);
		error = push_part(profiles, profile, &whole, false);
	}
	return error;
}

static int sum_unit(struct itp_unit_profiles *profiles, struct thread *thread)
{
	struct itp_profile *profile = thread->unit.begin_ns < thread->since_ns ?
					      NULL :
					      profile_of(profiles, thread->group);
	int error = ITP_OK;

	thread->has_unit = false;
	if (!profile) {
		profiles->left_out++;
		return ITP_OK;
	}
	itp_normalizer_set_profile(profiles->normalizer, profile);
	error = sum_pieces(profiles, thread, profile);
	return error == ITP_OK ? sum_loop(profiles, thread, profile) : error;
}

int itp_unit_profiles_add_unit(struct itp_unit_profiles *profiles, const struct itp_unit *unit,
			       guint group)
{
	struct thread *thread = thread_with_profile(profiles, unit->tid);
	const struct itp_unit_piece whole = { .begin_ns = INT64_MIN, .end_ns = INT64_MAX };
	const int error = thread->has_unit ? sum_unit(profiles, thread) : ITP_OK;

	pass_over_calls(profiles, thread, unit->oldest_ns);
	g_array_set_size(thread->pieces, 0);
	if (unit->pieces) {
		g_array_append_vals(thread->pieces, unit->pieces->data, unit->pieces->len);
	} else {
		g_array_append_val(thread->pieces, whole);
	}
	thread->unit = *unit;
	thread->unit.begin_ns = MAX(unit->begin_ns, unit->own_begin_ns);
	thread->group = group;
	thread->has_unit = true;
	return error;
}

int itp_unit_profiles_finish(struct itp_unit_profiles *profiles)
{
	int error = ITP_OK;

	for (guint i = 0; error == ITP_OK && i < profiles->list->len; i++) {
		struct thread *thread = g_ptr_array_index(profiles->list, i);

		if (thread->has_unit) {
			error = sum_unit(profiles, thread);
		}
	}
	return error;
}

uint64_t itp_unit_profiles_left_out(const struct itp_unit_profiles *profiles)
{
	return profiles->left_out;
}

void itp_unit_profiles_merge(const struct itp_unit_profiles *profiles, guint group,
			     struct itp_profile *profile)
{
	const struct itp_profile *own = group < profiles->by_group->len ?
						g_ptr_array_index(profiles->by_group, group) :
						NULL;
	const struct itp_infer_counts counts = profile->workload.counts;
	const bool is_complete = profile->workload.complete;

	if (own) {
		itp_profile_merge(profile, own);
		profile->workload.counts = counts;
		profile->workload.complete = is_complete;
	}
}
