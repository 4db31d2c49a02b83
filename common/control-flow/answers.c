/* SPDX-License-Identifier: MIT */
/*
 * Files of functions. Questions to a file are remembered in control-flow.c; places at which
 * functions keep no frame pointer, here.
 */
#include "common/control-flow/answers.h"

#include "common/base/hash.h"
#include "common/control-flow/control-flow.h"
#include "common/symbol/module.h"
#include "common/unwind/cfi.h"

/* 16 KiB. */
#define RECENT_BITS 10

/* Fibonacci hashing. */
#define LINK_MIX UINT64_C(0x9e3779b97f4a7c15)

/* File with functions. */
struct source {
	/* Owned by this. */
	struct itp_module *module;
	/* NULL until the first question, and if the file cannot answer any. Owned by this. */
	struct itp_control_flow *flow;
	bool is_opened;
};

struct recent_place {
	uint64_t address;
	uint32_t function;
	bool is_frameless;
};

struct itp_flow_answers {
	/* Weak. */
	struct itp_function_table *functions;
	/* "BUILD-ID FILE" → struct source. Owned by this. */
	GHashTable *sources;
	/* struct source * by function id, NULL for a function without a file. Weak. */
	GPtrArray *by_function;
	/* Call from a file into another → whether it always reaches the function. Owned by this. */
	GHashTable *links;
	struct recent_place recent[1u << RECENT_BITS];
};

static void free_source(gpointer data)
{
	struct source *source = data;

	itp_control_flow_free(source->flow);
	itp_module_free(source->module);
	g_free(source);
}

struct itp_flow_answers *itp_flow_answers_new(struct itp_function_table *functions)
{
	struct itp_flow_answers *answers = g_new0(struct itp_flow_answers, 1);

	answers->functions = functions;
	answers->sources = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, free_source);
	answers->by_function = g_ptr_array_new();
	answers->links = g_hash_table_new(NULL, NULL);
	return answers;
}

void itp_flow_answers_free(struct itp_flow_answers *answers)
{
	if (!answers) {
		return;
	}
	g_hash_table_destroy(answers->sources);
	g_ptr_array_free(answers->by_function, TRUE);
	g_hash_table_destroy(answers->links);
	g_free(answers);
}

static struct source *source_of(struct itp_flow_answers *answers, const char *file,
				const char *build_id)
{
	g_autofree char *key = g_strdup_printf("%s %s", build_id, file);
	struct source *source = g_hash_table_lookup(answers->sources, key);

	if (!source) {
		const struct itp_module_origin origin = { .path = file, .build_id = build_id };

		source = g_new0(struct source, 1);
		source->module = itp_module_new(&origin, answers->functions);
		g_hash_table_insert(answers->sources, g_steal_pointer(&key), source);
	}
	return source;
}

void itp_flow_answers_add(struct itp_flow_answers *answers, uint32_t function, const char *file,
			  const char *build_id)
{
	if (function >= answers->by_function->len) {
		g_ptr_array_set_size(answers->by_function, (gint)function + 1);
	}
	g_ptr_array_index(answers->by_function, function) =
		file[0] != '\0' ? source_of(answers, file, build_id) : NULL;
}

static struct source *find_source(struct itp_flow_answers *answers, uint32_t function)
{
	for (uint32_t id = answers->by_function->len; id <= function; id++) {
		const struct itp_function *told = itp_function_table_get(answers->functions, id);

		itp_flow_answers_add(answers, id, told->file ? told->file : "", told->build_id);
	}
	return g_ptr_array_index(answers->by_function, function);
}

static struct itp_control_flow *flow_of(struct source *source)
{
	if (!source->is_opened) {
		const struct itp_elf_symbols *symbols = itp_module_symbols(source->module);

		source->is_opened = true;
		source->flow = symbols ? itp_control_flow_new(symbols) : NULL;
	}
	return source->flow;
}

/* NULL when nothing can be known of `function`. */
static struct itp_control_flow *find_flow(struct itp_flow_answers *answers, uint32_t function)
{
	struct source *source = find_source(answers, function);

	return source ? flow_of(source) : NULL;
}

/* Code brought by the kernel is in no file. At the end of each call, if at all, it makes the system
 * call for which it has no short way: a system call where another was made is a new call. */
static bool has_called_again(const struct itp_flow_answers *answers,
			     const struct itp_flow_step *step)
{
	const struct itp_function *function =
		itp_function_table_get(answers->functions, step->function);

	return step->from == step->to && !step->to_is_exact &&
	       g_str_equal(function->module, "[vdso]");
}

static bool can_stay(void *data, const struct itp_flow_step *step)
{
	struct itp_flow_answers *answers = data;
	const struct itp_flow_point from = { .vaddr = step->from,
					     .is_behind_call = !step->from_is_exact };
	const struct itp_flow_point to = { .vaddr = step->to,
					   .is_behind_call = !step->to_is_exact };
	struct itp_control_flow *flow = find_flow(answers, step->function);

	if (!flow) {
		return !has_called_again(answers, step);
	}
	return itp_control_flow_ask(flow, from, to) != ITP_FLOW_NEVER;
}

/* True when a function may take the other's place above a call: both are called, in the same layer.
 * The kernel is not called by the user's frame below, nor by code hit by an interrupt or an
 * exception. */
static bool may_take_place(struct itp_flow_answers *answers, const struct itp_frame *frame,
			   const struct itp_frame *other)
{
	const struct itp_function *left =
		itp_function_table_get(answers->functions, frame->function);
	const struct itp_function *right =
		itp_function_table_get(answers->functions, other->function);

	return left->layer == right->layer &&
	       (left->layer == ITP_LAYER_USER ||
		(left->layer == ITP_LAYER_KERNEL && find_source(answers, frame->function) &&
		 !left->is_signal_frame && !right->is_signal_frame));
}

static bool may_jump_away(void *data, const struct itp_frame *frame, const struct itp_frame *other)
{
	struct itp_flow_answers *answers = data;
	const struct itp_flow_point from = { .vaddr = frame->address,
					     .is_behind_call = !frame->is_exact };
	const struct itp_flow_point to = { .vaddr = other->address,
					   .is_behind_call = !other->is_exact };
	bool is_same_file = find_source(answers, frame->function) ==
			    find_source(answers, other->function);
	struct itp_control_flow *flow;

	if (!may_take_place(answers, frame, other)) {
		return false;
	}
	flow = find_flow(answers, frame->function);
	return !flow || itp_control_flow_may_jump_away(flow, from, is_same_file ? &to : NULL);
}

static bool may_avoid(void *data, const struct itp_flow_step *step)
{
	const struct itp_flow_point site = { .vaddr = step->from,
					     .is_behind_call = !step->from_is_exact };
	const struct itp_flow_point to = { .vaddr = step->to,
					   .is_behind_call = !step->to_is_exact };
	struct itp_control_flow *flow = find_flow(data, step->function);

	return !flow || itp_control_flow_may_avoid(flow, site, step->to != 0 ? &to : NULL);
}

/* The loader gives a name the same function each time, whatever other names it has. */
static bool is_linked(struct source *from, struct itp_flow_point site, struct source *to,
		      uint64_t vaddr)
{
	struct itp_control_flow *flow = flow_of(from);
	const struct itp_elf_symbols *symbols = itp_module_symbols(to->module);
	const char *name = flow ? itp_control_flow_linked_name(flow, site) : NULL;

	return name && symbols &&
	       itp_elf_image_exports(&symbols->image, name,
				     itp_elf_symbols_find(symbols, vaddr).start);
}

/* The answer is remembered, as it takes a look at all names. */
static bool always_links(struct itp_flow_answers *answers, const struct itp_frame *caller,
			 const struct itp_frame *callee)
{
	const struct itp_flow_point site = { .vaddr = caller->address, .is_behind_call = true };
	struct source *from = find_source(answers, caller->function);
	struct source *to = find_source(answers, callee->function);
	uint64_t key = (caller->address * LINK_MIX ^ caller->function) * LINK_MIX ^
		       callee->function;
	gpointer known;

	if (!from || !to) {
		return false;
	}
	if (!g_hash_table_lookup_extended(answers->links, GSIZE_TO_POINTER(key), NULL, &known)) {
		known = GINT_TO_POINTER(
			is_linked(from, site, to, callee->address - !callee->is_exact));
		g_hash_table_insert(answers->links, GSIZE_TO_POINTER(key), known);
	}
	return GPOINTER_TO_INT(known);
}

static bool always_calls(void *data, const struct itp_frame *caller, const struct itp_frame *callee)
{
	const struct itp_flow_point site = { .vaddr = caller->address, .is_behind_call = true };
	const struct itp_flow_point to = { .vaddr = callee->address,
					   .is_behind_call = !callee->is_exact };
	struct itp_control_flow *flow = find_flow(data, caller->function);

	if (find_source(data, caller->function) != find_source(data, callee->function)) {
		return always_links(data, caller, callee);
	}
	return flow && itp_control_flow_always_calls(flow, site, to);
}

static bool look_up_frameless(struct itp_flow_answers *answers, uint32_t function, uint64_t address)
{
	struct source *source = find_source(answers, function);
	const struct itp_elf_symbols *symbols = source ? itp_module_symbols(source->module) : NULL;

	return symbols && symbols->cfi && itp_cfi_is_frameless(symbols->cfi, address);
}

static bool is_frameless(void *data, uint32_t function, uint64_t address)
{
	struct itp_flow_answers *answers = data;
	uint64_t mixed = (address + ((uint64_t)function << 40)) * UINT64_C(0x9e3779b97f4a7c15);
	struct recent_place *recent = &answers->recent[mixed >> (64 - RECENT_BITS)];

	if (recent->address != address || recent->function != function) {
		*recent = (struct recent_place){
			.address = address,
			.function = function,
			.is_frameless = look_up_frameless(answers, function, address),
		};
	}
	return recent->is_frameless;
}

struct itp_flow itp_flow_answers_flow(struct itp_flow_answers *answers)
{
	return (struct itp_flow){
		.can_stay = can_stay,
		.may_jump_away = may_jump_away,
		.may_avoid = may_avoid,
		.always_calls = always_calls,
		.is_frameless = is_frameless,
		.data = answers,
	};
}

static void close_answers(void *data)
{
	itp_flow_answers_free(data);
}

struct itp_flow itp_flow_answers_open(struct itp_function_table *functions)
{
	struct itp_flow flow = itp_flow_answers_flow(itp_flow_answers_new(functions));

	flow.close = close_answers;
	return flow;
}
