/* SPDX-License-Identifier: MIT */
/*
 * For record.bpf.c: stacks that were walked before. Programs come by the same stacks again and
 * again, and to see that one is the same is cheaper than to walk it.
 *
 * What a walk came to depends on where it began and on some words of the stack: return addresses,
 * and saved frame pointers by which others were found. Where all of these are what they were, so is
 * the stack. This is exact: nothing else of the stack was looked at.
 *
 * Four stacks that begin at the same place may be remembered, at which a hash of it leads; of each
 * CPU, so that nobody changes one that is being compared.
 */
#ifndef ITP_PERF_RECORD_RECORD_MEMORY_H
#define ITP_PERF_RECORD_RECORD_MEMORY_H

#include "plugins/perf/record/record-walk.h"

#define HASH_MULTIPLIER 0x9e3779b97f4a7c15ull

/* Where the memories are that a stack may be among: the first of them. */
static __always_inline __u32 place_of(const struct pt_regs *registers, __u32 image)
{
	const __u64 key = registers->ip ^ (registers->sp & (ITP_RECORD_PAGE - 1)) << 48 ^
			  (__u64)image << 32;

	return (__u32)(key * HASH_MULTIPLIER >> (64 - MEMORY_SET_BITS)) * MEMORY_WAYS;
}

struct comparison {
	const struct memory *memory;
	struct window *window;
	__u64 sp;
	bool is_same;
};

/* For bpf_loop(): 0 goes on. */
static long compare_word(__u32 i, void *data)
{
	struct comparison *comparison = data;
	const __u32 k = i & (MEMORY_WORDS - 1);
	__u64 value = 0;

	comparison->is_same = load_word(comparison->window,
					comparison->sp + (__u64)comparison->memory->places[k] * 8,
					&value) &&
			      value == comparison->memory->values[k];
	return !comparison->is_same;
}

static __always_inline bool is_same(const struct memory *memory, struct room *room,
				    const struct pt_regs *registers, __u32 image)
{
	struct comparison comparison = { memory, &room->window, registers->sp, true };

	if (memory->ip != registers->ip || memory->image != image ||
	    memory->sp_in_page != (registers->sp & (ITP_RECORD_PAGE - 1)) ||
	    (memory->has_bp && memory->bp != registers->bp)) {
		return false;
	}
	bpf_loop(memory->count, compare_word, &comparison, 0);
	return comparison.is_same;
}

/* User space has not forgotten its number. */
static __always_inline bool is_known(const struct memory *memory, const struct room *room)
{
	return room->stacks - (memory->number >> ITP_RECORD_LANE_BITS) < ITP_RECORD_REMEMBERED / 2;
}

/* The number of the stack, 0 when it is not remembered. */
static __always_inline __u64 recall(struct room *room, const struct pt_regs *registers, __u32 image)
{
	const __u32 first = place_of(registers, image);

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

/* Keeps what the last walk depended on. */
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
	memory->sp_in_page = registers->sp & (ITP_RECORD_PAGE - 1);
	memory->image = image;
	memory->number = number;
}

#endif
