/* SPDX-License-Identifier: MIT */
/*
 * See excess.h.
 */
#include "common/guard/excess.h"

#include "common/base/context-tree.h"
#include "common/guard/usual.h"

/* Contexts of all types, so that a server late for days in ever new ways does not fill the memory.
 * Stacks with further contexts count for their known functions only. */
#define NODES_MOST 16384
/* Callees of a context are told rather than itself if all of them have DEEPER_PART of its excess,
 * and the worst has as large a part, or DEEPER_PART_OF_ALL of all excess. */
#define DEEPER_PART 0.75
#define DEEPER_PART_OF_ALL 0.25

/* Sums of a context and all below. */
struct seen {
	int64_t total_ns;
	int64_t running_ns;
	uint64_t units;
	/* Number of the latest unit seen in the context. */
	uint64_t last_unit;
	/* Part of a usual unit's time in the context. */
	double usual_part;
};

struct late_type {
	guint loop;
	guint type;
	uint64_t units;
	/* Units with a stack. */
	uint64_t seen_units;
	int64_t taken_ns;
	int64_t seen_ns;
	/* Contexts, with the loop's function as the only outermost; struct seen by node. Owned by
	 * this. */
	struct itp_context_tree *tree;
	GArray *seen;
};

struct itp_guard_excess {
	/* Weak. */
	const struct itp_guard_file *file;
	const struct itp_function_table *functions;
	/* struct late_type. Owned by this. */
	GPtrArray *types;
	uint32_t nodes;
};

static void free_type(gpointer data)
{
	struct late_type *late = data;

	itp_context_tree_free(late->tree);
	g_array_unref(late->seen);
	g_free(late);
}

struct itp_guard_excess *itp_guard_excess_new(const struct itp_guard_file *file,
					      const struct itp_function_table *functions)
{
	struct itp_guard_excess *excess = g_new0(struct itp_guard_excess, 1);

	excess->file = file;
	excess->functions = functions;
	excess->types = g_ptr_array_new_with_free_func(free_type);
	return excess;
}

void itp_guard_excess_free(struct itp_guard_excess *excess)
{
	if (excess) {
		g_ptr_array_unref(excess->types);
		g_free(excess);
	}
}

int64_t itp_guard_typical_ns(const struct itp_guard_type *type)
{
	return type->median_ns > 0 ? type->median_ns : MAX(type->mean_ns, 0);
}

/* ---- Sightings ---- */

static struct late_type *type_of(struct itp_guard_excess *excess, guint loop, guint type)
{
	struct late_type *late;

	for (guint i = 0; i < excess->types->len; i++) {
		late = g_ptr_array_index(excess->types, i);
		if (late->loop == loop && late->type == type) {
			return late;
		}
	}
	late = g_new0(struct late_type, 1);
	late->loop = loop;
	late->type = type;
	late->tree = itp_context_tree_new();
	late->seen = g_array_new(FALSE, TRUE, sizeof(struct seen));
	g_array_set_size(late->seen, ITP_CONTEXT_ROOT + 1);
	g_ptr_array_add(excess->types, late);
	return late;
}

static const struct itp_guard_type *guarded_type(const struct itp_guard_excess *excess,
						 const struct late_type *late)
{
	return itp_guard_type_at(itp_guard_loop_at(excess->file, late->loop), late->type);
}

static const struct itp_function *function_by_id(const struct itp_guard_excess *excess, uint32_t id)
{
	return itp_function_table_get(excess->functions, id);
}

static struct seen *seen_at(const struct late_type *late, uint32_t node)
{
	return &g_array_index(late->seen, struct seen, node);
}

static double usual_part(const struct itp_guard_excess *excess, const struct late_type *late,
			 uint32_t node)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);

	itp_context_tree_path(late->tree, node, path);
	for (guint i = 1; i < path->len; i++) {
		const uint32_t id = g_array_index(path, uint32_t, i);

		g_ptr_array_add(keys, itp_guard_function_key(function_by_id(excess, id)));
	}
	return itp_guard_usual_part(guarded_type(excess, late)->usual, (char *const *)keys->pdata,
				    keys->len);
}

/* The context of `function` below `node`; ITP_CONTEXT_ROOT without room for another. */
static uint32_t context_below(struct itp_guard_excess *excess, struct late_type *late,
			      uint32_t node, uint32_t function)
{
	uint32_t child = itp_context_tree_find(late->tree, node, function);

	if (child == ITP_CONTEXT_ROOT && excess->nodes < NODES_MOST) {
		child = itp_context_tree_child(late->tree, node, function);
		g_array_set_size(late->seen, child + 1);
		seen_at(late, child)->usual_part = usual_part(excess, late, child);
		excess->nodes++;
	}
	return child;
}

static void note_time(struct late_type *late, uint32_t node, bool is_running, int64_t length_ns)
{
	struct seen *seen = seen_at(late, node);

	seen->total_ns += length_ns;
	seen->running_ns += is_running ? length_ns : 0;
	seen->units += seen->last_unit != late->units;
	seen->last_unit = late->units;
}

/* Functions of the kernel count for their system call. */
static void add_stack(struct itp_guard_excess *excess, struct late_type *late,
		      const struct itp_guard_seen *seen, int64_t length_ns)
{
	uint32_t node = ITP_CONTEXT_ROOT;

	for (guint i = itp_guard_loop_in(itp_guard_loop_at(excess->file, late->loop),
					 excess->functions, seen->stack);
	     i < seen->stack->len; i++) {
		const uint32_t id = g_array_index(seen->stack, uint32_t, i);

		if (function_by_id(excess, id)->layer != ITP_LAYER_KERNEL) {
			node = context_below(excess, late, node, id);
			if (node == ITP_CONTEXT_ROOT) {
				return;
			}
			note_time(late, node, seen->is_running, length_ns);
		}
	}
}

void itp_guard_excess_add(struct itp_guard_excess *excess, guint loop, guint type, int64_t taken_ns,
			  const struct itp_guard_seen *seen, guint count)
{
	struct late_type *late = type_of(excess, loop, type);
	int64_t before_ns = 0;

	late->units++;
	late->seen_units += count > 0;
	late->seen_ns += count > 0 ? taken_ns : 0;
	late->taken_ns += taken_ns;
	for (guint i = 0; i < count; i++) {
		const int64_t after_ns =
			i + 1 == count ? taken_ns : CLAMP(seen[i].after_ns, before_ns, taken_ns);

		add_stack(excess, late, &seen[i], after_ns - before_ns);
		before_ns = after_ns;
	}
}

/* ---- Explanation ---- */

/* A type in the course of its explanation. */
struct explaining {
	const struct late_type *late;
	int64_t typical_ns;
	bool is_usual_known;
	/* Excess of the units with a stack. */
	int64_t all_ns;
	/* int64_t by node: its excess, less the part already told. */
	GArray *left;
};

static int64_t usual_ns(const struct explaining *explaining, uint32_t node)
{
	return (int64_t)((double)explaining->typical_ns *
			 seen_at(explaining->late, node)->usual_part);
}

static int64_t *left_at(const struct explaining *explaining, uint32_t node)
{
	return &g_array_index(explaining->left, int64_t, node);
}

static uint32_t parent_of_node(const struct explaining *explaining, uint32_t node)
{
	return itp_context_tree_get(explaining->late->tree, node)->parent;
}

static int64_t excess_of(int64_t taken_ns, uint64_t units, int64_t typical_ns)
{
	return MAX(taken_ns - (int64_t)units * typical_ns, 0);
}

static void explaining_init(struct explaining *explaining, const struct itp_guard_excess *excess,
			    const struct late_type *late)
{
	const struct itp_guard_type *type = guarded_type(excess, late);
	const int64_t seen_units = (int64_t)late->seen_units;

	*explaining = (struct explaining){
		.late = late,
		.typical_ns = itp_guard_typical_ns(type),
		.is_usual_known = type->usual && type->usual->len > 0,
		.left = g_array_new(FALSE, TRUE, sizeof(int64_t)),
	};
	explaining->all_ns = excess_of(late->seen_ns, late->seen_units, explaining->typical_ns);
	g_array_set_size(explaining->left, late->seen->len);
	for (uint32_t node = ITP_CONTEXT_ROOT + 1; node < late->seen->len; node++) {
		*left_at(explaining, node) =
			MIN(seen_at(late, node)->total_ns - seen_units * usual_ns(explaining, node),
			    explaining->all_ns);
	}
}

/* The callee of `node` with most excess, ITP_CONTEXT_ROOT for none; *ret_ns is the excess of all
 * its callees. */
static uint32_t worst_child(const struct explaining *explaining, uint32_t node, int64_t *ret_ns)
{
	uint32_t worst = ITP_CONTEXT_ROOT;

	*ret_ns = 0;
	for (uint32_t child = node + 1; child < explaining->left->len; child++) {
		const int64_t left_ns = *left_at(explaining, child);

		if (parent_of_node(explaining, child) != node || left_ns <= 0) {
			continue;
		}
		*ret_ns += left_ns;
		if (worst == ITP_CONTEXT_ROOT || left_ns > *left_at(explaining, worst)) {
			worst = child;
		}
	}
	return worst;
}

/* True when the reason is to be looked for below `node`; `child` is its worst callee. */
static bool is_deeper(const struct explaining *explaining, uint32_t node, uint32_t child,
		      int64_t children_ns)
{
	const double own_ns = (double)*left_at(explaining, node);
	const double child_ns = (double)*left_at(explaining, child);

	return child != ITP_CONTEXT_ROOT && (double)children_ns >= DEEPER_PART * own_ns &&
	       child_ns >=
		       MIN(DEEPER_PART * own_ns, DEEPER_PART_OF_ALL * (double)explaining->all_ns);
}

/* The deepest context with most of the excess; ITP_CONTEXT_ROOT for none. */
static uint32_t worst_context(const struct explaining *explaining)
{
	int64_t children_ns;
	uint32_t node = worst_child(explaining, ITP_CONTEXT_ROOT, &children_ns);
	uint32_t child = node;

	while (child != ITP_CONTEXT_ROOT) {
		node = child;
		child = worst_child(explaining, node, &children_ns);
		child = is_deeper(explaining, node, child, children_ns) ? child : ITP_CONTEXT_ROOT;
	}
	return node;
}

/* Takes excess that was told from the context's callers, and its callees out of the search. */
static void take_away(const struct explaining *explaining, uint32_t node)
{
	const int64_t told_ns = *left_at(explaining, node);

	for (uint32_t below = node + 1; below < explaining->left->len; below++) {
		if (*left_at(explaining, parent_of_node(explaining, below)) == INT64_MIN ||
		    parent_of_node(explaining, below) == node) {
			*left_at(explaining, below) = INT64_MIN;
		}
	}
	for (uint32_t at = node; at != ITP_CONTEXT_ROOT; at = parent_of_node(explaining, at)) {
		*left_at(explaining, at) -= told_ns;
	}
}

static void clear_reason(gpointer data)
{
	g_array_unref(((struct itp_guard_reason *)data)->path);
}

static struct itp_guard_reason reason_of(const struct explaining *explaining, uint32_t node)
{
	const struct seen *seen = seen_at(explaining->late, node);
	struct itp_guard_reason reason = {
		.path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.excess_ns = *left_at(explaining, node),
		.part = (double)*left_at(explaining, node) / (double)explaining->all_ns,
		.units = seen->units,
		.seen_ns = seen->total_ns,
		.running = (double)seen->running_ns / (double)MAX(seen->total_ns, 1),
		.usual_ns = explaining->is_usual_known ? usual_ns(explaining, node) : -1,
	};

	itp_context_tree_path(explaining->late->tree, node, reason.path);
	return reason;
}

/* Reasons, the largest first. Stacks without the loop explain nothing, so parts may sum up to less
 * than 1. */
static GArray *find_reasons(const struct explaining *explaining)
{
	const double least_ns = ITP_GUARD_REASON_LEAST * (double)explaining->all_ns;
	GArray *reasons = g_array_new(FALSE, FALSE, sizeof(struct itp_guard_reason));
	int64_t unexplained_ns = explaining->all_ns;
	uint32_t node = worst_context(explaining);

	g_array_set_clear_func(reasons, clear_reason);
	while (node != ITP_CONTEXT_ROOT && reasons->len < ITP_GUARD_REASONS_MOST) {
		struct itp_guard_reason reason;

		/* The rest may have taken less than usual. */
		*left_at(explaining, node) = MIN(*left_at(explaining, node), unexplained_ns);
		if (*left_at(explaining, node) <= 0 ||
		    (double)*left_at(explaining, node) < least_ns) {
			break;
		}
		reason = reason_of(explaining, node);
		unexplained_ns -= reason.excess_ns;
		g_array_append_val(reasons, reason);
		take_away(explaining, node);
		node = worst_context(explaining);
	}
	return reasons;
}

static struct itp_guard_excess_of_type explain(const struct itp_guard_excess *excess,
					       const struct late_type *late)
{
	struct itp_guard_excess_of_type told = { .loop = late->loop,
						 .type = late->type,
						 .units = late->units,
						 .taken_ns = late->taken_ns,
						 .seen_units = late->seen_units };
	struct explaining explaining;

	explaining_init(&explaining, excess, late);
	told.excess_ns = excess_of(late->taken_ns, late->units, explaining.typical_ns);
	told.seen_excess_ns = explaining.all_ns;
	told.reasons = find_reasons(&explaining);
	g_array_unref(explaining.left);
	return told;
}

static void clear_told(gpointer data)
{
	g_array_unref(((struct itp_guard_excess_of_type *)data)->reasons);
}

static gint compare_told(gconstpointer a, gconstpointer b)
{
	const struct itp_guard_excess_of_type *left = a;
	const struct itp_guard_excess_of_type *right = b;

	if (left->excess_ns != right->excess_ns) {
		return left->excess_ns < right->excess_ns ? 1 : -1;
	}
	return left->loop != right->loop ? (left->loop > right->loop) - (left->loop < right->loop) :
					   (left->type > right->type) - (left->type < right->type);
}

GArray *itp_guard_excess_explain(const struct itp_guard_excess *excess)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct itp_guard_excess_of_type));

	g_array_set_clear_func(all, clear_told);
	for (guint i = 0; i < excess->types->len; i++) {
		const struct itp_guard_excess_of_type told =
			explain(excess, g_ptr_array_index(excess->types, i));

		g_array_append_val(all, told);
	}
	g_array_sort(all, compare_told);
	return all;
}
