/* SPDX-License-Identifier: MIT */
/*
 * See naming.h.
 */
#include "common/through/naming.h"

#include "common/base/hash.h"
#include "common/wait/face.h"

void itp_naming_init(struct itp_naming *naming, const struct itp_recall *recall)
{
	*naming = (struct itp_naming){
		.recall = recall,
		.times = g_hash_table_new(itp_hash_number, NULL),
	};
}

void itp_naming_release(struct itp_naming *naming)
{
	g_hash_table_unref(naming->times);
}

void itp_naming_clear(struct itp_naming *naming)
{
	g_hash_table_remove_all(naming->times);
	naming->total_ns = 0;
}

static void add_node_time(struct itp_naming *naming, uint32_t node, int64_t ns)
{
	naming->total_ns += ns;
	for (; node != ITP_CONTEXT_ROOT;
	     node = itp_context_tree_get(naming->recall->tree, node)->parent) {
		gsize known = GPOINTER_TO_SIZE(
			g_hash_table_lookup(naming->times, GUINT_TO_POINTER(node)));

		g_hash_table_insert(naming->times, GUINT_TO_POINTER(node),
				    GSIZE_TO_POINTER(known + (gsize)ns));
	}
}

static void add_use(struct itp_time_use *use, enum itp_stretch_kind kind, int64_t ns)
{
	use->cpu_ns += kind == ITP_STRETCH_RUN ? ns : 0;
	use->blocked_ns += kind == ITP_STRETCH_WAIT ? ns : 0;
	use->runnable_ns += kind == ITP_STRETCH_READY ? ns : 0;
}

/* Adds the thread's time in a part of the hop. */
static void add_span(struct itp_naming *naming, const struct itp_life *life, int64_t begin_ns,
		     int64_t end_ns, struct itp_time_use *use)
{
	size_t length = itp_life_length(life);

	for (size_t i = itp_life_find(life, begin_ns); i < length; i++) {
		const struct itp_stretch stretch = itp_life_get(life, i);
		int64_t ns = MIN(stretch.end_ns, end_ns) - MAX(stretch.begin_ns, begin_ns);

		if (stretch.begin_ns >= end_ns) {
			return;
		}
		if (ns > 0) {
			add_node_time(naming, stretch.node, ns);
			add_use(use, stretch.kind, ns);
		}
	}
}

/* Index of the hop's first ask. */
static guint first_ask(const struct itp_hops *hops, guint hop)
{
	guint first = 0;
	guint end = hops->asks->len;

	while (first < end) {
		guint middle = first + (end - first) / 2;

		if (g_array_index(hops->asks, struct itp_ask, middle).hop >= hop) {
			end = middle;
		} else {
			first = middle + 1;
		}
	}
	return first;
}

void itp_naming_add(struct itp_naming *naming, const struct itp_hops *hops, guint i,
		    struct itp_time_use *use)
{
	const struct itp_hop *hop = &g_array_index(hops->list, struct itp_hop, i);
	const struct itp_life *life = itp_history_life(naming->recall->history, hop->tid);
	int64_t at_ns = hop->begin_ns;

	for (guint j = first_ask(hops, i); life && j < hops->asks->len; j++) {
		const struct itp_ask *ask = &g_array_index(hops->asks, struct itp_ask, j);

		if (ask->hop != i) {
			break;
		}
		add_span(naming, life, at_ns, MIN(ask->begin_ns, hop->end_ns), use);
		at_ns = MAX(at_ns, ask->end_ns);
	}
	if (life) {
		add_span(naming, life, at_ns, hop->end_ns, use);
	}
}

uint32_t itp_naming_node(const struct itp_naming *naming, int64_t *ret_ns)
{
	uint32_t best = ITP_CONTEXT_ROOT;
	int64_t best_ns = 0;
	GHashTableIter iter;
	gpointer key;
	gpointer value;

	g_hash_table_iter_init(&iter, naming->times);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		uint32_t node = GPOINTER_TO_UINT(key);
		int64_t ns = (int64_t)GPOINTER_TO_SIZE(value);

		/* A child has a greater number than its caller, and two nodes that both have most
		 * of the time are one below the other, or have half of it each. */
		if (ns * ITP_NAMING_PART >= naming->total_ns &&
		    (ns * ITP_NAMING_PART > naming->total_ns || best == ITP_CONTEXT_ROOT) &&
		    node > best) {
			best = node;
			best_ns = ns;
		}
	}
	*ret_ns = best_ns;
	return best == ITP_CONTEXT_ROOT ?
		       best :
		       itp_face_of(naming->recall->tree, naming->recall->functions, best);
}
