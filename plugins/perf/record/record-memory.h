/* SPDX-License-Identifier: MIT */
/*
 * For record.bpf.c: stacks walked before. Programs come by the same stacks again and again, and to
 * recognise one is cheaper than to walk it.
 *
 * The result of a walk depends on its begin and on some words of the stack: return addresses, and
 * saved frame pointers by which others were found. Where all of these are unchanged, so is the
 * stack. This is exact: nothing else of the stack was looked at.
 *
 * Four stacks with the same begin may be remembered, found by its hash; for each CPU, so that
 * nobody changes one during a comparison.
 */
#ifndef ITP_PERF_RECORD_RECORD_MEMORY_H
#define ITP_PERF_RECORD_RECORD_MEMORY_H

#include "plugins/perf/record/record-walk.h"

#define HASH_MULTIPLIER 0x9e3779b97f4a7c15ull

/* Place of the memories for a stack: the first of them. */
static __always_inline __u32 place_of(const struct pt_regs *registers, __u32 image)
{
	const __u64 key = registers->ip ^ (registers->sp & (ITP_BPF_PAGE - 1)) << 48 ^
			  (__u64)image << 32;

	return (__u32)(key * HASH_MULTIPLIER >> (64 - MEMORY_SET_BITS)) * MEMORY_WAYS;
}

/* Compares a word of the stack, the beginning of which is in the window. */
static __always_inline bool has_word(const struct window *window, __u64 place, __u64 value)
{
	__u64 found = 0;

	if (place * 8 < window->bytes) {
		return window->words[place & (WINDOW_WORDS - 1)] == value;
	}
	return bpf_probe_read_user(&found, sizeof(found),
				   (const void *)(window->address + place * 8)) == 0 &&
	       found == value;
}

/* Apart, as the verifier would follow each word of each memory. */
__noinline bool has_all_words(const struct memory *memory, const struct window *window)
{
	if (!memory || !window) {
		return false;
	}
	for (__u32 i = 0; i < MEMORY_WORDS && i < memory->count; i++) {
		if (!has_word(window, memory->places[i], memory->values[i])) {
			return false;
		}
	}
	return true;
}

static __always_inline bool is_same(const struct memory *memory, const struct room *room,
				    const struct pt_regs *registers, __u32 image)
{
	return memory->ip == registers->ip && memory->image == image &&
	       memory->sp_in_page == (registers->sp & (ITP_BPF_PAGE - 1)) &&
	       (!memory->has_bp || memory->bp == registers->bp) &&
	       has_all_words(memory, &room->window);
}

/* User space has not forgotten its number. */
static __always_inline bool is_known(const struct memory *memory, const struct room *room)
{
	return room->stacks - (memory->number >> ITP_RECORD_LANE_BITS) < ITP_RECORD_REMEMBERED / 2;
}

/* Number of the stack, 0 when not remembered. */
static __always_inline __u64 recall(struct room *room, const struct pt_regs *registers, __u32 image)
{
	const __u32 first = place_of(registers, image);

	if (registers->sp & 7 || !move_window(&room->window, registers->sp)) {
		return 0;
	}
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
	memory->bp = registers->bp;
	memory->sp_in_page = registers->sp & (ITP_BPF_PAGE - 1);
	memory->image = image;
	memory->number = number;
}

#endif
