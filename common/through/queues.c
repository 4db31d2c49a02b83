/* SPDX-License-Identifier: MIT */
/*
 * Order of accepting: connections are accepted in the order of their making, as a listening side
 * has a queue. Times of the calls that put a connection into it or take one out are known, and only
 * calls that do not overlap have an order.
 */
#include "common/through/search.h"

/* Accepted side with its connected pair, in the order of acceptance. */
struct accepted {
	uint32_t listener;
	uint32_t side;
};

static const struct itp_side *side_of(const struct itp_search *search, uint32_t side)
{
	return itp_traffic_side(search->traffic, side);
}

static gint compare_accepted(gconstpointer a, gconstpointer b, gpointer search)
{
	const struct accepted *left = a;
	const struct accepted *right = b;
	int64_t left_ns = side_of(search, left->side)->queue_end_ns;
	int64_t right_ns = side_of(search, right->side)->queue_end_ns;

	if (left->listener != right->listener) {
		return left->listener < right->listener ? -1 : 1;
	}
	return left_ns != right_ns ? (left_ns > right_ns) - (left_ns < right_ns) :
				     (left->side > right->side) - (left->side < right->side);
}

/* struct accepted: free with g_array_unref(). */
static GArray *accepted_pairs(struct itp_search *search)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct accepted));

	for (uint32_t i = 0; i < search->traffic->sides->len; i++) {
		const struct itp_side *side = side_of(search, i);
		uint32_t peer = itp_connections_peer(search->pairs, i);

		if (side->kind == ITP_SIDE_ACCEPTED && side->listener != ITP_SIDE_NONE &&
		    peer != ITP_SIDE_NONE && side_of(search, peer)->kind == ITP_SIDE_CONNECTED) {
			const struct accepted accepted = {
				itp_search_listener(search, side->listener), i
			};

			g_array_append_val(list, accepted);
		}
	}
	g_array_sort_with_data(list, compare_accepted, search);
	return list;
}

/* Time of the side's first sending: its connection was in the queue by then. INT64_MAX: never. */
static int64_t used_ns(const struct itp_search *search, const struct itp_side *side)
{
	return side->sends && side->sends->len > 0 ?
		       itp_traffic_move(search->traffic, g_array_index(side->sends, guint, 0))
			       ->end_ns :
		       INT64_MAX;
}

/* True when `first` was put into a queue before `second`, if both were into the same. */
static bool came_before(const struct itp_search *search, const struct itp_side *first,
			const struct itp_side *second)
{
	return (first->queue_end_ns < second->queue_begin_ns &&
		((first->is_local && second->is_local) ||
		 (first->cpu >= 0 && first->cpu == second->cpu))) ||
	       used_ns(search, first) < second->queue_begin_ns;
}

/* A queue gives connections in the order of arrival. True when `connected` and `accepted` came in
 * one order with a pair of the same queue, and went in the other. */
static bool overtakes(const struct itp_search *search, uint32_t connected, uint32_t accepted,
		      const struct accepted *pair)
{
	const struct itp_side *in = side_of(search, connected);
	const struct itp_side *out = side_of(search, accepted);
	const struct itp_side *pair_out = side_of(search, pair->side);
	const struct itp_side *pair_in =
		side_of(search, itp_connections_peer(search->pairs, pair->side));

	return (came_before(search, in, pair_in) && pair_out->queue_end_ns < out->queue_begin_ns) ||
	       (came_before(search, pair_in, in) && out->queue_end_ns < pair_out->queue_begin_ns);
}

/* Pairs of its queue before and behind an accepted side that are looked at: the nearest tell
 * most. */
#define NEIGHBOURS 16

static bool overtakes_any(const struct itp_search *search, uint32_t connected, uint32_t accepted,
			  const GArray *pairs)
{
	const struct accepted own = {
		itp_search_listener(search, side_of(search, accepted)->listener), accepted
	};
	guint first = 0;
	guint end = pairs->len;

	while (first < end) {
		guint middle = first + (end - first) / 2;

		if (compare_accepted(&g_array_index(pairs, struct accepted, middle), &own,
				     (gpointer)search) >= 0) {
			end = middle;
		} else {
			first = middle + 1;
		}
	}
	end = MIN(first + NEIGHBOURS, pairs->len);
	for (guint i = first > NEIGHBOURS ? first - NEIGHBOURS : 0; i < end; i++) {
		const struct accepted *pair = &g_array_index(pairs, struct accepted, i);

		if (pair->listener == own.listener &&
		    overtakes(search, connected, accepted, pair)) {
			return true;
		}
	}
	return false;
}

bool itp_queues_drop_overtaking(struct itp_search *search)
{
	g_autoptr(GArray) pairs = accepted_pairs(search);
	bool has_dropped = false;

	for (uint32_t i = 0; i < search->candidates->len; i++) {
		GArray *list = search->candidates->pdata[i];
		bool is_accepted = side_of(search, i)->kind == ITP_SIDE_ACCEPTED &&
				   side_of(search, i)->listener != ITP_SIDE_NONE;

		for (guint j = 0;
		     list && is_accepted && !itp_search_is_paired(search, i) && j < list->len;) {
			uint32_t other = g_array_index(list, struct itp_candidate, j).side;

			if (side_of(search, other)->kind == ITP_SIDE_CONNECTED &&
			    overtakes_any(search, other, i, pairs)) {
				itp_search_drop(search, i, other);
				itp_search_drop(search, other, i);
				has_dropped = true;
			} else {
				j++;
			}
		}
	}
	return has_dropped;
}

/* Known facts about a queue: connections out of it, whose connecting sides were recorded, or were
 * not. */
struct queue {
	guint inside;
	guint outside;
};

static bool is_of_queue(const struct itp_search *search, uint32_t side)
{
	return side_of(search, side)->kind == ITP_SIDE_ACCEPTED &&
	       side_of(search, side)->listener != ITP_SIDE_NONE;
}

static bool has_candidates(const struct itp_search *search, uint32_t side)
{
	const GArray *list = search->candidates->pdata[side];

	return list && list->len > 0;
}

/* struct queue by listening side. Free with g_free(). */
static struct queue *know_queues(const struct itp_search *search)
{
	struct queue *queues = g_new0(struct queue, search->candidates->len + 1);

	for (uint32_t i = 0; i < search->candidates->len; i++) {
		if (is_of_queue(search, i)) {
			uint32_t listener =
				itp_search_listener(search, side_of(search, i)->listener);

			queues[listener].inside += itp_search_is_paired(search, i);
			queues[listener].outside += !itp_search_is_paired(search, i) &&
						    !has_candidates(search, i);
		}
	}
	return queues;
}

static bool drop_all(struct itp_search *search, uint32_t side)
{
	bool has_any = has_candidates(search, side);

	while (has_candidates(search, side)) {
		uint32_t other = g_array_index((GArray *)search->candidates->pdata[side],
					       struct itp_candidate, 0)
					 .side;

		itp_search_drop(search, side, other);
		itp_search_drop(search, other, side);
	}
	g_array_index(search->pairs->is_unclear, bool, side) = false;
	return has_any;
}

bool itp_queues_drop_outside(struct itp_search *search)
{
	g_autofree struct queue *queues = know_queues(search);
	bool has_dropped = false;

	for (uint32_t i = 0; i < search->candidates->len; i++) {
		if (is_of_queue(search, i) && !itp_search_is_paired(search, i)) {
			const struct queue *queue =
				&queues[itp_search_listener(search, side_of(search, i)->listener)];

			if (queue->inside == 0 && queue->outside >= ITP_HABIT_LEAST) {
				has_dropped |= drop_all(search, i);
			}
		}
	}
	return has_dropped;
}

/* Sides that could be each other's, directly or through others. */
struct cluster {
	/* uint32_t: connected sides, and accepted ones. Owned by this. */
	GArray *in;
	GArray *out;
	/* Queue of the accepted sides, and whether some are of another. */
	uint32_t listener;
	bool is_of_several;
};

static bool contains(const GArray *list, uint32_t side)
{
	for (guint i = 0; i < list->len; i++) {
		if (g_array_index(list, uint32_t, i) == side) {
			return true;
		}
	}
	return false;
}

/* Most sides of a cluster. */
#define CLUSTER_MOST 64

/* Adds a side, unless already there; false when it is of no queue, or there are too many. */
static bool add_to_cluster(const struct itp_search *search, struct cluster *cluster,
			   uint32_t number)
{
	const struct itp_side *side = side_of(search, number);
	uint32_t queue;

	if (side->kind == ITP_SIDE_CONNECTED) {
		if (!contains(cluster->in, number)) {
			g_array_append_val(cluster->in, number);
		}
		return cluster->in->len <= CLUSTER_MOST;
	}
	if (side->kind != ITP_SIDE_ACCEPTED || side->listener == ITP_SIDE_NONE) {
		return false;
	}
	queue = itp_search_listener(search, side->listener);
	cluster->is_of_several |= cluster->listener != ITP_SIDE_NONE && cluster->listener != queue;
	cluster->listener = queue;
	if (!contains(cluster->out, number)) {
		g_array_append_val(cluster->out, number);
	}
	return cluster->out->len <= CLUSTER_MOST;
}

static bool add_candidates(const struct itp_search *search, struct cluster *cluster,
			   uint32_t number)
{
	const GArray *list = search->candidates->pdata[number];

	for (guint i = 0; list && i < list->len; i++) {
		uint32_t other = g_array_index(list, struct itp_candidate, i).side;

		if (!itp_search_is_paired(search, other) &&
		    !add_to_cluster(search, cluster, other)) {
			return false;
		}
	}
	return true;
}

/* Finds all candidates of the accepted side `number`, their candidates, and so on. */
static bool find_cluster(const struct itp_search *search, struct cluster *cluster, uint32_t number)
{
	guint next_in = 0;
	guint next_out = 0;

	if (!add_to_cluster(search, cluster, number)) {
		return false;
	}
	while (next_in < cluster->in->len || next_out < cluster->out->len) {
		uint32_t next = next_in < cluster->in->len ?
					g_array_index(cluster->in, uint32_t, next_in++) :
					g_array_index(cluster->out, uint32_t, next_out++);

		if (!add_candidates(search, cluster, next)) {
			return false;
		}
	}
	return cluster->in->len == cluster->out->len;
}

static gint compare_queued(gconstpointer a, gconstpointer b, gpointer search)
{
	int64_t left_ns = side_of(search, *(const uint32_t *)a)->queue_end_ns;
	int64_t right_ns = side_of(search, *(const uint32_t *)b)->queue_end_ns;

	return (left_ns > right_ns) - (left_ns < right_ns);
}

static bool went_before(const struct itp_search *search, const struct itp_side *first,
			const struct itp_side *second)
{
	(void)search;
	return first->queue_end_ns < second->queue_begin_ns;
}

/* Sorts them; false when nothing tells the order of two. */
static bool put_in_order(const struct itp_search *search, GArray *sides,
			 bool (*is_before)(const struct itp_search *search,
					   const struct itp_side *first,
					   const struct itp_side *second))
{
	g_array_sort_with_data(sides, compare_queued, (gpointer)search);
	for (guint i = 1; i < sides->len; i++) {
		if (!is_before(search, side_of(search, g_array_index(sides, uint32_t, i - 1)),
			       side_of(search, g_array_index(sides, uint32_t, i)))) {
			return false;
		}
	}
	return true;
}

/* A side with a single candidate is its pair, as each side has a pair among the others. */
static bool join_forced(struct itp_search *search, const GArray *sides)
{
	for (guint i = 0; i < sides->len; i++) {
		uint32_t side = g_array_index(sides, uint32_t, i);
		uint32_t only = itp_search_only(search, side);

		if (only != ITP_SIDE_NONE) {
			itp_search_join(search, side, only);
			return true;
		}
	}
	return false;
}

static bool join_cluster(struct itp_search *search, const struct cluster *cluster)
{
	if (join_forced(search, cluster->in) || join_forced(search, cluster->out)) {
		return true;
	}
	if (cluster->is_of_several || !put_in_order(search, cluster->in, came_before) ||
	    !put_in_order(search, cluster->out, went_before)) {
		return false;
	}
	for (guint i = 0; i < cluster->in->len; i++) {
		if (!itp_search_candidate(search, g_array_index(cluster->in, uint32_t, i),
					  g_array_index(cluster->out, uint32_t, i))) {
			return false;
		}
	}
	for (guint i = 0; i < cluster->in->len; i++) {
		itp_search_join(search, g_array_index(cluster->in, uint32_t, i),
				g_array_index(cluster->out, uint32_t, i));
	}
	return true;
}

bool itp_queues_join_clusters(struct itp_search *search)
{
	bool has_joined = false;

	for (uint32_t i = 0; i < search->candidates->len; i++) {
		struct cluster cluster = { .listener = ITP_SIDE_NONE };

		if (itp_search_is_paired(search, i) ||
		    side_of(search, i)->kind != ITP_SIDE_ACCEPTED ||
		    !search->candidates->pdata[i]) {
			continue;
		}
		cluster.in = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		cluster.out = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		has_joined |= find_cluster(search, &cluster, i) && join_cluster(search, &cluster);
		g_array_unref(cluster.in);
		g_array_unref(cluster.out);
	}
	return has_joined;
}
