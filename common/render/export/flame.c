/* SPDX-License-Identifier: MIT */
/*
 * A flame graph as an SVG picture: a frame for each context, as wide as its time, above its caller;
 * siblings by name. Of one run a frame has the colour of what most of its time is: on a CPU,
 * blocked, waiting for a CPU. Against a base it has the colour of what was added, the more the
 * larger the part of its time that was added. Names and numbers are in the frames' tooltips.
 */
#include "common/render/export/writers.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/render/units.h"

/* Pixels. */
#define WIDTH 1200.0
#define MARGIN 10
#define ROW 17
#define HEAD 54
#define SWATCH 12
#define LEGEND_STEP 150
#define CHARACTER 6.7
/* Narrower frames cannot be seen, nor what is above them. */
#define NARROWEST 0.3
/* Frames with fewer characters have no label. */
#define LABEL_LEAST 3

enum kind {
	ON_CPU,
	BLOCKED,
	RUNNABLE,
	KINDS,
	LESS = KINDS,
	COLOURS,
};

static const struct {
	const char *name;
	uint8_t rgb[3];
} colours[COLOURS] = {
	[ON_CPU] = { "on a CPU", { 0xe8, 0x95, 0x2e } },
	[BLOCKED] = { "blocked", { 0x5b, 0x8f, 0xd6 } },
	[RUNNABLE] = { "waiting for a CPU", { 0xb0, 0x86, 0xd0 } },
	[LESS] = { "less than before", { 0x7f, 0xc4, 0x93 } },
};

/* A frame in which nothing was added. */
static const uint8_t same_rgb[3] = { 0xe4, 0xe4, 0xe4 };

/* Nanoseconds of a context with all that it calls. */
struct sums {
	int64_t all;
	int64_t kinds[KINDS];
};

struct frame {
	struct sums suspect;
	struct sums base;
	/* Pixels; of the next callee. */
	double begin;
	double next;
	bool is_drawn;
};

struct flame {
	const struct itp_export_tree *tree;
	FILE *stream;
	/* By context. Owned by this. */
	struct frame *frames;
	uint32_t count;
	/* Most frames above each other. */
	uint32_t depth;
};

/* ---- Sums ---- */

static void add_own(const struct itp_profile *profile, uint32_t node, struct sums *sums)
{
	const struct itp_node_stats *stats = profile ? itp_profile_peek(profile, node) : NULL;

	if (stats) {
		sums->all += itp_export_own_ns(profile, node);
		sums->kinds[ON_CPU] += MAX(stats->own_use.cpu_ns, 0);
		sums->kinds[BLOCKED] += MAX(stats->own_use.blocked_ns, 0);
		sums->kinds[RUNNABLE] += MAX(stats->own_use.runnable_ns, 0);
	}
}

static void add_callee(struct sums *sums, const struct sums *callee)
{
	sums->all += callee->all;
	for (int kind = 0; kind < KINDS; kind++) {
		sums->kinds[kind] += callee->kinds[kind];
	}
}

/* Callees have larger numbers than their callers. */
static void sum_up(struct flame *flame)
{
	for (uint32_t node = flame->count - 1; node > ITP_CONTEXT_ROOT; node--) {
		const struct itp_context *context =
			itp_context_tree_get(flame->tree->contexts, node);
		struct frame *frame = &flame->frames[node];
		struct frame *caller = &flame->frames[context->parent];

		add_own(flame->tree->suspect, node, &frame->suspect);
		add_own(flame->tree->base, node, &frame->base);
		add_callee(&caller->suspect, &frame->suspect);
		add_callee(&caller->base, &frame->base);
	}
}

/* ---- Places ---- */

static const struct itp_function *function_in_flame(const struct flame *flame, uint32_t node)
{
	const struct itp_context *context = itp_context_tree_get(flame->tree->contexts, node);

	return itp_function_table_get(flame->tree->functions, context->function);
}

static gint by_caller_and_name(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct flame *flame = data;
	const uint32_t one = *(const uint32_t *)a;
	const uint32_t other = *(const uint32_t *)b;
	const uint32_t callers[] = { itp_context_tree_get(flame->tree->contexts, one)->parent,
				     itp_context_tree_get(flame->tree->contexts, other)->parent };
	const int order = callers[0] == callers[1] ?
				  strcmp(function_in_flame(flame, one)->name,
					 function_in_flame(flame, other)->name) :
				  (callers[0] > callers[1]) - (callers[0] < callers[1]);

	return order != 0 ? order : (one > other) - (one < other);
}

static double width_of(const struct flame *flame, const struct frame *frame)
{
	const int64_t all = flame->frames[ITP_CONTEXT_ROOT].suspect.all;

	return all > 0 ? (WIDTH - 2 * MARGIN) * (double)frame->suspect.all / (double)all : 0;
}

/* Callers come first, as their numbers are smaller than those of what they call. */
static void place(struct flame *flame)
{
	g_autofree uint32_t *order = g_new(uint32_t, flame->count);

	for (uint32_t node = 0; node < flame->count; node++) {
		order[node] = node;
	}
	g_qsort_with_data(order + 1, (gint)flame->count - 1, sizeof(*order), by_caller_and_name,
			  flame);
	flame->frames[ITP_CONTEXT_ROOT].begin = MARGIN;
	flame->frames[ITP_CONTEXT_ROOT].next = MARGIN;
	flame->frames[ITP_CONTEXT_ROOT].is_drawn = true;
	for (uint32_t i = 1; i < flame->count; i++) {
		const struct itp_context *context =
			itp_context_tree_get(flame->tree->contexts, order[i]);
		struct frame *frame = &flame->frames[order[i]];
		struct frame *caller = &flame->frames[context->parent];
		const double width = width_of(flame, frame);

		frame->begin = caller->next;
		frame->next = caller->next;
		frame->is_drawn = caller->is_drawn && width >= NARROWEST;
		caller->next += width;
		if (frame->is_drawn) {
			flame->depth = MAX(flame->depth, context->depth);
		}
	}
}

/* ---- Colours ---- */

static void mix(const uint8_t *rgb, double part, char *ret_colour, size_t size)
{
	uint8_t mixed[3];

	for (int i = 0; i < 3; i++) {
		mixed[i] = (uint8_t)(same_rgb[i] + part * (rgb[i] - same_rgb[i]));
	}
	g_snprintf(ret_colour, (gulong)size, "#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
}

/* Kind of most of the time, or of most of what was added. */
static enum kind kind_of_frame(const struct frame *frame)
{
	enum kind most = ON_CPU;

	for (enum kind kind = 0; kind < KINDS; kind++) {
		if (frame->suspect.kinds[kind] - frame->base.kinds[kind] >
		    frame->suspect.kinds[most] - frame->base.kinds[most]) {
			most = kind;
		}
	}
	return most;
}

static void colour_of(const struct frame *frame, char *ret_colour, size_t size)
{
	const int64_t added = frame->suspect.all - frame->base.all;
	const int64_t whole = MAX(frame->suspect.all, frame->base.all);
	const double part = whole > 0 ? (double)ABS(added) / (double)whole : 0;

	mix(colours[added < 0 ? LESS : kind_of_frame(frame)].rgb, part, ret_colour, size);
}

/* ---- The picture ---- */

static void write_escaped(const char *text, FILE *stream)
{
	g_autofree char *escaped = g_markup_escape_text(text, -1);

	fputs(escaped, stream);
}

static void write_label(const struct flame *flame, const struct frame *frame, const char *name,
			double y)
{
	const double width = width_of(flame, frame);
	const unsigned int columns = (unsigned int)MAX(width / CHARACTER - 1, 0);
	g_autofree char *label = NULL;

	if (columns < LABEL_LEAST) {
		return;
	}
	label = itp_label_shorten_function(name, columns);
	fprintf(flame->stream, "<text x=\"%.1f\" y=\"%.0f\">", frame->begin + 3, y + ROW - 5);
	write_escaped(label, flame->stream);
	fputs("</text>", flame->stream);
}

/* "refresh_prices: 563 ms, 91 %; 563 ms more" */
static void write_tooltip(const struct flame *flame, const struct frame *frame, const char *name)
{
	const struct frame *root = &flame->frames[ITP_CONTEXT_ROOT];
	const int64_t added = frame->suspect.all - frame->base.all;
	g_autofree char *time = itp_units_time(frame->suspect.all);
	g_autofree char *share =
		itp_units_share((double)frame->suspect.all, (double)root->suspect.all);
	g_autofree char *change = itp_units_time(ABS(added));

	fputs("<title>", flame->stream);
	write_escaped(name, flame->stream);
	fprintf(flame->stream, ": %s, ", time);
	/* It may be "<0.1 %". */
	write_escaped(share, flame->stream);
	if (flame->tree->base) {
		fprintf(flame->stream, "; %s %s", change, added < 0 ? "less" : "more");
	}
	fputs("</title>", flame->stream);
}

static void write_frame(const struct flame *flame, uint32_t node, double height)
{
	const struct frame *frame = &flame->frames[node];
	const uint32_t depth = itp_context_tree_get(flame->tree->contexts, node)->depth;
	const double y = height - MARGIN - depth * ROW;
	g_autofree char *name = itp_label_function(function_in_flame(flame, node));
	char colour[sizeof("#rrggbb")];

	colour_of(frame, colour, sizeof(colour));
	fputs("<g>", flame->stream);
	write_tooltip(flame, frame, name);
	fprintf(flame->stream,
		"<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
		frame->begin, y, MAX(width_of(flame, frame) - 0.5, NARROWEST), ROW - 1, colour);
	write_label(flame, frame, name, y);
	fputs("</g>\n", flame->stream);
}

static void write_legend(const struct flame *flame)
{
	const int shown = flame->tree->base ? COLOURS : KINDS;

	for (int i = 0; i < shown; i++) {
		char colour[sizeof("#rrggbb")];

		mix(colours[i].rgb, 1, colour, sizeof(colour));
		fprintf(flame->stream,
			"<rect x=\"%d\" y=\"30\" width=\"%d\" height=\"%d\" fill=\"%s\"/>"
			"<text x=\"%d\" y=\"40\">%s</text>\n",
			MARGIN + i * LEGEND_STEP, SWATCH, SWATCH, colour,
			MARGIN + i * LEGEND_STEP + SWATCH + 5, colours[i].name);
	}
}

/* "slow.data: 617 ms of all threads together, 534 ms more than good.data" */
static void write_head(const struct flame *flame)
{
	const struct frame *root = &flame->frames[ITP_CONTEXT_ROOT];
	const int64_t added = root->suspect.all - root->base.all;
	g_autofree char *name = itp_label_clean(flame->tree->suspect->workload.name);
	g_autofree char *time = itp_units_time(root->suspect.all);
	g_autofree char *change = itp_units_time(ABS(added));

	fprintf(flame->stream, "<text x=\"%d\" y=\"20\" font-size=\"14\">", MARGIN);
	write_escaped(name, flame->stream);
	fprintf(flame->stream, ": %s of all threads together", time);
	if (flame->tree->base) {
		g_autofree char *base = itp_label_clean(flame->tree->base->workload.name);

		fprintf(flame->stream, ", %s %s than ", change, added < 0 ? "less" : "more");
		write_escaped(base, flame->stream);
	}
	fputs("</text>\n", flame->stream);
	write_legend(flame);
}

int itp_export_flame(const struct itp_export_input *input, FILE *stream)
{
	struct flame flame = {
		.tree = input->tree,
		.stream = stream,
		.count = itp_context_tree_size(input->tree->contexts),
	};
	double height;

	flame.frames = g_new0(struct frame, flame.count);
	sum_up(&flame);
	place(&flame);
	height = HEAD + flame.depth * ROW + MARGIN;
	fprintf(stream,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" font-family=\"monospace\" font-size=\"11\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		WIDTH, height, WIDTH, height);
	write_head(&flame);
	for (uint32_t node = 1; node < flame.count; node++) {
		if (flame.frames[node].is_drawn) {
			write_frame(&flame, node, height);
		}
	}
	fputs("</svg>\n", stream);
	g_free(flame.frames);
	return 0;
}
