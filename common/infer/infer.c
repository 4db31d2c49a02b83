/* SPDX-License-Identifier: MIT */
/*
 * Threads and processes of a recording: the owner of each event.
 *
 * A thread is known by its tid until it ends; a process by its pid while it has threads; an image
 * (knowledge of the stacks below a process root) for good, since roots are few.
 */
#include "common/infer/infer.h"

#include <string.h>

#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/base/watched.h"
#include "common/infer/demand.h"
#include "common/infer/ended-threads.h"
#include "common/infer/event-check.h"
#include "common/infer/meanwhile.h"
#include "common/infer/stretches.h"
#include "common/infer/thread.h"
#include "common/infer/throttle.h"
#include "common/infer/tick-length.h"
#include "common/infer/wait-ends.h"
#include "common/infer/wake-stack.h"
#include "common/known/recorders.h"

struct process {
	/* Owned by this. */
	char *name;
	uint32_t thread_count;
};

struct itp_infer {
	struct itp_infer_options options;
	/* Weak. */
	struct itp_function_table *functions;
	struct itp_thread_context context;
	/* tid → struct itp_thread. Owned by this. */
	GHashTable *threads;
	/* pid → struct process. Owned by this. */
	GHashTable *processes;
	/* Function id of the process root → struct itp_image. Owned by this. */
	GHashTable *images;
	/* Owned by this. */
	struct itp_wake_stack *wake_stack;
	/* Owned by this. */
	struct itp_cpu_runs *cpu_runs;
	/* Owned by this. */
	struct itp_tick_length *tick_length;
	/* Since when system calls are watched, or are not. */
	int64_t window_ns;
	/* The thread of the last event, or NULL: events come in runs. Weak. */
	struct itp_thread *last;
	struct itp_ended_threads ended;
	/* Threads older than the recording. */
	uint64_t were_there;
};

static void free_inferred_thread(gpointer data)
{
	struct itp_thread *thread = data;

	itp_thread_release(thread);
	g_free(thread);
}

static void free_inferred_process(gpointer data)
{
	struct process *process = data;

	g_free(process->name);
	g_free(process);
}

static void free_image(gpointer data)
{
	struct itp_image *image = data;

	g_hash_table_destroy(image->below);
	g_hash_table_destroy(image->callers);
	g_free(image);
}

struct itp_infer *itp_infer_new(const struct itp_infer_options *options,
				struct itp_function_table *functions, struct itp_context_tree *tree,
				itp_instance_func on_instance, void *data)
{
	struct itp_infer *infer = g_new0(struct itp_infer, 1);

	infer->options = *options;
	infer->functions = functions;
	infer->context.rules = (struct itp_continuity_rules){
		.continuity = options->continuity,
		.flow = options->flow,
		.tree = tree,
		.max_contexts = options->max_contexts > 0 ? options->max_contexts :
							    ITP_MAX_CONTEXTS,
		.gap = itp_gap_new(),
		.strata = itp_strata_new(functions, tree),
		.nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.counted = g_array_new(FALSE, TRUE, sizeof(bool)),
		.on_instance = on_instance,
		.on_call = options->on_call,
		.data = data,
	};
	infer->context.boundary = itp_boundary_new(functions);
	infer->context.functions = functions;
	infer->context.wakers = itp_wakers_new();
	infer->context.demand = itp_demand_new(tree, functions);
	infer->context.frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	infer->context.lent_frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	infer->context.first_switch_ns = INT64_MAX;
	infer->context.on_stretch = options->on_stretch;
	infer->context.on_unplaced = options->on_unplaced;
	infer->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_inferred_thread);
	infer->processes =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, free_inferred_process);
	infer->images = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_image);
	infer->wake_stack = itp_wake_stack_new(functions, infer->context.boundary);
	infer->cpu_runs = itp_cpu_runs_new();
	infer->tick_length = itp_tick_length_new();
	infer->context.counts.watched = ITP_WATCHED_TOLD;
	return infer;
}

void itp_infer_watch(struct itp_infer *infer, uint32_t watched)
{
	infer->context.counts.watched |= watched;
	if (watched & ITP_WATCHED_SWITCHES) {
		infer->context.first_switch_ns = INT64_MIN;
	}
}

void itp_infer_free(struct itp_infer *infer)
{
	if (!infer) {
		return;
	}
	g_hash_table_destroy(infer->threads);
	g_hash_table_destroy(infer->processes);
	g_hash_table_destroy(infer->images);
	itp_wakers_free(infer->context.wakers);
	itp_demand_free(infer->context.demand);
	itp_wake_stack_free(infer->wake_stack);
	itp_cpu_runs_free(infer->cpu_runs);
	itp_tick_length_free(infer->tick_length);
	itp_gap_free(infer->context.rules.gap);
	itp_strata_free(infer->context.rules.strata);
	g_array_free(infer->context.rules.nodes, TRUE);
	g_array_free(infer->context.rules.counted, TRUE);
	itp_boundary_free(infer->context.boundary);
	g_array_free(infer->context.frames, TRUE);
	g_array_free(infer->context.lent_frames, TRUE);
	g_free(infer);
}

const struct itp_wakers *itp_infer_wakers(const struct itp_infer *infer)
{
	return infer->context.wakers;
}

const struct itp_infer_counts *itp_infer_counts(const struct itp_infer *infer)
{
	return &infer->context.counts;
}

/* Adds the time until then to the watched or the unwatched time. */
static void pass_window(const struct itp_infer *infer, struct itp_infer_counts *counts,
			int64_t time_ns)
{
	const struct itp_window *window = &infer->context.rules.window;
	const int64_t length_ns = time_ns - infer->window_ns;

	if (window->is_open) {
		counts->windows_ns += length_ns;
		counts->drawn_ns += window->one_in > 1 ? length_ns : 0;
	} else if (window->number > 0) {
		counts->rests_ns += length_ns;
	}
}

struct itp_infer_counts itp_infer_counts_until(const struct itp_infer *infer, int64_t begin_ns,
					       int64_t end_ns)
{
	struct itp_infer_counts counts = infer->context.counts;

	if (counts.events == 0) {
		counts.begin_ns = begin_ns;
	}
	counts.end_ns = end_ns;
	pass_window(infer, &counts, end_ns);
	return counts;
}

static char *root_name(const struct itp_infer *infer, const char *process, int32_t pid, int32_t tid)
{
	switch (infer->options.group_by) {
	/* Containers have told their names in place of the process'. */
	case ITP_GROUP_BY_PROCESS:
	case ITP_GROUP_BY_CONTAINER:
		return g_strdup(process);
	case ITP_GROUP_BY_PID:
		return g_strdup_printf("%s/%d", process, pid);
	case ITP_GROUP_BY_TID:
		return g_strdup_printf("%s/%d/%d", process, pid, tid);
	case ITP_GROUP_BY_ALL:
		break;
	}
	return g_strdup("all");
}

static struct itp_image *image_of(struct itp_infer *infer, const char *process, int32_t pid,
				  int32_t tid)
{
	g_autofree char *name = root_name(infer, process, pid, tid);
	uint32_t id = itp_function_table_intern_stand_in(infer->functions, name, ITP_LAYER_PROCESS);
	struct itp_image *image = g_hash_table_lookup(infer->images, GUINT_TO_POINTER(id));

	if (!image) {
		image = g_new0(struct itp_image, 1);
		image->function = id;
		image->below = g_hash_table_new(itp_hash_number, NULL);
		image->callers = g_hash_table_new(itp_hash_number, NULL);
		g_hash_table_insert(infer->images, GUINT_TO_POINTER(id), image);
	}
	return image;
}

static struct process *enter_process(struct itp_infer *infer, int32_t pid, const char *comm)
{
	struct process *process = g_hash_table_lookup(infer->processes, GINT_TO_POINTER(pid));

	if (!process) {
		process = g_new0(struct process, 1);
		process->name = g_strdup(comm);
		g_hash_table_insert(infer->processes, GINT_TO_POINTER(pid), process);
	}
	process->thread_count++;
	return process;
}

static void leave_process(struct itp_infer *infer, int32_t pid)
{
	struct process *process = g_hash_table_lookup(infer->processes, GINT_TO_POINTER(pid));

	if (--process->thread_count == 0) {
		g_hash_table_remove(infer->processes, GINT_TO_POINTER(pid));
	}
}

static struct itp_thread *add_thread(struct itp_infer *infer, const struct itp_stack_event *event,
				     bool begin_unknown)
{
	struct process *process = enter_process(infer, event->pid, event->comm);
	struct itp_thread *thread = g_new(struct itp_thread, 1);

	itp_thread_init(thread, event->pid, event->tid);
	itp_thread_begin(thread, &infer->context,
			 image_of(infer, process->name, event->pid, event->tid), event->time_ns,
			 begin_unknown);
	itp_stretches_skip(thread);
	thread->was_there = begin_unknown;
	thread->waits = itp_demand_begin_thread(infer->context.demand, event->pid, event->tid);
	infer->were_there += begin_unknown;
	g_hash_table_insert(infer->threads, GINT_TO_POINTER(event->tid), thread);
	infer->context.counts.threads++;
	infer->last = thread;
	return thread;
}

static void end_thread(struct itp_infer *infer, struct itp_thread *thread, uint32_t flags)
{
	const uint32_t node = itp_stretches_leaf(thread);

	itp_wait_ends_without(&infer->context, &infer->ended, thread, ITP_WAIT_CUT);
	itp_stretches_tell_leaf(&infer->context, thread);
	infer->context.counts.blocked_ns += thread->now.use.blocked_ns;
	itp_thread_end(thread, &infer->context, flags);
	itp_demand_end_thread(infer->context.demand, thread->waits, node, thread->now.time_ns);
	itp_ended_add(&infer->ended, &(struct itp_ended_thread){
					     .pid = thread->stack.pid,
					     .tid = thread->stack.tid,
					     .process = thread->image->function,
					     .node = node,
					     .maker_pid = thread->maker_pid,
					     .end_ns = thread->now.time_ns,
				     });
	leave_process(infer, thread->stack.pid);
	itp_tick_length_end(infer->tick_length, thread->stack.tid);
	infer->last = NULL;
	g_hash_table_remove(infer->threads, GINT_TO_POINTER(thread->stack.tid));
}

/* Thread of a tid, its clock at `time_ns`, or NULL. */
static struct itp_thread *find_thread_by_tid(struct itp_infer *infer, int32_t tid, int64_t time_ns)
{
	struct itp_thread *thread = infer->last;

	if (!thread || thread->stack.tid != tid) {
		thread = g_hash_table_lookup(infer->threads, GINT_TO_POINTER(tid));
		infer->last = thread;
	}
	if (thread) {
		itp_thread_advance(thread, time_ns);
	}
	return thread;
}

/* Thread of the event, or NULL. Another process under the same tid means that the end of the
 * previous thread was not recorded. */
static struct itp_thread *thread_of_event(struct itp_infer *infer,
					  const struct itp_stack_event *event)
{
	struct itp_thread *thread = find_thread_by_tid(infer, event->tid, event->time_ns);

	if (thread && thread->stack.pid != event->pid) {
		end_thread(infer, thread, ITP_INSTANCE_END_UNKNOWN);
		return NULL;
	}
	return thread;
}

static struct itp_thread *thread_made_for(struct itp_infer *infer,
					  const struct itp_stack_event *event)
{
	struct itp_thread *thread = thread_of_event(infer, event);

	if (!thread) {
		thread = add_thread(infer, event, true);
	}
	itp_open_stack_set_name(&thread->stack, event->comm);
	return thread;
}

/* Thread that makes the process whose start `event` is; NULL where unknown, and for a thread's
 * start. */
static const struct itp_thread *maker_of(struct itp_infer *infer,
					 const struct itp_stack_event *event)
{
	return event->tid == event->pid && event->argument > 0 && event->argument <= INT32_MAX ?
		       find_thread_by_tid(infer, (int32_t)event->argument, event->time_ns) :
		       NULL;
}

static void start(struct itp_infer *infer, const struct itp_stack_event *event)
{
	struct itp_thread *thread = thread_of_event(infer, event);
	const struct itp_thread *maker;
	uint32_t started_by;

	if (thread) {
		end_thread(infer, thread, ITP_INSTANCE_END_UNKNOWN);
	}
	maker = maker_of(infer, event);
	started_by = maker ? itp_thread_making(maker) : ITP_CONTEXT_ROOT;
	thread = add_thread(infer, event, event->argument == ITP_START_UNKNOWN);
	thread->started_by = started_by;
	thread->maker_pid = maker ? maker->stack.pid : 0;
	itp_demand_set_maker(thread->waits, thread->maker_pid);
	if (event->argument != ITP_START_UNKNOWN) {
		/* A thread just made is ready, but does not run before a switch says so. */
		thread->state = infer->context.first_switch_ns < event->time_ns ?
					ITP_THREAD_RUNNABLE :
					ITP_THREAD_MADE;
		thread->switch_out_ns = event->time_ns;
	}
}

/* Finds the command. A thread older than the recording that now runs another program is the
 * recorder's child, which waits under a name of perf's own until the recording begins; or the
 * recording's only thread. */
static void find_command(struct itp_infer *infer, const struct itp_thread *thread, const char *name)
{
	const bool is_child = strcmp(name, ITP_PERF_CHILD_NAME) == 0 ||
			      infer->context.counts.threads == 1;

	if (is_child && thread->was_there && thread->stack.tid == thread->stack.pid &&
	    infer->context.counts.commands == 0) {
		itp_demand_set_command(infer->context.demand, thread->waits);
		infer->context.counts.units++;
		infer->context.counts.commands++;
	}
}

static void exec(struct itp_infer *infer, const struct itp_stack_event *event)
{
	struct itp_thread *thread = thread_made_for(infer, event);
	struct process *process =
		g_hash_table_lookup(infer->processes, GINT_TO_POINTER(event->pid));

	find_command(infer, thread, process->name);
	g_free(process->name);
	process->name = g_strdup(event->comm);
	itp_stretches_tell_leaf(&infer->context, thread);
	itp_thread_exec(thread, &infer->context,
			image_of(infer, process->name, event->pid, event->tid), event->time_ns);
}

static void observe(struct itp_infer *infer, struct itp_thread *thread,
		    const struct itp_stack_event *event)
{
	size_t shared = itp_meanwhile_shared(thread, event);
	const struct itp_stretch stretch = itp_stretches_until(&infer->context, thread, event);

	/* The thread has run before it can show a stack. */
	itp_wait_ends_without(&infer->context, &infer->ended, thread, ITP_WAIT_UNSEEN);
	itp_thread_observe(thread, &infer->context, event);
	itp_stretches_tell_shown(&infer->context, thread, event, stretch);
	itp_meanwhile_note(infer->wake_stack, &infer->context, thread, event, shared);
}

static void count_waker(struct itp_infer *infer, struct itp_thread *woken,
			const struct itp_thread *thread, const struct itp_stack_event *event)
{
	const struct itp_ended_thread *gone =
		thread ? NULL : itp_ended_find(&infer->ended, event->argument);
	const uint32_t process = thread ? thread->image->function :
				 gone   ? gone->process :
					  ITP_FUNCTION_UNKNOWN;
	struct itp_waker waker;

	itp_wake_stack_tell(infer->wake_stack, event, process, &waker);
	if (gone && waker.process == gone->process) {
		itp_wait_ends_woken_by_end(&infer->context, &infer->ended, woken, gone);
	} else {
		itp_wait_ends_woken(&infer->context, woken, thread, &waker);
	}
	itp_thread_count_waker(woken, &infer->context, &waker);
	itp_meanwhile_count(infer->wake_stack, &infer->context, woken, thread, &waker);
	if (!itp_meanwhile_may_wait_on(woken)) {
		itp_demand_settle(infer->context.demand, woken->waits);
	}
}

static void wake(struct itp_infer *infer, const struct itp_stack_event *event)
{
	struct itp_thread *woken = find_thread_by_tid(infer, event->tid, event->time_ns);
	bool was_blocked = woken && itp_thread_wake(woken);
	struct itp_thread *waker = NULL;

	if (event->argument > 0 && event->argument <= INT32_MAX) {
		waker = find_thread_by_tid(infer, (int32_t)event->argument, event->time_ns);
	}
	if (waker && event->frame_count > 0) {
		observe(infer, waker, event);
	}
	if (was_blocked) {
		count_waker(infer, woken, waker, event);
	}
}

static gint compare_tids(gconstpointer a, gconstpointer b)
{
	const struct itp_thread *left = a;
	const struct itp_thread *right = b;

	return (left->stack.tid > right->stack.tid) - (left->stack.tid < right->stack.tid);
}

static GList *threads_by_tid(const struct itp_infer *infer)
{
	return g_list_sort(g_hash_table_get_values(infer->threads), compare_tids);
}

static void lose(struct itp_infer *infer, const struct itp_stack_event *event)
{
	struct itp_infer_counts *counts = &infer->context.counts;
	g_autoptr(GList) threads = NULL;

	if (event->argument == ITP_LOSS_CUT) {
		/* Nothing comes after the cut: what is open is closed like at any other end. */
		counts->cut = true;
		return;
	}
	counts->losses++;
	counts->lost_events += event->argument > 0 ? (uint64_t)event->argument : 0;
	itp_cpu_runs_lose(infer->cpu_runs);
	if (infer->options.continuity == ITP_CONTINUITY_FUNCTION) {
		return;
	}
	threads = threads_by_tid(infer);
	for (GList *item = threads; item; item = item->next) {
		itp_thread_advance(item->data, event->time_ns);
		itp_wait_ends_without(&infer->context, &infer->ended, item->data, ITP_WAIT_CUT);
		itp_stretches_skip(item->data);
		itp_thread_lose(item->data, &infer->context);
	}
	itp_demand_lose(infer->context.demand);
}

/* Ends of present system calls are not seen by anybody. */
static void end_window(struct itp_infer *infer, int64_t time_ns)
{
	struct itp_window *window = &infer->context.rules.window;
	GHashTableIter iter;
	gpointer value;

	if (window->number == 0) {
		*window = (struct itp_window){ .number = 1, .begin_ns = time_ns };
	}
	window->is_open = false;
	window->end_ns = time_ns;
	g_hash_table_iter_init(&iter, infer->threads);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		itp_thread_leave_unseen(value);
	}
}

/* Adds the part of time, in millionths, of all windows until now. */
static void hold(struct itp_infer_counts *counts, int64_t part)
{
	const double share =
		(double)CLAMP(part, 0, ITP_WINDOW_TAKEN_MOST) / (double)ITP_WINDOW_PART;

	counts->slowed_ns = (int64_t)(share * (double)counts->windows_ns);
}

static void change_window(struct itp_infer *infer, const struct itp_stack_event *event)
{
	struct itp_window *window = &infer->context.rules.window;

	pass_window(infer, &infer->context.counts, event->time_ns);
	infer->window_ns = event->time_ns;
	if (event->argument <= 0) {
		end_window(infer, event->time_ns);
		hold(&infer->context.counts, -event->argument);
		return;
	}
	infer->context.counts.drawn_windows += event->argument > 1;
	*window = (struct itp_window){
		.number = window->number + 1,
		.one_in = (uint32_t)MIN(event->argument, ITP_WINDOW_MOST),
		.is_open = true,
		.begin_ns = event->time_ns,
	};
}

static void count(struct itp_infer *infer, const struct itp_stack_event *event)
{
	struct itp_infer_counts *counts = &infer->context.counts;

	if (counts->events == 0) {
		counts->begin_ns = event->time_ns;
	}
	counts->end_ns = event->time_ns;
	counts->events++;
	if (event->frame_count > 0) {
		counts->stacks++;
		counts->found_by[event->found_by]++;
		if (infer->options.continuity != ITP_CONTINUITY_FUNCTION) {
			counts->completed_stacks += event->filled_count > 0;
			counts->filled_frames += event->filled_count;
		}
	}
	counts->watched |= itp_watched_by(event);
	if (event->kind == ITP_EVENT_SAMPLE && event->argument > 0) {
		counts->timer_samples++;
		itp_tick_length_add(infer->tick_length, event->tid, event->time_ns, event->tick_ns);
	}
	if (event->kind == ITP_EVENT_SWITCH_OUT || event->kind == ITP_EVENT_SWITCH_IN) {
		infer->context.first_switch_ns =
			MIN(infer->context.first_switch_ns, event->time_ns);
	}
}

/* Waiting thread, weak as its context. */
struct waiting {
	struct itp_thread_context *context;
	struct itp_thread *thread;
};

static void count_taker(uint32_t process, int64_t run_ns, void *data)
{
	const struct waiting *waiting = data;
	struct itp_waker taker = {
		.role = ITP_WAKER_HAD_CPU, .process = process, .count = 1, .blocked_ns = run_ns
	};

	itp_thread_add_waker(waiting->thread, waiting->context, &taker);
}

static void switch_in(struct itp_infer *infer, const struct itp_stack_event *event)
{
	/* A thread without a stack so far is none of the recording's. */
	struct itp_thread *thread = find_thread_by_tid(infer, event->tid, event->time_ns);
	struct waiting waiting = { .context = &infer->context, .thread = thread };
	int64_t since_ns = thread ? itp_thread_waits_since(thread) : -1;

	if (since_ns >= 0 && thread->is_throttled) {
		count_taker(itp_throttle_taker(infer->functions), event->time_ns - since_ns,
			    &waiting);
	} else if (since_ns >= 0) {
		if (event->argument != 0) {
			itp_cpu_runs_correct(infer->cpu_runs, event->cpu, event->callee, since_ns);
		}
		itp_cpu_runs_tell(infer->cpu_runs, event->cpu, since_ns, event->time_ns,
				  count_taker, &waiting);
	}
	if (thread) {
		itp_wait_ends_without(&infer->context, &infer->ended, thread, ITP_WAIT_UNSEEN);
		itp_stretches_tell_leaf(&infer->context, thread);
		itp_meanwhile_go_on(thread, event->time_ns);
		itp_thread_switch_in(thread, &infer->context);
		itp_cpu_runs_begin(infer->cpu_runs, event->cpu, thread->image->function,
				   event->time_ns);
	}
}

static void switch_out(struct itp_infer *infer, const struct itp_stack_event *event)
{
	struct itp_thread *thread;

	itp_cpu_runs_end(infer->cpu_runs, event->cpu, event->time_ns);
	if (event->callee != ITP_FUNCTION_UNKNOWN) {
		itp_cpu_runs_begin(infer->cpu_runs, event->cpu, event->callee, event->time_ns);
	}
	thread = thread_made_for(infer, event);
	thread->is_throttled = itp_throttle_shows(infer->functions, event);
	observe(infer, thread, event);
}

static void take_thread_end(struct itp_infer *infer, const struct itp_stack_event *event)
{
	struct itp_thread *thread = find_thread_by_tid(infer, event->tid, event->time_ns);

	if (thread) {
		end_thread(infer, thread, 0);
	}
}

/* An exact function trace. */
static void follow_exact_call(struct itp_infer *infer, const struct itp_stack_event *event)
{
	const struct itp_frame *frame = event->frame_count > 0 ? &event->frames[0] : NULL;
	struct itp_thread *thread;

	if (event->kind == ITP_EVENT_FUNCTION_ENTRY && !frame) {
		return;
	}
	thread = thread_made_for(infer, event);
	itp_stretches_tell_leaf(&infer->context, thread);
	if (event->kind == ITP_EVENT_FUNCTION_ENTRY) {
		itp_thread_enter(thread, &infer->context, frame);
	} else {
		itp_thread_leave(thread, &infer->context, frame);
	}
}

int itp_infer_push(struct itp_infer *infer, const struct itp_stack_event *event)
{
	int error = itp_event_check(event, infer->functions, &infer->context.counts);

	if (error || itp_event_count_late(event, &infer->context.counts) ||
	    itp_event_count_speed(event, &infer->context.counts)) {
		return error;
	}
	count(infer, event);
	switch (event->kind) {
	case ITP_EVENT_SYSCALL_ENTER:
	case ITP_EVENT_SYSCALL_EXIT:
	case ITP_EVENT_SAMPLE:
	case ITP_EVENT_CALL:
		observe(infer, thread_made_for(infer, event), event);
		break;
	case ITP_EVENT_SWITCH_OUT:
		switch_out(infer, event);
		break;
	case ITP_EVENT_SWITCH_IN:
		switch_in(infer, event);
		break;
	case ITP_EVENT_WAKEUP:
		wake(infer, event);
		break;
	case ITP_EVENT_FUNCTION_ENTRY:
	case ITP_EVENT_FUNCTION_EXIT:
		follow_exact_call(infer, event);
		break;
	case ITP_EVENT_LOSS:
		lose(infer, event);
		break;
	case ITP_EVENT_START:
		start(infer, event);
		break;
	case ITP_EVENT_EXEC:
		exec(infer, event);
		break;
	case ITP_EVENT_END:
		take_thread_end(infer, event);
		break;
	case ITP_EVENT_IN_CALL:
		if (event->callee != ITP_FUNCTION_UNKNOWN) {
			itp_continuity_tell_calls(&infer->context.rules, event->callee);
		}
		itp_thread_be_in_call(thread_made_for(infer, event), event->callee);
		break;
	case ITP_EVENT_WINDOW:
		change_window(infer, event);
		break;
	case ITP_EVENT_LATE:
	case ITP_EVENT_MISPLACED:
	case ITP_EVENT_SPEED:
		break;
	}
	return ITP_OK;
}

static void finish_thread(struct itp_infer *infer, struct itp_thread *thread)
{
	itp_thread_pass(thread, &infer->context.rules, infer->context.counts.end_ns);
	end_thread(infer, thread, ITP_INSTANCE_END_UNKNOWN);
}

void itp_infer_show_open(const struct itp_infer *infer, int64_t time_ns, itp_instance_func show,
			 void *data)
{
	struct itp_continuity_rules rules = infer->context.rules;
	g_autoptr(GList) threads = threads_by_tid(infer);

	rules.on_instance = show;
	rules.data = data;
	for (GList *item = threads; item; item = item->next) {
		/* Frames stay the thread's. */
		struct itp_thread thread = *(const struct itp_thread *)item->data;

		itp_thread_pass(&thread, &rules, MAX(time_ns, thread.now.time_ns));
		itp_open_stack_show(&thread.stack, &rules, &thread.now);
	}
}

static void tell_demand(const struct itp_infer *infer, itp_share_func tell, void *data)
{
	const uint32_t size = itp_context_tree_size(infer->context.rules.tree);

	for (uint32_t node = ITP_CONTEXT_ROOT + 1; node < size; node++) {
		const struct itp_share share = {
			.node = node,
			.within = node,
			.demand = itp_demand_take(infer->context.demand, node),
		};

		if (share.demand.wanted_ns != 0 || share.demand.life_ns != 0) {
			tell(&share, data);
		}
	}
}

void itp_infer_tell_shares(struct itp_infer *infer, itp_share_func tell, void *data)
{
	g_autoptr(GList) threads = threads_by_tid(infer);

	infer->context.counts.tick_ns = itp_tick_length_sum(infer->tick_length);
	if (infer->options.continuity == ITP_CONTINUITY_FUNCTION) {
		return;
	}
	for (GList *item = threads; item; item = item->next) {
		struct itp_thread *thread = item->data;

		itp_open_stack_end_gap(&thread->stack, &infer->context.rules, ITP_GAP_EDGE_OTHER);
	}
	itp_strata_tell(infer->context.rules.strata, tell, data);
	tell_demand(infer, tell, data);
}

void itp_infer_want(struct itp_infer *infer, const struct itp_open_time *open)
{
	/* Time after an answer is no unit of its own. */
	infer->context.counts.units += !open->is_alone;
	itp_demand_want(infer->context.demand, open);
}

void itp_infer_await(struct itp_infer *infer, int32_t tid, int64_t since_ns)
{
	itp_demand_await(infer->context.demand, tid, since_ns);
}

void itp_infer_serve(struct itp_infer *infer, int32_t pid, bool serves)
{
	itp_demand_serve(infer->context.demand, pid, serves);
}

void itp_infer_ask(struct itp_infer *infer, int32_t pid, bool asks)
{
	itp_demand_ask(infer->context.demand, pid, asks);
}

void itp_infer_finish(struct itp_infer *infer)
{
	const struct itp_infer_counts *counts = &infer->context.counts;
	g_autoptr(GList) threads = threads_by_tid(infer);

	infer->context.counts.tick_ns = itp_tick_length_sum(infer->tick_length);
	pass_window(infer, &infer->context.counts, infer->context.counts.end_ns);
	infer->window_ns = infer->context.counts.end_ns;
	for (GList *item = threads; item; item = item->next) {
		finish_thread(infer, item->data);
	}
	itp_demand_finish(infer->context.demand, counts->end_ns - counts->begin_ns,
			  infer->were_there > 1);
}
