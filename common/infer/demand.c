/* SPDX-License-Identifier: MIT */
/*
 * See demand.h.
 */
#include "common/infer/demand.h"

#include "common/base/hash.h"
#include "common/infer/wait-places.h"

/* Single waits kept of a thread, 12 KiB of them. When full, the earlier half becomes sums, so that
 * the last 128 at least are told apart. */
#define WAITS_KEPT 256
/* Places and wakers of sums; the rest of a thread comes together as nobody's. */
#define SUMS_KEPT 64
/* Most threads of a chain. */
#define CHAIN_MOST 32
/* Ended threads known: as many as the inference knows (ended-threads.h). */
#define ENDED_KEPT 64
/* A chain through sums grows thinner with each thread: less than that part of a thread's time is
 * not followed further. */
#define LEAST_PART 0.01
/* Share of a recording that is most of it. */
#define MOST 0.5

/* Wait, or several waits in a context ended by the same thread. */
struct wait {
	uint32_t node;
	/* Thread that ended it; 0: the kernel, or unknown. */
	int32_t waker_tid;
	uint32_t waker_node;
	int64_t begin_ns;
	/* For a thread's end: begin of the waiting for ends of its kind. */
	int64_t since_ns;
	/* Waits behind it are known to be wanted. */
	int64_t until_ns;
	/* Blocked time that is not known to be wanted: spread evenly from begin to until. */
	double left_ns;
	bool is_passed_on;
	bool is_for_end;
	/* The process had asked others, and was not answered yet. */
	bool is_for_answer;
	/* Goes on behind all that is known of the thread. */
	bool is_cut;
};

struct itp_wait_history {
	int32_t pid;
	int32_t tid;
	/* Function it was made for, ITP_FUNCTION_UNKNOWN where no wait has shown it. */
	uint32_t root;
	/* Of a process' first thread: the process that made it, 0 where unknown. */
	int32_t maker_pid;
	/* Time of its end, and whether it ended by itself. */
	int64_t end_ns;
	bool has_ended_itself;
	/* First thread of the command. */
	bool is_command;
	/* struct wait: sums, then single waits in their order; waits from `pending` on may be
	 * pieces of one. Owned by this. */
	GArray *waits;
	guint sum_count;
	guint pending;
};

struct itp_demand {
	/* Weak. */
	const struct itp_context_tree *tree;
	/* All owned by this. */
	struct itp_wait_places *places;
	/* struct itp_wait_history by tid; and a ring of histories of the threads that ended
	 * last. */
	GHashTable *histories;
	struct itp_wait_history *ended[ENDED_KEPT];
	guint ended_count;
	/* struct itp_node_demand by node. */
	GArray *nodes;
	/* Process number of the command, 0 before it is known. */
	int32_t command_pid;
	/* pids of processes that serve, of processes that wait for others' answers, and of those
	 * that ever did. */
	GHashTable *servers;
	GHashTable *askers;
	GHashTable *clients;
	/* By kind of threads (kind_of_thread()): begin of the waiting for their ends (int64_t). */
	GHashTable *joined;
	/* Longest wait in which the command slept, and its node. */
	int64_t longest_sleep_ns;
	uint32_t sleep_node;
};

/* ---- Threads ---- */

static void free_history(gpointer data)
{
	struct itp_wait_history *history = data;

	if (history) {
		g_array_unref(history->waits);
		g_free(history);
	}
}

struct itp_demand *itp_demand_new(const struct itp_context_tree *tree,
				  const struct itp_function_table *functions)
{
	struct itp_demand *demand = g_new0(struct itp_demand, 1);

	demand->tree = tree;
	demand->places = itp_wait_places_new(tree, functions);
	demand->histories = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_history);
	demand->nodes = g_array_new(FALSE, TRUE, sizeof(struct itp_node_demand));
	demand->servers = g_hash_table_new(itp_hash_number, NULL);
	demand->askers = g_hash_table_new(itp_hash_number, NULL);
	demand->clients = g_hash_table_new(itp_hash_number, NULL);
	demand->joined = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return demand;
}

void itp_demand_free(struct itp_demand *demand)
{
	g_hash_table_unref(demand->histories);
	itp_wait_places_free(demand->places);
	g_array_unref(demand->nodes);
	g_hash_table_unref(demand->servers);
	g_hash_table_unref(demand->askers);
	g_hash_table_unref(demand->clients);
	g_hash_table_unref(demand->joined);
	g_free(demand);
}

void itp_demand_set_maker(struct itp_wait_history *history, int32_t maker_pid)
{
	history->maker_pid = maker_pid;
}

void itp_demand_set_command(struct itp_demand *demand, struct itp_wait_history *history)
{
	history->is_command = true;
	demand->command_pid = history->pid;
}

static bool is_in(GHashTable *pids, int32_t pid)
{
	return g_hash_table_contains(pids, GINT_TO_POINTER(pid));
}

static void set_in(GHashTable *pids, int32_t pid, bool is_in)
{
	if (is_in) {
		g_hash_table_add(pids, GINT_TO_POINTER(pid));
	} else {
		g_hash_table_remove(pids, GINT_TO_POINTER(pid));
	}
}

void itp_demand_serve(struct itp_demand *demand, int32_t pid, bool serves)
{
	set_in(demand->servers, pid, serves);
}

void itp_demand_ask(struct itp_demand *demand, int32_t pid, bool asks)
{
	set_in(demand->askers, pid, asks);
	if (asks) {
		g_hash_table_add(demand->clients, GINT_TO_POINTER(pid));
	}
}

static struct itp_wait_history *history_of(const struct itp_demand *demand, int32_t tid)
{
	return tid == 0 ? NULL : g_hash_table_lookup(demand->histories, GINT_TO_POINTER(tid));
}

/* ---- Wanted waits ---- */

/* Reason why a wait is wanted. */
enum want {
	WANT_WORK,
	/* Nothing but the life of the command. */
	WANT_LIFE,
};

static struct wait *wait_at(const struct itp_wait_history *history, guint i)
{
	return &g_array_index(history->waits, struct wait, i);
}

static struct itp_node_demand *node_at(struct itp_demand *demand, uint32_t node)
{
	if (node >= demand->nodes->len) {
		g_array_set_size(demand->nodes, MAX(2 * demand->nodes->len, node + 1));
	}
	return &g_array_index(demand->nodes, struct itp_node_demand, node);
}

static void count(struct itp_demand *demand, const struct wait *wait, double ns, enum want want)
{
	struct itp_node_demand *node = node_at(demand, wait->node);
	const int64_t whole_ns = (int64_t)(ns + 0.5);

	if (wait->is_for_end) {
		return;
	}
	*(want == WANT_LIFE ? &node->life_ns : &node->wanted_ns) += whole_ns;
	node->passed_ns += wait->is_passed_on ? whole_ns : 0;
}

/* Span of a thread's time; `part` of it is wanted, up to 1. */
struct span {
	int64_t begin_ns;
	int64_t end_ns;
	double part;
	/* Only at this node and below; ITP_CONTEXT_ROOT: anywhere. */
	uint32_t at;
	/* Only waits that no other thread has ended. */
	bool is_alone;
};

/* Takes the wait's part inside of `span` as wanted. Returns the span in which the wait's ender was
 * waited for; its part is 0 where nothing is new. */
static struct span claim(struct itp_demand *demand, struct wait *wait, const struct span *span,
			 enum want want)
{
	struct span asked = { MAX(wait->begin_ns, span->begin_ns),
			      MIN(wait->until_ns, span->end_ns), 0, ITP_CONTEXT_ROOT, false };
	const double asked_ns = (double)(asked.end_ns - asked.begin_ns);
	double ns;

	if (asked_ns <= 0 || wait->left_ns <= 0) {
		return asked;
	}
	ns = wait->left_ns * asked_ns / (double)(wait->until_ns - wait->begin_ns) * span->part;
	wait->left_ns -= ns;
	if (span->part >= 1 && asked.end_ns == wait->until_ns) {
		wait->until_ns = asked.begin_ns;
	}
	count(demand, wait, ns, want);
	asked.part = MIN(ns / asked_ns, 1);
	return asked;
}

static void want_span(struct itp_demand *demand, struct itp_wait_history *history,
		      const struct span *span, enum want want, unsigned int length);

/* True when a waiter for the end of `a` waits for the end of `b`, too: both are its children, or
 * threads of its process made for the same function. */
static bool are_alike(const struct itp_wait_history *a, const struct itp_wait_history *b)
{
	return a == b || (a->maker_pid != 0 && a->maker_pid == b->maker_pid) ||
	       (a->pid == b->pid && a->root != ITP_FUNCTION_UNKNOWN && a->root == b->root);
}

static bool has_ended_in(const struct itp_wait_history *history, const struct span *span)
{
	return history->end_ns >= span->begin_ns && history->end_ns <= span->end_ns;
}

/* Threads of one process that were made for the same function: who waits for the end of one does so
 * for all of them, also for one that ends while the waiter runs between two of its waits. NULL for
 * the first threads of processes. */
static gpointer kind_of_thread(const struct itp_wait_history *history)
{
	return history->tid != history->pid && history->root != ITP_FUNCTION_UNKNOWN ?
		       itp_pair((uint32_t)history->pid, history->root) :
		       NULL;
}

/* Takes the waits of a thread that has ended, if others of its kind have been waited for, from the
 * begin of that on. */
static void want_like_others(struct itp_demand *demand, struct itp_wait_history *history)
{
	const gpointer kind = kind_of_thread(history);
	const int64_t *since_ns = kind ? g_hash_table_lookup(demand->joined, kind) : NULL;

	if (since_ns) {
		const struct span span = { *since_ns, history->end_ns, 1, ITP_CONTEXT_ROOT, false };

		want_span(demand, history, &span, WANT_WORK, 0);
	}
}

/* Notes that threads like `ender` are waited for from `since_ns` on, and takes the waits of those
 * that have ended meanwhile. */
static void note_join(struct itp_demand *demand, const struct itp_wait_history *ender,
		      int64_t since_ns)
{
	const gpointer kind = kind_of_thread(ender);

	if (!kind || g_hash_table_contains(demand->joined, kind)) {
		return;
	}
	g_hash_table_insert(demand->joined, kind, g_memdup2(&since_ns, sizeof(since_ns)));
	for (guint i = 0; i < ENDED_KEPT; i++) {
		if (demand->ended[i] && demand->ended[i]->end_ns >= since_ns &&
		    kind_of_thread(demand->ended[i]) == kind) {
			want_like_others(demand, demand->ended[i]);
		}
	}
}

/* Takes the waits of `ender`, and of its like, while its end was waited for. */
static void want_ends(struct itp_demand *demand, struct itp_wait_history *ender,
		      const struct span *span, unsigned int length)
{
	want_span(demand, ender, span, WANT_WORK, length);
	for (guint i = 0; i < ENDED_KEPT; i++) {
		struct itp_wait_history *other = demand->ended[i];

		if (other && has_ended_in(other, span) && are_alike(other, ender)) {
			want_span(demand, other, span, WANT_WORK, length);
		}
	}
	if (span->part >= 1) {
		note_join(demand, ender, span->begin_ns);
	}
}

static void want_wait(struct itp_demand *demand, struct wait *wait, const struct span *span,
		      enum want want, unsigned int length)
{
	const struct wait whole = *wait;
	struct span asked = claim(demand, wait, span, want);
	struct itp_wait_history *waker = asked.part >= LEAST_PART && length < CHAIN_MOST ?
						 history_of(demand, whole.waker_tid) :
						 NULL;

	if (waker && whole.is_for_end) {
		asked.begin_ns = MAX(whole.since_ns, span->begin_ns);
		want_ends(demand, waker, &asked, length + 1);
	} else if (waker) {
		want_span(demand, waker, &asked, WANT_WORK, length + 1);
	}
}

static bool is_at(const struct itp_demand *demand, const struct wait *wait, const struct span *span)
{
	const uint32_t depth = itp_context_tree_get(demand->tree, span->at)->depth;
	uint32_t node = wait->node;

	while (itp_context_tree_get(demand->tree, node)->depth > depth) {
		node = itp_context_tree_get(demand->tree, node)->parent;
	}
	return node == span->at;
}

static void want_span(struct itp_demand *demand, struct itp_wait_history *history,
		      const struct span *span, enum want want, unsigned int length)
{
	for (guint i = history->waits->len; i-- > 0;) {
		struct wait *wait = wait_at(history, i);

		if (wait->until_ns > span->begin_ns && is_at(demand, wait, span) &&
		    !(span->is_alone && wait->waker_tid != 0)) {
			want_wait(demand, wait, span, want, length);
		} else if (i >= history->sum_count && wait->begin_ns <= span->begin_ns) {
			/* Waits before are older; only sums may reach further. */
			i = history->sum_count;
		}
	}
}

void itp_demand_want(struct itp_demand *demand, const struct itp_open_time *open)
{
	const struct span span = { open->since_ns, open->until_ns, 1, open->at, open->is_alone };
	struct itp_wait_history *history = history_of(demand, open->tid);

	if (history) {
		want_span(demand, history, &span, WANT_WORK, 0);
	}
}

void itp_demand_await(struct itp_demand *demand, int32_t tid, int64_t since_ns)
{
	const struct span span = { since_ns, INT64_MAX, 1, ITP_CONTEXT_ROOT, false };
	struct itp_wait_history *history = history_of(demand, tid);

	if (history && history->is_command) {
		want_span(demand, history, &span, WANT_LIFE, 0);
	}
}

/* ---- Waits ---- */

/* Sum for `wait`. */
static struct wait *sum_for(struct itp_wait_history *history, const struct wait *wait)
{
	for (guint i = 0; i < history->sum_count; i++) {
		struct wait *sum = wait_at(history, i);

		if (sum->node == wait->node && sum->waker_tid == wait->waker_tid &&
		    sum->is_for_answer == wait->is_for_answer) {
			return sum;
		}
	}
	return NULL;
}

static void add_to_sum(struct wait *sum, const struct wait *wait)
{
	sum->begin_ns = MIN(sum->begin_ns, wait->begin_ns);
	sum->until_ns = MAX(sum->until_ns, wait->until_ns);
	sum->left_ns += wait->left_ns;
}

/* Makes sums of the earlier half of the single waits. Waits already wanted are of no more use. */
static void shorten(struct itp_wait_history *history)
{
	const guint first = history->sum_count;
	const guint count = WAITS_KEPT / 2;

	for (guint i = first; i < first + count; i++) {
		const struct wait wait = *wait_at(history, i);
		struct wait *sum = wait.left_ns > 0 ? sum_for(history, &wait) : NULL;

		if (sum) {
			add_to_sum(sum, &wait);
		} else if (wait.left_ns > 0 && history->sum_count < SUMS_KEPT) {
			*wait_at(history, history->sum_count++) = wait;
		}
	}
	g_array_remove_range(history->waits, history->sum_count,
			     first + count - history->sum_count);
	history->pending = history->waits->len;
}

/* True for a process of which nobody waits for the end: it serves; or its makers do, and it asks
 * nobody itself. */
static bool is_done_at_any_time(const struct itp_demand *demand, int32_t pid, int32_t thread_pid)
{
	return is_in(demand->servers, pid) &&
	       (pid == thread_pid || !is_in(demand->clients, thread_pid));
}

/* True when the command is not done before the thread is: both are of the same process, or its
 * process was made by the command, or by a process of the command's making. */
static bool is_of_command(const struct itp_demand *demand, const struct itp_wait_history *thread)
{
	int32_t pid = demand->command_pid == 0 ? 0 : thread->pid;

	for (int length = 0; pid != 0 && length < CHAIN_MOST; length++) {
		const struct itp_wait_history *first = history_of(demand, pid);

		if (is_done_at_any_time(demand, pid, thread->pid)) {
			return false;
		}
		if (pid == demand->command_pid) {
			return true;
		}
		pid = first ? first->maker_pid : 0;
	}
	return false;
}

/* True when the process, all of whose time is wanted, has an event to come: a thread of its own
 * tells it, or it has asked others and was not answered yet. */
static bool has_event_to_come(const struct itp_demand *demand,
			      const struct itp_wait_history *history, const struct wait *wait)
{
	const struct itp_wait_history *waker = history_of(demand, wait->waker_tid);

	return (waker && waker->pid == history->pid) || wait->is_for_answer;
}

static bool is_first(const struct itp_wait_history *history)
{
	return history->tid == history->pid;
}

/* Takes the wait of a thread whose whole life is wanted. */
static void want_of_life(struct itp_demand *demand, const struct itp_wait_history *history,
			 struct wait *wait)
{
	const struct span all = { INT64_MIN, INT64_MAX, 1, ITP_CONTEXT_ROOT, false };

	if (itp_wait_places_are_for_events(demand->places, wait->node) &&
	    !has_event_to_come(demand, history, wait)) {
		return;
	}
	if (is_first(history)) {
		itp_wait_places_add_own_work(demand->places, wait->node);
	}
	want_wait(demand, wait, &all, WANT_LIFE, 0);
}

/* True when the thread has been woken there by others. */
static bool has_been_woken_at(const struct itp_wait_history *history, uint32_t node)
{
	for (guint i = 0; i < history->waits->len; i++) {
		const struct wait *wait = wait_at(history, i);

		if (wait->node == node && wait->waker_tid != 0) {
			return true;
		}
	}
	return false;
}

/* True when the thread, which has ended, had its part in the life of the command. */
static bool had_part_in_life(const struct itp_demand *demand,
			     const struct itp_wait_history *history)
{
	return history->has_ended_itself &&
	       (is_first(history) || itp_wait_places_is_own_work(demand->places, history->root));
}

/* Takes the waits of a thread that has ended. Its waits for others meanwhile, as a worker's for its
 * jobs, may be idle all the same, but not those for answers. */
static void want_ended(struct itp_demand *demand, struct itp_wait_history *history)
{
	const bool had_part = had_part_in_life(demand, history);

	for (guint i = 0; had_part && i < history->waits->len; i++) {
		struct wait *wait = wait_at(history, i);

		if (wait->left_ns > 0 &&
		    (wait->is_for_answer || !has_been_woken_at(history, wait->node))) {
			want_of_life(demand, history, wait);
		}
	}
}

struct itp_wait_history *itp_demand_begin_thread(struct itp_demand *demand, int32_t pid,
						 int32_t tid)
{
	struct itp_wait_history *history = g_new0(struct itp_wait_history, 1);

	history->pid = pid;
	history->tid = tid;
	history->waits = g_array_new(FALSE, FALSE, sizeof(struct wait));
	for (guint i = 0; i < ENDED_KEPT; i++) {
		if (demand->ended[i] && demand->ended[i]->tid == tid) {
			want_ended(demand, demand->ended[i]);
			demand->ended[i] = NULL;
		}
	}
	g_hash_table_insert(demand->histories, GINT_TO_POINTER(tid), history);
	return history;
}

static void note_sleep(struct itp_demand *demand, const struct wait *wait)
{
	if (wait->waker_tid == 0 && wait->left_ns > (double)demand->longest_sleep_ns) {
		demand->longest_sleep_ns = (int64_t)wait->left_ns;
		demand->sleep_node = wait->node;
	}
}

/* Begin of wait `i`, a piece from `first` on. */
static int64_t since_of(const struct itp_demand *demand, const struct itp_wait_history *history,
			guint first, guint i)
{
	const struct wait *wait = wait_at(history, i);
	const struct itp_wait_history *ender =
		wait->is_for_end ? history_of(demand, wait->waker_tid) : NULL;

	for (; ender && first < i; first++) {
		const struct wait *before = wait_at(history, first);
		const struct itp_wait_history *other =
			before->is_for_end ? history_of(demand, before->waker_tid) : NULL;

		if (other && are_alike(other, ender)) {
			return before->begin_ns;
		}
	}
	return wait->begin_ns;
}

static void take_waker(struct wait *wait, const struct wait *last)
{
	wait->waker_tid = last->waker_tid;
	wait->waker_node = last->waker_node;
	wait->is_for_end = last->is_for_end;
}

static void settle_wait(struct itp_demand *demand, const struct itp_wait_history *history,
			struct wait *wait)
{
	const struct span all = { INT64_MIN, INT64_MAX, 1, ITP_CONTEXT_ROOT, false };
	const bool is_lock = wait->is_cut ?
				     itp_wait_places_are_to_lock(demand->places, wait->node) :
				     wait->waker_tid != 0 &&
					     itp_wait_places_are_of_lock(demand->places, wait->node,
									 wait->waker_node);

	wait->is_passed_on = wait->waker_tid != 0 && !is_lock;
	if (is_lock || itp_wait_places_are_of_work(demand->places, wait->node)) {
		want_wait(demand, wait, &all, WANT_WORK, 0);
	} else if (history->is_command && is_of_command(demand, history)) {
		note_sleep(demand, wait);
		want_of_life(demand, history, wait);
	}
}

void itp_demand_settle(struct itp_demand *demand, struct itp_wait_history *history)
{
	const guint first = history->pending;
	const guint end = history->waits->len;

	history->pending = end;
	for (guint i = first; i < end; i++) {
		struct wait *wait = wait_at(history, i);

		if (wait->waker_tid == 0) {
			take_waker(wait, wait_at(history, end - 1));
		}
		wait->since_ns = since_of(demand, history, first, i);
		settle_wait(demand, history, wait);
	}
}

void itp_demand_add(struct itp_demand *demand, struct itp_wait_history *history,
		    const struct itp_stretch *wait, bool is_for_end)
{
	const struct wait own = {
		.node = wait->node,
		.waker_tid = wait->waker_tid,
		.waker_node = wait->waker_node,
		.begin_ns = wait->begin_ns,
		.until_ns = wait->end_ns,
		.left_ns = (double)(wait->end_ns - wait->begin_ns),
		.is_cut = wait->end == ITP_WAIT_CUT,
		.is_for_answer = is_in(demand->askers, history->pid),
		.is_for_end = is_for_end ||
			      (wait->waker_tid != 0 &&
			       itp_wait_places_is_end(demand->places, wait->waker_node)),
	};

	if (history->root == ITP_FUNCTION_UNKNOWN) {
		history->root = itp_wait_places_root(demand->places, wait->node);
	}
	if (history->waits->len - history->sum_count >= WAITS_KEPT) {
		itp_demand_settle(demand, history);
		shorten(history);
	}
	g_array_append_val(history->waits, own);
}

void itp_demand_end_thread(struct itp_demand *demand, struct itp_wait_history *history,
			   uint32_t node, int64_t end_ns)
{
	struct itp_wait_history **place = &demand->ended[demand->ended_count++ % ENDED_KEPT];

	itp_demand_settle(demand, history);
	history->end_ns = end_ns;
	history->has_ended_itself = itp_wait_places_is_end(demand->places, node) &&
				    is_of_command(demand, history);
	want_like_others(demand, history);
	if (*place) {
		want_ended(demand, *place);
		g_hash_table_remove(demand->histories, GINT_TO_POINTER((*place)->tid));
	}
	*place = history;
}

void itp_demand_lose(struct itp_demand *demand)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, demand->histories);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		struct itp_wait_history *history = data;

		itp_demand_settle(demand, history);
		g_array_set_size(history->waits, 0);
		history->sum_count = 0;
		history->pending = 0;
	}
}

static void want_ended_ones(struct itp_demand *demand, bool are_first)
{
	for (guint i = 0; i < ENDED_KEPT; i++) {
		if (demand->ended[i] && is_first(demand->ended[i]) == are_first) {
			want_ended(demand, demand->ended[i]);
		}
	}
}

void itp_demand_finish(struct itp_demand *demand, int64_t length_ns, bool is_machine)
{
	/* First threads come first: others are compared with their work. */
	want_ended_ones(demand, true);
	want_ended_ones(demand, false);
	if (is_machine && (double)demand->longest_sleep_ns >= MOST * (double)length_ns) {
		node_at(demand, demand->sleep_node)->life_ns -= demand->longest_sleep_ns;
	}
}

struct itp_node_demand itp_demand_take(struct itp_demand *demand, uint32_t node)
{
	struct itp_node_demand taken = { 0, 0, 0 };

	if (node < demand->nodes->len) {
		taken = g_array_index(demand->nodes, struct itp_node_demand, node);
		g_array_index(demand->nodes, struct itp_node_demand, node) =
			(struct itp_node_demand){ 0, 0, 0 };
	}
	return taken;
}
