/* SPDX-License-Identifier: MIT */
/*
 * The call graph in callgrind's format, version 1: for each function its own latency, and for each
 * of its callees number and time of the calls. There is no source, so lines are 0; both the "file"
 * and the object of a function are its module.
 *
 * A function called inside of itself becomes another, NAME'2 and so on, as in callgrind's own
 * files: no time is counted twice in the sums of a function.
 */
#include "common/render/export/writers.h"

#include <inttypes.h>

#include "common/base/hash.h"
#include "common/base/labels.h"

enum {
	SUSPECT,
	BASE,
	SIDE_COUNT
};

/* Function, so many times inside of itself. */
struct entry {
	uint32_t function;
	uint32_t level;
	int64_t own_ns[SIDE_COUNT];
	/* struct edge; NULL: no callees. Owned by this. */
	GArray *edges;
};

struct edge {
	/* Index of an entry. */
	uint32_t callee;
	uint64_t calls;
	int64_t total_ns[SIDE_COUNT];
};

struct callgrind {
	const struct itp_export_tree *tree;
	FILE *stream;
	/* struct entry. Owned by this. */
	GArray *entries;
	/* 1 + index of the entry of a function and a level, and of the edge between two entries. */
	GHashTable *entry_of;
	GHashTable *edge_of;
	/* By node. Owned by this. */
	uint32_t *entry_of_node;
	/* Names that were written already, as callgrind's numbers stand for them. By entry, and by
	 * module's name. */
	bool *is_named;
	GHashTable *modules;
};

static uint32_t level_of(const struct callgrind *callgrind, uint32_t node)
{
	const struct itp_context_tree *contexts = callgrind->tree->contexts;
	const struct itp_context *context = itp_context_tree_get(contexts, node);
	uint32_t function = context->function;
	uint32_t level = 0;

	while (context->parent != ITP_CONTEXT_ROOT) {
		context = itp_context_tree_get(contexts, context->parent);
		level += context->function == function;
	}
	return level;
}

/* Index in `table` under two numbers; the next one, `size`, when new. */
static uint32_t find_index(GHashTable *table, uint32_t high, uint32_t low, guint size)
{
	gpointer key = itp_pair(high, low);
	guint index = GPOINTER_TO_UINT(g_hash_table_lookup(table, key));

	if (index == 0) {
		index = size + 1;
		g_hash_table_insert(table, key, GUINT_TO_POINTER(index));
	}
	return index - 1;
}

static struct entry *entry_at_index(const struct callgrind *callgrind, uint32_t index)
{
	return &g_array_index(callgrind->entries, struct entry, index);
}

static uint32_t find_entry(struct callgrind *callgrind, uint32_t node)
{
	struct entry entry = {
		.function = itp_context_tree_get(callgrind->tree->contexts, node)->function,
		.level = level_of(callgrind, node),
	};
	uint32_t index = find_index(callgrind->entry_of, entry.function, entry.level,
				    callgrind->entries->len);

	if (index == callgrind->entries->len) {
		g_array_append_val(callgrind->entries, entry);
	}
	return index;
}

static struct edge *find_edge(struct callgrind *callgrind, uint32_t caller, uint32_t callee)
{
	struct entry *entry = entry_at_index(callgrind, caller);
	struct edge edge = { .callee = callee };
	uint32_t index;

	if (!entry->edges) {
		entry->edges = g_array_new(FALSE, FALSE, sizeof(struct edge));
	}
	index = find_index(callgrind->edge_of, caller, callee, entry->edges->len);
	if (index == entry->edges->len) {
		g_array_append_val(entry->edges, edge);
	}
	return &g_array_index(entry->edges, struct edge, index);
}

/* Sums of a node with all below it, as far as shown. */
static int64_t *sum_totals(const struct itp_export_tree *tree, const struct itp_profile *profile)
{
	uint32_t node_count = itp_context_tree_size(tree->contexts);
	int64_t *total_ns = g_new0(int64_t, node_count);

	for (uint32_t node = node_count - 1; node > ITP_CONTEXT_ROOT; node--) {
		total_ns[node] += itp_export_own_ns(profile, node);
		total_ns[itp_context_tree_get(tree->contexts, node)->parent] += total_ns[node];
	}
	return total_ns;
}

static void add_node_costs(struct callgrind *callgrind, uint32_t node,
			   const int64_t *const *total_ns)
{
	const struct itp_export_tree *tree = callgrind->tree;
	uint32_t parent = itp_context_tree_get(tree->contexts, node)->parent;
	uint32_t index = find_entry(callgrind, node);
	struct entry *entry = entry_at_index(callgrind, index);
	struct edge *edge;

	callgrind->entry_of_node[node] = index;
	entry->own_ns[SUSPECT] += itp_export_own_ns(tree->suspect, node);
	entry->own_ns[BASE] += itp_export_own_ns(tree->base, node);
	if (parent != ITP_CONTEXT_ROOT) {
		edge = find_edge(callgrind, callgrind->entry_of_node[parent], index);
		edge->calls += itp_profile_peek(tree->suspect, node)->count;
		edge->total_ns[SUSPECT] += total_ns[SUSPECT][node];
		edge->total_ns[BASE] += total_ns[BASE][node];
	}
}

static void write_module(struct callgrind *callgrind, const char *prefix, const char *module)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(callgrind->modules, module));
	g_autofree char *label = NULL;

	if (number > 0) {
		fprintf(callgrind->stream, "%sob=(%u)\n%sfl=(%u)\n", prefix, number, prefix,
			number);
		return;
	}
	number = g_hash_table_size(callgrind->modules) + 1;
	g_hash_table_insert(callgrind->modules, (gpointer)module, GUINT_TO_POINTER(number));
	label = itp_label_clean(module[0] == '\0' ? "???" : module);
	fprintf(callgrind->stream, "%sob=(%u) %s\n%sfl=(%u) %s\n", prefix, number, label, prefix,
		number, label);
}

/* Writes a function, with a prefix, "c", for a callee. */
static void write_function(struct callgrind *callgrind, const char *prefix, uint32_t index)
{
	const struct entry *entry = entry_at_index(callgrind, index);
	const struct itp_function *function =
		itp_function_table_get(callgrind->tree->functions, entry->function);

	write_module(callgrind, prefix, function->module);
	fprintf(callgrind->stream, "%sfn=(%" PRIu32 ")", prefix, index + 1);
	if (!callgrind->is_named[index]) {
		g_autofree char *label = itp_label_function(function);

		callgrind->is_named[index] = true;
		fprintf(callgrind->stream, " %s", label);
		if (entry->level > 0) {
			fprintf(callgrind->stream, "'%" PRIu32, entry->level + 1);
		}
	}
	fputs("\n", callgrind->stream);
}

static void write_costs(const struct callgrind *callgrind, const int64_t *costs_ns)
{
	fprintf(callgrind->stream, "0 %" PRId64, costs_ns[SUSPECT]);
	if (callgrind->tree->base) {
		fprintf(callgrind->stream, " %" PRId64, costs_ns[BASE]);
	}
	fputs("\n", callgrind->stream);
}

static void write_entry(struct callgrind *callgrind, uint32_t index)
{
	const struct entry *entry = entry_at_index(callgrind, index);

	fputs("\n", callgrind->stream);
	write_function(callgrind, "", index);
	write_costs(callgrind, entry->own_ns);
	for (guint i = 0; entry->edges && i < entry->edges->len; i++) {
		const struct edge *edge = &g_array_index(entry->edges, struct edge, i);

		write_function(callgrind, "c", edge->callee);
		/* Functions seen by ticks alone have no calls, and readers leave out functions
		 * without calls. */
		fprintf(callgrind->stream, "calls=%" PRIu64 " 0\n", MAX(edge->calls, 1));
		write_costs(callgrind, edge->total_ns);
	}
}

static void write_header(const struct callgrind *callgrind, const char *name)
{
	g_autofree char *label = itp_label_clean(name);
	int64_t sum_ns[SIDE_COUNT] = { 0 };

	for (guint i = 0; i < callgrind->entries->len; i++) {
		sum_ns[SUSPECT] += entry_at_index(callgrind, i)->own_ns[SUSPECT];
		sum_ns[BASE] += entry_at_index(callgrind, i)->own_ns[BASE];
	}
	fprintf(callgrind->stream,
		"# callgrind format\nversion: 1\ncreator: introperf\ncmd: %s\npositions: line\n"
		"events: ns%s\nsummary: %" PRId64,
		label, callgrind->tree->base ? " base_ns" : "", sum_ns[SUSPECT]);
	if (callgrind->tree->base) {
		fprintf(callgrind->stream, " %" PRId64, sum_ns[BASE]);
	}
	fputs("\n", callgrind->stream);
}

static void add_nodes(struct callgrind *callgrind)
{
	const struct itp_export_tree *tree = callgrind->tree;
	g_autofree int64_t *suspect_ns = sum_totals(tree, tree->suspect);
	g_autofree int64_t *base_ns = sum_totals(tree, tree->base);
	const int64_t *const total_ns[SIDE_COUNT] = { suspect_ns, base_ns };

	for (uint32_t node = 1; node < itp_context_tree_size(tree->contexts); node++) {
		add_node_costs(callgrind, node, total_ns);
	}
}

static void clear_entry(void *data)
{
	struct entry *entry = data;

	if (entry->edges) {
		g_array_unref(entry->edges);
	}
}

int itp_export_callgrind(const struct itp_export_input *input, FILE *stream)
{
	struct callgrind callgrind = {
		.tree = input->tree,
		.stream = stream,
		.entries = g_array_new(FALSE, FALSE, sizeof(struct entry)),
		.entry_of = g_hash_table_new(itp_hash_number, NULL),
		.edge_of = g_hash_table_new(itp_hash_number, NULL),
		.entry_of_node = g_new0(uint32_t, itp_context_tree_size(input->tree->contexts)),
		.modules = g_hash_table_new(itp_hash_text, g_str_equal),
	};

	g_array_set_clear_func(callgrind.entries, clear_entry);
	add_nodes(&callgrind);
	callgrind.is_named = g_new0(bool, callgrind.entries->len);
	write_header(&callgrind, input->name);
	for (guint i = 0; i < callgrind.entries->len; i++) {
		write_entry(&callgrind, i);
	}
	g_hash_table_unref(callgrind.modules);
	g_hash_table_unref(callgrind.edge_of);
	g_hash_table_unref(callgrind.entry_of);
	g_array_unref(callgrind.entries);
	g_free(callgrind.entry_of_node);
	g_free(callgrind.is_named);
	return 0;
}
