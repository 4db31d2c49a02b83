/* SPDX-License-Identifier: MIT */
/*
 * See callers.h. References to a function are looked for in its file and, under each of its names,
 * in the other files of the process.
 */
#include "common/completion/callers.h"

/* Functions without a frame pointer on the way. */
#define MAX_HIDDEN 64
/* Most functions that jump to a called function. */
#define MAX_JUMPERS 16
/* Names of a function, and slots for a name in a file: mostly one. */
#define MAX_NAMES 16
#define MAX_SLOTS 16
/* Bytes of the first instruction of a linkage table's entry. */
#define LANDING_BYTES 4

/* Search for references to a function. */
struct look {
	/* Weak. */
	struct itp_code_files *files;
	const struct itp_address_space *space;
	struct itp_code_function function;
	/* File searched. */
	struct itp_code_file *file;
	/* Slot or entry of the linkage table that leads to the function, or the function itself. */
	uint64_t target;
	/* Visitor of calls of the function, and jumps to it. */
	void (*visit)(struct itp_code_file *file, const struct itp_flow_instruction *instruction,
		      void *data);
	void *data;
	/* The last slot was used by a call or a jump. */
	bool is_called;
	/* Address is made, read or stored. */
	bool is_taken;
	bool is_open;
	/* Files with its address; may be NULL. */
	GPtrArray *knowing;
};

/* Most ways told apart. */
#define MAX_WAYS 32
/* Functions on a way, with those that have jumped; and steps on all of them. */
#define MAX_STEPS 16
#define MAX_ALL_STEPS 4096

struct walk {
	/* Weak. */
	const struct itp_callers *callers;
	GArray *ways;
	struct itp_way way;
	/* Functions on the walk so far, shown or not. */
	struct itp_code_function steps[MAX_STEPS];
	guint step_count;
	guint all_step_count;
	bool has_too_many;
};

static bool is_same_function(struct itp_code_function a, struct itp_code_function b)
{
	return a.file == b.file && a.vaddr == b.vaddr;
}

/* A linkage table may have a symbol without an end in front of it alone. */
static bool is_named(const struct itp_code_file *file, uint64_t vaddr)
{
	const struct itp_symbol *symbol = itp_symbol_table_find(&file->symbols->table, vaddr);

	return symbol && symbol->is_sized;
}

static void look_at_reference(const struct itp_flow_instruction *instruction, void *data);

static void take_file(struct look *look)
{
	look->is_taken = true;
	if (look->knowing && !g_ptr_array_find(look->knowing, look->file, NULL)) {
		g_ptr_array_add(look->knowing, look->file);
	}
}

static void look_for(struct look *look, uint64_t target)
{
	const struct itp_references *references = itp_code_file_references(look->file);
	uint64_t before = look->target;

	look->target = target;
	if (!references || !itp_references_each(references, target, look_at_reference, look)) {
		look->is_open = true;
	}
	look->target = before;
}

/* An entry of the linkage table ends with `jump`: whoever goes there means the function. */
static void look_for_entry(struct look *look, const struct itp_flow_instruction *jump)
{
	look_for(look, jump->vaddr);
	look_for(look, jump->vaddr - LANDING_BYTES);
}

static void look_at_reference(const struct itp_flow_instruction *instruction, void *data)
{
	struct look *look = data;

	switch ((enum itp_flow_kind)instruction->kind) {
	case ITP_FLOW_JUMP_INDIRECT:
		if (!is_named(look->file, instruction->vaddr)) {
			look->is_called = true;
			look_for_entry(look, instruction);
			break;
		}
		/* fall through */
	case ITP_FLOW_CALL_INDIRECT:
	case ITP_FLOW_CALL:
	case ITP_FLOW_JUMP:
	case ITP_FLOW_CONDITIONAL:
		if (instruction->target == look->target) {
			look->is_called = true;
			look->visit(look->file, instruction, look->data);
		}
		break;
	default:
		take_file(look);
		break;
	}
}

/* Slots without calls are for readers. */
static void look_for_slots(struct look *look, const char *name)
{
	uint64_t slot;

	for (guint i = 0; itp_flow_imports_slot(look->file->code.imports, name, i, &slot); i++) {
		if (i >= MAX_SLOTS) {
			look->is_open = true;
			return;
		}
		look->is_called = false;
		look_for(look, slot);
		if (!look->is_called) {
			take_file(look);
		}
	}
}

/* In all files of the process. */
static void look_for_name(struct look *look, const char *name)
{
	struct itp_code_file *last = NULL;

	for (uint32_t i = 0; itp_code_files_number(look->files, look->space, i, &look->file); i++) {
		if (look->file && look->file != last) {
			look_for_slots(look, name);
		}
		last = look->file;
	}
}

static void look_for_all(struct look *look)
{
	const struct itp_elf_image *image = &look->function.file->symbols->image;
	const char *names[MAX_NAMES];
	size_t count = itp_elf_image_names(image, look->function.vaddr, names, MAX_NAMES);

	look->is_open |= count == MAX_NAMES;
	look->file = look->function.file;
	look_for(look, look->function.vaddr);
	if (itp_flow_imports_store(look->file->code.imports, look->function.vaddr)) {
		take_file(look);
	}
	for (size_t i = 0; i < count; i++) {
		look_for_name(look, names[i]);
	}
}

struct search {
	struct itp_callers *callers;
	/* struct itp_code_function: functions without a frame pointer. Owned by this. */
	GArray *hidden;
	/* Called function, whose callers are looked for. */
	struct itp_code_function function;
};

/* Appends `function` to *list, of struct itp_code_function, unless it is in the list. */
static void add_code_function(GArray *list, struct itp_code_function function)
{
	for (guint i = 0; i < list->len; i++) {
		if (is_same_function(g_array_index(list, struct itp_code_function, i), function)) {
			return;
		}
	}
	g_array_append_val(list, function);
}

static bool code_function_at(struct itp_code_file *file, uint64_t vaddr,
			     struct itp_code_function *ret_function)
{
	struct itp_flow_range part;

	if (!itp_flow_code_part(&file->code, vaddr, &part)) {
		return false;
	}
	*ret_function = (struct itp_code_function){
		.file = file,
		.vaddr = itp_flow_code_home(&file->code, part),
	};
	return true;
}

/* Links to a callee stand together, the latest last. */
static bool has_link(const GArray *links, const struct itp_code_link *link)
{
	for (guint i = links->len; i-- > 0;) {
		const struct itp_code_link *other = &g_array_index(links, struct itp_code_link, i);

		if (!is_same_function(other->callee, link->callee)) {
			return false;
		}
		if (is_same_function(other->caller, link->caller) &&
		    other->is_call == link->is_call && other->is_framed == link->is_framed) {
			return true;
		}
	}
	return false;
}

static void add_link(const struct search *search, struct itp_code_function caller, bool is_call,
		     bool is_framed)
{
	const struct itp_code_link link = { .caller = caller,
					    .callee = search->function,
					    .is_call = is_call,
					    .is_framed = is_framed };

	if (!has_link(search->callers->links, &link)) {
		g_array_append_val(search->callers->links, link);
	}
}

static void add_caller(struct itp_code_file *file, const struct itp_flow_instruction *instruction,
		       void *data)
{
	bool is_call = itp_flow_is_call((enum itp_flow_kind)instruction->kind);
	struct search *search = data;
	struct itp_code_function function;

	if (!code_function_at(file, instruction->vaddr, &function)) {
		search->callers->is_open = true;
		return;
	}
	switch (itp_cfi_frame(file->symbols->cfi, instruction->vaddr)) {
	case ITP_CFI_FRAME_OWN:
		if (is_call) {
			add_code_function(search->callers->framed, function);
			add_link(search, function, true, true);
		}
		break;
	case ITP_CFI_FRAME_OF_CALLER:
		add_code_function(search->hidden, function);
		add_link(search, function, is_call, false);
		break;
	case ITP_CFI_FRAME_SAVED:
	case ITP_CFI_FRAME_UNKNOWN:
		break;
	}
}

static void find_all(struct search *search, struct itp_code_files *files,
		     const struct itp_address_space *space)
{
	struct itp_callers *callers = search->callers;
	GArray *hidden = search->hidden;

	for (guint i = 0; i < hidden->len && !callers->is_open; i++) {
		struct look look = { .files = files,
				     .space = space,
				     .function = g_array_index(hidden, struct itp_code_function, i),
				     .knowing = callers->knowing,
				     .visit = add_caller,
				     .data = search };

		search->function = look.function;
		look_for_all(&look);
		callers->is_open |= look.is_open || hidden->len > MAX_HIDDEN;
	}
}

struct itp_callers *itp_callers_new(struct itp_code_files *files,
				    const struct itp_address_space *space,
				    struct itp_code_function function)
{
	g_autoptr(GArray) hidden = g_array_new(FALSE, FALSE, sizeof(struct itp_code_function));
	struct itp_callers *callers = g_new(struct itp_callers, 1);
	struct search search = { .callers = callers, .hidden = hidden };

	*callers = (struct itp_callers){ .function = function };
	callers->framed = g_array_new(FALSE, FALSE, sizeof(struct itp_code_function));
	callers->links = g_array_new(FALSE, FALSE, sizeof(struct itp_code_link));
	callers->knowing = g_ptr_array_new();
	g_array_append_val(hidden, function);
	find_all(&search, files, space);
	return callers;
}

void itp_callers_free(struct itp_callers *callers)
{
	if (callers) {
		g_array_unref(callers->framed);
		g_array_unref(callers->links);
		g_ptr_array_unref(callers->knowing);
		g_free(callers);
	}
}

bool itp_callers_know(const struct itp_callers *callers, const struct itp_code_file *file)
{
	return g_ptr_array_find(callers->knowing, file, NULL);
}

static void add_jumper(struct itp_code_file *file, const struct itp_flow_instruction *instruction,
		       void *data)
{
	struct itp_code_function function;

	if (!itp_flow_is_call((enum itp_flow_kind)instruction->kind) &&
	    code_function_at(file, instruction->vaddr, &function)) {
		add_code_function(data, function);
	}
}

bool itp_is_called_by_pointer(struct itp_code_files *files, const struct itp_address_space *space,
			      struct itp_code_function function)
{
	g_autoptr(GArray) jumpers = g_array_new(FALSE, FALSE, sizeof(struct itp_code_function));
	bool is_taken = false;

	g_array_append_val(jumpers, function);
	for (guint i = 0; i < jumpers->len && !is_taken; i++) {
		struct look look = { .files = files,
				     .space = space,
				     .function =
					     g_array_index(jumpers, struct itp_code_function, i),
				     .visit = add_jumper,
				     .data = jumpers };

		look_for_all(&look);
		is_taken = look.is_taken || look.is_open || jumpers->len > MAX_JUMPERS;
	}
	return is_taken;
}

/* ---- Ways: a function that has jumped is on the stack no more ---- */

static bool is_same_way(const struct itp_way *a, const struct itp_way *b)
{
	for (guint i = 0; i < MIN(a->count, b->count); i++) {
		if (!is_same_function(a->functions[i], b->functions[i])) {
			return false;
		}
	}
	return a->count == b->count;
}

static void end_way(struct walk *walk)
{
	for (guint i = 0; i < walk->ways->len; i++) {
		if (is_same_way(&g_array_index(walk->ways, struct itp_way, i), &walk->way)) {
			return;
		}
	}
	walk->has_too_many |= walk->ways->len >= MAX_WAYS;
	if (!walk->has_too_many) {
		g_array_append_val(walk->ways, walk->way);
	}
}

static bool has_been_at(const struct walk *walk, struct itp_code_function function)
{
	for (guint i = 0; i < walk->step_count; i++) {
		if (is_same_function(walk->steps[i], function)) {
			return true;
		}
	}
	return false;
}

static void follow_ways(struct walk *walk, struct itp_code_function function, bool is_framed);

/* `link` leads away from a function without a frame pointer. */
static void follow_link(struct walk *walk, const struct itp_code_link *link)
{
	bool is_shown = link->is_call && !link->is_framed;

	if (is_shown && walk->way.count == ITP_MAX_WAY) {
		end_way(walk);
		return;
	}
	if (is_shown) {
		walk->way.functions[walk->way.count++] = link->caller;
	}
	if (is_same_function(link->callee, walk->callers->function)) {
		end_way(walk);
	} else {
		follow_ways(walk, link->callee, false);
	}
	walk->way.count -= is_shown;
}

/* All ways on from `function`. */
static void follow_ways(struct walk *walk, struct itp_code_function function, bool is_framed)
{
	const GArray *links = walk->callers->links;

	if (has_been_at(walk, function) || walk->step_count == MAX_STEPS) {
		end_way(walk);
		return;
	}
	walk->steps[walk->step_count++] = function;
	walk->has_too_many |= ++walk->all_step_count > MAX_ALL_STEPS;
	for (guint i = 0; i < links->len && !walk->has_too_many; i++) {
		const struct itp_code_link *link = &g_array_index(links, struct itp_code_link, i);

		if (link->is_framed == is_framed && is_same_function(link->caller, function)) {
			follow_link(walk, link);
		}
	}
	walk->step_count--;
}

GArray *itp_ways_find(const struct itp_callers *callers, struct itp_code_function framed)
{
	struct walk walk = { .callers = callers,
			     .ways = g_array_new(FALSE, FALSE, sizeof(struct itp_way)) };

	follow_ways(&walk, framed, true);
	if (walk.has_too_many) {
		g_array_set_size(walk.ways, 0);
	}
	return walk.ways;
}

GArray *itp_ways_at(const GArray *ways, guint at)
{
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(struct itp_code_function));

	for (guint i = 0; i < ways->len; i++) {
		const struct itp_way *way = &g_array_index(ways, struct itp_way, i);

		if (at >= way->count) {
			g_array_unref(functions);
			return NULL;
		}
		add_code_function(functions, way->functions[at]);
	}
	return functions;
}
