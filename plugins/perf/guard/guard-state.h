/* SPDX-License-Identifier: MIT */
/*
 * For guard.bpf.c: structures of the kernel, the state of each thread, maps, and their records.
 *
 * Structures of the kernel are declared as far as needed; the loader finds their members in the
 * running kernel.
 */
#ifndef ITP_PERF_GUARD_GUARD_STATE_H
#define ITP_PERF_GUARD_GUARD_STATE_H

#include <linux/types.h>
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "plugins/perf/bpf/copying.h"
#include "plugins/perf/guard/guard-bpf.h"

struct sched_info {
	unsigned long long run_delay;
} KNOWN;

struct task_struct {
	int pid;
	int tgid;
	unsigned int __state;
	unsigned long nvcsw;
	unsigned long nivcsw;
	char comm[16];
	struct sched_info sched_info;
} KNOWN;

/* Before Linux 5.14. */
struct task_struct___old {
	long state;
} KNOWN;

enum stage {
	IS_OUTSIDE,
	IS_WAITING,
	IS_IN_UNIT
};

/* Most questions of a thread. */
#define QUESTIONS_OF_A_THREAD 256

struct thread {
	__u32 image;
	__u32 stage;
	/* Window in which the state was true; see window_ns. */
	__u64 window_ns;
	/* The last wait of the loop. */
	__u32 loop;
	__u32 wait_call;
	__u64 wait_ip;
	__u64 wait_sp;
	/* The unit. */
	__u64 begin_ns;
	/* Waits of the thread for a CPU in all its life, at begin_ns. */
	__u64 begin_cpu_wait_ns;
	/* Paused time since then, in no unit; begin of a pause, and waits for a CPU until then; 0:
	 * not paused. */
	__u64 paused_ns;
	__u64 pause_ns;
	__u64 pause_cpu_wait_ns;
	__u64 seen;
	/* The unit was at a place not known yet. */
	__u32 is_unsure;
	/* The unit was found in the middle, and has begun before begin_ns. */
	__u32 is_partial;
	/* Switches of the thread at the last look: unchanged, the thread is still in its unit. */
	__u64 switches;
	/* Voluntary switches at the last return of a system call. */
	__u64 blocks;
	/* The unit was in a context other than a look. */
	__u32 has_begun;
	/* The thread is a process that was made in a unit, and is still in its first unit. */
	__u32 is_child;
	__u32 questions;
	/* Time taken by the unit at its last snapshot. */
	__u64 shown_ns;
	/* The last inference: its type, the loop plus 1, and the contexts it was made from. */
	__u32 known_type;
	__u32 known_loop;
	__u32 is_of_a_type;
	__u64 known_seen;
	/* Memory of parallel inferences: on the stack, the verifier would follow every number in
	 * it. */
	struct itp_guard_choice choices[3];
};

/* Users of the memory. */
enum {
	OF_CALLS,
	OF_TICKS,
	OF_LOOKS
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

/* Guarded processes → their images. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, __u32);
} processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct itp_guard_wait_key);
	__type(value, __u32);
} waits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, struct itp_guard_context_key);
	__type(value, __u32);
} contexts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct itp_guard_loop_shapes);
} loops SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct itp_guard_counts);
} counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct itp_guard_totals);
} totals SEC(".maps");

/* Threads whose next wakeup is told, once: by tid. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u32);
} awaited SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} records SEC(".maps");

/* Set before the programs are loaded. */
const volatile __u8 calls[ITP_GUARD_CALLS];
/* All execs are told, not only of guarded processes. */
const volatile bool tells_all_execs;

/* Begin of the window in which system calls are watched; 0 outside. State from another window tells
 * nothing about the present. */
volatile __u64 window_ns = 0;
/* Looks at system calls are being timed. */
volatile bool is_timing = false;
/* Age from which a unit counts as lasting. */
volatile __u64 lasting_ns = 0;

static __always_inline __u64 ip_of(const struct pt_regs *registers)
{
#ifdef __TARGET_ARCH_x86
	return registers->ip;
#else
	return registers->pc;
#endif
}

static __always_inline __s32 call_of(const struct pt_regs *registers)
{
#ifdef __TARGET_ARCH_x86
	return (__s32)registers->orig_ax;
#else
	return registers->syscallno;
#endif
}

/* Waits of the task for a CPU in all its life; 0 if the kernel does not count them. */
static __always_inline __u64 all_cpu_wait_ns(const struct task_struct *task)
{
	return bpf_core_field_exists(task->sched_info) ? BPF_CORE_READ(task, sched_info.run_delay) :
							 0;
}

/* Waits of the unit for a CPU, until now. */
static __always_inline __u64 cpu_wait_ns(const struct thread *thread,
					 const struct task_struct *task)
{
	return (thread->pause_ns ? thread->pause_cpu_wait_ns : all_cpu_wait_ns(task)) -
	       thread->begin_cpu_wait_ns;
}

/* Time taken by the unit, without waits for a CPU, which tell how busy the machine is. A limit
 * learned on a busy machine would let slow units pass on any other, and a limit learned on an idle
 * machine would tell of all units once it is busy. Clocks differ a little. */
static __always_inline __u64 taken_ns(const struct thread *thread, const struct task_struct *task,
				      __u64 now_ns)
{
	const __u64 end_ns = thread->pause_ns ? thread->pause_ns : now_ns;
	const __u64 lasted_ns = end_ns - thread->begin_ns - thread->paused_ns;
	const __u64 waited_ns = cpu_wait_ns(thread, task);

	return waited_ns < lasted_ns ? lasted_ns - waited_ns : 0;
}

/* Pauses the unit of a child that waits for events, as the client's time is not the unit's. */
static __always_inline void pause_unit(struct thread *thread, const struct task_struct *task)
{
	thread->pause_ns = bpf_ktime_get_ns();
	thread->pause_cpu_wait_ns = all_cpu_wait_ns(task);
}

static __always_inline void resume_unit(struct thread *thread, const struct task_struct *task)
{
	thread->paused_ns += bpf_ktime_get_ns() - thread->pause_ns;
	thread->begin_cpu_wait_ns += all_cpu_wait_ns(task) - thread->pause_cpu_wait_ns;
	thread->pause_ns = 0;
}

static __always_inline struct itp_guard_totals *all_totals(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&totals, &zero);
}

/* ---- Snapshots ---- */

static __always_inline void fill_record(struct itp_guard_record *record, __u32 kind,
					struct task_struct *task)
{
	record->kind = kind;
	record->pid = BPF_CORE_READ(task, tgid);
	record->tid = BPF_CORE_READ(task, pid);
	record->call = -1;
	record->other_pid = 0;
	record->state = 0;
	record->wait_sp = 0;
	record->may_wait = 0;
	BPF_CORE_READ_STR_INTO(&record->comm, task, comm);
	__builtin_memset(&record->moment, 0, sizeof(record->moment));
}

static __always_inline void fill_moment(struct itp_guard_moment *moment,
					const struct thread *thread, const struct task_struct *task,
					__u64 time_ns)
{
	moment->time_ns = time_ns;
	moment->begin_ns = thread->begin_ns;
	moment->taken_ns = taken_ns(thread, task, time_ns);
	moment->cpu_wait_ns = cpu_wait_ns(thread, task);
	moment->seen = thread->seen;
	moment->loop = thread->loop;
	moment->type = 0;
	moment->image = thread->image;
	moment->is_in_unit = thread->stage == IS_IN_UNIT;
	moment->is_partial = thread->is_partial;
}

static __always_inline struct itp_guard_snapshot *begin_snapshot(void)
{
	struct itp_guard_snapshot *snapshot = bpf_ringbuf_reserve(&records, sizeof(*snapshot), 0);
	struct itp_guard_totals *sums = all_totals();

	if (!snapshot && sums) {
		sums->lost++;
	}
	return snapshot;
}

#endif
