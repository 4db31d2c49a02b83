/* SPDX-License-Identifier: MIT */
/* See foreign-stack.h. */
#include "messages/foreign-stack.h"

#include <linux/perf_event.h>

/* Most addresses of LTTng of a kernel's stack, and of a user's; LTTng marks a longer stack by an
 * address of ones. */
#define LTTNG_MAX_STACK 128

void itp_foreign_stack_init(struct itp_foreign_stack *stack)
{
	stack->addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

void itp_foreign_stack_release(struct itp_foreign_stack *stack)
{
	g_array_unref(stack->addresses);
}

/* Returns whether the recorder has cut the part. */
static bool append_stack_part(struct itp_foreign_stack *stack, const bt_event *event,
			      const struct itp_foreign_field *field, uint64_t marker)
{
	guint begin = stack->addresses->len;
	guint end;

	if (!field->is_there) {
		return false;
	}
	g_array_append_val(stack->addresses, marker);
	if (itp_foreign_numbers(event, field, stack->addresses) == 0) {
		g_array_set_size(stack->addresses, begin);
		return false;
	}
	end = stack->addresses->len;
	if (g_array_index(stack->addresses, uint64_t, end - 1) == UINT64_MAX) {
		g_array_set_size(stack->addresses, end - 1);
		return true;
	}
	return end - begin > LTTNG_MAX_STACK;
}

/* Returns whether the recorder has cut the stack, as far as known. */
static bool read_addresses(struct itp_foreign_stack *stack, const bt_event *event,
			   const struct itp_foreign_layout *layout)
{
	bool is_cut;

	g_array_set_size(stack->addresses, 0);
	if (layout->chain.is_there) {
		itp_foreign_numbers(event, &layout->chain, stack->addresses);
		return false;
	}
	is_cut = append_stack_part(stack, event, &layout->kernel_stack,
				   (uint64_t)PERF_CONTEXT_KERNEL);
	return append_stack_part(stack, event, &layout->user_stack, (uint64_t)PERF_CONTEXT_USER) ||
	       is_cut;
}

static struct itp_bytes chain_bytes(const struct itp_foreign_stack *stack)
{
	for (guint i = 0; i < stack->addresses->len; i++) {
		uint64_t *address = &g_array_index(stack->addresses, uint64_t, i);

		*address = GUINT64_TO_LE(*address);
	}
	return (struct itp_bytes){ .data = (const uint8_t *)stack->addresses->data,
				   .size = stack->addresses->len * sizeof(uint64_t) };
}

void itp_foreign_stack_resolve(struct itp_foreign_stack *stack, struct itp_foreign_memory *memory,
			       const bt_event *event, const struct itp_foreign_layout *layout,
			       struct itp_process *process)
{
	bool is_perf = layout->chain.is_there;
	bool is_cut = read_addresses(stack, event, layout);
	const struct itp_bytes bytes = chain_bytes(stack);
	const struct itp_user_state user = { .is_present = false };
	const struct itp_callchain_input input = {
		.chain = &bytes,
		.part = ITP_CHAIN_FOREIGN,
		.begins_with_return = !is_perf || layout->common_pid.is_there,
		/* LTTng's limit is for each part, not for both together. */
		.max_stack = is_perf ? 0 : UINT32_MAX,
		.process = process,
		.completion = memory->completion,
		.fill = itp_completion_find,
		.user = &user,
	};

	if (process->pid != 0) {
		itp_foreign_memory_prepare(memory, process);
	}
	itp_callchain_resolve(&stack->chain, memory->symbolizer, &input);
	if (bytes.size == 0) {
		stack->chain.end = ITP_STACK_END_UNKNOWN;
	} else if (is_cut && stack->chain.end == ITP_STACK_END_ROOT) {
		stack->chain.end = ITP_STACK_END_DEPTH;
	}
}
