/* SPDX-License-Identifier: MIT */
/*
 * Wakers in small arrays, one for each node with any.
 */
#include "common/infer/wakers.h"

#include <string.h>

#include "common/base/context-tree.h"

struct itp_wakers {
	/* GArray of struct itp_waker by node, NULL without any. Owned by this. */
	GPtrArray *by_node;
};

static void free_list(gpointer list)
{
	if (list) {
		g_array_free(list, TRUE);
	}
}

struct itp_wakers *itp_wakers_new(void)
{
	struct itp_wakers *wakers = g_new0(struct itp_wakers, 1);

	wakers->by_node = g_ptr_array_new_with_free_func(free_list);
	return wakers;
}

void itp_wakers_free(struct itp_wakers *wakers)
{
	if (!wakers) {
		return;
	}
	g_ptr_array_free(wakers->by_node, TRUE);
	g_free(wakers);
}

/* The element with the waker's role, process and function; the list's length when there is none. */
static guint find_waker(const GArray *list, const struct itp_waker *waker)
{
	guint i = 0;

	while (i < list->len) {
		const struct itp_waker *known = &g_array_index(list, struct itp_waker, i);

		if (known->role == waker->role && known->process == waker->process &&
		    known->function == waker->function) {
			break;
		}
		i++;
	}
	return i;
}

/* False when the list has no such waker. */
static bool add_to_known(GArray *list, const struct itp_waker *waker)
{
	guint i = find_waker(list, waker);

	if (i < list->len) {
		g_array_index(list, struct itp_waker, i).count += waker->count;
		g_array_index(list, struct itp_waker, i).blocked_ns += waker->blocked_ns;
		g_array_index(list, struct itp_waker, i).square_us2 += waker->square_us2;
	}
	return i < list->len;
}

static GArray *list_of(struct itp_wakers *wakers, uint32_t node)
{
	GPtrArray *by_node = wakers->by_node;

	if (node >= by_node->len) {
		g_ptr_array_set_size(by_node, (gint)node + 1);
	}
	if (!by_node->pdata[node]) {
		by_node->pdata[node] = g_array_new(FALSE, FALSE, sizeof(struct itp_waker));
	}
	return by_node->pdata[node];
}

void itp_wakers_add(struct itp_wakers *wakers, const struct itp_waker *waker)
{
	GArray *list = list_of(wakers, waker->node);

	if (!add_to_known(list, waker)) {
		g_array_append_vals(list, waker, 1);
	}
}

static struct itp_waker as_unknown(const struct itp_waker *waker)
{
	struct itp_waker unknown = *waker;

	unknown.process = ITP_FUNCTION_UNKNOWN;
	unknown.function = ITP_FUNCTION_UNKNOWN;
	return unknown;
}

void itp_wakers_add_bounded(struct itp_wakers *wakers, const struct itp_waker *waker)
{
	GArray *list = list_of(wakers, waker->node);

	if (add_to_known(list, waker)) {
		return;
	}
	/* The last places are kept for the unknown. */
	if (list->len >= ITP_MAX_NODE_WAKERS - ITP_WAKER_ROLE_COUNT) {
		const struct itp_waker unknown = as_unknown(waker);

		itp_wakers_add(wakers, &unknown);
		return;
	}
	g_array_append_vals(list, waker, 1);
}

void itp_wakers_remove(struct itp_wakers *wakers, const struct itp_waker *waker)
{
	GArray *list = list_of(wakers, waker->node);
	struct itp_waker unknown = as_unknown(waker);
	guint i = find_waker(list, waker);
	struct itp_waker *known;

	if (i == list->len) {
		i = find_waker(list, &unknown);
	}
	if (i == list->len) {
		return;
	}
	known = &g_array_index(list, struct itp_waker, i);
	known->count -= waker->count;
	known->blocked_ns -= waker->blocked_ns;
	known->square_us2 -= waker->square_us2;
	if (known->count == 0) {
		g_array_remove_index(list, i);
	}
}

GArray *itp_wakers_take(struct itp_wakers *wakers, uint32_t node, enum itp_waker_role role)
{
	GArray *taken = g_array_new(FALSE, FALSE, sizeof(struct itp_waker));
	GArray *list = node < wakers->by_node->len ? wakers->by_node->pdata[node] : NULL;
	guint kept = 0;

	for (guint i = 0; list && i < list->len; i++) {
		const struct itp_waker waker = g_array_index(list, struct itp_waker, i);

		if (waker.role == role) {
			g_array_append_val(taken, waker);
		} else {
			g_array_index(list, struct itp_waker, kept++) = waker;
		}
	}
	if (list) {
		g_array_set_size(list, kept);
	}
	return taken;
}

void itp_wakers_place(struct itp_wakers *wakers, struct itp_wakers *unplaced, uint32_t node)
{
	guint count;
	const struct itp_waker *list = itp_wakers_of_node(unplaced, ITP_CONTEXT_ROOT, &count);

	for (guint i = 0; i < count; i++) {
		struct itp_waker waker = list[i];

		waker.node = node;
		itp_wakers_add_bounded(wakers, &waker);
	}
	g_ptr_array_set_size(unplaced->by_node, 0);
}

void itp_wakers_merge(struct itp_wakers *wakers, const struct itp_wakers *other)
{
	for (guint node = 0; node < other->by_node->len; node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(other, node, &count);

		for (guint i = 0; i < count; i++) {
			itp_wakers_add(wakers, &list[i]);
		}
	}
}

bool itp_waker_is_timer(const struct itp_function_table *functions, const struct itp_waker *waker)
{
	return waker->role == ITP_WAKER_WOKE && waker->process != ITP_FUNCTION_UNKNOWN &&
	       strcmp(itp_function_table_get(functions, waker->process)->name, ITP_TIMER_NAME) == 0;
}

uint32_t itp_wakers_node_count(const struct itp_wakers *wakers)
{
	return wakers->by_node->len;
}

const struct itp_waker *itp_wakers_of_node(const struct itp_wakers *wakers, uint32_t node,
					   guint *ret_count)
{
	const GArray *list = node < wakers->by_node->len ? wakers->by_node->pdata[node] : NULL;

	*ret_count = list ? list->len : 0;
	return list ? (const struct itp_waker *)(void *)list->data : NULL;
}

int64_t itp_wakers_node_ns(const struct itp_wakers *wakers, uint32_t node, enum itp_waker_role role)
{
	guint count;
	const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);
	int64_t sum_ns = 0;

	for (guint i = 0; i < count; i++) {
		sum_ns += list[i].role == role ? list[i].blocked_ns : 0;
	}
	return sum_ns;
}

static gint compare_wakers(gconstpointer a, gconstpointer b, gpointer functions)
{
	const struct itp_waker *left = a;
	const struct itp_waker *right = b;
	int order = (left->blocked_ns < right->blocked_ns) - (left->blocked_ns > right->blocked_ns);

	if (order == 0) {
		order = itp_function_compare(functions, left->process, right->process);
	}
	return order != 0 ? order :
			    itp_function_compare(functions, left->function, right->function);
}

GArray *itp_wakers_of_nodes(const struct itp_wakers *wakers, enum itp_waker_role role,
			    const uint32_t *nodes, size_t node_count,
			    const struct itp_function_table *functions)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct itp_waker));

	for (size_t i = 0; i < node_count; i++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, nodes[i], &count);

		for (guint j = 0; j < count; j++) {
			struct itp_waker waker = list[j];

			waker.node = ITP_CONTEXT_ROOT;
			if (waker.role == role && !add_to_known(found, &waker)) {
				g_array_append_val(found, waker);
			}
		}
	}
	g_array_sort_with_data(found, compare_wakers, (gpointer)functions);
	return found;
}

int64_t itp_wakers_sum_ns(const GArray *wakers)
{
	int64_t sum_ns = 0;

	for (guint i = 0; i < wakers->len; i++) {
		sum_ns += g_array_index(wakers, struct itp_waker, i).blocked_ns;
	}
	return sum_ns;
}
