/* SPDX-License-Identifier: MIT */
/*
 * Stacks rewritten by the roles of their kernel functions.
 *
 * The role of a function is found out once, by name, and kept by function id.
 */
#include "common/infer/boundary.h"

#include <string.h>

#include "common/known/kernel-roles.h"
#include "common/known/syscalls.h"

struct known_function {
	enum itp_kernel_role role;
	enum itp_layer layer;
	/* Handlers: the function of the frame `syscall:NAME`. */
	uint32_t syscall;
	bool is_signal_frame;
};

struct itp_boundary {
	/* Weak. */
	struct itp_function_table *functions;
	/* struct known_function by function id. Owned by this. */
	GArray *known;
	/* Function ids of stand-ins; ITP_FUNCTION_UNKNOWN until needed. */
	uint32_t lost;
	uint32_t unknown_callers;
	uint32_t made_code;
};

struct itp_boundary *itp_boundary_new(struct itp_function_table *functions)
{
	struct itp_boundary *boundary = g_new0(struct itp_boundary, 1);

	boundary->functions = functions;
	boundary->known = g_array_new(FALSE, TRUE, sizeof(struct known_function));
	return boundary;
}

void itp_boundary_free(struct itp_boundary *boundary)
{
	if (!boundary) {
		return;
	}
	g_array_free(boundary->known, TRUE);
	g_free(boundary);
}

static struct known_function find_out(struct itp_boundary *boundary, uint32_t id)
{
	const struct itp_function *function = itp_function_table_get(boundary->functions, id);
	struct known_function known = { .role = ITP_KERNEL_ROLE_ORDINARY,
					.layer = function->layer,
					.is_signal_frame = function->is_signal_frame };
	const char *rest;

	if (function->layer != ITP_LAYER_KERNEL) {
		if (itp_kernel_role_is_probed_code(function->module)) {
			known.role = ITP_KERNEL_ROLE_TRACER;
		}
		return known;
	}
	known.role = itp_kernel_role_of(function->name, &rest);
	if (known.role == ITP_KERNEL_ROLE_SYSCALL_HANDLER) {
		known.syscall = itp_function_table_intern_syscall(boundary->functions, rest);
	}
	return known;
}

static const struct known_function *find_out_once(struct itp_boundary *boundary, uint32_t id)
{
	struct known_function *known;

	if (id >= boundary->known->len) {
		g_array_set_size(boundary->known, id + 1);
	}
	known = &g_array_index(boundary->known, struct known_function, id);
	*known = find_out(boundary, id);
	return known;
}

/* Role of a function. The result stays in place until the next call. */
static inline const struct known_function *known_function(struct itp_boundary *boundary,
							  uint32_t id)
{
	if (G_LIKELY(id < boundary->known->len)) {
		const struct known_function *known =
			&g_array_index(boundary->known, struct known_function, id);

		if (G_LIKELY(known->role != ITP_KERNEL_ROLE_NOT_KNOWN_YET)) {
			return known;
		}
	}
	return find_out_once(boundary, id);
}

bool itp_boundary_is_user(struct itp_boundary *boundary, uint32_t function)
{
	return known_function(boundary, function)->layer == ITP_LAYER_USER;
}

bool itp_boundary_leaves_stack(const struct itp_boundary *boundary, uint32_t function)
{
	return itp_function_table_get(boundary->functions, function)->leaves_stack;
}

bool itp_boundary_begins_stack(const struct itp_boundary *boundary, uint32_t function)
{
	return itp_function_table_get(boundary->functions, function)->begins_stack;
}

bool itp_boundary_is_interrupt(struct itp_boundary *boundary, uint32_t function)
{
	return known_function(boundary, function)->role == ITP_KERNEL_ROLE_INTERRUPT;
}

uint32_t itp_boundary_syscall(struct itp_boundary *boundary, uint32_t function)
{
	return known_function(boundary, function)->syscall;
}

/* System call named by the function, whatever its layer: "read"; NULL for none. */
static const char *call_named(const struct itp_boundary *boundary, uint32_t function)
{
	const char *name = itp_function_table_get(boundary->functions, function)->name;

	return g_str_has_prefix(name, ITP_SYSCALL_PREFIX) ? name + strlen(ITP_SYSCALL_PREFIX) :
							    NULL;
}

/* False for the end of a signal handler, which goes on with the interrupted code. */
bool itp_boundary_comes_back(const struct itp_boundary *boundary, uint32_t function)
{
	const char *call = call_named(boundary, function);

	return !call || !itp_syscall_ends_handler(call);
}

bool itp_boundary_tells_time(const struct itp_boundary *boundary, uint32_t function)
{
	const char *call = call_named(boundary, function);

	return call && itp_syscall_tells_time(call);
}

/* Function of a stand-in, in `id` from the first time on. */
static uint32_t stand_in(struct itp_boundary *boundary, uint32_t *id, const char *name,
			 enum itp_layer layer)
{
	if (*id == ITP_FUNCTION_UNKNOWN) {
		*id = itp_function_table_intern_stand_in(boundary->functions, name, layer);
	}
	return *id;
}

uint32_t itp_boundary_lost(struct itp_boundary *boundary)
{
	return stand_in(boundary, &boundary->lost, ITP_LOST_NAME, ITP_LAYER_KERNEL);
}

uint32_t itp_boundary_unknown_callers(struct itp_boundary *boundary)
{
	return stand_in(boundary, &boundary->unknown_callers, ITP_UNKNOWN_CALLERS_NAME,
			ITP_LAYER_USER);
}

uint32_t itp_boundary_made_code(struct itp_boundary *boundary)
{
	const struct itp_function function = {
		.name = ITP_MADE_CODE_NAME,
		.module = ITP_ANONYMOUS_MODULE,
		.build_id = "",
		.layer = ITP_LAYER_USER,
		.is_unnamed = true,
	};

	if (boundary->made_code == ITP_FUNCTION_UNKNOWN) {
		boundary->made_code = itp_function_table_intern(boundary->functions, &function);
	}
	return boundary->made_code;
}

/* Output for a stack under examination, with room for all frames that may come. */
struct writer {
	struct itp_frame *frames;
	/* Begin of the stack's frames, behind older ones. */
	guint begin;
	guint count;
};

static struct writer begin_writing(GArray *frames, const struct itp_stack_event *event)
{
	guint count = frames->len;

	/* The system call, and the recorder. */
	g_array_set_size(frames, count + (guint)event->frame_count + 2);
	return (struct writer){ .frames = (struct itp_frame *)frames->data,
				.begin = count,
				.count = count };
}

static void append_frame(struct writer *writer, const struct itp_frame *frame)
{
	writer->frames[writer->count++] = *frame;
}

/* Appends a function without an address. */
static void append_stand_in(struct writer *writer, uint32_t function)
{
	append_frame(writer, &(struct itp_frame){ .address = 0, .function = function });
}

/* Copies the user part; returns the index of the first kernel frame. A frame interrupted by a
 * signal stands where it is; it has called nothing. */
static size_t append_user_frames(struct itp_boundary *boundary, const struct itp_stack_event *event,
				 struct writer *writer)
{
	size_t i;

	for (i = 0; i < event->frame_count; i++) {
		const struct known_function *known =
			known_function(boundary, event->frames[i].function);

		if (known->layer == ITP_LAYER_KERNEL) {
			break;
		}
		if (G_UNLIKELY(known->role == ITP_KERNEL_ROLE_TRACER)) {
			continue;
		}
		if (G_UNLIKELY(known->is_signal_frame) && writer->count > writer->begin) {
			writer->frames[writer->count - 1].is_exact = true;
		}
		append_frame(writer, &event->frames[i]);
	}
	return i;
}

static bool is_asynchronous(enum itp_kernel_role role)
{
	return role == ITP_KERNEL_ROLE_INTERRUPT || role == ITP_KERNEL_ROLE_SOFTIRQ;
}

static bool is_recorder(enum itp_kernel_role role)
{
	return role == ITP_KERNEL_ROLE_TRACER || role == ITP_KERNEL_ROLE_UPKEEP;
}

/* The thread cannot be in a system call: its stack has no kernel frame although stacks inside the
 * call have, or the kernel was entered from user mode in another way. */
static bool is_outside_call(struct itp_boundary *boundary, const struct itp_stack_event *event,
			    size_t kernel_begin, const struct itp_syscall_state *state)
{
	enum itp_kernel_role first;

	if (kernel_begin == event->frame_count) {
		return state->shows_kernel;
	}
	first = known_function(boundary, event->frames[kernel_begin].function)->role;
	return is_asynchronous(first) || first == ITP_KERNEL_ROLE_EXCEPTION ||
	       first == ITP_KERNEL_ROLE_PROBE;
}

/* False for frames that count. `edge` is known from the frames below. */
static bool is_dropped(enum itp_kernel_role role, enum itp_boundary_edge *edge)
{
	switch (role) {
	case ITP_KERNEL_ROLE_DROPPED:
		*edge = *edge == ITP_EDGE_NONE ? ITP_EDGE_UNCLEAR : *edge;
		return true;
	case ITP_KERNEL_ROLE_ENTERING:
		*edge = ITP_EDGE_ENTERING;
		return true;
	case ITP_KERNEL_ROLE_LEAVING:
		*edge = ITP_EDGE_LEAVING;
		return true;
	default:
		return false;
	}
}

/* Marks the kernel's innermost frame, if any, as standing where it is. */
static void stop_kernel(struct writer *writer, guint kernel_begin)
{
	if (writer->count > kernel_begin) {
		writer->frames[writer->count - 1].is_exact = true;
	}
}

/* True when frames from one of this role on are no callees of the thread. */
static bool is_cut_off(enum itp_kernel_role role)
{
	return role == ITP_KERNEL_ROLE_PROBE || is_asynchronous(role) || is_recorder(role);
}

/* Ends the stack before a frame of `role`. A recorder for which the thread waits gets a frame of
 * its own. */
static void cut_off(struct itp_boundary *boundary, const struct itp_stack_event *event,
		    enum itp_kernel_role role, struct writer *writer,
		    struct itp_boundary_stack *ret_stack)
{
	if (role == ITP_KERNEL_ROLE_PROBE) {
		ret_stack->user_count = 0;
		writer->count = writer->begin;
		return;
	}
	ret_stack->interrupted = is_asynchronous(role);
	ret_stack->is_recorder = is_recorder(role);
	if (role == ITP_KERNEL_ROLE_UPKEEP && event->kind == ITP_EVENT_SWITCH_OUT) {
		append_stand_in(writer, itp_function_table_intern_stand_in(boundary->functions,
									   ITP_RECORDER_NAME,
									   ITP_LAYER_KERNEL));
	}
}

/* True when the innermost frame called the event's maker: the recorder, or a tracepoint of the
 * scheduler. Other events may not be tracepoints, and an address reached without a call may lie
 * behind a call too. */
static bool has_called_maker(const struct itp_stack_event *event,
			     const struct itp_boundary_stack *stack)
{
	return stack->is_recorder || (event->kind == ITP_EVENT_SWITCH_OUT && !stack->interrupted);
}

/* Copies the kernel part, from frame `i` of the event on, behind the system call if known;
 * otherwise the kernel's function for it may tell. */
static void append_kernel_frames(struct itp_boundary *boundary, const struct itp_stack_event *event,
				 size_t i, struct itp_syscall_state *state, struct writer *writer,
				 struct itp_boundary_stack *ret_stack)
{
	guint kernel_begin = writer->count;

	for (; i < event->frame_count; i++) {
		const struct known_function *known =
			known_function(boundary, event->frames[i].function);

		if (is_cut_off(known->role)) {
			cut_off(boundary, event, known->role, writer, ret_stack);
			break;
		}
		if (known->role == ITP_KERNEL_ROLE_EXCEPTION) {
			stop_kernel(writer, kernel_begin);
		}
		if (is_dropped(known->role, &ret_stack->edge)) {
			continue;
		}
		if (known->role == ITP_KERNEL_ROLE_SYSCALL_HANDLER &&
		    state->function == ITP_FUNCTION_UNKNOWN) {
			*state = (struct itp_syscall_state){ .function = known->syscall,
							     .shows_kernel = true,
							     .is_by_stack = true };
			append_stand_in(writer, known->syscall);
			kernel_begin = writer->count;
		}
		append_frame(writer, &event->frames[i]);
	}
	if (!has_called_maker(event, ret_stack)) {
		stop_kernel(writer, kernel_begin);
	}
}

void itp_boundary_apply(struct itp_boundary *boundary, const struct itp_stack_event *event,
			struct itp_syscall_state *state, GArray *frames,
			struct itp_boundary_stack *ret_stack)
{
	struct writer writer = begin_writing(frames, event);
	size_t kernel_begin = append_user_frames(boundary, event, &writer);

	*ret_stack = (struct itp_boundary_stack){ .user_count = writer.count - writer.begin,
						  .has_kernel = kernel_begin < event->frame_count };
	if (state->is_by_stack || is_outside_call(boundary, event, kernel_begin, state)) {
		*state = (struct itp_syscall_state){ .function = ITP_FUNCTION_UNKNOWN };
	}
	state->is_by_stack = state->is_for_next;
	state->is_for_next = false;
	if (state->function != ITP_FUNCTION_UNKNOWN) {
		append_stand_in(&writer, state->function);
	}
	append_kernel_frames(boundary, event, kernel_begin, state, &writer, ret_stack);
	if (state->function != ITP_FUNCTION_UNKNOWN) {
		ret_stack->edge = ITP_EDGE_NONE;
	}
	itp_frames_cut(frames, writer.count);
}
