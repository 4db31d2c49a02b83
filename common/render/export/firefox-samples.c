/* SPDX-License-Identifier: MIT */
/*
 * See firefox-samples.h. A sample for each change of a thread's open calls, with the time up to the
 * next one as its weight: call tree, flame graph and stack chart then show the inferred times
 * themselves.
 *
 * A column is a walk over the calls, as with markers. In memory there are the stacks, each a frame
 * below another stack: a context, and the number of contexts is small.
 */
#include "common/render/export/firefox-samples.h"

#include <inttypes.h>

#include "common/base/error.h"

/* resourceTypes of the format: a library. */
#define RESOURCE_LIBRARY "1"
/* Of no stack. */
#define NO_CALL ITP_CONTEXT_ROOT

struct samples {
	const struct itp_firefox *firefox;
	guint thread;
	/* Node - 1 is the number of a stack. Owned by this. */
	struct itp_context_tree *stacks;
	/* uint32_t: functions in the stacks, and by function, 1 + its place among them. Owned by
	 * this. */
	GArray *functions;
	uint32_t *place_of;
	uint64_t count;
};

/* ---- Samples ---- */

/* Time in which a stack was open. */
struct sample {
	uint32_t stack;
	int64_t begin_ns;
	int64_t end_ns;
};

/* Writer of a sample's value in a column. */
typedef void write_sample(const struct itp_firefox *firefox, struct sample sample);

static void write_stack(const struct itp_firefox *firefox, struct sample sample)
{
	if (sample.stack == NO_CALL) {
		fputs("null", firefox->stream);
	} else {
		fprintf(firefox->stream, "%" PRIu32, sample.stack - 1);
	}
}

static void write_begin(const struct itp_firefox *firefox, struct sample sample)
{
	itp_firefox_write_ms(firefox, sample.begin_ns - firefox->origin_ns);
}

static void write_length(const struct itp_firefox *firefox, struct sample sample)
{
	itp_firefox_write_ms(firefox, sample.end_ns - sample.begin_ns);
}

static uint32_t follow_call(const struct samples *samples, uint32_t stack,
			    const struct itp_timeline_event *event)
{
	return event->is_begin ?
		       itp_context_tree_child(samples->stacks, stack, event->call.function) :
		       itp_context_tree_get(samples->stacks, stack)->parent;
}

static void write_one(struct samples *samples, write_sample *write, struct sample sample)
{
	fputs(samples->count == 0 ? "\n" : ",\n", samples->firefox->stream);
	write(samples->firefox, sample);
	samples->count++;
}

/* The last sample is of no call, at the end of the last call. */
static int write_column(struct samples *samples, const char *name, write_sample *write)
{
	struct itp_timeline *timeline = samples->firefox->input->timeline;
	struct itp_timeline_event event;
	struct sample sample = { .stack = NO_CALL };
	bool has_begun = false;
	int code = itp_timeline_open(timeline, samples->thread);

	samples->count = 0;
	fprintf(samples->firefox->stream, "\"%s\":[", name);
	while (code == ITP_OK && (code = itp_timeline_next(timeline, &event)) > 0) {
		code = ITP_OK;
		sample.end_ns = event.time_ns;
		if (has_begun && sample.end_ns > sample.begin_ns) {
			write_one(samples, write, sample);
		}
		has_begun = true;
		sample.begin_ns = event.time_ns;
		sample.stack = follow_call(samples, sample.stack, &event);
	}
	if (has_begun) {
		sample.stack = NO_CALL;
		write_one(samples, write, sample);
	}
	fputs("],\n", samples->firefox->stream);
	return code;
}

static int write_samples(struct samples *samples)
{
	int code;

	fputs("\"samples\":{", samples->firefox->stream);
	code = write_column(samples, "stack", write_stack);
	if (code == ITP_OK) {
		code = write_column(samples, "time", write_begin);
	}
	if (code == ITP_OK) {
		code = write_column(samples, "weight", write_length);
	}
	fprintf(samples->firefox->stream,
		"\"weightType\":\"tracing-ms\",\"length\":%" PRIu64 "},\n", samples->count);
	return code;
}

/* ---- Tables ---- */

/* Column of a table of `count` rows: a number each; below 0 it is null. */
static void write_numbers(const struct samples *samples, const char *name, size_t count,
			  int64_t (*number)(const struct samples *samples, size_t row))
{
	FILE *stream = samples->firefox->stream;

	fprintf(stream, "\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		int64_t value = number(samples, i);

		fputs(i == 0 ? "" : ",", stream);
		if (value < 0) {
			fputs("null", stream);
		} else {
			fprintf(stream, "%" PRId64, value);
		}
	}
	fputs("],", stream);
}

/* Column with the same value in each row. */
static void write_constant(const struct samples *samples, const char *name, size_t count,
			   const char *value)
{
	fprintf(samples->firefox->stream, "\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		fprintf(samples->firefox->stream, "%s%s", i == 0 ? "" : ",", value);
	}
	fputs("],", samples->firefox->stream);
}

static void end_table(const struct samples *samples, size_t count, const char *end)
{
	fprintf(samples->firefox->stream, "\"length\":%zu}%s", count, end);
}

static const struct itp_context *context_of_stack(const struct samples *samples, size_t stack)
{
	return itp_context_tree_get(samples->stacks, (uint32_t)stack + 1);
}

static uint32_t function_of_row(const struct samples *samples, size_t row)
{
	return g_array_index(samples->functions, uint32_t, row);
}

static int64_t stack_frame(const struct samples *samples, size_t row)
{
	return (int64_t)samples->place_of[context_of_stack(samples, row)->function] - 1;
}

static int64_t stack_prefix(const struct samples *samples, size_t row)
{
	return (int64_t)context_of_stack(samples, row)->parent - 1;
}

static int64_t frame_category(const struct samples *samples, size_t row)
{
	return itp_function_table_get(samples->firefox->input->functions,
				      function_of_row(samples, row))
		->layer;
}

static int64_t frame_function(const struct samples *samples, size_t row)
{
	(void)samples;
	return (int64_t)row;
}

static int64_t function_name(const struct samples *samples, size_t row)
{
	return function_of_row(samples, row);
}

static int64_t module_name(const struct samples *samples, size_t row)
{
	return (int64_t)itp_function_table_size(samples->firefox->input->functions) + (int64_t)row;
}

/* Frames are functions, and nothing else tells two of them apart. */
static void write_frames(const struct samples *samples)
{
	static const char *const nothing[] = { "nativeSymbol", "line", "column" };
	size_t count = samples->functions->len;

	fputs("\"frameTable\":{", samples->firefox->stream);
	write_numbers(samples, "func", count, frame_function);
	write_numbers(samples, "category", count, frame_category);
	write_constant(samples, "address", count, "-1");
	write_constant(samples, "inlineDepth", count, "0");
	write_constant(samples, "subcategory", count, "0");
	write_constant(samples, "innerWindowID", count, "0");
	for (size_t i = 0; i < G_N_ELEMENTS(nothing); i++) {
		write_constant(samples, nothing[i], count, "null");
	}
	end_table(samples, count, ",\n");
}

/* A function without a module has the resource -1. */
static void write_resources(const struct samples *samples)
{
	FILE *stream = samples->firefox->stream;

	fputs("\"resource\":[", stream);
	for (guint i = 0; i < samples->functions->len; i++) {
		fprintf(stream, "%s%" PRId64, i == 0 ? "" : ",",
			(int64_t)samples->firefox->module_of[function_of_row(samples, i)] - 1);
	}
	fputs("],", stream);
}

static void write_functions(const struct samples *samples)
{
	static const char *const nothing[] = { "source", "lineNumber", "columnNumber" };
	size_t count = samples->functions->len;

	fputs("\"funcTable\":{", samples->firefox->stream);
	write_numbers(samples, "name", count, function_name);
	write_resources(samples);
	write_constant(samples, "isJS", count, "false");
	write_constant(samples, "relevantForJS", count, "false");
	for (size_t i = 0; i < G_N_ELEMENTS(nothing); i++) {
		write_constant(samples, nothing[i], count, "null");
	}
	end_table(samples, count, ",\n");
}

static void write_tables(const struct samples *samples)
{
	FILE *stream = samples->firefox->stream;
	size_t stack_count = itp_context_tree_size(samples->stacks) - 1;
	size_t module_count = samples->firefox->modules->len;

	fputs("\"stackTable\":{", stream);
	write_numbers(samples, "frame", stack_count, stack_frame);
	write_numbers(samples, "prefix", stack_count, stack_prefix);
	end_table(samples, stack_count, ",\n");
	write_frames(samples);
	write_functions(samples);
	fputs("\"resourceTable\":{", stream);
	write_numbers(samples, "name", module_count, module_name);
	write_constant(samples, "lib", module_count, "null");
	write_constant(samples, "host", module_count, "null");
	write_constant(samples, "type", module_count, RESOURCE_LIBRARY);
	end_table(samples, module_count, ",\n");
	fputs("\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
	      "\"length\":0}",
	      stream);
}

/* ---- The whole ---- */

static void number_functions(struct samples *samples)
{
	for (uint32_t node = 1; node < itp_context_tree_size(samples->stacks); node++) {
		uint32_t function = itp_context_tree_get(samples->stacks, node)->function;

		if (samples->place_of[function] == 0) {
			g_array_append_val(samples->functions, function);
			samples->place_of[function] = samples->functions->len;
		}
	}
}

int itp_firefox_write_samples(const struct itp_firefox *firefox, guint thread)
{
	struct samples samples = {
		.firefox = firefox,
		.thread = thread,
		.stacks = itp_context_tree_new(),
		.functions = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.place_of = g_new0(uint32_t, itp_function_table_size(firefox->input->functions)),
	};
	int code = write_samples(&samples);

	number_functions(&samples);
	write_tables(&samples);
	g_free(samples.place_of);
	g_array_unref(samples.functions);
	itp_context_tree_free(samples.stacks);
	return code;
}
