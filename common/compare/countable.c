/* SPDX-License-Identifier: MIT */
/*
 * See countable.h.
 */
#include "common/compare/countable.h"

#include "common/base/order.h"
#include "common/known/modules.h"
#include "common/rank/side.h"

/* Most names in a list. */
#define NAMES_MOST 8

/* A function and its calls in all contexts. */
struct countable {
	/* Weak, of the function table. */
	const struct itp_function *function;
	struct itp_call_bounds calls;
	int64_t total_ns;
};

/* Sums by function. */
static struct countable *sum_calls(const struct itp_profile *profile,
				   const struct itp_function_table *functions,
				   const struct itp_context_tree *tree)
{
	struct countable *sums = g_new0(struct countable, itp_function_table_size(functions));
	g_autofree uint8_t *telling = itp_calls_telling(profile, functions, tree);

	for (uint32_t node = 1; node < itp_context_tree_size(tree); node++) {
		const uint32_t id = itp_context_tree_get(tree, node)->function;
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);

		sums[id].function = itp_function_table_get(functions, id);
		sums[id].calls = itp_call_bounds_sum(sums[id].calls,
						     itp_calls_of(profile, stats, telling[id]));
		sums[id].total_ns += stats->total_ns;
	}
	return sums;
}

static bool is_own(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_USER && !function->is_unnamed &&
	       itp_module_kind_is_own(itp_module_kind_of(NULL, function));
}

static bool is_call(const struct countable *sum)
{
	return is_own(sum->function);
}

static bool is_event(const struct countable *sum)
{
	return itp_function_syscall(sum->function) != NULL;
}

static gint compare_names(const struct countable *a, const struct countable *b)
{
	return g_strcmp0(a->function->name, b->function->name);
}

/* Most time first. */
static gint compare_times(gconstpointer a, gconstpointer b)
{
	const struct countable *left = *(const struct countable *const *)a;
	const struct countable *right = *(const struct countable *const *)b;

	return ITP_ORDER(right->total_ns, left->total_ns) ?: compare_names(left, right);
}

/* Most calls first. */
static gint compare_calls(gconstpointer a, gconstpointer b)
{
	const struct countable *left = *(const struct countable *const *)a;
	const struct countable *right = *(const struct countable *const *)b;

	return ITP_ORDER(right->calls.seen, left->calls.seen) ?: compare_names(left, right);
}

/* Functions with known calls (struct countable *, weak). Free with g_ptr_array_unref(). */
static GPtrArray *choose(struct countable *sums, uint32_t count,
			 bool (*is_wanted)(const struct countable *sum), GCompareFunc compare)
{
	GPtrArray *chosen = g_ptr_array_new();

	for (uint32_t id = 1; id < count; id++) {
		if (sums[id].function && sums[id].calls.seen > 0 &&
		    itp_call_bounds_are_close(sums[id].calls) && is_wanted(&sums[id])) {
			g_ptr_array_add(chosen, &sums[id]);
		}
	}
	g_ptr_array_sort(chosen, compare);
	return chosen;
}

char *itp_countable_list(const struct itp_profile *profile,
			 const struct itp_function_table *functions,
			 const struct itp_context_tree *tree)
{
	const uint32_t count = itp_function_table_size(functions);
	g_autofree struct countable *sums = sum_calls(profile, functions, tree);
	g_autoptr(GPtrArray) calls = choose(sums, count, is_call, compare_times);
	g_autoptr(GPtrArray) events = choose(sums, count, is_event, compare_calls);
	const GPtrArray *of = calls->len > 0 ? calls : events;
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < MIN(of->len, NAMES_MOST); i++) {
		const struct countable *sum = g_ptr_array_index(of, i);

		g_string_append_printf(
			list, "%s%s%s", i > 0 ? ", " : "", of == calls ? "call:" : "event:",
			of == calls ? sum->function->name : itp_function_syscall(sum->function));
	}
	return g_string_free(list, FALSE);
}
