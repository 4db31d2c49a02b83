/* SPDX-License-Identifier: MIT */
/*
 * See traffic.h.
 */
#include "common/through/traffic.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

/* Newer than some headers. */
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1u << 2)
#endif

#include "common/base/hash.h"
#include "common/infer/boundary.h"
#include "common/known/descriptor-calls.h"

/* Linux has no more. */
#define CPUS_MOST 8192

/* Argument of poll(): a wait for a single descriptor is as a wait in a read of it. */
#define ONE_DESCRIPTOR 1

/* System call of a thread. */
struct call {
	struct itp_call_kind kind;
	int64_t begin_ns;
	int32_t cpu;
	int64_t arguments[ITP_SYSCALL_WORDS];
	/* The side of its first argument. */
	uint32_t side;
	/* The thread has left the CPU in it, other than for a thread that wanted the CPU. */
	bool has_slept;
};

static void clear_side(gpointer data)
{
	struct itp_side *side = data;

	g_clear_pointer(&side->sends, g_array_unref);
	g_clear_pointer(&side->takes, g_array_unref);
}

void itp_traffic_init(struct itp_traffic *traffic, struct itp_function_table *functions)
{
	*traffic = (struct itp_traffic){
		.moves = g_array_new(FALSE, FALSE, sizeof(struct itp_move)),
		.sides = g_array_new(FALSE, TRUE, sizeof(struct itp_side)),
		.processes = g_hash_table_new(itp_hash_number, NULL),
		.owners = g_hash_table_new(itp_hash_number, NULL),
		.names = itp_texts_new(),
		.descriptors = itp_descriptors_new(),
		.threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free),
		.deeds = g_array_new(FALSE, TRUE, sizeof(struct itp_call_kind)),
		.losses = g_array_new(FALSE, FALSE, sizeof(int64_t)),
		.loss_begins = g_array_new(FALSE, FALSE, sizeof(int64_t)),
		.last_ns = g_array_new(FALSE, TRUE, sizeof(int64_t)),
		.functions = functions,
		.boundary = itp_boundary_new(functions),
	};
	g_array_set_clear_func(traffic->sides, clear_side);
}

void itp_traffic_release(struct itp_traffic *traffic)
{
	g_array_unref(traffic->moves);
	g_array_unref(traffic->sides);
	g_hash_table_unref(traffic->processes);
	g_hash_table_unref(traffic->owners);
	g_hash_table_unref(traffic->names);
	itp_descriptors_free(traffic->descriptors);
	g_hash_table_unref(traffic->threads);
	g_array_unref(traffic->deeds);
	g_array_unref(traffic->losses);
	g_array_unref(traffic->loss_begins);
	g_array_unref(traffic->last_ns);
	itp_boundary_free(traffic->boundary);
}

const char *itp_traffic_process(const struct itp_traffic *traffic, int32_t pid)
{
	const char *name = g_hash_table_lookup(traffic->processes, GINT_TO_POINTER(pid));

	return name ? name : "";
}

/* Process of a thread; 0: it was not seen. */
static int32_t pid_of(const struct itp_traffic *traffic, int32_t tid)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(traffic->owners, GINT_TO_POINTER(tid)));
}

/* A process has its first thread's name. */
static void note_name(struct itp_traffic *traffic, const struct itp_stack_event *event)
{
	g_hash_table_insert(traffic->owners, GINT_TO_POINTER(event->tid),
			    GINT_TO_POINTER(event->pid));
	if (event->comm[0] != '\0' &&
	    (event->tid == event->pid ||
	     !g_hash_table_contains(traffic->processes, GINT_TO_POINTER(event->pid)))) {
		g_hash_table_insert(traffic->processes, GINT_TO_POINTER(event->pid),
				    (gpointer)itp_texts_intern(traffic->names, event->comm));
	}
}

/* Effect of the function's system call. Looked up once for each. */
static struct itp_call_kind kind_of_call(struct itp_traffic *traffic, uint32_t function)
{
	while (traffic->deeds->len <= function) {
		const struct itp_call_kind kind = itp_call_kind_of(itp_function_syscall(
			itp_function_table_get(traffic->functions, traffic->deeds->len)));

		g_array_append_val(traffic->deeds, kind);
	}
	return g_array_index(traffic->deeds, struct itp_call_kind, function);
}

/* New sides get a place, too. */
static struct itp_side *side_at(struct itp_traffic *traffic, uint32_t side, int32_t pid,
				int64_t time_ns)
{
	while (traffic->sides->len <= side) {
		const struct itp_side made = { .pid = pid,
					       .opened_ns = time_ns,
					       .listener = ITP_SIDE_NONE,
					       .closed_ns = INT64_MAX };

		g_array_append_val(traffic->sides, made);
	}
	return itp_traffic_side(traffic, side);
}

/* Descriptor in a register, of which only the lower half counts. */
static int32_t number_at(const struct call *call, guint i)
{
	return (int32_t)(uint32_t)call->arguments[i];
}

static bool takes_descriptor(const struct itp_call_kind *kind)
{
	switch (kind->deed) {
	case ITP_DEED_SEND:
	case ITP_DEED_TAKE:
	case ITP_DEED_SPLICE:
	case ITP_DEED_SENDFILE:
	case ITP_DEED_SEND_SEVERAL:
	case ITP_DEED_TAKE_SEVERAL:
	case ITP_DEED_CONNECT:
	case ITP_DEED_ACCEPT:
	case ITP_DEED_SHUTDOWN:
		return true;
	default:
		return kind->deed == ITP_DEED_NONE && kind->is_of_socket;
	}
}

static struct itp_move *add_move(struct itp_traffic *traffic, const struct itp_stack_event *event,
				 const struct call *call, enum itp_move_kind kind, uint32_t side)
{
	const struct itp_move move = { .begin_ns = call->begin_ns,
				       .end_ns = event->time_ns,
				       .pid = event->pid,
				       .tid = event->tid,
				       .side = side,
				       .other = ITP_SIDE_NONE,
				       .kind = kind };

	if (traffic->moves->len >= ITP_MOVES_MOST) {
		traffic->dropped++;
		return NULL;
	}
	g_array_append_val(traffic->moves, move);
	return &g_array_index(traffic->moves, struct itp_move, traffic->moves->len - 1);
}

/* Closes a side, by a system call or by the end of its process. */
static void close_one(struct itp_traffic *traffic, const struct itp_stack_event *event,
		      const struct call *call, int64_t descriptor)
{
	uint32_t number = itp_descriptors_close(traffic->descriptors, event->pid, descriptor);

	if (number != ITP_SIDE_NONE) {
		struct itp_side *side = side_at(traffic, number, event->pid, event->time_ns);

		side->closed_ns = call->begin_ns;
		side->may_end_sooner |= event->kind == ITP_EVENT_END;
		add_move(traffic, event, call, ITP_MOVE_CLOSED, number);
	}
}

static void close_all(struct itp_traffic *traffic, const struct itp_stack_event *event,
		      const struct call *call, int64_t first, int64_t last)
{
	g_autoptr(GArray) list =
		itp_descriptors_between(traffic->descriptors, event->pid, first, last);

	for (guint i = 0; i < list->len; i++) {
		close_one(traffic, event, call, g_array_index(list, int64_t, i));
	}
}

/* From the beginning of the call on: another thread may be given the number before it has ended. */
static void begin_close(struct itp_traffic *traffic, const struct itp_stack_event *event,
			const struct call *call)
{
	if (call->kind.deed == ITP_DEED_CLOSE) {
		close_one(traffic, event, call, number_at(call, 0));
	} else if (call->kind.deed == ITP_DEED_CLOSE_RANGE &&
		   !(call->arguments[2] & CLOSE_RANGE_CLOEXEC)) {
		close_all(traffic, event, call, (uint32_t)call->arguments[0],
			  (uint32_t)call->arguments[1]);
	}
}

static void begin_call(struct itp_traffic *traffic, const struct itp_stack_event *event)
{
	struct itp_call_kind kind = kind_of_call(traffic, event->callee);
	struct call *call = g_hash_table_lookup(traffic->threads, GINT_TO_POINTER(event->tid));

	if (!event->words.are_known) {
		kind = (struct itp_call_kind){ ITP_DEED_NONE, false, false };
	}
	traffic->calls += event->words.are_known;
	if (!call) {
		call = g_new0(struct call, 1);
		g_hash_table_insert(traffic->threads, GINT_TO_POINTER(event->tid), call);
	}
	*call = (struct call){
		.kind = kind, .begin_ns = event->time_ns, .cpu = event->cpu, .side = ITP_SIDE_NONE
	};
	for (guint i = 0; i < ITP_SYSCALL_WORDS; i++) {
		call->arguments[i] = (int64_t)event->words.words[i];
	}
	begin_close(traffic, event, call);
	if (takes_descriptor(&kind)) {
		call->side =
			itp_descriptors_get(traffic->descriptors, event->pid, number_at(call, 0));
	}
	if (call->side != ITP_SIDE_NONE) {
		struct itp_side *side = side_at(traffic, call->side, event->pid, event->time_ns);

		side->is_socket |= kind.is_of_socket;
		side->may_end_sooner |= kind.deed == ITP_DEED_SHUTDOWN;
		side->kind = kind.deed == ITP_DEED_ACCEPT ? ITP_SIDE_LISTENING : side->kind;
	}
}

static void add_transfer(struct itp_traffic *traffic, const struct itp_stack_event *event,
			 const struct call *call, bool is_send, uint32_t number)
{
	struct itp_side *side;
	struct itp_move *move;
	GArray **list;
	guint index = traffic->moves->len;

	if (number == ITP_SIDE_NONE) {
		return;
	}
	side = side_at(traffic, number, event->pid, event->time_ns);
	move = side->kind != ITP_SIDE_FILE ?
		       add_move(traffic, event, call, is_send ? ITP_MOVE_SENT : ITP_MOVE_TOOK,
				number) :
		       NULL;
	if (!move) {
		return;
	}
	move->bytes = event->argument;
	move->is_short = call->kind.tells_room && event->argument < call->arguments[2];
	move->is_unsized = call->kind.deed == ITP_DEED_SEND_SEVERAL ||
			   call->kind.deed == ITP_DEED_TAKE_SEVERAL;
	list = is_send ? &side->sends : &side->takes;
	if (!*list) {
		*list = g_array_new(FALSE, FALSE, sizeof(guint));
	}
	g_array_append_val(*list, index);
}

static uint32_t open_side(struct itp_traffic *traffic, const struct itp_stack_event *event,
			  const struct call *call, enum itp_side_kind kind)
{
	uint32_t number = itp_descriptors_open(traffic->descriptors, event->pid, event->argument);

	if (number != ITP_SIDE_NONE) {
		struct itp_side *side = side_at(traffic, number, event->pid, call->begin_ns);

		side->kind = kind;
		side->is_socket = kind != ITP_SIDE_FILE;
		side->is_local = kind == ITP_SIDE_SOCKET && number_at(call, 0) == AF_UNIX;
	}
	return number;
}

/* A connection made in the background reports EINPROGRESS, which is no failure. */
static void end_connect(struct itp_traffic *traffic, const struct itp_stack_event *event,
			const struct call *call)
{
	if (call->side != ITP_SIDE_NONE &&
	    (event->argument == 0 || event->argument == -EINPROGRESS)) {
		struct itp_side *side = itp_traffic_side(traffic, call->side);

		side->kind = ITP_SIDE_CONNECTED;
		side->cpu = call->cpu == event->cpu ? event->cpu : -1;
		side->queue_begin_ns = call->begin_ns;
		side->queue_end_ns = event->time_ns;
		add_move(traffic, event, call, ITP_MOVE_CONNECTED, call->side);
	}
}

static void end_accept(struct itp_traffic *traffic, const struct itp_stack_event *event,
		       const struct call *call)
{
	uint32_t number;
	struct itp_move *move;

	if (event->argument == -EAGAIN && call->side != ITP_SIDE_NONE) {
		add_move(traffic, event, call, ITP_MOVE_LOOKED, call->side);
	}
	if (event->argument < 0) {
		return;
	}
	number = open_side(traffic, event, call, ITP_SIDE_ACCEPTED);
	if (number != ITP_SIDE_NONE) {
		struct itp_side *side = itp_traffic_side(traffic, number);

		side->queue_begin_ns = call->begin_ns;
		side->queue_end_ns = event->time_ns;
		side->listener = call->side;
	}
	move = number != ITP_SIDE_NONE ? add_move(traffic, event, call, ITP_MOVE_ACCEPTED, number) :
					 NULL;
	if (move) {
		move->other = call->side;
	}
}

static void end_transfer(struct itp_traffic *traffic, const struct itp_stack_event *event,
			 const struct call *call)
{
	const bool is_splice = call->kind.deed == ITP_DEED_SPLICE;
	const bool is_file = call->kind.deed == ITP_DEED_SENDFILE;

	if (event->argument == -EAGAIN && call->kind.deed == ITP_DEED_TAKE &&
	    call->side != ITP_SIDE_NONE) {
		add_move(traffic, event, call, ITP_MOVE_LOOKED, call->side);
	}
	if (event->argument < 0) {
		return;
	}
	if (is_splice || is_file) {
		add_transfer(traffic, event, call, false,
			     is_splice ? call->side :
					 itp_descriptors_get(traffic->descriptors, event->pid,
							     number_at(call, 1)));
		add_transfer(traffic, event, call, true,
			     is_file ? call->side :
				       itp_descriptors_get(traffic->descriptors, event->pid,
							   number_at(call, 2)));
		return;
	}
	add_transfer(traffic, event, call,
		     call->kind.deed == ITP_DEED_SEND || call->kind.deed == ITP_DEED_SEND_SEVERAL,
		     call->side);
}

static void end_descriptor_call(struct itp_traffic *traffic, const struct itp_stack_event *event,
				const struct call *call)
{
	switch (call->kind.deed) {
	case ITP_DEED_SOCKET:
		open_side(traffic, event, call, ITP_SIDE_SOCKET);
		break;
	case ITP_DEED_FILE:
	case ITP_DEED_OTHER_DESCRIPTOR:
		open_side(traffic, event, call, ITP_SIDE_FILE);
		break;
	case ITP_DEED_TWO_DESCRIPTORS:
		itp_descriptors_make_two(traffic->descriptors, event->pid);
		break;
	case ITP_DEED_DUPLICATE:
		itp_descriptors_duplicate(traffic->descriptors, event->pid, number_at(call, 0),
					  event->argument);
		break;
	case ITP_DEED_DUPLICATE_TO:
		itp_descriptors_duplicate(traffic->descriptors, event->pid, number_at(call, 0),
					  number_at(call, 1));
		break;
	case ITP_DEED_CONTROL:
		if (number_at(call, 1) == F_DUPFD || number_at(call, 1) == F_DUPFD_CLOEXEC) {
			itp_descriptors_duplicate(traffic->descriptors, event->pid,
						  number_at(call, 0), event->argument);
		}
		break;
	default:
		break;
	}
}

static void end_wait(struct itp_traffic *traffic, const struct itp_stack_event *event,
		     const struct call *call)
{
	struct itp_move *move = add_move(traffic, event, call, ITP_MOVE_WAITED, ITP_SIDE_NONE);

	if (move) {
		move->bytes = event->argument;
		move->has_slept = call->has_slept;
		move->is_ordered = call->kind.deed == ITP_DEED_WAIT_IN_ORDER;
		move->is_of_one = call->kind.deed == ITP_DEED_POLL &&
				  call->arguments[1] <= ONE_DESCRIPTOR;
	}
}

static void end_call(struct itp_traffic *traffic, const struct itp_stack_event *event)
{
	const struct call *call =
		g_hash_table_lookup(traffic->threads, GINT_TO_POINTER(event->tid));

	if (!call) {
		return;
	}
	switch (call->kind.deed) {
	case ITP_DEED_SEND:
	case ITP_DEED_TAKE:
	case ITP_DEED_SPLICE:
	case ITP_DEED_SENDFILE:
	case ITP_DEED_SEND_SEVERAL:
	case ITP_DEED_TAKE_SEVERAL:
		end_transfer(traffic, event, call);
		break;
	case ITP_DEED_CONNECT:
		end_connect(traffic, event, call);
		break;
	case ITP_DEED_ACCEPT:
		end_accept(traffic, event, call);
		break;
	case ITP_DEED_WAIT_IN_ORDER:
	case ITP_DEED_WAIT:
	case ITP_DEED_POLL:
		end_wait(traffic, event, call);
		break;
	default:
		if (event->argument >= 0) {
			end_descriptor_call(traffic, event, call);
		}
		break;
	}
	g_hash_table_remove(traffic->threads, GINT_TO_POINTER(event->tid));
}

/* A device's interrupt happens to come while the thread runs: it wakes for the device. */
static bool is_by_interrupt(const struct itp_traffic *traffic, const struct itp_stack_event *event)
{
	for (size_t i = 0; i < event->frame_count; i++) {
		if (itp_boundary_is_interrupt(traffic->boundary, event->frames[i].function)) {
			return true;
		}
	}
	return false;
}

static bool takes(const struct call *call)
{
	return call->kind.deed == ITP_DEED_TAKE || call->kind.deed == ITP_DEED_TAKE_SEVERAL ||
	       call->kind.deed == ITP_DEED_SPLICE || call->kind.deed == ITP_DEED_ACCEPT;
}

/* A thread in a call of another kind, as a write to the same file, waits for no bytes. */
static bool wakes_through_side(const struct call *waker, const struct call *woken)
{
	return waker->side != ITP_SIDE_NONE &&
	       (!woken || woken->side == ITP_SIDE_NONE || takes(woken)) &&
	       waker->kind.deed != ITP_DEED_TAKE && waker->kind.deed != ITP_DEED_TAKE_SEVERAL &&
	       waker->kind.deed != ITP_DEED_ACCEPT;
}

/* The event is the woken thread's; its argument is the waker. */
static void add_wakeup(struct itp_traffic *traffic, const struct itp_stack_event *event)
{
	const struct call *waker =
		g_hash_table_lookup(traffic->threads, GSIZE_TO_POINTER((gsize)event->argument));
	struct call *woken = g_hash_table_lookup(traffic->threads, GINT_TO_POINTER(event->tid));
	struct itp_move *move;

	traffic->wakeups++;
	/* Nothing was in the queue before. */
	if (woken && woken->kind.deed == ITP_DEED_ACCEPT) {
		woken->begin_ns = event->time_ns;
	}
	if (event->argument <= 0 || !waker || is_by_interrupt(traffic, event)) {
		return;
	}
	move = add_move(traffic, event, &(struct call){ .begin_ns = event->time_ns }, ITP_MOVE_WOKE,
			wakes_through_side(waker, woken) ? waker->side : ITP_SIDE_NONE);
	if (move) {
		move->other_tid = event->tid;
		move->tid = (int32_t)event->argument;
		move->other = woken ? woken->side : ITP_SIDE_NONE;
		move->is_of_connect = waker->kind.deed == ITP_DEED_CONNECT;
		move->is_signal = waker->kind.deed == ITP_DEED_FUTEX;
	}
}

static void note_sleep(struct itp_traffic *traffic, const struct itp_stack_event *event)
{
	struct call *call = g_hash_table_lookup(traffic->threads, GINT_TO_POINTER(event->tid));

	if (call && event->argument != 0) {
		call->has_slept = true;
	}
}

static void add_start(struct itp_traffic *traffic, const struct itp_stack_event *event,
		      int32_t parent)
{
	if (event->tid == event->pid && parent > 0 && parent != event->pid) {
		itp_descriptors_fork(traffic->descriptors, parent, event->pid);
	}
}

/* Losses of a CPU are told with its next event: CPUs without events for longest may have lost as
 * much. */
static void add_loss(struct itp_traffic *traffic, int64_t time_ns)
{
	int64_t begin_ns = time_ns;

	for (guint i = 0; i < traffic->last_ns->len; i++) {
		int64_t last_ns = g_array_index(traffic->last_ns, int64_t, i);

		begin_ns = last_ns > 0 ? MIN(begin_ns, last_ns) : begin_ns;
	}
	g_array_append_val(traffic->losses, time_ns);
	g_array_append_val(traffic->loss_begins, begin_ns);
}

static void note_cpu(struct itp_traffic *traffic, const struct itp_stack_event *event)
{
	/* Events without a CPU are of an additional one. */
	guint place = event->cpu < 0 ? 0 : (guint)MIN(event->cpu, CPUS_MOST) + 1;

	if (place >= traffic->last_ns->len) {
		g_array_set_size(traffic->last_ns, place + 1);
	}
	g_array_index(traffic->last_ns, int64_t, place) = event->time_ns;
}

void itp_traffic_add(struct itp_traffic *traffic, const struct itp_stack_event *event)
{
	traffic->begin_ns = traffic->begin_ns == 0 ? event->time_ns : traffic->begin_ns;
	traffic->end_ns = event->time_ns;
	if (event->pid > 0) {
		note_name(traffic, event);
	}
	if (event->kind != ITP_EVENT_LOSS) {
		note_cpu(traffic, event);
	}
	switch (event->kind) {
	case ITP_EVENT_SYSCALL_ENTER:
		begin_call(traffic, event);
		break;
	case ITP_EVENT_SYSCALL_EXIT:
		end_call(traffic, event);
		break;
	case ITP_EVENT_SWITCH_OUT:
		note_sleep(traffic, event);
		break;
	case ITP_EVENT_WAKEUP:
		add_wakeup(traffic, event);
		break;
	case ITP_EVENT_START:
		add_start(traffic, event, pid_of(traffic, (int32_t)event->argument));
		break;
	case ITP_EVENT_END:
		if (event->tid == event->pid) {
			close_all(traffic, event, &(struct call){ .begin_ns = event->time_ns }, 0,
				  INT32_MAX);
		}
		g_hash_table_remove(traffic->threads, GINT_TO_POINTER(event->tid));
		break;
	case ITP_EVENT_LOSS:
		add_loss(traffic, event->time_ns);
		g_hash_table_remove_all(traffic->threads);
		add_move(traffic, event, &(struct call){ .begin_ns = event->time_ns },
			 ITP_MOVE_LOST, ITP_SIDE_NONE);
		break;
	default:
		break;
	}
}
