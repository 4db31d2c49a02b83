/* SPDX-License-Identifier: MIT */
/*
 * See answers.h.
 */
#include "plugins/perf/guard/answers.h"

#include "common/guard/matching.h"

/* Keys of the functions of a stack, as in guard files, root first, up to the system call. Nameless
 * code is left out, as in contexts of units. */
static char **keys_of(const struct itp_guard_answers *answers, const GArray *stack)
{
	const struct itp_function_table *functions =
		itp_guard_processes_functions(answers->processes);
	char **keys = g_new0(char *, stack->len + 1);
	guint count = 0;

	for (guint i = 0; i < stack->len; i++) {
		const struct itp_function *function =
			itp_function_table_get(functions, g_array_index(stack, uint32_t, i));

		if (!itp_function_is_nameless_code(function)) {
			keys[count++] = itp_guard_function_key(function);
		}
	}
	return keys;
}

/* Keys of the two questions in a snapshot. */
struct question {
	struct itp_guard_wait_key wait;
	struct itp_guard_context_key context;
};

static struct question question_of(const struct itp_guard_snapshot *snapshot)
{
	const struct itp_guard_record *record = &snapshot->record;
#ifdef __x86_64__
	const uint64_t sp = snapshot->registers[7];
	const uint64_t ip = snapshot->registers[8];
#else
	const uint64_t sp = snapshot->registers[31];
	const uint64_t ip = snapshot->registers[32];
#endif

	return (struct question){
		{ record->moment.image, (uint32_t)record->call, ip, sp },
		{ record->moment.image, (uint16_t)record->moment.loop, (uint16_t)record->call, ip,
		  (int64_t)(record->wait_sp - sp) },
	};
}

/* An answer about a context: its number, and whether it looks for events. */
static uint32_t context_answer(const struct itp_guard_loop *loop, int context)
{
	if (context < 0) {
		return ITP_GUARD_NEITHER;
	}
	return (uint32_t)context |
	       (itp_guard_context_at(loop, (guint)context)->is_look ? ITP_GUARD_LOOKS : 0);
}

/* A stack that does not reach its root as libraries were just being loaded is no answer. With too
 * little of the stack copied, the answer is final: the place is no context. */
void itp_guard_answer(const struct itp_guard_answers *answers,
		      const struct itp_guard_snapshot *snapshot, const GArray *stack,
		      enum itp_stack_end end)
{
	const struct itp_guard_record *record = &snapshot->record;
	const struct itp_guard_file *file = answers->file;
	const struct itp_guard_loop *loop = itp_guard_loop_at(file, record->moment.loop);
	const struct question question = question_of(snapshot);
	g_auto(GStrv) keys = keys_of(answers, stack);
	const int wait = record->may_wait ? itp_guard_match_wait(file, keys) : -1;
	const int context = record->moment.is_in_unit ? itp_guard_match_context(loop, keys) : -1;

	if (end != ITP_STACK_END_ROOT && wait < 0 && context < 0) {
		itp_guard_kernel_leave_open(answers->kernel, &question.wait, &question.context);
		if (end == ITP_STACK_END_DEPTH && record->moment.is_in_unit) {
			itp_guard_kernel_answer_context(answers->kernel, &question.context,
							ITP_GUARD_NEITHER);
		}
		return;
	}
	if (record->may_wait) {
		itp_guard_kernel_answer_wait(answers->kernel, &question.wait,
					     wait < 0 ? ITP_GUARD_NEITHER : (uint32_t)wait);
	}
	if (record->moment.is_in_unit) {
		itp_guard_kernel_answer_context(answers->kernel, &question.context,
						context_answer(loop, context));
	}
}
