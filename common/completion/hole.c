/* SPDX-License-Identifier: MIT */
/*
 * See hole.h. Callers are only looked for where the call leaves a choice.
 */
#include "common/completion/hole.h"

#include "common/completion/callers.h"
#include "common/completion/candidates.h"
#include "common/completion/scan.h"
#include "common/completion/ways.h"
#include "common/control-flow/call.h"

#include <string.h>

/* Of those that it may be. */
#define MAX_NAMES 3

static bool is_candidate(const struct itp_candidates *candidates, struct itp_code_function function)
{
	for (guint i = 0; i < candidates->count; i++) {
		if (candidates->list[i].file == function.file &&
		    candidates->list[i].vaddr == function.vaddr) {
			return true;
		}
	}
	return false;
}

/* What a library keeps to itself is not called by others through a pointer, and the dynamic linker
 * calls nothing that has been found in the code of others. */
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

static bool may_be_called(const struct itp_hole *hole, const struct itp_candidates *candidates,
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

/* Appends to *chosen, of struct itp_code_function, those that can be at work there: they may have
 * been called, and call what stands above. None if one has no name by which it could be told. */
static void choose(const struct itp_hole *hole, const struct itp_candidates *candidates,
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

/* Adds the candidates that keep a frame pointer: a chain cannot lack others. */
static void add_candidates(const struct itp_candidates *candidates, GArray *chosen)
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

static gint compare_names(gconstpointer a, gconstpointer b)
{
	const struct itp_function *const *left = a;
	const struct itp_function *const *right = b;

	return strcmp((*left)->name, (*right)->name);
}

/* The function that stands for all of `chosen`. */
static uint32_t stand_in(const GArray *chosen, struct itp_function_table *functions)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	g_autoptr(GString) name = g_string_new(NULL);
	struct itp_function function;

	for (guint i = 0; i < chosen->len; i++) {
		uint32_t id = id_of(&g_array_index(chosen, struct itp_code_function, i));

		g_ptr_array_add(all, (gpointer)itp_function_table_get(functions, id));
	}
	g_ptr_array_sort(all, compare_names);
	function = *(const struct itp_function *)g_ptr_array_index(all, 0);
	g_string_printf(name, "one of %u: ", chosen->len);
	for (guint i = 0; i < MIN(all->len, MAX_NAMES); i++) {
		const struct itp_function *one = g_ptr_array_index(all, i);

		g_string_append_printf(name, "%s%s", i > 0 ? ", " : "", one->name);
	}
	g_string_append(name, all->len > MAX_NAMES ? ", \u2026" : "");
	function.name = name->str;
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

/* The one of `chosen`, or what stands for all of them. */
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

/* What lies between the one that is known and what stands above, as far as all ways have as many
 * functions there; behind one that stands for several only what they agree in. */
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

/* Appends to *chosen, as above, whatever it can be. */
static void choose_all(const struct itp_hole *hole, const struct itp_candidates *candidates,
		       const struct itp_callers *callers, bool are_all_callers, GArray *chosen)
{
	add_candidates(candidates, chosen);
	if (chosen->len > 1 || candidates->is_by_pointer) {
		g_array_set_size(chosen, 0);
		if (are_all_callers) {
			choose(hole, candidates, callers, chosen);
		}
	}
}

/* Where a function makes a call of which the code does not tell what it calls. */
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

	return !itp_scan_function(calls.code, function.vaddr, look_for_pointer, &calls) ||
	       calls.are_there;
}

void itp_hole_fill(const struct itp_hole *hole, struct itp_function_table *functions,
		   struct itp_missing *ret_missing)
{
	g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(struct itp_code_function));
	const struct itp_callers *callers;
	struct itp_code_function first;
	struct itp_candidates candidates;
	bool are_all_callers;

	itp_candidates_find(&candidates, hole->files, hole->space, hole->caller, hole->site);
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
