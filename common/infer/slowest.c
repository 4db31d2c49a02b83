/* SPDX-License-Identifier: MIT */
/*
 * The slowest calls in small sorted arrays, which grow by powers of two: most contexts of a large
 * tree have few calls.
 */
#include "common/infer/slowest.h"

#include <string.h>

/* Calls of a node in order. */
struct list {
	/* Owned by this; room for the next power of two of `count`. */
	struct itp_slow_call *calls;
	size_t count;
};

struct itp_slowest {
	/* struct list by node. Owned by this. */
	GArray *by_node;
};

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

gint itp_slow_call_compare(gconstpointer a, gconstpointer b)
{
	const struct itp_slow_call *left = a;
	const struct itp_slow_call *right = b;
	const int orders[] = {
		order_of(right->latency_ns, left->latency_ns),
		order_of(left->begin_ns, right->begin_ns),
		order_of(left->pid, right->pid),
		order_of(left->tid, right->tid),
		order_of(left->lower_ns, right->lower_ns),
		order_of(left->upper_ns, right->upper_ns),
		order_of(left->flags, right->flags),
		order_of(left->node, right->node),
		order_of(left->run, right->run),
	};

	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		if (orders[i] != 0) {
			return orders[i];
		}
	}
	return 0;
}

static void clear_list(gpointer list)
{
	g_free(((struct list *)list)->calls);
}

struct itp_slowest *itp_slowest_new(void)
{
	struct itp_slowest *slowest = g_new0(struct itp_slowest, 1);

	slowest->by_node = g_array_new(FALSE, TRUE, sizeof(struct list));
	g_array_set_clear_func(slowest->by_node, clear_list);
	return slowest;
}

void itp_slowest_free(struct itp_slowest *slowest)
{
	if (!slowest) {
		return;
	}
	g_array_free(slowest->by_node, TRUE);
	g_free(slowest);
}

bool itp_slowest_suits(const struct itp_function *function)
{
	return function->layer != ITP_LAYER_PROCESS;
}

static struct list *list_of(struct itp_slowest *slowest, uint32_t node)
{
	if (node >= slowest->by_node->len) {
		g_array_set_size(slowest->by_node, node + 1);
	}
	return &g_array_index(slowest->by_node, struct list, node);
}

/* Makes room for another call at the end. */
static void grow_list(struct list *list)
{
	bool is_full = (list->count & (list->count - 1)) == 0;

	if (is_full) {
		list->calls = g_renew(struct itp_slow_call, list->calls, MAX(1, list->count * 2));
	}
	list->count++;
}

void itp_slowest_add(struct itp_slowest *slowest, const struct itp_slow_call *call)
{
	struct list *list = list_of(slowest, call->node);
	size_t place = list->count;

	if (list->count == ITP_SLOWEST_COUNT &&
	    call->latency_ns < list->calls[ITP_SLOWEST_COUNT - 1].latency_ns) {
		return;
	}
	while (place > 0 && itp_slow_call_compare(call, &list->calls[place - 1]) < 0) {
		place--;
	}
	if (place == ITP_SLOWEST_COUNT) {
		return;
	}
	if (list->count < ITP_SLOWEST_COUNT) {
		grow_list(list);
	}
	memmove(&list->calls[place + 1], &list->calls[place],
		(list->count - 1 - place) * sizeof(*call));
	list->calls[place] = *call;
}

void itp_slowest_add_node(struct itp_slowest *slowest, uint32_t node,
			  const struct itp_slowest *other, uint32_t other_node)
{
	size_t count;
	const struct itp_slow_call *calls = itp_slowest_of_node(other, other_node, &count);

	for (size_t i = 0; i < count; i++) {
		struct itp_slow_call call = calls[i];

		call.node = node;
		itp_slowest_add(slowest, &call);
	}
}

void itp_slowest_clear_node(struct itp_slowest *slowest, uint32_t node)
{
	if (node < slowest->by_node->len) {
		struct list *list = list_of(slowest, node);

		clear_list(list);
		*list = (struct list){ .count = 0 };
	}
}

void itp_slowest_move_node(struct itp_slowest *slowest, uint32_t target, uint32_t node)
{
	size_t count;

	itp_slowest_of_node(slowest, node, &count);
	if (target == node || count == 0) {
		return;
	}
	itp_slowest_add_node(slowest, target, slowest, node);
	itp_slowest_clear_node(slowest, node);
}

void itp_slowest_truncate(struct itp_slowest *slowest, uint32_t size)
{
	g_array_set_size(slowest->by_node, MIN(slowest->by_node->len, size));
}

void itp_slowest_merge(struct itp_slowest *slowest, const struct itp_slowest *other)
{
	for (guint node = 0; node < other->by_node->len; node++) {
		itp_slowest_add_node(slowest, node, other, node);
	}
}

void itp_slowest_merge_run(struct itp_slowest *slowest, const struct itp_slowest *other,
			   uint32_t run)
{
	for (guint node = 0; node < other->by_node->len; node++) {
		size_t count;
		const struct itp_slow_call *calls = itp_slowest_of_node(other, node, &count);

		for (size_t i = 0; i < count; i++) {
			struct itp_slow_call call = calls[i];

			call.run = run;
			itp_slowest_add(slowest, &call);
		}
	}
}

const struct itp_slow_call *itp_slowest_of_node(const struct itp_slowest *slowest, uint32_t node,
						size_t *ret_count)
{
	const struct list *list = node < slowest->by_node->len ?
					  &g_array_index(slowest->by_node, struct list, node) :
					  NULL;

	*ret_count = list ? list->count : 0;
	return list ? list->calls : NULL;
}
