/* SPDX-License-Identifier: MIT */
/*
 * Walk that finds the reason for which the kernel wakes a thread, or the thread that does.
 *
 * Reasons of functions are found out once, by name, and kept by function id.
 */
#include "common/infer/wake-stack.h"

#include "common/known/modules.h"
#include "common/known/starts.h"
#include "common/known/wake-reasons.h"

struct known_function {
	enum itp_wake_reason reason;
	bool is_user;
	bool is_go_between;
	/* Made at run time, without a name. */
	bool is_nameless;
	/* First function of a kernel thread. */
	bool is_thread_root;
};

struct itp_wake_stack {
	/* Weak. */
	struct itp_function_table *functions;
	struct itp_boundary *boundary;
	/* struct known_function by function id. Owned by this. */
	GArray *known;
	/* Function ids of the reasons that occurred. */
	uint32_t reasons[ITP_WAKE_REASON_COUNT];
};

struct itp_wake_stack *itp_wake_stack_new(struct itp_function_table *functions,
					  struct itp_boundary *boundary)
{
	struct itp_wake_stack *stack = g_new0(struct itp_wake_stack, 1);

	stack->functions = functions;
	stack->boundary = boundary;
	stack->known = g_array_new(FALSE, TRUE, sizeof(struct known_function));
	return stack;
}

void itp_wake_stack_free(struct itp_wake_stack *stack)
{
	if (!stack) {
		return;
	}
	g_array_free(stack->known, TRUE);
	g_free(stack);
}

static struct known_function find_out(const struct itp_wake_stack *stack, uint32_t id)
{
	const struct itp_function *function = itp_function_table_get(stack->functions, id);
	struct known_function known = { .reason = ITP_WAKE_NONE };

	if (function->layer == ITP_LAYER_KERNEL) {
		known.reason = itp_wake_reason_of(function->name);
		known.is_thread_root = itp_start_is_of_kernel(function->name);
	} else if (function->layer == ITP_LAYER_USER) {
		known.is_user = true;
		known.is_nameless = itp_function_is_nameless_code(function);
		known.is_go_between = known.is_nameless || itp_module_is_go_between(function);
	}
	return known;
}

static const struct known_function *known_function(struct itp_wake_stack *stack, uint32_t id)
{
	struct known_function *known;

	if (id >= stack->known->len) {
		g_array_set_size(stack->known, id + 1);
	}
	known = &g_array_index(stack->known, struct known_function, id);
	if (known->reason == ITP_WAKE_NOT_KNOWN_YET) {
		*known = find_out(stack, id);
	}
	return known;
}

static uint32_t reason_function(struct itp_wake_stack *stack, enum itp_wake_reason reason)
{
	if (stack->reasons[reason] == ITP_FUNCTION_UNKNOWN) {
		const struct itp_function function = { .name = itp_wake_reason_names[reason],
						       .module = "[kernel]",
						       .build_id = "",
						       .layer = ITP_LAYER_KERNEL };

		stack->reasons[reason] = itp_function_table_intern(stack->functions, &function);
	}
	return stack->reasons[reason];
}

/* The kernel did it: the reason is the innermost frame's from `begin` on, if any has one. */
static void tell_kernel(struct itp_wake_stack *stack, const struct itp_stack_event *event,
			size_t begin, enum itp_wake_reason otherwise, struct itp_waker *waker)
{
	enum itp_wake_reason reason = otherwise;

	waker->function = ITP_FUNCTION_UNKNOWN;
	for (size_t i = event->frame_count; i > begin; i--) {
		uint32_t function = event->frames[i - 1].function;
		enum itp_wake_reason told = known_function(stack, function)->reason;

		if (told != ITP_WAKE_NONE) {
			reason = told;
			waker->function = function;
			break;
		}
	}
	waker->process = reason_function(stack, reason);
}

size_t itp_wake_stack_user(struct itp_wake_stack *stack, const struct itp_stack_event *event,
			   size_t depth)
{
	size_t innermost = depth;
	size_t i;

	while (innermost > 0 &&
	       !known_function(stack, event->frames[innermost - 1].function)->is_user) {
		innermost--;
	}
	i = innermost;
	while (i > 0 && itp_wake_stack_passes_on(stack, event->frames[i - 1].function)) {
		i--;
	}
	if (i > 0 || innermost == 0) {
		return i;
	}
	/* Each place in such code counts as a function of its own, which tells nothing. */
	return known_function(stack, event->frames[innermost - 1].function)->is_nameless ?
		       0 :
		       innermost;
}

bool itp_wake_stack_is_reason(const struct itp_wake_stack *stack, uint32_t process)
{
	return process != ITP_FUNCTION_UNKNOWN &&
	       itp_function_table_get(stack->functions, process)->layer == ITP_LAYER_KERNEL;
}

bool itp_wake_stack_is_timer(const struct itp_wake_stack *stack, uint32_t process)
{
	return process != ITP_FUNCTION_UNKNOWN && process == stack->reasons[ITP_WAKE_TIMER];
}

bool itp_wake_stack_passes_on(struct itp_wake_stack *stack, uint32_t function)
{
	return known_function(stack, function)->is_go_between;
}

/* The thread did it. At its very end a thread has no user code any more: the system call must do.
 */
static void tell_thread(struct itp_wake_stack *stack, const struct itp_stack_event *event,
			struct itp_waker *waker)
{
	size_t depth = itp_wake_stack_user(stack, event, event->frame_count);

	waker->function = depth > 0 ? event->frames[depth - 1].function : ITP_FUNCTION_UNKNOWN;
	for (size_t i = 0; i < event->frame_count && waker->function == ITP_FUNCTION_UNKNOWN; i++) {
		waker->function = itp_boundary_syscall(stack->boundary, event->frames[i].function);
	}
}

void itp_wake_stack_tell(struct itp_wake_stack *stack, const struct itp_stack_event *event,
			 uint32_t process, struct itp_waker *waker)
{
	size_t user_count = 0;
	size_t i;

	while (user_count < event->frame_count &&
	       known_function(stack, event->frames[user_count].function)->is_user) {
		user_count++;
	}
	for (i = user_count; i < event->frame_count; i++) {
		if (itp_boundary_is_interrupt(stack->boundary, event->frames[i].function)) {
			tell_kernel(stack, event, i, ITP_WAKE_INTERRUPT, waker);
			return;
		}
	}
	if (event->argument == 0) {
		tell_kernel(stack, event, 0, ITP_WAKE_INTERRUPT, waker);
	} else if (user_count == 0 && event->frame_count > 0 &&
		   known_function(stack, event->frames[0].function)->is_thread_root) {
		tell_kernel(stack, event, 0, ITP_WAKE_THREAD, waker);
	} else {
		waker->process = process;
		tell_thread(stack, event, waker);
	}
}
