/* SPDX-License-Identifier: MIT */
/*
 * For guard.bpf.c: the kernel's structures, what is known of each thread, the maps, and records
 * of both.
 *
 * Kernel structures are declared as far as they are needed; the loader finds their members in the
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

struct bpf_iter_meta {
	struct seq_file *seq;
} KNOWN;

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} KNOWN;

enum stage {
	IS_OUTSIDE,
	IS_WAITING,
	IS_IN_UNIT
};

/* So often a thread may ask. */
#define QUESTIONS_OF_A_THREAD 256

struct thread {
	__u32 image;
	__u32 stage;
	/* The window in which this was so; see window_ns. */
	__u64 window_ns;
	/* Where it has waited. */
	__u32 loop;
	__u32 wait_call;
	__u64 wait_ip;
	__u64 wait_sp;
	/* The unit. */
	__u64 begin_ns;
	/* How long the thread had waited for a CPU in all its life when that began. */
	__u64 begin_cpu_wait_ns;
	/* How long it was no unit's time since then; and since when it is not, with the CPU waits
	 * until then; 0: it is. */
	__u64 paused_ns;
	__u64 pause_ns;
	__u64 pause_cpu_wait_ns;
	__u64 seen;
	/* It was somewhere that is not known yet. */
	__u32 is_unsure;
	/* It was found in the middle, so that it has begun earlier than begin_ns. */
	__u32 is_partial;
	/* How often the thread had switched when it was looked at last: when it has not since, it
	 * is in the same unit still. */
	__u64 switches;
	/* The same, by its own will, at the last return of a system call. */
	__u64 blocks;
	/* It was in a context that is none of a look. */
	__u32 has_begun;
	/* The thread is a process that was made in a unit, and has done nothing else yet. */
	__u32 is_child;
	__u32 questions;
	/* How long it had taken when its stack was taken last. */
	__u64 shown_ns;
	/* What was inferred last, of which contexts and of which loop. */
	__u32 known_type;
	__u32 known_loop;
	__u32 is_of_a_type;
	__u64 known_seen;
	/* Rooms of those who may infer at the same time: on the stack, the verifier would follow
	 * every number in it. */
	struct itp_guard_choice choices[3];
};

/* Whose room. */
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

/* Threads of which it is told once who makes them run again: by tid. */
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
/* All execs are told, not just those of guarded processes. */
const volatile bool tells_all_execs;

/* When the system calls began to be watched; 0 while they are not. What a thread did in another
 * window tells nothing of what it does now. */
volatile __u64 window_ns = 0;
/* It is measured what a look at a system call takes. */
volatile bool is_timing = false;
/* A unit lasts that is older. */
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

/* How long the task has waited for a CPU in all its life; 0 where the kernel does not count that.
 */
static __always_inline __u64 all_cpu_wait_ns(const struct task_struct *task)
{
	return bpf_core_field_exists(task->sched_info) ? BPF_CORE_READ(task, sched_info.run_delay) :
							 0;
}

/* How much of that was in the unit until now. */
static __always_inline __u64 cpu_wait_ns(const struct thread *thread,
					 const struct task_struct *task)
{
	return (thread->pause_ns ? thread->pause_cpu_wait_ns : all_cpu_wait_ns(task)) -
	       thread->begin_cpu_wait_ns;
}

/* How long the unit has taken: without waiting for a CPU, which says how busy the machine is. A
 * limit that was learned on a busy one would let pass what is slow on any, and one that was learned
 * on an idle one would tell of all units when it gets busy. Clocks differ a little. */
static __always_inline __u64 taken_ns(const struct thread *thread, const struct task_struct *task,
				      __u64 now_ns)
{
	const __u64 end_ns = thread->pause_ns ? thread->pause_ns : now_ns;
	const __u64 lasted_ns = end_ns - thread->begin_ns - thread->paused_ns;
	const __u64 waited_ns = cpu_wait_ns(thread, task);

	return waited_ns < lasted_ns ? lasted_ns - waited_ns : 0;
}

/* A child waits for events: for its client, whose time is not the unit's. */
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
