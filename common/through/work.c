/* SPDX-License-Identifier: MIT */
/*
 * Hops, threads and sides of the work: see work.h.
 */
#include "common/through/work.h"

#include "common/base/hash.h"

static void clear_hop(gpointer data)
{
	g_clear_pointer(&((struct itp_work_hop *)data)->mixed, g_array_unref);
}

static void clear_side(gpointer data)
{
	g_clear_pointer(&((struct itp_work_side *)data)->segments, g_array_unref);
}

static void free_bringers(gpointer data)
{
	struct itp_bringers *bringers = data;

	g_hash_table_unref(bringers->names);
	g_free(bringers);
}

static void free_worker(gpointer data)
{
	struct itp_worker *worker = data;

	g_array_unref(worker->pending);
	g_array_unref(worker->loose);
	g_array_unref(worker->asked);
	g_free(worker);
}

void itp_work_init(struct itp_work *work, const struct itp_traffic *traffic,
		   const struct itp_connections *pairs, const struct itp_brokers *brokers)
{
	*work = (struct itp_work){
		.traffic = traffic,
		.pairs = pairs,
		.brokers = brokers,
		.hops = g_array_new(FALSE, FALSE, sizeof(struct itp_work_hop)),
		.asks = g_array_new(FALSE, FALSE, sizeof(struct itp_ask)),
		.sides = g_array_new(FALSE, FALSE, sizeof(struct itp_work_side)),
		.mixed = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.workers = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_worker),
		.habits = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free),
		.bringers = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_bringers),
	};
	g_array_set_clear_func(work->hops, clear_hop);
	g_array_set_clear_func(work->sides, clear_side);
	for (uint32_t i = 0; i < traffic->sides->len; i++) {
		const struct itp_work_side side = { .same_as = i,
						    .open = ITP_HOP_NONE,
						    .asker = ITP_HOP_NONE,
						    .owner = ITP_HOP_NONE };

		g_array_append_val(work->sides, side);
	}
}

void itp_work_release(struct itp_work *work)
{
	g_array_unref(work->hops);
	g_array_unref(work->asks);
	g_array_unref(work->sides);
	g_array_unref(work->mixed);
	g_hash_table_unref(work->workers);
	g_hash_table_unref(work->habits);
	g_hash_table_unref(work->bringers);
}

uint32_t itp_work_resolve(const struct itp_work *work, uint32_t hop)
{
	while (hop != ITP_HOP_NONE && itp_work_hop(work, hop)->same_as != ITP_HOP_NONE) {
		hop = itp_work_hop(work, hop)->same_as;
	}
	return hop;
}

uint32_t itp_work_add_hop(struct itp_work *work, const struct itp_move *move, int64_t begin_ns,
			  uint32_t parent)
{
	const struct itp_work_hop hop = {
		.hop = { .pid = move->pid,
			 .tid = move->tid,
			 .parent = parent,
			 .sent_ns = begin_ns,
			 .begin_ns = begin_ns,
			 .end_ns = move->end_ns },
		.same_as = ITP_HOP_NONE,
		.woken_for = ITP_HOP_NONE,
		.in_order = ITP_HOP_NONE,
		.handed_by = ITP_HOP_NONE,
		.given_by = ITP_HOP_NONE,
	};

	g_array_append_val(work->hops, hop);
	return work->hops->len - 1;
}

void itp_work_doubt(const struct itp_work *work, uint32_t hop, enum itp_hop_doubt doubt)
{
	hop = itp_work_resolve(work, hop);
	if (hop != ITP_HOP_NONE) {
		struct itp_hop *known = &itp_work_hop(work, hop)->hop;

		known->doubt = known->doubt == ITP_HOP_CERTAIN ? doubt : MIN(known->doubt, doubt);
	}
}

struct itp_worker *itp_work_worker(struct itp_work *work, int32_t tid)
{
	struct itp_worker *worker = g_hash_table_lookup(work->workers, GINT_TO_POINTER(tid));

	if (!worker) {
		worker = g_new0(struct itp_worker, 1);
		worker->current = ITP_HOP_NONE;
		worker->last = ITP_HOP_NONE;
		worker->turn = 1;
		worker->woken_for = ITP_HOP_NONE;
		worker->pending = g_array_new(FALSE, FALSE, sizeof(struct itp_pending));
		worker->loose = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		worker->asked = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_hash_table_insert(work->workers, GINT_TO_POINTER(tid), worker);
	}
	return worker;
}
