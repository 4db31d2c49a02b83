/* SPDX-License-Identifier: MIT */
/*
 * Frames of a thread's stack, from its registers in user mode, for record.bpf.c: by steps that user
 * space made of the unwind tables of mapped files.
 *
 * A walk ends, with its reason, at anything not told by the tables: nothing is guessed here. User
 * space then unwinds a copy of the stack.
 */
#ifndef ITP_PERF_RECORD_RECORD_WALK_H
#define ITP_PERF_RECORD_RECORD_WALK_H

#include "plugins/perf/record/record-state.h"

/* Bytes of the instruction `syscall`. */
#define SYSCALL_BYTES 2

/* State of a walk. The present frame stays in the room: of numbers on the program's own stack, the
 * verifier would follow each possible value. */
struct walk {
	struct itp_record_image *image;
	struct room *room;
};

/* Functions without `static` are verified once, for any arguments: as parts of the programs they
 * would be followed on each way to them. */

/* ---- Memory ---- */

/* Reads the stack from `address` up to the end of the page, which may be the last. */
static __always_inline bool move_window(struct window *window, __u64 address)
{
	__u64 bytes = ITP_BPF_PAGE - (address & (ITP_BPF_PAGE - 1));

	if (bytes > WINDOW_BYTES) {
		bytes = WINDOW_BYTES;
	}
	window->address = address;
	window->bytes = bytes;
	if (bpf_probe_read_user(window->words, bytes, (const void *)address) != 0) {
		window->bytes = 0;
		return false;
	}
	return true;
}

/* Word of the stack at `address`; false when not in memory. */
__noinline bool load_word(struct window *window, __u64 address, __u64 *value)
{
	__u64 distance;

	if (!window || !value) {
		return false;
	}
	if (address & 7) {
		return bpf_probe_read_user(value, sizeof(*value), (const void *)address) == 0;
	}
	distance = address - window->address;
	if (distance >= window->bytes) {
		if (!move_window(window, address)) {
			return false;
		}
		distance = 0;
	}
	*value = window->words[(distance >> 3) & (WINDOW_WORDS - 1)];
	return true;
}

/* ---- Tables ---- */

/* 1 if a < b, else 0: the borrow of a - b. Of numbers that may be any, as an assembler statement
 * makes them, the compiler knows no comparison that would be a branch. */
static __always_inline __u64 is_less(__u64 a, __u64 b)
{
	asm volatile("" : "+r"(a), "+r"(b));
	return ((~a & b) | (~(a ^ b) & (a - b))) >> 63;
}

/* Index of the last mapping that begins at or before `address`, plus 1. Without branches, each of
 * which the verifier would follow, on each of 2^10 ways. */
__noinline __u32 find_mapping(struct itp_record_image *image, __u64 address)
{
	__u32 low = 0;

	if (!image) {
		return 0;
	}
	for (__u32 half = ITP_RECORD_MAPPINGS / 2; half > 0; half /= 2) {
		const __u32 middle = (low + half) & (ITP_RECORD_MAPPINGS - 1);
		const __u64 begin = image->mappings[middle - 1 & (ITP_RECORD_MAPPINGS - 1)].begin;

		low += half &
		       (__u32)((is_less(image->count, middle) | is_less(address, begin)) - 1);
	}
	return low;
}

/* Number of the step for code at the offset `place` of a table, whose index begins at `index`. */
__noinline __u32 find_step(__u32 index, __u64 place)
{
	__u32 key = index + (__u32)(place >> ITP_STEP_BUCKET_BITS);
	const struct itp_step_row *row;
	const __u32 *number;
	__u32 low;
	__u32 high;

	number = bpf_map_lookup_elem(&row_index, &key);
	if (!number) {
		return 0;
	}
	low = *number;
	key++;
	number = bpf_map_lookup_elem(&row_index, &key);
	if (!number) {
		return 0;
	}
	high = *number;
	/* A bucket of 256 bytes has at most 256 rows. */
	for (int i = 0; i <= ITP_STEP_BUCKET_BITS && low < high; i++) {
		const __u32 middle = (low + high) / 2;
		__u32 is_before;

		row = bpf_map_lookup_elem(&rows, &middle);
		if (!row) {
			return 0;
		}
		is_before = -(__u32)(row->begin <= place);
		low = (middle + 1 & is_before) | (low & ~is_before);
		high = (high & is_before) | (middle & ~is_before);
	}
	key = low - 1;
	row = bpf_map_lookup_elem(&rows, &key);
	return row ? row->step : 0;
}

static __always_inline const struct itp_record_mapping *mapping_at(struct walk *walk, __u64 address)
{
	struct frame *frame = &walk->room->frame;
	const struct itp_record_mapping *mapping =
		&walk->image->mappings[frame->mapping & (ITP_RECORD_MAPPINGS - 1)];

	if (address >= mapping->begin && address < mapping->end) {
		return mapping;
	}
	frame->mapping = find_mapping(walk->image, address) - 1;
	mapping = &walk->image->mappings[frame->mapping & (ITP_RECORD_MAPPINGS - 1)];
	return address >= mapping->begin && address < mapping->end ? mapping : NULL;
}

static __always_inline const struct itp_step *step_at(const struct itp_record_mapping *mapping,
						      __u64 address)
{
	const __u64 place = address - mapping->base;
	__u32 number;

	if (mapping->buckets == ITP_RECORD_MADE_CODE ||
	    place >> ITP_STEP_BUCKET_BITS >= mapping->buckets) {
		return NULL;
	}
	number = find_step(mapping->index, place);
	return bpf_map_lookup_elem(&steps, &number);
}

/* ---- Steps ---- */

static __always_inline bool stop(struct frame *frame, __u32 end)
{
	frame->end = end;
	return false;
}

/* Notes a word of the stack on which the result of the walk depends; relative to the begin of the
 * stack where it is an address of the stack, which differs from thread to thread. */
static __always_inline void depend(struct room *room, __u64 address, __u64 value, bool is_address)
{
	const __u64 place = (address - room->frame.first_sp) / 8;
	const bool is_relative = is_address && value != 0;
	const __u32 i = room->memory.count;

	if (i >= MEMORY_WORDS || place > 0xffff || (address - room->frame.first_sp) & 7) {
		room->memory.count = MEMORY_WORDS + 1;
		return;
	}
	room->memory.places[i & (MEMORY_WORDS - 1)] = (__u16)place;
	room->memory.values[i & (MEMORY_WORDS - 1)] = is_relative ? value - room->frame.first_sp :
								    value;
	room->memory.relative |= (__u64)is_relative << (i & (MEMORY_WORDS - 1));
	room->memory.count = i + 1;
	if (place > room->memory.last) {
		room->memory.last = (__u32)place;
	}
}

static __always_inline void depend_on_bp(struct room *room)
{
	if (room->frame.bp_place) {
		depend(room, room->frame.bp_place, room->frame.bp, true);
	} else {
		room->memory.has_bp = 1;
	}
}

static __always_inline bool find_cfa(struct room *room, const struct itp_step *step, __u64 *cfa)
{
	const __u64 offset = (__u64)(__s64)step->cfa_offset;
	struct frame *frame = &room->frame;

	switch (step->cfa) {
	case ITP_STEP_CFA_SP:
		*cfa = frame->sp + offset;
		return true;
	case ITP_STEP_CFA_PLT:
		*cfa = frame->sp + 8 + ((frame->ip & 15) >= offset ? 8 : 0);
		return true;
	case ITP_STEP_CFA_BP:
		depend_on_bp(room);
		*cfa = frame->bp + offset;
		return frame->is_bp_known || stop(frame, ITP_RECORD_NO_FRAME_POINTER);
	case ITP_STEP_CFA_AT_BP:
		if (!frame->is_bp_known) {
			return stop(frame, ITP_RECORD_NO_FRAME_POINTER);
		}
		if (!load_word(&room->window, frame->bp + offset, cfa)) {
			return stop(frame, ITP_RECORD_NO_MEMORY);
		}
		depend_on_bp(room);
		depend(room, frame->bp + offset, *cfa, true);
		return true;
	default:
		return stop(frame, ITP_RECORD_NO_STEP);
	}
}

static __always_inline void find_bp(struct room *room, const struct itp_step *step, __u64 cfa)
{
	struct frame *frame = &room->frame;
	const __u64 from =
		(step->bp == ITP_STEP_BP_AT_BP ? frame->bp : cfa) + (__u64)(__s64)step->bp_offset;
	__u64 value = 0;

	if (step->bp == ITP_STEP_BP_SAME) {
		return;
	}
	if (step->bp == ITP_STEP_BP_UNKNOWN ||
	    (step->bp == ITP_STEP_BP_AT_BP && !frame->is_bp_known)) {
		frame->is_bp_known = false;
		return;
	}
	if (step->bp == ITP_STEP_BP_AT_BP) {
		depend_on_bp(room);
	}
	frame->is_bp_known = load_word(&room->window, from, &value);
	frame->bp = value;
	frame->bp_place = from;
}

static __always_inline bool arrive(struct frame *frame, __u64 ip, bool is_exact)
{
	if (ip == 0) {
		return stop(frame, ITP_RECORD_ROOT);
	}
	frame->ip = ip;
	frame->is_exact = is_exact;
	frame->is_leaf = false;
	return true;
}

static __always_inline bool step_signal(struct room *room)
{
	struct frame *frame = &room->frame;
	struct window *window = &room->window;
	const __u64 context = frame->sp;
	__u64 bp = 0;
	__u64 ip = 0;
	__u64 sp = 0;

	if (!load_word(window, context + ITP_STEP_SIGNAL_BP, &bp) ||
	    !load_word(window, context + ITP_STEP_SIGNAL_SP, &sp) ||
	    !load_word(window, context + ITP_STEP_SIGNAL_IP, &ip)) {
		return stop(frame, ITP_RECORD_NO_MEMORY);
	}
	frame->bp = bp;
	frame->sp = sp;
	frame->is_bp_known = true;
	frame->is_by_bp = false;
	room->memory.count = MEMORY_WORDS + 1;
	return arrive(frame, ip, true);
}

static __always_inline bool take_step(struct room *room, const struct itp_step *step)
{
	struct frame *frame = &room->frame;
	__u64 cfa = 0;
	__u64 ip = 0;

	if (step->cfa == ITP_STEP_CFA_ROOT) {
		return stop(frame, ITP_RECORD_ROOT);
	}
	if (step->cfa == ITP_STEP_CFA_SIGNAL) {
		return step_signal(room);
	}
	if (!find_cfa(room, step, &cfa)) {
		return false;
	}
	if (cfa < frame->sp || (cfa == frame->sp && !frame->is_leaf)) {
		return stop(frame, ITP_RECORD_NOT_GROWING);
	}
	/* Order of addresses, so that the window moves up. */
	find_bp(room, step, cfa);
	if (!load_word(&room->window, cfa - 8, &ip)) {
		return stop(frame, ITP_RECORD_NO_MEMORY);
	}
	depend(room, cfa - 8, ip, false);
	frame->sp = cfa;
	frame->is_by_bp = false;
	return arrive(frame, ip, false);
}

/* True when the code at `address` has rules. */
static __always_inline bool has_rules(const struct itp_record_mapping *mapping, __u64 address)
{
	const struct itp_step *step = step_at(mapping, address);

	return step && step->cfa != ITP_STEP_CFA_UNRULED && step->cfa != ITP_STEP_CFA_UNKNOWN;
}

/* True when the unwinder may find rules for an address without any beside it: where a leaf comes
 * from a system call, or at a return address that no call has left, as where rules begin. */
static __always_inline bool may_have_rules(const struct frame *frame,
					   const struct itp_record_mapping *mapping)
{
	if (mapping->buckets == ITP_RECORD_MADE_CODE) {
		return false;
	}
	return frame->is_leaf ? has_rules(mapping, frame->ip - 1) ||
					has_rules(mapping, frame->ip - 1 - SYSCALL_BYTES) :
				has_rules(mapping, frame->ip);
}

/* Goes on by the frame pointer, from code without rules, where the unwinder (common/unwind) would
 * do so as well: it is in use if it has led here, or leads upwards, to the frame pointer of a
 * caller. Other stacks are copied. */
static __always_inline bool step_by_bp(struct room *room, const struct itp_record_mapping *mapping)
{
	struct frame *frame = &room->frame;
	const __u64 place = frame->bp;
	__u64 bp = 0;
	__u64 ip = 0;

	if (!frame->is_bp_known || may_have_rules(frame, mapping)) {
		return stop(frame, ITP_RECORD_NO_STEP);
	}
	depend_on_bp(room);
	if (place == 0 && frame->is_by_bp) {
		return stop(frame, ITP_RECORD_ROOT);
	}
	if ((place & 7) != 0 || place < frame->sp || !load_word(&room->window, place, &bp) ||
	    !load_word(&room->window, place + 8, &ip) ||
	    (bp != 0 && bp <= place && !frame->is_by_bp)) {
		return stop(frame, ITP_RECORD_NO_FRAME_POINTER);
	}
	depend(room, place + 8, ip, false);
	frame->bp = bp;
	frame->bp_place = place;
	frame->sp = place + 16;
	frame->is_by_bp = true;
	return arrive(frame, ip, false);
}

/* Step for bpf_loop(): a frame; 0 goes on. */
static long walk_frame(__u32 i, void *data)
{
	struct walk *walk = data;
	struct frame *frame = &walk->room->frame;
	const __u64 address = frame->is_exact ? frame->ip : frame->ip - 1;
	const struct itp_record_mapping *mapping = mapping_at(walk, address);
	const struct itp_step *step;

	if (!mapping) {
		stop(frame, ITP_RECORD_UNMAPPED);
		return 1;
	}
	walk->room->stack.frames[i & (ITP_RECORD_FRAMES - 1)] = frame->ip;
	walk->room->stack.count = i + 1;
	if (mapping->buckets == 0) {
		stop(frame, ITP_RECORD_NO_TABLE);
		return 1;
	}
	step = step_at(mapping, address);
	if (step && step->is_root_above && !frame->is_exact) {
		stop(frame, ITP_RECORD_ROOT);
		return 1;
	}
	if (!step || step->cfa == ITP_STEP_CFA_UNRULED) {
		return step_by_bp(walk->room, mapping) ? 0 : 1;
	}
	return take_step(walk->room, step) ? 0 : 1;
}

/* Fills the room's stack. Returns the reason of its end: enum itp_record_reason. */
static __always_inline __u32 walk_stack(struct room *room, __u32 image_number,
					const struct pt_regs *registers)
{
	__u32 key = image_number & (ITP_RECORD_IMAGES - 1);
	struct walk walk = { .image = bpf_map_lookup_elem(&images, &key), .room = room };
	struct frame *frame = &room->frame;

	if (image_number == ITP_RECORD_NO_IMAGE || !walk.image ||
	    walk.image->number != image_number) {
		return ITP_RECORD_IMAGE_UNKNOWN;
	}
	frame->ip = registers->ip;
	frame->sp = registers->sp;
	frame->bp = registers->bp;
	frame->first_sp = frame->sp;
	frame->bp_place = 0;
	frame->end = ITP_RECORD_DEEP;
	frame->is_bp_known = true;
	frame->is_by_bp = false;
	frame->is_exact = true;
	frame->is_leaf = true;
	room->memory.count = 0;
	room->memory.has_bp = 0;
	room->memory.relative = 0;
	room->memory.last = 0;
	room->window.bytes = 0;
	bpf_loop(ITP_RECORD_FRAMES, walk_frame, &walk, 0);
	return frame->end;
}

#endif
