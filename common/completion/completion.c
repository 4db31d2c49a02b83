/* SPDX-License-Identifier: MIT */
/*
 * Two tables: of places, with the owner of the frame at the frame pointer; and of pairs of places,
 * with the function missing between them. The first has fixed size, its entries displace one
 * another.
 */
#include "common/completion/completion.h"

#include "common/base/hash.h"
#include "common/completion/hole.h"

/* 192 KiB. */
#define RECENT_BITS 13
/* 1 KiB. */
#define FILES_BITS 6

/* Functions whose callers are remembered, each with at most some thousand references. */
#define MAX_CALLERS 256

/* Fibonacci hashing. */
#define MIX UINT64_C(0x9e3779b97f4a7c15)

struct recent {
	/* Place: twice the address in the file, plus one for the thread's own position. */
	uint64_t place;
	uint32_t function;
	/* enum itp_cfi_frame. */
	uint8_t frame;
	bool is_used;
};

/* Number of the files in an address space of a layout, shared by processes with equal files. */
struct known_files {
	uint32_t layout;
	uint64_t key;
};

struct itp_completion {
	/* Weak. */
	struct itp_function_table *functions;
	/* Owned by this. */
	struct itp_code_files *files;
	/* A pair of places with the files of the process, as a number, to struct itp_missing, NULL
	 * where none is. Owned by this. */
	GHashTable *missing;
	/* A function, as a number, with the files of the process, to struct itp_callers. Owned by
	 * this. */
	GHashTable *callers;
	/* By layout. */
	struct known_files files_keys[1u << FILES_BITS];
	struct recent recent[1u << RECENT_BITS];
};

struct itp_completion *itp_completion_new(struct itp_function_table *functions)
{
	struct itp_completion *completion = g_new0(struct itp_completion, 1);

	completion->functions = functions;
	completion->files = itp_code_files_new();
	completion->callers = g_hash_table_new_full(itp_hash_number, NULL, NULL,
						    (GDestroyNotify)itp_callers_free);
	completion->missing = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return completion;
}

void itp_completion_free(struct itp_completion *completion)
{
	if (completion) {
		g_hash_table_destroy(completion->missing);
		g_hash_table_destroy(completion->callers);
		itp_code_files_free(completion->files);
		g_free(completion);
	}
}

static uint64_t vaddr_of(const struct itp_completion_frame *frame)
{
	return frame->address - frame->slide;
}

/* A probe at a function's entry has the stack complete. */
static bool is_entry(const struct itp_code_file *file, const struct itp_completion_frame *frame)
{
	return frame->is_exact &&
	       itp_elf_symbols_find(file->symbols, vaddr_of(frame)).start == vaddr_of(frame);
}

static enum itp_cfi_frame work_out_frame(struct itp_completion *completion,
					 struct itp_address_space *space,
					 const struct itp_completion_frame *frame)
{
	struct itp_code_file *file =
		itp_code_files_at(completion->files, space, frame->address - !frame->is_exact);

	return file && !is_entry(file, frame) ?
		       itp_cfi_frame(file->symbols->cfi, vaddr_of(frame) - !frame->is_exact) :
		       ITP_CFI_FRAME_UNKNOWN;
}

static enum itp_cfi_frame frame_at(struct itp_completion *completion,
				   struct itp_address_space *space,
				   const struct itp_completion_frame *frame)
{
	uint64_t place = vaddr_of(frame) * 2 + frame->is_exact;
	uint64_t mixed = (place ^ (uint64_t)frame->function << 40) * MIX;
	struct recent *recent = &completion->recent[mixed >> (64 - RECENT_BITS)];

	if (!recent->is_used || recent->place != place || recent->function != frame->function) {
		*recent = (struct recent){
			.place = place,
			.function = frame->function,
			.frame = (uint8_t)work_out_frame(completion, space, frame),
			.is_used = true,
		};
	}
	return (enum itp_cfi_frame)recent->frame;
}

static uint64_t files_key(struct itp_completion *completion, const struct itp_address_space *space)
{
	uint32_t layout = itp_address_space_layout(space);
	struct known_files *known = &completion->files_keys[layout % (1u << FILES_BITS)];
	const struct itp_module *last = NULL;
	const struct itp_mapping *mapping;

	if (known->layout == layout) {
		return known->key;
	}
	*known = (struct known_files){ .layout = layout };
	for (uint32_t i = 0; (mapping = itp_address_space_get(space, i)) != NULL; i++) {
		if (mapping->module != last) {
			last = mapping->module;
			known->key += (uint64_t)(uintptr_t)last * MIX;
		}
	}
	return known->key;
}

/* In the memory of a process. */
struct question {
	struct itp_completion *completion;
	const struct itp_address_space *space;
};

static const struct itp_callers *find_callers(void *data, struct itp_code_function function)
{
	const struct question *question = data;
	struct itp_completion *completion = question->completion;
	uint64_t key = ((uintptr_t)function.file * MIX ^ function.vaddr) * MIX ^
		       files_key(completion, question->space);
	struct itp_callers *callers =
		g_hash_table_lookup(completion->callers, GSIZE_TO_POINTER(key));

	if (callers) {
		return callers;
	}
	if (g_hash_table_size(completion->callers) >= MAX_CALLERS) {
		g_hash_table_remove_all(completion->callers);
	}
	callers = itp_callers_new(completion->files, question->space, function);
	g_hash_table_insert(completion->callers, GSIZE_TO_POINTER(key), callers);
	return callers;
}

static void work_out_missing(struct itp_completion *completion, struct itp_address_space *space,
			     const struct itp_completion_frame *caller,
			     const struct itp_completion_frame *callee,
			     struct itp_missing *ret_missing)
{
	struct question question = { .completion = completion, .space = space };
	struct itp_hole hole = {
		.files = completion->files,
		.space = space,
		.caller = itp_code_files_at(completion->files, space, caller->address - 1),
		.site = vaddr_of(caller),
		.callee = itp_code_files_at(completion->files, space,
					    callee->address - !callee->is_exact),
		.place = vaddr_of(callee) - !callee->is_exact,
		.find_callers = find_callers,
		.data = &question,
	};

	*ret_missing = (struct itp_missing){ .count = 0 };
	if (hole.caller && hole.callee &&
	    !itp_function_table_get(completion->functions, caller->function)->is_signal_frame) {
		itp_hole_fill(&hole, completion->functions, ret_missing);
	}
}

/* NULL when nothing is missing. */
static const struct itp_missing *find_missing(struct itp_completion *completion,
					      struct itp_address_space *space,
					      const struct itp_completion_frame *caller,
					      const struct itp_completion_frame *callee)
{
	uint64_t place =
		((vaddr_of(caller) * MIX ^ caller->function) * MIX ^ callee->function) * MIX;
	gpointer key = GSIZE_TO_POINTER((place ^ files_key(completion, space)) * MIX);
	struct itp_missing missing;
	gpointer known;

	if (g_hash_table_lookup_extended(completion->missing, key, NULL, &known)) {
		return known;
	}
	if (g_hash_table_size(completion->missing) >= ITP_COMPLETION_MAX_PLACES) {
		g_hash_table_remove_all(completion->missing);
	}
	work_out_missing(completion, space, caller, callee, &missing);
	known = missing.count > 0 ? g_memdup2(&missing, sizeof(missing)) : NULL;
	g_hash_table_insert(completion->missing, key, known);
	return known;
}

size_t itp_completion_find(struct itp_completion *completion, struct itp_address_space *space,
			   const struct itp_completion_frame *caller,
			   const struct itp_completion_frame *callee,
			   const uint32_t **ret_functions)
{
	enum itp_cfi_frame frame = frame_at(completion, space, callee);
	const struct itp_missing *missing = NULL;

	if (frame == ITP_CFI_FRAME_OF_CALLER || frame == ITP_CFI_FRAME_SAVED) {
		missing = find_missing(completion, space, caller, callee);
	}
	*ret_functions = missing ? missing->functions : NULL;
	return missing ? missing->count : 0;
}
