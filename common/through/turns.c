/* SPDX-License-Identifier: MIT */
/*
 * Order in which an event loop acts: a loop that takes several requests before it asks somebody for
 * the first of them may keep to the order of the takes.
 *
 * The order is only known of a process that was always seen to keep it: by other signs, such as its
 * answers, and never against it. See workers.c for the other signs.
 */
#include "common/through/work.h"

/* Number of hops for which a client may have asked. */
static guint choices(const struct itp_work_hop *client)
{
	return client->same_as == ITP_HOP_NONE && client->mixed ? client->mixed->len : 0;
}

static uint32_t choice(const struct itp_work *work, uint32_t client, guint i)
{
	return itp_work_resolve(
		work, g_array_index(itp_work_hop(work, client)->mixed, struct itp_pending, i).hop);
}

/* True when the client may have asked for exactly the listed hops, in the order of their takes, and
 * all of them were taken in the present turn. */
static bool has_choices(const struct itp_work *work, const struct itp_worker *worker,
			uint32_t client, const GArray *list)
{
	for (guint i = 0; i < list->len; i++) {
		uint32_t hop = choice(work, client, i);

		if (hop != g_array_index(list, uint32_t, i) ||
		    itp_work_hop(work, hop)->hop.begin_ns < worker->turn_ns ||
		    g_array_index(itp_work_hop(work, client)->mixed, struct itp_pending, i)
			    .is_answer) {
			return false;
		}
	}
	return true;
}

/* Keeps clients made in the present turn whose hop is still unknown. */
static void keep_unknown(const struct itp_work *work, GArray *clients)
{
	guint kept = 0;

	for (guint i = 0; i < clients->len; i++) {
		uint32_t client = g_array_index(clients, uint32_t, i);

		if (choices(itp_work_hop(work, client)) > 0) {
			g_array_index(clients, uint32_t, kept++) = client;
		}
	}
	g_array_set_size(clients, kept);
}

/* Equal numbers of asks and takes: the first ask is for the first take. */
static void put_in_order(const struct itp_work *work, const struct itp_worker *worker)
{
	const GArray *clients = worker->asked;
	g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < clients->len; i++) {
		uint32_t client = g_array_index(clients, uint32_t, i);

		if (choices(itp_work_hop(work, client)) != clients->len) {
			return;
		}
		for (guint j = 0; i == 0 && j < clients->len; j++) {
			uint32_t hop = choice(work, client, j);

			g_array_append_val(taken, hop);
		}
		if (!has_choices(work, worker, client, taken)) {
			return;
		}
	}
	for (guint i = 0; i < clients->len; i++) {
		struct itp_work_hop *client =
			itp_work_hop(work, g_array_index(clients, uint32_t, i));

		client->in_order = g_array_index(taken, uint32_t, i);
		client->is_first = i == 0;
	}
}

void itp_turn_end(struct itp_work *work, struct itp_worker *worker, const struct itp_move *move)
{
	keep_unknown(work, worker->asked);
	if (worker->asked->len > 1) {
		put_in_order(work, worker);
	}
	g_array_set_size(worker->asked, 0);
	worker->turn++;
	worker->turn_ns = move->end_ns;
}

static struct itp_habit *habit_of(const struct itp_work *work, int32_t pid)
{
	struct itp_habit *habit = g_hash_table_lookup(work->habits, GINT_TO_POINTER(pid));

	if (!habit) {
		habit = g_new0(struct itp_habit, 1);
		g_hash_table_insert(work->habits, GINT_TO_POINTER(pid), habit);
	}
	return habit;
}

void itp_turn_note(const struct itp_work *work, uint32_t client, uint32_t hop)
{
	const struct itp_work_hop *known = itp_work_hop(work, client);
	struct itp_habit *habit = habit_of(work, known->hop.pid);

	if (known->in_order != ITP_HOP_NONE) {
		habit->in_order += known->is_first && known->in_order == hop;
		habit->out_of_order += known->in_order != hop;
	}
}

uint32_t itp_turn_tells(const struct itp_work *work, uint32_t client)
{
	const struct itp_work_hop *known = itp_work_hop(work, client);
	const struct itp_habit *habit;

	if (known->in_order == ITP_HOP_NONE || choices(known) == 0) {
		return ITP_HOP_NONE;
	}
	habit = habit_of(work, known->hop.pid);
	return habit->out_of_order == 0 && habit->in_order >= ITP_HABIT_LEAST ? known->in_order :
										ITP_HOP_NONE;
}
