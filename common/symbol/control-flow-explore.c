/* SPDX-License-Identifier: MIT */
/*
 * Following the code, and cutting what was found into blocks.
 */
#include "common/symbol/control-flow-explore.h"

#include "common/symbol/control-flow-jump.h"
#include "common/symbol/control-flow-landing.h"

/* The largest functions of interpreters have some ten thousand instructions. */
#define MAX_INSTRUCTIONS (512u * 1024)
#define MAX_EDGES (4u * 1024 * 1024)
#define MAX_PARTS 256
/* Functions begin at multiples of this, mostly. */
#define MAX_PADDING_BYTES 64
/* Of all parts together. */
#define MAX_PART_BYTES (16u * 1024 * 1024)
/* Of which each finds at least one new target of a jump. */
#define MAX_ROUNDS 32
#define MAX_JUMPS 4096
/* Of all jump tables of a function together. */
#define MAX_TARGETS (256u * 1024)
#define MAX_LANDINGS 65536
#define MAX_MENTIONS 16384
/* Instructions that are looked at to resolve all jumps of a function. */
#define MAX_RESOLVE_STEPS (1024u * 1024)

#define NO_OFFSET UINT32_MAX

#define MARK_DECODED 1
#define MARK_LEADER 2

struct part {
	struct itp_flow_range range;
	/* One for each byte of code. Owned by this. */
	uint8_t *marks;
	/* struct itp_flow_landing. Owned by this. */
	GArray *landings;
	bool has_known_landings;
};

/* An instruction. */
struct step {
	uint32_t offset;
	/* Where it jumps to in the function, and where control goes when it does not jump; or
	 * NO_OFFSET. */
	uint32_t target;
	uint32_t next;
	uint8_t size;
	uint8_t kind;
	uint8_t cause;
};

/* An indirect jump. */
struct jump {
	uint32_t offset;
	enum itp_flow_resolution resolution;
	/* What was known once and is no longer is not asked again. */
	bool is_given_up;
	/* uint64_t. Owned by this. */
	GArray *targets;
};

struct explorer {
	const struct itp_flow_code *code;
	/* Weak. */
	const GArray *roots;
	/* struct part. Owned by this. */
	GArray *parts;
	/* struct itp_flow_range: those of `parts`. Owned by this. */
	GArray *ranges;
	/* struct step. Owned by this. */
	GArray *steps;
	/* uint64_t. Owned by this. */
	GArray *waiting;
	/* struct jump. Owned by this. */
	GArray *jumps;
	/* uint64_t: addresses that the code makes. Owned by this. */
	GArray *mentions;
	/* uint64_t: where control can come from anywhere in the function. Owned by this. */
	GArray *labels;
	/* From block << 32 to block. Owned by this. */
	GArray *edges;
	size_t part_bytes;
	uint32_t landing_count;
	uint32_t target_count;
	uint32_t resolve_steps;
	bool is_too_large;
};

static void clear_part(gpointer data)
{
	struct part *part = data;

	g_free(part->marks);
	g_array_unref(part->landings);
}

static void clear_jump(gpointer data)
{
	struct jump *jump = data;

	g_array_unref(jump->targets);
}

static void explorer_init(struct explorer *explorer, const struct itp_flow_code *code,
			  const GArray *roots)
{
	*explorer = (struct explorer){ .code = code,
				       .roots = roots,
				       .resolve_steps = MAX_RESOLVE_STEPS };
	explorer->parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	g_array_set_clear_func(explorer->parts, clear_part);
	explorer->ranges = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_range));
	explorer->steps = g_array_new(FALSE, FALSE, sizeof(struct step));
	explorer->waiting = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	explorer->jumps = g_array_new(FALSE, FALSE, sizeof(struct jump));
	g_array_set_clear_func(explorer->jumps, clear_jump);
	explorer->mentions = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	explorer->labels = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	explorer->edges = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

static void explorer_release(struct explorer *explorer)
{
	g_array_unref(explorer->parts);
	g_array_unref(explorer->ranges);
	g_array_unref(explorer->steps);
	g_array_unref(explorer->waiting);
	g_array_unref(explorer->jumps);
	g_array_unref(explorer->mentions);
	g_array_unref(explorer->labels);
	g_array_unref(explorer->edges);
}

/* One that is already known. */
static struct part *known_part(const struct explorer *explorer, uint64_t vaddr)
{
	for (guint i = 0; i < explorer->parts->len; i++) {
		struct part *part = &g_array_index(explorer->parts, struct part, i);

		if (itp_flow_range_holds(part->range, vaddr)) {
			return part;
		}
	}
	return NULL;
}

/* Control comes to `vaddr` by other ways than from the instruction before. */
static void enter(struct explorer *explorer, uint64_t vaddr)
{
	g_array_append_val(explorer->waiting, vaddr);
}

/* The part that holds `vaddr`. Valid until the next call. NULL when there is none, or too many. */
static struct part *find_part(struct explorer *explorer, uint64_t vaddr)
{
	struct part *known = known_part(explorer, vaddr);
	struct part part = { .marks = NULL };
	uint64_t size;

	if (known) {
		return known;
	}
	if (!itp_flow_code_part(explorer->code, vaddr, &part.range)) {
		return NULL;
	}
	size = part.range.end - part.range.start;
	if (explorer->parts->len >= MAX_PARTS || size > MAX_PART_BYTES - explorer->part_bytes) {
		explorer->is_too_large = true;
		return NULL;
	}
	explorer->part_bytes += size;
	part.marks = g_malloc0(size);
	part.landings = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_landing));
	part.has_known_landings = itp_flow_landings(explorer->code, part.range, part.landings);
	for (guint i = 0; i < part.landings->len; i++) {
		enter(explorer, g_array_index(part.landings, struct itp_flow_landing, i).pad);
	}
	explorer->landing_count += part.landings->len;
	explorer->is_too_large |= explorer->landing_count > MAX_LANDINGS;
	g_array_append_val(explorer->parts, part);
	g_array_append_val(explorer->ranges, part.range);
	return &g_array_index(explorer->parts, struct part, explorer->parts->len - 1);
}

static uint32_t offset_of(const struct explorer *explorer, uint64_t vaddr)
{
	return (uint32_t)(vaddr - explorer->code->range.start);
}

static uint64_t vaddr_of(const struct explorer *explorer, uint32_t offset)
{
	return explorer->code->range.start + offset;
}

static void take_jump_target(struct explorer *explorer, struct itp_flow_range part,
			     const struct itp_flow_instruction *instruction, struct step *step)
{
	switch (itp_flow_code_jump(explorer->code, part, instruction->vaddr, instruction->target)) {
	case ITP_FLOW_JUMP_STAYS:
		step->target = offset_of(explorer, instruction->target);
		enter(explorer, instruction->target);
		break;
	case ITP_FLOW_JUMP_LEAVES:
		break;
	case ITP_FLOW_JUMP_UNCLEAR:
		step->cause = ITP_FLOW_STRAY_JUMP;
		break;
	}
}

static void take_call(struct explorer *explorer, struct itp_flow_range part,
		      const struct itp_flow_instruction *instruction, struct step *step)
{
	uint64_t next = instruction->vaddr + instruction->size;

	if (!itp_flow_code_comes_back(explorer->code, part, instruction->vaddr, next)) {
		step->next = NO_OFFSET;
	}
	switch (itp_flow_code_callee(explorer->code, part, instruction)) {
	case ITP_FLOW_CALLEE_RETURNS:
		break;
	case ITP_FLOW_CALLEE_NEVER_RETURNS:
		step->next = NO_OFFSET;
		break;
	case ITP_FLOW_CALLEE_RETURNS_TWICE:
		if (step->next != NO_OFFSET) {
			g_array_append_val(explorer->labels, next);
		}
		break;
	case ITP_FLOW_CALLEE_UNCLEAR:
		step->cause = ITP_FLOW_STRANGE_CALL;
		break;
	}
}

static void take_indirect_jump(struct explorer *explorer,
			       const struct itp_flow_instruction *instruction)
{
	struct jump jump = { .offset = offset_of(explorer, instruction->vaddr) };

	if (instruction->target != 0 &&
	    itp_flow_imports_name(explorer->code->imports, instruction->target)) {
		return;
	}
	if (explorer->jumps->len >= MAX_JUMPS) {
		explorer->is_too_large = true;
		return;
	}
	jump.targets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_array_append_val(explorer->jumps, jump);
}

/* A number in the code is an address only where code has fixed addresses. */
static void take_mention(struct explorer *explorer, const struct itp_flow_instruction *instruction)
{
	if (itp_flow_range_holds(explorer->code->range, instruction->mentioned) &&
	    (!instruction->is_number || explorer->code->is_fixed)) {
		explorer->is_too_large |= explorer->mentions->len >= MAX_MENTIONS;
		g_array_append_val(explorer->mentions, instruction->mentioned);
	}
}

static struct step take_instruction(struct explorer *explorer, struct itp_flow_range part,
				    const struct itp_flow_instruction *instruction)
{
	struct step step = { .offset = offset_of(explorer, instruction->vaddr),
			     .target = NO_OFFSET,
			     .next = offset_of(explorer, instruction->vaddr + instruction->size),
			     .size = instruction->size,
			     .kind = instruction->kind };

	switch ((enum itp_flow_kind)instruction->kind) {
	case ITP_FLOW_PLAIN:
		take_mention(explorer, instruction);
		break;
	case ITP_FLOW_CONDITIONAL:
		take_jump_target(explorer, part, instruction, &step);
		break;
	case ITP_FLOW_JUMP:
		step.next = NO_OFFSET;
		take_jump_target(explorer, part, instruction, &step);
		break;
	case ITP_FLOW_JUMP_INDIRECT:
		step.next = NO_OFFSET;
		take_indirect_jump(explorer, instruction);
		break;
	case ITP_FLOW_CALL:
	case ITP_FLOW_CALL_INDIRECT:
	case ITP_FLOW_SYSTEM_CALL:
	case ITP_FLOW_TRAP:
		take_call(explorer, part, instruction, &step);
		break;
	case ITP_FLOW_RETURN:
	case ITP_FLOW_STOP:
		step.next = NO_OFFSET;
		break;
	case ITP_FLOW_UNCLEAR:
		step.next = NO_OFFSET;
		step.cause = ITP_FLOW_UNDECODED;
		break;
	}
	return step;
}

/* Functions written in assembler run on into the next one over what lies between them. */
static uint64_t skip_padding(const struct explorer *explorer, uint64_t vaddr)
{
	uint64_t behind = vaddr;
	struct itp_flow_range part;

	while (behind - vaddr < MAX_PADDING_BYTES &&
	       !itp_flow_code_part(explorer->code, behind, &part)) {
		struct itp_flow_instruction instruction =
			itp_flow_code_decode(explorer->code, behind);

		if (!instruction.is_padding) {
			return vaddr;
		}
		behind += instruction.size;
	}
	return behind;
}

/* Decodes from `vaddr` on, until control goes elsewhere or to what is already decoded. */
static void follow(struct explorer *explorer, uint64_t vaddr)
{
	struct part *part = find_part(explorer, vaddr);
	uint8_t mark = MARK_LEADER;

	while (part && !explorer->is_too_large) {
		uint8_t *marks = &part->marks[vaddr - part->range.start];
		struct itp_flow_instruction instruction;
		struct itp_flow_range range;
		struct step step;
		bool ends_block;

		if (*marks & MARK_DECODED) {
			*marks |= MARK_LEADER;
			return;
		}
		*marks |= MARK_DECODED | mark;
		range = part->range;
		instruction = itp_flow_code_decode(explorer->code, vaddr);
		step = take_instruction(explorer, range, &instruction);
		ends_block = instruction.kind != ITP_FLOW_PLAIN;
		part = NULL;
		if (step.next != NO_OFFSET) {
			vaddr += instruction.size;
			if (!itp_flow_range_holds(range, vaddr)) {
				vaddr = skip_padding(explorer, vaddr);
			}
			part = find_part(explorer, vaddr);
			step.next = part ? offset_of(explorer, vaddr) : NO_OFFSET;
			ends_block |= vaddr != instruction.vaddr + instruction.size;
			step.cause = part ? step.cause : ITP_FLOW_STRAY_JUMP;
		}
		g_array_append_val(explorer->steps, step);
		explorer->is_too_large |= explorer->steps->len >= MAX_INSTRUCTIONS;
		mark = ends_block ? MARK_LEADER : 0;
	}
}

/* Where an address of the function's own code is made, somebody may jump to it. */
static void enter_mentioned(struct explorer *explorer)
{
	for (guint i = 0; i < explorer->mentions->len; i++) {
		uint64_t vaddr = g_array_index(explorer->mentions, uint64_t, i);
		const struct part *part = known_part(explorer, vaddr);

		if (part && vaddr != part->range.start) {
			g_array_append_val(explorer->labels, vaddr);
			enter(explorer, vaddr);
			g_array_remove_index_fast(explorer->mentions, i--);
		}
	}
}

static void follow_all(struct explorer *explorer)
{
	do {
		while (explorer->waiting->len > 0 && !explorer->is_too_large) {
			guint last = explorer->waiting->len - 1;
			uint64_t vaddr = g_array_index(explorer->waiting, uint64_t, last);

			g_array_set_size(explorer->waiting, last);
			follow(explorer, vaddr);
		}
		enter_mentioned(explorer);
	} while (explorer->waiting->len > 0 && !explorer->is_too_large);
}

static gint compare_steps(gconstpointer a, gconstpointer b)
{
	const struct step *left = a;
	const struct step *right = b;

	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static bool is_leader(const struct explorer *explorer, const struct step *step)
{
	uint64_t vaddr = vaddr_of(explorer, step->offset);
	const struct part *part = known_part(explorer, vaddr);

	return part->marks[vaddr - part->range.start] & MARK_LEADER;
}

/* The last instruction of the block that begins with step i. Instructions can overlap: a jump may
 * skip a prefix. */
static guint block_end(const struct explorer *explorer, guint i)
{
	const struct step *steps = &g_array_index(explorer->steps, struct step, 0);

	while (steps[i].kind == ITP_FLOW_PLAIN && steps[i].cause == ITP_FLOW_KNOWN) {
		uint32_t next = steps[i].offset + steps[i].size;
		guint k = i + 1;

		while (k < explorer->steps->len && steps[k].offset < next) {
			k++;
		}
		if (k >= explorer->steps->len || steps[k].offset != steps[i].next ||
		    is_leader(explorer, &steps[k])) {
			break;
		}
		i = k;
	}
	return i;
}

static struct itp_flow_graph *new_graph(guint max_blocks)
{
	struct itp_flow_graph *graph = g_new0(struct itp_flow_graph, 1);

	graph->rows = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	graph->blocks = g_new0(struct itp_flow_block, (size_t)max_blocks + 2);
	return graph;
}

/* Number of the block that begins at `offset`, NO_OFFSET when there is none or for NO_OFFSET. */
static uint32_t block_at(const struct itp_flow_graph *graph, uint32_t offset)
{
	uint32_t i = itp_flow_graph_find(graph, offset);

	return i < graph->block_count && graph->blocks[i].start == offset ? i : NO_OFFSET;
}

static void add_edge(struct explorer *explorer, uint32_t from, uint32_t to)
{
	uint64_t edge = (uint64_t)from << 32 | to;

	if (to == NO_OFFSET) {
		return;
	}
	if (explorer->edges->len < MAX_EDGES) {
		g_array_append_val(explorer->edges, edge);
	} else {
		explorer->is_too_large = true;
	}
}

static void cut_into_blocks(struct explorer *explorer, struct itp_flow_graph *graph)
{
	const struct step *steps = &g_array_index(explorer->steps, struct step, 0);

	for (guint i = 0; i < explorer->steps->len; i++) {
		const struct step *last;

		if (!is_leader(explorer, &steps[i])) {
			continue;
		}
		last = &steps[block_end(explorer, i)];
		graph->blocks[graph->block_count++] = (struct itp_flow_block){
			.start = steps[i].offset,
			.size = last->offset + last->size - steps[i].offset,
			.kind = last->kind,
			.cause = last->cause,
		};
	}
}

static void add_jump_edges(struct explorer *explorer, const struct itp_flow_graph *graph,
			   uint32_t from, const struct step *last)
{
	const struct jump *jump = NULL;

	for (guint i = 0; i < explorer->jumps->len && !jump; i++) {
		const struct jump *candidate = &g_array_index(explorer->jumps, struct jump, i);

		jump = candidate->offset == last->offset ? candidate : NULL;
	}
	if (jump && jump->resolution == ITP_FLOW_UNRESOLVED) {
		graph->blocks[from].cause = ITP_FLOW_INDIRECT_JUMP;
	}
	for (guint i = 0; jump && i < jump->targets->len; i++) {
		uint64_t target = g_array_index(jump->targets, uint64_t, i);

		add_edge(explorer, from, block_at(graph, offset_of(explorer, target)));
	}
}

static void add_edges_of_steps(struct explorer *explorer, const struct itp_flow_graph *graph)
{
	const struct step *steps = &g_array_index(explorer->steps, struct step, 0);
	uint32_t block = 0;

	for (guint i = 0; i < explorer->steps->len; i++) {
		const struct step *last;

		if (!is_leader(explorer, &steps[i])) {
			continue;
		}
		last = &steps[block_end(explorer, i)];
		add_edge(explorer, block, block_at(graph, last->next));
		add_edge(explorer, block, block_at(graph, last->target));
		if (last->kind == ITP_FLOW_JUMP_INDIRECT) {
			add_jump_edges(explorer, graph, block, last);
		}
		block++;
	}
}

/* Blocks of `part`, from one that may begin before `range` to the last that touches it. */
static void add_landing(struct explorer *explorer, const struct itp_flow_graph *graph,
			const struct itp_flow_landing *landing)
{
	uint32_t pad = block_at(graph, offset_of(explorer, landing->pad));
	uint32_t begin = offset_of(explorer, landing->range.start);
	uint32_t end = offset_of(explorer, landing->range.end);
	uint32_t i = itp_flow_graph_find(graph, begin);

	while (i > 0 && graph->blocks[i - 1].start + graph->blocks[i - 1].size > begin) {
		i--;
	}
	for (; i < graph->block_count && graph->blocks[i].start < end; i++) {
		add_edge(explorer, i, pad);
	}
}

static void add_landing_edges(struct explorer *explorer, const struct itp_flow_graph *graph)
{
	for (guint i = 0; i < explorer->parts->len; i++) {
		const struct part *part = &g_array_index(explorer->parts, struct part, i);
		uint32_t begin = offset_of(explorer, part->range.start);
		uint32_t end = offset_of(explorer, part->range.end);

		for (guint k = 0; k < part->landings->len && !explorer->is_too_large; k++) {
			add_landing(explorer, graph,
				    &g_array_index(part->landings, struct itp_flow_landing, k));
		}
		for (uint32_t b = itp_flow_graph_find(graph, begin);
		     !part->has_known_landings && b < graph->block_count &&
		     graph->blocks[b].start < end;
		     b++) {
			graph->blocks[b].cause = ITP_FLOW_EXCEPTION_TABLE;
		}
	}
}

/* A block without code that all blocks lead to and that leads to all labels. */
static void add_label_edges(struct explorer *explorer, struct itp_flow_graph *graph)
{
	uint32_t middle = graph->block_count;

	if (explorer->labels->len == 0) {
		return;
	}
	graph->blocks[middle] = (struct itp_flow_block){ .start = NO_OFFSET };
	for (guint i = 0; i < explorer->labels->len; i++) {
		uint64_t label = g_array_index(explorer->labels, uint64_t, i);

		add_edge(explorer, middle, block_at(graph, offset_of(explorer, label)));
	}
	for (uint32_t i = 0; i < middle; i++) {
		add_edge(explorer, i, middle);
	}
	graph->block_count++;
}

static gint compare_edges(gconstpointer a, gconstpointer b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* The sorted edges, each once, as one list a block. */
static void set_successors(const struct explorer *explorer, struct itp_flow_graph *graph)
{
	uint32_t count = 0;
	uint32_t block = 0;

	graph->successors = g_new(uint32_t, explorer->edges->len + 1);
	for (guint i = 0; i < explorer->edges->len; i++) {
		uint64_t edge = g_array_index(explorer->edges, uint64_t, i);

		if (i > 0 && edge == g_array_index(explorer->edges, uint64_t, i - 1)) {
			continue;
		}
		while (block <= edge >> 32) {
			graph->blocks[block++].first_successor = count;
		}
		graph->successors[count++] = (uint32_t)edge;
	}
	while (block <= graph->block_count) {
		graph->blocks[block++].first_successor = count;
	}
	graph->successors = g_renew(uint32_t, graph->successors, count + 1);
	graph->blocks = g_renew(struct itp_flow_block, graph->blocks, graph->block_count + 1);
}

static struct itp_flow_graph *assemble(struct explorer *explorer)
{
	struct itp_flow_graph *graph = new_graph(explorer->steps->len);

	g_array_sort(explorer->steps, compare_steps);
	g_array_set_size(explorer->edges, 0);
	cut_into_blocks(explorer, graph);
	add_edges_of_steps(explorer, graph);
	add_landing_edges(explorer, graph);
	add_label_edges(explorer, graph);
	g_array_sort(explorer->edges, compare_edges);
	set_successors(explorer, graph);
	return graph;
}

/* Sets what `function` knows of how blocks are reached; the arrays belong to the caller. */
static void set_predecessors(const struct itp_flow_graph *graph, uint32_t *first,
			     uint32_t *predecessors)
{
	uint32_t total = graph->blocks[graph->block_count].first_successor;

	for (uint32_t i = 0; i < total; i++) {
		first[graph->successors[i] + 1]++;
	}
	for (uint32_t i = 0; i < graph->block_count; i++) {
		first[i + 1] += first[i];
	}
	/* Filled from the end of each list, which is where its beginning moves from. */
	for (uint32_t from = graph->block_count; from-- > 0;) {
		for (uint32_t i = graph->blocks[from].first_successor;
		     i < graph->blocks[from + 1].first_successor; i++) {
			predecessors[--first[graph->successors[i] + 1]] = from;
		}
	}
	memmove(first, first + 1, graph->block_count * sizeof(first[0]));
	first[graph->block_count] = total;
}

static void mark_entries(const struct explorer *explorer, const struct itp_flow_graph *graph,
			 uint8_t *entries)
{
	for (guint i = explorer->roots->len; i-- > 0;) {
		uint64_t root = g_array_index(explorer->roots, uint64_t, i);
		uint32_t block = block_at(graph, offset_of(explorer, root));

		if (block != NO_OFFSET) {
			entries[block] = i == 0 ? ITP_FLOW_ENTERED_BY_CALL :
						  ITP_FLOW_ENTERED_SOMEHOW;
		}
	}
	for (uint32_t i = 0; i < graph->block_count; i++) {
		if (graph->blocks[i].start == NO_OFFSET) {
			entries[i] = ITP_FLOW_ENTERED_SOMEHOW;
		}
	}
}

static bool same_targets(const GArray *left, const GArray *right)
{
	return left->len == right->len &&
	       (left->len == 0 ||
		memcmp(left->data, right->data, left->len * sizeof(uint64_t)) == 0);
}

/* Whether all targets of a table can be in the function; enters them. */
static bool enter_targets(struct explorer *explorer, const GArray *targets, uint64_t jump)
{
	const struct part *part = known_part(explorer, jump);

	for (guint i = 0; i < targets->len; i++) {
		uint64_t target = g_array_index(targets, uint64_t, i);

		if (itp_flow_code_jump(explorer->code, part->range, jump, target) !=
		    ITP_FLOW_JUMP_STAYS) {
			return false;
		}
	}
	for (guint i = 0; i < targets->len; i++) {
		enter(explorer, g_array_index(targets, uint64_t, i));
	}
	return true;
}

/* True when something is known now that was not before, or the other way round. */
static bool resolve(struct explorer *explorer, const struct itp_flow_function *function,
		    struct jump *jump)
{
	g_autoptr(GArray) targets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	enum itp_flow_resolution old = jump->resolution;
	enum itp_flow_resolution resolution;
	uint32_t block = itp_flow_graph_find(function->graph, jump->offset + 1) - 1;

	if (jump->is_given_up) {
		return false;
	}
	resolution = itp_flow_resolve_jump(function, block, targets);
	if (resolution == old && same_targets(targets, jump->targets)) {
		return false;
	}
	if (old != ITP_FLOW_UNRESOLVED ||
	    !enter_targets(explorer, targets, vaddr_of(explorer, jump->offset))) {
		jump->is_given_up = true;
		jump->resolution = ITP_FLOW_UNRESOLVED;
		g_array_set_size(jump->targets, 0);
		return old != ITP_FLOW_UNRESOLVED;
	}
	explorer->target_count += targets->len;
	explorer->is_too_large |= explorer->target_count > MAX_TARGETS;
	jump->resolution = resolution;
	g_array_append_vals(jump->targets, targets->data, targets->len);
	return true;
}

static bool resolve_all(struct explorer *explorer, const struct itp_flow_graph *graph)
{
	uint32_t edge_count = graph->blocks[graph->block_count].first_successor;
	g_autofree uint32_t *predecessors = g_new(uint32_t, (size_t)edge_count + 1);
	g_autofree uint32_t *first = g_new0(uint32_t, (size_t)graph->block_count + 2);
	g_autofree uint8_t *entries = g_new0(uint8_t, (size_t)graph->block_count + 1);
	const struct itp_flow_function function = {
		.code = explorer->code,
		.graph = graph,
		.predecessors = predecessors,
		.first_predecessor = first,
		.entries = entries,
		.parts = explorer->ranges,
		.has_labels = explorer->labels->len > 0,
		.budget = &explorer->resolve_steps,
	};
	bool has_changed = false;

	set_predecessors(graph, first, predecessors);
	mark_entries(explorer, graph, entries);
	for (guint i = 0; i < explorer->jumps->len; i++) {
		has_changed |= resolve(explorer, &function,
				       &g_array_index(explorer->jumps, struct jump, i));
	}
	return has_changed;
}

/* Resolutions that were not confirmed with the whole graph. */
static void give_up(struct explorer *explorer)
{
	for (guint i = 0; i < explorer->jumps->len; i++) {
		struct jump *jump = &g_array_index(explorer->jumps, struct jump, i);

		jump->resolution = ITP_FLOW_UNRESOLVED;
		g_array_set_size(jump->targets, 0);
	}
}

static struct itp_flow_graph *explore(struct explorer *explorer)
{
	struct itp_flow_graph *graph = NULL;
	bool has_changed = true;

	for (unsigned int round = 0; has_changed && !explorer->is_too_large; round++) {
		itp_flow_graph_free(graph);
		follow_all(explorer);
		graph = assemble(explorer);
		has_changed = explorer->jumps->len > 0 && round < MAX_ROUNDS &&
			      resolve_all(explorer, graph);
		if (round + 1 == MAX_ROUNDS) {
			give_up(explorer);
		}
	}
	if (explorer->is_too_large) {
		itp_flow_graph_free(graph);
		return NULL;
	}
	return graph;
}

struct itp_flow_graph *itp_flow_explore(const struct itp_flow_code *code, const GArray *roots,
					uint64_t *ret_step_count)
{
	struct itp_flow_graph *graph = NULL;
	struct explorer explorer;
	bool is_known = true;

	explorer_init(&explorer, code, roots);
	for (guint i = 0; i < roots->len; i++) {
		uint64_t root = g_array_index(roots, uint64_t, i);

		is_known = is_known && find_part(&explorer, root);
		enter(&explorer, root);
	}
	if (is_known) {
		graph = explore(&explorer);
	}
	*ret_step_count = explorer.steps->len + (MAX_RESOLVE_STEPS - explorer.resolve_steps);
	explorer_release(&explorer);
	return graph;
}
