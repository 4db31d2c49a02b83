/* SPDX-License-Identifier: MIT */
/*
 * See history.h.
 */
#include "common/wait/history.h"

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/base/sums.h"

/* Waker of a wait. */
struct wake {
	int32_t tid;
	uint32_t node;
	uint32_t process;
	uint32_t function;
};

struct entry {
	int64_t begin_ns;
	int64_t end_ns;
	uint32_t node;
	/* enum itp_stretch_kind and enum itp_wait_end. `detail` is the index of the wakeup for a
	 * wait ended by a wakeup, and the number of ticks for a running stretch. */
	uint32_t kind : 2;
	uint32_t end : 2;
	/* See struct itp_stretch. */
	uint32_t is_in_call : 1;
	uint32_t detail : 27;
};

G_STATIC_ASSERT(sizeof(struct entry) == 24);

#define MAX_DETAIL ((1u << 27) - 1)

struct itp_life {
	int32_t tid;
	/* Process of the last stretch: a number may be used again. */
	int32_t pid;
	/* The thread has ended a wait since its last stretch. */
	bool has_woken;
	/* struct entry, by time. Owned by this. */
	GArray *entries;
	/* struct wake. Owned by this. */
	GArray *wakes;
};

struct itp_history {
	/* struct itp_life by tid. Owned by this. */
	GHashTable *lives;
	/* Ticks by node. Owned by this. */
	GHashTable *ticks;
	bool has_wakeups;
};

static void free_life(gpointer data)
{
	struct itp_life *life = data;

	g_array_unref(life->entries);
	g_array_unref(life->wakes);
	g_free(life);
}

struct itp_history *itp_history_new(void)
{
	struct itp_history *history = g_new0(struct itp_history, 1);

	history->lives = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_life);
	history->ticks = g_hash_table_new(itp_hash_number, NULL);
	return history;
}

void itp_history_free(struct itp_history *history)
{
	if (history) {
		g_hash_table_unref(history->lives);
		g_hash_table_unref(history->ticks);
		g_free(history);
	}
}

static struct itp_life *life_of(struct itp_history *history, int32_t tid)
{
	struct itp_life *life = g_hash_table_lookup(history->lives, GINT_TO_POINTER(tid));

	if (!life) {
		life = g_new0(struct itp_life, 1);
		life->tid = tid;
		life->entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
		life->wakes = g_array_new(FALSE, FALSE, sizeof(struct wake));
		g_hash_table_insert(history->lives, GINT_TO_POINTER(tid), life);
	}
	return life;
}

/* True if the stretch only prolongs the last entry. Waits stay apart, as each has an end of its
 * own; and a thread's doings before it ended a wait stay apart from its doings behind. */
static bool goes_on(const struct itp_life *life, const struct itp_stretch *stretch)
{
	const struct entry *last =
		life->entries->len > 0 ?
			&g_array_index(life->entries, struct entry, life->entries->len - 1) :
			NULL;

	return last && !life->has_woken && stretch->kind != ITP_STRETCH_WAIT &&
	       last->kind == stretch->kind && last->node == stretch->node &&
	       last->is_in_call == stretch->is_in_call && last->end_ns == stretch->begin_ns;
}

/* Adds the wakeup that ended the wait, and returns its index. */
static uint32_t add_wake(struct itp_life *life, const struct itp_stretch *wait)
{
	const struct wake wake = { .tid = wait->waker_tid,
				   .node = wait->waker_node,
				   .process = wait->waker_process,
				   .function = wait->waker_function };

	g_array_append_val(life->wakes, wake);
	return life->wakes->len - 1;
}

static void note_waker(const struct itp_history *history, int32_t tid)
{
	struct itp_life *life = g_hash_table_lookup(history->lives, GINT_TO_POINTER(tid));

	if (life) {
		life->has_woken = true;
	}
}

static void add_wait(struct itp_history *history, struct itp_life *life,
		     const struct itp_stretch *wait, struct entry *entry)
{
	if (wait->end != ITP_WAIT_WOKEN) {
		entry->end = wait->end;
	} else if (life->wakes->len == MAX_DETAIL) {
		entry->end = ITP_WAIT_UNSEEN;
	} else {
		entry->end = ITP_WAIT_WOKEN;
		entry->detail = add_wake(life, wait) & MAX_DETAIL;
		note_waker(history, wait->waker_tid);
		history->has_wakeups = true;
	}
}

static void add_ticks(struct itp_history *history, const struct itp_stretch *stretch)
{
	if (stretch->kind == ITP_STRETCH_RUN && !stretch->is_in_call && stretch->ticks > 0) {
		itp_sums_add(history->ticks, GUINT_TO_POINTER(stretch->node), stretch->ticks);
	}
}

void itp_history_add(struct itp_history *history, const struct itp_stretch *stretch)
{
	struct itp_life *life = life_of(history, stretch->tid);
	struct entry entry = { .begin_ns = stretch->begin_ns,
			       .end_ns = stretch->end_ns,
			       .node = stretch->node,
			       .kind = stretch->kind,
			       .is_in_call = stretch->is_in_call,
			       .detail = stretch->ticks & MAX_DETAIL };

	life->pid = stretch->pid;
	add_ticks(history, stretch);
	if (goes_on(life, stretch)) {
		struct entry *last =
			&g_array_index(life->entries, struct entry, life->entries->len - 1);

		last->end_ns = stretch->end_ns;
		last->detail = (last->detail + stretch->ticks) & MAX_DETAIL;
		return;
	}
	if (stretch->kind == ITP_STRETCH_WAIT) {
		add_wait(history, life, stretch, &entry);
	}
	life->has_woken = false;
	g_array_append_val(life->entries, entry);
}

bool itp_history_has_wakeups(const struct itp_history *history)
{
	return history->has_wakeups;
}

uint64_t itp_history_ticks(const struct itp_history *history, uint32_t node)
{
	return (uint64_t)itp_sums_get(history->ticks, GUINT_TO_POINTER(node));
}

const struct itp_life *itp_history_life(const struct itp_history *history, int32_t tid)
{
	return g_hash_table_lookup(history->lives, GINT_TO_POINTER(tid));
}

static gint compare_lives(gconstpointer a, gconstpointer b)
{
	const struct itp_life *left = *(const struct itp_life *const *)a;
	const struct itp_life *right = *(const struct itp_life *const *)b;

	return ITP_ORDER(left->tid, right->tid);
}

GPtrArray *itp_history_lives(const struct itp_history *history)
{
	GPtrArray *lives = g_ptr_array_sized_new(g_hash_table_size(history->lives));
	GHashTableIter iter;
	gpointer life;

	g_hash_table_iter_init(&iter, history->lives);
	while (g_hash_table_iter_next(&iter, NULL, &life)) {
		g_ptr_array_add(lives, life);
	}
	g_ptr_array_sort(lives, compare_lives);
	return lives;
}

int32_t itp_life_tid(const struct itp_life *life)
{
	return life->tid;
}

size_t itp_life_length(const struct itp_life *life)
{
	return life->entries->len;
}

struct itp_stretch itp_life_get(const struct itp_life *life, size_t i)
{
	const struct entry *entry = &g_array_index(life->entries, struct entry, i);
	struct itp_stretch stretch = { .kind = entry->kind,
				       .pid = life->pid,
				       .tid = life->tid,
				       .node = entry->node,
				       .begin_ns = entry->begin_ns,
				       .end_ns = entry->end_ns,
				       .ticks = entry->kind == ITP_STRETCH_WAIT ? 0 : entry->detail,
				       .is_in_call = entry->is_in_call,
				       .end = entry->end };

	if (entry->kind == ITP_STRETCH_WAIT && entry->end == ITP_WAIT_WOKEN) {
		const struct wake *wake = &g_array_index(life->wakes, struct wake, entry->detail);

		stretch.waker_tid = wake->tid;
		stretch.waker_node = wake->node;
		stretch.waker_process = wake->process;
		stretch.waker_function = wake->function;
	}
	return stretch;
}

size_t itp_life_find(const struct itp_life *life, int64_t time_ns)
{
	size_t first = 0;
	size_t end = life->entries->len;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (g_array_index(life->entries, struct entry, middle).end_ns > time_ns) {
			end = middle;
		} else {
			first = middle + 1;
		}
	}
	return first;
}
