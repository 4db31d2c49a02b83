/* SPDX-License-Identifier: MIT */
/*
 * See samples.h. Fields of a sample are in the order of perf_event_open(2).
 */
#include "plugins/perf/record/samples.h"

#include <string.h>

#include "plugins/perf/record/sideband.h"

#define MISC_SWITCH_OUT (1u << 13)
#define MISC_SWITCH_OUT_PREEMPT (1u << 14)

/* States of a thread in the tracepoint sched_switch: the highest of these bits of the kernel's own,
 * or STATE_RUNNABLE for a thread that could go on. The kernel's own bit 0x100 says that a signal
 * may end a wait, as of a page that is read. */
#define REPORTED_STATES 0x7f
#define STATE_RUNNABLE 0x100

/* Room for fields, markers, and frames of the largest stack, in words of 8 bytes. */
#define RECORD_WORDS (64 + ITP_RECORD_KERNEL_FRAMES + ITP_RECORDER_STACK_FRAMES)

struct itp_recorder_samples {
	struct itp_recorder_samples_options options;
	/* Record being made; word 0 is for its header. */
	uint64_t words[RECORD_WORDS];
	guint count;
};

struct itp_recorder_samples *itp_recorder_samples_new(
	const struct itp_recorder_samples_options *options)
{
	struct itp_recorder_samples *samples = g_new0(struct itp_recorder_samples, 1);

	samples->options = *options;
	return samples;
}

void itp_recorder_samples_free(struct itp_recorder_samples *samples)
{
	g_free(samples);
}

/* ---- Records ---- */

static void add(struct itp_recorder_samples *samples, uint64_t word)
{
	samples->words[samples->count++] = word;
}

static void add_pair(struct itp_recorder_samples *samples, uint32_t low, uint32_t high)
{
	add(samples, (uint64_t)high << 32 | low);
}

static void begin(struct itp_recorder_samples *samples)
{
	samples->count = 1;
}

static void end(struct itp_recorder_samples *samples, uint32_t type, uint16_t misc)
{
	const struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (uint16_t)(samples->count * sizeof(uint64_t)),
	};

	memcpy(&samples->words[0], &header, sizeof(header));
	itp_recorder_output_write(samples->options.output, samples->words);
}

static void add_trailer(struct itp_recorder_samples *samples, const struct itp_record_head *head)
{
	add_pair(samples, (uint32_t)head->pid, (uint32_t)head->tid);
	add(samples, head->time_ns);
	add_pair(samples, head->cpu, 0);
	add(samples, samples->options.ids[ITP_RECORDER_EVENT_SIDEBAND]);
}

static void add_fixed(struct itp_recorder_samples *samples, enum itp_recorder_event event,
		      const struct itp_record_head *head, uint64_t time_ns, uint64_t ip)
{
	begin(samples);
	add(samples, samples->options.ids[event]);
	add(samples, ip);
	add_pair(samples, (uint32_t)head->pid, (uint32_t)head->tid);
	add(samples, time_ns);
	add_pair(samples, head->cpu, 0);
}

static struct itp_recorder_common common_of(enum itp_recorder_event event,
					    const struct itp_record_head *head)
{
	return (struct itp_recorder_common){ .type = (uint16_t)event, .pid = head->tid };
}

/* Adds a tracepoint's fields behind their size, padded to whole words. */
static void add_raw(struct itp_recorder_samples *samples, const void *fields, uint32_t bytes)
{
	const uint32_t size = bytes + sizeof(uint32_t);
	uint8_t *place = (uint8_t *)&samples->words[samples->count];

	memcpy(place, &size, sizeof(size));
	memcpy(place + sizeof(size), fields, bytes);
	memset(place + sizeof(size) + bytes, 0, sizeof(uint32_t));
	samples->count += (bytes + 2 * (guint)sizeof(uint32_t)) / (guint)sizeof(uint64_t);
}

/* ---- Stacks ---- */

/* Adds a call chain: the kernel's frames, then stack `number`. Address 0 tells that the stack is
 * cut. */
static void add_chain(struct itp_recorder_samples *samples, const uint64_t *kernel,
		      guint kernel_count, uint64_t number)
{
	const struct itp_recorder_stack *stack =
		itp_recorder_stacks_find(samples->options.stacks, number);
	const guint count_place = samples->count;

	add(samples, 0);
	if (kernel_count > 0) {
		add(samples, (uint64_t)PERF_CONTEXT_KERNEL);
	}
	for (guint i = 0; i < kernel_count; i++) {
		add(samples, kernel[i]);
	}
	if (stack) {
		add(samples, (uint64_t)PERF_CONTEXT_USER);
		memcpy(&samples->words[samples->count], stack->frames,
		       stack->count * sizeof(stack->frames[0]));
		samples->count += stack->count;
	}
	if (stack && stack->is_cut) {
		add(samples, 0);
	}
	samples->words[count_place] = samples->count - count_place - 1;
}

static uint64_t leaf_of(const struct itp_recorder_samples *samples, uint64_t number)
{
	const struct itp_recorder_stack *stack =
		itp_recorder_stacks_find(samples->options.stacks, number);

	return stack && stack->count > 0 ? stack->frames[0] : 0;
}

/* ---- System calls ---- */

static void push_enter(struct itp_recorder_samples *samples, const struct itp_record_call *call)
{
	struct itp_recorder_enter fields = {
		.common = common_of(ITP_RECORDER_EVENT_ENTER, &call->head),
		.id = call->number,
	};

	memcpy(fields.args, call->words, sizeof(fields.args));
	add_fixed(samples, ITP_RECORDER_EVENT_ENTER, &call->head, call->head.time_ns,
		  leaf_of(samples, call->head.stack));
	add_chain(samples, NULL, 0, call->head.stack);
	add_raw(samples, &fields, sizeof(fields));
	end(samples, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
}

static void push_exit(struct itp_recorder_samples *samples, const struct itp_record_head *head,
		      uint64_t time_ns, int64_t number, int64_t result)
{
	const struct itp_recorder_exit fields = {
		.common = common_of(ITP_RECORDER_EVENT_EXIT, head),
		.id = number,
		.ret = result,
	};

	add_fixed(samples, ITP_RECORDER_EVENT_EXIT, head, time_ns, leaf_of(samples, head->stack));
	add_raw(samples, &fields, sizeof(fields));
	end(samples, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
}

/* ---- The scheduler, and the timer ---- */

static void push_in_call(struct itp_recorder_samples *samples,
			 const struct itp_record_event *record)
{
	const struct itp_recorder_in_call fields = {
		.common = common_of(ITP_RECORDER_EVENT_IN_CALL, &record->head),
		.id = record->call,
	};

	add_fixed(samples, ITP_RECORDER_EVENT_IN_CALL, &record->head, record->head.time_ns, 0);
	add_raw(samples, &fields, sizeof(fields));
	end(samples, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
}

static bool tells_call(const struct itp_recorder_samples *samples,
		       const struct itp_record_event *record)
{
	const bool is_possible = record->head.kind == ITP_RECORD_WAITS ?
					 samples->options.has_calls :
					 samples->options.has_windows;

	return is_possible && record->call >= 0;
}

static void push_event(struct itp_recorder_samples *samples, enum itp_recorder_event event,
		       const struct itp_record_event *record, const void *fields,
		       uint32_t field_bytes)
{
	const guint count = MIN(record->kernel_count, ITP_RECORD_KERNEL_FRAMES);
	const guint skipped =
		itp_recorder_kernel_text_skip(samples->options.text, record->kernel, count);
	const uint64_t ip = record->ip ? record->ip : skipped < count ? record->kernel[skipped] : 0;

	if (tells_call(samples, record)) {
		push_in_call(samples, record);
	}
	add_fixed(samples, event, &record->head, record->head.time_ns, ip);
	add_chain(samples, record->kernel + skipped, count - skipped, record->head.stack);
	if (fields) {
		add_raw(samples, fields, field_bytes);
	}
	end(samples, PERF_RECORD_SAMPLE,
	    count > skipped ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
}

static int64_t reported_state(uint32_t state)
{
	const uint32_t reported = state & REPORTED_STATES;

	if (state & ITP_RECORD_PREEMPTED) {
		return STATE_RUNNABLE;
	}
	return reported ? INT64_C(1) << (31 - __builtin_clz(reported)) : 0;
}

static void push_switch_record(struct itp_recorder_samples *samples,
			       const struct itp_record_head *head, uint16_t misc)
{
	begin(samples);
	add_trailer(samples, head);
	end(samples, PERF_RECORD_SWITCH, misc);
}

static void push_switch(struct itp_recorder_samples *samples, const struct itp_record_event *record)
{
	struct itp_recorder_switch fields = {
		.common = common_of(ITP_RECORDER_EVENT_SWITCH, &record->head),
		.prev_pid = record->head.tid,
		.prev_prio = record->priority,
		.prev_state = reported_state(record->state),
		.next_pid = record->other_tid,
		.next_prio = record->other_priority,
	};

	memcpy(fields.prev_comm, record->comm, sizeof(fields.prev_comm));
	memcpy(fields.next_comm, record->other_comm, sizeof(fields.next_comm));
	push_event(samples, ITP_RECORDER_EVENT_SWITCH, record, &fields, sizeof(fields));
	push_switch_record(
		samples, &record->head,
		(uint16_t)(MISC_SWITCH_OUT |
			   (fields.prev_state == STATE_RUNNABLE ? MISC_SWITCH_OUT_PREEMPT : 0)));
}

static void push_waking(struct itp_recorder_samples *samples, enum itp_recorder_event event,
			const struct itp_record_event *record)
{
	struct itp_recorder_waking fields = {
		.common = common_of(event, &record->head),
		.pid = record->other_tid,
		.prio = record->other_priority,
		.target_cpu = (int32_t)record->state,
	};

	memcpy(fields.comm, record->other_comm, sizeof(fields.comm));
	push_event(samples, event, record, &fields, sizeof(fields));
}

static void push_in(struct itp_recorder_samples *samples, const struct itp_record_in *record)
{
	struct itp_recorder_had_cpu fields = {
		.common = common_of(ITP_RECORDER_EVENT_HAD_CPU, &record->head),
		.pid = record->before_tid,
	};

	if (record->before_tid > 0) {
		memcpy(fields.comm, record->before_comm, sizeof(fields.comm));
		add_fixed(samples, ITP_RECORDER_EVENT_HAD_CPU, &record->head, record->head.time_ns,
			  0);
		add_raw(samples, &fields, sizeof(fields));
		end(samples, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	}
	push_switch_record(samples, &record->head, 0);
}

void itp_recorder_samples_push(struct itp_recorder_samples *samples,
			       const struct itp_record_head *record)
{
	const struct itp_record_call *call = (const void *)record;
	const struct itp_record_exit *exit = (const void *)record;
	const struct itp_record_event *event = (const void *)record;

	switch ((enum itp_record_kind)record->kind) {
	case ITP_RECORD_ENTER:
		push_enter(samples, call);
		break;
	case ITP_RECORD_CALL:
		push_enter(samples, call);
		push_exit(samples, record, call->exit_ns, call->number, call->result);
		break;
	case ITP_RECORD_EXIT:
		push_exit(samples, record, record->time_ns, exit->number, exit->result);
		break;
	case ITP_RECORD_SWITCH:
	case ITP_RECORD_WAITS:
		push_switch(samples, event);
		break;
	case ITP_RECORD_STILL_WAITS:
		if (event->call >= 0) {
			push_in_call(samples, event);
		}
		break;
	case ITP_RECORD_IN:
		push_in(samples, (const void *)record);
		break;
	case ITP_RECORD_WAKING:
		push_waking(samples, ITP_RECORDER_EVENT_WAKING, event);
		break;
	case ITP_RECORD_WAKING_NEW:
		push_waking(samples, ITP_RECORDER_EVENT_WAKING_NEW, event);
		break;
	case ITP_RECORD_FAULT:
		push_event(samples, ITP_RECORDER_EVENT_FAULT, event, NULL, 0);
		break;
	case ITP_RECORD_TICK:
		push_event(samples, ITP_RECORDER_EVENT_TICK, event, NULL, 0);
		break;
	default:
		break;
	}
}

/* A window belongs to no thread: pid and tid are -1. */
void itp_recorder_samples_push_window(struct itp_recorder_samples *samples, uint64_t time_ns,
				      uint32_t one_in, double taken)
{
	const struct itp_record_head nobody = { .pid = -1, .tid = -1 };
	const struct itp_recorder_window_fields fields = {
		.common = common_of(ITP_RECORDER_EVENT_WINDOW, &nobody),
		.one_in = one_in,
		.taken_ppm = (int64_t)(taken * 1e6),
	};

	add_fixed(samples, ITP_RECORDER_EVENT_WINDOW, &nobody, time_ns, 0);
	add_raw(samples, &fields, sizeof(fields));
	end(samples, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
}

void itp_recorder_samples_push_group(struct itp_recorder_samples *samples,
				     const struct itp_recorder_group *group)
{
	const struct itp_record_head process = { .pid = group->pid, .tid = group->pid };

	add_fixed(samples, ITP_RECORDER_EVENT_GROUP, &process, group->time_ns, 0);
	add(samples, group->number);
	end(samples, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
}

void itp_recorder_samples_lose(struct itp_recorder_samples *samples, uint64_t time_ns,
			       uint64_t count)
{
	const struct itp_record_head nobody = { .time_ns = time_ns };

	begin(samples);
	add(samples, samples->options.ids[ITP_RECORDER_EVENT_SWITCH]);
	add(samples, count);
	add_trailer(samples, &nobody);
	end(samples, PERF_RECORD_LOST, 0);
}
