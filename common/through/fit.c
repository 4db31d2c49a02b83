/* SPDX-License-Identifier: MIT */
/*
 * Check whether two sides can be a connection's: see connections.h.
 *
 * Bytes sent before the recording may be taken at its beginning: by a side older than the
 * recording, before its peer sends anything. Where events were lost, counting begins anew.
 */
#include "common/through/search.h"

/* Direction of a connection, as far as it was gone through. */
struct flow {
	const struct itp_traffic *traffic;
	/* guint: indices of moves; NULL without any. Weak. */
	const GArray *sends;
	const GArray *takes;
	/* Time before which nobody takes its end; 0 if unknown. */
	int64_t closed_ns;
	guint next_send;
	guint next_loss;
	int64_t sent_bytes;
	int64_t taken_bytes;
	/* Takes that emptied it, or left bytes in spite of room. */
	guint drained;
	guint left;
	/* Takes beyond the bytes sent, each of which a loss may explain once. */
	guint excesses;
	/* Bytes taken may have been sent before anything was seen. */
	bool may_be_older;
};

static const struct itp_move *move_at(const struct flow *flow, const GArray *list, guint i)
{
	return itp_traffic_move(flow->traffic, g_array_index(list, guint, i));
}

static void send_until(struct flow *flow, int64_t time_ns)
{
	while (flow->sends && flow->next_send < flow->sends->len &&
	       move_at(flow, flow->sends, flow->next_send)->begin_ns < time_ns) {
		flow->sent_bytes += move_at(flow, flow->sends, flow->next_send)->bytes;
		flow->next_send++;
		flow->may_be_older = false;
	}
}

/* Losses lie between two moves: counts before them count no more. */
static void forget_before_loss(struct flow *flow, const struct itp_move *take)
{
	const GArray *losses = flow->traffic->losses;

	while (flow->next_loss < losses->len &&
	       g_array_index(losses, int64_t, flow->next_loss) < take->end_ns) {
		send_until(flow, g_array_index(losses, int64_t, flow->next_loss));
		flow->sent_bytes = 0;
		flow->taken_bytes = 0;
		flow->may_be_older = true;
		flow->next_loss++;
	}
}

static bool fits_one_way(struct flow *flow)
{
	for (guint i = 0; flow->takes && i < flow->takes->len; i++) {
		const struct itp_move *take = move_at(flow, flow->takes, i);

		if (take->is_unsized) {
			return false;
		}
		if (take->bytes == 0 && take->end_ns < flow->closed_ns) {
			return false;
		}
		forget_before_loss(flow, take);
		send_until(flow, take->end_ns);
		if (flow->may_be_older) {
			continue;
		}
		flow->taken_bytes += take->bytes;
		if (flow->taken_bytes > flow->sent_bytes) {
			flow->sent_bytes = 0;
			flow->taken_bytes = 0;
			flow->excesses++;
		}
		if (flow->excesses > flow->traffic->losses->len) {
			return false;
		}
		flow->drained += take->is_short && flow->taken_bytes == flow->sent_bytes;
		flow->left += take->is_short && flow->taken_bytes < flow->sent_bytes;
	}
	return flow->left <= flow->drained;
}

static bool has_moves(const GArray *list)
{
	return list && list->len > 0;
}

/* Directions used by the two, at least one: bytes taken by a side must have been sent by its
 * peer. */
static bool is_one_way_possible(const struct itp_side *from, const struct itp_side *to)
{
	return !has_moves(to->takes) || has_moves(from->sends);
}

/* Earliest time at which the peer sees an end; 0 if unknown. */
static int64_t end_of(const struct itp_side *side)
{
	return side->may_end_sooner || side->closed_ns == INT64_MAX ? 0 : side->closed_ns;
}

/* Nothing is accepted before it is connected. */
static bool is_accepted_too_soon(const struct itp_side *connected, const struct itp_side *accepted)
{
	return connected->kind == ITP_SIDE_CONNECTED && accepted->kind == ITP_SIDE_ACCEPTED &&
	       accepted->queue_end_ns < connected->queue_begin_ns;
}

bool itp_connections_fit(const struct itp_traffic *traffic, uint32_t a, uint32_t b)
{
	const struct itp_side *left = itp_traffic_side(traffic, a);
	const struct itp_side *right = itp_traffic_side(traffic, b);
	const bool was_there = left->kind == ITP_SIDE_UNKNOWN && right->kind == ITP_SIDE_UNKNOWN;
	struct flow there = { .traffic = traffic,
			      .sends = left->sends,
			      .takes = right->takes,
			      .closed_ns = end_of(left),
			      .may_be_older = was_there };
	struct flow back = { .traffic = traffic,
			     .sends = right->sends,
			     .takes = left->takes,
			     .closed_ns = end_of(right),
			     .may_be_older = was_there };

	return a != b && (has_moves(left->takes) || has_moves(right->takes)) &&
	       left->opened_ns < right->closed_ns && right->opened_ns < left->closed_ns &&
	       !is_accepted_too_soon(left, right) && !is_accepted_too_soon(right, left) &&
	       is_one_way_possible(left, right) && is_one_way_possible(right, left) &&
	       fits_one_way(&there) && fits_one_way(&back);
}
