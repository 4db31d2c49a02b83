/* SPDX-License-Identifier: MIT */
/*
 * Hops of threads' work: see work.h.
 */
#include "common/through/work.h"

#include "common/base/hash.h"

/* Time of a hop's act: it was answered. */
#define ANSWERED INT64_MIN

static struct itp_pending *pending_at(const GArray *list, guint i)
{
	return &g_array_index(list, struct itp_pending, i);
}

/* Nothing more will be done for it. */
static bool is_finished(const struct itp_work *work, uint32_t hop)
{
	const struct itp_work_hop *known = itp_work_hop(work, hop);
	bool is_finished = known->is_answered || (known->is_one_way && !known->is_job);

	for (guint i = 0; known->mixed && i < known->mixed->len; i++) {
		uint32_t one = itp_work_resolve(work, pending_at(known->mixed, i)->hop);

		is_finished = one != hop && itp_work_hop(work, one)->mixed == NULL && is_finished &&
			      itp_work_hop(work, one)->is_answered;
	}
	return is_finished;
}

/* Takes `hop`, and finished ones, from the pending hops. */
static void prune(const struct itp_work *work, struct itp_worker *worker, uint32_t hop)
{
	guint kept = 0;

	for (guint i = 0; i < worker->pending->len; i++) {
		struct itp_pending one = *pending_at(worker->pending, i);

		one.hop = itp_work_resolve(work, one.hop);
		if (one.hop != hop && !is_finished(work, one.hop)) {
			*pending_at(worker->pending, kept++) = one;
		}
	}
	g_array_set_size(worker->pending, kept);
}

void itp_worker_act(const struct itp_work *work, struct itp_worker *worker, uint32_t hop)
{
	prune(work, worker, itp_work_resolve(work, hop));
	worker->current = hop;
}

void itp_worker_take(struct itp_worker *worker, uint32_t hop, bool is_answer)
{
	const struct itp_pending taken = { .hop = hop, .is_answer = is_answer };

	worker->current = hop;
	for (guint i = 0; i < worker->pending->len; i++) {
		if (pending_at(worker->pending, i)->hop == hop) {
			pending_at(worker->pending, i)->is_answer = is_answer;
			return;
		}
	}
	g_array_append_val(worker->pending, taken);
}

/* Hop for which the thread was woken, if its waker has taken nothing else that is open. */
static uint32_t only_woken_for(struct itp_work *work, const struct itp_worker *worker)
{
	uint32_t hop = itp_work_resolve(work, worker->woken_for);
	struct itp_worker *waker;

	if (hop == ITP_HOP_NONE || itp_work_hop(work, hop)->is_answered) {
		return ITP_HOP_NONE;
	}
	waker = itp_work_worker(work, itp_work_hop(work, hop)->hop.tid);
	prune(work, waker, ITP_HOP_NONE);
	return waker->pending->len == 1 && pending_at(waker->pending, 0)->hop == hop ? hop :
										       ITP_HOP_NONE;
}

/* An ask makes the thread the first hop of a request, until its answer tells more. */
static uint32_t add_client(struct itp_work *work, struct itp_worker *worker,
			   const struct itp_move *move)
{
	uint32_t woken_for = only_woken_for(work, worker);
	uint32_t hop = itp_work_add_hop(work, move, move->begin_ns, ITP_HOP_NONE);
	struct itp_work_hop *client = itp_work_hop(work, hop);

	client->is_client = true;
	client->woken_for = woken_for;
	if (worker->pending->len > 1) {
		g_array_append_val(work->mixed, hop);
		g_array_append_val(worker->asked, hop);
		client->mixed = g_array_new(FALSE, FALSE, sizeof(struct itp_pending));
		g_array_append_vals(client->mixed, worker->pending->data, worker->pending->len);
	}
	g_array_append_val(worker->loose, hop);
	worker->current = hop;
	return hop;
}

bool itp_worker_is_known(const struct itp_work *work, struct itp_worker *worker)
{
	uint32_t hop = itp_work_resolve(work, worker->current);

	prune(work, worker, ITP_HOP_NONE);
	return worker->pending->len > 0 ||
	       (hop != ITP_HOP_NONE && !itp_work_hop(work, hop)->is_client);
}

uint32_t itp_worker_asks_for(struct itp_work *work, struct itp_worker *worker,
			     const struct itp_move *move)
{
	uint32_t hop = itp_work_resolve(work, worker->current);

	prune(work, worker, ITP_HOP_NONE);
	if (worker->pending->len == 1) {
		hop = pending_at(worker->pending, 0)->hop;
	}
	if (worker->pending->len > 1 || hop == ITP_HOP_NONE || itp_work_hop(work, hop)->is_client) {
		return add_client(work, worker, move);
	}
	itp_worker_act(work, worker, hop);
	return hop;
}

static void merge_hops(const struct itp_work *work, uint32_t client, uint32_t hop)
{
	struct itp_work_hop *same = itp_work_hop(work, client);

	same->same_as = hop;
	itp_work_hop(work, hop)->children += same->children;
	if (same->hop.doubt != ITP_HOP_CERTAIN) {
		itp_work_doubt(work, hop, same->hop.doubt);
	}
}

/* Place of `hop` in a list; NULL when absent. */
static struct itp_pending *find_pending(const struct itp_work *work, const GArray *list,
					uint32_t hop)
{
	for (guint i = 0; list && i < list->len; i++) {
		if (itp_work_resolve(work, pending_at(list, i)->hop) == hop) {
			return pending_at(list, i);
		}
	}
	return NULL;
}

/* Adds unfinished takes of the thread to the possible hops of the client; true if there were
 * any. */
static bool add_choices(struct itp_work *work, const struct itp_worker *worker, uint32_t client,
			uint32_t owner)
{
	GArray *mixed = itp_work_hop(work, client)->mixed;
	bool has_any = false;

	for (guint i = 0; i < worker->pending->len; i++) {
		const struct itp_pending *one = pending_at(worker->pending, i);

		if (!one->is_answer && one->hop != owner && !find_pending(work, mixed, one->hop)) {
			g_array_append_vals(mixed, one, 1);
			has_any = true;
		}
	}
	return has_any;
}

static void resolve(const struct itp_work *work, uint32_t client, uint32_t hop);

/* Of a client that has connected before: hops answered since are ruled out. */
static uint32_t begin_asking(struct itp_work *work, const struct itp_worker *worker,
			     uint32_t client)
{
	struct itp_work_hop *known = itp_work_hop(work, client);
	guint kept = 0;

	known->is_connecting = false;
	if (!known->mixed) {
		return client;
	}
	for (guint i = 0; i < known->mixed->len; i++) {
		const struct itp_pending one = *pending_at(known->mixed, i);

		if (!itp_work_hop(work, itp_work_resolve(work, one.hop))->is_answered) {
			*pending_at(known->mixed, kept++) = one;
		}
	}
	g_array_set_size(known->mixed, kept);
	if (add_choices(work, worker, client, ITP_HOP_NONE)) {
		known->in_order = ITP_HOP_NONE;
	}
	if (known->mixed->len == 1) {
		uint32_t only = itp_work_resolve(work, pending_at(known->mixed, 0)->hop);

		resolve(work, client, only);
		return only;
	}
	return client;
}

uint32_t itp_worker_asks_as(struct itp_work *work, struct itp_worker *worker, uint32_t owner,
			    const struct itp_move *move)
{
	const struct itp_pending first = { .hop = itp_work_resolve(work, owner) };
	struct itp_work_hop *client;
	uint32_t hop;

	prune(work, worker, ITP_HOP_NONE);
	if (first.hop == ITP_HOP_NONE || (!itp_work_hop(work, first.hop)->is_client &&
					  itp_work_hop(work, first.hop)->is_answered)) {
		return itp_worker_asks_for(work, worker, move);
	}
	if (itp_work_hop(work, first.hop)->is_client) {
		return begin_asking(work, worker, first.hop);
	}
	hop = itp_work_add_hop(work, move, move->begin_ns, ITP_HOP_NONE);
	client = itp_work_hop(work, hop);
	client->is_client = true;
	client->mixed = g_array_new(FALSE, FALSE, sizeof(struct itp_pending));
	g_array_append_val(client->mixed, first);
	g_array_append_val(work->mixed, hop);
	if (!add_choices(work, worker, hop, first.hop)) {
		merge_hops(work, hop, first.hop);
		return first.hop;
	}
	return hop;
}

/* True when `hop` is part of its process' work for `whole`. */
static bool is_part(const struct itp_work *work, uint32_t hop, uint32_t whole)
{
	hop = itp_work_resolve(work, hop);
	while (hop != ITP_HOP_NONE && hop != whole &&
	       itp_work_hop(work, hop)->hop.pid == itp_work_hop(work, whole)->hop.pid) {
		hop = itp_work_resolve(work, itp_work_hop(work, hop)->hop.parent);
	}
	return hop == whole;
}

/* Hop of the move's thread in its process' work on `hop`: `hop` itself, its whole, or a new part
 * from `begin_ns` on. */
static uint32_t hop_in(struct itp_work *work, uint32_t hop, const struct itp_move *move,
		       int64_t begin_ns)
{
	uint32_t at = hop;

	while (at != ITP_HOP_NONE && itp_work_hop(work, at)->hop.pid == move->pid) {
		if (itp_work_hop(work, at)->hop.tid == move->tid) {
			return at;
		}
		at = itp_work_resolve(work, itp_work_hop(work, at)->hop.parent);
	}
	at = itp_work_add_hop(work, move, begin_ns, hop);
	itp_work_hop(work, at)->is_one_way = true;
	itp_work_hop(work, at)->is_part = true;
	return at;
}

/* Drops `hop` from the hops for which the client may have asked; returns the only one left. */
static uint32_t rule_out(const struct itp_work *work, uint32_t client, uint32_t hop)
{
	GArray *mixed = itp_work_hop(work, client)->mixed;
	guint kept = 0;

	for (guint i = 0; i < mixed->len; i++) {
		const struct itp_pending one = *pending_at(mixed, i);

		if (itp_work_resolve(work, one.hop) != hop) {
			*pending_at(mixed, kept++) = one;
		}
	}
	g_array_set_size(mixed, kept);
	return kept == 1 ? itp_work_resolve(work, pending_at(mixed, 0)->hop) : ITP_HOP_NONE;
}

/* True when `hop` tells for whom a client did not ask: it was answered before the client was, or
 * had acted on its begin before the client asked. */
static bool tells(const struct itp_work *work, uint32_t client, uint32_t hop, int64_t acted_ns)
{
	const struct itp_work_hop *known = itp_work_hop(work, client);
	const struct itp_pending *one = find_pending(work, known->mixed, hop);

	return one && !known->is_connecting &&
	       (acted_ns == ANSWERED ? !known->is_answered :
				       !one->is_answer && known->hop.begin_ns > acted_ns);
}

/* Finds the next client with a single hop left after `hop` is ruled out; ITP_HOP_NONE: there is no
 * more. */
static uint32_t rule_out_next(const struct itp_work *work, uint32_t hop, int64_t acted_ns,
			      uint32_t *ret_only)
{
	guint kept = 0;
	uint32_t found = ITP_HOP_NONE;

	for (guint i = 0; i < work->mixed->len; i++) {
		uint32_t client = g_array_index(work->mixed, uint32_t, i);

		if (itp_work_hop(work, client)->same_as != ITP_HOP_NONE ||
		    is_finished(work, client)) {
			continue;
		}
		g_array_index(work->mixed, uint32_t, kept++) = client;
		if (found == ITP_HOP_NONE && tells(work, client, hop, acted_ns)) {
			*ret_only = rule_out(work, client, hop);
			found = *ret_only != ITP_HOP_NONE ? client : ITP_HOP_NONE;
		}
	}
	g_array_set_size(work->mixed, kept);
	return found;
}

static void resolve_rest(const struct itp_work *work, uint32_t hop, int64_t acted_ns);

/* The client asked for `hop`, and so has acted for it. */
static void resolve(const struct itp_work *work, uint32_t client, uint32_t hop)
{
	const int64_t acted_ns = itp_work_hop(work, client)->hop.begin_ns;
	struct itp_worker *worker = g_hash_table_lookup(
		work->workers, GINT_TO_POINTER(itp_work_hop(work, hop)->hop.tid));
	struct itp_pending *own = worker ? find_pending(work, worker->pending, hop) : NULL;

	itp_turn_note(work, client, hop);
	merge_hops(work, client, hop);
	if (own && !own->is_answer) {
		g_array_remove_index(worker->pending,
				     (guint)(own - pending_at(worker->pending, 0)));
	}
	resolve_rest(work, hop, acted_ns);
}

/* Among the thread's unfinished answers, only one is for any of several hops: it is for the hop
 * answered by the thread, if possible, and no other answer was. */
static void resolve_taken(const struct itp_work *work, const struct itp_worker *worker,
			  uint32_t hop)
{
	uint32_t only = ITP_HOP_NONE;
	guint count = 0;

	for (guint i = 0; i < worker->pending->len; i++) {
		const struct itp_pending *one = pending_at(worker->pending, i);
		bool is_mixed = itp_work_hop(work, one->hop)->mixed != NULL;

		only = is_mixed ? one->hop : only;
		count += is_mixed || (one->hop == hop && one->is_answer);
	}
	if (count == 1 && only != ITP_HOP_NONE &&
	    find_pending(work, itp_work_hop(work, only)->mixed, hop)) {
		resolve(work, only, hop);
		itp_work_hop(work, hop)->explained_turn = worker->turn;
	}
}

/* Earlier asks of clients were not for `hop`: `tells()` says of which of them. */
static void resolve_rest(const struct itp_work *work, uint32_t hop, int64_t acted_ns)
{
	uint32_t only = ITP_HOP_NONE;
	uint32_t client = rule_out_next(work, hop, acted_ns, &only);

	while (client != ITP_HOP_NONE) {
		resolve(work, client, only);
		client = rule_out_next(work, hop, acted_ns, &only);
	}
}

static void resolve_loose(const struct itp_work *work, const struct itp_worker *worker,
			  uint32_t whole, uint32_t hop)
{
	for (guint i = 0; i < worker->loose->len; i++) {
		uint32_t client = g_array_index(worker->loose, uint32_t, i);
		const struct itp_work_hop *known = itp_work_hop(work, client);

		if (known->same_as == ITP_HOP_NONE && !known->mixed &&
		    known->hop.begin_ns >= itp_work_hop(work, whole)->hop.begin_ns) {
			merge_hops(work, client, hop);
		}
	}
}

uint32_t itp_worker_answers(struct itp_work *work, struct itp_worker *worker, uint32_t hop,
			    const struct itp_move *move)
{
	uint32_t own = hop;

	prune(work, worker, ITP_HOP_NONE);
	resolve_taken(work, worker, hop);
	resolve_rest(work, hop, ANSWERED);
	if (is_part(work, worker->current, hop)) {
		own = itp_work_resolve(work, worker->current);
	} else if (is_part(work, worker->last, hop)) {
		own = itp_work_resolve(work, worker->last);
		resolve_loose(work, worker, hop, own);
	} else if (itp_work_hop(work, hop)->hop.tid != move->tid) {
		int64_t begin_ns = MAX(itp_work_hop(work, hop)->hop.begin_ns,
				       MAX(worker->free_ns, worker->woken_ns));

		own = hop_in(work, hop, move, MIN(begin_ns, move->begin_ns));
		resolve_loose(work, worker, hop, own);
	}
	g_array_set_size(worker->loose, 0);
	worker->free_ns = move->end_ns;
	worker->woken_for = ITP_HOP_NONE;
	worker->last = own;
	itp_worker_act(work, worker, own);
	/* Work of an event loop in the rest of its turn may be for anybody. */
	if (own != hop || worker->turn > 1) {
		worker->current = ITP_HOP_NONE;
	}
	return own;
}

/* True when `hop` was answered after the client had its answer, and no other client's answer is the
 * reason. */
static bool was_passed_on(const struct itp_work *work, const struct itp_worker *worker,
			  uint32_t client, uint32_t hop)
{
	const struct itp_work_hop *known = itp_work_hop(work, hop);

	return !known->mixed && known->is_answered &&
	       known->hop.end_ns > itp_work_hop(work, client)->hop.end_ns &&
	       known->explained_turn != worker->turn;
}

/* A proxy with several answers passes one on, closes its connection, and turns to the next one.
 * Some proxies close first. */
void itp_worker_closes(struct itp_work *work, struct itp_worker *worker, uint32_t hop)
{
	const struct itp_work_hop *client = itp_work_hop(work, hop);
	uint32_t only = ITP_HOP_NONE;
	guint count = 0;

	for (guint i = 0; client->is_answered && client->mixed && i < client->mixed->len; i++) {
		uint32_t one = itp_work_resolve(work, pending_at(client->mixed, i)->hop);

		if (was_passed_on(work, worker, hop, one)) {
			only = one;
			count++;
		}
	}
	worker->closes_first |= client->is_answered && client->mixed && count == 0;
	if (count == 1 && !worker->closes_first) {
		resolve(work, hop, only);
		itp_work_hop(work, only)->explained_turn = worker->turn;
	}
}

void itp_worker_wakes(struct itp_work *work, uint32_t hop, const struct itp_move *move)
{
	struct itp_worker *woken = itp_work_worker(work, move->tid);
	uint32_t busy = itp_work_resolve(work, woken->current);

	hop = itp_work_resolve(work, hop);
	if (hop == ITP_HOP_NONE || itp_work_hop(work, hop)->hop.pid != move->pid ||
	    itp_work_hop(work, hop)->is_answered || woken->woken_for != ITP_HOP_NONE ||
	    (busy != ITP_HOP_NONE && !is_finished(work, busy))) {
		return;
	}
	woken->woken_for = hop;
	woken->woken_ns = move->end_ns;
}

void itp_workers_conclude(struct itp_work *work)
{
	for (uint32_t i = 0; i < work->hops->len; i++) {
		const uint32_t hop = itp_turn_tells(work, i);

		if (hop != ITP_HOP_NONE) {
			resolve(work, i, hop);
		}
	}
}
