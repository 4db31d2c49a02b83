/* SPDX-License-Identifier: MIT */
/*
 * Stacks walked before, for record.bpf.c. Programs come by the same stacks again and again:
 * comparing a stack is cheaper than walking.
 *
 * The result of a walk depends on its begin and on some words of the stack: return addresses, and
 * saved frame pointers that lead to others. If all of them are unchanged, the stack is unchanged,
 * too. The comparison is exact: a walk looks at nothing else of the stack. Frame pointers are
 * compared by their distance from the stack pointer, so that threads share what is remembered.
 *
 * A hash of the begin leads to four memories, for stacks with an equal begin. Each CPU has its own
 * memories, so that no other changes a memory during a comparison.
 */
#ifndef ITP_PERF_RECORD_RECORD_MEMORY_H
#define ITP_PERF_RECORD_RECORD_MEMORY_H

#include "plugins/perf/record/record-walk.h"

#define HASH_MULTIPLIER 0x9e3779b97f4a7c15ull

/* First of the four memories of a begin. */
static __always_inline __u32 place_of(const struct pt_regs *registers, __u32 image)
{
	const __u64 key = registers->ip ^ (registers->sp & (ITP_BPF_PAGE - 1)) << 48 ^
			  (__u64)image << 32;

	return (__u32)(key * HASH_MULTIPLIER >> (64 - MEMORY_SET_BITS)) * MEMORY_WAYS;
}

/* Reads the stack from `place` to `last`, in words above `sp`, up to the window's size: in a piece,
 * as each read costs as much as the comparison of ten words. */
static __always_inline bool read_ahead(struct window *window, __u64 sp, __u32 place, __u32 last)
{
	__u64 bytes = (__u64)(last - place + 1) * 8;

	if (bytes > WINDOW_BYTES) {
		bytes = WINDOW_BYTES;
	}
	window->address = sp + (__u64)place * 8;
	window->bytes = bytes;
	if (bpf_probe_read_user(window->words, bytes, (const void *)window->address) != 0) {
		window->bytes = 0;
		return false;
	}
	return true;
}

/* Begin of the stack for a word that is an address of the stack, else 0. */
static __always_inline __u64 relative_to(const struct memory *memory, __u32 i, __u64 sp)
{
	return memory->relative >> (i & (MEMORY_WORDS - 1)) & 1 ? sp : 0;
}

/* Frame pointer as it is compared: relative to the stack pointer unless 0. */
static __always_inline __u64 compared_bp(const struct pt_regs *registers)
{
	return registers->bp ? registers->bp - registers->sp : 0;
}

/* True when all words of the memory are unchanged. Apart, as the verifier would follow each word of
 * each memory. */
__noinline bool has_all_words(const struct memory *memory, struct window *window, __u64 sp)
{
	if (!memory || !window) {
		return false;
	}
	for (__u32 i = 0; i < MEMORY_WORDS && i < memory->count; i++) {
		const __u32 place = memory->places[i];
		__u64 distance = sp + (__u64)place * 8 - window->address;

		if (distance >= window->bytes) {
			if (!read_ahead(window, sp, place, memory->last)) {
				return false;
			}
			distance = 0;
		}
		if (window->words[(distance >> 3) & (WINDOW_WORDS - 1)] -
			    relative_to(memory, i, sp) !=
		    memory->values[i]) {
			return false;
		}
	}
	return true;
}

static __always_inline bool is_same(const struct memory *memory, struct room *room,
				    const struct pt_regs *registers, __u32 image)
{
	return memory->ip == registers->ip && memory->image == image &&
	       memory->sp_in_page == (registers->sp & (ITP_BPF_PAGE - 1)) &&
	       (!memory->has_bp || memory->bp == compared_bp(registers)) &&
	       has_all_words(memory, &room->window, registers->sp);
}

/* True when user space still remembers the stack's number. */
static __always_inline bool is_known(const struct memory *memory, const struct room *room)
{
	return room->stacks - (memory->number >> ITP_RECORD_LANE_BITS) < ITP_RECORD_REMEMBERED / 2;
}

/* Number of the stack; 0 when not remembered. */
static __always_inline __u64 recall(struct room *room, const struct pt_regs *registers, __u32 image)
{
	const __u32 first = place_of(registers, image);

	if (registers->sp & 7) {
		return 0;
	}
	room->window.bytes = 0;
	for (__u32 i = 0; i < MEMORY_WAYS; i++) {
		__u32 key = first + i;
		const struct memory *memory = bpf_map_lookup_elem(&memories, &key);

		if (memory && is_known(memory, room) && is_same(memory, room, registers, image)) {
			return memory->number;
		}
	}
	return 0;
}

/* Keeps the words on which the last walk depended. */
static __always_inline void keep(struct room *room, const struct pt_regs *registers, __u32 image,
				 __u64 number)
{
	__u32 key = place_of(registers, image) + (room->stacks & (MEMORY_WAYS - 1));
	struct memory *memory = bpf_map_lookup_elem(&memories, &key);

	if (!memory || room->memory.count > MEMORY_WORDS) {
		return;
	}
	*memory = room->memory;
	memory->ip = registers->ip;
	memory->bp = compared_bp(registers);
	memory->sp_in_page = registers->sp & (ITP_BPF_PAGE - 1);
	memory->image = image;
	memory->number = number;
}

#endif
