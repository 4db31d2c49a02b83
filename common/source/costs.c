/* SPDX-License-Identifier: MIT */
/*
 * See costs.h.
 */
#include "common/source/costs.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/watched.h"

/* Thread in which a CPU does nothing; each CPU has one. */
#define IDLE_TID 0

enum answer {
	ANSWER_NONE,
	ANSWER_NO,
	ANSWER_YES,
};

struct thread {
	int64_t last_ns;
	/* The stack stays the same until the thread's next event: the thread is off the CPU, or in
	 * a system call. */
	bool is_off;
	bool is_in_call;
	/* Off the CPU, and could run: preempted, or woken. */
	bool is_waiting;
	/* guint: places of the last stack. Owned by this. */
	GArray *places;
};

struct itp_source_costs {
	/* Weak. */
	const struct itp_function_table *functions;
	itp_source_filter filter;
	void *data;
	/* enum answer of `filter`, by function. Owned by this. */
	GByteArray *answers;
	/* struct itp_source_place. Owned by this. */
	GArray *places;
	/* Address → number of its first place plus 1. Owned by this. */
	GHashTable *by_address;
	/* tid → struct thread. Owned by this. */
	GHashTable *threads;
	/* guint: places of the present stack. Owned by this. */
	GArray *found;
	/* enum itp_watched. */
	uint32_t watched;
	/* Sums over all threads. */
	bool has_switches;
	int64_t cpu_ns;
	uint64_t weight;
	/* CPU time for which the ticks stand, as far as their timers tell. */
	int64_t tick_ns;
};

static void thread_free(gpointer data)
{
	struct thread *thread = data;

	g_array_unref(thread->places);
	g_free(thread);
}

struct itp_source_costs *itp_source_costs_new(const struct itp_function_table *functions,
					      itp_source_filter filter, void *data)
{
	struct itp_source_costs *costs = g_new0(struct itp_source_costs, 1);

	costs->watched = ITP_WATCHED_TOLD;
	costs->functions = functions;
	costs->filter = filter;
	costs->data = data;
	costs->answers = g_byte_array_new();
	costs->places = g_array_new(FALSE, TRUE, sizeof(struct itp_source_place));
	costs->by_address = g_hash_table_new(itp_hash_number, NULL);
	costs->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, thread_free);
	costs->found = g_array_new(FALSE, FALSE, sizeof(guint));
	return costs;
}

void itp_source_costs_free(struct itp_source_costs *costs)
{
	if (!costs) {
		return;
	}
	g_byte_array_unref(costs->answers);
	g_array_unref(costs->places);
	g_hash_table_unref(costs->by_address);
	g_hash_table_unref(costs->threads);
	g_array_unref(costs->found);
	g_free(costs);
}

/* ---- Places of a stack ---- */

static enum answer ask_filter(const struct itp_source_costs *costs, uint32_t id)
{
	const struct itp_function *function = itp_function_table_get(costs->functions, id);

	return function->layer == ITP_LAYER_USER && costs->filter(function, costs->data) ?
		       ANSWER_YES :
		       ANSWER_NO;
}

static bool is_wanted(struct itp_source_costs *costs, uint32_t id)
{
	guint known = costs->answers->len;

	if (id >= known) {
		g_byte_array_set_size(costs->answers, id + 1);
		memset(costs->answers->data + known, ANSWER_NONE, id + 1 - known);
	}
	if (costs->answers->data[id] == ANSWER_NONE) {
		costs->answers->data[id] = ask_filter(costs, id);
	}
	return costs->answers->data[id] == ANSWER_YES;
}

static bool is_same_place(const struct itp_source_place *a, const struct itp_source_place *b)
{
	return a->function == b->function && a->kind == b->kind && a->is_exact == b->is_exact &&
	       a->callee == b->callee;
}

/* Number of the place; a new place is added. */
static guint number_of_place(struct itp_source_costs *costs, const struct itp_source_place *wanted)
{
	gpointer key = GSIZE_TO_POINTER(wanted->address);
	guint first = GPOINTER_TO_UINT(g_hash_table_lookup(costs->by_address, key));
	struct itp_source_place place = *wanted;

	for (guint i = first; i > 0;) {
		const struct itp_source_place *other =
			&g_array_index(costs->places, struct itp_source_place, i - 1);

		if (is_same_place(other, wanted)) {
			return i - 1;
		}
		i = other->next;
	}
	place.next = first;
	g_array_append_val(costs->places, place);
	g_hash_table_insert(costs->by_address, key, GUINT_TO_POINTER(costs->places->len));
	return costs->places->len - 1;
}

/* Adds a place to the present stack; false when the stack has it already. */
static bool add_stack_place(struct itp_source_costs *costs, const struct itp_source_place *wanted)
{
	guint number = number_of_place(costs, wanted);

	for (guint i = 0; i < costs->found->len; i++) {
		if (g_array_index(costs->found, guint, i) == number) {
			return false;
		}
	}
	g_array_append_val(costs->found, number);
	return true;
}

/* Number of the frame with the place of frame `i` in the code: that of the innermost function
 * inlined into the frame's. */
static size_t place_frame(const struct itp_stack_event *event, size_t i, size_t user_count)
{
	while (i + 1 < user_count && itp_frame_calls_inlined(&event->frames[i])) {
		i++;
	}
	return i;
}

static bool is_user(const struct itp_source_costs *costs, const struct itp_frame *frame)
{
	return itp_function_table_get(costs->functions, frame->function)->layer == ITP_LAYER_USER;
}

/* True when the thread stood at the frame's address, rather than behind a call of a function or of
 * the system. */
static bool is_exact(const struct itp_source_costs *costs, const struct thread *thread,
		     const struct itp_stack_event *event, size_t i, size_t user_count)
{
	if (event->frames[i].is_exact) {
		return true;
	}
	if (i + 1 < user_count) {
		return itp_function_table_get(costs->functions, event->frames[i + 1].function)
			->is_signal_frame;
	}
	return !thread->is_in_call && event->kind != ITP_EVENT_SYSCALL_ENTER;
}

/* Of a recursive function the innermost call counts: its parts make the whole. */
static void find_frame(struct itp_source_costs *costs, const struct thread *thread,
		       const struct itp_stack_event *event, size_t i, size_t user_count)
{
	const size_t at = place_frame(event, i, user_count);
	const uint32_t function = event->frames[i].function;
	const struct itp_source_place total = { .function = function };
	struct itp_source_place place = { .function = function,
					  .kind = ITP_SOURCE_OWN,
					  .address = event->frames[at].address,
					  .is_exact =
						  is_exact(costs, thread, event, at, user_count) };

	if (at + 1 < user_count) {
		place.kind = ITP_SOURCE_CALL;
		place.callee = event->frames[at + 1].function;
	}
	if (add_stack_place(costs, &total)) {
		add_stack_place(costs, &place);
	}
}

/* Finds the places of a stack. False without frames of the program. */
static bool find_stack_places(struct itp_source_costs *costs, const struct thread *thread,
			      const struct itp_stack_event *event)
{
	size_t user_count = 0;

	while (user_count < event->frame_count && is_user(costs, &event->frames[user_count])) {
		user_count++;
	}
	g_array_set_size(costs->found, 0);
	for (size_t i = user_count; i > 0; i--) {
		if (is_wanted(costs, event->frames[i - 1].function)) {
			find_frame(costs, thread, event, i - 1, user_count);
		}
	}
	return user_count > 0;
}

/* ---- Costs of places ---- */

static void add_waiting(struct itp_source_costs *costs, const GArray *places, int64_t stretch_ns)
{
	for (guint i = 0; i < places->len; i++) {
		guint number = g_array_index(places, guint, i);

		g_array_index(costs->places, struct itp_source_place, number).waiting_ns +=
			stretch_ns;
	}
}

static void add_stretch_costs(struct itp_source_costs *costs, const GArray *places,
			      int64_t stretch_ns, bool is_off)
{
	for (guint i = 0; i < places->len; i++) {
		guint number = g_array_index(places, guint, i);
		struct itp_source_place *place =
			&g_array_index(costs->places, struct itp_source_place, number);

		place->stretches_ns += stretch_ns;
		place->off_ns += is_off ? stretch_ns : 0;
	}
}

static void add_tick(struct itp_source_costs *costs, uint64_t weight)
{
	for (guint i = 0; i < costs->found->len; i++) {
		guint number = g_array_index(costs->found, guint, i);
		struct itp_source_place *place =
			&g_array_index(costs->places, struct itp_source_place, number);

		place->ticks++;
		place->weight += weight;
	}
	costs->weight += weight;
}

static struct thread *thread_with_costs(struct itp_source_costs *costs,
					const struct itp_stack_event *event)
{
	gpointer key = GINT_TO_POINTER(event->tid);
	struct thread *thread = g_hash_table_lookup(costs->threads, key);

	if (!thread) {
		thread = g_new0(struct thread, 1);
		thread->last_ns = event->time_ns;
		thread->places = g_array_new(FALSE, FALSE, sizeof(guint));
		g_hash_table_insert(costs->threads, key, thread);
	}
	return thread;
}

/* Adds the stretch from the thread's last event to `time_ns`. */
static void pass_stretch(struct itp_source_costs *costs, struct thread *thread, int64_t time_ns,
			 bool has_stack)
{
	int64_t stretch_ns = time_ns - thread->last_ns;
	bool is_shared = has_stack && !thread->is_off && !thread->is_in_call;
	int64_t later_ns = is_shared ? stretch_ns / 2 : 0;

	if (thread->is_waiting) {
		add_waiting(costs, thread->places, stretch_ns);
	} else {
		add_stretch_costs(costs, thread->places, stretch_ns - later_ns, thread->is_off);
	}
	if (has_stack) {
		add_stretch_costs(costs, costs->found, later_ns, false);
		g_array_set_size(thread->places, 0);
		g_array_append_vals(thread->places, costs->found->data, costs->found->len);
	}
	costs->cpu_ns += thread->is_off ? 0 : stretch_ns;
	thread->last_ns = time_ns;
}

static void note_state(struct itp_source_costs *costs, struct thread *thread,
		       const struct itp_stack_event *event)
{
	thread->is_off = event->kind == ITP_EVENT_SWITCH_OUT;
	thread->is_waiting = thread->is_off && event->argument == 0;
	thread->is_in_call = event->kind == ITP_EVENT_SYSCALL_ENTER ||
			     (thread->is_in_call && event->kind != ITP_EVENT_SYSCALL_EXIT);
	costs->has_switches |= thread->is_off;
}

static void push_of_thread(struct itp_source_costs *costs, const struct itp_stack_event *event)
{
	struct thread *thread = thread_with_costs(costs, event);
	bool has_stack = find_stack_places(costs, thread, event);

	pass_stretch(costs, thread, event->time_ns, has_stack);
	if (event->kind == ITP_EVENT_SAMPLE && event->argument > 0) {
		add_tick(costs, (uint64_t)event->argument);
		costs->tick_ns += event->tick_ns;
	}
	note_state(costs, thread, event);
	costs->watched |= itp_watched_by(event);
	if (event->kind == ITP_EVENT_EXEC) {
		g_array_set_size(thread->places, 0);
	}
	if (event->kind == ITP_EVENT_END) {
		g_hash_table_remove(costs->threads, GINT_TO_POINTER(event->tid));
	}
}

/* The stack is the waker's. */
static void wake(struct itp_source_costs *costs, const struct itp_stack_event *event)
{
	struct thread *thread = g_hash_table_lookup(costs->threads, GINT_TO_POINTER(event->tid));

	if (thread && thread->is_off) {
		pass_stretch(costs, thread, event->time_ns, false);
		thread->is_waiting = true;
	}
}

void itp_source_costs_push(struct itp_source_costs *costs, const struct itp_stack_event *event)
{
	if (event->kind == ITP_EVENT_LOSS) {
		g_hash_table_remove_all(costs->threads);
	} else if (event->kind == ITP_EVENT_WAKEUP) {
		wake(costs, event);
	} else if (event->tid > IDLE_TID) {
		push_of_thread(costs, event);
	}
}

const GArray *itp_source_costs_places(const struct itp_source_costs *costs)
{
	return costs->places;
}

bool itp_source_costs_are_watched(const struct itp_source_costs *costs)
{
	return itp_watched_shows_latencies(costs->watched) || costs->weight == 0;
}

int64_t itp_source_costs_cpu_ns(const struct itp_source_costs *costs, uint64_t weight)
{
	const bool is_watched = itp_source_costs_are_watched(costs);
	const int64_t all_ns = is_watched ? costs->cpu_ns : costs->tick_ns;

	return (costs->has_switches || !is_watched) && costs->weight > 0 ?
		       (int64_t)((double)all_ns * (double)weight / (double)costs->weight) :
		       0;
}

bool itp_source_costs_have_times(const struct itp_source_costs *costs)
{
	return itp_source_costs_cpu_ns(costs, G_MAXINT32) > 0;
}

int64_t itp_source_costs_time_ns(const struct itp_source_costs *costs,
				 const struct itp_source_place *place)
{
	if (!itp_source_costs_are_watched(costs)) {
		return itp_source_costs_cpu_ns(costs, place->weight);
	}
	return costs->has_switches && costs->weight > 0 ?
		       itp_source_costs_cpu_ns(costs, place->weight) + place->off_ns :
		       place->stretches_ns;
}
