/* SPDX-License-Identifier: MIT */
/*
 * See through.h: questions of all renderings.
 */
#include "common/render/through/through.h"

#include <string.h>

static const struct {
	const char *word;
	const char *text;
} doubts[ITP_HOP_DOUBT_COUNT] = {
	[ITP_HOP_CERTAIN] = { "", "" },
	[ITP_HOP_LOST] = { "lost", "events were lost meanwhile" },
	[ITP_HOP_OPEN] = { "open", "no answer was seen before the recording ended" },
	[ITP_HOP_SHARED] = { "shared",
			     "one connection carried several at once, which cannot be told apart" },
	[ITP_HOP_MIXED] = { "mixed",
			    "a thread, or a queue, had taken several before it went on with one" },
	[ITP_HOP_UNCLEAR] = { "unclear",
			      "whom it asked cannot be told: several connections could be it" },
	[ITP_HOP_REST] = { "rest", "who asked cannot be told: the rest of a request" },
	[ITP_HOP_STRANGER] = { "stranger", "whom it asked was not recorded, or cannot be told" },
};

void itp_through_count(const struct itp_through *through, struct itp_through_counts *ret_counts)
{
	const struct itp_hops *hops = itp_through_hops(through);

	*ret_counts = (struct itp_through_counts){ .requests = 0 };
	for (guint i = 0; i < hops->roots->len; i++) {
		ret_counts->by_doubt[itp_hops_doubt(hops, g_array_index(hops->roots, guint, i))]++;
	}
	ret_counts->requests = hops->roots->len - ret_counts->by_doubt[ITP_HOP_REST];
}

const char *itp_through_doubt_text(enum itp_hop_doubt doubt)
{
	return doubts[doubt].text;
}

const char *itp_through_doubt_word(enum itp_hop_doubt doubt)
{
	return doubts[doubt].word;
}

const struct itp_function *itp_through_function(const struct itp_through *through, uint32_t node)
{
	const struct itp_recall *recall = itp_through_recall(through);
	const struct itp_context *context =
		node == ITP_CONTEXT_ROOT ? NULL : itp_context_tree_get(recall->tree, node);

	return context && context->depth > 1 ?
		       itp_function_table_get(recall->functions, context->function) :
		       NULL;
}

GPtrArray *itp_through_callers(const struct itp_through *through, uint32_t node)
{
	const struct itp_recall *recall = itp_through_recall(through);
	const struct itp_function *own = itp_through_function(through, node);
	const struct itp_function *caller = own;
	GPtrArray *callers = g_ptr_array_new();

	while (caller && callers->len < ITP_THROUGH_CALLERS_MOST) {
		node = itp_context_tree_get(recall->tree, node)->parent;
		caller = itp_through_function(through, node);
		if (!caller || strcmp(caller->module, own->module) != 0) {
			break;
		}
		if (!caller->is_unnamed) {
			g_ptr_array_add(callers, (gpointer)caller);
		}
	}
	return callers;
}

static gint compare_slowness(gconstpointer a, gconstpointer b, gpointer hops)
{
	guint left = *(const guint *)a;
	guint right = *(const guint *)b;
	int64_t left_ns =
		itp_hops_end_ns(hops, left) -
		g_array_index(((const struct itp_hops *)hops)->list, struct itp_hop, left).begin_ns;
	int64_t right_ns =
		itp_hops_end_ns(hops, right) -
		g_array_index(((const struct itp_hops *)hops)->list, struct itp_hop, right)
			.begin_ns;

	return left_ns != right_ns ? (left_ns < right_ns) - (left_ns > right_ns) :
				     (left > right) - (left < right);
}

GArray *itp_through_slowest(const struct itp_through *through)
{
	const struct itp_hops *hops = itp_through_hops(through);
	GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < hops->roots->len; i++) {
		guint first = g_array_index(hops->roots, guint, i);

		if (itp_hops_doubt(hops, first) == ITP_HOP_CERTAIN) {
			g_array_append_val(order, first);
		}
	}
	g_array_sort_with_data(order, compare_slowness, (gpointer)hops);
	return order;
}
