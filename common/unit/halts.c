/* SPDX-License-Identifier: MIT */
/*
 * See halts.h. A call is handed out when all that it called has been, so what has ended since a
 * wait, and how deep, tells which functions have stayed.
 */
#include "common/unit/halts.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/unit/path-sets.h"
#include "common/unit/spans.h"

struct thread {
	/* There was a wait before. */
	bool has_waited;
	uint32_t left_depth;
	bool is_unsure;
	/* The kernel was seen waiting for data in the system call at hand; or to do anything. */
	bool is_for_data;
	bool is_in_kernel;
	/* struct itp_span, since the wait before began, and the sums of those that are not kept: of
	 * that wait, and since it ended. Owned by this. */
	GArray *spans;
	struct itp_time_use past_before_use;
	struct itp_time_use past_use;
	int64_t before_ns;
	int64_t since_ns;
	/* As in struct itp_halt. Owned by this. */
	GArray *paths;
	GArray *ticks;
	/* Who ended its latest wait, and when. */
	int32_t signaller;
	int64_t signal_ns;
};

/* So many are kept until the thread waits. */
#define SPANS_KEPT 4096
#define TICKS_KEPT 4096

/* What is known of a context. */
enum {
	IS_LOOKED_UP = 1 << 0,
	IS_PROVEN = 1 << 1,
	/* A call there did not wait for what was not there: none does. */
	IS_LOOK = 1 << 2,
	/* From this bit on, an enum itp_wait_class. */
	CLASS_SHIFT = 3,
};

struct itp_halts {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	itp_halt_func on_halt;
	void *data;
	/* struct thread by tid. Owned by this. */
	GHashTable *threads;
	/* uint8_t by node: the bits above. Owned by this. */
	GByteArray *contexts;
};

static void free_thread(gpointer data)
{
	struct thread *thread = data;

	g_array_unref(thread->spans);
	g_array_unref(thread->paths);
	g_array_unref(thread->ticks);
	g_free(thread);
}

struct itp_halts *itp_halts_new(const struct itp_context_tree *tree,
				const struct itp_function_table *functions, itp_halt_func on_halt,
				void *data)
{
	struct itp_halts *halts = g_new0(struct itp_halts, 1);

	halts->tree = tree;
	halts->functions = functions;
	halts->on_halt = on_halt;
	halts->data = data;
	halts->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_thread);
	halts->contexts = g_byte_array_new();
	return halts;
}

void itp_halts_free(struct itp_halts *halts)
{
	g_hash_table_unref(halts->threads);
	g_byte_array_unref(halts->contexts);
	g_free(halts);
}

static struct thread *thread_of(struct itp_halts *halts, int32_t tid)
{
	struct thread *thread = g_hash_table_lookup(halts->threads, GINT_TO_POINTER(tid));

	if (!thread) {
		thread = g_new0(struct thread, 1);
		thread->spans = g_array_new(FALSE, FALSE, sizeof(struct itp_span));
		thread->paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		thread->ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_hash_table_insert(halts->threads, GINT_TO_POINTER(tid), thread);
	}
	return thread;
}

/* ---- Contexts ---- */

static uint8_t *context_at(struct itp_halts *halts, uint32_t node)
{
	guint length = halts->contexts->len;

	if (node >= length) {
		g_byte_array_set_size(halts->contexts, MAX(2 * length, node + 1));
		memset(halts->contexts->data + length, 0, halts->contexts->len - length);
	}
	return &halts->contexts->data[node];
}

static void look_up(const struct itp_halts *halts, uint32_t node, uint8_t *context)
{
	enum itp_wait_class class = itp_wait_class_of(halts->tree, halts->functions, node);

	*context = IS_LOOKED_UP | (uint8_t)(class << CLASS_SHIFT);
	if (!itp_wait_class_needs_proof(class)) {
		*context |= IS_PROVEN;
	}
}

/* A thread that signals waits for it as one that reads a pipe: it leaves the CPU blocked, and where
 * the kernel's functions are recorded, these tell. */
static bool is_proof(const struct thread *thread, enum itp_wait_class class,
		     const struct itp_instance *wait)
{
	return wait->use.blocked_ns > 0 &&
	       (class != ITP_WAIT_CLASS_DATA || thread->is_for_data || !thread->is_in_kernel);
}

/* What the system call that has ended waits for, or would wait for. */
static enum itp_wait_class class_of(struct itp_halts *halts, const struct thread *thread,
				    const struct itp_instance *wait, bool *ret_only_looks)
{
	uint8_t *context = context_at(halts, wait->node);
	enum itp_wait_class class;

	if (!(*context & IS_LOOKED_UP)) {
		look_up(halts, wait->node, context);
	}
	class = (enum itp_wait_class)(*context >> CLASS_SHIFT);
	if (!(*context & IS_PROVEN) && is_proof(thread, class, wait)) {
		*context |= IS_PROVEN;
	}
	if (class == ITP_WAIT_CLASS_DATA && wait->would_block && wait->use.blocked_ns == 0) {
		*context |= IS_LOOK;
	}
	*ret_only_looks = !(*context & IS_PROVEN) || (*context & IS_LOOK);
	return *ret_only_looks && class != ITP_WAIT_CLASS_DATA ? ITP_WAIT_CLASS_NONE : class;
}

/* ---- Calls ---- */

/* In the tree, where the thread itself is a node. */
static uint32_t depth_of(const struct itp_instance *instance)
{
	return instance->depth + 1;
}

static void leave(struct thread *thread, const struct itp_instance *call)
{
	thread->left_depth = MIN(thread->left_depth, depth_of(call));
}

/* Adds what of the spans lies in the wait before, and behind that until `end_ns`. */
static void add_spans(const struct thread *thread, int64_t end_ns, struct itp_time_use *before_use,
		      struct itp_time_use *use)
{
	itp_spans_sum(thread->spans, thread->before_ns, thread->since_ns, before_use);
	itp_spans_sum(thread->spans, thread->since_ns, end_ns, use);
}

/* Adds the context in which a tick found the thread: its innermost function outside of the kernel,
 * such as the system call that it was in. A tick in the latest wait is told behind that, and is of
 * no use. */
static void add_tick(const struct itp_halts *halts, struct thread *thread,
		     const struct itp_stretch *stretch)
{
	uint32_t node = stretch->node;

	while (node != ITP_CONTEXT_ROOT &&
	       itp_function_table_get(halts->functions,
				      itp_context_tree_get(halts->tree, node)->function)
			       ->layer == ITP_LAYER_KERNEL) {
		node = itp_context_tree_get(halts->tree, node)->parent;
	}
	if (node != ITP_CONTEXT_ROOT && stretch->end_ns > thread->since_ns &&
	    thread->ticks->len < TICKS_KEPT) {
		g_array_append_val(thread->ticks, node);
	}
}

/* Removes the ticks in the wait at which the thread has just arrived: these came last. */
static void remove_ticks_of(struct thread *thread, uint32_t wait)
{
	GArray *ticks = thread->ticks;

	while (ticks->len > 0 && g_array_index(ticks, uint32_t, ticks->len - 1) == wait) {
		g_array_set_size(ticks, ticks->len - 1);
	}
}

void itp_halts_add_stretch(struct itp_halts *halts, const struct itp_stretch *stretch)
{
	struct thread *thread = thread_of(halts, stretch->tid);

	/* Its stack was not believed. */
	thread->is_unsure |= stretch->node == ITP_CONTEXT_ROOT;
	if (stretch->kind == ITP_STRETCH_WAIT) {
		thread->signaller = stretch->waker_tid;
		thread->signal_ns = stretch->end_ns;
	}
	if (stretch->ticks > 0) {
		add_tick(halts, thread, stretch);
	}
	if (thread->spans->len == SPANS_KEPT) {
		add_spans(thread, INT64_MAX, &thread->past_before_use, &thread->past_use);
		g_array_set_size(thread->spans, 0);
	}
	itp_spans_add(thread->spans, stretch);
}

/* What was until a wait that lasts from `begin_ns` to `end_ns`. */
static void forget_past(struct thread *thread, int64_t begin_ns, int64_t end_ns)
{
	itp_spans_forget(thread->spans, begin_ns);
	thread->past_before_use = (struct itp_time_use){ 0, 0, 0 };
	thread->past_use = (struct itp_time_use){ 0, 0, 0 };
	thread->before_ns = begin_ns;
	thread->since_ns = end_ns;
	thread->left_depth = UINT32_MAX;
	thread->is_unsure = false;
	g_array_set_size(thread->paths, 0);
	g_array_set_size(thread->ticks, 0);
}

static void add_halt(struct itp_halts *halts, struct thread *thread,
		     const struct itp_instance *wait, enum itp_wait_class class, bool only_looks)
{
	const int64_t end_ns = wait->best_begin_ns + wait->best_ns;
	const bool was_ended = thread->signal_ns > wait->best_begin_ns &&
			       thread->signal_ns <= end_ns;
	struct itp_time_use own = { 0, 0, 0 };
	struct itp_halt halt = {
		.pid = wait->pid,
		.tid = wait->tid,
		.node = wait->node,
		.class = class,
		.only_looks = only_looks,
		.would_block = wait->would_block,
		.begin_ns = wait->best_begin_ns,
		.end_ns = end_ns,
		.signaller = was_ended ? thread->signaller : 0,
		.signal_ns = thread->signal_ns,
		.left_depth = thread->has_waited ? thread->left_depth : 0,
		.is_unsure = thread->has_waited && thread->is_unsure,
		.before_use = thread->past_before_use,
		.use = thread->past_use,
		.paths = thread->paths,
		.ticks = thread->ticks,
	};

	remove_ticks_of(thread, wait->node);
	add_spans(thread, halt.begin_ns, &halt.before_use, &halt.use);
	itp_spans_sum(thread->spans, halt.begin_ns, end_ns, &own);
	halt.blocked_ns = own.blocked_ns;
	halts->on_halt(&halt, halts->data);
	forget_past(thread, halt.begin_ns, end_ns);
	thread->has_waited = true;
	thread->left_depth = depth_of(wait);
}

/* Nothing of what comes has to do with what was. */
static void cut(struct itp_halts *halts, struct thread *thread, const struct itp_instance *instance)
{
	const struct itp_halt halt = {
		.pid = instance->pid,
		.tid = instance->tid,
		.node = ITP_CONTEXT_ROOT,
		.begin_ns = instance->best_begin_ns + instance->best_ns,
		.end_ns = instance->best_begin_ns + instance->best_ns,
		.paths = thread->paths,
		.ticks = thread->ticks,
	};

	if (thread->has_waited) {
		halts->on_halt(&halt, halts->data);
	}
	forget_past(thread, halt.end_ns, halt.end_ns);
	thread->has_waited = false;
}

static void add_syscall(struct itp_halts *halts, struct thread *thread,
			const struct itp_instance *call)
{
	bool only_looks;
	enum itp_wait_class class = class_of(halts, thread, call, &only_looks);

	if (class != ITP_WAIT_CLASS_NONE) {
		add_halt(halts, thread, call, class, only_looks);
	} else {
		itp_path_set_add(thread->paths, &call->node, 1);
		leave(thread, call);
	}
	thread->is_for_data = false;
	thread->is_in_kernel = false;
}

static void add_call(struct thread *thread, const struct itp_function *function,
		     const struct itp_instance *call)
{
	if (function->layer == ITP_LAYER_KERNEL) {
		thread->is_in_kernel = true;
		thread->is_for_data |= itp_wait_is_for_data(function);
	}
	thread->is_unsure |= g_str_equal(function->name, ITP_UNKNOWN_CALLERS_NAME);
	leave(thread, call);
}

void itp_halts_add(struct itp_halts *halts, const struct itp_instance *instance)
{
	struct thread *thread = thread_of(halts, instance->tid);
	const struct itp_function *function = itp_function_table_get(
		halts->functions, itp_context_tree_get(halts->tree, instance->node)->function);

	if (instance->depth == 0 || (instance->flags & ITP_INSTANCE_LOST)) {
		cut(halts, thread, instance);
	} else if (function->layer == ITP_LAYER_SYSCALL) {
		add_syscall(halts, thread, instance);
	} else {
		add_call(thread, function, instance);
	}
	if (instance->depth == 0) {
		g_hash_table_remove(halts->threads, GINT_TO_POINTER(instance->tid));
	}
}
