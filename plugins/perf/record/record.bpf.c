/* SPDX-License-Identifier: MIT */
/*
 * Part of the recorder in the kernel: acts of the recorded processes' threads, with their stacks.
 *
 * on_enter and on_exit are attached to all system calls, perhaps in windows alone, on_enter also to
 * where threads lose their memory, on_switch and on_waking to the scheduler, on_tick to a timer,
 * on_fault to page faults. A system call without another event inside becomes a single record, at
 * its end. A stack is a record of its own; others refer to its number. Threads that wait meanwhile
 * are told by record-waiting.h.
 */
#include "plugins/perf/record/record-interpreted.h"
#include "plugins/perf/record/record-kernel-stack.h"
#include "plugins/perf/record/record-memory.h"
#include "plugins/perf/record/record-speed.h"
#include "plugins/perf/record/record-threads.h"
#include "plugins/perf/record/record-waiting.h"

char the_license[] SEC("license") = "Dual MIT/GPL";

/* Bytes of the stack that are copied where room is scarce. */
#define SHORT_COPY_BYTES 1024

#define CALL_EXECVE 59
#define CALL_EXECVEAT 322
#define CALL_SIGRETURN 15
#define USER_MODE 3

/* ---- Stacks ---- */

static __always_inline __u64 number_in_lane(__u64 count, __u32 place, __u64 kind)
{
	const __u64 lane = (bpf_get_smp_processor_id() * ROOMS + place) * 2 + kind;

	return count << ITP_RECORD_LANE_BITS | (lane & ((1 << ITP_RECORD_LANE_BITS) - 1));
}

static __always_inline __u64 next_stack(struct room *room, __u32 place)
{
	return number_in_lane(++room->stacks, place, 0);
}

static __always_inline __u64 next_copy(struct room *room, __u32 place)
{
	return number_in_lane(++room->copies, place, ITP_RECORD_COPY_LANE);
}

/* True when user space is to act at once: until its mappings are known, with tables, each stack of
 * a process is copied. */
static __always_inline bool is_urgent(__u32 reason)
{
	return reason == ITP_RECORD_NO_TABLE || reason == ITP_RECORD_IMAGE_UNKNOWN ||
	       reason == ITP_RECORD_UNMAPPED;
}

/* True when so large a part of the ring of copies, 1 in `part`, is filled: it holds those of less
 * than a tenth of a second. */
static __always_inline bool is_filled(__u64 part)
{
	return bpf_ringbuf_query(&copy_records, BPF_RB_AVAIL_DATA) >
	       ITP_RECORD_COPY_RING_BYTES / part;
}

static __always_inline __u64 tell_copy(struct room *room, __u32 place, struct task_struct *task,
				       const struct pt_regs *registers, __u32 reason)
{
	struct itp_record_copy *copy = bpf_map_lookup_elem(&copies, &place);
	const __u64 number = next_copy(room, place);
	__u32 bytes;

	if (!copy) {
		return 0;
	}
	fill_head(&copy->head, ITP_RECORD_COPY, task, bpf_ktime_get_ns(), number);
	copy->reason = reason;
	copy_registers(copy->registers, registers);
	/* Rather stacks that are cut than events that are lost: a large program that has begun
	 * makes thousands of calls until its tables are read. */
	bytes = is_filled(2) ? copy_stack(copy->stack, SHORT_COPY_BYTES, registers->sp, NULL) :
			       copy_stack(copy->stack, ITP_RECORD_COPY_BYTES, registers->sp, NULL);
	copy->stack_bytes = bytes;
	if (bytes > ITP_RECORD_COPY_BYTES) {
		return 0;
	}
	if (bpf_ringbuf_output(&copy_records, copy, offsetof(struct itp_record_copy, stack) + bytes,
			       is_urgent(reason) || is_filled(4) ? BPF_RB_FORCE_WAKEUP :
								   BPF_RB_NO_WAKEUP) != 0) {
		note_lost();
		return 0;
	}
	return number;
}

static __always_inline __u64 tell_walked(struct room *room, __u32 place, struct task_struct *task)
{
	const __u64 number = next_stack(room, place);
	const __u64 count = room->stack.count;

	if (count > ITP_RECORD_FRAMES) {
		return 0;
	}
	fill_head(&room->stack.head, ITP_RECORD_STACK, task, 0, number);
	if (bpf_ringbuf_output(&records, &room->stack,
			       offsetof(struct itp_record_stack, frames) + count * 8,
			       BPF_RB_NO_WAKEUP) != 0) {
		note_lost();
		return 0;
	}
	return number;
}

static __always_inline __u64 walk_anew(struct room *room, __u32 place, struct task_struct *task,
				       const struct pt_regs *registers, __u32 image)
{
	struct itp_record_totals *sums = all_totals();
	const __u32 end = walk_stack(room, image, registers);
	__u64 number;

	if (end != ITP_RECORD_ROOT) {
		if (sums && end < ITP_RECORD_REASONS) {
			sums->copied[end]++;
		}
		return tell_copy(room, place, task, registers, end);
	}
	if (sums) {
		sums->walked++;
	}
	number = tell_walked(room, place, task);
	if (place == OF_THREADS && number) {
		keep(room, registers, image, number);
	}
	return number;
}

static __always_inline __u64 find_in_room(struct room *room, __u32 place, struct task_struct *task,
					  __u32 image)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	struct itp_record_totals *sums = all_totals();
	const __u64 number = place == OF_THREADS ? recall(room, registers, image) : 0;

	if (sums) {
		sums->stacks++;
		sums->remembered += number != 0;
	}
	return number ? number : walk_anew(room, place, task, registers, image);
}

static __always_inline __u64 tell_interpreted(struct room *room, __u32 place,
					      struct task_struct *task, const struct thread *thread,
					      const struct itp_record_image *image)
{
	struct itp_record_interpreted *stack = &room->interpreted;
	struct code_walk code = { .interpreter = &image->interpreter, .room = room, .task = task };
	const __u64 number = next_stack(room, place);
	const __u64 count = stack->count;

	if (count > ITP_RECORD_INTERPRETED_FRAMES) {
		return 0;
	}
	fill_head(&stack->head, ITP_RECORD_INTERPRETED, task, thread->now_ns, number);
	stack->loop_begin = image->interpreter.loop_begin;
	stack->loop_end = image->interpreter.loop_end;
	bpf_loop((__u32)count, walk_code, &code, 0);
	if (bpf_ringbuf_output(&records, stack,
			       offsetof(struct itp_record_interpreted, frames) + count * 8,
			       BPF_RB_NO_WAKEUP) != 0) {
		note_lost();
		return 0;
	}
	return number;
}

/* Number of the stack with the room's interpreted functions, of this hash, on top of the machine's
 * stack. */
static __always_inline __u64 recall_interpreted(struct room *room, __u32 place,
						struct task_struct *task,
						const struct thread *thread,
						const struct itp_record_image *image, __u64 hash)
{
	__u32 key = (__u32)hash & ((1 << INTERPRETED_SET_BITS) - 1);
	struct interpreted_memory *memory = bpf_map_lookup_elem(&interpreted_memories, &key);
	__u64 number;

	if (place != OF_THREADS || !memory) {
		return tell_interpreted(room, place, task, thread, image);
	}
	number = memory->told.head.stack;
	if (room->stacks - (number >> ITP_RECORD_LANE_BITS) < ITP_RECORD_REMEMBERED / 2 &&
	    was_told(room, memory, image->number)) {
		return number;
	}
	number = tell_interpreted(room, place, task, thread, image);
	/* Too large for an assignment. */
	bpf_probe_read_kernel(&memory->told, sizeof(memory->told), &room->interpreted);
	memory->image = number ? image->number : ITP_RECORD_NO_IMAGE;
	return number;
}

/* Number of the stack with its interpreted functions; without any, number of the machine's stack.
 */
static __noinline __u64 add_interpreted(struct task_struct *task, struct thread *thread,
					__u32 place, __u32 image_number, __u64 machine_stack)
{
	__u32 key = image_number & (ITP_RECORD_IMAGES - 1);
	struct itp_record_image *image = bpf_map_lookup_elem(&images, &key);
	struct room *room = bpf_map_lookup_elem(&rooms, &place);
	struct interpreted_walk walk = { .room = room, .hash = machine_stack };
	__u64 number;

	if (!image || !room || image->number != image_number || !image->interpreter.runtime) {
		return machine_stack;
	}
	walk.interpreter = &image->interpreter;
	walk.frame = top_frame(&image->interpreter, state_of(image, task, thread));
	add_to_hash(&walk, image_number);
	room->frame_window.bytes = 0;
	room->interpreted.count = 0;
	room->interpreted.head.pid = task->tgid;
	room->interpreted.machine_stack = machine_stack;
	bpf_loop(MOST_FRAMES, walk_interpreted, &walk, 0);
	if (room->interpreted.count == 0 || walk.frame) {
		return machine_stack;
	}
	number = recall_interpreted(room, place, task, thread, image, walk.hash);
	return number ? number : machine_stack;
}

/* Place of the room to use: the threads' room, for interrupts as well, unless an interrupt came
 * while the room is in use. Only the threads' room remembers stacks. */
static __always_inline __u32 free_place(void)
{
	__u32 place = OF_THREADS;
	const struct room *room = bpf_map_lookup_elem(&rooms, &place);

	return room && !room->is_busy ? OF_THREADS : OF_INTERRUPTS;
}

/* Number of the thread's stack in user mode; 0 without a stack, or without room. */
static __noinline __u64 find_stack(struct task_struct *task, struct thread *thread)
{
	__u32 place = free_place();
	struct room *room = bpf_map_lookup_elem(&rooms, &place);
	const __u32 image = image_of(thread, task->tgid);
	__u64 number;

	if (!room) {
		return 0;
	}
	room->is_busy = 1;
	number = find_in_room(room, place, task, image);
	if (number && image != ITP_RECORD_NO_IMAGE && has_interpreters) {
		number = add_interpreted(task, thread, place, image, number);
	}
	room->is_busy = 0;
	return number;
}

/* ---- The ring ---- */

/* Step for bpf_loop(): writes to a page of the ring. */
static long use_page(__u32 i, void *data)
{
	void *page = bpf_ringbuf_reserve(&records, ITP_BPF_PAGE - BPF_RINGBUF_HDR_SZ, 0);

	if (!page) {
		return 1;
	}
	bpf_ringbuf_discard(page, BPF_RB_NO_WAKEUP);
	return 0;
}

/* Writes to all pages of the ring, before anything is recorded: a virtual machine may map each at
 * its first use, at the cost of the program that is recorded then. */
SEC("syscall")
int use_ring(void *context)
{
	bpf_loop(ITP_RECORD_RING_MOST_BYTES / ITP_BPF_PAGE, use_page, NULL, 0);
	return 0;
}

/* ---- System calls ---- */

static __always_inline void fill_call(struct itp_record_call *record, __u32 kind,
				      struct task_struct *task, const struct thread *thread)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);

	fill_head(&record->head, kind, task, thread->enter_ns, thread->stack);
	record->number = thread->number;
	record->words[0] = registers->di;
	record->words[1] = registers->si;
	record->words[2] = registers->dx;
	record->words[3] = registers->r10;
	record->words[4] = registers->r8;
	record->words[5] = registers->r9;
	record->exit_ns = 0;
	record->result = 0;
}

/* True for whoever is to tell the begin of the thread's call, once: a tick may come in the midst of
 * the program at its end. */
static __always_inline bool take_untold(struct thread *thread)
{
	return thread->is_untold && __sync_lock_test_and_set(&thread->is_untold, 0);
}

static __always_inline void tell_enter(struct task_struct *task, const struct thread *thread)
{
	struct itp_record_call *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);

	if (!record) {
		note_lost();
		return;
	}
	fill_call(record, ITP_RECORD_ENTER, task, thread);
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
}

/* True when the window has ended, although user space had no time to end it yet. */
static __always_inline bool has_ended(void)
{
	const __u64 until = until_ns;

	return until && bpf_ktime_get_ns() >= until;
}

/* True if the present call of the thread was seen to begin. */
static __always_inline bool is_call_seen(const struct thread *thread)
{
	return thread->is_in_call && thread->window == window;
}

/* A system call begins; or the thread ends or begins another program, and its stack is found while
 * it can be read: to unmap the memory of a process, and to map that of another program, takes long.
 * (Kernels before Linux 6.16 tell the end behind that, those before 6.10 do not tell of the other.)
 * Of all the same program is told, as the kernel's check of another one would take tens of
 * milliseconds. True in a recorded thread. */
static __always_inline bool enter_call(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct thread *thread = thread_of(task);
	const bool is_last = context->args[0] == (__u64)task;
	const __u64 call = context->args[1];
	__u64 stack;

	if (!thread || (is_last ? !task->mm || !window : has_ended())) {
		return thread != NULL;
	}
	thread->now_ns = bpf_ktime_get_ns();
	stack = is_last && is_call_seen(thread) ? thread->stack : find_stack(task, thread);
	if (is_last) {
		thread->last_stack = stack;
		return true;
	}
	thread->enter_ns = thread->now_ns;
	thread->number = (__s64)call;
	thread->stack = stack;
	thread->window = window;
	thread->is_in_call = true;
	thread->is_untold = 1;
	/* Calls that return with other registers than they were called with. */
	if ((call == CALL_EXECVE || call == CALL_EXECVEAT || call == CALL_SIGRETURN) &&
	    take_untold(thread)) {
		tell_enter(task, thread);
	}
	return true;
}

SEC("raw_tp/sys_enter")
int on_enter(struct bpf_raw_tracepoint_args *context)
{
	const __u64 begin_ns = begin_run(ITP_RECORD_COST_CALLS);

	end_run(ITP_RECORD_COST_CALLS, enter_call(context), begin_ns);
	return 0;
}

static __always_inline void tell_exit(struct task_struct *task, __s64 result)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	struct itp_record_exit *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);

	if (!record) {
		note_lost();
		return;
	}
	fill_head(&record->head, ITP_RECORD_EXIT, task, bpf_ktime_get_ns(), 0);
	record->number = (__s64)registers->orig_ax;
	record->result = result;
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
}

static __always_inline void tell_call(struct task_struct *task, const struct thread *thread,
				      __s64 result)
{
	struct itp_record_call *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);

	if (!record) {
		note_lost();
		return;
	}
	fill_call(record, ITP_RECORD_CALL, task, thread);
	record->exit_ns = bpf_ktime_get_ns();
	record->result = result;
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
}

/* True in a recorded thread. */
static __always_inline bool exit_call(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct thread *thread = thread_of(task);
	const __s64 result = (__s64)context->args[1];
	bool is_untold;

	if (!thread) {
		return false;
	}
	is_untold = take_untold(thread) && thread->window == window;
	thread->is_in_call = false;
	if (is_untold) {
		tell_call(task, thread, result);
	} else if (!has_ended()) {
		tell_exit(task, result);
	}
	return true;
}

SEC("raw_tp/sys_exit")
int on_exit(struct bpf_raw_tracepoint_args *context)
{
	const __u64 begin_ns = begin_run(ITP_RECORD_COST_CALLS);

	end_run(ITP_RECORD_COST_CALLS, exit_call(context), begin_ns);
	return 0;
}

/* ---- The scheduler ---- */

/* Number of the thread's stack in user mode. Tells the begin of its system call before, if untold.
 */
static __always_inline __u64 stack_of(struct task_struct *task, struct thread *thread)
{
	if (!is_call_seen(thread)) {
		thread->is_in_call = false;
		thread->is_untold = 0;
	}
	if (take_untold(thread)) {
		tell_enter(task, thread);
	}
	if (thread->is_in_call) {
		return thread->stack;
	}
	return thread->last_stack ? thread->last_stack : find_stack(task, thread);
}

/* Number of the thread's system call, if its begin was not seen; else -1. Negative for other ways
 * into the kernel. */
static __always_inline __s64 unseen_call(struct task_struct *task, const struct thread *thread)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);

	return thread->is_in_call ? -1 : (__s64)registers->orig_ax;
}

static __always_inline void output_event(struct itp_record_event *event)
{
	const __u32 count = event->kernel_count;

	if (count > ITP_RECORD_KERNEL_FRAMES) {
		return;
	}
	if (bpf_ringbuf_output(&records, event,
			       offsetof(struct itp_record_event, kernel) + count * 8,
			       BPF_RB_NO_WAKEUP) != 0) {
		note_lost();
	}
}

static __always_inline void fill_threads(struct itp_record_event *event, struct task_struct *task,
					 struct task_struct *other)
{
	event->ip = 0;
	event->priority = task->prio;
	BPF_CORE_READ_STR_INTO(&event->comm, task, comm);
	event->other_tid = BPF_CORE_READ(other, pid);
	event->other_priority = BPF_CORE_READ(other, prio);
	BPF_CORE_READ_STR_INTO(&event->other_comm, other, comm);
}

static __always_inline void leave_cpu(struct bpf_raw_tracepoint_args *context,
				      struct task_struct *task, struct thread *thread,
				      __u64 time_ns)
{
	struct task_struct *next = (struct task_struct *)context->args[2];
	__u32 place = OF_THREADS;
	struct room *room = bpf_map_lookup_elem(&rooms, &place);
	const bool is_preempted = context->args[0];
	__u64 stack;

	if (!thread || !room) {
		return;
	}
	thread->now_ns = time_ns;
	stack = stack_of(task, thread);
	fill_head(&room->event.head, ITP_RECORD_SWITCH, task, time_ns, stack);
	fill_threads(&room->event, task, next);
	room->event.call = unseen_call(task, thread);
	room->event.state = is_preempted ? ITP_RECORD_PREEMPTED :
					   (__u32)context->args[3] | (__u32)task->exit_state;
	find_kernel_stack(&room->event, context, task);
	output_event(&room->event);
}

/* Tells that `next` gets the CPU. Unlike the current thread, it is known here by its process alone.
 * True for a recorded one. */
static __always_inline bool take_cpu(struct task_struct *next, struct task_struct *before,
				     bool is_before_recorded, __u64 time_ns)
{
	const __u32 pid = BPF_CORE_READ(next, tgid);
	struct itp_record_in *record;
	__u32 *execs;

	if (!is_recorded(pid, &execs) || !BPF_CORE_READ(next, mm)) {
		return false;
	}
	record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
	if (!record) {
		note_lost();
		return true;
	}
	record->head.kind = ITP_RECORD_IN;
	record->head.cpu = bpf_get_smp_processor_id();
	record->head.stack = 0;
	record->head.time_ns = time_ns;
	record->head.pid = (__s32)pid;
	record->head.tid = BPF_CORE_READ(next, pid);
	record->before_tid = is_before_recorded ? -1 : before->pid;
	record->unused = 0;
	BPF_CORE_READ_STR_INTO(&record->before_comm, before, comm);
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
	return true;
}

SEC("raw_tp/sched_switch")
int on_switch(struct bpf_raw_tracepoint_args *context)
{
	const __u64 begin_ns = begin_run(ITP_RECORD_COST_OTHERS);
	const __u64 time_ns = bpf_ktime_get_ns();
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct thread *thread = thread_of(task);
	bool is_next_recorded;

	leave_cpu(context, task, thread, time_ns);
	is_next_recorded =
		take_cpu((struct task_struct *)context->args[2], task, thread != NULL, time_ns);
	end_run(ITP_RECORD_COST_OTHERS, thread || is_next_recorded, begin_ns);
	return 0;
}

/* True when the event is in an interrupt, unknown to the running thread. Drops frames below the
 * interrupt. */
static __always_inline bool take_interrupt(struct itp_record_event *event)
{
	const __u32 place = interrupt_place(event);

	if (place == ITP_RECORD_KERNEL_FRAMES) {
		return false;
	}
	event->kernel_count = place + 1;
	return true;
}

/* Tells a wakeup by no recorded thread. If made by a timer, a device or a thread of the kernel, it
 * is told as the idle thread's: from then on the woken thread is not blocked, but waits for a CPU.
 * True for a woken thread that is recorded. */
static __always_inline bool tell_waking_by_machine(struct bpf_raw_tracepoint_args *context,
						   struct task_struct *task, __u32 kind,
						   struct room *room, __u64 time_ns)
{
	struct task_struct *woken = (struct task_struct *)context->args[0];
	struct itp_record_event *event = &room->event;
	__u32 *execs;

	if (!is_recorded(BPF_CORE_READ(woken, tgid), &execs) || !BPF_CORE_READ(woken, mm)) {
		return false;
	}
	event->head.kind = kind;
	find_kernel_stack(event, context, task);
	if (!take_interrupt(event) && task->mm) {
		return true;
	}
	fill_head(&event->head, kind, task, time_ns, 0);
	fill_threads(event, task, woken);
	event->head.pid = 0;
	event->head.tid = 0;
	event->call = -1;
	event->state = event->head.cpu;
	output_event(event);
	return true;
}

/* True when one of both threads is recorded. */
static __always_inline bool tell_waking(struct bpf_raw_tracepoint_args *context, __u32 kind)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct task_struct *woken = (struct task_struct *)context->args[0];
	struct thread *thread = thread_of(task);
	__u32 place = OF_INTERRUPTS;
	struct room *room = bpf_map_lookup_elem(&rooms, &place);
	const __u64 time_ns = bpf_ktime_get_ns();
	__u64 stack;

	if (!room) {
		return false;
	}
	if (!thread) {
		return tell_waking_by_machine(context, task, kind, room, time_ns);
	}
	thread->now_ns = time_ns;
	stack = stack_of(task, thread);
	fill_head(&room->event.head, kind, task, time_ns, stack);
	fill_threads(&room->event, task, woken);
	room->event.call = unseen_call(task, thread);
	room->event.state = room->event.head.cpu;
	find_kernel_stack(&room->event, context, task);
	output_event(&room->event);
	return true;
}

SEC("raw_tp/sched_waking")
int on_waking(struct bpf_raw_tracepoint_args *context)
{
	const __u64 begin_ns = begin_run(ITP_RECORD_COST_OTHERS);

	end_run(ITP_RECORD_COST_OTHERS, tell_waking(context, ITP_RECORD_WAKING), begin_ns);
	return 0;
}

SEC("raw_tp/sched_wakeup_new")
int on_waking_new(struct bpf_raw_tracepoint_args *context)
{
	const __u64 begin_ns = begin_run(ITP_RECORD_COST_OTHERS);

	end_run(ITP_RECORD_COST_OTHERS, tell_waking(context, ITP_RECORD_WAKING_NEW), begin_ns);
	return 0;
}

/* ---- Places in user mode ---- */

static __always_inline void count_tick(void)
{
	struct itp_record_totals *sums = all_totals();

	if (sums) {
		sums->ticks++;
	}
}

/* Tells a tick or fault that came at `ip`, in user mode or in the kernel. True in a recorded
 * thread.
 */
static __always_inline bool tell_place(void *context, __u32 kind, __u64 ip, __u64 cs)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct thread *thread = thread_of(task);
	__u32 place = OF_INTERRUPTS;
	struct room *room = bpf_map_lookup_elem(&rooms, &place);
	const __u64 time_ns = bpf_ktime_get_ns();
	__u64 stack;

	if (!thread || !room) {
		return false;
	}
	room->event.computed_ns = 0;
	if (kind == ITP_RECORD_TICK) {
		count_tick();
		room->event.computed_ns = measure_speed(room, time_ns);
	}
	thread->now_ns = time_ns;
	stack = stack_of(task, thread);
	fill_head(&room->event.head, kind, task, time_ns, stack);
	room->event.ip = ip;
	room->event.call = unseen_call(task, thread);
	if ((cs & USER_MODE) != USER_MODE) {
		take_kernel_stack(&room->event, context);
		output_event(&room->event);
		return true;
	}
	room->event.kernel_count = 0;
	if (bpf_ringbuf_output(&records, &room->event, offsetof(struct itp_record_event, kernel),
			       BPF_RB_NO_WAKEUP) != 0) {
		note_lost();
	}
	return true;
}

/* Faults in user mode. Faults of the kernel, as in read(), come in the middle of these programs,
 * too. */
SEC("raw_tp/page_fault_user")
int on_fault(struct bpf_raw_tracepoint_args *context)
{
	const __u64 begin_ns = begin_run(ITP_RECORD_COST_OTHERS);
	const struct pt_regs *registers = (const struct pt_regs *)context->args[1];

	end_run(ITP_RECORD_COST_OTHERS,
		tell_place(context, ITP_RECORD_FAULT, BPF_CORE_READ(registers, ip), USER_MODE),
		begin_ns);
	return 0;
}

SEC("perf_event")
int on_tick(struct tick_context *context)
{
	const __u64 begin_ns = begin_run(ITP_RECORD_COST_OTHERS);

	end_run(ITP_RECORD_COST_OTHERS,
		tell_place(context, ITP_RECORD_TICK, context->ip, context->cs), begin_ns);
	return 0;
}

/* ---- Processes ---- */

SEC("raw_tp/sched_process_fork")
int on_fork(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *parent = (struct task_struct *)context->args[0];
	struct task_struct *child = (struct task_struct *)context->args[1];
	const __u32 parent_pid = BPF_CORE_READ(parent, tgid);
	const __u32 pid = BPF_CORE_READ(child, tgid);
	const struct itp_record_of_process *space;
	struct itp_record_of_process same = { .image = ITP_RECORD_NO_IMAGE };
	__u32 none = 0;
	__u32 *execs;

	if (pid == parent_pid || !is_recorded(parent_pid, &execs)) {
		return 0;
	}
	space = bpf_map_lookup_elem(&spaces, &parent_pid);
	if (space && (execs ? *execs : 0) == space->execs) {
		same.image = space->image;
	}
	bpf_map_update_elem(&spaces, &pid, &same, BPF_ANY);
	if (bpf_map_update_elem(&processes, &pid, &none, BPF_ANY) != 0) {
		note_lost();
	}
	return 0;
}

SEC("raw_tp/sched_process_exec")
int on_exec(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct thread *thread = bpf_task_storage_get(&threads, task, NULL, 0);
	const __u32 pid = task->tgid;
	__u32 *execs = bpf_map_lookup_elem(&processes, &pid);

	if (thread) {
		thread->last_stack = 0;
	}
	if (execs) {
		__sync_fetch_and_add(execs, 1);
		__sync_fetch_and_add(&version, 1);
	}
	return 0;
}

SEC("raw_tp/sched_process_exit")
int on_end(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = (struct task_struct *)context->args[0];
	const __u32 pid = BPF_CORE_READ(task, tgid);

	if (BPF_CORE_READ(task, signal, live.counter) == 0 &&
	    bpf_map_delete_elem(&processes, &pid) == 0) {
		bpf_map_delete_elem(&spaces, &pid);
	}
	return 0;
}
