/* SPDX-License-Identifier: MIT */
/*
 * A graph for each function asked about, and a table of recent answers before them.
 *
 * A graph begins at the function's begin. A point beyond it, reached only by a jump that is not
 * understood, becomes a second beginning, and the graph is made again; no answer changes, as only
 * blocks reached from the point count.
 */
#include "common/control-flow/control-flow.h"

#include "common/base/hash.h"
#include "common/control-flow/call.h"
#include "common/control-flow/code.h"
#include "common/control-flow/explore.h"

/* Of graphs; when exceeded all of them are forgotten. */
#define MAX_GRAPH_BYTES (24u * 1024 * 1024)
/* How a graph and its place in the table of functions are accounted for beyond their content. */
#define FUNCTION_BYTES 512
/* Most points of a function beyond the reach of its graph. */
#define MAX_ROOTS 64
/* New functions after which the memory of the mapped file is given back: code with a graph is
 * hardly looked at again. */
#define FORGET_FUNCTIONS 8
/* Most functions whose cause is remembered. */
#define MAX_COUNTED (512u * 1024)
/* How many instructions of a file are looked at, beyond which nothing new is known: each byte of
 * code a few times, and some more for small files. Real files are looked at about once. */
#define STEPS_PER_BYTE 4
#define MIN_STEPS (4u * 1024 * 1024)
/* Functions reached by jumps in the end, before nothing is said of them. */
#define MAX_TAIL_CALLS 256
/* 320 KiB. */
#define RECENT_BITS 13

struct function {
	/* uint64_t: begins of the graph. Owned by this. */
	GArray *roots;
	/* Graph; NULL when too large. Owned by this. */
	struct itp_flow_graph *graph;
};

enum question {
	CAN_REACH,
	MAY_AVOID,
	MAY_JUMP_AWAY,
	ALWAYS_CALLS,
};

/* Answer to a question; `to` is 0 where none was given. */
struct recent {
	uint64_t from;
	uint64_t to;
	uint8_t question;
	/* enum itp_flow_answer, or a bool. */
	uint8_t answer;
	bool is_used;
	bool is_from_behind_call;
	bool is_to_behind_call;
};

struct itp_control_flow {
	struct itp_flow_code code;
	/* Of the beginning of a function to its struct function. Owned by this. */
	GHashTable *functions;
	/* Begin of a function to its enum itp_flow_cause, also of forgotten functions. Owned by
	 * this. */
	GHashTable *causes;
	size_t graph_bytes;
	uint64_t steps_left;
	struct itp_flow_counts counts;
	struct recent recent[1u << RECENT_BITS];
};

static void free_function(gpointer data)
{
	struct function *function = data;

	itp_flow_graph_free(function->graph);
	g_array_unref(function->roots);
	g_free(function);
}

struct itp_control_flow *itp_control_flow_new(const struct itp_elf_symbols *symbols)
{
	struct itp_control_flow *flow = g_new0(struct itp_control_flow, 1);

	if (!itp_flow_code_init(&flow->code, symbols)) {
		g_free(flow);
		return NULL;
	}
	flow->steps_left =
		MIN_STEPS + STEPS_PER_BYTE * (flow->code.range.end - flow->code.range.start);
	flow->functions = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_function);
	flow->causes = g_hash_table_new(itp_hash_number, NULL);
	return flow;
}

void itp_control_flow_free(struct itp_control_flow *flow)
{
	if (!flow) {
		return;
	}
	g_hash_table_destroy(flow->functions);
	g_hash_table_destroy(flow->causes);
	itp_flow_code_release(&flow->code);
	g_free(flow);
}

/* Counts the function that begins at `key` once, by its latest cause. */
static void count_cause(struct itp_control_flow *flow, gpointer key,
			const struct itp_flow_graph *graph)
{
	enum itp_flow_cause cause = graph ? itp_flow_graph_cause(graph) : ITP_FLOW_TOO_LARGE;
	gpointer old;

	if (g_hash_table_lookup_extended(flow->causes, key, NULL, &old)) {
		flow->counts.functions[GPOINTER_TO_INT(old)]--;
	} else if (g_hash_table_size(flow->causes) >= MAX_COUNTED) {
		return;
	}
	g_hash_table_insert(flow->causes, key, GINT_TO_POINTER(cause));
	flow->counts.functions[cause]++;
}

static void make_graph(struct itp_control_flow *flow, gpointer key, struct function *function)
{
	uint64_t step_count = 0;

	if (function->graph) {
		flow->graph_bytes -= itp_flow_graph_bytes(function->graph);
		itp_flow_graph_free(function->graph);
	}
	function->graph = flow->steps_left > 0 ?
				  itp_flow_explore(&flow->code, function->roots, &step_count) :
				  NULL;
	flow->steps_left -= MIN(step_count, flow->steps_left);
	if (function->graph) {
		flow->graph_bytes += itp_flow_graph_bytes(function->graph);
	}
	count_cause(flow, key, function->graph);
	if (g_hash_table_size(flow->causes) % FORGET_FUNCTIONS == 0) {
		itp_elf_symbols_forget(flow->code.symbols);
	}
}

static struct function *find_function(struct itp_control_flow *flow, uint64_t start)
{
	gpointer key = GSIZE_TO_POINTER(start);
	struct function *function = g_hash_table_lookup(flow->functions, key);

	if (function) {
		return function;
	}
	if (flow->graph_bytes > MAX_GRAPH_BYTES) {
		g_hash_table_remove_all(flow->functions);
		flow->graph_bytes = 0;
	}
	function = g_new0(struct function, 1);
	function->roots = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_array_append_val(function->roots, start);
	make_graph(flow, key, function);
	g_hash_table_insert(flow->functions, key, function);
	flow->graph_bytes += FUNCTION_BYTES;
	return function;
}

/* Adds the instructions possible at `point` to the beginnings of a graph. False when there are
 * none, or too many. */
static bool add_roots(const struct itp_control_flow *flow, GArray *roots,
		      struct itp_flow_point point)
{
	guint before = roots->len;

	if (roots->len >= MAX_ROOTS ||
	    (flow->code.patches &&
	     itp_flow_patches_hold(flow->code.patches, point.vaddr - point.is_behind_call))) {
		return false;
	}
	if (!point.is_behind_call) {
		g_array_append_val(roots, point.vaddr);
		return true;
	}
	for (uint64_t size = ITP_FLOW_MIN_CALL_BYTES; size <= ITP_FLOW_MAX_CALL_BYTES; size++) {
		uint64_t vaddr = point.vaddr - size;
		struct itp_flow_instruction instruction = itp_flow_code_decode(&flow->code, vaddr);

		if (instruction.size == size &&
		    itp_flow_is_call((enum itp_flow_kind)instruction.kind)) {
			g_array_append_val(roots, vaddr);
		}
	}
	return roots->len > before;
}

/* Makes the graph of `function` larger if it does not hold `point`. */
static void locate(struct itp_control_flow *flow, uint64_t start, struct function *function,
		   struct itp_flow_point point)
{
	if (function->graph && itp_flow_blocks_of(&flow->code, function->graph, point).count == 0 &&
	    add_roots(flow, function->roots, point)) {
		make_graph(flow, GSIZE_TO_POINTER(start), function);
	}
}

/* True when control comes from `from` to `to` inside of a single block. */
static bool is_ahead(struct itp_flow_point from, struct itp_flow_point to)
{
	return !from.is_behind_call && (to.is_behind_call || to.vaddr >= from.vaddr);
}

static enum itp_flow_answer ask_graph(struct itp_control_flow *flow, struct itp_flow_graph *graph,
				      const struct itp_flow_blocks *sources,
				      const struct itp_flow_blocks *goals,
				      struct itp_flow_point from, struct itp_flow_point to)
{
	bool is_complete = true;

	for (uint32_t i = 0; i < sources->count; i++) {
		for (uint32_t k = 0; k < goals->count; k++) {
			uint32_t source = sources->numbers[i];
			uint32_t goal = goals->numbers[k];
			bool is_row_complete;

			if ((source == goal && is_ahead(from, to)) ||
			    itp_flow_graph_reaches(graph, source, goal, &is_row_complete,
						   &flow->graph_bytes)) {
				return ITP_FLOW_REACHES;
			}
			is_complete &= is_row_complete;
		}
	}
	return is_complete ? ITP_FLOW_NEVER : ITP_FLOW_UNKNOWN;
}

/* Function of `point`, with a graph that holds it, if there can be one; NULL without a function. */
static struct function *function_of_point(struct itp_control_flow *flow,
					  struct itp_flow_point point)
{
	struct itp_flow_range part;
	struct function *function;
	uint64_t start;

	if (!itp_flow_code_part(&flow->code, point.vaddr - point.is_behind_call, &part)) {
		return NULL;
	}
	start = itp_flow_code_home(&flow->code, part);
	function = find_function(flow, start);
	locate(flow, start, function, point);
	return function;
}

static enum itp_flow_answer work_out(struct itp_control_flow *flow, struct itp_flow_point from,
				     struct itp_flow_point to)
{
	struct function *function;
	struct itp_flow_blocks sources;
	struct itp_flow_blocks goals;

	if (!itp_flow_range_holds(flow->code.range, to.vaddr - to.is_behind_call)) {
		return ITP_FLOW_UNKNOWN;
	}
	function = function_of_point(flow, from);
	if (!function) {
		return ITP_FLOW_UNKNOWN;
	}
	/* Enlarges the graph before numbers of blocks are used, as they change with it. */
	locate(flow, g_array_index(function->roots, uint64_t, 0), function, to);
	if (!function->graph) {
		return ITP_FLOW_UNKNOWN;
	}
	sources = itp_flow_blocks_of(&flow->code, function->graph, from);
	goals = itp_flow_blocks_of(&flow->code, function->graph, to);
	/* A return address without a call in front of it was put there by somebody else. */
	if (sources.count == 0 || goals.count == 0) {
		return ITP_FLOW_UNKNOWN;
	}
	return ask_graph(flow, function->graph, &sources, &goals, from, to);
}

/* Slot of the answer, or for it if its member is_used is false. */
static struct recent *find_recent(struct itp_control_flow *flow, enum question question,
				  struct itp_flow_point from, struct itp_flow_point to)
{
	uint64_t mixed = (from.vaddr * 2 + from.is_behind_call) * UINT64_C(0x9e3779b97f4a7c15);
	struct recent *recent;

	/* A pair of points is asked about in several ways, one after the other. */
	mixed = (mixed + question) ^ (to.vaddr * 2 + to.is_behind_call);
	mixed *= UINT64_C(0x9e3779b97f4a7c15);
	recent = &flow->recent[mixed >> (64 - RECENT_BITS)];
	if (!recent->is_used || recent->question != question || recent->from != from.vaddr ||
	    recent->to != to.vaddr || recent->is_from_behind_call != from.is_behind_call ||
	    recent->is_to_behind_call != to.is_behind_call) {
		*recent = (struct recent){
			.from = from.vaddr,
			.to = to.vaddr,
			.question = (uint8_t)question,
			.is_from_behind_call = from.is_behind_call,
			.is_to_behind_call = to.is_behind_call,
		};
	}
	return recent;
}

enum itp_flow_answer itp_control_flow_ask(struct itp_control_flow *flow, struct itp_flow_point from,
					  struct itp_flow_point to)
{
	struct recent *recent = find_recent(flow, CAN_REACH, from, to);

	if (!recent->is_used) {
		recent->answer = (uint8_t)work_out(flow, from, to);
		recent->is_used = true;
	}
	flow->counts.answers[recent->answer]++;
	return (enum itp_flow_answer)recent->answer;
}

/* Appends to *heads, of uint64_t, begins of the functions to which `graph` jumps in the blocks
 * `exits`. False when not all of them are known. */
static bool add_heads(const struct itp_control_flow *flow, const struct itp_flow_graph *graph,
		      const GArray *exits, GArray *heads)
{
	bool is_known = true;

	for (guint i = 0; is_known && i < exits->len; i++) {
		const struct itp_flow_block *block =
			&graph->blocks[g_array_index(exits, uint32_t, i)];
		uint64_t target = itp_flow_jump_target(&flow->code, block);
		struct itp_flow_range part;
		uint64_t head;

		is_known = target != 0 && itp_flow_code_part(&flow->code, target, &part);
		head = is_known ? itp_flow_code_home(&flow->code, part) : 0;
		g_array_append_val(heads, head);
	}
	return is_known;
}

static uint32_t first_block(const struct itp_control_flow *flow, const struct function *function)
{
	uint64_t start = g_array_index(function->roots, uint64_t, 0);

	return itp_flow_graph_find(function->graph, (uint32_t)(start - flow->code.range.start));
}

/* True when no call of the function at `head` ends, as of a function that ends the thread. False
 * when unknown. */
static bool never_ends(struct itp_control_flow *flow, uint64_t head)
{
	static const struct itp_flow_blocks none;
	g_autoptr(GArray) exits = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const struct function *function = find_function(flow, head);

	return function->graph &&
	       !itp_flow_graph_may_avoid(function->graph, first_block(flow, function), &none, &none,
					 exits) &&
	       exits->len == 0;
}

static bool work_out_avoidance(struct itp_control_flow *flow, struct itp_flow_point site,
			       const struct itp_flow_point *to)
{
	g_autoptr(GArray) exits = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) heads = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	struct function *function = function_of_point(flow, site);
	struct itp_flow_blocks goals = { .count = 0 };
	struct itp_flow_blocks walls;
	bool may;

	if (!function) {
		return true;
	}
	if (to) {
		locate(flow, g_array_index(function->roots, uint64_t, 0), function, *to);
	}
	if (!function->graph) {
		return true;
	}
	if (to) {
		goals = itp_flow_blocks_of(&flow->code, function->graph, *to);
	}
	walls = itp_flow_blocks_of(&flow->code, function->graph, site);
	if (walls.count == 0 || (to && goals.count == 0)) {
		return true;
	}
	may = itp_flow_graph_may_avoid(function->graph, first_block(flow, function), &walls, &goals,
				       exits) ||
	      !add_heads(flow, function->graph, exits, heads);
	for (guint i = 0; !may && i < heads->len; i++) {
		may = !never_ends(flow, g_array_index(heads, uint64_t, i));
	}
	return may;
}

bool itp_control_flow_may_avoid(struct itp_control_flow *flow, struct itp_flow_point site,
				const struct itp_flow_point *to)
{
	struct itp_flow_point end = { .vaddr = 0 };
	struct recent *recent = find_recent(flow, MAY_AVOID, site, to ? *to : end);

	if (!recent->is_used) {
		recent->answer = work_out_avoidance(flow, site, to);
		recent->is_used = true;
	}
	return recent->answer;
}

/* Appends to *heads, of uint64_t, begins of the functions to which the function of `point` may jump
 * from there on. False when not all of them are known. */
static bool find_jumps_away(struct itp_control_flow *flow, struct itp_flow_point point,
			    GArray *heads)
{
	g_autoptr(GArray) exits = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct function *function = function_of_point(flow, point);
	struct itp_flow_blocks sources;
	bool is_known;

	if (!function || !function->graph) {
		return false;
	}
	sources = itp_flow_blocks_of(&flow->code, function->graph, point);
	is_known = sources.count > 0;
	for (uint32_t i = 0; i < sources.count; i++) {
		is_known &= itp_flow_graph_exits(function->graph, sources.numbers[i], exits,
						 &flow->graph_bytes);
	}
	return is_known && add_heads(flow, function->graph, exits, heads);
}

/* Removes heads from number `from` on that are in *seen, and adds the others to it. False when
 * there are too many. */
static bool add_new(GHashTable *seen, GArray *heads, guint from)
{
	guint kept = from;

	for (guint i = from; i < heads->len; i++) {
		uint64_t head = g_array_index(heads, uint64_t, i);

		if (g_hash_table_add(seen, GSIZE_TO_POINTER(head))) {
			g_array_index(heads, uint64_t, kept++) = head;
		}
	}
	g_array_set_size(heads, kept);
	return kept <= MAX_TAIL_CALLS;
}

/* True when the graph of the function of `from` goes on into the function of `to`: functions
 * written by hand share common code. */
static bool runs_into(struct itp_control_flow *flow, struct itp_flow_point from,
		      struct itp_flow_point to)
{
	const struct function *function = function_of_point(flow, from);

	return function && function->graph &&
	       itp_flow_blocks_of(&flow->code, function->graph, to).count > 0;
}

static bool follow_jumps_away(struct itp_control_flow *flow, struct itp_flow_point from,
			      const struct itp_flow_point *to)
{
	g_autoptr(GArray) heads = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autoptr(GHashTable) seen = g_hash_table_new(itp_hash_number, NULL);
	struct function *goal = to ? function_of_point(flow, *to) : NULL;
	uint64_t goal_head = goal ? g_array_index(goal->roots, uint64_t, 0) : 0;

	if (to && !goal) {
		return true;
	}
	for (guint next = 0;; next++) {
		guint before = heads->len;

		if (!find_jumps_away(flow, from, heads) || !add_new(seen, heads, before) ||
		    (to && runs_into(flow, from, *to))) {
			return true;
		}
		if (next == heads->len) {
			return goal && g_hash_table_contains(seen, GSIZE_TO_POINTER(goal_head));
		}
		from = (struct itp_flow_point){ .vaddr = g_array_index(heads, uint64_t, next) };
	}
}

bool itp_control_flow_may_jump_away(struct itp_control_flow *flow, struct itp_flow_point from,
				    const struct itp_flow_point *to)
{
	const struct itp_flow_point elsewhere = { .vaddr = 0 };
	struct recent *recent = find_recent(flow, MAY_JUMP_AWAY, from, to ? *to : elsewhere);

	if (!recent->is_used) {
		recent->answer = follow_jumps_away(flow, from, to);
		recent->is_used = true;
	}
	return recent->answer;
}

const char *itp_control_flow_linked_name(struct itp_control_flow *flow, struct itp_flow_point site)
{
	struct itp_flow_instruction call;

	return itp_flow_call_before(&flow->code, site.vaddr, &call) ?
		       itp_flow_call_name(&flow->code, &call) :
		       NULL;
}

/* A library calls its own functions by name, too. */
static bool work_out_callee(const struct itp_control_flow *flow, struct itp_flow_point site,
			    struct itp_flow_point callee)
{
	const struct itp_elf_symbols *symbols = flow->code.symbols;
	struct itp_elf_function function =
		itp_elf_symbols_find(symbols, callee.vaddr - callee.is_behind_call);
	struct itp_flow_instruction call;
	const char *name;

	if (!itp_flow_call_before(&flow->code, site.vaddr, &call)) {
		return false;
	}
	name = itp_flow_call_name(&flow->code, &call);
	if (name) {
		return itp_elf_image_exports(&symbols->image, name, function.start);
	}
	return call.kind == ITP_FLOW_CALL &&
	       itp_elf_symbols_find(symbols, call.target).start == function.start;
}

bool itp_control_flow_always_calls(struct itp_control_flow *flow, struct itp_flow_point site,
				   struct itp_flow_point callee)
{
	struct recent *recent = find_recent(flow, ALWAYS_CALLS, site, callee);

	if (!recent->is_used) {
		recent->answer = work_out_callee(flow, site, callee);
		recent->is_used = true;
	}
	return recent->answer;
}

struct itp_flow_counts itp_control_flow_counts(const struct itp_control_flow *flow)
{
	return flow->counts;
}

size_t itp_control_flow_bytes(const struct itp_control_flow *flow)
{
	/* A table of GLib has two pointers and a hash for each entry, and is half empty. */
	const size_t entry_bytes = 2 * (2 * sizeof(gpointer) + sizeof(guint));

	return sizeof(*flow) + flow->graph_bytes +
	       entry_bytes *
		       (g_hash_table_size(flow->causes) + g_hash_table_size(flow->code.callees)) +
	       itp_flow_imports_bytes(flow->code.imports) +
	       (flow->code.patches ? itp_flow_patches_bytes(flow->code.patches) : 0);
}
