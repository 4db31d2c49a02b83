/* SPDX-License-Identifier: MIT */
/*
 * The guard's part in the kernel (PerfGuard, section 4.5, Algorithm 2).
 *
 * A unit lasts from the return of a loop's wait to the next wait; the unit of a process made in a
 * unit, as for a connection, from its begin to its end. Stack pointer and program counter tell the
 * place of a thread, so no stack is walked: user space is asked about a place once, with a copy of
 * the stack, and answers by a map from then on. Units in time are counted here and reach nobody.
 *
 * on_enter and on_exit are attached to all system calls, and look at calls that loops wait in and
 * calls that separate types. on_tick is attached to a timer, look_around is run by reading it. If
 * watching system calls costs too much, it is done in windows; outside of windows, and for threads
 * not yet heard of in a window, on_tick and look_around find out whether a thread is in a unit, and
 * its least length.
 */
#include "plugins/perf/guard/guard-late.h"

char the_license[] SEC("license") = "Dual MIT/GPL";

/* ---- System calls ---- */

/* Asks about the place of the thread: as a context, and as a wait if `may_wait`. False when not
 * possible. */
static __always_inline bool ask_about_place(struct thread *thread, struct task_struct *task,
					    const struct pt_regs *registers, __u32 call,
					    bool may_wait)
{
	struct itp_guard_totals *sums = all_totals();
	struct itp_guard_snapshot *snapshot;

	if (thread->questions >= QUESTIONS_OF_A_THREAD) {
		return false;
	}
	snapshot = begin_snapshot();
	if (!snapshot) {
		return false;
	}
	thread->questions++;
	if (sums) {
		sums->questions++;
	}
	fill_record(&snapshot->record, ITP_GUARD_QUESTION, task);
	fill_moment(&snapshot->record.moment, thread, task, bpf_ktime_get_ns());
	snapshot->record.call = call;
	snapshot->record.wait_sp = thread->wait_sp;
	snapshot->record.may_wait = may_wait;
	copy_registers(snapshot->registers, registers);
	snapshot->kernel_count = 0;
	snapshot->stack_bytes =
		copy_stack(snapshot->stack, ITP_GUARD_STACK_BYTES, registers->sp, NULL);
	bpf_ringbuf_submit(snapshot, 0);
	return true;
}

static __always_inline void begin_wait(struct thread *thread, __u32 loop, __u32 call, __u64 ip,
				       __u64 sp)
{
	thread->stage = IS_WAITING;
	thread->loop = loop;
	thread->wait_call = call;
	thread->wait_ip = ip;
	thread->wait_sp = sp;
}

/* The loop with its wait here; or another answer. */
static __always_inline __u32 wait_at(const struct thread *thread, __u32 call, __u64 ip, __u64 sp)
{
	const struct itp_guard_wait_key key = { thread->image, call, ip, sp };
	const __u32 *answer;

	if (thread->wait_sp == sp && thread->wait_ip == ip && thread->wait_call == call) {
		return thread->loop;
	}
	answer = bpf_map_lookup_elem(&waits, &key);
	return answer ? *answer : ITP_GUARD_AGAIN;
}

static __always_inline __u32 context_at(const struct thread *thread, __u32 call, __u64 ip, __u64 sp)
{
	const struct itp_guard_context_key key = { thread->image, (__u16)thread->loop, (__u16)call,
						   ip, (__s64)(thread->wait_sp - sp) };
	const __u32 *answer = bpf_map_lookup_elem(&contexts, &key);

	return answer ? *answer : ITP_GUARD_AGAIN;
}

/* Marks questions as asked, for other threads. */
static __always_inline void note_asked(const struct thread *thread, __u32 call, __u64 ip, __u64 sp,
				       bool is_wait, bool is_context)
{
	const struct itp_guard_wait_key wait = { thread->image, call, ip, sp };
	const struct itp_guard_context_key context = { thread->image, (__u16)thread->loop,
						       (__u16)call, ip,
						       (__s64)(thread->wait_sp - sp) };
	const __u32 asked = ITP_GUARD_ASKED;

	if (is_wait) {
		bpf_map_update_elem(&waits, &wait, &asked, BPF_NOEXIST);
	}
	if (is_context) {
		bpf_map_update_elem(&contexts, &context, &asked, BPF_NOEXIST);
	}
}

static __always_inline bool is_new(__u32 answer)
{
	return answer == ITP_GUARD_AGAIN;
}

/* A context that looks for events ends a unit with some work done, and the next begins when the
 * look returns. Before any work, a look belongs to the unit. */
static __always_inline void take_context(struct thread *thread, struct task_struct *task,
					 __u32 answer)
{
	if (answer & (ITP_GUARD_ASKED | ITP_GUARD_NEITHER)) {
		thread->is_unsure |= answer & ITP_GUARD_ASKED ? 1 : 0;
		return;
	}
	if (!(answer & ITP_GUARD_LOOKS)) {
		thread->has_begun = 1;
	} else if (thread->has_begun && !thread->is_child) {
		end_unit(thread, task);
		thread->stage = IS_WAITING;
		return;
	}
	thread->seen |= (__u64)1 << (answer & (ITP_GUARD_MOST - 1));
}

static __always_inline bool counts_empty(const struct thread *thread)
{
	const struct itp_guard_loop_shapes *shapes = bpf_map_lookup_elem(&loops, &thread->loop);

	return shapes && !shapes->has_looks;
}

static __always_inline void enter_syscall(struct thread *thread, struct task_struct *task,
					  __u32 call)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	const __u8 uses = calls[call & (ITP_GUARD_CALLS - 1)];
	const __u64 ip = ip_of(registers);
	const __u64 sp = registers->sp;
	bool is_new_wait = false;
	bool is_new_context = false;

	if (uses & ITP_GUARD_CALL_WAITS) {
		const __u32 loop = wait_at(thread, call, ip, sp);

		is_new_wait = is_new(loop);
		if (loop < ITP_GUARD_LOOPS) {
			if (thread->stage == IS_IN_UNIT && !thread->is_child &&
			    (thread->has_begun || counts_empty(thread))) {
				end_unit(thread, task);
			}
			begin_wait(thread, loop, call, ip, sp);
			return;
		}
	}
	if (thread->is_child && uses & ITP_GUARD_CALL_FOR_EVENTS) {
		pause_unit(thread, task);
	}
	if (thread->stage == IS_IN_UNIT) {
		const __u32 answer = context_at(thread, call, ip, sp);

		is_new_context = is_new(answer);
		take_context(thread, task, answer);
	}
	if ((is_new_wait || is_new_context) &&
	    ask_about_place(thread, task, registers, call, is_new_wait)) {
		note_asked(thread, call, ip, sp, is_new_wait, is_new_context);
	}
}

/* A unit begins, now or before. */
static __always_inline void begin_unit(struct thread *thread, const struct task_struct *task)
{
	thread->stage = IS_IN_UNIT;
	thread->seen = 0;
	thread->is_unsure = 0;
	thread->is_partial = 0;
	thread->has_begun = 0;
	thread->is_child = 0;
	thread->shown_ns = 0;
	thread->begin_ns = bpf_ktime_get_ns();
	thread->begin_cpu_wait_ns = all_cpu_wait_ns(task);
	thread->paused_ns = 0;
	thread->pause_ns = 0;
}

/* The state of a guarded thread; NULL for other threads. */
static __always_inline struct thread *guarded_thread(struct task_struct *task)
{
	struct thread *thread = bpf_task_storage_get(&threads, task, NULL, 0);
	__u32 pid;
	const __u32 *image;

	if (thread) {
		return thread->image ? thread : NULL;
	}
	pid = bpf_get_current_pid_tgid() >> 32;
	image = bpf_map_lookup_elem(&processes, &pid);
	if (!image || *image == ITP_GUARD_NO_IMAGE) {
		return NULL;
	}
	thread = bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (thread) {
		thread->image = *image;
	}
	return thread;
}

/* The state of a guarded thread while system calls are watched; NULL otherwise. */
static __always_inline struct thread *current_thread(struct task_struct *task)
{
	struct thread *thread = guarded_thread(task);

	/* Hooks are removed one after the other. */
	if (!thread || window_ns == 0) {
		return NULL;
	}
	if (thread->window_ns != window_ns) {
		thread->window_ns = window_ns;
		thread->stage = IS_OUTSIDE;
	}
	return thread;
}

static __always_inline bool is_watched(const struct thread *thread)
{
	return window_ns != 0 && thread->window_ns == window_ns;
}

/* The state of a thread watched before in this window; NULL for other threads. */
static __always_inline struct thread *known_thread(struct task_struct *task)
{
	struct thread *thread = bpf_task_storage_get(&threads, task, NULL, 0);

	return thread && is_watched(thread) ? thread : NULL;
}

/* Begins the unit of a thread whose wait was not known as a wait at its begin. */
static __always_inline void recognize(struct thread *thread, struct task_struct *task, __u32 call)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	const __u64 ip = ip_of(registers);
	const __u64 sp = registers->sp;
	const __u32 loop = wait_at(thread, call, ip, sp);

	if (loop < ITP_GUARD_LOOPS) {
		begin_wait(thread, loop, call, ip, sp);
		begin_unit(thread, task);
	} else if (is_new(loop) && ask_about_place(thread, task, registers, call, true)) {
		note_asked(thread, call, ip, sp, true, false);
	}
}

/* EINTR, or the kernel's codes until a handler was called: ERESTARTSYS to ERESTART_RESTARTBLOCK. */
static __always_inline bool is_interruption(__s64 result)
{
	return result == -4 || (result <= -512 && result >= -516);
}

/* A wait interrupted by a signal has brought no work, and the thread waits again; a wait for
 * signals ends so with work. */
static __always_inline bool brings_work(__u32 call, __s64 result)
{
	return !is_interruption(result) ||
	       calls[call & (ITP_GUARD_CALLS - 1)] & ITP_GUARD_CALL_FOR_SIGNALS;
}

static __always_inline void leave_syscall(struct thread *thread, struct task_struct *task,
					  __u32 call, __s64 result)
{
	if (!brings_work(call, result)) {
		if (thread->stage == IS_WAITING) {
			thread->stage = IS_OUTSIDE;
		}
	} else if (thread->stage == IS_WAITING) {
		begin_unit(thread, task);
	} else if (thread->stage == IS_OUTSIDE &&
		   calls[call & (ITP_GUARD_CALLS - 1)] & ITP_GUARD_CALL_WAITS) {
		recognize(thread, task, call);
	}
}

/* Looks are timed in place, as nothing else tells the price of caches. */
static __always_inline void note_hit(__u64 begin_ns)
{
	struct itp_guard_totals *sums = all_totals();

	if (!sums) {
		return;
	}
	sums->hits++;
	if (begin_ns != 0) {
		sums->timed_hits++;
		sums->timed_ns += bpf_ktime_get_ns() - begin_ns;
	}
}

static __always_inline bool matters(__u64 call)
{
	return call < ITP_GUARD_CALLS && calls[call] != 0;
}

/* Tracepoints of single calls exist. But any of them sends each call of anybody a longer way in the
 * kernel, which is most of the cost; and removing them takes a tenth of a second. */

SEC("raw_tp/sys_enter")
int on_enter(struct bpf_raw_tracepoint_args *context)
{
	const __u64 call = context->args[1];
	struct itp_guard_totals *sums = all_totals();
	struct task_struct *task;
	struct thread *thread;
	__u64 begin_ns;

	if (sums) {
		sums->calls++;
	}
	if (!matters(call)) {
		return 0;
	}
	begin_ns = is_timing ? bpf_ktime_get_ns() : 0;
	task = (struct task_struct *)bpf_get_current_task_btf();
	thread = current_thread(task);
	if (thread) {
		enter_syscall(thread, task, (__u32)call);
		note_hit(begin_ns);
	}
	return 0;
}

/* Shows a unit that has become late in a system call in which its thread was blocked: the wait is
 * known when the call returns, however short the call was. */
static __always_inline void see_block(struct thread *thread, struct task_struct *task)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	const __u64 blocks = task->nvcsw;
	const bool was_blocked = thread->blocks != blocks;
	__u64 now_ns;

	thread->blocks = blocks;
	if (!was_blocked || thread->stage != IS_IN_UNIT) {
		return;
	}
	now_ns = bpf_ktime_get_ns();
	if (is_to_be_shown(thread, task, OF_CALLS, now_ns)) {
		show_current(ITP_GUARD_RETURNED, call_of(registers), thread, task, registers,
			     now_ns);
	}
}

SEC("raw_tp/sys_exit")
int on_exit(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	const __u32 call = call_of((const struct pt_regs *)bpf_task_pt_regs(task));
	const bool is_ours = matters(call);
	const __u64 begin_ns = is_ours && is_timing ? bpf_ktime_get_ns() : 0;
	struct thread *thread = is_ours ? current_thread(task) : known_thread(task);

	if (!thread) {
		return 0;
	}
	if (thread->pause_ns != 0) {
		resume_unit(thread, task);
	}
	see_block(thread, task);
	if (is_ours) {
		leave_syscall(thread, task, call, (__s64)context->args[1]);
		note_hit(begin_ns);
	}
	return 0;
}

/* ---- Units whose begin nobody saw ---- */

/* True when a thread looks for events, or is at a place not known yet. */
static __always_inline bool is_between_units(const struct thread *thread,
					     const struct pt_regs *registers)
{
	const __u32 call = (__u32)call_of(registers);
	const __u64 ip = ip_of(registers);
	const __u64 sp = registers->sp;
	const __u8 uses = call < ITP_GUARD_CALLS ? calls[call] : 0;

	if (uses & ITP_GUARD_CALL_WAITS && wait_at(thread, call, ip, sp) != ITP_GUARD_NEITHER) {
		return true;
	}
	return uses != 0 && context_at(thread, call, ip, sp) & (ITP_GUARD_ASKED | ITP_GUARD_LOOKS);
}

/* Begins a unit that lasts since `begin_ns` at least, unless the thread has no loop or is between
 * units. */
static __always_inline bool find_unit(struct thread *thread, struct task_struct *task,
				      const struct pt_regs *registers, __u64 begin_ns)
{
	thread->stage = IS_OUTSIDE;
	if (thread->wait_sp == 0 || is_between_units(thread, registers)) {
		return false;
	}
	begin_unit(thread, task);
	thread->begin_ns = begin_ns;
	thread->blocks = BPF_CORE_READ(task, nvcsw);
	thread->is_partial = 1;
	thread->has_begun = 1;
	return true;
}

/* True when a running thread is in a unit. Unheard of since the window began, it has run ever
 * since. */
static __always_inline bool runs_in_unit(struct thread *thread, struct task_struct *task,
					 const struct pt_regs *registers)
{
	if (is_watched(thread)) {
		return thread->stage == IS_IN_UNIT;
	}
	if (window_ns == 0 || !find_unit(thread, task, registers, window_ns)) {
		return false;
	}
	thread->window_ns = window_ns;
	return true;
}

/* True when a thread that does not run is in a unit: still the unit of the last look unless it has
 * switched since. */
static __always_inline bool stands_in_unit(struct thread *thread, struct task_struct *task,
					   const struct pt_regs *registers, __u64 now_ns)
{
	const __u64 switches = BPF_CORE_READ(task, nvcsw) + BPF_CORE_READ(task, nivcsw);
	const bool has_switched = thread->switches != switches;

	thread->switches = switches;
	if (is_watched(thread)) {
		return thread->stage == IS_IN_UNIT;
	}
	if ((thread->stage != IS_IN_UNIT || has_switched) &&
	    !find_unit(thread, task, registers, now_ns)) {
		return false;
	}
	thread->window_ns = window_ns;
	return true;
}

/* ---- Late units ---- */

static __always_inline void count_tick(void)
{
	struct itp_guard_totals *sums = all_totals();

	if (sums) {
		sums->ticks++;
	}
}

SEC("perf_event")
int on_tick(void *context)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct thread *thread = bpf_task_storage_get(&threads, task, NULL, 0);
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	__u64 now_ns;

	(void)context;
	if (!thread || !thread->image) {
		return 0;
	}
	count_tick();
	now_ns = bpf_ktime_get_ns();
	if (!runs_in_unit(thread, task, registers) ||
	    !is_to_be_shown(thread, task, OF_TICKS, now_ns)) {
		return 0;
	}
	show_current(ITP_GUARD_RUNNING, -1, thread, task, registers, now_ns);
	return 0;
}

static __always_inline __u32 state_of(struct task_struct *task)
{
	const struct task_struct___old *old = (const void *)task;

	return bpf_core_field_exists(task->__state) ? BPF_CORE_READ(task, __state) :
						      (__u32)BPF_CORE_READ(old, state);
}

/* A unit older than lasting_ns that may become late, but is not late for certain. */
static __always_inline bool is_lasting(struct thread *thread, const struct task_struct *task,
				       __u64 now_ns)
{
	const struct itp_guard_loop_shapes *shapes = bpf_map_lookup_elem(&loops, &thread->loop);
	const __u64 length_ns = taken_ns(thread, task, now_ns);

	return shapes && is_watched(thread) && thread->stage == IS_IN_UNIT &&
	       length_ns > lasting_ns &&
	       (__s64)(length_ns - length_ns / 4) <=
		       itp_guard_largest_limit_ns(choose(thread, OF_LOOKS, shapes));
}

static __always_inline void count_lasting(struct thread *thread, const struct task_struct *task,
					  __u64 now_ns)
{
	struct itp_guard_totals *sums = all_totals();

	if (sums) {
		sums->lasting += is_lasting(thread, task, now_ns);
	}
}

/* Looks at threads that do not run; running threads are left to on_tick(). */
SEC("iter.s/task")
int look_around(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct itp_guard_snapshot *snapshot;
	const struct pt_regs *registers;
	struct thread *thread;
	__u32 state;
	__u64 now_ns;

	if (!task) {
		return 0;
	}
	thread = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!thread || !thread->image) {
		return 0;
	}
	now_ns = bpf_ktime_get_ns();
	count_lasting(thread, task, now_ns);
	state = state_of(task);
	registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	if (state == 0 || !stands_in_unit(thread, task, registers, now_ns) ||
	    !is_to_be_shown(thread, task, OF_LOOKS, now_ns)) {
		return 0;
	}
	snapshot = begin_snapshot();
	if (!snapshot) {
		return 0;
	}
	fill_record(&snapshot->record, ITP_GUARD_STANDING, task);
	fill_moment(&snapshot->record.moment, thread, task, now_ns);
	snapshot->record.state = state;
	snapshot->record.call = call_of(registers);
	copy_registers(snapshot->registers, registers);
	copy_kernel_stack(snapshot, task);
	snapshot->stack_bytes =
		copy_stack(snapshot->stack, ITP_GUARD_STACK_BYTES, registers->sp, task);
	bpf_ringbuf_submit(snapshot, 0);
	return 0;
}

/* Attached while somebody is awaited. */
SEC("raw_tp/sched_waking")
int on_waking(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *woken = (struct task_struct *)context->args[0];
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	const __u32 tid = BPF_CORE_READ(woken, pid);
	struct itp_guard_snapshot *snapshot;

	if (bpf_map_delete_elem(&awaited, &tid) != 0) {
		return 0;
	}
	snapshot = begin_snapshot();
	if (!snapshot) {
		return 0;
	}
	fill_record(&snapshot->record, ITP_GUARD_WOKEN, task);
	snapshot->record.other_pid = (int)tid;
	snapshot->record.moment.time_ns = bpf_ktime_get_ns();
	copy_registers(snapshot->registers, registers);
	copy_kernel_stack(snapshot, task);
	snapshot->stack_bytes =
		copy_stack(snapshot->stack, ITP_GUARD_STACK_BYTES, registers->sp, NULL);
	bpf_ringbuf_submit(snapshot, 0);
	return 0;
}

/* ---- Processes ---- */

static __always_inline void tell_process(__u32 kind, struct task_struct *task, int other_pid)
{
	struct itp_guard_record *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);

	if (record) {
		fill_record(record, kind, task);
		record->other_pid = other_pid;
		bpf_ringbuf_submit(record, 0);
	}
}

/* Begins the unit of a process that the current thread makes in a unit: its first thread is in a
 * unit of the same loop, with a copy of the stack. If it waits as the loop does, it serves nobody
 * yet, and its unit is forgotten. */
static __always_inline void begin_child(struct task_struct *child)
{
	const struct thread *maker = known_thread((struct task_struct *)bpf_get_current_task_btf());
	struct thread *thread;

	if (!maker || maker->stage != IS_IN_UNIT) {
		return;
	}
	thread = bpf_task_storage_get(&threads, child, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!thread) {
		return;
	}
	thread->image = maker->image;
	thread->window_ns = maker->window_ns;
	begin_wait(thread, maker->loop, maker->wait_call, maker->wait_ip, maker->wait_sp);
	begin_unit(thread, child);
	thread->is_child = 1;
}

SEC("tp_btf/sched_process_fork")
int on_fork(__u64 *context)
{
	struct task_struct *parent = (struct task_struct *)context[0];
	struct task_struct *child = (struct task_struct *)context[1];
	__u32 parent_pid = BPF_CORE_READ(parent, tgid);
	__u32 pid = BPF_CORE_READ(child, tgid);
	const __u32 *image = bpf_map_lookup_elem(&processes, &parent_pid);

	if (image && pid != parent_pid) {
		const __u32 same = *image;

		bpf_map_update_elem(&processes, &pid, &same, BPF_ANY);
		begin_child(child);
		tell_process(ITP_GUARD_FORK, child, (int)parent_pid);
	}
	return 0;
}

/* Takes away the image of a process at its exec: the new image is not known yet, and forks until
 * then have no image either. */
SEC("raw_tp/sched_process_exec")
int on_exec(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = (struct task_struct *)context->args[0];
	__u32 pid = BPF_CORE_READ(task, tgid);
	const __u32 none = ITP_GUARD_NO_IMAGE;
	const bool was_guarded = bpf_map_update_elem(&processes, &pid, &none, BPF_EXIST) == 0;

	if (was_guarded) {
		bpf_task_storage_delete(&threads, bpf_get_current_task_btf());
	}
	if (was_guarded || tells_all_execs) {
		tell_process(ITP_GUARD_EXEC, task, (int)context->args[1]);
	}
	return 0;
}

/* Ends the unit of a child at the end of its first thread, the current. */
static __always_inline void end_child(struct task_struct *task)
{
	struct thread *thread = known_thread(task);

	if (thread && thread->is_child && thread->stage == IS_IN_UNIT) {
		end_unit(thread, task);
		thread->stage = IS_OUTSIDE;
	}
}

SEC("raw_tp/sched_process_exit")
int on_end(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = (struct task_struct *)context->args[0];
	__u32 pid = BPF_CORE_READ(task, tgid);

	if (BPF_CORE_READ(task, pid) != (int)pid) {
		return 0;
	}
	end_child((struct task_struct *)bpf_get_current_task_btf());
	if (bpf_map_delete_elem(&processes, &pid) == 0) {
		tell_process(ITP_GUARD_EXIT, task, 0);
	}
	return 0;
}
