/* SPDX-License-Identifier: MIT */
/*
 * Interpreted functions of a thread, for record.bpf.c. An interpreter runs all of them in a single
 * function of machine code, and keeps their frames in memory of its own: CPython in a list, from
 * the thread's state on.
 *
 * Addresses and offsets come from user space (struct itp_record_interpreter). The stack in machine
 * code is left to record-walk.h, joining the two and making names to user space.
 */
#ifndef ITP_PERF_RECORD_RECORD_INTERPRETED_H
#define ITP_PERF_RECORD_RECORD_INTERPRETED_H

#include "plugins/perf/record/record-state.h"

/* Most steps of a search for a thread; and of a walk: frames, with or without a function. */
#define MOST_THREADS 4096
#define MOST_FRAMES (2 * ITP_RECORD_INTERPRETED_FRAMES)
/* Stacks of a thread without a state of the interpreter, from a search for its state to the next.
 * First searches are more frequent: a thread gets its state soon after its begin. */
#define SEARCH_INTERVAL 64

#define CODE_ALIGNMENT_MASK 15
/* State of a text: bytes of a character, and a bit for ASCII alone. */
#define TEXT_WIDTH_SHIFT 2
#define TEXT_WIDTH_MASK 7
#define TEXT_IS_ASCII 0x40

/* Word at `address`; 0 without memory. */
static __always_inline __u64 load(__u64 address)
{
	__u64 value = 0;

	return bpf_probe_read_user(&value, sizeof(value), (const void *)address) == 0 ? value : 0;
}

/* ---- The thread's state ---- */

struct state_search {
	const struct itp_record_interpreter *interpreter;
	__u64 identity;
	__u64 at_interpreter;
	__u64 at_thread;
	__u64 found;
};

/* Step for bpf_loop(): a thread, or the next interpreter. */
static long search_state(__u32 i, void *data)
{
	struct state_search *search = data;
	const struct itp_record_interpreter *interpreter = search->interpreter;

	if (!search->at_thread) {
		if (!search->at_interpreter) {
			return 1;
		}
		search->at_thread = load(search->at_interpreter + interpreter->first_thread);
		search->at_interpreter =
			load(search->at_interpreter + interpreter->next_interpreter);
		return 0;
	}
	if (load(search->at_thread + interpreter->thread_identity) == search->identity) {
		search->found = search->at_thread;
		return 1;
	}
	search->at_thread = load(search->at_thread + interpreter->next_thread);
	return 0;
}

/* True at 1, 2, 4 … misses, then at each 64th. */
static __always_inline bool is_search_due(__u32 misses)
{
	return (misses & (misses - 1)) == 0 || misses % SEARCH_INTERVAL == 0;
}

/* Address of the thread's state; 0 for a thread unknown to the interpreter. */
static __always_inline __u64 state_of(const struct itp_record_image *image,
				      struct task_struct *task, struct thread *thread)
{
	struct state_search search = {
		.interpreter = &image->interpreter,
		.identity = BPF_CORE_READ(task, thread.fsbase),
	};

	if (thread->interpreted_image != image->number) {
		thread->interpreted_image = image->number;
		thread->interpreted_misses = 0;
	} else if (thread->interpreted) {
		if (load(thread->interpreted + image->interpreter.thread_identity) ==
		    search.identity) {
			return thread->interpreted;
		}
		thread->interpreted_misses = 0;
	} else if (!is_search_due(++thread->interpreted_misses)) {
		return 0;
	}
	search.at_interpreter =
		load(image->interpreter.runtime + image->interpreter.first_interpreter);
	bpf_loop(MOST_THREADS, search_state, &search, 0);
	thread->interpreted = search.found;
	return search.found;
}

/* ---- Frames ---- */

struct interpreted_walk {
	const struct itp_record_interpreter *interpreter;
	struct room *room;
	__u64 frame;
	/* Of all functions until now, and of the stack in machine code. */
	__u64 hash;
};

static __always_inline void add_to_hash(struct interpreted_walk *walk, __u64 value)
{
	walk->hash = (walk->hash ^ value) * 0x9e3779b97f4a7c15ull;
	walk->hash ^= walk->hash >> 32;
}

/* Word of the frame at `place` of the window, in bytes. */
static __always_inline __u64 interpreted_word(const struct room *room, __u64 place, __u32 offset)
{
	return room->frame_window.words[((place + offset) >> 3) & (WINDOW_WORDS - 1)];
}

static __always_inline __u32 interpreted_byte(const struct room *room, __u64 place, __u32 offset)
{
	return interpreted_word(room, place, offset) >> (offset & 7) * 8 & 0xff;
}

/* Reads the frame, with memory below, where its callers are: a read takes as long as some frames.
 * Only from the frame's page on, as a read of a page that is not there takes longer than all else.
 */
static __always_inline bool read_frame(struct window *window, __u64 frame)
{
	const __u64 end = frame + ITP_RECORD_INTERPRETED_BYTES;
	const __u64 page = frame & ~(ITP_BPF_PAGE - 1ull);
	__u64 bytes = end - page;

	if (bytes > WINDOW_BYTES) {
		bytes = WINDOW_BYTES;
	}
	window->address = end - bytes;
	window->bytes = bytes;
	if (bpf_probe_read_user(window->words, bytes, (const void *)window->address) != 0) {
		window->bytes = 0;
		return false;
	}
	return true;
}

static __always_inline bool has_frame(const struct window *window, __u64 frame)
{
	return window->bytes >= ITP_RECORD_INTERPRETED_BYTES &&
	       frame - window->address <= window->bytes - ITP_RECORD_INTERPRETED_BYTES;
}

/* Marks the last frame as called by machine code. */
static __always_inline void mark_entry(struct interpreted_walk *walk)
{
	struct itp_record_interpreted *stack = &walk->room->interpreted;
	const __u64 last = stack->count - 1;

	stack->frames[last & (ITP_RECORD_INTERPRETED_FRAMES - 1)] |= ITP_RECORD_IS_ENTRY;
	add_to_hash(walk, last);
}

/* Step for bpf_loop(): a frame. */
static long walk_interpreted(__u32 i, void *data)
{
	struct interpreted_walk *walk = data;
	const struct itp_record_interpreter *interpreter = walk->interpreter;
	struct room *room = walk->room;
	const __u64 count = room->interpreted.count;
	__u64 place;
	__u64 code;

	if (!walk->frame || (walk->frame & 7) != 0 ||
	    (!has_frame(&room->frame_window, walk->frame) &&
	     !read_frame(&room->frame_window, walk->frame))) {
		return 1;
	}
	place = walk->frame - room->frame_window.address;
	if (interpreter->entry_owner &&
	    interpreted_byte(room, place, interpreter->frame_owner) >= interpreter->entry_owner) {
		mark_entry(walk);
		walk->frame = interpreted_word(room, place, interpreter->frame_caller);
		return 0;
	}
	code = interpreted_word(room, place, interpreter->frame_code);
	if (code & CODE_ALIGNMENT_MASK || count >= ITP_RECORD_INTERPRETED_FRAMES) {
		return 1;
	}
	room->interpreted.frames[count & (ITP_RECORD_INTERPRETED_FRAMES - 1)] = code;
	room->interpreted.count = count + 1;
	add_to_hash(walk, code);
	if (!interpreter->entry_owner &&
	    interpreted_byte(room, place, interpreter->frame_is_entry)) {
		mark_entry(walk);
	}
	walk->frame = interpreted_word(room, place, interpreter->frame_caller);
	return 0;
}

/* Frame on top of the thread; 0 for none. */
static __always_inline __u64 top_frame(const struct itp_record_interpreter *interpreter,
				       __u64 state)
{
	const __u64 frame = state ? load(state + interpreter->thread_frame) : 0;

	return frame && interpreter->holder_frame != ITP_RECORD_NO_HOLDER ?
		       load(frame + interpreter->holder_frame) :
		       frame;
}

/* ---- Code ---- */

static __always_inline void copy_text(const struct itp_record_interpreter *interpreter,
				      __u64 address, bool is_end, struct itp_record_text *text)
{
	const __u64 length = load(address + interpreter->text_length);
	const __u32 state = (__u32)load(address + interpreter->text_state);
	const bool is_ascii = state & TEXT_IS_ASCII;
	const __u32 width = state >> TEXT_WIDTH_SHIFT & TEXT_WIDTH_MASK;
	__u64 from = address + (is_ascii ? interpreter->text_ascii : interpreter->text_other);
	__u64 bytes = length * width;

	if (bytes > ITP_RECORD_TEXT_BYTES) {
		from += is_end ? bytes - ITP_RECORD_TEXT_BYTES : 0;
		bytes = ITP_RECORD_TEXT_BYTES;
	}
	text->width = width;
	text->bytes = (__u32)bytes;
	if (bpf_probe_read_user(text->text, (__u32)bytes, (const void *)from) != 0) {
		text->bytes = 0;
	}
}

struct code_walk {
	const struct itp_record_interpreter *interpreter;
	struct room *room;
	struct task_struct *task;
};

static __always_inline bool tell_code(const struct itp_record_interpreter *interpreter,
				      struct room *room)
{
	const __u64 code = room->code.code;

	copy_text(interpreter, load(code + interpreter->code_name), false, &room->code.name);
	copy_text(interpreter, load(code + interpreter->code_file), true, &room->code.file);
	if (bpf_ringbuf_output(&records, &room->code, sizeof(room->code), BPF_RB_NO_WAKEUP) != 0) {
		note_lost();
		return false;
	}
	return true;
}

/* Step for bpf_loop(): tells the code of a frame, unless known to user space. */
static long walk_code(__u32 i, void *data)
{
	struct code_walk *walk = data;
	struct room *room = walk->room;
	const struct itp_record_interpreter *interpreter = walk->interpreter;
	const __u64 code = room->interpreted.frames[i & (ITP_RECORD_INTERPRETED_FRAMES - 1)] &
			   ~(__u64)ITP_RECORD_IS_ENTRY;
	const struct code_key key = { .code = code, .pid = (__u64)walk->task->tgid };
	const struct code_value now = {
		.name = load(code + interpreter->code_name),
		.line = (__u32)load(code + interpreter->code_line),
	};
	const struct code_value *told = bpf_map_lookup_elem(&told_code, &key);

	if (told && told->name == now.name && told->line == now.line) {
		return 0;
	}
	room->code.head = room->interpreted.head;
	room->code.head.kind = ITP_RECORD_CODE;
	room->code.code = code;
	room->code.line = now.line;
	if (tell_code(interpreter, room)) {
		bpf_map_update_elem(&told_code, &key, &now, BPF_ANY);
	}
	return 0;
}

/* ---- Known stacks ---- */

struct comparison {
	const struct room *room;
	const struct interpreted_memory *memory;
	__u64 differs;
};

/* Step for bpf_loop(): compares a frame. */
static long compare_frame(__u32 i, void *data)
{
	struct comparison *comparison = data;
	const __u32 place = i & (ITP_RECORD_INTERPRETED_FRAMES - 1);

	comparison->differs |= comparison->room->interpreted.frames[place] ^
			       comparison->memory->told.frames[place];
	return comparison->differs != 0;
}

static __always_inline bool was_told(const struct room *room,
				     const struct interpreted_memory *memory, __u32 image)
{
	struct comparison comparison = { .room = room, .memory = memory };

	if (memory->image != image || memory->told.head.pid != room->interpreted.head.pid ||
	    memory->told.count != room->interpreted.count ||
	    memory->told.machine_stack != room->interpreted.machine_stack) {
		return false;
	}
	bpf_loop((__u32)room->interpreted.count, compare_frame, &comparison, 0);
	return comparison.differs == 0;
}

#endif
