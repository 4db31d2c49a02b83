/* SPDX-License-Identifier: MIT */
/*
 * See through.h.
 */
#include "common/through/through.h"

#include "common/through/connections.h"

struct itp_through {
	struct itp_traffic traffic;
	struct itp_connections pairs;
	struct itp_hops hops;
	/* Routes, NULL until finished. Owned by this. */
	GArray *routes;
	/* Weak. */
	const struct itp_recall *recall;
};

struct itp_through *itp_through_new(struct itp_function_table *functions)
{
	struct itp_through *through = g_new0(struct itp_through, 1);

	itp_traffic_init(&through->traffic, functions);
	return through;
}

void itp_through_free(struct itp_through *through)
{
	if (!through) {
		return;
	}
	if (through->routes) {
		g_array_unref(through->routes);
		itp_hops_release(&through->hops);
		itp_connections_release(&through->pairs);
	}
	itp_traffic_release(&through->traffic);
	g_free(through);
}

void itp_through_add(struct itp_through *through, const struct itp_stack_event *event)
{
	itp_traffic_add(&through->traffic, event);
}

static void name_hops(struct itp_through *through)
{
	struct itp_naming naming;

	itp_naming_init(&naming, through->recall);
	for (guint i = 0; i < through->hops.list->len; i++) {
		struct itp_hop *hop = &g_array_index(through->hops.list, struct itp_hop, i);

		itp_naming_clear(&naming);
		itp_naming_add(&naming, &through->hops, i, &hop->use);
		hop->node = itp_naming_node(&naming, &hop->node_ns);
	}
	itp_naming_release(&naming);
}

void itp_through_finish(struct itp_through *through, const struct itp_recall *recall)
{
	through->recall = recall;
	itp_connections_find(&through->pairs, &through->traffic);
	itp_hops_find(&through->hops, &through->traffic, &through->pairs);
	name_hops(through);
	through->routes = itp_routes_find(&through->hops, &through->traffic, recall);
}

const struct itp_traffic *itp_through_traffic(const struct itp_through *through)
{
	return &through->traffic;
}

const struct itp_connections *itp_through_connections(const struct itp_through *through)
{
	return &through->pairs;
}

const struct itp_hops *itp_through_hops(const struct itp_through *through)
{
	return &through->hops;
}

const GArray *itp_through_routes(const struct itp_through *through)
{
	return through->routes;
}

const struct itp_recall *itp_through_recall(const struct itp_through *through)
{
	return through->recall;
}
