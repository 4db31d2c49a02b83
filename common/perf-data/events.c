/* SPDX-License-Identifier: MIT */
/*
 * Samples as stack events.
 *
 * The idle threads have tid 0 and are no threads to the core; samples of threads that just died
 * have tid -1. Their stacks are dropped, except for the kernel's frames of a wakeup, but their
 * facts about other threads are kept.
 */
#include "common/perf-data/translator.h"

#include <string.h>

#include "common/perf-data/record-types.h"

struct itp_stack_event *itp_translator_add(struct itp_translator *translator,
					   enum itp_event_kind kind, struct itp_task *task,
					   int32_t cpu)
{
	return itp_event_queue_add(&translator->queue, kind, translator->time_ns, task, cpu);
}

void itp_translator_end(struct itp_translator *translator, struct itp_task *task)
{
	itp_event_queue_end(&translator->queue, translator->time_ns, task);
}

void itp_translator_add_loss(struct itp_translator *translator, int64_t count)
{
	itp_event_queue_add_count(&translator->queue, ITP_EVENT_LOSS, translator->time_ns, count);
}

static enum itp_chain_part part_of_mode(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		return ITP_CHAIN_KERNEL;
	case PERF_RECORD_MISC_USER:
		return ITP_CHAIN_USER;
	default:
		return ITP_CHAIN_FOREIGN;
	}
}

/* A sample whose user part came later. */
struct later {
	/* Weak. */
	const struct itp_deferred *deferred;
	const struct itp_perf_stamp *stamp;
};

static bool find_later(const void *data, uint64_t cookie, struct itp_bytes *ret_chain)
{
	const struct later *later = data;

	return itp_deferred_find(later->deferred, later->stamp, cookie, ret_chain);
}

/* Resolves the sample's call chain, taken in `process`. */
static void resolve_sample(struct itp_translator *translator, uint16_t misc,
			   const struct itp_perf_sample *sample, struct itp_process *process)
{
	bool may_be_whole;
	const struct itp_bytes chain = itp_translator_chain(translator, sample, &may_be_whole);
	const struct itp_perf_attr *attr = itp_perf_file_attr(translator->file, sample->stamp.attr);
	const struct later later = { .deferred = translator->deferred, .stamp = &sample->stamp };
	const struct itp_callchain_input input = {
		.chain = &chain,
		.part = part_of_mode(misc),
		.begins_with_return = attr->type == PERF_TYPE_TRACEPOINT,
		.max_stack = attr->max_stack,
		.process = process,
		.find_later = find_later,
		.later = &later,
		.in_memory = translator->in_memory,
		.completion = sample->is_unwound ? NULL : translator->completion,
		.fill = itp_completion_find,
		.user = &sample->user,
		.stacks = translator->stacks,
	};

	itp_symbolizer_advance(translator->symbolizer, process->space,
			       (uint64_t)translator->time_ns);
	itp_callchain_resolve(&translator->chain, translator->symbolizer, &input);
	if (sample->is_unwound) {
		translator->chain.found_by = ITP_FOUND_BY_RULE;
	}
	if (!may_be_whole && translator->chain.end == ITP_STACK_END_ROOT) {
		translator->chain.end = ITP_STACK_END_UNKNOWN;
	}
	translator->counts.missing_user_parts += translator->chain.lacks_user_part;
}

static void set_frames(const struct itp_translator *translator, struct itp_stack_event *event)
{
	itp_callchain_show(&translator->chain, event);
}

/* True when thread ids agree: samples carry ids of perf's namespace, fields of tracepoints carry
 * ids of the initial namespace, and only equal ids can be used together. */
static bool fields_have_same_ids(const struct itp_tracepoint *tracepoint,
				 const struct itp_perf_sample *sample)
{
	int64_t pid;

	return itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_COMMON_PID], &sample->raw,
				     &pid) &&
	       (sample->stamp.tid < 0 || pid == sample->stamp.tid);
}

static struct itp_syscall_words words_of(const struct itp_tracepoint *tracepoint,
					 const struct itp_bytes *raw)
{
	struct itp_syscall_words words = { .are_known = true };

	for (uint32_t i = 0; i < ITP_SYSCALL_WORDS; i++) {
		words.are_known &= itp_tracepoint_element(&tracepoint->fields[ITP_FIELD_WORDS], raw,
							  i, &words.words[i]);
	}
	return words;
}

static bool add_syscall(struct itp_translator *translator, const struct itp_perf_sample *sample,
			enum itp_event_kind kind, struct itp_task *task)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	struct itp_stack_event *event;
	int64_t number;
	int64_t argument;

	if (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_SYSCALL], &sample->raw, &number)) {
		return false;
	}
	argument = number;
	if (kind == ITP_EVENT_SYSCALL_EXIT &&
	    !itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_RESULT], &sample->raw,
				   &argument)) {
		return false;
	}
	event = itp_translator_add(translator, kind, task, sample->stamp.cpu);
	if (event) {
		event->argument = argument;
		event->callee = itp_syscall_names_function(translator->syscalls, number);
		if (kind == ITP_EVENT_SYSCALL_ENTER) {
			event->words = words_of(tracepoint, &sample->raw);
		} else {
			event->since_wake_ns =
				task->woke_ns > 0 ? translator->time_ns - task->woke_ns : 0;
		}
		set_frames(translator, event);
	}
	task->woke_ns = 0;
	return true;
}

/* The field's characters, perhaps without an end; NULL unless it lies in the sample. */
static const char *characters_of(const struct itp_raw_field *field, const struct itp_bytes *raw)
{
	bool is_inside = field->size > 0 && field->size <= raw->size &&
			 field->offset <= raw->size - field->size;

	return is_inside ? (const char *)raw->data + field->offset : NULL;
}

/* The field's text; NULL unless it lies in the sample. Free with g_free(). */
static char *text_of_field(const struct itp_raw_field *field, const struct itp_bytes *raw)
{
	return g_strndup(characters_of(field, raw), field->size);
}

static void rename_guess(struct itp_translator *translator, struct itp_task *task,
			 const struct itp_raw_field *field, const struct itp_bytes *raw)
{
	g_autofree char *comm = task->is_guess ? text_of_field(field, raw) : NULL;

	if (comm) {
		itp_tasks_rename(translator->tasks, task, comm);
	}
}

/* Next thread on the CPU, as the root of a process, if nothing else of it is recorded. */
static uint32_t stranger(struct itp_translator *translator, const struct itp_perf_sample *sample)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	g_autofree char *comm = NULL;
	int64_t tid;

	if (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_NEXT_PID], &sample->raw, &tid) ||
	    tid <= 0 || tid > INT32_MAX || translator->is_system_wide ||
	    !fields_have_same_ids(tracepoint, sample) ||
	    itp_tasks_find(translator->tasks, (int32_t)tid)) {
		return ITP_FUNCTION_UNKNOWN;
	}
	comm = text_of_field(&tracepoint->fields[ITP_FIELD_NEXT_COMM], &sample->raw);
	return comm && *comm ? itp_function_table_intern_stand_in(translator->functions, comm,
								  ITP_LAYER_PROCESS) :
			       ITP_FUNCTION_UNKNOWN;
}

/* Adds the thread that gets the CPU, unless PERF_RECORD_SWITCH is recorded, which tells thread and
 * time better. */
static bool add_switch_in(struct itp_translator *translator, const struct itp_perf_sample *sample)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	struct itp_task *next;
	int64_t tid;

	if (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_NEXT_PID], &sample->raw, &tid)) {
		return false;
	}
	if (translator->has_switch_records || tid <= 0 || tid > INT32_MAX ||
	    !fields_have_same_ids(tracepoint, sample)) {
		return true;
	}
	next = itp_tasks_find(translator->tasks, (int32_t)tid);
	if (!next && translator->is_system_wide) {
		next = itp_tasks_guess(translator->tasks, (int32_t)tid);
		rename_guess(translator, next, &tracepoint->fields[ITP_FIELD_NEXT_COMM],
			     &sample->raw);
	}
	if (next) {
		itp_translator_add(translator, ITP_EVENT_SWITCH_IN, next, sample->stamp.cpu);
	}
	return true;
}

/* Ends the thread that leaves its CPU for good. Stamps of threads that nobody waits for have no ids
 * by then. */
static void end_dead(struct itp_translator *translator, const struct itp_perf_sample *sample,
		     struct itp_task *task)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	int64_t tid;

	if (!task &&
	    itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_COMMON_PID], &sample->raw, &tid) &&
	    tid > 0 && tid <= INT32_MAX) {
		task = itp_tasks_find(translator->tasks, (int32_t)tid);
	}
	if (task) {
		itp_translator_end(translator, task);
	}
}

static bool add_switch(struct itp_translator *translator, const struct itp_perf_sample *sample,
		       struct itp_task *task)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	int64_t state;

	if (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_PREV_STATE], &sample->raw,
				   &state)) {
		return false;
	}
	if (task) {
		struct itp_stack_event *event = itp_translator_add(translator, ITP_EVENT_SWITCH_OUT,
								   task, sample->stamp.cpu);

		if (event) {
			event->argument = state & ITP_BLOCKED_STATES;
			event->callee = stranger(translator, sample);
			set_frames(translator, event);
		}
	}
	if (state & ITP_DEAD_STATES) {
		end_dead(translator, sample, task);
	}
	return add_switch_in(translator, sample);
}

/* True when the kernel wakes its own thread for what is left of interrupts on the CPU: nobody reads
 * what the present system call writes. */
static bool is_for_interrupts(const struct itp_tracepoint *tracepoint,
			      const struct itp_perf_sample *sample)
{
	static const char prefix[] = "ksoftirqd/";
	const struct itp_raw_field *field = &tracepoint->fields[ITP_FIELD_WOKEN_COMM];
	const char *comm = characters_of(field, &sample->raw);

	return comm && field->size >= strlen(prefix) && memcmp(comm, prefix, strlen(prefix)) == 0;
}

static void note_waker(struct itp_translator *translator, const struct itp_tracepoint *tracepoint,
		       const struct itp_perf_sample *sample)
{
	struct itp_task *waker = itp_tasks_find(translator->tasks, sample->stamp.tid);

	if (waker && waker->woke_ns == 0 && !is_for_interrupts(tracepoint, sample)) {
		waker->woke_ns = translator->time_ns;
	}
}

/* A thread that is leaving wakes others by its end: it closes files, and tells its parent. That
 * comes behind the unmapping of memory, and little comes behind it. */
static void end_waker(struct itp_translator *translator, int32_t tid)
{
	struct itp_task *waker = itp_tasks_find(translator->tasks, tid);

	if (waker) {
		itp_translator_end(translator, waker);
	}
}

static bool add_wakeup(struct itp_translator *translator, const struct itp_perf_sample *sample)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	struct itp_stack_event *event = NULL;
	struct itp_task *woken;
	int64_t tid;

	if (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_WOKEN], &sample->raw, &tid)) {
		return false;
	}
	if (tid <= 0 || tid > INT32_MAX || !fields_have_same_ids(tracepoint, sample)) {
		return true;
	}
	note_waker(translator, tracepoint, sample);
	woken = itp_tasks_find(translator->tasks, (int32_t)tid);
	if (!woken && translator->is_system_wide) {
		woken = itp_tasks_guess(translator->tasks, (int32_t)tid);
	}
	/* Threads outside of the recording are woken, too; nothing else is known of them. */
	if (woken) {
		end_waker(translator, sample->stamp.tid);
		event = itp_translator_add(translator, ITP_EVENT_WAKEUP, woken, sample->stamp.cpu);
	}
	if (event) {
		event->argument = sample->stamp.tid;
		set_frames(translator, event);
	}
	return true;
}

static void add_stack(struct itp_translator *translator, const struct itp_perf_sample *sample,
		      struct itp_task *task)
{
	struct itp_stack_event *event =
		itp_translator_add(translator, ITP_EVENT_SAMPLE, task, sample->stamp.cpu);
	const struct itp_perf_attr *attr = itp_perf_file_attr(translator->file, sample->stamp.attr);

	if (event && attr->is_timer) {
		event->argument = (int64_t)CLAMP(sample->period, 1, ITP_TICK_MOST);
		event->tick_ns = attr->is_clock ? event->argument : attr->interval_ns;
	}
	set_frames(translator, event);
}

static bool add_window(struct itp_translator *translator, const struct itp_perf_sample *sample)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	int64_t one_in;
	int64_t taken;

	if (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_ONE_IN], &sample->raw, &one_in) ||
	    !itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_TAKEN], &sample->raw, &taken)) {
		return false;
	}
	itp_event_queue_add_count(&translator->queue, ITP_EVENT_WINDOW, translator->time_ns,
				  one_in > 0 ? MIN(one_in, ITP_WINDOW_MOST) :
					       -CLAMP(taken, 0, ITP_WINDOW_TAKEN_MOST));
	return true;
}

static bool add_in_call(struct itp_translator *translator, const struct itp_perf_sample *sample,
			struct itp_task *task)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	struct itp_stack_event *event;
	int64_t number;

	if (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_SYSCALL], &sample->raw, &number)) {
		return false;
	}
	event = itp_translator_add(translator, ITP_EVENT_IN_CALL, task, sample->stamp.cpu);
	if (event) {
		event->argument = number;
		event->callee = itp_syscall_names_function(translator->syscalls, number);
	}
	return true;
}

/* For the next switch to the thread. */
static bool note_before(struct itp_translator *translator, const struct itp_perf_sample *sample)
{
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	g_autofree char *comm =
		text_of_field(&tracepoint->fields[ITP_FIELD_BEFORE_COMM], &sample->raw);

	translator->before_tid = sample->stamp.tid;
	translator->before = comm && *comm ?
				     itp_function_table_intern_stand_in(translator->functions, comm,
									ITP_LAYER_PROCESS) :
				     ITP_FUNCTION_UNKNOWN;
	return comm != NULL;
}

static bool add_events(struct itp_translator *translator, const struct itp_perf_sample *sample,
		       struct itp_task *task)
{
	switch (translator->tracepoints[sample->stamp.attr].kind) {
	case ITP_TRACEPOINT_SYS_ENTER:
		return !task || add_syscall(translator, sample, ITP_EVENT_SYSCALL_ENTER, task);
	case ITP_TRACEPOINT_SYS_EXIT:
		return !task || add_syscall(translator, sample, ITP_EVENT_SYSCALL_EXIT, task);
	case ITP_TRACEPOINT_SWITCH:
		return add_switch(translator, sample, task);
	case ITP_TRACEPOINT_WAKEUP:
		return add_wakeup(translator, sample);
	case ITP_TRACEPOINT_CALL:
		if (task) {
			set_frames(translator, itp_translator_add(translator, ITP_EVENT_CALL, task,
								  sample->stamp.cpu));
		}
		return true;
	case ITP_TRACEPOINT_WINDOW:
		return add_window(translator, sample);
	case ITP_TRACEPOINT_IN_CALL:
		return !task || add_in_call(translator, sample, task);
	case ITP_TRACEPOINT_HAD_CPU:
		return note_before(translator, sample);
	case ITP_TRACEPOINT_OTHER:
		if (task && sample->has_chain) {
			add_stack(translator, sample, task);
		}
		return true;
	}
	return true;
}

static bool is_wakeup(const struct itp_translator *translator, const struct itp_perf_sample *sample)
{
	return translator->tracepoints[sample->stamp.attr].kind == ITP_TRACEPOINT_WAKEUP;
}

int itp_translator_push_sample(struct itp_translator *translator, uint16_t misc,
			       const struct itp_perf_sample *sample, uint64_t time)
{
	struct itp_task *task = NULL;

	itp_event_queue_clear(&translator->queue);
	translator->time_ns = (int64_t)time;
	/* Idle threads are recorded only with all others, but for their wakeups of recorded ones,
	 * as a recorder in the kernel tells wakeups by timers. */
	translator->is_system_wide |= sample->stamp.tid == 0 && !is_wakeup(translator, sample);
	if (sample->stamp.tid > 0) {
		task = itp_tasks_get(translator->tasks, sample->stamp.pid, sample->stamp.tid);
		if (sample->cgroup > 0) {
			itp_tasks_enter_group(translator->tasks, task, sample->cgroup);
		}
		resolve_sample(translator, misc, sample, task->process);
	} else if (is_wakeup(translator, sample)) {
		resolve_sample(translator, misc, sample, translator->nobody);
	} else {
		translator->chain.count = 0;
		translator->chain.filled_count = 0;
		translator->chain.end = ITP_STACK_END_ROOT;
		translator->chain.found_by = ITP_FOUND_BY_RECORDER;
	}
	return add_events(translator, sample, task) ? 0 : ITP_ERROR_CORRUPT;
}
