/* SPDX-License-Identifier: MIT */
/*
 * JSON of speedscope (https://www.speedscope.app/file-format-schema.json): of a tree, a sampled
 * profile for each workload, weighted by own latency; of a timeline, an evented profile for each
 * thread, from the first begin on.
 *
 * Frames are the functions, by their numbers.
 */
#include "common/render/export/writers.h"

#include <inttypes.h>

#include "common/base/error.h"
#include "common/render/export/json-names.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

struct speedscope {
	const struct itp_export_input *input;
	struct itp_json_names *names;
	FILE *stream;
	/* A profile has been written already. */
	bool has_profile;
};

/* Begins an element of an array; `*has_one` tells whether another came before. */
static void begin_element(FILE *stream, bool *has_one)
{
	fputs(*has_one ? ",\n" : "\n", stream);
	*has_one = true;
}

static void write_frames(const struct speedscope *speedscope)
{
	bool has_one = false;

	fputs("\"shared\":{\"frames\":[", speedscope->stream);
	for (uint32_t i = 0; i < itp_function_table_size(speedscope->input->functions); i++) {
		begin_element(speedscope->stream, &has_one);
		fprintf(speedscope->stream, "{\"name\":%s,\"file\":%s}",
			itp_json_names_function(speedscope->names, i),
			itp_json_names_module(speedscope->names, i));
	}
	fputs("]},\n", speedscope->stream);
}

static void write_path(const struct speedscope *speedscope, const GArray *path)
{
	for (guint i = 0; i < path->len; i++) {
		fprintf(speedscope->stream, "%s%" PRIu32, i == 0 ? "[" : ",",
			g_array_index(path, uint32_t, i));
	}
	fputs("]", speedscope->stream);
}

static void write_samples(const struct speedscope *speedscope, const struct itp_profile *profile)
{
	const struct itp_context_tree *contexts = speedscope->input->tree->contexts;
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	bool has_one = false;

	fputs("\"samples\":[", speedscope->stream);
	for (uint32_t node = 1; node < itp_context_tree_size(contexts); node++) {
		if (itp_export_own_ns(profile, node) > 0) {
			begin_element(speedscope->stream, &has_one);
			itp_context_tree_path(contexts, node, path);
			write_path(speedscope, path);
		}
	}
	fputs("],\n\"weights\":[", speedscope->stream);
	has_one = false;
	for (uint32_t node = 1; node < itp_context_tree_size(contexts); node++) {
		int64_t own_ns = itp_export_own_ns(profile, node);

		if (own_ns > 0) {
			begin_element(speedscope->stream, &has_one);
			fprintf(speedscope->stream, "%" PRId64, own_ns);
		}
	}
	fputs("]", speedscope->stream);
}

static void write_sampled(struct speedscope *speedscope, const struct itp_profile *profile)
{
	const struct itp_context_tree *contexts = speedscope->input->tree->contexts;
	g_autofree char *name = itp_json_quote(profile->workload.name);
	int64_t sum_ns = 0;

	for (uint32_t node = 1; node < itp_context_tree_size(contexts); node++) {
		sum_ns += itp_export_own_ns(profile, node);
	}
	begin_element(speedscope->stream, &speedscope->has_profile);
	fprintf(speedscope->stream,
		"{\"type\":\"sampled\",\"name\":%s,\"unit\":\"nanoseconds\",\"startValue\":0,"
		"\"endValue\":%" PRId64 ",\n",
		name, sum_ns);
	write_samples(speedscope, profile);
	fputs("}", speedscope->stream);
}

static int write_events(struct speedscope *speedscope, int64_t origin_ns)
{
	struct itp_timeline_event event;
	bool has_one = false;
	int code;

	while ((code = itp_timeline_next(speedscope->input->timeline, &event)) > 0) {
		begin_element(speedscope->stream, &has_one);
		fprintf(speedscope->stream,
			"{\"type\":\"%c\",\"frame\":%" PRIu32 ",\"at\":%" PRId64 "}",
			event.is_begin ? 'O' : 'C', event.call.function, event.time_ns - origin_ns);
	}
	return code;
}

static int write_evented(struct speedscope *speedscope, guint index)
{
	struct itp_timeline *timeline = speedscope->input->timeline;
	const struct itp_timeline_thread *thread = itp_timeline_thread(timeline, index);
	int64_t origin_ns = itp_timeline_begin_ns(timeline);
	const struct itp_function *process =
		itp_function_table_get(speedscope->input->functions, thread->process);
	g_autofree char *label = g_strdup_printf("%s%s (pid %" PRId32 ", tid %" PRId32 ")",
						 thread->name ? thread->name : process->name,
						 thread->has_units ? ", units of work" : "",
						 thread->pid, thread->tid);
	g_autofree char *name = itp_json_quote(label);
	int code = itp_timeline_open(timeline, index);

	if (code < 0) {
		return code;
	}
	begin_element(speedscope->stream, &speedscope->has_profile);
	fprintf(speedscope->stream,
		"{\"type\":\"evented\",\"name\":%s,\"unit\":\"nanoseconds\",\"startValue\":0,"
		"\"endValue\":%" PRId64 ",\"events\":[",
		name, itp_timeline_end_ns(timeline) - origin_ns);
	code = write_events(speedscope, origin_ns);
	fputs("]}", speedscope->stream);
	return code;
}

static int write_profiles(struct speedscope *speedscope)
{
	const struct itp_export_input *input = speedscope->input;
	int code = ITP_OK;

	if (input->tree) {
		write_sampled(speedscope, input->tree->suspect);
	}
	if (input->tree && input->tree->base) {
		write_sampled(speedscope, input->tree->base);
	}
	for (guint i = 0;
	     input->timeline && code == ITP_OK && i < itp_timeline_thread_count(input->timeline);
	     i++) {
		code = write_evented(speedscope, i);
	}
	return code;
}

int itp_export_speedscope(const struct itp_export_input *input, FILE *stream)
{
	struct speedscope speedscope = {
		.input = input,
		.names = itp_json_names_new(input->functions),
		.stream = stream,
	};
	g_autofree char *name = itp_json_quote(input->name);
	int code;

	fprintf(stream, "{\"$schema\":\"" SCHEMA "\",\"exporter\":\"introperf\",\"name\":%s,\n",
		name);
	write_frames(&speedscope);
	fputs("\"profiles\":[", stream);
	code = write_profiles(&speedscope);
	fputs("]}\n", stream);
	itp_json_names_free(speedscope.names);
	return code;
}
