/* SPDX-License-Identifier: MIT */
/* See event-queue.h. */
#include "common/stacks/event-queue.h"

void itp_event_queue_clear(struct itp_event_queue *queue)
{
	queue->length = 0;
}

static struct itp_stack_event *append(struct itp_event_queue *queue, int64_t time_ns)
{
	struct itp_stack_event *event = &queue->events[queue->length++];

	*event = (struct itp_stack_event){
		.time_ns = time_ns,
		.pid = -1,
		.tid = -1,
		.cpu = -1,
		.comm = "",
		.callee = ITP_FUNCTION_UNKNOWN,
		.complete = true,
		.end = ITP_STACK_END_ROOT,
	};
	return event;
}

static struct itp_stack_event *append_for(struct itp_event_queue *queue, enum itp_event_kind kind,
					  int64_t time_ns, const struct itp_task *task, int32_t cpu)
{
	struct itp_stack_event *event = append(queue, time_ns);

	event->kind = kind;
	event->pid = task->process->pid;
	event->tid = task->tid;
	event->comm = task->comm;
	event->cpu = cpu;
	return event;
}

void itp_event_queue_start(struct itp_event_queue *queue, int64_t time_ns,
			   const struct itp_task *task, int64_t creator)
{
	struct itp_stack_event *event = append_for(queue, ITP_EVENT_START, time_ns, task, -1);

	event->argument = creator;
	if (task->process->name) {
		event->comm = task->process->name;
	}
}

struct itp_stack_event *itp_event_queue_add(struct itp_event_queue *queue, enum itp_event_kind kind,
					    int64_t time_ns, struct itp_task *task, int32_t cpu)
{
	if (task->is_ended) {
		return NULL;
	}
	if (!task->is_announced) {
		task->is_announced = true;
		itp_event_queue_start(queue, time_ns, task, ITP_START_UNKNOWN);
	}
	return append_for(queue, kind, time_ns, task, cpu);
}

void itp_event_queue_add_loss(struct itp_event_queue *queue, int64_t time_ns, int64_t count)
{
	struct itp_stack_event *event = append(queue, time_ns);

	event->kind = ITP_EVENT_LOSS;
	event->argument = count;
}

void itp_callchain_show(const struct itp_callchain *chain, struct itp_stack_event *event)
{
	if (event) {
		event->frames = chain->frames;
		event->frame_count = chain->count;
		event->end = chain->end;
		event->complete = event->end == ITP_STACK_END_ROOT;
		event->found_by = chain->found_by;
		event->filled_count = chain->filled_count;
	}
}
