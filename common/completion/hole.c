/* SPDX-License-Identifier: MIT */
/*
 * See hole.h.
 *
 * A function at work above a call is the called function, or the target of its last jump: a
 * function with a frame pointer, on which the stack below was found, and missing on the stack.
 * Callers are looked for only among several candidates.
 */
#include "common/completion/hole.h"

#include "common/control-flow/call.h"

#include <string.h>

/* Candidates named in a frame. */
#define MAX_NAMES 3
/* Of more functions than that it is not kept which they are: a program that calls through a table
 * has some dozens. */
#define MAX_CHOICES 256
/* Of one function that is looked through. */
#define MAX_BYTES (1024u * 1024)
#define MAX_PARTS 64

/* A call, or a jump out of the function if `is_tail`. */
typedef void scan_func(const struct itp_flow_instruction *instruction, bool is_tail, void *data);

struct scan {
	const struct itp_flow_code *code;
	scan_func *visit;
	void *data;
	/* struct itp_flow_range: parts of the function. */
	GArray *parts;
	uint64_t bytes;
	bool is_complete;
};

/* Most candidates told apart. */
#define MAX_CANDIDATES 16

struct candidate {
	/* Weak. */
	struct itp_code_file *file;
	/* Begin of the function. */
	uint64_t vaddr;
	/* The function calls something while its frame lies at the frame pointer. */
	bool has_frame;
};

struct candidates {
	struct candidate list[MAX_CANDIDATES];
	guint count;
	/* Others may exist, of which nothing is known; and others called through pointers. */
	bool is_open;
	bool is_by_pointer;
};

struct search {
	/* All weak. */
	struct candidates *candidates;
	struct itp_code_files *files;
	const struct itp_address_space *space;
	/* Number of the candidate searched. */
	guint at;
};

/* ---- Calls of a function, and its jumps ----
 *
 * A function with a frame takes it down before it ends in a jump: indirect jumps inside of it are
 * told from jumps out of it by this. */

static void add_code_part(struct scan *scan, uint64_t vaddr)
{
	struct itp_flow_range part;

	for (guint i = 0; i < scan->parts->len; i++) {
		if (itp_flow_range_holds(g_array_index(scan->parts, struct itp_flow_range, i),
					 vaddr)) {
			return;
		}
	}
	if (scan->parts->len >= MAX_PARTS || !itp_flow_code_part(scan->code, vaddr, &part)) {
		scan->is_complete = false;
		return;
	}
	g_array_append_val(scan->parts, part);
}

static void scan_jump(struct scan *scan, struct itp_flow_range part,
		      const struct itp_flow_instruction *jump)
{
	switch (itp_flow_code_jump(scan->code, part, jump->vaddr, jump->target)) {
	case ITP_FLOW_JUMP_STAYS:
		add_code_part(scan, jump->target);
		break;
	case ITP_FLOW_JUMP_LEAVES:
		scan->visit(jump, true, scan->data);
		break;
	case ITP_FLOW_JUMP_UNCLEAR:
		scan->is_complete = false;
		break;
	}
}

static void scan_indirect_jump(struct scan *scan, const struct itp_flow_instruction *jump)
{
	switch (itp_flow_code_stack(scan->code, jump->vaddr)) {
	case ITP_FLOW_STACK_AS_CALLED:
		scan->visit(jump, true, scan->data);
		break;
	case ITP_FLOW_STACK_DEEPER:
		break;
	case ITP_FLOW_STACK_UNKNOWN:
		scan->is_complete = false;
		break;
	}
}

static void scan_instruction(struct scan *scan, struct itp_flow_range part,
			     const struct itp_flow_instruction *instruction)
{
	switch ((enum itp_flow_kind)instruction->kind) {
	case ITP_FLOW_CONDITIONAL:
	case ITP_FLOW_JUMP:
		scan_jump(scan, part, instruction);
		break;
	case ITP_FLOW_JUMP_INDIRECT:
		scan_indirect_jump(scan, instruction);
		break;
	case ITP_FLOW_CALL:
	case ITP_FLOW_CALL_INDIRECT:
		scan->visit(instruction, false, scan->data);
		break;
	case ITP_FLOW_UNCLEAR:
		scan->is_complete = false;
		break;
	case ITP_FLOW_PLAIN:
	case ITP_FLOW_SYSTEM_CALL:
	case ITP_FLOW_RETURN:
	case ITP_FLOW_STOP:
	case ITP_FLOW_TRAP:
		break;
	}
}

static void scan_part(struct scan *scan, struct itp_flow_range part)
{
	uint64_t vaddr = part.start;

	while (vaddr < part.end && scan->is_complete) {
		struct itp_flow_instruction instruction = itp_flow_code_decode(scan->code, vaddr);

		scan_instruction(scan, part, &instruction);
		vaddr += MAX(instruction.size, 1);
	}
}

/* Shows `visit` every function that the function at `vaddr` may call, or jump to at its end. False
 * when there may be more. All its instructions are looked at, one behind the other, whether control
 * is known to come there or not: the set is never too small, and a function is known although jumps
 * inside of it are not. */
static bool scan_function(const struct itp_flow_code *code, uint64_t vaddr, scan_func *visit,
			  void *data)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_range));
	struct scan scan = {
		.code = code, .visit = visit, .data = data, .parts = parts, .is_complete = true
	};

	add_code_part(&scan, vaddr);
	for (guint i = 0; i < parts->len && scan.is_complete; i++) {
		struct itp_flow_range part = g_array_index(parts, struct itp_flow_range, i);

		scan.bytes += part.end - part.start;
		scan.is_complete &= scan.bytes <= MAX_BYTES;
		scan_part(&scan, part);
	}
	return scan.is_complete;
}

/* ---- Functions that may have been called ---- */

/* A function without a name could not be told. */
static void add_candidate(struct search *search, struct itp_code_file *file, uint64_t vaddr)
{
	struct candidates *candidates = search->candidates;

	for (guint i = 0; i < candidates->count; i++) {
		if (candidates->list[i].file == file && candidates->list[i].vaddr == vaddr) {
			return;
		}
	}
	if (candidates->count >= MAX_CANDIDATES || !itp_flow_code_symbol(&file->code, vaddr)) {
		candidates->is_open = true;
		return;
	}
	candidates->list[candidates->count++] = (struct candidate){ .file = file, .vaddr = vaddr };
}

/* Adds the target of a call or jump `instruction` in `file`. */
static void add_target(struct search *search, struct itp_code_file *file,
		       const struct itp_flow_instruction *instruction)
{
	const char *name = itp_flow_call_name(&file->code, instruction);
	struct itp_code_file *other;
	uint64_t vaddr;

	if (name) {
		if (itp_code_files_find(search->files, search->space, name, &other, &vaddr)) {
			add_candidate(search, other, vaddr);
		} else {
			search->candidates->is_open = true;
		}
	} else if (instruction->kind == ITP_FLOW_CALL_INDIRECT ||
		   instruction->kind == ITP_FLOW_JUMP_INDIRECT) {
		search->candidates->is_by_pointer = true;
	} else {
		add_candidate(search, file, instruction->target);
	}
}

static void look_at_candidate(const struct itp_flow_instruction *instruction, bool is_tail,
			      void *data)
{
	struct search *search = data;
	struct candidate *candidate = &search->candidates->list[search->at];

	if (is_tail) {
		add_target(search, candidate->file, instruction);
	} else {
		candidate->has_frame |= itp_cfi_frame(candidate->file->symbols->cfi,
						      instruction->vaddr) == ITP_CFI_FRAME_OWN;
	}
}

/* For the call in `file` behind which `site` is, made by a process with the memory `space`. Each
 * candidate is looked through for jumps to others. */
static void find_candidates(struct candidates *ret_candidates, struct itp_code_files *files,
			    const struct itp_address_space *space, struct itp_code_file *file,
			    uint64_t site)
{
	struct search search = { .candidates = ret_candidates, .files = files, .space = space };
	struct itp_flow_instruction call;

	*ret_candidates = (struct candidates){ .is_open = true };
	if (!itp_flow_call_before(&file->code, site, &call) || call.kind == ITP_FLOW_SYSTEM_CALL) {
		return;
	}
	ret_candidates->is_open = false;
	add_target(&search, file, &call);
	for (; search.at < ret_candidates->count && !ret_candidates->is_open; search.at++) {
		const struct candidate *candidate = &ret_candidates->list[search.at];

		ret_candidates->is_open |= !scan_function(&candidate->file->code, candidate->vaddr,
							  look_at_candidate, &search);
	}
}

/* ---- Choice among the candidates ---- */

static bool is_candidate(const struct candidates *candidates, struct itp_code_function function)
{
	for (guint i = 0; i < candidates->count; i++) {
		if (candidates->list[i].file == function.file &&
		    candidates->list[i].vaddr == function.vaddr) {
			return true;
		}
	}
	return false;
}

/* True for a library's private function, not called by others through a pointer; and the dynamic
 * linker calls nothing found in the code of others. */
static bool is_private(const struct itp_hole *hole, struct itp_code_function function)
{
	const char *name;

	if (function.file == hole->caller) {
		return false;
	}
	return !itp_elf_image_needs_others(&hole->caller->symbols->image) ||
	       (function.file == hole->callee &&
		itp_elf_image_names(&function.file->symbols->image, function.vaddr, &name, 1) == 0);
}

static bool may_be_called(const struct itp_hole *hole, const struct candidates *candidates,
			  struct itp_code_function function)
{
	return is_candidate(candidates, function) ||
	       (candidates->is_by_pointer && !is_private(hole, function) &&
		itp_is_called_by_pointer(hole->files, hole->space, function));
}

static bool all_have_names(const GArray *chosen)
{
	for (guint i = 0; i < chosen->len; i++) {
		const struct itp_code_function *function =
			&g_array_index(chosen, struct itp_code_function, i);

		if (!itp_flow_code_symbol(&function->file->code, function->vaddr)) {
			return false;
		}
	}
	return true;
}

/* Appends to *chosen, of struct itp_code_function, candidates that can be at work: they may have
 * been called, and call the frame above. None if a candidate lacks a name. */
static void choose_candidates(const struct itp_hole *hole, const struct candidates *candidates,
			      const struct itp_callers *callers, GArray *chosen)
{
	for (guint i = 0; i < callers->framed->len; i++) {
		struct itp_code_function function =
			g_array_index(callers->framed, struct itp_code_function, i);

		if (!may_be_called(hole, candidates, function)) {
			continue;
		}
		g_array_append_val(chosen, function);
	}
	if (!all_have_names(chosen)) {
		g_array_set_size(chosen, 0);
	}
}

/* Adds candidates with a frame pointer: a chain cannot lack others. */
static void add_candidates(const struct candidates *candidates, GArray *chosen)
{
	for (guint i = 0; i < candidates->count; i++) {
		const struct itp_code_function function = { .file = candidates->list[i].file,
							    .vaddr = candidates->list[i].vaddr };

		if (candidates->list[i].has_frame) {
			g_array_append_val(chosen, function);
		}
	}
}

static uint32_t id_of(const struct itp_code_function *function)
{
	return itp_module_function_at(function->file->module, function->vaddr);
}

static gint compare_function_names(gconstpointer a, gconstpointer b)
{
	const struct itp_function *const *left = a;
	const struct itp_function *const *right = b;

	return strcmp((*left)->name, (*right)->name);
}

/* Stand-in for all of `chosen`. */
static uint32_t stand_in(const GArray *chosen, struct itp_function_table *functions)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	g_autoptr(GString) name = g_string_new(NULL);
	g_autoptr(GString) choices = g_string_new(NULL);
	struct itp_function function;

	for (guint i = 0; i < chosen->len; i++) {
		uint32_t id = id_of(&g_array_index(chosen, struct itp_code_function, i));

		g_ptr_array_add(all, (gpointer)itp_function_table_get(functions, id));
	}
	g_ptr_array_sort(all, compare_function_names);
	function = *(const struct itp_function *)g_ptr_array_index(all, 0);
	g_string_printf(name, "one of %u: ", chosen->len);
	for (guint i = 0; i < all->len; i++) {
		const struct itp_function *one = g_ptr_array_index(all, i);

		if (i < MAX_NAMES) {
			g_string_append_printf(name, "%s%s", i > 0 ? ", " : "", one->name);
		}
		if (all->len <= MAX_CHOICES) {
			g_string_append_printf(choices, "%s%s", i > 0 ? "\n" : "", one->name);
		}
	}
	g_string_append(name, all->len > MAX_NAMES ? ", \u2026" : "");
	function.name = name->str;
	function.choices = choices->str;
	function.file = "";
	return itp_function_table_intern(functions, &function);
}

static struct itp_code_function callee_of(const struct itp_hole *hole)
{
	struct itp_code_function callee = { .file = hole->callee, .vaddr = hole->place };
	struct itp_flow_range part;

	if (itp_flow_code_part(&hole->callee->code, hole->place, &part)) {
		callee.vaddr = itp_flow_code_home(&hole->callee->code, part);
	}
	return callee;
}

/* Adds the only one of `chosen`, or a stand-in for all of them. */
static void add_any(struct itp_missing *missing, const GArray *chosen,
		    struct itp_function_table *functions)
{
	if (missing->count < ITP_COMPLETION_MAX_MISSING) {
		missing->functions[missing->count++] =
			chosen->len > 1 ?
				stand_in(chosen, functions) :
				id_of(&g_array_index(chosen, struct itp_code_function, 0));
	}
}

/* Adds functions between the known one and the frame above, as far as all ways have as many
 * functions there; behind a stand-in for several only common ones of all ways. */
static void add_ways(const struct itp_callers *callers, struct itp_code_function framed,
		     struct itp_function_table *functions, struct itp_missing *missing)
{
	g_autoptr(GArray) ways = itp_ways_find(callers, framed);
	bool is_choice = false;

	for (guint at = 0; ways->len > 0; at++) {
		g_autoptr(GArray) chosen = itp_ways_at(ways, at);

		if (!chosen || !all_have_names(chosen) || (is_choice && chosen->len > 1)) {
			return;
		}
		is_choice |= chosen->len > 1;
		add_any(missing, chosen, functions);
	}
}

/* Appends to *chosen, of struct itp_code_function, every possible function. */
static void choose_all(const struct itp_hole *hole, const struct candidates *candidates,
		       const struct itp_callers *callers, bool are_all_callers, GArray *chosen)
{
	add_candidates(candidates, chosen);
	if (chosen->len > 1 || candidates->is_by_pointer) {
		g_array_set_size(chosen, 0);
		if (are_all_callers) {
			choose_candidates(hole, candidates, callers, chosen);
		}
	}
}

/* Calls through pointers in a function. */
struct pointer_calls {
	const struct itp_flow_code *code;
	bool are_there;
};

static void look_for_pointer(const struct itp_flow_instruction *instruction, bool is_tail,
			     void *data)
{
	struct pointer_calls *calls = data;

	if (!is_tail && instruction->kind == ITP_FLOW_CALL_INDIRECT) {
		calls->are_there |= !itp_flow_call_name(calls->code, instruction);
	}
}

static bool calls_by_pointer(struct itp_code_function function)
{
	struct pointer_calls calls = { .code = &function.file->code };

	return !scan_function(calls.code, function.vaddr, look_for_pointer, &calls) ||
	       calls.are_there;
}

void itp_hole_fill(const struct itp_hole *hole, struct itp_function_table *functions,
		   struct itp_missing *ret_missing)
{
	g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(struct itp_code_function));
	const struct itp_callers *callers;
	struct itp_code_function first;
	struct candidates candidates;
	bool are_all_callers;

	find_candidates(&candidates, hole->files, hole->space, hole->caller, hole->site);
	*ret_missing = (struct itp_missing){ .count = 0 };
	if (candidates.is_open) {
		return;
	}
	callers = hole->find_callers(hole->data, callee_of(hole));
	are_all_callers = !callers->is_open && !itp_callers_know(callers, hole->caller);
	choose_all(hole, &candidates, callers, are_all_callers, chosen);
	if (chosen->len == 0) {
		return;
	}
	add_any(ret_missing, chosen, functions);
	first = g_array_index(chosen, struct itp_code_function, 0);
	if (chosen->len == 1 && !callers->is_open &&
	    (are_all_callers || !calls_by_pointer(first))) {
		add_ways(callers, first, functions, ret_missing);
	}
}
