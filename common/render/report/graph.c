/* SPDX-License-Identifier: MIT */
/*
 * PA-CCT of the paper's Figures 5 and 6 for Graphviz: the ranked paths as a tree, with the edges of
 * both workloads, as wide as their latencies. Everything beside these paths is a dashed node at
 * each of their functions, and frames between two telling ones are a single node.
 */
#include "common/render/report/parts.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/render/units.h"

#define NAME_COLUMNS 40
#define TITLE_COLUMNS 200
#define WIDTH_MOST 9.0
#define WIDTH_LEAST 0.5
/* Contexts of a culprit, and paths that may be chance where there are no others. */
#define VARIANTS_MOST 8
#define UNSURE_MOST 3

#define SUSPECT_COLOUR "#c44e00"
#define BASE_COLOUR "#0068a8"

enum part {
	/* Not on a ranked path. */
	PART_NONE = 0,
	/* Part of a way, with nothing to see, between two of the others. */
	PART_PASSED,
	PART_SHOWN,
	PART_CULPRIT,
};

struct graph {
	const struct itp_page *page;
	GString *output;
	/* By node: enum part, how many children are on ranked paths, and the sums of what the
	 * others have. Owned by this. */
	uint8_t *parts;
	uint32_t *branches;
	int64_t *other_suspect_ns;
	int64_t *other_base_ns;
	uint32_t *others;
	int64_t most_ns;
};

static const struct itp_context *context_in_graph(const struct graph *graph, uint32_t node)
{
	return itp_context_tree_get(graph->page->ranking->tree, node);
}

static const struct itp_function *function_in_graph(const struct graph *graph, uint32_t node)
{
	return itp_function_at(graph->page->ranking, context_in_graph(graph, node)->function);
}

/* Latency of all calls, 0 for times apart. */
static int64_t total_ns(const struct graph *graph, const struct itp_profile *profile, uint32_t node)
{
	const struct itp_ranking *ranking = graph->page->ranking;

	return profile == NULL || itp_ranking_is_apart(ranking, node) ?
		       0 :
		       itp_profile_peek(profile, node)->total_ns;
}

/* ---- Drawn nodes ---- */

static void mark(struct graph *graph, uint32_t node, enum part part)
{
	graph->parts[node] = (uint8_t)MAX(graph->parts[node], part);
}

/* Marks `node` and its callers. A node where code of another module begins is shown. */
static void mark_chain(struct graph *graph, uint32_t node, enum part part)
{
	mark(graph, node, part);
	while (context_in_graph(graph, node)->parent != ITP_CONTEXT_ROOT) {
		uint32_t caller = context_in_graph(graph, node)->parent;

		mark(graph, node,
		     strcmp(function_in_graph(graph, node)->module,
			    function_in_graph(graph, caller)->module) != 0 ?
			     PART_SHOWN :
			     PART_PASSED);
		node = caller;
	}
	mark(graph, node, PART_SHOWN);
}

static void mark_path(struct graph *graph, const struct itp_ranked_path *path)
{
	if (path->frame_count == 0) {
		return;
	}
	mark_chain(graph, path->frames[path->frame_count - 1].node, PART_SHOWN);
	if (path->culprit >= 0) {
		mark_chain(graph, path->frames[path->culprit].node, PART_CULPRIT);
	}
	for (uint32_t i = 0; i < MIN(path->variant_count, VARIANTS_MOST); i++) {
		mark_chain(graph, path->variants[i].node, PART_CULPRIT);
	}
}

/* Paths that are sure or likely; the first ones without any. */
static void mark_paths(struct graph *graph)
{
	const GArray *paths = graph->page->ranking->paths;
	bool has_sure = false;

	for (guint i = 0; i < paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(graph->page->ranking, i);

		has_sure |= !itp_path_is_unsure(path);
		if (!itp_path_is_unsure(path) || (!has_sure && i < UNSURE_MOST)) {
			mark_path(graph, path);
		}
	}
}

static void measure_graph(struct graph *graph)
{
	const struct itp_ranking *ranking = graph->page->ranking;

	graph->most_ns = 1;
	for (uint32_t node = 1; node < itp_context_tree_size(ranking->tree); node++) {
		if (graph->parts[node] && context_in_graph(graph, node)->depth > 1) {
			graph->most_ns =
				MAX(graph->most_ns, MAX(total_ns(graph, ranking->suspect, node),
							total_ns(graph, ranking->base, node)));
		}
	}
}

static void count_children(struct graph *graph)
{
	const struct itp_ranking *ranking = graph->page->ranking;

	for (uint32_t node = 1; node < itp_context_tree_size(ranking->tree); node++) {
		uint32_t parent = context_in_graph(graph, node)->parent;

		if (graph->parts[node] != PART_NONE) {
			graph->branches[parent]++;
		} else {
			graph->others[parent]++;
			graph->other_suspect_ns[parent] += total_ns(graph, ranking->suspect, node);
			graph->other_base_ns[parent] += total_ns(graph, ranking->base, node);
		}
	}
}

/* A node where paths part is shown. */
static bool is_shown(const struct graph *graph, uint32_t node)
{
	return graph->parts[node] > PART_PASSED ||
	       (graph->parts[node] == PART_PASSED && graph->branches[node] != 1);
}

/* ---- Texts ---- */

/* Text in quotes. Graphviz knows escapes that begin with a backslash and entities. */
static void append_quoted(const struct graph *graph, const char *text)
{
	g_string_append_c(graph->output, '"');
	for (; *text; text++) {
		if (*text == '&') {
			g_string_append(graph->output, "&amp;");
		} else {
			if (*text == '"' || *text == '\\') {
				g_string_append_c(graph->output, '\\');
			}
			g_string_append_c(graph->output, *text);
		}
	}
	g_string_append_c(graph->output, '"');
}

static char *short_label(const char *name, unsigned int columns)
{
	g_autofree char *clean = itp_label_clean(name);

	return itp_label_shorten_function(clean, columns);
}

/* "20 ms → 593 ms" */
static char *times_text(const struct graph *graph, int64_t suspect_ns, int64_t base_ns)
{
	g_autofree char *suspect = itp_units_time(suspect_ns);
	g_autofree char *base = itp_units_time(base_ns);

	return graph->page->ranking->base ? g_strdup_printf("%s \u2192 %s", base, suspect) :
					    g_steal_pointer(&suspect);
}

/* ---- Nodes and edges ---- */

static void append_node(const struct graph *graph, uint32_t node)
{
	const struct itp_ranking *ranking = graph->page->ranking;
	const struct itp_function *function = function_in_graph(graph, node);
	g_autofree char *shown = itp_function_shown_name(function);
	g_autofree char *name = short_label(shown, NAME_COLUMNS);
	g_autofree char *title = short_label(shown, TITLE_COLUMNS);
	g_autofree char *module = short_label(function->module, NAME_COLUMNS);
	g_autofree char *times = times_text(graph, total_ns(graph, ranking->suspect, node),
					    total_ns(graph, ranking->base, node));

	g_string_append_printf(graph->output, "  n%u [label=", node);
	append_quoted(graph, name);
	/* Graphviz joins adjacent strings, of which only this one breaks lines. */
	if (function->module[0]) {
		g_string_append(graph->output, " + \"\\n\" + ");
		append_quoted(graph, module);
	}
	g_string_append(graph->output, " + \"\\n\" + ");
	append_quoted(graph, times);
	g_string_append(graph->output, ", tooltip=");
	append_quoted(graph, title);
	if (graph->parts[node] == PART_CULPRIT) {
		g_string_append(graph->output, ", style=filled, fillcolor=\"#fbe6d6\"");
	}
	g_string_append(graph->output, "];\n");
}

static void append_edge(const struct graph *graph, const char *from, const char *to,
			int64_t latency_ns, const char *colour)
{
	char width[G_ASCII_DTOSTR_BUF_SIZE];
	double part = (double)latency_ns / (double)graph->most_ns;

	if (latency_ns <= 0) {
		return;
	}
	g_ascii_formatd(width, sizeof(width), "%.2f", WIDTH_LEAST + WIDTH_MOST * MIN(part, 1));
	g_string_append_printf(graph->output, "  %s -> %s [color=\"%s\", penwidth=%s];\n", from, to,
			       colour, width);
}

static void append_edges(const struct graph *graph, const char *from, const char *to,
			 int64_t suspect_ns, int64_t base_ns)
{
	append_edge(graph, from, to, suspect_ns, SUSPECT_COLOUR);
	append_edge(graph, from, to, base_ns, BASE_COLOUR);
}

/* Edges to `node` from the next shown one above it, through passed ones. */
static void append_way(const struct graph *graph, uint32_t node)
{
	const struct itp_ranking *ranking = graph->page->ranking;
	int64_t suspect_ns = total_ns(graph, ranking->suspect, node);
	int64_t base_ns = total_ns(graph, ranking->base, node);
	uint32_t above = context_in_graph(graph, node)->parent;
	g_autofree char *to = g_strdup_printf("n%u", node);
	g_autofree char *from = NULL;
	uint32_t passed = 0;

	while (above != ITP_CONTEXT_ROOT && !is_shown(graph, above)) {
		above = context_in_graph(graph, above)->parent;
		passed++;
	}
	if (above == ITP_CONTEXT_ROOT) {
		return;
	}
	from = g_strdup_printf("n%u", above);
	if (passed > 0) {
		g_autofree char *between = g_strdup_printf("p%u", node);

		g_string_append_printf(
			graph->output,
			"  %s [label=\"\u2026 %u %s\", shape=plaintext, fontcolor=\"#5c6570\"];\n",
			between, passed, passed == 1 ? "frame" : "frames");
		append_edges(graph, from, between, suspect_ns, base_ns);
		append_edges(graph, between, to, suspect_ns, base_ns);
	} else {
		append_edges(graph, from, to, suspect_ns, base_ns);
	}
}

/* Other callees of a function, beside the ranked paths. */
static void append_others(const struct graph *graph, uint32_t node)
{
	int64_t suspect_ns = graph->other_suspect_ns[node];
	int64_t base_ns = graph->other_base_ns[node];
	g_autofree char *times = times_text(graph, suspect_ns, base_ns);
	g_autofree char *from = g_strdup_printf("n%u", node);
	g_autofree char *to = g_strdup_printf("o%u", node);

	if (graph->others[node] == 0 || (suspect_ns <= 0 && base_ns <= 0)) {
		return;
	}
	g_string_append_printf(
		graph->output,
		"  %s [label=\"%u more\\n%s\", style=dashed, fontcolor=\"#5c6570\"];\n", to,
		graph->others[node], times);
	append_edges(graph, from, to, suspect_ns, base_ns);
}

static void append_start(const struct graph *graph)
{
	g_autofree char *summary = itp_report_text(graph->page, itp_page_append_answer);
	g_autoptr(GString) wrapped = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	itp_label_wrap(wrapped, summary, 0, 0, 2 * NAME_COLUMNS);
	lines = g_strsplit(g_strchomp(wrapped->str), "\n", -1);
	g_string_append(graph->output, "digraph introperf {\n  label=");
	for (char **line = lines; *line; line++) {
		append_quoted(graph, *line);
		g_string_append(graph->output, line[1] ? " + \"\\l\" + " : " + \"\\l\";\n");
	}
	g_string_append(graph->output,
			"  labelloc=t; labeljust=l; rankdir=TB; ranksep=0.35;\n"
			"  fontname=\"Helvetica,Arial,sans-serif\"; fontsize=12;\n"
			"  node [shape=box, fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, "
			"color=\"#8a929c\", margin=\"0.1,0.04\"];\n"
			"  edge [arrowhead=none];\n");
}

static void graph_init(struct graph *graph)
{
	const struct itp_ranking *ranking = graph->page->ranking;
	uint32_t size = itp_context_tree_size(ranking->tree);

	graph->parts = g_new0(uint8_t, size);
	graph->branches = g_new0(uint32_t, size);
	graph->others = g_new0(uint32_t, size);
	graph->other_suspect_ns = g_new0(int64_t, size);
	graph->other_base_ns = g_new0(int64_t, size);
	mark_paths(graph);
	measure_graph(graph);
	count_children(graph);
}

static void graph_release(struct graph *graph)
{
	g_free(graph->parts);
	g_free(graph->branches);
	g_free(graph->others);
	g_free(graph->other_suspect_ns);
	g_free(graph->other_base_ns);
}

void itp_report_append_graph(const struct itp_page *page)
{
	struct graph graph = { .page = page, .output = page->output };

	graph_init(&graph);
	append_start(&graph);
	for (uint32_t node = 1; node < itp_context_tree_size(page->ranking->tree); node++) {
		if (is_shown(&graph, node)) {
			append_node(&graph, node);
			append_way(&graph, node);
			append_others(&graph, node);
		}
	}
	g_string_append(page->output, "}\n");
	graph_release(&graph);
}
