/* SPDX-License-Identifier: MIT */
/*
 * Parts of stacks in the kernel, for record.bpf.c: followed by the kernel, or the same as before.
 *
 * The kernel follows a stack by its own tables, which takes longer than the rest of a program. The
 * result depends on return addresses at places that the kernel does not tell. Words of the stack
 * with the value of a followed frame are remembered instead, those at the places of return
 * addresses among them. If all of them are unchanged, the followed frames are unchanged, too.
 *
 * Calls that have returned leave words of such values as well, which change from time to time.
 * Frames lie in order: a frame is no nearer to the leaf than if each frame were at the first
 * possible place, and no farther than if each were at the last. Words outside of these bounds do
 * not count, nor do those that were missing when the same frames were followed again.
 *
 * Places are counted from the tracepoint's context, but for the entry into the kernel, the last
 * frame, which lies right before the registers in user mode: behind the entry the kernel moves the
 * stack by a random number of bytes, for each system call anew.
 *
 * Softirqs have stacks of their own (a packet of loopback: nginx → wrk). The last word of such a
 * stack leads to the thread's.
 *
 * For tracepoints with interrupts disabled: the room of a CPU is used by one program at a time.
 */
#ifndef ITP_PERF_RECORD_RECORD_KERNEL_STACK_H
#define ITP_PERF_RECORD_RECORD_KERNEL_STACK_H

#include "plugins/perf/record/record-state.h"

#define KERNEL_WORDS 512
#define KERNEL_PLACES 64
#define KERNEL_WAYS 8
#define KERNEL_SET_BITS 5
/* Stacks of threads and of softirqs, in bytes; both begin at a multiple. */
#define KERNEL_STACK_BYTES 16384
/* Lowest address of the kernel's code. */
#define KERNEL_CODE 0xffffffff80000000ull
/* Most frames below the tracepoint's context: those of the recorder's program. */
#define KERNEL_INNER_FRAMES 8

/* Common facts of all stacks among which one is looked for. */
struct kernel_begin {
	/* On a softirq's stack, address of the tracepoint's context, and place of the word that
	 * leads to the thread's stack; else 0. */
	__u64 context;
	__u32 link;
	/* enum itp_record_kind: each has a tracepoint of its own; and the system call. */
	__u32 kind;
	__u64 call;
};

struct kernel_memory {
	struct kernel_begin begin;
	/* Value of the word right before the registers in user mode: the last frame. */
	__u64 entry;
	/* Number of words, and of frames; 0 for an empty memory. */
	__u32 count;
	__u32 frame_count;
	__u16 places[KERNEL_PLACES];
	__u64 values[KERNEL_PLACES];
	__u64 frames[ITP_RECORD_KERNEL_FRAMES];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, KERNEL_WAYS << KERNEL_SET_BITS);
	__type(key, __u32);
	__type(value, struct kernel_memory);
} kernel_memories SEC(".maps");

/* Present stack: words from the tracepoint's context on; on a softirq's stack those up to the link,
 * then the thread's. */
struct kernel_room {
	__u64 context;
	__u64 registers;
	struct kernel_begin begin;
	/* Number of words read. */
	__u32 count;
	/* Number of stacks kept: the next way to use. */
	__u32 kept;
	/* While a stack is learnt: number of inner frames; a frame's number; first and last
	 * possible places of each frame. */
	__u32 skipped;
	__u32 cursor;
	__u16 first_places[ITP_RECORD_KERNEL_FRAMES];
	__u16 last_places[ITP_RECORD_KERNEL_FRAMES];
	struct kernel_memory learnt;
	/* Twice as many as are used, for the verifier, which knows no sum of place and count. */
	__u64 words[2 * KERNEL_WORDS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kernel_room);
} kernel_rooms SEC(".maps");

/* ---- Words ---- */

/* Adds the words from `from` up to `to`; false when they are no memory or too many. */
static __always_inline bool read_words(struct kernel_room *room, __u64 from, __u64 to)
{
	const __u64 bytes = to - from;
	const __u32 count = room->count;

	if (bytes >= KERNEL_WORDS * 8 || count + bytes / 8 > KERNEL_WORDS) {
		return false;
	}
	room->count = count + bytes / 8;
	return bpf_probe_read_kernel(&room->words[count & (KERNEL_WORDS - 1)],
				     bytes & (KERNEL_WORDS * 8 - 1), (const void *)from) == 0;
}

static __always_inline bool is_on_thread_stack(const struct kernel_room *room, __u64 address)
{
	return address < room->registers &&
	       address >= (room->registers & ~(KERNEL_STACK_BYTES - 1ull)) && (address & 7) == 0;
}

/* Adds the thread's stack, to which the last word read leads. */
static __always_inline bool follow_link(struct kernel_room *room)
{
	const __u64 below = room->words[(room->count - 1) & (KERNEL_WORDS - 1)];

	room->begin.link = room->count - 1;
	return is_on_thread_stack(room, below) && read_words(room, below, room->registers);
}

/* Reads a softirq's stack, which ends in this page or the next, and the thread's. */
static __always_inline bool read_softirq(struct kernel_room *room)
{
	const __u64 end = (room->context | (ITP_BPF_PAGE - 1)) + 1;

	if (!read_words(room, room->context, end)) {
		return false;
	}
	return follow_link(room) ||
	       (read_words(room, end, end + ITP_BPF_PAGE) && follow_link(room));
}

static __always_inline bool read_stack(struct kernel_room *room, const void *context,
				       const struct pt_regs *registers, __u32 kind)
{
	const void *const places[] = { context, registers };
	__u64 addresses[2];

	/* Addresses as numbers: the verifier keeps account of pointers. */
	bpf_probe_read_kernel(addresses, sizeof(addresses), places);
	room->context = addresses[0];
	room->registers = addresses[1];
	room->begin.context = 0;
	room->begin.link = 0;
	room->begin.kind = kind;
	room->begin.call = registers->orig_ax;
	room->count = 0;
	if (is_on_thread_stack(room, room->context)) {
		return read_words(room, room->context, room->registers);
	}
	room->begin.context = room->context;
	return read_softirq(room);
}

/* ---- Stacks seen before ---- */

static __always_inline __u32 first_way(const struct kernel_begin *begin)
{
	const __u64 key = begin->context ^ (__u64)begin->kind << 56 ^ begin->call << 40;

	return (__u32)(key * 0x9e3779b97f4a7c15ull >> (64 - KERNEL_SET_BITS)) * KERNEL_WAYS;
}

static __always_inline __u64 entry_of(const struct kernel_room *room)
{
	return room->words[(room->count - 1) & (KERNEL_WORDS - 1)];
}

/* True when all words of the memory are unchanged. */
__noinline bool has_same_words(const struct kernel_memory *memory, const struct kernel_room *room)
{
	if (!memory || !room) {
		return false;
	}
	for (__u32 i = 0; i < KERNEL_PLACES && i < memory->count; i++) {
		if (room->words[memory->places[i] & (KERNEL_WORDS - 1)] != memory->values[i]) {
			return false;
		}
	}
	return memory->entry == entry_of(room);
}

static __always_inline bool is_same_begin(const struct kernel_begin *one,
					  const struct kernel_begin *other)
{
	return one->context == other->context && one->link == other->link &&
	       one->kind == other->kind && one->call == other->call;
}

static __always_inline bool recall_kernel(const struct kernel_room *room,
					  struct itp_record_event *event)
{
	const __u32 first = first_way(&room->begin);

	for (__u32 i = 0; i < KERNEL_WAYS; i++) {
		__u32 key = first + i;
		const struct kernel_memory *memory = bpf_map_lookup_elem(&kernel_memories, &key);
		__u32 count;

		if (!memory || memory->count == 0 || !is_same_begin(&memory->begin, &room->begin) ||
		    !has_same_words(memory, room)) {
			continue;
		}
		count = memory->frame_count & (2 * ITP_RECORD_KERNEL_FRAMES - 1);
		if (count > ITP_RECORD_KERNEL_FRAMES) {
			return false;
		}
		bpf_probe_read_kernel(event->kernel, count * 8, memory->frames);
		event->kernel_count = count;
		return true;
	}
	return false;
}

/* ---- Learning ---- */

/* True when a frame but the last has this address. */
__noinline bool is_frame(const struct kernel_memory *learnt, __u64 address)
{
	if (!learnt) {
		return false;
	}
	for (__u32 i = 0; i < ITP_RECORD_KERNEL_FRAMES && i + 1 < learnt->frame_count; i++) {
		if (learnt->frames[i] == address) {
			return true;
		}
	}
	return false;
}

/* Step for bpf_loop(): a word, noted if it has the value of a frame. */
static long note_word(__u32 i, void *data)
{
	struct kernel_room *room = *(struct kernel_room **)data;
	struct kernel_memory *learnt = &room->learnt;
	const __u64 value = room->words[i & (KERNEL_WORDS - 1)];
	const __u32 count = learnt->count;

	if (value < KERNEL_CODE || !is_frame(learnt, value)) {
		return 0;
	}
	learnt->count = count + 1;
	if (count >= KERNEL_PLACES) {
		return 1;
	}
	learnt->places[count & (KERNEL_PLACES - 1)] = (__u16)i;
	learnt->values[count & (KERNEL_PLACES - 1)] = value;
	return 0;
}

/* Step for bpf_loop(): the frame at the cursor has its first possible place at a noted word. */
static long set_first_place(__u32 i, void *data)
{
	struct kernel_room *room = *(struct kernel_room **)data;
	const struct kernel_memory *learnt = &room->learnt;
	const __u32 frame = room->cursor & (ITP_RECORD_KERNEL_FRAMES - 1);

	if (learnt->frames[frame] == learnt->values[i & (KERNEL_PLACES - 1)]) {
		room->first_places[frame] = learnt->places[i & (KERNEL_PLACES - 1)];
		room->cursor++;
	}
	return room->cursor + 1 >= learnt->frame_count;
}

/* Sets first places from the leaf on, but for the inner frames, whose part of the stack is not
 * read, and for the last frame. False when others have none. */
static __always_inline bool find_first_places(struct kernel_room *room)
{
	for (__u32 i = 0; i < KERNEL_INNER_FRAMES; i++) {
		room->skipped = i;
		room->cursor = i;
		bpf_loop(room->learnt.count, set_first_place, &room, 0);
		if (room->cursor + 1 >= room->learnt.frame_count) {
			return room->cursor > i;
		}
	}
	return false;
}

/* Step for bpf_loop(): the frame in front of the cursor has its last possible place at a noted
 * word, from the root on. */
static long set_last_place(__u32 i, void *data)
{
	struct kernel_room *room = *(struct kernel_room **)data;
	const struct kernel_memory *learnt = &room->learnt;
	const __u32 word = (learnt->count - 1 - i) & (KERNEL_PLACES - 1);
	const __u32 frame = (room->cursor - 1) & (ITP_RECORD_KERNEL_FRAMES - 1);

	if (learnt->frames[frame] == learnt->values[word]) {
		room->last_places[frame] = learnt->places[word];
		room->cursor--;
	}
	return room->cursor <= room->skipped;
}

/* True when the word of this value, at `place`, may be a frame's. */
__noinline bool may_be_frame(const struct kernel_room *room, __u64 value, __u32 place)
{
	if (!room) {
		return false;
	}
	for (__u32 i = 0; i < ITP_RECORD_KERNEL_FRAMES && i + 1 < room->learnt.frame_count; i++) {
		if (i >= room->skipped && room->learnt.frames[i] == value &&
		    place >= room->first_places[i] && place <= room->last_places[i]) {
			return true;
		}
	}
	return false;
}

/* Keeps a noted word; kept words are no more than noted ones, and move to the front. */
static __always_inline void keep_word(struct kernel_memory *learnt, __u32 i)
{
	const __u32 to = learnt->count & (KERNEL_PLACES - 1);

	learnt->values[to] = learnt->values[i & (KERNEL_PLACES - 1)];
	learnt->places[to] = learnt->places[i & (KERNEL_PLACES - 1)];
	learnt->count++;
}

/* Step for bpf_loop(): a noted word, kept if it may be a frame's. */
static long keep_possible(__u32 i, void *data)
{
	struct kernel_room *room = *(struct kernel_room **)data;
	struct kernel_memory *learnt = &room->learnt;

	if (may_be_frame(room, learnt->values[i & (KERNEL_PLACES - 1)],
			 learnt->places[i & (KERNEL_PLACES - 1)])) {
		keep_word(learnt, i);
	}
	return 0;
}

/* Finds the words on which the frames may depend. False when some are not in the words read. */
__noinline bool learn_words(struct kernel_room *room)
{
	struct kernel_memory *learnt;
	__u32 noted;

	if (!room) {
		return false;
	}
	learnt = &room->learnt;
	learnt->count = 0;
	bpf_loop(room->count, note_word, &room, 0);
	noted = learnt->count;
	if (noted == 0 || noted > KERNEL_PLACES || !find_first_places(room)) {
		return false;
	}
	room->cursor = learnt->frame_count - 1;
	bpf_loop(noted, set_last_place, &room, 0);
	learnt->count = 0;
	bpf_loop(noted, keep_possible, &room, 0);
	return true;
}

__noinline bool has_same_frames(const struct kernel_memory *one, const struct kernel_memory *other)
{
	if (!one || !other || one->frame_count != other->frame_count) {
		return false;
	}
	for (__u32 i = 0; i < ITP_RECORD_KERNEL_FRAMES && i < one->frame_count; i++) {
		if (one->frames[i] != other->frames[i]) {
			return false;
		}
	}
	return one->entry == other->entry;
}

/* True when the memory has a word at the place. */
__noinline bool has_place(const struct kernel_memory *memory, __u32 place)
{
	if (!memory) {
		return false;
	}
	for (__u32 i = 0; i < KERNEL_PLACES && i < memory->count; i++) {
		if (memory->places[i] == place) {
			return true;
		}
	}
	return false;
}

struct kernel_pair {
	struct kernel_room *room;
	const struct kernel_memory *memory;
};

/* Step for bpf_loop(): a learnt word, kept if the memory has it, too. */
static long keep_common(__u32 i, void *data)
{
	const struct kernel_pair *pair = data;
	struct kernel_memory *learnt = &pair->room->learnt;

	if (has_place(pair->memory, learnt->places[i & (KERNEL_PLACES - 1)])) {
		keep_word(learnt, i);
	}
	return 0;
}

/* Leaves only words in the learnt stack that the memory, of the same frames, has as well: the
 * frames have not moved. False when too few are left, as they have. */
static __always_inline bool keep_all_common(struct kernel_room *room,
					    const struct kernel_memory *memory)
{
	struct kernel_pair pair = { .room = room, .memory = memory };
	const __u32 count = room->learnt.count;

	room->learnt.count = 0;
	bpf_loop(count, keep_common, &pair, 0);
	return find_first_places(room);
}

/* Place of an interrupt's entry among the frames; ITP_RECORD_KERNEL_FRAMES for none. */
__noinline __u32 interrupt_place(const struct itp_record_event *event)
{
	if (!event) {
		return ITP_RECORD_KERNEL_FRAMES;
	}
	for (__u32 i = 0; i < ITP_RECORD_KERNEL_FRAMES && i < event->kernel_count; i++) {
		if (event->kernel[i] >= interrupts_begin && event->kernel[i] < interrupts_end) {
			return i;
		}
	}
	return ITP_RECORD_KERNEL_FRAMES;
}

/* Memory for the learnt stack: that of the same frames, or another. */
static __always_inline struct kernel_memory *memory_for(struct kernel_room *room)
{
	const __u32 first = first_way(&room->begin);
	__u32 key;

	for (__u32 i = 0; i < KERNEL_WAYS; i++) {
		struct kernel_memory *memory;

		key = first + i;
		memory = bpf_map_lookup_elem(&kernel_memories, &key);
		if (memory && memory->count > 0 && is_same_begin(&memory->begin, &room->begin) &&
		    has_same_frames(memory, &room->learnt)) {
			if (keep_all_common(room, memory)) {
				return memory;
			}
			memory->count = 0;
			return NULL;
		}
	}
	key = first + (room->kept++ & (KERNEL_WAYS - 1));
	return bpf_map_lookup_elem(&kernel_memories, &key);
}

/* Keeps a stack for later. None with an interrupt: frames below depend on saved registers. */
__noinline int learn_kernel(struct kernel_room *room, const struct itp_record_event *event)
{
	struct kernel_memory *memory;
	__u32 last;

	if (!room || !event || event->kernel_count == 0 ||
	    interrupt_place(event) != ITP_RECORD_KERNEL_FRAMES) {
		return 0;
	}
	last = event->kernel_count - 1;
	room->learnt.begin = room->begin;
	room->learnt.entry = entry_of(room);
	room->learnt.frame_count = event->kernel_count;
	bpf_probe_read_kernel(room->learnt.frames, sizeof(room->learnt.frames), event->kernel);
	if (last >= ITP_RECORD_KERNEL_FRAMES || event->kernel[last] != room->learnt.entry ||
	    !learn_words(room)) {
		return 0;
	}
	memory = memory_for(room);
	if (memory) {
		/* Too large for an assignment. */
		bpf_probe_read_kernel(memory, sizeof(*memory), &room->learnt);
	}
	return 0;
}

/* ---- Both ---- */

static __always_inline void take_kernel_stack(struct itp_record_event *event, void *context)
{
	const long bytes = bpf_get_stack(context, event->kernel, sizeof(event->kernel), 0);

	event->kernel_count = bytes > 0 ? (__u32)bytes / 8 : 0;
}

/* Takes the kernel's part of the current thread's stack at a tracepoint. */
static __always_inline void find_kernel_stack(struct itp_record_event *event, void *context,
					      struct task_struct *task)
{
	const struct pt_regs *registers = (const struct pt_regs *)bpf_task_pt_regs(task);
	struct itp_record_totals *sums = all_totals();
	__u32 zero = 0;
	struct kernel_room *room = bpf_map_lookup_elem(&kernel_rooms, &zero);
	const bool is_read = room && read_stack(room, context, registers, event->head.kind);
	const bool is_recalled = is_read && recall_kernel(room, event);

	if (sums) {
		sums->kernel_stacks++;
		sums->kernel_remembered += is_recalled;
	}
	if (is_recalled) {
		return;
	}
	take_kernel_stack(event, context);
	if (is_read) {
		learn_kernel(room, event);
	}
}

#endif
